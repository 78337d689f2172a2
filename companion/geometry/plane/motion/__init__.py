"""Pivots, advances and shifts of trays among obstacles."""
