"""Pieces with small tags on boards of cells: how many are found, and on which cell.

Every frame is another board in changing light, seen by a 1080p camera: 3 × 2 tiles of squares with
24 figures as hands put them, some of them large, or either side of the board of hexes with 34
units, whose tags are on banner poles anywhere in the middle of their hexes.
`python -m bench.boards --frames 500`, `python -m bench.boards --game westeros --frames 500`;
`--large` measures the whole command `companion rules` on large boards.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Literal

import numpy as np

from calibration.printing.piece_sheets import FIGURE_TAG_MM
from companion import games
from companion.practice.camera import PracticeCamera
from companion.practice.game_table import (
    FARTHEST_HAND_IN,
    HAND_IN,
    BoardScene,
    board_scene,
)
from companion.practice.sensor import LOOKS
from companion.vision.look import look, seen_board
from companion.vision.sources.frame import CameraFrame
from models.board import Board, Cell
from models.board_table import BoardPiece, BoardTable, Measured

COLUMNS, ROWS, CELL_IN = 21, 14, 1.25
FIGURES, LARGE = 24, 4
BLOCKED_SHARE = 0.12
SHADES = ("standard", "phone", "webcam", "shadow", "standard")
LEAST_FOUND = 0.98
FRAMES_A_BOARD = 5


HEX_SIDES = ((15, 11), (10, 15))
HEX_IN = 2.08
HEX_UNITS = 34
HEX_WORDS = ("hill", "forest", "river", "building", "road", "forest-road")
ROUGH_SHARE = 0.3
POLE_IN = (0.2, 0.42)
"""How far from the middle of its hex a banner bearer stands: usually, and at most along either
axis. The edge of the hex is 1.04 inches away."""


@dataclass
class BoardTally:
    """What the frames counted; `asked` figures were found between two cells."""

    figures: int = 0
    found: int = 0
    wrong: int = 0
    asked: int = 0

    @property
    def share(self) -> float:
        return self.found / max(1, self.figures)


def random_board(seed: int, figures: int = FIGURES, large: int = LARGE) -> BoardTable:
    """A board with blocked cells and figures on open ones, determined by the seed."""
    rng = np.random.default_rng([seed, 18])
    cells = [(column, row) for row in range(ROWS) for column in range(COLUMNS)]
    blocked = {cell for cell in cells if rng.random() < BLOCKED_SHARE}
    words = ("blocked-x", "blocked-o")
    ground = {cell: (words[n % 2],) for n, cell in enumerate(sorted(blocked))}
    taken: set[Cell] = set(blocked)
    pieces: list[BoardPiece] = []
    order = [cells[n] for n in rng.permutation(len(cells))]
    for cell in order:
        size = 2 if len(pieces) < large else 1
        covered = [(cell[0] + c, cell[1] + r) for c in range(size) for r in range(size)]
        if taken.intersection(covered) or not all(c < COLUMNS and r < ROWS for c, r in covered):
            continue
        taken.update(covered)
        side = ("blue", "red")[len(pieces) % 2]
        pieces.append(BoardPiece(f"{side[0]}{len(pieces) + 1}", side, cell=cell, size=size))
        if len(pieces) == figures:
            break
    return BoardTable(
        "tactics", Board("square", COLUMNS, ROWS, CELL_IN, ground=ground), tuple(pieces)
    )


def random_hexes(seed: int, units: int = HEX_UNITS) -> BoardTable:
    """One side of the board of hexes with terrain and units, determined by the seed."""
    rng = np.random.default_rng([seed, 20])
    columns, rows = HEX_SIDES[seed % 2]
    cells = [(column, row) for row in range(rows) for column in range(columns)]
    ground = {
        cell: (HEX_WORDS[int(rng.integers(len(HEX_WORDS)))],)
        for cell in cells
        if rng.random() < ROUGH_SHARE
    }
    board = Board("hex", columns, rows, HEX_IN, ground=ground)
    pieces = tuple(
        BoardPiece(f"{side[0]}{n + 1}", side, cell=cells[at])
        for n, at in enumerate(rng.permutation(len(cells))[:units])
        for side in (("blue", "red")[n % 2],)
    )
    return BoardTable("westeros", board, pieces)


@dataclass(frozen=True, slots=True)
class BenchBoards:
    """How the boards of a game are made and seen."""

    table: Callable[[int], BoardTable]
    hand_in: tuple[float, float] = (HAND_IN, FARTHEST_HAND_IN)

    def scene(self, table: BoardTable, seed: int) -> BoardScene:
        """The practice table with its pieces put down anew."""
        return board_scene(table, tag_mm=FIGURE_TAG_MM, seed=seed, hand_in=self.hand_in)


KINDS = {
    "tactics": BenchBoards(random_board),
    "westeros": BenchBoards(random_hexes, POLE_IN),
}


def count_frame(tally: BoardTally, scene: BoardScene, camera: PracticeCamera, number: int) -> None:
    """Look at one frame and compare the cells with the truth."""
    picture, _ = camera.frame(scene.table, number=number)
    sight = look(CameraFrame(picture, name=f"frame {number}"), scene.setup)
    seen = seen_board(sight.trays, scene.pieces)
    cells = games.find(seen.game).cells(seen)
    for piece in scene.pieces.pieces:
        tally.figures += 1
        if piece.id not in cells:
            continue
        tally.found += 1
        chances = cells[piece.id]
        tally.asked += len(chances) > 1
        tally.wrong += piece.cell not in chances or (
            len(chances) == 1 and next(iter(chances)) != piece.cell
        )


def count_boards(frames: int, first: int = 0, game: str = "tactics") -> BoardTally:
    """So many frames, several of each board with the figures put down anew."""
    tally, kind = BoardTally(), KINDS[game]
    for board in range(-(-frames // FRAMES_A_BOARD)):
        seed = first + board
        table = kind.table(seed)
        style = replace(LOOKS[SHADES[seed % len(SHADES)]], seed=seed)
        camera: PracticeCamera | None = None
        for number in range(min(FRAMES_A_BOARD, frames - board * FRAMES_A_BOARD)):
            scene = kind.scene(table, seed * FRAMES_A_BOARD + number)
            camera = camera or PracticeCamera(scene.setup, scene.view, style, scene.board)
            count_frame(tally, scene, camera, number)
    return tally


SIZES = (
    (20, 20, True, 0.0),
    (20, 400, False, 0.0),
    (60, 20, True, 0.0),
    (60, 400, False, 0.0),
    (60, 400, False, ROUGH_SHARE),
)
"""Columns and rows, pieces, whether they are badly measured, and how much of it has terrain."""
SQUARE_WORDS = ("open-x", "blocked-x", "blocked-o", "high")
VAGUE_IN = 1.5
MOST_SECONDS, MOST_MB = 2.0, 300
"""What `companion rules` may take on a large board, from its start to its end."""


def large_board(
    game: str, side: int, pieces: int, measured: bool, rough: float = 0.0
) -> BoardTable:
    """A board of so many columns and rows, with pieces that stand exactly or are badly measured."""
    rng = np.random.default_rng([side, measured])
    space: Literal["square", "hex"] = "hex" if game == "westeros" else "square"
    words = HEX_WORDS if space == "hex" else SQUARE_WORDS
    cells = [(column, row) for row in range(side) for column in range(side)]
    order = rng.permutation(len(cells))[:pieces]
    standing = {cells[at] for at in order}
    ground = {
        cell: (words[int(rng.integers(len(words)))],)
        for cell in cells
        if rng.random() < rough and cell not in standing
    }
    board = Board(space, side, side, CELL_IN, (0.0, 0.0), ground=ground)

    def piece(number: int, cell: Cell) -> BoardPiece:
        army = ("blue", "red")[number % 2]
        place = Measured(*board.middle(cell), VAGUE_IN) if measured else None
        return BoardPiece(f"p{number}", army, cell=None if measured else cell, measured=place)

    return BoardTable(game, board, tuple(piece(n, cells[at]) for n, at in enumerate(order)))


def large_boards(game: str) -> bool:
    """Print what `companion rules` takes on large boards; whether all are within the bars."""
    good = True
    with TemporaryDirectory() as folder:
        for side, pieces, measured, rough in SIZES:
            table = large_board(game, side, pieces, measured, rough)
            path = Path(folder, "large.json")
            path.write_text(json.dumps(table.to_json()))
            before = getrusage(RUSAGE_CHILDREN)
            command = [sys.executable, "-m", "companion", "rules", str(path)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            after = getrusage(RUSAGE_CHILDREN)
            took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            memory = after.ru_maxrss / 1024
            good &= took <= MOST_SECONDS and memory <= MOST_MB
            what = f"{len(table.pieces)} {'measured' if measured else 'exact'} pieces"
            what += " among terrain" if rough else ""
            print(
                f"{game}: rules on {what}, {side} × {side}: {took:.2f} s of processor "
                f"(at most {MOST_SECONDS:g}), {memory:.0f} MB (at most {MOST_MB})"
            )
    return good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--game", choices=KINDS, default="tactics")
    parser.add_argument(
        "--large", action="store_true", help="the command `rules` on large boards instead"
    )
    asked = parser.parse_args()
    if asked.large:
        raise SystemExit(not large_boards(asked.game))
    tally = count_boards(asked.frames, asked.seed, asked.game)
    print(
        f"{asked.game}: {tally.figures} pieces in {asked.frames} frames: {tally.share:.2%} found "
        f"(at least {LEAST_FOUND:.0%}), {tally.asked} asked about, {tally.wrong} on a wrong cell"
    )
    raise SystemExit(tally.wrong > 0 or tally.share < LEAST_FOUND)


if __name__ == "__main__":
    main()
