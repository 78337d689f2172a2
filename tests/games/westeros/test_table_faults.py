"""What a table or a plan says that cannot be is told; a table is read all the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.games.westeros.cards.board_plans import known_plan
from companion.games.westeros.cards.catalogue import FORMAT
from companion.games.westeros.game import GAME
from companion.games.westeros.play.setup import prepare
from companion.games.westeros.screen import own_cards
from companion.games.westeros.screen.new_game import steps
from models.atomic_write import document
from models.message import BadInput
from tests.games.westeros.tables import table, unit

ONE = unit("b1", "0,0")


@pytest.mark.parametrize(
    ("board", "pieces", "place", "text", "why"),
    [
        (
            {"ground": {"3,2": ["river", "fire-2"]}},
            (ONE,),
            "board: ground: 3,2",
            "river",
            "BOW-FIR-4",
        ),
        (
            {"ground": {"3,2": ["hill", "forest"]}},
            (ONE,),
            "board: ground: 3,2",
            "hill, forest; forest counts",
            "BOW-TER-1",
        ),
        ({"marks": {"3,2": "banana"}}, (ONE,), "board: marks: 3,2", "'banana'", None),
        (
            {"edges": [{"between": ["1,1", "2,1"], "kind": "curtain"}]},
            (ONE,),
            "board: edges: 1,1/2,1",
            "'curtain' is not counted",
            None,
        ),
        (
            {},
            (unit("b1", "0,0", edge="bottom"), unit("r1", "3,3", edge="bottom")),
            "home_edges",
            "'bottom'",
            "BOW-GEN-7",
        ),
        ({}, (unit("b1", "0,0", card="unheard-of"),), "pieces: b1: card", "'unheard-of'", None),
    ],
)
def test_what_cannot_be_is_told_beside_the_answers(
    board: dict[str, Any],
    pieces: tuple[dict[str, Any], ...],
    place: str,
    text: str,
    why: str | None,
) -> None:
    report = GAME.report(table(*pieces, **board))
    (problem,) = report.to_json("t")["problems"]
    assert (problem["place"], problem.get("why")) == (place, why)
    assert text in problem["say"]
    assert problem["say"] in GAME.text(report, "t").splitlines()[1]


def test_two_home_edges_that_are_one_are_told() -> None:
    both = replace(table(ONE, unit("r1", "3,3")), home_edges={"blue": "top", "red": "top"})
    (problem,) = GAME.report(both).to_json("t")["problems"]
    assert problem["why"] == "BOW-GEN-7"


def test_a_sound_table_has_no_problems() -> None:
    ground = {"3,2": ["river", "ford"], "4,4": ["forest", "fire-1"], "5,5": ["plains", "tent"]}
    found = GAME.report(table(ONE, unit("r1", "7,7"), ground=ground, marks={"3,2": "objective"}))
    assert "problems" not in found.to_json("t")


def faulty_plan(sites: bool) -> dict[str, Any]:
    """The practice battle with two sites on one hex, or with one commander of two units."""
    plain = known_plan("sample-ford").to_json()
    if sites:
        site = {"cell": "3,3", "round": 1}
        return {**plain, "victory": {**plain["victory"], "sites": [site, site]}}
    for house in plain["house"]:
        led = next((one for one in house["units"] if one.get("commander")), None)
        if led is not None:
            alike = {key: value for key, value in led.items() if key != "cell"}
            house["units"].append(alike)
            return plain
    raise AssertionError("nobody leads there")


@pytest.mark.parametrize(
    ("sites", "text"), [(True, "two sites lie on one hex: 3,3"), (False, "leads two units")]
)
def test_a_battle_that_cannot_be_is_refused(
    sites: bool, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    plan = faulty_plan(sites)
    with pytest.raises(BadInput, match=text):
        prepare("westeros", {"do": "set-up", "game": "westeros", "battle": plan})
    with pytest.raises(BadInput, match=text):
        own_cards.import_forms(document(FORMAT, "battle", [plan]), "shared.toml")
    own_cards.keep_card("battle", {**plan, "id": "mine"})  # as an earlier version may have
    (listed,) = [one for one in own_cards.form_cards("battle") if one.id == "mine"]
    assert text in str(listed.detail)


def test_what_is_wrong_with_a_board_is_told_where_its_battle_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`companion rules` named it, the app said nothing."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    plan = known_plan("sample-ford").to_json()
    ground = {**plan["ground"], "0,0": ["hill", "forest"]}
    text = document(FORMAT, "battle", [{**plan, "id": "mine", "ground": ground}])
    own_cards.import_forms(text, "shared.toml")
    told = {}
    for battle in ("sample-ford", "mine"):
        first = next(steps({"game": {"battle": battle}}))
        told[battle] = [(str(one.text), one.rule, one.stops) for one in first.problems]
    assert told["sample-ford"] == []
    ((line, rule, stops),) = told["mine"]
    assert (line.startswith("0,0: "), rule, stops) == (True, "BOW-TER-1", False)
    assert "several kinds of terrain lie there: hill, forest; forest counts" in line
