"""What an attack's symbols do to its target: hits, losses, capture, retreat (BOW-CMB)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.westeros.combat.die import MORALE, SHIELD, VALOUR

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
