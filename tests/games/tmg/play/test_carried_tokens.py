"""A Feast for Crows and A Dance with Dragons in play: tokens that are carried."""

from __future__ import annotations

import pytest

from companion.games.tmg.play import PLAY
from companion.games.tmg.play.state.mode_play import PLAYS
from companion.games.tmg.screen import SCREEN
from tests.play.battle import Battle, battle_of

EDITIONS = ("2021", "2018")
CAPTAIN = {"name": "Captain", "cost": 1, "character": True}


def scored(battle: Battle) -> list[tuple[str, int, str]]:
    """Who gained what by which rule."""
    return [
        (event.data["side"], event.data["vp"], event.data["rule"])
        for event in battle.log
        if event.type == "scored"
    ]


@pytest.mark.rule("TMG-MODE-FFC-2", "TMG-MODE-FFC-20")
def test_ffc_2021_no_corpse_piles_as_terrain() -> None:
    battle = Battle("FFC", ready=False, first=None).do("continue").do("continue")
    battle.do("roll-off", dice={"blue": 2, "red": 4})
    battle.refused("TMG-MODE-FFC-2", "terrain", piece="corpse-pile")
    battle.refused("TMG-MODE-FFC-20", "terrain", random=True, d3=2, faces=[1, 1])
    for _ in range(3):
        battle.do("terrain", random=True, d3=3, piece="bog")
    assert "corpse-pile" not in battle.state.pieces


@pytest.mark.rule("TMG-MODE-FFC-5", "TMG-MODE-FFC-6", "TMG-MODE-FFC-14", "TMG-MODE-FFC-15")
def test_ffc_2021_fallen_infantry_leaves_a_pile_with_a_token() -> None:
    battle = battle_of("FFC")
    assert [bool(token.card) for token in battle.state.tokens] == [True, True]
    battle.do("wounds", unit="r2", wounds=12, by="blue")
    assert battle.waits() == ["pile"]
    battle.do("place")
    new = battle.token("o3")
    assert new.card not in {battle.token("o1").card, battle.token("o2").card, ""}
    assert new.pile == "pile3"


@pytest.mark.rule("TMG-MODE-FFC-8")
def test_ffc_2021_a_unit_holds_one_token() -> None:
    battle = battle_of("FFC").do("objective", token="o1", unit="b1")
    battle.refused("TMG-MODE-FFC-8", "objective", token="o2", unit="b1")


@pytest.mark.rule("TMG-MODE-FFC-11", "TMG-MODE-DWD-8")
@pytest.mark.parametrize("mode", ["FFC", "DWD"])
def test_a_failed_panic_test_passes_the_token_on(mode: str) -> None:
    battle = battle_of(mode).do("objective", token="o1", unit="b1")
    battle.do("engage", unit="b1", **{"with": ["r1"]}).do("test", unit="b1", why="fear")
    battle.do("panic", faces=[1, 1], d3=1, keep=True)
    assert battle.token("o1").holder == "r1"


@pytest.mark.rule("TMG-MODE-FFC-11", "TMG-MODE-DWD-8")
@pytest.mark.parametrize("mode", ["FFC", "DWD"])
def test_of_several_enemies_the_opponent_chooses(mode: str) -> None:
    battle = battle_of(mode).do("objective", token="o1", unit="b3")
    battle.do("engage", unit="b3", **{"with": ["r1", "r2"]})
    battle.do("correct", unit="b3", wounds=battle.unit("b3").total, why="gone")
    assert battle.waits() == ["claim-token"]
    assert PLAY.pending(battle.state)[0].side == "red"
    battle.refused(PLAYS["tmg-2021", mode].carried, "place", unit="r3")
    battle.do("place", unit="r2")
    assert battle.token("o1").holder == "r2"


@pytest.mark.rule("TMG-MODE-DWD-9")
def test_with_nobody_engaged_the_token_is_placed_beside_the_tray() -> None:
    battle = battle_of("DWD").do("objective", token="o1", unit="b1")
    battle.do("test", unit="b1", why="fear").do("panic", faces=[1, 1], d3=1, keep=True)
    assert battle.waits() == ["token"]
    battle.do("place")
    assert battle.token("o1").holder == ""


@pytest.mark.rule("TMG-MODE-FFC-13", "TMG-MODE-DWD-10")
@pytest.mark.parametrize("mode", ["FFC", "DWD"])
def test_a_stronger_attacker_takes_the_token(mode: str) -> None:
    battle = battle_of(mode).do("objective", token="o1", unit="r1")
    battle.do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1").fight(4)
    assert battle.token("o1").holder == "b1"


@pytest.mark.rule("TMG-MODE-FFC-16", "TMG-MODE-DWD-11", "TMG-MODE-HAR-11", "TMG-MODE-DWW-11")
@pytest.mark.parametrize("mode", ["FFC", "DWD", "HAR", "DWW"])
def test_2021_tokens_score_from_round_2_and_the_commander_more(mode: str) -> None:
    battle = battle_of(mode).do("objective", token="o1", unit="b1").round_over()
    battle.finish_round().do("continue")
    assert [(one.vp, one.rule) for one in battle.state.proposals] == [
        (1, PLAYS["tmg-2021", mode].scoring_rule),
        (1, "TMG-OBJ-6"),
    ]


@pytest.mark.rule("TMG-MODE-FFC-17", "TMG-MODE-FFC-18", "TMG-MODE-FFC-19", "EX-76")
def test_ffc_2018_failed_tests_put_points_on_a_tray() -> None:
    battle = battle_of("FFC", "2018")
    battle.do("activate", unit="b1", near_pile=True)
    assert battle.view()["panic"][0]["kind"] == "morale"
    battle.do("panic", faces=[1, 1], keep=True)
    assert battle.unit("b1").vp_tokens == 1
    assert battle.state.acting is not None
    assert not battle.state.acting.marked  # nobody chose to place it
    assert battle.unit("b1").wounds == 0
    for _ in range(2):
        battle.do("test", unit="b1", why="fear").do("panic", faces=[2, 3], keep=True)
    assert battle.unit("b1").vp_tokens == 3
    battle.do("wounds", unit="b1", wounds=12, by="red")
    assert battle.vp() == (0, 4)
    assert scored(battle)[-1] == ("red", 3, "TMG-MODE-FFC-19")


@pytest.mark.rule("TMG-MODE-DWD-3", "TMG-MODE-DWD-5", "TMG-MODE-DWD-6", "EX-75")
def test_dwd_a_carrier_is_slow() -> None:
    battle = battle_of("DWD").do("objective", token="o1", unit="b3")
    assert all(token.card for token in battle.state.tokens)
    (view,) = [one for one in SCREEN.pieces(battle.state) if one.id == "b3"]
    assert "Speed 2 " in str(view.lines[0])
    assert battle.view()["units"]["b3"]["speed"] == 2, "other programs read it, too"
    battle.do("activate", unit="b3")
    battle.refused("TMG-MODE-DWD-5", "action", action="march")
    battle.refused("TMG-CHG-4", "action", action="charge", target="r1", distance=8.5)
    battle.do("action", action="maneuver")
    assert any('up to 2"' in line for line in battle.titles)


@pytest.mark.rule("TMG-MODE-FFC-14")
@pytest.mark.parametrize("year", EDITIONS)
def test_ffc_the_prompt_says_how_near_the_pile_comes(year: str) -> None:
    battle = battle_of("FFC", year).do("wounds", unit="r2", wounds=12, by="blue")
    (prompt,) = PLAY.pending(battle.state)
    assert prompt.what == "pile"
    reach = {"2021": "12", "2018": "6"}[year]  # Long Range, Short Range
    assert f"within {reach}″ of r2" in prompt.say
    assert prompt.side == ("red" if year == "2021" else "blue")


@pytest.mark.rule("TMG-MODE-DWD-10", "TMG-MODE-DWD-8", "TMG-MODE-FFC-8")
@pytest.mark.parametrize(("mode", "both"), [("DWD", True), ("FFC", False)])
def test_who_carries_a_token_takes_another_where_no_rule_forbids_it(mode: str, both: bool) -> None:
    battle = battle_of(mode).do("objective", token="o1", unit="r1")
    battle.do("objective", token="o2", unit="b1").do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("activate", unit="b1").do("action", action="attack", target="r1").fight(4)
    assert battle.token("o1").holder == ("b1" if both else "r1")
    assert battle.token("o2").holder == "b1"
    battle = battle_of(mode).do("objective", token="o1", unit="r1")
    battle.do("objective", token="o2", unit="b1").do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("test", unit="r1", why="fear").do("panic", faces=[1, 1], d3=1, keep=True)
    assert battle.token("o1").holder == ("b1" if both else "")
