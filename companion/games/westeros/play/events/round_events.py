"""Events of the skirmish set-up, rounds and phases: orders, cards, turns, morale, the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from companion.games.shared.event_registry import given
from companion.games.westeros.combat.die import SYMBOL_WORDS
from companion.games.westeros.play.setup import unit_in_battle
from companion.games.westeros.play.state import (
    COMMAND,
    FIELD,
    ORGANISE,
    OVER,
    OVERLAYS,
    PLACE,
    REGROUP,
    REGROUP_STEPS,
    SILENT,
    BattleTask,
    BattleTaskData,
    OrderTurn,
    WesterosState,
    kind,
)
from companion.games.westeros.rules.fire import with_words
from models.board import parse_cell
from models.frozen_records import replace
from models.message import joined, say


@kind("commanders-chosen", "{player} has chosen commanders")
def commanders_chosen(
    state: WesterosState, *, side: str, player: str, chosen: Sequence[str]
) -> WesterosState:
    house = replace(state.house(side), chosen=tuple(chosen))
    return state.with_house(house)


def forces_title(names: str = "", player: str = "") -> str:
    """Whom each house has, and who has the mace; earlier versions do not tell it."""
    if not names:
        return say("the commanders are revealed and the forces drawn")
    return say("the forces: {names}; {player} has the mace", names=names, player=player)


@kind("forces", forces_title)
def forces(
    state: WesterosState,
    *,
    units: Sequence[Mapping[str, Any]],
    overlays: Mapping[str, Any],
    decks: Mapping[str, int],
    mace: str,
    names: str = "",
    player: str = "",
) -> WesterosState:
    """The drawn units and overlays of both houses; command decks by their commanders."""
    drawn = tuple(unit_in_battle(one) for one in units)
    houses = tuple(
        replace(one, overlays=tuple(overlays[one.side]), deck=decks[one.side])
        for one in state.houses
    )
    return replace(
        state,
        units=drawn,
        houses=houses,
        mace=mace,
        phase=OVERLAYS,
        active=mace,
        first=mace,
    )


@kind("overlay-chosen", "{player} takes an overlay: {what}")
def overlay_chosen(state: WesterosState, *, side: str, player: str, what: str) -> WesterosState:
    """Which overlay is placed next; its hex follows."""
    return state


@kind(
    "overlay",
    lambda what, cell, place="": say("{what}: {place}", what=what, place=place or cell),
)
def overlay(
    state: WesterosState, *, side: str, terrain: str, what: str, cell: str, place: str = ""
) -> WesterosState:
    house = state.house(side)
    left = list(house.overlays)
    left.remove(terrain)
    board = with_words(state.board, parse_cell(cell), (terrain,))
    return replace(state.with_house(replace(house, overlays=tuple(left))), board=board)


@kind("placing", "the units are placed")
def placing(state: WesterosState) -> WesterosState:
    return replace(state, phase=PLACE, active=state.mace)


@kind(
    "placed",
    lambda name, cell, place="": say("{unit} is placed: {place}", unit=name, place=place or cell),
)
def placed(
    state: WesterosState, unit: str, name: str, side: str, *, cell: str, place: str = ""
) -> WesterosState:
    unit_state = replace(state.unit(unit), cell=parse_cell(cell), fate=FIELD)
    return state.with_unit(unit_state)


@kind("guide", lambda on: say("the guide begins") if on else say("the guide ends"))
def guide(state: WesterosState, *, on: bool) -> WesterosState:
    return replace(state, guided=on)


@kind("next-player", SILENT)
def next_player(state: WesterosState, *, side: str) -> WesterosState:
    return replace(state, active=side)


def round_title(round: int, player: str, tokens: Sequence[int] = ()) -> str:
    """Who goes first, and by how many command tokens; old games have not kept those."""
    if not tokens:
        return say("Round {round}: {player} goes first", round=round, player=player)
    more, fewer = max(tokens), min(tokens)
    if more == fewer:
        return say(
            "Round {round}: {player} has the mace and goes first, command tokens are equal",
            round=round,
            player=player,
        )
    return say(
        "Round {round}: {player} has more command tokens ({more} : {fewer}) and goes first",
        round=round,
        player=player,
        more=more,
        fewer=fewer,
    )


@kind("round-began", round_title)
def round_began(
    state: WesterosState, *, round: int, first: str, player: str, tokens: Sequence[int] = ()
) -> WesterosState:
    """Tokens return to the board and banners turn, after the initiative (BOW-RND-5, BOW-RND-6)."""
    houses = tuple(
        replace(
            one,
            tokens=one.tokens + sum(unit.tokens for unit in state.of(one.side)),
            organised=False,
            passed=False,
            regrouped=False,
        )
        for one in state.houses
    )
    units = tuple(replace(one, tokens=0, active=True) for one in state.units)
    return replace(
        state,
        houses=houses,
        units=units,
        round=round,
        first=first,
        active=first,
        phase=ORGANISE,
        step="",
    )


def organised_title(player: str, symbols: str, cards: int) -> str:
    return say(
        "{player} rolls {symbols} and draws {n} card",
        "{player} rolls {symbols} and draws {n} cards",
        player=player,
        symbols=symbols,
        n=cards,
    )


@kind("organised", organised_title)
def organised(
    state: WesterosState,
    *,
    side: str,
    player: str,
    faces: Sequence[int],
    rolled: Sequence[str],
    symbols: str,
    cards: int,
) -> WesterosState:
    """Tokens into the order pool, cards into the hand; an empty deck is rebuilt (BOW-RND-10)."""
    house = state.house(side)
    deck, discards = house.deck, house.discards
    if deck < cards:
        deck, discards = deck + discards, 0
    drawn = min(deck, cards)
    house = replace(
        house,
        pool=(*house.pool, *rolled),
        deck=deck - drawn,
        hand=house.hand + drawn,
        discards=discards,
        organised=True,
    )
    return replace(state.with_house(house), active=state.other(house.side))


@kind("command-phase", "Command phase")
def command_phase(state: WesterosState, *, side: str) -> WesterosState:
    return replace(state, phase=COMMAND, active=state.first, turn=state.turn + 1)


@kind("turn", SILENT)
def turn(state: WesterosState, *, side: str) -> WesterosState:
    return replace(state, active=side, turn=state.turn + 1, acting=None)


@kind("passed", "{player} passes")
def passed(state: WesterosState, *, side: str, player: str) -> WesterosState:
    return state.with_house(replace(state.house(side), passed=True))


@kind("tokens-used", SILENT)
def tokens_used(state: WesterosState, *, side: str, tokens: Sequence[str]) -> WesterosState:
    """Order tokens go back to the supply."""
    house = state.house(side)
    pool = list(house.pool)
    for token in tokens:
        pool.remove(token)
    return state.with_house(replace(house, pool=tuple(pool)))


def ordered_title(player: str, names: str, tokens: str = "") -> str:
    """Who is ordered, and with which token: nobody takes another one back from the pool."""
    if not tokens:
        return say("{player} orders {names}", player=player, names=names)
    return say("{player} orders {names} ({tokens})", player=player, names=names, tokens=tokens)


@kind("ordered", ordered_title)
def ordered(
    state: WesterosState,
    *,
    side: str,
    player: str,
    units: Sequence[str],
    names: str,
    commander: str = "",
    dice: int = 0,
    silenced: Sequence[str] = (),
    tokens: str = "",
    text: str = "",
) -> WesterosState:
    turn_ = OrderTurn(
        side,
        tuple(units),
        commander,
        dice=dice,
        silenced=tuple(silenced),
        text=text,
    )
    return replace(state, acting=turn_)


def card_title(player: str, name: str, card: str, tokens: int) -> str:
    """Who plays which card, and what it costs: nobody counts the tokens on a card again."""
    if not tokens:
        return say("{player} plays {card} with {name}", player=player, card=card, name=name)
    return say(
        "{player} plays {card} with {name} for {n} command token",
        "{player} plays {card} with {name} for {n} command tokens",
        player=player,
        card=card,
        name=name,
        n=tokens,
    )


@kind("card-played", card_title)
def card_played(
    state: WesterosState, unit: str, name: str, side: str, *, player: str, tokens: int, card: str
) -> WesterosState:
    """The tokens go onto the commander's card, the command card to the discards (BOW-CRD-2)."""
    house = state.house(side)
    house = replace(
        house,
        tokens=house.tokens - tokens,
        hand=house.hand - 1,
        discards=house.discards + 1,
    )
    unit_state = state.unit(unit)
    return state.with_house(house).with_unit(replace(unit_state, tokens=unit_state.tokens + tokens))


@kind(
    "turn-ended", lambda player="": say("{player} ends the turn", player=player) if player else ""
)
def turn_ended(state: WesterosState, *, player: str = "") -> WesterosState:
    return replace(state, acting=None)


@kind("morale", "Morale of {player}: {by:+d}")
def morale(state: WesterosState, *, side: str, player: str, by: int, marker: int) -> WesterosState:
    """The one marker moves (BOW-MOR-1, BOW-MOR-2)."""
    return replace(state, morale=marker)


def scored_title(player: str, points: int, why: str) -> str:
    return say(
        "{player} scores {n} victory point: {why}",
        "{player} scores {n} victory points: {why}",
        player=player,
        n=points,
        why=why,
    )


@kind("scored", scored_title)
def scored(state: WesterosState, *, side: str, player: str, points: int, why: str) -> WesterosState:
    house = state.house(side)
    state = state.with_house(replace(house, vp=max(0, house.vp + points)))
    return replace(state, points=(*state.points, (side, points, why)))


def control_title(
    player: str, cell: str, place: str = "", each_round: int = 0, at_end: int = 0
) -> str:
    """Who holds which place for how many points; earlier versions know its hex alone."""
    held = say("{player} holds {place}", player=player, place=place or cell)
    return site_words(held, each_round, at_end)


def site_words(held: str, each_round: int, at_end: int) -> str:
    """What a held site is worth (BOW-RND-16)."""
    if each_round and at_end:
        return say("{held}: {n} VP a round, {end} at the end", held=held, n=each_round, end=at_end)
    if each_round:
        return say("{held}: {n} VP a round", held=held, n=each_round)
    return say("{held}: {n} VP at the end", held=held, n=at_end) if at_end else held


@kind("control", control_title)
def control(
    state: WesterosState,
    *,
    side: str,
    player: str,
    cell: str,
    place: str = "",
    each_round: int = 0,
    at_end: int = 0,
) -> WesterosState:
    site = parse_cell(cell)
    others = tuple(one for one in state.control if one[0] != site)
    return replace(state, control=(*others, (site, side)))


@kind("control-lost", lambda cell, place: say("nobody holds {place}", place=place or cell))
def control_lost(state: WesterosState, *, cell: str, place: str = "") -> WesterosState:
    """A control marker was taken away by hand."""
    site = parse_cell(cell)
    return replace(state, control=tuple(one for one in state.control if one[0] != site))


@kind("regroup", "Regroup phase")
def regroup(state: WesterosState, *, fires: Sequence[str]) -> WesterosState:
    spreading = tuple(parse_cell(cell) for cell in fires)
    return replace(
        state,
        phase=REGROUP,
        step=REGROUP_STEPS[0],
        active=state.first,
        acting=None,
        fires=spreading,
    )


@kind("regroup-step", SILENT)
def regroup_step(state: WesterosState, *, step: str) -> WesterosState:
    return replace(state, step=step)


@kind("kept", "{player} keeps {what}")
def kept(
    state: WesterosState, *, side: str, player: str, tokens: Sequence[str], cards: int, what: str
) -> WesterosState:
    """At most 1 card and 1 order token stay (BOW-RND-18)."""
    house = state.house(side)
    hand = cards
    house = replace(
        house,
        pool=tuple(tokens),
        hand=hand,
        discards=house.discards + house.hand - hand,
        regrouped=True,
    )
    return state.with_house(house)


@kind("task", SILENT)
def task(
    state: WesterosState, *, kind: str, side: str, unit: str, data: Sequence[Sequence[Any]]
) -> WesterosState:
    found = BattleTask(kind, side, unit, cast(BattleTaskData, dict(map(tuple, data))))
    return replace(state, tasks=(*state.tasks, found))


@kind("task-done", lambda said="": said)
def task_done(state: WesterosState, *, said: str = "", side: str = "") -> WesterosState:
    """A task is answered; `said` tells an answer of a side that changes nothing else."""
    return replace(state, tasks=state.tasks[1:])


@kind("over", "{player} wins: {how}")
def over(state: WesterosState, *, winner: str, player: str, how: str) -> WesterosState:
    return replace(
        state,
        phase=OVER,
        winner=winner,
        how=how,
        tasks=(),
        attack=None,
        acting=None,
    )


@kind("committed", lambda name: say("{unit} uses the special ability", unit=name))
def committed(state: WesterosState, unit: str, name: str, side: str) -> WesterosState:
    return state.with_unit(replace(state.unit(unit), committed=True))


def correction_words(
    what: str,
    name: str = "",
    player: str = "",
    figures: int | None = None,
    active: bool | None = None,
    place: str = "",
    hand: int | None = None,
    tokens: int | None = None,
    pool: Sequence[str] | None = None,
) -> str:
    """Whom a correction concerns, how that is now, and why."""
    told: list[str] = []
    if figures is not None:
        told.append(say("{n} figure left", "{n} figures left", n=figures))
    if active is not None:
        told.append(say("the banner is active") if active else say("the banner is inactive"))
    if place:
        told.append(say("stands now: {place}", place=place))
    if hand is not None:
        told.append(joined((say("cards in hand"), str(hand)), ": "))
    if tokens is not None:
        told.append(joined((say("command tokens"), str(tokens)), ": "))
    if pool is not None:
        orders = joined([SYMBOL_WORDS[one] for one in pool], " + ") or say("nothing")
        told.append(joined((say("the order pool"), orders), ": "))
    if not told:
        return say("corrected: {what}", what=what)
    return say("{who}: {changes} ({why})", who=name or player, changes=joined(told), why=what)


@kind("corrected", correction_words)
def corrected(
    state: WesterosState,
    unit: str = "",
    name: str = "",
    side: str = "",
    *,
    what: str,
    figures: int | None = None,
    active: bool | None = None,
    cell: str | None = None,
    hand: int | None = None,
    deck: int | None = None,
    tokens: int | None = None,
    pool: Sequence[str] | None = None,
    player: str = "",
    place: str = "",
) -> WesterosState:
    """What card texts or players change by hand: figures, a banner, a place, cards or tokens."""
    if unit:
        there = parse_cell(cell) if cell is not None else None
        changes = given(figures=figures, active=active, cell=there)
        return state.with_unit(replace(state.unit(unit), **changes))
    tokens_left = tuple(pool) if pool is not None else None
    changes = given(hand=hand, deck=deck, tokens=tokens, pool=tokens_left)
    return state.with_house(replace(state.house(side), **changes))
