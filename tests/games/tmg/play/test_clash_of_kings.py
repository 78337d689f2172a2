"""A Clash of Kings in play: commanders, reserves and what they cost."""

from __future__ import annotations

import pytest

from companion.games.tmg.play import PLAY
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

EDITIONS = ("2021", "2018")
CAPTAIN = {"name": "Captain", "cost": 1, "character": True}


def scored(battle: Battle) -> list[tuple[str, int, str]]:
    """Who gained what by which rule."""
    return [
        (event.data["side"], event.data["vp"], event.data["rule"])
        for event in battle.log
        if event.type == "scored"
    ]


@pytest.mark.rule("TMG-MODE-COK-4")
def test_cok_2021_cards_are_chosen_in_turn() -> None:
    battle = Battle("COK").do("continue")
    battle.refused("TMG-MODE-COK-4", "choose-card", player="blue", card="6")
    battle.do("choose-card", player="red", card="6")
    battle.refused("TMG-MODE-COK-4", "choose-card", player="blue", card="6")
    battle.do("choose-card", player="blue", card="7").do("choose-card", player="red", card="8")
    battle.do("choose-card", player="blue", card="9")
    assert battle.state.step == "deploy"
    assert battle.view()["players"]["blue"]["objective_cards"] == ["7", "9"]


@pytest.mark.rule("TMG-MODE-COK-5", "TMG-MODE-COK-6", "OR-33")
def test_cok_2021_a_card_once_a_game_one_a_round() -> None:
    battle = battle_of("COK")
    assert "use-card" in PLAY.pending(battle.state)[0].commands
    battle.do("use-card", player="blue", card="7")
    assert battle.view()["units"]["b1"]["effects"] == ["objective card 7"]
    battle.refused("TMG-MODE-COK-5", "use-card", player="blue", card="9")
    battle.round_over()
    assert battle.view()["units"]["b1"]["effects"] == []
    battle.forgo("r2")
    battle.refused("TMG-MODE-COK-6", "use-card", player="blue", card="7")
    battle.do("use-card", player="blue", card="9")


@pytest.mark.rule("TMG-MODE-COK-4", "TMG-FFA-1")
@pytest.mark.parametrize("sides", [3, 4])
def test_cok_2021_five_cards_for_more_players_than_two(sides: int) -> None:
    names = ("ann", "ben", "cat", "dan")[:sides]
    guards = [{"name": "Guards", "cost": 5, "commander": True}]
    armies = [{"side": name, "units": guards, "ncus": []} for name in names]
    battle = Battle("COK", armies=armies, shape="ffa", points=30, first="ann").do("continue")
    order: list[str | None] = []
    while battle.waits() == ["cards-chosen"]:
        turn = PLAY.pending(battle.state)[0].side
        battle.do("choose-card", player=turn, card=str(6 + len(order)))
        order.append(turn)
    assert order == [*names[1:], "ann"]
    battle.deployed()
    assert battle.waits() == ["turn-start"]


@pytest.mark.rule("TMG-MODE-COK-5", "TMG-TEAM-8")
def test_cok_2021_a_card_is_for_the_own_commander_not_for_a_team_mates() -> None:
    guards = [{"name": "Guards", "cost": 5, "commander": True}]
    armies = [
        {"side": side, "player": player, "units": guards, "ncus": []}
        for side, player in (("north", "a"), ("north", "b"), ("south", "c"), ("south", "d"))
    ]
    battle = Battle("COK", armies=armies, shape="team", points=20, first="north").do("continue")
    for card, player in enumerate("cdab", 6):
        battle.do("choose-card", player=player, card=str(card))
    battle.deployed().do("use-card", player="b", card="9")
    assert battle.unit("b1").player == "b"
    assert battle.view()["units"]["b1"]["effects"] == ["objective card 9"]
    assert battle.view()["units"]["a1"]["effects"] == []


@pytest.mark.rule("TMG-MODE-COK-13", "TMG-MODE-COK-14", "TMG-TEAM-4")
def test_cok_2018_each_of_a_team_deploys_two_units() -> None:
    units = [{"name": "Guards", "cost": 5, "commander": number == 0} for number in range(3)]
    armies = [
        {"side": side, "player": player, "units": units, "ncus": []}
        for side, player in (("north", "a"), ("north", "b"), ("south", "c"), ("south", "d"))
    ]
    battle = Battle("COK", "2018", armies=armies, shape="team", points=20, first="north")
    battle.do("continue")
    battle.refused("TMG-MODE-COK-13", "reserve", side="north", units=["a2", "a3", "b2", "b3"])
    battle.refused("TMG-MODE-COK-13", "reserve", side="north", units=["a2", "a3"])
    battle.refused("TMG-MODE-COK-14", "reserve", side="north", units=["a3", "b1"])
    battle.do("reserve", side="north", units=["a3", "b3"])
    assert [unit.id for unit in battle.state.units if unit.place == "reserve"] == ["a3", "b3"]


@pytest.mark.rule("TMG-MODE-COK-12", "TMG-VIC-9")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_commander_whom_nobody_destroyed_brings_no_prize(year: str) -> None:
    battle = battle_of("COK", year)
    battle.do("wounds", unit="r1", wounds=12)
    assert scored(battle) == [("blue", 1, "TMG-VIC-9")]
    assert not battle.side("blue").commander_killed


@pytest.mark.rule("TMG-MODE-COK-10", "TMG-MODE-COK-11", "TMG-MODE-COK-12", "OR-42")
def test_cok_2021_the_commander_earns_and_costs_points() -> None:
    battle = battle_of("COK")
    battle.do("wounds", unit="r1", wounds=12, by_unit="b1")
    assert scored(battle) == [
        ("blue", 1, "TMG-VIC-8"),
        ("blue", 1, "TMG-MODE-COK-11"),
        ("blue", 2, "TMG-MODE-COK-12"),
    ]
    battle.do("wounds", unit="b2", wounds=12, by_unit="r2")
    assert battle.vp() == (4, 1)


@pytest.mark.rule("TMG-MODE-COK-7", "TMG-MODE-COK-12")
def test_cok_2021_the_commander_returns_and_the_prize_is_won_once() -> None:
    battle = battle_of("COK").do("wounds", unit="r1", wounds=12, by_unit="b2")
    battle.round_over()
    assert battle.waits() == ["redeploy"]
    battle.refused("TMG-MODE-COK-7", "redeploy", unit="r2")
    battle.do("redeploy", unit="r1")
    assert (battle.unit("r1").place, battle.unit("r1").models) == ("field", 12)
    battle.do("wounds", unit="r1", wounds=12, by_unit="b2")
    assert scored(battle)[2:] == [("blue", 1, "TMG-VIC-8")]
    fell = [one for one in battle.report() if "destroys the enemy commander" in one]
    assert [one.rpartition(" commander ")[2] for one in fell] == ["for the first time", "again"]


@pytest.mark.rule("TMG-MODE-COK-10", "EX-70")
@pytest.mark.parametrize(("year", "points"), [("2021", 2), ("2018", 3)])
def test_cok_the_centre_and_a_side_token(year: str, points: int) -> None:
    battle = battle_of("COK", year)
    battle.do("objective", token="o1", unit="b2").do("objective", token="o2", unit="b2")
    battle.round_over().finish_round().do("continue").do("score", confirm=True)
    assert battle.vp()[0] == points


@pytest.mark.rule("TMG-MODE-COK-13", "TMG-MODE-COK-14")
def test_cok_2018_two_units_start_the_commander_among_them() -> None:
    battle = Battle("COK", "2018").do("continue")
    battle.refused("TMG-MODE-COK-13", "reserve", side="blue", units=["b2", "b3"])
    battle.refused("TMG-MODE-COK-14", "reserve", side="blue", units=["b1"])
    battle.do("reserve", side="blue", units=["b3"])
    assert battle.unit("b3").place == "reserve"
    battle.refused("TMG-MODE-COK-13", "reserve", side="blue", units=["b2"])  # no other mode's rule


@pytest.mark.rule("TMG-MODE-COK-14")
def test_cok_2018_an_ncu_commander_is_represented() -> None:
    led = {
        **STARK,
        "units": [
            {"name": "One", "cost": 5, "attachments": [CAPTAIN]},
            {"name": "Two", "cost": 5},
            {"name": "Three", "cost": 5},
        ],
        "ncus": [{"name": "Lord", "cost": 0, "commander": True}],
    }
    battle = Battle("COK", "2018", armies=[led, LANNISTER]).do("continue")
    battle.refused("TMG-MODE-COK-14", "reserve", side="blue", units=["b3"])
    battle.refused("TMG-MODE-COK-14", "reserve", side="blue", units=["b3"], leader="b2")
    battle.do("reserve", side="blue", units=["b3"], leader="b1")
    assert battle.unit("b1").commander


@pytest.mark.rule("TMG-MODE-COK-15", "TMG-MODE-COK-16", "TMG-MODE-COK-17", "TMG-MODE-COK-12")
def test_cok_2018_units_come_from_reserve_and_return_to_it() -> None:
    led = {
        **STARK,
        "units": [
            {"name": "One", "cost": 5, "commander": True, "attachments": [CAPTAIN]},
            {"name": "Two", "cost": 5},
            {"name": "Three", "cost": 5},
        ],
    }
    battle = battle_of("COK", "2018", armies=[led, LANNISTER])
    battle.refused("TMG-MODE-COK-15", "activate", unit="b3")
    battle.do("wounds", unit="b1", wounds=12, by_unit="r1")
    fallen = battle.unit("b1")
    assert (fallen.place, fallen.wounds, fallen.attachments) == ("reserve", 0, ())
    assert battle.vp() == (0, 3)
    battle.round_over()
    battle.forgo("r1").do("activate", unit="b3")
    assert battle.unit("b3").standing
    assert battle.unit("b3").activated
    assert battle.waits() == ["end-of-turn"]
    battle.do("end-turn").do("wounds", unit="b2", wounds=12, by="red").forgo("r2")
    battle.do("activate", unit="b2")
    assert battle.unit("b2").standing


@pytest.mark.rule("TMG-MODE-COK-16", "TMG-MODE-SOS-9", edition="2018")
def test_a_unit_that_is_a_character_stays_destroyed_one_with_normal_models_returns() -> None:
    wolf = {"card": "Grey Wind", "cost": 3}
    guard = {"card": "Eddard's Honor Guard", "cost": 7}
    led = {**STARK, "units": [{"name": "One", "cost": 5, "commander": True}, wolf, guard]}
    battle = Battle("COK", "2018", armies=[led, LANNISTER]).do("continue")
    battle.do("reserve", side="blue", units=["b3"]).do("reserve", side="red", units=["r3"])
    battle.deployed().do("wounds", unit="b2", wounds=9, by="red")
    assert battle.unit("b2").place == "destroyed"
    battle.round_over().forgo("r1").do("activate", unit="b3").do("end-turn")
    battle.do("wounds", unit="b3", wounds=12, by="red")
    assert battle.unit("b3").place == "reserve"


@pytest.mark.rule("TMG-MODE-COK-18", "OR-34")
@pytest.mark.parametrize(("reading", "edge"), [("nearest", "left"), ("opposite", "right")])
def test_cok_2018_a_token_wins_its_side_edge(reading: str, edge: str) -> None:
    battle = battle_of("COK", "2018", readings=[f"cok_edge={reading}"]).round_over()
    battle.do("objective", token="o2", unit="b1").forgo("r1").do("activate", unit="b3")
    [told] = battle.answer["reminders"]
    assert f"of the {edge} edge" in told
    assert told.count("edge") == 2
    battle.do("end-turn").do("activate", unit="r3")
    assert battle.answer["reminders"] == ['it enters within 12" of the own edge (TMG-MODE-COK-15)']
