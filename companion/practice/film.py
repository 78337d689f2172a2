"""An animated practice table: a hand moves one unit after another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.practice.camera import Motion, PracticeCamera, Truth
from companion.practice.upright_objects import HandSprite
from models.pose import Pose
from models.table import Table
from models.unit import overlap_depth

Picture = NDArray[np.uint8]

TURN_S = 7.0
"""The time from one unit's move to the next."""
REACH_S = 0.8
MOVE_S = 2.6
EXPOSURE_S = 1 / 60
RIM_IN = 5.0
"""The distance units keep from the table's edge, to leave the references visible."""
CLEAR_IN = 0.6
"""The distance units keep from each other, tabs included."""


@dataclass(frozen=True, slots=True)
class FilmMoment:
    """The table at one time, what moves during the exposure, and the hands over it."""

    time_s: float
    table: Table
    motions: dict[str, Motion]
    hands: tuple[HandSprite, ...]


@dataclass(frozen=True, slots=True)
class FilmStep:
    """One unit's move: its start and end pose, and its start time."""

    unit: str
    start_s: float
    before: Pose
    after: Pose


@dataclass
class Film:
    """A sequence of moments that is determined by the table and the seed."""

    table: Table
    seed: int = 0
    still: bool = False
    """Nobody moves anything."""
    _steps: list[FilmStep] = field(default_factory=list, init=False)
    _tables: list[Table] = field(default_factory=list, init=False)

    def at(self, time_s: float) -> FilmMoment:
        if self.still:
            return FilmMoment(time_s, self.table, {}, ())
        number = int(time_s // TURN_S)
        while len(self._steps) <= number and self.table.units:
            self._plan()
        if not self.table.units:
            return FilmMoment(time_s, self.table, {}, ())
        step, table = self._steps[number], self._tables[number]
        since = time_s - step.start_s
        pose = on_the_way(step, since)
        motions = {}
        if REACH_S < since < REACH_S + MOVE_S:
            early = on_the_way(step, since - EXPOSURE_S / 2)
            late = on_the_way(step, since + EXPOSURE_S / 2)
            turn = (late.heading - early.heading + 180) % 360 - 180
            motions[step.unit] = Motion(late.x - early.x, late.y - early.y, turn)
        return FilmMoment(time_s, table.moved(step.unit, pose), motions, hands(step, since, table))

    def moments(self, fps: float = 30.0, seconds: float = math.inf) -> Iterator[FilmMoment]:
        """Moments at the frame rate."""
        number = 0
        while number / fps < seconds:
            yield self.at(number / fps)
            number += 1

    def frames(
        self, camera: PracticeCamera, fps: float = 30.0, seconds: float = math.inf
    ) -> Iterator[tuple[Picture, Truth]]:
        """The frames of the film, rendered by a camera."""
        for number, moment in enumerate(self.moments(fps, seconds)):
            yield camera.frame(moment.table, moment.motions, moment.hands, number)

    def _plan(self) -> None:
        """Choose the next move: forward or sideways, with a small turn, to a free place."""
        number = len(self._steps)
        table = self._after() if self._steps else self.table
        rng = np.random.default_rng([self.seed, 53, number])
        unit = table.units[int(rng.integers(len(table.units)))]
        goal = unit.pose
        for _ in range(40):
            far, aside = float(rng.uniform(0.5, 6.0)), float(rng.uniform(-1.0, 1.0))
            trial = unit.pose.shifted(far, aside)
            trial = trial.turned(trial.heading + float(rng.uniform(-40, 40)))
            if free(table, unit.id, trial):
                goal = trial
                break
        self._steps.append(FilmStep(unit.id, number * TURN_S, unit.pose, goal))
        self._tables.append(table)

    def _after(self) -> Table:
        step = self._steps[-1]
        return self._tables[-1].moved(step.unit, step.after)


def on_the_way(step: FilmStep, since_s: float) -> Pose:
    """The unit's pose: at rest, then smoothly to its goal, then at rest."""
    share = min(max((since_s - REACH_S) / MOVE_S, 0.0), 1.0)
    share = share * share * (3 - 2 * share)
    turn = (step.after.heading - step.before.heading + 180) % 360 - 180
    return Pose(
        step.before.x + (step.after.x - step.before.x) * share,
        step.before.y + (step.after.y - step.before.y) * share,
        step.before.heading + turn * share,
    )


def hands(step: FilmStep, since_s: float, table: Table) -> tuple[HandSprite, ...]:
    """The hand that moves the unit: it reaches in, holds the tray's side, and withdraws."""
    ends_s = REACH_S * 2 + MOVE_S
    if not 0 < since_s < ends_s:
        return ()
    pose = on_the_way(step, since_s)
    far = table.unit(step.unit).side != table.sides()[0]
    x, y = pose.x, pose.y + (2.0 if far else -2.0)
    out = min(since_s, ends_s - since_s) / REACH_S
    if out < 1:
        edge = table.depth + 6 if far else -6.0
        y = edge + (y - edge) * out
    return (HandSprite(x, y, far),)


def free(table: Table, unit_id: str, pose: Pose) -> bool:
    """Whether the unit fits there without touching the table's edge or another tray."""
    if not (RIM_IN < pose.x < table.width - RIM_IN and RIM_IN < pose.y < table.depth - RIM_IN):
        return False
    unit = table.unit(unit_id).at(pose)
    for other in table.units:
        if other.id == unit_id:
            continue
        near = math.hypot(other.pose.x - pose.x, other.pose.y - pose.y)
        reach = (unit.tray.depth + other.tray.depth) / 2 + 2 * CLEAR_IN + 1.4
        if near < reach or overlap_depth(unit, other) > 0:
            return False
    return True
