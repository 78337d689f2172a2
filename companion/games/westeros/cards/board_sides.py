"""The two sides of the board, and which edges the houses have on them (BOW-SKM-3)."""

from __future__ import annotations

from typing import Any

CELL_IN = 2.08
"""The width of a hex: the board is 82 cm wide and has 15 and a half hexes in a row."""
ORIENTATIONS = ("landscape", "portrait")
BOARD_SIDES = {"A": (15, 11), "B": (10, 15)}
"""Columns and rows of complete hexes. Side A has its rows along the long edge, side B along the
short one. Every row ends in a half hex, which is not part of the field (BOW-MOV-3)."""


def plain_board(side: str) -> dict[str, Any]:
    """An empty board of that side, as a table file holds it."""
    columns, rows = BOARD_SIDES[side]
    return {"space": "hex", "columns": columns, "rows": rows, "cell": CELL_IN}


def edges_of(side: str, orientation: str) -> tuple[str, str]:
    """The edges of the two houses: rows of hexes run along them, or towards the players."""
    along = (side == "A") == (orientation == "landscape")
    return ("bottom", "top") if along else ("left", "right")
