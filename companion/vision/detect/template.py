"""Template fit: a blurred drawing of the tag, moved until it agrees with the picture.

Once a tag's id is known, every edge between its cells is known too. Corners, brightness, tone and
blur are fitted together by least squares: this halves the error left after fitting the outer
edges, and gives the covariance of the corners. Tags that agree badly are fitted once more with
halos, shadow edges and trimmed margins as further unknowns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from companion.vision.detect.pixels import (
    LINEAR,
    NEXT,
    Grey,
    Tone,
    homographies,
    in_picture,
    sampled,
)
from companion.vision.detect.template_solver import (
    HALO_PX,
    TRIMMED_CELLS,
    Solved,
    shadows,
    solve,
    step,
    trimmed,
)

Floats = NDArray[np.floating]
Ints = NDArray[np.int64]

MARGIN_CELLS = 0.5
"""A white margin may be as narrow as this; what lies beyond is fitted as one more unknown."""
FIRST_BLUR_PX = 0.8
BLUR_LIMITS_PX = (0.5, 4.0)
APART_CELLS, APART_PX = 1 / 4, 0.8
"""Small tags are read evenly, at four points a cell. In a larger one these lie closer to the lines
between its cells: what lies far from a line says nothing."""
EVENLY_READ_PX = APART_PX / APART_CELLS
"""The largest cell that is read evenly."""
ODD_SHARE, ODD_MISFIT = 0.015, 0.06
"""Tags of which more than this share shows something else, or that agree worse than this with their
drawing, are fitted twice more with what may disturb them."""
SETTLED_PX = 0.1
"""Where a part shows something else, what the second of these times moved farther than this is
fitted a third time."""
CLEARLY_BETTER, HARDLY_WORSE = 0.75, 1.3
"""Those that only agree badly must agree so much better then, or the plain fit is kept. Where a
part shows something else it may be a little worse: that part counts for less, and fits worse."""
SOFT_PX = 1.3
"""A drawing disagrees with pictures softer than this because of their blur."""
PARTS = 4
"""Strays are counted in parts of a tag as wide as this share of it."""
NODES = np.array([-1.7320508, 0.0, 1.7320508], np.float32)
WEIGHTS = np.array([1 / 6, 2 / 3, 1 / 6], np.float32)
"""Gauss-Hermite points of a unit normal."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """For n tags: corners (n, 4, 2), their covariance (n, 8, 8) in px², misfit and blur."""

    corners: Floats
    covariance: Floats
    misfit: Floats
    """Rms difference between drawing and picture as a share of the black-to-white step (n)."""
    blur_px: Floats
    strayed: Floats
    """Share of each tag where the picture shows something else: a finger, glare (n)."""
    patch: Floats
    """The same of the part of the tag, a sixteenth or so, where most of it does (n)."""
    rest: Floats
    """Misfit of everything else (n)."""
    brighter: Floats
    """Of what shows something else, the share that is brighter than it should be (n)."""


def fit_templates(
    grey: Grey,
    corners: Floats,
    sheets: Floats,
    lens: Lens | None = None,
    tone: Tone = LINEAR,
) -> Fitted:
    """Correct the corners (as printed) of tags whose sheets (n, side + 2, side + 2) are known.

    The corners must be within about half a pixel, as edges leave them.
    """
    count, side = len(corners), sheets.shape[1] - 2
    across, down = axes(corners, side)  # px per cell
    cell_px = np.sqrt(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]))
    steps = steps_of(side, cell_px)
    unit = grid(steps) / side
    shape = shape_functions(unit).astype(np.float32)
    bend = bends(corners, unit, lens)
    # Samples closer together than pixels are not independent of one another.
    crowding = np.maximum(1.0, 0.5 / (np.median(np.diff(steps), axis=1) * cell_px) ** 2)
    blur = np.full(count, FIRST_BLUR_PX)
    drawing = draw(sheets, steps, across, down, blur)

    def read(at: Floats, among: Ints | slice) -> Floats:
        places = in_picture(homographies(at), unit[among])
        places += bend[among] if len(bend) > 1 else bend
        return tone.light(sampled(grey, places, smooth=True))

    light = read(corners, slice(None))
    design = equations(drawing, shape, unit, light)
    shift, weight = step(design, light, np.ones(light.shape, np.float32))
    before = corners + shift
    # The drawing hardly changes with a shift this small: only the picture is read again.
    light = read(before, slice(None))
    solved = solve(design, light, weight)
    corners = before + solved.shift
    strewn = solved.strays.mean(axis=1) > ODD_SHARE
    odd = np.flatnonzero(
        strewn
        | (solved.rms > ODD_MISFIT * np.abs(solved.solution[:, 9]))
        & (blurs(blur, solved) < SOFT_PX)
    )
    if len(odd):
        spot = (sheets[odd], steps[odd], across[odd], down[odd])
        more = disturbed_equations(
            drawing.of(odd), spot, blur[odd], shape[odd], unit[odd], light[odd]
        )
        again = solve(more, light[odd], solved.weight[odd])
        moved = before[odd] + again.shift
        for _ in range(2):
            far = np.abs(again.shift).max(axis=(1, 2)) > SETTLED_PX
            restless = np.flatnonzero(strewn[odd] & far)
            if not len(restless):
                break
            seen = read(moved[restless], odd[restless])
            last = solve(more[restless], seen, again.weight[restless])
            moved[restless] += last.shift
            again.take(last, restless)
        # Small tags leave little to tell so many unknowns apart: then the plain fit is better.
        plain = solved.rms[odd] / np.maximum(np.abs(solved.solution[odd, 9]), 1e-3)
        after = again.rms / np.maximum(np.abs(again.solution[:, 9]), 1e-3)
        better = after < plain * np.where(strewn[odd], HARDLY_WORSE, CLEARLY_BETTER)
        corners[odd[better]] = moved[better]
        solved.take(again.subset(better), odd[better])
    gain = np.maximum(np.abs(solved.solution[:, 9]), 1e-3)
    blur = blurs(blur, solved)
    covariance = solved.inverse[:, :8, :8] * (solved.noise**2 * crowding)[:, None, None]
    half = steps.shape[1] // 2
    strays = solved.strays.reshape(count, 2, half, half).mean(axis=1)
    return Fitted(
        corners,
        covariance,
        solved.rms / gain,
        blur,
        solved.strays.mean(axis=1),
        densest(strays),
        solved.rest / gain,
        solved.brighter,
    )


def steps_of(side: int, cell_px: Floats) -> Floats:
    """Where along its edges each tag is read (n, 4 (side + 1)), in cells from its corner."""
    apart = np.minimum(APART_CELLS, APART_PX / cell_px)[:, None, None]
    beside = apart * np.array([-1.5, -0.5, 0.5, 1.5])
    return (np.arange(side + 1.0)[:, None] + beside).reshape(len(cell_px), -1)


def grid(steps: Floats) -> Floats:
    """Where each tag's steps cross (n, k * k / 2, 2), as on one colour of a chessboard.

    First the even rows, then the odd ones.
    """
    points = np.empty((len(steps), 2, steps.shape[1] // 2, steps.shape[1] // 2, 2))
    for half in (0, 1):
        points[:, half, :, :, 0] = steps[:, None, half::2]
        points[:, half, :, :, 1] = steps[:, half::2, None]
    return points.reshape(len(steps), -1, 2)


def blurs(drawn: Floats, solved: Solved) -> Floats:
    """The blur of the picture (n, px), where the drawing was blurred by so much."""
    gain = np.maximum(np.abs(solved.solution[:, 9]), 1e-3)
    grown = drawn**2 + solved.solution[:, 13] / gain
    return np.asarray(np.sqrt(np.clip(grown, *np.square(BLUR_LIMITS_PX))))


def densest(strays: Floats) -> Floats:
    """The largest share of strays in any part (n) of each tag, of their shares (n, k, k)."""
    wide = max(2, strays.shape[1] // PARTS)
    sums = np.pad(strays.cumsum(axis=1).cumsum(axis=2), ((0, 0), (1, 0), (1, 0)))
    inside = (
        sums[:, wide:, wide:]
        - sums[:, :-wide, wide:]
        - sums[:, wide:, :-wide]
        + sums[:, :-wide, :-wide]
    )
    return np.asarray(inside.max(axis=(1, 2)) / wide**2)


def bends(corners: Floats, unit: Floats, lens: Lens | None) -> Floats:
    """How far the lens bends each point (n, m, 2) of the square off its straight-sided image."""
    if lens is None or not any(lens.distortion):
        return np.zeros((1, 1, 2))
    rays = lens.rays(np.asarray(corners, dtype=np.float64))
    middle = lens.pixels((rays + rays[:, NEXT]) / 2)
    bow = middle - (corners + corners[:, NEXT]) / 2  # top, right, bottom, left
    u, v = unit[..., 0], unit[..., 1]
    wide, high = 4 * u * (1 - u), 4 * v * (1 - v)
    share = np.stack([wide * (1 - v), high * u, wide * v, high * (1 - u)], axis=-1)  # (n, m, 4)
    return np.asarray(share @ bow)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A blurred tag on the grid (n, m): light, slopes along x and y in px, growth with blur²."""

    light: Floats
    slope_x: Floats
    slope_y: Floats
    spread: Floats
    beyond: Floats
    """How much of what lies beyond a narrow margin blurs into each point."""

    def of(self, chosen: Ints) -> Drawn:
        """The drawings of some of the tags."""
        parts = (self.light, self.slope_x, self.slope_y, self.spread, self.beyond)
        return Drawn(*(part[chosen] for part in parts))


def axes(corners: Floats, side: int) -> tuple[Floats, Floats]:
    """Pixels (n, 2) that one cell runs to the right and down, at the tag's middle."""
    across = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / (2 * side)
    down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / (2 * side)
    return across, down


def draw(sheets: Floats, steps: Floats, across: Floats, down: Floats, blur: Floats) -> Drawn:
    """The sheets, blurred by a round spot of the picture, with their derivatives.

    In cells the spot is an ellipse; it is split into a part along the axes, for which the
    blurred cells are products of two error functions, and a part along one line, summed over
    three points.
    """
    cu, cv, (qu, qv, du, dv) = spot_of(across, down, blur)
    n = sheets.shape[1]
    borders = borders_of(n)
    fu, gu, hu = columns(steps, borders, qu, du)
    fv, gv, hv = columns(steps, borders, qv, dv)
    sheet = sheets[:, None].astype(np.float32)
    weights = WEIGHTS[:, None, None]
    left, slope, bend = flat(fv @ sheet), flat(gv @ sheet), flat(hv @ sheet)
    right, right_slope, right_bend = (
        np.swapaxes(flat(part * weights), 1, 2) for part in (fu, gu, hu)
    )

    light = summed(left, right)
    su, sv = summed(left, right_slope), summed(slope, right)
    uu, uv, vv = summed(left, right_bend), summed(slope, right_slope), summed(bend, right)

    beyond = outside(steps, n - 2, MARGIN_CELLS, (qu, qv, du, dv))

    def along(c: Floats) -> Floats:
        return c.astype(np.float32)[:, None]

    spread = 0.5 * (
        uu * along((cu * cu).sum(-1))
        + 2 * uv * along((cu * cv).sum(-1))
        + vv * along((cv * cv).sum(-1))
    )
    slope_x = su * along(cu[:, 0]) + sv * along(cv[:, 0])
    slope_y = su * along(cu[:, 1]) + sv * along(cv[:, 1])
    return Drawn(light, slope_x, slope_y, spread, beyond)


def draw_light(sheets: Floats, steps: Floats, across: Floats, down: Floats, blur: Floats) -> Floats:
    """Only the light of such a drawing (n, m)."""
    _, _, (qu, qv, du, dv) = spot_of(across, down, blur)
    borders = borders_of(sheets.shape[1])
    left = flat(shares(steps, borders, qv, dv) @ sheets[:, None].astype(np.float32))
    right = flat(shares(steps, borders, qu, du) * WEIGHTS[:, None, None])
    return summed(left, np.swapaxes(right, 1, 2))


def borders_of(cells: int) -> Floats:
    """Where the cells of a sheet end, counted from the tag's edge.

    Beyond the margin nothing is known: its last cells run on.
    """
    borders = np.arange(cells + 1) - 1.0
    borders[0], borders[-1] = -50.0, 50.0
    return borders


def flat(shares: Floats) -> Floats:
    """The points of the sum side by side, so that one product does them all."""
    count, nodes, rows, cells = shares.shape
    return shares.transpose(0, 2, 1, 3).reshape(count, rows, nodes * cells)


def summed(rows: Floats, cols: Floats) -> Floats:
    """The sum over all points where a tag's steps cross (as in `grid`), one row a tag."""
    halves = [rows[:, half::2] @ cols[:, :, half::2] for half in (0, 1)]
    return np.stack(halves, axis=1).reshape(len(rows), -1)


def spot_of(
    across: Floats, down: Floats, blur: Floats
) -> tuple[Floats, Floats, tuple[Floats, Floats, Floats, Floats]]:
    """Cells per px along x and y (n, 2 each), and the blur's spot in cells, split in two parts."""
    det = across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]
    det = np.where(np.abs(det) < 1e-6, 1e-6, det)
    # Rows of the inverse of [across down]: cells per px.
    cu = np.stack([down[:, 1], -down[:, 0]], axis=-1) / det[:, None]
    cv = np.stack([-across[:, 1], across[:, 0]], axis=-1) / det[:, None]
    suu = blur**2 * (cu * cu).sum(-1)
    svv = blur**2 * (cv * cv).sum(-1)
    suv = blur**2 * (cu * cv).sum(-1)
    ratio = np.sqrt(np.sqrt(suu / svv))
    qu = np.sqrt(np.abs(suv)) * ratio
    qv = np.sign(suv) * np.sqrt(np.abs(suv)) / ratio
    du = np.sqrt(np.maximum(suu - qu**2, 1e-4))
    dv = np.sqrt(np.maximum(svv - qv**2, 1e-4))
    return cu, cv, (qu, qv, du, dv)


def outside(
    steps: Floats, side: int, margin: float, spot: tuple[Floats, Floats, Floats, Floats]
) -> Floats:
    """How much of what lies beyond a margin of so many cells blurs into each point (n, m)."""
    qu, qv, du, dv = spot
    rim = np.array([-margin, side + margin])
    across_in, down_in = shares(steps, rim, qu, du), shares(steps, rim, qv, dv)
    return 1.0 - summed(np.swapaxes(down_in[..., 0] * WEIGHTS[:, None], 1, 2), across_in[..., 0])


def columns(steps: Floats, borders: Floats, q: Floats, d: Floats) -> tuple[Floats, Floats, Floats]:
    """Share of each cell seen at each step (n, nodes, steps, cells), and its two derivatives."""
    narrow = (1.0 / d).astype(np.float32)[:, None, None, None]
    z, bell = standard(steps, borders, q, narrow)
    below = normal(z, bell)
    share = below[..., :-1] - below[..., 1:]
    slope = (bell[..., :-1] - bell[..., 1:]) * narrow
    bent = -z * bell
    bend = (bent[..., :-1] - bent[..., 1:]) * narrow**2
    return share, slope, bend


def shares(steps: Floats, borders: Floats, q: Floats, d: Floats) -> Floats:
    """Only the shares of what lies between borders."""
    z, bell = standard(steps, borders, q, (1.0 / d).astype(np.float32)[:, None, None, None])
    below = normal(z, bell)
    return np.asarray(below[..., :-1] - below[..., 1:])


def standard(steps: Floats, borders: Floats, q: Floats, narrow: Floats) -> tuple[Floats, Floats]:
    """Distances of steps from borders in units of the blur, and the bell curve there."""
    z = (steps[:, :, None] - borders).astype(np.float32)[:, None]
    z = (z - (q.astype(np.float32)[:, None] * NODES)[..., None, None]) * narrow
    # Not less than this: products of much smaller numbers are a hundred times slower.
    bell = np.exp(np.maximum(-0.5 * z * z, np.float32(-30.0))) * np.float32(0.3989422804)
    return z, bell


def normal(z: Floats, bell: Floats) -> Floats:
    """The normal distribution function, to 1e-7 (bell: its density at z)."""
    t = np.float32(1.0) / (np.float32(1.0) + np.float32(0.2316419) * np.abs(z))
    tail = (
        bell
        * t
        * (
            0.319381530
            + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)))
        )
    )
    return np.where(z > 0, 1.0 - tail, tail)


def shape_functions(unit: Floats) -> Floats:
    """How much each corner's shift moves each point of the square (n, 4, m)."""
    u, v = unit[..., 0], unit[..., 1]
    return np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=1)


def equations(drawn: Drawn, shape: Floats, unit: Floats, light: Floats) -> Floats:
    """One row per unknown: eight corner shifts, level, gain, two gradients, tone, blur, rim."""
    s = drawn.light
    centred = s - s.mean(axis=1, keepdims=True)
    gain = (centred * light).sum(1) / np.maximum((centred**2).sum(1), 1e-9)
    count, samples = s.shape
    design = np.empty((count, 15, samples), np.float32)
    for first, slope in enumerate((drawn.slope_x, drawn.slope_y)):
        np.multiply((-gain[:, None] * slope)[:, None], shape, out=design[:, first:8:2])
    design[:, 8] = 1.0
    design[:, 9] = s
    design[:, 10] = s * (unit[..., 0] - 0.5).astype(np.float32)
    design[:, 11] = s * (unit[..., 1] - 0.5).astype(np.float32)
    design[:, 12] = s * (1 - s)
    design[:, 13] = drawn.spread
    design[:, 14] = drawn.beyond
    return design


def disturbed_equations(
    drawn: Drawn,
    spot: tuple[Floats, Floats, Floats, Floats],
    blur: Floats,
    shape: Floats,
    unit: Floats,
    light: Floats,
) -> Floats:
    """The equations with rows for halos, a shadow's edge and trimmed margins (n, at most 23, m).

    `spot`: sheets, steps, and the pixels of a cell across and down.
    """
    sheets, steps, across, down = spot
    side = sheets.shape[1] - 2
    cu, _, _ = spot_of(across, down, blur)
    shadow = shadows(drawn.light, light, unit, blur * np.hypot(cu[:, 0], cu[:, 1]))
    # Where a shadow lies, edges are lower steps: the corners' rows must know.
    local = shadow.local_gain().astype(np.float32)
    gained = Drawn(
        drawn.light, drawn.slope_x * local, drawn.slope_y * local, drawn.spread, drawn.beyond
    )
    design = equations(gained, shape, unit, np.where(local > 0, light / local, light))
    # The step from black to white means that in the light.
    design[:, 9] *= local
    count, samples = light.shape
    more = np.zeros((count, 8, samples), np.float32)
    wide = draw_light(sheets, steps, across, down, np.hypot(blur, HALO_PX)) - drawn.light
    more[:, 0], more[:, 1] = wide * drawn.light, wide * (1.0 - drawn.light)
    crossed = shadow.crossed[:, None]
    # What the shade's own depth may differ by must not take over the step from black to white.
    share = shadow.lit.mean(axis=1, keepdims=True) / local.mean(axis=1, keepdims=True)
    more[:, 2] = drawn.light * (shadow.lit - share * local) * crossed
    more[:, 3] = shadow.lit * crossed
    more[:, 6:8] = drawn.light[:, None] * shadow.moved
    cut = trimmed(light / local, drawn.light, unit, side)[:, None]
    _, _, parts = spot_of(across, down, blur)
    for row, margin in enumerate(TRIMMED_CELLS if cut.any() else (), start=4):
        more[:, row] = outside(steps, side, margin, parts) * cut
    return np.concatenate([design, more[:, more.any(axis=(0, 2))]], axis=1)
