"""Where trays go by the rules in a step, with nothing for the players to choose."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.play import Event
from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charge_move import charge_move
from companion.games.tmg.rules.combat.dice import ChargeRoll
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.report import MiniaturesReport
from models import Pose


def tray_moves(events: Sequence[Event], report: MiniaturesReport | None) -> dict[str, Pose]:
    """A charge that arrives ends aligned with its target; one that fails falls short of it.

    `report` is that of the table before the step.
    """
    ended = next((one.data for one in events if one.type == "charge-ended"), None)
    if ended is None or report is None or ended["unit"] not in report.units:
        return {}
    if not ended["success"]:
        return fallen_short(events, report)
    charge = report.units[ended["unit"]].charges.get(ended["target"])
    if charge is None or not charge.align:
        return {}
    first = charge.align[0]
    moved = {} if first.defender is None else {ended["target"]: first.defender}
    return {ended["unit"]: first.pose, **moved}


def fallen_short(events: Sequence[Event], report: MiniaturesReport) -> dict[str, Pose]:
    """A charge that fails turns to its target and moves as far as it may (TMG-CHG-12, -13)."""
    rolled = next((one.data for one in events if one.type == "charge-rolled"), None)
    if rolled is None:
        return {}
    unit, heading = rolled["unit"], rolled.get("heading")
    if heading is None:
        heading = report.table.unit(unit).pose.heading
    reach, disorderly = float(rolled["reach"]), bool(rolled["disorderly"])
    roll = ChargeRoll(max(rolled["faces"]), reach, False, disorderly, False)
    field = Battlefield(report.table, Readings())
    return {unit: charge_move(field, unit, rolled["target"], float(heading), roll).end}
