"""Trays that pivot, advance and shift among obstacles."""
