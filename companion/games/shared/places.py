"""Places on a board in the words of players: "the ford", "the hex left of the tower".

A place is named by what lies or stands there, else by the nearest landmark or piece, else by
counting from the edges; no two cells of a board have the same words. Left, right, this side and
the far side are those of the map: this side is player 1's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from statistics import fmean
from typing import Literal

from companion.games.api.prompt import TargetCell
from companion.geometry.grid.grids import (
    HexGrid,
    SquareGrid,
    around,
    axial,
    hex_centre,
    square_centre,
)
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
    "near left": say("{n} steps diagonally left to this side {of}"),
    "near right": say("{n} steps diagonally right to this side {of}"),
    "far left": say("{n} steps diagonally left to the far side {of}"),
    "far right": say("{n} steps diagonally right to the far side {of}"),
}
"""Further away in one direction."""
STEPS = {
    "left": say("{n} to the left"),
    "right": say("{n} to the right"),
    "near": say("{n} to this side"),
    "far": say("{n} to the far side"),
    "near left": say("{n} diagonally left to this side"),
    "near right": say("{n} diagonally right to this side"),
    "far left": say("{n} diagonally left to the far side"),
    "far right": say("{n} diagonally right to the far side"),
}
"""Further away in two directions: a finger goes one after the other."""
BOTH_DIAGONALS = {
    "near": say("{n} diagonally left and {m} diagonally right, both to this side {of}"),
    "far": say("{n} diagonally right and {m} diagonally left, both to the far side {of}"),
    "left": say("{n} diagonally to the far side and {m} diagonally to this side, both left {of}"),
    "right": say("{n} diagonally to this side and {m} diagonally to the far side, both right {of}"),
}
"""Further away between two diagonals of hexes, counter-clockwise."""
BETWEEN_DIAGONALS = {
    "near": say("{n} rows straight to this side {of}"),
    "far": say("{n} rows straight to the far side {of}"),
    "left": say("{n} columns straight to the left {of}"),
    "right": say("{n} columns straight to the right {of}"),
}
"""Just between two diagonals of hexes: straight on over the corner where their ways part."""
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
ENDS = {
    "left": say("{place}, left end"),
    "right": say("{place}, right end"),
    "near": say("{place}, end on this side"),
    "far": say("{place}, end on the far side"),
    "middle": say("{place}, in its middle"),
    "near left": say("{place}, corner on this side, left"),
    "near right": say("{place}, corner on this side, right"),
    "far left": say("{place}, corner on the far side, left"),
    "far right": say("{place}, corner on the far side, right"),
}
"""A cell of a small thing, by where it lies in it."""
SIDES_TOLD = (
    "map",
    say("“this side”, “the far side”"),
    say("towards the lower and the upper edge of the map"),
)
"""What a legend says of these words: its sign, the words, and what they mean."""
AROUND = ("near", "right", "far", "left")
"""The sides of the map, each a quarter further to the left round."""
HEX_WAYS = ("right", "far right", "far left", "left", "near left", "near right")
"""Where the neighbours of a hex lie, counter-clockwise (`around`)."""


BoardShape = tuple[Literal["hex", "square"], int, int, float, tuple[float, float] | None, float]
"""A board without what lies on it."""


@dataclass(frozen=True, slots=True)
class Landmark:
    """What lies on a cell, after verbs ("the tower") and after directions ("of the tower")."""

    the: str
    of: str


class Landmarks(dict[Cell, Landmark]):
    """What lies on the cells of a board; its hash is worked out once, for caches."""

    def __hash__(self) -> int:  # type: ignore[override]
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(self.items()))


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
    walks = (BESIDE, STRAIGHT, STEPS, BOTH_DIAGONALS, BETWEEN_DIAGONALS)
    tables = (*walks, PARTS, ROWS, PLACES, ENDS)
    return {
        str(told[:]): str(table[turned(where, quarters)][:])
        for table in tables
        for where, told in table.items()
    }


def turned(where: str, quarters: int) -> str:
    """A direction of the map after so many quarters to the left round."""
    sides = {
        AROUND[(AROUND.index(one) + quarters) % 4] if one in AROUND else one
        for one in where.split()
    }
    return " ".join(sorted(sides, key=("far near middle left right".split()).index))


def place_words(board: Board, landmarks: Landmarks, pieces: Mapping[Cell, str], cell: Cell) -> str:
    """What players call a cell: words that no other cell has at that moment."""
    return words_of_cell(shape_of(board), landmarks, tuple(pieces.items()), cell)


@lru_cache(maxsize=1024)
def words_of_cell(
    shape: BoardShape,
    landmarks: Landmarks,
    standing: tuple[tuple[Cell, str], ...],
    cell: Cell,
) -> str:
    """The same for a board of that shape: a screen names its cells again with every tap."""
    board, pieces = Board(*shape), dict(standing)
    names = names_of(shape, landmarks)
    own = names.area.get(cell)
    if own is not None and own in names.single:
        if len(own.cells) == 1:
            return own.the
        if end := end_of(board, own, cell):
            return end
    if own is None and cell in pieces:
        return say("where {name} stands", name=pieces[cell])
    marks = [(one, thing) for one, thing in names.marks if one is not own]
    only = [thing for one, thing in marks if len(one.cells) == 1 and not one.where]
    others = [thing for _one, thing in marks if thing not in only]
    near = {pieces[at] for at in cells_near(board.space, cell) if at in pieces}
    people = [
        (frozenset(at for at in pieces if pieces[at] == name), say("of {name}", name=name))
        for name in near
    ]
    for most in (1, NEAR):
        for things in (only, people, others):  # what nobody mistakes for another comes first
            if found := nearest(board, cell, things, most):
                walk, of = found
                return called(board, own, walk.words(of), walk.further)
    return called(board, own, from_edges(board, cell))


def end_of(board: Board, own: NamedArea, cell: Cell) -> str:
    """A square of a thing that is a short line or two by two squares, by where it lies in it."""
    columns, rows = ({one[axis] for one in own.cells} for axis in (0, 1))
    size = len(columns), len(rows)
    if board.space == "hex" or len(own.cells) != size[0] * size[1] or sorted(size) not in SHAPES:
        return ""
    sides = []
    for at, found, names in (
        (cell[1], rows, ("near", "far")),
        (cell[0], columns, ("left", "right")),
    ):
        if len(found) > 1 and at in (min(found), max(found)):
            sides.append(names[at == max(found)])
    where = turned(" ".join(sides), round(board.turn / 90)) if sides else "middle"
    return say(ENDS[where][:], place=own.the)


SHAPES = ([1, 2], [1, 3], [2, 2])
"""Lines of two or three squares, and two by two."""
FEW = 8
"""So few cells that answer a question have a row each beside the board."""


def listed(
    cells: Sequence[TargetCell], name: Callable[[Cell], str], single: bool = False
) -> tuple[TargetCell, ...]:
    """The cells that answer a question; of a few, each has its words and a number on the board, and
    so has a `single` one that a player need not take."""
    if not (0 if single else 1) < len(cells) <= FEW:
        return tuple(cells)
    return tuple(
        replace(one, text=one.text or str(number), place=name(one.cell))
        for number, one in enumerate(cells, 1)
    )


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


def shape_of(board: Board) -> BoardShape:
    """A board without what lies on it."""
    return board.space, board.columns, board.rows, board.cell_in, board.at, board.turn


@dataclass(frozen=True, slots=True, eq=False)
class AreaNames:
    """The areas of a board by their cells; those whose name no other has; of these the small ones
    with their cells and words."""

    area: Mapping[Cell, NamedArea]
    single: Set[NamedArea]
    marks: Sequence[tuple[NamedArea, tuple[frozenset[Cell], str]]]


@lru_cache(maxsize=16)
def names_of(shape: BoardShape, landmarks: Landmarks) -> AreaNames:
    """The names of what lies on a board."""
    areas = areas_of(shape, landmarks)
    called = [area.the for area in areas]
    times = Counter(called)
    single = [area for area, name in zip(areas, called, strict=True) if times[name] == 1]
    return AreaNames(
        {cell: area for area in areas for cell in area.cells},
        frozenset(single),
        [(one, (one.cells, one.of)) for one in single if len(one.cells) <= SMALL],
    )


def areas_of(shape: BoardShape, landmarks: Landmarks) -> list[NamedArea]:
    """The connected areas of each landmark; several of one kind say where they lie."""
    found: list[NamedArea] = []
    board = Board(*shape)
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


def from_edges(board: Board, cell: Cell) -> str:
    """A cell without anything near it: rows and places as the board counts them."""
    quarters = round(board.turn / 90)
    row, left = turned("near", quarters), turned("left", quarters)  # as the map shows these sides
    return say(
        "{row}, {place}",
        row=say(ROWS[row][:], n=1 + cell[1]),
        place=say(PLACES[left][:], n=1 + cell[0]),
    )


def nearest(
    board: Board, cell: Cell, known: Sequence[tuple[frozenset[Cell], str]], most: int
) -> tuple[Walk, str] | None:
    """The way to a cell from the nearest thing at most so many cells away, and from what."""
    near: list[tuple[int, int, tuple[tuple[str, int], ...], str]] = []
    for cells, of in known:
        count = min(grid(board).distance(at, cell) for at in cells)
        if count <= most and (walk := way_from(board, cells, cell)):
            near.append((count, len(cells), walk.steps, of))
    if not near:
        return None
    _, _, steps, of = min(near)
    quarters = round(board.turn / 90)
    return Walk(tuple((turned(where, quarters), n) for where, n in steps)), of


def way_from(board: Board, cells: frozenset[Cell], cell: Cell) -> Walk | None:
    """The way from a thing to a cell; None if the same words lead to another cell as well, from
    another part of the thing."""
    start = min(cells, key=lambda at: (grid(board).distance(at, cell), at))
    walk = walk_to(board.space, start, cell)
    return walk if walk.steps and walk.ends(board.space, cells) == {cell} else None


@dataclass(frozen=True, slots=True)
class Walk:
    """A way that a finger can go over the cells of a board: so many steps in one direction, and
    then so many in another."""

    steps: tuple[tuple[str, int], ...]

    @property
    def further(self) -> bool:
        """Whether it leads straight on, but not only to the next cell."""
        return len(self.steps) == 1 and self.steps[0][1] > 1

    def words(self, of: str) -> str:
        (where, n), *rest = self.steps
        if not rest:
            return say((STRAIGHT if n > 1 else BESIDE)[where][:], n=n, of=of)
        ((then, m),) = rest
        for side in self.both_diagonals:
            if n == m:
                return say(BETWEEN_DIAGONALS[side][:], n=n + m, of=of)
            return say(BOTH_DIAGONALS[side][:], n=n, m=m, of=of)
        one, two = say(STEPS[where][:], n=n), say(STEPS[then][:], n=m)
        return say("{one} and {two} {of}", one=one, two=two, of=of)

    def ends(self, space: str, cells: frozenset[Cell]) -> set[Cell]:
        """Where it leads from the cells of a thing without crossing the thing; it ends on the
        named side of all of it."""
        found = set[Cell]()
        for at in cells:
            way = list(self.cells(space, at))
            outside = all(beyond(space, way[-1], side, cells) for side in self.sides)
            if outside and cells.isdisjoint(way):
                found.add(way[-1])
        return found

    @property
    def both_diagonals(self) -> set[str]:
        """The side to which both of two diagonals lead; none for other ways."""
        told = [set(where.split()) for where, _ in self.steps]
        return told[0] & told[1] if [len(one) for one in told] == [2, 2] else set()

    @property
    def sides(self) -> set[str]:
        """The sides on which it ends: what one diagonal gains the other loses."""
        return self.both_diagonals or set(" ".join(where for where, _ in self.steps).split())

    def cells(self, space: str, at: Cell) -> Iterator[Cell]:
        """The cells one after the other."""
        for where, n in self.steps:
            for _ in range(n):
                at = neighbour(space, at, where)
                yield at


def walk_to(space: str, start: Cell, cell: Cell) -> Walk:
    """The way to a cell: on hexes first diagonally, then along the row, in as few steps as there
    are between them; on squares first over rows, then along one, or to a corner."""
    if space == "square":
        across, along = cell[0] - start[0], cell[1] - start[1]
        side, row = "right" if across > 0 else "left", "far" if along > 0 else "near"
        if abs(across) == abs(along) == 1:
            return Walk(((f"{row} {side}", 1),))
        return Walk(tuple(one for one in ((row, abs(along)), (side, abs(across))) if one[1]))
    across, along = (b - a for a, b in zip(axial(start), axial(cell), strict=True))
    ways = list(zip(HEX_WAYS, map(axial, around((0, 0))), strict=True))
    for (one, (a, b)), (two, (c, d)) in zip(ways, [*ways[1:], ways[0]], strict=True):
        n, m = across * d - along * c, along * a - across * b
        if n > 0 and m >= 0:
            found = sorted(((one, n), (two, m)), key=lambda step: " " not in step[0])
            return Walk(tuple(step for step in found if step[1]))
    return Walk(())


def neighbour(space: str, cell: Cell, where: str) -> Cell:
    """The next cell in a direction, on the board or not."""
    if space == "hex":
        return around(cell)[HEX_WAYS.index(where)]
    sides = where.split()
    across, along = ("right" in sides) - ("left" in sides), ("far" in sides) - ("near" in sides)
    return cell[0] + across, cell[1] + along


def beyond(space: str, cell: Cell, side: str, cells: frozenset[Cell]) -> bool:
    """Whether a cell lies on a side of all of these cells."""
    axis, sign = (
        "left right near far".split().index(side) // 2,
        1 if side in ("right", "far") else -1,
    )
    centre = hex_centre if space == "hex" else square_centre
    return all(sign * (centre(cell)[axis] - centre(one)[axis]) > 0 for one in cells)
