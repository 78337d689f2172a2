"""The drawing of a piece that is being moved over a board: where it was, and its cell now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.app.moving.ghost import TONES, ToPx
from companion.app.render.badge_marks import CASING, WHITE, Paint
from companion.engine.drawing.display_list import Fill, Mark, Stroke
from companion.geometry.grid.placing import cell_middle
from companion.overlay.board_shapes import PIECE_SHARE, block_outline
from companion.overlay.canvas import dashes
from companion.overlay.footprints import disc
from companion.overlay.map_theme import SIDE_LOOKS
from companion.overlay.shapes import Point
from models.board import Board
from models.cell import Cell


@dataclass(frozen=True, slots=True)
class CellGhost:
    """A piece at its start and on the cell under the finger."""

    piece: str
    board: Board
    start: Cell
    cell: Cell
    size: int
    place: int
    tone: str = ""

    def outline(self) -> tuple[Point, ...]:
        """What it covers now."""
        return block_outline(self.board, self.cell, self.size)

    def marks(self, px: ToPx, dp: float) -> Iterator[Mark]:
        """The marks in pixels, y down."""
        look = SIDE_LOOKS[self.place]
        bright: Paint = (*(part / 255 for part in look.edge), 1.0)  # type: ignore[assignment]
        deep: Paint = (*(part / 255 for part in look.fill), 0.92)  # type: ignore[assignment]
        radius = self.size * self.board.cell_in * PIECE_SHARE
        old = cell_middle(self.board, self.start, self.size)
        new = cell_middle(self.board, self.cell, self.size)
        start = tuple(px(point) for point in disc(old, radius))
        yield Fill((start,), (*CASING[:3], 0.55))
        for part in dashes([*start, start[0]], 8 * dp, 6 * dp):
            yield Stroke(tuple(part), 2.5 * dp, bright)
        if self.cell != self.start:
            yield Stroke((px(old), px(new)), 3 * dp, WHITE)
        ring = tuple(px(point) for point in self.outline())
        yield Stroke((*ring, ring[0], ring[1]), 6 * dp, CASING)
        yield Stroke((*ring, ring[0], ring[1]), 3 * dp, TONES[self.tone])
        here = tuple(px(point) for point in disc(new, radius))
        yield Fill((here,), deep)
        yield Stroke((*here, here[0], here[1]), 2.5 * dp, bright)
