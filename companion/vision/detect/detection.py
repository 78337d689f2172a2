"""One tag found in a picture: where its corners are, how sure, how clearly it was read; and the
same tags and lens at another resolution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from calibration.tags.tag import Sighting
from companion.vision.detect.pixels import NEXT, Grey

Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """A tag's id, its corners as printed (4 x 2, pixels) and their covariance (8 x 8, px²)."""

    id: int
    corners_px: Floats
    covariance_px: Floats
    clarity: float
    """The weakest bit, 1 = as clear as the black frame, 0 = undecided."""
    misfit: float
    """How far the picture differs from a drawing of this tag, as a share of black to white."""
    blur_px: float
    rough: bool = False
    """Measured from its outer edges only, as while it moves."""
    likeness: float = 1.0
    """Correlation of all cells with the tag as printed."""
    covered: float = 0.0
    """Share of the tag that something covers; above 0 it was fitted from its place before."""
    edges_px: Floats | None = None
    """Where its outer edges alone put the corners (4 x 2); None: nowhere else."""

    @property
    def centre_px(self) -> Floats:
        """The middle of the corners."""
        return np.asarray(self.corners_px.mean(axis=0))

    @property
    def outline_px(self) -> Floats:
        """The corners as the outer edges have them."""
        return self.corners_px if self.edges_px is None else self.edges_px

    @property
    def side_px(self) -> float:
        """Mean length of the sides."""
        sides = self.corners_px[NEXT] - self.corners_px
        return float(np.hypot(sides[:, 0], sides[:, 1]).mean())

    @property
    def sigma_px(self) -> float:
        """One standard deviation of a corner along each axis, all corners alike."""
        return math.sqrt(float(np.trace(self.covariance_px)) / 8)

    def sighting(self, caution: float = 1.0) -> Sighting:
        """The tag as measuring wants it, its variance multiplied by a caution."""
        return Sighting(
            self.id,
            np.asarray(self.corners_px, dtype=np.float64),
            self.sigma_px * math.sqrt(caution),
            np.asarray(self.covariance_px, dtype=np.float64) * caution,
        )


def lens_for(lens: Lens, size: tuple[int, int]) -> Lens | None:
    """The same lens at another resolution, if the picture has the same shape."""
    scale = size[0] / lens.size[0]
    if abs(size[1] / lens.size[1] - scale) > 0.002 * scale:
        return None
    m = lens.matrix
    return Lens.of(
        size,
        (m[0] * scale, m[4] * scale),
        ((m[2] + 0.5) * scale - 0.5, (m[5] + 0.5) * scale - 0.5),
        lens.distortion,
        tuple(s * (scale if n < 4 else 1.0) for n, s in enumerate(lens.sigma)),
        lens.estimated,
    )


def halved(grey: Grey) -> Grey:
    """The picture at half its size; an odd last row or column is left out, so that half is half."""
    size = (grey.shape[1] // 2, grey.shape[0] // 2)
    even = grey[: 2 * size[1], : 2 * size[0]]
    return np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def doubled(tag: Detection) -> Detection:
    """A tag found in the halved picture as it lies in the whole one."""
    return replace(
        tag,
        corners_px=(tag.corners_px + 0.5) * 2 - 0.5,
        covariance_px=tag.covariance_px * 4,
        blur_px=tag.blur_px * 2,
        edges_px=(tag.outline_px + 0.5) * 2 - 0.5,
    )
