"""The corners of a lens board in one photo."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.board_spec import OWN_BOARD, BoardSpec, charuco

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

FEWEST_CORNERS = 12


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
        return Unused(source, f"{len(numbers)} board corners found")
    points = board.points[numbers]
    if np.linalg.matrix_rank(points[:, :2] - points[0, :2], tol=1.0) < 2:
        return Unused(source, "only one row of board corners found")
    # The detector's own corners are off by up to half a pixel in some versions: the saddle
    # point of the grey values is not. The window must not touch the markers, even turned by
    # 45 degrees.
    free = (board.square_mm - board.marker_mm) / 2 / board.square_mm
    reach = max(int(0.67 * free * square_px(corners, points, board)), 2)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.002)
    cv2.cornerSubPix(grey, corners, (reach, reach), (-1, -1), stop)
    size = (grey.shape[1], grey.shape[0])
    return BoardView(source, numbers, corners.reshape(-1, 2).astype(np.float64), size, board)


def found_corners(grey: Picture, board: BoardSpec) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Inner corners (n x 1 x 2, pixels) and their ids, as OpenCV finds them."""
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


def square_px(places: NDArray[np.float32], points: Floats, board: BoardSpec) -> float:
    """How large the smallest seen square is, roughly."""
    flat = places.reshape(-1, 2)
    apart_px = np.linalg.norm(flat[:, None] - flat[None], axis=-1)
    apart_mm = np.linalg.norm(points[:, None] - points[None], axis=-1)
    next_to = np.abs(apart_mm - board.square_mm) < 0.01 * board.square_mm
    return float(apart_px[next_to].min()) if next_to.any() else 12.0
