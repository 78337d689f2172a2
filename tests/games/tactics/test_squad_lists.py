"""Squads in the wizard: what they hold, what may be added and why not, ready-made ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.tactics.cards.figure_card import every_card
from companion.games.tactics.cards.scenario import every_scenario
from companion.games.tactics.cards.squad import read_squad, squad_problems
from companion.games.tactics.screen import SCREEN
from companion.games.tactics.screen.new_game import ready, seat_list

SCENARIO = next(iter(every_scenario().values()))


@pytest.fixture(autouse=True)
def _no_own_cards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A player's own cards on this machine have no say here."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))


@pytest.mark.parametrize("number", range(len(ready())))
def test_a_ready_squad_keeps_every_rule(number: int) -> None:
    members = read_squad(ready()[number][1], every_card())
    assert squad_problems(members, SCENARIO.coins, every_card().values()) == []


def test_lines_show_what_they_cost() -> None:
    found = seat_list("blue", ready()[0][1], SCENARIO, every_card())
    assert [one.text for one in found.lines][-2:] == ["2 × Ford Guard", "2 × Ford Archer"]
    assert str(found.lines[0].detail) == (
        "Lucky charm: once per battle, before a roll of its bearer: one die may become 10"
    )
    assert [one.fewer for one in found.lines][-2:] == ["1 Ford Guard", "1 Ford Archer"]
    assert found.lines[0].edge == "2 gold dragons, 1 copper star"
    assert str(found.total).startswith("gold 2 of 2")


@pytest.mark.rule("TAC-SQD-1", "TAC-SQD-5", "TAC-SQD-6", "TAC-CRD-2")
def test_what_may_not_be_added_says_why() -> None:
    cards = every_card()
    empty = seat_list("blue", "", SCENARIO, cards)
    assert {one.group for one in empty.picks} >= {"Fordwatch", "Targaryen"}
    unknown = next(one for one in empty.picks if one.line == "Rhaegar Targaryen (mounted)")
    assert unknown.rule == "TAC-CRD-2"
    begun = seat_list("blue", "Warden of the Ford", SCENARIO, cards)
    picks = {one.line: one for one in begun.picks}
    assert "Rhaegar Targaryen" not in picks, "another faction"
    assert picks["Warden of the Ford"].rule == "TAC-SQD-5"
    assert not picks["Grey Bannerman"].reason
    spent = seat_list("blue", "Grey Bannerman\nMarsh Scout\n4 Ford Guard", SCENARIO, cards)
    assert next(one for one in spent.picks if one.line == "Ford Guard").reason == ""
    poor = seat_list("blue", "6 Ford Guard", SCENARIO, cards)
    assert next(one for one in poor.picks if one.line == "Ford Guard").rule == "TAC-SQD-6"


@pytest.mark.rule("TAC-EQP-1", "TAC-EQP-3", "TAC-EQP-5")
def test_equipment_replaces_the_line_of_its_figure() -> None:
    found = seat_list(
        "blue", "Warden of the Ford\nGrey Bannerman + holy-icon", SCENARIO, every_card()
    )
    items = [one for one in found.picks if one.replaces]
    warden = {one.line: one for one in items if one.replaces == "Warden of the Ford"}
    assert "Warden of the Ford + holy-icon" not in warden, "it is unique"
    charm = warden["Warden of the Ford + lucky-charm"]
    assert "one die may become 10" in str(charm.detail)
    boots = str(warden["Warden of the Ford + spotless-boots"].detail)
    assert boots == "1 space more with every Move, for infantry only"
    worn = {one.line: one for one in items if one.replaces == "Grey Bannerman + holy-icon"}
    assert str(worn["Grey Bannerman"].text) == "Take off: Holy icon"
    assert "Grey Bannerman + lucky-charm" in worn, "it may be changed"
    assert "Grey Bannerman + holy-icon" not in worn
    told = [str(one.detail) for one in items if str(one.text) != "Take off: Holy icon"]
    assert all(told), "each item says what it does"


@pytest.mark.rule("TAC-SQD-8")
def test_a_dearer_figure_instead_of_another_is_named_and_stops_nobody() -> None:
    foot = "Captain of the Riders\nRed Reaver\nThornhill Healer\nThornhill Axeman"
    draft = {"game": {"scenario": "sample-crossing"}, "squads": {"blue": foot}}
    step = next(one for one in SCREEN.steps("tactics", draft) if one.kind == "list")
    (told,) = [one for one in step.problems if one.seat == "blue"]
    assert "Captain of the Riders (mounted) instead of Captain of the Riders" in str(told.text)
    assert (told.rule, told.stops) == ("TAC-SQD-8", False)


def test_a_list_that_cannot_be_read_shows_nothing_but_its_problem() -> None:
    draft = {"squads": {"blue": "Nobody at all", "red": 7}}
    step = next(one for one in SCREEN.steps("tactics", draft) if one.kind == "list")
    assert [one.lines for one in step.lists] == [(), ()]
    problems = {one.seat: one.text for one in step.problems}
    assert "Nobody at all" in problems["blue"]
    assert problems["red"] == "no squad yet"
    assert SCREEN.steps("tactics", {"squads": [], "game": 3})
