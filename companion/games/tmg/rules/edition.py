"""The differences between the editions, as data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.games.tmg.rules.terrain_keywords import in_edition
from models import UnknownName


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
