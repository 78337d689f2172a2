"""A board that is being placed under a camera: its corners as they are tapped, the grid that they
give, and how well it fits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from calibration.board_place import (
    CORNER_IDS,
    BoardPlace,
    NoBoardThere,
    Pairs,
    board_corners,
    fitted_place,
    nearest_point,
)
from calibration.references.table_check import line_px
from calibration.references.table_pose import TablePose
from calibration.setup import Setup
from companion.vision.sources.frame import CameraFrame
from companion.vision.unknown_trays import newcomers, tap
from models.board import Board
from models.message import say

Spot = tuple[float, float]
NEAR_SHARE = 0.45
"""A further tap farther than this share of a space from every corner tells nothing."""


@dataclass(frozen=True, slots=True)
class BoardFitting:
    """The points shown so far, each with the point of the board that it is; and the place."""

    board: Board
    pairs: Pairs = ()
    place: BoardPlace | None = None
    nudged: bool = False
    """Whether the grid was pushed by hand since the last point."""

    @property
    def at_corner(self) -> int:
        """Which of the two corners comes next; 2: both are known."""
        return 2 if self.place is not None else len(self.pairs)

    def tapped(self, camera: TablePose, pixel: Spot) -> BoardFitting:
        """After a tap: the next corner, or a further point that measures the fit."""
        spot = tap(camera, pixel)
        there = (spot.x, spot.y)
        if self.place is None:
            corner = board_corners(self.board)[len(self.pairs)]
            pairs = (*self.pairs, (corner.at, there))
            if len(pairs) < 2:
                return replace(self, pairs=pairs)
            return self.fitted(pairs, camera)
        point = nearest_point(self.board, self.place, there)
        off = math.dist(there, on_table(self.board, self.place, point))
        if off > NEAR_SHARE * self.place.cell_in:
            raise NoBoardThere(say("no corner of the grid is near that tap"))
        kept = tuple(pair for pair in self.pairs if pair[0] != point)
        return self.fitted((*kept, (point, there)), camera)

    def fitted(self, pairs: Pairs, camera: TablePose) -> BoardFitting:
        """The grid through these points."""
        place = fitted_place(self.board, pairs, camera.view.position)
        return replace(self, pairs=tuple(pairs), place=place, nudged=False)

    def tagged(self, frame: CameraFrame, setup: Setup) -> BoardFitting:
        """The grid between the two corner tags of a picture; their places are the points."""
        look = newcomers(frame, replace(setup, trays=()), CORNER_IDS).sight
        camera = look.camera
        if not isinstance(camera, TablePose):
            raise NoBoardThere(say("the camera does not see the table now"))
        unseen = [number for number in CORNER_IDS if number not in look.tags]
        if unseen:
            named = ", ".join(str(number) for number in unseen)
            told = "corner tag {names} is not seen: does a piece stand on it or before it?"
            raise NoBoardThere(say(told, names=named))
        pairs = []
        for number, corner in zip(CORNER_IDS, board_corners(self.board), strict=True):
            spot = tap(camera, tuple(look.tags[number].centre_px))
            pairs.append((corner.middle, (spot.x, spot.y)))
        return self.fitted(pairs, camera)

    def nudge(self, across: float = 0.0, along: float = 0.0, turn: float = 0.0) -> BoardFitting:
        """The grid pushed or turned by hand; the points then tell how far it is off."""
        if self.place is None:
            return self
        place = self.place.shifted(across, along, turn, self.board)
        return replace(self, place=self.measured(place), nudged=True)

    def turned_round(self) -> BoardFitting:
        """The other way round: what was player 1's edge is the one opposite."""
        if self.place is None:
            return self
        place = self.place.shifted(0.0, 0.0, 180.0, self.board)
        return replace(self, pairs=(), place=replace(place, points=self.place.points), nudged=True)

    def measured(self, place: BoardPlace) -> BoardPlace:
        """A place with how far it misses the points."""
        offs = [math.dist(on_table(self.board, place, point), spot) for point, spot in self.pairs]
        return replace(place, off_in=round(max(offs, default=place.off_in), 4))

    def confirmed(self, position: Sequence[float]) -> BoardPlace | None:
        """The place, as players saw it fit from where the camera stands now."""
        if self.place is None:
            return None
        return replace(self.place, camera=tuple(round(float(one), 2) for one in position))


def on_table(board: Board, place: BoardPlace, point: Spot) -> Spot:
    """A point of a board, in cells, as it lies on the table."""
    angle = math.radians(place.turn)
    u, v = point[0] * place.cell_in, point[1] * place.cell_in
    cos, sin = math.cos(angle), math.sin(angle)
    return place.x + u * cos - v * sin, place.y + u * sin + v * cos


def outside(place: BoardPlace, board: Board, setup: Setup) -> bool:
    """Whether a part of the board lies beyond the table's edges."""
    laid = place.laid(board)
    corners = [
        point
        for column in (0, board.columns - 1)
        for row in (0, board.rows - 1)
        for point in laid.outline((column, row))
    ]
    return any(
        not (0.0 <= x <= setup.table_width and 0.0 <= y <= setup.table_depth) for x, y in corners
    )


def too_large(board: Board, setup: Setup) -> bool:
    """Whether a board has no room on the table, whichever way it lies."""
    laid = replace(board, at=(0.0, 0.0), turn=0.0)
    last = (board.columns - 1, board.rows - 1)
    points = [*laid.outline((0, 0)), *laid.outline(last)]
    sides = [max(one) - min(one) for one in zip(*points, strict=True)]
    room = sorted((setup.table_width, setup.table_depth))
    return any(side > there for side, there in zip(sorted(sides), room, strict=True))


def grid_lines(camera: TablePose, board: Board) -> list[list[Spot]]:
    """The borders of a laid board's spaces as pixels, each once; player 1's edge comes first."""
    found: dict[tuple[Spot, Spot], tuple[Spot, Spot]] = {}
    for row in range(board.rows):
        for column in range(board.columns):
            if (column, row) not in board:
                continue
            corners = board.outline((column, row))
            for one, two in zip(corners, (*corners[1:], corners[0]), strict=True):
                first, second = sorted(((round(x, 2), round(y, 2)) for x, y in (one, two)))
                found.setdefault((first, second), (one, two))
    lines = [line_px(camera, pair) for pair in (front_edge(board), *found.values())]
    return [[(float(x), float(y)) for x, y in line] for line in lines]


def front_edge(board: Board) -> tuple[Spot, Spot]:
    """The edge of a laid board at player 1's side."""
    first, last = board.outline((0, 0)), board.outline((board.columns - 1, 0))
    left, right = (2, 3) if board.space == "square" else (3, 5)
    return first[left], last[right]
