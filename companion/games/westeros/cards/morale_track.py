"""The morale track: one marker for both houses, with coloured zones on either side (BOW-MOR).

A place on the track is a number: 0 is the middle field, positive places lie on the side of the
second house (the first is doing well), negative ones on the side of the first.
"""

from __future__ import annotations

from dataclasses import dataclass

from models.lazy_message import say

LAST = 11
"""The last field of either side: a number, or rout (BOW-SET-6)."""


@dataclass(frozen=True, slots=True)
class MoraleZone:
    """A coloured zone: its fields counted from the middle, and its boost field."""

    name: str
    first: int
    last: int
    boost: int


ZONES = (
    MoraleZone("green", 4, 7, 4),
    MoraleZone("yellow", 8, 10, 8),
    MoraleZone("red", 11, 11, 11),
)
"""Green is printed; that yellow and red begin with their boost field, too, is an assumption."""
ZONE_NAMES = tuple(one.name for one in ZONES)
ZONE_WORDS = {
    "grey": say("grey zone"),
    "green": say("green zone"),
    "yellow": say("yellow zone"),
    "red": say("red zone"),
}


def zone_of(depth: int) -> MoraleZone | None:
    """The zone of a field so far from the middle; None on grey fields."""
    return next((one for one in ZONES if one.first <= depth <= one.last), None)


def zone_named(name: str) -> MoraleZone:
    return next(one for one in ZONES if one.name == name)


def own_at_least(depth: int, name: str) -> bool:
    """Own morale is that zone or better; `depth` is how far the marker lies on the own side.

    The marker lies no closer to that player than the zone (BOW-CRD-14); a negative depth is on the
    enemy's side.
    """
    return depth <= zone_named(name).last


def enemy_at_most(depth: int, name: str) -> bool:
    """Enemy morale is that zone or worse; `depth` counts on the enemy's side (BOW-CRD-15)."""
    return depth >= zone_named(name).first


def rebuilt(depth: int) -> int | None:
    """Where rebuilding moves a marker that lies so deep on the own side; None if it stays.

    To the boost field of the same colour (BOW-MOR-9); on grey and boost fields it stays
    (BOW-MOR-10).
    """
    zone = zone_of(depth)
    return None if zone is None or depth == zone.boost else zone.boost
