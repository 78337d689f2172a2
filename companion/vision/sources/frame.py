"""One picture of a source with its time, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class CameraFrame:
    """A picture (rows x columns, or rows x columns x blue, green, red) taken at a time.

    `trouble` names what is odd about it: dropped frames before it, a frozen camera, a new size.
    """

    picture: Picture
    time_s: float = 0.0
    number: int = 0
    name: str = ""
    trouble: str = ""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.picture.shape[1], self.picture.shape[0]

    def grey(self) -> Picture:
        """The picture without its colours."""
        return grey_of(self.picture)


@dataclass(frozen=True, slots=True)
class Gap:
    """Nothing came from the source at that time, and why."""

    time_s: float
    why: str


def grey_of(picture: Picture) -> Picture:
    """Brightness of a picture that may be grey, coloured, or coloured with transparency."""
    if picture.ndim == 2:
        return picture
    if picture.shape[2] == 1:
        return picture[..., 0]
    code = cv2.COLOR_BGRA2GRAY if picture.shape[2] == 4 else cv2.COLOR_BGR2GRAY
    return np.asarray(cv2.cvtColor(picture, code), dtype=np.uint8)


def rgba_of(picture: Picture) -> Picture:
    """A picture as every graphics card takes it: red, green, blue and full cover."""
    codes = {1: cv2.COLOR_GRAY2RGBA, 3: cv2.COLOR_BGR2RGBA, 4: cv2.COLOR_BGRA2RGBA}
    code = codes[1 if picture.ndim == 2 else picture.shape[2]]
    return np.asarray(cv2.cvtColor(picture, code), dtype=np.uint8)
