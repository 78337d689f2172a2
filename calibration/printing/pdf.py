"""Pages in millimetres written as PDF: filled shapes, lines and plain text, nothing more.

Written by hand rather than with a library: tags need only rectangles at exact places, every
printed millimetre is then this file's own arithmetic, and the tablet needs no further package.
Text is translated when the document is written; what Helvetica cannot spell takes embedded fonts.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from calibration.printing.truetype import TrueTypeFont, truetype

POINTS_PER_MM = 72 / 25.4
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""

Point = tuple[float, float]

WIDE = {"i": 222, "l": 222, "j": 222, "t": 278, "f": 278, "r": 333, "m": 833, "w": 722, " ": 278}
"""Widths of Helvetica's letters that are far from the usual 556 thousandths."""
RIM_MM = 8.0
"""Left free at the right edge of a page: longer lines are written smaller."""


@dataclass(frozen=True, slots=True)
class SheetText:
    """How the text of a document is written: its language, and fonts for other alphabets."""

    translate: Callable[[str], str] = str
    regular: Path | None = None
    bold: Path | None = None

    def fonts(self, words: Iterable[str]) -> tuple[TrueTypeFont, ...]:
        """The fonts to embed, regular and bold; none where Helvetica has every letter."""
        if self.regular is None or self.bold is None:
            return ()
        try:
            "".join(map(self.translate, words)).encode("cp1252")
        except UnicodeEncodeError:
            return truetype(self.regular), truetype(self.bold)
        return ()


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line of text on a page, around `x` or from there on, and the room it has."""

    x: float
    y: float
    words: str
    size_pt: float
    bold: bool
    centred: bool
    room_mm: float


@dataclass
class PdfPage:
    """One sheet; x runs right and y down from the upper left corner, in millimetres."""

    width: float
    height: float
    _lines: list[str | SheetLine] = field(default_factory=list)

    def _at(self, x: float, y: float) -> str:
        return f"{x * POINTS_PER_MM:.4f} {(self.height - y) * POINTS_PER_MM:.4f}"

    def boxes(self, boxes: Iterable[tuple[float, float, float, float]], grey: float = 0.0) -> None:
        """Filled rectangles (x, y, width, height) as one shape, so that no seams show."""
        parts = [
            f"{self._at(x, y + h)} {w * POINTS_PER_MM:.4f} {h * POINTS_PER_MM:.4f} re"
            for x, y, w, h in boxes
        ]
        self._lines.append(f"{grey:.3f} g {' '.join(parts)} f")

    def shape(self, points: Sequence[Point], grey: float = 0.0) -> None:
        """A filled polygon."""
        first, *rest = (self._at(x, y) for x, y in points)
        path = f"{first} m " + " ".join(f"{point} l" for point in rest)
        self._lines.append(f"{grey:.3f} g {path} h f")

    def line(
        self,
        points: Sequence[Point],
        thick_mm: float = 0.2,
        grey: float = 0.0,
        dash_mm: float = 0.0,
    ) -> None:
        """A line through points, dashed if a dash is given."""
        first, *rest = (self._at(x, y) for x, y in points)
        path = f"{first} m " + " ".join(f"{point} l" for point in rest)
        dash = f"[{dash_mm * POINTS_PER_MM:.3f}] 0 d" if dash_mm else "[] 0 d"
        self._lines.append(f"{dash} {thick_mm * POINTS_PER_MM:.3f} w {grey:.3f} G {path} S")

    def frame(
        self, x: float, y: float, width: float, height: float, dash_mm: float = 0.0, grey: float = 0
    ) -> None:
        """The outline of a rectangle."""
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
        self.line(corners, 0.15, grey, dash_mm)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size_pt: float = 9.0,
        bold: bool = False,
        room_mm: float = 0.0,
    ) -> None:
        """One line of text whose baseline starts there; one too long for its room, else for the
        page, is written smaller."""
        room = room_mm or self.width - RIM_MM - x
        self._lines.append(SheetLine(x, y, words, size_pt, bold, False, room))

    def centred(
        self, x: float, y: float, words: str, size_pt: float = 9.0, bold: bool = False
    ) -> None:
        """One line of text around x."""
        room = 2 * min(x, self.width - x)
        self._lines.append(SheetLine(x, y, words, size_pt, bold, True, room))

    def words(self) -> Iterator[str]:
        """Every text on the page."""
        return (one.words for one in self._lines if isinstance(one, SheetLine))

    def stream(self, lettering: SheetText, fonts: Sequence[TrueTypeFont] = ()) -> bytes:
        """The page's drawing as PDF operators."""
        lines = (
            self._written(one, lettering, fonts) if isinstance(one, SheetLine) else one
            for one in self._lines
        )
        return "\n".join(lines).encode("cp1252", errors="replace")

    def _written(self, line: SheetLine, lettering: SheetText, fonts: Sequence[TrueTypeFont]) -> str:
        words = lettering.translate(line.words)
        font = fonts[line.bold] if fonts else None
        wide = text_mm(words, line.size_pt, font)
        share = min(1.0, line.room_mm / wide) if wide else 1.0
        x = line.x - share * wide / 2 if line.centred else line.x
        safe = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        told = (
            f"({safe})" if font is None else f"<{''.join(f'{font.glyph(c):04x}' for c in words)}>"
        )
        name = "F2" if line.bold else "F1"
        size = line.size_pt * share
        return f"BT 0 g /{name} {size:.2f} Tf {self._at(x, line.y)} Td {told} Tj ET"


def text_mm(words: str, size_pt: float, font: TrueTypeFont | None = None) -> float:
    """How wide a line of text is, in Helvetica about."""
    widths = (font.width(one) if font else WIDE.get(one, 556) for one in words)
    return sum(widths) / 1000 * size_pt / POINTS_PER_MM


HELVETICA = tuple(
    f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding >>".encode()
    for font in ("Helvetica", "Helvetica-Bold")
)


def compressed(data: bytes, more: str = "") -> bytes:
    """A stream object."""
    packed = zlib.compress(data, 9)
    head = f"<< /Length {len(packed)}{more} /Filter /FlateDecode >>\nstream\n".encode()
    return head + packed + b"\nendstream"


def embedded(font: TrueTypeFont, name: str, number: int) -> tuple[bytes, list[bytes]]:
    """A font whose letters are written as numbers of glyphs, and its parts: objects from `number`
    on."""
    head = (
        f"<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H"
        f" /DescendantFonts [{number} 0 R] >>"
    )
    glyphs = (
        f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /CIDToGIDMap /Identity"
        " /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
        f" /FontDescriptor {number + 1} 0 R /W [0 [{' '.join(map(str, font.widths))}]] >>"
    )
    low, high = font.box[1], font.box[3]
    about = (
        f"<< /Type /FontDescriptor /FontName /{name} /Flags 4 /ItalicAngle 0 /StemV 80"
        f" /FontBBox [{' '.join(map(str, font.box))}] /Ascent {high} /Descent {low}"
        f" /CapHeight 700 /FontFile2 {number + 2} 0 R >>"
    )
    file = compressed(font.data, f" /Length1 {len(font.data)}")
    return head.encode(), [glyphs.encode(), about.encode(), file]


PLAIN = SheetText()


def document(pages: Sequence[PdfPage], title: str, lettering: SheetText = PLAIN) -> bytes:
    """The pages as a PDF file that asks printers not to scale it."""
    fonts = lettering.fonts(one for page in pages for one in page.words())
    objects: list[bytes] = []
    first_page = 5
    kids = " ".join(f"{first_page + 2 * number} 0 R" for number in range(len(pages)))
    objects.append(
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>"
    )
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    first_part = first_page + 2 * len(pages)
    parts = [embedded(font, f"Sheet{at}", first_part + 3 * at) for at, font in enumerate(fonts)]
    objects += [head for head, _ in parts] or HELVETICA
    for number, page in enumerate(pages):
        box = f"[0 0 {page.width * POINTS_PER_MM:.4f} {page.height * POINTS_PER_MM:.4f}]"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents"
            f" {first_page + 2 * number + 1} 0 R"
            " /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>".encode()
        )
        objects.append(compressed(page.stream(lettering, fonts)))
    objects += [one for _, more in parts for one in more]
    safe = title.replace("\\", "").replace("(", "").replace(")", "")
    objects.append(f"<< /Title ({safe}) /Producer (table companion) >>".encode("cp1252", "replace"))
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    for place in places:
        out += f"{place:010d} 00000 n \n".encode()
    out += (
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\n"
        f"startxref\n{start}\n%%EOF\n"
    ).encode()
    return bytes(out)
