"""Map tiles: 7 × 7 spaces with their ground, edges and marks (TAC-GRD-1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.games.shared.own_files import read_own
from models.board import SQUARE_GROUND, Board, Border, Cell, by_cell, cell_text, read_borders
from models.field import Field, load_toml, shown

DATA = Path(__file__).parents[1] / "data"
TILE_SPACES = 7
"""Spaces along a side of a tile (TAC-GRD-1)."""
TILES_IN_A_SET = 6
"""The different double-sided tiles of a set (TAC-CMP-2)."""
CELL_IN = 1.25
OWN_FOLDER = "tactics-scenarios"
"""The players' folder of tiles and scenarios: files with `[[tile]]` or with `[[scenario]]`."""
TILE_FORMAT = "table-companion/tactics-tiles/1"
LETTERS: Mapping[str, tuple[str, ...]] = {
    ".": (),
    "x": ("open-x",),
    "#": ("blocked-x",),
    "~": ("blocked-o",),
    "^": ("open-o", "high"),
}
TILE_KEYS = frozenset(("id", "name", "rows", "edges", "marks", "ground", "set", "number", "region"))


@dataclass(frozen=True, slots=True)
class MapTile:
    """A tile of 7 × 7 spaces; its ground as letters, the far row first."""

    id: str
    name: str
    rows: tuple[str, ...]
    edges: tuple[Border, ...] = ()
    marks: Mapping[Cell, tuple[str, ...]] = field(default_factory=dict)
    words: Mapping[Cell, tuple[str, ...]] = field(default_factory=dict)
    """Ground that no letter stands for; it replaces the letter's."""
    set: str = ""
    number: int = 0
    """The tile of the set that it is a side of; 0 if nobody said (TAC-CMP-2)."""
    region: str = ""

    @classmethod
    def read(cls, item: Field) -> MapTile:
        raw = item.keys(TILE_KEYS, {"id", "name", "rows"})
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
            by_cell(item, "ground", board, lambda word: word.choice(SQUARE_GROUND)),
            item.member("set").text(60) if "set" in raw else "",
            item.member("number").whole(1, TILES_IN_A_SET) if "number" in raw else 0,
            item.member("region").text(60) if "region" in raw else "",
        )

    def ground(self) -> dict[Cell, tuple[str, ...]]:
        """The ground by space; plain ground is left out."""
        far = TILE_SPACES - 1
        return {
            (column, far - at): LETTERS[letter]
            for at, row in enumerate(self.rows)
            for column, letter in enumerate(row)
            if LETTERS[letter]
        } | dict(self.words)

    def board(self) -> Board:
        """The tile alone as a board."""
        side = TILE_SPACES
        ground, marks = dict(sorted(self.ground().items())), self.marks
        return Board("square", side, side, CELL_IN, ground=ground, marks=marks, borders=self.edges)

    @classmethod
    def of(cls, tile: str, name: str, board: Board) -> MapTile:
        """The tile that a board of 7 × 7 spaces shows."""
        by_words = {words: letter for letter, words in LETTERS.items()}
        far = TILE_SPACES - 1
        rows, words = [], {}
        for at in range(TILE_SPACES):
            row = ""
            for column in range(TILE_SPACES):
                held = tuple(sorted(board.ground.get((column, far - at), ()), key="high".__eq__))
                plain = () if held == ("open-o",) else LETTERS["^"] if held == ("high",) else held
                row += by_words.get(plain, ".")
                if plain not in by_words:
                    words[column, far - at] = held
            rows.append(row)
        return cls(tile, name, tuple(rows), board.borders, board.marks, words)

    def to_json(self) -> dict[str, Any]:
        """The tile as values; `read` reads it back."""
        text: dict[str, Any] = {"id": self.id, "name": self.name, "rows": list(self.rows)}
        if self.edges:
            text["edges"] = [one.to_json() for one in self.edges]
        if self.marks:
            text["marks"] = {cell_text(cell): list(words) for cell, words in self.marks.items()}
        if self.words:
            text["ground"] = {cell_text(cell): list(words) for cell, words in self.words.items()}
        for key in ("set", "number", "region"):
            if value := getattr(self, key):
                text[key] = value
        return text


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


def every_tile() -> dict[str, MapTile]:
    """The shipped tiles and the players' own."""
    found = dict(shipped_tiles())
    for _, tiles, _ in read_own(OWN_FOLDER, tiles_in):
        found |= tiles or {}
    return found


def tiles_in(root: Field) -> dict[str, MapTile]:
    """The tiles of a file, which may hold scenarios instead."""
    return read_tiles(root) if "tile" in root.raw else {}
