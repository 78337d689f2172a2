"""The course of a game: steps, attacks, tests, scoring, victory."""
