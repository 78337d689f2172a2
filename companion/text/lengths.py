"""How lengths are told: in inches as the rules have them, or in centimetres where players like to;
10.2 here, 10,2 there.

>>> metric, german = LengthFormat("cm", "mm"), LengthFormat(mark=",")
>>> LengthFormat().length(0.614), metric.length(0.614), german.length(0.614)
('0.61″', '1.6 cm', '0,61″')
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

from models.lazy_message import check_template

CM_PER_IN = 2.54
SIGNS = ("″", '"')
"""How templates write inches behind a number."""
WRITTEN = re.compile(r'(?<![\w"])(\d+(?:\.\d+)?)[″"]')
"""A length that stands in a template itself; a number between quotes is none."""
SHOWN = re.compile(r"(?<!\d)(\d+(?:[.,]\d+)?)″")
"""A length in a text whose template nobody knows any more."""


@dataclass(frozen=True, slots=True)
class LengthFormat:
    """Inches, unless a centimetre and a millimetre have names here; and the mark of decimals."""

    centi: str = ""
    milli: str = ""
    mark: str = "."

    def number(self, value: float, digits: int) -> str:
        """A number that is no length."""
        return self._marked(f"{value:.{digits}f}")

    def length(self, inches: float, digits: int = 2) -> str:
        """A length; so many digits where it is told in inches."""
        if self.centi:
            return f"{self.number(inches * CM_PER_IN, 1)} {self.centi}"
        return f"{self.number(inches, digits)}″"

    def short(self, inches: float) -> str:
        """A length that people set with a ruler, without needless digits."""
        if self.centi:
            return f"{inches * CM_PER_IN:.0f} {self.centi}"
        return self._marked(f"{inches:g}″")

    def limit(self, inches: float) -> str:
        """A length of the rules: whole inches are whole, centimetres as exact as measured ones."""
        return self.length(inches) if self.centi else self._marked(f"{inches:g}″")

    def printed(self, inches: float) -> str:
        """A number of inches as it stands on a card, with what it is here."""
        card = self._marked(f"{inches:g}")
        return f"{card} ({self.length(inches)})" if self.centi else card

    def fine(self, inches: float) -> str:
        """A small error."""
        if self.centi:
            return f"{self.number(inches * CM_PER_IN * 10, 2)} {self.milli}"
        return f"{self.number(inches, 3)}″"

    def filled(self, pattern: str, values: Mapping[str, Any]) -> str:
        """A template with its values: numbers with the sign of inches behind them are lengths."""
        check_template(pattern)
        if self == INCHES:
            return pattern.format_map(values)
        told = ""
        signed = False  # whether the sign of inches in front was told with the value before it
        for piece in pieces(pattern):
            told += WRITTEN.sub(self._shown, piece.before[signed:])
            value = values[piece.name] if piece.name else ""
            numeric = isinstance(value, int | float)
            signed = bool(self.centi) and piece.signed and numeric
            shown = self.length(float(value)) if signed else piece.template.format_map(values)
            told += self._marked(shown) if numeric else shown
        return told

    def plain(self, text: str) -> str:
        """A text without values; nothing but the true sign of inches makes a number a length."""
        return text if self == INCHES else SHOWN.sub(self._shown, text)

    def _shown(self, found: re.Match[str]) -> str:
        number = float(found[1].replace(",", "."))  # it may have been told before
        return self.length(number) if self.centi else self._marked(found[0])

    def _marked(self, digits: str) -> str:
        return digits.replace(".", self.mark)


INCHES = LengthFormat()


class LengthPart(NamedTuple):
    """A stretch of a template: plain words, then a value, perhaps with a sign of inches behind."""

    before: str
    name: str
    template: str
    signed: bool


@lru_cache(maxsize=1024)
def pieces(pattern: str) -> tuple[LengthPart, ...]:
    """A template in pieces."""
    parsed = list(Formatter().parse(pattern))
    after = [before for before, *_ in parsed[1:]] + [""]
    found = []
    for (before, name, spec, how), behind in zip(parsed, after, strict=True):
        shown = f"!{how}" * bool(how) + f":{spec}" * bool(spec)
        template = f"{{{name}{shown}}}" if name else ""
        found.append(LengthPart(before, name or "", template, behind.startswith(SIGNS)))
    return tuple(found)
