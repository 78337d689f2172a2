"""Trays and pieces that were moved: what explains a move, and the queue of open ones."""
