"""All event types, one file for each part of the game."""
