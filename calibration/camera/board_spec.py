"""A ChArUco board: how many squares, how large, and which markers are printed on it.

>>> BoardSpec.read("8x6", 30.0, None, "DICT_4X4_50").marker_mm
22.5
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.setup import dictionaries, dictionary_of
from models.errors import CompanionError

Floats = NDArray[np.float64]

USUAL_MARKER = 0.75
"""Edge of a marker as a share of its square, where nobody says otherwise."""
MOST_SQUARES = 60


class BadBoard(CompanionError):
    """A board with impossible numbers."""


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """Squares across and down, their edges, the markers' edges and dictionary.

    `legacy`: printed by OpenCV before 4.6, which began boards with an even number of rows with a
    white square.
    """

    squares: tuple[int, int]
    square_mm: float
    marker_mm: float
    dictionary: str
    legacy: bool = False

    @classmethod
    def read(
        cls, squares: str, square_mm: float, marker_mm: float | None, dictionary: str
    ) -> BoardSpec:
        """A board as the command line names it: `7x10`, millimetres, a dictionary's name."""
        found = re.fullmatch(r"\s*(\d{1,3})\s*[x×*]\s*(\d{1,3})\s*", squares)
        if found is None:
            raise BadBoard(f"--squares: {squares!r} is not like 7x10 (across x down)")
        across, down = int(found[1]), int(found[2])
        if not (3 <= across <= MOST_SQUARES and 3 <= down <= MOST_SQUARES):
            raise BadBoard(
                f"--squares: {squares!r}: a board has 3 to {MOST_SQUARES} squares a side"
            )
        if not 1 <= square_mm <= 1000:
            raise BadBoard(f"--square: {square_mm:g} mm is not a square's edge (1 to 1000)")
        marker = USUAL_MARKER * square_mm if marker_mm is None else marker_mm
        if not 0 < marker < square_mm:
            raise BadBoard(f"--marker: {marker:g} mm must be smaller than the square")
        if dictionary not in dictionaries():
            known = ", ".join(dictionaries())
            raise BadBoard(f"--dictionary: no dictionary {dictionary!r}; there are: {known}")
        markers, known_ids = across * down // 2, dictionary_of(dictionary).bytesList.shape[0]
        if markers > known_ids:
            problem = f"{dictionary} has {known_ids} markers, {squares} squares need {markers}"
            raise BadBoard(f"--dictionary: {problem}")
        return cls((across, down), square_mm, marker, dictionary)

    @property
    def points(self) -> Floats:
        """Inner corners in millimetres (n x 3), by id."""
        return np.asarray(charuco(self).getChessboardCorners(), dtype=np.float64)


OWN_BOARD = BoardSpec((7, 10), 25.0, 16.0, "DICT_5X5_100")
"""What `companion print lens-board` prints. Not the tags' own dictionary: a board left on the
table is never taken for a tray."""


@lru_cache
def charuco(spec: BoardSpec) -> cv2.aruco.CharucoBoard:
    """The board as OpenCV knows it."""
    codes = dictionary_of(spec.dictionary)
    board = cv2.aruco.CharucoBoard(spec.squares, spec.square_mm, spec.marker_mm, codes)
    board.setLegacyPattern(spec.legacy)
    return board
