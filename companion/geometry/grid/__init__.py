"""Boards of squares and hexes in integers: neighbours, distances, lines, reach, chances."""
