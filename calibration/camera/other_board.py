"""Boards that somebody else printed: which dictionary, how many squares, from one photo of them.

A lens needs no true sizes: a board of unknown squares is measured in squares of 25 mm.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.charuco_board import CHESS, OWN_BOARD, BoardSpec, charuco
from calibration.setup import dictionary_of

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

DICTIONARIES = (
    *("DICT_5X5_250", "DICT_4X4_250", "DICT_6X6_250", "DICT_7X7_250"),
    *("DICT_ARUCO_ORIGINAL", "DICT_APRILTAG_36h11"),
)
SMALLER = (50, 100, 250)
"""Most dictionaries come in sizes, whose first markers are the same; no board needs more."""
FEWEST_MARKERS = 6
MOST_ACROSS = 20
FITS = 0.12
"""Markers of the right board lie this close to their squares (in squares)."""
WIDEST_PX = 1200


def recognised(picture: Picture) -> BoardSpec | None:
    """The board in a picture, as far as it can be told; None where there is none."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, WIDEST_PX / max(grey.shape))
    if scale < 1.0:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = np.asarray(grey, dtype=np.uint8)
    best: tuple[int, str, Floats, list[int]] | None = None
    for name in DICTIONARIES:
        corners, ids, _ = cv2.aruco.ArucoDetector(dictionary_of(name)).detectMarkers(grey)
        if ids is not None and len(ids) >= FEWEST_MARKERS and (best is None or len(ids) > best[0]):
            numbers = [int(number) for number in np.asarray(ids).ravel()]
            places = np.array(corners, dtype=np.float64).reshape(-1, 4, 2)
            best = len(numbers), name, places, numbers
    if best is None:
        return chessboard(grey)
    return of_markers(smallest(best[1], max(best[3])), best[2], best[3])


def smallest(name: str, highest: int) -> str:
    """The smallest dictionary of that kind which has a marker of that number."""
    stem, _, size = name.rpartition("_")
    if size != "250":
        return name
    return next(f"{stem}_{count}" for count in SMALLER if highest < count)


def of_markers(name: str, places: Floats, ids: list[int]) -> BoardSpec | None:
    """The ChArUco board whose markers lie like these (n, 4, 2)."""
    found: list[tuple[float, BoardSpec]] = []
    for across in range(3, MOST_ACROSS + 1):
        down = max(3, -(-2 * (max(ids) + 1) // across))
        if across * down // 2 <= max(ids):
            down += 1
        if across * down // 2 > dictionary_of(name).bytesList.shape[0]:
            continue
        for legacy in (False, True) if down % 2 == 0 else (False,):
            spec = replace(
                OWN_BOARD, squares=(across, down), dictionary=name, legacy=legacy, marker_mm=18.75
            )
            middles = marker_middles(spec)[ids]
            flat = places.mean(axis=1)
            warp, _ = cv2.findHomography(flat, middles, 0)
            if warp is None:
                continue
            there = cv2.perspectiveTransform(places.reshape(-1, 1, 2), warp).reshape(-1, 4, 2)
            off = float(np.abs(there.mean(axis=1) - middles).max())
            sides = np.linalg.norm(np.roll(there, -1, axis=1) - there, axis=2)
            marker = float(np.median(sides))
            if off < FITS and 0.3 < marker < 0.97:
                marker_mm = round(marker * spec.square_mm, 2)
                found.append((off, replace(spec, marker_mm=marker_mm)))
    return min(found, key=lambda one: one[0])[1] if found else None


def marker_middles(spec: BoardSpec) -> Floats:
    """The middles of a board's markers, in squares."""
    objects = charuco(spec).getObjPoints()
    middles = np.array([np.asarray(one)[:, :2].mean(axis=0) for one in objects])
    return np.asarray(middles / spec.square_mm, dtype=np.float64)


def chessboard(grey: Picture) -> BoardSpec | None:
    """A plain chessboard, by how many of its inner corners are seen."""
    flags = cv2.CALIB_CB_LARGER | cv2.CALIB_CB_NORMALIZE_IMAGE
    good, corners, meta = cv2.findChessboardCornersSBWithMeta(grey, (3, 3), flags)
    if not good or corners is None:
        return None
    down, across = np.asarray(meta).shape[:2]
    if min(down, across) < 3 or len(corners) != down * across:
        return None
    return replace(OWN_BOARD, squares=(across + 1, down + 1), dictionary=CHESS)
