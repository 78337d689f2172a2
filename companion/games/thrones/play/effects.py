"""Effects that wait for players: trigger sequences, and decisions that every player makes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.shared.step_pipeline import ActionWindow

STAGES = ("would", "forced-interrupt", "interrupt", "occurs", "forced-reaction", "reaction")
"""The order of a sequence (AGOT-TRG-2): "would" interrupts come before forced ones (AGOT-OR-26)."""
FORCED = ("forced-interrupt", "forced-reaction")


@dataclass(frozen=True, slots=True)
class TriggerSequence:
    """Something that is about to happen or has happened: its stage and its window.

    `used` are the abilities used in it, with who used each (AGOT-TRG-10).
    """

    what: str
    window: ActionWindow
    stage: str = STAGES[0]
    used: tuple[tuple[str, str], ...] = ()

    def next_stage(self, first: str) -> TriggerSequence | None:
        """The next stage with a new window; None after reactions (AGOT-TRG-11)."""
        at = STAGES.index(self.stage) + 1
        if at == len(STAGES):
            return None
        return replace(self, stage=STAGES[at], window=ActionWindow(STAGES[at], first))


LEAVING_PILES = {
    "killed": "dead", "discarded": "discard", "sacrificed": "discard", "returned": "hand",
    "shuffled": "deck", "removed": "removed",
}  # fmt: skip
"""Where a card goes that leaves play in this way (AGOT-ZONE-10, AGOT-ZONE-6, AGOT-ZONE-12)."""
TURNS = ("knelt", "stood")


@dataclass(frozen=True, slots=True)
class PlayerChoice:
    """What one player decided: own cards, what saves each of them, or words for the log."""

    seat: str
    cards: tuple[str, ...] = ()
    saves: tuple[tuple[str, str], ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class SharedDecision:
    """What the effect asks, what happens to the chosen cards, and the decisions so far."""

    what: str
    how: str = ""
    choices: tuple[PlayerChoice, ...] = ()
