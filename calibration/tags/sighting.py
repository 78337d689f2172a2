"""One tag as detected in one picture: the input of pose estimation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CORNER_SIGMA_PX = 0.06
"""Noise of a corner from well-fitted edges, where nothing better is known."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A tag's id and its corners in pixels, as the dictionary prints them.

    Corners run top left, top right, bottom right, bottom left of the printed tag (4 x 2);
    (0, 0) is the centre of the first pixel. `sigma_px` is one standard deviation of a corner
    along each picture axis, all corners alike.

    `covariance_px` (8 x 8: x and y of corner 0, of corner 1, ...) says it fully where finding
    knows it: fitting a tray with it leaves half the heading error of fitting with `sigma_px`.
    """

    id: int
    corners_px: Floats
    sigma_px: float = CORNER_SIGMA_PX
    covariance_px: Floats | None = None

    @property
    def covariance(self) -> Floats:
        """Covariance of the eight corner coordinates, px²."""
        if self.covariance_px is not None:
            return self.covariance_px
        return np.eye(8) * self.sigma_px**2
