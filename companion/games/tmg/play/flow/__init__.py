"""The flow of a game: steps, attacks, tests, scoring, victory."""
