"""The session's own events, beside those of the game: set-up, notes, undo, redo and the clock."""

from __future__ import annotations

OURS = "session."
SETUP = "session.set-up"
NOTE = "session.note"
UNDO = "session.undo"
REDO = "session.redo"
CLOCK = "session.clock"
VERSIONS = {SETUP: 1, NOTE: 1, UNDO: 1, REDO: 1, CLOCK: 1}
"""Each of them and the latest version of it that this program understands."""
