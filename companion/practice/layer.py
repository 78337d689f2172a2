"""A layer of the picture: the window of pixels it covers, the points they see, their light, and
the reflectance and cover of each.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from calibration.camera.viewpoint import Viewpoint
from companion.practice.sensor import PictureStyle, light_of

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Window:
    """Left and top pixel, width and height."""

    x: int
    y: int
    width: int
    height: int

    @property
    def rows(self) -> slice:
        return slice(self.y, self.y + self.height)

    @property
    def columns(self) -> slice:
        return slice(self.x, self.x + self.width)

    @classmethod
    def around(cls, points_px: Floats, size: tuple[int, int], spare: int = 2) -> Window | None:
        """The bounding window of the points, clipped to the picture; None if outside."""
        points = points_px.reshape(-1, 2)
        if not np.isfinite(points).all():
            return None
        left = max(int(np.floor(points[:, 0].min())) - spare, 0)
        top = max(int(np.floor(points[:, 1].min())) - spare, 0)
        right = min(int(np.ceil(points[:, 0].max())) + spare + 1, size[0])
        bottom = min(int(np.ceil(points[:, 1].max())) + spare + 1, size[1])
        if right <= left or bottom <= top:
            return None
        return cls(left, top, right - left, bottom - top)


@dataclass(frozen=True, slots=True)
class SampleGrid:
    """Sub-pixels of a window: `fine` per pixel each way, computed exactly every `step` pixels.

    Lens and perspective are smooth: linear interpolation between nodes 2 pixels apart errs by less
    than 0.003 px, between nodes 4 apart by less than 0.01 px.
    """

    window: Window
    fine: int
    step: int

    def directions(self, lens: Lens) -> Floats:
        """Ray directions of the nodes, rows x columns x 2."""
        w = self.window
        # One node more on every side, because cv2.resize clamps at the borders.
        columns = w.x - 0.5 + self.step * (np.arange(-(-w.width // self.step) + 2) - 0.5)
        rows = w.y - 0.5 + self.step * (np.arange(-(-w.height // self.step) + 2) - 0.5)
        return lens.rays(np.stack(np.meshgrid(columns, rows), axis=-1))

    def spread(self, nodes: Floats) -> Floats32:
        """Interpolate values at the nodes to every sub-pixel of the window."""
        factor = self.step * self.fine
        size = (nodes.shape[1] * factor, nodes.shape[0] * factor)
        full = cv2.resize(nodes.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
        w = self.window
        cut = full[factor : factor + w.height * self.fine, factor : factor + w.width * self.fine]
        return np.ascontiguousarray(cut, dtype=np.float32)

    def gather(self, values: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Average sub-pixels to pixels."""
        if self.fine == 1:
            return values
        size = (self.window.width, self.window.height)
        return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def texture_maps(
    grid: SampleGrid, lens: Lens, view: Viewpoint, height: float, to_texture: Floats
) -> tuple[Floats32, Floats32]:
    """Texture coordinates of every sub-pixel: the plane at that height, then a 2 x 3 affine map."""
    nodes = grid.directions(lens)
    homography = np.vstack([to_texture, [0, 0, 1]]) @ view.to_plane(height)
    x, y = nodes[..., 0], nodes[..., 1]
    u, v, w = (row[0] * x + row[1] * y + row[2] for row in homography)
    # Rays away from the plane, or parallel to it, never hit it.
    ahead = w * np.sign(height - view.position[2]) > 1e-6
    safe = np.where(ahead, w, 1.0)
    u = np.where(ahead, u / safe, -1e6)
    v = np.where(ahead, v / safe, -1e6)
    return grid.spread(u), grid.spread(v)


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


def light_over_table(
    look: PictureStyle, lens: Lens, view: Viewpoint, table: tuple[float, float]
) -> Light:
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
