"""Honed and Ready, Fire and Blood, Here We Stand in play."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.tmg.play import PLAY
from companion.games.tmg.play.flow.scoring import quadrant_owner, quadrant_points
from models import catalogue
from tests.play.battle import STARK, Battle, battle_of

EDITIONS = ("2021", "2018")
CAPTAIN = {"name": "Captain", "cost": 1, "character": True}


def scored(battle: Battle) -> list[tuple[str, int, str]]:
    """Who gained what by which rule."""
    return [
        (event.data["side"], event.data["vp"], event.data["rule"])
        for event in battle.log
        if event.type == "scored"
    ]


@pytest.mark.rule("TMG-MODE-HAR-5", "TMG-MODE-HAR-7")
def test_har_no_impassable_terrain() -> None:
    battle = Battle("HAR", ready=False, first=None).do("continue").do("continue")
    battle.do("roll-off", dice={"blue": 2, "red": 4})
    battle.refused("TMG-MODE-HAR-5", "terrain", piece="palisade")
    assert "impassable" in catalogue("tmg-2021").pieces["castle-wall"]


@pytest.mark.rule("TMG-MODE-HAR-8", "TMG-MODE-HAR-9", "EX-77")
def test_har_the_wall_strikes_who_scores_beside_it() -> None:
    battle = battle_of("HAR").do("objective", token="o2", unit="b2")
    battle.do("objective", token="o1", unit="b1").round_over()
    battle.finish_round().do("continue").do("score", confirm=True)
    assert battle.waits() == ["wall-hits"]
    battle.do("wall-hits", d3=2)
    battle.do("roll", faces=[6, 6, 1, 1], keep=True)
    assert battle.unit("b2").wounds == 2
    assert not battle.state.trials
    assert battle.waits() == ["discard"]


@pytest.mark.rule("TMG-MODE-HAR-10")
def test_har_a_zone_may_be_replaced_by_the_walls_hits() -> None:
    battle = battle_of("HAR").do("objective", token="o1", unit="r1")
    battle.do("objective", token="o3", unit="r2")
    battle.do("activate", unit="bn1").do("claim", zone="crown")
    assert "TMG-MODE-HAR-10" in PLAY.pending(battle.state)[0].say
    battle.refused("TMG-MODE-HAR-10", "zone-effect", instead="hits", unit="r1")
    battle.do("zone-effect", instead="hits", unit="r2", d3=1)
    assert battle.view()["attack"]["hits"] == 3
    told = [str(PLAY.title(event)) for event in battle.log]
    assert "the castle wall strikes r2: 1 + 2" in told, "the D3 is in the log"


@pytest.mark.rule("TMG-MODE-HAR-10", "TMG-OBJ-2")
def test_har_the_walls_hit_nobody_whose_token_is_contested() -> None:
    battle = battle_of("HAR").do("objective", token="o3", unit="r2")
    battle.do("wounds", unit="r2", wounds=9, by="blue")
    battle.do("engage", unit="r2", **{"with": ["b1"]})
    battle.do("activate", unit="bn1").do("claim", zone="crown")
    battle.refused("TMG-MODE-HAR-10", "zone-effect", instead="hits", unit="r2")


@pytest.mark.rule("TMG-MODE-FAB-3", "TMG-MODE-FAB-5")
def test_fab_marking() -> None:
    battle = Battle("FAB").do("continue").do("deploy")
    battle.refused("TMG-MODE-FAB-3", "mark", side="red", unit="b1", card="6")
    battle.do("mark", side="blue", unit="r1", card="6")
    battle.refused("TMG-MODE-FAB-5", "mark", side="red", unit="b1", card="6")
    battle.refused("TMG-MODE-FAB-3", "mark", side="red", unit="r2", card="7")
    battle.do("mark", side="red", unit="b1", card="7")
    battle.do("mark", side="blue", unit="r2", card="8").do("mark", side="red", unit="b2", card="9")
    assert battle.state.round == 1
    assert sum(unit.marked for unit in battle.state.units) == 4


@pytest.mark.rule("TMG-MODE-FAB-4", "TMG-MODE-FAB-5")
def test_fab_the_owner_gives_a_marked_unit_its_card() -> None:
    battle = Battle("FAB").do("continue").do("deploy").do("mark", side="blue", unit="r1")
    (asked, *_) = PLAY.pending(battle.state)
    assert (asked.what, asked.side, asked.data["unit"]) == ("mark-card", "red", "r1")
    battle.refused("TMG-MODE-FAB-4", "mark", side="red", unit="b1")
    battle.refused("TMG-MODE-FAB-4", "mark-card", unit="r2", card="6")
    battle.do("mark-card", unit="r1", card="6").do("mark", side="red", unit="b1")
    battle.refused("TMG-MODE-FAB-5", "mark-card", unit="b1", card="6")
    battle.do("mark-card", unit="b1", card="10")
    assert [battle.state.unit(one).card for one in ("r1", "b1")] == ["6", "10"]


@pytest.mark.rule("TMG-MODE-FAB-3", "TMG-MODE-FAB-5", "TMG-FFA-4")
def test_fab_two_units_of_each_of_three_players_are_marked() -> None:
    three = [{**STARK, "side": side, "player": side} for side in ("ann", "ben", "cid")]
    battle = Battle("FAB", armies=three, shape="ffa", first="ben", unchecked=True)
    battle = battle.do("continue").deployed()
    asked = []
    while battle.state.step == "marks":
        prompt = PLAY.pending(battle.state)[0]
        if prompt.what == "mark-card":
            card = prompt.data["cards"][0]
            battle.do("mark-card", unit=prompt.data["unit"], card=card)
            continue
        asked.append(prompt.side)
        battle.do("mark", side=prompt.side, unit=prompt.data["units"][0])
    assert asked == ["ben", "cid", "ann", "ben", "cid", "ann"]
    marked = [unit for unit in battle.state.units if unit.marked]
    assert Counter(unit.side for unit in marked) == {"ann": 2, "ben": 2, "cid": 2}
    assert sorted(unit.card for unit in marked) == ["", "10", "6", "7", "8", "9"]


@pytest.mark.rule("TMG-MODE-FAB-7", "TMG-MODE-FAB-8", "TMG-MODE-FAB-9", "EX-74")
def test_fab_six_points_at_once() -> None:
    battle = battle_of("FAB").do("correct", unit="r1", vp_tokens=2)
    battle.do("wounds", unit="r1", wounds=12, by_unit="b1")
    assert [rule for _, _, rule in scored(battle)] == [
        "TMG-VIC-8",
        "TMG-MODE-FAB-7",
        "TMG-MODE-FAB-8",
        "TMG-MODE-FAB-9",
    ]
    assert battle.vp() == (6, 0)


@pytest.mark.rule("TMG-MODE-FAB-6", "OR-42")
def test_fab_the_commander_puts_points_on_enemies() -> None:
    battle = battle_of("FAB").do("activate", unit="b1")
    assert "vp-token" in PLAY.pending(battle.state)[0].commands
    battle.do("vp-token", unit="r3")
    battle.refused("TMG-MODE-FAB-6", "vp-token", unit="r3")
    battle.do("action", action="forgo").do("end-turn").do("activate", unit="r2")
    battle.refused("TMG-MODE-FAB-6", "vp-token", unit="b1")
    assert battle.unit("r3").vp_tokens == 1


@pytest.mark.rule("TMG-MODE-HWS-6", "TMG-MODE-HWS-9", "EX-72", "EX-73")
@pytest.mark.parametrize(
    ("blue", "red", "owner"),
    [((6, False), (4, True), "red"), ((4, False), None, None), ((5, False), None, "blue")],
)
def test_hws_control_of_a_quadrant(
    blue: tuple[int, bool], red: tuple[int, bool] | None, owner: str | None
) -> None:
    cost, leads = red or (9, False)
    armies = [
        {"side": "blue", "units": [{"name": "A", "cost": blue[0], "commander": blue[1]}]},
        {"side": "red", "units": [{"name": "B", "cost": cost, "commander": leads}]},
    ]
    battle = battle_of("HWS", armies=armies)
    places = {"b1": "upper-left", "r1": "upper-left" if red else "lower-right"}
    assert quadrant_owner(quadrant_points(battle.state, places)["upper-left"]) == owner


@pytest.mark.rule("TMG-MODE-HWS-7", "TMG-MODE-HWS-8")
def test_hws_ncus_go_to_quadrants() -> None:
    battle = battle_of("HWS").do("activate", unit="bn1")
    assert "quadrant" in PLAY.pending(battle.state)[0].commands
    battle.do("quadrant", quadrant="upper-left").do("end-turn").forgo("r1")
    battle.do("activate", unit="bn2")
    battle.refused("TMG-MODE-HWS-8", "quadrant", quadrant="upper-left")
    battle.do("quadrant", quadrant="upper-right")
    assert quadrant_points(battle.state, {})["upper-left"]["blue"] == 4


@pytest.mark.rule("TMG-MODE-HWS-10", "TMG-MODE-HWS-11")
def test_hws_one_unit_a_side_returns_and_counts_as_activated() -> None:
    battle = battle_of("HWS").do("wounds", unit="r1", wounds=12, by="blue")
    battle.do("wounds", unit="r2", wounds=12, by="blue").round_over()
    assert battle.waits() == ["redeploy"]
    battle.do("redeploy", unit="r1")
    assert battle.unit("r1").standing
    assert battle.unit("r1").activated
    battle.refused("TMG-MODE-HWS-10", "redeploy", unit="r2")


@pytest.mark.rule("TMG-MODE-HWS-12")
def test_hws_a_point_per_quadrant_from_round_2() -> None:
    battle = battle_of("HWS")
    places = {"b1": "upper-left", "b2": "upper-right", "r1": "lower-left"}
    for points in ((0, 0), (2, 1)):
        battle.finish_round().do("continue").do("quadrants", units=places)
        battle.do("score", confirm=True).do("continue")
        assert battle.vp() == points
