"""Events of the players' own draw of set-up cards (BOW-SKM-4, BOW-SKM-7, BOW-SKM-8)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.westeros.play.state import DRAW, WesterosState, kind
from models.frozen_records import replace
from models.message import say


@kind("revealed", "the commanders are revealed: {names}")
def revealed(state: WesterosState, *, names: str) -> WesterosState:
    return replace(state, phase=DRAW)


def drawn_title(player: str, what: str, names: str) -> str:
    """What a player has drawn; nothing if the reference card says no draw."""
    if not names:
        return ""
    if what == "units":
        return say("{player} has drawn for units: {names}", player=player, names=names)
    return say("{player} has drawn for terrain: {names}", player=player, names=names)


@kind("cards-drawn", drawn_title)
def cards_drawn(
    state: WesterosState, *, side: str, player: str, what: str, cards: Sequence[str], names: str
) -> WesterosState:
    house = state.house(side)
    if what == "units":
        return state.with_house(replace(house, unit_cards=tuple(cards)))
    return state.with_house(replace(house, terrain_cards=tuple(cards)))
