"""Straightens the camera picture: the table's corners always lie on one trapezoid of the pane.

So the picture fills its pane from any camera, and a camera that is pushed does not move the table
on the screen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.references.table_pose import TablePose
from companion.overlay.footprints import ShownArea
from companion.overlay.shapes import Point
from companion.overlay.view_frame import PointPx

Floats = NDArray[np.float64]

SIDE, TOP, BOTTOM = 0.03, 0.075, 0.025
"""Margins of the table in its pane."""
FLATTEST, STEEPEST = 0.62, 0.8
"""The far edge relative to the near one: as the camera sees it, within these limits."""
LONGEST, WIDEST = 1.15, 1.75
"""The height and the width of the trapezoid relative to what the table's own shape suggests."""
OUTSIDE = 0.5
"""How far outside the frame a corner may lie: farther out a lens model says nothing."""
SMALLEST = 0.02
"""A table that covers less of the frame than this is not made to fill the pane."""


@dataclass(frozen=True, slots=True, eq=False)
class PictureFit:
    """A homography from pixels of the frame (y down) to pixels of the pane (y down)."""

    matrix: Floats
    frame: tuple[float, float]
    pane: tuple[float, float]

    def to_pane(self, pixels: Floats) -> Floats:
        """Pixels of the frame in the pane."""
        return mapped(self.matrix, pixels)

    def to_frame(self, pixels: Floats) -> Floats:
        """Pixels of the pane in the frame."""
        return mapped(np.linalg.inv(self.matrix).astype(np.float64), pixels)

    def texture_rows(self) -> list[list[float]]:
        """From a point of the pane (y up) to the texture: three rows of a homogeneous matrix."""
        wide, high = self.frame
        up = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, self.pane[1]], [0.0, 0.0, 1.0]])
        share = np.diag([1 / wide, 1 / high, 1.0])
        rows: Floats = share @ np.linalg.inv(self.matrix) @ up
        found: list[list[float]] = (rows / np.abs(rows).max()).tolist()
        return found


def mapped(matrix: Floats, points: Floats) -> Floats:
    """Points through a homography."""
    whole = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    found: Floats = whole[:, :2] / whole[:, 2:]
    return found


def fit_picture(
    camera: TablePose | None,
    frame: tuple[float, float],
    area: ShownArea,
    pane: tuple[float, float],
) -> PictureFit:
    """The fit of a frame: by its table where the camera knows it, else filling the pane."""
    found = quad(camera, frame, area) if camera is not None else None
    if found is None:
        return PictureFit(covering(frame, pane), frame, pane)
    seen, turn = found
    table = (area.wide, area.deep) if turn % 2 == 0 else (area.deep, area.wide)
    near, far = math.dist(seen[0], seen[1]), math.dist(seen[3], seen[2])
    wanted = trapezoid(far / max(near, 1e-6), table, pane)
    return PictureFit(homography(seen, wanted), frame, pane)


def quad(
    camera: TablePose, frame: tuple[float, float], area: ShownArea
) -> tuple[Floats, int] | None:
    """The table's corners in the frame: near left, near right, far right, far left.

    With them, how many quarters the table is turned; None if the camera does not see them well.
    """
    corners = np.array([(x, y, 0) for x, y in area.corners], dtype=float)
    if ((corners - camera.view.centre) @ camera.view.rotation[2] <= 0).any():
        return None
    seen = camera.pixels(corners) + 0.5
    size = np.array(frame)
    if not np.isfinite(seen).all() or (seen < -OUTSIDE * size).any():
        return None
    if (seen > (1 + OUTSIDE) * size).any():
        return None
    ahead = np.roll(seen, -1, axis=0) - seen
    after = np.roll(ahead, -1, axis=0)
    turns = ahead[:, 0] * after[:, 1] - ahead[:, 1] * after[:, 0]
    if not ((turns > 0).all() or (turns < 0).all()):
        return None
    seen_px = 0.5 * abs(
        float(np.sum(seen[:, 0] * np.roll(seen[:, 1], -1) - np.roll(seen[:, 0], -1) * seen[:, 1]))
    )
    if seen_px < SMALLEST * frame[0] * frame[1]:
        return None
    # The corner that is lowest and leftmost comes first, whichever side the camera stands on.
    middle = seen.mean(axis=0)
    target = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], dtype=float)
    costs = [float(np.sum((np.roll(seen - middle, -turn, axis=0)) * target)) for turn in range(4)]
    turn = int(np.argmax(costs))
    return np.roll(seen, -turn, axis=0), turn


def trapezoid(ratio: float, table: tuple[float, float], pane: tuple[float, float]) -> Floats:
    """Where the corners lie in the pane: near left, near right, far right, far left."""
    ratio = min(max(ratio, FLATTEST), STEEPEST)
    wide, high = (1 - 2 * SIDE) * pane[0], (1 - TOP - BOTTOM) * pane[1]
    shape = table[1] / table[0]
    high_most, wide_most = LONGEST * shape * wide, WIDEST * high / shape
    high = min(high, high_most)
    wide = min(wide, wide_most)
    middle = pane[0] / 2
    low = pane[1] * (1 - BOTTOM) - (pane[1] * (1 - TOP - BOTTOM) - high) / 2
    half, far = wide / 2, wide * ratio / 2
    return np.array(
        [
            (middle - half, low),
            (middle + half, low),
            (middle + far, low - high),
            (middle - far, low - high),
        ]
    )


def covering(frame: tuple[float, float], pane: tuple[float, float]) -> Floats:
    """A uniform scale that covers the pane with the frame, both centred."""
    scale = max(pane[0] / frame[0], pane[1] / frame[1])
    return np.array(
        [
            [scale, 0.0, (pane[0] - scale * frame[0]) / 2],
            [0.0, scale, (pane[1] - scale * frame[1]) / 2],
            [0.0, 0.0, 1.0],
        ]
    )


def homography(source: Floats, target: Floats) -> Floats:
    """The homography that maps four points to four others."""
    rows, values = [], []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    found = np.linalg.solve(np.array(rows), np.array(values))
    matrix: Floats = np.append(found, 1.0).reshape(3, 3)
    return matrix


def projected(camera: TablePose, fit: PictureFit, points: Sequence[Point]) -> list[PointPx]:
    """Table points (inches) in pixels of the pane."""
    level = np.column_stack([np.asarray(points, dtype=float), np.zeros(len(points))])
    pixels = fit.to_pane(camera.pixels(level) + 0.5)
    return [(x, y) for x, y in pixels.tolist()]
