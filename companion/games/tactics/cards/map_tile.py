"""Map tiles: 7 × 7 spaces with their ground, edges and marks (TAC-GRD-1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from companion.games.shared.own_files import own_by_id
from models.board import Board, Borders, Cell, CellMarks, SquareGround
from models.field import Field, load_toml, shown
from models.record_reader import (
    Between,
    FileKey,
    Length,
    ReadBy,
    Record,
    check_format,
    read_by_id,
    read_record,
)

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


def read_letters(field: Field, about: Any) -> str:
    """A row of a tile, a letter for the ground of each space."""
    text = field.text(TILE_SPACES)
    if len(text) != TILE_SPACES:
        field.fail(f"{shown(text)} has not {TILE_SPACES} letters")
    for letter in text:
        if letter not in LETTERS:
            field.fail(f"{shown(letter)} is none of {' '.join(LETTERS)}")
    return text


TileText = Annotated[str, Length(60)]
Letters = Annotated[str, ReadBy(read_letters)]


@dataclass(frozen=True, slots=True)
class MapTile(Record):
    """A tile of 7 × 7 spaces; its ground as letters, the far row first."""

    id: TileText
    name: Annotated[str, Length(80)]
    rows: Annotated[tuple[Letters, ...], Length(TILE_SPACES, TILE_SPACES)]
    edges: Borders = ()
    marks: CellMarks = field(default_factory=dict)
    words: Annotated[SquareGround, FileKey("ground")] = field(default_factory=dict)
    """Ground that no letter stands for; it replaces the letter's."""
    set: TileText = ""
    number: Annotated[int, Between(1, TILES_IN_A_SET)] = 0
    """The tile of the set that it is a side of; 0 if nobody said (TAC-CMP-2)."""
    region: TileText = ""

    @classmethod
    def read(cls, field: Field, about: Any = None, /, **given: Any) -> MapTile:
        return read_record(cls, field, Board("square", TILE_SPACES, TILE_SPACES, CELL_IN), given)

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


@lru_cache(maxsize=1)
def shipped_tiles() -> Mapping[str, MapTile]:
    """The invented tiles that come with the game, by id."""
    return read_tiles(load_toml(DATA / "tiles.toml"))


def read_tiles(root: Field) -> dict[str, MapTile]:
    """The tiles of a file, by id."""
    root.keys({"format", "tile"}, {"format"})
    check_format(root, TILE_FORMAT)
    return read_by_id(root.listed("tile", 200), MapTile.read)


def every_tile() -> dict[str, MapTile]:
    """The shipped tiles and the players' own."""
    return {**shipped_tiles(), **own_by_id(OWN_FOLDER, tiles_in)}


def tiles_in(root: Field) -> dict[str, MapTile]:
    """The tiles of a file, which may hold scenarios instead."""
    return read_tiles(root) if "tile" in root.raw else {}
