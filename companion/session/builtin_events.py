"""The session's own event types, beside the game's: set-up, notes, undo, redo and the clock."""

from __future__ import annotations

OURS = "session."
SETUP = "session.set-up"
NOTE = "session.note"
UNDO = "session.undo"
REDO = "session.redo"
CLOCK = "session.clock"
VERSIONS = {SETUP: 1, NOTE: 1, UNDO: 1, REDO: 1, CLOCK: 1}
"""The latest version of each event type that this program can read."""
