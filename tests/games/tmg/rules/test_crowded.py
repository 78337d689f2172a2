"""Tables far more crowded, or far less sure, than any game: answered in time, and coarser."""

from __future__ import annotations

import json
import math
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.games.tmg.rules import battlefield
from companion.games.tmg.rules.charge import charge_paths
from companion.games.tmg.rules.survey import Survey
from companion.geometry.plane.answer import Answer
from models import Table
from models.catalogue import DATA
from tests.games.tmg.chargers import across, attacker, enemy, measured

MOST_SECONDS = 20
"""Of a busy machine; a quiet one needs 2, and the table below took more than a minute."""


def star(number: int) -> dict[str, Any]:
    """A piece of forty corners."""
    x, y = 6 + number % 3 * 18, 6 + number // 3 * 18
    far = [2 if corner % 2 else 1.2 for corner in range(40)]
    turns = [math.tau * corner / 40 for corner in range(40)]
    outline = [[x + r * math.cos(a), y + r * math.sin(a)] for r, a in zip(far, turns, strict=True)]
    return {"id": f"t{number}", "keywords": ["rough", "hindering"], "outline": outline}


@pytest.mark.long
def test_very_unsure_units_among_much_terrain_take_seconds(tmp_path: Path) -> None:
    units = [
        {
            "id": f"u{number}",
            "side": "blue" if number < 12 else "red",
            "tray": "solo",
            "x": 4.8 + number % 5 * 9.6,
            "y": 4.8 + number // 5 * 9.6,
            "heading": number * 77 % 360,
            "speed": 24,
            "attacks": [{"name": "Bow", "kind": "long", "hit": 4, "dice": [7]}],
            "sigma": {"xy": 12, "heading": 90},
        }
        for number in range(25)
    ]
    path = tmp_path / "unsure.table.json"
    table = {"format": "table-companion/1", "game": "tmg-2021", "units": units}
    path.write_text(json.dumps({**table, "terrain": [star(number) for number in range(7)]}))
    limit = (MOST_SECONDS, MOST_SECONDS)
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli", "rules", str(path), "--json"],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    moves = [unit["moves"]["retreat"] for unit in json.loads(done.stdout)["units"].values()]
    assert {move["answer"] for move in moves} <= {"unsure", "yes"}


@pytest.mark.rule("TMG-CHG-13")
def test_a_path_that_was_not_searched_is_unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("tmg-2021", 144, 144, (attacker(), enemy(0, 9)), (across(4, "rough"),))
    assert Survey.of(table).report.units["a"].charges["b"].answer
    monkeypatch.setattr(charge_paths, "MOST_WORK", 0)
    charge = Survey.of(table).report.units["a"].charges["b"]
    assert charge.answer.verdict == "unsure"
    assert charge.answer.chance == 0.5
    assert charge.distance_in is None


@pytest.mark.rule("TMG-LOS-4")
def test_on_a_crowded_table_the_unsure_is_even(monkeypatch: pytest.MonkeyPatch) -> None:
    units = (measured(attacker(), 0.3), measured(enemy(4.6, 2.5), 0.3))
    table = Table("tmg-2021", 144, 144, units)
    answers = []
    for most in (battlefield.MOST_CHANCES, 0):
        monkeypatch.setattr(battlefield, "MOST_CHANCES", most)
        answers.append(Survey.of(table).report.units["a"].sees["b"])
    assert [answer.verdict for answer in answers] == ["unsure"] * 2
    assert answers[0].chance != answers[1].chance == 0.5


@pytest.mark.rule("TMG-RET-9")
def test_on_a_crowded_measured_table_a_retreat_is_unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = Table.load(DATA / "practice.table.json")
    seen = replace(exact, units=tuple(measured(unit, 0.001) for unit in exact.units))
    assert [retreat_of(table).verdict for table in (exact, seen)] == ["yes", "yes"]
    monkeypatch.setattr(battlefield, "MOST_CHANCES", 0)
    assert retreat_of(exact).verdict == "yes", "exact places cost little"
    assert retreat_of(seen) == Answer("unsure", ("TMG-RET-9",), None, 0.5)


def retreat_of(table: Table) -> Answer:
    """May the unit retreat that is engaged in the practice game."""
    return Survey.of(table).report.units["b1"].moves["retreat"]
