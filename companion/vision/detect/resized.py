"""The same view at another resolution: its lens, and tags carried from one to the other."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from calibration.camera.lens import Lens
from companion.vision.detect.detection import Detection
from companion.vision.detect.tone_curves import Grey


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
