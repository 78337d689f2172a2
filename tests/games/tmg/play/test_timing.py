"""Occurrences of triggers, effects of the same name, and orders however they are spelt."""

from __future__ import annotations

import pytest

from companion.games.api.play import Event
from companion.games.tmg.play import PLAY
from models import BadInput
from tests.play.battle import LANNISTER, STARK, Battle

EDITIONS = ("2021", "2018")
ATTACKED = "after a friendly unit is attacked"
TESTED = "when a unit takes a panic test"


def attacking(year: str = "2021", **facts: object) -> Battle:
    """Halberdiers of 12 models attack b1 in contact."""
    battle = Battle("GOT", year, first="red", **facts).deployed()
    battle.do("engage", unit="r2", **{"with": ["b1"]})
    return battle.do("activate", unit="r2").do("action", action="attack", target="b1")


def play(battle: Battle, trigger: str, player: str = "blue") -> Battle:
    return battle.do("play", player=player, card=battle.player(player).hand[0], trigger=trigger)


def barred(battle: Battle, trigger: str, player: str = "blue") -> None:
    card = battle.player(player).hand[0]
    battle.refused("TMG-TIM-1", "play", player=player, card=card, trigger=trigger)


# -- occurrences ------------------------------------------------------------------------------


@pytest.mark.rule("TMG-TIM-1", "TMG-DECK-6")
@pytest.mark.parametrize("year", EDITIONS)
def test_an_attack_is_one_occurrence_whatever_is_rolled_in_it(year: str) -> None:
    battle = play(attacking(year), ATTACKED)
    barred(battle, ATTACKED)
    battle.do("roll")
    barred(battle, ATTACKED)
    battle.do("test", unit="b3", why="a card").do("panic", faces=[6, 6])
    barred(battle, ATTACKED)
    battle.do("continue")
    barred(battle, ATTACKED)
    battle.do("attack-result", wounds=2)
    barred(battle, ATTACKED)
    barred(battle, "After a friendly unit  is attacked!")
    battle.do("panic", faces=[6, 6], keep=True)
    if battle.state.attack is not None:
        barred(battle, ATTACKED)


@pytest.mark.rule("TMG-TIM-1", "TMG-DECK-6")
def test_the_next_attack_is_the_next_occurrence() -> None:
    battle = play(attacking(), ATTACKED).fight(1)
    battle.do("free-action", unit="r2", action="attack", target="b1")
    play(battle, ATTACKED)
    barred(battle, ATTACKED)


@pytest.mark.rule("TMG-TIM-1", "TMG-DECK-6")
def test_a_test_or_a_roll_does_not_repeat_the_start_of_a_turn() -> None:
    start = "at the start of a turn"
    battle = play(Battle().deployed(), start)
    battle.do("test", unit="b1", why="a card")
    barred(battle, start)
    battle.do("panic", faces=[6, 6], keep=True)
    barred(battle, start)
    battle.do("hits", unit="r1", hits=1, why="fire").do("roll", faces=[6], keep=True)
    barred(battle, start)


@pytest.mark.rule("TMG-TIM-1", "TMG-DECK-6")
def test_every_test_is_an_occurrence_of_its_own() -> None:
    battle = Battle().deployed().do("test", unit="b1", why="one").do("test", unit="b2", why="two")
    play(battle, TESTED)
    barred(battle, TESTED)
    battle.do("panic", unit="b1", faces=[6, 6], keep=True)
    play(battle, TESTED)
    battle.do("panic", unit="b2", faces=[6, 6], keep=True)
    barred(battle, TESTED)


@pytest.mark.rule("TMG-GLO-21", "TMG-TIM-1")
def test_hits_that_are_no_attack_are_no_occurrence_of_one() -> None:
    battle = play(attacking(), ATTACKED).fight(1)
    battle.do("hits", unit="b1", hits=1, why="fire")
    barred(battle, ATTACKED)


@pytest.mark.rule("TMG-TIM-3", "TMG-TIM-5")
def test_declining_in_an_attack_lasts_as_long_as_the_attack() -> None:
    battle = attacking().do("decline", player="red", trigger=ATTACKED)
    battle.do("roll")
    card = battle.player("red").hand[0]
    battle.refused("TMG-TIM-5", "play", player="red", card=card, trigger=ATTACKED)
    play(battle, ATTACKED)
    assert "reminders" not in battle.answer


# -- effects of the same name -----------------------------------------------------------------


@pytest.mark.rule("TMG-ABL-5", "TMG-ABL-6")
def test_dice_and_wounds_of_the_same_name_are_added_once() -> None:
    battle = attacking()
    dice = battle.view()["attack"]["dice"]
    battle.do("modify", what="dice", name="Fury", value=2)
    battle.do("modify", what="dice", name="  fury ", value=2)
    assert "only once" in battle.answer["reminders"][0]
    assert battle.view()["attack"]["dice"] == dice + 2
    battle.do("modify", what="dice", name="Rage", value=-1)
    assert battle.view()["attack"]["dice"] == dice + 1
    for name in ("Fear", "FEAR", "Terror"):
        battle.do("modify", what="panic-wounds", name=name, value=1)
    battle.do("attack-result", wounds=1)
    battle.do("modify", what="panic-wounds", name="Fear!", value=1)
    battle.do("modify", what="test-wounds", name="fear", value=1)
    assert battle.state.trials[0].extra == 2


@pytest.mark.rule("TMG-ABL-5")
@pytest.mark.parametrize("what", ["attack", "defense", "panic", "test"])
def test_a_modifier_of_the_same_name_counts_once_however_it_is_spelt(what: str) -> None:
    battle = attacking()
    if what == "test":
        battle.do("attack-result", wounds=1)
    for name in ("King's Will", "kings will", "KING’S  WILL"):
        battle.do("modify", what=what, name=name, value=1)
    if what == "panic":
        battle.do("attack-result", wounds=1)
    now = battle.state.attack
    assert now is not None
    mods = battle.state.trials[0].mods if battle.state.trials else ()
    found = {"attack": now.attack_mods, "defense": now.defense_mods}.get(what, mods)
    assert [value for _, value in found] == [1]


@pytest.mark.rule("TMG-DIC-4", "TMG-ABL-6")
def test_the_highest_value_keeps_what_other_effects_add() -> None:
    battle = Battle(first="red").deployed().do("wounds", unit="r2", wounds=4)
    battle.do("engage", unit="r2", **{"with": ["b1"]}).do("activate", unit="r2")
    battle.do("action", action="attack", target="b1")
    values = battle.unit("r2").attacks[0].dice
    battle.do("modify", what="dice", name="Banner", value=2)
    assert battle.view()["attack"]["dice"] == values[1] + 2
    battle.do("modify", what="highest", name="Fury")
    assert battle.view()["attack"]["dice"] == values[0] + 2
    battle.do("modify", what="lowest", name="Fear")
    assert battle.view()["attack"]["dice"] == values[2] + 2
    battle.do("modify", what="dice", name="Mud", value=-20)
    assert battle.view()["attack"]["dice"] == 0
    battle.do("modify", what="dice", name="Drums", value=20)
    assert battle.view()["attack"]["dice"] == values[2] + 2


@pytest.mark.rule("TMG-DIC-4")
def test_a_log_of_an_earlier_version_keeps_its_dice() -> None:
    battle = attacking()
    dice = battle.view()["attack"]["dice"]
    state = battle.state
    for what, value, number in (("dice", 2, dice), ("dice", 2, dice + 2), ("highest", 0, dice)):
        data = {"what": what, "name": "Fury", "value": value, "dice": number}
        state = PLAY.apply(state, Event("attack-changed", data))
        if what == "dice":
            number += value
        assert state.attack is not None
        assert state.attack.dice == number


# -- changing a test that waits ---------------------------------------------------------------


@pytest.mark.rule("TMG-PAN-7", "TMG-ABL-1")
def test_what_changes_panic_after_the_wounds_changes_the_test_that_waits() -> None:
    battle = attacking().do("attack-result", wounds=1)
    before = battle.view()["panic"][0]["modifier"]
    battle.do("modify", what="panic", name="Drums", value=-1)
    assert battle.view()["panic"][0]["modifier"] == before - 1
    battle.do("modify", what="ability", name="Vicious")
    assert battle.view()["panic"][0]["modifier"] == before - 3
    battle.do("modify", what="panic-wounds", name="Fear", value=2)
    assert battle.state.trials[0].extra == 2


@pytest.mark.rule("TMG-ATK-1", "TMG-ATK-7", "TMG-ATK-12", "TMG-ATK-17")
def test_dice_that_are_counted_can_no_longer_be_changed() -> None:
    battle = attacking().do("roll")
    battle.refused("TMG-ATK-1", "modify", what="highest", name="Fury")
    battle.do("modify", what="attack", name="Drums", value=1)
    battle.do("continue")
    assert battle.state.attack is not None
    if battle.state.attack.stage == "defense-dice":
        battle.refused("TMG-ATK-7", "modify", what="attack", name="Fury", value=1)
        battle.refused("TMG-ATK-7", "modify", what="ability", name="Precision")
        battle.do("modify", what="ability", name="Sundering")
    battle.do("attack-result", wounds=1)
    battle.refused("TMG-ATK-12", "modify", what="defense", name="Shields", value=1)
    battle.refused("TMG-ATK-12", "modify", what="ability", name="Sundering")
    battle.do("panic", faces=[6, 6], keep=True)
    battle.refused("TMG-ATK-17", "modify", what="panic", name="Drums", value=1)


@pytest.mark.rule("TMG-GLO-21", "TMG-MOR-2")
def test_no_effect_changes_a_test_that_does_not_come() -> None:
    battle = Battle().deployed().do("hits", unit="b1", hits=2, why="fire")
    battle.refused("TMG-GLO-21", "modify", what="panic", name="Drums", value=-1)
    battle.do("roll", faces=[6, 6], keep=True)
    battle.do("test", unit="b1", kind="morale", why="a card")
    battle.refused("TMG-MOR-2", "modify", what="test-wounds", name="Fear", value=1)


# -- orders -----------------------------------------------------------------------------------


def with_orders(*names: str) -> Battle:
    unit = {"name": "Guards", "cost": 5, "abilities": [f"Order: {name}" for name in names]}
    return Battle(armies=[{**STARK, "units": [unit]}, LANNISTER]).deployed()


@pytest.mark.rule("TMG-ORD-1")
@pytest.mark.parametrize("word", ["hold the line", "Order: Hold the Line!", " HOLD THE-LINE "])
def test_another_spelling_is_not_another_order(word: str) -> None:
    battle = with_orders("Hold The Line!", "Mark Target")
    battle.do("order", unit="b1", order="Hold The Line")
    assert battle.unit("b1").orders == ("Hold The Line!",)
    battle.refused("TMG-ORD-1", "order", unit="b1", order=word)
    battle.refused("TMG-ORD-1", "order", unit="b1", order=word, another=True)
    battle.do("order", unit="b1", order="mark target")
    battle.round_over().do("order", unit="b1", order=word)


@pytest.mark.rule("TMG-ORD-1")
def test_an_order_that_no_card_names_is_asked_about() -> None:
    battle = with_orders("Hold The Line!")
    said = battle.refused("TMG-ORD-1", "order", unit="b1", order="Hold teh Line")
    assert "Hold The Line!" in said
    assert "another" in said
    battle.do("order", unit="b1", order="Rally", another=True)
    battle.refused("TMG-ORD-1", "order", unit="b1", order="rally", another=True)


@pytest.mark.rule("TMG-ORD-1")
def test_of_unknown_cards_a_second_order_in_a_round_is_asked_about() -> None:
    battle = Battle().deployed().do("order", unit="b1", order="Hold")
    battle.refused("TMG-ORD-1", "order", unit="b1", order="Hold it")
    battle.do("order", unit="b1", order="Charge", another=True)
    battle.do("order", unit="bn1", order="Whispers")
    battle.refused("TMG-ORD-1", "order", unit="bn1", order="Whisper")


# -- lasting effects and abilities ------------------------------------------------------------


@pytest.mark.rule("TMG-ABL-5", "TMG-ABL-6")
def test_a_lasting_effect_of_the_same_name_is_noted_once() -> None:
    battle = Battle().deployed().do("effect", unit="b1", name="Hold Fast", until="round")
    battle.do("effect", unit="b1", name="hold fast!", until="round")
    assert "only once" in battle.answer["reminders"][0]
    battle.do("effect", unit="b1", name="HOLD FAST", until="turn")
    battle.do("effect", unit="b1", name="Hold", until="round")
    battle.do("effect", unit="b2", name="Hold Fast", until="round")
    units = battle.view()["units"]
    assert units["b1"]["effects"] == ["Hold Fast", "Hold"]
    assert units["b2"]["effects"] == ["Hold Fast"]


@pytest.mark.rule("TMG-ABL-5", "TMG-ATM-10")
def test_an_ability_of_unit_and_attachment_is_one_ability() -> None:
    captain = {"name": "Captain", "cost": 1, "abilities": ["Order: Hold the Line", "Hardened"]}
    unit = {"name": "Guards", "cost": 5, "abilities": ["Order: Hold The Line!"]}
    army = {**STARK, "units": [{**unit, "attachments": [captain]}]}
    battle = Battle(armies=[army, LANNISTER], unchecked=True).deployed()
    assert battle.unit("b1").abilities_now() == ("Order: Hold The Line!", "Hardened")
    battle.do("order", unit="b1", order="Hold the Line")
    battle.refused("TMG-ORD-1", "order", unit="b1", order="Hold The Line!")


@pytest.mark.rule("TMG-ABL-3", "TMG-ATM-10")
def test_precision_of_an_attachment_counts_with_the_attack_dice() -> None:
    captain = {"name": "Captain", "cost": 1, "abilities": ["Precision", "Hardened"]}
    swords = {**STARK["units"][0], "attachments": [captain]}
    army = {**STARK, "units": [swords, *STARK["units"][1:]]}
    battle = Battle(armies=[army, LANNISTER], unchecked=True).deployed()
    battle.do("engage", unit="b1", **{"with": ["r2"]})
    battle.do("activate", unit="b1").do("action", action="attack", target="r2")
    now = battle.state.attack
    assert now is not None
    assert now.abilities == ("precision",)
    dice = now.dice
    battle.do("roll", faces=[6, 6, *[4] * (dice - 2)], keep=True)
    now = battle.state.attack
    assert now is not None
    assert (now.hits, now.sure) == (dice - 2, 2)
    (weapon, *_) = battle.unit("b1").attacks_now
    assert weapon.abilities == ("Precision",)


@pytest.mark.rule("TMG-ATK-1")
def test_a_number_is_changed_by_a_number() -> None:
    battle = attacking()
    with pytest.raises(BadInput, match="'value' is missing"):
        battle.do("modify", what="attack", name="Drums")
    battle.do("modify", what="attack", name="Drums", value=1)
    assert battle.state.attack is not None
    assert battle.state.attack.attack_mods == (("Drums", 1),)


@pytest.mark.rule("TMG-TIM-1", "TMG-DECK-6", "TMG-RND-3")
@pytest.mark.parametrize("year", EDITIONS)
def test_the_start_of_a_turn_comes_once_in_it(year: str) -> None:
    start = "at the start of a turn"
    battle = play(Battle("GOT", year).deployed(), start)
    battle.do("activate", unit="b1")
    barred(battle, start)
    battle.do("action", action="forgo")
    barred(battle, start)
    battle.do("end-turn")
    play(battle, start)
    barred(battle, start)


@pytest.mark.rule("TMG-TIM-1", "TMG-DECK-6", "TMG-RND-12")
@pytest.mark.parametrize("year", EDITIONS)
def test_the_end_of_a_round_comes_once_in_it(year: str) -> None:
    end = "at the end of the round"
    battle = Battle("GOT", year).deployed().finish_round()
    assert battle.state.step == "end-of-round"
    play(battle, end)
    battle.do("continue").do("score", confirm=True)
    assert battle.state.step == "discard"
    barred(battle, end)


@pytest.mark.rule("TMG-TIM-1", "TMG-MODE-COK-7")
def test_the_steps_before_the_first_turn_are_not_those_of_the_last_clean_up() -> None:
    battle = Battle("COK").do("continue")
    for player, card in (("red", "6"), ("blue", "7"), ("red", "8"), ("blue", "9")):
        battle.do("choose-card", player=player, card=card)
    battle.deployed().do("wounds", unit="r1", wounds=12, by="blue").finish_round()
    play(battle, "when a step begins")
    barred(battle, "when a step begins")
    battle.clean_up()
    assert battle.waits() == ["redeploy"]
    play(battle, "when a step begins")
    barred(battle, "when a step begins")
