"""The game on the practice table; its armies are those of the table file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion import games
from models import Table, Unit, UnitCard, catalogue
from models.catalogue import DATA

TABLE = DATA / "practice.table.json"
EXTRAS = Path(__file__).parents[1] / "data" / "practice.json"
"""What the table does not show: non-combat units and decks of the practice armies."""


def set_up(table: Table, readings: tuple[str, ...] = ()) -> dict[str, Any]:
    """The command that sets up a game on a table that is already deployed."""
    extras: Mapping[str, Any] = json.loads(EXTRAS.read_text(encoding="utf-8"))
    armies = []
    for side in table.sides():
        units = [written_out(unit, table.game) for unit in table.units if unit.side == side]
        armies.append({"side": side, "units": units, **extras["sides"].get(side, {})})
    return {
        "do": "set-up",
        "game": table.game,
        "mode": table.mode or games.find(table.game).modes(table.game)[0][0],
        "armies": armies,
        "ready": True,
        "first": table.sides()[0],
        "unchecked": True,
        "readings": list(readings),
        "table": table.plain(),
    }


def written_out(unit: Unit, game: str) -> dict[str, Any]:
    """A unit for the set-up: wounds, abilities and cost from its card, the rest from the table."""
    plain = unit.plain()
    tray = plain["tray"] if isinstance(plain["tray"], str) else "infantry"
    kept = ("id", "name", "speed", "defense", "morale", "attacks")
    card = card_of(unit, game)
    known = {"tray": tray} if card is None else {"card": card.id}
    return {**known, **{key: plain[key] for key in kept}}


def card_of(unit: Unit, game: str) -> UnitCard | None:
    """The card with a unit's name and tray; of several versions the one with its numbers."""
    facts = catalogue(game)
    cards = [card for card in facts.units.named(unit.name) if facts.trays[card.tray] == unit.tray]
    numbers = (unit.speed, unit.defense, unit.morale)
    cards.sort(key=lambda card: (card.speed, card.defense, card.morale) != numbers)
    return cards[0] if cards else None


def opening(table: Table) -> tuple[dict[str, Any], ...]:
    """The commands that bring the practice game to its first turn."""
    return ({"do": "continue"}, {"do": "deploy"}, {"do": "table", "table": table.plain()})
