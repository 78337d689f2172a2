"""Victory: points, combat, rounds, army points, draws, elimination."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.tmg.play.flow.victory import verdict
from companion.games.tmg.play.state.play_rules import goal_for
from tests.play.battle import LANNISTER, STARK, Battle

EDITIONS = ("2021", "2018")


def at(vp: tuple[int, int], year: str = "2021", **facts: Any) -> Battle:
    battle = Battle("GOT", year, **facts).deployed()
    for side, points in zip(("blue", "red"), vp, strict=True):
        battle.do("score", side=side, set=points, why="as it stands")
    return battle


def last_round(battle: Battle) -> Battle:
    while battle.state.round < 6:
        battle.round_over()
    return battle.finish_round()


@pytest.mark.rule("TMG-VIC-1", "EX-56")
@pytest.mark.parametrize("year", EDITIONS)
def test_the_goal_wins_at_the_end_of_a_round(year: str) -> None:
    battle = at((10, 7), year)
    assert battle.state.winner == ""
    battle.round_over()
    assert battle.state.winner == "blue"
    battle.refused("TMG-VIC-1", "activate", unit="b1")


@pytest.mark.rule("TMG-VIC-2", "OR-30", "EX-57")
@pytest.mark.parametrize(
    ("year", "reading", "vp", "winner"),
    [
        ("2021", "more", (10, 10), None),
        ("2021", "more", (11, 10), "blue"),
        ("2021", "nobody", (11, 10), None),
        ("2018", "more", (10, 10), None),
        ("2018", "more", (11, 10), "blue"),
        ("2018", "nobody", (11, 10), "blue"),
    ],
)
def test_both_at_the_goal(year: str, reading: str, vp: tuple[int, int], winner: str | None) -> None:
    battle = at(vp, year, readings=[f"vp_goal={reading}"])
    found = verdict(battle.state)
    assert (found[0] if found else None) == winner


@pytest.mark.rule("TMG-VIC-3", "OR-38", "EX-55")
def test_the_goal_by_size() -> None:
    assert [goal_for(points) for points in (30, 40, 50, 60, 70, 20, 45)] == [
        8,
        10,
        12,
        14,
        16,
        8,
        10,
    ]


@pytest.mark.rule("TMG-VIC-4")
def test_after_round_six_the_most_points_win() -> None:
    battle = last_round(at((3, 2))).clean_up()
    assert (battle.state.winner, battle.state.round) == ("blue", 6)
    assert "TMG-VIC-4" in battle.state.how


@pytest.mark.rule("TMG-VIC-5")
def test_a_tie_goes_to_the_army_that_is_left() -> None:
    battle = last_round(at((3, 3))).clean_up()
    assert battle.state.winner == "red"  # 18 points stand against 17
    assert "TMG-VIC-5" in battle.state.how


@pytest.mark.rule("TMG-VIC-6")
def test_equal_armies_draw() -> None:
    mirror = {**STARK, "side": "red"}
    battle = last_round(Battle(armies=[STARK, mirror]).deployed()).clean_up()
    assert battle.state.winner == "draw"


@pytest.mark.rule("TMG-VIC-7")
@pytest.mark.parametrize("year", EDITIONS)
def test_elimination_wins_at_once_regardless_of_points(year: str) -> None:
    battle = at((0, 9), year)
    for unit in ("r1", "r2", "r3"):
        assert battle.state.winner == ""
        battle.do("wounds", unit=unit, wounds=12, by="blue")
    assert battle.state.winner == "blue"


@pytest.mark.rule("TMG-VIC-8", "EX-58")
@pytest.mark.parametrize(("year", "vp"), [("2021", 1), ("2018", 0)])
def test_a_unit_of_no_points(year: str, vp: int) -> None:
    cheap = {**LANNISTER, "units": [{"name": "Levy", "cost": 0}, {"name": "Guards", "cost": 5}]}
    battle = Battle("GOT", year, armies=[STARK, cheap]).deployed()
    battle.do("wounds", unit="r1", wounds=12, by="blue")
    assert battle.vp() == (vp, 0)
    battle.do("score", side="blue", set=0)


@pytest.mark.rule("TMG-VIC-8")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_destroyed_enemy_gives_a_point(year: str) -> None:
    battle = Battle("GOT", year).deployed().do("wounds", unit="r1", wounds=12, by_unit="b1")
    assert battle.vp() == (1, 0)
    assert any("TMG-VIC-8" in line for line in battle.titles)


@pytest.mark.rule("TMG-VIC-9", "EX-59")
@pytest.mark.parametrize("year", EDITIONS)
def test_an_own_effect_gives_the_opponent_a_point(year: str) -> None:
    battle = Battle("GOT", year).deployed().do("wounds", unit="b1", wounds=12, by="blue")
    assert battle.vp() == (0, 1)
    assert any("TMG-VIC-9" in line for line in battle.titles)


@pytest.mark.rule("TMG-VIC-9")
@pytest.mark.parametrize(("year", "vp"), [("2021", 1), ("2018", 0)])
def test_an_own_unit_of_no_points(year: str, vp: int) -> None:
    cheap = {**STARK, "units": [{"name": "Levy", "cost": 0}, {"name": "Guards", "cost": 5}]}
    battle = Battle("GOT", year, armies=[cheap, LANNISTER]).deployed()
    battle.do("wounds", unit="b1", wounds=12)
    assert battle.vp() == (0, vp)


@pytest.mark.rule("TMG-RND-13")
def test_every_score_can_be_overridden_and_the_log_says_so() -> None:
    battle = at((3, 0)).do("score", side="blue", vp=2, why="a ruling")
    assert battle.vp() == (5, 0)
    battle.do("score", side="blue", set=4, why="miscounted")
    assert battle.titles == ["The players set blue from 5 to 4 VP: miscounted"]
    battle.refused("INPUT", "score", side="blue", vp=-5)
    battle.finish_round().do("continue")
    assert battle.waits() == ["score"]


@pytest.mark.rule("TMG-WND-2")
def test_units_can_be_corrected() -> None:
    battle = at((0, 0)).do("correct", unit="b1", wounds=3, why="forgotten")
    assert battle.unit("b1").models == 9
    assert "Correction" in battle.titles[0]
    battle.refused("INPUT", "correct", unit="b1")


@pytest.mark.rule("TMG-VIC-1")
def test_a_side_may_concede() -> None:
    battle = at((0, 0)).do("concede", side="blue")
    assert battle.state.winner == "red"


@pytest.mark.rule("TMG-VIC-4", "TMG-VIC-5", "TMG-VIC-6")
def test_all_may_agree_to_stop_and_the_points_decide() -> None:
    battle = at((0, 3)).do("stop")
    assert (battle.state.winner, battle.state.phase) == ("red", "over")
    assert [one.type for one in battle.log[-2:]] == ["stopped", "won"]
    battle.do("score", side="blue", set=5, why="agreed")
    assert battle.state.winner == "blue"


@pytest.mark.rule("TMG-VIC-4")
def test_nobody_stops_before_the_first_round() -> None:
    Battle(ready=False, first=None).refused("TMG-VIC-4", "stop")
