"""Renders printed tags, with every edge where the lens puts it to a hundredth of a pixel."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from calibration.camera.viewpoint import Viewpoint
from calibration.setup import dictionary_of
from companion.practice.layer import Layer
from companion.practice.window import SampleGrid, Window, texture_maps

Floats = NDArray[np.float64]
Texture = NDArray[np.uint8]

INK = 0.04
"""Reflectance of printed black."""
PAPER = 0.86
"""Reflectance of white paper."""

TO_SHARE = np.float32(1 / 255)

FINE = 4
"""Sub-pixels per pixel each way."""


@lru_cache(maxsize=512)
def texture(dictionary: str, tag_id: int, texels: int, margin: int) -> Texture:
    """White share and cover of a printed tag, with `texels` per module and a clear border."""
    codes = dictionary_of(dictionary)
    modules = codes.markerSize + 2
    code = cv2.aruco.generateImageMarker(codes, tag_id, modules, borderBits=1)
    white = np.kron(code, np.ones((texels, texels), dtype=np.uint8))
    white = np.pad(white, margin + texels, constant_values=255)
    cover = np.full_like(white, 255)
    cover[:texels] = cover[-texels:] = 0
    cover[:, :texels] = cover[:, -texels:] = 0
    return np.stack([white, cover], axis=-1)


def tag_layer(
    dictionary: str,
    tag_id: int,
    corners: Floats,
    lens: Lens,
    view: Viewpoint,
    margin_modules: float = 1.0,
) -> Layer | None:
    """The layer of a tag with these corners in space (4 x 3, level); None if out of the picture."""
    modules = dictionary_of(dictionary).markerSize + 2
    centre = corners.mean(axis=0)
    paper = centre + (corners - centre) * (1 + 2 * margin_modules / modules)
    if (view.in_camera(paper)[:, 2] <= 0.1).any():
        return None
    corners_px = view.project(corners, lens)
    window = Window.around(view.project(paper, lens), lens.size)
    if window is None:
        return None
    sides = np.linalg.norm(np.roll(corners_px, -1, axis=0) - corners_px, axis=1)
    # A texel no smaller than a sub-pixel: the ramp between black and white that linear
    # interpolation leaves is then sampled often enough to put the edge in its exact place.
    texels = 2 ** int(np.clip(np.floor(np.log2(max(sides.min() / modules * FINE, 1e-3))), 1, 6))
    margin = round(margin_modules * texels)
    sheet = texture(dictionary, tag_id, texels, margin)
    edge = float(np.linalg.norm(corners[1] - corners[0]))
    right = (corners[1] - corners[0])[:2] / edge
    down = (corners[3] - corners[0])[:2] / edge
    scale = modules * texels / edge
    start = margin + texels - 0.5
    to_texture = np.array(
        [
            [*(right * scale), start - scale * float(right @ corners[0, :2])],
            [*(down * scale), start - scale * float(down @ corners[0, :2])],
        ]
    )
    grid = SampleGrid(window, FINE, 2)
    u, v = texture_maps(grid, lens, view, float(corners[0, 2]), to_texture)
    fine = cv2.remap(sheet, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    shares = grid.gather(np.asarray(fine, dtype=np.uint8)).astype(np.float32) * TO_SHARE
    cover = shares[..., 1:2]
    white = shares[..., 0:1]
    colour = (INK * cover + (PAPER - INK) * np.minimum(white, cover)) * np.ones(3, dtype=np.float32)
    return Layer(window, np.asarray(colour, dtype=np.float32), cover)
