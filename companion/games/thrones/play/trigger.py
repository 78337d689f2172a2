"""Trigger sequences: the order of interrupts and reactions to something that is about to happen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.games.shared.action_window import ActionWindow

STAGES = ("would", "forced-interrupt", "interrupt", "occurs", "forced-reaction", "reaction")
"""The order of a sequence (AGOT-TRG-2): "would" interrupts come before forced ones (AGOT-OR-26)."""
FORCED = ("forced-interrupt", "forced-reaction")


@dataclass(frozen=True, slots=True)
class TriggerSequence:
    """Something that is about to happen or has happened: its stage and its window.

    `used` are the abilities used in it, each once (AGOT-TRG-10).
    """

    what: str
    window: ActionWindow
    stage: str = STAGES[0]
    used: tuple[str, ...] = ()

    def next_stage(self, first: str) -> TriggerSequence | None:
        """The next stage with a new window; None after reactions (AGOT-TRG-11)."""
        at = STAGES.index(self.stage) + 1
        if at == len(STAGES):
            return None
        return replace(self, stage=STAGES[at], window=ActionWindow(STAGES[at], first))
