"""Dark four-cornered outlines in a picture: everything that might be a tag."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.detect.homographies import NEXT
from companion.vision.detect.tone_curves import Grey

Floats = NDArray[np.floating]

WINDOW_PX = 5
"""A narrow window keeps the white margin of a small tag white: wider ones drown it in the mat."""
CONTRAST = 7
"""How much darker than its surroundings a pixel must be (of 255, after stretching)."""
SHORTEST_OUTLINE_PX = 26
CORNER_TOLERANCE = 0.05
SHORTEST_SIDE_PX = 5.0


def find_quads(grey: Grey, contrast: float = CONTRAST) -> Floats:
    """The corners (n, 4, 2) of dark quadrangles, clockwise as seen, in no particular order."""
    dark = cv2.adaptiveThreshold(
        grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, WINDOW_PX, contrast
    )
    outlines, _ = cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    lengths = np.fromiter(map(len, outlines), np.int64, len(outlines))
    longest = 2 * (grey.shape[0] + grey.shape[1])
    quads = []
    for index in np.flatnonzero((lengths >= SHORTEST_OUTLINE_PX) & (lengths < longest)):
        tolerance = max(1.5, CORNER_TOLERANCE * float(lengths[index]))
        corners = cv2.approxPolyDP(outlines[int(index)], tolerance, True)
        if len(corners) == 4:
            quads.append(corners.reshape(4, 2))
    if not quads:
        return np.zeros((0, 4, 2))
    return convex_clockwise(np.asarray(quads, dtype=np.float64))


def convex_clockwise(quads: Floats) -> Floats:
    """Only the convex ones that are not too thin, turned so that they run clockwise as seen."""
    sides = quads[:, NEXT] - quads
    following = sides[:, NEXT]
    turns = sides[..., 0] * following[..., 1] - sides[..., 1] * following[..., 0]
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    convex = (np.all(turns > 0, axis=1) | np.all(turns < 0, axis=1)) & (
        lengths.min(axis=1) >= SHORTEST_SIDE_PX
    )
    area = np.abs(turns.sum(axis=1)) / 4
    # A tag seen so low that its height is a fifth of its width cannot be read anyway.
    convex &= area > 0.12 * lengths.max(axis=1) ** 2
    quads, turns = quads[convex], turns[convex]
    backwards = turns.sum(axis=1) < 0
    quads[backwards] = quads[backwards][:, ::-1]
    return quads
