"""The whole report by sampling: what the rules say about one pair of units, or about a table."""

from __future__ import annotations

from dataclasses import dataclass

from models import Table, Unit
from tests.reference.charge import ChargeTruth, charge
from tests.reference.ground import Sure, arrow_range, engaged, gap, some
from tests.reference.retreat import retreat
from tests.reference.room import negate
from tests.reference.shot import ShotTruth, shot
from tests.reference.sight import sees
from tests.reference.zone import ZoneTruth


@dataclass(frozen=True, slots=True)
class PairTruth:
    """What one unit can do about one enemy."""

    range: float
    sees: Sure
    zone: ZoneTruth
    charge: ChargeTruth
    shot: ShotTruth


@dataclass(frozen=True, slots=True)
class UnitTruth:
    """Everything about one unit."""

    engaged: dict[str, Sure]
    gap: dict[str, float]
    pairs: dict[str, PairTruth]
    moves: dict[str, Sure]


def pair(table: Table, unit: Unit, target: Unit, far: bool = True) -> PairTruth:
    """Everything about one unit and one enemy of it; `far`: distances of forbidden charges too."""
    run = charge(table, unit, target, far)
    return PairTruth(arrow_range(unit, target), run.sees, run.zone, run, shot(table, unit, target))


def moves(table: Table, unit: Unit) -> dict[str, Sure]:
    """Which moves a unit may perform (TMG-MAN-1, TMG-MAR-1, TMG-RET-1, TMG-RET-9)."""
    held = some(engaged(table, unit).values())
    return {"maneuver": negate(held), "march": negate(held), "retreat": retreat(table, unit)}


def brute(table: Table, far: bool = True) -> dict[str, UnitTruth]:
    """The whole table."""
    return {
        unit.id: UnitTruth(
            engaged(table, unit),
            {other.id: gap(unit, other) for other in table.units if other.id != unit.id},
            {enemy.id: pair(table, unit, enemy, far) for enemy in table.enemies(unit)},
            moves(table, unit),
        )
        for unit in table.units
    }


__all__ = ["PairTruth", "UnitTruth", "brute", "charge", "moves", "pair", "sees", "shot"]
