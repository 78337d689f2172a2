"""Places where a tray can be put with a ruler, and how far from there it is measured to stand.

>>> from models.tray import Tray
>>> spot = spots(Tray("", 5.5, 4.8), 48.0, 48.0)[0]
>>> spot.name, spot.pose.x, spot.pose.y
('left', 2.75, 14.4)
>>> checked(Pose(2.77, 14.4, 90.0), spot).off_in
0.02
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from models.pose import Pose
from models.tray import Tray

ALONG_IN = 12.0
"""How far from player 1's edge the rear of a tray at a side edge stands."""
GOOD_IN = 0.1
"""Hands put a tray to a millimetre or two: farther off than this means that something is wrong."""
GOOD_DEG = 1.5


@dataclass(frozen=True, slots=True)
class MarkedSpot:
    """A place that can be found with a ruler; `ruler_in` is what the ruler must show."""

    name: Literal["left", "right", "middle"]
    pose: Pose
    ruler_in: float


@dataclass(frozen=True, slots=True)
class SpotCheck:
    """How far a tray is measured from its spot: inches and degrees."""

    off_in: float
    turn_deg: float
    sigma_in: float
    good: bool


def spots(tray: Tray, width: float, depth: float) -> tuple[MarkedSpot, ...]:
    """Flush with the left edge, flush with the right one, and before the middle of the table."""
    along = ALONG_IN + tray.depth / 2
    return (
        MarkedSpot("left", Pose(tray.width / 2, along, 90.0), ALONG_IN),
        MarkedSpot("right", Pose(width - tray.width / 2, along, 90.0), ALONG_IN),
        MarkedSpot("middle", Pose(width / 2, depth / 2 - tray.depth / 2, 90.0), depth / 2),
    )


def checked(measured: Pose, spot: MarkedSpot) -> SpotCheck:
    """A measured tray against the spot it was put at."""
    dx, dy = measured.x - spot.pose.x, measured.y - spot.pose.y
    off = round(math.hypot(dx, dy), 6)
    turn = (measured.heading - spot.pose.heading + 180.0) % 360.0 - 180.0
    sigma = measured.sigma.xy_in
    good = off <= max(GOOD_IN, 3 * sigma) and abs(turn) <= GOOD_DEG
    return SpotCheck(off, turn, sigma, good)
