"""Attacks step by step, charges, captives, mounts, surges, abilities, motivations, equipment."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.tactics.game import GAME
from companion.games.tactics.play import PLAY
from companion.games.tactics.rules.attack_odds import AttackQuestion, attack_odds
from companion.games.tactics.screen import SCREEN
from tests.games.tactics.battle import (
    ARCHER,
    BLOW,
    FOE_HERO,
    HERO,
    RIDER,
    SOLDIER,
    SWORD,
    VETERAN,
    Skirmish,
    card,
    with_agenda,
)

rule = pytest.mark.rule


def fight(blue: dict[str, Any] = SOLDIER, red: dict[str, Any] = SOLDIER, **more: Any) -> Skirmish:
    """Two engaged figures and a second red soldier far away; blue is activated."""
    game = Skirmish([(blue, "4,4")], [(red, "4,5"), (SOLDIER, "0,8")], **more)
    return game.do("activate", figure="b1")


# -- dice and wounds -------------------------------------------------------------------------------


@rule("TAC-CRD-8", "TAC-CRD-9", "TAC-V-1", "TAC-D-21")
@pytest.mark.parametrize(
    ("extra", "dice", "price"), [(0, 1, 0), (1, 2, 1), (2, 3, 2), (3, 4, 4), (4, 5, 7)]
)
def test_every_blow_costs(extra: int, dice: int, price: int) -> None:
    game = fight(card("Robert", attacks=[BLOW]))
    effects = [f"die {number}" for number in range(1, extra + 1)]
    game.do("attack", target="r1", effects=effects)
    assert game.state.attack is not None
    assert game.state.attack.dice == dice
    assert game.coins()[2] == 18 - 1 - price


@rule("TAC-CRD-10", "TAC-CRD-11", "TAC-V-2")
def test_optional_effects_are_paid_anew_and_used_once() -> None:
    game = fight(card("Robert", attacks=[BLOW]))
    assert game.refused("attack", target="r1", effects=["die 1", "die 1"]) == "TAC-CRD-11"
    game.attack([1, 1], effects=["die 1"])
    assert game.coins()[2] == 16
    game.attack([1, 1], effects=["die 1"])
    assert game.coins()[2] == 15


@rule("TAC-COI-5", "TAC-ATK-7", "TAC-ATK-9", "TAC-ATK-10", "TAC-V-3", "TAC-GEN-10", "TAC-GEN-11")
@rule("TAC-ATK-5", "TAC-CRD-5", "TAC-DIE-1")
def test_the_book_example_of_an_attack() -> None:
    game = fight(card("Robert", attacks=[BLOW]), card("Guard", defence=6, health=4))
    four = [f"die {number}" for number in range(1, 5)]
    game.do("attack", target="r1", effects=four).do("roll", faces=[6, 5, 7, 3, 9])
    assert game.coins()[2] == 10
    assert game.state.attack is not None
    assert game.state.attack.hits == 3
    assert game.refused("roll", faces=[7]) == "INPUT"
    game.do("roll", faces=[7, 6, 5])
    assert game.figure("r1").wounds == 1


@rule("TAC-ATK-12", "TAC-ABL-15", "TAC-ABL-16", "TAC-V-4")
def test_a_defence_with_aftermath_wounds_the_attacker() -> None:
    parry = {"name": "Masterly Parried", "kind": "defence", "price": [0, 0, 1], "aftermath": True}
    game = fight(SOLDIER, card("Guard", health=4, abilities=[parry]))
    game.attack([6, 1], [1])
    assert game.waits() == "aftermath"
    assert SCREEN.prompts(game.state)[0].rule == "TAC-ATK-12"
    assert game.refused("aftermath", figure="b1", ability="Masterly Parried") == "TAC-ABL-15"
    game.do("aftermath", figure="r1", ability="Masterly Parried", wounds=1)
    assert game.figure("b1").wounds == 1
    assert game.coins("red")[2] == 17
    assert not game.figure("r1").activated
    assert game.waits() == "act"


@rule("TAC-CRD-11", "TAC-ABL-15")
def test_an_aftermath_is_used_once_and_asks_for_its_wounds() -> None:
    parry = {"name": "Masterly Parried", "kind": "defence", "price": [0, 0, 1], "aftermath": True}
    game = fight(SOLDIER, card("Guard", health=4, abilities=[parry])).attack([6, 1], [1])
    (prompt,) = SCREEN.prompts(game.state)
    (form,) = prompt.forms
    assert form.detail == "1 copper star"
    assert form.entries[0].text == "wounds that it deals to Soldier 1"
    game.do("aftermath", figure="r1", ability="Masterly Parried", wounds=1)
    assert game.waits() == "act", "nothing is left to use"
    assert game.refused("aftermath", figure="r1", ability="Masterly Parried") == "TAC-ABL-15"
    game.do("attack", target="r1").do("roll", faces=[6, 1]).do("roll", faces=[1])
    game.do("aftermath", figure="r1", ability="Masterly Parried", wounds=1)
    assert game.figure("b1").wounds == 2


@rule("TAC-ATK-11", "TAC-ATK-12")
def test_an_aftermath_of_the_defence_is_not_for_the_attacker() -> None:
    parry = {"name": "Masterly Parried", "kind": "defence", "price": [0, 0, 1], "aftermath": True}
    cleave = {"name": "Cleave", "kind": "triggered", "price": [0, 0, 2], "aftermath": True}
    game = fight(card("Reaver", abilities=[parry])).attack([6, 1], [9])
    assert game.waits() == "act", "nobody may use one"
    game = fight(card("Reaver", abilities=[parry, cleave])).attack([6, 1], [9])
    assert "Masterly Parried" not in str(game.commands())
    assert game.refused("aftermath", figure="b1", ability="Masterly Parried") == "TAC-ATK-12"


@rule("TAC-ATK-11")
def test_aftermaths_of_the_attacker_are_prompted() -> None:
    cleave = {"name": "Cleave", "kind": "triggered", "price": [0, 0, 2], "aftermath": True}
    game = fight(card("Reaver", abilities=[cleave]), card("Guard", health=4))
    game.attack([6, 1], [1])
    assert {"do": "aftermath", "figure": "b1", "ability": "Cleave"} in game.commands()
    game.do("aftermath", figure="b1", ability="Cleave")
    assert game.coins()[2] == 15


@rule("TAC-ATK-11", "TAC-ATK-12")
def test_the_attacker_uses_aftermaths_before_the_defender() -> None:
    """Each is asked by name and alone, and goes on alone; an answer is told for each."""
    parry = {"name": "Parry", "kind": "defence", "price": [0, 0, 1], "aftermath": True, "wounds": 1}
    cleave = {"name": "Cleave", "kind": "triggered", "price": [0, 0, 2], "aftermath": True}
    game = fight(card("Reaver", abilities=[cleave]), card("Guard", health=4, abilities=[parry]))
    game.attack([6, 1], [1])
    (asked,) = PLAY.pending(game.state)
    assert (asked.side, str(asked.say)) == ("blue", "Reaver may use an aftermath of the attack")
    assert game.refused("aftermath", figure="r1", ability="Parry") == "TAC-ATK-12"
    assert PLAY.authority(game.state, {"do": "continue"}).seats == ("blue",)
    game.do("continue")
    assert game.titles == ["Reaver uses no aftermath"]
    (asked,) = PLAY.pending(game.state)
    assert (asked.side, str(asked.say)) == ("red", "Guard may use an aftermath of the attack")
    assert game.refused("aftermath", figure="b1", ability="Cleave") == "TAC-ATK-12"
    prompt = next(iter(SCREEN.prompts(game.state)))
    assert not prompt.forms, "the wounds that its card deals are not asked"
    told = [(str(one.text), str(one.detail)) for one in prompt.choices]
    assert ("Guard: Parry", "1 copper star, it deals 1 wound") in told
    assert game.do("aftermath", figure="r1", ability="Parry").waits() == "act"
    assert game.figure("b1").wounds == 1


@rule("TAC-ATK-11", "TAC-ATK-12")
def test_a_game_saved_while_both_were_asked_goes_on() -> None:
    parry = {"name": "Parry", "kind": "defence", "price": [0, 0, 1], "aftermath": True}
    game = fight(SOLDIER, card("Guard", health=4, abilities=[parry])).attack([6, 1], [1])
    old = replace(game.state.tasks[0], side="blue", figure="b1", data={})
    game.state = replace(game.state, tasks=(old,))
    assert PLAY.authority(game.state, {"do": "continue"}).together
    game.do("aftermath", figure="r1", ability="Parry", wounds=1).do("continue")
    assert game.waits() == "act"


@rule("TAC-CRD-4", "TAC-V-5")
@pytest.mark.parametrize(("face", "passed"), [(5, True), (4, False), (10, True)])
def test_a_will_test(face: int, passed: bool) -> None:
    game = fight().do("will", figure="b1", faces=[face])
    assert game.answer["passed"] is passed


@rule("TAC-CRD-5", "TAC-CRD-6", "TAC-V-6")
@pytest.mark.parametrize(("face", "wounds"), [(5, 0), (4, 1)])
def test_defence_five(face: int, wounds: int) -> None:
    game = fight(SOLDIER, HERO).attack([6, 1], [face])
    assert game.figure("r1").wounds == wounds


@rule("TAC-STA-6", "TAC-CRD-6", "TAC-V-7", "TAC-ATK-13")
@pytest.mark.parametrize(("wounds", "fate"), [(3, "board"), (4, "killed")])
def test_health_four(wounds: int, fate: str) -> None:
    game = fight(SOLDIER, card("Guard", health=4))
    game.do("wound", figure="r1", wounds=wounds)
    assert game.figure("r1").fate == fate


@rule("TAC-DIE-3", "TAC-DIE-4", "TAC-D-11", "TAC-OR-14", "TAC-DIE-2")
def test_a_natural_ten_hits_twice() -> None:
    game = fight(SOLDIER, card("Guard", health=6)).do("attack", target="r1")
    game.do("roll", faces=[10, 4])
    assert PLAY.pending(game.state)[0].data["dice"] == 2
    other = fight(SOLDIER, card("Guard", health=6), readings=("natural-ten-dice=undefended",))
    other.do("attack", target="r1").do("roll", faces=[10, 4])
    assert PLAY.pending(other.state)[0].data["dice"] == 1
    assert other.do("roll", faces=[9]).figure("r1").wounds == 1


@rule("TAC-DIE-5", "TAC-STA-2", "TAC-D-12", "TAC-OR-18")
def test_a_shaken_defender() -> None:
    game = fight(SOLDIER, card("Guard", defence=5, health=6))
    game.do("condition", figure="r1", kind="shaken").attack([6, 7], [10, 6])
    assert game.figure("r1").wounds == 1
    assert not game.figure("r1").shaken


@rule("TAC-STA-2", "TAC-STA-1")
def test_a_shaken_attacker_and_one_token_of_each() -> None:
    game = fight().do("condition", figure="b1", kind="shaken")
    assert game.refused("condition", figure="b1", kind="shaken") == "TAC-STA-1"
    game.do("condition", figure="b1", kind="frozen")
    game.attack([7, 10], [1, 1])
    assert game.figure("b1").shaken is False
    assert game.figure("b1").frozen is True


@rule("TAC-TER-13", "TAC-D-18")
def test_from_high_ground() -> None:
    rows = ["......."] * 2 + ["....^.."] + ["......."] * 4
    tile = {"id": "hill", "name": "Hill", "rows": rows}
    game = Skirmish(
        [(card("Three", attacks=[{**SWORD, "dice": 3}]), "4,4")],
        [(card("Guard", health=6), "4,5"), (SOLDIER, "0,6")],
        size=(7, 7),
        tiles=(tile,),
    )
    game.do("activate", figure="b1").do("attack", target="r1").do("roll", faces=[4, 5, 3])
    assert game.state.attack is not None
    assert game.state.attack.hits == 2


@rule("TAC-CRD-12")
def test_an_attack_that_must_be_paid() -> None:
    costly = card("Crossbow", attacks=[{**SWORD, "spend": [0, 0, 2]}])
    game = fight(costly, coins=(0, 0, 2))
    assert game.refused("attack", target="r1") == "TAC-COI-8"
    assert fight(costly).do("attack", target="r1").coins()[2] == 15


@rule("TAC-ATK-1", "TAC-CRD-7")
def test_a_figure_without_attack_cannot_attack() -> None:
    game = fight(card("Healer", attacks=[]))
    assert game.refused("attack", target="r1") == "TAC-ATK-1"


@rule("TAC-ATK-2", "TAC-ATK-4", "TAC-GEN-4", "TAC-GEN-5", "TAC-GEN-6")
def test_whom_to_attack() -> None:
    game = Skirmish([(ARCHER, "4,4"), (SOLDIER, "3,4")], [(SOLDIER, "4,5"), (SOLDIER, "0,8")])
    game.do("activate", figure="b1")
    assert game.refused("attack", target="r2") == "TAC-ATK-4"
    assert game.refused("attack", target="b2") == "TAC-GEN-5"
    game.do("end").do("activate", figure="r2").do("end").do("activate", figure="b2")
    assert game.refused("attack", target="r2") == "TAC-ATK-2"


@rule("TAC-ATK-6", "TAC-ATK-8", "TAC-ABL-6", "TAC-V-13")
def test_defence_abilities_are_asked_before_the_defence_roll() -> None:
    king = {
        "name": "For the King!",
        "kind": "defence",
        "effects": [
            {"name": "one", "price": [0, 0, 1], "cancels": 1, "needs": "hero-in-contact"},
            {"name": "three", "price": [0, 0, 4], "modifier": 3},
        ],
    }
    guard = card("Guard", abilities=[king], defence=8, health=3)
    game = fight(SOLDIER, guard).do("attack", target="r1").do("roll", faces=[6, 7])
    assert game.waits() == "defend"
    assert game.commands() == [{"do": "defend"}, {"do": "defend", "effects": ["three"]}]
    assert game.refused("defend", effects=["one"]) == "TAC-ABL-6"
    game.do("defend", effects=["three"])
    assert game.coins("red")[2] == 14
    assert game.do("roll", faces=[5, 4]).figure("r1").wounds == 1
    hero = fight(HERO, guard).do("attack", target="r1").do("roll", faces=[6, 7])
    hero.do("defend", effects=["one"])
    assert PLAY.pending(hero.state)[0].data["dice"] == 1


@rule("TAC-ABL-2", "TAC-ABL-11", "TAC-V-12")
def test_equal_passives_count_once() -> None:
    stag = {"name": "Guardian of the Stag", "kind": "passive", "hero_defence": 1}
    guard = card("Guard", abilities=[stag])
    game = Skirmish([(SOLDIER, "4,4")], [(HERO, "4,5"), (guard, "3,5"), (guard, "5,5")])
    game.do("activate", figure="b1").do("attack", target="r1").do("roll", faces=[6, 1])
    assert game.state.attack is not None
    assert game.state.attack.defence_modifier == 1
    assert game.refused("ability", figure="r2", ability="Guardian of the Stag") == "TAC-ABL-11"


# -- charge ----------------------------------------------------------------------------------------


@rule("TAC-CHG-1", "TAC-CHG-5", "TAC-CHG-6", "TAC-CHG-7", "TAC-D-21", "TAC-CHG-8")
def test_a_charge_moves_and_attacks_with_one_more_die() -> None:
    lance = {
        **SWORD,
        "effects": [{"name": "Gallop", "price": [0, 0, 2], "dice": 1, "charge_only": True}],
    }
    game = Skirmish([(card("Lancer", attacks=[lance]), "4,0")], [(SOLDIER, "4,4")])
    game.do("activate", figure="b1")
    assert game.refused("charge", target="r1") == "TAC-CHG-7"
    assert game.refused("charge", target="r1", to="4,2") == "TAC-CHG-4"
    game.do("charge", target="r1", to="4,3", effects=["Gallop"])
    assert game.state.attack is not None
    assert (game.state.attack.dice, game.figure("b1").cell) == (4, (4, 3))
    assert game.state.activation is not None
    assert game.state.activation.ap == 0
    near = Skirmish([(card("Lancer", attacks=[lance]), "4,3")], [(SOLDIER, "4,4")])
    near.do("activate", figure="b1")
    assert near.refused("attack", target="r1", effects=["Gallop"]) == "TAC-CHG-8"


@rule("TAC-CHG-2", "TAC-CHG-3", "TAC-LOS-8")
def test_charges_that_may_not_be_declared() -> None:
    game = fight()
    assert game.refused("charge", target="r2") == "TAC-CHG-2"
    hidden = Skirmish([(SOLDIER, "0,0")], [(SOLDIER, "0,1"), (SOLDIER, "0,8")])
    hidden.do("place", figure="r1", to="0,2").do("activate", figure="b1")
    assert hidden.refused("charge", target="r2") == "TAC-LOS-8"


@rule("TAC-OR-31")
def test_a_charge_that_does_not_reach() -> None:
    game = Skirmish([(SOLDIER, "0,0")], [(SOLDIER, "0,8")]).do("activate", figure="b1")
    game.do("charge", target="r1", to="0,3")
    assert (game.state.attack, game.figure("b1").cell) == (None, (0, 3))
    assert game.state.activation is not None
    assert game.state.activation.ap == 0


@rule("TAC-ABL-3", "TAC-ABL-4")
def test_a_movement_ability_is_paid_with_the_move() -> None:
    bold = {"name": "Bold Step", "kind": "movement", "price": [0, 0, 3], "unstoppable": True}
    game = Skirmish(
        [(card("Scout", abilities=[bold]), "0,0")], [(SOLDIER, "2,1"), (SOLDIER, "8,8")]
    )
    game.do("activate", figure="b1")
    assert game.refused("move", to="3,0") == "TAC-MOV-6"
    assert game.refused("move", to="3,0", ability="Flight") == "TAC-ABL-3"
    game.do("move", to="3,0", ability="Bold Step")
    assert game.coins()[2] == 14


# -- death, capture, surge -------------------------------------------------------------------------


@rule("TAC-ATK-16", "TAC-V-23", "TAC-ACT-1", "TAC-OR-19")
def test_surge_after_a_kill() -> None:
    game = fight().attack([6, 7], [1, 1])
    assert game.figure("r1").fate == "killed"
    assert game.waits() == "surge"
    assert game.refused("surge", to="4,6") == "TAC-ATK-16"
    game.do("surge", to="4,5")
    assert game.figure("b1").cell == (4, 5)
    assert game.state.activation is not None
    assert game.state.activation.ap == 1
    still = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "4,5"), (SOLDIER, "5,4")])
    still.do("activate", figure="b1").attack([6, 7], [1, 1])
    assert still.waits() == "act"


@rule("TAC-ATK-17", "TAC-OR-40")
def test_a_large_figure_turns_after_the_surge() -> None:
    rider = card("Rider (mounted)", size=2, cost=[1, 0, 0], health=4)
    game = Skirmish([(rider, "3,3")], [(SOLDIER, "5,4"), (SOLDIER, "0,8")])
    game.do("activate", figure="b1").attack([6, 7], [1, 1])
    ends = {one["to"] for one in game.commands() if one["do"] == "surge"}
    assert ends == {"4,3", "5,3", "4,4", "5,4"}
    game.do("surge", to="5,4")
    assert game.figure("b1").cell == (5, 4)


@rule("TAC-ATK-14", "TAC-CAP-1", "TAC-CAP-2", "TAC-CAP-3", "TAC-CAP-4", "TAC-STA-8", "TAC-OR-20")
def test_a_veteran_is_captured() -> None:
    game = fight(SOLDIER, VETERAN).do("wound", figure="r1", wounds=2).attack([6, 1], [1])
    assert game.waits() == "fate"
    game.do("fate", choose="capture")
    captive = game.figure("r1")
    assert (captive.fate, captive.captor, captive.left, captive.cell) == ("captive", "b1", 1, None)
    shown = next(one for one in SCREEN.pieces(game.state) if one.id == "r1")
    assert (shown.state, shown.left) == ("lost", 1), "it comes back with that"
    assert game.waits() == "act"
    game.do("end")
    assert game.refused("activate", figure="r1") == "TAC-CAP-3"
    surging = fight(SOLDIER, VETERAN, readings=("surge-after-capture=yes",))
    surging.do("wound", figure="r1", wounds=2).attack([6, 1], [1]).do("fate", choose="capture")
    assert surging.waits() == "surge"


@rule("TAC-CAP-5", "TAC-CAP-6")
def test_one_captive_each_and_no_large_ones() -> None:
    second = card("Veteran Two", cost=[0, 2, 0], health=1)
    game = Skirmish([(SOLDIER, "4,4")], [(VETERAN, "4,5"), (second, "5,5"), (SOLDIER, "0,8")])
    game.do("wound", figure="r1", wounds=2).do("activate", figure="b1")
    game.attack([6, 1], [1]).do("fate", choose="capture")
    game.attack([6, 1], [1], target="r2")
    assert game.figure("r2").fate == "killed"
    large = card("Giant", cost=[1, 0, 0], size=2, health=1)
    big = fight(SOLDIER, large).attack([6, 1], [1])
    assert big.figure("r1").fate == "killed"


@rule("TAC-CAP-7", "TAC-CAP-8", "TAC-OR-21")
def test_a_captive_is_free_when_its_captor_dies() -> None:
    game = fight(SOLDIER, VETERAN).do("wound", figure="r1", wounds=2)
    game.attack([6, 1], [1]).do("fate", choose="capture").do("end")
    game.do("wound", figure="b1", wounds=2)
    freed = game.figure("r1")
    assert (freed.fate, freed.cell, freed.left, freed.activated) == ("board", (4, 4), 1, False)


@rule("TAC-CAP-7", "TAC-OR-41")
def test_a_large_captor_leaves_a_choice() -> None:
    large = card("Giant", cost=[0, 0, 3], size=2, health=2)
    game = Skirmish([(large, "3,3"), (SOLDIER, "0,0")], [(VETERAN, "5,4"), (SOLDIER, "0,8")])
    game.do("wound", figure="r1", wounds=2).do("activate", figure="b1")
    game.attack([6, 1], [1]).do("fate", choose="capture").do("wound", figure="b1", wounds=2)
    assert game.waits() == "free"
    assert game.refused("free", to="6,6") == "TAC-CAP-7"
    assert game.do("free", to="4,4").figure("r1").cell == (4, 4)


@rule("TAC-OR-41")
@pytest.mark.parametrize(("value", "side"), [("owner", "red"), ("captor", "blue")])
def test_who_places_the_captive_of_a_large_captor(value: str, side: str) -> None:
    large = card("Giant", cost=[0, 0, 3], size=2, health=2)
    red = [(VETERAN, "5,4"), (SOLDIER, "0,8")]
    game = Skirmish([(large, "3,3"), (SOLDIER, "0,0")], red, readings=(f"freed-captive={value}",))
    game.do("wound", figure="r1", wounds=2).do("activate", figure="b1")
    game.attack([6, 1], [1]).do("fate", choose="capture").do("wound", figure="b1", wounds=2)
    asked = PLAY.pending(game.state)[0]
    assert (asked.what, asked.side) == ("free", side)


@rule("TAC-OR-21", "TAC-FIG-9")
@pytest.mark.parametrize("value", ["keeps", "frees"])
def test_a_captor_dismounts(value: str) -> None:
    red = [(VETERAN, "5,4"), (SOLDIER, "0,8")]
    game = Skirmish([(RIDER, "3,3")], red, readings=(f"dismounted-captor={value}",))
    game.do("wound", figure="r1", wounds=2).do("activate", figure="b1")
    game.attack([6, 1], [1]).do("fate", choose="capture").do("dismount", to="3,3")
    if value == "keeps":
        assert (game.waits(), game.figure("r1").captor) == ("act", "b1")
        return
    ends = {one["to"] for one in game.commands() if one["do"] == "free"}
    assert ends == {"3,4", "4,3", "4,4"}
    assert game.refused("free", to="3,3") == "TAC-CAP-7"
    freed = game.do("free", to="4,4").figure("r1")
    assert (freed.fate, freed.cell, freed.captor) == ("board", (4, 4), "")


@rule("TAC-FIG-8", "TAC-FIG-9", "TAC-FIG-10", "TAC-FIG-12", "TAC-FIG-6", "TAC-OR-23")
def test_dismounting_is_a_free_action() -> None:
    game = Skirmish([(RIDER, "3,3")], [(SOLDIER, "0,8")], equipment={"b1": "lucky-charm"})
    game.do("condition", figure="b1", kind="shaken").do("wound", figure="b1", wounds=1)
    game.do("activate", figure="b1")
    assert game.refused("dismount", to="5,5") == "TAC-FIG-9"
    game.do("dismount", to="4,4")
    rider = game.figure("b1")
    assert (rider.name, rider.cell, rider.wounds, rider.shaken) == ("Rider", (4, 4), 0, False)
    assert (rider.equipment, rider.activated, rider.card.size) == ("lucky-charm", True, 1)
    assert game.state.activation is not None
    assert game.state.activation.ap == 2
    assert game.refused("dismount", to="4,4") == "TAC-FIG-6"


@rule("TAC-FIG-11", "TAC-D-22", "TAC-OR-24")
def test_only_the_mount_dies() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(RIDER, "4,5"), (SOLDIER, "0,8")])
    game.do("activate", figure="b1").attack([6, 7], [1, 1])
    assert game.waits() == "unhorse"
    game.do("dismount", to="5,6")
    rider = game.figure("r1")
    assert (rider.fate, rider.wounds, rider.cell) == ("board", 0, (5, 6))
    assert game.waits() == "act"
    assert game.state.kills == ()


@rule("TAC-OR-24", "TAC-ATK-16")
def test_the_death_of_a_mount_may_count_as_a_kill() -> None:
    red = [(RIDER, "4,5"), (SOLDIER, "0,8")]
    game = Skirmish([(SOLDIER, "4,4")], red, readings=("mount-kill=yes",))
    game.do("activate", figure="b1").attack([6, 7], [1, 1]).do("dismount", to="5,6")
    assert game.state.kills == (("b1", "hero"),)
    ends = {one["to"] for one in game.commands() if one["do"] == "surge"}
    assert ends == {"4,5", "5,5"}
    assert game.do("surge", to="4,5").figure("r1").fate == "board"
    beside = Skirmish([(SOLDIER, "4,4")], red, readings=("mount-kill=yes",))
    beside.do("activate", figure="b1").attack([6, 7], [1, 1]).do("dismount", to="5,5")
    assert beside.waits() == "act"  # still engaged with the rider
    freely = Skirmish([(RIDER, "4,4")], [(SOLDIER, "0,8")], readings=("mount-kill=yes",))
    freely.do("activate", figure="b1").do("dismount", to="4,4")
    assert freely.state.kills == ()
    surge = Skirmish([(SOLDIER, "4,4")], red, readings=("mount-kill=surge",))
    surge.do("activate", figure="b1").attack([6, 7], [1, 1]).do("dismount", to="5,6")
    assert (surge.waits(), surge.state.kills) == ("surge", ())


@rule("TAC-STA-7", "TAC-ATK-15", "TAC-EQP-4")
def test_the_dead_leave_with_their_tokens() -> None:
    game = fight(SOLDIER, SOLDIER, equipment={"r1": "family-armour"})
    game.attack([6, 7], [1, 1])
    assert (game.figure("r1").cell, game.figure("r1").equipment) == (None, "")
    assert game.coins("red") == [3, 6, 18]


# -- abilities, motivations, equipment -------------------------------------------------------------


@rule("TAC-ABL-8", "TAC-ABL-1", "TAC-V-28", "TAC-ABL-9", "TAC-ABL-10")
def test_an_order_of_the_active_figure() -> None:
    order = {"name": "Loyal and Rebellious", "kind": "order", "ap": 1, "price": [0, 0, 1]}
    widow = {"name": "A Widow's Means", "kind": "triggered", "price": [0, 0, 4]}
    game = fight(card("Lord", abilities=[order, widow]))
    assert game.refused("ability", figure="r1", ability="Shout") == "TAC-CRD-7"
    game.do("ability", figure="b1", ability="Loyal and Rebellious", target="r1")
    assert "not activated" in game.answer["reminders"][0]
    game.do("condition", figure="r1", kind="shaken").do("will", figure="r1", faces=[2])
    assert game.answer["passed"] is False
    game.do("condition", figure="r1", kind="frozen")
    assert game.figure("r1").activated is False
    assert game.coins()[2] == 16
    before = game.state.activation
    game.do("ability", figure="b1", ability="A Widow's Means")
    assert game.state.activation == before
    game.do("end")
    assert game.refused("ability", figure="b1", ability="Loyal and Rebellious") == "TAC-ABL-8"


@rule("TAC-ABL-5", "TAC-ABL-7")
def test_will_and_wound_abilities_are_prompted() -> None:
    abilities = [{"name": "Daring", "kind": "will"}, {"name": "Eldest Brother", "kind": "wound"}]
    game = fight(card("Lord", abilities=abilities, health=5))
    assert "Will ability" in game.do("will", figure="b1", faces=[9]).answer["reminders"][0]
    game.do("wound", figure="b1", wounds=1)
    assert PLAY.pending(game.state)[0].what == "wounded"


WEAK = {"cost": [0, 2, 0], "health": 1}
MOTIVATED = card(
    "Robert",
    cost=[2, 0, 0],
    health=4,
    attacks=[{**SWORD, "dice": 5}],
    motivation=[
        {"name": "veteran", "trigger": "kills-veteran", "price": [1, 0, 0], "points": 1},
        {"name": "hero", "trigger": "kills-hero", "price": [2, 0, 0], "points": 3},
        {"name": "after", "trigger": "other", "price": [1, 0, 0], "points": 2, "dead": True},
    ],
)


@rule("TAC-MOT-1", "TAC-MOT-2", "TAC-MOT-6", "TAC-V-25")
@pytest.mark.parametrize(
    ("victim", "name", "points", "gold"),
    [(VETERAN, "veteran", 1, 2), (FOE_HERO, "hero", 3, 1)],
)
def test_a_motivation_scores_at_once(
    victim: dict[str, Any], name: str, points: int, gold: int
) -> None:
    game = fight(MOTIVATED, victim)
    assert game.refused("motivation", figure="b1", name=name) == "TAC-MOT-6"
    game.attack([9] * 5, [1] * 5).do("fate", choose="kill")
    assert game.waits() == "motivation"
    rows = {str(one.text): str(one.detail) for one in SCREEN.prompts(game.state)[0].choices}
    price = "1 gold dragon" if gold == 2 else "2 gold dragons"
    assert rows[f"Pay for {name}"].startswith(f"{price}: {points} victory point")
    game.do("motivation", figure="b1", name=name)
    assert (game.vp(), game.coins()[0]) == (points, gold)


@rule("TAC-MOT-6", "TAC-ABL-9")
def test_a_motivation_is_paid_once_per_kill() -> None:
    game = Skirmish(
        [(MOTIVATED, "4,4")], [(VETERAN, "4,5"), (card("Other", **WEAK), "5,5"), (SOLDIER, "0,8")]
    )
    game.do("activate", figure="b1").attack([9] * 5, [1] * 5).do("fate", choose="kill")
    game.do("motivation", figure="b1", name="veteran")
    assert game.refused("motivation", figure="b1", name="veteran") == "TAC-MOT-6"
    game.attack([9] * 5, [1] * 5, target="r2").do("fate", choose="kill")
    game.do("motivation", figure="b1", name="veteran")
    assert (game.vp(), game.coins()[0]) == (2, 1)


@rule("TAC-MOT-6", "TAC-ABL-21")
def test_a_kill_by_a_granted_action_counts_for_the_motivation() -> None:
    lord = card("Lord", cost=[0, 1, 0])
    game = Skirmish([(MOTIVATED, "4,4"), (lord, "0,0")], [(VETERAN, "4,5"), (SOLDIER, "0,8")])
    game.do("activate", figure="b2").do("grant", figure="b1")
    game.attack([9] * 5, [1] * 5).do("fate", choose="kill")
    assert game.do("motivation", figure="b1", name="veteran").vp() == 1
    game.do("continue").do("end").do("activate", figure="r2")
    assert game.refused("motivation", figure="b1", name="veteran") == "TAC-MOT-6"


@rule("TAC-CHG-1")
def test_a_charge_takes_no_attack_of_two_points() -> None:
    heavy = {**SWORD, "name": "Heavy", "ap": 2, "dice": 5}
    game = Skirmish([(card("Both", attacks=[heavy, SWORD]), "4,1")], [(SOLDIER, "4,5")])
    game.do("activate", figure="b1")
    assert game.refused("charge", target="r1", to="4,4", attack="Heavy") == "TAC-CHG-1"
    game.do("charge", target="r1", to="4,4")
    assert game.state.attack is not None
    assert (game.state.attack.attack.name, game.state.attack.dice) == ("Sword", 3)
    only = Skirmish([(card("Heavy", attacks=[heavy]), "4,1")], [(SOLDIER, "4,5")])
    only.do("activate", figure="b1")
    assert only.refused("charge", target="r1", to="4,4") == "TAC-CHG-1"
    assert all(one["do"] != "charge" for one in only.commands())


@rule("TAC-CRD-9", "TAC-V-1")
def test_extra_dice_are_bought_in_sequence() -> None:
    game = fight(card("Robert", attacks=[BLOW]))
    assert game.refused("attack", target="r1", effects=["die 2"]) == "TAC-CRD-9"
    assert game.refused("attack", target="r1", effects=["die 1", "die 4"]) == "TAC-CRD-9"
    game.do("attack", target="r1", effects=["die 2", "die 1"])
    assert game.coins()[2] == 15
    odds = GAME.odds("tactics", {"dice": 1, "hit": 6, "defence": 6, "extra_dice": [3, 1]}).to_json()
    prices = [one["price"] for one in odds["coins"]]
    assert prices == [[0, 0, 0], [0, 0, 3], [0, 0, 4]]


@rule("TAC-EQP-6")
def test_the_dagger_is_refused_for_its_real_reason() -> None:
    game = Skirmish([(ARCHER, "4,1")], [(SOLDIER, "4,7")], equipment={"b1": "obsidian-dagger"}).do(
        "activate", figure="b1"
    )
    refusal = game.decide("attack", {"target": "r1", "dagger": True})
    assert isinstance(refusal, Refusal)
    assert refusal.say == "the obsidian dagger is for melee attacks only"
    none = fight().decide("attack", {"target": "r1", "dagger": True})
    assert isinstance(none, Refusal)
    assert none.say == "Soldier 1 has no obsidian dagger to use"


@rule("TAC-CHG-7", "TAC-EQP-6")
def test_a_charge_over_terrain_pays_first_and_keeps_its_dagger() -> None:
    game = Skirmish(
        [(card("Robert", attacks=[BLOW]), "4,2")],
        [(HERO, "4,5"), (SOLDIER, "0,8")],
        equipment={"b1": "obsidian-dagger"},
        marks={"4,3": "stake-pit", "3,3": "stake-pit", "5,3": "stake-pit"},
    )
    game.do("activate", figure="b1")
    game.do("charge", target="r1", to="4,4", effects=["die 1"], dagger=True)
    assert game.waits() == "hazard-roll"
    assert game.coins()[2] == 16
    game.do("roll", faces=[10]).do("strike").do("roll", faces=[9, 1, 1]).do("roll", faces=[1])
    assert (game.figure("r1").fate, game.coins()[2]) == ("killed", 16)


@rule("TAC-EQP-6")
def test_healing_balm_only_at_the_activation() -> None:
    tough = card("Tough", health=5)
    game = fight(tough, equipment={"b1": "healing-balm"}).do("wound", figure="b1", wounds=3)
    game.do("wait")
    assert game.refused("use") == "TAC-EQP-6"
    granted = Skirmish(
        [(tough, "4,4"), (SOLDIER, "0,0")], [(SOLDIER, "0,8")], equipment={"b1": "healing-balm"}
    )
    granted.do("wound", figure="b1", wounds=3).do("activate", figure="b2").do("grant", figure="b1")
    assert granted.refused("use") == "TAC-EQP-6"


@rule("TAC-OR-43", "TAC-DIE-4")
@pytest.mark.parametrize(("reading", "hits"), [((), 2), (("natural-ten=modified",), 1)])
def test_a_natural_ten_with_a_negative_modifier(reading: tuple[str, ...], hits: int) -> None:
    feint = {"name": "Feint", "price": [0, 0, 1], "modifier": -2}
    sword = {**SWORD, "dice": 1, "hit": 9, "effects": [feint]}
    game = fight(card("Robert", attacks=[sword]), card("Wall", health=9), readings=reading)
    game.do("attack", target="r1", effects=["Feint"]).do("roll", faces=[10])
    assert game.state.attack is not None
    assert game.state.attack.hits == hits
    shaken = fight(card("Robert", attacks=[{**SWORD, "dice": 1, "hit": 9}]), readings=reading)
    shaken.do("condition", figure="b1", kind="shaken").do("attack", target="r1")
    shaken.do("roll", faces=[10])
    assert shaken.state.attack is not None
    assert shaken.state.attack.hits == 2  # natural 10s are excepted (TAC-STA-2)


@rule("TAC-OR-43")
def test_the_odds_of_natural_tens_with_a_negative_modifier() -> None:
    usual = AttackQuestion(dice=1, hit=10, defence=10, attack_mod=-1)
    assert attack_odds(usual).hits == {0: Fraction(9, 10), 2: Fraction(1, 10)}
    read = AttackQuestion(dice=1, hit=10, defence=10, attack_mod=-1, ten_mod=-1)
    assert attack_odds(read).hits == {0: Fraction(9, 10), 1: Fraction(1, 10)}


@rule("TAC-MOT-3", "TAC-MOT-4", "TAC-MOT-5", "TAC-MOT-7", "TAC-V-26")
def test_the_dead_side_of_a_motivation() -> None:
    game = Skirmish([(MOTIVATED, "4,4"), (SOLDIER, "0,0")], [(SOLDIER, "8,8")])
    assert game.refused("motivation", figure="b1", name="after") == "TAC-MOT-4"
    game.do("wound", figure="b1", wounds=4).do("motivation", figure="b1", name="after")
    assert game.vp() == 2
    assert game.refused("motivation", figure="b1", name="hero") == "TAC-MOT-4"
    caught = fight(
        SOLDIER, card("Hero", cost=[1, 0, 0], health=1, motivation=MOTIVATED["motivation"])
    )
    caught.attack([6, 1], [1]).do("fate", choose="capture")
    assert caught.refused("motivation", figure="r1", name="after") == "TAC-MOT-7"


@rule("TAC-GEN-12")
def test_a_killed_nemesis_is_a_reminder() -> None:
    game = Skirmish([(MOTIVATED, "4,4")], [(VETERAN, "4,5"), (SOLDIER, "0,8")], begin=False)
    game.do("nemesis", figure="b1", target="r1").do("begin").do("activate", figure="b1")
    game.attack([9] * 5, [1] * 5).do("fate", choose="kill")
    assert any("nemesis" in one for one in game.answer["reminders"])


@rule("TAC-EQP-6", "TAC-OR-15")
def test_a_lucky_charm_sets_a_die_to_ten() -> None:
    game = fight(SOLDIER, card("Guard", health=9), equipment={"b1": "lucky-charm"})
    game.do("attack", target="r1").do("roll", faces=[2, 3], charm=True)
    assert game.state.attack is not None
    assert game.state.attack.hits == 1
    assert game.figure("b1").equipment == ""
    game.do("roll", faces=[1])
    assert game.do("attack", target="r1").refused("roll", faces=[1, 1], charm=True) == "TAC-EQP-6"
    natural = fight(equipment={"b1": "lucky-charm"}, readings=("charm=natural",))
    natural.do("attack", target="r1").do("roll", faces=[2, 3], charm=True)
    assert natural.state.attack is not None
    assert natural.state.attack.hits == 2
    counted = fight(equipment={"r1": "lucky-charm"}).do("attack", target="r1")
    counted.do("roll", faces=[9, 1]).do("roll", hits=1, charm=True)
    assert counted.figure("r1").equipment == ""


@rule("TAC-EQP-6")
def test_powder_dagger_poison_and_balm() -> None:
    game = fight(SOLDIER, SOLDIER, equipment={"r1": "blinding-powder"})
    game.do("attack", target="r1").do("roll", faces=[9, 3], powder=True)
    assert game.figure("r1").equipment == ""
    assert game.state.attack is None
    dagger = fight(SOLDIER, FOE_HERO, equipment={"b1": "obsidian-dagger"})
    dagger.attack([9, 3], [1], dagger=True)
    assert dagger.figure("r1").fate == "killed"
    poison = fight(SOLDIER, VETERAN, equipment={"r1": "vial-of-poison"})
    poison.do("wound", figure="r1", wounds=2).attack([9, 3], [1])
    poison.do("fate", choose="capture", poison=True)
    assert poison.figure("r1").fate == "killed"
    balm = fight(card("Tough", health=5), equipment={"b1": "healing-balm"})
    balm.do("wound", figure="b1", wounds=3).do("use")
    assert (balm.figure("b1").wounds, balm.figure("b1").equipment) == (1, "")
    assert balm.refused("use") == "TAC-EQP-6"


@rule("TAC-EQP-1", "TAC-EQP-2")
def test_equipment_changes_rolls_and_moves() -> None:
    game = fight(SOLDIER, SOLDIER, equipment={"b1": "family-weapon", "r1": "family-armour"})
    game.do("attack", target="r1")
    assert game.state.attack is not None
    assert game.state.attack.modifier == 1
    game.do("roll", faces=[5, 4])
    assert game.state.attack is not None
    assert (game.state.attack.hits, game.state.attack.defence_modifier) == (1, 1)
    boots = Skirmish([(SOLDIER, "0,0")], [(SOLDIER, "8,8")], equipment={"b1": "spotless-boots"})
    boots.do("activate", figure="b1").do("move", to="4,0")
    icon = fight(equipment={"b1": "holy-icon"})
    assert icon.refused("condition", figure="b1", kind="shaken") == "TAC-STA-1"
    mead = fight(equipment={"b1": "flask-of-mead"}).do("will", figure="b1", faces=[3])
    assert mead.answer["passed"] is True


def test_the_report_knows_the_equipment_in_play() -> None:
    game = fight(SOLDIER, SOLDIER, equipment={"b1": "family-weapon"})
    table = PLAY.moment(game.state).table
    odds = GAME.attack_odds(GAME.report(table), "shots", "b1", "r1")
    assert odds is not None
    assert odds.odds.question.attack_mod == 1


@rule("TAC-AGD-7")
def test_the_free_attack_of_an_agenda_costs_one_point_on_its_card() -> None:
    heavy = {**SWORD, "name": "Heavy", "ap": 2, "dice": 5}
    game = with_agenda(fight(card("Both", attacks=[heavy, SWORD])), "blue", "A5")
    assert game.refused("attack", target="r1", attack="Heavy", agenda=True) == "TAC-AGD-7"
    game.do("attack", target="r1", attack="Sword", agenda=True)
    assert game.state.activation is not None
    assert (game.state.activation.ap, game.state.activation.free) == (2, 1)


@rule("TAC-ABL-8", "TAC-ABL-20", "TAC-FIG-8")
def test_a_granted_action_is_one_action_and_no_activation() -> None:
    orders = [
        {"name": "Bark", "kind": "order", "ap": 0},
        {"name": "Duck", "kind": "action", "ap": 0},
    ]
    lord = card("Lord", abilities=orders)
    game = Skirmish([(lord, "4,4"), (SOLDIER, "0,0")], [(SOLDIER, "4,5"), (SOLDIER, "0,8")])
    game.do("activate", figure="b2").do("grant", figure="b1")
    assert game.refused("ability", figure="b1", ability="Bark", target="r1") == "TAC-ABL-8"
    assert game.refused("ability", figure="b1", ability="Duck") == "TAC-ABL-20"
    game.do("wait").do("end").do("activate", figure="r1").do("end")
    game.do("activate", figure="b1").do("ability", figure="b1", ability="Bark", target="r1")
    mounted = Skirmish([(RIDER, "3,3"), (SOLDIER, "0,0")], [(SOLDIER, "0,8")])
    mounted.do("activate", figure="b2").do("grant", figure="b1")
    assert mounted.refused("dismount", figure="b1", to="3,3") == "TAC-FIG-8"
    assert all(one["do"] != "dismount" for one in mounted.commands())


@rule("TAC-STA-2")
def test_a_figure_that_becomes_shaken_before_its_dice_fall_rolls_them_shaken() -> None:
    game = fight().do("attack", target="r1").do("condition", figure="b1", kind="shaken")
    game.do("roll", faces=[7, 7])  # 5 each
    assert game.state.attack is None  # no hit
    assert game.figure("b1").shaken is False
    calm = fight().do("attack", target="r1").do("condition", figure="b1", kind="shaken")
    calm.do("condition", figure="b1", kind="shaken", on=False).do("roll", faces=[7, 7])
    assert calm.state.attack is not None
    assert calm.state.attack.hits == 2
    hurt = fight().do("attack", target="r1").do("roll", faces=[9, 9])
    if hurt.waits() != "defence-roll":
        hurt.do("defend", effects=[])
    hurt.do("condition", figure="r1", kind="shaken").do("roll", faces=[7, 7])
    assert hurt.state.attack is None or hurt.state.attack.defended == 0
    assert hurt.figure("r1").shaken is False


@rule("TAC-ATK-16", "TAC-TER-16")
def test_a_surge_into_a_pit_says_so_before_one_tap_sends_it_there() -> None:
    foes = [(card("Soldier", health=1), "4,5"), (SOLDIER, "0,8")]
    game = Skirmish([(SOLDIER, "4,4")], foes, marks={"4,5": "stake-pit"})
    game.do("activate", figure="b1").attack([9, 9], [1, 1])
    assert game.waits() == "surge"
    (asked,) = SCREEN.prompts(game.state)
    (cell,) = asked.cells
    assert (cell.mark, str(cell.detail)) == ("danger", "through a stake pit: 1 hit")
    assert ("through a stake pit: 1 hit", "warn") in [(str(x.text), x.tone) for x in asked.facts]
