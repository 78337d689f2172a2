"""The position of the table in a picture: pixels, upright boxes, and conversion between inches
and pixels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.overlay.shapes import Point, TableScene

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

    @property
    def area(self) -> float:
        return (self.right - self.left) * (self.bottom - self.top)

    def common(self, other: BoundingBox) -> float:
        """The area that two boxes share."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(wide, 0.0) * max(high, 0.0)

    def gap(self, other: BoundingBox) -> float:
        """The distance between two boxes; 0 where they touch."""
        return math.hypot(
            max(self.left - other.right, other.left - self.right, 0.0),
            max(self.top - other.bottom, other.top - self.bottom, 0.0),
        )

    def distance(self, point: PointPx) -> float:
        """The distance from the box to a point; 0 inside."""
        x, y = point
        return math.hypot(
            max(self.left - x, 0.0, x - self.right), max(self.top - y, 0.0, y - self.bottom)
        )


ToPixels = Callable[[Sequence[Point]], Sequence[PointPx]]

BAR, ROW, RULER, MARGIN = 38, 25, 30, 10
"""Title bar, one row of the legend, room for the ruler's numbers, other margins: per mille."""


@dataclass(frozen=True, slots=True)
class GroundFrame:
    """The table's upper left corner, its scale, and the unit of all other sizes.

    `unit` is a thousandth of the picture's shorter side; `bounds` is where labels may lie.
    """

    size_px: tuple[int, int]
    left: float
    top: float
    scale: float
    depth_in: float
    bounds: BoundingBox

    @classmethod
    def fit(cls, scene: TableScene, size_px: tuple[int, int], legend_rows: int) -> GroundFrame:
        """The table as large as title, legend and rulers allow."""
        width, height = size_px
        u = min(size_px) / 1000
        top = (BAR * u if scene.title else 0) + MARGIN * u
        bottom = height - (legend_rows * ROW + MARGIN) * u - 0.7 * RULER * u
        left, right = RULER * u, width - MARGIN * u
        scale = min((right - left) / scene.width_in, (bottom - top) / scene.depth_in)
        wide, high = scale * scene.width_in, scale * scene.depth_in
        x = left + (right - left - wide) / 2
        y = top + (bottom - top - high) / 2
        inside = BoundingBox(x + 2 * u, y + 2 * u, x + wide - 2 * u, y + high - 2 * u)
        return cls(size_px, x, y, scale, scene.depth_in, inside)

    @property
    def unit(self) -> float:
        """A thousandth of the picture's shorter side, in pixels."""
        return min(self.size_px) / 1000

    def px(self, point: Point) -> PointPx:
        """A point of the table in pixels."""
        return self.left + point[0] * self.scale, self.top + (self.depth_in - point[1]) * self.scale

    def inches(self, point: PointPx) -> Point:
        """A point of the picture in table inches."""
        return (
            (point[0] - self.left) / self.scale,
            self.depth_in - (point[1] - self.top) / self.scale,
        )


@dataclass(frozen=True)
class ViewFrame(GroundFrame):
    """A frame with its own unit (`unit_px`), perhaps projected by a camera (`to_pixels`)."""

    unit_px: float = 0.0
    to_pixels: ToPixels | None = None
    spots: dict[Point, PointPx] = field(default_factory=dict)
    """A cache of projected points of the table."""

    @property
    def unit(self) -> float:
        """The unit of weights and text in pixels."""
        return self.unit_px or min(self.size_px) / 1000

    def px(self, point: Point) -> PointPx:
        """A point of the table in pixels."""
        if self.to_pixels is None:
            return super().px(point)
        found = self.spots.get(point)
        if found is None:
            x, y = self.to_pixels([point])[0]
            found = self.spots[point] = (float(x), float(y))
        return found
