"""Choose the references that describe one table, by the evidence for every choice.

A choice says which references are outliers (pushed away, misread), how accurately the others were
laid, and whether the lens of the set-up file is right.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera.camera_fit import (
    FEWEST_REFERENCES,
    Camera,
    CameraFit,
    SeenReference,
    fitted,
    focused,
    guessed,
    residuals,
    started,
)
from calibration.camera.lens import Prior
from calibration.references.reference_errors import BY_HAND, COARSE, Laying
from calibration.setup import Setup

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

CAREFUL_IN = 0.006
"""References that lie this well leave nothing to search for."""
CARELESS_IN, TOO_FAR_IN = 0.08, 0.13
"""Beyond the first somebody probably pushed references, beyond the second they are no table."""
MANY_REFERENCES, SOME_REFERENCES = 12, 9
"""With more than so many, trying to do without any two, or any three, takes too long."""
TRIAL_STEPS = 8
OTHER_STARTS = 3
STARTS_OFF_PX = 3.0
LENS_DOUBT, LENS_DOUBT_BELIEF = 100.0, 0.05
"""How much wider the doubt of a lens is that was calibrated wrongly, and how likely that is."""
NARROW = 1.6
WORTH_A_FIT = 6.0
NO_TABLE = Laying(math.inf, math.inf)


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceChoice:
    """Which references agree, the camera they describe, how they lie, and -2 log evidence."""

    fit: CameraFit
    agree: Mask
    laying: Laying
    prior: Prior
    cost: float
    lens_doubtful: bool = False


def rank_choices(
    seen: SeenReference, setup: Setup, start: Camera, prior: Prior
) -> list[ReferenceChoice]:
    """Every choice that was tried, most probable first."""
    everyone = np.ones(len(seen), dtype=np.bool_)
    first = rate(seen, everyone, all_fitted(seen, setup, start, prior), prior)
    if first.laying.place_in <= CAREFUL_IN:
        return [first]
    found = [first]
    if not prior.lens.estimated:
        found.append(with_doubtful_lens(seen, first))
    for absent in (1, 2, 3):
        if len(seen) > (0, 99, MANY_REFERENCES, SOME_REFERENCES)[absent]:
            break
        if absent == 3 and best_of(found).laying.place_in <= CARELESS_IN:
            break
        worth = (
            likely_choices(seen, first, absent) if first.laying.place_in <= CARELESS_IN else None
        )
        found += without(seen, setup, prior, absent, worth)
    if best_of(found).laying.place_in > CARELESS_IN:
        rest = gathered(seen, first.fit, prior)
        if rest.sum() >= FEWEST_REFERENCES:
            found.append(try_choice(seen, rest, first.fit.camera, prior))
    return sorted(found, key=lambda one: one.cost)


def best_of(found: Iterable[ReferenceChoice]) -> ReferenceChoice:
    """The most probable of some choices."""
    return min(found, key=lambda one: one.cost)


def all_fitted(seen: SeenReference, setup: Setup, start: Camera, prior: Prior) -> CameraFit:
    """The camera that fits all references best, each allowed to lie a little off."""
    weights = np.ones(len(seen))
    fit = focused(seen, weights, start, prior, BY_HAND)
    if setup.lens is None and float(np.median(fit.misfit_px)) > STARTS_OFF_PX:
        # Perhaps it began with too wrong a lens.
        others = guessed(seen, setup, prior.lens.size)[:OTHER_STARTS]
        fits = [fit, *(focused(seen, weights, other, prior, BY_HAND) for other in others)]
        fit = min(fits, key=lambda one: one.cost)
    return fit


def rate(
    seen: SeenReference, agree: Mask, fit: CameraFit, prior: Prior, lens_doubtful: bool = False
) -> ReferenceChoice:
    """The evidence for a choice, camera and lens left free around a fit."""
    found = residuals(seen, fit, prior)
    if found is None:
        return ReferenceChoice(fit, agree, NO_TABLE, prior, math.inf, lens_doubtful)
    laying, cost = COARSE.posterior(found.subset(agree))
    cost += float(found.astray_cost()[~agree].sum())
    cost -= float(np.linalg.slogdet(prior.information)[1])
    if lens_doubtful:
        cost -= 2 * math.log(LENS_DOUBT_BELIEF)
    return ReferenceChoice(fit, agree, laying, prior, cost, lens_doubtful)


def try_choice(seen: SeenReference, agree: Mask, start: Camera, prior: Prior) -> ReferenceChoice:
    weights = agree.astype(np.float64)
    fit = fitted(seen, weights, start, prior, BY_HAND, TRIAL_STEPS)
    return rate(seen, agree, fit, prior)


def doubtful(prior: Prior) -> Prior:
    """The lens with larger sigmas than its file says."""
    return Prior(prior.lens, prior.information / LENS_DOUBT)


def with_doubtful_lens(seen: SeenReference, choice: ReferenceChoice) -> ReferenceChoice:
    """The same references with larger sigmas of the lens."""
    wide = doubtful(choice.prior)
    weights = choice.agree.astype(np.float64)
    fit = fitted(seen, weights, choice.fit.camera, wide, BY_HAND)
    close = fitted(seen, weights, fit.camera, wide, Laying(CAREFUL_IN, 0.0), scale=fit.scale)
    return rate(seen, choice.agree, close, wide, lens_doubtful=True)


def combinations(count: int, absent: int) -> list[Mask]:
    """Every choice that leaves out so many references."""
    rows = []
    for gone in itertools.combinations(range(count), absent):
        agree = np.ones(count, dtype=np.bool_)
        agree[list(gone)] = False
        if agree.sum() >= FEWEST_REFERENCES:
            rows.append(agree)
    return rows


def likely_choices(seen: SeenReference, first: ReferenceChoice, absent: int) -> list[Mask]:
    """Choices that may beat the one with everybody, judged around its fit.

    Where all references lie within a few millimetres that fit is close enough to any other.
    """
    rows = combinations(len(seen), absent)
    rated = [rate(seen, agree, first.fit, first.prior) for agree in rows]
    return [one.agree for one in rated if one.cost < first.cost + WORTH_A_FIT]


def without(
    seen: SeenReference, setup: Setup, prior: Prior, absent: int, worth: list[Mask] | None
) -> list[ReferenceChoice]:
    """The choices with so many references astray, or those of them that are worth a fit."""
    found = []
    for agree in combinations(len(seen), absent) if worth is None else worth:
        start = started(seen.subset(agree), setup, prior.lens.size, None)
        if start is not None:
            found.append(try_choice(seen, agree, start, prior))
    return found


def gathered(seen: SeenReference, fit: CameraFit, prior: Prior) -> Mask:
    """The references that agree, where many do not.

    Weights of the worst ones fall while the tolerance shrinks, so that none is excluded too early.
    """
    noise = np.sqrt(np.trace(seen.covariances, axis1=1, axis2=2) / 8)
    finest = max(0.4, 3 * float(np.median(noise)))
    tolerance = max(float(np.max(fit.misfit_px)), 2.0)
    camera = fit.camera
    while tolerance > finest:
        weights = (tolerance**2 / (tolerance**2 + fit.misfit_px**2)) ** 2
        fit = fitted(seen, weights, camera, prior)
        camera = fit.camera
        tolerance /= NARROW
    return np.asarray(fit.misfit_px <= 2 * finest)
