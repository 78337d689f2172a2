"""Where players sit around the table, and where the rows of their cards lie.

>>> [place.edge for place in seat_places(4)]
['south', 'west', 'north', 'east']
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Edge = Literal["south", "west", "north", "east"]
EDGES: tuple[Edge, ...] = ("south", "west", "north", "east")
"""The edges of the table, clockwise seen from above, as players sit (AGOT-ORD-3)."""
AWAY_DEG: dict[Edge, float] = {"south": 90.0, "west": 0.0, "north": 270.0, "east": 180.0}
"""The direction from an edge across the table: the top of a card that its player can read."""
USUAL: dict[int, tuple[Edge, ...]] = {
    2: ("south", "north"),
    3: ("south", "west", "north"),
    4: EDGES,
    5: ("south", "south", "west", "north", "east"),
    6: ("south", "south", "west", "north", "north", "east"),
}
ROW_LINE_IN = 6.5
"""How far from a player's edge the line between the back row and the front row lies, unless the
players say otherwise."""
FARTHEST_ROW_IN = 14.0
"""Cards farther from the edge lie in no row of this player."""


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """The edge at which a player sits, and the distance of the line between the rows from it."""

    edge: Edge
    line_in: float = ROW_LINE_IN

    @property
    def away_deg(self) -> float:
        """The direction in which the top of a standing card points (AGOT-CARD-1)."""
        return AWAY_DEG[self.edge]

    def distance_in(self, x: float, y: float, width: float, depth: float) -> float:
        """How far a point of the table is from the player's edge."""
        match self.edge:
            case "south":
                return y
            case "north":
                return depth - y
            case "west":
                return x
            case "east":
                return width - x


def seat_places(players: int) -> tuple[SeatPlace, ...]:
    """Where the players sit in seating order, unless they say otherwise: the first at the south
    edge, the others clockwise."""
    return tuple(SeatPlace(edge) for edge in USUAL[players])
