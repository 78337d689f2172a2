"""Units: models, ranks, wounds, healing, attachments, abilities, conditions, orders, influence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.tmg.play.commands.conditions import effects_now
from companion.games.tmg.play.state.unit_state import JoinedAttachment, UnitState
from models import Attack, catalogue
from tests.play.battle import LANNISTER, STARK, Battle

EDITIONS = ("2021", "2018")
SWORDS = Attack("Swords", "melee", 4, (7, 5, 4), ("sundering",))
BOWS = Attack("Bows", "long", 4, (7, 5, 4))


def unit(**facts: Any) -> UnitState:
    return UnitState("u", "blue", "blue", "Swords", place="field", **facts)


def cavalry(**facts: Any) -> UnitState:
    return unit(tray="cavalry", type="cavalry", full_models=4, full_ranks=2, **facts)


def solo(year: str, **facts: Any) -> UnitState:
    tray = catalogue(f"tmg-{year}").trays["solo"]
    return unit(tray="solo", type="monster", full_models=1, full_ranks=tray.ranks, **facts)


# -- models and ranks -------------------------------------------------------------------------


@pytest.mark.rule("TMG-RNK-5", "TMG-RNK-6", "TMG-RNK-7", "TMG-UNT-10", "EX-1", "EX-2")
def test_models_leave_from_the_rear_rank_from_right_to_left() -> None:
    hurt = unit().wounded(3)
    assert (hurt.models, hurt.ranks) == (9, 3)
    assert [len(rank) for rank in hurt.formation()] == [4, 4, 1]
    more = hurt.wounded(1)
    assert (more.models, more.ranks) == (8, 2)
    assert [len(rank) for rank in more.formation()] == [4, 4]
    assert [len(rank) for rank in more.wounded(5).formation()] == [3]


@pytest.mark.rule("TMG-RNK-8", "EX-3")
def test_ranks_of_infantry() -> None:
    models = (12, 11, 9, 8, 7, 5, 4, 3, 1, 0)
    assert [unit().wounded(12 - left).ranks for left in models] == [3, 3, 3, 2, 2, 2, 1, 1, 1, 0]


@pytest.mark.rule("TMG-RNK-8", "EX-4")
def test_ranks_of_cavalry() -> None:
    riders = cavalry(per_model=1)
    assert [riders.wounded(4 - left).ranks for left in (4, 3, 2, 1)] == [2, 2, 1, 1]


@pytest.mark.rule("TMG-RNK-3", "EX-5")
@pytest.mark.parametrize(("year", "ranks"), [("2021", 1), ("2018", 0)])
def test_ranks_of_a_solo_unit(year: str, ranks: int) -> None:
    assert solo(year, per_model=6).wounded(3).ranks == ranks


@pytest.mark.rule("TMG-ATM-6", "TMG-ATM-7", "EX-6")
def test_the_attachment_stands_front_left_and_goes_last() -> None:
    led = unit(attachments=(JoinedAttachment("Captain"),))
    assert led.formation()[0] == ("Captain", "Swords", "Swords", "Swords")
    last = led.wounded(11)
    assert last.formation() == (("Captain",),)
    assert last.ranks == 1
    assert last.wounded(1).formation() == ()


@pytest.mark.rule("TMG-ATM-8")
def test_more_attachments_stand_beside_the_first() -> None:
    led = unit(attachments=(JoinedAttachment("One"), JoinedAttachment("Two")))
    assert led.formation()[0][:3] == ("One", "Two", "Swords")


@pytest.mark.rule("TMG-ATM-1", "TMG-ATM-2", "TMG-ATM-10", "TMG-GLO-25")
@pytest.mark.parametrize("year", EDITIONS)
def test_an_attachment_is_part_of_its_unit(year: str) -> None:
    led = {
        **STARK,
        "units": [
            {
                "card": "Stark Sworn Swords",
                "cost": 5,
                "attachments": [{"name": "Captain", "cost": 1, "abilities": ["Rally"]}],
            }
        ],
    }
    battle = Battle("GOT", year, armies=[led, LANNISTER]).deployed()
    assert {one.id for one in battle.state.units} == {"b1", "r1", "r2", "r3"}
    found = battle.unit("b1")
    assert found.points == 6
    assert found.full_models == 12
    assert "Rally" in found.abilities_now()
    assert battle.view()["units"]["b1"]["attachments"] == ["Captain"]


@pytest.mark.rule("TMG-UNT-5", "TMG-UNT-6", "TMG-CARD-1", "TMG-CARD-5", "TMG-CARD-6", "TMG-CARD-12")
def test_a_unit_is_one_full_tray_of_its_own_models() -> None:
    battle = Battle().deployed()
    swords, riders = battle.unit("b1"), battle.unit("b3")
    assert (swords.type, swords.models, riders.type, riders.models) == (
        "infantry",
        12,
        "cavalry",
        4,
    )
    assert {name for rank in swords.formation() for name in rank} == {"Stark Sworn Swords"}
    shown = battle.view()["units"]["b1"]
    assert (shown["speed"], shown["defense"], shown["morale"], shown["type"]) == (
        5,
        4,
        6,
        "infantry",
    )


@pytest.mark.rule("TMG-UNT-11")
def test_without_models_a_unit_leaves_the_battlefield() -> None:
    battle = Battle().deployed().do("wounds", unit="r2", wounds=12)
    assert battle.unit("r2").place == "destroyed"
    battle.refused("TMG-UNT-11", "heal", unit="r2", wounds=3)


# -- several wounds, healing ------------------------------------------------------------------


@pytest.mark.rule("TMG-WND-1", "TMG-WND-2", "TMG-WND-3", "TMG-WND-4", "EX-42")
@pytest.mark.parametrize("year", EDITIONS)
def test_four_wounds_remove_one_rider_and_mark_the_next(year: str) -> None:
    battle = Battle("GOT", year).deployed()
    riders = replace(battle.unit("b3"), per_model=3)
    hurt = riders.wounded(4)
    assert (hurt.models, hurt.wound_tokens) == (3, 1)
    assert hurt.wounded(2).models == 2
    assert hurt.wounded(2).wound_tokens == 0


@pytest.mark.rule("TMG-WND-5", "TMG-WND-6", "TMG-WND-7", "EX-43")
def test_healing_takes_tokens_first_and_then_returns_a_model() -> None:
    hurt = cavalry(per_model=3).wounded(4)
    assert (hurt.healed(1).models, hurt.healed(1).wound_tokens) == (3, 0)
    back = hurt.healed(2)
    assert (back.models, back.wound_tokens) == (4, 2)
    assert hurt.healed(99).wounds == 0


@pytest.mark.rule("TMG-WND-6", "EX-44")
def test_healing_infantry_returns_models() -> None:
    battle = Battle().deployed().do("wounds", unit="b1", wounds=5)
    battle.do("heal", unit="b1", wounds=3)
    assert (battle.unit("b1").models, battle.unit("b1").ranks) == (10, 3)
    battle.do("heal", unit="b1", wounds=9)
    assert battle.unit("b1").models == 12
    battle.refused("TMG-WND-7", "heal", unit="b1", wounds=1)


@pytest.mark.rule("TMG-GLO-23")
def test_wounds_of_an_effect_allow_no_defense() -> None:
    battle = Battle().deployed().do("wounds", unit="b1", wounds=2, by="red", why="a card")
    assert battle.unit("b1").models == 10
    assert battle.titles == ["b1: 2 wounds (a card)"]
    assert battle.waits() == ["turn-start"]


# -- abilities --------------------------------------------------------------------------------


@pytest.mark.rule("TMG-ABL-7", "TMG-CARD-9", "TMG-ATM-11")
def test_lost_abilities_leave_the_innate_ones() -> None:
    led = unit(
        abilities=("Resilience", "Innate: Huge"),
        attachments=(JoinedAttachment("Captain", abilities=("Rally", "Innate: Own")),),
        attacks=(SWORDS,),
    )
    assert set(led.abilities_now()) == {"Resilience", "Innate: Huge", "Rally", "Innate: Own"}
    lost = replace(led, abilities_lost=True)
    assert lost.abilities_now() == ("Innate: Huge",)
    assert lost.attack_abilities(SWORDS) == ()


@pytest.mark.rule("TMG-ABL-8", "TMG-INF-5")
def test_losing_abilities_leaves_what_others_gave() -> None:
    battle = Battle().deployed().do("activate", unit="bn1").do("claim", zone="crown")
    battle.do("influence", ncu="bn1", unit="b1").do("zone-effect", skip=True).do("end-turn")
    battle.do("effect", unit="b1", name="Unyielding", until="round")
    battle.do("lose-abilities", unit="b1")
    found = battle.unit("b1")
    assert found.abilities_now() == ()
    assert found.influence == (("bn1", "blue"),)
    assert effects_now(battle.state) == (("b1", "Unyielding"),)


@pytest.mark.rule("TMG-ABL-7")
def test_2018_does_not_know_the_loss_of_abilities() -> None:
    Battle("GOT", "2018").deployed().refused("TMG-ABL-7", "lose-abilities", unit="b1")


@pytest.mark.rule("TMG-CARD-10", "EX-53")
def test_the_name_of_a_unit_is_its_own() -> None:
    led = unit(attachments=(JoinedAttachment("House Umber Champion"),))
    assert not led.answers_to("House Umber")
    assert replace(led, name="House Umber Berserkers").answers_to("house umber")


@pytest.mark.rule("TMG-CARD-13")
def test_an_attacks_ability_works_with_that_attack_only() -> None:
    both = unit(attacks=(SWORDS, BOWS))
    assert both.attack_abilities(SWORDS) == ("sundering",)
    assert both.attack_abilities(BOWS) == ()


@pytest.mark.rule("TMG-CARD-7")
@pytest.mark.parametrize("year", EDITIONS)
def test_an_attacks_ability_always_counts_an_optional_one_is_used(year: str) -> None:
    halberds = {"name": "Halberds", "cost": 5, "attacks": [SWORDS.to_json()]}
    armies = [STARK, {**LANNISTER, "units": [halberds, halberds]}]
    battle = Battle("GOT", year, armies=armies).deployed()
    battle.do("engage", unit="r2", **{"with": ["b1"]}).forgo("b1")
    battle.do("activate", unit="r2").do("action", action="attack", target="b1")
    assert "sundering" in battle.view()["attack"]["abilities"]
    battle.do("ability", unit="r2", name="Resistance")
    assert battle.titles == ["r2 uses Resistance"]


@pytest.mark.rule("TMG-GLO-2")
def test_effects_of_an_activation_do_not_hold_in_a_free_action() -> None:
    battle = Battle().deployed().do("activate", unit="b2")
    battle.do("effect", unit="b2", name="Aim", until="activation")
    battle.do("free-action", unit="b2", action="attack", target="r1")
    assert effects_now(battle.state) == ()
    battle.fight(0)
    assert effects_now(battle.state) == (("b2", "Aim"),)
    battle.do("action", action="forgo").do("end-turn").forgo("r2").do("activate", unit="b1")
    battle.do("effect", unit="b1", name="Hurry", until="activation")
    assert effects_now(battle.state) == (("b1", "Hurry"),)
    battle.do("action", action="forgo").do("end-turn")
    battle.do("free-action", unit="b1", action="maneuver")
    assert effects_now(battle.state) == ()
    battle.round_over().forgo("r1").do("activate", unit="b1")
    assert effects_now(battle.state) == ()


# -- conditions and orders --------------------------------------------------------------------


@pytest.mark.rule("TMG-CON-1", "TMG-CON-2", "EX-65")
def test_one_token_of_each_condition() -> None:
    battle = Battle().deployed().do("token", unit="b1", token="weakened")
    battle.refused("TMG-CON-2", "token", unit="b1", token="weakened")
    battle.do("token", unit="b1", token="panicked").do("token", unit="b1", token="vulnerable")
    assert battle.unit("b1").tokens == ("panicked", "vulnerable", "weakened")


@pytest.mark.rule("TMG-CON-3", "TMG-CON-8")
def test_a_condition_stays_until_it_is_spent_or_removed() -> None:
    battle = Battle().deployed().do("token", unit="b1", token="weakened").round_over()
    assert battle.unit("b1").tokens == ("weakened",)
    battle.refused("TMG-CON-4", "token", unit="b1", token="weakened", remove=True, by="blue")
    battle.do("token", unit="b1", token="weakened", remove=True, by="red")
    assert battle.unit("b1").tokens == ()
    battle.refused("TMG-CON-3", "token", unit="b1", token="weakened", remove=True)


@pytest.mark.rule("TMG-ORD-1", "TMG-ORD-2", "TMG-ORD-3", "TMG-ORD-4")
def test_an_order_is_used_once_a_round_and_its_unit_is_its_target() -> None:
    battle = Battle().deployed()
    battle.do("order", unit="b1", order="Resilience", trigger="after being attacked")
    assert battle.log[-1].data["target"] == "b1"
    battle.refused("TMG-ORD-1", "order", unit="b1", order="resilience")
    battle.round_over().do("order", unit="b1", order="Resilience")


@pytest.mark.rule("TMG-ORD-5")
def test_2018_order_tokens_go_in_clean_up() -> None:
    battle = Battle("GOT", "2018").deployed().do("order", unit="b1", order="Hold")
    assert battle.view()["units"]["b1"]["orders_used"] == ["Hold"]
    battle.round_over()
    assert battle.view()["units"]["b1"]["orders_used"] == []


# -- influence --------------------------------------------------------------------------------


@pytest.mark.rule("TMG-INF-1", "TMG-INF-2", "TMG-INF-3", "EX-64")
def test_one_friendly_and_one_enemy_influence() -> None:
    battle = Battle().deployed()
    battle.refused("TMG-INF-1", "influence", ncu="bn1", unit="b1")
    battle.do("activate", unit="bn1").do("claim", zone="crown")
    battle.do("influence", ncu="bn1", unit="b1").do("zone-effect", skip=True).do("end-turn")
    battle.do("activate", unit="rn1").do("claim", zone="wealth")
    battle.do("influence", ncu="rn1", unit="b1").do("zone-effect", skip=True).do("end-turn")
    battle.do("activate", unit="bn2").do("claim", zone="combat")
    battle.refused("TMG-INF-2", "influence", ncu="bn2", unit="b1")
    assert battle.unit("b1").influence == (("bn1", "blue"), ("rn1", "red"))
    assert battle.unit("b1").attachments == ()


@pytest.mark.rule("TMG-INF-1")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_card_goes_down_with_its_unit_and_is_not_attached_again(year: str) -> None:
    battle = Battle("GOT", year).deployed().do("activate", unit="bn1").do("claim", zone="crown")
    battle.do("influence", ncu="bn1", unit="r1").do("zone-effect", skip=True).do("end-turn")
    battle.do("wounds", unit="r1", wounds=12, by="blue")
    assert battle.unit("r1").influence == ()
    battle.refused("TMG-INF-1", "influence", ncu="bn1", unit="r2")


@pytest.mark.rule("TMG-GLO-5", "TMG-GLO-7", "TMG-GLO-9", "TMG-GLO-10", "TMG-GLO-15")
def test_friends_enemies_and_things_that_are_neither() -> None:
    battle = Battle().deployed()
    battle.refused("TMG-GLO-11", "engage", unit="b1", **{"with": ["b2"]})
    battle.do("activate", unit="bn1").do("claim", zone="wealth")
    battle.do("wounds", unit="b1", wounds=2).do("zone-effect", unit="b1", heal=3)
    assert battle.unit("b1").models == 12
    tokens, pieces = battle.view()["objectives"], battle.view()["terrain"]
    assert not set(tokens) & set(battle.view()["units"])
    assert pieces == []


@pytest.mark.rule("TMG-CARD-8", "TMG-ATM-12")
@pytest.mark.parametrize("year", EDITIONS)
def test_icons_remind_when_an_ability_applies(year: str) -> None:
    led = {
        "name": "Guard",
        "cost": 5,
        "wounds_per_model": 2,
        "abilities": ["Order: Hold", "Innate: Huge", "Counterstrike"],
        "attacks": [SWORDS.to_json(), {**BOWS.to_json(), "abilities": ["precision"]}],
        "attachments": [{"name": "Captain", "abilities": ["Order: Rally"]}],
    }
    battle = Battle("GOT", year, armies=[{**STARK, "units": [led]}, LANNISTER])
    assert battle.view()["units"]["b1"]["icons"] == {
        "Order: Hold": "order",
        "Innate: Huge": "innate",
        "Order: Rally": "order",
        "sundering": "melee",
        "precision": "ranged",
        "wounds": "2 per model",
    }
    assert battle.view()["units"]["b1"]["attachments"] == ["Captain"]
