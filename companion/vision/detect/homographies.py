"""Between a tag's own square and the picture: many quadrangles at once.

A tag's square runs from (0, 0) at its first corner to (1, 1) at its third; a cell is a sixth of
a 4 x 4 tag with its black frame.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.detect.tone_curves import Grey

Floats = NDArray[np.floating]


NEXT = np.array([1, 2, 3, 0])
"""The corner after each corner."""
MOST_IN_A_ROW = 32_000
"""`remap` takes no more than 32,767 places in a row."""


def homographies(corners: Floats) -> Floats:
    """The map (n, 3, 3) from the unit square to each quadrangle (n, 4, 2)."""
    x, y = corners[..., 0], corners[..., 1]
    dx1, dx2 = x[:, 1] - x[:, 2], x[:, 3] - x[:, 2]
    dy1, dy2 = y[:, 1] - y[:, 2], y[:, 3] - y[:, 2]
    sx = x[:, 0] - x[:, 1] + x[:, 2] - x[:, 3]
    sy = y[:, 0] - y[:, 1] + y[:, 2] - y[:, 3]
    det = dx1 * dy2 - dx2 * dy1
    det = np.where(np.abs(det) < 1e-9, 1e-9, det)
    g = (sx * dy2 - dx2 * sy) / det
    h = (dx1 * sy - sx * dy1) / det
    rows = [
        [x[:, 1] - x[:, 0] + g * x[:, 1], x[:, 3] - x[:, 0] + h * x[:, 3], x[:, 0]],
        [y[:, 1] - y[:, 0] + g * y[:, 1], y[:, 3] - y[:, 0] + h * y[:, 3], y[:, 0]],
        [g, h, np.ones_like(g)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def middle_of(values: Floats) -> Floats:
    """The middle value along the last axis: the upper median, without averaging."""
    half = values.shape[-1] // 2
    return np.asarray(np.partition(values, half, axis=-1)[..., half])


def in_picture(maps: Floats, points: Floats) -> Floats:
    """Points of the unit square (m, 2) in the picture, for every map: (n, m, 2)."""
    ones = np.concatenate([points, np.ones((len(points), 1))], axis=1)
    seen = ones[None] @ np.swapaxes(maps, 1, 2)
    return np.asarray(seen[..., :2] / seen[..., 2:])


def sampled(grey: Grey, places: Floats, smooth: bool = False) -> Floats:
    """Grey values at sub-pixel places (..., 2); the picture's rim is repeated.

    Bilinear, or with `smooth` by a wider kernel whose blur does not depend on where between the
    pixels a place lies.
    """
    flat = np.ascontiguousarray(places.reshape(-1, 2), dtype=np.float32)
    rows = -(-len(flat) // MOST_IN_A_ROW)
    across = -(-len(flat) // max(rows, 1))
    padded = np.zeros((rows, across, 2), np.float32)
    padded.reshape(-1, 2)[: len(flat)] = flat
    kernel = cv2.INTER_LANCZOS4 if smooth else cv2.INTER_LINEAR
    values = cv2.remap(
        grey,
        padded,
        None,  # type: ignore[call-overload]
        kernel,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(values.reshape(-1)[: len(flat)].reshape(places.shape[:-1]), dtype=np.float32)
