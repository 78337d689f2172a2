"""Trays, arcs, sight, reach and contact: plane geometry in inches, without any game's rules."""
