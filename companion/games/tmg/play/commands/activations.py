"""Activations: which units can still be activated, and what activating one starts."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.command_context import (
    CommandArgs,
    CommandContext,
    ask,
    command,
    no,
    unsure,
)
from companion.games.tmg.play.commands.measuring import remind_of_entry
from companion.games.tmg.play.flow.panic_queue import queue_test
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.play.state.mode_play import play_of
from companion.games.tmg.play.state.table_facts import pile_near
from companion.games.tmg.play.state.unit_state import RESERVE, UnitState


def may_enter(state: GameState, unit: UnitState) -> bool:
    """Whether a reserve unit may enter this round."""
    play = play_of(state)
    return unit.place == RESERVE and 0 < play.reserve_round <= state.round


def ready(state: GameState, side: str) -> tuple[str, ...]:
    """What a side may still activate this round: combat units, NCUs and walls."""
    if state.side(side).eliminated:
        return ()
    units = [
        unit.id
        for unit in state.units
        if unit.side == side and not unit.activated and (unit.standing or may_enter(state, unit))
    ]
    ncus = [ncu.id for ncu in state.ncus if ncu.side == side and not ncu.activated]
    return (*units, *ncus, *ready_walls(state, side))


def ready_walls(state: GameState, side: str) -> tuple[str, ...]:
    """The defender's walls that can still shoot (TMG-MODE-SOS-18)."""
    if not play_of(state).siege or state.side(side).role != "defender":
        return ()
    return tuple(wall.id for wall in state.walls if wall.standing and not wall.activated)


def forced(state: GameState, choices: tuple[str, ...]) -> Iterator[str]:
    """The units that a side must activate before it may pass: not reserves, nor walls."""
    return (
        name
        for name in choices
        if not (state.has_unit(name) and state.unit(name).place == RESERVE)
        and state.wall(name) is None
    )


@command(
    "activate",
    "choose one of your units that was not activated this round",
    ask("unit", "unit", "a combat unit, an NCU, or a castle wall of the defender", required=True),
    ask("near_pile", "flag", "2018, A Feast for Crows: a Corpse Pile lies in Short Range"),
)
def activate(context: CommandContext, given: CommandArgs) -> Refusal | None:
    """Turn step 2 (TMG-RND-4)."""
    state = context.state
    name = given.need("unit")
    if state.step != "turn-start":
        return no("TMG-RND-6", "a unit is activated already in this turn")
    wall = state.wall(name)
    if wall is not None:
        return activate_wall(context, wall.id)
    unit = state.ncu(name) if state.has_ncu(name) else state.unit(name)
    if unit.side != state.active:
        return no("TMG-RND-4", "{unit} is not one of {side}'s units", unit=name, side=state.active)
    if unit.activated:
        return no("TMG-RND-5", "{unit} was activated this round", unit=name)
    if isinstance(unit, UnitState) and not unit.standing:
        return enter_reserve(context, unit) if may_enter(state, unit) else stays_out(state, unit)
    near = given.maybe("near_pile")
    if near is None and play_of(state).morale_tokens:
        answer = pile_near(state, name)
        if answer is not None and answer.verdict == "unsure":
            return unsure(
                "near_pile",
                "TMG-MODE-FFC-17",
                "whether a Corpse Pile is in Short Range of {unit} is too close to call:"
                " say it with 'near_pile'",
                unit=name,
            )
        near = bool(answer)
    context.add("activated", unit=name, side=unit.side, name=unit.name)
    if not isinstance(unit, UnitState):
        board_full(context, name)
        return None
    if near and play_of(state).morale_tokens:  # TMG-MODE-FFC-17
        queue_test(context, name, "a Corpse Pile in Short Range (TMG-MODE-FFC-17)", kind="morale")
    return None


def activate_wall(context: CommandContext, name: str) -> Refusal | None:
    """A wall section is activated like a unit (TMG-MODE-SOS-18)."""
    state = context.state
    if state.side(state.active).role != "defender":
        return no("TMG-MODE-SOS-18", "only the defender activates castle walls")
    wall = state.wall(name)
    assert wall is not None
    if not wall.standing:
        return no("TMG-MODE-SOS-18", "{unit} is destroyed", unit=name)
    if wall.activated:
        return no("TMG-RND-5", "{unit} was activated this round", unit=name)
    context.add("activated", unit=name, side=state.active)
    return None


def stays_out(state: GameState, unit: UnitState) -> Refusal:
    """A refusal to activate a unit that is not on the battlefield."""
    play = play_of(state)
    if unit.place != RESERVE or not play.reserve_round:
        return no("TMG-UNT-11", "{unit} is not on the battlefield", unit=unit.id)
    return no(
        "TMG-MODE-COK-15" if play.reserve_is_activation else "TMG-MODE-SOS-11",
        "{unit} waits in reserve: it may come from round {n} on",
        unit=unit.id,
        n=play.reserve_round,
    )


def enter_reserve(context: CommandContext, unit: UnitState) -> Refusal | None:
    """A reserve unit enters: as its activation, or at the start of it (TMG-MODE-SOS-12)."""
    play = play_of(context.state)
    context.add("activated", unit=unit.id, side=unit.side, name=unit.name)
    context.add("redeployed", unit=unit.id)
    remind_of_entry(context, unit.side)
    if play.reserve_is_activation:  # TMG-MODE-COK-15
        context.add("acted", unit=unit.id, action="enter", moves=True, note="from reserve")
    return None


def board_full(context: CommandContext, ncu: str) -> None:
    """End the activation of an NCU that finds no free zone (TMG-NCU-6)."""
    if all(context.state.board) and not play_of(context.state).quadrants:
        context.add("no-zone", unit=ncu)
        context.add("activation-ended", unit=ncu)


@command(
    "pass",
    "a side that has nothing it must activate passes its turn",
    ask("side", "side", "who passes; the active side where left out"),
)
def pass_turn(context: CommandContext, given: CommandArgs) -> Refusal | None:
    """A side may not pass while it has a unit to activate (TMG-RND-9)."""
    state = context.state
    side = state.side(given.text("side", state.active)).id
    if side != state.active or state.step != "turn-start":
        return no("TMG-RND-2", "it is not the start of {side}'s turn", side=side)
    if left := tuple(forced(state, ready(state, side))):
        return no(
            "TMG-RND-9",
            "{side} may not pass: {left} can be activated",
            side=side,
            left=", ".join(left),
        )
    context.add("pass-chosen", side=side)
    return None
