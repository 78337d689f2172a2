"""Occurrences of triggers: what the use of an effect belongs to, and when it can be used again."""

from __future__ import annotations

from companion.games.tmg.play.flow.spelling import spelling
from companion.games.tmg.play.state.game_state import (
    ACTIVATION,
    GameState,
    MoraleTrial,
    TriggerUse,
)

STEP, ACTION, ATTACK, STRIKE, TEST = "step", "action", "attack", "strike", "test"


def trial_at_hand(state: GameState) -> MoraleTrial | None:
    """The current test: one that has been rolled, else the first one pending."""
    rolled = (trial for trial in state.trials if trial.roll is not None)
    return next(rolled, state.trials[0] if state.trials else None)


def occasion(state: GameState) -> tuple[str, int]:
    """The innermost current occurrence, to which triggers belong: its kind and number."""
    now, acting = state.attack, state.acting
    if state.trials:
        return TEST, latest(state, TEST)
    if now is not None:
        kind = ATTACK if now.attacker else STRIKE
        return kind, latest(state, kind)
    charging = any(task.kind == "charge" for task in state.tasks)
    if charging or (acting is not None and acting.stage == "doing"):
        return ACTION, latest(state, ACTION)
    return STEP, latest(state, STEP)


def latest(state: GameState, kind: str) -> int:
    """The number of the newest occurrence of that kind.

    Every step comes once in a turn, or once in the clean-up of a round: activating a unit does not
    repeat the start of the turn.
    """
    if kind == STEP:
        in_turn = state.phase == ACTIVATION and not state.fresh
        return state.turn if in_turn else -state.round
    if kind == TEST:
        found = trial_at_hand(state)
        return found.id if found is not None else state.occurrences.tests
    numbers = {
        ACTION: state.occurrences.actions,
        ATTACK: state.occurrences.attacks,
        STRIKE: state.occurrences.strikes,
    }
    return numbers[kind]


def uses_now(state: GameState, trigger: str) -> tuple[TriggerUse, ...]:
    """The players who have used or declined the current occurrence of a trigger.

    The occurrence lasts until another of its kind begins: an attack with a test and several rolls
    is one attack, and a test caused by another effect is not part of it (TMG-TIM-1).
    """
    wanted = spelling(trigger)
    return tuple(
        one
        for one in state.used
        if spelling(one.trigger) == wanted and latest(state, one.kind) == one.number
    )
