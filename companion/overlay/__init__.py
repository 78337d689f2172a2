"""Answers as labelled shapes in inches: for the map now, for the live picture later."""
