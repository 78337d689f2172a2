"""Moves trays on the practice table as the game's decisions require, since no player can."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from companion.app.engine.practice_source import PracticeSource
from companion.games.api.play import Event, Plain
from models import Pose, Table


def carry_out(
    source: PracticeSource,
    table: Table,
    command: Plain,
    state: Mapping[str, Any],
    answers: Mapping[str, Any],
    events: Sequence[Event] = (),
) -> dict[str, Pose]:
    """Remove destroyed trays, and move a charger: into contact, or as far as its roll allows.

    Returns where the trays go.
    """
    for unit in table.units:
        if state["units"].get(unit.id, {}).get("place") == "destroyed":
            source.remove(unit.id)
    if command["do"] != "action" or command.get("action") != "charge":
        return {}
    mover = str((state.get("attack") or {}).get("attacker") or "")
    charges = answers.get(mover, {}).get("charges", {})
    places = charges.get(command["target"], {}).get("align")
    if places:
        spot = places[0]
        end = Pose(spot["x"], spot["y"], spot["heading"])
        source.move(mover, end)
        return {mover: end}
    return fallen_short(source, table, events)


def fallen_short(source: PracticeSource, table: Table, events: Sequence[Event]) -> dict[str, Pose]:
    """A charge that fails turns to its target and moves as far as it rolled (TMG-CHG-12)."""
    ended = any(one.type == "charge-ended" and not one.data["success"] for one in events)
    rolled = next((one.data for one in events if one.type == "charge-rolled"), None)
    if not ended or rolled is None or rolled["unit"] not in table:
        return {}
    start = table.unit(rolled["unit"]).pose
    heading = start.heading if rolled.get("heading") is None else float(rolled["heading"])
    way, far = math.radians(heading), float(rolled["reach"])
    end = Pose(start.x + far * math.cos(way), start.y + far * math.sin(way), heading)
    source.move(rolled["unit"], end)
    return {rolled["unit"]: end}
