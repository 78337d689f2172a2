"""Words of a dictionary that windows, screens and screws look like: little more than a blob."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.setup import dictionary_of

PLAIN_SHARE = 0.25
"""A word is plain if fewer of its neighbouring cells differ than this share."""


@lru_cache
def plain_words(dictionary: str) -> NDArray[np.bool_]:
    """Which tags (ids) show few changes between neighbouring cells, their frame included."""
    words = dictionary_of(dictionary)
    side = int(words.markerSize) + 2
    drawn = [
        np.asarray(cv2.aruco.generateImageMarker(words, tag, side, borderBits=1)) > 127
        for tag in range(words.bytesList.shape[0])
    ]
    cells = np.array(drawn).astype(np.int64)
    changes = [np.abs(np.diff(cells, axis=axis)).sum(axis=(1, 2)) for axis in (1, 2)]
    plain = np.asarray(changes[0] + changes[1] < PLAIN_SHARE * 2 * side * (side - 1))
    plain.flags.writeable = False
    return plain
