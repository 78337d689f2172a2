"""What a tournament judge is called for: units that vanish at the wrong moment, and the like."""

from __future__ import annotations

import pytest

from tests.play.battle import LANNISTER, STARK, Battle, battle_of


def attacking(year: str = "2021") -> Battle:
    """b1 attacks r1 and has not rolled yet."""
    battle = battle_of("GOT", year).do("activate", unit="b1")
    battle.do("engage", unit="b1", **{"with": ["r1"]})
    return battle.do("action", action="attack", target="r1")


@pytest.mark.parametrize("year", ["2018", "2021"])
@pytest.mark.rule("TMG-UNT-11", "TMG-ATK-2")
def test_an_attacker_destroyed_before_its_dice_fall_rolls_none(year: str) -> None:
    battle = attacking(year).do("wounds", unit="b1", wounds=12, by="red")
    assert battle.state.attack is None
    battle.refused("TMG-ATK-2", "roll")
    battle.do("end-turn")
    assert battle.state.active == "red"


@pytest.mark.parametrize("stage", ["dice to roll", "dice lying", "defense to roll"])
@pytest.mark.rule("TMG-UNT-11", "TMG-SRG-1")
def test_a_target_destroyed_by_something_else_ends_the_attack_without_a_surge(stage: str) -> None:
    battle = attacking()
    if stage != "dice to roll":
        battle.do("roll", faces=[6] * 7, keep=stage == "defense to roll")
    battle.do("wounds", unit="r1", wounds=12, by="blue")
    assert battle.state.attack is None
    assert battle.waits() == ["end-of-turn"]
    assert battle.vp() == (1, 0)
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-ATK-7", "TMG-ATK-12")
def test_hits_that_stand_are_suffered_though_their_dealer_is_gone() -> None:
    battle = attacking().do("roll", faces=[6] * 7)
    battle.do("wounds", unit="b1", wounds=12, by="red").do("continue")
    battle.do("roll", faces=[1] * 7, keep=True)
    assert battle.unit("r1").wounds == 7
    battle.do("panic", faces=[6, 6], d3=1, keep=True).do("continue").do("end-turn")


@pytest.mark.rule("TMG-ABL-5", "TMG-PAN-7")
def test_a_modifier_of_the_same_name_counts_and_shows_once() -> None:
    sharp = {"name": "Axes", "kind": "melee", "hit": 4, "dice": [7, 5, 4], "abilities": ["vicious"]}
    wolves = {**STARK, "units": [{"card": "Stark Sworn Swords", "cost": 5, "attacks": [sharp]}]}
    battle = Battle("GOT", armies=[wolves, LANNISTER]).deployed().do("activate", unit="b1")
    battle.do("engage", unit="b1", **{"with": ["r1"]})
    battle.do("action", action="attack", target="r1", zone="flank").do("attack-result", wounds=2)
    battle.do("modify", what="test", name="Vicious", value=-2)
    battle.do("modify", what="test", name="Inspiring", value=1)
    [told] = battle.view()["panic"]
    assert told["modifiers"] == {"vicious": -2, "flank": -1, "Inspiring": 1}
    assert told["modifier"] == sum(told["modifiers"].values()) == -2


@pytest.mark.rule("TMG-UNT-11", "TMG-PAN-4")
def test_of_two_tests_the_second_is_gone_with_the_unit() -> None:
    battle = battle_of("GOT").do("wounds", unit="r2", wounds=11)
    battle.do("test", unit="r2", why="fear").do("test", unit="r2", why="more fear")
    battle.do("panic", faces=[1, 1], d3=3, keep=True)
    assert battle.unit("r2").place == "destroyed"
    assert battle.state.trials == ()
    assert battle.waits() == ["turn-start"]


@pytest.mark.rule("TMG-TER-9", "TMG-ACT-3")
def test_a_unit_that_dies_on_the_way_has_had_its_activation() -> None:
    battle = battle_of("GOT").do("wounds", unit="b1", wounds=11).do("activate", unit="b1")
    battle.do(
        "action",
        action="charge",
        zone="front",
        target="r1",
        dangerous=True,
        d3=1,
        faces=[5],
        distance=6,
    )
    assert battle.unit("b1").place == "destroyed"
    assert battle.waits() == ["end-of-turn"]
    battle.do("end-turn")
    assert battle.state.active == "red"


@pytest.mark.rule("TMG-INF-2", "TMG-INF-5", "TMG-UNT-11")
def test_influence_outlasts_lost_abilities_and_ends_with_the_unit() -> None:
    battle = battle_of("GOT").do("activate", unit="bn1").do("claim", zone="crown")
    battle.do("zone-effect", skip=True).do("influence", ncu="bn1", unit="r1")
    battle.do("lose-abilities", unit="r1")
    assert battle.unit("r1").influence == (("bn1", "blue"),)
    battle.do("wounds", unit="r1", wounds=12)
    assert battle.unit("r1").influence == ()


@pytest.mark.rule("TMG-RND-9", "TMG-RND-10", "TMG-RND-11")
def test_the_side_with_fewer_units_passes_until_the_other_is_done() -> None:
    few = {**STARK, "units": STARK["units"][:1], "ncus": []}
    battle = Battle("GOT", armies=[few, LANNISTER]).deployed().forgo("b1")
    battle.refused("TMG-RND-9", "pass")
    for name in ("r1", "r2", "r3", "rn1"):
        battle.forgo(name)
        assert "blue has no unit left to activate and must pass" in battle.titles
        assert battle.state.active == "red"
    battle.forgo("rn2")
    assert battle.state.phase == "clean-up"
