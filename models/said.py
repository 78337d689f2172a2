"""A sentence that remembers how it was made, so that it can be told in another language.

>>> told = say("{unit} suffers {n} wound", "{unit} suffers {n} wounds", unit="r2", n=3)
>>> told
'r2 suffers 3 wounds'
>>> told.pattern, told.values["unit"]
('{unit} suffers {n} wounds', 'r2')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Said(str):
    """An English text everywhere a text is expected; besides, its template and the values in it.

    A sentence that counts has a second template for every number but 1, and its number is `n`.
    Values may be sentences themselves.
    """

    __slots__ = ("many", "one", "values")
    one: str
    many: str
    values: Mapping[str, Any]

    @property
    def pattern(self) -> str:
        """The template it was made from."""
        return self.many if self.many and self.values["n"] != 1 else self.one

    def __str__(self) -> str:
        return self  # so that an error, too, hands on the sentence and not a copy of its letters


def say(one: str, many: str = "", /, **values: Any) -> Said:
    """A sentence from its English template."""
    if isinstance(one, Said) and not values:
        return one
    pattern = many if many and values["n"] != 1 else one
    said = Said(pattern.format_map(values) if values else pattern)
    said.one, said.many, said.values = one, many, values or NOTHING
    return said


def joined(parts: Iterable[str], between: str = ", ") -> str:
    """Parts one after the other, each still to be told in another language by itself."""
    found = tuple(parts)
    if len(found) < 2:
        return found[0] if found else ""
    pattern, names = row(len(found), between)
    said = Said(between.join(found))
    said.one, said.many, said.values = pattern, "", dict(zip(names, found, strict=True))
    return said


@lru_cache(maxsize=64)
def row(count: int, between: str) -> tuple[str, tuple[str, ...]]:
    """The template of so many parts, and their names in it."""
    names = tuple(f"part{number}" for number in range(count))
    return between.join(f"{{{name}}}" for name in names), names
