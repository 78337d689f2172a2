"""Events of the skirmish set-up, rounds and phases: orders, cards, turns, morale, the end."""

from __future__ import annotations

from dataclasses import replace

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
    Data,
    OrderTurn,
    WesterosState,
    kind,
)
from companion.games.westeros.rules.fire import with_words
from models.board import parse_cell
from models.message import say


@kind("commanders-chosen", "{player} has chosen commanders")
def commanders_chosen(state: WesterosState, data: Data) -> WesterosState:
    house = replace(state.house(data["side"]), chosen=tuple(data["chosen"]))
    return state.with_house(house)


@kind("forces", "the commanders are revealed and the forces drawn")
def forces(state: WesterosState, data: Data) -> WesterosState:
    """The drawn units and overlays of both houses; command decks by their commanders."""
    units = tuple(unit_in_battle(one) for one in data["units"])
    houses = tuple(
        replace(one, overlays=tuple(data["overlays"][one.side]), deck=data["decks"][one.side])
        for one in state.houses
    )
    return replace(
        state,
        units=units,
        houses=houses,
        mace=data["mace"],
        phase=OVERLAYS,
        active=data["mace"],
        first=data["mace"],
    )


@kind("overlay", "{what} on {cell}")
def overlay(state: WesterosState, data: Data) -> WesterosState:
    house = state.house(data["side"])
    left = list(house.overlays)
    left.remove(data["terrain"])
    board = with_words(state.board, parse_cell(data["cell"]), (data["terrain"],))
    return replace(state.with_house(replace(house, overlays=tuple(left))), board=board)


@kind("placing", "the units are placed")
def placing(state: WesterosState, data: Data) -> WesterosState:
    return replace(state, phase=PLACE, active=state.mace)


@kind("placed", "{name} stands on {cell}")
def placed(state: WesterosState, data: Data) -> WesterosState:
    unit = replace(state.unit(data["unit"]), cell=parse_cell(data["cell"]), fate=FIELD)
    return state.with_unit(unit)


@kind("next-player", SILENT)
def next_player(state: WesterosState, data: Data) -> WesterosState:
    return replace(state, active=data["side"])


@kind("round-began", "Round {round}: {player} goes first")
def round_began(state: WesterosState, data: Data) -> WesterosState:
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
        round=data["round"],
        first=data["first"],
        active=data["first"],
        phase=ORGANISE,
        step="",
    )


def organised_title(data: Data) -> str:
    return say(
        "{player} rolls {symbols} and draws {n} card",
        "{player} rolls {symbols} and draws {n} cards",
        player=data["player"],
        symbols=data["symbols"],
        n=data["cards"],
    )


@kind("organised", organised_title)
def organised(state: WesterosState, data: Data) -> WesterosState:
    """Tokens into the order pool, cards into the hand; an empty deck is rebuilt (BOW-RND-10)."""
    house = state.house(data["side"])
    deck, discards = house.deck, house.discards
    if deck < data["cards"]:
        deck, discards = deck + discards, 0
    drawn = min(deck, data["cards"])
    house = replace(
        house,
        pool=(*house.pool, *data["rolled"]),
        deck=deck - drawn,
        hand=house.hand + drawn,
        discards=discards,
        organised=True,
    )
    return replace(state.with_house(house), active=state.other(house.side))


@kind("command-phase", "Command phase")
def command_phase(state: WesterosState, data: Data) -> WesterosState:
    return replace(state, phase=COMMAND, active=state.first, turn=state.turn + 1)


@kind("turn", SILENT)
def turn(state: WesterosState, data: Data) -> WesterosState:
    return replace(state, active=data["side"], turn=state.turn + 1, acting=None)


@kind("passed", "{player} passes")
def passed(state: WesterosState, data: Data) -> WesterosState:
    return state.with_house(replace(state.house(data["side"]), passed=True))


@kind("tokens-used", SILENT)
def tokens_used(state: WesterosState, data: Data) -> WesterosState:
    """Order tokens go back to the supply."""
    house = state.house(data["side"])
    pool = list(house.pool)
    for token in data["tokens"]:
        pool.remove(token)
    return state.with_house(replace(house, pool=tuple(pool)))


@kind("ordered", "{player} orders {names}")
def ordered(state: WesterosState, data: Data) -> WesterosState:
    turn_ = OrderTurn(
        data["side"],
        tuple(data["units"]),
        data.get("commander", ""),
        dice=data.get("dice", 0),
        silenced=tuple(data.get("silenced", ())),
    )
    return replace(state, acting=turn_)


@kind("card-played", "{player} plays {card} with {name}")
def card_played(state: WesterosState, data: Data) -> WesterosState:
    """The tokens go onto the commander's card, the command card to the discards (BOW-CRD-2)."""
    house = state.house(data["side"])
    house = replace(
        house,
        tokens=house.tokens - data["tokens"],
        hand=house.hand - 1,
        discards=house.discards + 1,
    )
    unit = state.unit(data["unit"])
    return state.with_house(house).with_unit(replace(unit, tokens=unit.tokens + data["tokens"]))


@kind("turn-ended", SILENT)
def turn_ended(state: WesterosState, data: Data) -> WesterosState:
    return replace(state, acting=None)


@kind("morale", "Morale of {player}: {by:+d}")
def morale(state: WesterosState, data: Data) -> WesterosState:
    """The one marker moves (BOW-MOR-1, BOW-MOR-2)."""
    return replace(state, morale=data["marker"])


def scored_title(data: Data) -> str:
    return say(
        "{player} scores {n} victory point: {why}",
        "{player} scores {n} victory points: {why}",
        player=data["player"],
        n=data["points"],
        why=data["why"],
    )


@kind("scored", scored_title)
def scored(state: WesterosState, data: Data) -> WesterosState:
    house = state.house(data["side"])
    state = state.with_house(replace(house, vp=max(0, house.vp + data["points"])))
    return replace(state, points=(*state.points, (data["side"], data["points"], data["why"])))


@kind("control", "{player} holds {cell}")
def control(state: WesterosState, data: Data) -> WesterosState:
    cell = parse_cell(data["cell"])
    others = tuple(one for one in state.control if one[0] != cell)
    return replace(state, control=(*others, (cell, data["side"])))


@kind("regroup", "Regroup phase")
def regroup(state: WesterosState, data: Data) -> WesterosState:
    fires = tuple(parse_cell(cell) for cell in data["fires"])
    return replace(
        state, phase=REGROUP, step=REGROUP_STEPS[0], active=state.first, acting=None, fires=fires
    )


@kind("regroup-step", SILENT)
def regroup_step(state: WesterosState, data: Data) -> WesterosState:
    return replace(state, step=data["step"])


@kind("kept", "{player} keeps {what}")
def kept(state: WesterosState, data: Data) -> WesterosState:
    """At most 1 card and 1 order token stay (BOW-RND-18)."""
    house = state.house(data["side"])
    hand = data["cards"]
    house = replace(
        house,
        pool=tuple(data["tokens"]),
        hand=hand,
        discards=house.discards + house.hand - hand,
        regrouped=True,
    )
    return state.with_house(house)


@kind("task", SILENT)
def task(state: WesterosState, data: Data) -> WesterosState:
    facts = tuple((key, value) for key, value in data["data"])
    found = BattleTask(data["kind"], data["side"], data["unit"], facts)
    return replace(state, tasks=(*state.tasks, found))


@kind("task-done", SILENT)
def task_done(state: WesterosState, data: Data) -> WesterosState:
    return replace(state, tasks=state.tasks[1:])


@kind("over", "{player} wins: {how}")
def over(state: WesterosState, data: Data) -> WesterosState:
    return replace(
        state,
        phase=OVER,
        winner=data["winner"],
        how=data["how"],
        tasks=(),
        attack=None,
        acting=None,
    )


@kind("committed", "{name} uses the special ability")
def committed(state: WesterosState, data: Data) -> WesterosState:
    return state.with_unit(replace(state.unit(data["unit"]), committed=True))


@kind("corrected", "corrected: {what}")
def corrected(state: WesterosState, data: Data) -> WesterosState:
    """What card texts or players change by hand: figures, a banner, a place, cards or tokens."""
    if "unit" in data:
        unit = state.unit(data["unit"])
        changes = {key: data[key] for key in ("figures", "active") if key in data}
        if "cell" in data:
            changes["cell"] = parse_cell(data["cell"])
        return state.with_unit(replace(unit, **changes))
    house = state.house(data["side"])
    changes = {key: data[key] for key in ("hand", "deck", "tokens") if key in data}
    if "pool" in data:
        changes["pool"] = tuple(data["pool"])
    return state.with_house(replace(house, **changes))
