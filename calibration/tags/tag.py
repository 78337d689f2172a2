"""One tag: where its corners are in space, its sighting in a picture, and the words of a
dictionary that are too plain to be trusted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.setup import ReferenceTag, TrayTag, dictionary_of
from models.pose import Pose

Floats = NDArray[np.float64]

CORNER_SIGMA_PX = 0.06
"""Noise of a corner from well-fitted edges, where nothing better is known."""


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A tag's id and its corners in pixels, as the dictionary prints them.

    Corners run top left, top right, bottom right, bottom left of the printed tag (4 x 2);
    (0, 0) is the centre of the first pixel. `sigma_px` is one standard deviation of a corner
    along each picture axis, all corners alike.

    `covariance_px` (8 x 8: x and y of corner 0, of corner 1, ...) says it fully where finding
    knows it: fitting a tray with it leaves half the heading error of fitting with `sigma_px`.
    """

    id: int
    corners_px: Floats
    sigma_px: float = CORNER_SIGMA_PX
    covariance_px: Floats | None = None

    @property
    def covariance(self) -> Floats:
        """Covariance of the eight corner coordinates, px²."""
        if self.covariance_px is not None:
            return self.covariance_px
        return np.eye(8) * self.sigma_px**2


UNIT_CORNERS = np.array([[0.5, 0.5], [0.5, -0.5], [-0.5, -0.5], [-0.5, 0.5]])
"""Top left, top right, bottom right, bottom left of a tag of edge 1, as (towards its up, left)."""


def square(x: float, y: float, up: float, heading: float, edge: float) -> Floats:
    """Corners (4 x 3) of a level square whose own up points along the heading."""
    cos, sin = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    ahead, left = UNIT_CORNERS[:, 0] * edge, UNIT_CORNERS[:, 1] * edge
    return np.stack(
        [x + ahead * cos - left * sin, y + ahead * sin + left * cos, np.full(4, up)], axis=1
    )


def reference_corners(tag: ReferenceTag) -> Floats:
    """Corners (4 x 3) of a reference tag, table inches."""
    return square(tag.x, tag.y, tag.up, tag.heading, tag.size_in)


@lru_cache(maxsize=1024)
def tray_corners(tag: TrayTag) -> Floats:
    """Corners (4 x 3) of a tray's tag in the tray's frame: forward, left, up."""
    corners = square(tag.forward, tag.left, tag.up, tag.turn, tag.size_in)
    corners.flags.writeable = False
    return corners


def placed_corners(tag: TrayTag, pose: Pose) -> Floats:
    """Corners (4 x 3) of a tray's tag with the tray standing there, table inches."""
    x, y = pose.ahead(tag.forward, tag.left)
    return square(x, y, tag.up, pose.heading + tag.turn, tag.size_in)


PLAIN_SHARE = 0.25
"""A word is plain if fewer of its neighbouring cells differ than this share."""


@lru_cache
def plain_words(dictionary: str) -> NDArray[np.bool_]:
    """Which tags (ids) show few changes between neighbouring cells, their frame included."""
    words = dictionary_of(dictionary)
    side = int(words.markerSize) + 2
    drawn = [
        np.asarray(cv2.aruco.generateImageMarker(words, tag, side, borderBits=1)) > 127
        for tag in range(words.bytesList.shape[0])
    ]
    cells = np.array(drawn).astype(np.int64)
    changes = [np.abs(np.diff(cells, axis=axis)).sum(axis=(1, 2)) for axis in (1, 2)]
    plain = np.asarray(changes[0] + changes[1] < PLAIN_SHARE * 2 * side * (side - 1))
    plain.flags.writeable = False
    return plain
