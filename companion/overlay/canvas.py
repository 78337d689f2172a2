"""A Pillow canvas: anti-aliased fills, lines, hatching and text, in pixels."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise

from PIL import Image, ImageChops, ImageDraw, ImageFont

from companion.overlay.icons import Stroke, Texture, hatching, scattered
from companion.overlay.map_theme import FACES, Colour
from companion.overlay.shapes import Shape
from companion.overlay.view_frame import BoundingBox, PointPx

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

FINE = 2
"""The supersampling factor: figures are drawn this many times larger and then reduced."""

LEADING = 1.14
FINE_PX = 100
"""The size at which text is measured where fractions of a pixel count."""


class Canvas:
    """An image on which figures are drawn supersampled, reduced once, and then labelled."""

    def __init__(self, width: int, height: int, paper: Colour) -> None:
        self.width, self.height = width, height
        self.image = Image.new("RGB", (width * FINE, height * FINE), paper)

    # -- figures ----------------------------------------------------------------------------

    def figure(self, shape: Shape, paint: Callable[[], None]) -> None:
        """Draw a whole figure; subclasses may cache what `paint` draws."""
        paint()

    def fill(
        self,
        outline: Sequence[PointPx],
        colour: Colour,
        opacity: float = 1.0,
        holes: Sequence[Sequence[PointPx]] = (),
    ) -> None:
        """Fill a polygon."""
        self._pour(*self._mask(outline, holes), colour, opacity)

    def line(
        self,
        points: Sequence[PointPx],
        colour: Colour,
        width: float,
        opacity: float = 1.0,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """Draw a line, dashed if `dash` is given."""
        thick = max(1, round(width * FINE))
        strokes = list(dashes(points, *dash)) if dash else [list(points)]
        box = self._box([point for stroke in strokes for point in stroke], margin=width)
        if box is None:
            return
        mask = Image.new("L", (box[2] - box[0], box[3] - box[1]))
        draw = ImageDraw.Draw(mask)
        for stroke in strokes:
            fine = [(x * FINE - box[0], y * FINE - box[1]) for x, y in stroke]
            draw.line(fine, fill=255, width=thick, joint="curve")
        self._pour(mask, box, colour, opacity)

    def disc(self, centre: PointPx, radius: float, colour: Colour, opacity: float = 1.0) -> None:
        """Fill a circle."""
        self.fill(circle(centre, radius), colour, opacity)

    def hatch(
        self,
        outline: Sequence[PointPx],
        colour: Colour,
        opacity: float,
        angle_deg: float,
        gap: float,
        width: float,
        holes: Sequence[Sequence[PointPx]] = (),
    ) -> None:
        """Fill a polygon with parallel strokes."""
        thick = max(1, round(width * FINE))
        rows = partial(hatching, angle_deg=angle_deg, gap=gap * FINE)
        self._stamp(outline, holes, colour, opacity, rows, thick)

    def scatter(
        self,
        outline: Sequence[PointPx],
        colour: Colour,
        opacity: float,
        texture: Texture,
        unit: float,
    ) -> None:
        """Fill a polygon with small symbols in staggered rows."""
        thick = max(1, round(texture.weight * unit * FINE))
        rows = partial(scattered, texture=texture, unit=unit * FINE)
        self._stamp(outline, (), colour, opacity, rows, thick)

    def _stamp(
        self,
        outline: Sequence[PointPx],
        holes: Sequence[Sequence[PointPx]],
        colour: Colour,
        opacity: float,
        rows: Callable[[BoundingBox], Iterator[Stroke]],
        thick: int,
    ) -> None:
        mask, box = self._mask(outline, holes)
        if mask is None or box is None:
            return
        pattern = Image.new("L", mask.size)
        draw = ImageDraw.Draw(pattern)
        for stroke in rows(BoundingBox(*box)):
            fine = [(x - box[0], y - box[1]) for x, y in stroke]
            draw.line(fine, fill=255, width=thick, joint="curve")
        self._pour(ImageChops.multiply(mask, pattern), box, colour, opacity)

    def _box(
        self, points: Sequence[PointPx], margin: float = 1.0
    ) -> tuple[int, int, int, int] | None:
        """The bounding box in fine pixels, or None if all points lie off the image."""
        if not points:
            return None
        left = max(0, math.floor((min(x for x, _ in points) - margin) * FINE))
        top = max(0, math.floor((min(y for _, y in points) - margin) * FINE))
        right = min(self.width * FINE, math.ceil((max(x for x, _ in points) + margin) * FINE))
        bottom = min(self.height * FINE, math.ceil((max(y for _, y in points) + margin) * FINE))
        return (left, top, right, bottom) if left < right and top < bottom else None

    def _mask(
        self, outline: Sequence[PointPx], holes: Sequence[Sequence[PointPx]]
    ) -> tuple[Image.Image | None, tuple[int, int, int, int] | None]:
        box = self._box(outline) if len(outline) > 2 else None
        if box is None:
            return None, None
        mask = Image.new("L", (box[2] - box[0], box[3] - box[1]))
        draw = ImageDraw.Draw(mask)
        for ring, value in ((outline, 255), *((hole, 0) for hole in holes if len(hole) > 2)):
            draw.polygon([(x * FINE - box[0], y * FINE - box[1]) for x, y in ring], fill=value)
        return mask, box

    def _pour(
        self,
        mask: Image.Image | None,
        box: tuple[int, int, int, int] | None,
        colour: Colour,
        opacity: float,
    ) -> None:
        if mask is None or box is None or opacity <= 0:
            return
        if opacity < 1:
            mask = mask.point([round(value * opacity) for value in range(256)])
        self.image.paste(colour, box, mask)

    def reduce(self) -> None:
        """Finish the figures and reduce the image: afterwards only text is drawn."""
        self.image = self.image.resize((self.width, self.height), Image.Resampling.BOX)

    # -- text -------------------------------------------------------------------------------

    def draw_text(
        self,
        centre: PointPx,
        lines: Sequence[TextLine],
        colour: Colour,
        halo: tuple[Colour, float] | None = None,
        tilt_deg: float = 0.0,
    ) -> None:
        """Draw lines of text centred on a point, after `reduce`."""
        wide, total = block_size(lines)
        width, height = math.ceil(wide) + 16, math.ceil(total) + 16
        layers: list[tuple[Colour, float, int]] = [(colour, 1.0, 0)]
        if halo is not None:
            layers.insert(0, (halo[0], 0.9, max(1, round(halo[1]))))
        for paint, opacity, stroke in layers:
            mask = Image.new("L", (width, height))
            draw = ImageDraw.Draw(mask)
            y = (height - total) / 2
            for line in lines:
                y += LEADING * line.size / 2
                face = font(line.size, line.bold)
                draw.text((width / 2, y), line.text, 255, face, "mm", stroke_width=stroke)
                y += LEADING * line.size / 2
            if opacity < 1:
                mask = mask.point([round(value * opacity) for value in range(256)])
            if tilt_deg:
                mask = mask.rotate(tilt_deg, Image.Resampling.BICUBIC, expand=True)
            corner = round(centre[0] - mask.width / 2), round(centre[1] - mask.height / 2)
            self.image.paste(paint, corner, mask)


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text in one size."""

    text: str
    size: int
    bold: bool = False

    @property
    def width(self) -> float:
        """The width in pixels."""
        return text_width(self.text, font(self.size, self.bold))


def block_size(lines: Sequence[TextLine]) -> tuple[float, float]:
    """Width and height of lines of text one below the other."""
    return max(line.width for line in lines), sum(LEADING * line.size for line in lines)


def circle(centre: PointPx, radius: float, corners: int = 40) -> list[PointPx]:
    """A circle as a polygon."""
    turns = (2 * math.pi * number / corners for number in range(corners))
    return [
        (centre[0] + radius * math.cos(turn), centre[1] + radius * math.sin(turn)) for turn in turns
    ]


QUARTERS = [
    [
        (math.cos(turn), math.sin(turn))
        for turn in (math.radians(start + 15 * step) for step in range(7))
    ]
    for start in (0, 90, 180, 270)
]
"""The four quarters of a circle, from the lower right on."""


def rounded(left: float, top: float, right: float, bottom: float, radius: float) -> list[PointPx]:
    """A rectangle with round corners as a polygon."""
    radius = min(radius, (right - left) / 2, (bottom - top) / 2)
    points: list[PointPx] = []
    for number, (x, y) in enumerate(
        (
            (right - radius, bottom - radius),
            (left + radius, bottom - radius),
            (left + radius, top + radius),
            (right - radius, top + radius),
        )
    ):
        points += [(x + radius * cos, y + radius * sin) for cos, sin in QUARTERS[number]]
    return points


def dashes(points: Sequence[PointPx], on: float, off: float) -> Iterator[list[PointPx]]:
    """The strokes of a dashed line; corners inside a stroke are kept."""
    stroke: list[PointPx] = [points[0]]
    drawing, left = True, on
    for p, q in pairwise(points):
        step = math.dist(p, q)
        done = 0.0
        while step - done > left:
            done += left
            cut = p[0] + (q[0] - p[0]) * done / step, p[1] + (q[1] - p[1]) * done / step
            if drawing:
                yield [*stroke, cut]
            stroke = [cut]
            drawing = not drawing
            left = on if drawing else off
        left -= step - done
        stroke.append(q)
    if drawing and len(stroke) > 1:
        yield stroke


@lru_cache
def font(size: int, bold: bool, face: str = "") -> Font:
    """A font of that pixel size; `face` names another than the text's own."""
    path = FACES[face or ("bold" if bold else "text")]
    # The basic layout engine gives the same result on every machine.
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1024)
def text_width(text: str, face: Font) -> float:
    """The width of a line of text in pixels; cached, as the same lines recur in every picture."""
    return float(face.getlength(text))


def fine_width(text: str, size: float, face: str) -> float:
    """The width of a line as the screen draws it, where letters need not start on whole pixels."""
    return text_width(text, font(FINE_PX, True, face)) * size / FINE_PX


def wrapped(text: str, face: Font, width: float) -> list[str]:
    """The words in as few lines as the width allows (a single word may be wider)."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, face) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines or [""]


VOWELS = frozenset("aeiouyäöüаеёиоуыэюя")
TOGETHER = ("sch", "ch", "ck", "ph", "th", "sh", "qu")
"""Letters that no break parts."""
LEAST_PART = 2


def fitted(
    text: str, width: float, height: float, largest: int, smallest: int, bold: bool
) -> list[TextLine]:
    """The text's lines at the largest size at which they fit; at the smallest, words are broken,
    and what has no room then is cut."""
    size = max(largest, smallest)
    while True:
        face = font(size, bold)
        lines = [TextLine(line, size, bold) for line in wrapped(text, face, width)]
        wide, high = block_size(lines)
        if wide <= width and high <= height:
            return lines
        if size <= smallest:
            rows = max(1, int(height / (LEADING * size)))
            broken = [part for line in lines for part in hyphenated(line.text, face, width)]
            if len(broken) <= rows:
                lines = [TextLine(part, size, bold) for part in broken]
            return [TextLine(cut(line.text, face, width), size, bold) for line in lines[:rows]]
        size -= 1


def hyphenated(word: str, face: Font, width: float) -> list[str]:
    """A word in two parts as alike as can be, the first with a hyphen, if it is wider than this."""
    if text_width(word, face) <= width:
        return [word]
    ways = [[f"{word[:start]}-", word[start:]] for start in syllables(word)]
    sizes = [max(text_width(part, face) for part in way) for way in ways]
    best = min(zip(sizes, ways, strict=True), default=None)
    return best[1] if best is not None and best[0] <= width else [word]


def syllables(word: str) -> list[int]:
    """Where a word may be broken: before the last consonant that stands before a vowel.

    >>> [word[:n] for word in ("Bogenschützen",) for n in syllables(word)]
    ['Bo', 'Bogen', 'Bogenschüt']
    """
    low, found = word.casefold(), []
    for at in range(2, len(low) - 2):
        if low[at] not in VOWELS and low[at + 1] in VOWELS:
            whole = next((one for one in TOGETHER if low[: at + 1].endswith(one)), low[at])
            start = at + 1 - len(whole)
            if start >= LEAST_PART and VOWELS & {*low[:start]}:
                found.append(start)
    return found


def cut(text: str, face: Font, width: float) -> str:
    """The text, or as much of its beginning as fits with an ellipsis."""
    if text_width(text, face) <= width:
        return text
    while len(text) > 1 and text_width(f"{text}…", face) > width:
        text = text[:-1]
    return f"{text}…"
