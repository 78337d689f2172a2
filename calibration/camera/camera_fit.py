"""Fit a camera to the reference tags of one picture."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import USUAL_FOCAL, Lens, Prior, guesses, inverse, solved
from calibration.camera.viewpoint import (
    CAMERA_SIZE,
    LENS_SIZE,
    VIEW_SIZE,
    Viewpoint,
    changed,
    refocused,
)
from calibration.references.reference_errors import EXACT, FIT_SIZE, SCALE, Laying, Residuals
from calibration.setup import ReferenceTag, Setup
from calibration.tags.tag import Sighting, reference_corners

Floats = NDArray[np.float64]
Choice = NDArray[np.bool_]
Camera = tuple[Viewpoint, Lens]

FEWEST_REFERENCES = 4
FLOOR_PX = 0.002
"""No corner is known better than this, whatever finding says; it knows its own floor better."""
MOST_STEPS = 40
SMALLEST_PRINT, LARGEST_PRINT = 0.8, 1.25
"""No printer is off by more than this."""
NEAR_RAY = 0.02
"""A first viewpoint that misses by no more than this share of the focal length needs no rival."""
SANE_PX = 20.0
"""A fit that leaves more than this is not short of its goal but far from any."""
HELD_STEPS = 12
FOCAL_STRIDE, FOCAL_TRIALS = 0.06, 14
"""How far apart focal lengths are tried at first, as a share, and in how many rounds."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenReference:
    """The references of one picture side by side: corners in space and in pixels, covariances."""

    tags: tuple[ReferenceTag, ...]
    points: Floats
    pixels: Floats
    covariances: Floats

    @classmethod
    def of(cls, sightings: Iterable[Sighting], setup: Setup) -> SeenReference:
        """The sightings that are references of this set-up."""
        pairs = [
            (reference, sighting)
            for sighting in sightings
            if (reference := setup.reference_of(sighting.id)) is not None
        ]
        count = len(pairs)
        return cls(
            tuple(reference for reference, _ in pairs),
            np.array([reference_corners(tag) for tag, _ in pairs]).reshape(count, 4, 3),
            np.array([sighting.corners_px for _, sighting in pairs]).reshape(count, 4, 2),
            np.array([sighting.covariance for _, sighting in pairs]).reshape(count, 8, 8)
            + np.eye(8) * FLOOR_PX**2,
        )

    def __len__(self) -> int:
        return len(self.tags)

    def subset(self, choice: Choice) -> SeenReference:
        tags = tuple(tag for tag, chosen in zip(self.tags, choice, strict=True) if chosen)
        return SeenReference(
            tags, self.points[choice], self.pixels[choice], self.covariances[choice]
        )


@dataclass(frozen=True, slots=True, eq=False)
class CameraFit:
    """A camera fitted to references: the misfit of each (root mean square, px) and the sums."""

    view: Viewpoint
    lens: Lens
    scale: float
    """The common print scale of the references."""
    information: Floats
    misfit_px: Floats
    chi2: float
    cost: float
    """Squared sigmas over all: the corners', the printer's and the lens's."""
    settled: bool
    """Whether the steps had become small, and not only come to their number's end."""
    laying: Laying

    @property
    def camera(self) -> Camera:
        """Viewpoint and lens."""
        return self.view, self.lens


def started(
    seen: SeenReference, setup: Setup, size: tuple[int, int], previous: Camera | None
) -> Camera | None:
    """An initial camera: the previous one if it still fits, otherwise the best of some guesses."""
    points, pixels = seen.points.reshape(-1, 3), seen.pixels.reshape(-1, 2)
    if previous is not None and previous[1].size == size:
        off = np.linalg.norm(previous[0].project(points, previous[1]) - pixels, axis=1)
        if float(np.median(off)) < 20:
            return previous
    return next(iter(guessed(seen, setup, size)), None)


def guessed(seen: SeenReference, setup: Setup, size: tuple[int, int]) -> list[Camera]:
    """Initial cameras, most likely first."""
    points, pixels = seen.points.reshape(-1, 3), seen.pixels.reshape(-1, 2)
    lenses = [setup.lens] if setup.lens is not None else guesses(size)
    found: list[tuple[float, Camera]] = []
    for lens in lenses:
        view = looked(points, pixels, lens)
        if view is None:
            continue
        off = np.linalg.norm(view.project(points, lens) - pixels, axis=1)
        # Seen from straight above any lens fits: then the usual one is as good as any.
        odd = abs(math.log(lens.matrix[0] / USUAL_FOCAL / size[0])) if setup.lens is None else 0.0
        score = float(np.median(off)) * (1 + 0.2 * odd) + 0.2 * odd
        found.append((score, (view, lens)))
    return [camera for _, camera in sorted(found, key=lambda one: one[0])]


def started_without_one(seen: SeenReference, setup: Setup, size: tuple[int, int]) -> Camera | None:
    """An initial camera from all references but one, where no camera fits all of them."""
    for gone in range(len(seen)):
        present = np.arange(len(seen)) != gone
        if present.sum() >= FEWEST_REFERENCES:
            start = started(seen.subset(present), setup, size, None)
            if start is not None:
                return start
    return None


def looked(points: Floats, pixels: Floats, lens: Lens) -> Viewpoint | None:
    """An initial viewpoint for a lens; None if no pose has all points in front of the camera."""
    rays = lens.rays(pixels)
    best: tuple[float, Viewpoint] | None = None
    # References on one plane have a mirrored twin, which one way may prefer and the other not.
    for way in (cv2.SOLVEPNP_SQPNP, cv2.SOLVEPNP_IPPE, cv2.SOLVEPNP_ITERATIVE):
        for view in viewed(points, rays, way):
            if view.position[2] <= 0 or (view.in_camera(points)[:, 2] <= 0).any():
                continue
            off = float(np.median(np.linalg.norm(view.directions(points) - rays, axis=1)))
            if best is None or off < best[0]:
                best = (off, view)
        if best is not None and best[0] < NEAR_RAY:
            break
    return None if best is None else best[1]


def viewed(points: Floats, rays: Floats, way: int) -> list[Viewpoint]:
    """The viewpoints that one method of `cv2.solvePnP` returns."""
    try:
        _, turns, shifts, _ = cv2.solvePnPGeneric(points, rays, np.eye(3), np.zeros(5), flags=way)
    except cv2.error:
        return []
    views = []
    for turn, shift in zip(turns, shifts, strict=True):
        if np.isfinite(turn).all() and np.isfinite(shift).all():
            rotation = np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)
            centre = -rotation.T @ np.asarray(shift, dtype=np.float64).reshape(3)
            views.append(Viewpoint.of(centre, rotation))
    return views


def fitted(
    seen: SeenReference,
    weights: Floats,
    start: Camera,
    prior: Prior,
    laying: Laying = EXACT,
    steps: int = MOST_STEPS,
    scale: float = 1.0,
) -> CameraFit:
    """Weighted least squares over the references, with the lens prior (damped Gauss-Newton)."""
    view, lens = start
    damping = 0.0
    settled = False
    now = measured(seen, weights, view, lens, scale, prior, laying)
    for _ in range(steps):
        information, slope, cost, _, _ = now
        step = solved(information + np.diag(np.diag(information)) * damping, slope)
        trial_view, trial_lens = changed(view, lens, step[:CAMERA_SIZE])
        trial_scale = min(max(scale + float(step[SCALE]), SMALLEST_PRINT), LARGEST_PRINT)
        points = seen.points.reshape(-1, 3)
        behind = (trial_view.in_camera(points)[:, 2] <= 0).any()
        if behind or min(trial_lens.matrix[0], trial_lens.matrix[4]) <= 0:
            damping = max(damping * 10, 1e-3)
            continue
        trial = measured(seen, weights, trial_view, trial_lens, trial_scale, prior, laying)
        # Written so that a cost that is no number is no gain either. The covariance of what was
        # laid by hand changes with the camera: at the floor the cost may rise by a trifle.
        if not trial[2] <= cost * (1 + 1e-5):
            damping = max(damping * 10, 1e-4)
            if damping > 1e6:
                break
            continue
        view, lens, scale, gain = trial_view, trial_lens, trial_scale, cost - trial[2]
        small = damping <= 1e-6
        damping = damping / 10 if damping > 1e-6 else 0.0
        now = trial
        if gain < 1e-6 * max(cost, 1.0) and float(np.abs(step[:VIEW_SIZE]).max()) < 1e-4:
            settled = small
            break
    information, _, cost, misfit, chi2 = now
    return CameraFit(view, lens, scale, information, misfit, chi2, cost, settled, laying)


def focused(
    seen: SeenReference,
    weights: Floats,
    start: Camera,
    prior: Prior,
    laying: Laying = EXACT,
    scale: float = 1.0,
) -> CameraFit:
    """The same fit where focal length and height are nearly degenerate, as seen from above.

    Gauss-Newton then converges slowly along a curved valley. So the focal length is searched in
    one dimension, and everything else is fitted for each value of it.
    """
    fit = fitted(seen, weights, start, prior, laying, scale=scale)
    sane = float(np.median(fit.misfit_px)) < SANE_PX and (fit.view.rotation[2, 2] < -0.05)
    if fit.settled or not prior.lens.estimated or not sane:
        return fit

    def held(focal_px: float, near: CameraFit) -> CameraFit:
        lens = near.lens
        share = focal_px / lens.matrix[0]
        step = np.concatenate([lens.parameters[:2] * (share - 1), np.zeros(LENS_SIZE - 2)])
        # As far away as the table must be to look as large as it does.
        aim = near.view.on_plane(np.zeros(2), 0.0)
        middle = np.array([*aim, 0.0])
        centre = middle + (near.view.centre - middle) * share
        camera = (Viewpoint.of(centre, near.view.rotation), refocused(lens, step))
        there = prior.held(focal_px)
        return fitted(seen, weights, camera, there, laying, HELD_STEPS, near.scale)

    tried = {fit.lens.matrix[0]: held(fit.lens.matrix[0], fit)}
    stride = FOCAL_STRIDE
    for _ in range(FOCAL_TRIALS):
        best = min(tried, key=lambda focal: tried[focal].cost)
        for focal in (best * (1 - stride), best * (1 + stride)):
            if all(abs(other / focal - 1) > stride / 3 for other in tried):
                tried[focal] = held(focal, tried[best])
        if min(tried, key=lambda focal: tried[focal].cost) == best:
            stride /= 2
            if stride < FOCAL_STRIDE / 20:
                break
    best = min(tried, key=lambda focal: tried[focal].cost)
    again = fitted(seen, weights, tried[best].camera, prior, laying, scale=tried[best].scale)
    return min(fit, again, key=lambda one: one.cost)


def measured(
    seen: SeenReference,
    weights: Floats,
    view: Viewpoint,
    lens: Lens,
    scale: float,
    prior: Prior,
    laying: Laying,
) -> tuple[Floats, Floats, float, Floats, float]:
    """Information, slope and cost at a camera; misfit of each reference and their weighted sum."""
    count = len(seen)
    found = Residuals.at(seen.points, seen.pixels, seen.covariances, view, lens, scale, prior)
    if found is None:
        return np.eye(FIT_SIZE), np.zeros(FIT_SIZE), math.inf, np.full(count, 1e9), math.inf
    trust = inverse(seen.covariances + found.own.spread(laying))
    weighted = trust * weights[:, None, None]
    flat = found.slopes.reshape(8 * count, FIT_SIZE)
    information: Floats = flat.T @ (weighted @ found.slopes).reshape(8 * count, FIT_SIZE)
    pull = (weighted @ found.off[:, :, None]).reshape(-1)
    slope = flat.T @ pull
    chi2 = float(found.off.reshape(-1) @ pull)
    cost = chi2 + found.believed(information, slope)
    misfit = np.sqrt((found.off**2).sum(axis=1) / 4)
    return information, slope, cost, misfit, chi2


def residuals(seen: SeenReference, fit: CameraFit, prior: Prior) -> Residuals | None:
    return Residuals.at(
        seen.points, seen.pixels, seen.covariances, fit.view, fit.lens, fit.scale, prior
    )
