"""The playing mat and everything flat on it, as a texture from above; printed boards too."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.board import Board, Border, Cell
from models.table import TableToken
from models.terrain import Terrain

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Colour = tuple[int, int, int]

PER_INCH = 32
APRON_IN = 14.0
"""The width of the surroundings in the texture; beyond it they repeat mirrored."""

MATS: dict[str, tuple[Colour, Colour, Colour]] = {
    "grass": ((62, 92, 78), (70, 118, 96), (82, 112, 136)),
    "snow": ((196, 190, 184), (222, 216, 212), (150, 150, 146)),
    "stone": ((104, 106, 108), (132, 132, 134), (86, 92, 96)),
    "sand": ((122, 158, 184), (140, 180, 204), (96, 128, 156)),
}
"""Blue, green, red of the ground, of its lighter patches and of the worn ones."""

GROUNDS: dict[str, Colour] = {
    "forest": (38, 62, 52),
    "hedge": (40, 76, 44),
    "bog": (58, 66, 52),
    "corpse-pile": (58, 66, 96),
    "stakes": (78, 104, 128),
    "weirwood": (70, 84, 96),
    "low-wall": (112, 116, 120),
    "palisade": (58, 84, 112),
    "castle-wall": (120, 124, 128),
}
"""The ground colours of terrain, by its name."""

OTHER_GROUND: Colour = (84, 92, 100)

STRIP = 64
"""How many rows of a texture are computed at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Mat:
    """The texture (sRGB levels) and the affine map (2 x 3) from table inches to its pixels."""

    picture: Picture
    to_texture: Floats


@lru_cache(maxsize=2)
def painted(
    kind: str,
    size: tuple[float, float],
    terrain: tuple[Terrain, ...],
    tokens: tuple[TableToken, ...],
) -> Mat:
    """The mat of a table with its terrain and objective tokens; cached."""
    picture = bare(kind, size).copy()
    depth, apron = picture.shape[0], round(APRON_IN * PER_INCH)
    rng = np.random.default_rng(7)
    # Row 0 of the texture is the far side, as on a map.
    to_texture = np.array(
        [[PER_INCH, 0.0, apron - 0.5], [0.0, -PER_INCH, depth - apron - 0.5]], dtype=np.float64
    )
    for piece in terrain:
        paint_ground(picture, piece, to_texture, rng)
    for token in tokens:
        paint_token(picture, token, to_texture)
    return Mat(picture, to_texture)


@lru_cache(maxsize=4)
def bare(kind: str, size: tuple[float, float]) -> Picture:
    """The mat alone on its surroundings, the same for every table of that size; cached."""
    width, depth = (round((side + 2 * APRON_IN) * PER_INCH) for side in size)
    rng = np.random.default_rng(5)
    picture = wood(rng, width, depth)
    apron = round(APRON_IN * PER_INCH)
    inner = (slice(apron, depth - apron), slice(apron, width - apron))
    picture[inner] = ground(rng, kind, width - 2 * apron, depth - 2 * apron)
    edge = (apron, apron), (width - apron, depth - apron)
    cv2.rectangle(picture, edge[0], edge[1], (28, 30, 32), 7)
    return picture


def cloud(rng: np.random.Generator, width: int, height: int, cell: int) -> NDArray[np.float32]:
    """Smooth noise around zero with features about a cell wide."""
    coarse = rng.standard_normal((height // cell + 3, width // cell + 3), dtype=np.float32)
    full = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(full, dtype=np.float32)


def ground(rng: np.random.Generator, kind: str, width: int, height: int) -> Picture:
    """A mat's printed ground: two tones in broad patches, worn paths, fine grain."""
    base, light, worn = (np.array(colour, dtype=np.float32) for colour in MATS[kind])
    blend = np.clip(0.5 + 0.35 * cloud(rng, width, height, 170), 0, 1)
    blend = np.clip(blend + 0.25 * cloud(rng, width, height, 40), 0, 1)
    path = np.clip(1.6 * cloud(rng, width, height, 230) - 1.0, 0, 1)
    grain = 9 * cloud(rng, width, height, 3) + 7 * cloud(rng, width, height, 9)

    def strip(rows: slice) -> NDArray[np.float32]:
        colour = base + (light - base) * blend[rows, :, None]
        colour += (worn - colour) * path[rows, :, None]
        return np.asarray(colour + grain[rows, :, None], dtype=np.float32)

    return in_strips(width, height, strip)


def wood(rng: np.random.Generator, width: int, height: int) -> Picture:
    """Dark boards around the mat."""
    rows = np.arange(height)
    board = rows // (5 * PER_INCH)
    tone = rng.uniform(0.8, 1.1, board.max() + 1)[board].astype(np.float32)
    tone[(rows % (5 * PER_INCH)) < 3] *= 0.5
    fibres = cv2.resize(
        rng.standard_normal((height // 3 + 1, 24), dtype=np.float32), (width, height)
    )
    colour = np.array([38, 56, 84], dtype=np.float32)

    def strip(rows: slice) -> NDArray[np.float32]:
        shade = tone[rows, None, None] * (1 + 0.10 * fibres[rows, :, None])
        return np.asarray(colour * shade, dtype=np.float32)

    return in_strips(width, height, strip)


def in_strips(width: int, height: int, strip: Callable[[slice], NDArray[np.float32]]) -> Picture:
    """A texture computed in strips, because as floats it would fill half a tablet's memory."""
    picture = np.empty((height, width, 3), dtype=np.uint8)
    for top in range(0, height, STRIP):
        rows = slice(top, min(top + STRIP, height))
        picture[rows] = levels(strip(rows))
    return picture


def levels(colour: NDArray[np.float32]) -> Picture:
    """Colours rounded to 8-bit levels."""
    return np.asarray(np.clip(colour, 0, 255), dtype=np.uint8)


def on_texture(points: Floats, to_texture: Floats) -> NDArray[np.int32]:
    """Table points as texture pixels in fixed point with four fractional bits."""
    placed = points @ to_texture[:, :2].T + to_texture[:, 2]
    return np.rint(placed * 16).astype(np.int32)


def paint_ground(
    picture: Picture, piece: Terrain, to_texture: Floats, rng: np.random.Generator
) -> None:
    """Paint the ground of one terrain piece, speckled."""
    outline = on_texture(np.array(piece.outline, dtype=np.float64), to_texture)
    mask = np.zeros(picture.shape[:2], dtype=np.uint8)
    cv2.fillPoly(mask, [outline], 255, cv2.LINE_AA, 4)
    x, y, w, h = cv2.boundingRect(outline >> 4)
    x, y = max(x - 2, 0), max(y - 2, 0)
    cut = (slice(y, y + h + 4), slice(x, x + w + 4))
    share = mask[cut][..., None].astype(np.float32) / 255
    colour = np.array(GROUNDS.get(piece.piece, OTHER_GROUND), dtype=np.float32)
    rows, columns = share.shape[:2]
    speck = 10 * cloud(rng, columns, rows, 4) + 10 * cloud(rng, columns, rows, 16)
    painting = np.clip(colour + speck[..., None], 0, 255)
    picture[cut] = (picture[cut] * (1 - share) + painting * share).astype(np.uint8)


def paint_token(picture: Picture, token: TableToken, to_texture: Floats) -> None:
    """Paint a round token: rim, field, a star."""
    angle = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) * token.radius
    centre = np.array([token.x, token.y])
    for scale, colour in ((1.0, (40, 44, 48)), (0.9, (90, 168, 206)), (0.72, (52, 66, 110))):
        cv2.fillPoly(
            picture, [on_texture(centre + ring * scale, to_texture)], colour, cv2.LINE_AA, 4
        )
    turn = np.arange(10) * np.pi / 5 + np.pi / 2
    star = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    star *= token.radius * np.where(np.arange(10) % 2, 0.25, 0.6)[:, None]
    cv2.fillPoly(picture, [on_texture(centre + star, to_texture)], (150, 206, 232), cv2.LINE_AA, 4)


PAPER: Colour = (120, 150, 160)
LINE: Colour = (70, 88, 96)
SYMBOL: Colour = (214, 222, 226)
CELL_GROUNDS: dict[str, Colour] = {
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
            colour = word_colour(word, CELL_GROUNDS)
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
