"""Tone curves: the same grey picture with its darks spread or pressed together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tone:
    """A named curve: light = value ** power (after the picture's range is stretched to 0..1)."""

    name: str
    power: float

    def light(self, values: Floats) -> Floats:
        """Grey values (0..255, any shape) through the curve, without rounding."""
        table = _table(self.power)
        low = np.clip(values, 0.0, 255.0)
        index = np.minimum(low.astype(np.int32), 254)
        part = low - index
        return np.asarray(table[index] * (1.0 - part) + table[index + 1] * part)


AS_IS = Tone("as is", 1.0)
MIDDLE = Tone("middle", 1.7)
LINEAR = Tone("linear light", 2.2)
TONES = (LINEAR, MIDDLE, AS_IS)
"""Which one wins depends on the camera, so whoever fails with one tries the next."""


@lru_cache
def _table(power: float) -> Floats:
    """256 grey values through the curve, scaled to 0..255."""
    return np.asarray(255.0 * (np.arange(256) / 255.0) ** power)


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
