"""Which enemies a unit may attack from where it stands, and how (BOW-CMB, BOW-ENG)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.westeros.combat.attack_dice import attack_dice
from companion.games.westeros.rules.board_unit import BoardUnit
from companion.games.westeros.rules.movement import ordered_ends
from companion.games.westeros.rules.position import HexPosition
from companion.games.westeros.rules.sight import sight

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


def attack_answer(position: HexPosition, unit: BoardUnit, target: BoardUnit) -> HexAttackAnswer:
    """A normal attack: range, line of sight, engagement, dice."""
    if why := attack_refusals(position, unit, target):
        return HexAttackAnswer(why)
    opponent = position.opponent(unit)
    leaves = opponent is not None and opponent.id != target.id
    return HexAttackAnswer(
        (),
        attack_dice(position, unit, target),
        flanks(position, unit, target),
        opponent.id if leaves and opponent is not None else "",
    )


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
