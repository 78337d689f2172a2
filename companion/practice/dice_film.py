"""Throws as a film: an empty mat, a hand that shakes and throws, dice that tumble and come to rest.

film = DiceFilm(np.random.default_rng(3))
film.throw(5, now_s)                   # or film.throw(2, now_s, keep=(0, 3)): a reroll
film.picture(now_s)                    # a frame
film.faces                             # what lies there, once it is at rest
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.printing.dice_mat import A5_MAT, DiceMat
from companion.practice.dice_throw import (
    GAPS,
    DiceScene,
    Floats,
    Picture,
    free_spots,
    resting_turns,
)

HAND_S = 0.6
"""How long a hand is over the mat before it lets the dice go."""
TUMBLE_S = 0.9
STILLS = 3
"""This many pictures of dice at rest have different noise; then they repeat."""
SKIN = (120, 150, 205)


@dataclass(frozen=True, slots=True, eq=False)
class Tumble:
    """A die on its way: from where, about which axis, how far it turns before it lies."""

    start: Floats
    axis: Floats
    angle: float


@dataclass(eq=False)
class DiceFilm:
    """One mat under one camera, and the dice that lie or roll upon it."""

    rng: np.random.Generator
    sides: int = 6
    mat: DiceMat = A5_MAT
    size: tuple[int, int] = (640, 480)
    view: DiceScene = field(init=False)
    faces: tuple[int, ...] = field(default=(), init=False)
    _spots: Floats = field(default_factory=lambda: np.empty((0, 2)), init=False)
    _turns: list[Floats] = field(default_factory=list, init=False)
    _tumbles: dict[int, Tumble] = field(default_factory=dict, init=False)
    """The dice that roll, by their place in `faces`."""
    _began_s: float = field(default=-1e9, init=False)
    _stills: list[Picture] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.view = DiceScene.random(self.rng, sides=self.sides, mat=self.mat, size=self.size)

    def throw(
        self, count: int, now_s: float, *, keep: Sequence[int] = (), faces: Sequence[int] = ()
    ) -> tuple[int, ...]:
        """Throw so many dice; those in `keep` stay where they lie. The faces that will be up."""
        kept = list(keep)
        spots = self._spots[kept]
        while True:
            new = free_spots(self.rng, self.mat, self.view.die_mm, count, GAPS[self.sides])
            gaps = np.linalg.norm(new[:, None] - spots[None], axis=2)
            if not gaps.size or gaps.min() > 1.3 * self.view.die_mm:
                break
        values = tuple(int(v) for v in faces or self.rng.integers(1, self.sides + 1, count))
        self._spots = np.vstack([spots, new])
        self._turns = [self._turns[i] for i in kept] + resting_turns(
            self.rng, self.view.solid, values
        )
        self.faces = tuple(self.faces[i] for i in kept) + values
        self._tumbles = {len(kept) + i: self._tumble() for i in range(count)}
        self._began_s, self._stills = now_s, []
        return values

    def clear(self) -> None:
        """Pick all dice up."""
        self._spots, self._turns, self.faces = np.empty((0, 2)), [], ()
        self._tumbles, self._stills = {}, []

    def resting(self, now_s: float) -> bool:
        """Whether everything lies still."""
        return now_s - self._began_s >= HAND_S + TUMBLE_S

    def picture(self, now_s: float) -> Picture:
        """The mat at this moment."""
        if self.resting(now_s):
            if not self._stills:
                middles = self.view.resting(self._spots, self._turns)
                self._stills = self.view.pictures(self.rng, middles, self._turns, STILLS)
            # Never the same twice in a row: a camera that does so hangs.
            self._stills.append(self._stills.pop(0))
            return self._stills[-1]
        since = now_s - self._began_s
        if since < HAND_S:
            lying = [i for i in range(len(self._turns)) if i not in self._tumbles]
            turns = [self._turns[i] for i in lying]
            middles = self.view.resting(self._spots[lying], turns)
            return self._with_hand(self.view.picture(self.rng, middles, turns), since / HAND_S)
        return self._rolling((since - HAND_S) / TUMBLE_S)

    def _tumble(self) -> Tumble:
        axis = self.rng.normal(0, 1, 3)
        start = np.array([self.mat.width_mm * self.rng.uniform(0.2, 0.8), self.mat.height_mm])
        return Tumble(start, axis / np.linalg.norm(axis), float(self.rng.uniform(8, 16)))

    def _rolling(self, share: float) -> Picture:
        """Dice that slow down, turn and bounce."""
        left = (1 - share) ** 2
        spots, turns = self._spots.copy(), list(self._turns)
        lifts: NDArray[np.float64] = np.zeros(len(turns))
        for index, way in self._tumbles.items():
            spots[index] += left * (way.start - spots[index])
            spin = np.asarray(cv2.Rodrigues(way.axis * way.angle * left)[0], np.float64)
            turns[index] = spin @ turns[index]
            lifts[index] = 1.5 * left * abs(np.cos(9 * share))
        middles = self.view.resting(spots, turns)
        middles[:, 2] += lifts
        return self.view.picture(self.rng, middles, turns)

    def _with_hand(self, picture: Picture, share: float) -> Picture:
        """A hand and its arm over the lower rim, shaking."""
        height, width = picture.shape[:2]
        x = round(width * (0.5 + 0.05 * np.sin(40 * share)))
        y = round(height * (0.75 + 0.04 * np.cos(33 * share)))
        drawn = picture.copy()
        cv2.line(drawn, (x, y), (x + width // 12, 2 * height), SKIN, width // 7, cv2.LINE_AA)
        cv2.circle(drawn, (x, y), width // 9, SKIN, -1, cv2.LINE_AA)
        return drawn
