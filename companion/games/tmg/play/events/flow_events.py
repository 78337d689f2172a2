"""The registry of event types, and the events of the game flow: rounds, turns, tasks, the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.api.play import Event
from companion.games.shared.event_registry import EventRegistry
from companion.games.tmg.play.state.game_state import (
    OVER,
    SET_UP,
    DeclaredMove,
    GameState,
    PendingTask,
)
from companion.games.tmg.play.state.unit_state import DESTROYED
from models.frozen_records import replace
from models.message import say

__all__ = ["EVENTS", "called", "dice", "kind", "noted"]

BESIDE_EFFECTS = frozenset("played order ability declined table task-done".split())
"""Events that record nothing of what a card or an order does."""


class GameEvents(EventRegistry[GameState]):
    """The event types of the game; what is recorded after a card or an order is what it does."""

    def apply(self, state: GameState, event: Event) -> GameState:
        after = super().apply(state, event)
        if after.open_effect is None or event.type in BESIDE_EFFECTS:
            return after
        return replace(after, open_effect=None)


EVENTS = GameEvents()
kind = EVENTS.kind


def noted(told: str, note: str) -> str:
    """A sentence with an optional note in brackets: 'r2: 3 wounds (Longsword)'."""
    return say("{told} ({note})", told=told, note=note) if note else told


def dice(faces: Iterable[int]) -> str:
    """Die faces as text."""
    return " ".join(str(face) for face in faces)


called = noted
"""A unit's id and, if the event has it, its name: 'b1 (Stark Sworn Swords)'."""


SPOKEN = frozenset(
    "roles mark-zones tokens terrain zones first-player cards-chosen missions-chosen reserves "
    "deploy marks redeploy end-of-round discard".split()
)

"""The steps that get a title; the other ones are described by their own events."""


@kind("step", lambda step, say_: say("now: {step}", step=say_) if step in SPOKEN else "")
def step(
    state: GameState, *, step: str, phase: str, say_: str, active: str | None = None
) -> GameState:
    """The pipeline moves to another step."""
    return replace(
        state,
        step=step,
        phase=phase,
        done=(),
        roll_off=(),
        active=state.active if active is None else active,
        declared=state.declared if phase == SET_UP else without_terrain(state.declared),
    )


def without_terrain(declared: Iterable[DeclaredMove]) -> tuple[DeclaredMove, ...]:
    """The moves that are still to be made: after the set-up all terrain lies where it lies."""
    return tuple(one for one in declared if one.action != "terrain")


@kind("round-began", "Round {round}: {first} goes first")
def round_began(state: GameState, *, round: int, first: str) -> GameState:
    """The round marker advances (TMG-RND-23)."""
    return replace(
        state,
        round=round,
        active=first,
        first=first,
        fresh=True,
        passers=(),
        laid_aside=(),
    )


@kind("turn-began", "turn {turn}: {side}")
def turn_began(state: GameState, *, side: str, turn: int) -> GameState:
    """A side's turn begins; effects until the end of a turn expire."""
    return replace(
        state,
        turn=turn,
        fresh=False,
        active=side,
        acting=None,
        barred=(),
        used=(),
        tested=("", "", ""),
        effects=tuple(one for one in state.effects if one[2] != "turn"),
    )


@kind("passed", "{side} has no unit left to activate and must pass")
def passed(state: GameState, *, side: str) -> GameState:
    """A forced pass (TMG-RND-10)."""
    return state


@kind("pass-chosen", "{side} passes")
def pass_chosen(state: GameState, *, side: str) -> GameState:
    """A side that need not activate anything passes; after the next activation it may act again."""
    return replace(state, passers=(*state.passers, side), done=(side,))


@kind(
    "went-on",
    lambda side, step: say("{side} is done: {step}", side=side, step=step) if side else "",
)
def went_on(state: GameState, *, side: str, step: str) -> GameState:
    """A side has finished the current step."""
    sides = (side,) if side else state.side_names
    return replace(state, done=tuple(dict.fromkeys((*state.done, *sides))))


@kind("first-player", "{side} is first player")
def first_player(state: GameState, *, side: str) -> GameState:
    """The first player token moves to another side (TMG-RND-22)."""
    return replace(state, first=side)


@kind("stopped", "All agree to stop in round {round}")
def stopped(state: GameState, *, round: int) -> GameState:
    """The players end the game before its last round."""
    return replace(state, stopped=True)


@kind(
    "won",
    lambda side, how: (
        say("{side} wins: {how}", side=side, how=how)
        if side != "draw"
        else say("Draw: {how}", how=how)
    ),
)
def won(state: GameState, *, side: str, how: str) -> GameState:
    """The game is over."""
    return replace(
        state,
        winner=side,
        how=how,
        phase=OVER,
        ended=state.ended if state.phase == OVER else (state.phase, state.step),
        step="over",
        acting=None,
        attack=None,
        trials=(),
        tasks=tuple(task for task in state.tasks if task.kind == "hand"),
    )


@kind("reopened", "Correction: nobody has won yet, the game goes on")
def reopened(state: GameState, *, phase: str, step: str) -> GameState:
    """A correction took the victory back: the game goes on where it ended."""
    return replace(state, winner="", how="", phase=phase, step=step, ended=("", ""), done=())


@kind(
    "eliminated",
    lambda side, conceded=False: say(
        "{side} concedes"
        if conceded
        else "{side} has no combat unit left on the battlefield and is eliminated",
        side=side,
    ),
)
def eliminated(state: GameState, *, side: str, conceded: bool = False) -> GameState:
    """A side is eliminated (TMG-VIC-7, TMG-FFA-7)."""
    state = state.with_side(replace(state.side(side), eliminated=True))
    gone = tuple(
        replace(unit, place=DESTROYED) if unit.side == side else unit for unit in state.units
    )
    ncus = {ncu.id for ncu in state.ncus if ncu.side == side}
    out = {*ncus, *(unit.id for unit in state.units if unit.side == side)}
    acting, attack = state.acting, state.attack
    if acting is not None and acting.unit in out:
        acting = replace(acting, stage="done")
    if attack is not None and {attack.attacker, attack.defender} & out:
        attack = None
    return replace(
        state,
        units=gone,
        acting=acting,
        attack=attack,
        trials=tuple(trial for trial in state.trials if trial.unit not in out),
        tasks=tuple(
            task
            for task in state.tasks
            if task.side != side and task.unit not in out and task.other != side
        ),
        ncus=tuple(ncu for ncu in state.ncus if ncu.id not in ncus),
        departed=(*state.departed, *(ncu for ncu in state.ncus if ncu.id in ncus)),
        board=tuple("" if ncu in ncus else ncu for ncu in state.board),
    )


@kind("task", "{say}")
def task(
    state: GameState,
    *,
    id: int,
    kind: str,
    say_: str,
    side: str,
    unit: str,
    other: str,
    number: int,
    commands: Sequence[str],
) -> GameState:
    """A task for a player is added."""
    waiting = PendingTask(id, kind, say_, side, unit, other, number, tuple(commands))
    return replace(state, tasks=(*state.tasks, waiting), numbered=max(state.numbered, id))


@kind("task-done", lambda say_="": say_ or "done")
def task_done(state: GameState, *, task: int, say_: str = "") -> GameState:
    """A task is completed."""
    return replace(state, tasks=tuple(one for one in state.tasks if one.id != task))
