"""The memory: a log of events, the state folded from it, undo, saving; knows no game."""
