"""Pieces that were moved: what explains a move, and what the players still have to decide."""
