"""Plane geometry in inches: trays, arcs, contact, areas, line of sight and motion."""
