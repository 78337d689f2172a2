"""What the pieces of any table cover, in inches: trays on an open table, pieces on a board."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import shapely

from companion.geometry.grid.placing import cell_at, cells_of
from companion.overlay.board_shapes import (
    PIECE_SHARE,
    board_cells,
    cell_outline,
    extent_in,
    piece_middle,
)
from companion.overlay.shapes import Point
from models.board_table import BoardTable
from models.table import AnyTable, Table, TableToken
from models.unit import Unit, corners

RIM = 0.12
"""The free rim around a board on the map, in cells."""
BADGE_RIM = 0.4
"""The same around a board that lies somewhere on a table, where its badges have room."""
MAP_SHARE = 0.985
"""How much of its room a map fills."""
ROUND = 32
"""The corners of the outline of a round piece."""


def table_size(table: AnyTable) -> tuple[float, float]:
    """Width and depth of the picture of a table."""
    if isinstance(table, BoardTable):
        return extent_in(table.board)
    return table.width, table.depth


@dataclass(frozen=True, slots=True)
class ShownArea:
    """What of a table a pane is filled with: its middle, width and depth in inches."""

    x: float
    y: float
    wide: float
    deep: float

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Near left, near right, far right, far left."""
        left, right = self.x - self.wide / 2, self.x + self.wide / 2
        near, far = self.y - self.deep / 2, self.y + self.deep / 2
        return (left, near), (right, near), (right, far), (left, far)


def shown_area(table: AnyTable) -> ShownArea:
    """A whole table; of one with a board the board, and a rim for the badges beside it.

    The rest of the table would take room from the cells.
    """
    wide, deep = table_size(table)
    x, y = wide / 2, deep / 2
    if isinstance(table, BoardTable):
        board = table.board
        corners = [point for cell in board_cells(board) for point in cell_outline(board, cell)]
        rim = BADGE_RIM * board.cell_in
        wide = min(wide, 2 * (max(across for across, _ in corners) - x + rim))
        deep = min(deep, 2 * (max(up for _, up in corners) - y + rim))
    return ShownArea(x, y, wide, deep)


def map_scale(table: AnyTable, room: tuple[float, float]) -> float:
    """How many pixels of a map an inch of the table has in this room."""
    shown = shown_area(table)
    return round(min(room[0] / shown.wide, room[1] / shown.deep) * MAP_SHARE, 2)


def fitted(table: BoardTable, room: tuple[float, float] = (0.0, 0.0)) -> BoardTable:
    """The table with only its board on the map, turned by a quarter where it fills the room better.

    Where the board lies on a real table matters to a camera only.
    """
    found = [laid(table, turn) for turn in (0.0, -90.0)]
    return max(found, key=lambda one: filling(table_size(one), room))


def filling(size: tuple[float, float], room: tuple[float, float]) -> float:
    """How large something of this size is drawn in a room."""
    return min(room[0] / size[0], room[1] / size[1])


def laid(table: BoardTable, turn: float) -> BoardTable:
    """The table with its board in the corner, turned."""
    board = replace(table.board, at=(0.0, 0.0), turn=turn)
    corners = [point for cell in board_cells(board) for point in cell_outline(board, cell)]
    left, low = min(x for x, _ in corners), min(y for _, y in corners)
    rim = board.cell_in * RIM
    return replace(table, board=replace(board, at=(rim - left, rim - low)))


def outlines(table: AnyTable) -> dict[str, tuple[Point, ...]]:
    """The outline of every piece that stands on the table."""
    if not isinstance(table, BoardTable):
        return {unit.id: tuple(corners(unit)) for unit in table.units}
    found: dict[str, tuple[Point, ...]] = {}
    for piece in table.pieces:
        middle = piece_middle(table.board, piece)
        if middle is not None:
            radius = piece.size * table.board.cell_in * PIECE_SHARE
            found[piece.id] = disc(middle, radius)
    return found


def disc(middle: Point, radius: float) -> tuple[Point, ...]:
    """The outline of a round piece."""
    turns = (2 * math.pi * number / ROUND for number in range(ROUND))
    return tuple(
        (middle[0] + radius * math.cos(turn), middle[1] + radius * math.sin(turn)) for turn in turns
    )


def places(table: AnyTable) -> dict[str, Point]:
    """The centre of every piece that stands on the table."""
    if not isinstance(table, BoardTable):
        return {unit.id: (unit.pose.x, unit.pose.y) for unit in table.units}
    found = ((one.id, piece_middle(table.board, one)) for one in table.pieces)
    return {name: middle for name, middle in found if middle is not None}


def flag_spot(table: Table, unit: Unit) -> Point:
    """The flag of the objective that a tray touches, else its middle."""
    tray = shapely.Polygon(corners(unit))
    spots = ((one.x, one.y) for one in table.tokens if reaches(tray, one))
    return next(spots, (unit.pose.x, unit.pose.y))


def reaches(tray: shapely.Polygon, token: TableToken) -> bool:
    """Whether a tray touches an objective."""
    return bool(tray.distance(shapely.Point(token.x, token.y)) <= token.radius)


def piece_at(table: AnyTable, point: Point, near_in: float) -> str | None:
    """The piece that a touch selects: on that cell of a board, else the nearest tray near it."""
    if isinstance(table, BoardTable):
        cell = cell_at(table.board, *point)
        for piece in table.pieces:
            here = next(iter(cells_of(table.board, piece)), None)
            if cell is not None and here is not None:
                across, up = cell[0] - here[0], cell[1] - here[1]
                if 0 <= across < piece.size and 0 <= up < piece.size:
                    return piece.id
        return None
    near = [
        (away(point, tuple(corners(unit))), unit.id)
        for unit in table.units
        # The exact distance is slow, so only trays with their centre near enough are measured.
        if math.dist(point, (unit.pose.x, unit.pose.y))
        <= near_in + math.hypot(unit.tray.width, unit.tray.depth) / 2
    ]
    found = min(near, default=(math.inf, ""))
    return found[1] if found[0] <= near_in else None


def away(point: Point, outline: tuple[Point, ...]) -> float:
    """Distance from a point to a convex outline; 0 inside."""
    return float(shapely.Polygon(outline).distance(shapely.Point(point)))
