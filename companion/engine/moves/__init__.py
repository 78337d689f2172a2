"""Pieces that hands moved: what their places mean, and the commands that record them."""
