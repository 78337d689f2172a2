"""Reads a throw in a picture: where the dice lie, which faces are up, and every doubt about it.

The net looks at the picture in several sizes and turns: the first look finds the dice, each further
one sees these dice alone. A face counts as sure only where all looks agree; on the mat a second
net must agree as well (`level_look`). What is not sure is asked: `ReadThrow.doubts` names each
doubt, with the die it concerns.

>>> blank = np.full((200, 300, 3), 90, np.uint8)
>>> throw = read_throw(blank, edge=26.0)
>>> throw.faces, [doubt.word for doubt in throw.doubts]
((), ['none'])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.dice.changed_parts import ChangedPart
from companion.vision.dice.dice_net import STRIDE, DiceNet
from companion.vision.dice.learned_faces import LearnedFaces
from companion.vision.dice.net_weights import Floats

Picture = NDArray[np.uint8]

FIND_EDGE = {6: 26.0, 8: 34.0, 10: 28.0}
READ_EDGE = {6: 26.0, 8: 44.0, 10: 40.0}
"""Pixels of a die's edge, by its sides, to which pictures are scaled for the net: whole ones, in
which dice are found, and what is cut out around each die to read it. Symbols and numerals need more
than pips."""

APART = {6: 0.55, 8: 0.8, 10: 0.8}
"""Two dice are at least so many edges apart in the picture."""

SIZES = (0.75, 1.0, 1.33)
"""How much the told edge may be off: the picture is tried at these sizes of dice."""

BORDER = 16
REACH = 1.25
"""So many edges around a die are cut out for a further look."""
SEEN = 0.15
"""A cell this likely is a die at all; below it nothing is looked at."""

SURE_PLACE, SURE_NONE = 0.45, 0.3
SURE_FACE = {6: 0.5, 8: 0.7, 10: 0.45}
"""A die is sure from these chances on, its face by its sides; a further one below the second does
not disturb, nor does one below the first that shows no face: a side of a die, or the ground.
Of 134 flat throws of D8 all were right from 0.8 down to 0.4, eight of them asked about at 0.95; the
second net told all of 66 leaning dice."""

LEANS = 0.3
"""A die leans from this chance on, as the second net sees it from right above."""

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
    """A die that the net sees: its place in a picture, and the chances of each face."""

    x: float
    y: float
    place: float
    chances: Floats
    seen: Floats
    """What the net says about the face."""
    level: Floats | None = None
    """What the second net says, where it was asked: the last is the chance that the die leans."""


@dataclass(eq=False)
class ThrowLooks:
    """What the net sees of one throw, look by look; the faces of a D8 are `learned`."""

    sides: int
    edge: float
    """Pixels of a die's edge in the pictures."""
    learned: LearnedFaces | None = None
    too_large: bool = field(default=False, init=False)
    _net: DiceNet = field(init=False)
    _size: float = field(default=1.0, init=False)
    """How many times longer the edges turned out to be."""
    _seen: list[list[_Peak]] = field(default_factory=list, init=False)
    """Each die in each look."""

    def __post_init__(self) -> None:
        self._net = DiceNet.load(self.sides)
        if self.sides == LEARNED_SIDES and self.learned is None:
            self.learned = LearnedFaces()

    def find(
        self, picture: Picture, sizes: Sequence[float] = (1.0,), count: int | None = None
    ) -> None:
        """The first look: at dice of these sizes, in edges; the best of them is kept."""
        scales = [FIND_EDGE[self.sides] / (self.edge * size) for size in sizes]
        self.too_large = picture.shape[0] * picture.shape[1] * max(scales) ** 2 > MOST_PIXELS
        if self.too_large:
            return
        looks = [self._found(picture, scale) for scale in scales]
        best = max(range(len(sizes)), key=lambda index: _worth(looks[index], count))
        self._size, self._seen = sizes[best], [[peak] for peak in looks[best]]
        self._read_large(picture)

    def find_in(self, picture: Picture, parts: Sequence[ChangedPart]) -> None:
        """The first look, at parts of a picture."""
        scale, self._seen = FIND_EDGE[self.sides] / self.edge, []
        for part in parts:
            cut = picture[part.top : part.low, part.left : part.right]
            for peak in self._found(cut, scale, STRIDE):
                moved = replace(peak, x=peak.x + part.left, y=peak.y + part.top)
                if part.holds(moved.x, moved.y):
                    self._seen.append([moved])
        self._read_large(picture)

    def _read_large(self, picture: Picture) -> None:
        """Where dice are read in a larger size than that in which they are found."""
        if FIND_EDGE[self.sides] != READ_EDGE[self.sides]:
            self.look_again(picture, (0,))
            self._seen = [seen[1:] for seen in self._seen]

    def _found(self, picture: Picture, scale: float, border: int = BORDER) -> list[_Peak]:
        cells = self._net.cells(_scaled(picture, scale, border))
        apart = APART[self.sides] * FIND_EDGE[self.sides] / STRIDE
        return [
            replace(peak, x=(peak.x - border) / scale, y=(peak.y - border) / scale)
            for peak in _peaks(cells, apart, self.learned)
        ]

    def look_again(self, picture: Picture, turns: Sequence[int]) -> None:
        """The same dice, cut out of a picture and turned by so many quarters each time."""
        if not self._seen:
            return
        edge = READ_EDGE[self.sides]
        scale, half = edge / (self.edge * self._size), round(REACH * edge / STRIDE) * STRIDE
        small = _scaled(picture, scale, BORDER + half)
        most = np.array(small.shape[1::-1]) - 2 * half
        parts = []
        for first, *_ in self._seen:
            corner = np.array([first.x, first.y]) * scale + BORDER - STRIDE / 2
            left, top = np.clip(np.rint(corner).astype(int), 0, most)
            part = small[top : top + 2 * half, left : left + 2 * half]
            parts += [np.rot90(part, quarters) for quarters in turns]
        cells = self._net.each_cells(np.stack(parts))
        middle = half + STRIDE / 2
        for index, quarters in enumerate(list(turns) * len(self._seen)):
            seen = self._seen[index // len(turns)]
            x, y = (int(v) // STRIDE for v in _turned(middle, middle, 2 * half, 2 * half, quarters))
            place = float(cells[0, index, y - 1 : y + 2, x - 1 : x + 2].max())
            face = _face(cells[:, index], y, x, self.learned)
            seen.append(_Peak(seen[0].x, seen[0].y, place, *face))

    @property
    def places(self) -> NDArray[np.float64]:
        """Where dice were found, in pixels of the pictures."""
        return np.array([(seen[0].x, seen[0].y) for seen in self._seen], np.float64).reshape(-1, 2)

    def look_level(self, chances: Floats) -> None:
        """What the second net says of the dice at these places."""
        for seen, level in zip(self._seen, chances, strict=True):
            seen[0] = replace(seen[0], level=level)

    def throw(self, count: int | None) -> ReadThrow:
        """The dice as far as all looks agree, with every doubt."""
        if self.too_large:
            return ReadThrow((), (Doubt("too large"),))
        several = tuple(range(1, self.sides + 1))
        numbers = several if self.learned is None else self.learned.numbers
        peaks = [_agreed(seen) for seen in self._seen]
        return _throw(peaks, count, numbers, self.sides)


def read_throw(
    picture: Picture,
    *,
    edge: float,
    count: int | None = None,
    sides: int = 6,
    learned: LearnedFaces | None = None,
) -> ReadThrow:
    """The dice in a picture whose edges are about `edge` pixels long.

    The faces of a D8 are `learned`; nobody has shown any: its dice are found, with their traits.
    """
    looks = ThrowLooks(sides, edge, learned)
    looks.find(picture, SIZES, count)
    looks.look_again(picture, (1, 2, 3))
    return looks.throw(count)


def shifted(throw: ReadThrow, x: float, y: float) -> ReadThrow:
    """A throw read in a part of a picture, in the pixels of the whole."""
    dice = tuple(replace(die, x=die.x + x, y=die.y + y) for die in throw.dice)
    return ReadThrow(dice, throw.doubts)


def _scaled(picture: Picture, scale: float, border: int) -> Picture:
    """The picture with dice of the net's size, and a border around it."""
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    size = tuple(max(8, round(side * scale)) for side in (picture.shape[1], picture.shape[0]))
    small = cv2.resize(picture, size, interpolation=how)
    around = (border, border, border, border)
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


def _peaks(cells: Floats, apart: float, learned: LearnedFaces | None) -> list[_Peak]:
    """The dice that the net sees, likeliest first; two are at least so many cells apart."""
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


def _agreed(seen: Sequence[_Peak]) -> _Peak:
    """One die in all looks: chances multiplied, places averaged."""
    return replace(
        seen[0],
        place=float(np.mean([one.place for one in seen])),
        chances=_product([one.chances for one in seen]),
        seen=np.mean([one.seen for one in seen], axis=0),
    )


def _product(chances: list[Floats]) -> Floats:
    """The geometric mean, not made to sum to one: looks that disagree leave little."""
    return np.exp(np.mean([np.log(np.maximum(c, 1e-6)) for c in chances], axis=0))


def _turned(x: float, y: float, width: int, height: int, quarters: int) -> tuple[float, float]:
    """Where a place is after `np.rot90` by so many quarters."""
    for _ in range(quarters):
        x, y, width, height = y, width - x, height, width
    return x, y


def _throw(
    peaks: list[_Peak], count: int | None, numbers: tuple[int, ...], sides: int
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
        if int(peak.chances.argmax()) == len(peak.chances) - 1 or _leans(peak):
            doubts.append(Doubt("no face up", len(dice)))
        elif peak.place < SURE_PLACE or chance < SURE_FACE[sides] or _read_otherwise(peak, face):
            doubts.append(Doubt("unclear", len(dice)))
        traits = tuple(float(v) for v in peak.seen) if len(numbers) != len(peak.seen) - 1 else ()
        dice.append(SeenDie(peak.x, peak.y, numbers[face], chance, traits))
    if not dice:
        doubts.append(Doubt("none"))
    elif count is not None and len(dice) < count:
        doubts.append(Doubt("too few"))
    elif any(_disturbs(peak) for peak in rest):
        doubts.append(Doubt("too many"))
    return ReadThrow(tuple(dice), tuple(doubts))


def _disturbs(peak: _Peak) -> bool:
    """Whether what was not taken for one of the dice may be a further one."""
    blank = int(peak.chances.argmax()) == len(peak.chances) - 1
    return peak.place >= (SURE_PLACE if blank else SURE_NONE)


def _leans(peak: _Peak) -> bool:
    """Whether a die leans, seen from right above."""
    return peak.level is not None and float(peak.level[-1]) >= LEANS


def _read_otherwise(peak: _Peak, face: int) -> bool:
    """Whether the second net, where it reads faces, sees another one than this."""
    faces = () if peak.level is None else peak.level[:-1]
    return len(faces) > 1 and int(np.argmax(faces)) != face
