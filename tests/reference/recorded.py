"""Answers about many tables, recorded after the slow reference agreed with each of them.

`python -m tests.reference.recorded` records them again, for when an answer changes on purpose: it
prints what changed and stops at the first table on which the reference disagrees. Tables with
measured poses have no reference; what they answer is checked by the tests of doubt, and recorded
as it is.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from companion.games import find
from models import Sigma, Table
from tests.arguments import arguments
from tests.reference.brute import brute
from tests.reference.compare import disagreements
from tests.reference.tables import random_table

RECORDED = Path(__file__).with_name("recorded.json")
HARD = Path(__file__).parent / "hard"
EXACT = range(36)
MEASURED = range(100, 116)


def tables() -> Iterator[tuple[str, Table]]:
    """Every table that is recorded, by name."""
    for path in sorted(HARD.glob("*.table.json")):
        table = Table.load(path)
        yield f"{path.name.removesuffix('.table.json')} {table.game}", table
    for seed in EXACT:
        table = random_table(seed)
        yield f"exact {seed} {table.game}", table
    for seed in MEASURED:
        table = measured(random_table(seed), seed)
        yield f"measured {seed} {table.game}", table


def measured(table: Table, seed: int) -> Table:
    """The same table as a camera would know it."""
    dice = random.Random(seed)
    units = tuple(
        unit.at(replace(unit.pose, sigma=Sigma(dice.uniform(0, 0.2), dice.uniform(0, 1.0))))
        for unit in table.units
    )
    return replace(table, units=units)


def answers(table: Table) -> dict[str, Any]:
    """What the report says about a table, with numbers as precise as they are promised."""
    report = find(table.game).report(table).to_json("recorded")
    kept: dict[str, Any] = rounded(report["units"])
    return kept


def rounded(value: Any) -> Any:
    """Numbers to a thousandth; everything else as JSON gives it back."""
    if isinstance(value, float):
        return round(value, 3) + 0.0
    if isinstance(value, dict):
        return {str(key): rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner) for inner in value]
    return value


def words(value: Any) -> set[str]:
    """Every key in an answer."""
    if isinstance(value, dict):
        return {*value, *(word for inner in value.values() for word in words(inner))}
    return {word for inner in value for word in words(inner)} if isinstance(value, list) else set()


def differences(
    one: Any, two: Any, where: str = "", known: set[str] | None = None
) -> Iterator[str]:
    """Where two answers differ by more than the last digit; with `known`, in those keys alone."""
    if isinstance(one, dict) and isinstance(two, dict):
        for key in sorted({*one, *two}):
            if key not in one and known is not None and key not in known:
                continue  # a fact that nobody told when it was recorded
            if key not in one or key not in two:
                yield f"{where}/{key}: only {'now' if key in two else 'recorded'}"
            else:
                yield from differences(one[key], two[key], f"{where}/{key}", known)
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for at, (left, right) in enumerate(zip(one, two, strict=True)):
            yield from differences(left, right, f"{where}/{at}", known)
    elif isinstance(one, int | float) and isinstance(two, int | float):
        if abs(one - two) > 0.002:
            yield f"{where}: recorded {one}, now {two}"
    elif one != two:
        yield f"{where}: recorded {one}, now {two}"


@cache
def load() -> dict[str, Any]:
    """What was recorded, by the table's name."""
    stored: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return stored


def main() -> None:
    """Record the answers of today; where they changed, only if the reference agrees."""
    old = load() if RECORDED.exists() else {}
    lines = []
    for name, table in tables():
        now = answers(table)
        changed = list(differences(old.get(name, {}), now))
        if changed and not name.startswith("measured"):
            report = find(table.game).report(table).to_json("recorded")
            if wrong := disagreements(table, report, brute(table)):
                sys.exit("\n".join((name, *wrong)))
        for line in changed[:20]:
            print(f"{name}{line}", flush=True)
        kept = json.dumps(now if changed else old[name], separators=(",", ":"))
        lines.append(f"{json.dumps(name)}: {kept}")
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    arguments()
    main()
