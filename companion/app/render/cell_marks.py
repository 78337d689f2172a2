"""The cells of a board that may be tapped, and what is met there: colour, sign and text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from companion.app.render.badge_marks import CASING, WHITE, Paint, drawing
from companion.engine.drawing.display_list import Fill, Mark, Stroke, TextMark
from companion.games.api.target_cell import TargetCell
from companion.overlay.board_shapes import cell_outline
from companion.overlay.bounding_box import PointPx
from companion.overlay.canvas import dashes
from companion.overlay.shapes import Point
from models.board import Board

TEAL: Paint = (70 / 255, 201 / 255, 165 / 255, 1.0)
WARM: Paint = (242 / 255, 145 / 255, 127 / 255, 1.0)
SAND: Paint = (220 / 255, 207 / 255, 166 / 255, 1.0)
PAINTS = {"engages": WARM, "danger": WARM, "stops": SAND, "unsure": SAND}
SIGNS = {"engages": "swords", "danger": "drop", "stops": "cross", "more": "plus", "unsure": "ask"}
DASHED = ("more", "unsure")
LARGE_DP = 30
"""On a smaller cell no text is written."""


@dataclass(frozen=True, slots=True)
class AimedCells:
    """Cells that may be tapped; those of the offer that the players picked are `strong`."""

    board: Board
    cells: tuple[TargetCell, ...]
    strong: bool = True


def cell_marks(
    aimed: Sequence[AimedCells], px: Callable[[Point], PointPx], dp: float
) -> Iterator[Mark]:
    """The marks of cells in pixels, y down; each cell once."""
    drawn: set[tuple[int, int]] = set()
    for one in aimed:
        for target in one.cells:
            if target.cell in drawn:
                continue
            drawn.add(target.cell)
            ring = tuple(px(point) for point in cell_outline(one.board, target.cell))
            yield from target_marks(target, ring, one.strong, dp)


def target_marks(
    target: TargetCell, ring: tuple[PointPx, ...], strong: bool, dp: float
) -> Iterator[Mark]:
    """One cell: tinted, outlined inside its borders, with its sign and its text."""
    paint = PAINTS.get(target.mark, TEAL)
    middle = (sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring))
    inner = tuple((x + (middle[0] - x) * 0.07, y + (middle[1] - y) * 0.07) for x, y in ring)
    yield Fill((inner,), (*paint[:3], 0.34 if strong else 0.2))
    closed = (*inner, inner[0], inner[1])
    width = (3.0 if strong else 2.0) * dp
    if target.mark in DASHED:
        for part in dashes([*inner, inner[0]], 7 * dp, 5 * dp):
            yield Stroke(tuple(part), width, paint)
    else:
        yield Stroke(closed, width, paint)
    wide = max(x for x, _ in ring) - min(x for x, _ in ring)
    if wide < LARGE_DP * dp:
        return
    sign = SIGNS.get(target.mark, "")
    if sign:
        size = min(18 * dp, wide * 0.42)
        yield from drawing(sign, middle, size * 1.1, CASING, 4.6)
        yield from drawing(sign, middle, size, paint, 2.4)
    elif target.text:
        size = round(min(17 * dp, wide * 0.42))
        colour = tuple(round(255 * part) for part in paint[:3])
        halo = (tuple(round(255 * part) for part in CASING[:3]), 2.0)
        yield TextMark(target.text, middle, size, True, colour, halo, 0.0)  # type: ignore[arg-type]


def ring_marks(
    outline: Sequence[Point], px: Callable[[Point], PointPx], dp: float
) -> Iterator[Mark]:
    """The outline of the selected piece."""
    ring = tuple(px(point) for point in outline)
    if ring:
        yield Stroke((*ring, ring[0], ring[1]), 7 * dp, CASING)
        yield Stroke((*ring, ring[0], ring[1]), 3.5 * dp, WHITE)
