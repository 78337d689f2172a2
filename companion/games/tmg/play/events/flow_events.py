"""The registry of event types, and the events of the game flow: rounds, turns, tasks, the end."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.shared.event_registry import Data, EventRegistry, fill_title
from companion.games.tmg.play.state.game_state import OVER, GameState, PendingTask
from companion.games.tmg.play.state.unit_state import DESTROYED, record_of
from models.frozen_records import replace
from models.message import say

__all__ = ["EVENTS", "Data", "called", "dice", "fill_title", "kind", "noted"]

EVENTS = EventRegistry[GameState]()
kind = EVENTS.kind


def noted(told: str, note: str) -> str:
    """A sentence with an optional note in brackets: 'r2: 3 wounds (Longsword)'."""
    return say("{told} ({note})", told=told, note=note) if note else told


def dice(faces: Iterable[int]) -> str:
    """Die faces as text."""
    return " ".join(str(face) for face in faces)


def called(data: Data) -> str:
    """A unit's id and, if the event has it, its name: 'b1 (Stark Sworn Swords)'."""
    return noted(str(data["unit"]), data.get("name", ""))


SPOKEN = frozenset(
    "roles mark-zones tokens terrain zones first-player cards-chosen missions-chosen reserves "
    "deploy marks redeploy end-of-round discard".split()
)

"""The steps that get a title; the other ones are described by their own events."""


@kind("step", lambda data: say("now: {step}", step=data["say"]) if data["step"] in SPOKEN else "")
def step(state: GameState, data: Data) -> GameState:
    """The pipeline moves to another step."""
    return replace(
        state,
        step=data["step"],
        phase=data["phase"],
        done=(),
        roll_off=(),
        active=data.get("active", state.active),
    )


@kind("round-began", "round {round} begins, {first} is first player")
def round_began(state: GameState, data: Data) -> GameState:
    """The round marker advances (TMG-RND-23)."""
    return replace(
        state,
        round=data["round"],
        active=data["first"],
        first=data["first"],
        fresh=True,
        passers=(),
        laid_aside=(),
    )


@kind("turn-began", "turn {turn}: {side}")
def turn_began(state: GameState, data: Data) -> GameState:
    """A side's turn begins; effects until the end of a turn expire."""
    return replace(
        state,
        turn=data["turn"],
        fresh=False,
        active=data["side"],
        acting=None,
        barred=(),
        used=(),
        effects=tuple(one for one in state.effects if one[2] != "turn"),
    )


@kind("passed", "{side} has no unit left to activate and must pass")
def passed(state: GameState, data: Data) -> GameState:
    """A forced pass (TMG-RND-10)."""
    return state


@kind("pass-chosen", "{side} passes")
def pass_chosen(state: GameState, data: Data) -> GameState:
    """A side that need not activate anything passes; after the next activation it may act again."""
    return replace(state, passers=(*state.passers, data["side"]), done=(data["side"],))


@kind(
    "went-on",
    lambda data: fill_title("{side} is done: {step}", data) if data["side"] else "",
)
def went_on(state: GameState, data: Data) -> GameState:
    """A side has finished the current step."""
    sides = (data["side"],) if data["side"] else state.side_names
    return replace(state, done=tuple(dict.fromkeys((*state.done, *sides))))


@kind("first-player", "{side} is first player")
def first_player(state: GameState, data: Data) -> GameState:
    """The first player token moves to another side (TMG-RND-22)."""
    return replace(state, first=data["side"])


@kind(
    "won",
    lambda data: (
        fill_title("{side} wins: {how}", data)
        if data["side"] != "draw"
        else fill_title("draw: {how}", data)
    ),
)
def won(state: GameState, data: Data) -> GameState:
    """The game is over."""
    return replace(
        state,
        winner=data["side"],
        how=data["how"],
        phase=OVER,
        ended=state.ended if state.phase == OVER else (state.phase, state.step),
        step="over",
        acting=None,
        attack=None,
        trials=(),
        tasks=tuple(task for task in state.tasks if task.kind == "hand"),
    )


@kind("reopened", "correction: nobody has won yet, the game goes on")
def reopened(state: GameState, data: Data) -> GameState:
    """A correction took the victory back: the game goes on where it ended."""
    return replace(
        state, winner="", how="", phase=data["phase"], step=data["step"], ended=("", ""), done=()
    )


@kind(
    "eliminated",
    lambda data: fill_title(
        "{side} concedes"
        if data.get("conceded")
        else "{side} has no combat unit left on the battlefield and is eliminated",
        data,
    ),
)
def eliminated(state: GameState, data: Data) -> GameState:
    """A side is eliminated (TMG-VIC-7, TMG-FFA-7)."""
    state = state.with_side(replace(state.side(data["side"]), eliminated=True))
    gone = tuple(
        replace(unit, place=DESTROYED) if unit.side == data["side"] else unit
        for unit in state.units
    )
    ncus = {ncu.id for ncu in state.ncus if ncu.side == data["side"]}
    out = {*ncus, *(unit.id for unit in state.units if unit.side == data["side"])}
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
            if task.side != data["side"] and task.unit not in out and task.other != data["side"]
        ),
        ncus=tuple(ncu for ncu in state.ncus if ncu.id not in ncus),
        departed=(*state.departed, *(ncu for ncu in state.ncus if ncu.id in ncus)),
        board=tuple("" if ncu in ncus else ncu for ncu in state.board),
    )


@kind("task", "{say}")
def task(state: GameState, data: Data) -> GameState:
    """A task for a player is added."""
    waiting = record_of(PendingTask, data)
    return replace(state, tasks=(*state.tasks, waiting), numbered=max(state.numbered, data["id"]))


@kind("task-done", lambda data: data.get("say") or "done")
def task_done(state: GameState, data: Data) -> GameState:
    """A task is completed."""
    return replace(state, tasks=tuple(one for one in state.tasks if one.id != data["task"]))
