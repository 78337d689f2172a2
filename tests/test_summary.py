"""What the text of a report says, and what it keeps to itself."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.games.tmg import report_text
from companion.text import verdicts
from models import Table
from tests.conftest import TOYS

CHARGE = {"answer": "yes", "why": [], "zone": "rear", "distance": 6.96, "needs": 2, "chance": 5 / 6}
SHOT = {"answer": "yes", "why": [], "attack": "Bow", "zone": "front"}


@pytest.mark.rule("TMG-CHG-4", "TMG-LOS-8")
@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, "7.0″ into its rear arc, needs 2+, 83 %"),
        ({"needs": 1, "chance": 1.0}, "7.0″ into its rear arc, any roll, 100 %"),
        (
            {"effects": ["hindering", "rough"]},
            "7.0″ into its rear arc, needs 2+, 83 % (hindering, rough)",
        ),
        ({"distance": None, "needs": None, "effects": ["rough"]}, "into its rear arc (rough)"),
    ],
)
def test_a_charge(changed: dict[str, Any], told: str) -> None:
    assert report_text.charge({**CHARGE, **changed}) == told


@pytest.mark.rule("TMG-RNG-5", "TMG-LOS-8")
@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({}, "Bow into its front arc"),
        ({"shift": [0.0, 0.04]}, "Bow into its front arc"),
        ({"shift": [-1.25, 0.5]}, "Bow into its front arc, shift 1.2″ back, shift 0.5″ left"),
        ({"panics": ["b1", "b2"]}, "Bow into its front arc, panic test for b1, panic test for b2"),
        ({"effects": ["cover"]}, "Bow into its front arc (cover)"),
    ],
)
def test_a_shot(changed: dict[str, Any], told: str) -> None:
    assert report_text.shot({**SHOT, **changed}) == told


@pytest.mark.parametrize(
    ("chance", "told"),
    [
        (0, "0 %"),
        (0.001, "< 1 %"),
        (0.125, "13 %"),
        (0.375, "38 %"),
        (0.285, "29 %"),
        (1 / 3, "33 %"),
        (0.5, "50 %"),
        (0.999, "> 99 %"),
        (1, "100 %"),
    ],
)
def test_a_chance_is_certain_only_where_it_is(chance: float, told: str) -> None:
    assert verdicts.percent(chance) == told


@pytest.mark.parametrize("chance", [0.0, 0.004, 0.125, 0.375, 0.995, 1.0])
def test_a_template_words_a_chance_alike(chance: float) -> None:
    assert f"{verdicts.Share(chance):.0%}" == verdicts.percent(chance).replace(" ", "")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"answer": "yes"}, ""),
        ({"answer": "unsure", "probability": 0.31}, "too close to call, 31 % yes"),
        (
            {"answer": "unsure", "probability": 0.31, "margin": -0.04},
            "0.04″ too close to call, 31 % yes",
        ),
    ],
)
def test_doubt_is_said(answer: dict[str, Any], told: str) -> None:
    assert verdicts.doubt(answer) == told


@pytest.mark.rule("TMG-MEL-1")
def test_engaged_units_say_with_whom() -> None:
    table = Table.load(TOYS / "two.table.json")
    rows = list(report_text.unit_rows(table, "r1", {"engaged": ["b1"]}, lambda *attack: None))
    assert rows == ["r1 Lannister Guardsmen (red, engaged with b1)"]


@pytest.mark.rule("TMG-TER-8", "TMG-TER-13", "TMG-TER-19")
def test_the_ground_about_a_unit_is_one_row() -> None:
    sure, doubt = {"answer": "yes"}, {"answer": "unsure", "probability": 0.31}
    ground = {
        "on": {"stakes": sure},
        "morale": {"felt": [{**doubt, "value": 1, "piece": "weirwood"}]},
        "breaks": {"hedge": sure},
    }
    table = Table.load(TOYS / "two.table.json")
    rows = list(report_text.unit_rows(table, "r1", {"ground": ground}, lambda *attack: None))
    assert rows[1:] == [
        "  ground    on stakes, +1 morale by weirwood (too close to call, 31 % yes),"
        " may destroy hedge"
    ]


@pytest.mark.rule("TMG-CHG-4", "TMG-RNG-10")
def test_refusals_are_grouped_by_their_reasons() -> None:
    no = [{"answer": "no", "why": why} for why in (["A-1"], ["A-1", "A-2"], ["A-1"])]
    answers = {"charges": dict(zip(("r1", "r2", "r3"), no, strict=True)), "moves": {"march": no[0]}}
    assert list(report_text.refusals(answers)) == [
        "  no charge r1 r3 (A-1), r2 (A-1 A-2)",
        "  no        march (A-1)",
    ]


@pytest.mark.rule("TMG-RNG-10")
def test_long_refusals_are_wrapped() -> None:
    shots = {f"r{n}": {"answer": "no", "why": [f"RULE-{n}"]} for n in range(20)}
    (text,) = report_text.refusals({"shots": shots})
    first, *others = text.splitlines()
    assert others
    assert max(map(len, [first, *others])) <= report_text.WIDTH
    assert all(re.match(r" {12}\S", line) for line in others)
    assert text.count("RULE-") == 20


@pytest.mark.parametrize(("known", "told"), [(True, "25 %"), (False, None)])
def test_nobody_knows_what_destroys_a_unit_of_unknown_wounds(known: bool, told: str | None) -> None:
    class Half:
        """Half the dice hit."""

        left_known = known

        def to_json(self) -> dict[str, Any]:
            return {"mean": 2.5, "destroys": 0.25 if known else 0.0}

    end = f" {told}" if told else ": unknown"
    assert verdicts.wounds(Half()) == f"2.5 wounds, destroys{end}"
