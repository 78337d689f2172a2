"""A board of squares or hexes: its cells, its size, its terrain, its marks and the walls on its
edges.

A cell of a board: its column and row, both from 0, written in files as "3,2".

>>> parse_cell("3,2")
(3, 2)
>>> cell_text((3, 2))
'3,2'
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Annotated, Any, Literal

from models.field import Field, shown
from models.message import CompanionError, say
from models.pose import FAR_IN
from models.record_reader import FileKey, Length, ReadBy, Record, read_value

Cell = tuple[int, int]
"""Column from player 1's left, row from player 1's edge."""
Edge = tuple[Cell, Cell]
"""The edge between two neighbouring cells, the smaller one first."""
Point = tuple[int, int]
"""A point in a grid's integer coordinates; each grid defines its units."""

WRITTEN = re.compile(r"(0|[1-9]\d{0,3}),(0|[1-9]\d{0,3})")


def parse_cell(text: str) -> Cell:
    found = WRITTEN.fullmatch(text)
    if found is None:
        raise CompanionError(
            say("{text!r} is no cell; a cell is written column,row, as in '3,2'", text=text)
        )
    return int(found[1]), int(found[2])


@lru_cache(maxsize=4096)
def cell_text(cell: Cell) -> str:
    """A cell as written in files; reports on large boards write the same ones again and again."""
    return f"{cell[0]},{cell[1]}"


def edge(one: Cell, two: Cell) -> Edge:
    """The edge between two cells, in either order."""
    return (one, two) if one <= two else (two, one)


Space = Literal["square", "hex"]
SQUARE_GROUND = frozenset(("open-o", "open-x", "blocked-x", "blocked-o", "high"))
HEX_TERRAIN = frozenset(
    "plains hill forest river forest-river building road forest-road wooden-bridge stone-bridge "
    "palisade tent siege-tower ford devastation fire-1 fire-2 fire-3 fire-4".split()
)
GROUND: Mapping[str, frozenset[str]] = {"square": SQUARE_GROUND, "hex": HEX_TERRAIN}
ABSENT = "none"
"""The ground of a cell that is not part of the board."""
MOST_CELLS = 60
"""The largest number of columns or rows."""


def read_cell(field: Field, board: Board) -> Cell:
    text = field.text(20)
    try:
        cell = parse_cell(text)
    except CompanionError as error:
        field.fail(str(error))
    if cell not in board:
        field.fail(f"{shown(cell_text(cell))} is not on the board")
    return cell


def edge_text(cells: Edge) -> list[str]:
    return [cell_text(cell) for cell in cells]


def read_edge(field: Field, board: Board) -> Edge:
    """Read the edge between two neighbouring cells of this board."""
    one, two = (read_cell(cell, board) for cell in field.items(2, 2))
    if not board.next_to(one, two):
        field.fail(f"{cell_text(one)} and {cell_text(two)} do not share a border")
    return edge(one, two)


def words(field: Field) -> Iterable[Field]:
    """The words of a cell: one, or a list of them."""
    return field.items(MOST_WORDS, 1) if isinstance(field.raw, list) else (field,)


def read_ground(field: Field, board: Board) -> tuple[str, ...]:
    """Read the ground of a cell."""
    known = GROUND[board.space] | {ABSENT}
    return tuple(one.choice(known) for one in words(field))


MOST_WORDS = 8
"""The words that one cell may hold."""
BoardCell = Annotated[Cell, ReadBy(read_cell, cell_text)]
"""A cell of the board that its reader knows."""
CellMarks = Mapping[
    BoardCell,
    Annotated[tuple[str, ...], ReadBy(lambda field, _: tuple(w.text(40) for w in words(field)))],
]
SquareGround = Mapping[
    BoardCell,
    Annotated[
        tuple[str, ...],
        ReadBy(lambda field, _: tuple(w.choice(SQUARE_GROUND) for w in words(field))),
    ],
]
"""The ground of squares of which none is missing."""
CellGround = Mapping[BoardCell, Annotated[tuple[str, ...], ReadBy(read_ground)]]


@dataclass(frozen=True, slots=True)
class Border(Record):
    """Something between two neighbouring cells: a wall, a door, a window."""

    edge: Annotated[Edge, FileKey("between"), ReadBy(read_edge, edge_text)]
    kind: Annotated[str, Length(40)]
    open: bool | None = None


def read_borders(field: Field, board: Board) -> tuple[Border, ...]:
    """Read what stands between cells; duplicates are refused."""
    found: dict[Edge, Border] = {}
    for item in field.items(4 * MOST_CELLS * MOST_CELLS):
        border = Border.read(item, board)
        if border.edge in found:
            one, two = item.member("between").raw
            item.member("between").fail(f"the border {one} to {two} stands twice")
        found[border.edge] = border
    return tuple(found.values())


Borders = Annotated[tuple[Border, ...], ReadBy(read_borders)]


@dataclass(frozen=True, slots=True)
class Board:
    """Columns times rows of cells, each `cell_in` wide (a hex: across its flats).

    `at` is the position of the outer corner of column 0 and row 0 on the table, in inches, `turn`
    the board's rotation about it, in degrees; a board without a camera has neither.
    """

    space: Space
    columns: int
    rows: int
    cell_in: float
    at: tuple[float, float] | None = None
    turn: float = 0.0
    ground: Mapping[Cell, tuple[str, ...]] = field(default_factory=dict)
    marks: Mapping[Cell, tuple[str, ...]] = field(default_factory=dict)
    borders: tuple[Border, ...] = ()

    def __contains__(self, cell: Cell) -> bool:
        column, row = cell
        inside = 0 <= column < self.columns and 0 <= row < self.rows
        return inside and ABSENT not in self.ground.get(cell, ())

    def next_to(self, one: Cell, two: Cell) -> bool:
        """Whether two cells share an edge."""
        if self.space == "square":
            return abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1
        if one[1] == two[1]:
            return abs(one[0] - two[0]) == 1
        left = one[0] - 1 + one[1] % 2
        return abs(one[1] - two[1]) == 1 and two[0] in (left, left + 1)

    def middle(self, cell: Cell, size: int = 1) -> tuple[float, float]:
        """The position on the table of the centre of a piece that stands on a cell."""
        column, row = cell
        if self.space == "square":
            u, v = column + size / 2, row + size / 2
        else:
            u, v = column + 0.5 + row % 2 / 2, (1 + 1.5 * row) / math.sqrt(3)
        angle = math.radians(self.turn)
        cos, sin = math.cos(angle), math.sin(angle)
        at_x, at_y = self.at or (0.0, 0.0)
        u, v = u * self.cell_in, v * self.cell_in
        return at_x + u * cos - v * sin, at_y + u * sin + v * cos

    def outline(self, cell: Cell) -> tuple[tuple[float, float], ...]:
        """The corners of a cell on the table, counter-clockwise."""
        sides = 4 if self.space == "square" else 6
        radius = self.cell_in / (math.sqrt(2) if sides == 4 else math.sqrt(3))
        first = 45.0 if sides == 4 else 30.0
        x, y = self.middle(cell)
        angles = (math.radians(self.turn + first + 360 / sides * n) for n in range(sides))
        return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles)

    @classmethod
    def read(cls, field: Field) -> Board:
        """Read a board object from a table file; every error names its place."""
        raw = field.keys(
            {"space", "columns", "rows", "cell", "at", "turn", "ground", "marks", "edges"},
            {"space", "columns", "rows", "cell"},
        )
        space: Space = "hex" if field.member("space").choice(GROUND) == "hex" else "square"
        columns, rows = (field.member(key).whole(1, MOST_CELLS) for key in ("columns", "rows"))
        at = None
        if "at" in raw:
            x, y = (one.number(-FAR_IN, FAR_IN) for one in field.member("at").items(2, 2))
            at = (x, y)
        turn = field.member("turn").number(-360, 360) if "turn" in raw else 0.0
        board = cls(space, columns, rows, field.member("cell").number(0.25, 12), at, turn)
        if "ground" in raw:
            board = replace(board, ground=read_value(CellGround, field.member("ground"), board))
        if "marks" in raw:
            board = replace(board, marks=read_value(CellMarks, field.member("marks"), board))
        borders = read_borders(field.member("edges"), board) if "edges" in raw else ()
        return replace(board, borders=borders)

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {
            "space": self.space,
            "columns": self.columns,
            "rows": self.rows,
            "cell": self.cell_in,
        }
        if self.at is not None:
            text |= {"at": list(self.at), "turn": self.turn}
        for key, cells in (("ground", self.ground), ("marks", self.marks)):
            if cells:
                text[key] = {
                    cell_text(cell): words[0] if len(words) == 1 else list(words)
                    for cell, words in cells.items()
                }
        if self.borders:
            text["edges"] = [one.to_json() for one in self.borders]
        return text
