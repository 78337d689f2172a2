"""A board for the lens: how many squares, how large, which markers, and its corners in one photo.

Usually a ChArUco board; a plain chessboard and a grid of markers serve as well.

>>> BoardSpec.read("8x6", 30.0, None, "DICT_4X4_50").marker_mm
22.5
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.setup import dictionaries, dictionary_of
from models.message import CompanionError

Floats = NDArray[np.float64]

CHESS = ""
"""The dictionary of a board without markers."""
USUAL_MARKER = 0.75
"""Edge of a marker as a share of its square, where nobody says otherwise."""
MOST_SQUARES = 60


class BadBoard(CompanionError):
    """A board with impossible numbers."""


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """Squares across and down, their edges, the markers' edges and dictionary.

    `legacy`: printed by OpenCV before 4.6, which began boards with an even number of rows with a
    white square. `grid`: markers in rows without a chessboard, `square_mm` from one to the next;
    `first` stands at the beginning of a row, and rows are counted `upward` or downward.
    """

    squares: tuple[int, int]
    square_mm: float
    marker_mm: float
    dictionary: str
    legacy: bool = False
    grid: bool = False
    first: int = 0
    upward: bool = False

    @classmethod
    def read(
        cls, squares: str, square_mm: float, marker_mm: float | None, dictionary: str
    ) -> BoardSpec:
        """A board as the command line names it: `7x10`, millimetres, a dictionary's name."""
        found = re.fullmatch(r"\s*(\d{1,3})\s*[x×*]\s*(\d{1,3})\s*", squares)
        if found is None:
            raise BadBoard(f"--squares: {squares!r} is not like 7x10 (across x down)")
        across, down = int(found[1]), int(found[2])
        if not (3 <= across <= MOST_SQUARES and 3 <= down <= MOST_SQUARES):
            raise BadBoard(
                f"--squares: {squares!r}: a board has 3 to {MOST_SQUARES} squares a side"
            )
        if not 1 <= square_mm <= 1000:
            raise BadBoard(f"--square: {square_mm:g} mm is not a square's edge (1 to 1000)")
        marker = USUAL_MARKER * square_mm if marker_mm is None else marker_mm
        if not 0 < marker < square_mm:
            raise BadBoard(f"--marker: {marker:g} mm must be smaller than the square")
        if dictionary not in dictionaries():
            known = ", ".join(dictionaries())
            raise BadBoard(f"--dictionary: no dictionary {dictionary!r}; there are: {known}")
        markers, known_ids = across * down // 2, dictionary_of(dictionary).bytesList.shape[0]
        if markers > known_ids:
            problem = f"{dictionary} has {known_ids} markers, {squares} squares need {markers}"
            raise BadBoard(f"--dictionary: {problem}")
        return cls((across, down), square_mm, marker, dictionary)

    @property
    def title(self) -> str:
        """The board as people name it."""
        size = f"{self.squares[0]} x {self.squares[1]}"
        if self.grid:
            return f"a grid of {size} markers of {self.dictionary}"
        if self.dictionary == CHESS:
            return f"a plain chessboard of {size} squares"
        return f"a board of {size} squares with markers of {self.dictionary}"

    @property
    def points(self) -> Floats:
        """Inner corners, or the middles of a grid's markers, in millimetres (n x 3), by id."""
        if self.grid:
            count = dictionary_of(self.dictionary).bytesList.shape[0] - self.first
            numbers = np.arange(count)
            rows, columns = np.divmod(numbers, self.squares[0])
            rows = -rows if self.upward else rows
            return np.column_stack([columns, rows, 0.0 * rows]) * self.square_mm
        if self.dictionary == CHESS:
            across, down = self.squares[0] - 1, self.squares[1] - 1
            places = [(x, y, 0.0) for y in range(down) for x in range(across)]
            return np.array(places) * self.square_mm
        return np.asarray(charuco(self).getChessboardCorners(), dtype=np.float64)


OWN_BOARD = BoardSpec((7, 10), 25.0, 16.0, "DICT_5X5_100")
"""What `companion print lens-board` prints. Not the tags' own dictionary: a board left on the
table is never taken for a tray."""


@lru_cache
def charuco(spec: BoardSpec) -> cv2.aruco.CharucoBoard:
    """The board as OpenCV knows it."""
    codes = dictionary_of(spec.dictionary)
    board = cv2.aruco.CharucoBoard(spec.squares, spec.square_mm, spec.marker_mm, codes)
    board.setLegacyPattern(spec.legacy)
    return board


Picture = NDArray[np.uint8]

FEWEST_CORNERS = 9
WIDEST_PX = 1280
"""Slow searches look at larger pictures reduced to this."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """The board in one photo: ids of its inner corners, where they are, and the photo's size."""

    source: str
    ids: NDArray[np.int32]
    corners_px: Floats
    size: tuple[int, int]
    board: BoardSpec = OWN_BOARD


@dataclass(frozen=True, slots=True)
class Unused:
    """A photo left out, and why."""

    source: str
    reason: str


def board_view(picture: Picture, source: str, board: BoardSpec = OWN_BOARD) -> BoardView | Unused:
    """The board's corners in one photo, each at its saddle point."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    grey = np.asarray(grey, dtype=np.uint8)
    corners, numbers = found_corners(grey, board)
    if len(numbers) < FEWEST_CORNERS and board != OWN_BOARD and board.squares[1] % 2 == 0:
        # Boards with an even number of rows come in two patterns.
        other = replace(board, legacy=not board.legacy)
        again, more = found_corners(grey, other)
        if len(more) > len(numbers):
            board, corners, numbers = other, again, more
    if len(numbers) < FEWEST_CORNERS:
        return Unused(
            source, f"{len(numbers)} {'markers' if board.grid else 'board corners'} found"
        )
    points = board.points[numbers]
    if np.linalg.matrix_rank(points[:, :2] - points[0, :2], tol=1.0) < 2:
        return Unused(source, "only one row of board corners found")
    size = (grey.shape[1], grey.shape[0])
    if board.grid:
        return BoardView(source, numbers, corners.reshape(-1, 2).astype(np.float64), size, board)
    # The detector's own corners are off by up to half a pixel in some versions: the saddle
    # point of the grey values is not. The window must not touch the markers, even turned by
    # 45 degrees.
    marker_mm = 0.0 if board.dictionary == CHESS else board.marker_mm
    free = (board.square_mm - marker_mm) / 2 / board.square_mm
    reach = max(int(0.67 * free * square_px(corners, points, board)), 2)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.002)
    cv2.cornerSubPix(grey, corners, (reach, reach), (-1, -1), stop)
    return BoardView(source, numbers, corners.reshape(-1, 2).astype(np.float64), size, board)


def mirrored_board(picture: Picture, board: BoardSpec = OWN_BOARD) -> bool:
    """Whether the board is in the picture, but mirrored; a plain chessboard looks alike."""
    if board.dictionary == CHESS:
        return False
    flipped = np.ascontiguousarray(picture[:, ::-1])
    return isinstance(board_view(flipped, "", board), BoardView)


def found_corners(grey: Picture, board: BoardSpec) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Inner corners (n x 1 x 2, pixels) and their ids, as OpenCV finds them."""
    if board.grid:
        return found_middles(grey, board)
    if board.dictionary == CHESS:
        return found_chess_corners(grey, board)
    parameters = cv2.aruco.DetectorParameters()
    parameters.perspectiveRemovePixelPerCell = 8
    detector = cv2.aruco.CharucoDetector(
        charuco(board), cv2.aruco.CharucoParameters(), parameters, cv2.aruco.RefineParameters()
    )
    corners, ids, _, _ = detector.detectBoard(grey)
    if ids is None:
        return np.empty((0, 1, 2), dtype=np.float32), np.empty(0, dtype=np.int32)
    places = np.asarray(corners, dtype=np.float32).reshape(-1, 1, 2)
    return places, np.asarray(ids, dtype=np.int32).ravel()


def found_middles(grey: Picture, board: BoardSpec) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Where the diagonals of a grid's markers meet: their middles however they are tilted."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(dictionary_of(board.dictionary), parameters)
    corners, ids, _ = detector.detectMarkers(grey)
    if ids is None:
        return np.empty((0, 1, 2), dtype=np.float32), np.empty(0, dtype=np.int32)
    numbers = np.asarray(ids, dtype=np.int32).ravel() - board.first
    places = middles(np.array(corners, dtype=np.float64).reshape(-1, 4, 2))
    good = numbers >= 0
    return places[good].astype(np.float32).reshape(-1, 1, 2), numbers[good]


def middles(corners: Floats) -> Floats:
    """Where the diagonals of quadrangles (n x 4 x 2) meet."""
    start, along = corners[:, 0], corners[:, 2] - corners[:, 0]
    other, across = corners[:, 1], corners[:, 3] - corners[:, 1]
    away = other - start
    share = (away[:, 0] * across[:, 1] - away[:, 1] * across[:, 0]) / (
        along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0]
    )
    return np.asarray(start + share[:, None] * along)


def found_chess_corners(
    grey: Picture, board: BoardSpec
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """All inner corners of a plain chessboard, or none."""
    inner = board.squares[0] - 1, board.squares[1] - 1
    flags = cv2.CALIB_CB_ADAPTIVE_THRESH | cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_FAST_CHECK
    good, corners = cv2.findChessboardCorners(grey, inner, flags=flags)
    scale = min(1.0, WIDEST_PX / max(grey.shape))
    if not good:
        # Small, tilted or badly lit: the slower search finds most of these.
        small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        flags = cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_EXHAUSTIVE
        good, corners = cv2.findChessboardCornersSB(small, inner, flags=flags)
        corners = (np.asarray(corners) + 0.5) / scale - 0.5 if good else corners
    if not good:
        return np.empty((0, 1, 2), dtype=np.float32), np.empty(0, dtype=np.int32)
    places = np.asarray(corners, dtype=np.float32).reshape(-1, 1, 2)
    return places, np.arange(inner[0] * inner[1], dtype=np.int32)


def square_px(places: NDArray[np.float32], points: Floats, board: BoardSpec) -> float:
    """How large the smallest seen square is, roughly."""
    flat = places.reshape(-1, 2)
    apart_px = np.linalg.norm(flat[:, None] - flat[None], axis=-1)
    apart_mm = np.linalg.norm(points[:, None] - points[None], axis=-1)
    next_to = np.abs(apart_mm - board.square_mm) < 0.01 * board.square_mm
    return float(apart_px[next_to].min()) if next_to.any() else 12.0
