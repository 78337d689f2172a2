"""Restricted, banned and pod lists: which there are, and what a deck breaks of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.games.api.play import Refusal
from companion.games.shared.commands import no
from companion.games.thrones.cards.card import CardFacts
from companion.games.thrones.cards.packs import rows
from models.message import UnknownName, joined


@dataclass(frozen=True, slots=True)
class RestrictedList:
    """A list with the day since which it is in force."""

    code: str
    name: str
    issuer: str
    released: str
    card_set: str


@dataclass(frozen=True, slots=True)
class ListedCards:
    """Cards of a list that share a fate: banned, restricted, in a pod, or the key of a pod.

    `format` is "all", "joust" or "melee".
    """

    list: str
    format: str
    kind: str
    pod: str
    codes: frozenset[str]


@lru_cache(maxsize=1)
def restricted_lists() -> dict[str, RestrictedList]:
    """Every list by its code, in the order in which they came."""
    return {row["code"]: RestrictedList(**row) for row in rows("lists.csv")}


@lru_cache(maxsize=4)
def listed_cards(code: str) -> tuple[ListedCards, ...]:
    """What a list says of cards."""
    if code not in restricted_lists():
        known = ", ".join(restricted_lists())
        raise UnknownName(f"no list {code!r}; there are: {known}")
    return tuple(
        ListedCards(code, row["format"], row["kind"], row["pod"], frozenset(spread(row["cards"])))
        for row in rows("listed_cards.csv")
        if row["list"] == code
    )


def spread(text: str) -> Iterator[str]:
    """The codes of a row, where "01001-01003" stands for three."""
    for part in text.split():
        first, _, last = part.partition("-")
        for number in range(int(first), int(last or first) + 1):
            yield f"{number:05}"


def list_problems(code: str, melee: bool, cards: Sequence[CardFacts]) -> Iterator[Refusal]:
    """What a deck breaks of a list in a format."""
    name = restricted_lists()[code].name if code in restricted_lists() else code
    groups = [one for one in listed_cards(code) if one.format in ("all", format_name(melee))]
    for group in groups:
        hits = [card for card in cards if card.code in group.codes]
        if group.kind == "banned":
            for card in hits:
                yield no("AGOT-LIST-1", "{card} is banned by {list}", card=card.name, list=name)
        elif group.kind == "restricted" and len(hits) > 1:
            yield no("AGOT-LIST-2", "only one of {cards} may be in the deck: {list} restricts them",
                     cards=titles(hits), list=name)  # fmt: skip
        elif group.kind == "pod":
            yield from pod_problems(group, groups, hits, cards, name)


def pod_problems(
    pod: ListedCards,
    groups: Sequence[ListedCards],
    hits: Sequence[CardFacts],
    cards: Sequence[CardFacts],
    name: str,
) -> Iterator[Refusal]:
    """What a deck breaks of a pod: one of its cards, or none beside its key."""
    keys = [one for one in groups if one.kind == "pod key" and one.pod == pod.pod]
    if not keys:
        if len(hits) > 1:
            yield no("AGOT-LIST-3", "only one of {cards} may be in the deck: pod {pod} of {list}",
                     cards=titles(hits), pod=pod.pod, list=name)  # fmt: skip
        return
    held = [card for card in cards if any(card.code in one.codes for one in keys)]
    others = [card for card in hits if card not in held]
    if held and others:
        yield no("AGOT-LIST-4", "{cards} may not be in a deck with {key}: pod {pod} of {list}",
                 cards=titles(others), key=titles(held), pod=pod.pod, list=name)  # fmt: skip


def format_name(melee: bool) -> str:
    return "melee" if melee else "joust"


def titles(cards: Sequence[CardFacts]) -> str:
    """The titles of cards in one text."""
    return joined([card.name for card in cards])
