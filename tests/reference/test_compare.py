"""The report against the slow reference: hard tables found before, and some random ones.

`python -m tests.reference.compare 500` tries more of them.
"""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from companion.games import find
from models import Table
from tests.reference.brute import brute
from tests.reference.compare import disagreements, trial
from tests.reference.tables import random_table
from tests.trials import trials

HARD = sorted((Path(__file__).parent / "hard").glob("*.table.json"))


@pytest.mark.slow
@pytest.mark.rule("TMG-LOS-3", "TMG-LOS-8", "TMG-RNG-10", "TMG-CHG-3", "TMG-CHG-4", "TMG-RET-9")
@pytest.mark.parametrize("path", HARD, ids=lambda path: path.name.removesuffix(".table.json"))
def test_hard_tables(path: Path) -> None:
    table = Table.load(path)
    report = find(table.game).report(table).to_json(path.name)
    assert disagreements(table, report, brute(table)) == []


@pytest.mark.slow
@pytest.mark.rule("TMG-LOS-3", "TMG-LOS-8", "TMG-RNG-10", "TMG-CHG-3", "TMG-CHG-4", "TMG-RET-9")
@pytest.mark.parametrize("seed", range(1000, 1000 + trials(3, 60)))
def test_random_tables(seed: int) -> None:
    assert trial(seed).lines == ()


def test_a_wrong_report_is_found_out() -> None:
    table = random_table(1001)
    good = find(table.game).report(table).to_json("t")
    truth = brute(table)
    unit = next(unit for unit in table.units if truth[unit.id].pairs)
    name, pair = next(iter(truth[unit.id].pairs.items()))
    assert pair.sees is not None
    assert pair.zone.arc is not None
    bad = copy.deepcopy(good)
    mine = bad["units"][unit.id]
    mine["gap"][name] += 0.02
    mine["range"][name] -= 0.02
    mine["sees"][name]["answer"] = "unsure"
    mine["zone"][name]["answer"] = "nowhere"
    mine["moves"]["march"]["answer"] = "maybe"
    mine["engaged"] = [] if name in mine["engaged"] else [name]
    mine["charges"][name]["answer"] = "unsure"
    mine["shots"][name]["answer"] = "unsure"
    lines = disagreements(table, bad, truth)
    for word in ("gap", "range", "sees", "zone", "moves.march", "engaged", "charges", "shots"):
        assert any(line.startswith(f"{unit.id} {word}") for line in lines), word
