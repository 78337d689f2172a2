"""The solver of the template fit: weighted least squares for many tags at once, with what a
camera or a table adds to a printed tag as further unknowns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.detect.pixels import middle_of

Floats = NDArray[np.floating]

HALO_PX = 1.6
"""Radius by which cameras usually sharpen."""
TRIMMED_CELLS = (0.12, 0.3)
"""Margins narrower than the usual one: what lies beyond each is one more unknown."""
DARK_RIM = 0.6
"""A rim darker than this share of the tag's white is not all margin."""
SHADE = 0.75
"""Whites that differ by more than this ratio are lit and shaded, not only unevenly lit."""
PENUMBRA_CELLS = 0.12
CLEANLY_PARTED = 0.88
"""Share of the white points that must lie on their side of a straight shadow edge."""
STILL_PARTED = 0.7
"""Of the step from black to white that the shade should leave, at least this share must be seen."""
FEWEST_POINTS = 8
FAR_BEYOND = np.float32(1e6)
"""Brighter than any light."""
WHOLE_SIDE = 0.7
"""Share of a side's rim that must be dark: a trimmed margin is narrow all along."""
FAR_OUT_CELLS = 0.25
"""Only tags that are read so far beyond their edges show how wide their margins are."""


@dataclass(frozen=True, slots=True, eq=False)
class Shadow:
    """For n tags: how lit each point is (n, m), 1 in the light and 0 in the shade; whether any."""

    lit: Floats
    share: Floats
    """Light in the shade as a share of full light (n); 1 without a shadow."""
    moved: Floats
    """How `lit` changes where the shadow's edge is moved or turned (n, 2, m)."""

    @property
    def crossed(self) -> NDArray[np.bool_]:
        """Which tags a shadow's edge crosses."""
        return np.asarray(self.share < 1.0)

    def local_gain(self) -> Floats:
        """The step from black to white at each point, as a share of that in the light (n, m)."""
        return np.asarray(self.share[:, None] + (1.0 - self.share[:, None]) * self.lit)


def shadows(white: Floats, light: Floats, unit: Floats, blur_cells: Floats) -> Shadow:
    """The straight edge that parts bright white points from dark white points, if there is one.

    `white` is the drawing (n, m), `light` the picture at the same points of the square (n, m, 2).
    """
    lit, share = np.zeros(light.shape, np.float32), np.ones(len(light))
    moved = np.zeros((len(light), 2, light.shape[1]), np.float32)
    whites = white > 0.9
    low, high = shares_of(light, whites, (0.08, 0.92))
    brights = whites & (light > ((low + high) / 2)[:, None])
    dims = whites & ~brights
    many, few = brights.sum(axis=1), dims.sum(axis=1)
    shaded = (np.minimum(many, few) >= FEWEST_POINTS) & (low > 0) & (low <= SHADE * high)
    rows = np.flatnonzero(shaded)
    if not len(rows):
        return Shadow(lit, share, moved)
    signs = brights[rows] * (0.5 / many[rows, None]) - dims[rows] * (0.5 / few[rows, None])
    weight = np.abs(signs)
    plane = np.concatenate([unit[rows] - 0.5, np.ones((*weight.shape, 1))], axis=2)
    across = np.swapaxes(plane, 1, 2)
    square = (across * weight[:, None]) @ plane
    found = np.linalg.solve(square + 1e-6 * np.eye(3), across @ signs[..., None])
    sides = (plane @ found)[..., 0]
    found = found[..., 0]
    agree = (((sides > 0) == brights[rows]) * weight).sum(axis=1)
    steepness = np.hypot(found[:, 0], found[:, 1])
    for row in np.flatnonzero((agree >= CLEANLY_PARTED) & (steepness >= 1e-6)):
        n, line, steep = rows[row], found[row], float(steepness[row])
        soft = float(blur_cells[n]) + PENUMBRA_CELLS
        far = sides[row] / steep / soft
        bright, dim = light[n][brights[n]], light[n][dims[n]]
        dimmed = float(np.median(dim) / np.median(bright))
        black = (white[n] < 0.1) & (far < -1.0)
        plain_black = (white[n] < 0.1) & (far > 1.0)
        if black.sum() < FEWEST_POINTS or plain_black.sum() < FEWEST_POINTS:
            continue
        # In a shadow black stays darker than white; what covers a tag shows neither.
        step = np.median(dim) - np.median(light[n][black])
        whole = np.median(bright) - np.median(light[n][plain_black])
        if step < STILL_PARTED * dimmed * whole:
            continue
        level = np.tanh(0.8 * far)
        lit[n] = 0.5 * (1.0 + level)
        share[n] = dimmed
        moved[n, 0] = 1.0 - level**2
        moved[n, 1] = moved[n, 0] * ((unit[n] - 0.5) @ (-line[1], line[0])) / steep
    return Shadow(lit, share, moved)


def shares_of(values: Floats, chosen: NDArray[np.bool_], shares: Sequence[float]) -> Floats:
    """Of each row's chosen values those below which such shares of them lie (shares, n)."""
    count = chosen.sum(axis=1)
    ordered = np.sort(np.where(chosen, values, FAR_BEYOND), axis=1)
    places = np.multiply.outer(shares, np.maximum(count - 1, 0))
    below = places.astype(np.int64)
    rows = np.arange(len(values))
    first, second = ordered[rows, below], ordered[rows, np.minimum(below + 1, count - 1)]
    return np.asarray(first + (second - first) * (places - below))


def trimmed(light: Floats, white: Floats, unit: Floats, side: int) -> NDArray[np.bool_]:
    """Which tags are dark just beyond one of their edges, where their margin should be white."""
    within = np.abs(unit - 0.5).max(axis=2) < 0.5
    inside, black = (white > 0.8) & within, (white < 0.2) & within
    bright = (light * inside).sum(axis=1) / np.maximum(inside.sum(axis=1), 1)
    dark = (light * black).sum(axis=1) / np.maximum(black.sum(axis=1), 1)
    rows = math.isqrt(light.shape[1] // 2)
    first, last = np.moveaxis(light.reshape(-1, 2, rows, rows), 1, 0)
    rims = np.stack([first[:, 0], last[:, :, -1], last[:, -1], first[:, :, 0]], axis=1)
    place = round(WHOLE_SIDE * (rows - 1))
    most = np.partition(rims, place, axis=2)[..., place]
    beyond = unit[:, 0, 0] < -FAR_OUT_CELLS / side
    return np.asarray(beyond & (most < (dark + DARK_RIM * (bright - dark))[:, None]).any(axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """Unknowns (n, 15), inverse normal matrices, noise, weights for next time, errors, strays."""

    solution: Floats
    inverse: Floats
    noise: Floats
    weight: Floats
    error: Floats
    """Light of the picture minus that of the drawing (n, m)."""
    strays: NDArray[np.bool_]
    """Points where the picture shows something else (n, m)."""

    @property
    def rms(self) -> Floats:
        """Rms misfit of all points (n)."""
        return np.sqrt((self.error**2).mean(axis=1)).astype(np.float64)

    @property
    def rest(self) -> Floats:
        """Rms misfit of the points that do not stray (n)."""
        count = np.maximum((~self.strays).sum(axis=1), 1)
        return np.sqrt((self.error**2 * ~self.strays).sum(axis=1) / count).astype(np.float64)

    @property
    def brighter(self) -> Floats:
        """Of the straying points, the share where the picture is brighter than the drawing (n)."""
        count = np.maximum(self.strays.sum(axis=1), 1)
        return np.asarray((self.strays & (self.error > 0)).sum(axis=1) / count)

    @property
    def shift(self) -> Floats:
        """How far to move the corners (n, 4, 2), never more than a pixel."""
        return shift_of(self.solution)

    def subset(self, chosen: NDArray[np.bool_]) -> Solved:
        """The results for some of the tags."""
        return Solved(
            self.solution[chosen],
            self.inverse[chosen],
            self.noise[chosen],
            self.weight[chosen],
            self.error[chosen],
            self.strays[chosen],
        )

    def take(self, other: Solved, places: NDArray[np.int64]) -> None:
        """Put the results for some of the tags in the place of the old ones."""
        for mine, new in (
            (self.solution, other.solution),
            (self.inverse, other.inverse),
            (self.noise, other.noise),
            (self.weight, other.weight),
            (self.error, other.error),
            (self.strays, other.strays),
        ):
            # What was fitted besides stays in the covariance of what is kept.
            mine[places] = new[tuple(slice(size) for size in (None, *mine.shape[1:]))]


def solve(design: Floats, values: Floats, weight: Floats) -> Solved:
    """Weighted least squares.

    Points that stray (a finger on a corner, a thread, glare) weigh less in the next pass.
    """
    square, right = normal_equations(design, values, weight)
    inverse = np.linalg.inv(square)
    solution = (inverse @ right)[..., 0]
    error = misfits(design, values, solution)
    noise = np.sqrt((weight * error**2).sum(1) / (weight.sum(1) - design.shape[1]))
    far = strangeness(error)
    gain = np.abs(solution[:, 9]).astype(np.float32)[:, None]
    strays = (far > 1.6) & (np.abs(error) > 0.1 * gain)
    return Solved(solution, inverse, noise.astype(np.float64), weights(far), error, strays)


def step(design: Floats, values: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Only what the next pass needs: how far to move the corners (n, 4, 2), and its weights."""
    square, right = normal_equations(design, values, weight)
    solution = np.linalg.solve(square, right)[..., 0]
    far = strangeness(misfits(design, values, solution))
    return shift_of(solution), weights(far)


def normal_equations(design: Floats, values: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Their matrices (n, k, k), a little damped, and right sides (n, k, 1)."""
    weighted = design * weight[:, None]
    square = (weighted @ np.swapaxes(design, 1, 2)).astype(np.float64)
    scale = np.einsum("nii->ni", square)
    scale += scale * 1e-6 + 1e-9
    return square, (weighted @ values[..., None]).astype(np.float64)


def misfits(design: Floats, values: Floats, solution: Floats) -> Floats:
    """Light of the picture minus that of the drawing (n, m)."""
    return np.asarray(values - (solution[:, None].astype(np.float32) @ design)[:, 0])


def strangeness(error: Floats) -> Floats:
    """How far each point's error lies beyond the usual ones of its tag, squared (n, m)."""
    usual = 1.4826 * middle_of(np.abs(error))[:, None] + 0.1
    return np.asarray((error / (4.0 * usual)) ** 2)


def weights(far: Floats) -> Floats:
    """What points so strange count in the next pass."""
    return (1.0 / (1.0 + far) ** 2).astype(np.float32)


def shift_of(solution: Floats) -> Floats:
    """How far to move the corners (n, 4, 2), never more than a pixel."""
    return np.asarray(np.clip(solution[:, :8].reshape(-1, 4, 2), -1.0, 1.0))
