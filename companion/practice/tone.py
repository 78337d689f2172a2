"""Tone curves: how cameras turn linear light into 8-bit levels."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

STEPS = 16384
"""Resolution of the lookup table from linear light to levels; finer than the noise anywhere."""


def srgb(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard curve of screens and many cameras."""
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def phone(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """The curve of phones: lifted middle tones, a soft shoulder, deep blacks."""
    base = srgb(1 - np.exp(-1.6 * light)) / srgb(np.array(1 - np.exp(-1.6)))
    bent: NDArray[np.float64] = base + 0.2 * np.sin(2 * np.pi * (base - 0.5)) / (2 * np.pi)
    return bent


def flat(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """The curve of cameras made for grading: low contrast, grey blacks, nothing clipped."""
    return np.asarray(0.10 + 0.8 * np.log1p(40 * light) / np.log(41))


def webcam(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """The curve of cheap cameras: high contrast, clipped highlights."""
    return np.clip(1.25 * light, 0, 1) ** (1 / 1.8)


def linear(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Levels proportional to light."""
    return light


TONES: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "srgb": srgb,
    "phone": phone,
    "flat": flat,
    "webcam": webcam,
    "linear": linear,
}

SHARPENING = {"phone": 0.5, "webcam": 0.9}
"""How strongly cameras of each kind sharpen their pictures; others do not."""


@lru_cache
def levels(tone: str) -> NDArray[np.uint8]:
    """Levels for STEPS equal steps of linear light from 0 to 1."""
    light = np.linspace(0.0, 1.0, STEPS)
    return np.clip(np.rint(TONES[tone](light) * 255), 0, 255).astype(np.uint8)


@lru_cache
def light_of_level() -> Floats:
    """Linear light of the 256 sRGB levels that textures are painted in."""
    level = np.arange(256) / 255.0
    light = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)
    return light.astype(np.float32)


def light_of(painting: NDArray[np.uint8]) -> Floats:
    """Painted levels as linear light."""
    return np.asarray(cv2.LUT(painting, light_of_level()), dtype=np.float32)
