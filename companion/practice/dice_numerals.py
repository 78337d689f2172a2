"""Numerals for the faces of a D10 as signed distances, in several hands; 6 and 9 carry a mark.

>>> atlas = numeral_atlas(range(1, 11), hands=HANDS[:1])
>>> atlas.shape
(2, 10, 48, 48)
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE = 48
"""Width and height of a numeral's field, in samples."""

HANDS = (
    (cv2.FONT_HERSHEY_SIMPLEX, 10),
    (cv2.FONT_HERSHEY_SIMPLEX, 16),
    (cv2.FONT_HERSHEY_DUPLEX, 12),
    (cv2.FONT_HERSHEY_COMPLEX, 9),
    (cv2.FONT_HERSHEY_TRIPLEX, 12),
    (cv2.FONT_HERSHEY_PLAIN, 14),
)
"""Fonts and strokes that the net learned; the practice camera also draws `UNSEEN_HANDS`."""

UNSEEN_HANDS = ((cv2.FONT_HERSHEY_DUPLEX, 18), (cv2.FONT_HERSHEY_COMPLEX, 14))


def numeral_atlas(
    values: Sequence[int], hands: Sequence[tuple[int, int]] = HANDS
) -> NDArray[np.float32]:
    """Hand × face × row × column, each hand upright and upside down; positive inside a stroke."""
    fields = []
    for font, stroke in hands:
        upright = np.stack([_numeral(value % 10, font, stroke) for value in values])
        fields += [upright, upright[:, ::-1, ::-1]]
    return np.ascontiguousarray(np.stack(fields), np.float32)


def _numeral(digit: int, font: int, stroke: int) -> NDArray[np.float32]:
    large = SIDE * 8
    canvas = np.zeros((large, large), np.uint8)
    (width, height), _ = cv2.getTextSize(str(digit), font, 1.0, 1)
    scale = 0.62 * large / height
    at = (round((large - width * scale) / 2), round((large + height * scale) / 2))
    cv2.putText(canvas, str(digit), at, font, scale, 255, stroke * 3, cv2.LINE_AA)
    if digit in {6, 9}:
        foot = round(large * 0.9)
        cv2.line(canvas, (round(large * 0.35), foot), (round(large * 0.65), foot), 255, stroke * 2)
    ink = (canvas > 127).astype(np.uint8)
    inside = cv2.distanceTransform(ink, cv2.DIST_L2, 5) - cv2.distanceTransform(
        1 - ink, cv2.DIST_L2, 5
    )
    small = cv2.resize(inside, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return (small / (large / 2)).astype(np.float32)
