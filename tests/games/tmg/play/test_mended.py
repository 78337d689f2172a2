"""Prompts, corrections and effects that players need in the middle of a game."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Event
from companion.games.tmg.play import PLAY
from models import CompanionError, Table
from tests.games.tmg.play.sighted import NORTH, SOUTH, seen, slab
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

EDITIONS = ["2021", "2018"]
GUARDS = {"name": "Guards", "cost": 5}
CAPTAIN = {**GUARDS, "commander": True}


def team_battle(mode: str = "GOT", year: str = "2021") -> Battle:
    armies = [
        {"side": side, "player": player, "units": [CAPTAIN, GUARDS], "ncus": []}
        for side, player in (("north", "a"), ("north", "b"), ("south", "c"), ("south", "d"))
    ]
    battle = Battle(mode, year, armies=armies, shape="team", points=20, first="north")
    return battle.do("continue")


# -- a unit destroyed by mistake --------------------------------------------------------------


@pytest.mark.rule("TMG-UNT-11", "TMG-VIC-8")
def test_a_unit_destroyed_by_mistake_stands_again_and_later_steps_stay() -> None:
    battle = battle_of("GOT").do("token", unit="r2", token="weakened")
    battle.do("wounds", unit="r2", wounds=12, by="blue")
    battle.do("wounds", unit="r3", wounds=2, by="blue")
    battle.do("score", side="red", vp=3, why="a card")
    assert battle.vp() == (1, 3)
    battle.refused("TMG-UNT-11", "correct", unit="r2", wounds=12)
    battle.do("correct", unit="r2", wounds=5, why="misread dice")
    unit = battle.unit("r2")
    assert (unit.standing, unit.wounds, unit.tokens, unit.fallen) == (True, 5, ("weakened",), 0)
    assert battle.vp() == (0, 3)
    assert battle.unit("r3").wounds == 2
    assert any("Correction" in line and "not destroyed" in line for line in battle.report())
    assert battle.folded() == battle.state
    battle.do("wounds", unit="r2", wounds=12, by="blue")
    assert battle.vp() == (1, 3)


@pytest.mark.rule("TMG-UNT-11")
def test_only_what_was_destroyed_is_put_back() -> None:
    battle = Battle(armies=[STARK, LANNISTER], unchecked=True)
    battle.refused("TMG-UNT-11", "correct", unit="r2", wounds=3)


@pytest.mark.rule("TMG-MODE-COK-11", "TMG-MODE-COK-12")
def test_the_prize_for_a_commander_is_taken_back_and_can_be_won_again() -> None:
    battle = battle_of("COK").do("wounds", unit="r1", wounds=12, by="blue", by_unit="b1")
    won = battle.vp()
    assert battle.side("blue").commander_killed
    battle.do("correct", unit="r1", wounds=0)
    assert battle.vp() == (0, 0)
    assert not battle.side("blue").commander_killed
    battle.do("wounds", unit="r1", wounds=12, by="blue", by_unit="b1")
    assert battle.vp() == won


@pytest.mark.rule("TMG-MODE-COK-16")
def test_2018_a_unit_wrongly_sent_to_reserve_has_its_characters_again() -> None:
    robb = {"name": "Robb", "character": True, "commander": True}
    armies = [
        {"side": "blue", "units": [{**GUARDS, "attachments": [robb]}, GUARDS, GUARDS], "ncus": []},
        {"side": "red", "units": [CAPTAIN, GUARDS, GUARDS], "ncus": []},
    ]
    battle = Battle("COK", "2018", armies=armies).deployed()
    for side in ("blue", "red"):
        battle.do("reserve", side=side, units=[f"{side[0]}3"])
    battle.deployed()
    battle.do("wounds", unit="b1", wounds=12, by="red")
    assert battle.unit("b1").place == "reserve"
    assert not battle.unit("b1").attachments
    battle.do("correct", unit="b1", wounds=1)
    unit = battle.unit("b1")
    assert (unit.place, [one.name for one in unit.attachments]) == ("field", ["Robb"])
    assert (unit.commander, unit.wounds) == (True, 1)


@pytest.mark.rule("TMG-VIC-7", "TMG-FFA-7")
def test_a_player_who_is_out_by_mistake_plays_on() -> None:
    names = ("ann", "ben", "cat")
    armies = [
        {"side": name, "units": [CAPTAIN], "ncus": [{"name": "N", "cost": 3}]} for name in names
    ]
    battle = Battle(armies=armies, shape="ffa", first="ann").deployed()
    battle.do("wounds", unit="c1", wounds=12, by="ann")
    assert battle.side("cat").eliminated
    battle.forgo("a1")
    battle.do("correct", unit="c1", wounds=3)
    assert not battle.side("cat").eliminated
    assert battle.ncu("cn1").player == "cat"
    assert battle.unit("c1").standing
    assert battle.unit("a1").activated
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-MODE-FFC-14")
def test_no_pile_is_placed_for_a_unit_that_stands_after_all() -> None:
    battle = battle_of("FFC").do("wounds", unit="r2", wounds=12, by="blue")
    assert battle.waits() == ["pile"]
    battle.do("correct", unit="r2", wounds=1)
    assert "pile" not in battle.waits()
    assert battle.state.piles == 2


@pytest.mark.rule("TMG-VIC-7")
def test_nobody_is_asked_about_elimination_once_the_unit_stands_again() -> None:
    armies = [{"side": "blue", "units": [CAPTAIN], "ncus": []}, LANNISTER]
    battle = Battle("HWS", armies=armies).deployed().do("wounds", unit="b1", wounds=12, by="red")
    assert battle.waits() == ["elimination"]
    battle.do("correct", unit="b1", wounds=2)
    assert battle.waits() == ["turn-start"]


@pytest.mark.rule("TMG-MODE-HWS-10")
def test_an_earlier_destruction_still_counts() -> None:
    battle = battle_of("HWS").do("wounds", unit="r2", wounds=12, by="blue").round_over()
    battle.do("redeploy", unit="r2").do("wounds", unit="r2", wounds=12, by="blue")
    assert battle.vp()[0] == 2
    battle.do("correct", unit="r2", wounds=2)
    assert (battle.unit("r2").fallen, battle.vp()[0]) == (1, 1)


# -- corpse piles -----------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-FFC-14")
@pytest.mark.parametrize(
    ("year", "by", "side"),
    [
        ("2021", "blue", "red"),
        ("2021", "", "red"),
        ("2018", "blue", "blue"),
        ("2018", "red", "blue"),
        ("2018", "", "blue"),
    ],
)
def test_who_places_the_corpse_pile(year: str, by: str, side: str) -> None:
    battle = battle_of("FFC", year)
    battle.do("wounds", unit="r2", wounds=12, **({"by": by} if by else {}))
    waiting = [one for one in PLAY.pending(battle.state) if one.what == "pile"]
    assert [one.side for one in waiting] == [side]


@pytest.mark.rule("TMG-MODE-FFC-14", "TMG-FFA-1")
@pytest.mark.parametrize(("by", "side"), [("ann", "ann"), ("", None), ("cat", None)])
def test_2018_of_several_opponents_the_destroyer_places_the_pile(by: str, side: str | None) -> None:
    armies = [{"side": name, "units": [CAPTAIN, GUARDS], "ncus": []} for name in ("ann", "ben")]
    armies.append({"side": "cat", "units": [CAPTAIN, GUARDS], "ncus": []})
    battle = Battle("FFC", "2018", armies=armies, shape="ffa", first="ann").deployed()
    battle.do("wounds", unit="c2", wounds=12, **({"by": by} if by else {}))
    assert [one.side for one in PLAY.pending(battle.state) if one.what == "pile"] == [side]


@pytest.mark.rule("TMG-MODE-FFC-14")
def test_2021_four_piles_at_most_with_those_that_wait() -> None:
    battle = battle_of("FFC")
    for unit in ("r1", "r2"):
        battle.do("wounds", unit=unit, wounds=12, by="blue")
    battle.do("wounds", unit="b2", wounds=12, by="red")
    assert battle.waits().count("pile") == 2
    battle.do("place").do("place")
    assert battle.state.piles == 4


@pytest.mark.rule("TMG-MODE-FFC-14")
def test_2018_where_no_pile_is_left_none_is_placed() -> None:
    battle = battle_of("FFC", "2018").do("wounds", unit="r2", wounds=12, by="blue")
    battle.do("place", skip=True)
    assert battle.state.piles == 2
    assert "pile" not in battle.waits()


@pytest.mark.rule("TMG-MODE-FFC-14")
@pytest.mark.parametrize(("y", "fine"), [(31.0, True), (10.0, False)])
def test_a_table_tells_where_the_pile_may_lie(y: float, fine: bool) -> None:
    battle = battle_of("FFC")
    spots = {"r2": (24.0, 40.0, SOUTH), "b1": (24.0, 20.0, NORTH)}
    seen(battle, spots)
    battle.do("wounds", unit="r2", wounds=12, by="blue")
    table = Table.parse(battle.state.table)
    pile = slab(battle.game, "corpse-pile", (32.0, y, 35.0, y + 2))
    shown = {**table.to_json(), "terrain": [pile.to_json()]}
    battle.do("table", table=shown)
    if fine:
        battle.do("place")
        assert battle.state.piles == 3
    else:
        battle.refused("TMG-MODE-FFC-14", "place")


# -- cards ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-CHG-26")
def test_a_team_mate_plays_cards_after_a_disorderly_charge() -> None:
    battle = team_battle().deployed().do("activate", unit="a1")
    battle.do(
        "action", action="charge", target="c1", distance=4, faces=[1], zone="front", success=True
    )
    assert [barred for barred, _ in battle.state.barred] == ["a"]
    battle.refused("TMG-CHG-26", "play", player="a", card=battle.player("a").hand[0])
    battle.do("play", player="b", card=battle.player("b").hand[0])


@pytest.mark.rule("TMG-CHG-26")
def test_an_older_log_bars_the_whole_side() -> None:
    battle = team_battle().deployed()
    facts: dict[str, Any] = {"unit": "a1", "side": "north", "target": "c1", "faces": [1]}
    facts |= {"reach": 6, "disorderly": True, "until": "turn", "what": "charge"}
    state = PLAY.apply(battle.state, Event("charge-rolled", facts))
    assert [barred for barred, _ in state.barred] == ["a", "b"]


@pytest.mark.rule("TMG-MODE-COK-5", "OR-33", "OR-42")
def test_cok_2021_one_card_a_round_whatever_becomes_of_the_commander() -> None:
    battle = battle_of("COK").do("use-card", player="blue", card="7")
    battle.do("wounds", unit="b1", wounds=12, by="red")
    battle.forgo("b2")
    battle.forgo("r1")
    assert battle.state.active == "blue"
    battle.refused("TMG-MODE-COK-5", "use-card", player="blue", card="9")
    assert "use-card" not in PLAY.pending(battle.state)[0].commands


@pytest.mark.rule("TMG-MODE-COK-5", "OR-42")
def test_cok_2021_no_card_without_the_commanders_unit() -> None:
    battle = battle_of("COK")
    assert PLAY.pending(battle.state)[0].data["cards"] == {"blue": ["7", "9"]}
    battle.do("wounds", unit="b1", wounds=12, by="red")
    battle.refused("TMG-MODE-COK-5", "use-card", player="blue", card="7")
    assert "cards" not in PLAY.pending(battle.state)[0].data


@pytest.mark.rule("TMG-MODE-COK-5", "OR-42")
def test_cok_2021_an_ncu_commander_uses_one_card_a_round() -> None:
    lord = {"name": "Lord", "cost": 4, "commander": True}
    armies = [
        {"side": "blue", "units": [GUARDS, GUARDS], "ncus": [lord]},
        {"side": "red", "units": [CAPTAIN], "ncus": []},
    ]
    battle = Battle("COK", armies=armies).do("continue")
    for player, card in (("red", "6"), ("blue", "7"), ("red", "8"), ("blue", "9")):
        battle.do("choose-card", player=player, card=card)
    battle.deployed()
    assert PLAY.pending(battle.state)[0].data["cards"] == {"blue": ["7", "9"]}
    battle.do("use-card", player="blue", card="7")
    battle.refused("TMG-MODE-COK-5", "use-card", player="blue", card="9")


# -- missions ---------------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-WOW-11")
def test_wow_2018_players_are_asked_to_lay_a_mission_aside() -> None:
    battle = battle_of("WOW", "2018").finish_round()
    waiting = PLAY.pending(battle.state)[0]
    assert waiting.what == "end-of-round"
    assert "lay-aside" in waiting.commands
    assert waiting.data["players"] == ["blue", "red"]
    gone = battle.player("blue").missions[0]
    battle.do("lay-aside", player="blue", card=gone)
    assert PLAY.pending(battle.state)[0].data["players"] == ["red"]
    battle.refused(
        "TMG-MODE-WOW-11", "lay-aside", player="blue", card=battle.player("blue").missions[0]
    )
    battle.do("continue").do("score", confirm=True)
    assert [len(player.missions) for player in battle.state.players] == [2, 2]
    assert gone not in battle.player("blue").missions


@pytest.mark.rule("TMG-MODE-WOW-11")
@pytest.mark.parametrize("mode", ["WOW", "GOT"])
def test_nobody_else_is_asked_for_secret_missions(mode: str) -> None:
    battle = battle_of(mode).finish_round()
    assert PLAY.pending(battle.state)[0].commands == ("continue",)


@pytest.mark.rule("TMG-MODE-DWW-8")
def test_dww_an_ncu_commander_is_asked_as_well() -> None:
    lord = {"name": "Lord", "cost": 4, "commander": True}
    armies = [
        {"side": "blue", "units": [GUARDS], "ncus": [lord, {"name": "Maid", "cost": 3}]},
        {"side": "red", "units": [CAPTAIN], "ncus": []},
    ]
    battle = Battle("DWW", armies=armies).deployed().do("activate", unit="bn1")
    waiting = PLAY.pending(battle.state)[0]
    assert "swap-mission" in waiting.commands
    assert "TMG-MODE-DWW-8" in waiting.say
    assert waiting.data["reserve"] == list(battle.state.reserve_missions)
    battle.do("swap-mission", out=battle.state.reserve_missions[0])
    assert battle.ncu("bn1").activated
    battle.do("end-turn").forgo("r1")
    battle.do("activate", unit="bn2")
    assert "swap-mission" not in PLAY.pending(battle.state)[0].commands


# -- terrain ----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-SET-9")
@pytest.mark.parametrize("year", EDITIONS)
@pytest.mark.parametrize("count", [2, 6])
def test_players_may_agree_on_more_terrain_or_less(year: str, count: int) -> None:
    battle = Battle("GOT", year, ready=False)
    while battle.state.step != "terrain":
        battle.do("continue")
    battle.do("roll-off", dice={"blue": 2, "red": 5}).do("terrain", count=count)
    for _ in range(count):
        assert battle.state.step == "terrain"
        battle.do("terrain", piece="forest")
    assert battle.state.step != "terrain"
    assert len(battle.state.pieces) == count
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-SET-9")
def test_no_fewer_pieces_than_lie_there() -> None:
    battle = Battle("GOT", ready=False)
    while battle.state.step != "terrain":
        battle.do("continue")
    battle.do("roll-off", dice={"blue": 2, "red": 5}).do("terrain", piece="bog")
    battle.refused("TMG-SET-9", "terrain", piece="bog", count=1)
    battle.do("terrain", piece="bog")
    with pytest.raises(CompanionError, match="count"):
        battle.do("terrain", count=1)
    battle.do("terrain", count=2)
    assert battle.state.step != "terrain"


# -- formation --------------------------------------------------------------------------------


@pytest.mark.rule("TMG-RNK-5", "TMG-RNK-6", "TMG-RNK-7", "TMG-ATM-6", "TMG-ATM-7")
def test_players_see_who_stands_where_in_a_tray() -> None:
    robb = {"name": "Robb", "commander": True}
    armies = [{"side": "blue", "units": [{**GUARDS, "attachments": [robb]}], "ncus": []}, LANNISTER]
    battle = Battle(armies=armies).deployed()

    def formation() -> list[list[str]]:
        shown: list[list[str]] = battle.view()["units"]["b1"]["formation"]
        return shown

    full = [["Robb", "Guards", "Guards", "Guards"], ["Guards"] * 4, ["Guards"] * 4]
    assert formation() == full
    battle.do("wounds", unit="b1", wounds=3)
    assert formation() == [*full[:2], ["Guards"]]
    battle.do("wounds", unit="b1", wounds=2)
    assert formation() == [full[0], ["Guards"] * 3]
    battle.do("wounds", unit="b1", wounds=6)
    assert formation() == [["Robb"]]


@pytest.mark.rule("TMG-ATM-2", "TMG-ATM-8", "TMG-ATM-9", "TMG-ATM-10")
def test_more_attachments_stand_beside_the_first() -> None:
    battle = battle_of("GOT").do("attach", unit="b2", name="Ann", abilities=["Sniper"])
    battle.do("attach", unit="b2", name="Ben").do("attach", unit="b2", name="Cat", place=2)
    shown = battle.view()["units"]["b2"]
    assert shown["formation"][0] == ["Ann", "Cat", "Ben", "Stark Bowmen"]
    assert "Sniper" in shown["abilities"]
    battle.do("wounds", unit="b2", wounds=9)
    assert battle.view()["units"]["b2"]["formation"] == [["Ann", "Cat", "Ben"]]
    battle.refused("TMG-ATM-8", "attach", unit="b2", name="Osha")
    battle.do("attach", unit="b2", name="cat", remove=True)
    assert battle.view()["units"]["b2"]["formation"] == [["Ann", "Ben", "Stark Bowmen"]]
    battle.refused("TMG-ATM-2", "attach", unit="b2", name="Cat", remove=True)
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-ATM-3")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_solo_unit_has_attachments_in_2018_only(year: str) -> None:
    solo = {**CAPTAIN, "tray": "solo", "wounds_per_model": 4}
    armies = [{"side": "blue", "units": [solo], "ncus": []}, LANNISTER]
    battle = Battle("GOT", year, armies=armies).deployed()
    if year == "2018":
        battle.do("attach", unit="b1", name="X")
    else:
        battle.refused("TMG-ATM-3", "attach", unit="b1", name="X")


@pytest.mark.rule("TMG-UNT-11", "TMG-ACT-3")
@pytest.mark.parametrize("activated", [True, False])
def test_who_stands_again_was_activated_or_not_as_the_players_say(activated: bool) -> None:
    battle = battle_of("GOT").do("wounds", unit="r2", wounds=12, by="blue")
    battle.do("correct", unit="r2", wounds=5, activated=activated)
    assert (battle.unit("r2").standing, battle.unit("r2").activated) == (True, activated)
    assert (battle.unit("r2").wounds, battle.folded()) == (5, battle.state)


@pytest.mark.rule("TMG-RND-13")
def test_an_offer_may_be_worth_nothing() -> None:
    battle = battle_of("GOT").round_over().do("objective", token="o1", unit="b2")
    battle.finish_round().do("continue").do("score", offer=1, vp=0).do("score", confirm=True)
    assert battle.vp() == (0, 0)
