"""Occurrences of triggers: what a use of an effect belongs to, and when the next chance comes."""

from __future__ import annotations

from companion.games.tmg.play.flow.spelling import spelling
from companion.games.tmg.play.state.game_state import GameState, MoraleTrial, TriggerUse

STEP, ACTION, ATTACK, STRIKE, TEST = "step", "action", "attack", "strike", "test"


def trial_at_hand(state: GameState) -> MoraleTrial | None:
    """The test the players are busy with: one whose dice lie, else the first that waits."""
    rolled = (trial for trial in state.trials if trial.roll is not None)
    return next(rolled, state.trials[0] if state.trials else None)


def occasion(state: GameState) -> tuple[str, int]:
    """The innermost thing that goes on, by its kind and number: a trigger used now is its own."""
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
    """The number of the thing of that kind that began last."""
    if kind == TEST:
        found = trial_at_hand(state)
        return found.id if found is not None else state.occurrences.tests
    numbers = {
        STEP: state.occurrences.steps,
        ACTION: state.occurrences.actions,
        ATTACK: state.occurrences.attacks,
        STRIKE: state.occurrences.strikes,
    }
    return numbers[kind]


def uses_now(state: GameState, trigger: str) -> tuple[TriggerUse, ...]:
    """Who has used or declined this very occurrence of a trigger.

    It is the same occurrence until another thing of its kind begins: an attack that brings a test
    and several rolls is one attack, and a test that another effect demands is none (TMG-TIM-1).
    """
    wanted = spelling(trigger)
    return tuple(
        one
        for one in state.used
        if spelling(one.trigger) == wanted and latest(state, one.kind) == one.number
    )
