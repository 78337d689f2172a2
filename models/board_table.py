"""A table whose game is played on a board: which piece stands on which cell.

Format 2 of the table files; games without a board use format 1 (`models.table`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from models.board import Board, Cell, cell_text, read_cell
from models.field import Field, load_json, parse_json, shown
from models.message import UnknownName
from models.pose import FAR_IN
from models.record_reader import check_format, refuse_twin

FORMAT = "table-companion/2"
LARGEST = 4
"""The largest piece, in cells per side."""
BASE_KEYS = frozenset(("id", "side", "name", "card", "cell", "size", "x", "y", "sigma"))
BOTTOM, TOP, LEFT, RIGHT = "bottom", "top", "left", "right"
EDGES = (BOTTOM, TOP, LEFT, RIGHT)
"""The edges of a board, each beside the one opposite: bottom is player 1's, along row 0; left is
along column 0."""

HAND_SHARE = 0.1
"""How far from the middle of its cell a hand puts a piece, as a share of the cell (one standard
deviation): a piece nearer than about three of these to another cell may be meant for that one."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The measured position of a piece's centre, in inches, and its standard deviation."""

    x: float
    y: float
    sigma_in: float = 0.0


@dataclass(frozen=True, slots=True)
class BoardPiece:
    """A figure or unit on a board.

    It covers `size` × `size` cells, of which `cell` is the lower left one. A measured piece has a
    position instead of a cell. `facts` are the game's own keys.
    """

    id: str
    side: str
    name: str = ""
    card: str = ""
    cell: Cell | None = None
    size: int = 1
    measured: Measured | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, item: Field, board: Board) -> BoardPiece:
        """Read a piece of a table file; the game's own keys are kept unchanged."""
        if not isinstance(item.raw, dict):
            item.fail(f"{shown(item.raw)} is not an object")
        raw = item.keys(item.raw.keys(), {"id", "side"})
        size = item.member("size").whole(1, LARGEST) if "size" in raw else 1
        cell, measured = None, None
        if "cell" in raw:
            for key in ("x", "y", "sigma"):
                if key in raw:
                    item.fail(f"has a cell and {shown(key)} too; one of them places it")
            cell = read_cell(item.member("cell"), board)
            covered = [(cell[0] + c, cell[1] + r) for r in range(size) for c in range(size)]
            off = [one for one in covered if one not in board]
            if off:
                item.member("cell").fail(
                    f"a piece of size {size} there covers {cell_text(off[0])}, not on the board"
                )
        else:
            item.keys(item.raw.keys(), {"x", "y"})
            x, y = (item.member(key).number(-FAR_IN, FAR_IN) for key in ("x", "y"))
            measured = Measured(x, y, read_sigma(item) if "sigma" in raw else 0.0)
        return cls(
            item.member("id").text(60),
            item.member("side").text(40),
            item.member("name").text(80) if "name" in raw else "",
            item.member("card").text(80) if "card" in raw else "",
            cell,
            size,
            measured,
            {key: value for key, value in raw.items() if key not in BASE_KEYS},
        )

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {"id": self.id, "side": self.side}
        text |= {key: value for key in ("name", "card") if (value := getattr(self, key))}
        if self.cell is not None:
            text["cell"] = cell_text(self.cell)
        elif self.measured is not None:
            text |= {"x": self.measured.x, "y": self.measured.y}
            if self.measured.sigma_in:
                text["sigma"] = {"xy": self.measured.sigma_in}
        return {**text, "size": self.size, **self.facts}


@dataclass(frozen=True, slots=True)
class BoardTable:
    """A board and the pieces on it, at one moment of one game.

    `home_edges` names the edge of the board that each side has, where its game gives it one.
    """

    game: str
    board: Board
    pieces: tuple[BoardPiece, ...] = ()
    home_edges: Mapping[str, str] = field(default_factory=dict)

    def piece(self, piece_id: str) -> BoardPiece:
        for piece in self.pieces:
            if piece.id == piece_id:
                return piece
        known = ", ".join(piece.id for piece in self.pieces) or "none"
        raise UnknownName(f"no piece {piece_id!r} on the board; there are: {known}")

    def __contains__(self, piece_id: object) -> bool:
        return any(piece.id == piece_id for piece in self.pieces)

    def sides(self) -> tuple[str, ...]:
        """The sides in the order in which they first appear, those with an edge first."""
        return tuple(dict.fromkeys((*self.home_edges, *(piece.side for piece in self.pieces))))

    def moved(self, piece_id: str, cell: Cell) -> BoardTable:
        """The same table with one piece on another cell."""
        moved = replace(self.piece(piece_id), cell=cell, measured=None)
        return replace(
            self, pieces=tuple(moved if one.id == piece_id else one for one in self.pieces)
        )

    @classmethod
    def read(cls, root: Field) -> BoardTable:
        """Read a table from a parsed file; every error names its place."""
        known = {"format", "game", "board", "home_edges", "pieces"}
        root.keys(known, {"format", "game", "board"})
        check_format(root, FORMAT)
        board = Board.read(root.member("board"))
        pieces: list[BoardPiece] = []
        seen: set[str] = set()
        for item in root.listed("pieces", 400):
            piece = BoardPiece.read(item, board)
            refuse_twin(item, piece.id, seen)
            if piece.measured is not None and board.at is None:
                item.fail("has x and y, but the board does not say where it lies (`at`)")
            seen.add(piece.id)
            pieces.append(piece)
        return cls(root.member("game").text(40), board, tuple(pieces), read_home_edges(root))

    @classmethod
    def load(cls, path: Path | str) -> BoardTable:
        """A table from a `*.table.json` file."""
        return cls.read(load_json(Path(path)))

    @classmethod
    def parse(cls, text: str, source: str = "table") -> BoardTable:
        """A table from the text of such a file."""
        return cls.read(parse_json(text, source))

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "game": self.game,
            "board": self.board.to_json(),
            **({"home_edges": dict(self.home_edges)} if self.home_edges else {}),
            "pieces": [piece.to_json() for piece in self.pieces],
        }

    def text(self) -> str:
        """The table as the text of a file; `BoardTable.parse` reads it back."""
        return json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n"


def read_home_edges(root: Field) -> dict[str, str]:
    """The edge of each side, by the side's name."""
    if "home_edges" not in root.raw:
        return {}
    found = root.member("home_edges")
    return {side: found.member(side).choice(EDGES) for side in found.keys(found.members())}


def read_sigma(item: Field) -> float:
    """A standard deviation, written as `{"xy": inches}` or as inches alone."""
    sigma = item.member("sigma")
    if isinstance(sigma.raw, dict):
        raw = sigma.keys({"xy", "heading"})
        return sigma.member("xy").number(0, 12) if "xy" in raw else 0.0
    return sigma.number(0, 12)


def id_prefixes(sides: Sequence[str]) -> dict[str, str]:
    """What the ids of each side's pieces begin with: its first letter, or a, b where two sides
    begin alike.

    >>> id_prefixes(["blue", "red"]), id_prefixes(["stark", "stannis"])
    ({'blue': 'b', 'red': 'r'}, {'stark': 'a', 'stannis': 'b'})
    """
    letters = [side[0] for side in sides]
    if len({*letters}) < len(sides):
        letters = list("abcdefgh")
    return dict(zip(sides, letters, strict=False))
