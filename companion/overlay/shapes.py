"""Shapes in inches that describe what they mean; a theme decides how they look.

>>> Polyline(((0, 0), (3, 4)), Style("shot", side="blue"), arrow=True).length_in
5.0
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Style:
    """What a shape stands for: the theme's role, its side, its certainty and its emphasis.

    A shape that is not `sure` is drawn hatched and dashed; `emphasis` runs from 0 (a hint) to 1.
    """

    role: str
    side: str = ""
    sure: bool = True
    emphasis: float = 1.0


@dataclass(frozen=True, slots=True)
class Polygon:
    """An area, perhaps with holes; `about` holds the ids of the units or pieces it concerns."""

    outline: tuple[Point, ...]
    style: Style
    z: int = 0
    about: tuple[str, ...] = ()
    holes: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Polyline:
    """A path or a border; `arrow` adds a head at its end."""

    points: tuple[Point, ...]
    style: Style
    z: int = 0
    about: tuple[str, ...] = ()
    arrow: bool = False

    @property
    def length_in(self) -> float:
        """The length in inches."""
        return math.fsum(math.dist(p, q) for p, q in pairwise(self.points))

    def at(self, share: float) -> Point:
        """The point at this share (0..1) of its length."""
        left = share * self.length_in
        for p, q in pairwise(self.points):
            step = math.dist(p, q)
            if left <= step and step > 0:
                part = left / step
                return p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])
            left -= step
        return self.points[-1]


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc: a token, a model, a mark."""

    centre: Point
    radius_in: float
    style: Style
    z: int = 0
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Label:
    """Text at a position, or at the first of `spots` (best first) where it covers nothing.

    A label with `room_in` (width, height) stays at its first spot, wrapped and shrunk to fit,
    rotated by `tilt_deg`. Of two labels that want one position, the higher `z` gets it.
    """

    text: str
    spots: tuple[Point, ...]
    style: Style
    z: int = 0
    about: tuple[str, ...] = ()
    room_in: tuple[float, float] | None = None
    tilt_deg: float = 0.0


Shape = Polygon | Polyline | Circle | Label


@dataclass(frozen=True, slots=True)
class Key:
    """One line of the legend: a style and its meaning."""

    style: Style
    text: str


@dataclass(frozen=True, slots=True)
class TableScene:
    """A whole picture: the table's size, its sides, a title, a legend, and the shapes."""

    width_in: float
    depth_in: float
    sides: tuple[str, ...] = ()
    title: str = ""
    subtitle: str = ""
    legend: tuple[Key, ...] = ()
    shapes: tuple[Shape, ...] = ()
    measured: bool = True
    """Whether lengths count on it: a grid of inches and rulers are drawn."""


def drawing_order(shapes: tuple[Shape, ...]) -> list[Shape]:
    """The shapes from bottom to top; stable for equal `z`."""
    return sorted(shapes, key=lambda shape: shape.z)
