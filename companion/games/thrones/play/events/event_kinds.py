"""The registry of event types, and titles that several of them need.

Titles name players and cards by the names in the event, so that the log can be read without the
state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.shared.event_registry import EventRegistry
from companion.games.thrones.play.state import ThronesState
from models.message import joined, say

__all__ = ["EVENTS", "ROUTINE", "SILENT", "drawn_words", "kind"]

EVENTS = EventRegistry[ThronesState]()
kind = EVENTS.kind
SILENT = ""
"""The title of an event that the other events of its command make obvious."""
ROUTINE = ("passed", "trigger-passed", "trigger-stage", "confirmed")
"""Events that only the log tells, so that every step can be undone by its name."""


def drawn_words(draws: Sequence[Sequence[Any]]) -> str:
    """Who drew how many cards."""
    rows = [(row[1], row[2]) for row in draws if row[2]]
    if not rows:
        return ""
    return joined(
        [
            say("{player} draws {n} card", "{player} draws {n} cards", player=player, n=n)
            for player, n in rows
        ]
    )
