"""Where the camera stands over the table, from the reference tags it sees, and how sure that is.

The lens and the camera's place are fitted together, the lens held by what is known about it. A
lens given as exact leaves six unknowns; a lens nobody calibrated is estimated on the way, and
its doubt is in the covariance.

Why not one of the two textbook ways: measured by `python -m bench.heights` (1080p, tags 15 mm
up, corner noise 0.05 px; position error, 95th percentile, thousandths of an inch):

    the lens file is wrong by   pose + plane   homography + shift   fitted together (here)
    nothing                          3.7              3.6                  3.8
    focal length 0.3 %              14.8              4.6                  3.9
    focal length 1 %                46.1              8.6                  4.8
    centre 10 px, both ways         68.1             14.4                  5.2
    k1 0.01                         42.3             42.9                  4.5
    there is no lens file          550              321                    6.8

A homography forgives a wrong focal length on the table's plane, but not a wrong distortion, and
for heights it still needs the camera's centre. Fitting the lens within its doubt lets the
references correct all of it, and hands the rest of the doubt on to every tray's sigma.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.algebra import inverse
from calibration.camera_fit import (
    FEWEST_REFERENCES,
    MANY_REFERENCES,
    Camera,
    Choice,
    Fit,
    Seen,
    agreed,
    best_without,
    fitted,
    focused,
    gathered,
    guessed,
    laying,
    started,
    started_without_one,
)
from calibration.lens import Lens
from calibration.lens_belief import Prior, prior_of
from calibration.projection import LENS_SIZE, projection
from calibration.setup import Setup
from calibration.sighting import Sighting
from calibration.viewpoint import Viewpoint

__all__ = ["FEWEST_REFERENCES", "Disagreement", "Lost", "Spot", "TablePose", "table_pose"]

Floats = NDArray[np.float64]

AGREE_PX = 0.5
"""References that leave more than this (root mean square) do not describe one table."""
TAG_AGREE_PX = 0.75
"""A reference whose corners miss by more than this (and by more than its noise) disagrees."""
TAG_AGREE_SIGMAS = 5.0
VAGUE_IN = 0.75
"""A pose that leaves a table corner in more doubt than this (one sigma) is no pose."""
LENS_STRAIN = 35.0
"""Squared distance in sigmas, over nine numbers, beyond which the lens is not the one described."""
OTHER_STARTS = 3
NO_MATTER_IN = 0.0004
"""References laid as truly as this are as good as exact."""
CLEARLY = 12.0
"""So much less believable (in squared sigmas) must every other choice of references be."""
APART_IN = 0.1
"""Choices that place the table alike, to within this, need not be told apart."""
USUAL_WIDTH_PX = 1920
"""Limits in pixels are those of pictures this wide; finer ones show the same table larger."""


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
    before = (previous.view, previous.lens) if previous is not None else None
    start = started(seen, setup, size, before) or started_without_one(seen, setup, size)
    if start is None:
        return Lost("the reference tags do not fit any view of the table", ids)
    coarse = max(1.0, size[0] / USUAL_WIDTH_PX)
    noise = np.sqrt(np.trace(seen.covariances, axis1=1, axis2=2) / 8)
    limits = np.maximum(TAG_AGREE_PX * coarse, TAG_AGREE_SIGMAS * noise)
    chosen = agreeing(seen, setup, start, prior, limits, previous)
    if isinstance(chosen, str):
        return Lost(chosen, ids)
    fit, agree = chosen
    used = tuple(sorted(tag.id for tag, fine in zip(seen.tags, agree, strict=True) if fine))
    dropped = tuple(
        Disagreement(tag.id, float(off))
        for tag, off, fine in zip(seen.tags, fit.misfit_px, agree, strict=True)
        if not fine
    )
    if len(used) < FEWEST_REFERENCES:
        return Lost(f"only {len(used)} of {len(seen)} seen reference tags agree", ids, dropped)
    strained = strain(fit, prior)
    if strained > LENS_STRAIN:
        # The references contradict the lens: what the file says deserves less belief.
        prior = Prior(prior.lens, prior.information * LENS_SIZE / strained)
        fit = fitted(seen, agree.astype(np.float64), (fit.view, fit.lens), prior)
    misfit = float(np.sqrt((fit.misfit_px[agree] ** 2).mean()))
    if misfit > AGREE_PX * coarse:
        return Lost(f"the reference tags disagree by {misfit:.2f} px", ids, dropped)
    fit, covariance, placing = doubted(seen, agree, fit, prior)
    doubtful = strained > LENS_STRAIN
    pose = TablePose(fit.view, fit.lens, covariance, used, dropped, misfit, placing, doubtful)
    vague = vagueness(pose, setup)
    if vague > VAGUE_IN:
        return Lost(f"the reference tags leave the table in doubt by {vague:.1f} in", ids, dropped)
    return pose


def agreeing(
    seen: Seen,
    setup: Setup,
    start: Camera,
    prior: Prior,
    limits: Floats,
    previous: TablePose | None,
) -> tuple[Fit, Choice] | str:
    """The references that describe one table, and the camera they describe; or why none do."""
    everyone = np.ones(len(seen))
    fit = focused(seen, everyone, start, prior)
    if setup.lens is None and (fit.misfit_px > limits).any():
        # Perhaps it began with too wrong a lens.
        others = guessed(seen, setup, prior.lens.size)[:OTHER_STARTS]
        fits = [fit, *(focused(seen, everyone, other, prior) for other in others)]
        fit = min(fits, key=lambda one: one.cost)
    if (fit.misfit_px <= limits).all() and strain(fit, prior) <= LENS_STRAIN:
        return fit, np.ones(len(seen), dtype=np.bool_)
    if previous is not None and previous.dropped:
        # Who was out of place a moment ago is so still.
        gone = {one.id for one in previous.dropped}
        rest = np.array([tag.id not in gone for tag in seen.tags])
        if FEWEST_REFERENCES <= rest.sum() < len(seen):
            again, agree = agreed(seen, fit, rest, limits, prior)
            if (agree == rest).all():
                return again, agree
    for absent in (1, 2) if len(seen) <= MANY_REFERENCES else ():
        good = best_without(seen, limits, setup, prior, absent)
        if good:
            best, agree = good[0]
            for other, _ in good[1:]:
                if other.cost < best.cost + CLEARLY and apart_in(best, other, setup) > APART_IN:
                    return (
                        "the reference tags disagree, and it cannot be told which is out of place"
                    )
            if best.cost > fit.cost and (fit.misfit_px <= limits).all():
                break
            return agreed(seen, best, agree, limits, prior)
    if (fit.misfit_px > limits).any():
        fit = gathered(seen, fit, start, prior)
    return agreed(seen, fit, np.asarray(fit.misfit_px <= limits), limits, prior)


def strain(fit: Fit, prior: Prior) -> float:
    """How far the fitted lens lies from what was believed, in squared sigmas."""
    away = prior.lens.parameters - fit.lens.parameters
    return float(away @ prior.information @ away)


def apart_in(one: Fit, other: Fit, setup: Setup) -> float:
    """How differently two cameras place what is seen on the table, at most, in inches."""
    rows = [(x, y, 0.0) for x in (0.1, 0.5, 0.9) for y in (0.1, 0.5, 0.9)]
    points = np.array(rows) * (setup.table_width, setup.table_depth, 0.0)
    pixels = one.view.project(points, one.lens)
    there = other.view.on_plane(other.lens.rays(pixels), 0.0)
    return float(np.hypot(*(there - points[:, :2]).T).max())


def doubted(seen: Seen, agree: Choice, fit: Fit, prior: Prior) -> tuple[Fit, Floats, float]:
    """The fit with its covariance, after asking how well the references were laid."""
    weights = agree.astype(np.float64)
    placing = laying(seen.only(agree), fit.view, fit.lens, prior)
    if placing > NO_MATTER_IN:
        fit = focused(seen, weights, (fit.view, fit.lens), prior, placing)
    spare = max(int(agree.sum()) * 8 - 8, 1)
    # Three sigmas of mere chance: what is left beyond that nobody can explain.
    chance = spare + 3 * math.sqrt(2 * spare)
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
