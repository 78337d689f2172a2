"""Overlays as vertices: display lists, vertex batches, their cache and the prefetcher."""
