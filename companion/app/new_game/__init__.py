"""The wizard that sets up a new game."""
