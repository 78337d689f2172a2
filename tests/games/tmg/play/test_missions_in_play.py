"""Winds of Winter and Dark Wings, Dark Words in play: missions."""

from __future__ import annotations

import json

import pytest

from companion.games.tmg.play import PLAY
from tests.play.battle import Battle, battle_of

EDITIONS = ("2021", "2018")
CAPTAIN = {"name": "Captain", "cost": 1, "character": True}


def rows(battle: Battle) -> tuple[list[str], list[str], int]:
    found = battle.view()["missions"]
    return found["open"], found["reserve"], found["deck"]


@pytest.mark.rule("TMG-MODE-WOW-3")
def test_wow_2021_a_hand_of_six_with_11_and_12() -> None:
    battle = Battle("WOW").do("continue")
    wrong = ["1", "2", "3", "4", "5", "12"]
    battle.refused("TMG-MODE-WOW-3", "missions", player="blue", cards=wrong)
    right = ["1", "2", "3", "4", "11", "12"]
    battle.do("missions", player="blue", cards=right)
    assert battle.player("blue").missions == tuple(right)
    assert "mission_cards" not in battle.view("red")["players"]["blue"]


@pytest.mark.rule("TMG-MODE-WOW-4", "TMG-MODE-WOW-5", "TMG-MODE-WOW-6", "TMG-MODE-WOW-8")
def test_wow_2021_missions_are_revealed_scored_and_discarded() -> None:
    battle = battle_of("WOW").do("objective", token="o1", unit="b1").round_over()
    assert battle.waits() == ["missions"]
    battle.refused("TMG-MODE-WOW-4", "reveal", player="blue", card="1")
    battle.do("reveal", player="red", card="11").do("reveal", player="blue", card="2")
    assert battle.view()["missions"]["open"] == ["11", "2"]
    battle.do("mission", side="blue", mission="11", vp=2)
    battle.do("mission", side="red", mission="11", vp=2)
    battle.refused("TMG-MODE-WOW-6", "mission", side="red", mission="11", vp=2)
    battle.refused("TMG-MODE-WOW-6", "mission", side="red", mission="12", vp=2)
    battle.finish_round().do("continue")
    assert battle.state.proposals == ()
    battle.do("score", confirm=True)
    assert battle.vp() == (2, 2)
    assert battle.view()["missions"]["open"] == []


@pytest.mark.rule("TMG-MODE-WOW-3", "TMG-MODE-WOW-9", "TMG-MODE-WOW-10", "TMG-MODE-WOW-12")
def test_wow_2018_secret_missions() -> None:
    battle = battle_of("WOW", "2018")
    mine = battle.player("blue").missions
    assert len(mine) == 2
    battle.refused("TMG-MODE-WOW-10", "mission", side="blue", mission=mine[0], vp=1)
    battle.do("wounds", unit="r2", wounds=12, by="blue")
    assert battle.vp() == (0, 0)
    battle.finish_round()
    battle.do("lay-aside", player="blue", card=mine[1])
    battle.refused("TMG-MODE-WOW-11", "lay-aside", player="blue", card=mine[0])
    shown = json.dumps([battle.view(), battle.view("red"), battle.titles])
    assert f'"{mine[1]}"' not in shown
    assert battle.titles == ["blue lays a mission aside, face down"]
    battle.clean_up()
    assert len(battle.player("blue").missions) == 2
    assert mine[1] not in battle.player("blue").missions
    battle.do("mission", side="blue", mission=mine[0], vp=2)
    assert battle.vp() == (2, 0)


@pytest.mark.rule("TMG-MODE-WOW-4", "TMG-MODE-WOW-5", "TMG-MODE-WOW-6", "TMG-MODE-WOW-11")
def test_wow_2018_the_open_mission_counts_for_all_and_several_times() -> None:
    battle = battle_of("WOW", "2018")
    assert battle.view()["missions"]["open"] == []
    battle.round_over()
    [card] = battle.view()["missions"]["open"]
    battle.do("mission", side="blue", mission=card, vp=1)
    battle.do("mission", side="blue", mission=card, vp=1)
    battle.do("mission", side="red", mission=card, vp=1)
    assert battle.vp() == (2, 1)
    battle.round_over()
    assert card not in battle.view()["missions"]["open"]


@pytest.mark.rule("TMG-MODE-DWW-3", "TMG-MODE-DWW-4")
def test_dww_two_active_two_in_reserve() -> None:
    active, reserve, deck = rows(battle_of("DWW"))
    assert (len(active), len(reserve), deck) == (2, 2, 5)
    assert not {"10", "11", "12"} & {*active, *reserve}


@pytest.mark.rule("TMG-MODE-DWW-5", "TMG-MODE-DWW-6")
def test_dww_the_row_moves_up_from_round_3_and_the_deck_comes_back() -> None:
    battle = battle_of("DWW")
    before = rows(battle)
    battle.round_over()
    assert rows(battle) == before
    battle.round_over()
    assert rows(battle)[0] == before[1]
    assert rows(battle)[2] == 3
    battle.round_over()
    battle.round_over()
    assert rows(battle)[0]
    assert len(rows(battle)[1]) == 2
    cards = {*rows(battle)[0], *rows(battle)[1], *battle.state.mission_deck}
    assert len(cards) + len(battle.state.mission_discard) == 9


@pytest.mark.rule("TMG-MODE-DWW-7")
def test_dww_a_zone_may_be_replaced_by_a_new_mission() -> None:
    battle = battle_of("DWW")
    active, reserve, _ = rows(battle)
    battle.do("activate", unit="bn1").do("claim", zone="crown")
    assert "TMG-MODE-DWW-7" in PLAY.pending(battle.state)[0].say
    battle.refused("TMG-MODE-DWW-7", "zone-effect", instead="mission", out="99")
    battle.do("zone-effect", instead="mission", out=active[0], into=reserve[1])
    assert rows(battle)[:2] == ([reserve[1], active[1]], [reserve[0]])


@pytest.mark.rule("TMG-MODE-DWW-8")
def test_dww_the_commander_may_replace_a_mission_instead_of_acting() -> None:
    battle = battle_of("DWW").do("activate", unit="b1")
    assert "swap-mission" in PLAY.pending(battle.state)[0].commands
    reserve = rows(battle)[1]
    battle.do("swap-mission", out=reserve[0])
    assert reserve[0] not in rows(battle)[1]
    assert len(rows(battle)[1]) == 2
    assert battle.unit("b1").activated


@pytest.mark.rule("TMG-MODE-DWW-10")
def test_dww_every_revealed_mission_may_be_scored_by_each() -> None:
    battle = battle_of("DWW")
    [first, _], [reserve, _], _ = rows(battle)
    battle.do("mission", side="blue", mission=first, vp=2)
    battle.do("mission", side="red", mission=first, vp=2)
    battle.refused("TMG-MODE-DWW-10", "mission", side="red", mission=reserve, vp=2)
    assert battle.vp() == (2, 2)


@pytest.mark.rule("TMG-MODE-WOW-11")
def test_wow_2018_a_mission_may_be_laid_aside_after_another_was_scored() -> None:
    battle = battle_of("WOW", "2018").round_over()
    first, second = battle.player("blue").missions
    battle.do("mission", side="blue", mission=first, vp=1).finish_round()
    battle.do("lay-aside", player="blue", card=second)
    battle.clean_up()
    assert len(battle.player("blue").missions) == 2
