"""What is shown about a table: plain figures in inches that say what they mean, not how they look.

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
    """What a shape stands for: the role a theme looks up, whose it is, how sure and how loud.

    A shape that is not `sure` is drawn hatched and dashed; `emphasis` runs from 0 (a hint) to 1.
    """

    role: str
    side: str = ""
    sure: bool = True
    emphasis: float = 1.0


@dataclass(frozen=True, slots=True)
class Polygon:
    """A piece of ground, perhaps with holes; `about` holds the ids of what it tells of."""

    outline: tuple[Point, ...]
    style: Style
    z: int = 0
    about: tuple[str, ...] = ()
    holes: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Polyline:
    """A way or a border; `arrow` puts a head at its end."""

    points: tuple[Point, ...]
    style: Style
    z: int = 0
    about: tuple[str, ...] = ()
    arrow: bool = False

    @property
    def length_in(self) -> float:
        """Its length."""
        return math.fsum(math.dist(p, q) for p, q in pairwise(self.points))

    def at(self, share: float) -> Point:
        """The point that lies so far (0..1) along it."""
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
    """Words at a place, or at the first of `spots` (best first) where they cover nothing.

    A label with `room_in` (width, height) stays at its first spot, wrapped and shrunk to fit in,
    its lines turned by `tilt_deg`. Of two labels that want one place, the higher `z` gets it.
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
    """One line of the legend: a style and what it means."""

    style: Style
    text: str


@dataclass(frozen=True, slots=True)
class TableScene:
    """A whole picture: the ground's size, whose sides there are, a title, a legend, the shapes."""

    width_in: float
    depth_in: float
    sides: tuple[str, ...] = ()
    title: str = ""
    subtitle: str = ""
    legend: tuple[Key, ...] = ()
    shapes: tuple[Shape, ...] = ()


def drawing_order(shapes: tuple[Shape, ...]) -> list[Shape]:
    """From the ground up; of equal height in the order given."""
    return sorted(shapes, key=lambda shape: shape.z)
