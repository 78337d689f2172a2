"""Setting a table up: what the mode puts there, proposals that are lawful, and what is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion import games
from companion.games.api.army_building import ArmyBuilder
from companion.games.api.rules import TableSetup
from companion.session.game_lookup import find_play
from models import Table, Unit

ARMY = {
    "units": [
        *({"name": f"Foot {number}", "tray": "infantry"} for number in range(4)),
        {"name": "Horse", "tray": "cavalry"},
        {"name": "Beast", "tray": "solo"},
    ]
}
MODES = [
    (game, key) for game in games.find("tmg-2021").games for key, _ in games.find(game).modes(game)
]


def stage(game: str) -> TableSetup:
    found = games.find(game)
    assert isinstance(found, TableSetup)
    return found


def units(game: str, mode: str) -> tuple[Unit, ...]:
    play = find_play(game)
    assert isinstance(play, ArmyBuilder)
    armies = [{"side": side, **ARMY} for side in ("blue", "red")]
    setup = play.prepare(
        game, {"do": "set-up", "mode": mode, "armies": armies, "seed": 1, "unchecked": True}
    )
    assert isinstance(setup, dict)
    return play.fielded(game, setup)


def ready(game: str, mode: str) -> Table:
    table = stage(game).battlefield(game, mode, 48, 48)
    return stage(game).line_up(table, units(game, mode))


@pytest.mark.parametrize(("game", "mode"), MODES)
@pytest.mark.rule("TMG-DEP-4")
def test_what_is_proposed_is_lawful(game: str, mode: str) -> None:
    table = ready(game, mode)
    assert len(table.units) == 12
    wrong = {
        (kind, name): answer["why"]
        for kind, answers in stage(game).placed(table).items()
        for name, answer in answers.items()
        if answer["answer"] != "yes"
    }
    if (game, mode) == ("tmg-2018", "COK"):  # four trays fill its corner squares
        wrong = {key: why for key, why in wrong.items() if "TMG-MODE-COK-1" not in why}
    assert wrong == {}
    assert Table.parse(table.text()) == table  # no tray lies on another


@pytest.mark.rule("TMG-DEP-3")
def test_units_are_named_as_the_game_will_name_them() -> None:
    found = units("tmg-2021", "GOT")
    assert [unit.id for unit in found if unit.side == "red"] == ["r1", "r2", "r3", "r4", "r5", "r6"]
    assert {unit.pose.heading for unit in found if unit.side == "red"} == {270.0}
    assert next(unit for unit in found if unit.name == "Horse").models == 4


@pytest.mark.rule("TMG-DEP-4")
def test_a_unit_outside_its_zone_is_told_with_its_rule() -> None:
    table = ready("tmg-2021", "GOT")
    pose = table.unit("b1").pose
    moved = table.moved("b1", replace(pose, y=24.0))
    answer = stage("tmg-2021").placed(moved)["units"]["b1"]
    assert answer["answer"] == "no"
    assert "TMG-DEP-4" in answer["why"]


@pytest.mark.rule("TMG-SET-3")
def test_a_table_that_is_too_small_is_told_with_its_rule() -> None:
    table = stage("tmg-2021").battlefield("tmg-2021", "GOT", 36, 36)
    answer = stage("tmg-2021").placed(table)["table"][""]
    assert (answer["answer"], answer["why"][0]) == ("no", "TMG-SET-3")


@pytest.mark.rule("TMG-MODE-GOT-2", "TMG-MODE-GOT-3")
def test_only_tokens_that_players_place_may_lie_elsewhere() -> None:
    for game, free in (("tmg-2018", True), ("tmg-2021", False)):
        assert stage(game).places_tokens(game, "GOT") is free
        table = stage(game).battlefield(game, "GOT", 48, 48)
        first = min(table.tokens, key=lambda token: token.x)
        others = tuple(token for token in table.tokens if token != first)
        moved = replace(table, tokens=(replace(first, x=first.x - 1.0), *others))
        answer = stage(game).placed(moved)["tokens"][first.id]
        assert (answer["answer"] == "yes") is free
        centre = next(token for token in table.tokens if (token.x, token.y) == (24.0, 24.0))
        assert sorted(token.x - 24 for token in table.tokens) == sorted(
            24 - token.x for token in table.tokens
        )  # fair to both
        aside = tuple(
            replace(token, y=25.0) if token == centre else token for token in table.tokens
        )
        answer = stage(game).placed(replace(table, tokens=aside))["tokens"][centre.id]
        assert answer["answer"] == "no"


@pytest.mark.rule("TMG-MODE-SOS-1")
def test_roles_are_a_siege_only() -> None:
    assert stage("tmg-2021").has_roles("tmg-2021", "SOS")
    assert not stage("tmg-2021").has_roles("tmg-2021", "GOT")


@pytest.mark.rule("TMG-MODE-FFC-2")
def test_a_barred_piece_names_its_rule() -> None:
    found = {piece.name: piece for piece in stage("tmg-2021").pieces("tmg-2021", "FFC")}
    assert found["corpse-pile"].barred == "TMG-MODE-FFC-2"
    assert not found["forest"].barred
    assert "cover" in found["forest"].keywords


@pytest.mark.rule("TMG-DEP-4")
def test_units_are_proposed_from_the_front_of_the_zone_and_its_middle() -> None:
    table = ready("tmg-2021", "GOT")
    for side, front, facing in (("blue", 12.0, 90.0), ("red", 36.0, 270.0)):
        row = [unit for unit in table.units if unit.side == side]
        first = row[0]
        assert abs(first.pose.x - 24.0) < 1.0
        assert abs(abs(first.pose.y - front) - first.tray.depth / 2) < 2.5
        assert {unit.pose.heading for unit in row} == {facing}
        beside = [unit for unit in row[1:] if abs(unit.pose.y - first.pose.y) < 0.1]
        assert len(beside) >= 3
        gaps = sorted(abs(unit.pose.x - first.pose.x) for unit in beside)
        assert gaps[0] < first.tray.width + 1.1
