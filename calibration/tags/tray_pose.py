"""A tray's pose from all the tags it carries, with its covariance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera.camera_fit import FLOOR_PX
from calibration.camera.lens import inverse, solved
from calibration.camera.viewpoint import projection
from calibration.references.table_pose import TablePose
from calibration.setup import TaggedTray, TrayTag
from calibration.tags.tag import Sighting, tray_corners
from models.pose import Pose, Sigma

Floats = NDArray[np.float64]

SPREAD_POWER = 6.0
SCATTER_IN = 0.006
"""References that lie a few tenths of a millimetre beside their places were hardly laid so: bent
paper and sharpened pictures do that, and to the tags of trays as well."""
SHEET_IN = 0.003
"""No print is flat and true to less than so much, 0.08 mm: on photographs of printed boards of four
sources 68 to 85 % of the errors then lie within one sigma, and 0.05 % beyond four."""
SHARED = 0.5**0.5
"""What the tags of one tray have in common of their doubts: one hand glued them by one edge."""
PRINTED_SIGMA = 0.03
"""How far a tag's printed size may be off, as a share; it hardly matters for where it lies."""
DISAGREE = 45.0
"""Squared distance in sigmas, over its eight numbers, beyond which a tag is out of place."""
FEW_TRAYS = 6
MOST_RESTLESS = 5.0
MERE_CHANCE = 1.1
"""Below this the trays of a picture are as restless as chance makes them."""
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
    """The tags of one tray as they were seen, k of them: 4k corners here and in the picture."""

    tray: TaggedTray
    tags: tuple[TrayTag, ...]
    corners: Floats
    pixels: Floats
    covariances: Floats

    @classmethod
    def of(cls, tray: TaggedTray, sightings: Mapping[int, Sighting]) -> Tagged:
        """Those tags of a tray that were seen."""
        tags = tuple(tag for tag in tray.tags if tag.id in sightings)
        return cls(
            tray,
            tags,
            np.array([tray_corners(tag) for tag in tags]).reshape(-1, 3),
            np.array([sightings[tag.id].corners_px for tag in tags]).reshape(-1, 2),
            np.array([sightings[tag.id].covariance for tag in tags]).reshape(-1, 8, 8)
            + np.eye(8) * FLOOR_PX**2,
        )

    @property
    def ids(self) -> tuple[int, ...]:
        """Ids of the tags."""
        return tuple(tag.id for tag in self.tags)

    def doubted(self, share: float) -> Tagged:
        """The same with so many times the variance of every corner."""
        return replace(self, covariances=self.covariances * share)

    def subset(self, places: list[int]) -> Tagged:
        """The same tray with some of its tags."""
        return Tagged(
            self.tray,
            tuple(self.tags[place] for place in places),
            self.corners.reshape(-1, 4, 3)[places].reshape(-1, 3),
            self.pixels.reshape(-1, 4, 2)[places].reshape(-1, 2),
            self.covariances[places],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A tray's x, y, radians; their covariance; each tag's strain in squared sigmas; misfit."""

    pose: Floats
    covariance: Floats
    strain: Floats
    misfit_px: float
    restless: float
    """Squared sigmas per number left over: about 1 where the noise is what it is said to be."""


def fit_trays(
    trays: Iterable[TaggedTray], sightings: Iterable[Sighting], table: TablePose
) -> list[TrayFit | Unplaced | None]:
    """Every tray's pose from those of its tags that were seen; None where none was."""
    by_id = {sighting.id: sighting for sighting in sightings}
    seen = [Tagged.of(tray, by_id) for tray in trays]
    solutions = solved_by_count(seen, table)
    # What a drawing of a tag does not know, curled paper or a camera that sharpens, all tags of
    # a picture share: their shapes tell how much worse than it claims every corner is.
    usual = shared_noise([one for one in solutions if one is not None])
    if usual > MERE_CHANCE:
        seen = [one.doubted(usual) for one in seen]
        solutions = solved_by_count(seen, table)
    return [
        settled(one, solution, table) if one.tags else None
        for one, solution in zip(seen, solutions, strict=True)
    ]


def solved_by_count(seen: list[Tagged], table: TablePose) -> list[Solution | None]:
    """Solve trays with equally many tags together: 24 trays cost little more than one."""
    answers: list[Solution | None] = [None] * len(seen)
    for count in sorted({len(one.tags) for one in seen} - {0}):
        places = [place for place, one in enumerate(seen) if len(one.tags) == count]
        solutions = solutions_of([seen[place] for place in places], table)
        for place, solution in zip(places, solutions, strict=True):
            answers[place] = solution
    return answers


def shared_noise(solutions: list[Solution]) -> float:
    """By how much the variance of all corners is larger than claimed; few trays tell little."""
    if not solutions:
        return 1.0
    # A tag that contradicts everything says nothing about the others.
    told = sum(min(one.restless, MOST_RESTLESS) for one in solutions)
    return (told + FEW_TRAYS) / (len(solutions) + FEW_TRAYS)


def fit_tray(
    tray: TaggedTray, sightings: Iterable[Sighting], table: TablePose
) -> TrayFit | Unplaced | None:
    """One tray's pose from those of its tags that were seen; None when none was."""
    return fit_trays([tray], sightings, table)[0]


def settled(seen: Tagged, solution: Solution | None, table: TablePose) -> TrayFit | Unplaced:
    """The answer for one tray, after dropping tags that contradict the others."""
    unit = seen.tray.unit
    dropped: list[int] = []
    while solution is None or float(solution.strain.max()) > DISAGREE:
        if solution is None:
            return Unplaced(unit, f"tag {seen.ids[0]} does not look at the table", seen.ids)
        if len(seen.tags) == 1:
            return Unplaced(unit, f"tag {seen.ids[0]} is not the square it should be", seen.ids)
        worst = int(np.argmax(solution.strain))
        if len(seen.tags) == 2:
            alone = solutions_of([seen.subset([0]), seen.subset([1])], table)
            fine = [one is not None and one.strain[0] <= DISAGREE / 2 for one in alone]
            if fine[0] == fine[1]:
                names = f"tags {seen.ids[0]} and {seen.ids[1]}"
                problem = f"{names} disagree by {solution.misfit_px:.1f} px"
                return Unplaced(unit, problem, seen.ids)
            worst = 1 if fine[0] else 0
        dropped.append(seen.ids[worst])
        seen = seen.subset([place for place in range(len(seen.tags)) if place != worst])
        solution = solutions_of([seen], table)[0]
    covariance = solution.covariance
    x, y, heading = (float(value) for value in solution.pose)
    sigma = Sigma(spread_in(covariance), math.degrees(math.sqrt(covariance[2, 2])))
    return TrayFit(
        unit,
        Pose(x, y, math.degrees(heading), sigma),
        covariance,
        seen.ids,
        tuple(dropped),
        solution.misfit_px,
    )


def spread_in(covariance: Floats) -> float:
    """One number for both axes of a position.

    A power mean of the two principal sigmas, close to the larger one: a wrong height moves a tag
    along the camera's view only, and three sigmas must hold there too.
    """
    xx, xy, yy = float(covariance[0, 0]), float(covariance[0, 1]), float(covariance[1, 1])
    middle, half = (xx + yy) / 2, math.hypot((xx - yy) / 2, xy)
    wide, narrow = math.sqrt(middle + half), math.sqrt(max(middle - half, 0.0))
    return ((wide**SPREAD_POWER + narrow**SPREAD_POWER) / 2) ** (1 / SPREAD_POWER)


def solutions_of(trays: list[Tagged], table: TablePose) -> list[Solution | None]:
    """Least squares for trays that show equally many tags; None where rays miss the table.

    Heights and the table's pose are not known exactly: their doubts join the noise of the
    corners, so that a tag on a wobbly standard has less weight than one lying flat.
    """
    corners = np.array([one.corners for one in trays])
    pixels = np.array([one.pixels for one in trays])
    pose, good = started(corners, pixels, table)
    if not good.all():
        rest = iter(
            solutions_of([one for one, fine in zip(trays, good, strict=True) if fine], table)
            if good.any()
            else []
        )
        return [next(rest) if fine else None for fine in good]
    count, numbers = len(trays), pixels.shape[1] * 2
    wide = pixels.reshape(count, numbers)
    trust = noise = np.empty((0, 0, 0))
    for turn in range(8):
        points, by_heading = placed(corners, pose)
        model = projection(points.reshape(-1, 3), table.view, table.lens)
        by_point = model.by_point.reshape(count, -1, 2, 3)
        slopes = np.empty((count, numbers, 3))
        slopes[..., :2] = by_point[..., :2].reshape(count, numbers, 2)
        slopes[..., 2] = (by_point @ by_heading[..., None]).reshape(count, numbers)
        if turn < 2:
            by_camera = model.by_camera.reshape(count, numbers, -1)
            noise = doubts(trays, table, points, by_camera, by_point)
            trust = inverse(noise)
        off = wide - model.pixels.reshape(count, numbers)
        weighted = slopes.transpose(0, 2, 1) @ trust
        information = weighted @ slopes
        step = solved(information, weighted @ off[..., None])[..., 0]
        pose = pose + step
        if float(np.abs(step).max()) < 1e-5:
            break
    points, _ = placed(corners, pose)
    off = wide - table.pixels(points).reshape(count, numbers)
    chi2 = np.einsum("ti,tij,tj->t", off, trust, off)
    # A shape that fits worse than its noise explains was measured worse than it claims.
    restless = chi2 / (numbers - 3)
    swell = np.maximum(1.0, restless / USUAL_STRAIN)
    covariances = inverse(information) * swell[:, None, None]
    strains = np.empty((count, numbers // 8))
    for number in range(numbers // 8):
        part = slice(8 * number, 8 * number + 8)
        own = solved(noise[:, part, part], off[:, part, None])[..., 0]
        strains[:, number] = (off[:, part] * own).sum(axis=1)
    misfits = np.sqrt((off**2).sum(axis=1) / (numbers / 2))
    return [
        Solution(
            pose[place],
            covariances[place],
            strains[place],
            float(misfits[place]),
            float(restless[place]),
        )
        for place in range(count)
    ]


def placed(corners: Floats, pose: Floats) -> tuple[Floats, Floats]:
    """Corners on the trays (t x n x 3) as table points, and how they move with the heading."""
    cos, sin = np.cos(pose[:, 2:3]), np.sin(pose[:, 2:3])
    ahead, left = corners[..., 0], corners[..., 1]
    points, by_heading = corners.copy(), np.zeros_like(corners)
    by_heading[..., 0] = -ahead * sin - left * cos
    by_heading[..., 1] = ahead * cos - left * sin
    points[..., 0] = pose[:, 0:1] + by_heading[..., 1]
    points[..., 1] = pose[:, 1:2] - by_heading[..., 0]
    return points, by_heading


def started(corners: Floats, pixels: Floats, table: TablePose) -> tuple[Floats, NDArray[np.bool_]]:
    """First poses: every corner carried to its height, then the best turn and shift.

    The second answer says which trays the camera can look at with all their corners.
    """
    rays = table.lens.rays(pixels)
    back = table.view.rotation.T
    aim = rays @ back[:, :2].T + back[:, 2]
    good = (aim[..., 2] < -1e-3).all(axis=1)
    drop = (corners[..., 2] - table.view.position[2]) / np.minimum(aim[..., 2], -1e-3)
    there = aim[..., :2] * drop[..., None] + table.view.centre[:2]
    here = corners[..., :2]
    a = here - here.mean(axis=1, keepdims=True)
    b = there - there.mean(axis=1, keepdims=True)
    heading = np.arctan2(
        (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]).sum(axis=1), (a * b).sum(axis=(1, 2))
    )
    turned, _ = placed(
        np.concatenate([here, np.zeros_like(here[..., :1])], axis=2),
        np.stack([np.zeros_like(heading), np.zeros_like(heading), heading], axis=1),
    )
    shift = (there - turned[..., :2]).mean(axis=1)
    return np.column_stack([shift, heading]), np.asarray(good)


def doubts(
    trays: list[Tagged], table: TablePose, points: Floats, by_camera: Floats, by_point: Floats
) -> Floats:
    """Covariance of all corner numbers: noise, the mount and size of each tag, the table's pose.

    A tag that sits elsewhere on its tray than the set-up says moves its corners along with it: by
    its height, by where it was glued, by how it was turned.
    """
    total: Floats = by_camera @ table.covariance @ by_camera.transpose(0, 2, 1)
    count = len(trays)
    tags = points.reshape(count, -1, 4, 3)
    arms = tags - tags.mean(axis=2, keepdims=True)
    spun = np.stack([-arms[..., 1], arms[..., 0], np.zeros_like(arms[..., 0])], axis=-1)
    grow = (by_point @ arms.reshape(count, -1, 3, 1)).reshape(count, -1, 8)
    turn = (by_point @ spun.reshape(count, -1, 3, 1)).reshape(count, -1, 8)
    moves = by_point.reshape(count, -1, 8, 3)
    scatter = max(SHEET_IN, min(table.laying.place_in, SCATTER_IN))
    up, glue, askew = (
        np.array([[getattr(tag, name) for tag in one.tags] for one in trays])[..., None]
        for name in ("up_sigma_in", "glue_sigma_in", "turn_sigma_rad")
    )
    glue = np.hypot(glue, scatter)
    ways = (
        grow * PRINTED_SIGMA,
        turn * askew,
        moves[..., 0] * glue,
        moves[..., 1] * glue,
        moves[..., 2] * up,
    )
    for number in range(tags.shape[1]):
        part = slice(8 * number, 8 * number + 8)
        total[:, part, part] += np.array([one.covariances[number] for one in trays])
        for way in ways:
            total[:, part, part] += way[:, number, :, None] * way[:, number, None, :]
    if tags.shape[1] > 1:
        for way in ways[2:]:
            both = way.reshape(count, -1) * SHARED
            total += both[:, :, None] * both[:, None, :]
    return total
