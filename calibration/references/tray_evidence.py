"""Tags of trays as evidence for the camera: where they stand is unknown, how large they are is not.

Few references near the middle leave the lens open, and with it the rim of the table. Each tag of a
tray tells how large and how slanted the picture shows the table where it stands. So lens and
camera are fitted to the references and to the trays' tags together, every tag's own place and
heading left free, and its size, its level and what all trays' tags have in common (one printer) in
doubt.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera.camera_fit import FLOOR_PX, Camera, SeenReference
from calibration.camera.lens import Lens, Prior, inverse, solved
from calibration.camera.viewpoint import CAMERA_SIZE, Viewpoint, changed, projection
from calibration.references.reference_errors import (
    PRINT_SIGMA,
    SCALE,
    Laying,
    Residuals,
    outer,
)
from calibration.setup import Setup
from calibration.tags.tag import UNIT_CORNERS, Sighting

Floats = NDArray[np.float64]

TRAY_SCALE = SCALE + 1
SIZE = TRAY_SCALE + 1
"""Numbers of a fit with trays: those of a fit to references, and the trays' print scale."""
ANYWHERE = Laying(30.0, 1.0)
"""How far off a tray's tag may stand and turn from where it was taken to stand."""
SIZE_SHARE, LEVEL_RAD = 0.01, 0.02
"""How well the size of a single tag is known (ink, paper), and how level it stands."""
TELLING = 5
"""Numbers that a tag tells beyond its place and heading."""
ODD = 25.0
"""A tag that contradicts the others by so much (squared sigmas) is believed half as much."""
FEWEST_TAGS, FEWEST_HELD = 3, 4
"""So many tags are needed for a fit, and so many others to prove one."""
PROVEN_SIGMAS = 2.0
"""A lens told by half of the tags is believed if it explains the others so much better."""
FIRST_STEPS, MOST_STEPS = 6, 40
OUT_OF_REACH = 1e-3
"""A ray that sinks less than this share of its length meets the table nowhere near."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenTrays:
    """The tags of trays in one picture: edge and height of each (in), corners, covariances."""

    edges: Floats
    heights: Floats
    pixels: Floats
    covariances: Floats

    @classmethod
    def of(cls, sightings: Iterable[Sighting], setup: Setup) -> SeenTrays:
        """The sightings that are tags of this set-up's trays."""
        own = {tag.id: tag for tray in setup.trays for tag in tray.tags}
        pairs = [(own[one.id], one) for one in sightings if one.id in own]
        count = len(pairs)
        return cls(
            np.array([tag.size_in for tag, _ in pairs]),
            np.array([tag.up for tag, _ in pairs]),
            np.array([one.corners_px for _, one in pairs]).reshape(count, 4, 2),
            np.array([one.covariance for _, one in pairs]).reshape(count, 8, 8)
            + np.eye(8) * FLOOR_PX**2,
        )

    def __len__(self) -> int:
        return len(self.edges)

    def every_other(self, first: int) -> SeenTrays:
        """Half of the tags."""
        half = slice(first, None, 2)
        return SeenTrays(
            self.edges[half], self.heights[half], self.pixels[half], self.covariances[half]
        )

    def corners(self, camera: Camera) -> Floats | None:
        """Where the tags stand (n x 4 x 3) if the camera is this one; None where they cannot."""
        view, lens = camera
        rays = lens.rays(self.pixels)
        down = rays @ view.rotation[:2, 2] + view.rotation[2, 2]
        if not np.isfinite(rays).all() or (down > -OUT_OF_REACH).any():
            return None
        level = view.on_plane(rays, 0.0)
        # Similar triangles: the same rays meet a higher plane so much earlier.
        foot, share = view.centre[:2], 1 - self.heights / view.centre[2]
        level = foot + (level - foot) * share[:, None, None]
        middle = level.mean(axis=1)
        arms = level - middle[:, None]
        drawn = UNIT_CORNERS[:, 0] + 1j * UNIT_CORNERS[:, 1]
        turn = ((arms[..., 0] + 1j * arms[..., 1]) * drawn.conj()).sum(axis=1)
        turn /= np.maximum(np.abs(turn), 1e-12)
        square = self.edges[:, None] * turn[:, None] * drawn
        up = np.broadcast_to(self.heights[:, None], square.shape)
        return np.stack(
            [middle[:, :1] + square.real, middle[:, 1:] + square.imag, up], axis=-1
        ).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class EvidenceFit:
    """A camera fitted to references and trays: its covariance (15 x 15), and the cost."""

    view: Viewpoint
    lens: Lens
    scale: float
    covariance: Floats
    cost: float
    believed: float
    """How many of the trays' tags agree."""

    @property
    def camera(self) -> Camera:
        return self.view, self.lens


@dataclass(frozen=True, slots=True, eq=False)
class TrayEvidence:
    """References and trays of one picture with what is known of the lens."""

    seen: SeenReference
    trays: SeenTrays
    prior: Prior
    laying: Laying

    def fit(self, starts: Sequence[tuple[Camera, float]]) -> EvidenceFit | None:
        """The most likely camera, from some first guesses with their print scales."""
        if len(self.trays) < FEWEST_TAGS:
            return None
        tried = [self.refined((camera, scale, 1.0), FIRST_STEPS) for camera, scale in starts]
        known = [one for one in tried if one is not None]
        if not known:
            return None
        best = self.refined(min(known, key=lambda one: one[1][2])[0], MOST_STEPS)
        if best is None:
            return None
        (camera, scale, _), (information, _, cost, strain, weights) = best
        # What the tags leave unexplained beyond chance makes all of it so much less sure.
        restless = float(weights @ strain) / (TELLING * max(float(weights.sum()), 1e-9))
        covariance = inverse(information)[:CAMERA_SIZE, :CAMERA_SIZE] * max(1.0, restless)
        return EvidenceFit(*camera, scale, covariance, cost, float(weights.sum()))

    def proven_fit(self, camera: Camera, scale: float) -> EvidenceFit | None:
        """The same from one camera, if cameras told by half of the trays' tags explain the other
        half significantly better than that one does; None where they do not."""
        halves = [replace(self, trays=self.trays.every_other(first)) for first in (0, 1)]
        if min(len(half.trays) for half in halves) < FEWEST_HELD:
            return None
        gains = []
        for known, held in (halves, halves[::-1]):
            told = known.fit([(camera, scale)])
            if told is None:
                return None
            before, after = known.costs_of(held, camera), known.costs_of(held, told.camera)
            if before is None or after is None:
                return None
            gains.append(before - after)
        gain = np.concatenate(gains)
        if gain.mean() < PROVEN_SIGMAS * gain.std(ddof=1) / np.sqrt(len(gain)):
            return None
        return self.fit([(camera, scale)])

    def costs_of(self, held: TrayEvidence, camera: Camera) -> Floats | None:
        """What a camera leaves of each of the held tags, printed as these tags were."""
        measured = self.free(camera, 1.0)
        if measured is None:
            return None
        information, slope, _ = normal(*measured)
        scale = 1 + slope[SCALE] / (information[SCALE, SCALE] + 1 / PRINT_SIGMA**2)
        judged = held.free(camera, float(scale))
        return None if judged is None else odd_cost(normal(*judged)[2])

    def free(self, camera: Camera, scale: float) -> tuple[Residuals, Floats] | None:
        """Residuals of the trays' tags with their weights, where a camera can see them so."""
        points = self.trays.corners(camera)
        if points is None:
            return None
        found = self.residuals(points, self.trays, camera, scale)
        if found is None:
            return None
        return found, inverse(self.trays.covariances + self.freedom(found, points, camera))

    def refined(self, start: State, steps: int) -> tuple[State, Sums] | None:
        """Damped Gauss-Newton from one state."""
        state, damping = start, 1e-4
        now = self.sums(state)
        if now is None:
            return None
        for _ in range(steps):
            information, slope, cost, _, _ = now
            step = solved(information + np.diag(np.diag(information)) * damping, slope)
            view, lens = changed(*state[0], step[:CAMERA_SIZE])
            trial = (
                (view, lens),
                state[1] + float(step[SCALE]),
                state[2] + float(step[TRAY_SCALE]),
            )
            then = self.sums(trial) if min(lens.matrix[0], lens.matrix[4]) > 1 else None
            if then is None or not then[2] <= cost * (1 + 1e-6):
                damping = max(10 * damping, 1e-4)
                if damping > 1e7:
                    break
                continue
            state, now, damping = trial, then, damping / 10
            if cost - then[2] < 1e-6 * max(cost, 1.0):
                break
        return state, now

    def sums(self, state: State) -> Sums | None:
        """Information, slope and cost of a state; each tray tag's strain and weight."""
        camera, scale, tray_scale = state
        behind = (camera[0].in_camera(self.seen.points.reshape(-1, 3))[:, 2] <= 0).any()
        if behind or camera[0].position[2] <= 0:
            return None
        laid = self.residuals(self.seen.points, self.seen, camera, scale)
        loose = self.free(camera, tray_scale)
        if laid is None or loose is None:
            return None
        free, trays_trust = loose
        information, slope = np.zeros((SIZE, SIZE)), np.zeros(SIZE)
        trust = inverse(self.seen.covariances + laid.own.spread(self.laying))
        added = normal(laid, trust)
        information[:TRAY_SCALE, :TRAY_SCALE] += added[0]
        slope[:TRAY_SCALE] += added[1]
        cost = float(added[2].sum())
        cost += laid.believed(information[:TRAY_SCALE, :TRAY_SCALE], slope[:TRAY_SCALE])
        strain = normal(free, trays_trust)[2]
        weights = 1 / (1 + strain / ODD)
        added = normal(free, trays_trust * weights[:, None, None])
        places = [*range(CAMERA_SIZE), TRAY_SCALE]
        information[np.ix_(places, places)] += added[0]
        slope[places] += added[1]
        cost += float(odd_cost(strain).sum())
        information[TRAY_SCALE, TRAY_SCALE] += 1 / PRINT_SIGMA**2
        slope[TRAY_SCALE] += (1 - tray_scale) / PRINT_SIGMA**2
        cost += ((1 - tray_scale) / PRINT_SIGMA) ** 2
        return information, slope, cost, strain, weights

    def residuals(
        self, points: Floats, seen: SeenReference | SeenTrays, camera: Camera, scale: float
    ) -> Residuals | None:
        return Residuals.at(points, seen.pixels, seen.covariances, *camera, scale, self.prior)

    def freedom(self, free: Residuals, points: Floats, camera: Camera) -> Floats:
        """Covariance (n x 8 x 8) of tags that stand anywhere, of about their size, about level."""
        arms = points - points.mean(axis=1, keepdims=True)
        by_height = projection(points.reshape(-1, 3), *camera).by_point[:, :, 2]
        by_height = by_height.reshape(len(points), 4, 2)
        total = free.own.spread(ANYWHERE) + SIZE_SHARE**2 * outer(free.own.size)
        for axis in (0, 1):
            lean = (by_height * arms[..., axis, None]).reshape(len(points), 8)
            total = total + LEVEL_RAD**2 * outer(lean)
        return total


def odd_cost(strain: Floats) -> Floats:
    """What tags cost that are strained so: one that contradicts the others counts little."""
    return np.asarray(ODD * np.log1p(strain / ODD))


def normal(found: Residuals, trust: Floats) -> tuple[Floats, Floats, Floats]:
    """Information and slope of residuals with these weights (n x 8 x 8), and each one's strain."""
    width = found.slopes.shape[2]
    flat = found.slopes.reshape(-1, width)
    pull = (trust @ found.off[:, :, None])[..., 0]
    information: Floats = flat.T @ (trust @ found.slopes).reshape(-1, width)
    return information, flat.T @ pull.reshape(-1), (pull * found.off).sum(axis=1)


State = tuple[Camera, float, float]
"""Camera, print scale of the references, print scale of the trays' tags."""
Sums = tuple[Floats, Floats, float, Floats, Floats]
