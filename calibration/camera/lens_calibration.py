"""Calibrate a lens from photos of a printed board: choose the photos of one size, fit the lens,
and say which further photos would help.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.charuco_board import FEWEST_CORNERS, BoardView, Unused
from calibration.camera.lens import VAGUE_FOCAL, Lens
from calibration.camera.lens_from_few import lens_from_few
from models.message import CompanionError


@dataclass(frozen=True, slots=True, eq=False)
class PhotoSelection:
    """The photos of the most frequent size, the unused ones, and remarks for the player."""

    views: tuple[BoardView, ...]
    turned: frozenset[str]
    """Photos that had to be turned by a quarter."""
    unused: tuple[Unused, ...]
    remarks: tuple[str, ...]


def select_photos(views: Iterable[BoardView | Unused]) -> PhotoSelection:
    """Keep the majority's size; photos held upright are turned like the others."""
    unused = [one for one in views if isinstance(one, Unused)]
    good = [one for one in views if isinstance(one, BoardView)]
    if not good:
        return PhotoSelection((), frozenset(), tuple(unused), ())
    sizes = Counter(shape(one.size) for one in good)
    usual = max(sizes, key=lambda size: (sizes[size], size))
    ways = Counter(one.size for one in good if shape(one.size) == usual)
    size = max(ways, key=lambda one: (ways[one], one))
    kept, turned, remarks = [], set(), []
    for one in good:
        if shape(one.size) != usual:
            reason = f"is {named(one.size)}, most photos are {named(size)}"
            unused.append(Unused(one.source, reason))
        elif one.size != size:
            turned.add(one.source)
            kept.append(quarter(one))
        else:
            kept.append(one)
    if len(sizes) > 1:
        remarks.append(
            f"photos of {len(sizes)} sizes: measured from the {len(kept)} of {named(size)}"
        )
    if turned:
        remarks.append(f"{len(turned)} photos were turned by a quarter to {named(size)}")
    return PhotoSelection(tuple(kept), frozenset(turned), tuple(unused), tuple(remarks))


def shape(size: tuple[int, int]) -> tuple[int, int]:
    """Longer and shorter side of a picture."""
    return max(size), min(size)


def named(size: tuple[int, int]) -> str:
    """A size in words."""
    return f"{size[0]} x {size[1]}"


def quarter(view: BoardView) -> BoardView:
    """The same photo turned by a quarter to the right."""
    x, y = view.corners_px[:, 0], view.corners_px[:, 1]
    corners = np.column_stack([view.size[1] - 1 - y, x])
    return replace(view, corners_px=corners, size=(view.size[1], view.size[0]))


def half(view: BoardView) -> BoardView:
    """The same photo upside down."""
    corners = np.array([view.size[0] - 1, view.size[1] - 1]) - view.corners_px
    return replace(view, corners_px=corners)


def choose_turn(
    views: Sequence[BoardView], turned: frozenset[str], lens: Lens
) -> tuple[BoardView, ...]:
    """Turned photos, turned to the left instead where that fits the lens better."""
    return tuple(
        min((view, half(view)), key=lambda one: misfit(one, lens))
        if view.source in turned
        else view
        for view in views
    )


def misfit(view: BoardView, lens: Lens) -> float:
    """How badly (px) a lens explains one photo."""
    points = view.board.points[view.ids]
    good, turn, shift = cv2.solvePnP(points, view.corners_px, lens.k, lens.d)
    if not good:
        return float("inf")
    there, _ = cv2.projectPoints(points, turn, shift, lens.k, lens.d)
    away = view.corners_px - np.asarray(there, dtype=np.float64).reshape(-1, 2)
    return float(np.sqrt((away**2).sum(axis=1).mean()))


Floats = NDArray[np.float64]

LEAST_VIEWS, FEWEST_VIEWS = 2, 6
"""Fewer photos than the first tell nothing; fewer than the second only together with what is
expected of any lens."""
WORST_PX = 3.0
"""No board misses its lens by more, however it bends."""
GOOD_PX = 1.0
"""A lens that leaves more than this was measured from a board that is not flat."""
MOST_DOUBT = 0.1
"""A focal length that single photos change by a larger share is not told by them."""
GOOD_VIEWS = 12
BAD_VIEW = 2.5
"""A photo that misses by so many times the median of all photos is left out."""
BAD_CORNER_SIGMAS = 4.5
ZONES = (4, 3)
"""The picture is asked for corners in so many columns and rows."""
FEWEST_IN_ZONE = 4
STEEP_DEG = 25.0
"""Without boards tilted at least this much the focal length stays vague."""
STEEP_VIEWS, FEWEST_STEEP = 4, 2
JACKKNIFE_GROUPS = 6
FOLDED = (
    "the photos give a lens that folds the picture over itself: take more, with the board in all "
    "corners of the picture"
)


class NoLensFound(CompanionError):
    """Photos that do not suffice for a lens; the message says what is missing."""


@dataclass(frozen=True, slots=True, eq=False)
class LensResult:
    """The lens with its sigmas, how well it fits, what was left out, and what would help."""

    lens: Lens
    misfit_px: float
    used: tuple[str, ...]
    unused: tuple[Unused, ...]
    corners: int
    wishes: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    """What was done with the photos, and warnings."""


def lens_from(views: Iterable[BoardView | Unused], thorough: bool = True) -> LensResult:
    """The lens that explains the photos; bad photos and corners are left out and named.

    A `thorough` answer also asks how much the lens depends on single photos: its sigmas are then
    as wide as that.
    """
    photos = select_photos(list(views))
    unused = list(photos.unused)
    good = list(photos.views)
    if len(good) < LEAST_VIEWS:
        wish = "; ".join(f"{one.source}: {one.reason}" for one in unused[:3])
        raise NoLensFound(
            f"{len(good)} usable photos of the board, at least {LEAST_VIEWS} are needed"
            + (f" ({wish})" if wish else "")
        )
    settled = not photos.turned
    solution: LensSolution | None = None
    while len(good) >= FEWEST_VIEWS:
        solution = solve(good)
        if not settled:
            # Nobody knows to which side a photo was turned: the first lens can tell.
            good = list(choose_turn(good, photos.turned, solution.lens))
            settled = True
            continue
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
        solution = None
    remarks = list(photos.remarks)
    steep = int((solution.tilts > STEEP_DEG).sum()) if solution is not None else 0
    if solution is None or steep < FEWEST_STEEP or not solution.lens.single_valued():
        return vague_lens(good, unused, remarks)
    lens = solution.lens
    if thorough:
        lens = replace(lens, sigma=honest_sigma(good, solution))
        if lens.sigma[0] > MOST_DOUBT * lens.matrix[0]:
            return vague_lens(good, unused, remarks)
    remarks += warnings(lens, solution.misfit_px, steep)
    return LensResult(
        lens,
        solution.misfit_px,
        tuple(view.source for view in good),
        tuple(unused),
        sum(len(view.ids) for view in good),
        tuple(wishes(good, solution.tilts)),
        tuple(remarks),
    )


def vague_lens(
    views: Sequence[BoardView], unused: Sequence[Unused], remarks: Sequence[str]
) -> LensResult:
    """The lens of few or level photos, with the doubt that they leave."""
    fit = lens_from_few(views)
    if not fit.lens.single_valued() or fit.misfit_px > WORST_PX:
        raise NoLensFound(FOLDED)
    told = warnings(fit.lens, fit.misfit_px, int((fit.tilts > STEEP_DEG).sum()))
    return LensResult(
        fit.lens,
        fit.misfit_px,
        tuple(view.source for view in views),
        tuple(unused),
        sum(len(view.ids) for view in views),
        tuple(wishes(views, fit.tilts)),
        (*remarks, *told),
    )


def warnings(lens: Lens, misfit_px: float, steep: int) -> list[str]:
    """What the player is told of a lens that is vague, or of a board that is not flat."""
    told, share = [], lens.sigma[0] / lens.matrix[0]
    if share > VAGUE_FOCAL:
        vague, more = f"the focal length is known to {100 * share:.0f} % only", STEEP_VIEWS - steep
        wish = f"; {more} more of the board tilted by 30 to 45 degrees would make it sharper"
        told.append(f"WARNING: {vague}{wish if more > 0 else ''}")
    if misfit_px > GOOD_PX:
        told.append(
            f"WARNING: the board's corners miss by {misfit_px:.1f} px: glue it to something stiff "
            "and take the photos anew"
        )
    return told


@dataclass(frozen=True, slots=True, eq=False)
class LensSolution:
    """One calibration: the lens, misfits, each photo's offsets per corner and the board's tilt."""

    lens: Lens
    misfit_px: float
    per_view: Floats
    offs: tuple[Floats, ...]
    tilts: Floats
    flags: int


def solve(views: Sequence[BoardView]) -> LensSolution:
    """Least squares; k3 is only fitted where it clearly helps, and k2 or p1, p2 are given up where
    the photos show so little of the picture's rim that the lens would fold it over itself."""
    plain = calibrated(views, cv2.CALIB_FIX_K3)
    full = calibrated(views, 0)
    k3, doubt = full.lens.distortion[4], full.lens.sigma[8]
    helps = full.misfit_px < 0.97 * plain.misfit_px and abs(k3) > 4 * doubt
    if helps and full.lens.single_valued():
        return full
    simple = cv2.CALIB_FIX_K3 | cv2.CALIB_FIX_K2 | cv2.CALIB_ZERO_TANGENT_DIST
    for flags in (None, cv2.CALIB_FIX_K3 | cv2.CALIB_FIX_K2, simple, simple | cv2.CALIB_FIX_K1):
        found = plain if flags is None else calibrated(views, flags)
        if found.lens.single_valued():
            return found
    return plain


def honest_sigma(views: Sequence[BoardView], solution: LensSolution) -> tuple[float, ...]:
    """Sigmas of the lens from how much it changes without some of the photos (jackknife).

    The sigmas of cv2 include noise only, not a bent board or photos that are too similar.
    """
    groups = min(JACKKNIFE_GROUPS, len(views))
    found = []
    for group in range(groups):
        rest = [view for number, view in enumerate(views) if number % groups != group]
        if len(rest) >= FEWEST_VIEWS - 1:
            found.append(calibrated(rest, solution.flags).lens.parameters)
    claimed = np.array(solution.lens.sigma)
    if len(found) < 3:
        return tuple(float(value) for value in claimed)
    spread = np.std(found, axis=0) * math.sqrt(len(found) - 1)
    return tuple(float(value) for value in np.maximum(claimed, spread))


def calibrated(views: Sequence[BoardView], flags: int) -> LensSolution:
    """The result of `cv2.calibrateCameraExtended` with its sigmas."""
    points = views[0].board.points
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
    return LensSolution(
        lens,
        float(rms),
        np.asarray(per_view, dtype=np.float64).ravel(),
        tuple(offs),
        np.array(tilts),
        flags,
    )


def trimmed(view: BoardView, off: Floats) -> BoardView:
    """The same photo without corners that miss far more than the rest."""
    miss = np.hypot(off[:, 0], off[:, 1])
    limit = max(BAD_CORNER_SIGMAS * float(np.median(miss)) / 1.18, 0.1)
    keep = miss <= limit
    if keep.all() or keep.sum() < FEWEST_CORNERS:
        return view
    return replace(view, ids=view.ids[keep], corners_px=view.corners_px[keep])


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
