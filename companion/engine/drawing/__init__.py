"""Overlays as vertices: display lists, vertex batches, and their cache."""
