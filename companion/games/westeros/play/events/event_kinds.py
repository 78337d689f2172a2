"""The registry of the event types of a battle.

Titles name units and players by the names in the event, so that the log can be read without the
state.
"""

from __future__ import annotations

from companion.games.shared.event_registry import Data, EventRegistry
from companion.games.westeros.play.state import WesterosState

__all__ = ["EVENTS", "SILENT", "Data", "kind"]

EVENTS = EventRegistry[WesterosState]()
kind = EVENTS.kind
SILENT = ""
"""The title of an event that the other events of its command make obvious."""
