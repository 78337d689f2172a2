"""Dark four-cornered outlines in a picture, everything that might be a tag, and their edges as
sub-pixel lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from companion.vision.detect.budget import MOST_OUTLINES, MOST_RUNS, SearchBudget
from companion.vision.detect.pixels import LINEAR, NEXT, Grey, Tone, middle_of, sampled

Floats = NDArray[np.floating]

WINDOW_PX = 5
"""A narrow window keeps the white margin of a small tag white: wider ones drown it in the mat."""
CONTRAST = 7
"""How much darker than its surroundings a pixel must be (of 255, after stretching)."""
SHORTEST_OUTLINE_PX = 26
CORNER_TOLERANCE = 0.05
SHORTEST_SIDE_PX = 5.0
SPECKLED_PX = 50
"""A run of dark pixels in so many pixels or fewer: then most of them are specks."""
MOST_IN_16_BITS = 65_000
CROWDED_FACTOR, DARKEST = 1.6, 255.0
"""Contrast is raised by this factor while too much of a picture is dark beside bright."""


def find_quads(
    grey: Grey,
    contrast: float = CONTRAST,
    budget: SearchBudget | None = None,
    window: int = WINDOW_PX,
) -> Floats:
    """The corners (n, 4, 2) of dark quadrangles, clockwise as seen, in no particular order."""
    budget = SearchBudget() if budget is None else budget
    dark = dark_pixels(grey, contrast, budget, window)
    outlines, _ = cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    lengths = np.fromiter(map(len, outlines), np.int64, len(outlines))
    longest = 2 * (grey.shape[0] + grey.shape[1])
    chosen = np.flatnonzero((lengths >= SHORTEST_OUTLINE_PX) & (lengths < longest))
    if len(chosen) > MOST_OUTLINES:
        budget.left_out += len(chosen) - MOST_OUTLINES
        chosen = np.sort(chosen[np.argsort(-lengths[chosen], kind="stable")[:MOST_OUTLINES]])
    tolerances = np.maximum(1.5, CORNER_TOLERANCE * lengths[chosen])
    shapes = [
        cv2.approxPolyDP(outlines[index], tolerance, True)
        for index, tolerance in zip(chosen.tolist(), tolerances.tolist(), strict=True)
    ]
    quads = [corners for corners in shapes if len(corners) == 4]
    return convex_clockwise(np.array(quads, dtype=np.float64).reshape(-1, 4, 2))


def dark_pixels(grey: Grey, contrast: float, budget: SearchBudget, window: int) -> Grey:
    """255 where a pixel is so much darker than those around it, more where there are too many."""
    while True:
        dark = cv2.adaptiveThreshold(
            grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, window, contrast
        )
        found = np.asarray(dark, dtype=np.uint8)
        runs = runs_of(found)
        if runs <= MOST_RUNS or contrast > DARKEST:
            return without_specks(found) if runs * SPECKLED_PX > grey.size else found
        budget.crowded, contrast = True, contrast * CROWDED_FACTOR


def runs_of(dark: Grey) -> int:
    """How many runs of dark pixels begin in the rows, but for those at the rim."""
    return cv2.countNonZero(cv2.compare(dark[:, 1:], dark[:, :-1], cv2.CMP_GT))


def without_specks(dark: Grey) -> Grey:
    """The same without spots too small for a quadrangle: following their outlines takes longer."""
    # There are no more spots than runs, and small numbers are written and read several times as
    # fast: a large picture is cleaned in strips of so few runs.
    strips = np.array_split(dark, 2 * runs_of(dark) // MOST_IN_16_BITS + 1)
    return np.concatenate([cleaned(strip) for strip in strips])


def cleaned(dark: Grey) -> Grey:
    """A strip of a picture without its specks, but for those that its neighbours may go on with."""
    few = runs_of(dark) + dark.shape[0] <= MOST_IN_16_BITS
    labels = cv2.CV_16U if few else cv2.CV_32S
    _, spots, boxes, _ = cv2.connectedComponentsWithStats(dark, connectivity=8, ltype=labels)
    top, height = boxes[:, cv2.CC_STAT_TOP], boxes[:, cv2.CC_STAT_HEIGHT]
    around = boxes[:, cv2.CC_STAT_WIDTH] + height - 2
    whole = (top > 0) & (top + height < len(dark))
    kept = np.where((around >= 2 * SHORTEST_SIDE_PX) | ~whole, 255, 0).astype(np.uint8)
    kept[0] = 0
    if not (few and looks_up_16_bits()):
        return np.take(kept, np.asarray(spots, dtype=np.int32))
    table = np.zeros(2**16, np.uint8)
    table[: len(kept)] = kept
    return np.asarray(cv2.LUT(spots, table), dtype=np.uint8)


@cache
def looks_up_16_bits() -> bool:
    """Whether this OpenCV looks numbers of 16 bits up: 5 does, 4 knows only those of 8."""
    try:
        cv2.LUT(np.zeros((1, 1), np.uint16), np.zeros(2**16, np.uint8))
    except cv2.error:
        return False
    return True


def convex_clockwise(quads: Floats) -> Floats:
    """Only the convex outer outlines that are not too thin, turned to run clockwise as seen.

    OpenCV follows what is dark anticlockwise, and holes in it clockwise. A black frame's inner
    outline says nothing that its outer one does not.
    """
    sides = quads[:, NEXT] - quads
    following = sides[:, NEXT]
    turns = sides[..., 0] * following[..., 1] - sides[..., 1] * following[..., 0]
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    area = -turns.sum(axis=1) / 4
    convex = np.all(turns < 0, axis=1) & (lengths.min(axis=1) >= SHORTEST_SIDE_PX)
    # A tag seen so low that its height is a fifth of its width cannot be read anyway.
    convex &= area > 0.12 * lengths.max(axis=1) ** 2
    return quads[convex][:, ::-1]


ALONG = 10
"""Crossings measured along each edge."""
ACROSS = 9
"""Samples across each crossing."""
PREVIOUS = np.array([3, 0, 1, 2])
FIRST_REACH_CELLS = 0.4
"""How far from a side its crossings are first looked for, where that is more than usual."""
SKIPPED = 0.10
"""Share of an edge left out at either end, where the next edge blurs into it."""


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """For n tags: corners (n, 4, 2), how far crossings stray from their lines (n, 4), contrast."""

    corners: Floats
    residual_px: Floats
    contrast: Floats
    """Weakest edge's step from black to white, in grey values (n)."""
    shift_px: Floats
    """How far the last pass still moved an edge (n): large means it has not settled."""

    @property
    def side_px(self) -> Floats:
        """Mean length of the sides (n)."""
        sides = self.corners[:, NEXT] - self.corners
        return np.asarray(np.hypot(sides[..., 0], sides[..., 1]).mean(axis=1))


def fit_edges(
    grey: Grey,
    corners: Floats,
    cells: int = 6,
    tone: Tone = LINEAR,
    lens: Lens | None = None,
    passes: int = 3,
    reach_cells: float = 0.9,
) -> Edges:
    """Move the sides of each quadrangle onto the black-to-white crossings beside them."""
    count = len(corners)
    residual: Floats = np.zeros((count, 4))
    profile: Floats = np.zeros((count, 4, ALONG, ACROSS))
    shift = np.zeros(count)
    t = np.linspace(SKIPPED, 1.0 - SKIPPED, ALONG)
    s = np.linspace(-1.0, 1.0, ACROSS)
    steps = np.array([np.ones(ACROSS - 1), (s[1:] + s[:-1]) / 2], dtype=np.float32)
    bow: Floats | None = None
    for number in range(passes):
        start, end = corners, corners[:, NEXT]
        side = end - start
        length = np.maximum(np.hypot(side[..., 0], side[..., 1]), 1e-6)
        # Clockwise as seen with y down: the outside lies to the left of the walk.
        out = np.stack([side[..., 1], -side[..., 0]], axis=-1) / length[..., None]
        cell = thickness(corners, length) / cells
        # A corner that something covers lies far off in a large tag: the first look is wider.
        most = 4.0 if number else np.maximum(4.0, FIRST_REACH_CELLS * cell)
        reach = np.clip(reach_cells * cell, 1.4, most)
        # The lens bends the edges of a quadrangle a pixel beside just the same.
        bow = bows(corners, out, lens) if bow is None else bow
        offset = 4 * t * (1 - t) * bow[..., None]  # (n, 4, along)
        base = (
            start[:, :, None] + t[:, None] * side[:, :, None] + offset[..., None] * out[:, :, None]
        )
        away = (reach[..., None] * s)[..., None] * out[:, :, None]  # (n, 4, across, 2)
        places = np.empty((count, 4, ALONG, ACROSS, 2), np.float32)
        for axis in (0, 1):
            np.add(base[..., None, axis], away[:, :, None, :, axis], out=places[..., axis])
        profile = tone.light(sampled(grey, places))
        rise = np.maximum(profile[..., 1:] - profile[..., :-1], 0.0)
        # Products with short rows are much faster than sums along them.
        total, moment = rise @ steps[0], rise @ steps[1]
        weight = total / (total.max(axis=-1, keepdims=True) + 1e-6) + 1e-6
        found = moment / (total + 1e-6) * reach[..., None]
        intercept, slope, residual = lines(t - 0.5, found, weight)
        here = start + (intercept - 0.5 * slope)[..., None] * out
        there = end + (intercept + 0.5 * slope)[..., None] * out
        moved = meet(here[:, PREVIOUS], there[:, PREVIOUS], here, there)
        step = np.abs(moved - corners).max(axis=(1, 2))
        sane = (step < 3 * reach.max(axis=1)) & np.isfinite(step)
        shift = np.where(sane, step, np.inf)
        corners = np.where(sane[:, None, None], moved, corners)
    half = ACROSS // 2
    step_up = profile[..., half:].max(axis=-1) - profile[..., : half + 1].min(axis=-1)
    contrast = middle_of(step_up).min(axis=1)
    return Edges(corners, residual, contrast, shift)


def thickness(corners: Floats, length: Floats) -> Floats:
    """How far the opposite side lies from each side (n, 4), in pixels."""
    diagonal1 = corners[:, 2] - corners[:, 0]
    diagonal2 = corners[:, 3] - corners[:, 1]
    area = np.abs(diagonal1[:, 0] * diagonal2[:, 1] - diagonal1[:, 1] * diagonal2[:, 0]) / 2
    mean = (length + length[:, [2, 3, 0, 1]]) / 2
    return np.asarray(area[:, None] / mean)


def bows(corners: Floats, out: Floats, lens: Lens | None) -> Floats:
    """How far outward the lens bends the middle of each edge (n, 4), in pixels."""
    if lens is None or not any(lens.distortion):
        return np.zeros(corners.shape[:2])
    rays = lens.rays(np.asarray(corners, dtype=np.float64))
    middle = lens.pixels((rays + rays[:, NEXT]) / 2)
    chord = (corners + corners[:, NEXT]) / 2
    return np.asarray(((middle - chord) * out).sum(axis=-1))


def lines(t: Floats, found: Floats, weight: Floats) -> tuple[Floats, Floats, Floats]:
    """Weighted lines through crossings (n, 4, m): offset in the middle, slope, residual."""
    powers = np.array([np.ones_like(t), t, t * t])
    _, _, error = line(powers, found, weight)
    scale = 1.2 * np.abs(error).mean(axis=-1, keepdims=True) + 0.02
    intercept, slope, error = line(powers, found, weight / (1.0 + (error / (2 * scale)) ** 2))
    residual = np.sqrt((weight * error**2).sum(-1) / weight.sum(-1))
    return intercept, slope, residual


def line(powers: Floats, found: Floats, weight: Floats) -> tuple[Floats, Floats, Floats]:
    """One weighted line through each row of crossings: offset, slope, and what is left of each."""
    s0, s1, s2 = (weight @ power for power in powers)
    f0, f1 = (weight * found @ power for power in powers[:2])
    det = np.maximum(s0 * s2 - s1 * s1, 1e-12)
    intercept, slope = (s2 * f0 - s1 * f1) / det, (s0 * f1 - s1 * f0) / det
    return intercept, slope, found - intercept[..., None] - slope[..., None] * powers[1]


def meet(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Where the lines a-b and c-d meet (..., 2)."""
    u, v, w = b - a, d - c, c - a
    det = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    det = np.where(np.abs(det) < 1e-9, np.nan, det)
    share = (w[..., 0] * v[..., 1] - w[..., 1] * v[..., 0]) / det
    return np.asarray(a + share[..., None] * u)
