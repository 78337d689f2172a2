"""One tag as found in one picture: what finding hands to measuring."""

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
    along each picture axis.
    """

    id: int
    corners_px: Floats
    sigma_px: float = CORNER_SIGMA_PX
