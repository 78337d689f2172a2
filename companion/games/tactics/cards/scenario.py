"""Scenarios: rounds, coins, and how a battlefield is put together of tiles (TAC-GEN-3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

from companion.games.api.play import Refusal
from companion.games.shared.commands import no
from companion.games.shared.own_files import broken_own, read_own
from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.map_tile import (
    CELL_IN,
    DATA,
    OWN_FOLDER,
    TILE_SPACES,
    MapTile,
    tiles_in,
)
from models.board import (
    SQUARE_GROUND,
    Board,
    Border,
    Cell,
    by_cell,
    cell_text,
    edge,
    read_borders,
    read_cell,
)
from models.field import Field, load_toml, shown
from models.message import CompanionError

SCENARIO_KEYS = frozenset(
    ("id", "name", "rounds", "coins", "size", "tiles", "zones", "objectives", "loot", "tutorial",
     "invented", "ground", "edges", "marks")
)  # fmt: skip
SCENARIO_FORMAT = "table-companion/tactics-scenarios/1"
ZONES = ("gold", "silver")


@dataclass(frozen=True, slots=True)
class TilePlace:
    """A tile of a battlefield: where its lower left space lies, and its quarter turns."""

    tile: str
    at: Cell
    quarters: int = 0


@dataclass(frozen=True, slots=True)
class TacticsScenario:
    """A scenario: rounds, coins, battlefield, zones, objectives and loot (TAC-GEN-3)."""

    id: str
    name: str
    rounds: int
    coins: Coins
    columns: int
    rows: int
    tiles: tuple[TilePlace, ...] = ()
    zones: Mapping[str, frozenset[Cell]] = field(default_factory=dict)
    objectives: tuple[Cell, ...] = ()
    loot: Mapping[Cell, str] = field(default_factory=dict)
    tutorial: bool = False
    """Without objectives and loot (TAC-OBJ-1, TAC-LOT-1)."""
    invented: bool = False
    ground: Mapping[Cell, tuple[str, ...]] = field(default_factory=dict)
    """Ground, edges and marks of the battlefield itself; they replace what the tiles print."""
    edges: tuple[Border, ...] = ()
    marks: Mapping[Cell, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def read(cls, item: Field) -> TacticsScenario:
        raw = item.keys(SCENARIO_KEYS, {"id", "name", "rounds", "coins", "size", "zones"})
        columns, rows = (one.whole(1, 60) for one in item.member("size").items(2, 2))
        board = Board("square", columns, rows, CELL_IN)
        tiles = []
        for one in item.listed("tiles", 24):
            places = one.keys({"tile", "at", "turn"}, {"tile", "at"})
            column, row = (part.whole(0, 59) for part in one.member("at").items(2, 2))
            turn = one.member("turn").whole(0, 270) if "turn" in places else 0
            if turn % 90:
                one.member("turn").fail(f"{turn} is no quarter turn")
            tiles.append(TilePlace(one.member("tile").text(60), (column, row), turn // 90))
        zones = item.member("zones")
        zones.keys(set(ZONES), set(ZONES))
        loot = {}
        if "loot" in raw:
            member = item.member("loot")
            if not isinstance(member.raw, dict):
                member.fail(f"{shown(member.raw)} is not an object")
            for name in member.raw:
                cell = read_cell(Field(name, item.source, f"{member.place}[{shown(name)}]"), board)
                loot[cell] = member.member(name).choice({"purse", "letter"})
        return cls(
            item.member("id").text(60),
            item.member("name").text(80),
            item.member("rounds").whole(1, 20),
            Coins.read(item.member("coins")),
            columns,
            rows,
            tuple(tiles),
            {
                name: frozenset(read_cell(one, board) for one in zones.member(name).items(400))
                for name in ZONES
            },
            tuple(read_cell(one, board) for one in item.listed("objectives", 40)),
            loot,
            item.member("tutorial").flag() if "tutorial" in raw else False,
            item.member("invented").flag() if "invented" in raw else False,
            by_cell(item, "ground", board, lambda word: word.choice(SQUARE_GROUND)),
            tuple(read_borders(item, board)),
            by_cell(item, "marks", board, lambda word: word.text(40)),
        )

    def to_json(self) -> dict[str, Any]:
        """The scenario without its tiles, as values; `read` reads it back."""
        text: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "rounds": self.rounds,
            "coins": self.coins.to_json(),
            "size": [self.columns, self.rows],
            "zones": {
                name: [cell_text(cell) for cell in sorted(cells)]
                for name, cells in self.zones.items()
            },
            "objectives": [cell_text(cell) for cell in self.objectives],
            "loot": {cell_text(cell): kind for cell, kind in self.loot.items()},
        }
        return text | ({"tutorial": True} if self.tutorial else {})

    def whole(self) -> dict[str, Any]:
        """The scenario with its tiles, as the players' file keeps it."""
        text = self.to_json()
        if self.tiles:
            text["tiles"] = [
                {"tile": one.tile, "at": list(one.at), "turn": 90 * one.quarters}
                for one in self.tiles
            ]
        for key, cells in (("ground", self.ground), ("marks", self.marks)):
            if cells:
                text[key] = {cell_text(cell): list(words) for cell, words in cells.items()}
        if self.edges:
            text["edges"] = [one.to_json() for one in self.edges]
        return text

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
    if root.member("format").text() != SCENARIO_FORMAT:
        root.member("format").fail(f"{shown(root.raw['format'])} is not {SCENARIO_FORMAT!r}")
    found: dict[str, TacticsScenario] = {}
    for item in root.listed("scenario", 100):
        scenario = TacticsScenario.read(item)
        if scenario.id in found:
            item.member("id").fail(f"{shown(scenario.id)} stands twice")
        found[scenario.id] = scenario
    return found


def every_scenario() -> dict[str, TacticsScenario]:
    """The shipped scenarios and the players' own."""
    found = dict(shipped_scenarios())
    for _, scenarios, _ in read_own(OWN_FOLDER, scenarios_in):
        found |= scenarios or {}
    return found


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
