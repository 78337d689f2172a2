"""Attacks, charges, rerolls, panic: the sequence step by step with the dice players rolled."""

from __future__ import annotations

import pytest

from companion.games.api.prompt import rerolled_dice
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.flow.attacks import defense_modifier, panic_modifiers
from companion.games.tmg.play.state.game_state import AttackState
from companion.games.tmg.screen import SCREEN
from companion.games.tmg.screen.prompts import prompts
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

EDITIONS = ("2021", "2018")


def fighting(year: str = "2021", **facts: object) -> Battle:
    """The Halberdiers (r2) and the Sworn Swords (b1) stand in contact; red has its turn."""
    battle = Battle("GOT", year, first="red", **facts).deployed()
    return battle.do("engage", unit="r2", **{"with": ["b1"]}).do("activate", unit="r2")


def attacking(year: str = "2021", **fields: object) -> Battle:
    """The Halberdiers have declared their attack."""
    return fighting(year).do("action", action="attack", target="b1", **fields)


GUARDS = {
    **LANNISTER,
    "units": [
        {
            "name": "Guardsmen",
            "cost": 5,
            "attacks": [{"name": "Longsword", "kind": "melee", "hit": 4, "dice": [6, 5, 4]}],
        }
    ],
}
SWORN = {**STARK, "units": [{"name": "Sworn Swords", "cost": 5, "defense": 4, "morale": 6}]}


# -- the worked example -----------------------------------------------------------------------


@pytest.mark.rule(
    "TMG-GLO-3", "TMG-GLO-4", "TMG-ATK-13", "TMG-ATK-14", "TMG-PAN-4", "EX-31", "EX-32", "EX-30"
)
@pytest.mark.parametrize(("year", "lost", "ranks"), [("2021", 3, 3), ("2018", 4, 2)])
def test_the_books_attack(year: str, lost: int, ranks: int) -> None:
    battle = Battle("GOT", year, first="red", armies=[SWORN, GUARDS]).deployed()
    battle.do("engage", unit="r1", **{"with": ["b1"]}).do("activate", unit="r1")
    battle.do("action", action="attack", target="b1")
    attack = battle.view()["attack"]
    assert (attack["attacker"], attack["defender"], attack["dice"]) == ("r1", "b1", 6)
    battle.do("roll", faces=[6, 5, 4, 4, 3, 1]).do("continue")
    assert battle.view()["attack"]["hits"] == 4
    battle.do("roll", faces=[4, 5, 3, 1]).do("continue")
    assert battle.unit("b1").models == 10
    assert battle.waits()[0] == "test"
    test = battle.view()["panic"][0]
    assert (test["morale"], test["modifier"]) == (6, 0)
    if year == "2021":
        battle.do("panic", faces=[2, 2], d3=1, keep=True)
    else:
        battle.do("panic", faces=[2, 2], keep=True)
    assert (battle.unit("b1").models, battle.unit("b1").ranks) == (12 - lost, ranks)


@pytest.mark.rule("TMG-ATK-1")
def test_the_number_of_dice_is_that_of_the_ranks_left() -> None:
    battle = fighting().do("wounds", unit="r2", wounds=4)
    battle.do("action", action="attack", target="b1")
    assert battle.view()["attack"]["dice"] == battle.unit("r2").attacks[0].dice[1]
    battle.refused("TMG-ATK-1", "roll", faces=[1])


@pytest.mark.rule("TMG-CARD-3", "TMG-ATK-2", "TMG-GLO-20")
def test_each_die_at_or_above_the_value_is_a_hit() -> None:
    battle = attacking()
    dice, need = battle.view()["attack"]["dice"], battle.view()["attack"]["hit"]
    battle.do("roll", faces=[need] * (dice - 1) + [need - 1], keep=True)
    assert battle.view()["attack"]["hits"] == dice - 1


@pytest.mark.rule("TMG-ATK-15", "TMG-ATK-16", "EX-40")
@pytest.mark.parametrize("year", EDITIONS)
def test_without_a_wound_the_test_is_passed_unrolled_and_counts_as_taken(year: str) -> None:
    battle = attacking(year).do("attack-result", wounds=0)
    taken = [event for event in battle.log if event.type == "test-over"]
    assert [(one.data["passed"], one.data["automatic"]) for one in taken] == [(True, True)]
    assert battle.titles[2] == "b1: panic test passed without a roll"
    assert not battle.state.trials


@pytest.mark.rule("OR-39")
def test_a_destroyed_defender_takes_no_test() -> None:
    battle = attacking().do("attack-result", wounds=12)
    assert not battle.state.trials
    assert battle.unit("b1").place == "destroyed"


@pytest.mark.rule("TMG-ATK-6", "TMG-ATK-11", "TMG-ATK-17")
def test_2021_effects_after_the_dice_and_after_the_attack_have_their_moment() -> None:
    battle = attacking()
    battle.do("roll", faces=[6] * battle.view()["attack"]["dice"])
    assert "TMG-ATK-6" in PLAY.pending(battle.state)[0].say
    assert "play" in PLAY.pending(battle.state)[0].commands
    battle.do("continue").do("roll")
    assert "TMG-ATK-11" in PLAY.pending(battle.state)[0].say
    battle.do("continue")
    if battle.state.trials:
        battle.do("panic", faces=[6, 6], keep=True)
    assert battle.waits() == ["attack-completed"]
    battle.do("continue")
    assert battle.waits() == ["end-of-turn"]


# -- modifiers --------------------------------------------------------------------------------


@pytest.mark.rule("TMG-ABL-6", "TMG-BON-3", "TMG-BON-4", "EX-35")
@pytest.mark.parametrize("year", EDITIONS)
def test_sundering_into_the_flank(year: str) -> None:
    now = AttackState("b1", zone="flank", abilities=("sundering",))
    assert defense_modifier(now, year) == -2
    assert panic_modifiers(now, year) == (("flank", -1),)


@pytest.mark.rule("TMG-BON-5", "TMG-BON-6", "EX-36")
@pytest.mark.parametrize(("year", "penalty"), [("2021", -2), ("2018", 0)])
def test_a_shot_into_the_rear(year: str, penalty: int) -> None:
    now = AttackState("b1", kind="long", zone="rear")
    assert defense_modifier(now, year) == penalty
    assert sum(value for _, value in panic_modifiers(now, year)) == penalty


@pytest.mark.rule("TMG-ABL-1", "TMG-ABL-5", "EX-37")
def test_vicious_counts_once_and_a_name_counts_once() -> None:
    battle = attacking().do("modify", what="ability", name="Vicious")
    battle.do("modify", what="ability", name="vicious")
    battle.do("modify", what="panic", name="Unyielding", value=2)
    battle.do("modify", what="panic", name="unyielding", value=2)
    battle.do("attack-result", wounds=1)
    test = battle.view()["panic"][0]
    assert test["modifier"] == 0
    assert test["modifiers"]["vicious"] == -2


@pytest.mark.rule("TMG-DIC-4", "EX-85")
def test_lowest_prevails_over_highest() -> None:
    battle = fighting().do("wounds", unit="r2", wounds=4)
    battle.do("action", action="attack", target="b1")
    dice = battle.unit("r2").attacks[0].dice
    battle.do("modify", what="highest", name="Fury")
    assert battle.view()["attack"]["dice"] == max(dice)
    battle.do("modify", what="lowest", name="Fear")
    assert battle.view()["attack"]["dice"] == min(dice)


@pytest.mark.rule("TMG-GLO-21", "TMG-GLO-22", "EX-77")
def test_automatic_hits_are_defended_but_are_no_attack() -> None:
    battle = Battle().deployed().do("hits", unit="b1", hits=4, by="red", why="fire")
    battle.refused("TMG-ATK-7", "roll", faces=[6])
    battle.do("roll", faces=[6, 6, 1, 1], keep=True)
    assert battle.unit("b1").models == 10
    assert not battle.state.trials
    assert battle.waits() == ["turn-start"]


# -- which attack -----------------------------------------------------------------------------


@pytest.mark.rule("TMG-RNG-1", "TMG-RNG-3")
def test_a_shot_needs_a_ranged_attack() -> None:
    battle = Battle().deployed().do("activate", unit="b1")
    battle.refused("TMG-RNG-3", "action", action="attack", target="r1", ranged=True)


@pytest.mark.rule("TMG-MEL-2")
def test_a_melee_attack_needs_one_on_the_card() -> None:
    archers = {
        **STARK,
        "units": [
            {
                "name": "Archers",
                "cost": 5,
                "attacks": [{"name": "Bow", "kind": "long", "hit": 4, "dice": [6]}],
            }
        ],
    }
    battle = Battle(armies=[archers, LANNISTER]).deployed()
    battle.do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.refused("TMG-MEL-2", "action", action="attack", target="r1")
    battle.refused("TMG-RNG-2", "action", action="attack", target="r1", ranged=True)


@pytest.mark.rule("TMG-MAN-1", "TMG-MAR-1", "TMG-RET-1", "TMG-CHG-1", "TMG-MEL-1")
def test_engaged_units_do_not_walk_and_free_ones_do_not_fight() -> None:
    battle = fighting()
    battle.refused("TMG-MAN-1", "action", action="maneuver")
    battle.refused("TMG-MAR-1", "action", action="march")
    battle.refused("TMG-CHG-1", "action", action="charge", target="b1")
    battle.refused("TMG-MEL-1", "action", action="attack", target="b2")
    free = Battle().deployed().do("activate", unit="b1")
    free.refused("TMG-RET-1", "action", action="retreat")
    free.refused("TMG-GLO-7", "action", action="charge", target="b2")


@pytest.mark.rule("TMG-RET-2", "EX-9", "EX-10")
def test_a_retreat_rolls_a_die_and_frees_the_enemy() -> None:
    battle = fighting().do("action", action="retreat", faces=[2])
    reach = next(event for event in battle.log if event.type == "retreat-rolled").data["reach"]
    assert reach == battle.unit("r2").speed + 2
    assert battle.unit("r2").engaged == battle.unit("b1").engaged == ()
    assert any("b1" in one for one in battle.answer["reminders"])
    assert battle.unit("r2").activated


@pytest.mark.rule("TMG-RET-2", "EX-12")
def test_without_a_legal_retreat_the_unit_stays_engaged() -> None:
    battle = fighting().do("action", action="retreat", faces=[1], success=False)
    assert battle.unit("r2").engaged == ("b1",)
    assert battle.unit("r2").activated


@pytest.mark.rule("TMG-SIM-2", "EX-45")
@pytest.mark.parametrize("year", EDITIONS)
def test_friends_in_the_melee_test_after_a_shot(year: str) -> None:
    battle = Battle("GOT", year, first="red").deployed()
    battle.do("engage", unit="b1", **{"with": ["r2", "r3"]})
    battle.do("activate", unit="r1").do("action", action="attack", target="b1")
    battle.fight(1)
    assert [test["unit"] for test in battle.view()["panic"]] == ["r2", "r3"]
    battle.do("panic", unit="r3", faces=[6, 6], keep=True)
    battle.do("panic", faces=[6, 6], keep=True)
    assert battle.waits() == ["end-of-turn"]


@pytest.mark.rule("OR-39")
@pytest.mark.parametrize(("reading", "tests"), [("all", 1), ("standing", 0)])
def test_friends_test_even_if_the_target_fell(reading: str, tests: int) -> None:
    battle = Battle(first="red", readings=[f"melee_panic={reading}"]).deployed()
    battle.do("engage", unit="b1", **{"with": ["r2"]})
    battle.do("activate", unit="r1").do("action", action="attack", target="b1").fight(12)
    assert len(battle.state.trials) == tests


@pytest.mark.rule("OR-43", "TMG-PAN-7")
@pytest.mark.parametrize(("reading", "extra"), [("both", 2), ("result", 1)])
def test_an_effect_may_count_destroyed_ranks(reading: str, extra: int) -> None:
    """-1 and one more wound for each of two ranks: both of them, or the first of the two only."""
    battle = (
        Battle(readings=[f"order_ranks={reading}"]).deployed().do("wounds", unit="r1", wounds=8)
    )
    battle.do("test", unit="b1", why="an order", modifier=-1, extra=1, ranks="r1")
    [trial] = battle.state.trials
    assert (trial.mods, trial.extra) == ((("an order", -2),), extra)
    whole = Battle(readings=[f"order_ranks={reading}"]).deployed()
    whole.do("test", unit="b1", why="an order", modifier=-1, ranks="r1")
    assert whole.state.trials[0].mods == ()


# -- charges ----------------------------------------------------------------------------------


def charging(year: str = "2021", **fields: object) -> Battle:
    battle = Battle("GOT", year).deployed().do("activate", unit="b1")
    return battle.do("action", action="charge", zone="front", target="r1", **fields)


@pytest.mark.rule("TMG-CHG-11", "TMG-CHG-14", "TMG-CHG-19", "EX-13", "EX-7", "EX-8")
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_eight_inches_at_speed_5_need_a_3(die: int) -> None:
    battle = charging(distance=8, faces=[die])
    assert (battle.state.attack is not None) is (die >= 3)
    if die >= 3:
        assert battle.view()["attack"]["charge"] is True
        assert battle.unit("b1").engaged == ("r1",)


@pytest.mark.rule("TMG-CHG-15", "TMG-CHG-23", "TMG-CHG-24", "TMG-PAN-7", "EX-14")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_failed_charge_panics_and_ends_the_activation(year: str) -> None:
    battle = charging(year, distance=8, faces=[2])
    test = battle.view()["panic"][0]
    assert (test["unit"], test["causes"]) == ("b1", ["failed charge (TMG-CHG-23)"])
    battle.refused("TMG-TIM-6", "end-turn")
    battle.do("panic", faces=[6, 6], keep=True)
    assert battle.unit("b1").activated
    assert battle.waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-CHG-16", "EX-15")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_1_fails_here_and_is_disorderly(year: str) -> None:
    battle = charging(year, distance=8, faces=[1])
    assert any("disorderly" in line for line in battle.titles)
    assert battle.state.trials


@pytest.mark.rule("TMG-CHG-25", "TMG-CHG-26", "EX-16")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_disorderly_charge_bars_bonus_and_cards(year: str) -> None:
    battle = charging(year, distance=6, faces=[1])
    assert battle.view()["attack"]["charge_bonus"] is False
    battle.do("roll", faces=[1] * battle.view()["attack"]["dice"])
    battle.refused("TMG-BON-1", "reroll", side="blue", because="charge bonus")
    card = battle.player("blue").hand[0]
    battle.refused("TMG-CHG-26", "play", player="blue", card=card)
    battle.do("play", player="red", card=battle.player("red").hand[0])
    battle.do("continue")
    while battle.state.attack is not None:
        battle.do("continue")
    assert battle.waits() == ["end-of-turn"]
    if year == "2021":
        battle.refused("TMG-CHG-26", "play", player="blue", card=card)
    else:
        battle.do("play", player="blue", card=card)


@pytest.mark.rule("TMG-CHG-26")
def test_2021_the_bar_ends_with_the_turn() -> None:
    battle = charging(distance=6, faces=[1]).fight(0).do("end-turn")
    battle.do("play", player="blue", card=battle.player("blue").hand[0])


@pytest.mark.rule("TMG-CHG-4", "EX-17")
def test_a_charge_beyond_reach_may_not_be_declared() -> None:
    battle = Battle().deployed().do("activate", unit="b1")
    battle.refused("TMG-CHG-4", "action", action="charge", target="r1", distance=11.1)
    battle.do("action", action="charge", zone="front", target="r1", distance=11, faces=[6])
    assert battle.state.attack is not None


@pytest.mark.rule("TMG-TER-14", "EX-19", "EX-20", "EX-87")
@pytest.mark.parametrize(
    ("year", "faces", "distance", "success", "bonus", "disorderly"),
    [
        ("2021", [5], 8, True, False, False),
        ("2018", [2, 5], 8, False, False, True),
        ("2021", [2], 7, True, False, False),
        ("2018", [2, 6], 7, True, False, True),
    ],
)
def test_charges_over_hindering_ground(
    year: str, faces: list[int], distance: int, success: bool, bonus: bool, disorderly: bool
) -> None:
    battle = charging(year, hindering=True, faces=faces, distance=distance)
    assert (battle.state.attack is not None) is success
    if battle.state.attack:
        assert battle.state.attack.bonus is bonus
    assert any("disorderly" in line for line in battle.titles) is disorderly


@pytest.mark.rule("TMG-CHG-25", "TMG-TER-14", "TMG-BON-1")
@pytest.mark.parametrize(
    ("hindering", "face", "why"),
    [
        (False, 1, "it was disorderly"),
        (True, 5, "its way crosses Hindering ground"),
        (True, 1, "it was disorderly, its way crosses Hindering ground"),
    ],
)
def test_an_attack_tells_why_its_charge_has_no_bonus(hindering: bool, face: int, why: str) -> None:
    battle = charging("2021", hindering=hindering, faces=[face], distance=6)
    told = [str(one.text) for one in SCREEN.prompts(battle.state)[0].facts]
    assert f"charge: without its bonus, {why}" in told


@pytest.mark.rule("TMG-CHG-25", "TMG-CHG-14")
def test_a_charge_whose_contact_is_asked_tells_why_it_has_no_bonus() -> None:
    battle = charging(hindering=True, faces=[4]).do("charge-result", success=True)
    told = [str(one.text) for one in SCREEN.prompts(battle.state)[0].facts]
    assert "charge: without its bonus, its way crosses Hindering ground" in told


@pytest.mark.rule("TMG-CHG-14")
def test_without_a_distance_the_players_say_whether_it_arrived() -> None:
    battle = charging(faces=[4])
    assert battle.waits() == ["charge"]
    battle.do("charge-result", success=True)
    assert battle.state.attack is not None


@pytest.mark.rule("TMG-CHG-5")
def test_a_charge_is_one_move() -> None:
    battle = charging(distance=6, faces=[6])
    moves = [event for event in battle.log if event.type == "acted" and event.data.get("moves")]
    assert len(moves) == 1


@pytest.mark.rule("TMG-TER-5")
def test_fortified_ground_helps_the_defender() -> None:
    battle = charging(distance=6, faces=[6], fortified=True)
    assert defense_modifier(battle.state.attack or AttackState(""), "2021") == 1


# -- rerolls ----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-BON-1", "TMG-BON-2", "TMG-ATK-5", "EX-41")
@pytest.mark.parametrize(("year", "all_dice"), [("2021", True), ("2018", False)])
def test_the_charge_bonus(year: str, all_dice: bool) -> None:
    battle = charging(year, distance=6, faces=[6])
    dice = battle.view()["attack"]["dice"]
    battle.do("roll", faces=[6, 5, 2, 1, *[4] * (dice - 4)])
    if not all_dice:
        for hits in ([0], [0, 3], [1, 2]):  # a hit among the misses is refused, too
            battle.refused("TMG-BON-1", "reroll", side="blue", because="charge bonus", places=hits)
    battle.refused("TMG-BON-1", "reroll", side="red", because="charge bonus", places=[3])
    places = [0, 3] if all_dice else [2, 3]
    battle.do("reroll", side="blue", because="charge bonus", places=places, faces=[3, 4])
    assert [battle.view()["attack"]["rolled"][place] for place in places] == [3, 4]
    battle.refused("TMG-RER-1", "reroll", side="blue", because="charge bonus", places=[1, 2])


@pytest.mark.rule("TMG-BON-1")
@pytest.mark.parametrize("year", EDITIONS)
def test_the_charge_bonus_is_offered_with_the_misses_and_2021_with_hits(year: str) -> None:
    battle = charging(year, distance=6, faces=[6])
    dice, hit = battle.view()["attack"]["dice"], battle.view()["attack"]["hit"]
    battle.do("roll", faces=[6, 1, *[hit] * (dice - 3), 1])
    offer, *more = PLAY.pending(battle.state)[0].data["rerolls"]
    assert offer == {"side": "blue", "because": "charge bonus", "places": [1, dice - 1]}
    gold = [one for one in prompts(battle.state, None)[0].choices if one.look == "primary"]
    assert [one.commands[0].get("places") for one in gold] == [[1, dice - 1]], "the misses"
    hits = [[*range(1, dice)], [*range(dice)]] if year == "2021" else []
    assert [one["places"] for one in more] == hits
    battle.do("reroll", **offer)
    assert PLAY.pending(battle.state)[0].data["rerolls"] == []


@pytest.mark.rule("TMG-BON-1", "TMG-ABL-5")
@pytest.mark.parametrize("year", EDITIONS)
def test_the_misses_of_the_charge_bonus_count_an_effect_once(year: str) -> None:
    battle = charging(year, distance=6, faces=[6])
    dice, hit = battle.view()["attack"]["dice"], battle.view()["attack"]["hit"]
    for _ in range(2):
        battle.do("modify", what="attack", name="Rally", value=1)
    battle.do("roll", faces=[hit - 2, hit - 1, *[hit] * (dice - 2)])
    offer = PLAY.pending(battle.state)[0].data["rerolls"][0]
    assert offer["places"] == [0]  # +1, not +2: the next one is a hit
    battle.do("reroll", **offer)


@pytest.mark.rule("TMG-CON-7")
def test_a_token_is_offered_to_who_may_spend_it() -> None:
    battle = attacking().do("token", unit="r2", token="weakened")
    dice = battle.view()["attack"]["dice"]
    battle.do("roll", faces=[6] * dice)
    (offer,) = PLAY.pending(battle.state)[0].data["rerolls"]
    assert offer == {"side": "blue", "because": "weakened", "places": list(range(dice))}
    battle.do("reroll", **offer)


@pytest.mark.rule("TMG-RER-1", "TMG-RER-3", "TMG-CON-4", "TMG-CON-7")
def test_a_die_is_rerolled_once_by_each_player() -> None:
    battle = attacking().do("token", unit="r2", token="weakened")
    battle.do("roll", faces=[6] * battle.view()["attack"]["dice"])
    assert PLAY.pending(battle.state)[0].data["may_spend"] == ["weakened on r2"]
    battle.refused("TMG-CON-4", "reroll", side="red", because="weakened")
    battle.do("reroll", side="red", because="a card", places=[0], faces=[5])
    battle.refused("TMG-RER-1", "reroll", side="red", because="another card", places=[0])
    battle.do("reroll", side="blue", because="weakened", places=[0, 1], faces=[1, 1])
    assert battle.view()["attack"]["rolled"][:3] == [1, 1, 6]
    assert battle.unit("r2").tokens == ()
    battle.refused("TMG-CON-7", "reroll", side="blue", because="weakened", places=[2])


@pytest.mark.rule("TMG-RER-2")
@pytest.mark.parametrize("year", EDITIONS)
def test_the_active_player_rerolls_first(year: str) -> None:
    battle = charging(year, distance=6, faces=[6]).do("token", unit="b1", token="weakened")
    battle.do("roll", faces=[1] * battle.view()["attack"]["dice"])
    battle.refused("TMG-RER-2", "reroll", side="red", because="weakened")
    battle.do("reroll", side="blue", because="charge bonus")
    battle.do("reroll", side="red", because="weakened")


@pytest.mark.rule("TMG-ATK-10", "TMG-CON-6")
def test_vulnerable_is_spent_on_defense_dice() -> None:
    battle = attacking().do("token", unit="b1", token="vulnerable")
    battle.do("roll", faces=[6] * battle.view()["attack"]["dice"], keep=True)
    hits = battle.view()["attack"]["hits"]
    battle.do("roll", faces=[6] * hits)
    assert battle.waits() == ["defense-rerolls"]
    battle.refused("TMG-CON-7", "reroll", side="red", because="weakened")
    battle.do("reroll", side="red", because="vulnerable", faces=[1] * hits)
    battle.do("continue")
    assert battle.unit("b1").wounds == hits


@pytest.mark.rule("TMG-CON-5", "TMG-PAN-6")
def test_2021_panicked_rerolls_a_test_with_its_d3() -> None:
    battle = attacking().do("token", unit="b1", token="panicked")
    battle.do("attack-result", wounds=1).do("panic", faces=[6, 6], d3=1)
    assert PLAY.pending(battle.state)[0].data["may_spend"] == ["panicked on b1"]
    battle.refused("TMG-PAN-2", "reroll", side="red", because="panicked", faces=[1, 1, 4])
    battle.do("reroll", side="red", because="panicked", faces=[1, 1, 3])
    battle.do("continue")
    assert battle.unit("b1").wounds == 1 + 3


@pytest.mark.rule("TMG-PAN-2")
@pytest.mark.parametrize(("year", "dice"), [("2021", 3), ("2018", 2)])
def test_the_dice_of_a_panic_test(year: str, dice: int) -> None:
    battle = Battle("GOT", year).deployed().do("test", unit="b1", why="fear").do("panic")
    assert len(battle.view()["panic"][0]["rolled"]) == dice
    battle.refused("TMG-RER-3", "panic")


# -- panic ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-MOR-2", "TMG-PAN-1", "TMG-PAN-3", "TMG-PAN-5", "TMG-PAN-7")
@pytest.mark.parametrize("year", EDITIONS)
def test_the_queue_keeps_causes_modifiers_odds_and_consequences(year: str) -> None:
    battle = Battle("GOT", year).deployed()
    battle.do("test", unit="b1", why="a card", modifier=-1, by="red")
    battle.do("test", unit="r1", why="dread", kind="morale")
    battle.do("modify", what="test", unit="b1", name="Captain", value=1)
    first, second = battle.view()["panic"]
    assert first["causes"] == ["a card"]
    assert first["modifiers"] == {"a card": -1, "Captain": 1}
    assert first["chance"] == pytest.approx(26 / 36, abs=1e-4)
    assert ("D3" in first["fails"]) is (year == "2021")
    assert "TMG-MOR-2" in second["fails"]
    battle.refused("TMG-TIM-6", "activate", unit="b1")
    battle.do("panic", unit="b1", faces=[6, 6], keep=True)
    assert battle.unit("b1").wounds == 0
    battle.do("panic", faces=[1, 1], keep=True)
    assert battle.unit("r1").wounds == 0
    assert battle.waits() == ["turn-start"]


@pytest.mark.rule("TMG-DIC-2", "EX-33", "EX-34")
@pytest.mark.parametrize(("year", "wounds"), [("2021", 2), ("2018", 6)])
def test_a_result_never_falls_below_0(year: str, wounds: int) -> None:
    battle = Battle("GOT", year, armies=[SWORN, LANNISTER]).deployed()
    battle.do("test", unit="b1", why="terror", modifier=-4)
    d3 = {"d3": 2} if year == "2021" else {}
    battle.do("panic", faces=[2, 2], keep=True, **d3)
    assert battle.unit("b1").wounds == wounds


@pytest.mark.rule("TMG-PAN-4")
def test_more_or_fewer_wounds_on_a_failure() -> None:
    battle = Battle().deployed().do("test", unit="b1", why="horror", extra=1)
    battle.do("modify", what="test-wounds", unit="b1", name="Captain", value=-2)
    battle.do("panic", faces=[1, 1], d3=3, keep=True)
    assert battle.unit("b1").wounds == 2


# -- surge ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-SRG-1", "TMG-SRG-2", "TMG-ATK-18")
def test_the_victor_of_a_melee_may_surge_forward() -> None:
    battle = attacking().fight(12)
    assert battle.waits() == ["surge"]
    battle.do("surge", take=True)
    assert "r2: maneuver as a free action (surge)" in battle.titles
    assert battle.waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-SRG-1")
def test_destroying_by_the_panic_test_counts() -> None:
    battle = attacking().do("attack-result", wounds=11)
    battle.do("panic", faces=[1, 1], d3=3, keep=True).do("continue")
    assert battle.waits() == ["surge"]
    assert battle.vp() == (0, 1)


@pytest.mark.rule("TMG-SRG-2", "TMG-SRG-4")
def test_no_surge_while_engaged_but_friends_may_turn() -> None:
    battle = fighting().do("engage", unit="b1", **{"with": ["r2", "r3"]})
    battle.do("engage", unit="r2", **{"with": ["b1", "b2"]})
    battle.do("action", action="attack", target="b1").fight(12)
    assert battle.waits() == ["end-of-turn"]
    assert "r3" in battle.answer["reminders"][0]


@pytest.mark.rule("TMG-SRG-3")
@pytest.mark.parametrize(("year", "waits"), [("2021", "attack-completed"), ("2018", "surge")])
def test_when_the_surge_comes(year: str, waits: str) -> None:
    battle = attacking(year).do("attack-result", wounds=12)
    assert battle.waits() == [waits]


@pytest.mark.rule("TMG-SRG-1")
def test_a_shot_gives_no_surge() -> None:
    battle = Battle().deployed().do("activate", unit="b2")
    battle.do("action", action="attack", target="r1").fight(12)
    assert battle.waits() == ["end-of-turn"]


# -- free actions, dangerous ground -----------------------------------------------------------


@pytest.mark.rule("TMG-ACT-4", "TMG-ACT-5")
def test_a_free_action_touches_no_activation() -> None:
    battle = Battle().deployed()
    battle.do("free-action", unit="b1", action="maneuver")
    assert not battle.unit("b1").activated
    battle.do("free-action", unit="b2", action="attack", target="r1").fight(1)
    assert battle.waits() == ["turn-start"]
    battle.forgo("b1").do("free-action", unit="b1", action="march")
    assert battle.unit("b1").activated


@pytest.mark.rule("TMG-TER-9")
def test_2021_acting_on_dangerous_ground_costs_wounds_first() -> None:
    battle = Battle().deployed().do("activate", unit="b2")
    battle.do("action", action="attack", target="r1", dangerous=True, d3=1)
    assert battle.unit("b2").wounds == 2
    kinds = [event.type for event in battle.log]
    assert kinds.index("wounds") < kinds.index("attack")


@pytest.mark.rule("TMG-TER-9")
def test_2018_only_moving_there_does() -> None:
    battle = Battle("GOT", "2018").deployed().do("activate", unit="b2")
    battle.do("action", action="attack", target="r1", dangerous=True, d3=1)
    assert battle.unit("b2").wounds == 0


@pytest.mark.rule("TMG-TER-11", "EX-78")
@pytest.mark.parametrize("year", EDITIONS)
def test_dangerous_ground_hurts_once_in_a_charge(year: str) -> None:
    battle = charging(year, distance=6, faces=[6], dangerous=True, d3=1)
    assert battle.unit("b1").wounds == 2


@pytest.mark.rule("TMG-TER-9")
def test_dangerous_ground_can_end_the_activation() -> None:
    battle = Battle().deployed().do("wounds", unit="b1", wounds=11).do("activate", unit="b1")
    battle.do(
        "action", action="charge", zone="front", target="r1", distance=6, dangerous=True, d3=3
    )
    assert battle.unit("b1").place == "destroyed"
    assert battle.vp() == (0, 1)
    assert battle.waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-GLO-24", "TMG-LOS-9")
def test_the_target_and_its_arc_are_named() -> None:
    battle = attacking(zone="rear")
    assert battle.view()["attack"]["zone"] == "rear"
    battle.do("attack-result", wounds=1)
    assert battle.view()["panic"][0]["modifiers"] == {"rear": -2}


@pytest.mark.rule("TMG-CON-4", "TMG-CON-6")
def test_vulnerable_is_asked_before_a_count_ends_the_attack() -> None:
    battle = attacking().do("token", unit="b1", token="vulnerable")
    battle.do("roll", count=5)
    models = battle.unit("b1").models
    battle.do("roll", count=4)
    assert battle.waits() == ["spent"], "no other dice are asked for"
    assert battle.unit("b1").models == models, "nothing has happened yet"
    battle.refused("TMG-CON-4", "roll", count=4)
    battle.refused("TMG-CON-4", "attack-result", wounds=1)
    (prompt, *_) = SCREEN.prompts(battle.state, None)
    assert [one.text for one in prompt.facts] == ["4 of 5 block"]
    (spend,) = [one for one in prompt.choices if one.commands[0].get("take")]
    assert spend.dice is not None
    assert not spend.dice.optional, "the app does not roll dice that lie on the table"
    battle.refused("TMG-RER-3", "spent", take=True)
    battle.do("spent", take=True, count=2)
    assert "vulnerable" not in battle.unit("b1").tokens
    assert battle.unit("b1").models == models - 3, "nobody rolls all of them anew"
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-CON-5", "TMG-RER-3", "TMG-PAN-6", edition="2021")
def test_panicked_spent_on_a_sum_asks_for_both_dice_and_the_d3() -> None:
    battle = attacking().do("token", unit="b1", token="panicked").do("attack-result", wounds=1)
    models = battle.unit("b1").models
    battle.do("panic", total=12, d3=1)
    (prompt, *_) = SCREEN.prompts(battle.state, None)
    (spend,) = [one for one in prompt.choices if one.commands[0].get("take")]
    assert spend.dice is not None
    assert [one.sides for one in (spend.dice, *spend.dice.extra)] == [6, 3]
    battle.do("spent", take=True, faces=[1, 1], d3=3)
    assert battle.unit("b1").models == models - 3
    assert "panicked" not in battle.unit("b1").tokens


@pytest.mark.rule("TMG-CON-4", "TMG-CON-5", "TMG-CON-7")
def test_a_token_that_is_kept_lets_the_count_stand() -> None:
    battle = attacking().do("token", unit="b1", token="panicked")
    battle.do("token", unit="r2", token="weakened")
    battle.do("roll", count=5).do("spent", take=False)
    assert battle.state.attack is not None
    assert battle.state.attack.hits == 5
    battle.do("roll", count=3)
    models = battle.unit("b1").models
    battle.do("panic", total=2, d3=3)
    assert battle.waits() == ["spent"]
    battle.refused("TMG-CON-4", "panic", total=2, d3=3)
    battle.do("spent", take=False)
    assert battle.unit("b1").models < models
    assert "panicked" in battle.unit("b1").tokens


@pytest.mark.rule("TMG-PAN-6", "TMG-RER-3", edition="2021")
def test_the_d3_of_a_panic_test_is_rolled_again_as_a_d3() -> None:
    battle = attacking().do("token", unit="b1", token="panicked").do("attack-result", wounds=1)
    battle.do("panic", faces=[6, 5], d3=1)
    (prompt, *_) = SCREEN.prompts(battle.state, None)
    form = next(one for one in prompt.forms if one.command.get("because") == "panicked")
    (entry,) = form.entries
    assert [text for _, text in entry.options] == ["6", "5", "the D3 shows 1"]
    dice = rerolled_dice([0, 2], form.other_dice, form.command)
    assert [(one.count, one.sides) for one in (dice, *dice.extra)] == [(1, 6), (1, 3)]
    only = rerolled_dice([2], form.other_dice, form.command)
    assert (only.field, only.sides) == ("d3", 3)
    battle.do("reroll", side="red", because="panicked", places=[0, 2], faces=[1], d3=3)
    assert battle.state.trials[0].roll is not None
    assert battle.state.trials[0].roll.faces == (1, 5, 3)


@pytest.mark.rule("TMG-BON-3", "TMG-BON-5")
@pytest.mark.parametrize("ranged", [False, True])
def test_an_arc_that_nobody_told_is_said_to_count_as_the_front(ranged: bool) -> None:
    told = "nobody said from which zone r1 is attacked: it counts as the front (TMG-BON-3)"
    for zone in ({}, {"zone": "flank"}):
        battle = battle_of("GOT")
        if not ranged:
            battle.do("engage", unit="b2", **{"with": ["r1"]})
        battle.do("activate", unit="b2")
        battle.do("action", action="attack", target="r1", ranged=ranged, **zone)
        assert (told in battle.answer.get("reminders", ())) is not bool(zone)


@pytest.mark.rule("TMG-ZON-4")
def test_the_combat_zone_gives_no_charge() -> None:
    battle = battle_of("GOT")
    ncu = next(one.id for one in battle.state.ncus if one.side == "blue")
    battle.do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit=ncu)
    battle.do("claim", zone="combat")
    battle.refused("TMG-ZON-4", "zone-effect", unit="b1", target="r1", action="charge")
    battle.refused("TMG-ZON-4", "zone-effect", unit="b1", target="r1", action="maneuver")
