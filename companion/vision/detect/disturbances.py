"""What a camera or a table adds to a printed tag, as further unknowns of its drawing.

A phone sharpens its pictures, so that edges are lined by halos; a shadow's edge crosses a tag; a
tag is trimmed so closely that the dark mat begins right beside its black. A drawing without these
does not agree with such a picture, although the tag was read correctly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
WHOLE_SIDE = 0.7
"""Share of a side's rim that must be dark: a trimmed margin is narrow all along."""


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

    `white` is the drawing (n, m), `light` the picture at the same points of the square (m, 2).
    """
    lit, share = np.zeros(light.shape, np.float32), np.ones(len(light))
    moved = np.zeros((len(light), 2, light.shape[1]), np.float32)
    ones = np.ones((len(unit), 1))
    plane = np.concatenate([unit - 0.5, ones], axis=1)
    for n in range(len(light)):
        chosen = white[n] > 0.9
        if chosen.sum() < 2 * FEWEST_POINTS:
            continue
        values = light[n][chosen]
        low, high = np.percentile(values, [8, 92])
        if low <= 0 or low > SHADE * high:
            continue
        bright = values > (low + high) / 2
        if min(bright.sum(), (~bright).sum()) < FEWEST_POINTS:
            continue
        there = plane[chosen]
        weight = np.where(bright, 0.5 / bright.sum(), 0.5 / (~bright).sum())
        square = (there * weight[:, None]).T @ there + 1e-6 * np.eye(3)
        line = np.linalg.solve(square, (there * weight[:, None]).T @ np.where(bright, 1.0, -1.0))
        agree = ((there @ line > 0) == bright) * weight
        steep = float(np.hypot(line[0], line[1]))
        if agree.sum() < CLEANLY_PARTED or steep < 1e-6:
            continue
        soft = float(blur_cells[n]) + PENUMBRA_CELLS
        far = (plane @ line) / steep / soft
        dimmed = float(np.median(values[~bright]) / np.median(values[bright]))
        black = (white[n] < 0.1) & (far < -1.0)
        plain_black = (white[n] < 0.1) & (far > 1.0)
        if black.sum() < FEWEST_POINTS or plain_black.sum() < FEWEST_POINTS:
            continue
        # In a shadow black stays darker than white; what covers a tag shows neither.
        step = np.median(values[~bright]) - np.median(light[n][black])
        whole = np.median(values[bright]) - np.median(light[n][plain_black])
        if step < STILL_PARTED * dimmed * whole:
            continue
        level = np.tanh(0.8 * far)
        lit[n] = 0.5 * (1.0 + level)
        share[n] = dimmed
        moved[n, 0] = 1.0 - level**2
        moved[n, 1] = moved[n, 0] * ((unit - 0.5) @ (-line[1], line[0])) / steep
    return Shadow(lit, share, moved)


def trimmed(light: Floats, white: Floats, unit: Floats, side: int) -> NDArray[np.bool_]:
    """Which tags are dark just beyond one of their edges, where their margin should be white."""
    inside = (white > 0.8) & (np.abs(unit - 0.5).max(axis=1) < 0.5)
    black = (white < 0.2) & (np.abs(unit - 0.5).max(axis=1) < 0.5)
    bright = (light * inside).sum(axis=1) / np.maximum(inside.sum(axis=1), 1)
    dark = (light * black).sum(axis=1) / np.maximum(black.sum(axis=1), 1)
    beyond = 0.25 / side
    rims = (
        unit[:, 1] < -beyond,
        unit[:, 0] > 1 + beyond,
        unit[:, 1] > 1 + beyond,
        unit[:, 0] < -beyond,
    )
    found = np.zeros(len(light), dtype=np.bool_)
    for rim in rims:
        if rim.any():
            most = np.quantile(light[:, rim], WHOLE_SIDE, axis=1)
            found |= most < dark + DARK_RIM * (bright - dark)
    return found
