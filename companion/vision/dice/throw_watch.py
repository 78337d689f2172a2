"""Watches the dice mat frame by frame: a throw is read once its dice lie still, and only if it
began after it was asked for. Dice that lay there before keep their places and never count.

watch = ThrowWatch()
watch.expect(5)                        # a prompt waits for five D6
sight = watch.see(picture, time_s)     # one frame after the other
sight.phase, sight.throw               # "read", the throw with its doubts
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.dice.dice_mat import (
    MatProblem,
    MatReading,
    MatView,
    die_edge_px,
    find_mat,
    mirrored,
    mirrored_mat,
    read_mat,
)
from companion.vision.dice.dice_reader import Doubt, Picture, ReadThrow, SeenDie
from companion.vision.dice.learned_faces import LearnedFaces
from companion.vision.sources.frame import grey_of

Grey = NDArray[np.uint8]

STILL_S = 0.4
"""Dice that have not moved for so long lie still."""
LOOK_AGAIN_S = 1.0
"""How often the mat's tags are looked for while nothing happens."""
FRAMES = 2
"""So many frames of a throw at rest must agree: dice are looked for in the first one, and looked at
again in the next, while nobody knows yet whether they lie still."""
MM_PER_PX = 2.0
"""Of the small picture of the mat that is compared from frame to frame."""
TOP = 0.01
"""The share of it, changed most, that decides: one die of twelve is one part in a hundred."""
STIR = 10.0
"""Grey values by which that share differs beyond the usual noise where something moves."""
STAYED = 0.25
"""A die within this share of an edge of an earlier one, with the same face, is that die."""

SMALLEST_PX = 12.0
"""Dice whose edge is shorter in the picture are not read: the camera must come nearer."""

Problem = MatProblem | Literal["too small"]
Phase = Literal["no mat", "two mats", "covered", "too small", "waiting", "moving", "read"]


@dataclass(frozen=True, slots=True, eq=False)
class ThrowSight:
    """What the watch knows after a frame."""

    phase: Phase
    throw: ReadThrow | None = None
    """The throw that was read; `places` of its dice are in the pixels of `picture`."""
    number: int = 0
    """Counts the throws that were read: a proposal is shown once."""
    edge_px: float = 0.0
    picture: Picture | None = None
    """The frame that was read: rings are drawn upon it."""


@dataclass(eq=False)
class ThrowWatch:
    """One mat under one camera; `see` is called with every frame, from one thread."""

    sides: int = 6
    count: int = 0
    """How many dice are asked for; 0 while nobody asks."""
    learned: LearnedFaces | None = None
    """The faces of a D8; without any, one die is shown to learn its face."""
    _view: MatView = field(default_factory=MatView, init=False)
    """The mat where it was seen last."""
    _problem: Problem | None = field(default="no mat", init=False)
    _looked_s: float = field(default=-1e9, init=False)
    _mirrored: bool = field(default=False, init=False)
    """Whether the camera mirrors its pictures, as front cameras do: they are turned back."""
    _mirror_s: float = field(default=-1e9, init=False)
    """When that was asked last."""
    _patch: Grey | None = field(default=None, init=False)
    _noise: float = field(default=0.0, init=False)
    _moved_s: float = field(default=-1e9, init=False)
    _seen_s: float = field(default=0.0, init=False)
    """When something moved last, and when the mat was seen at rest last."""
    _armed: bool = field(default=False, init=False)
    """Whether the mat was at rest after the throw was asked for: what moves from now on counts."""
    _stirred: bool = field(default=False, init=False)
    """Whether something moved since then."""
    _before: tuple[Picture, ...] = field(default=(), init=False)
    """The mat at rest before the throw."""
    _lying: tuple[SeenDie, ...] | None = field(default=None, init=False)
    """What lies on the mat since before; None where nobody has looked since it moved."""
    _frames: deque[Picture] = field(default_factory=lambda: deque(maxlen=FRAMES), init=False)
    _reading: MatReading | None = field(default=None, init=False)
    """The throw as far as it was looked at; None while something moves."""
    _rested: Grey | None = field(default=None, init=False)
    """The mat from above when it was looked at first."""
    _sight: ThrowSight = field(default_factory=lambda: ThrowSight("no mat"), init=False)

    def expect(self, count: int, sides: int = 6, learned: LearnedFaces | None = None) -> None:
        """From now on a throw of so many dice is waited for; 0: of none."""
        if (sides, learned) != (self.sides, self.learned):
            self._lying = None
        self.count, self.sides, self.learned = count, sides, learned
        self._armed = self._stirred = False
        self._reading = None
        self._sight = ThrowSight("waiting", number=self._sight.number)
        if count and self._still:
            self._arm()

    def see(self, picture: Picture, time_s: float) -> ThrowSight:
        """Take in a frame."""
        if self._mirrored:
            picture = mirrored(picture)
        if not self._find(picture, time_s):
            return self._say(self._problem or "no mat")
        alone = self._patch is None  # nothing tells yet whether it moves
        if self._moves(picture):
            self._moved_s, self._stirred = time_s, True
            self._forget()
            if not self._armed:
                self._lying = None
            return self._say("moving")
        self._frames.append(picture)
        self._seen_s = time_s
        if self.rolling and not alone and not self._looked(picture, time_s):
            return self._sight
        if not self._still:
            return self._sight
        if self.count:
            self._rest(picture)
        elif self._sight.phase != "read":
            self._say("waiting")
        return self._sight

    def _looked(self, picture: Picture, time_s: float) -> bool:
        """Look at dice that came to rest while nobody knows yet whether they lie still: for them in
        the first frame at rest, at them again in the next; whether both was done."""
        if self._reading is None:
            if not self._find(picture, time_s, now=True):
                self._say(self._problem or "no mat")
            elif self.ready and self._patch is not None:
                self._reading = MatReading(self._view, self.sides, self.learned)
                self._reading.find(picture, self._before[-1])
                self._rested = self._patch
            return False
        if not self._reading.agreed:
            self._reading.confirm(picture)
        return True

    @property
    def ready(self) -> bool:
        """Whether dice may be thrown: what moves from now on counts."""
        return bool(self.count) and self._armed

    @property
    def rolling(self) -> bool:
        """Whether dice that count move, or lie there and are not read yet."""
        return self.ready and self._stirred

    @property
    def _still(self) -> bool:
        """Whether the mat has been at rest for a while."""
        return len(self._frames) == FRAMES and self._seen_s - self._moved_s >= STILL_S

    def _arm(self) -> None:
        """From now on whatever moves is the throw that was asked for."""
        self._armed, self._stirred, self._before = True, False, tuple(self._frames)

    def _rest(self, picture: Picture) -> None:
        """A throw is asked for and nothing moves: remember what lies there, or read the throw."""
        if not self._armed:
            self._arm()
            self._say("waiting")
        elif self._stirred and self._reading is not None:
            self._finish(picture, self._reading)
        elif self._lying is None:
            self._lying = self._read_before()

    def _say(self, phase: Phase) -> ThrowSight:
        """A change of phase; a throw that was read stays readable until the next one is."""
        self._sight = replace(self._sight, phase=phase)
        return self._sight

    def _find(self, picture: Picture, time_s: float, now: bool = False) -> bool:
        """Whether the mat is there; looked for anew now and then, and `now` before a reading."""
        due = time_s - self._looked_s >= LOOK_AGAIN_S and self._reading is None
        if not (due or now) and self._problem is None:
            return True
        view, self._looked_s = find_mat(grey_of(picture)), time_s
        small = view.problem is None and die_edge_px(view) < SMALLEST_PX
        self._problem = "too small" if small else view.problem
        if view.problem == "no mat" and time_s - self._mirror_s >= LOOK_AGAIN_S:
            self._mirror_s = time_s
            self._mirrored ^= mirrored_mat(picture) is not None
        if self._problem is not None:  # most often a hand
            self._stirred, self._moved_s, self._patch = True, time_s, None
            self._forget()
            return False
        if _farther(view, self._view, STAYED * die_edge_px(view)):
            self._armed, self._lying, self._patch = False, None, None
            self._forget()
        self._view = view
        return True

    def _forget(self) -> None:
        """What was seen at rest is over."""
        self._frames.clear()
        self._reading = None

    def _moves(self, picture: Picture) -> bool:
        """Whether the mat looks other than in the frame before, or than when it was looked at: what
        creeps moves, too."""
        now, before = _patch(picture, self._view), self._patch
        self._patch = now
        if before is None or before.shape != now.shape:
            return False
        level = _difference(now, before)
        if level > self._noise + STIR:
            return True
        self._noise += 0.1 * (level - self._noise)
        if self._reading is None or self._rested is None:
            return False
        return _difference(now, self._rested) > self._noise + STIR

    def _read_before(self) -> tuple[SeenDie, ...]:
        """The dice that lay on the mat when the throw was asked for."""
        first, *again = self._before
        latest = again[-1] if again else None
        return read_mat(
            first, self._view, count=None, sides=self.sides, again=latest, learned=self.learned
        ).dice

    def _finish(self, picture: Picture, reading: MatReading) -> None:
        """Read the throw; without new dice it was a hand, or dice were picked up."""
        if self.learned is not None and not self.learned.traits:
            self._lying = ()  # a die that is turned over to show another face stays in its place
        elif self._lying is None:
            self._lying = self._read_before()
        before, edge = self._lying, die_edge_px(self._view, self.sides)
        thrown, _ = _parted(reading.throw(None), before, STAYED * edge)
        if reading.found_in_parts and len(thrown.dice) != self.count:
            # Hands, shadows, a die that is hard to see: the whole mat tells.
            reading = MatReading(self._view, self.sides, self.learned)
            reading.find(picture)
            reading.confirm(picture)
        throw, thrown, stayed = self._parted(reading, before, edge)
        self._reading = None
        self._stirred = False
        if not thrown.dice:
            self._lying = stayed
            self._say("waiting")
            return
        number = self._sight.number + 1
        counted = _counted(thrown, self.count)
        self._lying = throw.dice + reading.unseen(before)
        self._sight = ThrowSight("read", counted, number, edge, picture)

    def _parted(
        self, reading: MatReading, before: tuple[SeenDie, ...], edge: float
    ) -> tuple[ReadThrow, ReadThrow, tuple[SeenDie, ...]]:
        """All dice that were looked at, those thrown now, and those that lie where they lay."""
        throw = reading.throw(None)
        thrown, stayed = _parted(throw, before, STAYED * edge)
        if len(thrown.dice) != self.count:  # a die that is hard to see, perhaps
            expected = reading.throw(self.count + len(stayed))
            again = _parted(expected, before, STAYED * edge)
            if len(again[0].dice) == self.count and (again[0].sure or not thrown.dice):
                throw, (thrown, stayed) = expected, again
        return throw, thrown, stayed


def _counted(throw: ReadThrow, count: int) -> ReadThrow:
    """The throw with a doubt where it has another number of dice than was asked for."""
    doubts = tuple(doubt for doubt in throw.doubts if doubt.word != "too few")
    if len(throw.dice) < count:
        doubts += (Doubt("too few"),)
    elif len(throw.dice) > count and Doubt("too many") not in doubts:
        doubts += (Doubt("too many"),)
    return ReadThrow(throw.dice, doubts)


def _parted(
    throw: ReadThrow, before: tuple[SeenDie, ...], apart: float
) -> tuple[ReadThrow, tuple[SeenDie, ...]]:
    """What was thrown now, and the dice that lie where they lay."""
    left = list(before)
    new: dict[int, int] = {}
    stayed: list[SeenDie] = []
    for index, die in enumerate(throw.dice):
        same = [
            old
            for old in left
            if old.face == die.face and np.hypot(old.x - die.x, old.y - die.y) <= apart
        ]
        if same:
            left.remove(same[0])
            stayed.append(die)
        else:
            new[index] = len(new)
    dice = tuple(throw.dice[index] for index in new)
    doubts = tuple(
        doubt if doubt.die is None else Doubt(doubt.word, new[doubt.die])
        for doubt in throw.doubts
        if doubt.die is None or doubt.die in new
    )
    return ReadThrow(dice, doubts), tuple(stayed)


def _patch(picture: Picture, view: MatView) -> Grey:
    """The mat from above, small."""
    assert view.mat is not None
    assert view.to_picture is not None
    size = round(view.mat.width_mm / MM_PER_PX), round(view.mat.height_mm / MM_PER_PX)
    small = np.diag([MM_PER_PX, MM_PER_PX, 1.0])
    flat = cv2.warpPerspective(
        picture, view.to_picture @ small, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    return np.asarray(cv2.GaussianBlur(grey_of(np.asarray(flat, np.uint8)), (0, 0), 0.8), np.uint8)


def _difference(one: Grey, other: Grey) -> float:
    """By how many grey values the pictures differ, where they differ most."""
    change = cv2.absdiff(one, other).ravel()
    most = max(1, int(change.size * TOP))
    return float(np.partition(change, -most)[-most:].mean())


def _farther(now: MatView, before: MatView, px: float) -> bool:
    """Whether the mat or the camera was moved by more than so many pixels."""
    if now.mat != before.mat or before.to_picture is None:
        return True
    assert now.mat is not None
    corners = np.array([[0, 0], [now.mat.width_mm, now.mat.height_mm]], np.float64)
    moved = now.in_picture(corners) - before.in_picture(corners)
    return float(np.abs(moved).max()) > px
