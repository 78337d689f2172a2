"""Moves trays on the practice table as the game's decisions require, since no player can."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.app.engine.practice_source import PracticeSource
from companion.session.game_lookup import Plain
from models import Pose, Table


def carry_out(
    source: PracticeSource,
    table: Table,
    command: Plain,
    state: Mapping[str, Any],
    answers: Mapping[str, Any],
) -> None:
    """Remove destroyed trays, and move a charger that arrived into contact with its target."""
    for unit in table.units:
        if state["units"].get(unit.id, {}).get("place") == "destroyed":
            source.remove(unit.id)
    if command["do"] == "action" and command.get("action") == "charge":
        mover = str((state.get("attack") or {}).get("attacker") or "")
        charges = answers.get(mover, {}).get("charges", {})
        places = charges.get(command["target"], {}).get("align")
        if places:
            spot = places[0]
            source.move(mover, Pose(spot["x"], spot["y"], spot["heading"]))
