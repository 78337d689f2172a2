"""Whether a tag that does not look like a level square is one that is tilted, and by how much."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import inverse, solved
from calibration.references.table_pose import TablePose
from calibration.setup import MM_PER_IN, TrayTag
from calibration.tags.tag import UNIT_CORNERS, Sighting

Floats = NDArray[np.float64]
Model = Callable[[Floats], Floats]

LEAST_DEG = 8.0
"""Less than this nobody sees, and the tag's own sigma covers it."""
CLEARLY = 12.0
"""So many squared sigmas better must a tilt explain the picture than another size does."""
STARTS_RAD = tuple((a, b) for a in (-0.3, 0.0, 0.3) for b in (-0.3, 0.0, 0.3) if a or b)
FREE_IN = 10.0
TILT_RAD, SIZE_SHARE, LIFT_MM = 0.4, 0.2, 5.0
"""What is thinkable beforehand: tilts, sizes, and how far a tilted tab lifts its middle."""
STEPS = 15
NOISE_PX = 0.1


def tilt_deg(sighting: Sighting, camera: TablePose, tag: TrayTag) -> float | None:
    """By how many degrees a tag is tilted; None if it is level or the picture does not show it."""
    corners = np.asarray(sighting.corners_px, dtype=np.float64)
    level = camera.view.on_plane(camera.lens.rays(corners), tag.up)
    towards = level[:2].mean(axis=0) - level[2:].mean(axis=0)
    x, y = level.mean(axis=0)
    heading = math.atan2(float(towards[1]), float(towards[0]))
    edge = tag.size_in * camera.print_scale
    noise = sighting.covariance + np.eye(8) * NOISE_PX**2

    def flat(at: Floats) -> Floats:
        return camera.pixels(tilted_square(at[:3], tag.up, edge * (1 + at[3]), 0.0, 0.0))

    def tilted(at: Floats) -> Floats:
        return camera.pixels(tilted_square(at[:3], tag.up + at[3], edge, at[4], at[5]))

    wide = (FREE_IN, FREE_IN, math.pi)
    start = np.array([x, y, heading, 0.0])
    plain, _ = least_squares(flat, start, (*wide, SIZE_SHARE), corners, noise)
    best, found = math.inf, np.zeros(6)
    for a, b in STARTS_RAD:
        cost, at = least_squares(
            tilted,
            np.array([x, y, heading, 0.0, a, b]),
            (*wide, LIFT_MM / MM_PER_IN, TILT_RAD, TILT_RAD),
            corners,
            noise,
        )
        if cost < best:
            best, found = cost, at
    angle = math.degrees(math.acos(math.cos(found[4]) * math.cos(found[5])))
    return angle if angle >= LEAST_DEG and best + CLEARLY < plain else None


def tilted_square(pose: Floats, up: float, edge: float, nod: float, roll: float) -> Floats:
    """Corners (4 x 3) of a square that nods (about its left) and rolls (about its up)."""
    ahead, left = UNIT_CORNERS[:, 0] * edge, UNIT_CORNERS[:, 1] * edge
    high = ahead * math.sin(nod) + left * math.cos(nod) * math.sin(roll)
    ahead, left = (
        ahead * math.cos(nod) - left * math.sin(nod) * math.sin(roll),
        left * math.cos(roll),
    )
    cos, sin = math.cos(pose[2]), math.sin(pose[2])
    return np.stack(
        [pose[0] + ahead * cos - left * sin, pose[1] + ahead * sin + left * cos, up + high], axis=1
    )


def least_squares(
    model: Model, start: Floats, widths: tuple[float, ...], corners: Floats, noise: Floats
) -> tuple[float, Floats]:
    """Least squares with priors around the start's first numbers and zero; cost and solution."""
    belief = 1 / np.array(widths) ** 2
    centre = np.concatenate([start[:3], np.zeros(len(start) - 3)])
    trust = inverse(noise)
    at, best = start.copy(), (math.inf, start)
    damping = 1e-3
    for _ in range(STEPS):
        off = (corners - model(at)).ravel()
        cost = float(off @ trust @ off + (belief * (centre - at) ** 2).sum())
        if not np.isfinite(cost):
            break
        if cost < best[0]:
            best, damping = (cost, at), damping / 3
        else:
            at, damping = best[1], damping * 10
            off = (corners - model(at)).ravel()
        slopes = np.empty((8, len(at)))
        for number in range(len(at)):
            nudge = np.zeros(len(at))
            nudge[number] = 1e-5
            slopes[:, number] = (model(at + nudge) - model(at - nudge)).ravel() / 2e-5
        information = slopes.T @ trust @ slopes + np.diag(belief)
        slope = slopes.T @ trust @ off + belief * (centre - at)
        step = solved(information + np.diag(np.diag(information)) * damping, slope)
        at = at + step
    return best
