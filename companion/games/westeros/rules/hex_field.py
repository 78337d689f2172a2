"""The battlefield as the rules see it: the terrain and fire of every complete hex."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.games.westeros.rules.readings import WesterosReadings
from companion.games.westeros.rules.terrain import (
    PLAINS,
    TERRAIN,
    HexTerrain,
    fire_of,
    terrain_of,
)
from companion.geometry.grid.hexagon import HexGrid, around
from models.board import Board
from models.cell import Cell
from models.errors import CompanionError

DEFAULT_READINGS = WesterosReadings()
BOTTOM, TOP, LEFT, RIGHT = "bottom", "top", "left", "right"
EDGES = (BOTTOM, TOP, LEFT, RIGHT)
"""The edges of a board: bottom is player 1's, along row 0; left is along column 0."""


@dataclass(frozen=True, slots=True, eq=False)
class HexField:
    """A board with everything that is asked of it worked out.

    Only complete hexes belong to it: the half hexes at the rim hold nothing (BOW-MOV-3, BOW-OR-5).
    """

    board: Board
    readings: WesterosReadings
    grid: HexGrid
    cells: frozenset[Cell]
    terrain: Mapping[Cell, HexTerrain]
    """The terrain of the hexes that are not plains."""
    fire: Mapping[Cell, int]
    """The fire level of each burning hex."""

    @classmethod
    def of(cls, board: Board, readings: WesterosReadings = DEFAULT_READINGS) -> HexField:
        """The battlefield of a board of hexes."""
        if board.space != "hex":
            raise CompanionError(f"board: space: {board.space!r} is not 'hex'")
        grid = HexGrid(board.columns, board.rows)
        terrain = {cell: terrain_of(words) for cell, words in board.ground.items()}
        if readings.forest_road == "forest":  # BOW-OR-25
            wooded = replace(TERRAIN["forest"], road=True)
            terrain = {c: wooded if t.word == "forest-road" else t for c, t in terrain.items()}
        return cls(
            board,
            readings,
            grid,
            frozenset(cell for cell in grid.cells() if cell in board),
            terrain,
            {cell: level for cell, words in board.ground.items() if (level := fire_of(words))},
        )

    def at(self, cell: Cell) -> HexTerrain:
        """The terrain of a hex."""
        return self.terrain.get(cell, PLAINS)

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """The complete hexes next to a hex."""
        return tuple(one for one in around(cell) if one in self.cells)

    def distance(self, one: Cell, two: Cell) -> int:
        """The range: hexes counted to the target, its own hex included (BOW-LOS-1)."""
        return self.grid.distance(one, two)

    def rows_from(self, edge: str, cell: Cell) -> int:
        """Which row of complete hexes from an edge a hex lies in, from 1 (BOW-OR-30)."""
        column, row = cell
        return {
            BOTTOM: row + 1,
            TOP: self.board.rows - row,
            LEFT: column + 1,
            RIGHT: self.board.columns - column,
        }[edge]

    def towards(self, edge: str, cell: Cell) -> tuple[Cell, ...]:
        """The neighbours that face an edge, on the board or not (BOW-RET-2).

        There are two where rows run along the edge; else those that lie nearer to it (BOW-OR-2).
        """
        east, north_east, north_west, west, south_west, south_east = around(cell)
        facing = {
            BOTTOM: (south_west, south_east),
            TOP: (north_west, north_east),
            LEFT: (west, north_west, south_west),
            RIGHT: (east, north_east, south_east),
        }[edge]
        straight = self.readings.portrait_retreat == "straight"
        return facing[:1] if len(facing) == 3 and straight else facing
