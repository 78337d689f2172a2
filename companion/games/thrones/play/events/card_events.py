"""Events of cards in play: entering, leaving, kneeling, attaching, control, tags and seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.thrones.cards.card import FACE_DOWN
from companion.games.thrones.play.dealt_cards import dealt_with, dealt_without
from companion.games.thrones.play.events.event_kinds import kind
from companion.games.thrones.play.state import FACTION_CARD, CardInPlay, HouseInPlay, ThronesState
from companion.games.thrones.rules.card_places import Edge, SeatPlace
from models.frozen_records import replace
from models.message import joined, listed_names, say

LEAVING = {
    "killed": say("killed"),
    "discarded": say("discarded"),
    "sacrificed": say("sacrificed"),
    "returned": say("returned to hand"),
    "shuffled": say("shuffled into the deck"),
    "removed": say("removed from the game"),
    "eliminated": say("out of the game with its owner"),
}
PILE_WORDS = {
    "hand": say("hand"),
    "deck": say("deck"),
    "discard": say("discard pile"),
    "dead": say("dead pile"),
    "removed": say("out of the game"),
    "shadows": say("shadows"),
    "under": say("under the agenda"),
}
PILES = tuple(PILE_WORDS)
HIDDEN = ("hand", "deck", "shadows", "under")
"""The piles whose cards only their player sees, or nobody (AGOT-ZONE-30, AGOT-SHD-3,
AGOT-AGD-13)."""


def taken_from(house: HouseInPlay, pile: str, code: str) -> HouseInPlay:
    """The player without a card of that pile; one that nobody has named may be any."""
    if pile == "hand":
        return replace(house, hand=house.hand - 1, dealt=dealt_without(house, pile, code))
    if pile == "deck":
        dealt = dealt_without(house, pile, code)
        return replace(house, draw_deck=house.draw_deck - 1, dealt=dealt)
    left = list(getattr(house, pile))
    lying = code if code in left else ""
    del left[len(left) - 1 - left[::-1].index(lying)]
    return with_pile(house, pile, tuple(left))


def laid_on(house: HouseInPlay, pile: str, code: str) -> HouseInPlay:
    """The player with a card more in that pile (AGOT-ZONE-6, AGOT-ZONE-10)."""
    if pile == "hand":
        return replace(house, hand=house.hand + 1, dealt=dealt_with(house, pile, code))
    if pile == "deck":
        return replace(house, draw_deck=house.draw_deck + 1, dealt=dealt_with(house, pile, code))
    return with_pile(house, pile, (*getattr(house, pile), code))


def with_pile(house: HouseInPlay, pile: str, codes: tuple[str, ...]) -> HouseInPlay:
    """The player with another discard pile, dead pile (AGOT-ZONE-12), cards out of the game, in
    shadows or under the agenda."""
    match pile:
        case "discard":
            return replace(house, discard=codes)
        case "shadows":
            return replace(house, shadows=codes)
        case "under":
            return replace(house, under=codes)
        case "dead":
            return replace(house, dead=codes)
    return replace(house, removed=codes)


def entered_title(how: str, player: str, name: str, paid: int) -> str:
    if how == "marshal":
        return say("{player} marshals {card} for {paid} gold", player=player,
                   card=name, paid=paid)  # fmt: skip
    if how == "ambush":
        return say("{player} ambushes with {card} for {paid} gold", player=player,
                   card=name, paid=paid)  # fmt: skip
    if how == "shadows":
        return say("{player} brings {card} out of shadows for {paid} gold", player=player,
                   card=name, paid=paid)  # fmt: skip
    return say("{player} puts {card} into play", player=player, card=name)


@kind("entered", entered_title)
def entered(
    state: ThronesState,
    *,
    seat: str,
    player: str,
    owner: str,
    code: str,
    name: str,
    how: str,
    paid: int,
    from_: str,
    host: str = "",
    kneeling: bool = False,
    limited: bool = False,
    as_: str = "",
) -> ThronesState:
    """A card enters play, standing unless a text says otherwise (AGOT-CARD-3)."""
    house = state.house(owner)
    facts = house.card(code) if code else FACE_DOWN
    if as_:
        facts = facts.become(as_)  # it loses its other types (AGOT-CMP-13)
    state = state.with_house(taken_from(house, from_, code))
    payer = state.house(seat)
    count = payer.limited + bool(limited)
    state = state.with_house(replace(payer, gold=payer.gold - paid, limited=count))
    card = CardInPlay(
        f"c{state.next_card}",
        facts,
        owner,
        seat,
        name,
        bool(kneeling),
        host=host,
        protected=how == "agenda",
    )
    return replace(state, cards=(*state.cards, card), next_card=state.next_card + 1)


@kind("duplicate", "{player} adds a duplicate to {name}")
def duplicate(
    state: ThronesState,
    *,
    seat: str,
    player: str,
    card: str,
    name: str,
    code: str,
    from_: str,
    paid: int = 0,
) -> ThronesState:
    """A further copy of a unique card, in any version, goes under the one in play, which stays what
    it is (AGOT-MAR-12, AGOT-UNI-6, -11)."""
    house = taken_from(state.house(seat), from_, code)
    state = state.with_house(replace(house, gold=house.gold - paid))
    card_state = state.card(card)
    return state.with_card(replace(card_state, duplicates=(*card_state.duplicates, code)))


def left_title(cards: Sequence[Sequence[Any]], how: str, returned: Sequence[str] = ()) -> str:
    """What left play, and which attachments went back to hand; older logs do not say that."""
    names = listed_names(row[1] for row in cards)
    if not names:
        return ""
    told = say("{cards}: {how}", cards=names, how=LEAVING[how])
    if not returned:
        return told
    return say("{left}; back to hand: {cards}", left=told, cards=listed_names(returned))


@kind("left", left_title)
def left(
    state: ThronesState,
    *,
    cards: Sequence[Sequence[Any]],
    how: str,
    terminal: Sequence[str] = (),
    deeper: Sequence[str] = (),
    returned: Sequence[str] = (),
) -> ThronesState:
    """Cards leave play at once: tokens to the treasury (AGOT-TOK-10, AGOT-KEY-39), duplicates
    discarded, attachments back to their owners' hands or, if terminal, discarded
    (AGOT-CARD-6 to -8, AGOT-ATT-5, AGOT-KEY-29, AGOT-ZONE-4). Those on
    attachments are listed as `deeper`; older games have none."""
    going = [state.card(row[0]) for row in cards]
    piles = {row[0]: row[2] for row in cards}
    loose = [one for card in going for one in state.attached(card.id) if one.id not in piles]
    loose += [state.card(one) for one in deeper]
    for one in loose:
        piles[one.id] = "discard" if one.id in terminal else "hand"
    for card in (*going, *loose):
        house = laid_on(state.house(card.owner), piles[card.id], card.facts.code)
        for code in card.duplicates:
            house = laid_on(house, "discard", code)
        state = state.with_house(house)
    return without_cards(state, set(piles))


def without_cards(state: ThronesState, gone: set[str]) -> ThronesState:
    """The state when these cards are no longer in play: nor in the challenge, nor modified."""
    cards = tuple(one for one in state.cards if one.id not in gone)
    modifiers = tuple(
        one for one in state.modifiers if one.target not in gone and one.source not in gone
    )
    challenge = state.challenge.without(gone) if state.challenge else None
    uses = tuple(one for one in state.uses if one.card not in gone)
    return replace(state, cards=cards, modifiers=modifiers, challenge=challenge, uses=uses)


def saved_title(by: str, name: str) -> str:
    if by == "duplicate":
        return say("{card} is saved by its duplicate", card=name)
    return say("{card} is saved", card=name)


@kind("saved", saved_title)
def saved(state: ThronesState, *, card: str, name: str, by: str) -> ThronesState:
    """A saved card stays (AGOT-EFF-13); a duplicate that saves it is discarded (AGOT-UNI-7)."""
    if by != "duplicate":
        return state
    card_state = state.card(card)
    state = state.with_house(
        laid_on(state.house(card_state.owner), "discard", card_state.duplicates[-1])
    )
    return state.with_card(replace(card_state, duplicates=card_state.duplicates[:-1]))


def knelt_title(names: Sequence[str]) -> str:
    return say("{cards} kneels", cards=listed_names(names)) if names else ""


@kind("knelt", knelt_title)
def knelt(state: ThronesState, *, cards: Sequence[str], names: Sequence[str]) -> ThronesState:
    return turned(state, cards, True)


def stood_title(names: Sequence[str], all: bool = False) -> str:
    if all:
        return say("All cards stand")
    return say("{cards} stands", cards=listed_names(names))


@kind("stood", stood_title)
def stood(
    state: ThronesState, *, cards: Sequence[str], names: Sequence[str], all: bool = False
) -> ThronesState:
    return turned(state, cards, False)


def turned(state: ThronesState, cards: Sequence[str], kneeling: bool) -> ThronesState:
    """The cards of an event, kneeling or standing."""
    ids = set(cards)
    after = tuple(replace(one, kneeling=kneeling) if one.id in ids else one for one in state.cards)
    houses = tuple(
        replace(one, kneeling=kneeling) if FACTION_CARD + one.id in ids else one
        for one in state.houses
    )
    return replace(state, cards=after, houses=houses)


@kind("attached", "{name} is attached to {host_name}")
def attached(
    state: ThronesState, *, card: str, name: str, host: str, host_name: str
) -> ThronesState:
    return state.with_card(replace(state.card(card), host=host))


@kind("control", "{player} takes control of {name}")
def control(state: ThronesState, *, card: str, name: str, seat: str, player: str) -> ThronesState:
    """A card changes sides with its power (AGOT-TOK-12) and leaves the challenge (AGOT-CHL-23)."""
    state = state.with_card(replace(state.card(card), controller=seat))
    if state.challenge:
        state = replace(state, challenge=state.challenge.without({card}))
    return state


@kind("event-played", "{player} plays {name} for {paid} gold")
def event_played(
    state: ThronesState,
    *,
    seat: str,
    player: str,
    code: str,
    name: str,
    paid: int,
    canceled: bool,
    limited: bool = False,
    from_: str = "hand",
) -> ThronesState:
    """Paid, resolved or canceled, then on the discard pile (AGOT-EVT-2, AGOT-EVT-4)."""
    house = state.house(seat)
    house = taken_from(house, from_, code)
    house = laid_on(house, "discard", code)
    count = house.limited + bool(limited)
    return state.with_house(replace(house, gold=house.gold - paid, limited=count))


def tokens_title(name: str, change: int, token: str, why: str = "") -> str:
    if why:
        return say("{card}: {change:+d} {token} ({why})", card=name,
                   change=change, token=token, why=why)  # fmt: skip
    return say("{card}: {change:+d} {token}", card=name, change=change,
               token=token)  # fmt: skip


@kind("tokens", tokens_title)
def tokens(
    state: ThronesState, *, card: str, name: str, token: str, change: int, why: str = ""
) -> ThronesState:
    return with_tokens(state, card, token, change)


def with_tokens(state: ThronesState, card: str, token: str, change: int) -> ThronesState:
    """Tokens of any kind on a card (AGOT-CMP-16)."""
    there = state.card(card)
    found = dict(there.tokens)
    found[token] = found.get(token, 0) + change
    left = tuple((name, n) for name, n in found.items() if n > 0)
    return state.with_card(replace(there, tokens=left))


def moved_title(
    player: str, codes: Sequence[str], from_: str, to: str, names: Sequence[str] = ()
) -> str:
    """Named where the cards lie open, or have been found in the deck: those are shown
    (AGOT-ZONE-29). Between the other hidden places only their number is told (AGOT-ZONE-30,
    AGOT-SHD-3)."""
    found = (from_, to) == ("deck", "hand")
    shown = names if found or not {from_, to} <= {*HIDDEN} else ()
    return joined(
        [
            say(
                "{player}: {n} card from {pile} to {to}",
                "{player}: {n} cards from {pile} to {to}",
                player=player,
                n=len(codes),
                pile=PILE_WORDS[from_],
                to=PILE_WORDS[to],
            ),
            *(name for name in shown if name),
        ]
    )


@kind("moved", moved_title)
def moved(
    state: ThronesState,
    *,
    seat: str,
    player: str,
    codes: Sequence[str],
    to: str,
    from_: str,
    names: Sequence[str] = (),
) -> ThronesState:
    """Cards of a player go from one pile to another; a code may be "" (not named)."""
    house = state.house(seat)
    for code in codes:
        house = laid_on(taken_from(house, from_, code), to, code)
    return state.with_house(house)


@kind("named", "{player}: {name} is in the discard pile")
def named(state: ThronesState, *, seat: str, player: str, code: str, name: str) -> ThronesState:
    """The latest card of the discard pile that nobody named gets its name."""
    house = state.house(seat)
    pile = list(house.discard)
    pile[len(pile) - 1 - pile[::-1].index("")] = code
    return state.with_house(replace(house, discard=tuple(pile)))


@kind("into-shadows", "{player} puts a card into shadows for {paid} gold")
def into_shadows(
    state: ThronesState, *, seat: str, player: str, code: str, paid: int
) -> ThronesState:
    """Face down; only its controller knows which card it is (AGOT-SHD-1, -3, -5)."""
    house = laid_on(taken_from(state.house(seat), "hand", code), "shadows", code)
    return state.with_house(replace(house, gold=house.gold - paid))


@kind("bestow-asked", "")
def bestow_asked(state: ThronesState, *, card: str, most: int) -> ThronesState:
    return replace(state, bestow=(card, most))


def bestowed_title(player: str, name: str, gold: int) -> str:
    if not gold:
        return say("{player} bestows no gold on {card}", player=player, card=name)
    return say("{player} bestows {gold} gold on {card}", player=player, card=name, gold=gold)


@kind("bestowed", bestowed_title)
def bestowed(
    state: ThronesState, *, seat: str, player: str, card: str, name: str, gold: int
) -> ThronesState:
    """Gold from the pool lies on the card (AGOT-KEY-33, AGOT-KEY-38)."""
    house = state.house(seat)
    state = replace(state.with_house(replace(house, gold=house.gold - gold)), bestow=None)
    return with_tokens(state, card, "gold", gold)


@kind("under-agenda", "{player}: {count} cards go under the agenda")
def under_agenda(
    state: ThronesState, *, seat: str, player: str, count: int, codes: Sequence[str]
) -> ThronesState:
    house = state.house(seat)
    for code in codes:
        house = taken_from(house, "deck", code)
    return state.with_house(replace(house, under=(*house.under, *codes)))


@kind("agenda-named", "{player} names {what} for the agenda")
def agenda_named(state: ThronesState, *, seat: str, player: str, what: str) -> ThronesState:
    return state.with_house(replace(state.house(seat), named=what))


@kind("tagged", "Tag {tag} is on {name}")
def tagged(state: ThronesState, *, card: str, name: str, tag: int) -> ThronesState:
    cards = tuple(
        replace(one, tag=tag)
        if one.id == card
        else (replace(one, tag=None) if one.tag == tag else one)
        for one in state.cards
    )
    return replace(state, cards=cards)


@kind("untagged", "No tag is on {name}")
def untagged(state: ThronesState, *, card: str, name: str) -> ThronesState:
    return state.with_card(replace(state.card(card), tag=None))


@kind("sat-down", "{player} sits elsewhere")
def sat_down(
    state: ThronesState, *, seat: str, player: str, edge: Edge, line: float
) -> ThronesState:
    place = SeatPlace(edge, line)
    rest = tuple(one for one in state.places if one[0] != seat)
    return replace(state, places=(*rest, (seat, place)))
