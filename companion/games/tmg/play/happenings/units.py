"""What happens to units: wounds, healing, destruction, conditions, effects."""

from __future__ import annotations

from typing import Any

from companion.games.tmg.play.event_kinds import Data, called, count, kind
from companion.games.tmg.play.rules import CONDITIONS
from companion.games.tmg.play.state import (
    State,
)
from companion.games.tmg.play.unit_state import DESTROYED
from models.record import replace


@kind(
    "wounds",
    lambda data: (
        f"{data['unit']} suffers {count(data['wounds'], 'wound')}"
        + (f" ({data['why']})" if data.get("why") else "")
    ),
)
def wounds(state: State, data: Data) -> State:
    """A unit takes wounds."""
    return state.with_unit(state.unit(data["unit"]).wounded(data["wounds"]))


@kind("healed", lambda data: f"{data['unit']} heals {count(data['wounds'], 'wound')}")
def healed(state: State, data: Data) -> State:
    """A unit is healed (TMG-WND-5, TMG-WND-6)."""
    return state.with_unit(state.unit(data["unit"]).healed(data["wounds"]))


@kind("corrected", lambda data: f"correction: {data['unit']} {data['say']}")
def corrected(state: State, data: Data) -> State:
    """The players set a number right."""
    unit = state.unit(data["unit"])
    changes: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in data["set"].items()
    }
    return state.with_unit(replace(unit, **changes))


@kind(
    "destroyed",
    lambda data: (
        f"{called(data)} is destroyed"
        + (f" by {data['by_unit'] or data['by']}" if data.get("by_unit") or data.get("by") else "")
    ),
)
def destroyed(state: State, data: Data) -> State:
    """The last model is gone: the unit leaves the battlefield (TMG-UNT-11)."""
    name = data["unit"]
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
            if data.get("place") == "reserve":  # TMG-MODE-COK-16: it waits whole in reserve
                unit = replace(unit.without_characters(), wounds=0, orders=())
        elif name in unit.engaged:
            unit = replace(unit, engaged=tuple(one for one in unit.engaged if one != name))
        units.append(unit)
    return replace(
        state,
        units=tuple(units),
        trials=tuple(trial for trial in state.trials if trial.unit != name),
        tokens=tuple(
            replace(token, holder="", touched=tuple(t for t in token.touched if t != name))
            if token.holder == name or name in token.touched
            else token
            for token in state.tokens
        ),
    )


@kind("condition", lambda data: f"{data['unit']} is {data['token']}")
def condition(state: State, data: Data) -> State:
    """A condition token is placed: one of each kind at most (TMG-CON-2)."""
    unit = state.unit(data["unit"])
    kept = [one for one in CONDITIONS if one in unit.tokens or one == data["token"]]
    return state.with_unit(replace(unit, tokens=tuple(kept)))


@kind(
    "condition-gone",
    lambda data: (
        f"{data['unit']} is no longer {data['token']}"
        + (f", spent by {data['by']}" if data.get("by") else "")
    ),
)
def condition_gone(state: State, data: Data) -> State:
    """A condition token is spent or removed (TMG-CON-3)."""
    unit = state.unit(data["unit"])
    left = tuple(one for one in unit.tokens if one != data["token"])
    return state.with_unit(replace(unit, tokens=left))


@kind(
    "abilities",
    lambda data: (
        f"{data['unit']} " + ("loses its abilities" if data["lost"] else "has its abilities again")
    ),
)
def abilities(state: State, data: Data) -> State:
    """A unit loses its abilities or has them back (TMG-ABL-7)."""
    return state.with_unit(replace(state.unit(data["unit"]), abilities_lost=data["lost"]))


@kind("effect", lambda data: f"{data['unit']}: {data['name']} until the end of the {data['until']}")
def effect(state: State, data: Data) -> State:
    """An effect that lasts, as the players note it."""
    return replace(state, effects=(*state.effects, (data["unit"], data["name"], data["until"])))
