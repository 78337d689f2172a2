"""What `check` says about many moves, recorded: legal ones, nearly legal ones, and others.

`python -m tests.games.tmg.recorded_checks` records it again, for when an answer changes on purpose.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from companion.games import find
from models import Pose, Table, Unit
from tests.arguments import arguments
from tests.reference.recorded import differences, measured, rounded, words
from tests.reference.tables import random_table

RECORDED = Path(__file__).with_name("recorded_checks.json")
SEEDS = range(500, 548)


@cache
def table_of(seed: int) -> Table:
    """The table of a seed; every third is measured."""
    table = random_table(seed)
    return measured(table, seed) if seed % 3 == 0 else table


def moves(seed: int) -> Iterator[tuple[str, Unit, Pose]]:
    """Some moves of a table's units by name."""
    dice, table = random.Random(seed), table_of(seed)
    report = find(table.game).report(table).to_json("")["units"]
    for unit in dice.sample(table.units, min(2, len(table.units))):
        pose, speed = unit.pose, unit.speed or 5
        turn = dice.uniform(-60, 60)
        yield "pivot", unit, pose.turned((pose.heading + turn) % 360)
        far = dice.choice((0.5, speed, speed + 0.3, 2 * speed, 2 * speed + 0.5))
        turned = pose.turned((pose.heading + turn) % 360)
        x, y = turned.ahead(far)
        yield "ahead", unit, Pose(x, y, dice.choice((turned.heading, 0.0)), pose.sigma)
        x, y = pose.ahead(*dice.choice(((2.0, 0.0), (0.0, 2.0), (-1.5, 0.0), (0.0, -2.4))))
        yield "slide", unit, Pose(x, y, pose.heading, pose.sigma)
        places = [
            spot for charge in report[unit.id]["charges"].values() for spot in charge["align"]
        ]
        for spot in places[:2]:
            yield "charge", unit, Pose(spot["x"], spot["y"], spot["heading"], pose.sigma)


def checks(seed: int) -> dict[str, Any]:
    """What is said about every move of a table."""
    table, found = table_of(seed), {}
    game = find(table.game)
    for number, (kind, unit, pose) in enumerate(moves(seed)):
        after = table.moved(unit.id, pose)
        found[f"{number} {kind} {unit.id}"] = rounded(dict(game.check(table, after, unit.id)))
    return found


@cache
def load() -> dict[str, Any]:
    """What was recorded, by seed."""
    stored: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return stored


def changed(seed: int) -> list[str]:
    """Where the answers about a table's moves differ from what was recorded."""
    return list(differences(load()[str(seed)], checks(seed), known=words(load())))


def main() -> None:
    """Record all moves."""
    lines = (f'"{seed}": {json.dumps(checks(seed), separators=(",", ":"))}' for seed in SEEDS)
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    arguments()
    main()
