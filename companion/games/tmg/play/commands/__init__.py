"""The commands players give, a file per part of the game."""
