"""Areas along the battlefield's edges and corners: strips, squares, and unions of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from shapely import get_coordinates
from shapely.geometry import Point, Polygon
from shapely.ops import unary_union

from companion.games.tmg.rules.margins import clearance, footprint
from models import Table, Unit, UnknownName
from models.footprint import Point as Spot
from models.footprint import corners

Part = tuple[Spot, ...]
"""A convex polygon, counter-clockwise."""

CORNERS = ("near-left", "near-right", "far-left", "far-right")
"""Corners as player 1 sees them."""


@dataclass(frozen=True, slots=True)
class Area:
    """A union of convex parts of the table in which a tray may be placed.

    A tray must be inside one part or, with `together`, inside the union; if not `completely`, it
    only has to overlap one.
    """

    rules: tuple[str, ...]
    parts: tuple[Part, ...]
    completely: bool = True
    together: bool = False

    @property
    def shape(self) -> Polygon:
        """The union of all parts, for drawing and for distances."""
        return unary_union([Polygon(part) for part in self.parts])

    def margin_in(self, unit: Unit) -> float:
        """The distance between the tray and the area's boundary; negative outside."""
        if self.completely and self.together and self.parts:
            return within_in(footprint(unit), self.shape)
        if self.completely:
            tray = corners(unit)
            return max((inside_in(tray, part) for part in self.parts), default=-math.inf)
        shape = footprint(unit)
        return max((-clearance(shape, Polygon(part)) for part in self.parts), default=-math.inf)


@dataclass(frozen=True, slots=True)
class BattleArea:
    """A table's size and, where the players' roles differ, which of them defends.

    Player 1 sits at y = 0, player 2 at y = depth.
    """

    width: float = 48.0
    depth: float = 48.0
    defender: int = 1

    @classmethod
    def of(cls, table: Table, defender: int = 1) -> BattleArea:
        """The size of a table, with its defender."""
        return cls(table.width, table.depth, defender)

    @property
    def whole(self) -> Part:
        """The whole table."""
        return box(0.0, 0.0, self.width, self.depth)

    def role(self, player: int) -> str:
        """A player's role, in modes where the roles differ."""
        return "defender" if checked(player) == self.defender else "attacker"

    def own_strip(self, player: int, deep_in: float) -> Part:
        """A strip of this depth along the player's own edge."""
        if checked(player) == 1:
            return box(0.0, 0.0, self.width, deep_in)
        return box(0.0, self.depth - deep_in, self.width, self.depth)

    def side_strip(self, side: str, deep_in: float) -> Part:
        """A strip of this depth along the left or right edge, as player 1 sees them."""
        if side == "left":
            return box(0.0, 0.0, deep_in, self.depth)
        if side == "right":
            return box(self.width - deep_in, 0.0, self.width, self.depth)
        raise UnknownName(f"no side edge {side!r}; there are: left, right")

    def corner_square(self, corner: str, side_in: float) -> Part:
        """A square in a corner."""
        if corner not in CORNERS:
            raise UnknownName(f"no corner {corner!r}; there are: {', '.join(CORNERS)}")
        x = 0.0 if corner.endswith("left") else self.width - side_in
        y = 0.0 if corner.startswith("near") else self.depth - side_in
        return box(x, y, x + side_in, y + side_in)


def box(x0: float, y0: float, x1: float, y1: float) -> Part:
    """An axis-aligned rectangle."""
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def inside_in(points: Sequence[Spot], part: Part) -> float:
    """The depth of the shallowest of the points in a convex part; negative outside."""
    least = math.inf
    for (ax, ay), (bx, by) in zip(part, part[1:] + part[:1], strict=True):
        length = math.hypot(bx - ax, by - ay)
        for x, y in points:
            least = min(least, ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length)
    return least


def within_in(tray: Polygon, shape: Polygon) -> float:
    """The distance between a tray and a shape's boundary; minus the farthest excess if outside."""
    outside = get_coordinates(tray.difference(shape))
    if not len(outside):
        return float(tray.distance(shape.boundary))
    return -max(float(shape.distance(Point(x, y))) for x, y in outside.tolist())


def checked(player: int) -> int:
    """The player's number, or an error if it is not 1 or 2."""
    if player not in (1, 2):
        raise UnknownName(f"no player {player!r}; there are: 1, 2")
    return player
