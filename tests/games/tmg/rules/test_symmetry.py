"""A table seen in a mirror, from another side, or listed in another order is the same table."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.games.tmg.rules.survey import Survey
from models import Table
from tests.reference.tables import SIZE_IN, random_table
from tests.trials import trials

Text = dict[str, Any]
SEEDS = range(trials(24, 80))
SIGMA = {"xy": 0.03, "heading": 0.4}


def mirrored(table: Text) -> Text:
    """Left and right changed."""
    for unit in table["units"]:
        unit["x"], unit["heading"] = SIZE_IN - unit["x"], (180 - unit["heading"]) % 360
    for piece in table["terrain"]:
        piece["outline"] = [[SIZE_IN - x, y] for x, y in reversed(piece["outline"])]
    return table


def turned(table: Text) -> Text:
    """Seen from the player on the left."""
    for unit in table["units"]:
        unit["x"], unit["y"] = SIZE_IN - unit["y"], unit["x"]
        unit["heading"] = (unit["heading"] + 90) % 360
    for piece in table["terrain"]:
        piece["outline"] = [[SIZE_IN - y, x] for x, y in piece["outline"]]
    return table


def reordered(table: Text) -> Text:
    """Units and pieces listed otherwise."""
    for name in ("units", "terrain"):
        random.Random(len(table["units"])).shuffle(table[name])
    return table


def plain_answers(table: Text, sides: Callable[[str], str] = lambda arc: arc) -> dict[str, Any]:
    """What the report says, but for places and headings; `sides` renames arcs."""
    report = Survey.of(Table.parse(json.dumps(table), "seen")).report.to_json("seen")["units"]
    return {unit: dict(toasts(answers, sides)) for unit, answers in report.items()}


def toasts(answers: Text, sides: Callable[[str], str]) -> Iterator[tuple[str, Any]]:
    """One unit's answers in a form that does not depend on where north is."""
    yield "engaged", sorted(answers["engaged"])
    for name in ("gap", "range", "sees"):
        yield name, answers[name]
    for goal, zone in answers["zone"].items():
        shares = {sides(arc): part for arc, part in zone["shares"].items()}
        yield f"zone {goal}", [sides(zone["answer"]), shares]
    for goal, charge in answers["charges"].items():
        said = [charge[name] for name in ("answer", "needs", "chance", "distance")]
        contacts = sorted(place["contact"] for place in charge["align"])
        yield f"charge {goal}", [*said, sorted(charge["why"]), sorted(charge["effects"]), contacts]
    for goal, shot in answers["shots"].items():
        said = [shot[name] for name in ("answer", "attack")]
        yield f"shot {goal}", [*said, sorted(shot["why"]), sorted(shot["panics"])]
    yield "moves", {name: move["answer"] for name, move in answers["moves"].items()}


def left_for_right(arc: str) -> str:
    """The arc in a mirror."""
    return {"left": "right", "right": "left"}.get(arc, arc)


def same(one: Any, other: Any) -> bool:
    """Whether two sayings agree, numbers to a thousandth of an inch or two."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 2e-3
    return bool(one == other)


@pytest.mark.rule("TMG-LOS-8", "TMG-CHG-4")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_answers_do_not_depend_on_where_one_stands(seed: int) -> None:
    def table() -> Text:
        text: Text = json.loads(random_table(seed).text())
        if seed % 3 == 0:
            for unit in text["units"]:
                unit["sigma"] = SIGMA
        return text

    here = plain_answers(table())
    assert same(here, plain_answers(turned(table())))
    assert same(here, plain_answers(reordered(table())))
    assert same(here, plain_answers(mirrored(table()), left_for_right))
