"""A lens calibrated from photos of a printed board, with its doubts and what to photograph next."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from models.errors import CompanionError

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

SQUARES = (7, 10)
"""Across and down."""
SQUARE_MM = 25.0
MARKER_MM = 16.0
BOARD_DICTIONARY = "DICT_5X5_100"
"""Not the tags' own dictionary: a board left on the table is never taken for a tray."""

FEWEST_CORNERS = 12
FEWEST_VIEWS = 6
GOOD_VIEWS = 12
BAD_VIEW = 2.5
"""A photo that misses by so many times the median of all photos is left out."""
BAD_CORNER_SIGMAS = 4.5
ZONES = (4, 3)
"""The picture is asked for corners in so many columns and rows."""
FEWEST_IN_ZONE = 4
STEEP_DEG = 25.0
"""Without boards tilted at least this much the focal length stays vague."""
STEEP_VIEWS = 4


class NoLensFound(CompanionError):
    """Photos that do not suffice for a lens; the message says what is missing."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """The board in one photo: ids of its inner corners, where they are, and the photo's size."""

    source: str
    ids: NDArray[np.int32]
    corners_px: Floats
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Unused:
    """A photo left out, and why."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class LensResult:
    """The lens with its sigmas, how well it fits, what was left out, and what would help."""

    lens: Lens
    misfit_px: float
    used: tuple[str, ...]
    unused: tuple[Unused, ...]
    corners: int
    wishes: tuple[str, ...]


@lru_cache
def board() -> cv2.aruco.CharucoBoard:
    """The board that `companion print lens-board` prints."""
    codes = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, BOARD_DICTIONARY))
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, codes)


def board_points() -> Floats:
    """Inner corners of the board in millimetres (n x 3), by id."""
    return np.asarray(board().getChessboardCorners(), dtype=np.float64)


def board_view(picture: Picture, source: str) -> BoardView | Unused:
    """The board's corners in one photo, each at its saddle point."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    grey = np.asarray(grey, dtype=np.uint8)
    parameters = cv2.aruco.DetectorParameters()
    parameters.perspectiveRemovePixelPerCell = 8
    detector = cv2.aruco.CharucoDetector(
        board(), cv2.aruco.CharucoParameters(), parameters, cv2.aruco.RefineParameters()
    )
    corners, ids, _, _ = detector.detectBoard(grey)
    if ids is None or len(ids) < FEWEST_CORNERS:
        return Unused(source, f"{0 if ids is None else len(ids)} board corners found")
    places = np.asarray(corners, dtype=np.float32).reshape(-1, 1, 2)
    numbers = np.asarray(ids, dtype=np.int32).ravel()
    points = board_points()[numbers]
    if np.linalg.matrix_rank(points[:, :2] - points[0, :2], tol=1.0) < 2:
        return Unused(source, "only one row of board corners found")
    # The detector's own corners are off by up to half a pixel in some versions: the saddle
    # point of the grey values is not. The window must not touch the markers, even turned by
    # 45 degrees: they begin 0.18 of a square away.
    reach = max(int(0.12 * square_px(places, points)), 2)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.002)
    cv2.cornerSubPix(grey, places, (reach, reach), (-1, -1), stop)
    size = (grey.shape[1], grey.shape[0])
    return BoardView(source, numbers, places.reshape(-1, 2).astype(np.float64), size)


def square_px(places: NDArray[np.float32], points: Floats) -> float:
    """How large the smallest seen square is, roughly."""
    flat = places.reshape(-1, 2)
    apart_px = np.linalg.norm(flat[:, None] - flat[None], axis=-1)
    apart_mm = np.linalg.norm(points[:, None] - points[None], axis=-1)
    next_to = np.abs(apart_mm - SQUARE_MM) < 0.1
    return float(apart_px[next_to].min()) if next_to.any() else 12.0


def lens_from(views: Iterable[BoardView | Unused]) -> LensResult:
    """The lens that explains the photos; bad photos and corners are left out and named."""
    unused = []
    good: list[BoardView] = []
    for view in views:
        if isinstance(view, Unused):
            unused.append(view)
        elif good and view.size != good[0].size:
            size = f"{view.size[0]} x {view.size[1]}"
            first = f"{good[0].size[0]} x {good[0].size[1]}"
            unused.append(Unused(view.source, f"is {size}, the first photo is {first}"))
        else:
            good.append(view)
    while True:
        if len(good) < FEWEST_VIEWS:
            wish = "; ".join(f"{one.source}: {one.reason}" for one in unused[:3])
            raise NoLensFound(
                f"{len(good)} usable photos of the board, at least {FEWEST_VIEWS} are needed"
                + (f" ({wish})" if wish else "")
            )
        solution = solve(good)
        # Corners before photos: one stray corner must not cost a whole photo.
        kept = [trimmed(view, off) for view, off in zip(good, solution.offs, strict=True)]
        if sum(len(view.ids) for view in kept) < sum(len(view.ids) for view in good):
            good = kept
            continue
        middle = float(np.median(solution.per_view))
        worst = int(np.argmax(solution.per_view))
        off = float(solution.per_view[worst])
        if off <= max(BAD_VIEW * middle, 0.15):
            break
        unused.append(Unused(good[worst].source, f"misses by {off:.2f} px, others {middle:.2f}"))
        del good[worst]
    return LensResult(
        solution.lens,
        solution.misfit_px,
        tuple(view.source for view in good),
        tuple(unused),
        sum(len(view.ids) for view in good),
        tuple(wishes(good, solution.tilts)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """One calibration: the lens, misfits, each photo's offsets per corner and the board's tilt."""

    lens: Lens
    misfit_px: float
    per_view: Floats
    offs: tuple[Floats, ...]
    tilts: Floats


def solve(views: Sequence[BoardView]) -> Solved:
    """Least squares; k3 is only fitted where it clearly helps."""
    plain = calibrated(views, cv2.CALIB_FIX_K3)
    full = calibrated(views, 0)
    k3, doubt = full.lens.distortion[4], full.lens.sigma[8]
    helps = full.misfit_px < 0.97 * plain.misfit_px and abs(k3) > 4 * doubt
    return full if helps and full.lens.single_valued() else plain


def calibrated(views: Sequence[BoardView], flags: int) -> Solved:
    """The calibration of cv2 with its sigmas, in our records."""
    points = board_points()
    spaces = [points[view.ids].astype(np.float32) for view in views]
    pixels = [view.corners_px.astype(np.float32) for view in views]
    rms, matrix, distortion, turns, shifts, doubts, _, per_view = cv2.calibrateCameraExtended(
        spaces, pixels, views[0].size, np.eye(3), np.zeros(5), flags=flags
    )
    m, d = np.asarray(matrix, dtype=np.float64), np.asarray(distortion, dtype=np.float64).ravel()
    spread = np.asarray(doubts, dtype=np.float64).ravel()[:9]
    lens = Lens.of(
        views[0].size,
        (float(m[0, 0]), float(m[1, 1])),
        (float(m[0, 2]), float(m[1, 2])),
        tuple(float(value) for value in d[:5]),
        tuple(float(value) for value in spread),
    )
    offs, tilts = [], []
    for view, turn, shift in zip(views, turns, shifts, strict=True):
        seen, _ = cv2.projectPoints(points[view.ids], turn, shift, m, d)
        offs.append(view.corners_px - np.asarray(seen, dtype=np.float64).reshape(-1, 2))
        rotation, _ = cv2.Rodrigues(turn)
        tilts.append(math.degrees(math.acos(min(1.0, abs(float(rotation[2, 2]))))))
    return Solved(
        lens,
        float(rms),
        np.asarray(per_view, dtype=np.float64).ravel(),
        tuple(offs),
        np.array(tilts),
    )


def trimmed(view: BoardView, off: Floats) -> BoardView:
    """The same photo without corners that miss far more than the rest."""
    miss = np.hypot(off[:, 0], off[:, 1])
    limit = max(BAD_CORNER_SIGMAS * float(np.median(miss)) / 1.18, 0.1)
    keep = miss <= limit
    if keep.all() or keep.sum() < FEWEST_CORNERS:
        return view
    return BoardView(view.source, view.ids[keep], view.corners_px[keep], view.size)


def wishes(views: Sequence[BoardView], tilts: Floats) -> list[str]:
    """What further photos would help, in plain words."""
    asked = []
    if len(views) < GOOD_VIEWS:
        asked.append(f"{GOOD_VIEWS - len(views)} more photos (now {len(views)})")
    bare = bare_zones(views)
    if bare:
        asked.append(f"the board in the picture's {', '.join(bare)}")
    steep = int((tilts > STEEP_DEG).sum())
    if steep < STEEP_VIEWS:
        asked.append(f"the board tilted by 30 to 45 degrees in {STEEP_VIEWS} photos (now {steep})")
    return asked


def zone_counts(views: Sequence[BoardView]) -> NDArray[np.int64]:
    """How many corners were seen in each part of the picture, rows x columns."""
    if not views:
        return np.zeros((ZONES[1], ZONES[0]), dtype=np.int64)
    width, height = views[0].size
    places = np.concatenate([view.corners_px for view in views])
    counts, _, _ = np.histogram2d(
        places[:, 1], places[:, 0], bins=(ZONES[1], ZONES[0]), range=((0, height), (0, width))
    )
    return counts.astype(np.int64)


def bare_zones(views: Sequence[BoardView]) -> list[str]:
    """Parts of the picture in which no corner was ever seen."""
    counts = zone_counts(views)
    rows = ("top", "middle", "bottom")
    columns = ("left", "centre left", "centre right", "right")
    return [
        f"{rows[row]} {columns[column]}"
        for row in range(ZONES[1])
        for column in range(ZONES[0])
        if counts[row, column] < FEWEST_IN_ZONE
    ]
