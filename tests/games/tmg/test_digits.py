"""Numbers of an answer are told as precisely as they are promised, and no further."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from companion.games import find
from companion.games.tmg.rules.charge.charge_move import charge_move
from companion.games.tmg.rules.survey import Survey
from tests.games.tmg.recorded_checks import moves, table_of
from tests.games.tmg.sample_units import BOTH, field, fighter
from tests.reference.recorded import measured
from tests.reference.tables import random_table

DIGITS = {"heading": 3, "probability": 3}
USUAL = 4


def numbers(value: Any, key: str = "") -> Iterator[tuple[str, float]]:
    """Every number with the key it stands under."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from numbers(inner, name)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from numbers(inner, key)
    elif isinstance(value, float):
        yield key, value


def too_long(answer: Any) -> list[tuple[str, float]]:
    """The numbers with more digits than are promised."""
    return [
        (key, number)
        for key, number in numbers(answer)
        if number != round(number, DIGITS.get(key, USUAL))
    ]


@pytest.mark.rule("TMG-CHG-4", "TMG-CHG-9", "TMG-RNG-5", "TMG-LOS-8", "TMG-MEL-3")
@pytest.mark.parametrize("seed", [7, 11, 14])
def test_a_report(seed: int) -> None:
    for table in (random_table(seed), measured(random_table(seed), seed)):
        plain = find(table.game).report(table).to_json("t")["units"]
        assert too_long(plain) == []


@pytest.mark.rule("TMG-MOV-5", "TMG-CHG-17")
@pytest.mark.parametrize("seed", [501, 504])
def test_a_check(seed: int) -> None:
    table = table_of(seed)
    for _, unit, pose in moves(seed):
        found = find(table.game).check(table, table.moved(unit.id, pose), unit.id)
        assert too_long(dict(found)) == []


@pytest.mark.rule("TMG-CHG-12", "TMG-CHG-17")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize("die", [1, 6])
def test_a_charge(game: str, die: int) -> None:
    ground = field(game, fighter("b1", 24, 10), fighter("r1", 25.3, 20.7, 257.3))
    heading = Survey.of(ground.table).report.units["b1"].charges["r1"].heading
    assert heading is not None
    plain = charge_move(ground, "b1", "r1", heading, (die,)).to_json()
    del plain["end"]  # a pose is told as it is in files
    assert too_long(plain) == []
