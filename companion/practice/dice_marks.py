"""What practice dice show, as signed distances: numerals of a D10 in several hands, where 6 and 9
carry a mark, and the symbols of a D8, drawn by us: shields of three colours, a star, a banner.

>>> atlas = numeral_atlas(range(1, 11), PRACTICE_FONTS[:1])
>>> atlas.shape
(4, 10, 48, 48)
>>> shapes, inks = westeros_faces(np.random.default_rng(1))
>>> shapes.shape, inks.shape
((8, 48, 48), (8, 3))
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

SIDE = 48
"""Width and height of a numeral's field, in samples."""
LARGE = SIDE * 8

Mark = Literal["line", "dot", ""]
Canvas = NDArray[np.uint8]

_FONTS = Path(__file__).parents[1] / "overlay" / "fonts"
PRACTICE_FONTS = tuple(
    str(_FONTS / f"{name}.ttf") for name in ("BodySans-Bold", "BodySans-NarrowBold")
)
"""The practice camera's; training has others (`training/dice_numerals.py`)."""


SHIELD = (
    (-0.7, -0.75),
    (0.7, -0.75),
    (0.7, 0.1),
    (0.35, 0.65),
    (0, 0.9),
    (-0.35, 0.65),
    (-0.7, 0.1),
)
BANNER = ((-0.55, -0.85), (-0.4, -0.85), (0.65, -0.6), (0.4, -0.25), (0.65, 0.1), (-0.35, 0.0),
          (-0.35, 0.9), (-0.55, 0.9))  # fmt: skip
STAR = tuple(
    (
        (0.9, 0.38)[k % 2] * math.sin(math.pi * k / 5),
        -(0.9, 0.38)[k % 2] * math.cos(math.pi * k / 5),
    )
    for k in range(10)
)
SHAPES = (SHIELD, SHIELD, SHIELD, SHIELD, SHIELD, SHIELD, STAR, BANNER)
"""Three green, two blue and one red shield, valour and morale (BOW-CMP-2)."""
INKS = (
    ((0.08, 0.4, 0.12),) * 3
    + ((0.08, 0.18, 0.55),) * 2
    + ((0.6, 0.06, 0.07),)
    + (
        (0.72, 0.5, 0.08),
        (0.12, 0.1, 0.1),
    )
)


@cache
def practice_numerals() -> NDArray[np.float32]:
    """The numerals of practice dice, for the values of a D10."""
    from companion.practice.dice_solid import D10

    return numeral_atlas(D10.values, PRACTICE_FONTS)


def numeral_atlas(values: Sequence[int], fonts: Sequence[str]) -> NDArray[np.float32]:
    """Hand × face × row × column: each font with both marks, upright and upside down; positive
    inside a stroke."""
    fields = []
    marks: tuple[Mark, ...] = ("line", "dot")
    for font in fonts:
        for mark in marks:
            upright = np.stack([distances(numeral(value % 10, font, mark)) for value in values])
            fields += [upright, upright[:, ::-1, ::-1]]
    return np.ascontiguousarray(np.stack(fields), np.float32)


def numeral(digit: int, font: str, mark: Mark) -> Canvas:
    """A digit in ink, large."""
    drawn = Image.new("L", (LARGE, LARGE))
    pen = ImageDraw.Draw(drawn)
    face = ImageFont.truetype(font, round(0.85 * LARGE))
    middle = LARGE // 2
    pen.text((middle, 0.46 * LARGE), str(digit), 255, face, anchor="mm")
    if digit in {6, 9} and mark:
        _, _, right, low = pen.textbbox((middle, 0.46 * LARGE), str(digit), face, anchor="mm")
        thick = 0.07 * LARGE
        if mark == "line":
            pen.rectangle(
                (0.32 * LARGE, low + thick, 0.68 * LARGE, min(low + 2 * thick, LARGE - 1)), 255
            )
        else:
            pen.ellipse((right, low - 1.6 * thick, right + 1.6 * thick, low), 255)
    return np.asarray(drawn, np.uint8)


def distances(canvas: Canvas) -> NDArray[np.float32]:
    """A drawing as signed distances, positive inside."""
    ink = (canvas > 127).astype(np.uint8)
    inside = cv2.distanceTransform(ink, cv2.DIST_L2, 5) - cv2.distanceTransform(
        1 - ink, cv2.DIST_L2, 5
    )
    small = cv2.resize(inside, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(small / (LARGE / 2), np.float32)


def westeros_faces(
    rng: np.random.Generator,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The eight faces, face × row × column as signed distances, and the colour of each."""
    crossed, wide = rng.random() < 0.5, rng.uniform(0.85, 1.0)
    drawn: list[NDArray[np.float32]] = []
    for shape in SHAPES:
        canvas = np.zeros((LARGE, LARGE), np.uint8)
        places = (np.array(shape) * [wide, 1.0] + 1) * LARGE / 2
        cv2.fillPoly(canvas, [places.astype(np.int32)], 255)
        if crossed and shape is SHIELD:
            middle = LARGE // 2
            cv2.line(canvas, (middle, LARGE // 4), (middle, 3 * LARGE // 4), 0, LARGE // 14)
        drawn.append(distances(canvas))
    inks = np.clip(np.array(INKS) * rng.uniform(0.8, 1.2, (1, 3)), 0, 1)
    return np.stack(drawn), inks.astype(np.float32)
