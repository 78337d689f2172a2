"""The map: a scene from straight above, with title, rulers and legend, as a PNG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from companion.overlay.canvas import Canvas, TextLine, cut, font
from companion.overlay.labels import (
    WIDEST,
    LabelLayout,
    draw_label,
    draw_leader,
    draw_plate,
    lay_out,
)
from companion.overlay.map_theme import INK, LIGHT, SOFT_INK, MapTheme, side_looks
from companion.overlay.paint_figures import RULER_IN, PaintLayer, draw, draw_bar, draw_ground, mark
from companion.overlay.shapes import (
    Circle,
    Key,
    Polygon,
    Polyline,
    Style,
    TableScene,
    drawing_order,
)
from companion.overlay.view_frame import BAR, MARGIN, ROW, BoundingBox, GroundFrame
from companion.text.translation import ruler

SIZE_PX = (1600, 1600)
"""The resolution of a ten-inch tablet."""

LEGEND_SIZE, TITLE_SIZE, SUBTITLE_SIZE, RULER_SIZE = 13, 19, 14, 10.5


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One line of the legend, and the positions of its sample and its text."""

    key: Key
    sample: BoundingBox
    words: TextLine
    left: float


def paint(
    scene: TableScene, path: Path | str, size_px: tuple[int, int] = SIZE_PX, theme: MapTheme = LIGHT
) -> None:
    picture(scene, size_px, theme).save(path, "PNG", optimize=True)


def picture(
    scene: TableScene, size_px: tuple[int, int] = SIZE_PX, theme: MapTheme = LIGHT
) -> Image.Image:
    entries = legend_entries(scene, size_px)
    sheet = sheet_for(scene, size_px, theme)
    canvas = sheet.canvas
    words = draw_map(sheet, scene)
    draw_margins(sheet, scene, entries)
    canvas.reduce()
    for label in words:
        draw_label(sheet, label)
    write_rulers(sheet, scene)
    write_margins(sheet, scene, entries)
    return canvas.image


def draw_map(sheet: PaintLayer, scene: TableScene, ground: bool = True) -> list[LabelLayout]:
    """Draw the ground and all figures; returns the labels, whose text is still to be drawn."""
    if ground:
        draw_ground(sheet, scene)
    for shape in drawing_order(scene.shapes):
        draw(sheet, shape)
    words = lay_out(sheet, scene)
    for label in words:
        draw_leader(sheet, label)
    for label in words:  # after all leader lines, so that none crosses another label
        draw_plate(sheet, label)
    return words


def sheet_for(scene: TableScene, size_px: tuple[int, int], theme: MapTheme = LIGHT) -> PaintLayer:
    """An empty canvas with the table fitted into it."""
    rows = {round(entry.sample.top) for entry in legend_entries(scene, size_px)}
    frame = GroundFrame.fit(scene, size_px, len(rows))
    return PaintLayer(Canvas(*size_px, theme.paper), frame, theme, side_looks(scene.sides))


# -- title and legend -----------------------------------------------------------------------------


def legend_entries(scene: TableScene, size_px: tuple[int, int]) -> list[LegendEntry]:
    """The legend in rows at the bottom of the picture."""
    u = min(size_px) / 1000
    rows: list[list[tuple[Key, TextLine, float]]] = []
    x = math.inf
    for key in scene.legend:
        size = round(LEGEND_SIZE * u)
        words = TextLine(cut(key.text, font(size, bold=False), WIDEST * u), size)
        if x + 36 * u + words.width > size_px[0] - MARGIN * u:
            rows.append([])
            x = 16 * u
        rows[-1].append((key, words, x))
        x += 52 * u + words.width
    entries = []
    for number, row in enumerate(rows):
        y = size_px[1] - (len(rows) - number - 0.5) * ROW * u - 0.4 * MARGIN * u
        for key, words, left in row:
            sample = BoundingBox.around((left + 14 * u, y), 28 * u, 17 * u)
            entries.append(LegendEntry(key, sample, words, left + 36 * u))
    return entries


def draw_margins(sheet: PaintLayer, scene: TableScene, entries: list[LegendEntry]) -> None:
    """The title bar and the legend's samples."""
    u, (width, height) = sheet.unit, sheet.frame.size_px
    if scene.title:
        bar = [(0.0, 0.0), (width, 0.0), (width, BAR * u), (0.0, BAR * u)]
        sheet.canvas.fill(bar, sheet.theme.bar)
    if entries:
        top = entries[0].sample.top - 2 * u
        sheet.canvas.fill([(0, top), (width, top), (width, height), (0, height)], sheet.theme.paper)
    for entry in entries:
        draw_sample(sheet, entry.key.style, entry.sample)


def draw_sample(sheet: PaintLayer, style: Style, box: BoundingBox) -> None:
    """A sample of the style that a legend line explains."""
    u, frame = sheet.unit, sheet.frame
    look = sheet.theme.figure(style.role)
    corners = [
        (box.left, box.top),
        (box.right, box.top),
        (box.right, box.bottom),
        (box.left, box.bottom),
    ]
    piece = Polygon(tuple(frame.inches(corner) for corner in corners), style)
    if style.role == "tray":
        draw(sheet, piece)
        strip = [*corners[:2], (box.right, box.top + 5 * u), (box.left, box.top + 5 * u)]
        draw_bar(sheet, strip, sheet.side(style))
        for share in (0.3, 0.7):
            spot = (box.left + share * (box.right - box.left), box.top + 11 * u)
            outline = mark(spot, 3.6 * u, sheet.side(style).mark)
            sheet.canvas.fill(outline, sheet.colour(style), 0.6)
    elif style.role == "token":
        draw(sheet, Circle(frame.inches(box.centre), 7.5 * u / frame.scale, style))
    elif look.fill or look.texture:
        draw(sheet, piece)
    else:
        y = box.centre[1]
        ends = (frame.inches((box.left, y)), frame.inches((box.right, y)))
        draw(sheet, Polyline(ends, style, arrow=style.role in {"attack-path", "shot"}))


def write_margins(sheet: PaintLayer, scene: TableScene, entries: list[LegendEntry]) -> None:
    """Title, subtitle and the legend's text."""
    u, width = sheet.unit, sheet.frame.size_px[0]
    light, middle = sheet.theme.bar_text, BAR * u / 2
    if scene.title:
        size = round(TITLE_SIZE * u)
        line = TextLine(cut(scene.title, font(size, bold=True), 0.6 * width), size, bold=True)
        sheet.canvas.draw_text((14 * u + line.width / 2, middle), [line], light)
    if scene.title and scene.subtitle:
        size = round(SUBTITLE_SIZE * u)
        line = TextLine(cut(scene.subtitle, font(size, bold=False), 0.35 * width), size)
        sheet.canvas.draw_text((width - 14 * u - line.width / 2, middle), [line], light)
    for entry in entries:
        spot = (entry.left + entry.words.width / 2, entry.sample.centre[1])
        sheet.canvas.draw_text(spot, [entry.words], INK)


def write_rulers(sheet: PaintLayer, scene: TableScene) -> None:
    """Length marks along two edges, where lengths count."""
    if not scene.measured:
        return
    u, px = sheet.unit, sheet.frame.px
    size = round(RULER_SIZE * u)
    for x in range(0, math.floor(scene.width_in) + 1, RULER_IN):
        spot = px((x, 0))
        sheet.canvas.draw_text(
            (spot[0], spot[1] + 12 * u), [TextLine(ruler().short(x), size)], SOFT_INK
        )
    for y in range(RULER_IN, math.floor(scene.depth_in) + 1, RULER_IN):
        spot = px((0, y))
        sheet.canvas.draw_text(
            (spot[0] - 16 * u, spot[1]), [TextLine(ruler().short(y), size)], SOFT_INK
        )
