"""What was drawn before under the same camera: trays and ground are not worked out again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.overlay.placing import PointPx
from companion.overlay.shape import Point, Shape

MOST_SHAPES, MOST_SPOTS = 1500, 12_000
"""In a fuller book most is about units that stood elsewhere."""

Stamp = tuple[slice, slice, NDArray[np.uint8]]
"""The rows and columns of a picture's cells about a figure, and which of them it covers."""


@dataclass(frozen=True, slots=True)
class Sketchbook:
    """For one frame and one theme; several threads may draw from it and into it."""

    followed: dict[Shape, Shape] = field(default_factory=dict)
    """Shapes with corners enough for a bent line."""
    spots: dict[Point, PointPx] = field(default_factory=dict)
    """Where points of the table lie in the picture."""
    stamps: dict[Shape, Stamp | None] = field(default_factory=dict)
    """The cells that figures cover."""
    figures: dict[Shape, Any] = field(default_factory=dict)
    """Figures as the canvas keeps them."""

    @property
    def full(self) -> bool:
        """Whether another should be begun."""
        return len(self.followed) > MOST_SHAPES or len(self.spots) > MOST_SPOTS
