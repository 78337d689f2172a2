"""Plane geometry in inches: trays, arcs, contact, areas."""
