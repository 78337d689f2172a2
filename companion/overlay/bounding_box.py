"""Points and upright boxes in the pixels of a picture."""

from __future__ import annotations

import math
from typing import NamedTuple

PointPx = tuple[float, float]


class BoundingBox(NamedTuple):
    """An upright box in pixels; y counts downwards, but upwards in a window of the screen."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, centre: PointPx, width: float, height: float) -> BoundingBox:
        """The box of that size centred on a point."""
        x, y = centre
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)

    @property
    def centre(self) -> PointPx:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def within(self, bounds: BoundingBox) -> BoundingBox:
        """The same box moved inside the bounds."""
        dx = max(bounds.left - self.left, 0.0) or min(bounds.right - self.right, 0.0)
        dy = max(bounds.top - self.top, 0.0) or min(bounds.bottom - self.bottom, 0.0)
        return BoundingBox(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)

    def overlaps(self, other: BoundingBox) -> bool:
        """Whether the boxes share more than a border."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def distance(self, point: PointPx) -> float:
        """The distance from the box to a point; 0 inside."""
        x, y = point
        return math.hypot(
            max(self.left - x, 0.0, x - self.right), max(self.top - y, 0.0, y - self.bottom)
        )
