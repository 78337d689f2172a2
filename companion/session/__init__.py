"""An event-sourced game session: the event log, the state folded from it, undo and saving;
independent of any game."""
