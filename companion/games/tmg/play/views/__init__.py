"""Views of the state: for players, for other programs and for the battle report."""
