"""Battle report, replay and export of a recorded game."""
