"""Answers as labelled shapes in inches, and the map and photo overlays painted from them."""
