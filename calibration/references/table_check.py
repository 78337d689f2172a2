"""Checks of a calibrated table: its grid drawn over a picture, and places where a tray is put
with a ruler, compared with where it is measured.

Places where a tray can be put with a ruler, and how far from there it is measured to stand.

>>> from models.unit import Tray
>>> spot = spots(Tray("", 5.5, 4.8), 48.0, 48.0)[0]
>>> spot.name, spot.pose.x, spot.pose.y
('left', 2.75, 14.4)
>>> checked(Pose(2.77, 14.4, 90.0), spot).off_in
0.02
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.camera.viewpoint import projection
from calibration.references.table_pose import TablePose, vagueness
from calibration.setup import Setup
from models.pose import Pose
from models.unit import Tray

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
    right_in: float = 0.0
    beyond_in: float = 0.0
    """How far it is seen to the right of its spot, and beyond it from the near edge."""


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
    return SpotCheck(off, turn, sigma, good, dx, dy)


Floats = NDArray[np.float64]

EVERY_IN = 6.0
STEP_IN = 1.0
"""A lens bends straight lines: they are drawn in pieces so long."""
NEAR_IN = 2.0
"""What lies closer to the camera than this, or behind it, is not drawn."""


@dataclass(frozen=True, slots=True)
class Fitness:
    """How well the references describe one table: what is left over, in pixels and on the table.

    `worst_in` is the doubt (one standard deviation) at the worst corner of the table.
    """

    error_px: float
    error_in: float
    worst_in: float


def fitness(camera: TablePose, setup: Setup) -> Fitness:
    """How far the references are off, as a picture shows it and as a ruler would."""
    used = [tag for tag in setup.references if tag.id in camera.used]
    points = np.array([(tag.x, tag.y, tag.up) for tag in used])
    slopes = projection(points, camera.view, camera.lens).by_point[:, :, :2]
    px_per_in = float(np.sqrt(np.abs(np.linalg.det(slopes))).mean())
    error = camera.reprojection_px
    return Fitness(error, error / px_per_in, vagueness(camera, setup))


def grid_px(
    camera: TablePose, width: float, depth: float, every_in: float = EVERY_IN
) -> list[Floats]:
    """Lines across and along the table as pixels (each n x 2); the first four are its edges."""
    across = [0.0, depth, *np.arange(every_in, depth - 0.1, every_in)]
    along = [0.0, width, *np.arange(every_in, width - 0.1, every_in)]
    rows = [[(0.0, y), (width, y)] for y in across]
    columns = [[(x, 0.0), (x, depth)] for x in along]
    lines = [*rows[:2], *columns[:2], *rows[2:], *columns[2:]]
    return [line_px(camera, line) for line in lines]


def line_px(camera: TablePose, points: Sequence[tuple[float, float]], up: float = 0.0) -> Floats:
    """A line of the table as the lens bends it, pixels (n x 2); what cannot be seen is left out."""
    pieces = []
    for (ax, ay), (bx, by) in pairwise(points):
        parts = max(int(np.hypot(bx - ax, by - ay) / STEP_IN), 1)
        share = np.linspace(0.0, 1.0, parts + 1)[:, None]
        pieces.append(np.array([ax, ay]) * (1 - share) + np.array([bx, by]) * share)
    level = np.concatenate(pieces)
    there = np.column_stack([level, np.full(len(level), up)])
    there = there[camera.view.in_camera(there)[:, 2] > NEAR_IN]
    if camera.partly:
        there = there[np.isfinite(camera.doubts(there[:, :2]))]
    return camera.pixels(there)


def tray_px(camera: TablePose, tray: Tray, pose: Pose) -> tuple[Floats, Floats]:
    """A tray at a pose as pixels: its outline, and an arrow from its middle over its front edge."""
    ahead, left = tray.depth / 2, tray.width / 2
    rim = [
        pose.ahead(a, b)
        for a, b in ((ahead, left), (ahead, -left), (-ahead, -left), (-ahead, left), (ahead, left))
    ]
    arrow = [pose.ahead(0.0, 0.0), pose.ahead(ahead + 1.0, 0.0)]
    return line_px(camera, rim), line_px(camera, arrow)
