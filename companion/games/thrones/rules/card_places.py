"""Where players sit and their rows lie, and what a measured card shows: kneeling, row, attachment.

>>> [place.edge for place in seat_places(4)]
['south', 'west', 'north', 'east']

Every answer is yes, no or unsure: a measurement nearer to a limit than three standard deviations
decides nothing. Hands lay cards crooked, so their spread is part of the deviation.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from models.pose import Pose

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


CARD_IN = (2.48, 3.46)
"""Width and length of a card: 63 by 88 mm."""
SURE = 3.0
"""How many standard deviations an answer must be away from its limit."""
HAND_DEG, HAND_IN = 4.0, 0.08
"""How exactly hands turn and lay cards (one standard deviation)."""
UPRIGHT_DEG, TURNED_DEG = 45.0, 135.0
"""Up to the first a card is upright, up to the second it is turned to a side."""
ATTACHED_IN = 0.4
"""Cards that overlap by more than this lie on one another on purpose."""

Turn = Literal["standing", "kneeling", "unsure"]
Row = Literal["front", "back", "unsure"]
Verdict = Literal["yes", "no", "unsure"]


@dataclass(frozen=True, slots=True)
class Overlap:
    """How deep two cards lie in one another (negative: apart), and its standard deviation."""

    depth_in: float
    sigma_in: float

    @property
    def attached(self) -> Verdict:
        """Whether one lies on or under the other on purpose."""
        margin = (self.depth_in - ATTACHED_IN) / max(self.sigma_in, 1e-9)
        if margin > SURE:
            return "yes"
        return "no" if margin < -SURE else "unsure"


def off_upright_deg(pose: Pose, place: SeatPlace) -> float:
    """How far a card is turned from upright for its controller, to either side (AGOT-OR-22)."""
    return abs((pose.heading - place.away_deg + 180.0) % 360.0 - 180.0)


def turn_of(pose: Pose, place: SeatPlace) -> Turn:
    """Standing (AGOT-CARD-1), or kneeling: turned by 90° to any side (AGOT-CARD-2).

    Relative to the controller's seat, not to the camera (AGOT-OR-22); upside down is neither.
    """
    off = off_upright_deg(pose, place)
    spare = SURE * math.hypot(pose.sigma.heading_deg, HAND_DEG)
    if off < UPRIGHT_DEG - spare:
        return "standing"
    if UPRIGHT_DEG + spare < off < TURNED_DEG - spare:
        return "kneeling"
    return "unsure"


def row_of(pose: Pose, place: SeatPlace, table_in: tuple[float, float]) -> Row:
    """The row in which a card lies: characters in front (AGOT-CMP-6), locations behind
    (AGOT-CMP-7)."""
    far = place.distance_in(pose.x, pose.y, *table_in)
    spare = SURE * math.hypot(pose.sigma.xy_in, HAND_IN)
    if not spare < far < FARTHEST_ROW_IN - spare:
        return "unsure"
    if far > place.line_in + spare:
        return "front"
    return "back" if far < place.line_in - spare else "unsure"


def overlap_of(one: Pose, other: Pose) -> Overlap:
    """How deep two cards lie in one another, with the error of the axis that decides it.

    Separating axes: the depth is the smallest over the four axes of both cards. Along the axis n of
    a card with centre c the depth is h + k - |n·(d - c)|, where h is the card's own half size and k
    the half extent of the other one (its corner r), so that positions count with n, the heading of
    the other card with n·(z×r), and the own heading with (z×n)·(d - c), up to the corner.
    """
    best: tuple[float, float] | None = None
    for own, rest in ((one, other), (other, one)):
        for half, turn in ((CARD_IN[1] / 2, 0.0), (CARD_IN[0] / 2, 90.0)):
            found = along(own, rest, half, math.radians(own.heading + turn))
            if best is None or found[0] < best[0]:
                best = found
    assert best is not None
    return Overlap(best[0], math.sqrt(best[1] + 2 * HAND_IN**2))


def along(own: Pose, rest: Pose, half: float, angle: float) -> tuple[float, float]:
    """The depth along an axis of the first card, and its variance."""
    nx, ny = math.cos(angle), math.sin(angle)
    dx, dy = rest.x - own.x, rest.y - own.y
    away = nx * dx + ny * dy
    side = 1.0 if away >= 0 else -1.0
    points = [
        rest.ahead(forward, left)
        for forward in (CARD_IN[1] / 2, -CARD_IN[1] / 2)
        for left in (CARD_IN[0] / 2, -CARD_IN[0] / 2)
    ]
    corners = [(x - rest.x, y - rest.y) for x, y in points]
    # The corner of the other card that reaches farthest towards the own one.
    rx, ry = min(corners, key=lambda r: side * (nx * r[0] + ny * r[1]))
    depth = half - side * (away + nx * rx + ny * ry)
    lever_rest = nx * -ry + ny * rx
    lever_own = -ny * (dx + rx) + nx * (dy + ry)
    variance = own.sigma.xy_in**2 + rest.sigma.xy_in**2
    variance += (math.radians(rest.sigma.heading_deg) * lever_rest) ** 2
    variance += (math.radians(own.sigma.heading_deg) * lever_own) ** 2
    return depth, variance


def hosts_of(pose: Pose, others: Iterable[tuple[str, Pose]]) -> dict[str, Verdict]:
    """Which of the other cards a card lies on or under: only those that are not a clear no."""
    found = {name: overlap_of(pose, other).attached for name, other in others}
    return {name: verdict for name, verdict in found.items() if verdict != "no"}
