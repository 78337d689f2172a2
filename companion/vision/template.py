"""The tag as it should look, laid over the picture and moved until they agree.

Once a tag's id is known, every edge between its cells is known too. A blurred drawing of the tag
is compared with the picture, and corners, brightness, tone and blur are corrected together: this
halves what is left after fitting the outer edges, and says how sure each corner is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.square import homographies, in_picture, sampled
from companion.vision.tones import LINEAR, Grey, Tone

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PER_CELL = 3
RIM_CELLS = 0.7
"""How far into the white margin the comparison reaches."""
FIRST_BLUR_PX = 0.95
BLUR_LIMITS_PX = (0.55, 4.0)
NODES = np.array([-2.0201828704560856, -0.9585724646138185, 0.0, 0.9585724646138185, 2.0201828704560856]) * np.sqrt(2.0)
WEIGHTS = np.array([0.01995324205904591, 0.39361932315224116, 0.9453087204829419, 0.39361932315224116, 0.01995324205904591]) / np.sqrt(np.pi)
"""Gauss-Hermite points of a unit normal."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """For n tags: corners (n, 4, 2), their covariance (n, 8, 8) in px², misfit and blur."""

    corners: Floats
    covariance: Floats
    misfit: Floats
    """Rms difference between drawing and picture as a share of the black-to-white step (n)."""
    blur_px: Floats


def fit_templates(
    grey: Grey,
    corners: Floats,
    sheets: Floats,
    tone: Tone = LINEAR,
    passes: int = 2,
) -> Fitted:
    """Correct the corners (as printed) of tags whose sheets (n, side + 2, side + 2) are known."""
    count = len(corners)
    side = sheets.shape[1] - 2
    steps = np.arange(-RIM_CELLS + 0.5 / PER_CELL, side + RIM_CELLS, 1.0 / PER_CELL)  # cells
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    unit = grid / side
    shape = shape_functions(unit)  # (m, 4)
    blur = np.full(count, FIRST_BLUR_PX)
    covariance, misfit = np.zeros((count, 8, 8)), np.zeros(count)
    for _ in range(passes):
        places = in_picture(homographies(corners), unit)
        light = tone.light(sampled(grey, places))
        across, down = axes(corners, side)  # px per cell
        drawn = draw(sheets, steps, across, down, blur)
        design, values = equations(drawn, shape, unit, light)
        solution, inverse, noise = solve(design, values)
        step = np.clip(solution[:, :8].reshape(-1, 4, 2), -1.0, 1.0)
        corners = corners + step
        gain = np.maximum(np.abs(solution[:, 9]), 1e-3)
        blur = np.sqrt(np.clip(blur**2 + solution[:, 13] / gain, *np.square(BLUR_LIMITS_PX)))
        cell_px = np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0])
        # Samples closer together than pixels are not independent of one another.
        crowding = np.maximum(1.0, PER_CELL**2 / cell_px)
        covariance = inverse[:, :8, :8] * (noise**2 * crowding)[:, None, None]
        misfit = noise / gain
    return Fitted(corners, covariance, misfit, blur)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A blurred tag on the grid (n, m): its light, slopes along x and y in px, growth with blur²."""

    light: Floats
    slope_x: Floats
    slope_y: Floats
    spread: Floats


def axes(corners: Floats, side: int) -> tuple[Floats, Floats]:
    """Pixels (n, 2) that one cell runs to the right and down, at the tag's middle."""
    across = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / (2 * side)
    down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / (2 * side)
    return across, down


def draw(sheets: Floats, steps: Floats, across: Floats, down: Floats, blur: Floats) -> Drawn:
    """The sheets, blurred by a round spot of the picture, with their derivatives.

    In cells the spot is an ellipse; it is split into a part along the axes, for which the
    blurred cells are products of two error functions, and a part along one line, summed over
    five points.
    """
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
    n = sheets.shape[1]
    borders = np.arange(n + 1) - 1.0
    # Beyond the margin nothing is known: let its last cells run on.
    borders[0], borders[-1] = -50.0, 50.0
    fu, gu, hu = columns(steps, borders, qu, du)
    fv, gv, hv = columns(steps, borders, qv, dv)
    sheet = sheets[:, None]
    left, slope, bend = fv @ sheet, gv @ sheet, hv @ sheet

    def summed(rows: Floats, cols: Floats) -> Floats:
        blurred = rows @ np.swapaxes(cols, -1, -2)
        return np.asarray(np.tensordot(WEIGHTS, blurred, axes=(0, 1)).reshape(len(sheets), -1))

    light = summed(left, fu)
    su, sv = summed(left, gu), summed(slope, fu)
    uu, uv, vv = summed(left, hu), summed(slope, gu), summed(bend, fu)

    def along(c: Floats) -> Floats:
        return c[:, None]

    spread = 0.5 * (
        uu * along((cu * cu).sum(-1)) + 2 * uv * along((cu * cv).sum(-1)) + vv * along((cv * cv).sum(-1))
    )
    slope_x = su * along(cu[:, 0]) + sv * along(cv[:, 0])
    slope_y = su * along(cu[:, 1]) + sv * along(cv[:, 1])
    return Drawn(light, slope_x, slope_y, spread)


def columns(
    steps: Floats, borders: Floats, q: Floats, d: Floats
) -> tuple[Floats, Floats, Floats]:
    """Share of each cell seen at each step (n, nodes, steps, cells), and its two derivatives."""
    z = (steps[:, None] - borders)[None, None] - (q[:, None] * NODES)[..., None, None]
    z = z / d[:, None, None, None]
    bell = np.exp(-0.5 * np.minimum(z * z, 700.0)) / np.sqrt(2 * np.pi)
    below = normal(z, bell)
    share = below[..., :-1] - below[..., 1:]
    slope = (bell[..., :-1] - bell[..., 1:]) / d[:, None, None, None]
    bent = -z * bell
    bend = (bent[..., :-1] - bent[..., 1:]) / (d**2)[:, None, None, None]
    return share, slope, bend


def normal(z: Floats, bell: Floats) -> Floats:
    """The normal distribution function, to 1e-7 (bell: its density at z)."""
    t = 1.0 / (1.0 + 0.2316419 * np.abs(z))
    tail = bell * t * (
        0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)))
    )
    return np.where(z > 0, 1.0 - tail, tail)


def shape_functions(unit: Floats) -> Floats:
    """How much each corner's shift moves each point of the square (m, 4)."""
    u, v = unit[:, 0], unit[:, 1]
    return np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=-1)


def equations(drawn: Drawn, shape: Floats, unit: Floats, light: Floats) -> tuple[Floats, Floats]:
    """One row per sample: eight corner shifts, then level, gain, two gradients, tone, blur."""
    s = drawn.light
    mean = s.mean(axis=1, keepdims=True)
    gain = ((s - mean) * light).sum(1) / np.maximum(((s - mean) ** 2).sum(1), 1e-9)
    scaled_x = -gain[:, None] * drawn.slope_x
    scaled_y = -gain[:, None] * drawn.slope_y
    corners = np.stack([scaled_x[..., None] * shape, scaled_y[..., None] * shape], axis=-1)
    rows = corners.reshape(*corners.shape[:2], 8)
    u, v = unit[:, 0] - 0.5, unit[:, 1] - 0.5
    others = np.stack(
        [np.ones_like(s), s, s * u, s * v, s * (1 - s), drawn.spread],
        axis=-1,
    )
    return np.concatenate([rows, others], axis=-1), light


PRIOR = np.array([0.05] * 8 + [1e-9, 1e-9, 1e-3, 1e-3, 1e-3, 1e-3])


def solve(design: Floats, values: Floats) -> tuple[Floats, Floats, Floats]:
    """Least squares with outliers toned down: solutions, inverse normal matrices, noise."""
    weight = np.ones_like(values)
    for _ in range(2):
        weighted = design * weight[..., None]
        normal_matrix = np.swapaxes(weighted, 1, 2) @ design
        scale = np.einsum("nii->ni", normal_matrix)
        damped = normal_matrix + np.eye(design.shape[2]) * (scale * 1e-6 + 1e-9)[:, None, :]
        right = np.swapaxes(weighted, 1, 2) @ values[..., None]
        inverse = np.linalg.inv(damped)
        solution = (inverse @ right)[..., 0]
        error = values - (design @ solution[..., None])[..., 0]
        noise = np.sqrt((weight * error**2).sum(1) / (weight.sum(1) - design.shape[2]))
        weight = 1.0 / (1.0 + (error / (3.0 * noise[:, None] + 1e-6)) ** 2)
    return solution, inverse, noise
