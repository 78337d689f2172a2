"""Inverses and linear systems with the types that calibration uses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def inverse(matrix: Floats) -> Floats:
    """The inverse of one matrix, or of each of a stack; singular ones by their pseudoinverse.

    Whether a nearly singular matrix still has an inverse depends on the processor's last bit.
    What is not even finite has the inverse 0: nothing is known of it.
    """
    try:
        return np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    except np.linalg.LinAlgError:
        finite = np.isfinite(matrix).all(axis=(-2, -1), keepdims=True)
        found = np.linalg.pinv(np.where(finite, matrix, 0.0), hermitian=False)
        return np.asarray(np.where(finite, found, 0.0), dtype=np.float64)


def solved(matrix: Floats, right: Floats) -> Floats:
    """The x with matrix x = right, or the nearest there is."""
    try:
        return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.asarray(inverse(matrix) @ right, dtype=np.float64)
