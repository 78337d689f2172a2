"""A board of squares or hexes and the pieces on it as shapes: cells, ground, roads, marks,
borders.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean

from companion.geometry.grid.placing import cell_middle, likely_cells
from companion.overlay.shapes import (
    Circle,
    Label,
    Point,
    Polygon,
    Polyline,
    Shape,
    Style,
    TableScene,
)
from models.board import Board, Border, Cell, cell_text
from models.board_table import BoardPiece, BoardTable
from models.frozen_records import IdentityCache

HALF_Z, TRACK_Z, FIRE_Z = 0, 4, 13
LINKED = frozenset(("road", "forest-road", "wooden-bridge", "stone-bridge"))
"""Ground that is drawn as a way from hex to hex."""
OFF: Cell = (-1, -1)
"""The cell of no board."""
FIRE = "fire-"
BURNS = "fire"
"""The mark of a space that burns."""
FLAME = ((0.0, -0.13), (0.09, -0.05), (0.06, 0.04), (0.03, 0.0), (0.0, 0.16), (-0.05, 0.03),
         (-0.08, 0.06), (-0.09, -0.05))  # fmt: skip
"""A flame around its middle, in cell widths."""
STAKES = "stake-pit"
"""The mark of a space with a pit, drawn as its stakes: a disc would look like a token."""
STAKE = ((-0.055, -0.13), (0.055, -0.13), (0.0, 0.17))
POUCHES = frozenset(("purse",))
"""The marks that are drawn as a pouch: a disc would look like an objective."""
POUCH = ((-0.12, 0.2), (0.12, 0.2), (0.06, 0.09), (0.17, -0.04), (0.14, -0.17), (0.0, -0.2),
         (-0.14, -0.17), (-0.17, -0.04), (-0.06, 0.09))  # fmt: skip
"""A pouch around its middle, in cell widths."""
STAKE_SPOTS = ((-0.14, -0.03), (0.0, 0.05), (0.14, -0.03))
"""A stake around its middle, and where they stand, in cell widths."""
LEAF_DEG, LEAF_LONG = 65.0, 0.85
"""How far an open door is turned into its space, and its leaf as a share of the border."""
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
    """As many flames as the level of a fire, in a row; upright, however the board lies."""
    x, y = board.middle(cell)
    wide = board.cell_in
    for number in range(level):
        aside = (number - (level - 1) / 2) * FLAMES_APART
        outline = tuple((x + wide * (dx + aside), y + wide * (dy + FLAMES_UP)) for dx, dy in FLAME)
        yield Polygon(outline, Style("ground-flame"), FIRE_Z, (cell_text(cell),))


def fires(board: Board) -> Iterator[Polygon]:
    """The flames of every burning cell."""
    for cell, words in board.ground.items():
        for word in words:
            if word.startswith(FIRE) and word.removeprefix(FIRE).isdecimal():
                yield from flames(board, cell, int(word.removeprefix(FIRE)))
    for cell, words in board.marks.items():
        if BURNS in words:
            yield from flames(board, cell, 1)


def stakes(board: Board, cell: Cell) -> Iterator[Polygon]:
    """The stakes of a pit."""
    x, y = cell_middle(board, cell)
    wide = board.cell_in
    for aside, up in STAKE_SPOTS:
        outline = tuple((x + wide * (dx + aside), y + wide * (dy + up)) for dx, dy in STAKE)
        yield Polygon(outline, Style(f"mark-{STAKES}"), MARK_Z, (cell_text(cell),))


def around_middle(board: Board, cell: Cell, outline: Sequence[Point]) -> tuple[Point, ...]:
    """A drawing in cell widths, around the middle of a cell."""
    x, y = cell_middle(board, cell)
    return tuple((x + board.cell_in * dx, y + board.cell_in * dy) for dx, dy in outline)


def door_leaf(doorway: Polyline) -> Polyline:
    """The leaf of an open door, turned on the first corner of its border."""
    (x, y), (far_x, far_y) = doorway.points
    turn, long = math.radians(LEAF_DEG), LEAF_LONG
    dx, dy = far_x - x, far_y - y
    end = (
        x + long * (dx * math.cos(turn) - dy * math.sin(turn)),
        y + long * (dx * math.sin(turn) + dy * math.cos(turn)),
    )
    return Polyline(((x, y), end), Style("edge-door"), BORDER_Z, doorway.about)


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


SIGNS: Mapping[str, tuple[Point, ...]] = {
    "!": ((0.0, 0.65), (0.0, -0.2)),
    "?": (
        (-0.3, 0.35), (-0.25, 0.55), (0.0, 0.65), (0.25, 0.55), (0.3, 0.35), (0.2, 0.15),
        (0.0, 0.0), (0.0, -0.2),
    ),
}  # fmt: skip
"""How marks begin that are drawn as their sign, and its stroke in a circle of radius 1."""
DOOR = "door"
"""A border whose leaf is seen while it is open; a broken one has none."""
LOCKED, LOCK = "locked-door", 0.1
"""A border with a lock in its middle, and the lock's radius in cells."""
SIGN_DOT, SIGN_DOT_DOWN = 0.09, 0.5
CELL_Z, BORDER_Z, MARK_Z, PIECE_Z, WORDS_Z = 0, 20, 12, 60, 100
MARK_RADIUS = 0.2
"""The radius of a mark's disc, in cells."""
PIECE_SHARE = 0.38
"""A piece's radius as a share of the width of the cells it covers."""


def board_scene(table: BoardTable, *more: Shape) -> TableScene:
    """The board, its pieces, and further shapes."""
    width, depth = extent_in(table.board)
    shapes = (*board_shapes(table.board), *piece_shapes(table), *more)
    return TableScene(width, depth, table.sides(), shapes=shapes, measured=False)


def _extent_in(board: Board) -> tuple[float, float]:
    """Width and depth of the picture: the board, and as much table beyond it as before it."""
    corners = [point for cell in board_cells(board) for point in cell_outline(board, cell)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return max(xs) + max(0.0, min(xs)), max(ys) + max(0.0, min(ys))


extent_in = IdentityCache(_extent_in)


def board_cells(board: Board) -> Iterator[Cell]:
    """Every cell of the board, row by row."""
    cells = ((column, row) for row in range(board.rows) for column in range(board.columns))
    return (cell for cell in cells if cell in board)


def cell_outline(board: Board, cell: Cell) -> tuple[Point, ...]:
    """The corners of a cell on the table, counter-clockwise."""
    return board.outline(cell)


def block_outline(board: Board, cell: Cell, size: int = 1) -> tuple[Point, ...]:
    """The outline of what a piece covers: a cell, or a block of squares of which it is the first.

    On hexes a piece covers one cell.
    """
    if size < 2 or board.space != "square":
        return cell_outline(board, cell)
    far = (cell[0] + size - 1, cell[1] + size - 1)
    spots = ((far[0], far[1]), (cell[0], far[1]), cell, (far[0], cell[1]))
    return tuple(cell_outline(board, spot)[number] for number, spot in enumerate(spots))


def board_shapes(board: Board) -> Iterator[Shape]:
    """Cells with their ground, marks and borders; each is `about` its cell's text."""
    yield from half_hexes(board)
    for cell in board_cells(board):
        about = (cell_text(cell),)
        outline = cell_outline(board, cell)
        yield Polygon(outline, Style("cell"), CELL_Z, about)
        for word in board.ground.get(cell, ()):
            yield Polygon(outline, Style(f"ground-{word}"), CELL_Z + 1, about)
        for word in board.marks.get(cell, ()):
            if word == BURNS:  # drawn with the fires
                continue
            if word == STAKES:
                yield from stakes(board, cell)
                continue
            stroke = SIGNS.get(word[:1], ())
            style = Style("mark-sign" if stroke else f"mark-{word}")
            if word in POUCHES:
                yield Polygon(around_middle(board, cell, POUCH), style, MARK_Z, about)
                continue
            radius = board.cell_in * MARK_RADIUS
            yield Circle(cell_middle(board, cell), radius, style, MARK_Z, about)
            if stroke:
                yield from sign(cell_middle(board, cell), radius, stroke, about)
    yield from tracks(board)
    yield from fires(board)
    for border in board.borders:
        line = border_shape(board, border)
        yield line
        if border.open and border.kind == DOOR:
            yield door_leaf(line)
        if border.kind == LOCKED and not border.open:
            yield Circle(middle_of(line.points), board.cell_in * LOCK, Style("edge-lock"),
                         BORDER_Z + 1, line.about)  # fmt: skip


def sign(
    centre: Point, radius: float, stroke: tuple[Point, ...], about: tuple[str, ...]
) -> Iterator[Shape]:
    """A `!` or `?` in its circle, upright however the board lies."""
    x, y = centre
    points = tuple((x + radius * dx, y + radius * dy) for dx, dy in stroke)
    yield Polyline(points, Style("mark-sign"), MARK_Z + 1, about)
    dot = (x, y - radius * SIGN_DOT_DOWN)
    yield Circle(dot, radius * SIGN_DOT, Style("mark-sign"), MARK_Z + 1, about)


def middle_of(points: tuple[Point, ...]) -> Point:
    """The point in the middle of some."""
    return fmean(x for x, _ in points), fmean(y for _, y in points)


def border_shape(board: Board, border: Border) -> Polyline:
    """The line between two cells: the corners that both have."""
    one, two = (cell_outline(board, cell) for cell in border.edge)
    shared = [p for p in one if any(math.dist(p, q) < board.cell_in / 100 for q in two)]
    role = f"edge-{border.kind}" + ("-open" if border.open else "")
    about = tuple(cell_text(cell) for cell in border.edge)
    return Polyline(tuple(shared), Style(role), BORDER_Z, about)


def piece_shapes(table: BoardTable) -> Iterator[Shape]:
    """Every piece on its likeliest cell; one that may stand on another is drawn as unsure."""
    for piece in table.pieces:
        middle = piece_middle(table.board, piece)
        if middle is None:
            continue
        radius = piece.size * table.board.cell_in * PIECE_SHARE
        sure = len(likely_cells(table.board, piece)) < 2
        about, style = (piece.id,), Style("piece", piece.side, sure)
        if LINKED.intersection(table.board.ground.get(piece.cell or OFF, ())):  # no way over a disc
            yield Circle(middle, radius, Style("piece-floor"), TRACK_Z + 1, about)
        yield Circle(middle, radius, style, PIECE_Z, about)
        room = (2 * radius, radius)
        yield Label(piece.name or piece.id, (middle,), style, WORDS_Z, about, room_in=room)


def piece_middle(board: Board, piece: BoardPiece) -> Point | None:
    """Where a piece's centre is drawn; None if it is not on the table."""
    if piece.cell is not None:
        return cell_middle(board, piece.cell, piece.size)
    return None if piece.measured is None else (piece.measured.x, piece.measured.y)
