"""Boards that somebody else printed: which dictionary, how many squares, from one photo of them.

A lens needs no true sizes: a board of unknown squares is measured in squares of 25 mm.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.charuco_board import (
    CHESS,
    OWN_BOARD,
    WIDEST_PX,
    BoardSpec,
    charuco,
    middles,
)
from calibration.setup import dictionary_of

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

DICTIONARIES = (
    *("DICT_5X5_250", "DICT_4X4_250", "DICT_6X6_250", "DICT_7X7_250"),
    *("DICT_ARUCO_ORIGINAL", "DICT_APRILTAG_36h11", "DICT_APRILTAG_36h10"),
)
SMALLER = (50, 100, 250)
"""Most dictionaries come in sizes, whose first markers are the same; no board needs more."""
FEWEST_MARKERS = 6
MOST_ACROSS = 20
FITS = 0.12
"""Markers of the right board lie this close to their squares (in squares)."""
INSIDE = (0.25, 0.75)
EVEN = 0.8
"""Squares of a chessboard are plain: so much of what lies at these shares of their edges agrees.
Tags with small squares between them have corners like a chessboard, but not the squares."""
BENDS = (0.0, 0.1, 0.2, 0.35)
"""How far a lens draws the middle of the picture's left and right rim inward, as shares of their
distance from the middle. A board is looked for with each, first without."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenMarkers:
    """The markers in a picture: their dictionary, corners (n x 4 x 2) and ids."""

    dictionary: str
    corners: Floats
    ids: list[int]

    @property
    def title(self) -> str:
        """What they are, for boards that nobody knows."""
        return f"{len(self.ids)} markers of {self.dictionary} in the order of no board"


def markers_in(grey: Picture, fewest: int = FEWEST_MARKERS) -> SeenMarkers | None:
    """The markers of whichever dictionary shows most of them."""
    best: SeenMarkers | None = None
    for name in DICTIONARIES:
        corners, ids, _ = cv2.aruco.ArucoDetector(dictionary_of(name)).detectMarkers(grey)
        if ids is not None and len(ids) >= fewest and (best is None or len(ids) > len(best.ids)):
            numbers = [int(number) for number in np.asarray(ids).ravel()]
            places = np.array(corners, dtype=np.float64).reshape(-1, 4, 2)
            best = SeenMarkers(smallest(name, max(numbers)), places, numbers)
    return best


def small_grey(picture: Picture) -> Picture:
    """The picture in grey, large ones reduced."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, WIDEST_PX / max(grey.shape))
    if scale < 1.0:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(grey, dtype=np.uint8)


def recognised(picture: Picture) -> BoardSpec | SeenMarkers | None:
    """The board in a picture, as far as it can be told; else its markers, or None."""
    grey = small_grey(picture)
    seen = markers_in(grey)
    if seen is None:
        return chessboard(grey)
    for bend in BENDS:
        level = straightened(seen, bend, (grey.shape[1], grey.shape[0]))
        found = of_markers(level) or of_grid(level)
        if found is not None:
            return found
    return seen


def straightened(seen: SeenMarkers, bend: float, size: tuple[int, int]) -> SeenMarkers:
    """The markers about where a lens that does not bend would show them."""
    middle = (np.array(size) - 1) / 2
    out = seen.corners - middle
    far = (out**2).sum(axis=-1, keepdims=True) / (size[0] / 2) ** 2
    return replace(seen, corners=middle + out * (1 + bend * far))


@dataclass(slots=True)
class BoardSearch:
    """Recognises the board in picture after picture.

    A tilted or cut chessboard shows fewer squares than it has: it is believed when two pictures
    show the same.
    """

    chess: list[BoardSpec] = field(default_factory=list)
    markers: SeenMarkers | None = None
    """The most markers that were seen in the order of no board."""

    def see(self, picture: Picture) -> BoardSpec | None:
        """The board, once it is sure."""
        found = recognised(picture)
        if isinstance(found, SeenMarkers):
            if self.markers is None or len(found.ids) > len(self.markers.ids):
                self.markers = found
            return None
        if found is None or found.dictionary != CHESS:
            return found
        same = [one for one in self.chess if sorted(one.squares) == sorted(found.squares)]
        self.chess.append(found)
        return same[0] if same else None

    @property
    def likeliest(self) -> BoardSpec | None:
        """The chessboard with the most squares, where none was seen twice."""
        return max(self.chess, key=lambda one: one.squares[0] * one.squares[1], default=None)


def smallest(name: str, highest: int) -> str:
    """The smallest dictionary of that kind which has a marker of that number."""
    stem, _, size = name.rpartition("_")
    if size != "250":
        return name
    return next(f"{stem}_{count}" for count in SMALLER if highest < count)


def of_markers(seen: SeenMarkers) -> BoardSpec | None:
    """The ChArUco board whose markers lie like these."""
    name, places, ids = seen.dictionary, seen.corners, seen.ids
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


def of_grid(seen: SeenMarkers) -> BoardSpec | None:
    """The grid whose markers lie like these, row by row."""
    flat, ids = middles(seen.corners), np.array(seen.ids)
    found: list[tuple[float, BoardSpec]] = []
    for across in range(2, MOST_ACROSS + 1):
        ways = itertools.product(range(min(across, int(ids.min()) + 1)), (False, True))
        for first, upward in ways:
            rows, columns = np.divmod(ids - first, across)
            lattice = np.column_stack([columns, -rows if upward else rows]).astype(np.float64)
            if np.ptp(rows) < 1 or np.ptp(columns) < 1:
                continue
            warp, _ = cv2.findHomography(flat, lattice, 0)
            if warp is None:
                continue
            there = cv2.perspectiveTransform(seen.corners.reshape(-1, 1, 2), warp)
            there = np.asarray(there, dtype=np.float64).reshape(-1, 4, 2)
            off = float(np.abs(middles(there) - lattice).max())
            if off < FITS and squares_of(there):
                spec = BoardSpec(
                    (across, int(rows.max()) + 1),
                    OWN_BOARD.square_mm,
                    OWN_BOARD.marker_mm,
                    seen.dictionary,
                    grid=True,
                    first=first,
                    upward=upward,
                )
                found.append((off, spec))
    return min(found, key=lambda one: one[0])[1] if found else None


def squares_of(corners: Floats) -> bool:
    """Whether these (n x 4 x 2) are squares that read forwards, smaller than what they lie in."""
    sides = np.roll(corners, -1, axis=1) - corners
    lengths = np.median(np.linalg.norm(sides, axis=2), axis=0)
    turn = sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]
    upright = np.median(turn) > 0.8 * lengths[0] * lengths[1]
    alike = lengths.max() < 1.25 * lengths.min()
    return bool(upright and alike and lengths.min() > 0.3 and lengths.max() < 0.97)


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
    places = np.asarray(corners, dtype=np.float64).reshape(down, across, 2)
    if not alternating(grey, places):
        return None
    return replace(OWN_BOARD, squares=(across + 1, down + 1), dictionary=CHESS)


def alternating(grey: Picture, places: Floats) -> bool:
    """Whether the squares between corners (rows x columns x 2) are black and white in turn."""
    whole = [
        colour_signs(grey, weighed(places, down, across))
        for down, across in ((0.5, 0.5), *itertools.product(INSIDE, INSIDE))
    ]
    told = np.concatenate(whole)
    return bool((whole[0] * np.median(whole[0]) > 0).all() and abs(told.mean()) > EVEN)


def weighed(places: Floats, down: float, across: float) -> Floats:
    """One point in every square between corners, so far down and across in it."""
    upper = (1 - across) * places[:-1, :-1] + across * places[:-1, 1:]
    lower = (1 - across) * places[1:, :-1] + across * places[1:, 1:]
    return np.asarray((1 - down) * upper + down * lower)


def colour_signs(grey: Picture, inside: Floats) -> Floats:
    """For each two neighbours, which is lighter: 1 or -1, all alike on a chessboard."""
    x, y = np.rint(inside[..., 0]).astype(int), np.rint(inside[..., 1]).astype(int)
    light = cv2.blur(grey, (3, 3))[y, x].astype(np.float64)
    one = np.indices(light.shape).sum(axis=0) % 2 == 0
    # Light is uneven across a board: each square is compared with those beside it.
    across, down = np.diff(light, axis=1), np.diff(light, axis=0)
    signs = [np.where(one[:, 1:], across, -across), np.where(one[1:], down, -down)]
    return np.sign(np.concatenate([sign.ravel() for sign in signs]))
