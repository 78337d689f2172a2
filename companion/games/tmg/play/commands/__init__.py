"""The commands players give, one file per part of the game."""
