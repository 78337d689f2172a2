"""An effect that asks every player: each decides in player order, then it happens to all."""

from __future__ import annotations

from dataclasses import dataclass

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
