"""The prior of a lens: expected parameters and their information, before any picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.algebra import inverse
from calibration.camera.lens import Lens

Floats = NDArray[np.float64]

USUAL_WIDE_DEG = 66.0
USUAL_FOCAL = 0.5 / math.tan(math.radians(USUAL_WIDE_DEG) / 2)
"""Lens of a usual tablet, and its focal length as a share of the picture's width."""


HELD = 1e5
"""How firmly a focal length is held that is taken as given: its share of one sigma."""


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """The expected lens and the information (inverse covariance) of its parameters."""

    lens: Lens
    information: Floats

    def held(self, focal_px: float) -> Prior:
        """The same prior with the focal length fixed."""
        now = self.lens.parameters
        share = focal_px / now[0]
        information = self.information.copy()
        information[:2] = information[:, :2] = 0.0
        information[:2, :2] = np.eye(2) * (HELD / focal_px) ** 2
        now[:2] *= share
        return Prior(self.lens.with_parameters(now), information)


def prior_of(lens: Lens | None, size: tuple[int, int]) -> Prior:
    """The prior of a calibrated lens, or of an unknown one.

    However well it was calibrated, focusing and warmth change a lens a little: 0.2 % of the
    focal length, 0.1 % of the width for the centre, 0.001 of k1. What the file says about its
    uncertainty comes on top.
    """
    if lens is None:
        guess = Lens.ideal(size, USUAL_WIDE_DEG)
        guess = Lens(size, guess.matrix, guess.distortion, (), True)
        return Prior(guess, belief(guess, 0.35, 0.002, 0.008, (0.08, 0.03, 4e-4, 4e-4, 1e-6)))
    if lens.estimated:
        return Prior(lens, belief(lens, 0.02, 0.002, 0.008, (0.03, 0.02, 4e-4, 4e-4, 1e-6)))
    usual = belief(lens, 0.002, 0.0002, 0.001, (1e-3, 5e-4, 3e-5, 3e-5, 1e-6))
    if lens.sigma:
        usual = inverse(inverse(usual) + np.diag(np.array(lens.sigma) ** 2))
    return Prior(lens, usual)


def belief(
    lens: Lens, focal: float, aspect: float, centre: float, distortion: tuple[float, ...]
) -> Floats:
    """Information of independent sigmas: shares of focal length and width, then distortion."""
    fx, fy = lens.matrix[0], lens.matrix[4]
    covariance = np.zeros((9, 9))
    both = np.array([fx, fy]) * focal
    covariance[:2, :2] = np.outer(both, both) + np.diag((np.array([fx, fy]) * aspect) ** 2)
    covariance[2:4, 2:4] = np.eye(2) * (centre * lens.size[0]) ** 2
    covariance[4:, 4:] = np.diag(np.array(distortion) ** 2)
    return inverse(covariance)


def guesses(size: tuple[int, int]) -> list[Lens]:
    """Lenses from wide to long, for an unknown camera."""
    lenses = [Lens.ideal(size, wide) for wide in (35.0, 45.0, 55.0, 66.0, 80.0, 95.0)]
    return [Lens(lens.size, lens.matrix, lens.distortion, (), True) for lens in lenses]
