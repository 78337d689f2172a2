"""Coverage of the picture by views of the lens board, and what to show the camera next."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from calibration.camera.charuco_board import BoardView
from calibration.camera.lens import Lens
from calibration.camera.lens_calibration import (
    FEWEST_IN_ZONE,
    FEWEST_STEEP,
    FEWEST_VIEWS,
    GOOD_PX,
    GOOD_VIEWS,
    LEAST_VIEWS,
    STEEP_DEG,
    STEEP_VIEWS,
    ZONES,
    LensResult,
    NoLensFound,
    lens_from,
    zone_counts,
)

APART = 0.05
"""A new view is one whose corners lie this share of the picture's width from those of any other."""
MOST_VIEWS = 40
"""More photos make a lens no better, and finding the next one slower."""
USUAL_WIDE_DEG = 65.0
"""How wide a tablet's camera sees, roughly: enough to tell a tilted board from a level one."""
LATER_EVERY = 4
"""Beyond enough views the lens is worked out so seldom."""


TiltWay = Literal["left", "right", "top", "bottom"]
TILT_WAYS: tuple[TiltWay, ...] = ("left", "right", "top", "bottom")
"""The edge of the board, as the picture shows it, that leans away from the camera."""


@dataclass(frozen=True, slots=True)
class BoardRequest:
    """What the players should do next: show the board, in a zone (row, column), tilted, more."""

    kind: Literal["show", "zone", "tilt", "more", "flat", "enough"]
    zone: tuple[int, int] | None = None
    count: int = 0
    way: TiltWay | None = None
    """The edge to lean away."""


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """The views taken, how many were tilted, and the lens they give already."""

    views: tuple[BoardView, ...] = ()
    steep: int = 0
    result: LensResult | None = None
    ways: tuple[TiltWay, ...] = ()
    """Which edges have leaned away from the camera."""

    @property
    def zones(self) -> tuple[tuple[int, ...], ...]:
        """Corners seen in each part of the picture, rows of columns."""
        return tuple(tuple(int(count) for count in row) for row in zone_counts(self.views))

    @property
    def covered(self) -> tuple[tuple[bool, ...], ...]:
        """Which parts of the picture have been seen enough."""
        return tuple(tuple(count >= FEWEST_IN_ZONE for count in row) for row in self.zones)

    @property
    def score(self) -> float:
        """How much of what a good lens needs is there, 0 to 1."""
        zones = sum(done for row in self.covered for done in row) / (ZONES[0] * ZONES[1])
        taken = min(len(self.views) / GOOD_VIEWS, 1.0)
        return 0.4 * taken + 0.35 * zones + 0.25 * min(self.steep / STEEP_VIEWS, 1.0)

    @property
    def enough(self) -> bool:
        """Whether no further view is needed."""
        return self.wish.kind == "enough"

    @property
    def possible(self) -> bool:
        """Whether there are enough views for a lens, if only a vague one."""
        return len(self.views) >= LEAST_VIEWS

    @property
    def wish(self) -> BoardRequest:
        """What helps most: the corners first, then tilted boards, then more of anything."""
        if not self.views:
            return BoardRequest("show")
        bare = [
            (row, column)
            for row, line in enumerate(self.covered)
            for column, done in enumerate(line)
            if not done
        ]
        if bare:
            middle = ((ZONES[1] - 1) / 2, (ZONES[0] - 1) / 2)
            far = max(bare, key=lambda zone: math.dist(zone, middle))
            return BoardRequest("zone", far, len(bare))
        if self.steep < STEEP_VIEWS:
            way = next((one for one in TILT_WAYS if one not in self.ways), None)
            return BoardRequest("tilt", None, STEEP_VIEWS - self.steep, way)
        if len(self.views) < GOOD_VIEWS:
            return BoardRequest("more", None, GOOD_VIEWS - len(self.views))
        if self.result is not None and self.result.misfit_px > GOOD_PX:
            return BoardRequest("flat")
        return BoardRequest("enough")

    def seen(self, view: BoardView) -> Coverage:
        """With another view; the same as before where it shows nothing new."""
        if len(self.views) >= MOST_VIEWS or not all(differs(view, one) for one in self.views):
            return self
        if self.views and view.size != self.views[0].size:
            return Coverage().seen(view)
        views = (*self.views, view)
        tilt, way = board_tilt(view)
        steep = self.steep + (tilt > STEEP_DEG)
        ways = self.ways if tilt <= STEEP_DEG or way in self.ways else (*self.ways, way)
        # Level boards alone leave the focal length open; after enough, few views change much.
        telling = len(views) >= FEWEST_VIEWS and steep >= FEWEST_STEEP
        if not telling or (len(views) > GOOD_VIEWS and len(views) % LATER_EVERY):
            return Coverage(views, steep, self.result, ways)
        try:
            return Coverage(views, steep, lens_from(views, thorough=False), ways)
        except (NoLensFound, cv2.error):
            return Coverage(views, steep, self.result, ways)


def differs(view: BoardView, other: BoardView) -> bool:
    """Whether the board's corners lie clearly elsewhere in the picture."""
    _, here, there = np.intersect1d(view.ids, other.ids, return_indices=True)
    if len(here) == 0:
        return True
    away = np.linalg.norm(view.corners_px[here] - other.corners_px[there], axis=1)
    return float(away.mean()) > APART * view.size[0]


def board_tilt(view: BoardView) -> tuple[float, TiltWay]:
    """How far (degrees) the board is turned away from facing the camera, with a usual lens, and
    which of its edges in the picture leans away."""
    lens = Lens.ideal(view.size, USUAL_WIDE_DEG)
    good, turn, _ = cv2.solvePnP(view.board.points[view.ids], view.corners_px, lens.k, lens.d)
    if not good:
        return 0.0, "left"
    normal = np.asarray(cv2.Rodrigues(turn)[0])[:, 2]
    x, y, z = (float(value) for value in normal * np.sign(normal[2] or 1.0))
    # Along the board one step to the right goes -x / z steps away from the camera.
    across, down = -x / max(z, 1e-6), -y / max(z, 1e-6)
    if abs(across) >= abs(down):
        way: TiltWay = "right" if across > 0 else "left"
    else:
        way = "bottom" if down > 0 else "top"
    return math.degrees(math.acos(min(1.0, z))), way
