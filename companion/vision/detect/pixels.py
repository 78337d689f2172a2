"""The pixels of a grey picture: tone curves that spread or press its darks, and samples taken
through homographies from a tag's own square.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Tone:
    """A named curve: light = value ** power, over the picture's range."""

    name: str
    power: float

    def light(self, values: Grey) -> Floats:
        """Grey values (0..255, any shape) through the curve, without rounding."""
        return np.asarray(cv2.LUT(values.reshape(-1), lights(self.power)).reshape(values.shape))


@lru_cache
def lights(power: float) -> Floats:
    """What each of the 256 grey values becomes: looked up far faster than computed."""
    values = np.arange(256, dtype=np.float32)
    return np.asarray(255.0 * (values * np.float32(1 / 255)) ** np.float32(power))


AS_IS = Tone("as is", 1.0)
MIDDLE = Tone("middle", 1.7)
LINEAR = Tone("linear light", 2.2)
SHADED = Tone("shaded", 0.5)
"""White in the shade stays brighter than black in the light: the threshold lies between them."""
TONES = (LINEAR, MIDDLE, AS_IS)
"""Which one wins depends on the camera, so whoever fails with one tries the next."""


@dataclass(frozen=True, slots=True)
class Range:
    """The darkest and brightest grey value that matter in a picture."""

    low: float
    high: float

    @classmethod
    def of(cls, grey: Grey) -> Range:
        """The range of a picture, from a sparse sample of it."""
        sample = grey[::7, ::5]
        counts = np.cumsum(np.bincount(sample.ravel(), minlength=256))
        low = int(np.searchsorted(counts, 0.002 * counts[-1]))
        high = int(np.searchsorted(counts, 0.998 * counts[-1]))
        return cls(float(low), float(max(high, low + 16)))


def toned(grey: Grey, tone: Tone, over: Range) -> Grey:
    """The picture through a curve, its range stretched to the full scale."""
    scaled = np.clip((np.arange(256) - over.low) / (over.high - over.low), 0.0, 1.0)
    table = np.round(255.0 * scaled**tone.power).astype(np.uint8)
    return np.asarray(cv2.LUT(grey, table), dtype=np.uint8)


NEXT = np.array([1, 2, 3, 0])
"""The corner after each corner."""


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
    """Points of the unit square in the picture (n, m, 2): the same for every map, or of each."""
    seen = maps[:, :, :2] @ np.swapaxes(points, -1, -2) + maps[:, :, 2:]
    places = np.empty((*seen.shape[::2], 2))
    np.divide(seen[:, 0], seen[:, 2], out=places[..., 0])
    np.divide(seen[:, 1], seen[:, 2], out=places[..., 1])
    return places


def sampled(grey: Grey, places: Floats, smooth: bool = False) -> Grey:
    """Grey values at sub-pixel places (..., 2); the picture's rim is repeated.

    Bilinear, or with `smooth` by a wider kernel whose blur does not depend on where between the
    pixels a place lies.
    """
    kernel = cv2.INTER_LANCZOS4 if smooth else cv2.INTER_LINEAR
    values = cv2.remap(
        grey,
        np.ascontiguousarray(places, dtype=np.float32).reshape(len(places), -1, 2),
        None,  # type: ignore[call-overload]
        kernel,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(values.reshape(places.shape[:-1]), dtype=np.uint8)
