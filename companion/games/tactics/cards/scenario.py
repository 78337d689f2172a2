"""Tiles and scenarios: how a battlefield is put together (TAC-GRD-1, TAC-GEN-3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from companion.games.shared.own_files import own_files
from companion.games.tactics.cards.coins import Coins
from models.board import Board, Border, by_cell, read_borders, read_cell
from models.cell import Cell, cell_text, edge
from models.errors import CompanionError
from models.field import Field, load_toml, shown

DATA = Path(__file__).parents[1] / "data"
TILE_SPACES = 7
"""Spaces along a side of a tile (TAC-GRD-1)."""
CELL_IN = 1.25
OWN_FOLDER = "tactics-scenarios"
"""The players' folder of tiles and scenarios: files with `[[tile]]` or with `[[scenario]]`."""
TILE_FORMAT = "table-companion/tactics-tiles/1"
SCENARIO_FORMAT = "table-companion/tactics-scenarios/1"
LETTERS: Mapping[str, tuple[str, ...]] = {
    ".": (),
    "x": ("open-x",),
    "#": ("blocked-x",),
    "~": ("blocked-o",),
    "^": ("open-o", "high"),
}
ZONES = ("gold", "silver")
ZoneName = Literal["gold", "silver"]


@dataclass(frozen=True, slots=True)
class MapTile:
    """A tile of 7 × 7 spaces; its ground as letters, the far row first."""

    id: str
    name: str
    rows: tuple[str, ...]
    edges: tuple[Border, ...] = ()
    marks: Mapping[Cell, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def read(cls, item: Field) -> MapTile:
        item.keys({"id", "name", "rows", "edges", "marks"}, {"id", "name", "rows"})
        rows = []
        for row in item.member("rows").items(TILE_SPACES, TILE_SPACES):
            text = row.text(TILE_SPACES)
            if len(text) != TILE_SPACES:
                row.fail(f"{shown(text)} has not {TILE_SPACES} letters")
            for letter in text:
                if letter not in LETTERS:
                    row.fail(f"{shown(letter)} is none of {' '.join(LETTERS)}")
            rows.append(text)
        board = Board("square", TILE_SPACES, TILE_SPACES, CELL_IN)
        return cls(
            item.member("id").text(60),
            item.member("name").text(80),
            tuple(rows),
            tuple(read_borders(item, board)),
            by_cell(item, "marks", board, lambda word: word.text(40)),
        )

    def ground(self) -> dict[Cell, tuple[str, ...]]:
        """The ground by space; plain ground is left out."""
        far = TILE_SPACES - 1
        return {
            (column, far - at): LETTERS[letter]
            for at, row in enumerate(self.rows)
            for column, letter in enumerate(row)
            if LETTERS[letter]
        }

    def plain(self) -> dict[str, Any]:
        """The tile as values; `read` reads it back."""
        text: dict[str, Any] = {"id": self.id, "name": self.name, "rows": list(self.rows)}
        if self.edges:
            text["edges"] = [one.plain() for one in self.edges]
        if self.marks:
            text["marks"] = {cell_text(cell): list(words) for cell, words in self.marks.items()}
        return text


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

    @classmethod
    def read(cls, item: Field) -> TacticsScenario:
        raw = item.keys(
            {
                "id",
                "name",
                "rounds",
                "coins",
                "size",
                "tiles",
                "zones",
                "objectives",
                "loot",
                "tutorial",
                "invented",
            },
            {"id", "name", "rounds", "coins", "size", "zones"},
        )
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
        )

    def plain(self) -> dict[str, Any]:
        """The scenario without its tiles, as values; `read` reads it back."""
        text: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "rounds": self.rounds,
            "coins": self.coins.plain(),
            "size": [self.columns, self.rows],
            "zones": {
                name: [cell_text(cell) for cell in sorted(cells)]
                for name, cells in self.zones.items()
            },
            "objectives": [cell_text(cell) for cell in self.objectives],
            "loot": {cell_text(cell): kind for cell, kind in self.loot.items()},
        }
        return text | ({"tutorial": True} if self.tutorial else {})

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
def shipped_tiles() -> Mapping[str, MapTile]:
    """The invented tiles that come with the game, by id."""
    return read_tiles(load_toml(DATA / "tiles.toml"))


def read_tiles(root: Field) -> dict[str, MapTile]:
    """The tiles of a file, by id."""
    root.keys({"format", "tile"}, {"format"})
    if root.member("format").text() != TILE_FORMAT:
        root.member("format").fail(f"{shown(root.raw['format'])} is not {TILE_FORMAT!r}")
    found: dict[str, MapTile] = {}
    for item in root.listed("tile", 200):
        tile = MapTile.read(item)
        if tile.id in found:
            item.member("id").fail(f"{shown(tile.id)} stands twice")
        found[tile.id] = tile
    return found


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


def every_tile() -> dict[str, MapTile]:
    """The shipped tiles and the players' own."""
    found = dict(shipped_tiles())
    for root in own_files(OWN_FOLDER):
        if "tile" in root.raw:
            found |= read_tiles(root)
    return found


def every_scenario() -> dict[str, TacticsScenario]:
    """The shipped scenarios and the players' own."""
    found = dict(shipped_scenarios())
    for root in own_files(OWN_FOLDER):
        if "tile" not in root.raw:
            found |= read_scenarios(root)
    return found
