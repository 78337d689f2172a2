"""Names on printed cards, as the players' edition of the game has them.

A game keeps the names of the language in which it was set up; names of own cards stay as entered.
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.westeros.cards.catalogue import CardCollection
from companion.text.translation import _
from models.lazy_message import say

PRINTED = frozenset(
    (
        say("War Host of the North"), say("War Host"), say("Winterfell Riders"), say("Riders"),
        say("Northmen Archers"), say("Archers"), say("Stark Kennelmasters"), say("Kennels"),
        say("Lannisport Guards"), say("Guards"), say("Casterly Rock Cavaliers"),
        say("Cavaliers"), say("Westerlands Archers"), say("Lannister Heavy Infantry"),
        say("Heavy Inf."), say("The Greatjon"), say("Lord of the Last Hearth"),
        say("Lady of Bear Island"), say("Lord of Karhold"), say("The ford by the burnt mill"),
        say("A raid across the fields"), say("An invented battle to try the companion with."),
    )
)  # fmt: skip


def printed_name(name: str) -> str:
    """A printed name in the players' language; any other name as it is."""
    return _(name) if name in PRINTED else name


def with_printed_names(cards: CardCollection) -> CardCollection:
    """The cards with their printed names."""
    units = {
        key: replace(one, name=printed_name(one.name), short=printed_name(one.short))
        for key, one in cards.units.items()
    }
    commanders = {
        key: replace(one, title=printed_name(one.title)) for key, one in cards.commanders.items()
    }
    return replace(cards, units=units, commanders=commanders)
