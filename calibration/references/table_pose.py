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
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera.camera_fit import (
    FEWEST_REFERENCES,
    CameraFit,
    SeenReference,
    fitted,
    focused,
    guessed,
    residuals,
    started,
    started_without_one,
)
from calibration.camera.lens import Lens, Prior, inverse, prior_of
from calibration.camera.viewpoint import CAMERA_SIZE, VIEW_SIZE, Viewpoint, projection
from calibration.references.next_reference import (
    NextReference,
    corner_doubt,
    doubts,
    next_reference,
)
from calibration.references.reference_choice import (
    TOO_FAR_IN,
    ReferenceChoice,
    doubtful,
    rank_choices,
)
from calibration.references.reference_errors import FINE, SCALE, Laying
from calibration.references.rim_layout import meant_table, off_px
from calibration.references.table_lost import (
    Disagreement,
    TableLost,
    another_table,
    contradiction,
    disagreement_text,
    no_squares,
    print_problem,
    print_question,
    too_close,
    too_few,
)
from calibration.references.tray_evidence import SeenTrays, TrayEvidence
from calibration.setup import MM_PER_IN, Setup
from calibration.tags.tag import Sighting
from models.message import say

__all__ = ["FEWEST_REFERENCES", "TablePose", "TableSpot", "table_pose"]

Floats = NDArray[np.float64]

AGREE_PX, AGREE_SIGMAS, MOST_AGREE_PX = 0.5, 2.0, 1.0
"""References whose own shapes miss by more than this (root mean square) are no printed squares:
the first, or so many times the doubt of their corners, but never more than the last."""
ESTIMATED_CAUTION = 3.0
"""A lens estimated from one picture bends in ways that the estimate has no number for: on
photographs its errors are so many times what they should be, squared."""
BENT = 0.2
"""Where such a lens bends what is seen by so much, the doubt is twice as large, squared."""
NEAR_MIDDLE = 0.05
"""So near the middle of the picture (in focal lengths) no lens bends anything."""
VAGUE_IN = 0.75
"""A place of the table in more doubt than this (one sigma) is not known."""
LEAST_KNOWN, GRID = 0.6, 9
"""So much of the table must be known, as a share of so many places across and along; in the rest
no tray is placed."""
CLEARLY = 12.0
"""So much less believable (in squared sigmas) must every other choice of references be."""
APART_IN, APART_SIGMAS = 0.1, 3.0
"""Choices that place the table alike, to within this, need not be told apart."""
FOLLOWING_STEPS = 15
FAR_OFF_PX = 3.0
"""References that half of the first camera's corners miss by more do not lie as the set-up says."""
USUAL_WIDTH_PX = 1920
"""Limits in pixels are those of pictures this wide; finer ones show the same table larger."""
ODD_PRINT, ODD_SIGMAS = 0.006, 3.0
"""A print scale that is worth a word: off by this share, and by so many sigmas."""
LEAST_PRINT, MOST_PRINT = 0.91, 1.07
"""No printer is off by more: then the places of the references are wrong."""
ODD_PLACE_IN, ODD_TURN_DEG = 0.02, 0.6
"""References laid worse than this are worth a word."""


@dataclass(frozen=True, slots=True, eq=False)
class TablePose:
    """The camera over the table: viewpoint, fitted lens, covariance of both, references used.

    `covariance` (15 x 15) is in the order of `projection`'s slopes: turn, shift, lens.
    """

    view: Viewpoint
    lens: Lens
    covariance: Floats
    used: tuple[int, ...]
    dropped: tuple[Disagreement, ...]
    reprojection_px: float
    laying: Laying = Laying()
    """How far off (one sigma) the references seem to have been laid."""
    lens_doubtful: bool = False
    """Whether the references contradict the lens of the set-up file."""
    print_scale: float = 1.0
    """How large the references were printed, as a share of their written size."""
    print_sigma: float = 0.0
    bend: float = 0.0
    """How far the lens moves what was seen from where a plain one would show it, as a share of its
    distance from the middle of the picture."""
    further: NextReference | None = None
    """The reference that would help most, where a part of the table is not known."""
    partly: bool = False
    """Whether a part of the table is not known."""
    told: Prior | None = None
    """The lens as the sizes of the trays' tags told it, where the references alone left it open."""

    @property
    def estimated(self) -> bool:
        """Whether the lens was never calibrated."""
        return self.lens.estimated

    def cautious(self) -> TablePose:
        """The same with the doubt that an estimated lens deserves."""
        if not self.estimated:
            return self
        caution = ESTIMATED_CAUTION * (1.0 + (self.bend / BENT) ** 2)
        return replace(self, covariance=self.covariance * caution)

    @property
    def misprinted(self) -> bool:
        """Whether the references were clearly printed larger or smaller than written."""
        return abs(self.print_scale - 1.0) > max(ODD_PRINT, ODD_SIGMAS * self.print_sigma)

    @property
    def laid_badly(self) -> bool:
        """Whether the references clearly lie beside their places, or turned."""
        turn_deg = math.degrees(self.laying.turn_rad)
        return self.laying.place_in > ODD_PLACE_IN or turn_deg > ODD_TURN_DEG

    def problems(self, setup: Setup) -> list[str]:
        """What is wrong with the references, in plain words, each with what to do about it."""
        told = [str(one) for one in self.dropped]
        if self.misprinted:
            told.append(print_problem(setup, self.print_scale))
        if self.laid_badly:
            place_mm = self.laying.place_in * MM_PER_IN
            turn_deg = math.degrees(self.laying.turn_rad)
            told.append(
                f"your reference tags lie about {place_mm:.1f} mm and {turn_deg:.1f}° off their "
                "places: lay them again, or let calibrate table measure them"
            )
        if self.partly:
            told.append(say("a part of the table is not known: no tray is placed there"))
            if self.further is not None:
                told.append(self.further.words)
        if self.lens_doubtful:
            told.append("the reference tags contradict the lens of the set-up file: calibrate it")
        return told

    def pixels(self, points: Floats) -> Floats:
        """Table points (n x 3) in the picture."""
        return self.view.project(points, self.lens)

    def place(self, pixel: Floats, height: float = 0.0, sigma_px: float = 0.5) -> TableSpot:
        """Where on the plane at that height a pixel looks, and how sure that is."""
        rays = self.lens.rays(np.asarray(pixel, dtype=np.float64).reshape(1, 2))
        spot = self.view.on_plane(rays, height)[0]
        seen = projection(np.array([[spot[0], spot[1], height]]), self.view, self.lens)
        slope = inverse(seen.by_point[0, :, :2])
        noise = sigma_px**2 * np.eye(2)
        noise += seen.by_camera[0] @ self.covariance @ seen.by_camera[0].T
        return TableSpot(float(spot[0]), float(spot[1]), slope @ noise @ slope.T)

    def knows(self, x: float, y: float) -> bool:
        """Whether that place of the table is known well enough for a tray."""
        return not self.partly or bool(self.doubts(np.array([[x, y]]))[0] <= VAGUE_IN)

    def doubts(self, points: Floats) -> Floats:
        """How unsure (one sigma, inches) places of the table (n x 2) are."""
        return doubts(points, self.view, self.lens, self.covariance)

    def sees(self, pixel: Floats) -> bool:
        """Whether the pixel looks below the horizon, at the table's plane."""
        ray = self.lens.rays(np.asarray(pixel, dtype=np.float64).reshape(2))
        return bool((self.view.rotation.T @ [ray[0], ray[1], 1.0])[2] < -1e-3)


@dataclass(frozen=True, slots=True, eq=False)
class TableSpot:
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
) -> TablePose | TableLost:
    """The camera's pose from one picture, or why there is none.

    `previous`, the pose of the frame before, only shortens the search. Sightings of trays' tags are
    asked where the references alone leave too much open.
    """
    sightings = list(sightings)
    seen = SeenReference.of(sightings, setup)
    ids = tuple(sorted(tag.id for tag in seen.tags))
    if len(seen) < FEWEST_REFERENCES:
        return TableLost(too_few(len(seen), setup), ids)
    prior = prior_of(setup.lens, size)
    again = followed(seen, prior, previous) if previous is not None else None
    if again is not None:
        return again
    before = (previous.view, previous.lens) if previous is not None else None
    start = started(seen, setup, size, before) or started_without_one(seen, setup, size)
    if off_px(seen, start) > FAR_OFF_PX:  # so far off, they may well be those of another table
        meant = meant_table(sightings, setup, size, prior)
        if meant is not None:
            return TableLost(another_table(meant), ids, meant=meant)
    if start is None:
        return TableLost(say("the reference tags do not fit any view of the table"), ids)
    choices = rank_choices(seen, setup, start, prior)
    pose = pose_by(choices, seen, setup, size)
    if isinstance(pose, TableLost):
        meant = meant_table(sightings, setup, size, prior)
        return (
            TableLost(another_table(meant), ids, meant=meant) if meant else replace(pose, seen=ids)
        )
    vague = vagueness(pose, setup)
    if vague > VAGUE_IN or setup.lens is None:
        trays = SeenTrays.of(sightings, setup)
        better = with_trays(pose, seen.subset(choices[0].agree), trays, setup, vague > VAGUE_IN)
        if better is not None:
            pose, vague = better, vagueness(better, setup)
    final = replace(pose, bend=most_bent(pose.lens, sightings)).cautious()
    return final if vague <= VAGUE_IN else partly_known(final, setup, ids)


def pose_by(
    choices: list[ReferenceChoice], seen: SeenReference, setup: Setup, size: tuple[int, int]
) -> TablePose | TableLost:
    """The pose that the most probable choice of references tells, or why it cannot be trusted."""
    best = choices[0]
    used, dropped = sides(seen, best.agree, best.fit)
    if best.laying.place_in > TOO_FAR_IN:
        return TableLost(disagreement_text(seen, best.fit), dropped=dropped)
    if 2 * len(used) <= len(seen):
        return TableLost(contradiction(used, dropped), dropped=dropped)
    fit, laying, left_px = settled(seen, best)
    misfit = float(np.sqrt((left_px**2).mean()))
    if not squares(left_px, seen.covariances[best.agree], size):
        return TableLost(no_squares(misfit, setup), dropped=dropped)
    if not LEAST_PRINT <= fit.scale <= MOST_PRINT:
        return TableLost(print_question(setup, fit.scale), dropped=dropped)
    covariance = doubted(fit, len(used))
    pose = TablePose(
        fit.view,
        fit.lens,
        covariance[:CAMERA_SIZE, :CAMERA_SIZE],
        used,
        dropped,
        misfit,
        laying,
        best.lens_doubtful,
        fit.scale,
        float(np.sqrt(covariance[SCALE, SCALE])),
    )
    rivals = [one for one in choices[1:] if one.cost < best.cost + CLEARLY]
    if dropped and any(far_apart(pose, one.fit, setup) for one in rivals):
        reason = say("the reference tags disagree, and it cannot be told which is out of place")
        return TableLost(reason, dropped=dropped)
    return pose


def sides(
    seen: SeenReference, agree: NDArray[np.bool_], fit: CameraFit
) -> tuple[tuple[int, ...], tuple[Disagreement, ...]]:
    """The ids of the references that agree, and those that do not."""
    rows = list(zip(seen.tags, agree, fit.misfit_px, strict=True))
    used = tuple(sorted(tag.id for tag, fine, _ in rows if fine))
    return used, tuple(Disagreement(tag.id, float(off)) for tag, fine, off in rows if not fine)


def squares(left_px: Floats, covariances: Floats, size: tuple[int, int]) -> bool:
    """Whether what the references' own shapes leave over is what printed squares may."""
    doubts_px = np.sqrt(np.trace(covariances, axis1=1, axis2=2) / 8)
    finer = max(1.0, size[0] / USUAL_WIDTH_PX)
    allowed = np.clip(AGREE_SIGMAS * doubts_px, AGREE_PX * finer, MOST_AGREE_PX * finer)
    return float(((left_px / allowed) ** 2).mean()) <= 1.0


def partly_known(pose: TablePose, setup: Setup, seen: tuple[int, ...]) -> TablePose | TableLost:
    """A pose that leaves a part of the table vague, with the reference that would help most; lost
    where too little is known."""
    further = next_reference(pose.view, pose.lens, pose.covariance, setup, seen)
    if known_share(pose, setup) >= LEAST_KNOWN:
        return replace(pose, further=further, partly=True)
    return TableLost(too_close(setup, further), seen, pose.dropped, further=further, vague=True)


def with_trays(
    pose: TablePose, seen: SeenReference, trays: SeenTrays, setup: Setup, vague: bool
) -> TablePose | None:
    """The camera told by the sizes of the trays' tags as well; None where they tell nothing.

    Where the references alone leave the table vague, whatever the tags tell is better. Elsewhere
    it must prove itself on tags that it was not fitted to.
    """
    size = pose.lens.size
    evidence = TrayEvidence(seen, trays, prior_of(setup.lens, size), pose.laying)
    if vague:
        starts = [(pose.view, pose.lens), *guessed(seen, setup, size)]
        found = evidence.fit([(camera, pose.print_scale) for camera in starts])
    else:
        found = evidence.proven_fit((pose.view, pose.lens), pose.print_scale)
    if found is None:
        return None
    return replace(
        pose,
        view=found.view,
        lens=found.lens,
        covariance=found.covariance,
        print_scale=found.scale,
        told=Prior(found.lens, inverse(found.covariance[VIEW_SIZE:, VIEW_SIZE:])),
    )


def followed(seen: SeenReference, prior: Prior, previous: TablePose) -> TablePose | None:
    """The camera that moved a little since, where the same references lie as they did.

    None where that does not explain the picture: then everything is asked anew.
    """
    gone = {one.id for one in previous.dropped}
    agree = np.array([tag.id not in gone for tag in seen.tags])
    used = tuple(sorted(tag.id for tag, fine in zip(seen.tags, agree, strict=True) if fine))
    if used != previous.used or previous.lens.size != prior.lens.size:
        return None
    prior = previous.told or prior
    if previous.lens_doubtful:
        prior = doubtful(prior)
    camera = (previous.view, previous.lens)
    fit = fitted(
        seen,
        agree.astype(np.float64),
        camera,
        prior,
        previous.laying,
        FOLLOWING_STEPS,
        previous.print_scale,
    )
    found = residuals(seen, fit, prior) if fit.settled else None
    if found is None or fit.chi2 > chance(len(used)):
        return None
    left = found.left_px(previous.laying)[agree]
    covariance = doubted(fit, len(used))
    return replace(
        previous,
        view=fit.view,
        lens=fit.lens,
        covariance=covariance[:CAMERA_SIZE, :CAMERA_SIZE],
        dropped=sides(seen, agree, fit)[1],
        reprojection_px=float(np.sqrt((left**2).mean())),
        print_scale=fit.scale,
        print_sigma=float(np.sqrt(covariance[SCALE, SCALE])),
    ).cautious()


def settled(seen: SeenReference, choice: ReferenceChoice) -> tuple[CameraFit, Laying, Floats]:
    """The fit of a choice with the laying that the picture suggests, and what each tag leaves."""
    weights = choice.agree.astype(np.float64)
    fit, laying, left_px = choice.fit, choice.laying, np.full(int(choice.agree.sum()), math.inf)
    for _ in range(3):
        fit = focused(seen, weights, fit.camera, choice.prior, laying, fit.scale)
        found = residuals(seen, fit, choice.prior)
        if found is None:
            return fit, laying, np.full(len(left_px), math.inf)
        rest = found.subset(choice.agree)
        left_px = rest.left_px(laying)
        again, _ = FINE.posterior(rest)
        if abs(again.place_in - laying.place_in) < 0.1 * laying.place_in:
            break
        laying = again
    return fit, laying, left_px


def doubted(fit: CameraFit, count: int) -> Floats:
    """Covariance of a fit to so many references (camera, then print scale)."""
    return inverse(fit.information) * max(1.0, fit.chi2 / chance(count))


def chance(count: int) -> float:
    """The most (three sigmas) that mere chance leaves of so many references, squared sigmas."""
    spare = max(count * 8 - 8, 1)
    return spare + 3 * math.sqrt(2 * spare)


def far_apart(pose: TablePose, other: CameraFit, setup: Setup) -> bool:
    """Whether another camera places what is seen on the table clearly elsewhere."""
    rows = [(x, y, 0.0) for x in (0.1, 0.5, 0.9) for y in (0.1, 0.5, 0.9)]
    points = np.array(rows) * (setup.table_width, setup.table_depth, 0.0)
    pixels = pose.pixels(points)
    there = other.view.on_plane(other.lens.rays(pixels), 0.0)
    away = np.hypot(*(there - points[:, :2]).T)
    sigma = np.array([pose.place(pixel, sigma_px=0.0).sigma_in for pixel in pixels])
    return bool((away > np.maximum(APART_IN, APART_SIGMAS * sigma)).any())


def most_bent(lens: Lens, sightings: Iterable[Sighting]) -> float:
    """How far, as a share, a lens moves the corners of these away from the middle or towards it."""
    pixels = np.concatenate([one.corners_px for one in sightings])
    width, height = lens.matrix[0], lens.matrix[4]
    plain = (pixels - (lens.matrix[2], lens.matrix[5])) / (width, height)
    away = np.hypot(*plain.T)
    share = np.hypot(*lens.rays(pixels).T) / np.maximum(away, 1e-9) - 1.0
    return float(np.abs(share[away > NEAR_MIDDLE]).max(initial=0.0))


def known_share(pose: TablePose, setup: Setup) -> float:
    """How much of the table is known well enough for trays."""
    across = np.linspace(0.0, setup.table_width, GRID)
    along = np.linspace(0.0, setup.table_depth, GRID)
    places = np.stack(np.meshgrid(across, along), axis=-1).reshape(-1, 2)
    return float((pose.doubts(places) <= VAGUE_IN).mean())


def vagueness(pose: TablePose, setup: Setup) -> float:
    """The worst doubt (one sigma, inches) of a point at the table's corners."""
    return corner_doubt(pose.view, pose.lens, pose.covariance, setup)
