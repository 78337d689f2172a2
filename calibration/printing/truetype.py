"""A TrueType font as a PDF needs it: which glyph draws a letter, and how wide it is."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class TrueTypeFont:
    """The file of a font with its letters; widths in thousandths of the font's size."""

    data: bytes
    glyphs: dict[str, int]
    widths: tuple[int, ...]
    box: tuple[int, int, int, int]

    def glyph(self, letter: str) -> int:
        """The number of a letter's glyph; 0, an empty box, for one that the font does not have."""
        return self.glyphs.get(letter, 0)

    def width(self, letter: str) -> int:
        return self.widths[min(self.glyph(letter), len(self.widths) - 1)]


@cache
def truetype(path: Path) -> TrueTypeFont:
    """The font in a file."""
    data = path.read_bytes()
    (count,) = struct.unpack_from(">H", data, 4)
    tables = {}
    for number in range(count):
        name, _, start, _ = struct.unpack_from(">4sLLL", data, 12 + 16 * number)
        tables[name] = start
    (units,) = struct.unpack_from(">H", data, tables[b"head"] + 18)
    (metrics,) = struct.unpack_from(">H", data, tables[b"hhea"] + 34)
    rows = struct.unpack_from(f">{2 * metrics}H", data, tables[b"hmtx"])
    corners = struct.unpack_from(">4h", data, tables[b"head"] + 36)
    low_x, low_y, high_x, high_y = (round(1000 * one / units) for one in corners)
    return TrueTypeFont(
        data,
        letters(data, tables[b"cmap"]),
        tuple(round(1000 * wide / units) for wide in rows[::2]),
        (low_x, low_y, high_x, high_y),
    )


def letters(data: bytes, start: int) -> dict[str, int]:
    """The glyph of each letter, from the font's table of segments (format 4)."""
    (count,) = struct.unpack_from(">H", data, start + 2)
    for number in range(count):
        (offset,) = struct.unpack_from(">L", data, start + 8 + 8 * number)
        kind, _, _, twice = struct.unpack_from(">4H", data, start + offset)
        if kind == 4:
            return segments(data, start + offset + 14, twice // 2)
    return {}


def segments(data: bytes, start: int, count: int) -> dict[str, int]:
    """The letters of so many segments: ends, a gap, starts, differences, and places of lists."""
    ends = struct.unpack_from(f">{count}H", data, start)
    starts = struct.unpack_from(f">{count}H", data, start + 2 * count + 2)
    deltas = struct.unpack_from(f">{count}H", data, start + 4 * count + 2)
    places = start + 6 * count + 2
    offsets = struct.unpack_from(f">{count}H", data, places)
    found = {}
    for at, (first, last) in enumerate(zip(starts, ends, strict=True)):
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code
            if offsets[at]:
                spot = places + 2 * at + offsets[at] + 2 * (code - first)
                (glyph,) = struct.unpack_from(">H", data, spot)
                if not glyph:
                    continue
            found[chr(code)] = (glyph + deltas[at]) & 0xFFFF
    return found
