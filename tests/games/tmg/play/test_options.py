"""What a prompt offers stands in its fields: whole commands, lists by name, nothing hidden."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.games.tmg.play import PLAY
from companion.games.tmg.play.context import COMMANDS
from companion.games.tmg.play.prompt_options import MAKERS, OPEN
from companion.session.session import Session
from models import Sigma
from tests.games.tmg.play.sighted import NORTH, seen, slab
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

Plain = dict[str, Any]


def offered(battle: Battle, side: str | None = None) -> Plain:
    """What the most urgent prompt offers, as another program sees it."""
    return dict(PLAY.options(battle.state, side)[0])


def ways(battle: Battle, word: str, side: str | None = None) -> list[Plain]:
    """The options that give one command, without its name."""
    found = [one for one in offered(battle, side)["options"] if one["do"] == word]
    return [{name: value for name, value in one.items() if name != "do"} for one in found]


def facts(battle: Battle) -> Plain:
    return dict(PLAY.pending(battle.state)[0].data)


def every_option_is_taken(battle: Battle, side: str | None = None) -> None:
    state = battle.state
    for one in offered(battle, side)["options"]:
        found = PLAY.decide(state, one)
        assert getattr(found, "events", None), (one, found)


# -- set-up -----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-COK-4")
def test_cards_to_choose_are_listed_until_they_are_taken() -> None:
    battle = Battle("COK").do("continue")
    assert facts(battle) == {"player": "red", "cards": ["6", "7", "8", "9", "10"]}
    battle.do("choose-card", player="red", card="7")
    assert facts(battle) == {"player": "blue", "cards": ["6", "8", "9", "10"]}
    assert [one["card"] for one in ways(battle, "choose-card")] == ["6", "8", "9", "10"]


@pytest.mark.rule("TMG-MODE-SOS-10", "TMG-MODE-COK-13", "TMG-MODE-COK-14")
def test_reserves_say_from_what_and_how_much() -> None:
    siege = Battle("SOS", defender="red").do("continue")
    assert facts(siege)["units"] == {"r1": 6, "r2": 5, "r3": 7}
    assert facts(siege)["count"] == 2
    held = [one["units"] for one in ways(siege, "reserve")]
    assert held == [["r1", "r2"], ["r1", "r3"], ["r2", "r3"]]
    points = Battle("SOS", "2018", defender="red").do("continue")
    assert facts(points)["points"] == 9
    assert ["r3"] not in [one["units"] for one in ways(points, "reserve")]
    clash = Battle("COK", "2018").do("continue")
    assert (facts(clash)["deployed"], facts(clash)["commanders"]) == (2, ["b1"])
    assert [one["units"] for one in ways(clash, "reserve")] == [["b2"], ["b3"]]


@pytest.mark.rule("TMG-MODE-COK-14")
def test_who_stands_in_for_a_commander_off_the_field_is_offered() -> None:
    units = [
        {"name": "Guards", "attachments": [{"name": "Captain", "cost": 1}], "cost": 5},
        {"name": "Spears", "cost": 5},
        {"name": "Bows", "cost": 5},
    ]
    army = {**STARK, "units": units, "ncus": [{"name": "Eddard", "cost": 4, "commander": True}]}
    battle = Battle("COK", "2018", armies=[army, LANNISTER], unchecked=True).do("continue")
    assert {"side": "blue", "units": ["b3"], "leader": "b1"} in ways(battle, "reserve")
    every_option_is_taken(battle)


@pytest.mark.rule("TMG-MODE-FAB-3", "TMG-MODE-FAB-5")
def test_marks_list_enemies_and_free_cards() -> None:
    battle = Battle("FAB").deployed().do("mark", side="blue", unit="r1", card="6")
    assert facts(battle) == {"units": ["b1", "b2", "b3"]}
    battle.do("mark", side="red", unit="b1")
    assert facts(battle) == {"unit": "b1", "cards": ["7", "8", "9", "10"]}
    battle.do("mark-card", unit="b1", card="7")
    assert facts(battle)["units"] == ["r2", "r3"]
    every_option_is_taken(battle)


@pytest.mark.rule("TMG-DEP-1", "TMG-DEP-2", "TMG-SET-7", "TMG-MODE-SOS-1")
@pytest.mark.parametrize("mode", ["GOT", "SOS", "FFC"])
def test_a_set_up_goes_from_option_to_option(mode: str) -> None:
    battle = Battle(mode, ready=False, first=None)
    kinds = []
    while battle.state.round == 0:
        kinds.append(PLAY.pending(battle.state)[0].what)
        every_option_is_taken(battle)
        first = dict(offered(battle)["options"][0])
        battle.do(first.pop("do"), **first)
    assert {"mark-zones", "terrain", "zones", "first-player", "deploy"} <= set(kinds)


@pytest.mark.rule("TMG-SET-11", "TMG-MODE-FFC-20")
def test_a_rolled_piece_is_offered_whatever_the_dice_will_show() -> None:
    for seed in range(12):
        battle = Battle("FFC", ready=False, first=None, seed=seed)
        while battle.waits() != ["terrain"] or "left" not in facts(battle):
            first = dict(offered(battle)["options"][0])
            battle.do(first.pop("do"), **first)
        assert "corpse-pile" not in facts(battle)["pieces"]
        named = [one["piece"] for one in ways(battle, "terrain") if one.get("random")]
        assert named == facts(battle)["pieces"]


# -- the turn ---------------------------------------------------------------------------------


@pytest.mark.rule("TMG-ACT-1", "TMG-MEL-1", "TMG-RNG-2", "TMG-RET-1")
def test_actions_are_listed_with_their_targets() -> None:
    battle = Battle().deployed().do("activate", unit="b2")
    assert facts(battle) == {"unit": "b2"}
    foes = ["r1", "r2", "r3"]
    assert offered(battle)["actions"] == {
        "forgo": [],
        "maneuver": [],
        "march": [],
        "attack": foes,
        "charge": foes,
    }
    battle.do("engage", unit="b2", **{"with": ["r3"]})
    assert offered(battle)["actions"] == {"forgo": [], "retreat": [], "attack": ["r3"]}
    every_option_is_taken(battle)


@pytest.mark.rule("TMG-LOS-8")
def test_what_is_too_close_to_call_is_offered_with_the_players_word() -> None:
    battle = Battle().deployed()
    spots = {"b2": (31.5, 31.5, 225.0), "r3": (24.0, 24.0, NORTH)}
    seen(battle, spots, sigma=Sigma(1.0, 5.0)).do("activate", unit="b2")
    shots = [one for one in ways(battle, "action") if one.get("ranged")]
    battle.refused("TMG-LOS-8", "action", action="attack", target="r3", ranged=True)
    assert {one.get("zone") for one in shots if one["target"] == "r3"} == {"front", "flank"}
    every_option_is_taken(battle)


@pytest.mark.rule("TMG-TER-19", "TMG-ACT-1")
@pytest.mark.parametrize(("year", "pieces"), [("2021", ["palisade"]), ("2018", [])])
def test_a_destructible_piece_in_reach_is_a_target(year: str, pieces: list[str]) -> None:
    battle = battle_of("GOT", year)
    near = slab(battle.game, "palisade", (14, 13, 34, 14))  # 0.6 inches before the tray
    far, bog = slab(battle.game, "hedge", (2, 30, 8, 31)), slab(battle.game, "bog", (14, 6, 34, 7))
    seen(battle, {"b1": (24.0, 10.0, NORTH)}, (near, far, bog)).do("activate", unit="b1")
    assert [one["piece"] for one in ways(battle, "action") if "piece" in one] == pieces
    every_option_is_taken(battle)


@pytest.mark.rule("TMG-ZON-2", "TMG-ZON-3", "TMG-ZON-4", "TMG-ZON-5", "TMG-ZON-6")
@pytest.mark.parametrize("year", ["2021", "2018"])
@pytest.mark.parametrize("zone", ["crown", "wealth", "combat", "tactics", "maneuver"])
def test_a_zone_offers_what_its_effect_can_do(zone: str, year: str) -> None:
    battle = Battle("GOT", year).deployed().do("token", unit="b1", token="weakened")
    battle.do("token", unit="b1", token="panicked").do("wounds", unit="b2", wounds=2)
    battle.do("activate", unit="bn1").do("claim", zone=zone)
    told = facts(battle)
    assert (told["unit"], told["zone"], told["known"]) == ("bn1", zone, year == "2021")
    found = ways(battle, "zone-effect")
    assert {"skip": True} in found
    if year == "2018":
        assert found == [{"skip": True}]
        return
    wanted = {
        "crown": {"unit": "r2"},
        "wealth": {"unit": "b1", "token": "panicked"},
        "combat": {"unit": "b2", "target": "r1", "ranged": True},
        "tactics": {"unit": "r3", "token": "vulnerable"},
        "maneuver": {"unit": "b3", "action": "maneuver"},
    }
    assert wanted[zone] in found
    every_option_is_taken(battle)


@pytest.mark.rule("TMG-MODE-HWS-10", "TMG-MODE-COK-7")
def test_units_that_may_return_are_listed() -> None:
    battle = battle_of("HWS").do("wounds", unit="b2", wounds=12, by="red")
    battle.do("wounds", unit="b3", wounds=12, by="red").round_over()
    assert battle.waits() == ["redeploy"]
    assert facts(battle)["units"] == ["b2", "b3"]
    assert ways(battle, "redeploy") == [{"unit": "b2"}, {"unit": "b3"}]
    assert ways(battle, "continue") == [{"side": "blue"}]


# -- dice -------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-RER-1", "TMG-CON-5", "TMG-PAN-7")
def test_of_two_rolled_tests_each_has_its_own_rerolls() -> None:
    battle = Battle().deployed()
    for unit in ("b1", "b2"):
        battle.do("token", unit=unit, token="panicked").do("test", unit=unit, why="a card")
    one, two = (trial.id for trial in battle.state.trials)
    battle.do("panic", test=one, faces=[6, 6]).do("panic", test=two, faces=[6, 5])
    prompts = PLAY.pending(battle.state)
    assert [prompt.data["rerolls"][0]["test"] for prompt in prompts] == [one, two]
    battle.do("reroll", **prompts[1].data["rerolls"][0], faces=[1, 2, 3])
    assert battle.unit("b2").tokens == ()
    assert battle.unit("b1").tokens == ("panicked",)
    assert PLAY.pending(battle.state)[1].data["rerolls"] == []
    battle.do("continue", test=two)
    assert [trial.id for trial in battle.state.trials] == [one]
    battle.refused("TMG-PAN-7", "continue", test=two)
    battle.refused("TMG-RER-3", "reroll", side="red", because="panicked", test=two)


@pytest.mark.rule("TMG-RER-1", "TMG-RER-2", "TMG-BON-1")
def test_no_reroll_is_offered_that_would_be_refused() -> None:
    battle = Battle().deployed().do("token", unit="b1", token="weakened")
    battle.do("activate", unit="b1").do(
        "action", action="charge", zone="front", target="r1", success=True
    )
    battle.do("roll", faces=[1, 2, 6, 6, 6, 6, 6])
    assert {one["because"] for one in ways(battle, "reroll")} == {"charge bonus"}
    assert ways(battle, "continue") == [{"side": "blue"}]  # the active player decides first
    battle.do("continue", side="blue")
    (spent,) = ways(battle, "reroll")
    assert (spent["because"], spent["places"]) == ("weakened", [2, 3, 4, 5, 6])  # the hits
    battle.do("reroll", **spent, faces=[1] * 5)
    assert ways(battle, "reroll") == []


@pytest.mark.rule("TMG-ATK-7")
def test_dice_that_wait_are_told_by_number() -> None:
    battle = Battle().deployed().do("hits", unit="b1", hits=3, why="fire")
    assert facts(battle) == {"unit": "b1", "dice": 3, "need": 4, "modifier": 0, "face": 4}
    assert offered(battle)["open"] == ["modify", "attack-result"]


# -- hidden cards -----------------------------------------------------------------------------


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    names = [f"Secret {number}" for number in range(10)]
    armies = [{**STARK, "cards": names}, LANNISTER]
    with Session.open(tmp_path / "a.game") as kept:
        asked = {"game": "tmg-2021", "mode": "GOT", "armies": armies, "ready": True}
        assert kept.answer({"do": "set-up", **asked, "first": "blue", "seed": 7})["ok"]
        kept.answer({"do": "continue"})
        kept.answer({"do": "deploy"})
        yield kept


@pytest.mark.rule("TMG-DECK-5")
def test_hidden_cards_are_offered_to_their_owner_alone(session: Session) -> None:
    for public in ({"do": "state"}, {"do": "state", "for": "red"}):
        assert "Secret" not in json.dumps(session.answer(public))
    own = session.answer({"do": "state", "for": "blue"})["state"]
    cards = [one["card"] for one in own["pending"][0]["options"] if one["do"] == "play"]
    assert cards
    assert set(cards) == set(own["players"]["blue"]["hand_cards"])


@pytest.mark.rule("TMG-RND-6")
def test_options_are_there_for_who_asks(session: Session) -> None:
    plain = session.answer({"do": "note", "text": "well"})["state"]
    assert "options" not in plain["pending"][0]
    for asked in ({"do": "state"}, {"do": "note", "text": "well", "for": "red"}):
        prompt = session.answer(asked)["state"]["pending"][0]
        assert {"do": "activate", "unit": "b1"} in prompt["options"]


def test_every_maker_is_of_a_command_and_every_open_one_too() -> None:
    assert MAKERS.keys() | OPEN <= COMMANDS.keys()


@pytest.mark.rule("TMG-RER-3")
def test_every_prompt_has_its_facts_and_names_the_commands_with_words_of_the_players() -> None:
    battle = Battle()
    assert battle.view()["pending"][0]["data"] == {}
    battle.deployed().do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1").do("roll")
    assert facts(battle)["rerolls"] == []
    assert "reroll" in offered(battle)["open"]  # by an effect that only the players know
