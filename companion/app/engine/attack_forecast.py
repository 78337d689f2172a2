"""The expected result of the attack in progress, from the probabilities the game gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion import games
from companion.text import verdicts
from models import CompanionError


def expected_of(state: Mapping[str, Any]) -> str:
    """The text beside the dice; empty where the game cannot compute the odds."""
    attack = state.get("attack")
    target = state.get("units", {}).get((attack or {}).get("defender"))
    if not attack or not target or target["morale"] is None or not attack["dice"]:
        return ""
    question = {
        "hit": attack["hit"],
        "dice": attack["dice"],
        "defense": target["defense"],
        "morale": target["morale"],
        "zone": attack["zone"],
        "charge": bool(attack["charge_bonus"]),
        "abilities": tuple(attack["abilities"]),
        "models": target["wounds_left"] or None,
    }
    try:
        return verdicts.wounds(games.find(state["game"]).odds(state["game"], question))
    except CompanionError:
        return ""
