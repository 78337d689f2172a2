"""Battles of Westeros: the battle game on hexes."""
