"""How the reference tags were laid: each a little beside its place, a little turned, all printed
by one printer.

The errors of the single references are unknowns with Gaussian priors. They enter the camera fit
as covariance of the corners (which is the same as to estimate and marginalise them); how wide the
priors are is estimated from the picture itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens, Prior, inverse, solved
from calibration.camera.viewpoint import CAMERA_SIZE, VIEW_SIZE, Viewpoint, projection
from calibration.setup import SIZE_SIGMA

Floats = NDArray[np.float64]

PRINT_SIGMA = 0.03
"""How far a printer may be off, as a share: "fit to page" prints 94 to 103 %."""
FIT_SIZE = CAMERA_SIZE + 1
"""Numbers of a fit to references: turn, shift, lens, and the common print scale."""
SCALE = CAMERA_SIZE

PLACE_STEPS_IN = (0.0, 0.001, 0.002, 0.004, 0.008, 0.015, 0.03, 0.06, 0.1, 0.16)
PLACE_BELIEF = (0.3, 0.05, 0.05, 0.06, 0.07, 0.08, 0.1, 0.17, 0.1, 0.02)
"""How far beside their places references may lie (one sigma), and how likely that is beforehand."""
TURN_STEPS_DEG = (0.0, 0.06, 0.12, 0.25, 0.5, 1.0, 1.8, 3.0)
TURN_PER_IN = 17.0
"""Hands that shift a tag by 0.06 in also turn it by about a degree."""
TURN_SPREAD = math.log(3.0)
ASTRAY_IN, ASTRAY_RAD = 3.0, 0.5
"""How far off a reference is that somebody pushed away, or that was read wrongly."""
ASTRAY_BELIEF = 0.02


@dataclass(frozen=True, slots=True)
class Laying:
    """How far off the references lie: one sigma of the shift (inches) and of the turn (radians)."""

    place_in: float = 0.0
    turn_rad: float = 0.0


EXACT = Laying()
BY_HAND = Laying(0.06, math.radians(1.0))


@dataclass(frozen=True, slots=True, eq=False)
class TagSlopes:
    """How the corners of n references move in the picture (px) with their own errors."""

    shift: Floats
    """By x and y (n x 8 x 2)."""
    turn: Floats
    """By a turn about the own centre (n x 8)."""
    size: Floats
    """By the share of its size (n x 8)."""

    @classmethod
    def of(cls, by_point: Floats, arms: Floats) -> TagSlopes:
        """From the slopes by point and the corners' arms (n x 4 x 3) from the tags' centres."""
        count = len(arms)
        spun = np.stack([-arms[..., 1], arms[..., 0], np.zeros_like(arms[..., 0])], axis=-1)
        return cls(
            by_point[:, :, :2].reshape(count, 8, 2),
            (by_point @ spun.reshape(-1, 3, 1)).reshape(count, 8),
            (by_point @ arms.reshape(-1, 3, 1)).reshape(count, 8),
        )

    def spread(self, laying: Laying) -> Floats:
        """Covariance (n x 8 x 8) that the references' own errors add to their corners."""
        total = SIZE_SIGMA**2 * outer(self.size)
        if laying.place_in > 0:
            total = total + laying.place_in**2 * (self.shift @ self.shift.transpose(0, 2, 1))
        if laying.turn_rad > 0:
            total = total + laying.turn_rad**2 * outer(self.turn)
        return total


def outer(rows: Floats) -> Floats:
    """The outer product of each row with itself."""
    return rows[:, :, None] * rows[:, None, :]


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """Residuals of n references in one picture, with all derivatives."""

    off: Floats
    slopes: Floats
    own: TagSlopes
    covariances: Floats
    scale: float
    lens_away: Floats
    prior: Prior

    @classmethod
    def at(
        cls,
        points: Floats,
        pixels: Floats,
        covariances: Floats,
        view: Viewpoint,
        lens: Lens,
        scale: float,
        prior: Prior,
    ) -> Residuals | None:
        """The corners (n x 4 x 3, written size) against their pixels; None where nothing fits."""
        count = len(points)
        centres = points.mean(axis=1, keepdims=True)
        arms = points - centres
        model = projection((centres + arms * scale).reshape(-1, 3), view, lens)
        if not (np.isfinite(model.by_camera).all() and np.abs(model.pixels).max() < 1e9):
            return None
        own = TagSlopes.of(model.by_point, arms)
        by_camera = model.by_camera.reshape(count, 8, CAMERA_SIZE)
        return cls(
            (pixels.reshape(-1, 2) - model.pixels).reshape(count, 8),
            np.concatenate([by_camera, own.size[:, :, None]], axis=2),
            own,
            covariances,
            scale,
            prior.lens.parameters - lens.parameters,
            prior,
        )

    def subset(self, choice: NDArray[np.bool_]) -> Residuals:
        """Some of the references."""
        own = TagSlopes(self.own.shift[choice], self.own.turn[choice], self.own.size[choice])
        return Residuals(
            self.off[choice],
            self.slopes[choice],
            own,
            self.covariances[choice],
            self.scale,
            self.lens_away,
            self.prior,
        )

    def believed(self, information: Floats, slope: Floats) -> float:
        """Add the priors of lens and print scale to (stacks of) normal equations; their cost."""
        belief = self.prior.information
        information[..., VIEW_SIZE:CAMERA_SIZE, VIEW_SIZE:CAMERA_SIZE] += belief
        slope[..., VIEW_SIZE:CAMERA_SIZE] += belief @ self.lens_away
        information[..., SCALE, SCALE] += 1 / PRINT_SIGMA**2
        slope[..., SCALE] += (1.0 - self.scale) / PRINT_SIGMA**2
        cost = float(self.lens_away @ belief @ self.lens_away)
        return cost + ((1.0 - self.scale) / PRINT_SIGMA) ** 2

    def left_px(self, laying: Laying) -> Floats:
        """What each reference leaves (rms, px) once its own likeliest shift and turn are allowed.

        The rest is the share of the residual that its corner noise explains.
        """
        base = self.covariances + self.own.spread(EXACT)
        trust = inverse(self.covariances + self.own.spread(laying))
        rest = (base @ trust @ self.off[:, :, None])[..., 0]
        return np.asarray(np.sqrt((rest**2).sum(axis=1) / 4))

    def cost_of(self, steps: list[Laying]) -> Floats:
        """-2 log evidence of each way of laying, with camera, lens and print scale left free."""
        shift = self.own.shift @ self.own.shift.transpose(0, 2, 1)
        turn = outer(self.own.turn)
        base = self.covariances + self.own.spread(EXACT)
        places = np.array([one.place_in for one in steps])[:, None, None, None]
        turns = np.array([one.turn_rad for one in steps])[:, None, None, None]
        spread = base + places**2 * shift + turns**2 * turn
        trust = inverse(spread)
        count = self.off.size
        flat = self.slopes.reshape(count, FIT_SIZE)
        weighted = (trust @ self.slopes).reshape(len(steps), count, FIT_SIZE)
        information = flat.T @ weighted
        slope = self.off.reshape(count) @ weighted
        prior_cost = self.believed(information, slope)
        pull = (trust @ self.off[:, :, None])[..., 0]
        cost = (pull * self.off).sum(axis=(1, 2)) + prior_cost
        cost -= (slope * solved(information, slope[..., None])[..., 0]).sum(axis=1)
        cost += np.linalg.slogdet(spread)[1].sum(axis=1) + np.linalg.slogdet(information)[1]
        return np.where(np.isfinite(cost), cost, NO_EVIDENCE)

    def astray_cost(self) -> Floats:
        """-2 log evidence of each reference by itself, if it lies anywhere."""
        broad = Laying(ASTRAY_IN, ASTRAY_RAD)
        spread = self.covariances + self.own.spread(EXACT) + self.own.spread(broad)
        return np.asarray(8.0 + np.linalg.slogdet(spread)[1] - 2 * math.log(ASTRAY_BELIEF))


NO_EVIDENCE = 1e12
"""The cost of a fit whose matrices have no inverse: it explains nothing."""


@dataclass(frozen=True, slots=True)
class LayingBelief:
    """A grid of layings (shift and turn) with their prior probabilities."""

    steps: tuple[Laying, ...]
    weights: tuple[float, ...]

    def posterior(self, residuals: Residuals) -> tuple[Laying, float]:
        """The expected (root mean square) laying after a picture, and its -2 log evidence."""
        cost = residuals.cost_of(list(self.steps))
        lowest = float(cost.min())
        weights = np.array(self.weights) * np.exp(-0.5 * (cost - lowest))
        total = float(weights.sum())
        place = np.array([one.place_in for one in self.steps])
        turn = np.array([one.turn_rad for one in self.steps])
        laying = Laying(
            math.sqrt(float(weights @ place**2) / total),
            math.sqrt(float(weights @ turn**2) / total),
        )
        return laying, lowest - 2 * math.log(total)


def belief(fine: bool) -> LayingBelief:
    """All pairs of shift and turn (large shifts with large turns), or a few likely pairs."""
    steps, weights = [], []
    for place, share in zip(PLACE_STEPS_IN, PLACE_BELIEF, strict=True):
        usual = math.log(max(TURN_PER_IN * place, TURN_STEPS_DEG[1] / 2))
        logs = [math.log(turn or TURN_STEPS_DEG[1] / 2) for turn in TURN_STEPS_DEG]
        likely = [math.exp(-0.5 * ((one - usual) / TURN_SPREAD) ** 2) for one in logs]
        chosen = range(len(logs)) if fine else [int(np.argmax(likely))]
        total = sum(likely[number] for number in chosen)
        for number in chosen:
            steps.append(Laying(place, math.radians(TURN_STEPS_DEG[number])))
            weights.append(share * likely[number] / total)
    return LayingBelief(tuple(steps), tuple(weights))


FINE, COARSE = belief(fine=True), belief(fine=False)
