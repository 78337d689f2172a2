"""Reads a throw in a picture: where the dice lie, which faces are up, and every doubt about it.

The net looks at the picture in several sizes and turns; a face counts as sure only where all turns
agree. What is not sure is asked: `ReadThrow.doubts` names each doubt, with the die it concerns.

>>> blank = np.full((200, 300, 3), 90, np.uint8)
>>> throw = read_throw(blank, edge=26.0)
>>> throw.faces, [doubt.word for doubt in throw.doubts]
((), ['none'])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.dice.dice_net import STRIDE, DiceNet, Floats
from companion.vision.dice.learned_faces import LearnedFaces

Picture = NDArray[np.uint8]

NET_EDGE = {6: 26.0, 8: 34.0, 10: 40.0}
"""Pixels of a die's edge, by its sides, to which pictures are scaled for the net (it was trained on
two thirds to one and a half of it)."""

SIZES = (0.75, 1.0, 1.33)
"""How much the told edge may be off: the picture is tried at these sizes of dice."""

BORDER = 16
REACH = 72
"""So many pixels around a cell have a part in its answer."""
SEEN = 0.15
"""A cell this likely is a die at all; below it nothing is looked at."""

SURE_PLACE, SURE_FACE, SURE_NONE = 0.45, 0.5, 0.3
"""A die is sure from these chances on; a further one below the last does not disturb."""

LEARNED_SIDES = 8
"""Dice whose faces are whatever their players show."""

MOST_PIXELS = 600_000
"""A larger picture, after scaling, is refused: it holds more than a table of dice."""

DoubtWord = Literal[
    "none", "too few", "too many", "unclear", "no face up", "off the mat", "too large",
    "no mat", "two mats", "covered",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die in a picture, in pixels, with the chance that its face is read rightly."""

    x: float
    y: float
    face: int
    chance: float
    traits: tuple[float, ...] = ()
    """What the net sees of a D8's face: players show each once."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a throw is not proposed without a question; `die` is an index, where it concerns one."""

    word: DoubtWord
    die: int | None = None


@dataclass(frozen=True, slots=True)
class ReadThrow:
    """What lies there, in reading order, and what is doubtful about it."""

    dice: tuple[SeenDie, ...]
    doubts: tuple[Doubt, ...]

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces that are up, smallest first."""
        return tuple(sorted(die.face for die in self.dice))

    @property
    def sure(self) -> bool:
        """Whether it is proposed without ringing a die."""
        return not self.doubts


@dataclass(frozen=True, slots=True)
class _Peak:
    """A die that the net sees: its place in the scaled picture, and the chances of each face."""

    x: float
    y: float
    place: float
    chances: Floats
    seen: Floats
    """What the net says about the face."""


def read_throw(
    picture: Picture,
    *,
    edge: float,
    count: int | None = None,
    sides: int = 6,
    exact: bool = False,
    again: Sequence[Picture] = (),
    learned: LearnedFaces | None = None,
) -> ReadThrow:
    """The dice in a picture whose edges are about `edge` pixels long (`exact`: within a tenth).

    The faces of a D8 are `learned`; nobody has shown any: its dice are found, with their traits.

    `again` are further pictures of the same dice: each further look takes the next of them, so
    that what one picture happens to show is not believed.
    """
    sizes = (1.0,) if exact else SIZES
    scales = [NET_EDGE[sides] / (edge * size) for size in sizes]
    if picture.shape[0] * picture.shape[1] * max(scales) ** 2 > MOST_PIXELS:
        return ReadThrow((), (Doubt("too large"),))
    net = DiceNet.load(sides)
    if sides == LEARNED_SIDES and learned is None:
        learned = LearnedFaces()
    apart = 0.55 * NET_EDGE[sides] / STRIDE
    looks = [(scale, _peaks(net, _scaled(picture, scale), apart, learned)) for scale in scales]
    scale, peaks = max(looks, key=lambda look: _worth(look[1], count))
    turns = (2, 1)[: max(len(again), 1)] if exact else (1, 2, 3)
    further = again or (picture,)
    seen = [
        (quarters, _scaled(further[index % len(further)], scale))
        for index, quarters in enumerate(turns)
    ]
    numbers = tuple(range(1, sides + 1)) if learned is None else learned.numbers
    return _throw(_agreed(net, seen, peaks, learned), count, scale, numbers)


def shifted(throw: ReadThrow, x: float, y: float) -> ReadThrow:
    """A throw read in a part of a picture, in the pixels of the whole."""
    dice = tuple(replace(die, x=die.x + x, y=die.y + y) for die in throw.dice)
    return ReadThrow(dice, throw.doubts)


def _scaled(picture: Picture, scale: float) -> Picture:
    """The picture with dice of the net's size, and a border around it."""
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    size = tuple(max(8, round(side * scale)) for side in (picture.shape[1], picture.shape[0]))
    small = cv2.resize(picture, size, interpolation=how)
    around = (BORDER, BORDER, BORDER, BORDER)
    return np.asarray(cv2.copyMakeBorder(small, *around, cv2.BORDER_REPLICATE), np.uint8)


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(0))
    return powers / powers.sum(0)


def _face(
    cells: Floats, row: int, column: int, learned: LearnedFaces | None
) -> tuple[Floats, Floats]:
    """The chances of the faces of a die at a cell, the last that none is clearly up, and what the
    net says there: means of the cell and its neighbours."""
    part = cells[1:, max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
    seen = part.mean((-2, -1))
    chances = _softmax(part).mean((-2, -1)) if learned is None else learned.chances(seen)
    return chances, seen


def _peaks(
    net: DiceNet, picture: Picture, apart: float, learned: LearnedFaces | None
) -> list[_Peak]:
    """The dice that the net sees, likeliest first; two are at least so many cells apart."""
    cells = net.cells(picture)
    heat = cells[0].copy()
    rows, columns = np.ogrid[: heat.shape[0], : heat.shape[1]]
    found: list[_Peak] = []
    while True:
        row, column = (int(v) for v in np.unravel_index(heat.argmax(), heat.shape))
        place = float(heat[row, column])
        if place < SEEN:
            return found
        face = _face(cells, row, column, learned)
        found.append(_Peak((column + 0.5) * STRIDE, (row + 0.5) * STRIDE, place, *face))
        heat[(rows - row) ** 2 + (columns - column) ** 2 < apart**2] = 0


def _worth(peaks: list[_Peak], count: int | None) -> float:
    """How well a look explains the picture: sure dice, as many as there should be, no more."""
    if count is None:
        return sum(peak.place * float(peak.chances.max()) - 0.5 for peak in peaks)
    values = [peak.place * float(peak.chances.max()) for peak in peaks]
    further = peaks[count].place if len(peaks) > count else 0.0
    return sum(values[:count]) / max(count, 1) - further


def _agreed(
    net: DiceNet,
    looks: Sequence[tuple[int, Picture]],
    peaks: list[_Peak],
    learned: LearnedFaces | None,
) -> list[_Peak]:
    """The same dice in pictures turned by quarters: chances multiplied, places averaged."""
    if not peaks:
        return peaks
    faces = [[(peak.chances, peak.seen)] for peak in peaks]
    places = [[peak.place] for peak in peaks]
    left, top, right, low = _box(peaks)
    for quarters, whole in looks:
        picture = whole[top:low, left:right]
        height, width = picture.shape[:2]
        cells = net.cells(np.ascontiguousarray(np.rot90(picture, quarters)))
        for index, peak in enumerate(peaks):
            x, y = _turned(peak.x - left, peak.y - top, width, height, quarters)
            row = min(int(y / STRIDE), cells.shape[1] - 1)
            column = min(int(x / STRIDE), cells.shape[2] - 1)
            window = cells[0, max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
            places[index].append(float(window.max()))
            faces[index].append(_face(cells, row, column, learned))
    return [
        replace(
            peak,
            place=float(np.mean(places[i])),
            chances=_product([chances for chances, _ in faces[i]]),
            seen=np.mean([seen for _, seen in faces[i]], axis=0),
        )
        for i, peak in enumerate(peaks)
    ]


def _box(peaks: list[_Peak]) -> tuple[int, int, int, int]:
    """The part of a picture, left, top, right and low, with all that the net sees of these dice."""
    xs, ys = [peak.x for peak in peaks], [peak.y for peak in peaks]
    left, top = (max(0, int(min(ends)) - REACH) // STRIDE * STRIDE for ends in (xs, ys))
    return left, top, int(max(xs)) + REACH, int(max(ys)) + REACH


def _product(chances: list[Floats]) -> Floats:
    """The geometric mean, not made to sum to one: looks that disagree leave little."""
    return np.exp(np.mean([np.log(np.maximum(c, 1e-6)) for c in chances], axis=0))


def _turned(x: float, y: float, width: int, height: int, quarters: int) -> tuple[float, float]:
    """Where a place is after `np.rot90` by so many quarters."""
    for _ in range(quarters):
        x, y, width, height = y, width - x, height, width
    return x, y


def _throw(
    peaks: list[_Peak], count: int | None, scale: float, numbers: tuple[int, ...]
) -> ReadThrow:
    """The likeliest dice, as many as asked for, and every doubt."""
    peaks = sorted(peaks, key=lambda peak: -peak.place * float(peak.chances.max()))
    taken = peaks[:count] if count is not None else [p for p in peaks if p.place >= SURE_NONE]
    rest = peaks[len(taken) :]
    dice: list[SeenDie] = []
    doubts: list[Doubt] = []
    for peak in taken:
        face = int(peak.chances[:-1].argmax())
        chance = float(peak.chances[face])
        if int(peak.chances.argmax()) == len(peak.chances) - 1:
            doubts.append(Doubt("no face up", len(dice)))
        elif peak.place < SURE_PLACE or chance < SURE_FACE:
            doubts.append(Doubt("unclear", len(dice)))
        x, y = (peak.x - BORDER) / scale, (peak.y - BORDER) / scale
        traits = tuple(float(v) for v in peak.seen) if len(numbers) != len(peak.seen) - 1 else ()
        dice.append(SeenDie(x, y, numbers[face], chance, traits))
    if not dice:
        doubts.append(Doubt("none"))
    elif count is not None and len(dice) < count:
        doubts.append(Doubt("too few"))
    elif rest and rest[0].place >= SURE_NONE:
        doubts.append(Doubt("too many"))
    return ReadThrow(tuple(dice), tuple(doubts))
