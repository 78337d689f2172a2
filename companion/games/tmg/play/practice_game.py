"""The game on the practice table: its armies from the table file, up to its first turn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.games.api.play import Plain
from companion.games.tmg.rules.modes.mode_facts import modes
from models import Table, Unit, UnitCard, catalogue
from models.catalogue import DATA, Catalogue, gather
from models.field import load_json
from models.unit import overlap_depth

TABLE = DATA / "practice.table.json"
GAME = "tmg-2021"
"""The edition that the practice table is for."""
EXTRAS = Path(__file__).parents[1] / "data" / "practice.json"
"""What the table does not show: non-combat units and decks of the practice armies."""


def practice_table(path: Path) -> Table:
    """A table that was laid out for the shipped trays, with trays of the players' own sizes.

    A tray that would overlap another one now is pushed away from it until they touch.
    """
    root = load_json(path)
    game = root.member("game").choice(Catalogue.games())
    shipped, own = Table.read(root, gather(game, None)), catalogue(game).trays
    units: list[Unit] = []
    for unit in shipped.units:
        resized = replace(unit, tray=own.get(unit.tray.name, unit.tray))
        for other in units:
            resized = separated(resized, other)
        units.append(resized)
    return replace(shipped, units=tuple(units))


def separated(unit: Unit, other: Unit) -> Unit:
    """The unit just beyond the nearest edge of another one that it overlaps."""
    depth = overlap_depth(unit, other)
    if not depth:
        return unit
    ways = [other.pose.turned(other.pose.heading + turn) for turn in (0, 90, 180, 270)]
    moved = []
    for way in ways:
        ahead = way.ahead(depth, 0.0)
        x, y = unit.pose.x + ahead[0] - way.x, unit.pose.y + ahead[1] - way.y
        moved.append(unit.at(replace(unit.pose, x=x, y=y)))
    return min(moved, key=lambda one: overlap_depth(one, other))


def set_up(table: Table) -> dict[str, Any]:
    """The command that sets up a game on a table that is already deployed."""
    extras: Mapping[str, Any] = json.loads(EXTRAS.read_text(encoding="utf-8"))
    armies = []
    for side in table.sides():
        units = [written_out(unit, table.game) for unit in table.units if unit.side == side]
        armies.append({"side": side, "units": units, **extras["sides"].get(side, {})})
    return {
        "do": "set-up",
        "game": table.game,
        "mode": table.mode or modes(table.game)[0].key,
        "armies": armies,
        "ready": True,
        "first": table.sides()[0],
        "unchecked": True,
        "table": table.to_json(),
    }


def written_out(unit: Unit, game: str) -> dict[str, Any]:
    """A unit for the set-up: wounds, abilities and cost from its card, the rest from the table."""
    plain = unit.to_json()
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
    return ({"do": "continue"}, {"do": "deploy"}, {"do": "table", "table": table.to_json()})


def practice_commands(file: Path | None = None) -> Sequence[Plain]:
    """The set-up and the opening on a table file: the shipped one, or another."""
    table = practice_table(file or TABLE)
    return set_up(table), *opening(table)
