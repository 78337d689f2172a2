"""Numerals for the faces of a D10 as signed distances, in several hands; 6 and 9 carry a mark.

>>> atlas = numeral_atlas(range(1, 11), PRACTICE_FONTS[:1])
>>> atlas.shape
(4, 10, 48, 48)
"""

from __future__ import annotations

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
