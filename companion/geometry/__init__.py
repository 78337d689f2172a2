"""Geometry in inches on the open plane and in integers on grids, without any game's rules."""
