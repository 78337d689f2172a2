"""How lengths are told: in inches as the rules have them, or in centimetres where players like to.

>>> metric = Ruler("cm", "mm")
>>> Ruler().length(0.614), metric.length(0.614)
('0.61″', '1.6 cm')
>>> metric.filled("{unit} moved {far:.1f}″, 2″ is the most", {"unit": "b2", "far": 5.3})
'b2 moved 13.5 cm, 5.1 cm is the most'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import Formatter
from typing import Any, NamedTuple

CM_PER_IN = 2.54
SIGNS = ("″", '"')
"""How templates write inches behind a number."""
WRITTEN = re.compile(r'(?<![\w"])(\d+(?:\.\d+)?)[″"]')
"""A length that stands in a template itself; a number between quotes is none."""
SHOWN = re.compile(r"(\d+(?:\.\d+)?)″")
"""A length in a text whose template nobody knows any more."""


@dataclass(frozen=True, slots=True)
class Ruler:
    """Inches, unless a centimetre and a millimetre have names here."""

    centi: str = ""
    milli: str = ""

    def length(self, inches: float, digits: int = 2) -> str:
        """A length; so many digits where it is told in inches."""
        if self.centi:
            return f"{inches * CM_PER_IN:.1f} {self.centi}"
        return f"{inches:.{digits}f}″"

    def short(self, inches: float) -> str:
        """A length that people set with a ruler, without needless digits."""
        return f"{inches * CM_PER_IN:.0f} {self.centi}" if self.centi else f"{inches:g}″"

    def limit(self, inches: float) -> str:
        """A length of the rules: whole inches are whole, centimetres as exact as measured ones."""
        return self.length(inches) if self.centi else f"{inches:g}″"

    def printed(self, inches: float) -> str:
        """A number of inches as it stands on a card, with what it is here."""
        return f"{inches:g} ({self.length(inches)})" if self.centi else f"{inches:g}"

    def fine(self, inches: float) -> str:
        """A small error."""
        return f"{inches * CM_PER_IN * 10:.2f} {self.milli}" if self.centi else f"{inches:.3f}″"

    def filled(self, pattern: str, values: Mapping[str, Any]) -> str:
        """A template with its values: numbers with the sign of inches behind them are lengths."""
        if not self.centi:
            return pattern.format_map(values)
        told = ""
        signed = False  # whether the sign of inches in front was told with the value before it
        for piece in pieces(pattern):
            told += WRITTEN.sub(self._shown, piece.before[signed:])
            value = values[piece.name] if piece.name else ""
            signed = piece.signed and isinstance(value, int | float)
            told += self.length(float(value)) if signed else piece.template.format_map(values)
        return told

    def plain(self, text: str) -> str:
        """A text without values; nothing but the true sign of inches makes a number a length."""
        return SHOWN.sub(self._shown, text) if self.centi else text

    def _shown(self, found: re.Match[str]) -> str:
        return self.length(float(found[1]))


INCHES = Ruler()


class Piece(NamedTuple):
    """A stretch of a template: plain words, then a value, perhaps with a sign of inches behind."""

    before: str
    name: str
    template: str
    signed: bool


@lru_cache(maxsize=1024)
def pieces(pattern: str) -> tuple[Piece, ...]:
    """A template in pieces."""
    parsed = list(Formatter().parse(pattern))
    after = [before for before, *_ in parsed[1:]] + [""]
    found = []
    for (before, name, spec, how), behind in zip(parsed, after, strict=True):
        shown = f"!{how}" * bool(how) + f":{spec}" * bool(spec)
        template = f"{{{name}{shown}}}" if name else ""
        found.append(Piece(before, name or "", template, behind.startswith(SIGNS)))
    return tuple(found)
