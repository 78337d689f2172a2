"""The battlefield as the rules see it: the terrain and fire of every complete hex (BOW-TER)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from companion.games.westeros.rules.readings import WesterosReadings
from companion.geometry.grid.grids import HexGrid, around
from companion.geometry.grid.lines import hex_bits, hexes_of
from models.board import Board, Cell, cell_text
from models.board_table import BOTTOM, LEFT, RIGHT, TOP
from models.message import CompanionError, say

DEVASTATION = "devastation"
REMOVED = "removed"
MOST_FIRE = 4
"""The highest number on a fire marker; a fire of that level spreads (BOW-FIR-9)."""
FIRES = tuple(f"fire-{level}" for level in range(1, MOST_FIRE + 1))


@dataclass(frozen=True, slots=True)
class HexTerrain:
    """One kind of terrain; without a burn limit it takes no fire (BOW-FIR-4)."""

    word: str
    blocks_sight: bool = False
    impassable: bool = False
    stops: bool = False
    road: bool = False
    bridge: bool = False
    marker: bool = False
    burn_limit: int | None = None
    burnt: str = ""
    """What the limit does to it: nothing, devastation, or the marker is removed."""


EVERY_TERRAIN = (
    HexTerrain("plains", burn_limit=4),  # BOW-TER-2
    HexTerrain("hill", blocks_sight=True),  # BOW-TER-3
    # BOW-TER-5, BOW-TER-6, BOW-TER-8
    HexTerrain("forest", blocks_sight=True, stops=True, burn_limit=3, burnt=DEVASTATION),
    HexTerrain("river", impassable=True),  # BOW-TER-9, BOW-TER-10
    HexTerrain("forest-river", blocks_sight=True, impassable=True),
    # BOW-TER-11, BOW-TER-12, BOW-TER-15
    HexTerrain("building", blocks_sight=True, stops=True, burn_limit=4, burnt=DEVASTATION),
    HexTerrain("road", road=True, burn_limit=4),  # BOW-TER-16, BOW-TER-17, BOW-TER-18
    HexTerrain("forest-road", blocks_sight=True, road=True, burn_limit=3, burnt=DEVASTATION),
    # BOW-TER-20, BOW-TER-22, BOW-TER-23
    HexTerrain("wooden-bridge", road=True, bridge=True, marker=True, burn_limit=3, burnt=REMOVED),
    HexTerrain("stone-bridge", road=True, bridge=True, marker=True),
    # BOW-TER-24, BOW-TER-25
    HexTerrain(
        "palisade", blocks_sight=True, impassable=True, marker=True, burn_limit=4, burnt=REMOVED
    ),
    HexTerrain("tent", marker=True, burn_limit=1, burnt=REMOVED),  # BOW-TER-26
    # BOW-TER-27, BOW-TER-28
    HexTerrain(
        "siege-tower", blocks_sight=True, impassable=True, marker=True, burn_limit=1, burnt=REMOVED
    ),
    HexTerrain("ford", marker=True),  # BOW-TER-29
)
TERRAIN = {one.word: one for one in EVERY_TERRAIN}
PLAINS = TERRAIN["plains"]
OVERLAYS = tuple(one.word for one in EVERY_TERRAIN if not one.marker)
MARKERS = tuple(one.word for one in EVERY_TERRAIN if one.marker)
RIVERS = ("river", "forest-river")

TERRAIN_WORDS = {
    "plains": say("plains"),
    "hill": say("hill"),
    "forest": say("forest"),
    "river": say("river"),
    "forest-river": say("forest river"),
    "building": say("building"),
    "road": say("road"),
    "forest-road": say("forest road"),
}
MARKER_WORDS = {
    "wooden-bridge": say("wooden bridge"),
    "stone-bridge": say("stone bridge"),
    "palisade": say("palisade"),
    "tent": say("tent"),
    "siege-tower": say("siege tower"),
    "ford": say("ford"),
    DEVASTATION: say("devastation"),
}


def terrain_of(words: Iterable[str]) -> HexTerrain:
    """The terrain that counts: a marker beats the hex below it (BOW-TER-1).

    A devastation marker cancels everything below it: plains (BOW-TER-33).
    """
    known = [TERRAIN[word] for word in words if word in TERRAIN]
    if DEVASTATION in words:
        return PLAINS
    markers = [one for one in known if one.marker]
    return (markers or known or [PLAINS])[-1]


def fire_of(words: Iterable[str]) -> int:
    """The fire level that a hex's markers show; 0 without fire (BOW-FIR-1)."""
    return max((FIRES.index(word) + 1 for word in words if word in FIRES), default=0)


DEFAULT_READINGS = WesterosReadings()


@dataclass(frozen=True)
class HexSight:
    """Whether a unit sees a hex; else the rules against it and the hexes that block."""

    rules: tuple[str, ...] = ()
    hits: int = 0
    """The hexes that block, as a set of bits."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        return hexes_of(self.hits)

    @property
    def clear(self) -> bool:
        return not self.rules

    @property
    def verdict(self) -> dict[str, Any]:
        """The answer and its rules as JSON values."""
        return plain_verdict(self.rules)

    @cached_property
    def to_json(self) -> dict[str, Any]:
        """The same with the hexes that block; two units often share one."""
        if self.clear:
            return self.verdict
        return {**self.verdict, "blocked_by": list(map(cell_text, self.cells))}


@lru_cache(maxsize=256)
def plain_verdict(why: tuple[str, ...]) -> dict[str, Any]:
    """A yes or no with its rules, shared by all answers alike: a board has thousands of them."""
    return {"answer": "no" if why else "yes", "why": list(why)}


CLEAR = HexSight()


@dataclass(frozen=True, eq=False)
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

    @cached_property
    def opaque(self) -> int:
        """The hexes that block sight without any unit (BOW-LOS-5).

        What is beyond the rim holds nothing, unless a line over the half hexes there is read as
        leaving the field (BOW-OR-5).
        """
        terrain = self.hexes_with(lambda terrain: terrain.blocks_sight)
        return terrain | self.rim if self.readings.rim_lines == "closed" else terrain

    @cached_property
    def opaque_from_hills(self) -> int:
        """The same for ranged units on hills (BOW-OR-6)."""
        if self.readings.archers_on_hills == "units":
            return self.opaque
        return self.opaque & ~self.hexes_with(lambda terrain: terrain.word == "hill")

    @cached_property
    def rivers(self) -> int:
        return self.hexes_with(lambda terrain: terrain.word in RIVERS)

    @property
    def rim(self) -> int:
        """The hexes around the board, of which halves may lie on it."""
        rows, columns = self.board.rows, self.board.columns
        sides = [(column, row) for row in range(-1, rows + 1) for column in (-1, columns)]
        return hex_bits([*sides, *((c, row) for c in range(columns) for row in (-1, rows))])

    def hexes_with(self, wanted: Callable[[HexTerrain], bool]) -> int:
        """The set of the hexes of the field with such terrain."""
        cells = (cell for cell, terrain in self.terrain.items() if wanted(terrain))
        return hex_bits(cell for cell in cells if cell in self.cells)

    def at(self, cell: Cell) -> HexTerrain:
        return self.terrain.get(cell, PLAINS)

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """The complete hexes next to a hex."""
        return tuple(one for one in around(cell) if one in self.cells)

    distance = staticmethod(HexGrid.distance)
    """The range: hexes counted to the target, its own hex included (BOW-LOS-1)."""

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
