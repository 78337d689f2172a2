"""Figures with small tags on boards of squares: how many are found, and on which cell.

Every frame is another board of 3 × 2 tiles with 24 figures as hands put them, some of them large,
in changing light, seen by a 1080p camera. `python -m bench.boards --frames 500`.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace

import numpy as np

from companion import games
from companion.practice.board_table import BoardScene, board_scene
from companion.practice.camera import PracticeCamera
from companion.practice.picture_style import LOOKS
from companion.vision.look import look, seen_board
from companion.vision.sources.frame import CameraFrame
from models.board import Board
from models.board_table import BoardPiece, BoardTable
from models.cell import Cell

COLUMNS, ROWS, CELL_IN = 21, 14, 1.25
FIGURES, LARGE = 24, 4
BLOCKED_SHARE = 0.12
SHADES = ("standard", "phone", "webcam", "shadow", "standard")
LEAST_FOUND = 0.98
FRAMES_A_BOARD = 5


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


def count_boards(frames: int, first: int = 0) -> BoardTally:
    """So many frames, several of each board with the figures put down anew."""
    tally = BoardTally()
    for board in range(-(-frames // FRAMES_A_BOARD)):
        seed = first + board
        table = random_board(seed)
        style = replace(LOOKS[SHADES[seed % len(SHADES)]], seed=seed)
        camera: PracticeCamera | None = None
        for number in range(min(FRAMES_A_BOARD, frames - board * FRAMES_A_BOARD)):
            scene = board_scene(table, seed=seed * FRAMES_A_BOARD + number)
            camera = camera or PracticeCamera(scene.setup, scene.view, style, scene.board)
            count_frame(tally, scene, camera, number)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    tally = count_boards(asked.frames, asked.seed)
    print(
        f"{tally.figures} figures in {asked.frames} frames: {tally.share:.2%} found "
        f"(at least {LEAST_FOUND:.0%}), {tally.asked} asked about, {tally.wrong} on a wrong cell"
    )
    raise SystemExit(tally.wrong > 0 or tally.share < LEAST_FOUND)


if __name__ == "__main__":
    main()
