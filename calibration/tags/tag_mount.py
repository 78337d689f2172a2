"""Measure where a tag sits on its tray from a picture."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from calibration.references.table_pose import TablePose
from calibration.setup import MM_PER_IN, TrayTag
from calibration.tags.sighting import Sighting
from models.errors import CompanionError
from models.pose import Pose

FARTHEST_IN = 12.0
"""A tag farther than this from the tray's centre belongs to another tray."""


class FarTag(CompanionError):
    """A tag that cannot belong to the tray whose corners were tapped."""


def seated(
    sighting: Sighting, camera: TablePose, pose: Pose, size_mm: float, up: float = 0.0
) -> TrayTag:
    """The tag's place on a tray that stands at a known pose, so many inches above the table."""
    rays = camera.lens.rays(np.asarray(sighting.corners_px, dtype=np.float64))
    corners = camera.view.on_plane(rays, up)
    centre = corners.mean(axis=0)
    towards = corners[:2].mean(axis=0) - corners[2:].mean(axis=0)
    own = math.degrees(math.atan2(float(towards[1]), float(towards[0])))
    away = centre - (pose.x, pose.y)
    if float(np.hypot(*away)) > FARTHEST_IN:
        far = float(np.hypot(*away))
        raise FarTag(f"tag {sighting.id} lies {far:.1f} in from the tapped tray")
    cos, sin = math.cos(math.radians(pose.heading)), math.sin(math.radians(pose.heading))
    return TrayTag(
        sighting.id,
        size_mm,
        forward=round(float(away[0] * cos + away[1] * sin), 3),
        left=round(float(away[1] * cos - away[0] * sin), 3),
        up=up,
        turn=round((own - pose.heading + 180.0) % 360.0 - 180.0, 2),
    )


def raised(tags: Iterable[TrayTag], up_mm: float) -> tuple[TrayTag, ...]:
    """The same tags at another height above the table."""
    return tuple(replace(tag, up=round(up_mm / MM_PER_IN, 4)) for tag in tags)


def height_mm(tags: Iterable[TrayTag]) -> float:
    """How high the first of them sits above the table."""
    return next((round(tag.up * MM_PER_IN, 2) for tag in tags), 0.0)
