"""What was drawn before under the same camera: trays and ground are not worked out again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.overlay.shapes import Shape

MOST_KEPT, MOST_MET = 350, 8_000
"""In a fuller book most is about units that stood elsewhere."""

Stamp = tuple[slice, slice, NDArray[np.uint8]]
"""The rows and columns of a picture's cells about a figure, and which of them it covers."""


@dataclass(frozen=True, slots=True)
class ShapeCache:
    """For one frame and one theme; several threads may draw from it and into it."""

    met: set[int] = field(default_factory=set)
    """Who was drawn at least once, by hash: what comes again is worth keeping."""
    followed: dict[Shape, Shape] = field(default_factory=dict)
    """Shapes with corners enough for a bent line."""
    stamps: dict[Shape, Stamp | None] = field(default_factory=dict)
    """The cells that figures cover."""
    figures: dict[Shape, Any] = field(default_factory=dict)
    """Figures as the canvas keeps them."""

    def again(self, shape: Shape) -> bool:
        """Whether it was met before: most answers are drawn once, every tray in every picture."""
        known = hash(shape)
        if known in self.met:
            return True
        self.met.add(known)
        return False

    @property
    def full(self) -> bool:
        """Whether another should be begun."""
        return len(self.figures) > MOST_KEPT or len(self.met) > MOST_MET
