"""An event-sourced session for any game: the event log, the state folded from it, undo, saving."""
