"""A cache of shapes drawn before under the same camera view: trays and ground are not redrawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.overlay.shapes import Shape

MOST_KEPT, MOST_MET = 350, 8_000
"""Above these sizes, most entries are about units that have since moved."""

Stamp = tuple[slice, slice, NDArray[np.uint8]]
"""The rows and columns of a picture's cells around a figure, and which of them it covers."""


@dataclass(frozen=True, slots=True)
class ShapeCache:
    """The cache for one frame and one theme; several threads may read and write it."""

    met: set[int] = field(default_factory=set)
    """Hashes of shapes drawn at least once; only those that recur are cached."""
    followed: dict[Shape, Shape] = field(default_factory=dict)
    """Shapes subdivided for lens distortion."""
    stamps: dict[Shape, Stamp | None] = field(default_factory=dict)
    """The cells that figures cover."""
    figures: dict[Shape, Any] = field(default_factory=dict)
    """Figures as the canvas stores them."""

    def again(self, shape: Shape) -> bool:
        """Whether it was drawn before: most answers are drawn once, every tray in every picture."""
        known = hash(shape)
        if known in self.met:
            return True
        self.met.add(known)
        return False

    @property
    def full(self) -> bool:
        """Whether a new cache should be started."""
        return len(self.figures) > MOST_KEPT or len(self.met) > MOST_MET
