"""A finger on the picture as a place on the table: points and untagged trays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.references.table_pose import TablePose, TableSpot
from models.errors import CompanionError
from models.pose import FAR_IN, Pose, Sigma
from models.tray import Tray

FINGER_PX = 3.0
"""How well people tap, one standard deviation in pixels of the picture shown to them."""

Tap = tuple[float, float]


class NotOnTable(CompanionError):
    """A tap that does not meet the table's plane."""


@dataclass(frozen=True, slots=True)
class Tapped:
    """Points tapped on the table, in inches, and the worst of their doubts (one sigma)."""

    points: tuple[tuple[float, float], ...]
    sigma_in: float


def tap(camera: TablePose, pixel: Tap, up: float = 0.0, finger_px: float = FINGER_PX) -> TableSpot:
    """The place on the table (or so many inches above it) under a tapped pixel."""
    at = np.array(pixel, dtype=np.float64)
    if not np.isfinite(at).all() or not camera.sees(at):
        raise NotOnTable(f"the tap at {pixel!r} does not meet the table")
    spot = camera.place(at, up, finger_px)
    if math.hypot(spot.x, spot.y) > FAR_IN:
        raise NotOnTable(
            f"the tap at {pixel!r} meets the table {math.hypot(spot.x, spot.y):.0f} in away"
        )
    return spot


def taps(
    camera: TablePose, pixels: Sequence[Tap], up: float = 0.0, finger_px: float = FINGER_PX
) -> Tapped:
    """Several taps at once."""
    spots = [tap(camera, pixel, up, finger_px) for pixel in pixels]
    worst = max((spot.sigma_in for spot in spots), default=0.0)
    return Tapped(tuple((spot.x, spot.y) for spot in spots), worst)


def tapped_tray(
    camera: TablePose,
    pixels: Sequence[Tap],
    tray: Tray,
    up: float = 0.0,
    finger_px: float = FINGER_PX,
) -> Pose:
    """An untagged tray from taps on its corners: front left, front right, and, if tapped, the rear.

    Corners run front left, front right, rear right, rear left; two are enough. The tray's known
    size tells how well they were tapped: the sigma grows when they do not fit it.
    """
    if not 2 <= len(pixels) <= 4:
        raise CompanionError(f"a tray is tapped at 2 to 4 corners, not {len(pixels)}")
    found = taps(camera, pixels, up, finger_px)
    ahead, left = tray.depth / 2, tray.width / 2
    own = np.array([(ahead, left), (ahead, -left), (-ahead, -left), (-ahead, left)])[: len(pixels)]
    there = np.array(found.points)
    a, b = own - own.mean(axis=0), there - there.mean(axis=0)
    heading = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    cos, sin = math.cos(heading), math.sin(heading)
    turned = own @ np.array([[cos, sin], [-sin, cos]])
    shift = there.mean(axis=0) - turned.mean(axis=0)
    off = float(np.sqrt(((turned + shift - there) ** 2).sum(axis=1).mean()))
    sigma_in = max(found.sigma_in, off)
    lever = float(np.sqrt((a**2).sum()))
    reach = float(np.hypot(*own.mean(axis=0)))
    turn = sigma_in / lever
    return Pose(
        float(shift[0]),
        float(shift[1]),
        math.degrees(heading),
        Sigma(math.hypot(sigma_in / math.sqrt(len(pixels)), reach * turn), math.degrees(turn)),
    )
