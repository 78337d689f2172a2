"""Places on a board in the words of players: "the ford", "the hex left of the tower".

A place is named by what lies or stands there, else by the nearest landmark or piece, else by
counting from the edges; no two cells of a board have the same words. Left, right, this side and
the far side are those of the map: this side is player 1's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, sqrt
from statistics import fmean
from typing import Literal

from companion.geometry.grid.grids import HexGrid, SquareGrid
from companion.geometry.grid.placing import cell_middle
from models.board import Board, Cell
from models.message import say, word

NEAR = 3
"""A landmark or piece names a place that is at most so many cells away."""
SMALL = 4
"""Landmarks of more cells than this name their own cells only."""
MIDDLE = 0.17
"""The middle of the board reaches this share of its length to either side."""

BESIDE = {
    "left": say("left {of}"),
    "right": say("right {of}"),
    "near": say("this side {of}"),
    "far": say("on the far side {of}"),
    "near left": say("this side and left {of}"),
    "near right": say("this side and right {of}"),
    "far left": say("on the far side and left {of}"),
    "far right": say("on the far side and right {of}"),
}
"""Where a cell lies from something next to it."""
STRAIGHT = {
    "left": say("{n} steps to the left {of}"),
    "right": say("{n} steps to the right {of}"),
    "near": say("{n} steps to this side {of}"),
    "far": say("{n} steps to the far side {of}"),
}
"""Further away in one direction."""
STEPS = {
    "left": say("{n} to the left"),
    "right": say("{n} to the right"),
    "near": say("{n} to this side"),
    "far": say("{n} to the far side"),
}
"""Further away in two directions: both are counted, so that no two cells share their words."""
ROWS = {
    "left": say("in row {n} from the left"),
    "right": say("in row {n} from the right"),
    "near": say("in row {n} from this side"),
    "far": say("in row {n} from the far side"),
}
PLACES = {
    "left": say("place {n} from the left"),
    "right": say("place {n} from the right"),
    "near": say("place {n} from this side"),
    "far": say("place {n} from the far side"),
}
"""A cell without anything near it is counted from the edges."""
PARTS = {
    "left": say("{place} on the left"),
    "right": say("{place} on the right"),
    "near": say("{place} on this side"),
    "far": say("{place} on the far side"),
    "middle": say("{place} in the middle"),
}
"""A landmark in a part of the board."""
AROUND = ("near", "right", "far", "left")
"""The sides of the map, each a quarter further to the left round."""
ROW_OF_HEXES = sqrt(3) / 2
"""From one row of hexes to the next, in cell widths."""
SAME = 0.2
"""A cell that lies so little beside another lies in line with it."""


BoardShape = tuple[Literal["hex", "square"], int, int, float, tuple[float, float] | None, float]
"""A board without what lies on it."""


@dataclass(frozen=True, slots=True)
class Landmark:
    """What lies on a cell, after verbs ("the tower") and after directions ("of the tower")."""

    the: str
    of: str


@dataclass(frozen=True, slots=True)
class NamedArea:
    """Connected cells with one landmark, told from others of its kind by where they lie."""

    landmark: Landmark
    cells: frozenset[Cell]
    where: str = ""

    @property
    def the(self) -> str:
        return situated(self.landmark.the, self.where)

    @property
    def of(self) -> str:
        return situated(self.landmark.of, self.where)


def situated(place: str, where: str) -> str:
    """A landmark with the part of the board in which it lies."""
    return say(PARTS[where][:], place=place) if where else place


@lru_cache(maxsize=4)
def turned_words(degrees: float) -> Mapping[str, str]:
    """The templates of places on a board that is drawn turned, each for the one upright."""
    quarters = round(degrees / 90) % 4
    if not quarters:
        return {}
    side = {one: AROUND[(n + quarters) % 4] for n, one in enumerate(AROUND)}
    tables = (PARTS, STRAIGHT, STEPS, ROWS, PLACES)
    found = {str(t[one][:]): str(t[two][:]) for t in tables for one, two in side.items()}
    for where, told in BESIDE.items():
        sides = {side[one] for one in where.split()}
        there = next(one for one in BESIDE if set(one.split()) == sides)
        found[str(told[:])] = str(BESIDE[there][:])
    return found


def place_words(
    board: Board, landmarks: Mapping[Cell, Landmark], pieces: Mapping[Cell, str], cell: Cell
) -> str:
    """What players call a cell: words that no other cell has at that moment."""
    areas = named_areas(board, landmarks)
    own = next((area for area in areas if cell in area.cells), None)
    names = Counter(area.the for area in areas)
    if own is not None and len(own.cells) == 1 and names[own.the] == 1:
        return own.the
    if own is None and cell in pieces:
        return say("where {name} stands", name=pieces[cell])
    known = [one for one in areas if one is not own and names[one.the] == 1]
    marks = [one for one in known if len(one.cells) <= SMALL]
    only = [(one.cells, one.of) for one in marks if len(one.cells) == 1 and not one.where]
    others = [(one.cells, one.of) for one in marks if (one.cells, one.of) not in only]
    people = [
        (frozenset((at,)), say("of {name}", name=pieces[at]))
        for at in cells_near(board.space, cell)
        if at in pieces
    ]
    for most in (1, NEAR):
        for things in (only, people, others):  # what nobody mistakes for another comes first
            if found := nearest(board, cell, things, most):
                where, of = found
                return called(board, own, where.words(of), where.further)
    return called(board, own, from_edges(board, cell))


def called(board: Board, own: NamedArea | None, where: str, further: bool = False) -> str:
    """A cell by what lies there, if anything does, and where that is."""
    if own is not None:
        return say("{place}, {where}", place=own.landmark.the, where=where)
    cell = "the hex {where}" if board.space == "hex" else "the space {where}"
    return say(word("further", cell).one if further else cell, where=where)


@lru_cache(maxsize=1024)
def cells_near(space: str, cell: Cell) -> frozenset[Cell]:
    """The cells that are named after what stands on this one, on the board or beyond its rim."""
    far = range(-NEAR, NEAR + 1)
    around = ((cell[0] + across, cell[1] + up) for across in far for up in far)
    steps = (HexGrid if space == "hex" else SquareGrid).distance
    return frozenset(one for one in around if steps(cell, one) <= NEAR)


def named_areas(board: Board, landmarks: Mapping[Cell, Landmark]) -> list[NamedArea]:
    """The connected areas of each landmark; several of one kind say where they lie."""
    shape = (board.space, board.columns, board.rows, board.cell_in, board.at, board.turn)
    return areas_of(shape, tuple(landmarks.items()))


@lru_cache(maxsize=16)
def areas_of(shape: BoardShape, landmarks: tuple[tuple[Cell, Landmark], ...]) -> list[NamedArea]:
    """The same for a board of that shape: it is asked for every cell that is named."""
    found: list[NamedArea] = []
    board = Board(*shape)
    for landmark in dict.fromkeys(mark for _, mark in landmarks):
        cells = {cell for cell, mark in landmarks if mark == landmark}
        areas = list(connected(board, cells))
        words = parts(board, areas) if len(areas) > 1 else [""]
        found += [NamedArea(landmark, *both) for both in zip(areas, words, strict=True)]
    return found


def connected(board: Board, cells: set[Cell]) -> Iterator[frozenset[Cell]]:
    """The connected parts of some cells."""
    left = set(cells)
    while left:
        area, edge = set[Cell](), [min(left)]
        while edge:
            cell = edge.pop()
            if cell in left:
                left.discard(cell)
                area.add(cell)
                edge += grid(board).neighbours(cell)
        yield frozenset(area)


def grid(board: Board) -> SquareGrid | HexGrid:
    """The grid of a board."""
    kind = HexGrid if board.space == "hex" else SquareGrid
    return kind(board.columns, board.rows)


def middle_of(board: Board, cells: Iterable[Cell]) -> tuple[float, float]:
    """The middle of some cells, in inches."""
    points = [cell_middle(board, cell) for cell in cells]
    return fmean(x for x, _ in points), fmean(y for _, y in points)


def parts(board: Board, areas: list[frozenset[Cell]]) -> list[str]:
    """Two or three areas are told apart along one axis, more by their part of the board."""
    middles = [middle_of(board, area) for area in areas]
    if len(areas) > 3:
        return [part_word(*share_of_board(board, point)) for point in middles]
    axis = max((0, 1), key=lambda n: max(m[n] for m in middles) - min(m[n] for m in middles))
    order = sorted(range(len(areas)), key=lambda n: middles[n][axis])
    ends = ("left", "right") if axis == 0 else ("near", "far")
    words = ["middle"] * len(areas)
    words[order[0]], words[order[-1]] = ends
    return words


def share_of_board(board: Board, point: tuple[float, float]) -> tuple[float, float]:
    """How far a point lies from the middle, from -0.5 to 0.5 along each axis of the map."""
    columns, rows = (0, board.columns - 1), (0, board.rows - 1)
    ends = [cell_middle(board, (column, row)) for column in columns for row in rows]
    shares = []
    for at, values in zip(point, zip(*ends, strict=True), strict=True):
        low, high = min(values), max(values)
        shares.append((at - low) / (high - low) - 0.5 if high > low else 0.0)
    return shares[0], shares[1]


def part_word(x: float, y: float) -> str:
    """The part of the board that lies farthest from its middle."""
    if max(abs(x), abs(y)) <= MIDDLE:
        return "middle"
    if abs(x) > abs(y):
        return "left" if x < 0 else "right"
    return "near" if y < 0 else "far"


def from_edges(board: Board, cell: Cell) -> str:
    """A cell without anything near it: rows and places as the board counts them."""
    quarters = round(board.turn / 90)
    row, left = (
        AROUND[(AROUND.index(one) + quarters) % 4] for one in ("near", "left")
    )  # as the map shows these sides of the board
    return say(
        "{row}, {place}",
        row=say(ROWS[row][:], n=1 + cell[1]),
        place=say(PLACES[left][:], n=1 + cell[0]),
    )


def upended(board: Board) -> bool:
    """Whether the rows of a board run up the map."""
    return round(board.turn / 90) % 2 == 1


def nearest(
    board: Board, cell: Cell, known: Sequence[tuple[frozenset[Cell], str]], most: int
) -> tuple[Bearing, str] | None:
    """Where a cell lies from the nearest thing at most so many cells away, and from what."""
    steps = grid(board).distance
    near = [
        (count, len(cells), where.sides, of, where)
        for cells, of in known
        if (count := min(steps(cell, at) for at in cells)) <= most
        and (where := bearing(board, cell, cells))
        and (len(cells) == 1 or alone(board, cell, cells, where))
    ]
    if not near:
        return None
    *_, of, where = min(near, key=lambda one: one[:4])
    return where, of


def alone(board: Board, cell: Cell, cells: frozenset[Cell], where: Bearing) -> bool:
    """Whether no other cell lies so from an area."""
    around = {one for at in cells for one in cells_near(board.space, at)} - cells - {cell}
    return all(bearing(board, one, cells) != where for one in around)


@dataclass(frozen=True, slots=True)
class Bearing:
    """Where a cell lies from something: directions of the map, those that count rows first, and
    how many rows and cells across."""

    sides: tuple[str, ...]
    counts: tuple[int, ...]

    @property
    def further(self) -> bool:
        """Whether it lies straight on, but not next to it."""
        return len(self.sides) == 1 and self.counts != (1,)

    def words(self, of: str) -> str:
        if set(self.counts) == {1}:
            both = next(one for one in BESIDE if set(one.split()) == set(self.sides))
            return say(BESIDE[both][:], of=of)
        if self.further:
            return say(STRAIGHT[self.sides[0]][:], n=self.counts[0], of=of)
        one, two = (
            say(STEPS[side][:], n=count)
            for side, count in zip(self.sides, self.counts, strict=True)
        )
        return say("{one} and {two} {of}", one=one, two=two, of=of)


def bearing(board: Board, cell: Cell, cells: Iterable[Cell]) -> Bearing | None:
    """Where a cell lies from others: beside all of them, or beside them both ways; None for one
    that they enclose. In a row of hexes the nearer half of a hex counts as one."""
    points = [cell_middle(board, one) for one in cells]
    x, y = (
        outside(at, [point[axis] for point in points])
        for axis, at in enumerate(cell_middle(board, cell))
    )
    row = board.cell_in * (ROW_OF_HEXES if board.space == "hex" else 1.0)
    pitch = (row, board.cell_in) if upended(board) else (board.cell_in, row)
    across, along = (ceil(abs(at) / one - SAME) for at, one in zip((x, y), pitch, strict=True))
    sides = {
        "left" if x < 0 else "right": across,
        "near" if y < 0 else "far": along,
    }
    order = sorted(sides, key=lambda one: (one in ("near", "far")) == upended(board))
    found = [one for one in order if sides[one]]
    return Bearing(tuple(found), tuple(sides[one] for one in found)) if found else None


def outside(at: float, others: Sequence[float]) -> float:
    """How far a coordinate lies below (negative) or above the range of others; 0 within it."""
    return min(at - min(others), 0.0) or max(at - max(others), 0.0)
