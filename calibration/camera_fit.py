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
from calibration.projection import (
    CAMERA_SIZE,
    LENS_SIZE,
    VIEW_SIZE,
    Projection,
    changed,
    projection,
    refocused,
)
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
NEAR_RAY = 0.02
"""A first viewpoint that misses by no more than this share of the focal length needs no rival."""
SANE_PX = 20.0
"""A fit that leaves more than this is not short of its goal but far from any."""
HELD_STEPS = 12
FOCAL_STRIDE, FOCAL_TRIALS = 0.06, 14
"""How far apart focal lengths are tried at first, as a share, and in how many rounds."""
TRIAL_PLACING_IN = 0.012
"""While it is asked who is out of place, all are allowed as much as careful hands err."""
LAYING_STEPS_IN = (0.0, 0.001, 0.002, 0.004, 0.007, 0.012, 0.02, 0.035, 0.06)
LAYING_BELIEF = (0.6, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05)
"""How badly references may have been laid, and how likely that is before any is seen."""


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
    cost: float
    """Squared sigmas over all: the corners' and the lens's."""
    settled: bool
    """Whether the steps had become small, and not only come to their number's end."""


def started(
    seen: Seen, setup: Setup, size: tuple[int, int], previous: Camera | None
) -> Camera | None:
    """A rough camera to start from: last time's if it still fits, else the best of some guesses."""
    points, pixels = seen.points.reshape(-1, 3), seen.pixels.reshape(-1, 2)
    if previous is not None and previous[1].size == size:
        off = np.linalg.norm(previous[0].project(points, previous[1]) - pixels, axis=1)
        if float(np.median(off)) < 20:
            return previous
    return next(iter(guessed(seen, setup, size)), None)


def guessed(seen: Seen, setup: Setup, size: tuple[int, int]) -> list[Camera]:
    """Rough cameras, the likeliest first."""
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
        if best is not None and best[0] < NEAR_RAY:
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
    settled = False
    now = measured(seen, weights, view, lens, prior, placing_in)
    for _ in range(steps):
        information, slope, cost, _, _ = now
        step = solved(information + np.diag(np.diag(information)) * damping, slope)
        trial_view, trial_lens = changed(view, lens, step)
        points = seen.points.reshape(-1, 3)
        behind = (trial_view.in_camera(points)[:, 2] <= 0).any()
        if behind or min(trial_lens.matrix[0], trial_lens.matrix[4]) <= 0:
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
        small = damping <= 1e-6
        damping = damping / 10 if damping > 1e-6 else 0.0
        now = trial
        if gain < 1e-6 * max(cost, 1.0) and float(np.abs(step[:VIEW_SIZE]).max()) < 1e-4:
            settled = small
            break
    information, _, cost, misfit, chi2 = now
    return Fit(view, lens, information, misfit, chi2, cost, settled)


def focused(
    seen: Seen, weights: Floats, start: Camera, prior: Prior, placing_in: float = 0.0
) -> Fit:
    """The same where focal length and height hardly tell apart, as seen from above.

    Then least squares creeps along a bent valley and ends short of its floor. The focal length is
    taken by itself: everything else is fitted for one after the other, towards the best.
    """
    fit = fitted(seen, weights, start, prior, placing_in)
    sane = float(np.median(fit.misfit_px)) < SANE_PX and (fit.view.rotation[2, 2] < -0.05)
    if fit.settled or not prior.lens.estimated or not sane:
        return fit

    def held(focal_px: float, near: Camera) -> Fit:
        lens = near[1]
        share = focal_px / lens.matrix[0]
        step = np.concatenate([lens.parameters[:2] * (share - 1), np.zeros(LENS_SIZE - 2)])
        # As far away as the table must be to look as large as it does.
        aim = near[0].on_plane(np.zeros(2), 0.0)
        middle = np.array([*aim, 0.0])
        centre = middle + (near[0].centre - middle) * share
        camera = (Viewpoint.of(centre, near[0].rotation), refocused(lens, step))
        return fitted(seen, weights, camera, prior.held(focal_px), placing_in, HELD_STEPS)

    tried = {fit.lens.matrix[0]: held(fit.lens.matrix[0], (fit.view, fit.lens))}
    stride = FOCAL_STRIDE
    for _ in range(FOCAL_TRIALS):
        best = min(tried, key=lambda focal: tried[focal].cost)
        for focal in (best * (1 - stride), best * (1 + stride)):
            if all(abs(other / focal - 1) > stride / 3 for other in tried):
                tried[focal] = held(focal, (tried[best].view, tried[best].lens))
        if min(tried, key=lambda focal: tried[focal].cost) == best:
            stride /= 2
            if stride < FOCAL_STRIDE / 20:
                break
    best = min(tried, key=lambda focal: tried[focal].cost)
    again = fitted(seen, weights, (tried[best].view, tried[best].lens), prior, placing_in)
    return min(fit, again, key=lambda one: one.cost)


def measured(
    seen: Seen, weights: Floats, view: Viewpoint, lens: Lens, prior: Prior, placing_in: float
) -> tuple[Floats, Floats, float, Floats, float]:
    """Information, slope and cost at a camera; misfit of each reference and their weighted sum."""
    count = len(seen)
    model = projection(seen.points.reshape(-1, 3), view, lens)
    if not (np.isfinite(model.by_camera).all() and np.abs(model.pixels).max() < 1e9):
        return np.eye(CAMERA_SIZE), np.zeros(CAMERA_SIZE), math.inf, np.full(count, 1e9), math.inf
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


def best_without(
    seen: Seen, limits: Floats, setup: Setup, prior: Prior, absent: int
) -> list[tuple[Fit, Choice]]:
    """Fits that do without some references and please all others, the most believable first.

    What counts is everything together: the corners, and how far the lens must bend for them. A
    lens bends itself around a pushed reference as readily as around an honest one.
    """
    count = len(seen)
    good = []
    for gone in itertools.combinations(range(count), absent):
        present = np.ones(count, dtype=np.bool_)
        present[list(gone)] = False
        if present.sum() < FEWEST_REFERENCES:
            continue
        start = started(seen.only(present), setup, prior.lens.size, None)
        if start is None:
            continue
        weights = present.astype(np.float64)
        trial = fitted(seen, weights, start, prior, TRIAL_PLACING_IN, TRIAL_STEPS)
        if (trial.misfit_px[present] <= limits[present]).all():
            good.append((trial, np.asarray(trial.misfit_px <= limits)))
    return sorted(good, key=lambda one: one[0].cost)


def laying(seen: Seen, view: Viewpoint, lens: Lens, prior: Prior) -> float:
    """How far off (one sigma, inches) the references seem to have been laid.

    The likelihood of every step of a ladder, with camera and lens left free, weighs the steps;
    where few references cannot tell, what is believed about hands remains.
    """
    count = len(seen)
    model = projection(seen.points.reshape(-1, 3), view, lens)
    off = (seen.pixels.reshape(-1, 2) - model.pixels).reshape(count, 8)
    slopes = model.by_camera.reshape(count, 8, CAMERA_SIZE)
    moves = model.by_point[:, :, :2].reshape(count, 8, 2)
    base = seen.covariances + laid(model, seen.points, 0.0)
    steps = np.array(LAYING_STEPS_IN)
    spread = base + (steps**2)[:, None, None, None] * (moves @ moves.transpose(0, 2, 1))
    trust = inverse(spread)
    weighted = trust @ slopes
    information = np.einsum("nij,snik->sjk", slopes, weighted)
    slope = np.einsum("snij,ni->sj", weighted, off)
    away = prior.lens.parameters - lens.parameters
    information[:, VIEW_SIZE:, VIEW_SIZE:] += prior.information
    slope[:, VIEW_SIZE:] += prior.information @ away
    cost = np.einsum("ni,snij,nj->s", off, trust, off)
    cost -= np.einsum("si,si->s", slope, solved(information, slope[..., None])[..., 0])
    cost += np.linalg.slogdet(spread)[1].sum(axis=1) + np.linalg.slogdet(information)[1]
    weights = np.array(LAYING_BELIEF) * np.exp(-0.5 * (cost - cost.min()))
    return float(np.sqrt((weights * steps**2).sum() / weights.sum()))
