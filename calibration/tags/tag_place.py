"""Where a tag's four corners are in space, in the order in which dictionaries print them."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.setup import ReferenceTag, TrayTag
from models.pose import Pose

Floats = NDArray[np.float64]

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
