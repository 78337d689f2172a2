"""Events of units: wounds, healing, destruction, conditions, effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.tmg.play.events.flow_events import called, kind, noted
from companion.games.tmg.play.state.game_state import Fall, GameState
from companion.games.tmg.play.state.play_rules import CONDITIONS
from companion.games.tmg.play.state.unit_state import DESTROYED, FIELD, JoinedAttachment
from models.frozen_records import replace
from models.message import Name, say


@kind(
    "wounds",
    lambda unit, wounds, why="": noted(
        say(
            "{unit}: {n} wound",
            "{unit}: {n} wounds",
            unit=unit,
            n=wounds,
        ),
        why,
    ),
)
def wounds(
    state: GameState, *, unit: str, wounds: int, by: str, by_unit: str, why: str = ""
) -> GameState:
    """A unit takes wounds."""
    return state.with_unit(state.unit(unit).wounded(wounds))


@kind(
    "healed",
    lambda unit, wounds: say(
        "{unit} heals {n} wound", "{unit} heals {n} wounds", unit=unit, n=wounds
    ),
)
def healed(state: GameState, *, unit: str, wounds: int) -> GameState:
    """A unit is healed (TMG-WND-5, TMG-WND-6)."""
    return state.with_unit(state.unit(unit).healed(wounds))


@kind(
    "counted",
    lambda unit, token, number: say(
        "{unit}: {n} {token} token left",
        "{unit}: {n} {token} tokens left",
        unit=unit,
        n=number,
        token=say(token),
    ),
)
def counted(state: GameState, *, unit: str, token: str, number: int) -> GameState:
    """The tokens on a card are counted anew."""
    rest = tuple(one for one in state.counters if one[:2] != (unit, token))
    return replace(state, counters=(*rest, (unit, token, number)))


@kind("corrected", "Correction: {unit} {say}")
def corrected(
    state: GameState, *, unit: str, set: Mapping[str, Any], say_: str, why: str
) -> GameState:
    """The players correct a value."""
    unit_state = state.unit(unit)
    changes: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in set.items()
    }
    return state.with_unit(replace(unit_state, **changes))


@kind(
    "destroyed",
    lambda unit, by_unit="", by="", name="": (
        say("{unit} is destroyed by {by}", unit=called(unit, name), by=Name(by_unit) or by)
        if by_unit or by
        else say("{unit} is destroyed", unit=called(unit, name))
    ),
)
def destroyed(
    state: GameState,
    *,
    unit: str,
    by: str = "",
    by_unit: str = "",
    place: str = DESTROYED,
    name: str = "",
) -> GameState:
    """The last model is lost: the unit leaves the battlefield (TMG-UNT-11)."""
    state = state.with_fall(Fall(state.unit(unit)))
    units = []
    for unit_state in state.units:
        if unit_state.id == unit:
            unit_state = replace(
                unit_state,
                place=place,
                engaged=(),
                influence=(),
                tokens=(),
                fallen=unit_state.fallen + 1,
            )
            if place == "reserve":  # TMG-MODE-COK-16: it is at full strength there
                unit_state = replace(unit_state.without_characters(), wounds=0, orders=())
        elif unit in unit_state.engaged:
            unit_state = replace(
                unit_state, engaged=tuple(one for one in unit_state.engaged if one != unit)
            )
        units.append(unit_state)
    return replace(
        state,
        units=tuple(units),
        trials=tuple(trial for trial in state.trials if trial.unit != unit),
        tasks=tuple(
            task
            for task in state.tasks
            if task.unit != unit or task.kind not in ("danger", "morale-ground")
        ),
        declared=tuple(move for move in state.declared if move.unit != unit),
        tokens=tuple(
            replace(token, holder="", touched=tuple(t for t in token.touched if t != unit))
            if token.holder == unit or unit in token.touched
            else token
            for token in state.tokens
        ),
    )


@kind(
    "restored",
    lambda unit, name="": say("Correction: {unit} is not destroyed", unit=called(unit, name)),
)
def restored(state: GameState, *, unit: str, wounds: int, why: str, name: str = "") -> GameState:
    """A unit destroyed by mistake is restored, with the wounds that the players enter."""
    fall = state.fall(unit)
    assert fall is not None
    unit_state = state.unit(unit)
    before = fall.unit
    state = state.with_unit(
        replace(
            unit_state,
            place=FIELD,
            wounds=wounds,
            attachments=before.attachments,
            commander=before.commander,
            tokens=before.tokens,
            orders=before.orders,
            fallen=before.fallen,
        )
    )
    side = state.side(unit_state.side)
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
        if not (task.kind == "pile" and task.unit == unit)
        and not (task.kind == "elimination" and task.other == unit_state.side)
    )
    falls = tuple(one for one in state.falls if one.unit.id != unit)
    return replace(state, tasks=tasks, falls=falls)


@kind("attached", "{name} joins {unit}")
def attached(
    state: GameState, *, unit: str, name: str, attachment: Mapping[str, Any], place: int
) -> GameState:
    """An effect adds an attachment to a unit, at the place its owner chooses (ATM-8, -9)."""
    unit_state = state.unit(unit)
    joined = list(unit_state.attachments)
    joined.insert(place - 1, JoinedAttachment.of(attachment))
    return state.with_unit(replace(unit_state, attachments=tuple(joined)))


@kind("guest-joined", "{name} joins {unit}")
def guest_joined(state: GameState, *, unit: str, name: str, player: str) -> GameState:
    """An attachment joins the enemy unit that its owner chooses (TMG-ARM-13)."""
    found = (one for one in state.guests if (one.player, one.attachment.name) == (player, name))
    guest, host = next(found), state.unit(unit)
    joined = replace(guest.attachment, cost=0, joins="")  # its points are its owner's
    left = list(state.guests)
    left.remove(guest)
    state = replace(state, guests=tuple(left))
    return state.with_unit(replace(host, attachments=(*host.attachments, joined)))


@kind("detached", "{name} leaves {unit}")
def detached(state: GameState, *, unit: str, name: str, place: int) -> GameState:
    """An effect removes an attachment from its unit (TMG-ATM-2)."""
    unit_state = state.unit(unit)
    left = (*unit_state.attachments[: place - 1], *unit_state.attachments[place:])
    return state.with_unit(replace(unit_state, attachments=left))


@kind("condition", "{unit} is {token}")
def condition(state: GameState, *, unit: str, token: str) -> GameState:
    """A condition token is placed: at most one of each kind (TMG-CON-2)."""
    unit_state = state.unit(unit)
    kept = [one for one in CONDITIONS if one in unit_state.tokens or one == token]
    return state.with_unit(replace(unit_state, tokens=tuple(kept)))


@kind(
    "condition-gone",
    lambda unit, token, by="": (
        say("{unit} is no longer {token}, spent by {by}", unit=unit, token=token, by=by)
        if by
        else say("{unit} is no longer {token}", unit=unit, token=token)
    ),
)
def condition_gone(state: GameState, *, unit: str, token: str, by: str = "") -> GameState:
    """A condition token is spent or removed (TMG-CON-3)."""
    unit_state = state.unit(unit)
    left = tuple(one for one in unit_state.tokens if one != token)
    return state.with_unit(replace(unit_state, tokens=left))


@kind(
    "abilities",
    lambda lost, unit: (
        say("{unit} loses its abilities", unit=unit)
        if lost
        else say("{unit} has its abilities again", unit=unit)
    ),
)
def abilities(state: GameState, *, unit: str, lost: bool) -> GameState:
    """A unit loses its abilities or regains them (TMG-ABL-7)."""
    return state.with_unit(replace(state.unit(unit), abilities_lost=lost))


@kind("effect", "{unit}: {name} until the end of the {until}")
def effect(state: GameState, *, unit: str, name: str, until: str) -> GameState:
    """The players note a lasting effect."""
    return replace(state, effects=(*state.effects, (unit, name, until)))
