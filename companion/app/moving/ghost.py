"""The drawing of a tray or piece that is being moved: where it was, and where it is now."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.app.render.table_marks import CASING, WHITE, Paint, drawing
from companion.engine.drawing.display_list import Fill, Mark, Stroke, TextMark
from companion.geometry.grid.placing import cell_middle
from companion.overlay.board_shapes import PIECE_SHARE, block_outline
from companion.overlay.canvas import circle, dashes
from companion.overlay.footprints import disc
from companion.overlay.map_theme import SIDE_LOOKS
from companion.overlay.shapes import Point
from companion.overlay.table_shapes import BAR_IN
from companion.overlay.view_frame import PointPx
from models import Pose, Unit
from models.board import Board, Cell
from models.unit import corners

HANDLE_DP = 58
"""The diameter of the turn handle."""
ToPx = Callable[[Point], PointPx]
TONES: dict[str, Paint] = {
    "yes": (70 / 255, 201 / 255, 165 / 255, 1.0),
    "no": (242 / 255, 145 / 255, 127 / 255, 1.0),
    "unsure": (220 / 255, 207 / 255, 166 / 255, 1.0),
    "": WHITE,
}


@dataclass(frozen=True, slots=True)
class Ghost:
    """A tray at its start and at the place of the finger; `edge` is where it touches another."""

    unit: Unit
    """The unit at its start."""
    pose: Pose
    place: int
    tone: str = ""
    edge: tuple[Point, Point] | None = None
    handle: Point | None = None
    """Where a finger turns it; None: nobody does."""
    number: str = ""
    """Written on it, where several are shown."""
    lanes: tuple[tuple[Point, ...], ...] = ()
    """What it may cover in the end."""
    tray: bool = True
    """Whether it is one: terrain has no front."""

    @property
    def piece(self) -> str:
        """The id of the unit."""
        return self.unit.id

    @property
    def badge_at(self) -> Pose | None:
        """Where its badge stands while it rests."""
        return self.pose if self.tone else None

    def outlines(self) -> tuple[tuple[Point, ...], ...]:
        """The corners of the tray where it is now with its handle, and where it was."""
        here = tuple(corners(self.unit.at(self.pose)))
        turned = () if self.handle is None else (self.handle,)
        return (*here, *turned), tuple(corners(self.unit))

    def marks(self, px: ToPx, dp: float) -> Iterator[Mark]:
        """The marks in pixels, y down."""
        look = SIDE_LOOKS[self.place]
        bright: Paint = (*(part / 255 for part in look.edge), 1.0)  # type: ignore[assignment]
        deep: Paint = (*(part / 255 for part in look.fill), 0.92)  # type: ignore[assignment]
        for lane in self.lanes:
            outline = tuple(px(point) for point in lane)
            yield Fill((outline,), (*bright[:3], 0.16))
            yield Stroke((*outline, outline[0]), 2 * dp, bright)
        start = tuple(px(point) for point in corners(self.unit))
        yield Fill((start,), (*CASING[:3], 0.55))
        for part in dashes([*start, start[0]], 8 * dp, 6 * dp):
            yield Stroke(tuple(part), 2.5 * dp, bright)
        here = self.unit.at(self.pose)
        ring = tuple(px(point) for point in corners(here))
        yield Stroke(
            (px((self.unit.pose.x, self.unit.pose.y)), px((self.pose.x, self.pose.y))),
            3 * dp,
            WHITE,
        )
        yield Fill((ring,), deep)
        yield from self.front(px, bright) if self.tray else ()
        tone = TONES[self.tone]
        yield Stroke((*ring, ring[0], ring[1]), 6 * dp, CASING)
        yield Stroke((*ring, ring[0], ring[1]), 3 * dp, tone)
        if self.edge is not None:
            yield Stroke(tuple(px(one) for one in self.edge), 7 * dp, WHITE)
        if self.number:
            middle = px((self.pose.x, self.pose.y))
            yield Fill((tuple(circle(middle, 17 * dp)),), CASING)
            yield Fill((tuple(circle(middle, 15 * dp)),), WHITE)
            yield TextMark(self.number, middle, round(19 * dp), True, (16, 19, 26), None, 0.0)
        yield from self.handle_marks(px, dp)

    def front(self, px: ToPx, bright: Paint) -> Iterator[Mark]:
        """The front of the tray: a bar with an arrow."""
        ahead, aside = self.unit.tray.depth / 2, self.unit.tray.width / 2
        bar = ((ahead, aside), (ahead, -aside), (ahead - BAR_IN, -aside), (ahead - BAR_IN, aside))
        yield Fill((tuple(px(self.pose.ahead(*one)) for one in bar),), bright)
        tip = ((ahead + 0.55, 0.0), (ahead, 0.6), (ahead, -0.6))
        yield Fill((tuple(px(self.pose.ahead(*one)) for one in tip),), bright)

    def handle_marks(self, px: ToPx, dp: float) -> Iterator[Mark]:
        """The round handle that turns the tray."""
        if self.handle is None:
            return
        centre, spot = px((self.pose.x, self.pose.y)), px(self.handle)
        length = math.dist(centre, spot) or 1.0
        radius = HANDLE_DP / 2 * dp
        share = max(0.0, (length - radius) / length)
        end = (
            centre[0] + (spot[0] - centre[0]) * share,
            centre[1] + (spot[1] - centre[1]) * share,
        )
        yield Stroke((centre, end), 6 * dp, CASING)
        yield Stroke((centre, end), 3 * dp, WHITE)
        yield Fill((tuple(circle(spot, radius + 2 * dp)),), CASING)
        yield Fill((tuple(circle(spot, radius)),), (244 / 255, 239 / 255, 228 / 255, 1.0))
        yield from drawing("turn", spot, 28 * dp, (16 / 255, 19 / 255, 26 / 255, 1.0), 2.2)


@dataclass(frozen=True, slots=True)
class NumberedGhosts:
    """Several places to choose from, each with its number; the badges of the trays stay."""

    ghosts: tuple[Ghost, ...]
    tone: str = "yes"

    piece = ""
    badge_at = None

    def outlines(self) -> tuple[tuple[Point, ...], ...]:
        """The corners of the trays where they may go."""
        return tuple(one.outlines()[0] for one in self.ghosts)

    def marks(self, px: ToPx, dp: float) -> Iterator[Mark]:
        """The marks in pixels, y down; the first place lies above the others."""
        for one in reversed(self.ghosts):
            yield from one.marks(px, dp)


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
    path: tuple[Cell, ...] = ()
    """The cells of its way; none: it is drawn as a line."""

    badge_at = None

    def outlines(self) -> tuple[tuple[Point, ...], ...]:
        """What it covers now."""
        return (block_outline(self.board, self.cell, self.size),)

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
            way = self.path or (self.start, self.cell)
            middles = tuple(px(cell_middle(self.board, one, self.size)) for one in way)
            yield Stroke(middles, 3 * dp, WHITE)
        ring = tuple(px(point) for point in self.outlines()[0])
        yield Stroke((*ring, ring[0], ring[1]), 6 * dp, CASING)
        yield Stroke((*ring, ring[0], ring[1]), 3 * dp, TONES[self.tone])
        here = tuple(px(point) for point in disc(new, radius))
        yield Fill((here,), deep)
        yield Stroke((*here, here[0], here[1]), 2.5 * dp, bright)
