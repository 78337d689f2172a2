"""Which commands are possible at a moment, and the rule that says so."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import no, quoted
from companion.games.thrones.play.context import REGISTRY
from companion.games.thrones.play.state import ThronesState

STEP_RULES = {
    "SETUP-7": "AGOT-SET-8", "SETUP-8": "AGOT-SET-10", "SETUP-9": "AGOT-SET-17",
    "1.2": "AGOT-PLOT-2", "1.3.I": "AGOT-PLOT-11", "1.3.II": "AGOT-PLOT-12",
    "1.3.III": "AGOT-PLOT-14", "1.4": "AGOT-TTL-5", "AW3": "AGOT-MAR-4", "4.2": "AGOT-CHL-4",
    "4.2.X": "AGOT-TTL-21", "4.2.1": "AGOT-CHL-16", "4.2.4": "AGOT-CHL-35",
    "4.2.5": "AGOT-KEY-7", "7.3": "AGOT-TAX-5",
}  # fmt: skip
"""The rule that says when a command of a single step is possible."""
WINDOW_WORDS = ("pass", "act", "ambush")
"""Commands of an action window that is paused by interrupts and reactions."""


OVERRIDES = ("set", "modify", "unmodify")
"""Commands by which the players change a number at any time, in set-up too (AGOT-GEN-2)."""


def timing_refusal(state: ThronesState, word: str) -> Refusal | None:
    """Why a command is not accepted at this moment."""
    rule = REGISTRY.rules[word]
    steps = rule.phases
    if rule.busy:
        return None
    if state.winner:
        return no("AGOT-WIN-2", "the game is over: {player} has won",
                  player=state.house(state.winner).name)  # fmt: skip
    if state.contest and word != "winner":
        return no("AGOT-WIN-3", "first {player} names the winner",
                  player=state.house(state.first).name)  # fmt: skip
    if state.triggers and (steps or word in WINDOW_WORDS):
        return no("AGOT-TRG-17", "first: {what}", what=state.triggers[-1].what)
    if state.decision is not None and (steps or word in WINDOW_WORDS):
        return no("AGOT-ORD-13", "first {player} decides",
                  player=state.house(state.chooser).name)  # fmt: skip
    if steps and state.step not in steps:
        return no(STEP_RULES[steps[0]], "{word} is not possible now", word=quoted(word))
    if not steps and state.round < 1 and word not in OVERRIDES:
        return no("AGOT-SET-21", "the game has not begun yet")
    return None
