"""Decks that the app keeps for the players whom it plays itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from companion.games.thrones.cards.card import DRAW_TYPES, STAYING, CardFacts
from companion.games.thrones.cards.deck import DeckList
from companion.games.thrones.play.state import HouseInPlay, ThronesState


def first_deal(deck: DeckList, seed: str) -> tuple[str, ...]:
    """The draw deck in a random order (AGOT-SET-6)."""
    codes = [card.code for card, n in deck.of_type(*DRAW_TYPES) for _ in range(n)]
    Random(seed).shuffle(codes)
    return tuple(codes)


def held(house: HouseInPlay) -> tuple[CardFacts, ...]:
    """The hand of a player whose deck the app keeps."""
    return tuple(house.card(code) for code in house.dealt[: house.hand])


def surprises(state: ThronesState, house: HouseInPlay) -> Iterator[tuple[str, CardFacts]]:
    """The cards that a player can pay for and bring into play in a window, each with its command:
    out of shadows in any (AGOT-SHD-15), by ambush in those of the challenges (AGOT-KEY-18)."""
    kept = [house.card(code) for code in dict.fromkeys(house.shadows) if code]
    found = [("out-of-shadows", one, one.keyword_number("shadow")) for one in kept]
    if state.phase == "challenges":
        hand = dict.fromkeys(held(house))
        found += [("ambush", one, one.keyword_number("ambush")) for one in hand]
    for word, card, price in found:
        if price is not None and price <= house.gold and card.type in STAYING:
            yield word, card


def might_act(state: ThronesState, seat: str) -> bool:
    """Whether a player whom the app plays might have a card for this window, as far as others know:
    the deck, the gold and what lies open, never the hand or the shadows (AGOT-ZONE-30,
    AGOT-SHD-3)."""
    house = state.house(seat)
    words = ["shadow"] * bool(house.shadows)
    words += ["ambush"] * bool(state.phase == "challenges" and house.hand)
    prices = (
        card.keyword_number(word)
        for word in words
        for card, n in house.deck.of_type(*STAYING)
        if word in card.keywords and n > shown_copies(state, house, card.code)
    )
    return bool(house.dealt) and any(one is not None and one <= house.gold for one in prices)


def shown_copies(state: ThronesState, house: HouseInPlay, code: str) -> int:
    """How many copies of a player's card everybody sees, in play or in an open pile."""
    piles = (house.discard, house.dead, house.removed)
    mine = [one for one in state.cards if one.owner == house.id]
    there = sum((one.facts.code == code) + one.duplicates.count(code) for one in mine)
    return there + sum(pile.count(code) for pile in piles)


def opportunity(state: ThronesState, viewer: str | None = None) -> str:
    """Who is asked in a window: its holder; before players of the app who can have no card for it,
    the only person, whose action or pass says that they pass (AGOT-ORD-9)."""
    window = state.window
    assert window is not None
    people = [one for one in state.order if not state.house(one).dealt]
    later = window
    while len(people) == 1 and later.holder != people[0]:
        if might_act(state, later.holder):
            return window.holder
        later = later.passed(state.order)
    asked = len(people) == 1 and viewer != window.holder and not later.is_closed(state.order)
    return people[0] if asked else window.holder


def acts_unasked(state: ThronesState) -> bool:
    """Whether a player whom the app plays might act in this window, as far as others know: nobody
    passes for that one, and what was agreed on for afterwards waits."""
    fighting = state.phase == "challenges"
    return any(
        one.dealt and (one.shadows or (fighting and one.hand and one.gold)) for one in state.houses
    )


def hidden(house: HouseInPlay, pile: str, without: Sequence[str] = ()) -> tuple[str, ...]:
    """The cards of hand or draw deck that the app keeps, the top one first, without some."""
    codes = house.dealt[: house.hand] if pile == "hand" else house.dealt[house.hand :]
    left, found = Counter(without), []
    for code in codes:
        if left[code]:
            left[code] -= 1
        else:
            found.append(code)
    return tuple(found)


def can_hold(house: HouseInPlay, pile: str, code: str) -> bool:
    """Whether a card may lie in a player's hand or draw deck: of a deck that the app keeps it is
    known."""
    return not house.dealt or code in hidden(house, pile)


def dealt_without(house: HouseInPlay, pile: str, code: str) -> tuple[str, ...]:
    """The kept cards without one of that pile, or without one that lies in the other after all; of
    a card that nobody named, without the last of the hand or the first of the deck."""
    start, end = (0, house.hand) if pile == "hand" else (house.hand, len(house.dealt))
    places = [at for at, one in enumerate(house.dealt) if one == code]
    places.sort(key=lambda at: not start <= at < end)
    usual = house.hand - 1 if pile == "hand" else house.hand
    at = places[0] if places else usual
    return house.dealt[:at] + house.dealt[at + 1 :] if house.dealt else ()


def dealt_with(house: HouseInPlay, pile: str, code: str) -> tuple[str, ...]:
    """The kept cards with one more: in hand, or under the draw deck."""
    if not house.dealt or not code:
        return house.dealt
    return (code, *house.dealt) if pile == "hand" else (*house.dealt, code)
