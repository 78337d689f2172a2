"""Marks over the table: badges, labels and arrows, and the cells of a board that may be tapped."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product

from companion.app.render.theme import THEME
from companion.engine.drawing.display_list import Fill, Mark, Stroke, TextMark
from companion.engine.turn.aimed_cells import AimedCells
from companion.games.api.prompt import TargetCell
from companion.overlay.badge import BadgeSize, PlacedBadge, TrayBadge
from companion.overlay.board_shapes import cell_outline
from companion.overlay.canvas import circle, dashes, fine_width, rounded
from companion.overlay.icons import FIELD, MARK_NAMES, strokes
from companion.overlay.map_theme import SIDE_LOOKS, Colour
from companion.overlay.shapes import Point
from companion.overlay.view_frame import BoundingBox, PointPx
from models.board import Cell

Paint = tuple[float, float, float, float]
CASING: Paint = (5 / 255, 7 / 255, 10 / 255, 1.0)
WHITE: Paint = (1.0, 1.0, 1.0, 1.0)
CREAM: Paint = (244 / 255, 239 / 255, 228 / 255, 1.0)


def bytes_of(paint: Paint) -> Colour:
    """A colour in bytes, without its opacity."""
    red, green, blue = (round(255 * part) for part in paint[:3])
    return red, green, blue


def bright(place: int) -> Paint:
    """The bright colour of a seat, used on the picture in every palette."""
    red, green, blue = SIDE_LOOKS[place].edge
    return red / 255, green / 255, blue / 255, 1.0


def drawing(
    name: str, centre: PointPx, size: float, paint: Paint, weight: float = 2.2
) -> Iterator[Mark]:
    """An icon or a mark as lines."""
    scale = size / FIELD
    x, y = centre[0] - size / 2, centre[1] - size / 2
    for line in strokes(name):
        points = tuple((x + px * scale, y + py * scale) for px, py in line)
        yield Stroke(points, weight * scale, paint)


def plate(box: BoundingBox, place: int, text: float) -> list[PointPx]:
    """The outline of a badge: round corners for the first and third seat, cut ones for others."""
    if place in (0, 2):
        return list(rounded(box.left, box.top, box.right, box.bottom, text * 0.65))
    c = text * 0.45
    return [
        (box.left + c, box.top),
        (box.right - c, box.top),
        (box.right, box.top + c),
        (box.right, box.bottom - c),
        (box.right - c, box.bottom),
        (box.left + c, box.bottom),
        (box.left, box.bottom - c),
        (box.left, box.top + c),
    ]


def below(outline: Sequence[PointPx], y: float) -> list[PointPx]:
    """The part of a convex outline under a level line."""
    found: list[PointPx] = []
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if ay >= y:
            found.append((ax, ay))
        if (ay < y) != (by < y):
            found.append((ax + (bx - ax) * (y - ay) / (by - ay), y))
    return found


def badge_marks(placed: PlacedBadge, size: BadgeSize) -> Iterator[Mark]:
    """One badge: its name, under it a row in the seat's colour, under that its ranks."""
    badge, text, whole = placed.badge, size.text, placed.box
    if placed.light:
        yield name_alone(placed, text)
        return
    box = BoundingBox(whole.left, whole.top, whole.right, whole.bottom - size.bar)
    ink = THEME.colour("faint" if badge.spent else "text")
    rim = ink if badge.focus else THEME.colour("faint") if badge.spent else bright(badge.place)
    outer = plate(box, badge.place, text)
    ring = (*outer, outer[0], outer[1])
    yield Stroke(ring, text * (0.4 if badge.focus else 0.3), CASING)
    yield Fill((tuple(outer),), THEME.colour("chip"))
    seat = THEME.colour("line") if badge.spent else THEME.colour(f"fill-{badge.place}")
    yield Fill((tuple(below(outer, box.top + size.head)),), seat)
    yield Stroke(ring, text * (0.2 if badge.focus else 0.12), rim)
    yield words(badge.name, (box.centre[0], box.top + size.head * 0.54), text, ink, "narrow")
    yield from row_marks(badge, box, size)
    yield from rank_bar(placed, size)


def name_alone(placed: PlacedBadge, text: float) -> TextMark:
    """The name of a badge, through which the table shows."""
    ink = THEME.colour("faint" if placed.badge.spent else "text")
    halo = bytes_of(CASING), text * 0.28
    x, y = placed.box.centre
    return TextMark(
        placed.badge.name, (x, y), round(text), True, bytes_of(ink), halo, 0.0, "narrow"
    )


def row_marks(badge: TrayBadge, box: BoundingBox, size: BadgeSize) -> Iterator[Mark]:
    """Under a name: the seat's mark and what is left, on the right a star, swords and tokens."""
    text, y = size.text, box.bottom - size.row * 0.52
    x = box.left + size.edge + 0.4 * text
    mark = "check" if badge.spent else badge.mark or MARK_NAMES[badge.place]
    yield from drawing(mark, (x, y), text * 0.85, WHITE, 2.8)
    x += 0.6 * text + size.count(badge) / 2
    yield words(badge.count, (x, y), text * 0.95, WHITE, "bold")
    x = box.right - size.edge + 0.55 * text - size.sign * len(badge.signs)
    if badge.leader:
        yield Fill((tuple(star((x, y), text * 0.42)),), WHITE)
    for icon in badge.signs:
        yield from drawing(icon, (x, y), text * 0.82, WHITE, 2.6)
        x += size.sign


def leader_marks(placed: PlacedBadge, text: float) -> Iterator[Mark]:
    """The line from a badge to its tray, with a dot in the seat's colour where it ends."""
    if placed.line is not None:
        yield from leader(placed.line[1], placed.line[0], text, bright(placed.badge.place))


def leader(start: PointPx, spot: PointPx, text: float, dot: Paint = CREAM) -> Iterator[Mark]:
    """A line with a dot on what it speaks of."""
    yield Stroke((start, spot), text * 0.36, CASING)
    yield Stroke((start, spot), text * 0.16, CREAM)
    yield Fill((tuple(circle(spot, text * 0.36)),), CASING)
    yield Fill((tuple(circle(spot, text * 0.26)),), dot)


def rank_bar(placed: PlacedBadge, size: BadgeSize) -> Iterator[Mark]:
    """The ranks left, as segments under the plate."""
    badge, box = placed.badge, placed.box
    count = max(1, badge.bar[1])
    left, right = box.left + size.text * 0.7, box.right - size.text * 0.7
    gap = 3.0 if count < 8 else 1.0
    wide = (right - left - gap * (count - 1)) / count
    top, bottom = box.bottom - size.bar, box.bottom
    for number in range(count):
        x = left + number * (wide + gap)
        yield Fill((oblong(x - 1, top, x + wide + 1, bottom),), CASING)
        part = min(max(badge.share * count - number, 0.0), 1.0)
        if part > 0.0:
            shade = THEME.colour("faint") if badge.spent else bright(badge.place)
            yield Fill((oblong(x, top, x + wide * part, bottom - 1),), shade)


def oblong(left: float, top: float, right: float, bottom: float) -> tuple[PointPx, ...]:
    """The corners of a rectangle."""
    return (left, top), (right, top), (right, bottom), (left, bottom)


def star(centre: PointPx, radius: float) -> Iterator[PointPx]:
    """The corners of a five-pointed star."""
    for number in range(10):
        far = radius if number % 2 == 0 else radius * 0.5
        turn = math.tau * number / 10 - math.pi / 2
        yield centre[0] + far * math.cos(turn), centre[1] + far * math.sin(turn)


def words(text: str, centre: PointPx, size: float, paint: Paint, face: str) -> TextMark:
    """A line of text without an outline."""
    return TextMark(text, centre, round(size), face != "text", bytes_of(paint), None, 0.0, face)


# -- labels and arrows ----------------------------------------------------------------------------


def label_size(lines: Sequence[str], text: float) -> PointPx:
    """Width and height of a label: its first line bold, the others smaller."""
    sizes = [text * 1.1, *(text for _ in lines[1:])]
    faces = ["bold", *("text" for _ in lines[1:])]
    wide = max(
        fine_width(line, one, face) for line, one, face in zip(lines, sizes, faces, strict=True)
    )
    return wide + 1.5 * text, sum(sizes) * 1.25 + 0.8 * text


def label_marks(
    box: BoundingBox, lines: Sequence[str], spot: PointPx | None, text: float, edge: str = "text"
) -> Iterator[Mark]:
    """A label with a leader line to what it is about."""
    ink = THEME.colour("text")
    if spot is not None:
        x = min(max(spot[0], box.left), box.right)
        y = min(max(spot[1], box.top), box.bottom)
        yield from leader((x, y), spot, text)
    outer = tuple(rounded(box.left, box.top, box.right, box.bottom, text * 0.55))
    yield Fill((outer,), THEME.colour("chip"))
    yield Stroke((*outer, outer[0], outer[1]), text * 0.13, THEME.colour(edge))
    y = box.top + 0.4 * text
    for number, line in enumerate(lines):
        size = text * (1.1 if number == 0 else 1.0)
        face = "bold" if number == 0 else "text"
        wide = fine_width(line, size, face)
        yield words(line, (box.left + 0.75 * text + wide / 2, y + size * 0.62), size, ink, face)
        y += size * 1.25


def flag_marks(
    centre: PointPx, size: float, holder: int | None = None, sign: str = ""
) -> Iterator[Mark]:
    """An objective: its number or a flag in a ring, in the colour of the seat that holds it."""
    ring, paint = tuple(circle(centre, size / 2)), CREAM if holder is None else bright(holder)
    inner = (0.1, 0.12, 0.15, 1.0) if holder is None else THEME.colour(f"fill-{holder}")
    yield Fill((tuple(circle(centre, size / 2 + size * 0.1)),), CASING)
    yield Fill((ring,), inner)
    yield Stroke((*ring, ring[0], ring[1]), size * 0.11, paint)
    if sign:
        yield words(sign, centre, size * 0.62, CREAM, "bold")
    else:
        yield from drawing("score", centre, size * 0.62, CREAM, 2.6)


def arrow_marks(start: PointPx, end: PointPx, kind: str, place: int, unit: float) -> Iterator[Mark]:
    """An arrow: broad for a charge, thin and dashed for a shot, an outline if it is unsure."""
    length = math.dist(start, end)
    if length < 8 * unit:
        return
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    nx, ny = -uy, ux
    paint = bright(place)
    broad = (6.0 if kind == "shot" else 13.0) * unit
    head = min((2.6 if kind == "shot" else 1.9) * broad, 0.6 * length)
    hx, hy = end[0] - ux * head, end[1] - uy * head

    def at(x: float, y: float, aside: float) -> PointPx:
        return x + nx * aside, y + ny * aside

    if kind == "shot":
        line = (start, (hx, hy))
        yield Stroke(line, 9 * unit, CASING)
        yield Stroke(line, 5.5 * unit, WHITE)
        steps = max(1, int(length / (18 * unit)))
        for number in range(steps):
            a, b = number / steps, (number + 0.6) / steps
            yield Stroke(
                (
                    (start[0] + (hx - start[0]) * a, start[1] + (hy - start[1]) * a),
                    (start[0] + (hx - start[0]) * b, start[1] + (hy - start[1]) * b),
                ),
                4 * unit,
                paint,
            )
        ring: tuple[PointPx, ...] = (at(hx, hy, broad * 1.3), end, at(hx, hy, -broad * 1.3))
    else:
        ring = (
            at(*start, broad * 0.3),
            at(hx, hy, broad * 0.5),
            at(hx, hy, broad * 1.2),
            end,
            at(hx, hy, -broad * 1.2),
            at(hx, hy, -broad * 0.5),
            at(*start, -broad * 0.3),
        )
    closed = (*ring, ring[0], ring[1])
    yield Stroke(closed, 5 * unit, CASING)
    if kind == "unsure":
        yield Stroke(closed, 3 * unit, paint)
        return
    yield Fill((ring,), paint)
    yield Stroke(closed, 1.6 * unit, WHITE)


TEAL: Paint = (70 / 255, 201 / 255, 165 / 255, 1.0)
WARM: Paint = (242 / 255, 145 / 255, 127 / 255, 1.0)
SAND: Paint = (220 / 255, 207 / 255, 166 / 255, 1.0)
PAINTS = {"engages": WARM, "danger": WARM, "barred": WARM, "stops": SAND, "unsure": SAND}
SIGNS = {
    "engages": "swords",
    "danger": "drop",
    "barred": "cross",
    "stops": "cross",
    "more": "plus",
    "unsure": "ask",
}
DASHED = ("more", "unsure", "barred")
LARGE_DP = 30
"""On a smaller cell no text is written."""


def cell_marks(
    aimed: Sequence[AimedCells], px: Callable[[Point], PointPx], dp: float
) -> Iterator[Mark]:
    """The marks of cells in pixels, y down; each cell once. Where large pieces go, what they would
    cover is tinted, and the mark lies in the middle of it."""
    drawn: set[tuple[int, int]] = set()
    covered = dict.fromkeys(
        cell
        for one in aimed
        for target in one.cells
        for cell in covered_cells(target.cell, one.size(target))
    )
    for cell in covered:
        ring = tuple(px(point) for point in cell_outline(aimed[0].board, cell))
        yield Fill((ring,), (*TEAL[:3], 0.14))
    for one in aimed:
        for target in one.cells:
            if target.cell in drawn:
                continue
            drawn.add(target.cell)
            ring = tuple(px(point) for point in mark_outline(target, one))
            yield from target_marks(target, ring, one.strong, dp)


def covered_cells(cell: Cell, size: int) -> Iterator[Cell]:
    """The cells that a large piece covers of which this is the lower left one."""
    for across, up in product(range(size), repeat=2) if size > 1 else ():
        yield cell[0] + across, cell[1] + up


def mark_outline(target: TargetCell, aimed: AimedCells) -> tuple[Point, ...]:
    """The outline of a cell; where a large piece goes, in the middle of what it would cover."""
    x, y = aimed.board.middle(target.cell, aimed.size(target))
    here = aimed.board.middle(target.cell)
    return tuple(
        (corner[0] + x - here[0], corner[1] + y - here[1])
        for corner in cell_outline(aimed.board, target.cell)
    )


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


def tick_marks(
    outline: Sequence[Point], px: Callable[[Point], PointPx], dp: float
) -> Iterator[Mark]:
    """A piece that is chosen in a form: its outline, and a tick in the middle."""
    yield from ring_marks(outline, px, dp)
    ring = [px(point) for point in outline]
    middle = (sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring))
    wide = max(x for x, _ in ring) - min(x for x, _ in ring)
    size = min(26 * dp, wide * 0.8)
    yield from drawing("check", middle, size, CASING, 6.5)
    yield from drawing("check", middle, size, WHITE, 3.6)
