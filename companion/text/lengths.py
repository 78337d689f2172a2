"""Formatting of lengths: in inches, as in the rules, or in centimetres; with a decimal point or
comma.

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

from models.message import check_template

CM_PER_IN = 2.54
SIGNS = ("″", '"')
"""The inch signs that templates write after a number."""
WRITTEN = re.compile(r'(?<![\w"])(\d+(?:\.\d+)?)[″"]')
"""A literal length in a template; a number in quotes is not one."""
SHOWN = re.compile(r"(?<!\d)(\d+(?:[.,]\d+)?)″")
"""A length in a text whose template is unknown."""
PERCENT = re.compile(r"(?<=\d) ?%")


@dataclass(frozen=True, slots=True)
class LengthFormat:
    """How lengths are written: in inches unless cm and mm have names; and the decimal mark."""

    centi: str = ""
    milli: str = ""
    mark: str = "."

    def number(self, value: float, digits: int) -> str:
        return self._marked(f"{value:.{digits}f}")

    def length(self, inches: float, digits: int = 2) -> str:
        """A length; `digits` applies to inches."""
        if self.centi:
            return f"{self.number(inches * CM_PER_IN, 1)} {self.centi}"
        return f"{self.number(inches, digits)}″"

    def short(self, inches: float) -> str:
        """A length that players set with a ruler, without needless digits."""
        if self.centi:
            return f"{inches * CM_PER_IN:.0f} {self.centi}"
        return self._marked(f"{inches:g}″")

    def limit(self, inches: float) -> str:
        """A length from the rules: whole inches without decimals; centimetres like any length."""
        return self.length(inches) if self.centi else self._marked(f"{inches:g}″")

    def printed(self, inches: float) -> str:
        """Inches as printed on a card, followed by the same length in the current unit."""
        card = self._marked(f"{inches:g}")
        return f"{card} ({self.length(inches)})" if self.centi else card

    def fine(self, inches: float) -> str:
        """A small measurement error."""
        if self.centi:
            return f"{self.number(inches * CM_PER_IN * 10, 2)} {self.milli}"
        return f"{self.number(inches, 3)}″"

    def filled(self, pattern: str, values: Mapping[str, Any]) -> str:
        """A template filled with its values; a number before an inch sign is a length."""
        check_template(pattern)
        if self == INCHES:
            return pattern.format_map(values)
        told = ""
        signed = False  # whether the next inch sign was already written with the value before it
        for piece in pieces(pattern):
            told += WRITTEN.sub(self._shown, piece.before[signed:])
            value = values[piece.name] if piece.name else ""
            numeric = isinstance(value, int | float)
            signed = bool(self.centi) and piece.signed and numeric
            shown = self.length(float(value)) if signed else piece.template.format_map(values)
            told += self._marked(shown) if numeric else shown
        return told

    def plain(self, text: str) -> str:
        """Convert the lengths in a text without values; only the true inch sign marks a length."""
        return text if self == INCHES else SHOWN.sub(self._shown, text)

    def _shown(self, found: re.Match[str]) -> str:
        number = float(found[1].replace(",", "."))  # it may have been formatted before
        return self.length(number) if self.centi else self._marked(found[0])

    def _marked(self, digits: str) -> str:
        """A number as the language writes it: its decimal mark, and with a comma also a true minus
        sign and a space before the per cent."""
        if self.mark == ".":
            return digits
        return digits.replace(".", self.mark).replace("-", "−").replace("%", " %")


INCHES = LengthFormat()


def whole_percent(text: str) -> str:
    """The text as it is shown: no line begins with a per cent sign, and all are written one way.

    >>> whole_percent("15% or 67 %").split(" ")
    ['15\\xa0%', 'or', '67\\xa0%']
    """
    return PERCENT.sub("\N{NO-BREAK SPACE}%", text)


class LengthPart(NamedTuple):
    """A part of a template: literal text, then a value, perhaps followed by an inch sign."""

    before: str
    name: str
    template: str
    signed: bool


@lru_cache(maxsize=1024)
def pieces(pattern: str) -> tuple[LengthPart, ...]:
    """Split a template into its parts."""
    parsed = list(Formatter().parse(pattern))
    after = [before for before, *_ in parsed[1:]] + [""]
    found = []
    for (before, name, spec, how), behind in zip(parsed, after, strict=True):
        shown = f"!{how}" * bool(how) + f":{spec}" * bool(spec)
        template = f"{{{name}{shown}}}" if name else ""
        found.append(LengthPart(before, name or "", template, behind.startswith(SIGNS)))
    return tuple(found)
