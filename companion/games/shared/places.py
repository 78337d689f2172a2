"""Places on a board in the words of players: "the ford", "the hex left of the tower".

A place is named by what lies or stands there, else by the nearest landmark or piece, else by the
part of the board. Left, right, this side and the far side are those of the map: this side is
player 1's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean

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

DIRECTIONS = {
    "left": (say("left {of}"), say("{n} steps to the left {of}")),
    "right": (say("right {of}"), say("{n} steps to the right {of}")),
    "near": (say("this side {of}"), say("{n} steps to this side {of}")),
    "far": (say("on the far side {of}"), say("{n} steps to the far side {of}")),
    "near left": (
        say("this side and left {of}"),
        say("{n} steps to this side and left {of}"),
    ),
    "near right": (
        say("this side and right {of}"),
        say("{n} steps to this side and right {of}"),
    ),
    "far left": (
        say("on the far side and left {of}"),
        say("{n} steps to the far side and left {of}"),
    ),
    "far right": (
        say("on the far side and right {of}"),
        say("{n} steps to the far side and right {of}"),
    ),
}
"""Where a cell lies from something: next to it, and further away."""
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
ASIDE = 0.4
"""A cell that lies so many cell widths beside a direction lies across a corner."""


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
    found = {str(PARTS[one][:]): str(PARTS[two][:]) for one, two in side.items()}
    for where, told in DIRECTIONS.items():
        sides = {side[one] for one in where.split()}
        there = next(one for one in DIRECTIONS if set(one.split()) == sides)
        found |= {str(a[:]): str(b[:]) for a, b in zip(told, DIRECTIONS[there], strict=True)}
    return found


def place_words(
    board: Board, landmarks: Mapping[Cell, Landmark], pieces: Mapping[Cell, str], cell: Cell
) -> str:
    """What players call a cell."""
    areas = named_areas(board, landmarks)
    own = next((area for area in areas if cell in area.cells), None)
    if own is not None:
        return own.the
    if cell in pieces:
        return say("where {name} stands", name=pieces[cell])
    marks = [area for area in areas if len(area.cells) <= SMALL]
    only = [(area.cells, area.of) for area in marks if len(area.cells) == 1 and not area.where]
    others = [(area.cells, area.of) for area in marks if (area.cells, area.of) not in only]
    people = [
        (frozenset((at,)), say("of {name}", name=pieces[at]))
        for at in cells_near(board.space, cell)
        if at in pieces
    ]
    for most in (1, NEAR):
        for known in (only, people, others):  # what nobody mistakes for another comes first
            if found := nearest(board, cell, known, most):
                return found
    return in_part_of_board(board, cell)


@lru_cache(maxsize=1024)
def cells_near(space: str, cell: Cell) -> frozenset[Cell]:
    """The cells that are named after what stands on this one, on the board or beyond its rim."""
    far = range(-NEAR, NEAR + 1)
    around = ((cell[0] + across, cell[1] + up) for across in far for up in far)
    steps = (HexGrid if space == "hex" else SquareGrid).distance
    return frozenset(one for one in around if steps(cell, one) <= NEAR)


def named_areas(board: Board, landmarks: Mapping[Cell, Landmark]) -> list[NamedArea]:
    """The connected areas of each landmark; several of one kind say where they lie."""
    found: list[NamedArea] = []
    for landmark in dict.fromkeys(landmarks.values()):
        cells = {cell for cell, mark in landmarks.items() if mark == landmark}
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


def in_part_of_board(board: Board, cell: Cell) -> str:
    """A cell without anything near it."""
    where = part_word(*share_of_board(board, cell_middle(board, cell)))
    return situated(say("a hex") if board.space == "hex" else say("a space"), where)


def nearest(
    board: Board, cell: Cell, known: Sequence[tuple[frozenset[Cell], str]], most: int
) -> str:
    """A cell by the nearest thing that is at most so many cells away, "" without one."""
    steps = grid(board).distance
    near = [
        (count, len(cells), where, of)
        for cells, of in known
        if (count := min(steps(cell, at) for at in cells)) <= most
        and (where := direction(board, cell, cells))
    ]
    count, _, where, of = min(near, default=(0, 0, "", ""))
    return beside(board.space == "hex", where, of, count) if near else ""


def direction(board: Board, cell: Cell, cells: Iterable[Cell]) -> str:
    """Where a cell lies from others: a side of theirs, or a corner if it is beside them both
    ways; "" for one that they enclose."""
    points = [cell_middle(board, one) for one in cells]
    x, y = (
        outside(at, [point[axis] for point in points])
        for axis, at in enumerate(cell_middle(board, cell))
    )
    least = board.cell_in * ASIDE
    across, along = "left" if x < 0 else "right", "near" if y < 0 else "far"
    if min(abs(x), abs(y)) >= least:
        return f"{along} {across}"
    if not x and not y:
        return ""
    return across if abs(x) >= abs(y) else along


def outside(at: float, others: Sequence[float]) -> float:
    """How far a coordinate lies below (negative) or above the range of others; 0 within it."""
    return min(at - min(others), 0.0) or max(at - max(others), 0.0)


def beside(hexes: bool, where: str, of: str, count: int) -> str:
    """The cell so many steps from something, in a direction."""
    near, further = DIRECTIONS[where]
    if count == 1:
        told = say(near, of=of)
        return say("the hex {where}" if hexes else "the space {where}", where=told)
    cell = word("further", "the hex {where}") if hexes else word("further", "the space {where}")
    return say(cell.one, where=say(further, of=of, n=count))
