"""A camera fitted to the reference tags of one picture, whichever of them can be believed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.algebra import inverse, solved
from calibration.lens import Lens
from calibration.lens_belief import USUAL_FOCAL, Prior, guesses
from calibration.projection import CAMERA_SIZE, VIEW_SIZE, Projection, changed, projection
from calibration.setup import SIZE_SIGMA, ReferenceTag, Setup
from calibration.sighting import Sighting
from calibration.tag_place import reference_corners
from calibration.viewpoint import Viewpoint

Floats = NDArray[np.float64]
Choice = NDArray[np.bool_]
Camera = tuple[Viewpoint, Lens]

FEWEST_REFERENCES = 4
MANY_REFERENCES = 12
"""With more than so many, trying to do without any two of them takes too long."""
FLOOR_PX = 0.002
"""No corner is known better than this, whatever finding says; it knows its own floor better."""
MOST_STEPS = 40
TRIAL_STEPS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The references of one picture side by side: corners in space and in pixels, covariances."""

    tags: tuple[ReferenceTag, ...]
    points: Floats
    pixels: Floats
    covariances: Floats

    @classmethod
    def of(cls, sightings: Iterable[Sighting], setup: Setup) -> Seen:
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

    def only(self, choice: Choice) -> Seen:
        """Some of them."""
        tags = tuple(tag for tag, chosen in zip(self.tags, choice, strict=True) if chosen)
        return Seen(tags, self.points[choice], self.pixels[choice], self.covariances[choice])


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A camera fitted to references: the misfit of each (root mean square, px) and the sums."""

    view: Viewpoint
    lens: Lens
    information: Floats
    misfit_px: Floats
    chi2: float


def started(
    seen: Seen, setup: Setup, size: tuple[int, int], previous: Camera | None
) -> Camera | None:
    """A rough camera to start from: last time's if it still fits, else the best of some guesses."""
    points, pixels = seen.points.reshape(-1, 3), seen.pixels.reshape(-1, 2)
    if previous is not None and previous[1].size == size:
        off = np.linalg.norm(previous[0].project(points, previous[1]) - pixels, axis=1)
        if float(np.median(off)) < 20:
            return previous
    lenses = [setup.lens] if setup.lens is not None else guesses(size)
    best: tuple[float, Viewpoint, Lens] | None = None
    for lens in lenses:
        view = looked(points, pixels, lens)
        if view is None:
            continue
        off = np.linalg.norm(view.project(points, lens) - pixels, axis=1)
        # Seen from straight above any lens fits: then the usual one is as good as any.
        odd = abs(math.log(lens.matrix[0] / USUAL_FOCAL / size[0])) if setup.lens is None else 0.0
        score = float(np.median(off)) * (1 + 0.2 * odd) + 0.2 * odd
        if best is None or score < best[0]:
            best = (score, view, lens)
    return None if best is None else (best[1], best[2])


def started_without_one(seen: Seen, setup: Setup, size: tuple[int, int]) -> Camera | None:
    """A rough camera from all references but one, where all together allow none."""
    for gone in range(len(seen)):
        present = np.arange(len(seen)) != gone
        if present.sum() >= FEWEST_REFERENCES:
            start = started(seen.only(present), setup, size, None)
            if start is not None:
                return start
    return None


def looked(points: Floats, pixels: Floats, lens: Lens) -> Viewpoint | None:
    """A first viewpoint for a lens; None when none puts all points before the camera."""
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
        if best is not None:
            break
    return None if best is None else best[1]


def viewed(points: Floats, rays: Floats, way: int) -> list[Viewpoint]:
    """The viewpoints that one of cv2's ways proposes."""
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
    seen: Seen,
    weights: Floats,
    start: Camera,
    prior: Prior,
    placing_in: float = 0.0,
    steps: int = MOST_STEPS,
) -> Fit:
    """Least squares over the references by weight and the lens by belief (damped Gauss-Newton)."""
    view, lens = start
    damping = 0.0
    now = measured(seen, weights, view, lens, prior, placing_in)
    for _ in range(steps):
        information, slope, cost, _, _ = now
        step = solved(information + np.diag(np.diag(information)) * damping, slope)
        trial_view, trial_lens = changed(view, lens, step)
        points = seen.points.reshape(-1, 3)
        if (trial_view.in_camera(points)[:, 2] <= 0).any() or trial_lens.matrix[0] <= 0:
            damping = max(damping * 10, 1e-3)
            continue
        trial = measured(seen, weights, trial_view, trial_lens, prior, placing_in)
        # Written so that a cost that is no number is no gain either.
        if not trial[2] <= cost * (1 + 1e-9):
            damping = max(damping * 10, 1e-4)
            if damping > 1e6:
                break
            continue
        view, lens, gain = trial_view, trial_lens, cost - trial[2]
        damping = damping / 10 if damping > 1e-6 else 0.0
        now = trial
        if gain < 1e-6 * max(cost, 1.0) and float(np.abs(step[:VIEW_SIZE]).max()) < 1e-4:
            break
    information, _, _, misfit, chi2 = now
    return Fit(view, lens, information, misfit, chi2)


def measured(
    seen: Seen, weights: Floats, view: Viewpoint, lens: Lens, prior: Prior, placing_in: float
) -> tuple[Floats, Floats, float, Floats, float]:
    """Information, slope and cost at a camera; misfit of each reference and their weighted sum."""
    count = len(seen)
    model = projection(seen.points.reshape(-1, 3), view, lens)
    off = (seen.pixels.reshape(-1, 2) - model.pixels).reshape(count, 8)
    slopes = model.by_camera.reshape(count, 8, CAMERA_SIZE)
    trust = inverse(seen.covariances + laid(model, seen.points, placing_in))
    weighted = trust * weights[:, None, None]
    flat = slopes.reshape(8 * count, CAMERA_SIZE)
    information: Floats = flat.T @ (weighted @ slopes).reshape(8 * count, CAMERA_SIZE)
    pull = (weighted @ off[:, :, None]).reshape(-1)
    slope = flat.T @ pull
    chi2 = float(off.reshape(-1) @ pull)
    away = prior.lens.parameters - lens.parameters
    information[VIEW_SIZE:, VIEW_SIZE:] += prior.information
    slope[VIEW_SIZE:] += prior.information @ away
    cost = chi2 + float(away @ prior.information @ away)
    misfit = np.sqrt((off**2).sum(axis=1) / 4)
    return information, slope, cost, misfit, chi2


def laid(model: Projection, points: Floats, placing_in: float) -> Floats:
    """Covariance that each reference gains from how it was printed, and from how it was laid."""
    count = len(points)
    arms = (points - points.mean(axis=1, keepdims=True)) * SIZE_SIGMA
    grow = (model.by_point @ arms.reshape(-1, 3, 1)).reshape(count, 8, 1)
    spread: Floats = grow @ grow.transpose(0, 2, 1)
    if placing_in > 0:
        moves = model.by_point[:, :, :2].reshape(count, 8, 2)
        spread = spread + placing_in**2 * (moves @ moves.transpose(0, 2, 1))
    return spread


def gathered(seen: Seen, fit: Fit, start: Camera, prior: Prior) -> Fit:
    """A fit to those references that agree, whichever they are.

    The worst are trusted less and less while the tolerance shrinks, so that no guess about who
    is wrong is made early.
    """
    noise = np.sqrt(np.trace(seen.covariances, axis1=1, axis2=2) / 8)
    finest = max(0.4, 3 * float(np.median(noise)))
    tolerance = max(float(np.max(fit.misfit_px)), 2.0)
    camera = start
    while tolerance > finest:
        weights = (tolerance**2 / (tolerance**2 + fit.misfit_px**2)) ** 2
        fit = fitted(seen, weights, camera, prior)
        camera = (fit.view, fit.lens)
        tolerance /= 1.6
    return fit


def agreed(seen: Seen, fit: Fit, agree: Choice, limits: Floats, prior: Prior) -> tuple[Fit, Choice]:
    """The fit to those who agree with it, asked again until they are the same."""
    for _ in range(3):
        if agree.sum() < FEWEST_REFERENCES:
            break
        fit = fitted(seen, agree.astype(np.float64), (fit.view, fit.lens), prior)
        again = np.asarray(fit.misfit_px <= limits)
        if (again == agree).all():
            break
        agree = again
    return fit, agree


def without_some(
    seen: Seen,
    fit: Fit,
    agree: Choice,
    limits: Floats,
    setup: Setup,
    prior: Prior,
) -> tuple[Fit, Choice]:
    """The same after trying to do without any one reference, then without any two.

    A misread tag far away spoils the start for all, and a lens that is estimated on the way bends
    itself around a moved reference, so that shrinking tolerances may settle on the wrong ones.
    """
    count = len(seen)
    if count > MANY_REFERENCES:
        return fit, agree
    for absent in (1, 2):
        for gone in itertools.combinations(range(count), absent):
            present = np.ones(count, dtype=np.bool_)
            present[list(gone)] = False
            if present.sum() < FEWEST_REFERENCES:
                continue
            start = started(seen.only(present), setup, prior.lens.size, None)
            if start is None:
                continue
            trial = fitted(seen, present.astype(np.float64), start, prior, steps=TRIAL_STEPS)
            if (trial.misfit_px[present] <= limits[present]).all():
                return agreed(seen, trial, np.asarray(trial.misfit_px <= limits), limits, prior)
    return fit, agree
