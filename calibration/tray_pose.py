"""One tray's pose from all the tags it carries, with a covariance that means what it says."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.algebra import inverse, solved
from calibration.projection import projection
from calibration.setup import TaggedTray, TrayTag
from calibration.sighting import Sighting
from calibration.table_pose import TablePose
from calibration.tag_place import tray_corners
from models.pose import Pose, Sigma

Floats = NDArray[np.float64]

FLOOR_PX = 0.01
"""No corner is known better than this, whatever finding says."""
DISAGREE = 45.0
"""Squared distance in sigmas, over its eight numbers, beyond which a tag is out of place."""
USUAL_STRAIN = 1.7
"""Up to this much worse than expected (in squared sigmas per number) is mere chance."""


@dataclass(frozen=True, slots=True, eq=False)
class TrayFit:
    """A placed tray: its pose with sigma, the covariance of x, y (inches) and heading (radians)."""

    unit: str
    pose: Pose
    covariance: Floats
    used: tuple[int, ...]
    dropped: tuple[int, ...]
    misfit_px: float


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A tray that was seen but cannot be placed, and why."""

    unit: str
    reason: str
    tags: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Tagged:
    """A tag of the tray as it was seen: corners on the tray, corners in pixels, covariance."""

    tag: TrayTag
    corners: Floats
    pixels: Floats
    covariance: Floats


def fit_tray(
    tray: TaggedTray, sightings: Iterable[Sighting], table: TablePose
) -> TrayFit | Unplaced | None:
    """The tray's pose from those of its tags that were seen; None when none was."""
    known = {tag.id: tag for tag in tray.tags}
    seen = [
        Tagged(
            known[sighting.id],
            tray_corners(known[sighting.id]),
            sighting.corners_px,
            sighting.covariance + np.eye(8) * FLOOR_PX**2,
        )
        for sighting in sightings
        if sighting.id in known
    ]
    if not seen:
        return None
    dropped: list[int] = []
    while True:
        fit = fitted(tray.unit, seen, table)
        if isinstance(fit, Unplaced):
            return fit
        pose, covariance, strain, misfit = fit
        worst = int(np.argmax(strain))
        if strain[worst] <= DISAGREE:
            break
        if len(seen) == 1:
            shape = "is not the square it should be"
            return Unplaced(tray.unit, f"tag {seen[0].tag.id} {shape}", (seen[0].tag.id,))
        if len(seen) == 2:
            alone = [fitted(tray.unit, [one], table) for one in seen]
            fine = [not isinstance(one, Unplaced) and one[2][0] <= DISAGREE / 2 for one in alone]
            if fine[0] == fine[1]:
                names = f"tags {seen[0].tag.id} and {seen[1].tag.id}"
                ids = tuple(one.tag.id for one in seen)
                return Unplaced(tray.unit, f"{names} disagree by {misfit:.1f} px", ids)
            worst = 1 if fine[0] else 0
        dropped.append(seen.pop(worst).tag.id)
    sigma = Sigma(spread_in(covariance), math.degrees(math.sqrt(covariance[2, 2])))
    return TrayFit(
        tray.unit,
        Pose(pose[0], pose[1], math.degrees(pose[2]), sigma),
        covariance,
        tuple(one.tag.id for one in seen),
        tuple(dropped),
        misfit,
    )


def spread_in(covariance: Floats) -> float:
    """One number for both axes of a position.

    The cubic mean of the sigmas along the two principal axes: with a round covariance it is the
    sigma, with a flat one both axes together still meet 68, 95 and 99.7 of a hundred to within
    the few percent that one number can.
    """
    spreads = np.sqrt(np.maximum(np.linalg.eigvalsh(covariance[:2, :2]), 0.0))
    return float(np.mean(spreads**3) ** (1 / 3))


def fitted(
    unit: str, seen: list[Tagged], table: TablePose
) -> tuple[Floats, Floats, Floats, float] | Unplaced:
    """Pose (x, y, radians), its covariance, each tag's strain (squared sigmas), misfit in px.

    Heights and the table's pose are not known exactly: their doubts join the noise of the
    corners, so that a tag on a wobbly standard counts less than one lying flat.
    """
    pose = start(seen, table)
    if pose is None:
        ids = tuple(one.tag.id for one in seen)
        return Unplaced(unit, f"tag {ids[0]} does not look at the table", ids)
    corners = np.concatenate([one.corners for one in seen])
    pixels = np.concatenate([one.pixels for one in seen]).reshape(-1)
    trust = np.empty((0, 0))
    for turn in range(8):
        points, by_heading = placed(corners, pose)
        model = projection(points, table.view, table.lens)
        slopes = np.empty((len(pixels), 3))
        slopes[:, :2] = model.by_point[:, :, :2].reshape(-1, 2)
        slopes[:, 2] = np.einsum("nij,nj->ni", model.by_point, by_heading).reshape(-1)
        if turn < 2:
            trust = inverse(doubts(seen, table, model.by_camera, model.by_point))
        off = pixels - model.pixels.reshape(-1)
        information = slopes.T @ trust @ slopes
        step = solved(information, slopes.T @ trust @ off)
        pose = pose + step
        if abs(step[0]) + abs(step[1]) + abs(step[2]) < 1e-7:
            break
    points, _ = placed(corners, pose)
    off = pixels - table.pixels(points).reshape(-1)
    noise = doubts(seen, table, model.by_camera, model.by_point)
    strain = np.empty(len(seen))
    for number in range(len(seen)):
        part = slice(8 * number, 8 * number + 8)
        strain[number] = off[part] @ solved(noise[part, part], off[part])
    misfit = float(np.sqrt((off**2).sum() / (4 * len(seen))))
    spare = 8 * len(seen) - 3
    # A shape that fits worse than its noise explains was measured worse than it claims.
    swell = max(1.0, float(off @ trust @ off) / spare / USUAL_STRAIN)
    return pose, inverse(information) * swell, strain, misfit


def placed(corners: Floats, pose: Floats) -> tuple[Floats, Floats]:
    """Corners on the tray (n x 3) as table points, and how they move with the heading."""
    cos, sin = math.cos(pose[2]), math.sin(pose[2])
    points = np.stack(
        [
            pose[0] + corners[:, 0] * cos - corners[:, 1] * sin,
            pose[1] + corners[:, 0] * sin + corners[:, 1] * cos,
            corners[:, 2],
        ],
        axis=1,
    )
    by_heading = np.stack(
        [
            -corners[:, 0] * sin - corners[:, 1] * cos,
            corners[:, 0] * cos - corners[:, 1] * sin,
            np.zeros(len(corners)),
        ],
        axis=1,
    )
    return points, by_heading


def start(seen: list[Tagged], table: TablePose) -> Floats | None:
    """A first pose: every corner carried to its height, then the best turn and shift."""
    found = []
    for one in seen:
        if not all(table.sees(pixel) for pixel in one.pixels):
            return None
        rays = table.lens.rays(one.pixels)
        found.append(table.view.on_plane(rays, one.tag.up))
    there = np.concatenate(found)
    here = np.concatenate([one.corners[:, :2] for one in seen])
    a, b = here - here.mean(axis=0), there - there.mean(axis=0)
    heading = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    cos, sin = math.cos(heading), math.sin(heading)
    middle, target = here.mean(axis=0), there.mean(axis=0)
    return np.array(
        [
            target[0] - middle[0] * cos + middle[1] * sin,
            target[1] - middle[0] * sin - middle[1] * cos,
            heading,
        ]
    )


def doubts(seen: list[Tagged], table: TablePose, by_camera: Floats, by_point: Floats) -> Floats:
    """Covariance of all corner numbers: noise and height of each tag, and the table's pose."""
    slopes = by_camera.reshape(8 * len(seen), -1)
    total: Floats = slopes @ table.covariance @ slopes.T
    for number, one in enumerate(seen):
        part = slice(8 * number, 8 * number + 8)
        lift = by_point[4 * number : 4 * number + 4, :, 2].reshape(8)
        total[part, part] += one.covariance + np.outer(lift, lift) * one.tag.up_sigma_in**2
    return total
