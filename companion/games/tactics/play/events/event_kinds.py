"""The registry of event types: how each changes the state, and its title.

Titles name figures and sides by the names in the event, so that the log can be read without the
state.
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.shared.event_registry import Data, EventRegistry
from companion.games.tactics.play.state import SkirmishState

__all__ = ["EVENTS", "SILENT", "Data", "kind", "unshaken"]

EVENTS = EventRegistry[SkirmishState]()
kind = EVENTS.kind
SILENT = ""
"""The title of an event that the other events of its command make obvious."""


def unshaken(state: SkirmishState, figure_id: str, data: Data) -> SkirmishState:
    """The shaken token goes with the roll (TAC-STA-2)."""
    if not data.get("shaken"):
        return state
    return state.with_figure(replace(state.figure(figure_id), shaken=False))
