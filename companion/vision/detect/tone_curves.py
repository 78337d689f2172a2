"""Tone curves: the same grey picture with its darks spread or pressed together."""

from __future__ import annotations

from dataclasses import dataclass

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

    def light(self, values: Floats) -> Floats:
        """Grey values (0..255, any shape) through the curve, without rounding."""
        if self.power == 1.0:
            return values
        return np.asarray(255.0 * (values * np.float32(1 / 255)) ** np.float32(self.power))


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
