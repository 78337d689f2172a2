"""How often an interrupt or a reaction is used on one occurrence (AGOT-TRG-10)."""

from __future__ import annotations

from companion.games.thrones.cards.catalogue import folded
from companion.games.thrones.play.state import ThronesState


def used_up(state: ThronesState, seat: str, ability: str) -> bool:
    """Whether a player has used an ability of this name on what is happening: each copy of a card
    once, and others use theirs (AGOT-TRG-10)."""
    title = title_of(state, seat, ability)
    used = [title_of(state, who, what) for who, what in state.triggers[-1].used if who == seat]
    return used.count(title) >= copies(state, seat, title)


def title_of(state: ThronesState, seat: str, ability: str) -> str:
    """The title of the player's card that is called so in play, or the words themselves."""
    wanted = folded(ability)
    cards = (one for one in state.controlled(seat) if folded(one.name) == wanted)
    return next((folded(one.facts.name) for one in cards), wanted)


def copies(state: ThronesState, seat: str, title: str) -> int:
    """How many cards of a title a player may use: those in play, or the events of the deck."""
    there = sum(folded(one.facts.name) == title for one in state.controlled(seat))
    events = state.house(seat).deck.of_type("event")
    played = sum(n for card, n in events if folded(card.name) == title)
    return max(there, played, 1)
