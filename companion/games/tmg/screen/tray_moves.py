"""Where trays go by the rules in a step, with nothing for the players to choose."""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.games.api.play import Event
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
    """A charge that fails turns to its target and moves as far as it rolled (TMG-CHG-12)."""
    rolled = next((one.data for one in events if one.type == "charge-rolled"), None)
    if rolled is None:
        return {}
    start = report.table.unit(rolled["unit"]).pose
    heading = start.heading if rolled.get("heading") is None else float(rolled["heading"])
    way, far = math.radians(heading), float(rolled["reach"])
    end = Pose(start.x + far * math.cos(way), start.y + far * math.sin(way), heading)
    return {rolled["unit"]: end}
