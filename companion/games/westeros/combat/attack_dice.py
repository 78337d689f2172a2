"""How many dice an attack rolls, and how many hits its target ignores (BOW-CMB-4, BOW-KEY-3)."""

from __future__ import annotations

from companion.games.westeros.rules.board_unit import BoardUnit
from companion.games.westeros.rules.position import HexPosition

HILL_CAP = 3
"""Against a unit on a hill, unless the attacker stands on one too (BOW-TER-4)."""
WOODS_CAP = 2
"""Against and by a unit in forest (BOW-TER-7)."""
BUILDING_CAP = 2
"""By ranged attackers in a building (BOW-TER-14)."""
FORD_CAP = 2
"""Counterattacks by a unit on a ford (BOW-TER-32)."""
OFF_BALANCE = -1
"""If the unit moved before its attack (BOW-KEY-11)."""
BUILDING_COVER = 1


def dice_cap(
    position: HexPosition, unit: BoardUnit, target: BoardUnit, counter: bool = False
) -> int | None:
    """The most dice that the ground allows, before modifiers; None without a limit."""
    mine, theirs = position.field.at(unit.cell).word, position.field.at(target.cell).word
    caps = []
    if theirs == "hill" and mine != "hill":
        caps.append(HILL_CAP)
    if "forest" in (mine, theirs):
        caps.append(WOODS_CAP)
    if mine == "building" and unit.ranged:
        caps.append(BUILDING_CAP)
    if counter and mine == "ford":
        caps.append(FORD_CAP)
    return min(caps, default=None)


def attack_dice(
    position: HexPosition,
    unit: BoardUnit,
    target: BoardUnit,
    counter: bool = False,
    more: int = 0,
    base: int | None = None,
) -> int:
    """The dice of an attack: the card's, capped by the ground, then changed (BOW-CMB-4).

    The figures left never change them (BOW-UNT-13). `more` comes from command cards. A
    counterattack ignores what counts "when attacking" (BOW-CTR-8), as Off balance does.
    """
    dice = unit.row.dice if base is None else base
    cap = dice_cap(position, unit, target, counter)
    if cap is not None:
        dice = min(dice, cap)
    if unit.has("off-balance") and unit.moved and not counter:
        dice += OFF_BALANCE
    return max(0, dice + more)


def ignored_hits(position: HexPosition, target: BoardUnit) -> int:
    """Cover of its hex and Toughness of the unit, which add up (BOW-KEY-3)."""
    return building_cover(position, target) + target.keywords.get("toughness", 0)


def building_cover(position: HexPosition, target: BoardUnit) -> int:
    """Cover 1 in a building, unless it is engaged under its own marker (BOW-TER-13)."""
    if position.field.at(target.cell).word != "building":
        return 0
    return 0 if position.marker(target) == target.side else BUILDING_COVER
