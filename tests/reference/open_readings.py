"""What each open reading changes in the answers about some tables, recorded line by line.

`python -m tests.reference.open_readings` records it again, for when an answer changes on purpose.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from companion.games import find
from companion.games.api.rules import ReadingSwitch
from models import Table
from tests.arguments import arguments
from tests.reference.recorded import differences, measured, rounded
from tests.reference.tables import random_table

RECORDED = Path(__file__).with_name("open_readings.json")
GAMES = ("tmg-2021", "tmg-2018")
TABLES_EACH = 3
SEEDS = (300, 302, 304, 317, 348)


def choices() -> Iterator[tuple[ReadingSwitch, str]]:
    """Every reading that players may choose instead of the default."""
    for switch in find(GAMES[0]).switches():
        for choice in switch.choices[1:]:
            yield switch, choice


@cache
def table_of(name: str) -> Table:
    """A random table by its name: its seed, and what was done to it."""
    seed, *done = name.split()
    table = random_table(int(seed), ("crowded", "walls")[int(seed) % 2])
    return measured(table, int(seed)) if "measured" in done else table


def changed(name: str, switch: ReadingSwitch, choice: str) -> list[str]:
    """Where the report differs from the default's."""
    return list(differences(answers(name, ""), answers(name, f"{switch.name}={choice}")))


@cache
def answers(name: str, reading: str) -> Any:
    """The report on a table under a reading, or under the defaults."""
    table = table_of(name)
    game = find(table.game)
    settings = game.settings((reading,) if reading else ())
    return rounded(game.report(table, settings).to_json("")["units"])


@cache
def load() -> dict[str, dict[str, Any]]:
    """What was recorded: by reading and choice, by table."""
    stored: dict[str, dict[str, Any]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return stored


def main() -> None:
    """Find tables on which each reading matters, and record what it changes."""
    names = [f"{seed}{done}" for seed in SEEDS for done in ("", " measured")]
    found: dict[str, dict[str, list[str]]] = {}
    for switch, choice in choices():
        here: dict[str, list[str]] = {}
        for name in names:
            if len(here) == TABLES_EACH:
                break
            if lines := changed(name, switch, choice):
                here[name] = lines[:60]
        if here:  # some readings bear on the course of the game alone
            found[f"{switch.number} {switch.name}={choice}"] = here
    RECORDED.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    arguments()
    main()
