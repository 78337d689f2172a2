"""Events of units: wounds, healing, destruction, conditions, effects."""

from __future__ import annotations

from typing import Any

from companion.games.tmg.play.events.flow_events import Data, called, fill_title, kind, noted
from companion.games.tmg.play.state.game_state import Fall, GameState
from companion.games.tmg.play.state.play_rules import CONDITIONS
from companion.games.tmg.play.state.unit_state import DESTROYED, FIELD, JoinedAttachment
from models.frozen_records import replace
from models.message import say


@kind(
    "wounds",
    lambda data: noted(
        say(
            "{unit}: {n} wound",
            "{unit}: {n} wounds",
            unit=data["unit"],
            n=data["wounds"],
        ),
        data.get("why", ""),
    ),
)
def wounds(state: GameState, data: Data) -> GameState:
    """A unit takes wounds."""
    return state.with_unit(state.unit(data["unit"]).wounded(data["wounds"]))


@kind(
    "healed",
    lambda data: say(
        "{unit} heals {n} wound", "{unit} heals {n} wounds", unit=data["unit"], n=data["wounds"]
    ),
)
def healed(state: GameState, data: Data) -> GameState:
    """A unit is healed (TMG-WND-5, TMG-WND-6)."""
    return state.with_unit(state.unit(data["unit"]).healed(data["wounds"]))


@kind("corrected", "correction: {unit} {say}")
def corrected(state: GameState, data: Data) -> GameState:
    """The players correct a value."""
    unit = state.unit(data["unit"])
    changes: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in data["set"].items()
    }
    return state.with_unit(replace(unit, **changes))


@kind(
    "destroyed",
    lambda data: (
        say("{unit} is destroyed by {by}", unit=called(data), by=data["by_unit"] or data["by"])
        if data.get("by_unit") or data.get("by")
        else say("{unit} is destroyed", unit=called(data))
    ),
)
def destroyed(state: GameState, data: Data) -> GameState:
    """The last model is lost: the unit leaves the battlefield (TMG-UNT-11)."""
    name = data["unit"]
    state = state.with_fall(Fall(state.unit(name)))
    units = []
    for unit in state.units:
        if unit.id == name:
            unit = replace(
                unit,
                place=data.get("place", DESTROYED),
                engaged=(),
                influence=(),
                tokens=(),
                fallen=unit.fallen + 1,
            )
            if data.get("place") == "reserve":  # TMG-MODE-COK-16: it is at full strength there
                unit = replace(unit.without_characters(), wounds=0, orders=())
        elif name in unit.engaged:
            unit = replace(unit, engaged=tuple(one for one in unit.engaged if one != name))
        units.append(unit)
    return replace(
        state,
        units=tuple(units),
        trials=tuple(trial for trial in state.trials if trial.unit != name),
        tasks=tuple(
            task
            for task in state.tasks
            if task.unit != name or task.kind not in ("danger", "morale-ground")
        ),
        declared=tuple(move for move in state.declared if move.unit != name),
        tokens=tuple(
            replace(token, holder="", touched=tuple(t for t in token.touched if t != name))
            if token.holder == name or name in token.touched
            else token
            for token in state.tokens
        ),
    )


@kind("restored", lambda data: say("correction: {unit} is not destroyed", unit=called(data)))
def restored(state: GameState, data: Data) -> GameState:
    """A unit destroyed by mistake is restored, with the wounds that the players enter."""
    name = data["unit"]
    fall = state.fall(name)
    assert fall is not None
    unit = state.unit(name)
    before = fall.unit
    state = state.with_unit(
        replace(
            unit,
            place=FIELD,
            wounds=data["wounds"],
            attachments=before.attachments,
            commander=before.commander,
            tokens=before.tokens,
            orders=before.orders,
            fallen=before.fallen,
        )
    )
    side = state.side(unit.side)
    if side.eliminated:
        back = tuple(ncu for ncu in state.departed if ncu.side == side.id)
        left = tuple(ncu for ncu in state.departed if ncu.side != side.id)
        state = replace(state, ncus=(*state.ncus, *back), departed=left)
        state = state.with_side(replace(side, eliminated=False))
    if fall.prize:
        state = state.with_side(replace(state.side(fall.prize), commander_killed=False))
    tasks = tuple(
        task
        for task in state.tasks
        if not (task.kind == "pile" and task.unit == name)
        and not (task.kind == "elimination" and task.other == unit.side)
    )
    falls = tuple(one for one in state.falls if one.unit.id != name)
    return replace(state, tasks=tasks, falls=falls)


@kind("attached", "{name} joins {unit}")
def attached(state: GameState, data: Data) -> GameState:
    """An effect adds an attachment to a unit, at the place its owner chooses (ATM-8, -9)."""
    unit = state.unit(data["unit"])
    one = JoinedAttachment.of(data["attachment"])
    place = data["place"] - 1
    joined = (*unit.attachments[:place], one, *unit.attachments[place:])
    return state.with_unit(replace(unit, attachments=joined))


@kind("detached", "{name} leaves {unit}")
def detached(state: GameState, data: Data) -> GameState:
    """An effect removes an attachment from its unit (TMG-ATM-2)."""
    unit = state.unit(data["unit"])
    place = data["place"] - 1
    left = (*unit.attachments[:place], *unit.attachments[place + 1 :])
    return state.with_unit(replace(unit, attachments=left))


@kind("condition", "{unit} is {token}")
def condition(state: GameState, data: Data) -> GameState:
    """A condition token is placed: at most one of each kind (TMG-CON-2)."""
    unit = state.unit(data["unit"])
    kept = [one for one in CONDITIONS if one in unit.tokens or one == data["token"]]
    return state.with_unit(replace(unit, tokens=tuple(kept)))


@kind(
    "condition-gone",
    lambda data: (
        fill_title("{unit} is no longer {token}, spent by {by}", data)
        if data.get("by")
        else fill_title("{unit} is no longer {token}", data)
    ),
)
def condition_gone(state: GameState, data: Data) -> GameState:
    """A condition token is spent or removed (TMG-CON-3)."""
    unit = state.unit(data["unit"])
    left = tuple(one for one in unit.tokens if one != data["token"])
    return state.with_unit(replace(unit, tokens=left))


@kind(
    "abilities",
    lambda data: (
        say("{unit} loses its abilities", unit=data["unit"])
        if data["lost"]
        else say("{unit} has its abilities again", unit=data["unit"])
    ),
)
def abilities(state: GameState, data: Data) -> GameState:
    """A unit loses its abilities or regains them (TMG-ABL-7)."""
    return state.with_unit(replace(state.unit(data["unit"]), abilities_lost=data["lost"]))


@kind("effect", "{unit}: {name} until the end of the {until}")
def effect(state: GameState, data: Data) -> GameState:
    """The players note a lasting effect."""
    return replace(state, effects=(*state.effects, (data["unit"], data["name"], data["until"])))
