"""The lighting: how bright each pixel's point of the table is, and specular reflections."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from calibration.camera.viewpoint import Viewpoint
from companion.practice.picture_style import PictureStyle
from companion.practice.window import Window

Floats32 = NDArray[np.float32]

COARSE = 8
"""Light changes slowly, so it is computed for every eighth pixel."""


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """The factor on reflectance, its tint (blue, green, red), and the specular light added.

    `gain` and `added` are rows x columns x 1: cached at the picture's full size.
    """

    gain: Floats32
    tint: Floats32
    added: Floats32 | None

    def on(self, colour: Floats32, cover: Floats32 | float, window: Window) -> Floats32:
        """The light from part of the picture, given premultiplied reflectance and cover."""
        rows, columns = window.rows, window.columns
        shone: Floats32 = colour * self.gain[rows, columns]
        shone *= self.tint
        if self.added is not None:
            shone += self.added[rows, columns] * cover
        return shone


def light_of(look: PictureStyle, lens: Lens, view: Viewpoint, table: tuple[float, float]) -> Light:
    """The lighting of a style: lamp and shadow are fixed to the table, the vignette to the lens."""
    rng = np.random.default_rng([look.seed, 11])
    width, height = lens.size
    columns = np.linspace(0, width - 1, max(width // COARSE, 2))
    rows = np.linspace(0, height - 1, max(height // COARSE, 2))
    pixels = np.stack(np.meshgrid(columns, rows), axis=-1)
    rays = lens.rays(pixels)
    place = view.on_plane(rays, 0.0) / np.array(table)
    place = np.clip(np.nan_to_num(place), -3, 4)
    lamp = rng.uniform(0.2, 0.8, 2)
    reach = np.hypot(*(place - lamp).transpose(2, 0, 1))
    gain = look.level * (1 - look.uneven * np.clip(reach / 0.9, 0, 1) ** 1.5)
    edge = np.hypot(rays[..., 0], rays[..., 1]) / np.hypot(*lens.rays(np.zeros((1, 2)))[0])
    gain *= 1 - look.vignette * edge**2
    if look.shadow > 0:
        angle = rng.uniform(0, 2 * np.pi)
        across = (place - rng.uniform(0.35, 0.65, 2)) @ [np.cos(angle), np.sin(angle)]
        inside = 1 / (1 + np.exp(-(0.17 - np.abs(across)) / 0.012))
        gain *= 1 - look.shadow * inside
    added = None
    if look.glare > 0:
        spot = rng.uniform(0.25, 0.75, 2)
        apart = (place - spot) / np.array([0.10, 0.16])
        glare = look.glare * np.exp(-0.5 * (apart**2).sum(axis=-1))
        added = spread(glare, (width, height))
    warm = np.array([1 - 0.35 * look.warmth, 1.0, 1 + 0.12 * look.warmth])
    return Light(spread(gain, (width, height)), warm.astype(np.float32), added)


def spread(values: NDArray[np.float64], size: tuple[int, int]) -> Floats32:
    """A coarse field upsampled to full size, rows x columns x 1."""
    full = cv2.resize(values.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(full, dtype=np.float32)[..., None]
