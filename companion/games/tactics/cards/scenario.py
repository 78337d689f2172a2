"""Scenarios: rounds, coins, and how a battlefield is put together of tiles (TAC-GEN-3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from typing import Annotated, Any, Literal

from companion.games.api.play import Refusal
from companion.games.shared.commands import no
from companion.games.shared.own_files import broken_own, own_by_id
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.map_tile import (
    CELL_IN,
    DATA,
    OWN_FOLDER,
    TILE_SPACES,
    MapTile,
    tiles_in,
)
from companion.games.tactics.rules.places import board_place
from models.board import (
    MOST_CELLS,
    Board,
    BoardCell,
    Border,
    Borders,
    Cell,
    CellMarks,
    SquareGround,
    cell_text,
    edge,
    read_cell,
)
from models.field import Field, load_toml
from models.message import CompanionError
from models.record_reader import (
    WRITTEN,
    Between,
    FileKey,
    Length,
    ReadBy,
    Record,
    check_format,
    read_by_id,
    read_record,
    value_of,
)

SCENARIO_FORMAT = "table-companion/tactics-scenarios/1"
ZONES = ("gold", "silver")
QUARTER_DEG = 90


def read_turn(field: Field, about: Any) -> int:
    """The quarter turns of a tile, written in degrees."""
    turn = field.whole(0, 3 * QUARTER_DEG)
    if turn % QUARTER_DEG:
        field.fail(f"{turn} is no quarter turn")
    return turn // QUARTER_DEG


def read_zones(field: Field, board: Board) -> dict[str, frozenset[Cell]]:
    """The deployment zone of either side."""
    field.keys(ZONES, ZONES)
    return {
        name: frozenset(read_cell(one, board) for one in field.member(name).items(400))
        for name in ZONES
    }


def plain_zones(zones: Mapping[str, frozenset[Cell]]) -> dict[str, list[str]]:
    """Zones as files write them."""
    return {name: [cell_text(cell) for cell in sorted(cells)] for name, cells in zones.items()}


Rounds = Annotated[int, Between(1, 20)]
MOST_TILE_PLACES = 24
Place = Annotated[int, Between(0, MOST_CELLS - 1)]
Side = Annotated[int, Between(1, MOST_CELLS)]
LootKind = Literal["purse", "letter"]


@dataclass(frozen=True, slots=True)
class TilePlace(Record):
    """A tile of a battlefield: where its lower left space lies, and its quarter turns."""

    tile: Annotated[str, Length(60)]
    at: tuple[Place, Place]
    quarters: Annotated[int, FileKey("turn"), WRITTEN, ReadBy(read_turn, QUARTER_DEG.__mul__)] = 0


@dataclass(frozen=True, slots=True)
class TacticsScenario(Record):
    """A scenario: rounds, coins, battlefield, zones, objectives and loot (TAC-GEN-3)."""

    id: Annotated[str, Length(60)]
    name: Annotated[str, Length(80)]
    rounds: Rounds
    coins: Coins
    size: tuple[Side, Side]
    """Columns and rows."""
    zones: Annotated[Mapping[str, frozenset[Cell]], ReadBy(read_zones, plain_zones)]
    objectives: Annotated[tuple[BoardCell, ...], Length(40), WRITTEN] = ()
    loot: Annotated[Mapping[BoardCell, LootKind], WRITTEN] = field(default_factory=dict)
    tutorial: bool = False
    """Without objectives and loot (TAC-OBJ-1, TAC-LOT-1)."""
    invented: bool = False
    rounds_missing: Annotated[bool, FileKey("incomplete")] = False
    """It was drawn, and nobody has entered its rounds and coins yet."""
    tiles: Annotated[tuple[TilePlace, ...], Length(MOST_TILE_PLACES)] = ()
    ground: SquareGround = field(default_factory=dict)
    """Ground, edges and marks of the battlefield itself; they replace what the tiles print."""
    edges: Borders = ()
    marks: CellMarks = field(default_factory=dict)
    note: Annotated[str, Length(400)] = ""
    """Its special rules and points, in the players' own words (TAC-GEN-3, TAC-END-4)."""

    @property
    def columns(self) -> int:
        return self.size[0]

    @property
    def rows(self) -> int:
        return self.size[1]

    @classmethod
    def read(cls, field: Field, about: Any = None, /, **given: Any) -> TacticsScenario:
        """A scenario, whose cells are those of a board of its size."""
        board = Board("square", 1, 1, CELL_IN)
        if isinstance(field.raw, dict) and "size" in field.raw:
            columns, rows = value_of(cls, "size").limits.read(field.member("size"), None)
            board = Board("square", columns, rows, CELL_IN)
        return read_record(cls, field, board, given)

    def rules(self) -> dict[str, Any]:
        """The scenario without its battlefield, which a game keeps as a board."""
        board = {"tiles", "ground", "edges", "marks", "invented", "incomplete"}
        return {key: value for key, value in self.to_json().items() if key not in board}

    def board(self, tiles: Mapping[str, MapTile]) -> Board:
        """The board of the scenario: its tiles side by side as one grid (TAC-OR-38)."""
        ground: dict[Cell, tuple[str, ...]] = {}
        marks: dict[Cell, list[str]] = {}
        borders: dict[tuple[Cell, Cell], Border] = {}
        for place in self.tiles:
            if place.tile not in tiles:
                raise CompanionError(f"scenario {self.id}: no tile {place.tile!r}")
            tile = tiles[place.tile]
            for cell, words in tile.ground().items():
                ground[laid(cell, place)] = words
            for cell, words in tile.marks.items():
                marks.setdefault(laid(cell, place), []).extend(words)
            for border in tile.edges:
                one, two = (laid(cell, place) for cell in border.edge)
                borders[edge(one, two)] = replace(border, edge=edge(one, two))
        ground |= self.ground
        marks |= {cell: list(words) for cell, words in self.marks.items()}
        borders |= {border.edge: border for border in self.edges}
        if not self.tutorial:
            for cell in self.objectives:
                marks.setdefault(cell, []).append("objective")
            for cell, kind in self.loot.items():
                marks.setdefault(cell, []).append(kind)
        for name, cells in self.zones.items():
            for cell in sorted(cells):
                marks.setdefault(cell, []).append(f"zone-{name}")
        return Board(
            "square",
            self.columns,
            self.rows,
            CELL_IN,
            (0.0, 0.0),
            ground=ground,
            marks={cell: tuple(words) for cell, words in sorted(marks.items())},
            borders=tuple(borders[one] for one in sorted(borders)),
        )


def laid(cell: Cell, place: TilePlace) -> Cell:
    """A space of a tile on the battlefield, after the tile's quarter turns to the left."""
    column, row = cell
    for _ in range(place.quarters % 4):
        column, row = TILE_SPACES - 1 - row, column
    return place.at[0] + column, place.at[1] + row


@lru_cache(maxsize=1)
def shipped_scenarios() -> Mapping[str, TacticsScenario]:
    """The invented scenarios that come with the game, by id."""
    return read_scenarios(load_toml(DATA / "scenarios.toml"))


def read_scenarios(root: Field) -> dict[str, TacticsScenario]:
    """The scenarios of a file, by id."""
    root.keys({"format", "scenario"}, {"format"})
    check_format(root, SCENARIO_FORMAT)
    return read_by_id(root.listed("scenario", 100), TacticsScenario.read)


def every_scenario() -> dict[str, TacticsScenario]:
    """The shipped scenarios and the players' own."""
    return {**shipped_scenarios(), **own_by_id(OWN_FOLDER, scenarios_in)}


def scenarios_in(root: Field) -> dict[str, TacticsScenario]:
    """The scenarios of a file, which may hold tiles instead."""
    return {} if "tile" in root.raw else read_scenarios(root)


def broken_boards() -> dict[str, CompanionError]:
    """Why files with tiles or scenarios of the players' own cannot be read, by their names."""

    def whole(root: Field) -> object:
        return tiles_in(root), scenarios_in(root)

    return broken_own(OWN_FOLDER, whole)


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
                "tile {tile} lies beyond the battlefield of {columns} × {rows} spaces",
                tile=place.tile,
                columns=scenario.columns,
                rows=scenario.rows,
            )
    for one, two in combinations(scenario.tiles, 2):
        if overlap(one, two):
            yield no(
                "TAC-GRD-1",
                "tiles {one} and {two} lie on one another",
                one=one.tile,
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
            place = board_place(board, cell, {})
            yield no("TAC-OBJ-2", "{place} is not on OPEN-O", place=place)
