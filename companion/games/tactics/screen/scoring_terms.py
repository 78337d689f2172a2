"""What gives points in a battle of Tactics and what decides it, for those who look it up."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.tactics.play.context import AGENDA_POINTS
from companion.games.tactics.play.flow import POINTS_PER_ROUND_WITHOUT_FIGURES
from companion.games.tactics.play.state import SkirmishState
from companion.games.tactics.play.turn_commands import POINTS_PER_ROUND_CONCEDED
from companion.games.tactics.rules.space_effects import LOOT_MARKS, LOOT_POINTS
from models.message import Name, say


def scoring_terms(state: SkirmishState) -> Iterator[str]:
    """By scenario and rulebook (TAC-END-1 to -13, TAC-AGD, TAC-MOT-6)."""
    rounds = state.scenario.rounds
    yield say(
        "After round {rounds} the most victory points win; equal points are a draw.", rounds=rounds
    )
    if state.scenario.objectives and not state.scenario.tutorial:
        if state.readings.objective_points == "per-objective":  # TAC-OR-27
            yield say("Each round: 1 victory point for every objective that is held.")
        else:
            yield say("Each round: 1 victory point for every figure on an objective.")
    if state.readings.captive_ties == "both":  # TAC-OR-22
        yield say("Each round: 1 victory point for the most captives; equally many: to both.")
    else:
        yield say("Each round: 1 victory point for the most captives; equally many: to nobody.")
    if any(word in LOOT_MARKS for words in state.board.marks.values() for word in words):
        yield say(
            "A purse or a secret letter that is taken: {n} victory point.",
            "A purse or a secret letter that is taken: {n} victory points.",
            n=LOOT_POINTS,
        )
    yield say(
        "A fulfilled agenda: {n} victory point when its card says so.",
        "A fulfilled agenda: {n} victory points when its card says so.",
        n=AGENDA_POINTS,
    )
    yield say("A motivation: its points at once, when it is met and paid for.")
    yield say(
        "Who has no figure left ends the battle at once; the opponent gets {n} victory points for"
        " every round that is not finished.",
        n=POINTS_PER_ROUND_WITHOUT_FIGURES,
    )
    yield say(
        "Who concedes loses; the opponent gets {n} victory points for every round that is not"
        " finished.",
        n=POINTS_PER_ROUND_CONCEDED,
    )
    if state.scenario.note:  # TAC-END-4
        yield Name(state.scenario.note)
