"""Whether a battlefield can be put together like this: tiles, zones and objectives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from companion.games.api.play import Refusal
from companion.games.shared.commands import no
from companion.games.tactics.cards.map_tile import TILE_SPACES, MapTile
from companion.games.tactics.cards.scenario import TacticsScenario, TilePlace
from models.board import Board
from models.cell import Cell, cell_text

BLOCKED = frozenset(("blocked-x", "blocked-o", "none"))


def layout_problems(
    scenario: TacticsScenario, tiles: Mapping[str, MapTile], board: Board
) -> list[Refusal]:
    """What is wrong with a scenario's battlefield, the first thing first."""
    return [
        *place_problems(scenario),
        *set_problems([tiles[one.tile] for one in scenario.tiles]),
        *cell_problems(scenario, board),
    ]


def place_problems(scenario: TacticsScenario) -> Iterator[Refusal]:
    """Tiles beyond the battlefield, and tiles on one another (TAC-GRD-1)."""
    for place in scenario.tiles:
        column, row = place.at
        if column + TILE_SPACES > scenario.columns or row + TILE_SPACES > scenario.rows:
            yield no(
                "TAC-GRD-1",
                "tile {tile} at {cell} lies beyond the battlefield of {columns} × {rows} spaces",
                tile=place.tile,
                cell=cell_text(place.at),
                columns=scenario.columns,
                rows=scenario.rows,
            )
    for one, two in combinations(scenario.tiles, 2):
        if overlap(one, two):
            yield no(
                "TAC-GRD-1",
                "tiles {one} at {at} and {two} lie on one another",
                one=one.tile,
                at=cell_text(one.at),
                two=two.tile,
            )


def overlap(one: TilePlace, two: TilePlace) -> bool:
    """Whether two tiles cover a common space."""
    far = max(abs(one.at[0] - two.at[0]), abs(one.at[1] - two.at[1]))
    return far < TILE_SPACES


def set_problems(laid: list[MapTile]) -> Iterator[Refusal]:
    """A tile of cardboard lies once, with one side up; sets share a region (TAC-CMP-2)."""
    seen: dict[tuple[str, int], MapTile] = {}
    for tile in laid:
        if not tile.number:
            continue
        other = seen.setdefault((tile.set, tile.number), tile)
        if other is not tile or laid.count(tile) > 1:
            yield no(
                "TAC-CMP-2",
                "{one} and {two} are tile {number} of one set: it lies only once",
                one=other.name,
                two=tile.name,
                number=tile.number,
            )
            return
    regions = list(dict.fromkeys(tile.region for tile in laid if tile.region))
    if len(regions) > 1:
        yield no(
            "TAC-CMP-2",
            "tiles of different regions: {names}",
            names=", ".join(regions),
        )


def cell_problems(scenario: TacticsScenario, board: Board) -> Iterator[Refusal]:
    """Zones without OPEN spaces, and objectives that are not on OPEN-O (TAC-OBJ-2)."""

    def blocked(cell: Cell) -> bool:
        return not BLOCKED.isdisjoint(board.ground.get(cell, ()))

    for name, cells in scenario.zones.items():
        if not any(not blocked(cell) for cell in cells):
            yield no("TAC-SET-8", "the {zone} deployment zone has no OPEN space", zone=name)
    for cell in () if scenario.tutorial else scenario.objectives:
        if blocked(cell) or "open-x" in board.ground.get(cell, ()):
            yield no("TAC-OBJ-2", "the objective on {cell} is not on OPEN-O", cell=cell_text(cell))
