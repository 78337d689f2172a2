"""Command cards (BOW-CRD), and the morale track that some of them ask about (BOW-MOR).

A place on the track is a number: 0 is the middle field, positive places lie on the side of the
second house (the first is doing well), negative ones on the side of the first.

The rules check its numbers. Its text is what players enter: no printed one is kept here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from companion.games.westeros.cards.unit_cards import CardId, CardName
from companion.games.westeros.combat.die import SYMBOLS
from models.message import say
from models.record_reader import WRITTEN, Between, FileKey, Length, OneOf, Record

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


MOST_TOKENS = 9
MOST_ORDERED = 12
ZoneName = Annotated[str, OneOf(ZONE_NAMES)]


@dataclass(frozen=True, slots=True)
class CommandCard(Record):
    """A command card as players enter it.

    `costs` are the tokens of each command, `units` how many units it orders at most.
    """

    id: CardId
    name: CardName
    house: CardId = ""
    commander: CardId = ""
    """The commander whose card it is; a basic card of the house without one (BOW-SET-4)."""
    costs: Annotated[
        tuple[Annotated[int, Between(0, MOST_TOKENS)], ...], Length(4), FileKey("commands"), WRITTEN
    ] = (1,)
    units: Annotated[int, Between(0, MOST_ORDERED), WRITTEN] = MOST_ORDERED
    dice: Annotated[int, Between(-5, 5)] = 0
    needs: Annotated[tuple[Annotated[str, OneOf(SYMBOLS)], ...], Length(9), WRITTEN] = ()
    own_morale: ZoneName = ""
    enemy_morale: ZoneName = ""
    text: Annotated[str, Length(400)] = ""
    """What it does besides, in the players' own words: shown when it is played."""

    @property
    def has_tactic(self) -> bool:
        """Whether something is checked before its tactic may be used."""
        return bool(self.needs or self.own_morale or self.enemy_morale)

    def without_tactic(self) -> CommandCard:
        """The commands alone: a tactic is optional, and so are the dice it adds (BOW-CRD-11)."""
        return replace(self, dice=0, needs=(), own_morale="", enemy_morale="")
