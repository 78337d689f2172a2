"""Everything that can happen, a file for each part of the game."""
