"""What a board of hexes shows beside the fill of its cells: half hexes, roads, fires, areas."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from companion.overlay.shapes import Circle, Point, Polygon, Polyline, Shape, Style
from models.board import Board
from models.cell import Cell, cell_text

HALF_Z, TRACK_Z, FIRE_Z = 0, 4, 13
LINKED = frozenset(("road", "forest-road", "wooden-bridge", "stone-bridge"))
"""Ground that is drawn as a way from hex to hex."""
FIRE = "fire-"
FLAME = ((0.0, -0.13), (0.09, -0.05), (0.06, 0.04), (0.03, 0.0), (0.0, 0.16), (-0.05, 0.03),
         (-0.08, 0.06), (-0.09, -0.05))  # fmt: skip
"""A flame around its middle, in cell widths."""
FLAMES_UP = 0.3
"""Flames stand in a row so far above the middle of their hex, in cell widths."""
FLAMES_APART = 0.2


def half_hexes(board: Board) -> Iterator[Polygon]:
    """The half hexes at the rim: one in each row, at the left or at the right."""
    if board.space != "hex":
        return
    for row in range(board.rows):
        corners = board.outline((-1, row) if row & 1 else (board.columns, row))
        half = (*corners[4:], *corners[:2]) if row & 1 else corners[1:5]
        yield Polygon(half, Style("ground-half"), HALF_Z)


def tracks(board: Board) -> Iterator[Shape]:
    """Roads and bridges as ways to the neighbours that have one; alone, a spot."""
    ways = {cell for cell, words in board.ground.items() if LINKED.intersection(words)}
    for cell in sorted(ways):
        about, middle = (cell_text(cell),), board.middle(cell)
        near = [one for one in around(cell) if one in ways and board.next_to(cell, one)]
        for other in near:
            x, y = board.middle(other)
            half = ((middle[0] + x) / 2, (middle[1] + y) / 2)
            yield Polyline((middle, half), Style("ground-track"), TRACK_Z, about)
        if len(near) != 2:
            yield Circle(middle, board.cell_in * 0.09, Style("ground-spot"), TRACK_Z, about)


def around(cell: Cell) -> Iterator[Cell]:
    """The cells whose columns and rows differ by 1 at most."""
    column, row = cell
    steps = ((c, r) for c in (-1, 0, 1) for r in (-1, 0, 1) if (c, r) != (0, 0))
    return ((column + c, row + r) for c, r in steps)


def flames(board: Board, cell: Cell, level: int) -> Iterator[Polygon]:
    """As many flames as the level of a fire, in a row."""
    x, y = board.middle(cell)
    wide, turn = board.cell_in, math.radians(board.turn)
    cos, sin = math.cos(turn), math.sin(turn)
    for number in range(level):
        aside = (number - (level - 1) / 2) * FLAMES_APART
        spots = ((dx + aside, dy + FLAMES_UP) for dx, dy in FLAME)
        outline = tuple(
            (x + wide * (u * cos - v * sin), y + wide * (u * sin + v * cos)) for u, v in spots
        )
        yield Polygon(outline, Style("ground-flame"), FIRE_Z, (cell_text(cell),))


def fires(board: Board) -> Iterator[Polygon]:
    """The flames of every burning cell."""
    for cell, words in board.ground.items():
        for word in words:
            if word.startswith(FIRE) and word.removeprefix(FIRE).isdecimal():
                yield from flames(board, cell, int(word.removeprefix(FIRE)))


def area_outlines(board: Board, cells: Iterable[Cell]) -> list[tuple[Point, ...]]:
    """The outer borders of an area of cells, as closed lines.

    >>> board = Board("hex", 3, 3, 1.0)
    >>> [len(line) for line in area_outlines(board, [(0, 0), (1, 0)])]
    [10]
    """
    edges: dict[tuple[Point, Point], tuple[Point, Point]] = {}
    for cell in cells:
        corners = board.outline(cell)
        for one, two in zip(corners, (*corners[1:], corners[0]), strict=True):
            key = (rounded(one), rounded(two))
            if edges.pop((key[1], key[0]), None) is None:
                edges[key] = (one, two)
    following = {start: (end, point) for (start, end), (point, _) in edges.items()}
    lines = []
    while following:
        start = next(iter(following))
        line, here = [], start
        while here in following:
            here, point = following.pop(here)
            line.append(point)
        lines.append(tuple(line))
    return lines


def rounded(point: Point) -> Point:
    return round(point[0], 4), round(point[1], 4)
