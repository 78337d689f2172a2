"""What the rulebooks define as data: distances, terrain keywords, differences of the editions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from companion.geometry.plane.trays import Floats
from models import UnknownName

CONTACT_IN = 0.02
"""Trays whose gap or overlap is at most this (plus the uncertainty) are in contact."""
CLEAR_IN = 1.0
"""TMG-MOV-7: no move but a charge ends closer than this to an enemy (OR-13)."""
ROUGH_IN = 1.0
"""TMG-TER-17: the cost of a move over Rough ground."""
SHIFT_IN = 2.0
"""TMG-RNG-5: the longest shift."""
HIGHEST_ROLL = 6
"""TMG-CHG-4: the most inches a D6 adds to Speed, in a charge and in a retreat."""
Speed = TypeVar("Speed", float, Floats)


def farthest_in(speed: Speed) -> Speed:
    """The longest charge or retreat of a unit of that Speed (TMG-CHG-4, TMG-RET-3)."""
    return speed + float(HIGHEST_ROLL)


RANGES_IN = {"short": 6.0, "long": 12.0}
"""TMG-RNG-8: Short and Long Range."""


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


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition's rules; code asks these fields and never the year."""

    game: str
    year: str
    pivot_over_friends: bool  # TMG-MOV-4: the first pivot of a move may end over friends
    swings_over_walls: bool  # TMG-TER-16: only this exempts a pivot from the ban on moving over
    retreat_forward: bool  # TMG-RET-4
    half_contact_room: bool  # TMG-CHG-3: room for 50 %, not just any free room
    full_edge_closed: bool  # TMG-CHG-3: an edge taken at 100 % (or by two) is closed
    cover_blocks: bool  # TMG-TER-6: Cover stops ranged sight instead of helping the defense
    crushes: bool  # TMG-TER-19: moving over a Destructible piece removes it
    shift_needs_target: bool  # TMG-RNG-6
    last_pivot_pays: bool  # TMG-TER-17: every move onto Rough pays, also by its last pivot
    pivot_reaches: bool  # TMG-CHG-10: a charge's pivot must leave contact possible, not just sight
    no_path: tuple[str, ...]  # the rules that forbid a charge for which no pivot leads to contact
    others_align: bool  # TMG-CHG-20..22
    moves_defender: bool  # TMG-CHG-18: where neither 100 % nor 50 % is free

    def charge_effects(self, words: Iterable[str], leaving: bool = False) -> frozenset[str]:
        """Which of a piece's keywords affect a charge that crosses it, or only leaves it."""
        found = in_edition("on_charge", self.year).intersection(words)
        return found - in_edition("entering", self.year) if leaving else found

    @property
    def aligned_effects(self) -> frozenset[str]:
        """The keywords that affect a charge that only ends on the piece (TMG-CHG-5)."""
        return in_edition("aligned", self.year)


EDITIONS = {
    edition.game: edition
    for edition in (
        Edition(
            game="tmg-2021",
            year="2021",
            pivot_over_friends=True,
            swings_over_walls=True,
            retreat_forward=True,
            half_contact_room=True,
            full_edge_closed=False,
            cover_blocks=True,
            crushes=False,
            shift_needs_target=True,
            last_pivot_pays=True,  # turning is moving (TMG-GLO-8)
            pivot_reaches=True,
            no_path=("TMG-CHG-10",),
            others_align=True,
            moves_defender=False,
        ),
        Edition(
            game="tmg-2018",
            year="2018",
            pivot_over_friends=False,
            swings_over_walls=False,
            retreat_forward=False,
            half_contact_room=False,
            full_edge_closed=True,
            cover_blocks=False,
            crushes=True,
            shift_needs_target=False,
            last_pivot_pays=False,  # only the path counts
            pivot_reaches=False,
            no_path=("TMG-CHG-4",),
            others_align=False,
            moves_defender=True,
        ),
    )
}


def edition_of(game: str) -> Edition:
    """The edition a table is played by."""
    try:
        return EDITIONS[game]
    except KeyError:
        raise UnknownName(f"game {game!r} is not one of {', '.join(sorted(EDITIONS))}") from None
