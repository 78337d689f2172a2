"""Events of cards in play: entering, leaving, kneeling, attaching, control, tags and seats."""

from __future__ import annotations

from dataclasses import replace

from companion.games.thrones.cards.card import FACE_DOWN
from companion.games.thrones.play.events.event_kinds import Data, kind
from companion.games.thrones.play.state import CardInPlay, HouseInPlay, ThronesState
from companion.games.thrones.rules.card_places import SeatPlace
from models.message import joined, say

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
}
PILES = tuple(PILE_WORDS)


def taken_from(house: HouseInPlay, pile: str, code: str) -> HouseInPlay:
    """The player without a card of that pile."""
    if pile == "hand":
        return replace(house, hand=house.hand - 1)
    if pile == "deck":
        return replace(house, draw_deck=house.draw_deck - 1)
    left = list(getattr(house, pile))
    del left[len(left) - 1 - left[::-1].index(code)]
    return with_pile(house, pile, tuple(left))


def laid_on(house: HouseInPlay, pile: str, code: str) -> HouseInPlay:
    """The player with a card more in that pile (AGOT-ZONE-6, AGOT-ZONE-10)."""
    if pile == "hand":
        return replace(house, hand=house.hand + 1)
    if pile == "deck":
        return replace(house, draw_deck=house.draw_deck + 1)
    return with_pile(house, pile, (*getattr(house, pile), code))


def with_pile(house: HouseInPlay, pile: str, codes: tuple[str, ...]) -> HouseInPlay:
    """The player with another discard pile, dead pile, or cards out of the game."""
    if pile == "discard":
        return replace(house, discard=codes)
    return replace(house, dead=codes) if pile == "dead" else replace(house, removed=codes)


def entered_title(data: Data) -> str:
    if data["how"] == "marshal":
        return say("{player} marshals {card} for {paid} gold", player=data["player"],
                   card=data["name"], paid=data["paid"])  # fmt: skip
    if data["how"] == "ambush":
        return say("{player} ambushes with {card} for {paid} gold", player=data["player"],
                   card=data["name"], paid=data["paid"])  # fmt: skip
    return say("{player} puts {card} into play", player=data["player"], card=data["name"])


@kind("entered", entered_title)
def entered(state: ThronesState, data: Data) -> ThronesState:
    """A card enters play, standing unless a text says otherwise (AGOT-CARD-3)."""
    owner = state.house(data["owner"])
    facts = owner.card(data["code"]) if data["code"] else FACE_DOWN
    if data.get("as"):
        facts = facts.become(data["as"])  # it loses its other types (AGOT-CMP-13)
    state = state.with_house(taken_from(owner, data["from"], data["code"]))
    payer = state.house(data["seat"])
    limited = payer.limited + bool(data.get("limited"))
    state = state.with_house(replace(payer, gold=payer.gold - data["paid"], limited=limited))
    card = CardInPlay(
        f"c{state.next_card}",
        facts,
        data["owner"],
        data["seat"],
        data["name"],
        bool(data.get("kneeling")),
        host=data.get("host", ""),
    )
    return replace(state, cards=(*state.cards, card), next_card=state.next_card + 1)


@kind("duplicate", "{player} adds a duplicate to {name}")
def duplicate(state: ThronesState, data: Data) -> ThronesState:
    """A further copy of a unique card goes under the one in play (AGOT-MAR-12, AGOT-UNI-6)."""
    house = taken_from(state.house(data["seat"]), data["from"], data["code"])
    state = state.with_house(replace(house, gold=house.gold - data.get("paid", 0)))
    card = state.card(data["card"])
    return state.with_card(replace(card, duplicates=(*card.duplicates, data["code"])))


def left_title(data: Data) -> str:
    names = ", ".join(row[1] for row in data["cards"])
    if not names:
        return ""
    return say("{cards}: {how}", cards=names, how=LEAVING[data["how"]])


@kind("left", left_title)
def left(state: ThronesState, data: Data) -> ThronesState:
    """Cards leave play at once: tokens to the treasury, duplicates discarded, attachments back to
    their owners' hands or, if terminal, discarded (AGOT-CARD-6 to -8, AGOT-KEY-29). Those on
    attachments are listed as `deeper`; older games have none."""
    going = [state.card(row[0]) for row in data["cards"]]
    piles = {row[0]: row[2] for row in data["cards"]}
    terminal = set(data.get("terminal", ()))
    loose = [one for card in going for one in state.attached(card.id) if one.id not in piles]
    loose += [state.card(one) for one in data.get("deeper", ())]
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


def saved_title(data: Data) -> str:
    if data["by"] == "duplicate":
        return say("{card} is saved by its duplicate", card=data["name"])
    return say("{card} is saved", card=data["name"])


@kind("saved", saved_title)
def saved(state: ThronesState, data: Data) -> ThronesState:
    """A saved card stays (AGOT-EFF-13); a duplicate that saves it is discarded (AGOT-UNI-7)."""
    if data["by"] != "duplicate":
        return state
    card = state.card(data["card"])
    state = state.with_house(laid_on(state.house(card.owner), "discard", card.duplicates[-1]))
    return state.with_card(replace(card, duplicates=card.duplicates[:-1]))


def knelt_title(data: Data) -> str:
    return say("{cards} kneels", cards=", ".join(data["names"])) if data["names"] else ""


@kind("knelt", knelt_title)
def knelt(state: ThronesState, data: Data) -> ThronesState:
    return turned(state, data, True)


def stood_title(data: Data) -> str:
    if data.get("all"):
        return say("all cards stand")
    return say("{cards} stands", cards=", ".join(data["names"]))


@kind("stood", stood_title)
def stood(state: ThronesState, data: Data) -> ThronesState:
    return turned(state, data, False)


def turned(state: ThronesState, data: Data, kneeling: bool) -> ThronesState:
    """The cards of an event, kneeling or standing."""
    ids = set(data["cards"])
    cards = tuple(replace(one, kneeling=kneeling) if one.id in ids else one for one in state.cards)
    return replace(state, cards=cards)


@kind("attached", "{name} is attached to {host_name}")
def attached(state: ThronesState, data: Data) -> ThronesState:
    return state.with_card(replace(state.card(data["card"]), host=data["host"]))


@kind("control", "{player} takes control of {name}")
def control(state: ThronesState, data: Data) -> ThronesState:
    """A card changes sides with its power (AGOT-TOK-12) and leaves the challenge (AGOT-CHL-23)."""
    card = replace(state.card(data["card"]), controller=data["seat"])
    state = state.with_card(card)
    if state.challenge:
        state = replace(state, challenge=state.challenge.without({card.id}))
    return state


@kind("event-played", "{player} plays {name} for {paid} gold")
def event_played(state: ThronesState, data: Data) -> ThronesState:
    """Paid, resolved or canceled, then on the discard pile (AGOT-EVT-2, AGOT-EVT-4)."""
    house = state.house(data["seat"])
    house = taken_from(house, data.get("from", "hand"), data["code"])
    house = laid_on(house, "discard", data["code"])
    limited = house.limited + bool(data.get("limited"))
    return state.with_house(replace(house, gold=house.gold - data["paid"], limited=limited))


def tokens_title(data: Data) -> str:
    if data.get("why"):
        return say("{card}: {change:+d} {token} ({why})", card=data["name"],
                   change=data["change"], token=data["token"], why=data["why"])  # fmt: skip
    return say("{card}: {change:+d} {token}", card=data["name"], change=data["change"],
               token=data["token"])  # fmt: skip


@kind("tokens", tokens_title)
def tokens(state: ThronesState, data: Data) -> ThronesState:
    """Tokens of any kind on a card (AGOT-CMP-16)."""
    card = state.card(data["card"])
    found = dict(card.tokens)
    found[data["token"]] = found.get(data["token"], 0) + data["change"]
    return state.with_card(
        replace(card, tokens=tuple((name, n) for name, n in found.items() if n > 0))
    )


def moved_title(data: Data) -> str:
    return joined(
        [
            say(
                "{player}: {n} card from {pile} to {to}",
                "{player}: {n} cards from {pile} to {to}",
                player=data["player"],
                n=len(data["codes"]),
                pile=PILE_WORDS[data["from"]],
                to=PILE_WORDS[data["to"]],
            ),
            *(name for name in data.get("names", ()) if name),
        ]
    )


@kind("moved", moved_title)
def moved(state: ThronesState, data: Data) -> ThronesState:
    """Cards of a player go from one pile to another; a code may be "" (not named)."""
    house = state.house(data["seat"])
    for code in data["codes"]:
        house = laid_on(taken_from(house, data["from"], code), data["to"], code)
    return state.with_house(house)


@kind("tagged", "tag {tag} is on {name}")
def tagged(state: ThronesState, data: Data) -> ThronesState:
    """A tag is on one card only."""
    cards = tuple(
        replace(one, tag=data["tag"])
        if one.id == data["card"]
        else (replace(one, tag=None) if one.tag == data["tag"] else one)
        for one in state.cards
    )
    return replace(state, cards=cards)


@kind("untagged", "no tag is on {name}")
def untagged(state: ThronesState, data: Data) -> ThronesState:
    return state.with_card(replace(state.card(data["card"]), tag=None))


@kind("sat-down", "{player} sits elsewhere")
def sat_down(state: ThronesState, data: Data) -> ThronesState:
    place = SeatPlace(data["edge"], data["line"])
    rest = tuple(one for one in state.places if one[0] != data["seat"])
    return replace(state, places=(*rest, (data["seat"], place)))
