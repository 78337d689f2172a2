"""Where a board lies on the table: fitted to points of it that players tapped or laid tags on.

>>> board = Board("square", 4, 2, 1.0)
>>> corners = board_corners(board)
>>> [one.at for one in corners]
[(0.0, 0.0), (4.0, 2.0)]
>>> place = fitted_place(board, list(zip([one.at for one in corners], [(5, 5), (9, 7)])))
>>> place.x, place.y, place.turn, place.cell_in
(5.0, 5.0, 0.0, 1.0)

Two points tell only whether they are as far apart as the game says; a third measures the fit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from models.board import MOST_CELLS, Board, Cell
from models.message import CompanionError, say
from models.pose import TablePlace
from models.record_reader import Between, FileKey, Length, Record

Point = tuple[float, float]
Pairs = Sequence[tuple[Point, Point]]
"""Points of a board, in cells from its corner, each with its place on the table in inches."""

CORNER_IDS = (8, 9)
"""The tags that lie on the first and on the last space of a board, while its place is shown."""
CORNER_TAG_MM = 20.0
NEAREST_IN = 2.0
"""Two corners that lie nearer to each other than this tell no board's turn."""
CELL_IN = (0.4, 6.0)
"""The spaces of boards are as wide as this, whatever was tapped."""
GOOD_SHARE, FAR_SHARE = 0.08, 0.15
"""A board fits if its points are off by at most this share of a space, and its far edge by no more
than this share, if the spaces are as wide as the game says."""
CAMERA_MOVED_IN = 1.5
"""A camera that stands so far from where it stood has been moved."""


class NoBoardThere(CompanionError):
    """Points that cannot be those of the board."""


@dataclass(frozen=True, slots=True)
class BoardCorner:
    """A point by which a board is placed: of squares a corner, of hexes the middle of a space.

    `at` is the point and `middle` the middle of its space, in cells from the board's corner.
    """

    cell: Cell
    at: Point
    middle: Point


@dataclass(frozen=True, slots=True)
class BoardPlace(Record):
    """The place of a board of one shape: its corner, its turn, how wide its spaces really are.

    `off_in` is how far the farthest of the points was off, `points` how many there were; `camera`
    is where the camera stood when players last saw that the grid fits.
    """

    space: Literal["square", "hex"]
    columns: Annotated[int, Between(1, MOST_CELLS)]
    rows: Annotated[int, Between(1, MOST_CELLS)]
    cell_in: Annotated[float, Between(0.25, 12), FileKey("cell")]
    x: TablePlace
    y: TablePlace
    turn: Annotated[float, Between(-360, 360)]
    points: Annotated[int, Between(0, 1000)] = 0
    off_in: Annotated[float, Between(0, 100), FileKey("off")] = 0.0
    camera: Annotated[tuple[float, ...], Length(3)] = ()

    @property
    def shape(self) -> tuple[str, int, int]:
        return self.space, self.columns, self.rows

    def laid(self, board: Board) -> Board:
        """The board where it lies."""
        return replace(board, cell_in=self.cell_in, at=(self.x, self.y), turn=self.turn)

    def shifted(self, across: float, along: float, turn: float, board: Board) -> BoardPlace:
        """The board pushed by so many inches of its own directions, and turned on its middle."""
        middle = middle_of(self.laid(board))
        angle = math.radians(self.turn)
        dx = across * math.cos(angle) - along * math.sin(angle)
        dy = across * math.sin(angle) + along * math.cos(angle)
        turned = replace(self, turn=(self.turn + turn + 180.0) % 360.0 - 180.0)
        now = middle_of(turned.laid(board))
        return replace(
            turned, x=self.x + dx + middle[0] - now[0], y=self.y + dy + middle[1] - now[1]
        )

    def fits(self, board: Board) -> bool:
        """Whether its points agree, and its spaces are as wide as the game says."""
        return self.off_in <= GOOD_SHARE * self.cell_in and not self.odd(board)

    def far_off_in(self, board: Board) -> float:
        """How far its far edge is off, if the spaces are as wide as the game says: points that
        agree with each other do not measure that."""
        return abs(self.cell_in - board.cell_in) * max(self.columns, self.rows)

    def odd(self, board: Board) -> bool:
        """Whether its spaces are so much larger or smaller than the game says that figures at the
        far edge may stand between them."""
        return self.far_off_in(board) > FAR_SHARE * board.cell_in

    def told_off_in(self, board: Board) -> float:
        """How well it fits, as players are told: the worst of its points and of its far edge."""
        return max(self.off_in, self.far_off_in(board))

    def seen_from(self, position: Sequence[float]) -> bool:
        """Whether the camera stands where it stood when the place was last looked at."""
        return stands_at(self.camera, position)


def stands_at(before: Sequence[float], position: Sequence[float]) -> bool:
    """Whether the camera stands where it stood before, as well as that can be told."""
    return bool(before) and math.dist(before, position) <= CAMERA_MOVED_IN


def shape_of(board: Board) -> tuple[str, int, int]:
    """What tells boards apart that lie at different places."""
    return board.space, board.columns, board.rows


def unit_board(board: Board) -> Board:
    """The board with spaces of one inch in the corner of a table."""
    return replace(board, cell_in=1.0, at=(0.0, 0.0), turn=0.0)


def middle_of(board: Board) -> Point:
    """The middle of the board's four outermost spaces."""
    ends = [
        board.middle((column, row))
        for column in (0, board.columns - 1)
        for row in (0, board.rows - 1)
    ]
    return sum(x for x, _ in ends) / 4, sum(y for _, y in ends) / 4


def board_corners(board: Board) -> tuple[BoardCorner, BoardCorner]:
    """The corner at player 1's left hand, and the one opposite; missing spaces are no corners."""
    unit = unit_board(board)
    cells = [
        (column, row)
        for column in range(board.columns)
        for row in range(board.rows)
        if (column, row) in board
    ]
    if len(cells) < 2:
        raise NoBoardThere(say("the board has fewer than two spaces"))
    first = min(cells, key=lambda cell: (sum(cell), cell))
    last = max(cells, key=lambda cell: (sum(cell), cell))
    found = []
    for cell, way in ((first, 0), (last, 1)):
        at = unit.middle(cell)
        corner = (float(cell[0] + way), float(cell[1] + way)) if board.space == "square" else at
        found.append(BoardCorner(cell, corner, at))
    return found[0], found[1]


def nearest_point(board: Board, place: BoardPlace, spot: Point) -> Point:
    """The point of the board nearest to a tap: a corner of a square, the middle of a hex."""
    laid = place.laid(board)
    unit = unit_board(board)
    known: dict[Point, Point] = {}
    for column in range(board.columns):
        for row in range(board.rows):
            cell = (column, row)
            if cell not in board:
                continue
            if board.space == "hex":
                known[unit.middle(cell)] = laid.middle(cell)
            else:
                corners = zip(unit.outline(cell), laid.outline(cell), strict=True)
                known |= {(round(u), round(v)): there for (u, v), there in corners}
    return min(known, key=lambda one: math.dist(known[one], spot))


def fitted_place(board: Board, pairs: Pairs, camera: Sequence[float] = ()) -> BoardPlace:
    """The place that fits points of a board best; two are enough, more tell how well it fits.

    The width of the spaces is fitted too: boards are printed larger and smaller.
    """
    own, there = (np.array([pair[side] for pair in pairs], dtype=np.float64) for side in (0, 1))
    if len(own) < 2:
        raise NoBoardThere(say("a board needs two of its corners"))
    a, b = own - own.mean(axis=0), there - there.mean(axis=0)
    lever = float((a**2).sum())
    if lever < 1e-9 or float(np.sqrt((b**2).sum(axis=1)).max()) * 2 < NEAREST_IN:
        raise NoBoardThere(say("the two corners lie too close to each other"))
    # A similarity in complex numbers: place = corner + (cell · e^(i·turn)) · point
    spin = complex(float((a * b).sum()), float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()))
    spin /= lever
    cell = abs(spin)
    if not CELL_IN[0] <= cell <= CELL_IN[1]:
        raise NoBoardThere(say("these are not the corners of this board"))
    points = own[:, 0] + 1j * own[:, 1]
    spots = there[:, 0] + 1j * there[:, 1]
    corner = complex((spots - spin * points).mean())
    off = float(np.abs(corner + spin * points - spots).max())
    if len(own) == 2:  # two points always fit: what can be measured is how far apart they are
        off = abs(cell - board.cell_in) * float(abs(points[1] - points[0])) / 2
    return BoardPlace(
        board.space,
        board.columns,
        board.rows,
        round(cell, 5),
        round(corner.real, 4),
        round(corner.imag, 4),
        round(math.degrees(math.atan2(spin.imag, spin.real)), 4),
        len(own),
        round(off, 4),
        tuple(round(float(value), 2) for value in camera),
    )
