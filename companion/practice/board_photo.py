"""Rendered photos of the calibration board, to try calibrating a lens without a printer."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.board_spec import OWN_BOARD, charuco
from calibration.camera.lens import Lens
from calibration.camera.viewpoint import Viewpoint
from companion.practice.picture_style import STANDARD, PictureStyle
from companion.practice.sensor import expose
from companion.practice.tag_print import INK, PAPER
from companion.practice.window import SampleGrid, Window, texture_maps

Picture = NDArray[np.uint8]

TEXELS = 96
"""Texture resolution, per square of the board."""
MARGIN_MM = 12.0
DESK = 0.18
"""Reflectance of the surface below the board."""


def board_photo(
    lens: Lens, view: Viewpoint, look: PictureStyle = STANDARD, number: int = 0
) -> Picture:
    """Render the board at the origin (inches become millimetres here)."""
    scale = TEXELS / OWN_BOARD.square_mm
    margin = round(MARGIN_MM * scale)
    wide, high = OWN_BOARD.squares[0] * TEXELS, OWN_BOARD.squares[1] * TEXELS
    print_ = charuco(OWN_BOARD).generateImage((wide, high), marginSize=0)
    sheet = cv2.copyMakeBorder(
        print_, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=255
    )
    ink = (INK + (PAPER - INK) * np.asarray(sheet, dtype=np.float32) / 255).astype(np.float32)
    to_texture = np.array([[scale, 0.0, margin - 0.5], [0.0, scale, margin - 0.5]])
    light = np.empty((lens.size[1], lens.size[0]), dtype=np.float32)
    for top in range(0, lens.size[1], 90):
        window = Window(0, top, lens.size[0], min(90, lens.size[1] - top))
        grid = SampleGrid(window, 3, 4)
        u, v = texture_maps(grid, lens, view, 0.0, to_texture)
        fine = cv2.remap(ink, u, v, cv2.INTER_LINEAR, borderValue=DESK)
        light[window.rows] = cv2.resize(
            fine, (window.width, window.height), interpolation=cv2.INTER_AREA
        )
    shade = np.linspace(1.0, 1.0 - look.uneven, lens.size[0], dtype=np.float32)
    lit = light * (shade * np.float32(look.level))[None, :]
    return expose(np.repeat(lit[..., None], 3, axis=2), look, number)


def board_views(lens: Lens, count: int = 14, seed: int = 0) -> Iterator[Viewpoint]:
    """Camera poses over the board: near and far, tilted all ways, in all parts of the picture."""
    rng = np.random.default_rng([seed, 41])
    middle = np.array([OWN_BOARD.squares[0], OWN_BOARD.squares[1]]) * OWN_BOARD.square_mm / 2
    # The board's y axis points down the sheet, so a camera above it has a negative height.
    for number in range(count):
        tilt = np.radians((12.0, 30.0, 42.0, 35.0)[number % 4])
        around = rng.uniform(0, 2 * np.pi)
        far = lens.matrix[0] / lens.size[0] * float(rng.uniform(430, 700))
        place = np.array(
            [
                middle[0] + far * np.sin(tilt) * np.cos(around),
                middle[1] + far * np.sin(tilt) * np.sin(around),
                -far * np.cos(tilt),
            ]
        )
        aim = middle + rng.uniform(-90, 90, 2)
        yield Viewpoint.looking(
            (float(place[0]), float(place[1]), float(place[2])),
            (float(aim[0]), float(aim[1]), 0.0),
            float(rng.uniform(-180, 180)),
        )
