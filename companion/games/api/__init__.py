"""The typed interface between a game and the rest of the companion."""
