"""Pictures of tables, recorded shape by shape: role, owner, certainty, place and size.

`python -m tests.games.tmg.recorded_scenes` records them again, for when a picture changes on
purpose; look at the picture (`companion map`) before you keep the new record.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import shapely

from companion.games import find
from companion.overlay.shapes import Circle, Label, Polygon, Polyline, Shape, TableScene, in_words
from companion.text.translation import translate
from models import Table
from tests.arguments import arguments
from tests.reference.recorded import measured
from tests.reference.tables import random_table

RECORDED = Path(__file__).with_name("recorded_scenes.json")
PRACTICE = Path(__file__).parents[3] / "models/data/practice.table.json"


@cache
def tables() -> dict[str, Table]:
    """The tables that are drawn, by name."""
    practice = Table.load(PRACTICE)
    found = {"practice": practice}
    for seed in (2, 3, 6, 10, 14):
        table = random_table(seed)
        found[f"{seed} {table.game}"] = table
    for seed, mode in ((7, "HWS"), (11, "GOT"), (13, "COK")):
        table = measured(random_table(seed), seed)
        found[f"measured {seed} {table.game} {mode}"] = (
            replace(table, mode=mode) if mode in MODES[table.game] else table
        )
    return found


MODES = {game: {word for word, _ in find(game).modes(game)} for game in ("tmg-2021", "tmg-2018")}


def scenes() -> Iterator[tuple[str, Table, str | None]]:
    """Every picture that is recorded: the whole table, and three of its units."""
    for name, table in tables().items():
        yield f"{name} all", table, None
        for unit in table.units[:: max(1, len(table.units) // 3)][:3]:
            yield f"{name} {unit.id}", table, unit.id


def drawn(table: Table, unit: str | None) -> list[str]:
    """A picture's shapes in a line each."""
    scene: TableScene = in_words(find(table.game).scene(table, unit), translate)
    keys = [f"key {key.style} {key.text}" for key in scene.legend]
    return [f"{scene.title} {scene.subtitle}", *keys, *map(line, scene.shapes)]


def line(shape: Shape) -> str:
    """What a shape means, where it is and how large."""
    look = shape.style
    sure = "" if look.sure else " unsure"
    head = f"{look.role} {look.side}{sure} {look.emphasis:.2f} z{shape.z} {' '.join(shape.about)}"
    return f"{head}: {measures(shape)}"


def measures(shape: Shape) -> str:
    """Place and size of a shape, to a twentieth of an inch."""
    numbers: tuple[float, ...]
    if isinstance(shape, Polygon):
        body = shapely.Polygon(shape.outline, shape.holes)
        numbers = (body.centroid.x, body.centroid.y, body.area, body.length)
        return f"polygon {spelled(numbers)}"
    if isinstance(shape, Circle):
        return f"circle {spelled((*shape.centre, shape.radius_in))}"
    if isinstance(shape, Label):
        room = spelled(shape.room_in) if shape.room_in else ""
        return f"label {shape.text!r} {len(shape.spots)} {spelled(shape.spots[0])} {room}"
    assert isinstance(shape, Polyline)
    ends = (*shape.points[0], *shape.points[-1], shape.length_in)
    return f"line {len(shape.points)} {'arrow ' if shape.arrow else ''}{spelled(ends)}"


def spelled(numbers: tuple[float, ...]) -> str:
    """Numbers as far as they are kept."""
    return " ".join(f"{round(20 * number) / 20 + 0.0:.2f}" for number in numbers)


@cache
def load() -> dict[str, Any]:
    """The recorded pictures by name."""
    stored: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return stored


def same(one: str, two: str) -> bool:
    """Whether two lines are the same but for a number that was rounded the other way."""
    if one == two:
        return True
    left, right = one.split(), two.split()
    return len(left) == len(right) and all(map(close, left, right))


def close(one: str, two: str) -> bool:
    """Whether two words are the same, or numbers that differ in the last step kept."""
    try:
        return abs(float(one) - float(two)) < 0.051
    except ValueError:
        return one == two


def main() -> None:
    """Record all pictures."""
    found = {name: drawn(table, unit) for name, table, unit in scenes()}
    text = json.dumps(found, indent=0, ensure_ascii=False)
    RECORDED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    arguments()
    main()
