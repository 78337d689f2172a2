"""Symbols for the faces of a practice D8, drawn by us: shields of three colours, a star, a banner.

>>> shapes, inks = westeros_faces(np.random.default_rng(1))
>>> shapes.shape, inks.shape
((8, 48, 48), (8, 3))
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.practice.dice_numerals import LARGE, distances

SHIELD = (
    (-0.7, -0.75),
    (0.7, -0.75),
    (0.7, 0.1),
    (0.35, 0.65),
    (0, 0.9),
    (-0.35, 0.65),
    (-0.7, 0.1),
)
BANNER = ((-0.55, -0.85), (-0.4, -0.85), (0.65, -0.6), (0.4, -0.25), (0.65, 0.1), (-0.35, 0.0),
          (-0.35, 0.9), (-0.55, 0.9))  # fmt: skip
STAR = tuple(
    (
        (0.9, 0.38)[k % 2] * math.sin(math.pi * k / 5),
        -(0.9, 0.38)[k % 2] * math.cos(math.pi * k / 5),
    )
    for k in range(10)
)
SHAPES = (SHIELD, SHIELD, SHIELD, SHIELD, SHIELD, SHIELD, STAR, BANNER)
"""Three green, two blue and one red shield, valour and morale (BOW-CMP-2)."""
INKS = (
    ((0.08, 0.4, 0.12),) * 3
    + ((0.08, 0.18, 0.55),) * 2
    + ((0.6, 0.06, 0.07),)
    + (
        (0.72, 0.5, 0.08),
        (0.12, 0.1, 0.1),
    )
)


def westeros_faces(
    rng: np.random.Generator,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The eight faces, face × row × column as signed distances, and the colour of each."""
    crossed, wide = rng.random() < 0.5, rng.uniform(0.85, 1.0)
    drawn: list[NDArray[np.float32]] = []
    for shape in SHAPES:
        canvas = np.zeros((LARGE, LARGE), np.uint8)
        places = (np.array(shape) * [wide, 1.0] + 1) * LARGE / 2
        cv2.fillPoly(canvas, [places.astype(np.int32)], 255)
        if crossed and shape is SHIELD:
            middle = LARGE // 2
            cv2.line(canvas, (middle, LARGE // 4), (middle, 3 * LARGE // 4), 0, LARGE // 14)
        drawn.append(distances(canvas))
    inks = np.clip(np.array(INKS) * rng.uniform(0.8, 1.2, (1, 3)), 0, 1)
    return np.stack(drawn), inks.astype(np.float32)
