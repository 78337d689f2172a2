"""Detect changes between a frame and the one before, by cheap comparisons."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.sources.frame import Picture

CHANGE_LEVELS = 2.5
"""Mean difference, in grey values beyond the usual noise, that counts as a change."""
NOISE_FACTOR = 1.8
COARSE_STEP = 12
TILES = (4, 3)
"""Columns and rows of the coarse watch over the whole picture."""


@dataclass(frozen=True, slots=True)
class PixelBox:
    """A window of the picture, in whole pixels; right and bottom are outside."""

    left: int
    top: int
    right: int
    bottom: int

    def of(self, picture: Picture) -> Picture:
        """The green (or grey) part of the picture in this window."""
        part = picture[self.top : self.bottom, self.left : self.right]
        return np.ascontiguousarray(part[..., 1] if part.ndim == 3 else part)

    @classmethod
    def around(cls, points: NDArray[np.floating], spare: float, size: tuple[int, int]) -> PixelBox:
        """The window around some points with so many pixels to spare, kept in the picture."""
        # Plain numbers: this runs for every tag in every frame.
        xs, ys = points[:, 0].tolist(), points[:, 1].tolist()
        left = min(max(math.floor(min(xs) - spare), 0), size[0] - 2)
        top = min(max(math.floor(min(ys) - spare), 0), size[1] - 2)
        right = min(max(math.ceil(max(xs) + spare) + 1, left + 2), size[0])
        bottom = min(max(math.ceil(max(ys) + spare) + 1, top + 2), size[1])
        return cls(left, top, right, bottom)


@dataclass(eq=False)
class ChangeGate:
    """Remembers what one window looked like and how much it usually flickers."""

    box: PixelBox
    patch: Picture
    noise: float | None = None
    """Mean difference between frames while nothing happens."""

    def changed(self, picture: Picture) -> bool:
        """Whether the window differs from what is remembered by more than its noise."""
        now = self.box.of(picture)
        difference = flicker(now, self.patch)
        if self.noise is None:
            # The first comparison also learns the noise, so it may only trust a clear change.
            self.noise = min(difference, 4 * CHANGE_LEVELS)
            return difference > 4 * CHANGE_LEVELS
        if difference > NOISE_FACTOR * self.noise + CHANGE_LEVELS:
            return True
        self.noise = 0.9 * self.noise + 0.1 * difference
        return False

    def remember(self, picture: Picture, box: PixelBox | None = None) -> None:
        """Store the window's current picture."""
        self.box = box or self.box
        self.patch = self.box.of(picture)


def flicker(now: Picture, before: Picture) -> float:
    """Mean difference of two windows, whatever their brightness: lamps flicker."""
    if now.shape != before.shape:
        return 255.0
    shift = float(cv2.mean(now)[0] - cv2.mean(before)[0])
    if abs(shift) < 1.0:
        return float(cv2.norm(now, before, cv2.NORM_L1)) / now.size
    difference = now.astype(np.float32) - before.astype(np.float32) - shift
    return float(np.abs(difference).mean())


@dataclass(eq=False)
class RegionWatch:
    """The whole picture, coarsely: which of its tiles changed since the last frame."""

    _last: NDArray[np.int16] | None = field(default=None, init=False)
    _noise: NDArray[np.float64] | None = field(default=None, init=False)

    def changed(self, picture: Picture) -> frozenset[int]:
        """Numbers of the tiles that changed, row by row."""
        half = COARSE_STEP // 2
        sparse = picture[half::COARSE_STEP, half::COARSE_STEP]
        now = (sparse[..., 1] if sparse.ndim == 3 else sparse).astype(np.int16)
        last, self._last = self._last, now
        if last is None or last.shape != now.shape:
            self._noise = None
            return frozenset(range(TILES[0] * TILES[1]))
        difference = np.abs(now - last)
        means = np.array(
            [
                np.sort(tile, axis=None)[-max(1, tile.size // 50) :].mean()
                for row in np.array_split(difference, TILES[1], axis=0)
                for tile in np.array_split(row, TILES[0], axis=1)
            ]
        )
        if self._noise is None:
            self._noise = means
            return frozenset()
        jumped = means > 1.6 * self._noise + 6.0
        self._noise = np.where(jumped, self._noise, 0.9 * self._noise + 0.1 * means)
        return frozenset(int(tile) for tile in np.flatnonzero(jumped))


def tile_box(tile: int, size: tuple[int, int], spare: int) -> PixelBox:
    """The window of a tile with some overlap, so that no tag falls between two."""
    column, row = tile % TILES[0], tile // TILES[0]
    left, right = size[0] * column // TILES[0], size[0] * (column + 1) // TILES[0]
    top, bottom = size[1] * row // TILES[1], size[1] * (row + 1) // TILES[1]
    return PixelBox(
        max(0, left - spare),
        max(0, top - spare),
        min(size[0], right + spare),
        min(size[1], bottom + spare),
    )
