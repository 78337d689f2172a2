"""Every rule number that positions answer with has its sentence, in every language."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from companion.games.tmg import report_text as reasons
from companion.games.tmg.play import PLAY
from companion.games.tmg.rules import rulebook
from companion.games.tmg.rules.survey import Survey
from companion.text.translation import catalogue
from models import Table
from models.message import LazyMessage
from tests.play.battle import Battle

HERE = Path(rulebook.__file__).parent
ANSWERING = (
    "tray_contact charge/charge_route charge/charges movement/move_check rulebook sight_rules "
    "movement/moves combat/shots margins".split()
)
ROOT = Path(__file__).parents[4]
NUMBER = re.compile(r"TMG-(CHG|LOS|MAN|MAR|MOV|RET|RNG|TER)-\d+$")
ELSEWHERE = {"TMG-TER-12", "TMG-TER-13", "TMG-TER-14"}
"""Numbers there that forbid nothing."""


def numbers(name: str) -> set[str]:
    """The rule numbers a module answers with."""
    tree = ast.parse((HERE / f"{name}.py").read_text(encoding="utf-8"))
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and NUMBER.match(node.value)
    }


@pytest.mark.parametrize("name", ANSWERING)
def test_every_number_has_a_sentence(name: str) -> None:
    assert numbers(name) - ELSEWHERE <= reasons.REASONS.keys()


def test_every_sentence_belongs_to_a_rule() -> None:
    known = (ROOT / "tests" / "rules" / "tmg.txt").read_text(encoding="utf-8").split()
    assert reasons.REASONS.keys() <= set(known)


def tables() -> list[Path]:
    return sorted((ROOT / "tests" / "reference" / "hard").glob("*.json"))[:25]


@pytest.mark.rule("TMG-CHG-2", "TMG-CHG-4", "TMG-RNG-10", "TMG-LOS-4")
def test_whatever_tables_answer_has_a_sentence() -> None:
    found = set()
    for path in [ROOT / "models" / "data" / "practice.table.json", *tables()]:
        report = Survey.of(Table.load(path)).report
        for unit in report.units.values():
            for answers in (unit.sees, unit.moves):
                found |= {rule for one in answers.values() for rule in one.why}
            for every in (unit.charges, unit.shots):
                found |= {rule for one in every.values() for rule in one.answer.why}
    assert len(found) > 6
    assert found <= reasons.REASONS.keys()


# -- in a game --------------------------------------------------------------------------------


def table(*, red_y: float = 40.0, heading: float = 90.0) -> dict[str, object]:
    """Three against three, face to face, with a forest between two of them."""
    where = {"b1": 8.0, "b2": 24.0, "b3": 40.0, "r1": 8.0, "r2": 24.0, "r3": 40.0}
    battle = Battle()
    units = [
        {
            "id": name,
            "side": "blue" if name[0] == "b" else "red",
            "tray": battle.unit(name).tray,
            "x": x,
            "y": 10.0 if name[0] == "b" else red_y,
            "heading": heading if name[0] == "b" else 270.0,
            "name": battle.unit(name).name,
        }
        for name, x in where.items()
    ]
    return {"format": "table-companion/1", "game": "tmg-2021", "units": units}


def placed(**how: float) -> Battle:
    return Battle().deployed().do("table", table=table(**how))


@pytest.mark.rule("TMG-CHG-4")
def test_a_charge_that_is_too_far_says_by_how_much() -> None:
    battle = placed().do("activate", unit="b1")
    said = battle.refused("TMG-CHG-4", "action", action="charge", target="r1")
    assert said.startswith("b1 cannot charge r1: the target is farther than its longest charge, by")
    assert said.endswith("″ (TMG-CHG-4)")


@pytest.mark.rule("TMG-CHG-2", "TMG-LOS-4")
def test_a_charge_at_what_is_not_seen_says_why_it_is_not() -> None:
    battle = placed(red_y=18.0, heading=270.0).do("activate", unit="b1")
    said = battle.refused("TMG-CHG-2", "action", action="charge", target="r1")
    assert said == (
        "b1 cannot charge r1: the target is not in its line of sight (TMG-CHG-2),"
        " nothing of the target is in its front arc (TMG-LOS-4)"
    )
    assert isinstance(said, LazyMessage)
    assert catalogue("de", game="tmg").translate(said) == (
        "b1 kann keinen Ansturm auf r1 durchführen:"
        " das Ziel ist nicht in ihrer Sichtlinie (TMG-CHG-2),"
        " vom Ziel liegt nichts in der Front (TMG-LOS-4)"
    )
    assert "цель не на его линии обзора (TMG-CHG-2)" in catalogue("ru", game="tmg").translate(said)


@pytest.mark.rule("TMG-RNG-10")
def test_a_shot_that_is_too_far_says_so() -> None:
    battle = placed().do("activate", unit="b2")
    said = battle.refused("TMG-RNG-10", "action", action="attack", target="r2")
    assert said.startswith("b2 cannot shoot at r2: the target is out of range")
    assert PLAY.pending(battle.state)[0].what == "action"
