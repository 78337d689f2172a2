"""Weighted least squares for many tags at once, with points that stray left out step by step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.detect.homographies import middle_of

Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """Unknowns (n, 15), inverse normal matrices, noise, weights for next time, errors, strays."""

    solution: Floats
    inverse: Floats
    noise: Floats
    weight: Floats
    error: Floats
    """Light of the picture minus that of the drawing (n, m)."""
    strays: NDArray[np.bool_]
    """Points where the picture shows something else (n, m)."""

    @property
    def rms(self) -> Floats:
        """Rms misfit of all points (n)."""
        return np.sqrt((self.error**2).mean(axis=1)).astype(np.float64)

    @property
    def rest(self) -> Floats:
        """Rms misfit of the points that do not stray (n)."""
        count = np.maximum((~self.strays).sum(axis=1), 1)
        return np.sqrt((self.error**2 * ~self.strays).sum(axis=1) / count).astype(np.float64)

    @property
    def brighter(self) -> Floats:
        """Of the straying points, the share where the picture is brighter than the drawing (n)."""
        count = np.maximum(self.strays.sum(axis=1), 1)
        return np.asarray((self.strays & (self.error > 0)).sum(axis=1) / count)

    @property
    def shift(self) -> Floats:
        """How far to move the corners (n, 4, 2), never more than a pixel."""
        return np.asarray(np.clip(self.solution[:, :8].reshape(-1, 4, 2), -1.0, 1.0))

    def only(self, chosen: NDArray[np.bool_]) -> Solved:
        """The results for some of the tags."""
        return Solved(
            self.solution[chosen],
            self.inverse[chosen],
            self.noise[chosen],
            self.weight[chosen],
            self.error[chosen],
            self.strays[chosen],
        )

    def take(self, other: Solved, places: NDArray[np.int64]) -> None:
        """Put the results for some of the tags in the place of the old ones."""
        for mine, new in (
            (self.solution, other.solution),
            (self.inverse, other.inverse),
            (self.noise, other.noise),
            (self.weight, other.weight),
            (self.error, other.error),
            (self.strays, other.strays),
        ):
            # What was fitted besides stays in the covariance of what is kept.
            mine[places] = new[tuple(slice(size) for size in (None, *mine.shape[1:]))]


def solve(design: Floats, values: Floats, weight: Floats) -> Solved:
    """Weighted least squares.

    Points that stray (a finger on a corner, a thread, glare) weigh less in the next pass.
    """
    weighted = design * weight[:, None]
    square = (weighted @ np.swapaxes(design, 1, 2)).astype(np.float64)
    scale = np.einsum("nii->ni", square)
    damped = square + np.eye(design.shape[1]) * (scale * 1e-6 + 1e-9)[:, None, :]
    right = (weighted @ values[..., None]).astype(np.float64)
    inverse = np.linalg.inv(damped)
    solution = (inverse @ right)[..., 0]
    error = values - (solution[:, None].astype(np.float32) @ design)[:, 0]
    noise = np.sqrt((weight * error**2).sum(1) / (weight.sum(1) - design.shape[1]))
    usual = 1.4826 * middle_of(np.abs(error))[:, None] + 0.1
    far = (error / (4.0 * usual)) ** 2
    gain = np.abs(solution[:, 9]).astype(np.float32)[:, None]
    strays = (far > 1.6) & (np.abs(error) > 0.1 * gain)
    return Solved(
        solution,
        inverse,
        noise.astype(np.float64),
        (1.0 / (1.0 + far) ** 2).astype(np.float32),
        error,
        strays,
    )
