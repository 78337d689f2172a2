"""A printed board on the practice mat: cells, ground, marks and what stands on their edges."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.practice.mat import on_texture
from models.board import Board, Border
from models.cell import Cell

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Colour = tuple[int, int, int]

PAPER: Colour = (120, 150, 160)
LINE: Colour = (70, 88, 96)
SYMBOL: Colour = (214, 222, 226)
GROUNDS: dict[str, Colour] = {
    "open-x": (92, 128, 112),
    "blocked-x": (74, 78, 84),
    "blocked-o": (150, 112, 70),
    "high": (112, 160, 184),
    "hill": (96, 140, 150),
    "forest": (60, 96, 62),
    "river": (168, 128, 72),
    "forest-river": (130, 116, 66),
    "building": (84, 88, 128),
    "road": (150, 178, 196),
    "forest-road": (96, 132, 124),
    "plains": PAPER,
    "ford": (150, 168, 150),
    "wooden-bridge": (70, 108, 146),
    "stone-bridge": (150, 154, 156),
    "palisade": (52, 78, 108),
    "tent": (176, 196, 206),
    "siege-tower": (44, 62, 84),
    "devastation": (72, 76, 80),
    **{f"fire-{n}": (60, 150 - 25 * n, 235) for n in range(1, 5)},
}
"""Blue, green and red of the ground words; other words, and marks, are tinted by their letters."""
EDGES: dict[str, Colour] = {"wall": (40, 42, 46), "door": (44, 76, 120), "window": (190, 170, 120)}
CROSSED = frozenset(("open-x", "blocked-x"))


def paint_board(picture: Picture, board: Board, to_texture: Floats) -> None:
    """Paint the whole board into the mat's texture."""
    cells = [
        (column, row)
        for row in range(board.rows)
        for column in range(board.columns)
        if (column, row) in board
    ]
    for cell in cells:
        paint_cell(picture, board, cell, to_texture)
    for cell in cells:
        line = on_texture(np.array(board.outline(cell)), to_texture)
        cv2.polylines(picture, [line], True, LINE, 2, cv2.LINE_AA, 4)
    for border in board.borders:
        paint_border(picture, board, border, to_texture)


def word_colour(word: str, known: dict[str, Colour]) -> Colour:
    """The colour of a word; unknown words get one of their own."""
    if word in known:
        return known[word]
    seed = sum(word.encode())
    return 60 + seed * 7 % 150, 60 + seed * 13 % 150, 60 + seed * 29 % 150


def paint_cell(picture: Picture, board: Board, cell: Cell, to_texture: Floats) -> None:
    """The ground of a cell, its symbol and its marks."""
    words = board.ground.get(cell, ())
    outline, middle = np.array(board.outline(cell)), np.array(board.middle(cell))
    colour = PAPER
    for word in words:
        if word != "open-o":
            colour = word_colour(word, GROUNDS)
    cv2.fillPoly(picture, [on_texture(outline, to_texture)], colour, cv2.LINE_AA, 4)
    for word in board.marks.get(cell, ()):
        rim = on_texture(middle + (outline - middle) * 0.86, to_texture)
        cv2.polylines(picture, [rim], True, word_colour(word, {}), 5, cv2.LINE_AA, 4)
    arm = board.cell_in * 0.09
    if CROSSED.intersection(words):
        for way in (1.0, -1.0):
            ends = middle + np.array([[-arm, -way * arm], [arm, way * arm]])
            cv2.polylines(picture, [on_texture(ends, to_texture)], False, SYMBOL, 3, cv2.LINE_AA, 4)
    else:
        around = (n * math.pi / 8 for n in range(16))
        dot = middle + np.array([(math.cos(a), math.sin(a)) for a in around]) * arm * 0.5
        cv2.fillPoly(picture, [on_texture(dot, to_texture)], SYMBOL, cv2.LINE_AA, 4)


def paint_border(picture: Picture, board: Board, border: Border, to_texture: Floats) -> None:
    """The line between two cells; what is open is drawn thin."""
    one, two = (board.outline(cell) for cell in border.edge)
    near = board.cell_in / 100
    shared = [p for p in one if any(math.dist(p, q) < near for q in two)]
    line = on_texture(np.array(shared), to_texture)
    thick = 4 if border.open else 10
    cv2.polylines(picture, [line], False, word_colour(border.kind, EDGES), thick, cv2.LINE_AA, 4)
