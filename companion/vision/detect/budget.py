"""How much of one picture is looked at: enough for any table, and an end for any other picture.

A table has some hundred dark quadrangles. A picture of noise, gravel or printed squares has a
hundred thousand: the largest are looked at, and the look says how many were left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]

MOST_QUADS = 5_000
"""Quadrangles that are read in one picture, at all sizes and by all attempts together."""
MOST_OUTLINES = 20_000
"""Outlines that one attempt compares with quadrangles, the longest first."""
MOST_RUNS = 500_000
"""Runs of dark pixels in a picture whose outlines are followed; each may be an outline."""
MOST_ALIKE = 6
"""Places at which one id is measured; two are enough to know that it is nobody's."""
MOST_READ = 400
"""Tags that are measured at one size, the clearest first."""


@dataclass(slots=True)
class SearchBudget:
    """What is left to look at in one picture, and what was left out of it."""

    quads: int = MOST_QUADS
    left_out: int = 0
    crowded: bool = False
    """Whether dark and bright change so often that only the strongest changes were followed."""

    def largest(self, quads: Floats) -> Floats:
        """As many of the quadrangles (n, 4, 2) as this attempt may read: half of what is left."""
        most = self.quads // 2
        if len(quads) > most:
            self.left_out += len(quads) - most
            size = np.ptp(quads, axis=1).sum(axis=1)
            quads = quads[np.sort(np.argsort(-size, kind="stable")[:most])]
        self.quads -= len(quads)
        return quads

    @property
    def problem(self) -> str:
        """What was not looked at, in words; empty if everything was."""
        if self.left_out:
            return f"too busy a picture: {self.left_out} dark outlines in it were not looked at"
        if self.crowded:
            return "too busy a picture: only its strongest outlines were followed"
        return ""
