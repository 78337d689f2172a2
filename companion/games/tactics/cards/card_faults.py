"""What a figure card says that cannot be: riders that are not there, effects nobody can buy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.games.tactics.cards.figure_card import CoinEffect, FigureCard
from models.message import say


class CardFault(NamedTuple):
    """A value of a card: where it stands in its form, what is wrong with it, and by which rule."""

    field: str
    text: str
    rule: str


def card_faults(card: FigureCard, cards: Mapping[str, FigureCard]) -> Iterator[CardFault]:
    """What is wrong with a card among these others."""
    if card.foot == card.id:
        yield CardFault("foot", say("its version on foot is the mount itself"), "TAC-FIG-9")
    elif card.foot and card.foot not in cards:
        text = say("its version on foot: no figure {name!r}", name=card.foot)
        yield CardFault("foot", text, "TAC-FIG-9")
    rows = [
        *((f"attacks[{at}].effects", one.effects) for at, one in enumerate(card.attacks)),
        *((f"abilities[{at}].effects", one.effects) for at, one in enumerate(card.abilities)),
    ]
    for field, effects in rows:
        for name in never_bought(effects):
            text = say("{name}: what is to be bought before it cannot be bought", name=name)
            yield CardFault(field, text, "TAC-CRD-9")


def never_bought(effects: Sequence[CoinEffect]) -> list[str]:
    """The effects whose predecessors are missing or wait for them."""
    open_to = {""}
    while found := {one.name for one in effects if one.after in open_to} - open_to:
        open_to |= found
    return [one.name for one in effects if one.name not in open_to]
