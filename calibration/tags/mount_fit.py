"""Where tags really sit on their trays: measured from one picture, or fitted to photos of
standing trays.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import inverse, solved
from calibration.camera.viewpoint import projection
from calibration.references.table_pose import TablePose
from calibration.setup import MM_PER_IN, Setup, TaggedTray, TrayTag
from calibration.tags.mounts import LEAST_DEG, LEAST_MM
from calibration.tags.tag import Sighting, placed_corners
from calibration.tags.tray_pose import PRINTED_SIGMA, SCATTER_IN, TrayFit, fit_tray
from models.message import CompanionError
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


Floats = NDArray[np.float64]

FEWEST_PHOTOS = 2
LINED_UP_MM, LINED_UP_DEG = 0.4, 0.25
"""How well hands push a tray flush with a table's edge."""
MOVED = 3.0
"""Squared sigmas per number beyond which a tray has moved between the photos."""
POSE_SIZE, TAG_SIZE = 3, 5
"""Unknowns of a tray (x, y, heading) and of a tag (forward, left, turn, up, size)."""
FREE_IN, FREE_RAD = 5.0, 0.5
STEPS = 12


class NoMounts(CompanionError):
    """Photos from which no mount can be measured."""


@dataclass(frozen=True, slots=True)
class MeasuredMount:
    """A tray with its tags as measured, from so many photos; or why it is left as it was."""

    before: TaggedTray
    after: TaggedTray
    photos: int
    problem: str = ""


Photo = tuple[Mapping[int, Sighting], TablePose]


def measured_mounts(
    photos: Sequence[Photo], setup: Setup, lined_up: bool = False
) -> tuple[MeasuredMount, ...]:
    """Every tray's tags as the photos show them.

    `lined_up`: the trays' rear edges are flush with player 1's edge, all facing away from it.
    """
    if len(photos) < FEWEST_PHOTOS:
        raise NoMounts(f"{len(photos)} photos show the table, at least {FEWEST_PHOTOS} are needed")
    return tuple(measure_tray(tray, photos, lined_up) for tray in setup.trays)


def with_mounts(setup: Setup, mounts: Sequence[MeasuredMount]) -> Setup:
    """The set-up with the measured mounts."""
    return replace(setup, trays=tuple(one.after for one in mounts))


def measure_tray(tray: TaggedTray, photos: Sequence[Photo], lined_up: bool) -> MeasuredMount:
    """One tray's tags."""
    ids = {tag.id for tag in tray.tags}
    seen = [
        ({number: one for number, one in found.items() if number in ids}, camera)
        for found, camera in photos
        if ids & found.keys()
    ]
    if len(seen) < FEWEST_PHOTOS:
        return MeasuredMount(tray, tray, len(seen), f"seen in {len(seen)} photos")
    first = fit_tray(tray, seen[0][0].values(), seen[0][1])
    if not isinstance(first, TrayFit):
        return MeasuredMount(tray, tray, len(seen), "cannot be placed")
    start = np.zeros(POSE_SIZE + TAG_SIZE * len(tray.tags))
    start[:POSE_SIZE] = first.pose.x, first.pose.y, math.radians(first.pose.heading)
    centre, widths = beliefs(tray, start, lined_up)
    values = start.copy()
    covariance, chi2, numbers = np.eye(len(start)), 0.0, 1
    for _ in range(STEPS):
        information = np.diag(1 / widths**2)
        slope = (centre - values) / widths**2
        chi2, numbers = 0.0, 0
        for found, camera in seen:
            off, slopes, noise = linearise(tray, values, found, camera)
            trust = inverse(noise)
            information += slopes.T @ trust @ slopes
            slope += slopes.T @ trust @ off
            chi2 += float(off @ trust @ off)
            numbers += len(off)
        step = solved(information, slope)
        values = values + step
        covariance = inverse(information)
        if float(np.abs(step).max()) < 1e-6:
            break
    if chi2 > MOVED * numbers:
        return MeasuredMount(tray, tray, len(seen), "moved between the photos")
    after = replace(tray, tags=tags_with_doubts(tray, values, covariance))
    return MeasuredMount(tray, after, len(seen))


def beliefs(tray: TaggedTray, start: Floats, lined_up: bool) -> tuple[Floats, Floats]:
    """What is known beforehand of a tray's pose and its tags' errors, and how well."""
    centre, widths = start.copy(), np.empty_like(start)
    widths[:POSE_SIZE] = FREE_IN, FREE_IN, FREE_RAD
    if lined_up:
        turn = (start[2] - math.pi / 2 + math.pi) % (2 * math.pi) - math.pi
        centre[1], centre[2] = tray.tray.depth / 2, start[2] - turn
        widths[1], widths[2] = LINED_UP_MM / MM_PER_IN, math.radians(LINED_UP_DEG)
    for number, tag in enumerate(tray.tags):
        part = slice(POSE_SIZE + TAG_SIZE * number, POSE_SIZE + TAG_SIZE * (number + 1))
        doubts = (tag.glue_sigma_in, tag.glue_sigma_in, tag.turn_sigma_rad, tag.up_sigma_in)
        widths[part] = [max(one, 1e-6) for one in (*doubts, PRINTED_SIGMA)]
    return centre, widths


def with_errors(tag: TrayTag, errors: Floats) -> TrayTag:
    """A tag with its errors: forward, left, turn, up, size."""
    ahead, left, turn, up, size = (float(value) for value in errors)
    return replace(
        tag,
        forward=tag.forward + ahead,
        left=tag.left + left,
        turn=tag.turn + math.degrees(turn),
        up=tag.up + up,
        size_mm=tag.size_mm * (1 + size),
    )


def linearise(
    tray: TaggedTray, values: Floats, found: Mapping[int, Sighting], camera: TablePose
) -> tuple[Floats, Floats, Floats]:
    """What one photo leaves unexplained of a tray, its slopes by all unknowns, its covariance."""
    here = [number for number, tag in enumerate(tray.tags) if tag.id in found]

    def points(at: Floats) -> Floats:
        pose = Pose(float(at[0]), float(at[1]), math.degrees(float(at[2])))
        rows = []
        for number in here:
            begin = POSE_SIZE + TAG_SIZE * number
            rows.append(
                placed_corners(with_errors(tray.tags[number], at[begin : begin + TAG_SIZE]), pose)
            )
        return np.concatenate(rows)

    model = projection(points(values), camera.view, camera.lens)
    pixels = np.concatenate([found[tray.tags[number].id].corners_px for number in here])
    off = (pixels - model.pixels).ravel()
    slopes = np.empty((len(off), len(values)))
    for number in range(len(values)):
        nudge = np.zeros(len(values))
        nudge[number] = 1e-4
        away = camera.pixels(points(values + nudge)) - camera.pixels(points(values - nudge))
        slopes[:, number] = away.ravel() / 2e-4
    by_camera = model.by_camera.reshape(len(off), -1)
    noise = by_camera @ camera.covariance @ by_camera.T
    shift = model.by_point[:, :, :2].reshape(-1, 8, 2)
    scatter = min(camera.laying.place_in, SCATTER_IN)
    for place, number in enumerate(here):
        part = slice(8 * place, 8 * place + 8)
        noise[part, part] += found[tray.tags[number].id].covariance
        noise[part, part] += scatter**2 * shift[place] @ shift[place].T
    return off, slopes, noise


def tags_with_doubts(tray: TaggedTray, values: Floats, covariance: Floats) -> tuple[TrayTag, ...]:
    """The tags as measured with their doubts; the written size stays.

    Errors that the tags of one tray share do not average out: with several tags the doubt of the
    turn is told so wide that the tray's own doubt is right.
    """
    shared = math.sqrt(len(tray.tags))
    tags = []
    for number, tag in enumerate(tray.tags):
        begin = POSE_SIZE + TAG_SIZE * number
        after = with_errors(tag, np.append(values[begin : begin + TAG_SIZE - 1], 0.0))
        spread = np.sqrt(np.diagonal(covariance)[begin : begin + TAG_SIZE])
        glue = min(float(spread[:2].max()), tag.glue_sigma_in) * MM_PER_IN
        turn = math.degrees(min(float(spread[2]) * shared, tag.turn_sigma_rad))
        tags.append(
            replace(
                after,
                forward=round(after.forward, 4),
                left=round(after.left, 4),
                turn=round(after.turn, 3),
                up=round(max(after.up, 0.0), 4),
                up_sigma_mm=round(max(float(spread[3]) * MM_PER_IN, LEAST_MM), 2),
                glue_sigma_mm=round(max(glue, LEAST_MM), 2),
                turn_sigma_deg=round(max(turn, LEAST_DEG), 2),
            )
        )
    return tuple(tags)
