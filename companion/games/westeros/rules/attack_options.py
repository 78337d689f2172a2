"""Which enemies a unit may attack, how, and with how many dice (BOW-CMB, BOW-ENG, BOW-KEY-3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from companion.games.westeros.rules.movement import ordered_ends
from companion.games.westeros.rules.position import BoardUnit, HexPosition
from companion.games.westeros.rules.sight import sight

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
    base: int | None = None,
) -> int:
    """The dice of an attack: the card's, capped by the ground, then changed (BOW-CMB-4).

    The figures left never change them (BOW-UNT-13). A counterattack ignores what counts "when
    attacking" (BOW-CTR-8), as Off balance and command cards do.
    """
    dice = unit.row.dice if base is None else base
    cap = dice_cap(position, unit, target, counter)
    if cap is not None:
        dice = min(dice, cap)
    return max(0, dice if counter else dice + unit.card_dice + balance_dice(unit))


def balance_dice(unit: BoardUnit) -> int:
    """What a move before the attack takes from its dice."""
    return OFF_BALANCE if unit.has("off-balance") and unit.moved else 0


def ignored_hits(
    position: HexPosition, target: BoardUnit, attacker: BoardUnit | None = None
) -> int:
    """Cover of its hex and Toughness of the unit, which add up (BOW-KEY-3).

    With an attacker: once its attack is declared.
    """
    return building_cover(position, target, attacker) + target.keywords.get("toughness", 0)


def building_cover(
    position: HexPosition, target: BoardUnit, attacker: BoardUnit | None = None
) -> int:
    """Cover 1 in a building, unless it is engaged under its own marker (BOW-TER-13)."""
    if position.field.at(target.cell).word != "building":
        return 0
    if attacker is not None and turns_marker(position, attacker, target):
        return BUILDING_COVER
    return 0 if position.marker(target) == target.side else BUILDING_COVER


def turns_marker(position: HexPosition, attacker: BoardUnit, target: BoardUnit) -> bool:
    """Whether an attack turns the marker between the two before its roll (BOW-ENG-4)."""
    turns = not attacker.ranged or position.field.readings.ranged_marker == "swaps"  # BOW-OR-13
    return turns and position.opponent(attacker) is target


HOUND_RANGE = (2, 3)
"""War hounds reach targets at these distances, never adjacent ones (BOW-KEY-5)."""


@dataclass(frozen=True, slots=True)
class HexAttackAnswer:
    """Whether an enemy may be attacked: the rules against it, or the dice and what comes first."""

    why: tuple[str, ...] = ()
    dice: int = 0
    flank: bool = False
    parting_blow: str = ""
    """The engagement opponent who may strike first, because the attack disengages."""

    @property
    def legal(self) -> bool:
        return not self.why


@cache
def refused(why: tuple[str, ...]) -> HexAttackAnswer:
    """An attack that is not allowed; a large board has tens of thousands."""
    return HexAttackAnswer(why)


def attack_answer(position: HexPosition, unit: BoardUnit, target: BoardUnit) -> HexAttackAnswer:
    """A normal attack: range, line of sight, engagement, dice."""
    if why := attack_refusals(position, unit, target):
        return refused(why)
    striker = parting_striker(position, unit, target)
    return HexAttackAnswer(
        (),
        attack_dice(position, unit, target),
        flanks(position, unit, target),
        striker.id if striker is not None else "",
    )


def parting_striker(
    position: HexPosition, unit: BoardUnit, target: BoardUnit | None = None
) -> BoardUnit | None:
    """Who may strike a parting blow first if a unit moves away, or attacks this target: the unit it
    is engaged with, unless that burns (BOW-PBL-1, BOW-FIR-13, BOW-OR-14)."""
    foe = position.opponent(unit)
    aimed = target is not None and foe is not None and foe.id == target.id
    if foe is None or aimed or foe.cell in position.field.fire:
        return None
    melee_only = position.field.readings.parting_blows == "melee"
    return None if melee_only and foe.ranged else foe


def attack_answers(
    position: HexPosition, unit: BoardUnit, distance: Mapping[str, int]
) -> dict[str, HexAttackAnswer]:
    """The same for every enemy; all those out of range have one answer, but for its opponent."""
    foe = position.opponent(unit)
    beyond: HexAttackAnswer | None = None
    found = {}
    for enemy in position.enemies(unit):
        if distance[enemy.id] <= unit.row.range or enemy is foe:
            found[enemy.id] = attack_answer(position, unit, enemy)
        else:
            beyond = beyond or attack_answer(position, unit, enemy)
            found[enemy.id] = beyond
    return found


def attack_refusals(position: HexPosition, unit: BoardUnit, target: BoardUnit) -> tuple[str, ...]:
    """The rules that forbid an attack."""
    found = list(own_refusals(position, unit))
    far = position.field.distance(unit.cell, target.cell)
    if far > unit.row.range:
        found.append("BOW-LOS-2" if unit.ranged else "BOW-LOS-3")
    elif not (seen := sight(position, unit, target)).clear:
        found += seen.rules
    opponent = position.opponent(unit)
    if unit.ranged and opponent is not None and opponent.id != target.id:
        found.append("BOW-ENG-11")  # a ranged unit disengages only by moving
    return tuple(found)


def own_refusals(position: HexPosition, unit: BoardUnit) -> tuple[str, ...]:
    """What keeps a unit from attacking anybody: its own fire (BOW-FIR-13)."""
    return ("BOW-FIR-13",) if unit.cell in position.field.fire else ()


def targets_in_reach(position: HexPosition, unit: BoardUnit) -> tuple[BoardUnit, ...]:
    """The enemies that an ordered unit may attack before or after its move (BOW-OPT-1)."""
    ways = [position]
    if unit.cell not in position.field.fire:
        ways += [position.moved(unit, cell) for cell in ordered_ends(position, unit, attack=True)]
    return tuple(
        enemy
        for enemy in position.enemies(unit)
        if any(not attack_refusals(way, way.by_id[unit.id], enemy) for way in ways)
    )


def flanks(position: HexPosition, unit: BoardUnit, target: BoardUnit) -> bool:
    """A melee attack on a target that is engaged with another unit (BOW-ENG-5, BOW-OR-16).

    An attacker who leaves its opponent first is unengaged by then, unless read otherwise
    (BOW-OR-17).
    """
    foe = position.opponent(target)
    if unit.ranged or foe is None or foe.id == unit.id:
        return False
    return position.opponent(unit) is None or position.field.readings.leaving_flank == "yes"


def hound_refusals(position: HexPosition, unit: BoardUnit, target: BoardUnit) -> tuple[str, ...]:
    """The rules that forbid the special attack of war hounds (BOW-KEY-4, BOW-KEY-5)."""
    if not unit.has("war-hounds"):
        return ("BOW-KEY-4",)
    found = list(own_refusals(position, unit))
    if position.opponent(unit) is not None and position.field.readings.engaged_hounds == "no":
        found.append("BOW-ENG-8")  # it must attack its opponent (BOW-OR-18)
    far = position.field.distance(unit.cell, target.cell)
    if not HOUND_RANGE[0] <= far <= HOUND_RANGE[1]:
        return (*found, "BOW-KEY-5")
    return (*found, *sight(position, unit, target, hounds=True).rules)
