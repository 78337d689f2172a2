"""A layer of the picture: reflectance and alpha (cover) of each pixel in a window."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.practice.light import Light
from companion.practice.tone import light_of
from companion.practice.window import Window

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Premultiplied reflectance (rows x columns x 3), cover (rows x columns x 1), window."""

    window: Window
    colour: Floats32
    cover: Floats32

    def lit(self, light: Light) -> LitLayer:
        """The layer under this light."""
        shone = light.on(self.colour, self.cover, self.window)
        return LitLayer(self.window, shone, 1 - self.cover[..., 0])

    def onto(self, picture: Floats32, light: Light) -> None:
        """Blend the layer over a picture in linear light."""
        self.lit(light).onto(picture)

    def over(self, below: Layer) -> Layer:
        """Both layers as one, this one on top."""
        window = union((self.window, below.window))
        colour = np.zeros((window.height, window.width, 3), dtype=np.float32)
        cover = np.zeros((window.height, window.width, 1), dtype=np.float32)
        for sheet in (below, self):
            top, left = sheet.window.y - window.y, sheet.window.x - window.x
            cut = (slice(top, top + sheet.window.height), slice(left, left + sheet.window.width))
            colour[cut] = colour[cut] * (1 - sheet.cover) + sheet.colour
            cover[cut] = cover[cut] * (1 - sheet.cover) + sheet.cover
        return Layer(window, colour, cover)


@dataclass(frozen=True, slots=True, eq=False)
class LitLayer:
    """A layer's light (rows x columns x 3) and its transparency (rows x columns)."""

    window: Window
    shone: Floats32
    clear: Floats32

    def onto(self, picture: Floats32) -> None:
        """Blend the layer over a picture in linear light."""
        below = picture[self.window.rows, self.window.columns]
        below *= cv2.merge([self.clear] * 3)  # faster than a product with one channel
        below += self.shone


def union(windows: tuple[Window, ...]) -> Window:
    """The bounding window of several."""
    left = min(window.x for window in windows)
    top = min(window.y for window in windows)
    right = max(window.x + window.width for window in windows)
    bottom = max(window.y + window.height for window in windows)
    return Window(left, top, right - left, bottom - top)


def averaged(layers: tuple[Layer, ...]) -> Layer:
    """The average of a moving object's layers over the exposure."""
    if len(layers) == 1:
        return layers[0]
    window = union(tuple(layer.window for layer in layers))
    colour = np.zeros((window.height, window.width, 3), dtype=np.float32)
    cover = np.zeros((window.height, window.width, 1), dtype=np.float32)
    for layer in layers:
        top, left = layer.window.y - window.y, layer.window.x - window.x
        cut = (slice(top, top + layer.window.height), slice(left, left + layer.window.width))
        colour[cut] += layer.colour / len(layers)
        cover[cut] += layer.cover / len(layers)
    return Layer(window, colour, cover)


class Sketch:
    """A layer drawn with polygons, for objects that need no sub-pixel accuracy."""

    def __init__(self, window: Window, ground: tuple[int, int, int]) -> None:
        self.window = window
        # Filled with a likely colour, because partly covered edge pixels must not turn black.
        self.colour = np.full((window.height, window.width, 3), ground, dtype=np.uint8)
        self.mask = np.zeros((window.height, window.width), dtype=np.uint8)

    def polygon(self, points_px: Floats, colour: tuple[int, int, int]) -> None:
        """Draw a filled polygon, with corners in picture pixels."""
        local = np.rint((points_px - (self.window.x, self.window.y)) * 16).astype(np.int32)
        cv2.fillPoly(self.colour, [local], colour, cv2.LINE_8, 4)
        cv2.fillPoly(self.mask, [local], 255, cv2.LINE_AA, 4)

    def layer(self) -> Layer:
        cover = (self.mask.astype(np.float32) * np.float32(1 / 255))[..., None]
        return Layer(self.window, light_of(self.colour) * cover, cover)
