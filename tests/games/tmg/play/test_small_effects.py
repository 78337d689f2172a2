"""Small consequences of commands: who rolls, who is asked, what is kept and what is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.api.play import Event, Refusal
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.commands.preparation import highest
from models import BadInput, CompanionError
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

GUARDS = {"name": "Guards", "wounds_per_model": 1}


def last(battle: Battle, kind: str) -> dict[str, Any]:
    """The data of the newest event of a type."""
    return next(dict(one.data) for one in reversed(battle.log) if one.type == kind)


def fought(**facts: Any) -> Battle:
    """An attack of b1 on r1 that waits for its dice."""
    battle = battle_of("GOT").do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    return battle.do("action", action="attack", target="r1", **facts)


# -- dice ---------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-ATK-1", "TMG-GLO-21")
def test_the_log_says_who_rolled() -> None:
    battle = fought().do("roll", faces=[6] * 7)
    assert (last(battle, "rolled")["unit"], last(battle, "rolled")["side"]) == ("b1", "blue")
    battle = battle_of("GOT").do("hits", unit="r2", hits=2, by="blue").do("roll", faces=[1, 1])
    assert (last(battle, "rolled")["unit"], last(battle, "rolled")["side"]) == ("r2", "red")


@pytest.mark.rule("TMG-ATK-7", "TMG-BON-3")
@pytest.mark.parametrize(("zone", "words"), [("front", "4+"), ("flank", "5+"), ("rear", "6+")])
def test_the_defender_is_told_what_blocks(zone: str, words: str) -> None:
    battle = fought(zone=zone).do("roll", faces=[6] * 7, keep=True)
    assert PLAY.pending(battle.state)[0].say.endswith(words)


@pytest.mark.rule("TMG-DEP-1", "TMG-FFA-3")
def test_the_highest_die_wins_and_ties_are_seen() -> None:
    assert highest([("blue", 3), ("red", 5), ("green", 5)]) == ["red", "green"]
    assert highest([("blue", 3), ("red", 2)]) == ["blue"]
    assert highest([]) == []
    battle = Battle(ready=False, first=None).do("continue")
    while (
        battle.waits() != ["roll-off"] and "roll-off" not in PLAY.pending(battle.state)[0].commands
    ):
        battle.do("continue")
    battle.refused("TMG-DEP-1", "roll-off", dice={"blue": 4, "red": 4})
    battle.do("roll-off", dice={"blue": 1, "red": 2})
    assert last(battle, "roll-off")["chooser"] == "red"
    for seed in range(12):
        rolled = Battle(ready=False, first=None, seed=seed).do("continue")
        while "roll-off" not in PLAY.pending(rolled.state)[0].commands:
            rolled.do("continue")
        data = last(rolled.do("roll-off"), "roll-off")
        dice = dict(data["dice"])
        assert dice[data["chooser"]] == max(dice.values())
        assert len(set(dice.values())) == 2


@pytest.mark.rule("TMG-PAN-7")
@pytest.mark.parametrize(("word", "field"), [("continue", "test"), ("place", "task")])
def test_numbers_of_tests_and_tasks_have_a_limit(word: str, field: str) -> None:
    battle = battle_of("GOT")
    found = PLAY.decide(battle.state, {"do": word, field: 10**6})
    assert isinstance(found, Refusal)
    with pytest.raises(BadInput):
        battle.do(word, **{field: 10**6 + 1})
    with pytest.raises(BadInput):
        battle.do(word, **{field: -1})


@pytest.mark.rule("TMG-PAN-7")
def test_of_two_tests_the_named_one_is_resolved() -> None:
    battle = battle_of("GOT").do("test", unit="r1", why="fear").do("test", unit="r2", why="fear")
    first, second = (one.id for one in battle.state.trials)
    battle.do("panic", test=first, faces=[6, 6]).do("panic", test=second, faces=[6, 6])
    battle.do("continue", test=second)
    assert [one.id for one in battle.state.trials] == [first]
    battle.do("continue")
    assert battle.state.trials == ()


# -- units --------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-VIC-8")
@pytest.mark.parametrize(("year", "reminded"), [("2021", False), ("2018", True)])
@pytest.mark.parametrize("cost", [None, 0, 5])
def test_who_costs_nothing_that_anybody_told(year: str, reminded: bool, cost: int | None) -> None:
    unit = GUARDS if cost is None else {**GUARDS, "cost": cost}
    army = {**STARK, "units": [*STARK["units"], unit]}
    battle = Battle("GOT", year, armies=[army, LANNISTER]).do("continue").deployed()
    battle.do("wounds", unit="b4", wounds=12, by="red")
    told = " ".join(map(str, battle.answer.get("reminders", ())))
    assert ("costs" in told) is (reminded and cost is None)
    assert battle.vp() == (0, 0 if year == "2018" and cost == 0 else 1)  # unknown is not nothing


@pytest.mark.rule("TMG-GLO-11", "TMG-BON-3")
def test_who_leaves_contact_forgets_only_its_own_arcs() -> None:
    battle = battle_of("GOT").do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("engage", unit="b2", **{"with": ["r2"]})
    arcs = (("b1", "r1", "flank"), ("b2", "r2", "rear"), ("r2", "b2", "front"))
    battle.state = replace(battle.state, arcs=arcs)
    battle.do("engage", unit="b1")
    assert battle.state.arcs == arcs[1:]
    battle.do("engage", unit="b2", **{"with": ["r2", "r3"]})
    assert battle.state.arcs == arcs[1:]
    battle.do("engage", unit="r2", **{"with": ["b1"]})
    assert not battle.state.arcs
    assert battle.unit("b2").engaged == ("r3",)


@pytest.mark.rule("TMG-ATM-8", "TMG-ATM-9")
def test_an_attachment_takes_the_place_its_owner_says() -> None:
    battle = (
        battle_of("GOT").do("attach", unit="b2", name="One").do("attach", unit="b2", name="Two")
    )
    battle.do("attach", unit="b2", name="Three", place=1)
    battle.do("attach", unit="b2", name="Four", place=2)
    names = [one.name for one in battle.unit("b2").attachments]
    assert names == ["Three", "Four", "One", "Two"]
    for place in (0, 6):
        with pytest.raises(BadInput):
            battle.do("attach", unit="b2", name="Five", place=place)
    battle.do("attach", unit="b2", name="Five", place=5).do(
        "attach", unit="b2", name="one", remove=True
    )
    assert last(battle, "detached")["place"] == 3
    assert [one.name for one in battle.unit("b2").attachments] == ["Three", "Four", "Two", "Five"]


@pytest.mark.rule("TMG-CARD-2", "TMG-ARM-1")
@pytest.mark.parametrize(
    ("key", "low", "high"),
    [("speed", 0, 24), ("defense", 1, 7), ("morale", 1, 13), ("cost", 0, 100)],
)
def test_numbers_of_a_unit_written_by_hand(key: str, low: int, high: int) -> None:
    def of(value: int) -> Battle:
        army = {**STARK, "units": [{**STARK["units"][0], key: value}, *STARK["units"][1:]]}
        return Battle(armies=[army, LANNISTER])

    for value in (low, high):
        assert getattr(of(value).unit("b1"), key) == value
    for value in (low - 1, high + 1):
        with pytest.raises(BadInput):
            of(value)


@pytest.mark.rule("TMG-CMD-2", "TMG-NCU-1")
@pytest.mark.parametrize("name", ["sansa", "Sansa"])
def test_a_commander_named_for_the_army_may_be_an_ncu(name: str) -> None:
    units = [{k: v for k, v in one.items() if k != "commander"} for one in STARK["units"]]
    army = {**STARK, "units": units, "commander": name}
    battle = Battle(armies=[army, LANNISTER])
    assert [one.name for one in battle.state.ncus if one.commander] == ["Sansa"]
    assert not any(unit.commander for unit in battle.state.units if unit.side == "blue")


# -- prompts ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-FFC-14", "TMG-MODE-DWD-9")
def test_only_a_pile_may_be_left_out() -> None:
    pile = battle_of("FFC").do("wounds", unit="r2", wounds=12, by="blue")
    assert [one.kind for one in pile.state.tasks] == ["pile"]
    options = PLAY.options(pile.state, None)[0]["options"]
    assert [one.get("skip") for one in options if one["do"] == "place"] == [None, True]
    token = battle_of("DWD")
    name = token.state.tokens[0].id
    token.do("objective", token=name, unit="r2").do("wounds", unit="r2", wounds=12, by="blue")
    assert [one.kind for one in token.state.tasks] == ["token"]
    options = PLAY.options(token.state, None)[0]["options"]
    assert [one.get("skip") for one in options if one["do"] == "place"] == [None]


@pytest.mark.rule("TMG-RND-13")
def test_no_points_are_offered_in_so_many_words() -> None:
    battle = battle_of("GOT").finish_round()
    while battle.state.step != "score":
        battle.do("continue")
    assert PLAY.pending(battle.state)[0].say == "confirm the points: none offered"


@pytest.mark.rule("TMG-NCU-2", "TMG-MODE-HWS-7", "TMG-MODE-HWS-8")
def test_only_an_ncu_that_acts_goes_to_a_quadrant() -> None:
    battle = battle_of("HWS")
    battle.refused("TMG-NCU-2", "quadrant", quadrant="lower-left")
    battle.do("activate", unit="b1")
    battle.refused("TMG-NCU-2", "quadrant", quadrant="lower-left")
    battle.do("action", action="forgo").do("end-turn").forgo("r1").do("activate", unit="bn1")
    battle.do("quadrant", quadrant="lower-left")
    assert battle.ncu("bn1").quadrant == "lower-left"
    battle.refused("TMG-NCU-2", "quadrant", quadrant="upper-left")
    battle_of("GOT").refused("TMG-MODE-HWS-7", "quadrant", quadrant="lower-left")


# -- events -------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-RND-1")
def test_an_event_of_a_newer_program_is_not_guessed() -> None:
    state = battle_of("GOT").state
    for event in (Event("no-such-thing", {}), Event("passed", {"side": "red"}, version=2)):
        with pytest.raises(CompanionError, match="is not known"):
            PLAY.apply(state, event)
    assert PLAY.apply(state, Event("passed", {"side": "red"})) == state
    assert PLAY.title(Event("passed", {"side": "red"})).startswith("red has no unit left")


@pytest.mark.rule("TMG-SRG-1")
@pytest.mark.parametrize("take", [True, False])
def test_a_surge_is_a_free_move(take: bool) -> None:
    battle = fought().do("attack-result", wounds=12)
    if battle.state.attack is not None:
        battle.do("continue")
    assert [one.kind for one in battle.state.tasks] == ["surge"]
    count = len(battle.log)
    battle.do("surge", take=take)
    acted = [dict(one.data) for one in battle.log[count:] if one.type == "acted"]
    assert [(one["free"], one["moves"], one["settled"]) for one in acted] == (
        [(True, True, False)] if take else []
    )


@pytest.mark.rule("TMG-RND-20", edition="2021")
def test_a_hand_over_its_limit_is_asked_about_once() -> None:
    cards = [f"Card {number}" for number in range(10)]
    battle = Battle(armies=[{**STARK, "cards": cards}, LANNISTER]).do("continue").deployed()
    battle.do("draw", player="blue", count=2)
    assert not battle.state.tasks
    battle.do("draw", player="blue", count=1)
    (task,) = list(battle.state.tasks)
    assert (task.kind, task.other, task.number) == ("hand", "blue", 5)
    battle.refused("TMG-RND-20", "draw", player="blue", count=1)
    battle.do("hits", unit="r1", hits=1).do(
        "discard", player="blue", cards=[battle.player("blue").hand[0]]
    )
    assert battle.state.tasks == ()


@pytest.mark.rule("TMG-CHG-4", "TMG-CHG-15")
@pytest.mark.parametrize(
    ("facts", "success"),
    [
        ({"distance": 8, "faces": [3]}, True),
        ({"distance": 8, "faces": [2]}, False),
        ({"faces": [3]}, None),
        ({"faces": [1], "success": True}, True),
        ({"distance": 8, "faces": [6], "success": False}, False),
    ],
)
def test_who_says_whether_a_charge_arrives(facts: dict[str, Any], success: bool | None) -> None:
    battle = battle_of("GOT").do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", zone="front", **facts)
    waits = [one.kind for one in battle.state.tasks]
    assert ("charge" in waits) is (success is None)
    assert (battle.state.attack is not None) is (success is True)


@pytest.mark.rule("TMG-PAN-7", "TMG-CON-4")
def test_only_the_rolled_test_offers_its_rerolls_while_attack_dice_lie() -> None:
    battle = fought().do("roll", faces=[1] * 7).do("token", unit="b3", token="panicked")
    battle.do("test", unit="b3", why="a card").do("panic", faces=[6, 6])
    offers = {one.what: one.data["rerolls"] for one in PLAY.pending(battle.state)}
    assert offers["test"]
    assert offers["attack-rerolls"] == []


@pytest.mark.rule("TMG-MODE-COK-7", "TMG-MODE-SOS-9")
@pytest.mark.parametrize(
    ("told", "left"),
    [({}, ["Captain"]), ({"characters": True}, ["Captain"]), ({"characters": False}, [])],
)
def test_characters_return_with_their_unit_unless_the_event_says_otherwise(
    told: dict[str, Any], left: list[str]
) -> None:
    captain = {"name": "Captain", "cost": 1, "character": True}
    led = {**STARK, "units": [{**STARK["units"][0], "attachments": [captain]}]}
    battle = battle_of("GOT", armies=[led, LANNISTER]).do("wounds", unit="b1", wounds=12)
    state = PLAY.apply(battle.state, Event("redeployed", {"unit": "b1", "whole": True, **told}))
    assert [one.name for one in state.unit("b1").attachments] == left


@pytest.mark.rule("TMG-SRG-1")
@pytest.mark.parametrize(("take", "words"), [(True, "surge forward"), (False, "no surge forward")])
def test_the_log_says_whether_the_victor_surged(take: bool, words: str) -> None:
    battle = fought().fight(12).do("surge", take=take)
    assert last(battle, "task-done")["say"] == words
