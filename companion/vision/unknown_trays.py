"""Trays that the set-up does not know yet: tags that none of its trays carries, and untagged
trays whose corners are tapped on the picture.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.references.table_pose import TablePose, TableSpot
from calibration.setup import Setup, TrayTag
from companion.vision.detect.dictionaries import find_all, refit_all
from companion.vision.look import TableLook, measured, seen_sizes_mm
from companion.vision.sources.frame import CameraFrame
from models.message import CompanionError
from models.pose import FAR_IN, Pose, Sigma
from models.unit import Tray

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


@dataclass(frozen=True, slots=True, eq=False)
class UnknownTags:
    """One look at the table, and the tags in it that belong to no tray."""

    sight: TableLook
    free: tuple[int, ...]
    noticed: frozenset[int]
    """Everything ever seen free: the next look fits these too."""

    def seen_mm(self, ids: Sequence[int], up: float = 0.0) -> float | None:
        """How wide tags at that height look, on average; None while the table is lost."""
        camera, tags = self.sight.camera, self.sight.tags
        here = [TrayTag(number, 1.0, up=up) for number in ids if number in tags]
        if not here or not isinstance(camera, TablePose):
            return None
        sizes = seen_sizes_mm(here, tags, camera)
        return sum(sizes) / len(sizes)


def newcomers(frame: CameraFrame, setup: Setup, noticed: Collection[int] = ()) -> UnknownTags:
    """Look at a picture for trays that are known and for tags that are not.

    A tag that is seen for the first time is only noticed; from the next picture on it is fitted.
    """
    if setup.lens is not None:
        setup.lens.require(frame.size, frame.name or "picture")
    grey = frame.grey()
    own = setup.ids()
    found = find_all(grey, setup, noticed)
    problems = [f"tag {tag} is seen in two places" for tag in sorted(found.twins)]
    if found.problem:
        problems.append(found.problem)
    sight = measured(frame.name, found.tags, setup, frame.size, problems)
    if setup.lens is None and isinstance(sight.camera, TablePose):
        bent = refit_all(grey, found.tags, setup, sight.camera.lens)
        sight = measured(frame.name, bent, setup, frame.size, problems)
    free = tuple(sorted(tag for tag in sight.tags if tag not in own))
    return UnknownTags(sight, free, frozenset(noticed) | found.strangers | frozenset(free))
