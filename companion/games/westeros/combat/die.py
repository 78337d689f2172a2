"""The eight-sided die with five symbols (BOW-CMP-2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from models.field import Field
from models.lazy_message import say

GREEN, BLUE, RED, VALOUR, MORALE = "G", "B", "R", "V", "M"
SYMBOLS = (GREEN, BLUE, RED, VALOUR, MORALE)
FACES = (GREEN, GREEN, GREEN, BLUE, BLUE, RED, VALOUR, MORALE)
"""The symbol of each of the eight faces."""
SIDES = len(FACES)
SHARES = Counter(FACES)
"""How many faces show each symbol."""
SHIELD = {"green": GREEN, "blue": BLUE, "red": RED}
"""The shield that hits a rank (BOW-CMB-5)."""
SYMBOL_WORDS = {
    GREEN: say("green shield"),
    BLUE: say("blue shield"),
    RED: say("red shield"),
    VALOUR: say("valour"),
    MORALE: say("morale"),
}


def symbol(face: int) -> str:
    """The symbol of a face numbered from 1."""
    return FACES[face - 1]


def read_symbols(field: Field, count: int | None = None) -> tuple[str, ...]:
    """Symbols that players rolled, as letters or as faces from 1 to 8, so many of them."""
    found = []
    for item in field.items(40):
        if isinstance(item.raw, str):
            found.append(item.choice(SYMBOLS))
        else:
            found.append(symbol(item.whole(1, SIDES)))
    if count is not None and len(found) != count:
        field.fail(say("{given} dice given, {count} rolled", given=len(found), count=count))
    return tuple(found)


def counted(symbols: Iterable[str]) -> dict[str, int]:
    """How often each symbol was rolled."""
    rolled = Counter(symbols)
    return {one: rolled[one] for one in SYMBOLS if rolled[one]}
