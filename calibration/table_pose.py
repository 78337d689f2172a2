"""Where the camera stands over the table, from the reference tags it sees, and how sure that is.

The lens and the camera's place are fitted together, the lens held by what is known about it. A
lens given as exact leaves six unknowns; a lens nobody calibrated is estimated on the way, and
its doubt is in the covariance.

Why not one of the two textbook ways: measured by `python -m bench.heights` (1080p, tags 15 mm
up, corner noise 0.05 px; position error, 95th percentile, thousandths of an inch):

    the lens file is wrong by   pose + plane   homography + shift   fitted together (here)
    nothing                          3.7              3.6                  3.8
    focal length 0.3 %              14.8              4.6                  3.9
    focal length 1 %                46.1              8.6                  4.7
    centre 10 px, both ways         68.1             14.4                  5.1
    k1 0.01                         42.3             42.9                  4.5
    there is no lens file          550              321                    7.6

A homography forgives a wrong focal length on the table's plane, but not a wrong distortion, and
for heights it still needs the camera's centre. Fitting the lens within its doubt lets the
references correct all of it, and hands the rest of the doubt on to every tray's sigma.
"""

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
from calibration.projection import CAMERA_SIZE, VIEW_SIZE, Projection, changed, projection
from calibration.setup import ReferenceTag, Setup
from calibration.sighting import Sighting
from calibration.tag_place import reference_corners
from calibration.viewpoint import Viewpoint

Floats = NDArray[np.float64]
Choice = NDArray[np.bool_]

FEWEST_REFERENCES = 4
AGREE_PX = 0.5
"""References that leave more than this (root mean square) do not describe one table."""
TAG_AGREE_PX = 0.75
"""A reference whose corners miss by more than this (and by more than its noise) disagrees."""
TAG_AGREE_SIGMAS = 5.0
VAGUE_IN = 0.75
"""A pose that leaves a table corner in more doubt than this (one sigma) is no pose."""
MANY_REFERENCES = 12
"""With more than so many, trying to do without any two of them takes too long."""
LENS_STRAIN = 35.0
"""Squared distance in sigmas, over nine numbers, beyond which the lens is not the one described."""
PLACING_STEPS_IN = (0.001, 0.002, 0.004, 0.007, 0.012, 0.02, 0.035, 0.06)
"""How badly references may have been laid, tried until the misfit is explained."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A reference tag that lies elsewhere than the others say, by so many pixels."""

    id: int
    off_px: float

    def __str__(self) -> str:
        return f"reference {self.id} disagrees by {self.off_px:.1f} px"


@dataclass(frozen=True, slots=True)
class Lost:
    """Why there is no table in this picture."""

    reason: str
    seen: tuple[int, ...] = ()
    dropped: tuple[Disagreement, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TablePose:
    """The camera over the table: viewpoint, lens as fitted, covariance of both, who said so.

    `covariance` (15 x 15) is in the order of `projection`'s slopes: turn, shift, lens.
    """

    view: Viewpoint
    lens: Lens
    covariance: Floats
    used: tuple[int, ...]
    dropped: tuple[Disagreement, ...]
    reprojection_px: float
    placing_in: float = 0.0
    """How far off (one sigma) the references seem to have been laid."""
    lens_doubtful: bool = False
    """Whether the references contradict the lens of the set-up file."""

    @property
    def estimated(self) -> bool:
        """Whether the lens was never calibrated."""
        return self.lens.estimated

    def pixels(self, points: Floats) -> Floats:
        """Table points (n x 3) in the picture."""
        return self.view.project(points, self.lens)

    def place(self, pixel: Floats, height: float = 0.0, sigma_px: float = 0.5) -> Spot:
        """Where on the plane at that height a pixel looks, and how sure that is."""
        rays = self.lens.rays(np.asarray(pixel, dtype=np.float64).reshape(1, 2))
        spot = self.view.on_plane(rays, height)[0]
        seen = projection(np.array([[spot[0], spot[1], height]]), self.view, self.lens)
        slope = inverse(seen.by_point[0, :, :2])
        noise = sigma_px**2 * np.eye(2)
        noise += seen.by_camera[0] @ self.covariance @ seen.by_camera[0].T
        return Spot(float(spot[0]), float(spot[1]), slope @ noise @ slope.T)

    def sees(self, pixel: Floats) -> bool:
        """Whether the pixel looks below the horizon, at the table's plane."""
        ray = self.lens.rays(np.asarray(pixel, dtype=np.float64).reshape(2))
        return bool((self.view.rotation.T @ [ray[0], ray[1], 1.0])[2] < -1e-3)


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """A point on the table in inches with its covariance (2 x 2)."""

    x: float
    y: float
    covariance: Floats

    @property
    def sigma_in(self) -> float:
        """One standard deviation along the worse direction."""
        return float(np.sqrt(np.linalg.eigvalsh(self.covariance)[-1]))


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
            np.array([sighting.covariance for _, sighting in pairs]).reshape(count, 8, 8),
        )

    def __len__(self) -> int:
        return len(self.tags)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A camera fitted to references: the misfit of each (root mean square, px) and the sums."""

    view: Viewpoint
    lens: Lens
    information: Floats
    misfit_px: Floats
    chi2: float


def table_pose(
    sightings: Iterable[Sighting],
    setup: Setup,
    size: tuple[int, int],
    previous: TablePose | None = None,
) -> TablePose | Lost:
    """The camera's place from one picture, or why it cannot be told.

    `previous`, the pose of the frame before, only shortens the search.
    """
    seen = Seen.of(sightings, setup)
    ids = tuple(sorted(tag.id for tag in seen.tags))
    if len(seen) < FEWEST_REFERENCES:
        return Lost(f"only {len(seen)} of {len(setup.references)} reference tags seen", ids)
    prior = prior_of(setup.lens, size)
    start = started(seen, setup, size, previous)
    if start is None:
        return Lost("the reference tags do not fit any view of the table", ids)
    limits = np.maximum(
        TAG_AGREE_PX,
        TAG_AGREE_SIGMAS * np.sqrt(np.trace(seen.covariances, axis1=1, axis2=2) / 8),
    )
    fit = fitted(seen, np.ones(len(seen)), start, prior)
    if (fit.misfit_px > limits).any():
        fit = gathered(seen, fit, start, prior)
    fit, agree = agreed(seen, fit, fit.misfit_px <= limits, limits, prior)
    if agree.sum() < max(FEWEST_REFERENCES, len(seen) - 2):
        fit, agree = without_some(seen, fit, agree, limits, start, prior)
    used = tuple(sorted(tag.id for tag, fine in zip(seen.tags, agree, strict=True) if fine))
    dropped = tuple(
        Disagreement(tag.id, float(off))
        for tag, off, fine in zip(seen.tags, fit.misfit_px, agree, strict=True)
        if not fine
    )
    if len(used) < FEWEST_REFERENCES:
        return Lost(f"only {len(used)} of {len(seen)} seen reference tags agree", ids, dropped)
    away = prior.lens.parameters - fit.lens.parameters
    strain = float(away @ prior.information @ away)
    if strain > LENS_STRAIN:
        # The references contradict the lens: what the file says deserves less belief.
        prior = Prior(prior.lens, prior.information * len(away) / strain)
        fit = fitted(seen, agree.astype(np.float64), (fit.view, fit.lens), prior)
    misfit = float(np.sqrt((fit.misfit_px[agree] ** 2).mean()))
    if misfit > AGREE_PX:
        return Lost(f"the reference tags disagree by {misfit:.2f} px", ids, dropped)
    fit, covariance, placing = doubted(seen, agree, fit, prior)
    doubtful = strain > LENS_STRAIN
    pose = TablePose(fit.view, fit.lens, covariance, used, dropped, misfit, placing, doubtful)
    vague = vagueness(pose, setup)
    if vague > VAGUE_IN:
        return Lost(f"the reference tags leave the table in doubt by {vague:.1f} in", ids, dropped)
    return pose


# -- what is known about the lens beforehand -------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """The lens as believed beforehand and the information (inverse covariance) of that belief."""

    lens: Lens
    information: Floats


def prior_of(lens: Lens | None, size: tuple[int, int]) -> Prior:
    """What is believed about a calibrated lens, or about any lens at all.

    However well it was calibrated, focusing and warmth change a lens a little: 0.2 % of the
    focal length, 0.1 % of the width for the centre, 0.001 of k1. What the file says about its
    uncertainty comes on top.
    """
    if lens is None:
        guess = Lens.ideal(size, 66.0)
        guess = Lens(size, guess.matrix, guess.distortion, (), True)
        return Prior(guess, belief(guess, 0.35, 0.002, 0.008, (0.08, 0.03, 4e-4, 4e-4, 1e-6)))
    usual = belief(lens, 0.002, 0.0002, 0.001, (1e-3, 5e-4, 3e-5, 3e-5, 1e-6))
    if lens.sigma:
        usual = inverse(inverse(usual) + np.diag(np.array(lens.sigma) ** 2))
    return Prior(lens, usual)


def belief(
    lens: Lens, focal: float, aspect: float, centre: float, distortion: tuple[float, ...]
) -> Floats:
    """Information of independent doubts, as shares of focal length and width; and distortion."""
    fx, fy = lens.matrix[0], lens.matrix[4]
    covariance = np.zeros((9, 9))
    both = np.array([fx, fy]) * focal
    covariance[:2, :2] = np.outer(both, both) + np.diag((np.array([fx, fy]) * aspect) ** 2)
    covariance[2:4, 2:4] = np.eye(2) * (centre * lens.size[0]) ** 2
    covariance[4:, 4:] = np.diag(np.array(distortion) ** 2)
    return inverse(covariance)


# -- fitting ---------------------------------------------------------------------------------


def started(
    seen: Seen, setup: Setup, size: tuple[int, int], previous: TablePose | None
) -> tuple[Viewpoint, Lens] | None:
    """A rough camera to start from: last time's if it still fits, else the best of some guesses."""
    points, pixels = seen.points.reshape(-1, 3), seen.pixels.reshape(-1, 2)
    if previous is not None and previous.lens.size == size:
        off = np.linalg.norm(previous.pixels(points) - pixels, axis=1)
        if float(np.median(off)) < 20:
            return previous.view, previous.lens
    lenses = [setup.lens] if setup.lens is not None else guesses(size)
    best: tuple[float, Viewpoint, Lens] | None = None
    for lens in lenses:
        view = looked(points, pixels, lens)
        if view is None:
            continue
        off = np.linalg.norm(view.project(points, lens) - pixels, axis=1)
        score = float(np.median(off))
        if best is None or score < best[0]:
            best = (score, view, lens)
    return None if best is None else (best[1], best[2])


def guesses(size: tuple[int, int]) -> list[Lens]:
    """Lenses from wide to long, for a camera nobody described."""
    lenses = [Lens.ideal(size, wide) for wide in (35.0, 45.0, 55.0, 66.0, 80.0, 95.0)]
    return [Lens(lens.size, lens.matrix, lens.distortion, (), True) for lens in lenses]


def looked(points: Floats, pixels: Floats, lens: Lens) -> Viewpoint | None:
    """A first viewpoint for a lens; None when none puts all points before the camera."""
    rays = lens.rays(pixels)
    try:
        good, turn, shift = cv2.solvePnP(
            points, rays, np.eye(3), np.zeros(5), flags=cv2.SOLVEPNP_SQPNP
        )
    except cv2.error:
        return None
    if not good or not np.isfinite(turn).all() or not np.isfinite(shift).all():
        return None
    rotation = np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)
    centre = -rotation.T @ np.asarray(shift, dtype=np.float64).reshape(3)
    view = Viewpoint.of(centre, rotation)
    if centre[2] <= 0 or (view.in_camera(points)[:, 2] <= 0).any():
        return None
    return view


def fitted(
    seen: Seen,
    weights: Floats,
    start: tuple[Viewpoint, Lens],
    prior: Prior,
    placing_in: float = 0.0,
) -> Fit:
    """Least squares over the references by weight and the lens by belief (damped Gauss-Newton)."""
    view, lens = start
    damping = 0.0
    now = measured(seen, weights, view, lens, prior, placing_in)
    for _ in range(30):
        information, slope, cost, _, _ = now
        step = solved(information + np.diag(np.diag(information)) * damping, slope)
        trial_view, trial_lens = changed(view, lens, step)
        points = seen.points.reshape(-1, 3)
        if (trial_view.in_camera(points)[:, 2] <= 0).any() or trial_lens.matrix[0] <= 0:
            damping = max(damping * 10, 1e-3)
            continue
        trial = measured(seen, weights, trial_view, trial_lens, prior, placing_in)
        if trial[2] > cost * (1 + 1e-9):
            damping = max(damping * 10, 1e-4)
            if damping > 1e6:
                break
            continue
        view, lens, gain = trial_view, trial_lens, cost - trial[2]
        damping = damping / 10 if damping > 1e-6 else 0.0
        now = trial
        if gain < 1e-7 * max(cost, 1.0):
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
    trust = inverse(seen.covariances + laid(model, count, placing_in))
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


def laid(model: Projection, count: int, placing_in: float) -> Floats:
    """Covariance that each reference gains when it may have been laid a little beside its place."""
    if placing_in <= 0:
        return np.zeros((count, 8, 8))
    moves = model.by_point[:, :, :2].reshape(count, 8, 2)
    moved: Floats = placing_in**2 * (moves @ moves.transpose(0, 2, 1))
    return moved


def gathered(seen: Seen, fit: Fit, start: tuple[Viewpoint, Lens], prior: Prior) -> Fit:
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
    start: tuple[Viewpoint, Lens],
    prior: Prior,
) -> tuple[Fit, Choice]:
    """The same after trying to do without any one reference, then without any two.

    A lens that is estimated on the way bends itself around a moved reference, so that shrinking
    tolerances may settle on the wrong ones.
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
            trial = fitted(seen, present.astype(np.float64), start, prior)
            if (trial.misfit_px[present] <= limits[present]).all():
                return agreed(seen, trial, np.asarray(trial.misfit_px <= limits), limits, prior)
    return fit, agree


def doubted(seen: Seen, agree: Choice, fit: Fit, prior: Prior) -> tuple[Fit, Floats, float]:
    """The fit with its covariance, after asking how well the references were laid."""
    weights = agree.astype(np.float64)
    spare = max(int(agree.sum()) * 8 - 8, 1)
    # Three sigmas of mere chance: a tag taken for badly laid where it was not costs accuracy.
    chance = spare + 3 * math.sqrt(2 * spare)
    placing = 0.0
    for step in PLACING_STEPS_IN:
        if fit.chi2 <= chance:
            break
        placing = step
        fit = fitted(seen, weights, (fit.view, fit.lens), prior, placing)
    covariance = inverse(fit.information)
    return fit, covariance * max(1.0, fit.chi2 / chance), placing


def vagueness(pose: TablePose, setup: Setup) -> float:
    """The worst doubt (one sigma, inches) of a point at the table's corners."""
    corners = [(x, y, 0.0) for x in (0.0, setup.table_width) for y in (0.0, setup.table_depth)]
    ahead = pose.view.in_camera(np.array(corners))[:, 2] > 0.1
    worst = 0.0
    for corner, before in zip(corners, ahead, strict=True):
        if before:
            seen = projection(np.array([corner]), pose.view, pose.lens)
            slope = np.linalg.pinv(seen.by_point[0, :, :2])
            noise = seen.by_camera[0] @ pose.covariance @ seen.by_camera[0].T
            spread = np.linalg.eigvalsh(slope @ noise @ slope.T)[-1]
            worst = max(worst, float(np.sqrt(max(spread, 0.0))))
    return worst
