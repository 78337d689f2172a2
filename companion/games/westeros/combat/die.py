"""The eight-sided die (BOW-CMP-2), and what its symbols do to the target of an attack (BOW-CMB)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from models.field import Field
from models.message import joined, say

GREEN, BLUE, RED, VALOUR, MORALE = "G", "B", "R", "V", "M"
SYMBOLS = (GREEN, BLUE, RED, VALOUR, MORALE)
FACES = (GREEN, GREEN, GREEN, BLUE, BLUE, RED, VALOUR, MORALE)
"""The symbol of each of the eight faces."""
SIDES = len(FACES)
SHARES = Counter(FACES)
"""How many faces show each symbol."""
SHIELD = {"green": GREEN, "blue": BLUE, "red": RED}
"""The shield that hits a rank (BOW-CMB-5)."""
SYMBOL_NAMES = {
    GREEN: say("green"),
    BLUE: say("blue"),
    RED: say("red"),
    VALOUR: say("valour"),
    MORALE: say("morale"),
}
SIGNS = {GREEN: "▲", BLUE: "●", RED: "◆", VALOUR: "★", MORALE: "⚑"}
SYMBOL_WORDS = {one: joined((SIGNS[one], SYMBOL_NAMES[one]), " ") for one in SYMBOLS}
"""The name of each symbol after its sign, which tells it without colour."""


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


NEXT_RANK = {"green": "blue", "blue": "red", "red": "red"}


@dataclass(frozen=True, slots=True)
class HitRule:
    """Which symbols hit a target."""

    shield: str
    valour: bool

    def hits(self, rolled: Mapping[str, int]) -> int:
        """The hits among rolled symbols, before Cover and Toughness (BOW-CMB-5, BOW-CMB-6)."""
        return rolled.get(self.shield, 0) + (rolled.get(VALOUR, 0) if self.valour else 0)

    def hit_by(self, symbol: str) -> bool:
        return symbol == self.shield or (symbol == VALOUR and self.valour)


def hit_rule(
    rank: str,
    attacker_kind: str = "foot",
    target_kind: str = "foot",
    heavy_armour: bool = False,
    no_valour: bool = False,
) -> HitRule:
    """The symbols that hit a target of a rank.

    Valour of a unit that is no cavalry never hits cavalry (BOW-CMB-7). Heavy armour is attacked as
    one rank higher; a red unit ignores valour instead (BOW-KEY-9, BOW-KEY-10).
    """
    valour = not no_valour and (attacker_kind == "cavalry" or target_kind != "cavalry")
    if heavy_armour:
        valour = valour and rank != "red"
        rank = NEXT_RANK[rank]
    return HitRule(SHIELD[rank], valour)


NOT_ENTERED = 99
"""Stands for the capture value of a card that nobody has entered: more hits than any attack has."""


@dataclass(frozen=True, slots=True)
class UnitLoss:
    """What hits do to a unit: figures removed, and whether its commander is captured."""

    figures: int
    captured: bool = False
    eliminated: bool = False


def losses(
    hits: int, figures: int, capture: int | None = None, leftover_counts: bool = True
) -> UnitLoss:
    """The losses from the hits of one attack, the banner bearer last (BOW-UNT-11, BOW-UNT-12).

    In a commander unit (`capture` is its capture value) only a commander alone can be captured, by
    at least that many hits of one attack; fewer do nothing (BOW-CDR-8, BOW-CDR-9). Hits left over
    after the last other figure count, unless read strictly (BOW-OR-8).
    """
    if capture is None:
        lost = min(hits, figures)
        return UnitLoss(lost, False, lost == figures)
    others = figures - 1
    lost = min(hits, others)
    rest = hits - lost
    alone = others == 0 or leftover_counts
    if alone and rest >= capture:
        return UnitLoss(figures, True, True)
    return UnitLoss(lost)


def retreats(rolled: Mapping[str, int]) -> int:
    """The hexes that a surviving target must retreat: 1 per morale symbol (BOW-CMB-9)."""
    return rolled.get(MORALE, 0)
