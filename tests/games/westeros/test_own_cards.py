"""Cards and boards of the players' own: forms, files, export and import, the board editor."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.games.api.board_editor import BoardEditor
from companion.games.api.card_form import CardForms
from companion.games.api.play import Refusal
from companion.games.westeros.cards.battle_plan import BattlePlan
from companion.games.westeros.cards.catalogue import every_card, read_cards
from companion.games.westeros.play import PLAY
from companion.games.westeros.screen import SCREEN
from models import CompanionError
from models.field import parse_toml

rule = pytest.mark.rule
RIDERS: dict[str, Any] = {
    "id": "winterfell-riders",
    "name": "Winterfell Riders",
    "house": "stark",
    "class": "cavalry",
    "strength": 3,
    "rows": [
        {"rank": "green", "move": 3, "dice": 2, "range": 1, "no_valour": False},
        {"rank": "blue", "move": 2, "far": 3, "dice": 3, "range": 1, "no_valour": True},
        {"rank": "red", "move": 2, "dice": 4, "range": 1, "no_valour": False},
    ],
    "keywords": [{"keyword": "pursue", "number": 2}],
}


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))


@rule("BOW-UNT-8", "BOW-CMB-6")
def test_a_unit_card_is_entered_kept_and_played_with() -> None:
    assert isinstance(SCREEN, CardForms)
    assert SCREEN.form_problems("westeros", "unit", RIDERS) == []
    assert SCREEN.save_form("westeros", "unit", RIDERS) == "winterfell-riders"
    card = every_card().units["winterfell-riders"]
    assert (card.sure, card.row("blue").longest, card.row("blue").dice) == (True, 3, 3)
    assert "no-valour" in card.row("blue").keywords
    assert "no-valour" not in card.row("red").keywords
    assert SCREEN.form_values("westeros", "unit", "winterfell-riders") == RIDERS
    first = SCREEN.form_cards("westeros", "unit")[0]
    assert (first.id, first.own, first.missing) == ("winterfell-riders", True, ())
    setup = PLAY.prepare("westeros", {"do": "set-up", "battle": "sample-ford"})
    assert not isinstance(setup, Refusal)
    assert PLAY.start("westeros", setup).unit("s8").card == card
    assert SCREEN.remove_form("westeros", "unit", "winterfell-riders")
    assert not SCREEN.remove_form("westeros", "unit", "winterfell-riders")
    assert not every_card().units["winterfell-riders"].sure


@rule("BOW-CDR-7")
def test_a_commander_card_is_entered_and_shared() -> None:
    values = {**SCREEN.form_values("westeros", "commander", "kevan-lannister")}
    asked = SCREEN.form_problems("westeros", "commander", values)
    assert [(one.field, one.stops) for one in asked] == [("limit", False), ("capture", False)]
    values |= {"limit": 3, "capture": 4, "keywords": [{"keyword": "stalwart", "number": 1}]}
    SCREEN.save_form("westeros", "commander", values)
    text = SCREEN.export_forms("westeros", "commander", ["kevan-lannister"])
    SCREEN.remove_form("westeros", "commander", "kevan-lannister")
    assert every_card().commanders["kevan-lannister"].capture is None
    assert list(SCREEN.import_forms("westeros", text, "shared.toml")) == ["Kevan Lannister"]
    card = every_card().commanders["kevan-lannister"]
    assert (card.limit, card.capture, card.keywords) == (3, 4, {"stalwart": 1})
    missing = {one.id: one.missing for one in SCREEN.form_cards("westeros", "commander")}
    assert missing["jaime-lannister"] == ("Command limit",)
    assert [form.kind for form in SCREEN.forms("westeros")] == ["unit", "commander"]


MANY_DICE = [{"rank": "green", "dice": 99}]


@pytest.mark.parametrize(
    ("kind", "values", "field"),
    [
        ("unit", {"class": "foot"}, ""),
        ("unit", {"name": "A", "class": "dragon"}, "class"),
        ("unit", {"name": "A", "class": "foot", "rows": MANY_DICE}, "green.dice"),
        ("commander", {"name": "A", "limit": "many"}, "limit"),
        ("unit", {"name": "A", "class": "foot", "keywords": [{"keyword": "x"}]}, "keywords[0]"),
    ],
)
def test_wrong_values_are_named(kind: str, values: dict[str, Any], field: str) -> None:
    (problem, *_) = SCREEN.form_problems("westeros", kind, values)
    assert (problem.field, problem.stops) == (field, True)
    with pytest.raises(CompanionError):
        SCREEN.save_form("westeros", kind, values)
    with pytest.raises(CompanionError):
        SCREEN.form_values("westeros", kind, "nobody")


@rule("BOW-GEN-3", "BOW-CMP-8")
def test_a_board_is_edited_kept_and_shared() -> None:
    assert isinstance(SCREEN, BoardEditor)
    board = SCREEN.plan_board("westeros", "sample-ford")
    assert board.marks == {(7, 5): ("objective",)}
    edited = replace(
        board,
        ground={**board.ground, (1, 1): ("forest",)},
        marks={**board.marks, (1, 1): ("objective",)},
    )
    assert SCREEN.plan_problems("westeros", "sample-ford", edited) == []
    wet = replace(board, ground={**board.ground, (7, 2): ("river",)})
    assert SCREEN.plan_problems("westeros", "sample-ford", wet) == [
        "Maege Mormont cannot stand on 7,2"
    ]
    assert SCREEN.save_plan("westeros", "sample-ford", "My ford", edited) == "my-ford"
    assert SCREEN.plan_board("westeros", "my-ford") == edited
    plan = every_card().plans["my-ford"]
    sites = BattlePlan.read(plan, every_card()).victory.sites
    assert [(one.cell, one.each_round) for one in sites] == [((1, 1), 1), ((7, 5), 1)]
    text = SCREEN.export_plan("westeros", "my-ford")
    assert SCREEN.remove_plan("westeros", "my-ford")
    assert list(SCREEN.import_plan("westeros", text, "shared")) == ["My ford"]
    assert [one.name for one in SCREEN.board_plans("westeros") if one.own] == ["My ford"]
    new = SCREEN.plan_board("westeros", "")
    assert (new.ground, new.marks) == ({}, {})
    tools = {one.word for one in SCREEN.board_tools("westeros", "my-ford")}
    assert {"forest", "palisade", "fire-4", "devastation", "objective"} <= tools
    with pytest.raises(CompanionError):
        SCREEN.export_plan("westeros", "nowhere")


def test_the_documented_file_is_read() -> None:
    docs = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
    part = docs[docs.index("### Battles of Westeros") :]
    (text,) = re.findall(r"```toml\n(.*?)```", part, re.DOTALL)[:1]
    box = read_cards(parse_toml(text, "docs"))
    cards = every_card()
    cards.add(box)
    plan = BattlePlan.read(box.plans["my-battle"], cards)
    assert [len(house.units) for house in plan.houses] == [1, 1]
