"""Events of what is counted: gold, power, modifiers, overrides, uses, the end of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.thrones.play.events.card_events import laid_on, with_pile, without_cards
from companion.games.thrones.play.events.event_kinds import kind
from companion.games.thrones.play.state import FACTION_CARD, CardUse, ThronesState, ValueModifier
from companion.games.thrones.rules.values import Operation
from models.frozen_records import replace
from models.message import joined, say

STAT_WORDS = {
    "strength": say("strength"),
    "gold": say("gold"),
    "initiative": say("initiative"),
    "claim": say("claim"),
    "reserve": say("reserve"),
    "cost": say("cost"),
    "challenge": say("total in the challenge"),
    "dominance": say("dominance"),
    "draw": say("cards to draw"),
    "hand": say("cards in hand"),
    "deck": say("cards in the draw deck"),
    "power": say("power"),
    "blank": say("blank"),
    "limited": say("limited cards in a round"),
    "set-up": say("gold of set-up cards"),
    "discard": say("cards in the discard pile"),
    "dead": say("cards in the dead pile"),
    "removed": say("cards out of the game"),
    "duplicates": say("duplicates"),
}
COUNTED_PILES = ("discard", "dead", "removed")
OPERATION_SIGNS = {"add": "+", "multiply": "×", "divide": "÷", "set": "="}


def gold_title(changes: Sequence[Sequence[Any]], why: str) -> str:
    return joined(
        [
            say("{player} {change:+d} gold ({why})", player=row[1], change=row[2], why=why)
            for row in changes
            if row[2]
        ]
    )


@kind("gold", gold_title)
def gold(state: ThronesState, *, changes: Sequence[Sequence[Any]], why: str) -> ThronesState:
    """Gold moves between the treasury and gold pools (AGOT-TOK-3, AGOT-TOK-4)."""
    for seat, _, change in changes:
        house = state.house(seat)
        state = state.with_house(replace(house, gold=house.gold + change))
    return state


def power_title(changes: Sequence[Sequence[Any]], why: str) -> str:
    return joined(
        [
            say("{target} {change:+d} power ({why})", target=row[1], change=row[2], why=why)
            for row in changes
            if row[2]
        ]
    )


@kind("power", power_title)
def power(state: ThronesState, *, changes: Sequence[Sequence[Any]], why: str) -> ThronesState:
    """Power on cards and faction cards (AGOT-TOK-6, AGOT-TOK-7), all at once."""
    for target, _, change in changes:
        state = with_power(state, target, change)
    return state


def with_power(state: ThronesState, target: str, change: int) -> ThronesState:
    """The state with more or less power on a card or a faction card."""
    if target.startswith(FACTION_CARD):
        house = state.house(target.removeprefix(FACTION_CARD))
        return state.with_house(replace(house, power=house.power + change))
    card = state.card(target)
    return state.with_card(replace(card, power=card.power + change))


@kind("power-moved", "{count} power from {source_name} to {target_name}")
def power_moved(
    state: ThronesState, *, source: str, target: str, count: int, source_name: str, target_name: str
) -> ThronesState:
    """Moved power is not gained (AGOT-TOK-8, AGOT-CLM-14)."""
    state = with_power(state, source, -count)
    return with_power(state, target, count)


def modified_title(name: str, value: int, why: str, stat: str, operation: str) -> str:
    return say(
        "{target}: {stat} {sign}{value} ({why})",
        target=name,
        stat=stat_words(stat),
        sign=OPERATION_SIGNS[operation] if value >= 0 else "",
        value=value,
        why=why,
    )


def modifier_words(one: ValueModifier) -> str:
    """What a modifier changes, and why."""
    return say(
        "{stat} {sign}{value}: {why}",
        stat=stat_words(one.stat),
        sign=OPERATION_SIGNS[one.operation] if one.value >= 0 else "",
        value=one.value,
        why=one.why,
    )


def stat_words(stat: str) -> str:
    """A value's name for players: icons and keywords by their own name."""
    for start in ("icon-", "keyword-"):
        if stat.startswith(start):
            return say(stat.removeprefix(start).replace("-", " "))
    return STAT_WORDS.get(stat, stat)


@kind("modified", modified_title)
def modified(
    state: ThronesState,
    *,
    target: str,
    name: str,
    stat: str,
    operation: Operation,
    value: int,
    until: str,
    why: str,
    source: str,
) -> ThronesState:
    number = state.next_modifier
    modifier = ValueModifier(number, target, stat, operation, value, until, why, source)
    return replace(state, modifiers=(*state.modifiers, modifier), next_modifier=number + 1)


@kind("unmodified", "{name}: {why} ends")
def unmodified(state: ThronesState, *, modifier: int, name: str, why: str) -> ThronesState:
    kept = tuple(one for one in state.modifiers if one.id != modifier)
    return replace(state, modifiers=kept)


def gives_title(name: str, changes: Sequence[Sequence[Any]]) -> str:
    if not changes:
        return say("{card} gives nothing that always counts", card=name)
    given = [gift_words(stat, value) for stat, value in changes]
    return say("{card}: {changes}", card=name, changes=joined(given))


def gift_words(stat: str, value: int) -> str:
    """What an attachment gives, or takes away."""
    if stat == "blank":
        return say("a blank text box")
    if stat == "strength":
        return say("{value:+d} strength", value=value)
    words = stat_words(stat)
    return words if value > 0 else say("takes away: {what}", what=words)


@kind("gives", gives_title)
def gives(
    state: ThronesState, *, code: str, name: str, changes: Sequence[Sequence[Any]]
) -> ThronesState:
    """What an attachment gives its host while it is on it, said by the players (AGOT-GEN-2)."""
    rest = tuple(one for one in state.gives if one[0] != code)
    given = tuple((str(stat), int(value)) for stat, value in changes)
    return replace(state, gives=(*rest, (code, given)))


@kind("expired", "")
def expired(state: ThronesState, *, until: str) -> ThronesState:
    """Lasting effects of that duration expire, and uses are counted anew (AGOT-EFF-6)."""
    over = until
    kept = tuple(one for one in state.modifiers if one.until != over)
    uses = tuple(one for one in state.uses if one.period != over)
    return replace(state, modifiers=kept, uses=uses)


def overridden_title(name: str, was: int, value: int, why: str, what: str) -> str:
    return say(
        "{target}: {what} set from {was} to {value}: {why}",
        target=name,
        what=stat_words(what),
        was=was,
        value=value,
        why=why,
    )


@kind("overridden", overridden_title)
def overridden(
    state: ThronesState, *, target: str, name: str, what: str, value: int, was: int, why: str
) -> ThronesState:
    """The players set a number: a card's text beats every rule (AGOT-GEN-2)."""
    card = state.find_card(target)
    if card is not None and what == "duplicates":
        codes = resized(card.duplicates, value, card.facts.code)
        return state.with_card(replace(card, duplicates=codes))
    if card is not None:
        return state.with_card(replace(card, power=value))
    house = state.house(target)
    if what in COUNTED_PILES:
        codes = resized(getattr(house, what), value, "")
        return state.with_house(with_pile(house, what, codes))
    count = "draw_deck" if what == "deck" else what
    counts: dict[str, Any] = {count: value}
    return state.with_house(replace(house, **counts))


def resized(codes: tuple[str, ...], count: int, code: str) -> tuple[str, ...]:
    """A pile of so many cards: the top ones leave, or further ones come."""
    return (*codes[:count], *((code,) * (count - len(codes))))


@kind("title-given", "{player} holds the title {title_name}")
def title_given(
    state: ThronesState, *, seat: str, player: str, title: str, title_name: str
) -> ThronesState:
    return state.with_house(replace(state.house(seat), title=title))


@kind("titles-off", "The game goes on without titles")
def titles_off(state: ThronesState) -> ThronesState:
    houses = tuple(replace(one, title="", taken=None) for one in state.houses)
    return replace(state, houses=houses, aside=(), titles_off=True)


@kind("used", "{player} uses {name}")
def used(
    state: ThronesState, *, seat: str, player: str, card: str, name: str, limit: str, period: str
) -> ThronesState:
    one = CardUse(seat, card, limit, period)
    return replace(state, uses=(*state.uses, one))


# -- the end ---------------------------------------------------------------------------------------


@kind("eliminated", "{player} is eliminated: the draw deck is empty")
def eliminated(
    state: ThronesState, *, seat: str, player: str, terminal: Sequence[str] = ()
) -> ThronesState:
    return without_player(state, seat, terminal)


@kind("conceded", "{player} concedes")
def conceded(
    state: ThronesState,
    *,
    seat: str,
    player: str,
    terminal: Sequence[str] = (),
    ends: bool = False,
) -> ThronesState:
    """The player leaves the game as if eliminated (AGOT-END-1); where that ends the game, its cards
    and power stay to be looked at."""
    return state if ends else without_player(state, seat, terminal)


def without_player(state: ThronesState, seat: str, terminal: Sequence[str]) -> ThronesState:
    """A player leaves with all cards; cards of others that were held and terminal attachments go to
    their owners' discard piles, other attachments to their hands (AGOT-OR-13, AGOT-ATT-5)."""
    order = state.order
    gone: set[str] = set()
    for card in state.cards:
        mine = seat in (card.owner, card.controller)
        host = state.find_card(card.host)
        on_mine = card.host == FACTION_CARD + seat or (
            host is not None and seat in (host.owner, host.controller)
        )
        if not mine and not on_mine:
            continue
        gone.add(card.id)
        if card.owner != seat:
            pile = "discard" if mine or card.id in terminal else "hand"
            house = laid_on(state.house(card.owner), pile, card.facts.code)
            for code in card.duplicates:
                house = laid_on(house, "discard", code)
            state = state.with_house(house)
    state = without_cards(state, gone)
    house = replace(state.house(seat), eliminated=True, title="", gold=0, power=0, taken=None)
    if state.window:
        state = replace(state, window=state.window.without(seat, order))
    triggers = tuple(replace(one, window=one.window.without(seat, order)) for one in state.triggers)
    state = replace(state, triggers=triggers)
    first = state.first
    state = state.with_house(house)
    if first == seat and state.living:
        first = next(one for one in order if one in state.living)  # AGOT-ORD-8
    modifiers = tuple(one for one in state.modifiers if one.target != seat)
    return replace(state, first=first, modifiers=modifiers)


@kind("contested", "{players}: the first player names the winner")
def contested(state: ThronesState, *, seats: Sequence[str], players: str, how: str) -> ThronesState:
    return replace(state, contest=tuple(seats), how=how)


HOW = {
    "power": say("15 power"),
    "last": say("all others are eliminated"),
    "conceded": say("all others gave up or are out"),
    "time": say("time was up"),
    "deck": say("named by the first player: all draw decks are empty"),
}
"""How a game was won."""


def won_title(player: str, how: str) -> str:
    return say("{player} wins the game: {how}", player=player, how=HOW[how])


@kind("won", won_title)
def won(state: ThronesState, *, seat: str, player: str, how: str) -> ThronesState:
    return replace(state, winner=seat, how=how, contest=())
