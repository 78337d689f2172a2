"""What a table or a card says that cannot be is told; a table is read all the same."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from companion.games.tactics.cards.coins import Coins
from companion.games.tactics.cards.figure_card import FigureCard
from companion.games.tactics.cards.squad import SquadMember, squad_problems
from companion.games.tactics.game import GAME
from companion.games.tactics.screen import own_cards
from companion.games.tactics.screen.new_game import steps
from models.field import Field
from tests.games.tactics.boards import drawn


@pytest.mark.parametrize(
    ("table", "place", "text", "why"),
    [
        ({"ground": {"1,0": ["open-o", "blocked-x"]}}, "board: ground: 1,0", "open-o", "TAC-SPC-1"),
        ({"marks": {"1,0": "banana"}}, "board: marks: 1,0", "'banana'", None),
        (
            {"edges": ({"between": ["1,0", "2,0"], "kind": "curtain"},)},
            "board: edges: 1,0/2,0",
            "'curtain': it counts as a wall",
            None,
        ),
        (
            {"edges": ({"between": ["1,0", "2,0"], "kind": "curtain", "open": True},)},
            "board: edges: 1,0/2,0",
            "'curtain': it counts as a gap",
            None,
        ),
        (
            {"facts": {"A": {"health": 3, "wounds": 4}}},
            "pieces: A: wounds",
            "A is dead: wounds 4, Health 3",
            "TAC-STA-6",
        ),
    ],
)
def test_what_cannot_be_is_told_beside_the_answers(
    table: dict[str, Any], place: str, text: str, why: str | None
) -> None:
    report = GAME.report(drawn("A..", **table))
    (problem,) = report.to_json("t")["problems"]
    assert (problem["place"], problem.get("why")) == (place, why)
    assert text in problem["say"]
    assert problem["say"] in GAME.text(report, "t").splitlines()[1]


def test_a_sound_table_has_no_problems() -> None:
    marks = {"0,0": ["objective", "zone-gold"], "1,0": "!lever", "2,0": ["fire", "?chest"]}
    door = {"between": ["1,0", "2,0"], "kind": "locked-door", "open": True}
    table = drawn("A..", marks=marks, edges=(door,), facts={"A": {"health": 3, "wounds": 2}})
    assert "problems" not in GAME.report(table).to_json("t")


def card(**values: Any) -> FigureCard:
    plain = {"id": "rider", "name": "Rider", "faction": "Stark", "cost": {"copper": 1}}
    return FigureCard.read(Field({**plain, "will": 4, "defence": 5, "health": 2, **values}))


def bought(*effects: tuple[str, str]) -> list[dict[str, Any]]:
    rows = [
        {"name": name, "price": {"copper": 1}} | ({"after": after} if after else {})
        for name, after in effects
    ]
    return [{"name": "Axe", "kind": "melee", "dice": 1, "hit": 6, "effects": rows}]


FAULTS = [
    ({"size": 2, "foot": "rider"}, "its version on foot is the mount itself", "TAC-FIG-9"),
    ({"size": 2, "foot": "ridder"}, "its version on foot: no figure 'ridder'", "TAC-FIG-9"),
    ({"attacks": bought(("a", "b"), ("b", "a"))}, "a: what is to be bought", "TAC-CRD-9"),
    ({"attacks": bought(("a", "A"))}, "a: what is to be bought", "TAC-CRD-9"),
]


@pytest.mark.parametrize(("values", "text", "why"), FAULTS)
def test_a_squad_with_a_card_that_cannot_be_is_refused(
    values: dict[str, Any], text: str, why: str
) -> None:
    faulty = card(**values)
    found = squad_problems((SquadMember(faulty),), Coins(2, 4, 12), [faulty])
    assert any(one.why == why and text in str(one.say) for one in found)


def test_a_sound_card_may_join() -> None:
    rider = card(size=2, foot="walker", attacks=bought(("a", ""), ("b", "a"), ("c", "b")))
    walker = card(id="walker")
    assert squad_problems((SquadMember(rider),), Coins(0, 0, 12), [rider, walker]) == []


def test_the_list_of_cards_names_what_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    own_cards.keep_card(card(size=2, foot="ridder").to_json())
    assert os.listdir(tmp_path / "tactics-cards")
    (listed,) = [one for one in own_cards.form_cards("figure") if one.id == "rider"]
    assert listed.detail == "its version on foot: no figure 'ridder'"


def test_what_is_wrong_with_a_board_is_told_where_its_scenario_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`companion rules` named it, the app said nothing."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    shipped = own_cards.form_cards("scenario")[0].id
    text = own_cards.export_forms("scenario", [shipped])
    odd = 'marks = { "2,2" = ["lava"] }'
    own_cards.import_forms(
        text.replace("invented = true", odd).replace(f'"{shipped}"', '"mine"'), "shared.toml"
    )
    told = {}
    for scenario in (shipped, "mine"):
        first = next(steps({"game": {"scenario": scenario}}))
        told[scenario] = [(str(one.text), one.stops) for one in first.problems]
    line = "2,2: the rules know no mark 'lava': nothing is counted by it"
    assert told == {shipped: [], "mine": [(line, False)]}
