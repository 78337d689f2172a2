"""Inverses and linear systems with the types that calibration uses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def inverse(matrix: Floats) -> Floats:
    """The inverse of one matrix, or of each of a stack."""
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


def solved(matrix: Floats, right: Floats) -> Floats:
    """The x with matrix x = right."""
    return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)
