"""A lens from few or level photos of a board: fitted together with what is expected of any lens.

What the photos do not tell stays as expected, with its full doubt. So nobody is refused who shows
the board twice, and nothing is claimed that was not seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.charuco_board import BoardView
from calibration.camera.lens import Lens, Prior, belief, guesses, inverse, prior_of, solved

Floats = NDArray[np.float64]

NOISE_PX = 0.3
"""How exactly corners are found and a board is flat, unless the photos say worse."""
LensSigmas = tuple[float, float, float, tuple[float, ...]]
EXPECTED: LensSigmas = (0.35, 0.002, 0.02, (0.2, 0.3, 2e-3, 2e-3, 1e-6))
"""Sigmas of any lens: focal length, aspect and centre as shares, and the distortion. Wider than
where a table's references are fitted: a board shows the bend well, k1 and k2 only together."""
USUAL: LensSigmas = (0.35, 0.002, 0.01, (0.05, 0.02, 4e-4, 4e-4, 1e-6))
"""Those of usual lenses, for photos that show no rim."""
HELD: LensSigmas = (0.35, 0.002, 0.01, (0.05, 0.02, 4e-4, 4e-4, 1e-6))
"""Those of a lens whose bend is about known; lenses bend so that k2 is about the square of k1."""
MOST_BEND = 0.4
CAUTION = 1.9
"""467 choices of two to five photographs from 15 sets, of boards that bend: so many times the
computed sigma holds 76 % of the errors of the focal length, twice as much 94 %, four times 99 %."""
MOST_STEPS = 60
LENS_SIZE, VIEW_SIZE = 9, 6
FOCALS, CENTRES, DISTORTIONS = slice(0, 2), slice(2, 4), slice(4, 9)


@dataclass(frozen=True, slots=True, eq=False)
class FewFit:
    """The lens with its sigmas, the misfit of all corners, and each photo's tilt in degrees."""

    lens: Lens
    misfit_px: float
    tilts: Floats


def lens_from_few(views: Sequence[BoardView]) -> FewFit:
    """The most likely lens for the photos; the best of several first guesses.

    Where the photos show so little that the lens would fold the picture over itself, it is held to
    what is usual, and then to its first bend with the rim that comes with it.
    """
    size = views[0].size
    found = first = best_fit(views, usual_lens(size, 0.0), EXPECTED)
    if not found.lens.single_valued():
        found = best_fit(views, usual_lens(size, 0.0), USUAL)
    if not found.lens.single_valued():
        bend = first.lens.distortion[0]
        found = best_fit(views, usual_lens(size, min(max(bend, -MOST_BEND), MOST_BEND)), HELD)
    return found


def usual_lens(size: tuple[int, int], bend: float) -> Lens:
    """The lens that is expected, with that k1 and the k2 that comes with it."""
    lens = prior_of(None, size).lens
    return replace(lens, distortion=(bend, bend**2, 0.0, 0.0, 0.0))


def best_fit(views: Sequence[BoardView], usual: Lens, expected: LensSigmas) -> FewFit:
    """The likeliest fit from several first guesses."""
    prior = Prior(usual, belief(usual, *expected))
    guessed = guesses(views[0].size)[1::2]
    fits = [fit_from(views, replace(one, distortion=usual.distortion), prior) for one in guessed]
    return min(fits, key=cost_of)[0]


def cost_of(found: tuple[FewFit, float]) -> float:
    return found[1]


def fit_from(views: Sequence[BoardView], guess: Lens, prior: Prior) -> tuple[FewFit, float]:
    """Damped least squares from one guess: the fit, and its cost in squared sigmas."""
    lens, poses = guess.parameters, [first_pose(view, guess) for view in views]
    damping, noise = 1e-3, NOISE_PX
    now = sums(views, lens, poses, prior.lens.parameters, prior.information, noise)
    for _ in range(MOST_STEPS):
        information, slope, cost, _ = now
        step = solved(information + np.diag(np.diag(information)) * damping, slope)
        trial_lens = lens + step[:LENS_SIZE]
        trial = [
            pose + step[start : start + VIEW_SIZE]
            for pose, start in zip(poses, range(LENS_SIZE, len(step), VIEW_SIZE), strict=True)
        ]
        if min(trial_lens[FOCALS]) <= 1 or min(pose[5] for pose in trial) <= 0:
            damping = max(10 * damping, 1e-3)
            continue
        then = sums(views, trial_lens, trial, prior.lens.parameters, prior.information, noise)
        if not then[2] <= cost:
            damping *= 10
            if damping > 1e6:
                break
            continue
        lens, poses, now, damping = trial_lens, trial, then, damping / 5
        if cost - then[2] < 1e-7 * max(cost, 1.0):
            break
    information, _, cost, rms = now
    # Corners that miss by more than expected tell that much less.
    loose = max(1.0, rms / NOISE_PX)
    information[:LENS_SIZE, :LENS_SIZE] -= prior.information
    information /= loose**2
    information[:LENS_SIZE, :LENS_SIZE] += prior.information
    sigma = CAUTION * np.sqrt(np.maximum(np.diag(inverse(information))[:LENS_SIZE], 0.0))
    found = replace(guess.with_parameters(lens), sigma=tuple(map(float, sigma)), estimated=False)
    tilts = [
        math.degrees(math.acos(min(1.0, abs(float(cv2.Rodrigues(pose[:3])[0][2, 2])))))
        for pose in poses
    ]
    return FewFit(found, rms, np.array(tilts)), cost


def first_pose(view: BoardView, lens: Lens) -> Floats:
    """Turn and shift of the board in a photo, for a lens that is only guessed."""
    points = view.board.points[view.ids]
    _, turn, shift = cv2.solvePnP(points, view.corners_px, lens.k, lens.d, flags=cv2.SOLVEPNP_IPPE)
    return np.concatenate([np.asarray(turn).ravel(), np.asarray(shift).ravel()])


def sums(
    views: Sequence[BoardView],
    lens: Floats,
    poses: Sequence[Floats],
    expected: Floats,
    trust: Floats,
    noise: float,
) -> tuple[Floats, Floats, float, float]:
    """Information, slope and cost at a lens and poses, and the root mean square misfit (px)."""
    size = LENS_SIZE + VIEW_SIZE * len(views)
    information, slope = np.zeros((size, size)), np.zeros(size)
    matrix = np.array([[lens[0], 0, lens[2]], [0, lens[1], lens[3]], [0, 0, 1.0]])
    squares, count = 0.0, 0
    for number, (view, pose) in enumerate(zip(views, poses, strict=True)):
        points = view.board.points[view.ids]
        seen, slopes = cv2.projectPoints(points, pose[:3], pose[3:], matrix, lens[DISTORTIONS])
        off = (view.corners_px - np.asarray(seen, dtype=np.float64).reshape(-1, 2)).ravel()
        by = np.asarray(slopes, dtype=np.float64)
        here = LENS_SIZE + VIEW_SIZE * number
        # OpenCV's order: turn, shift, focal lengths, centre, distortion.
        places = [*range(here, here + VIEW_SIZE), *range(LENS_SIZE)]
        by = by[:, : VIEW_SIZE + LENS_SIZE] / noise
        information[np.ix_(places, places)] += by.T @ by
        slope[places] += by.T @ (off / noise)
        squares, count = squares + float(off @ off), count + len(off) // 2
    away = expected - lens
    information[:LENS_SIZE, :LENS_SIZE] += trust
    slope[:LENS_SIZE] += trust @ away
    cost = squares / noise**2 + float(away @ trust @ away)
    return information, slope, cost, math.sqrt(squares / max(count, 1))
