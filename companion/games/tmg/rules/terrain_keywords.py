"""The terrain keywords: what each one blocks, costs and does. All rules ask these records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

NEW, OLD = frozenset(("2021",)), frozenset(("2018",))
"""The years of the editions."""


@dataclass(frozen=True, slots=True)
class TerrainKeyword:
    """One keyword; years are those of the editions in which something holds."""

    name: str
    pattern: str = ""  # how a piece of the players' own is drawn
    stops: bool = False  # TMG-TER-15: nobody moves or stands there
    slows: bool = False  # TMG-TER-17: a move over it costs an inch
    hides: bool = False  # TMG-TER-18: no line of sight passes it
    covers: bool = False  # TMG-TER-6: it stops a shot, or helps the defense
    raises: bool = False  # TMG-TER-8: a shot from it sees over everything
    wounds: bool = False  # TMG-TER-9, -10: acting on it or moving onto it wounds
    breaks: bool = False  # TMG-TER-19: it can be removed
    morale: int = 0  # to morale tests within Short Range
    rule: str = ""  # of that modifier
    on_charge: frozenset[str] = frozenset()  # years: it has an effect on a charge that crosses it,
    aligned: frozenset[str] = frozenset()  # on one that only ends on it,
    entering: frozenset[str] = frozenset()  # and none on one that leaves it
    penalty: float = 0.0  # of equally short charges, players take the least harmful one


TERRAIN_KEYWORDS = {
    one.name: one
    for one in (  # in the order in which they decide how a piece is drawn
        TerrainKeyword("impassable", "palisade", stops=True),
        TerrainKeyword("blocks-line-of-sight", "palisade", hides=True),
        TerrainKeyword(
            "dangerous",
            "spikes",
            wounds=True,
            on_charge=NEW | OLD,
            aligned=NEW | OLD,  # TMG-CHG-5; ends on it: TMG-TER-10
            entering=OLD,  # in 2021 acting on it wounds too (TMG-TER-9)
            penalty=4.0,
        ),
        TerrainKeyword("cover", "wood", covers=True),
        TerrainKeyword("rough", "water", slows=True, on_charge=NEW | OLD),
        TerrainKeyword("horrific", "bones", morale=-1, rule="TMG-TER-13"),
        TerrainKeyword("inspiring", "tree", morale=1, rule="TMG-TER-12"),
        TerrainKeyword(  # TMG-TER-5
            "fortified", "wall", on_charge=NEW | OLD, aligned=NEW, penalty=2.0
        ),
        TerrainKeyword("hindering", on_charge=NEW | OLD, aligned=NEW, penalty=8.0),  # TMG-TER-14
        TerrainKeyword(  # TMG-TER-19
            "destructible", breaks=True, on_charge=OLD, aligned=OLD, entering=OLD, penalty=1.0
        ),
        TerrainKeyword("elevated", raises=True),
    )
}


@cache
def in_edition(kind: str, year: str) -> frozenset[str]:
    """The keywords whose years of that kind (on_charge, aligned or entering) contain this one."""
    return keywords(lambda one: year in getattr(one, kind))


def keywords(holds: Callable[[TerrainKeyword], object]) -> frozenset[str]:
    """The names of the keywords for which something holds."""
    return frozenset(one.name for one in TERRAIN_KEYWORDS.values() if holds(one))


STOPS = keywords(lambda one: one.stops)
SLOWS = keywords(lambda one: one.slows)
HIDES = keywords(lambda one: one.hides)
COVERS = keywords(lambda one: one.covers)
RAISES = keywords(lambda one: one.raises)
WOUNDS = keywords(lambda one: one.wounds)
BREAKS = keywords(lambda one: one.breaks)
HARMS_CHARGE = keywords(lambda one: one.penalty)
MORALE = [one for one in TERRAIN_KEYWORDS.values() if one.morale]
MORALE.sort(key=lambda one: -one.morale)  # the helpful ones first
