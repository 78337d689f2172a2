"""Pages in millimetres written as PDF: filled shapes, lines and plain text, nothing more.

Written by hand rather than with a library: tags need only rectangles at exact places, every
printed millimetre is then this file's own arithmetic, and the tablet needs no further package.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

POINTS_PER_MM = 72 / 25.4
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""

Point = tuple[float, float]

WIDE = {"i": 222, "l": 222, "j": 222, "t": 278, "f": 278, "r": 333, "m": 833, "w": 722, " ": 278}
"""Widths of Helvetica's letters that are far from the usual 556 thousandths."""


@dataclass
class PdfPage:
    """One sheet; x runs right and y down from the upper left corner, in millimetres."""

    width: float
    height: float
    _lines: list[str] = field(default_factory=list)

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
        self, x: float, y: float, words: str, size_pt: float = 9.0, bold: bool = False
    ) -> None:
        """One line of text whose baseline starts there."""
        safe = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        font = "F2" if bold else "F1"
        self._lines.append(f"BT 0 g /{font} {size_pt:.2f} Tf {self._at(x, y)} Td ({safe}) Tj ET")

    def centred(
        self, x: float, y: float, words: str, size_pt: float = 9.0, bold: bool = False
    ) -> None:
        """One line of text around x."""
        self.text(x - text_mm(words, size_pt) / 2, y, words, size_pt, bold)

    def stream(self) -> bytes:
        """The page's drawing as PDF operators."""
        return "\n".join(self._lines).encode("cp1252", errors="replace")


def text_mm(words: str, size_pt: float) -> float:
    """About how wide a line of text is."""
    return sum(WIDE.get(letter, 556) for letter in words) / 1000 * size_pt / POINTS_PER_MM


def document(pages: Sequence[PdfPage], title: str) -> bytes:
    """The pages as a PDF file that asks printers not to scale it."""
    objects: list[bytes] = []
    first_page = 5
    kids = " ".join(f"{first_page + 2 * number} 0 R" for number in range(len(pages)))
    objects.append(
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>"
    )
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    objects += [
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding >>".encode()
        for font in ("Helvetica", "Helvetica-Bold")
    ]
    for number, page in enumerate(pages):
        box = f"[0 0 {page.width * POINTS_PER_MM:.4f} {page.height * POINTS_PER_MM:.4f}]"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents"
            f" {first_page + 2 * number + 1} 0 R"
            " /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>".encode()
        )
        packed = zlib.compress(page.stream(), 9)
        head = f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + packed + b"\nendstream")
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
