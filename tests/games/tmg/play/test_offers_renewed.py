"""Offers of points follow what they rest on while the players look at them (TMG-RND-13)."""

from __future__ import annotations

import pytest

from models import Sigma
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, seen
from tests.games.tmg.play.test_scoring_from_a_table import begun, tokens_of
from tests.play.battle import Battle

GOT = ("tmg-2021", "GOT")


def at_the_score_step(key: tuple[str, str] = GOT) -> Battle:
    battle = begun(key)
    battle.finish_round().do("continue")
    assert battle.state.step == "score"
    return battle


def offered(battle: Battle) -> list[tuple[str, int, str]]:
    return [(one.side, one.vp, one.token) for one in battle.state.proposals]


@pytest.mark.rule("TMG-OBJ-5", "TMG-RND-13")
def test_an_objective_set_while_scoring_is_offered() -> None:
    battle = at_the_score_step()
    assert offered(battle) == []
    battle.do("objective", token="o1", unit="b2")
    assert offered(battle) == [("blue", 1, "o1")]
    assert battle.view()["offers"][0]["token"] == "o1"
    battle.do("objective", token="o1", unit="r2")
    assert offered(battle) == [("red", 1, "o1")]
    battle.do("objective", token="o1")
    assert offered(battle) == []
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-OBJ-5", "TMG-RND-13")
def test_a_unit_destroyed_while_scoring_holds_nothing() -> None:
    battle = at_the_score_step().do("objective", token="o1", unit="b2")
    battle.do("objective", token="o2", unit="r2")
    battle.do("wounds", unit="b2", wounds=12, by="red")
    assert offered(battle) == [("red", 1, "o2")]


@pytest.mark.rule("TMG-OBJ-2", "TMG-OBJ-5", "TMG-RND-13")
def test_a_stronger_enemy_engaged_while_scoring_ends_control() -> None:
    battle = at_the_score_step().do("objective", token="o1", unit="b2")
    battle.do("correct", unit="b2", wounds=8).do("engage", unit="b2", **{"with": ["r2"]})
    assert offered(battle) == []
    battle.do("correct", unit="b2", wounds=0)
    assert offered(battle) == [("blue", 1, "o1")]


@pytest.mark.rule("TMG-OBJ-1", "TMG-OBJ-5", "TMG-RND-13")
def test_a_table_seen_while_scoring_changes_the_offers() -> None:
    battle = at_the_score_step()
    tokens = tokens_of(GOT, battle)
    seen(battle, {"b2": (tokens[0].x, tokens[0].y, NORTH)}, tokens=tokens)
    assert offered(battle) == [("blue", 1, tokens[0].id)]
    seen(battle, {"r2": (tokens[0].x, tokens[0].y, SOUTH)}, tokens=tokens)
    assert offered(battle) == [("red", 1, tokens[0].id)]


@pytest.mark.rule("TMG-RND-13")
def test_what_the_players_changed_stays_while_its_offer_does() -> None:
    battle = at_the_score_step().do("objective", token="o1", unit="b2")
    battle.do("objective", token="o2", unit="r2").do("objective", token="o3", unit="r3")
    battle.do("score", offer=1, vp=7).do("score", drop=2)
    assert offered(battle) == [("blue", 7, "o1"), ("red", 1, "o3")]
    battle.do("objective", token="o4", unit="b3")
    assert offered(battle) == [("blue", 7, "o1"), ("red", 1, "o3"), ("blue", 1, "o4")]
    battle.do("score", offer=1, vp=5).do("objective", token="o4")
    assert offered(battle) == [("blue", 5, "o1"), ("red", 1, "o3")]
    battle.do("objective", token="o2").do("objective", token="o2", unit="r2")  # a new claim
    assert offered(battle) == [("blue", 5, "o1"), ("red", 1, "o2"), ("red", 1, "o3")]
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-RND-13")
def test_nothing_is_offered_again_after_the_points_were_confirmed() -> None:
    battle = at_the_score_step().do("objective", token="o1", unit="b2")
    before = battle.vp()
    battle.do("score", confirm=True)
    battle.do("objective", token="o2", unit="b3")
    assert offered(battle) == []
    assert battle.vp()[0] == before[0] + 1


@pytest.mark.rule("TMG-MODE-HWS-5", "TMG-MODE-HWS-12", "TMG-RND-13")
def test_quadrants_follow_units_and_tables() -> None:
    battle = at_the_score_step(("tmg-2021", "HWS"))
    battle.do("quadrants", units={"b1": "upper-left", "r1": "lower-left"})
    assert offered(battle) == [("red", 1, ""), ("blue", 1, "")]
    battle.do("wounds", unit="r1", wounds=12, by="blue")
    assert offered(battle) == [("blue", 1, "")]
    seen(battle, {"b1": (36, 36, NORTH)})
    whys = {(one.side, one.why) for one in battle.state.proposals}
    assert whys == {("blue", "lower-left quadrant"), ("red", "upper-right quadrant")}


@pytest.mark.rule("TMG-MODE-HWS-12", "TMG-RND-13")
def test_what_the_players_said_of_quadrants_holds_for_one_round() -> None:
    battle = at_the_score_step(("tmg-2021", "HWS"))
    battle.do("quadrants", units={"b1": "upper-left"}).do("score", confirm=True)
    while battle.state.step != "turn-start":
        battle.do("continue")
    battle.finish_round().do("continue")
    assert battle.state.step == "score"
    assert offered(battle) == []


@pytest.mark.rule("TMG-OBJ-1", "TMG-RND-13")
def test_a_table_seen_while_scoring_names_what_it_cannot_tell() -> None:
    battle = at_the_score_step()
    tokens = tokens_of(GOT, battle)
    near = DEEP / 2 - tokens[0].radius
    spot = (tokens[0].x, tokens[0].y - near, NORTH)
    seen(battle, {"b2": spot}, tokens=tokens, sigma=Sigma(0.3, 1.0))
    assert any("too close to call" in one for one in battle.answer["reminders"])


@pytest.mark.rule("TMG-MODE-HWS-12", "TMG-RND-13")
def test_the_round_does_not_end_before_quadrants_are_told() -> None:
    battle = at_the_score_step(("tmg-2021", "HWS"))
    assert battle.state.round >= 2
    told = "say in which quadrant each unit stands (TMG-MODE-HWS-12)"
    assert told in battle.view()["pending"][0]["say"]
    number = battle.state.round
    battle.do("quadrants", units={"b1": "upper-left"})
    assert told not in battle.view()["pending"][0]["say"]
    battle.do("end-round")
    assert battle.vp() == (1, 0)
    battle.finish_round()
    assert battle.state.round == number + 1
    battle.do("end-round")
    assert told in battle.answer["reminders"]
    assert battle.state.step == "score"
    battle.do("end-round")  # the players insist
    assert battle.state.round == number + 2
