"""Maneuvers, marches, retreats, shifts and pivots."""
