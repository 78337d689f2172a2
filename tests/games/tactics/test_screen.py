"""The screen's records: steps of a new game, prompts with dice, offers with odds, secrets."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Any

import pytest

from companion.games.api.play import Accepted, Plain
from companion.games.tactics.cards.figure_card import shipped_cards
from companion.games.tactics.play import PLAY
from companion.games.tactics.play.prompts import actions
from companion.games.tactics.play.scoring import MOST_CAPTIVES
from companion.games.tactics.screen import SCREEN
from companion.games.tactics.screen.views import dice_hint, short, tokens_in_use
from companion.text.translation import catalogue
from models.board import Cell
from models.message import joined
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
)
from tests.games.tactics.test_games import BLUE, RED

rule = pytest.mark.rule


def test_the_steps_of_a_new_game() -> None:
    draft: dict[str, Any] = {}
    kinds = [step.kind for step in SCREEN.steps("tactics", draft)]
    assert kinds == ["form", "seats", "list", "tags", "begin"]
    squads = next(one for one in SCREEN.steps("tactics", draft) if one.id == "squads")
    assert [one.seat for one in squads.problems] == ["blue", "red"]
    draft["squads"] = {"blue": BLUE, "red": "Nobody"}
    squads = next(one for one in SCREEN.steps("tactics", draft) if one.id == "squads")
    assert [(one.seat, one.text) for one in squads.problems] == [
        ("red", "line 1: no figure 'Nobody'")
    ]
    draft["squads"]["red"] = RED
    assert not any(step.problems for step in SCREEN.steps("tactics", draft))
    seats = [{"id": "red", "name": "Bo"}, {"id": "blue"}]
    command = SCREEN.set_up("tactics", {**draft, "seats": seats})
    assert [one["side"] for one in command["squads"]] == ["red", "blue"]
    setup = PLAY.prepare("tactics", {k: v for k, v in command.items() if k != "game"})
    state = PLAY.start("tactics", setup)  # type: ignore[arg-type]
    assert [one.name for one in SCREEN.seats(state)] == ["Bo", "blue"]
    assert SCREEN.space("tactics").kind == "square"
    assert SCREEN.seat_range("tactics").least == 2


@rule("TAC-SET-2", "TAC-SET-3")
def test_the_roll_for_choice_says_whose_die_is_whose_and_what_is_left() -> None:
    draft = {"squads": {"blue": BLUE, "red": RED}, "cards": "paper"}
    seats = [{"id": "blue", "name": "Anna"}, {"id": "red", "name": "Bert"}]
    command = SCREEN.set_up("tactics", {**draft, "seats": seats})
    setup = PLAY.prepare("tactics", {k: v for k, v in command.items() if k != "game"})
    state = PLAY.start("tactics", setup)  # type: ignore[arg-type]
    (prompt,) = SCREEN.prompts(state)
    assert prompt.dice is not None
    assert prompt.dice.text == "first Anna, then Bert"
    told = []
    steps: tuple[Plain, ...] = ({"do": "roll-off", "faces": [7, 2]}, {"do": "zone", "zone": "gold"})
    for step in steps:
        decision = PLAY.decide(state, step)
        assert isinstance(decision, Accepted)
        state = reduce(PLAY.apply, decision.events, state)
        told.append(str(SCREEN.prompts(state)[0].text))
    assert told == [
        "Anna chooses a deployment zone or the start marker",
        "Bert gives the start marker",
    ]


@rule("TAC-ATK-6", "TAC-ATK-7", "TAC-DIE-1")
def test_an_attack_roll_shows_its_dice_and_chances() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "4,5"), (SOLDIER, "0,8")])
    game.do("activate", figure="b1").do("attack", target="r1")
    (prompt,) = SCREEN.prompts(game.state)
    assert prompt.dice is not None
    assert (prompt.dice.count, prompt.dice.sides, prompt.dice.wanted) == (2, 10, 6)
    assert prompt.dice.chances == pytest.approx((0.25, 0.5, 0.25))
    assert prompt.seats == ("blue",)
    texts = [one.text for one in prompt.facts]
    assert "hits on 6+" in texts
    assert any(one.chance is not None for one in prompt.facts)
    assert prompt.rule == "TAC-ATK-7"


@rule("TAC-CRD-9")
def test_offers_name_odds_reasons_and_wounds_per_coin() -> None:
    figure = card("Robert", attacks=[BLOW])
    game = Skirmish([(figure, "4,4")], [(SOLDIER, "4,5"), (SOLDIER, "0,8")])
    game.do("activate", figure="b1")
    offers = SCREEN.offers(game.state, None, "b1")
    attack = offers[0]
    assert (attack.kind, attack.target, attack.verdict) == ("swords", "r1", "yes")
    assert "per coin" in attack.detail
    assert attack.expected == "0.30 wounds"
    refused = next(one for one in offers if one.target == "r2" and one.kind == "swords")
    assert (refused.verdict, refused.rules) == ("no", ("TAC-ATK-2",))
    assert refused.reason
    (move,) = (one for one in offers if one.kind == "maneuver")
    assert move.possible
    assert not move.commands, "the players choose the space"
    beside, free = move.at((5, 4)), move.at((4, 3))
    assert beside is not None
    assert (beside.mark, beside.detail) == ("engages", "1 space, engaged with Soldier 1")
    assert free is not None
    assert (free.mark, free.text) == ("", "1")
    assert move.at((4, 4)) is None
    assert SCREEN.offers(game.state, None, "r1") == ()
    best = SCREEN.offers(game.state, None)
    assert len(best) <= 6


@rule("TAC-CHG-7", "TAC-CHG-8")
def test_charges_are_offered_by_space() -> None:
    game = Skirmish([(SOLDIER, "4,2")], [(SOLDIER, "4,5")]).do("activate", figure="b1")
    (charge,) = (one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "charge")
    assert {one.cell for one in charge.cells} == {(3, 4), (4, 4), (5, 4)}
    assert charge.commands == ()  # where it ends is the player's choice
    command = dict(charge.cells[0].commands[0])
    game.do(command.pop("do"), **command)
    assert game.state.attack is not None


@rule("TAC-CHG-1", "TAC-ATK-5")
def test_a_charge_is_offered_with_each_attack_it_may_take() -> None:
    axe = {**SWORD, "name": "Axe", "dice": 1}
    heavy = {**SWORD, "name": "Heavy", "ap": 2}
    lord = card("Lord", attacks=[SWORD, axe, heavy])
    game = Skirmish([(lord, "4,2")], [(SOLDIER, "4,5")]).do("activate", figure="b1")
    found = [one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "charge"]
    assert [one.cells[0].commands[0]["attack"] for one in found] == ["Sword", "Axe"]


@rule("TAC-END-3", "TAC-CAP-9")
def test_the_point_for_the_most_captives_is_on_the_score() -> None:
    killer = card("Killer", attacks=[{**SWORD, "dice": 4, "hit": 2}])
    game = Skirmish([(killer, "4,4")], [(FOE_HERO, "4,5"), (SOLDIER, "0,8")])
    game.do("activate", figure="b1").do("attack", target="r1").do("roll", faces=[9] * 4)
    game.do("roll", faces=[1] * 4).do("fate", choose="capture")
    score = SCREEN.score(game.state)
    assert score is not None
    told = [(one.seat, str(one.text), one.points) for one in score.lines]
    assert told == [("blue", "the most captives, if nothing changes", 1)]
    second = replace(game.state, points=(("blue", 1, MOST_CAPTIVES),))
    told = [(one.seat, str(one.text), one.points) for one in SCREEN.score(second).lines]
    assert told[1:] == [("blue", "the most captives, counted before", 1)], "twice the same words"
    ended = replace(game.state, phase="end", points=(("blue", 1, MOST_CAPTIVES),))
    score = SCREEN.score(ended)
    assert score is not None
    told = [(one.seat, str(one.text), one.points) for one in score.lines]
    assert told == [
        ("blue", "the most captives", 1),
        ("blue", "the most captives, counted before", 1),
    ]


@rule("TAC-LOT-3", "TAC-LOT-4")
def test_what_loot_brings_is_told() -> None:
    loot = {"4,1": "purse", "4,3": "letter"}
    game = Skirmish([(SOLDIER, "4,2")], [(SOLDIER, "4,8")], loot=loot).do("activate", figure="b1")
    game.do("loot", cell="4,1")
    reminders = [str(one) for one in game.answer["reminders"]]
    assert "Blue takes 1 silver stag from the purse." in reminders
    for deck in ((), ("A1",)):
        squad = replace(game.state.squad("blue"), deck=deck)
        taken = PLAY.decide(game.state.with_squad(squad), {"do": "loot", "cell": "4,3"})
        assert isinstance(taken, Accepted)
        none_left = "No agenda card is left to draw." in str(taken.answer["reminders"])
        assert none_left == (not deck)


@rule("TAC-CHG-7", "TAC-CHG-8")
def test_the_coins_of_a_charge_are_chosen_before_the_move() -> None:
    game = Skirmish([(card("Robert", attacks=[BLOW]), "4,1")], [(SOLDIER, "4,5")])
    game.do("activate", figure="b1")
    before = game.coins()
    offers = [one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "charge"]
    plain, paid = (one for one in offers if "die 2" not in str(one.cells[0].commands))
    assert plain.text == "Charge Soldier"
    assert paid.text == "Charge Soldier, additional die 1 (1 copper star)"
    assert paid.expected > plain.expected
    assert paid.value < plain.value, "spending is no proposal"
    command = dict(paid.cells[0].commands[0])
    game.do(command.pop("do"), **command)
    assert game.coins() != before, "paid before the dice"
    assert any("pays 1 copper star (additional die 1)" in str(one) for one in game.titles)
    (prompt,) = SCREEN.prompts(game.state)
    assert prompt.dice is not None
    assert prompt.dice.count == 3, "the charge and the coin add a die each"
    assert not prompt.choices, "too late for more coins"


@rule("TAC-ATK-6", "TAC-CRD-9", "TAC-CRD-11")
def test_additional_dice_are_one_choice_before_the_roll() -> None:
    game = Skirmish([(card("Robert", attacks=[BLOW]), "4,4")], [(SOLDIER, "4,5")])
    game.do("activate", figure="b1").do("attack", target="r1")
    (prompt,) = SCREEN.prompts(game.state)
    assert [(one.text, one.detail) for one in prompt.choices] == [
        ("1 more die", "1 copper star: +0.30 wounds"),
        ("2 more dice", "2 copper stars: +0.60 wounds"),
        ("3 more dice", "4 copper stars: +0.90 wounds"),
        ("4 more dice", "7 copper stars: +1.20 wounds"),
    ]
    assert prompt.dice is not None
    assert (prompt.dice.count, prompt.dice.top_field) == (1, "tens")
    assert game.refused("announce", dice=5) == "TAC-CRD-9"
    game.do("announce", dice=2)
    assert game.titles[-1] == "Robert pays for additional die 1, additional die 2"
    assert game.refused("announce", effects=["die 1"]) == "TAC-CRD-11"
    assert game.refused("announce", effects=["die 4"]) == "TAC-CRD-9"
    (prompt,) = SCREEN.prompts(game.state)
    left = ["1 more die", "2 more dice"]
    assert [one.text for one in prompt.choices] == left, "those that may still be bought"
    assert prompt.dice is not None
    assert (prompt.dice.count, game.coins()[2]) == (3, 15)
    game.do("roll", hits=2, tens=1)
    assert game.state.attack is not None
    assert (game.state.attack.hits, game.state.attack.tens) == (3, 1)


@rule("TAC-CRD-9", "TAC-COI-8")
def test_dice_that_cannot_be_paid_are_not_offered() -> None:
    robert = card("Robert", attacks=[BLOW])
    game = Skirmish([(robert, "4,4")], [(SOLDIER, "4,5")], coins=(3, 6, 5))
    game.do("activate", figure="b1").do("attack", target="r1")
    dice = [one["dice"] for one in game.commands() if one["do"] == "announce"]
    assert dice == [1, 2, 3], "4 of 5 copper stars are left: three dice cost all of them"
    assert game.refused("announce", dice=4) == "TAC-CRD-9"
    assert game.do("announce", dice=3).coins()[2] == 0
    assert [one["do"] for one in game.commands()] == ["roll"]


@rule("TAC-DIE-4")
def test_natural_tens_are_among_the_dice_that_hit() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(card("Wall", health=9), "4,5")])
    game.do("activate", figure="b1").do("attack", target="r1")
    assert game.refused("roll", hits=1, tens=2) == "TAC-DIE-4"
    assert "tens" in game.refused("roll", hits=2, tens=3)
    undefended = Skirmish(
        [(SOLDIER, "4,4")],
        [(card("Wall", health=9), "4,5")],
        readings=("natural-ten-dice=undefended",),
    )
    undefended.do("activate", figure="b1").do("attack", target="r1").do("roll", hits=1, tens=1)
    assert undefended.state.tasks[0].data["dice"] == 1
    undefended.do("roll", faces=[9])
    assert undefended.figure("r1").wounds == 1


@rule("TAC-EQP-6")
def test_equipment_is_announced_before_the_roll() -> None:
    worn = {"b1": "lucky-charm", "r1": "blinding-powder"}
    game = Skirmish([(SOLDIER, "4,4")], [(card("Wall", health=9), "4,5")], equipment=worn)
    game.do("activate", figure="b1").do("attack", target="r1")
    (prompt,) = SCREEN.prompts(game.state)
    seats = {one.commands[0]["item"]: one.seat for one in prompt.choices}
    assert seats == {"lucky-charm": "blue", "blinding-powder": "red"}
    before = next(one.text for one in prompt.facts if "average" in one.text)
    assert prompt.dice is not None
    assert prompt.dice.count_field
    game.do("announce", item="lucky-charm")
    (prompt,) = SCREEN.prompts(game.state)
    assert prompt.dice is not None
    assert not prompt.dice.count_field, "a count does not tell whether a miss is set to 10"
    assert next(one.text for one in prompt.facts if "average" in one.text) != before
    assert game.refused("announce", item="lucky-charm") == "TAC-EQP-6"
    game.do("announce", item="blinding-powder").do("roll", faces=[9, 2])
    assert game.figure("b1").equipment == game.figure("r1").equipment == ""


@rule("TAC-EQP-6", "TAC-OR-15")
def test_whoever_has_the_charm_or_the_powder_says_which_die_it_sets() -> None:
    """The highest was set to 1 and the lowest to 10, and nobody was asked."""
    worn = {"b1": "lucky-charm", "r1": "blinding-powder"}
    game = Skirmish([(SOLDIER, "4,4")], [(card("Wall", health=9), "4,5")], equipment=worn)
    game.do("activate", figure="b1").do("attack", target="r1")
    game.do("announce", item="lucky-charm").do("announce", item="blinding-powder")
    game.do("roll", faces=[10, 2])
    (prompt,) = SCREEN.prompts(game.state)
    assert (prompt.id, prompt.seats, prompt.rolled) == ("set-die", ("red",), (10, 2))
    assert prompt.rolled_sides == 10
    assert [str(one.text) for one in prompt.choices] == ["The 2", "The 10", "No die"]
    assert "hits on 6+" in [str(one.text) for one in prompt.facts]
    assert PLAY.authority(game.state, {"do": "set-die", "face": 2}).seats == ("red",)
    assert game.refused("set-die", face=7) == "TAC-EQP-6"
    game.do("set-die", face=10)
    (prompt,) = SCREEN.prompts(game.state)
    assert (prompt.seats, prompt.rolled) == (("blue",), (1, 2))
    game.do("set-die", face=2)
    assert game.state.attack is not None
    assert (game.state.attack.faces, game.state.attack.hits) == ((1, 10), 1)
    assert game.refused("set-die") == "TAC-EQP-6"
    spared = Skirmish([(SOLDIER, "4,4")], [(card("Wall", health=9), "4,5")], equipment=worn)
    spared.do("activate", figure="b1").do("attack", target="r1")
    spared.do("announce", item="blinding-powder").do("roll", faces=[10, 2]).do("set-die")
    assert spared.titles[0] == "no die is set"
    assert spared.state.attack is not None
    assert spared.state.attack.hits == 2


@rule("TAC-EQP-6")
def test_blinding_powder_is_thrown_by_its_bearer() -> None:
    enemies = [(FOE_HERO, "3,4"), (SOLDIER, "8,8")]
    game = Skirmish([(HERO, "3,3")], enemies, equipment={"r1": "blinding-powder"})
    game.do("activate", figure="b1").do("attack", target="r1")
    for seat in ("blue", "red", None):
        (prompt,) = SCREEN.prompts(game.state, seat)
        (powder,) = prompt.choices
        assert (powder.seat, powder.by, prompt.seats) == ("red", ("red",), ("blue",))
    assert PLAY.authority(game.state, {"do": "roll"}).seats == ("blue",)


@rule("TAC-EQP-6")
def test_no_face_is_wanted_of_an_only_die_that_a_charm_sets() -> None:
    worn = {"r1": "lucky-charm"}
    game = Skirmish([(SOLDIER, "4,4")], [(card("Wall", health=9), "4,5")], equipment=worn)
    game.do("activate", figure="b1").do("attack", target="r1").do("roll", hits=1, tens=0)
    game.do("announce", item="lucky-charm")
    (prompt,) = SCREEN.prompts(game.state)
    assert prompt.dice is not None
    assert (prompt.dice.count, prompt.dice.wanted) == (1, None)
    game.do("roll", faces=[1]).do("set-die", face=1)
    assert game.figure("r1").wounds == 0


@rule("TAC-ABL-2", "TAC-ABL-6")
def test_the_odds_told_count_the_friends_of_a_hero() -> None:
    guard = card("Guard", abilities=[{"name": "Guardian", "hero_defence": 1}])
    game = Skirmish([(SOLDIER, "4,4")], [(FOE_HERO, "4,5"), (guard, "5,6")])
    game.do("activate", figure="b1")
    offer = next(one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "swords")
    game.do("attack", target="r1")
    (prompt,) = SCREEN.prompts(game.state)
    told = next(one.text for one in prompt.facts if "average" in one.text)
    assert told.split()[0] == offer.expected.split()[0]
    alone = Skirmish([(SOLDIER, "4,4")], [(FOE_HERO, "4,5"), (guard, "8,8")])
    alone.do("activate", figure="b1")
    other = next(one for one in SCREEN.offers(alone.state, None, "b1") if one.kind == "swords")
    assert offer.expected != other.expected


def test_outcomes_say_what_happened_and_what_follows() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "4,5"), (SOLDIER, "0,8")])
    game.do("activate", figure="b1").do("attack", target="r1")
    before = game.state
    game.do("roll", faces=[6, 3])
    outcome = SCREEN.outcome(before, game.events, game.state)
    assert outcome is not None
    assert "1 hit" in outcome.text
    assert outcome.text.endswith(" [6 3]"), "whoever rolled, the faces are told"
    assert outcome.follows == "Soldier 2 rolls 1 defence die: 6+ defends a hit"
    assert outcome.dice == ("6", "3"), "ten-sided dice are not drawn with pips"
    charge = Skirmish([(HERO, "4,2")], [(SOLDIER, "4,5")]).do("activate", figure="b1")
    before = charge.state
    charge.do("charge", target="r1", to="4,4")
    told = SCREEN.outcome(before, charge.events, charge.state)
    assert told is not None
    assert "Hero is engaged with Soldier" in told.lines


@rule("TAC-AGD-1", "TAC-SET-6")
def test_agendas_are_a_secret_prompt() -> None:
    game = Skirmish([(HERO, "")], [(FOE_HERO, "")], ready=False)
    game.do("roll-off", faces=[9, 1]).do("zone", zone="gold").do("start-marker", side="blue")
    public = SCREEN.prompts(game.state)
    assert [(one.secret, one.choices) for one in public] == [(True, ()), (True, ())]
    mine = SCREEN.prompts(game.state, "red")
    assert [len(one.choices) for one in mine] == [0, 2]
    kept = game.squad("red").dealt[0]
    game.do("agenda", side="red", keep=kept)
    game.do("agenda", side="blue")
    pages = SCREEN.pages(game.state)
    assert all(not card_.lines for s in pages[0].sections for card_ in s.cards if card_.secret)
    own = SCREEN.pages(game.state, "red")
    assert any(card_.lines for s in own[0].sections for card_ in s.cards if card_.secret)


def test_pieces_show_wounds_tokens_and_corrections() -> None:
    game = Skirmish([(ARCHER, "4,4")], [(SOLDIER, "4,5")])
    game.do("condition", figure="b1", kind="shaken").do("wound", figure="b1", wounds=1)
    view = {one.id: one for one in SCREEN.pieces(game.state)}["b1"]
    assert (view.left, view.most, view.engaged) == (1, 2, True)
    assert view.badges[0].text == "shaken"
    for choice in view.corrections:
        command = dict(choice.commands[0])
        assert game.decide(command.pop("do"), command)


@rule("TAC-END-2", "TAC-END-1")
def test_the_score_lists_what_will_be_counted() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "0,8")], objectives=["4,4"])
    game.do("activate", figure="b1").do("end").do("activate", figure="r1").do("end")
    score = SCREEN.score(game.state)
    assert score.confirm is not None
    assert [(one.seat, one.points, one.sure) for one in score.lines] == [("blue", 1, True)]
    game.do("end-round")
    assert SCREEN.score(game.state).seats[0].points == 1
    assert "Round 2 of 6" in SCREEN.headline(game.state)


@rule("TAC-CMP-7", "TAC-CMP-2")
def test_the_tokens_on_the_table_and_the_dice_of_the_box() -> None:
    game = Skirmish(
        [(HERO, "4,4")], [(RIDER, "5,5"), (SOLDIER, "0,8")], equipment={"b1": "holy-icon"}
    )
    game.do("condition", figure="r2", kind="frozen").do("wound", figure="r1", wounds=1)
    used = tokens_in_use(game.state)
    assert (used["wounds"], used["frozen"], used["shaken"], used["equipment"]) == (1, 1, 0, 1)
    assert used["start"] == 1
    section = SCREEN.pages(game.state)[-1].sections[-1]
    assert {one.id: one.count for one in section.cards} == {
        f"token-{kind}": count for kind, count in used.items()
    }
    assert list(dice_hint(8)) == []
    assert list(dice_hint(9)) == ["9 dice, but the box holds 8: roll 8 first, then the rest"]


@rule("TAC-OR-1", "TAC-STA-1")
@pytest.mark.parametrize(
    ("reading", "kept_off"), [((), "shaken"), (("condition-icons=icon-frozen",), "frozen")]
)
def test_the_lost_condition_icons_are_a_reading(reading: tuple[str, ...], kept_off: str) -> None:
    equipment = {"b1": "holy-icon", "b2": "poppy-juice"}
    game = Skirmish(
        [(HERO, "4,4"), (SOLDIER, "0,0")], [(RIDER, "6,6")], equipment=equipment, readings=reading
    )
    other = "frozen" if kept_off == "shaken" else "shaken"
    assert game.refused("condition", figure="b1", kind=kept_off) == "TAC-STA-1"
    game.do("condition", figure="b1", kind=other)
    assert game.refused("condition", figure="b2", kind=other) == "TAC-STA-1"
    game.do("condition", figure="b2", kind=kept_off)


WORDS = "Cancel one hit beside a hero."


@rule("TAC-ABL-15")
def test_what_players_wrote_about_an_ability_is_shown_where_it_is_used() -> None:
    shields = {"name": "Shields", "kind": "order", "ap": 1, "text": WORDS}
    after = {"name": "Answer", "kind": "triggered", "aftermath": True, "text": WORDS}
    named = {"name": "Stand Fast", "kind": "order", "ap": 1, "price": [0, 0, 1]}
    hero = {**HERO, "abilities": [shields, after, named]}
    game = Skirmish([(hero, "4,4")], [(SOLDIER, "4,5")])
    view = next(one for one in SCREEN.pieces(game.state) if one.id == "b1")
    assert f"Shields: as an order, 1 action point; {WORDS}" in map(str, view.lines)
    assert "Stand Fast: as an order, 1 action point, 1 copper star" in map(str, view.lines)
    game.do("activate", figure="b1")
    offer = next(one for one in SCREEN.offers(game.state, None, "b1") if one.text == "Shields")
    assert offer.detail == f"{WORDS}; tap the figure that it is for"
    game.do("attack", target="r1").do("roll", hits=0)
    (prompt,) = SCREEN.prompts(game.state)
    assert prompt.id == "aftermath"
    assert [one.detail for one in prompt.forms if "Answer" in one.text] == [WORDS]


@rule("TAC-ABL-8", "TAC-ABL-20")
def test_an_order_is_not_proposed_at_the_end_and_says_whom_it_is_for() -> None:
    hero = {**HERO, "abilities": [{"name": "Stand Fast", "kind": "order"}]}
    game = Skirmish([(hero, "4,4"), (SOLDIER, "1,1")], [(SOLDIER, "8,8")])
    game.do("activate", figure="b1").do("move", to="4,5").do("move", to="4,6")
    possible = [one for one in SCREEN.offers(game.state, None, "b1") if one.possible]
    assert [str(one.text) for one in possible] == ["End the activation", "Stand Fast"]
    order = possible[1]
    assert "tap the figure that it is for" in order.detail
    friend, enemy = order.cells
    assert [str(one.detail).split()[0] for one in (friend, enemy)] == ["for"] * 2
    game.do("ability", **{key: friend.commands[0][key] for key in ("figure", "ability", "target")})
    name = game.state.figure("b2").name
    assert any(
        title.endswith(f"uses Stand Fast for {name}: now do what its card says")
        for title in game.titles
    )


@rule("TAC-ABL-8", "TAC-V-28")
@pytest.mark.parametrize(
    ("whom", "cells"), [("any", [(4, 6), (4, 3)]), ("enemy", [(4, 3)]), ("friend", [(4, 6)])]
)
def test_an_order_may_be_aimed_at_an_enemy(whom: str, cells: list[Cell]) -> None:
    mud = {"name": "Mud", "kind": "order", "range": 3, "whom": whom, "text": WORDS}
    mine: Any = [({**HERO, "abilities": [mud]}, "4,4"), (SOLDIER, "4,6")]
    game = Skirmish(mine, [(SOLDIER, "4,3"), (SOLDIER, "8,8")]).do("activate", figure="b1")
    offer = next(one for one in SCREEN.offers(game.state, None, "b1") if one.text == "Mud")
    assert [one.cell for one in offer.cells] == cells
    about = {"figure": "b1", "ability": "Mud"}
    if whom == "friend":
        assert game.refused("ability", **about, target="r1") == "TAC-ABL-8"
    else:
        game.do("ability", **about, target="r1")
    assert game.refused("ability", **about, target="r2") == "TAC-ABL-8"


@rule("TAC-ABL-1")
def test_nobody_is_healed_who_has_no_wound() -> None:
    dressing = {"name": "Dress", "kind": "action", "ap": 1, "range": 1, "heals": 1}
    healer = {**HERO, "abilities": [dressing]}
    squad = [(healer, "4,4"), (SOLDIER, "4,5"), (card("Hurt", health=2), "3,5")]
    game = Skirmish(squad, [(SOLDIER, "8,8")]).do("wound", figure="b3", wounds=1)
    game.do("activate", figure="b1")
    offer = next(one for one in SCREEN.offers(game.state, None, "b1") if one.text == "Dress")
    assert [one.cell for one in offer.cells] == [(3, 5)]


@rule("TAC-ABL-8", "TAC-ABL-1")
def test_an_order_with_a_range_is_offered_to_friends_in_range_and_carried_out() -> None:
    stand = {"name": "Calm", "kind": "order", "range": 3, "heals": 1, "calms": True, "text": WORDS}
    hero = {**HERO, "abilities": [stand]}
    friends = [(SOLDIER, "4,7"), (SOLDIER, "4,8")]
    game = Skirmish([(hero, "4,4"), *friends], [(SOLDIER, "8,8")])
    game.do("condition", figure="b2", kind="shaken").do("wound", figure="b2", wounds=1)
    game.do("activate", figure="b1")
    offer = next(one for one in SCREEN.offers(game.state, None, "b1") if one.text == "Calm")
    assert not offer.commands, "the players say whom it is for"
    assert [one.cell for one in offer.cells] == [(4, 7)]
    assert offer.detail == f"{WORDS}; tap the figure that it is for"
    about = {"figure": "b1", "ability": "Calm"}
    assert game.refused("ability", **about) == "TAC-ABL-8"
    assert game.refused("ability", **about, target="b3") == "TAC-ABL-8"
    game.do("ability", **about, target="b2")
    assert (game.figure("b2").shaken, game.figure("b2").wounds) == (False, 0)
    assert not game.figure("b2").activated
    alone = Skirmish([(hero, "4,4")], [(SOLDIER, "8,8")]).do("activate", figure="b1")
    (none,) = (one for one in SCREEN.offers(alone.state, None, "b1") if one.text == "Calm")
    assert (none.verdict, none.reason) == ("no", "nobody is near enough for Calm")


@rule("TAC-ABL-8", "TAC-STA-1", "TAC-STA-7")
def test_an_order_gives_its_target_a_condition_and_wounds() -> None:
    word = {"name": "Stern Word", "kind": "order", "range": 3, "whom": "enemy", "gives": "shaken",
            "deals": 1}  # fmt: skip
    hero = {**HERO, "abilities": [word]}
    foes = [(card("Foe", health=2), "4,6"), (card("Other", health=2), "8,8")]
    game = Skirmish([(hero, "4,4")], foes).do("activate", figure="b1")
    offer = next(one for one in SCREEN.offers(game.state, None, "b1") if one.text == "Stern Word")
    assert [one.cell for one in offer.cells] == [(4, 6)]
    assert offer.detail.startswith("its target becomes shaken; its target suffers 1 wound")
    game.do("ability", figure="b1", ability="Stern Word", target="r1")
    assert (game.figure("r1").shaken, game.figure("r1").wounds) == (True, 1)
    assert not any("Note what it does" in str(one) for one in game.answer["reminders"])


@rule("TAC-ABL-8", "TAC-EQP-6")
def test_equipment_keeps_an_order_from_giving_its_condition() -> None:
    word = {"name": "Stern Word", "kind": "order", "range": 3, "whom": "enemy", "gives": "shaken"}
    hero = {**HERO, "abilities": [word]}
    for icon, shaken in (("", True), ("holy-icon", False)):
        game = Skirmish([(hero, "4,4")], [(card("Foe", health=2), "4,6")])
        game.state = game.state.with_figure(replace(game.figure("r1"), equipment=icon))
        game.do("activate", figure="b1")
        game.do("ability", figure="b1", ability="Stern Word", target="r1")
        assert game.figure("r1").shaken is shaken


@rule("TAC-ABL-15")
def test_every_ability_of_the_practice_figures_has_its_words() -> None:
    """They are on no paper card; each language has them."""
    for figure in shipped_cards().values():
        for one in figure.abilities if figure.invented else ():
            assert one.text, (figure.name, one.name)
            for language in ("de", "ru"):
                told = catalogue(language, game="tactics").translate(joined(["", one.text]))
                assert one.text not in told, (language, one.text)


@rule("TAC-ATK-6", "TAC-CRD-9", "TAC-EQP-6")
def test_before_a_roll_the_coins_left_and_what_a_charm_does_are_told() -> None:
    game = Skirmish(
        [(HERO, "4,4")], [(SOLDIER, "4,5")], equipment={"b1": "lucky-charm"}, coins=(1, 2, 9)
    )
    game.do("activate", figure="b1").do("attack", target="r1")
    (prompt,) = SCREEN.prompts(game.state)
    left = "1 gold dragon, 2 silver stags, 8 copper stars left"
    assert left in [str(one.text) for one in prompt.facts]
    (charm,) = prompt.choices
    assert charm.detail.startswith("one die becomes 10: +")
    game.do("announce", item="lucky-charm").do("roll", faces=[9, 9]).do("set-die")
    game.do("roll", faces=[1, 1])
    told = [str(fact.text) for one in SCREEN.prompts(game.state) for fact in one.facts]
    assert not any("as they fell" in one for one in told)


@rule("TAC-COI-3")
def test_the_log_says_whether_coins_are_paid_or_gained_and_for_what() -> None:
    gallop = {"name": "Gallop", "price": [0, 0, 2], "dice": 1}
    rider = {**HERO, "attacks": [{**HERO["attacks"][0], "effects": [gallop]}]}
    game = Skirmish([(rider, "4,4")], [(SOLDIER, "4,5")]).do("activate", figure="b1")
    game.do("attack", target="r1").do("announce", effects=["Gallop"])
    assert "Blue pays 2 copper stars (Gallop)" in game.titles
    game.do("roll", hits=0).do("coins", side="blue", silver=1)
    assert game.titles[0].startswith("Blue gains 1 silver stag")


@pytest.mark.parametrize(
    ("name", "brief"),
    [
        ("Warden of the Ford", "Warden"),
        ("Captain of the Riders (mounted)", "Captain"),
        ("Ford Guard 2", "Guard 2"),
        ("Robert Baratheon", "Baratheon"),
    ],
)
def test_badges_name_figures_briefly(name: str, brief: str) -> None:
    assert short(name) == brief


def test_the_dock_has_one_page_of_figures() -> None:
    game = Skirmish([(HERO, "4,4")], [(SOLDIER, "4,5")])
    pages = {one.id: one for one in SCREEN.pages(game.state)}
    assert all(card.piece for part in pages["squads"].sections for card in part.cards)
    assert len({one.title for one in pages.values()}) == len(pages)


@rule("TAC-SET-6", "TAC-LOT-4", "TAC-AGD-2")
def test_agendas_and_objective_cards_may_stay_on_paper() -> None:
    """Nothing is dealt, letters and the end phase remind of the cards, the players count them."""
    assert SCREEN.set_up("tactics", {"game": {"cards": "paper"}})["paper"] is True
    assert "paper" not in SCREEN.set_up("tactics", {"game": {"cards": "app"}})
    blue: Any = [(HERO, "")]
    red: Any = [(SOLDIER, "")]
    marks: Any = {"objectives": ["4,4"], "loot": {"4,1": "letter"}}
    for paper in (False, True):
        game = Skirmish(blue, red, ready=False, rounds=1, paper=paper, **marks)
        game.do("roll-off", faces=[9, 4]).do("zone", zone="gold").do("start-marker", side="blue")
        assert (game.state.phase, bool(game.state.objective_cards)) == (
            ("deploy", False) if paper else ("agendas", True)
        )
    assert [one.agenda for one in game.state.squads] == [(), ()]
    game.do("deploy", figure="b1", to="4,0").do("deployed")
    game.do("deploy", figure="r1", to="4,8").do("deployed").do("begin")
    game.do("activate", figure="b1").do("loot", cell="4,1")
    assert "draws an agenda card" in str(game.answer["reminders"])
    game.do("end").do("activate", figure="r1").do("end")
    while game.state.phase != "end":
        game.do("pass")
    (card,) = SCREEN.prompts(game.state)
    counted = [one for one in card.forms if one.command["do"] == "score"]
    assert [one.command["side"] for one in counted] == ["blue", "red"]
    assert [one.look for one in card.choices] == ["plain"], "first the points, then the end"
    before = game.state.squad("red").vp
    sent = dict(counted[1].command)
    game.do(sent.pop("do"), points=2, **sent)
    assert game.state.squad("red").vp == before + 2
    game.do("end-round")
    assert game.state.winner


def test_the_practice_game_guides_one_activation_of_each_player() -> None:
    setup, *rest = SCREEN.practice("tactics")
    prepared = PLAY.prepare("tactics", setup)
    assert isinstance(prepared, dict)
    state = PLAY.start("tactics", prepared)

    def do(**command: Any) -> None:
        nonlocal state
        found = PLAY.decide(state, command)
        assert isinstance(found, Accepted), (command, found)
        state = found.after

    def told() -> tuple[int, str, str]:
        found = SCREEN.guide(state)
        assert found is not None
        return found.number, str(found.text), found.piece

    for command in rest:
        do(**command)
    numbers: list[int] = []
    for number, player in ((1, "Anna"), (4, "Ben")):
        now, text, piece = told()
        numbers.append(now)
        assert (now, state.figure(piece).side) == (number, state.active)
        assert text.startswith(f"{player}: tap ")
        do(do="activate", figure=piece)
        while "marked space" in told()[1]:
            numbers.append(told()[0])
            move = next(one for one in actions(state) if one["do"] == "move")
            do(**move)
        assert "End the activation" in told()[1]
        numbers.append(told()[0])
        do(do="end")
    assert list(dict.fromkeys(numbers)) == [1, 2, 3, 4], "no step is left out, nor comes again"
    assert numbers == sorted(numbers)
    assert SCREEN.guide(state) is None
    unguided = PLAY.prepare("tactics", {**setup, "guide": False})
    assert isinstance(unguided, dict)
    assert "guide" not in unguided


@pytest.mark.parametrize(
    ("beside", "told"),
    [
        ("5,4", "None of your figures stands nearer to the enemy."),
        ("5,2", "It stands nearest to the enemy."),
    ],
)
def test_the_guide_says_only_what_is_true_of_the_figure(beside: str, told: str) -> None:
    """Others stood as near as the one that "stands nearest"."""
    game = Skirmish([(HERO, "3,4"), (SOLDIER, beside)], [(SOLDIER, "3,8")])
    step = SCREEN.guide(replace(game.state, guided=True))
    assert step is not None
    assert step.why == f"{told} An activated figure has 2 action points."


def test_the_guide_is_left_by_its_button() -> None:
    setup, *rest = SCREEN.practice("tactics")
    prepared = PLAY.prepare("tactics", setup)
    assert isinstance(prepared, dict)
    state = PLAY.start("tactics", prepared)
    assert SCREEN.guide(state) is None, "nobody is guided before the first turn"
    for command in rest:
        begun = PLAY.decide(state, command)
        assert isinstance(begun, Accepted)
        state = begun.after
    step = SCREEN.guide(state)
    assert step is not None
    assert step.leave is not None
    found = PLAY.decide(state, step.leave.commands[0])
    assert isinstance(found, Accepted)
    assert SCREEN.guide(found.after) is None


@rule("TAC-STA-6", "TAC-STA-7", "TAC-CAP-2")
@pytest.mark.parametrize(("fate", "left"), [("killed", 0), ("captive", 1)])
def test_a_figure_that_has_acted_and_is_gone_is_lost(fate: str, left: int) -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "4,5"), (SOLDIER, "0,8")])
    whole = game.state.figure("r1")
    gone = replace(whole, activated=True, fate=fate, wounds=whole.health - left)
    view = {one.id: one for one in SCREEN.pieces(game.state.with_figure(gone))}
    assert view["r1"].state == "lost"
    assert view["r1"].left == left, "a captive keeps 1"
    (squads,) = (one for one in SCREEN.pages(game.state.with_figure(gone)) if one.id == "squads")
    assert [one.count for one in squads.sections[1].cards] == [left, 2]
    assert view["r2"].state == "ready"


@rule("TAC-RND-8")
def test_a_pass_is_confirmed_by_gold() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "0,8"), (SOLDIER, "2,8")])
    (prompt,) = SCREEN.prompts(game.state)
    assert [(str(one.text), one.look) for one in prompt.choices] == [
        ("Pass (2 copper stars)", "shown")
    ]


@rule("TAC-CAP-1", "TAC-CAP-7", "TAC-CAP-9", "TAC-ATK-16", "TAC-MOT-6")
def test_kill_or_capture_tells_what_follows_from_either() -> None:
    side = {"name": "Blood", "points": 2, "trigger": "kills-veteran", "price": [1, 0, 0]}
    hunter = card("Hunter", cost=[1, 0, 0], motivation=[side])
    game = Skirmish([(hunter, "4,4")], [(VETERAN, "4,5"), (SOLDIER, "0,8")])
    game.do("wound", figure="r1", wounds=2).do("activate", figure="b1").attack([6, 1], [1])
    (asked,) = SCREEN.prompts(game.state)
    kill, capture = (str(one.detail) for one in asked.choices)
    assert kill == (
        "out for good; Hunter may surge onto its space;"
        " Hunter may pay for Blood: 2 victory points (1 gold dragon)"
    )
    assert capture == (
        "captives then: Blue 1 : 0 Red; who holds the most gets 1 victory point at the end of each"
        " round; back with 1 health left once Hunter is killed or captured; Hunter holds no other;"
        " no surge; no motivation for a kill"
    )
    game.do("coins", side="blue", gold=-3)
    (asked,) = SCREEN.prompts(game.state)
    assert "Blood" not in str(asked.choices[0].detail), "there is nothing left to pay it with"


@rule("TAC-CAP-1", "TAC-CAP-7", "TAC-CAP-8", "TAC-CAP-9", "TAC-OR-21")
@pytest.mark.parametrize("choose", ["kill", "capture"])
def test_kill_or_capture_of_a_captor_tells_whom_it_frees(choose: str) -> None:
    """The captives told are those that there are then, in the order of the score."""
    frail = card("Frail", cost=[0, 1, 0], health=1)
    game = Skirmish(
        [(VETERAN, "4,4"), (SOLDIER, "8,8")], [(HERO, "4,5"), (frail, "5,5"), (SOLDIER, "0,8")]
    )
    game.do("activate", figure="b1").do("attack", target="r2").do("roll", faces=[6, 6])
    game.do("roll", faces=[1, 1]).do("fate", choose="capture").do("end")
    game.do("wound", figure="b1", wounds=2).do("activate", figure="r1")
    game.do("attack", target="b1").do("roll", faces=[6, 6]).do("roll", faces=[1, 1])
    (asked,) = SCREEN.prompts(game.state)
    told = {str(one.text).lower(): str(one.detail) for one in asked.choices}
    back = "Frail comes back on the space of Veteran: 1 health left, not activated"
    assert all(back in one for one in told.values())
    assert "captives then: Blue 0 : 1 Red" in told["capture"]
    game.do("fate", choose=choose)
    captives = [game.state.captives(one) for one in ("blue", "red")]
    assert captives == [0, int(choose == "capture")]
    frail_now = game.figure("r2")
    assert (frail_now.cell, frail_now.left, frail_now.activated) == ((4, 4), 1, False)


@rule("TAC-END-2", "TAC-END-3", "TAC-END-8", "TAC-END-11", "TAC-END-13")
def test_what_scores_can_be_looked_up() -> None:
    game = Skirmish([(HERO, "4,4")], [(VETERAN, "4,7")])
    found = SCREEN.score(game.state)
    assert found is not None
    rounds = game.state.scenario.rounds
    assert found.terms[0].startswith(f"After round {rounds} the most victory points win")
    told = "\n".join(found.terms)
    assert "1 victory point for the most captives; equally many: to nobody" in told
    assert "2 victory points for every round that is not finished" in told
    assert "3 victory points for every round that is not finished" in told


@rule("TAC-LOT-3", "TAC-LOT-4", "TAC-SET-8")
def test_loot_scores_and_the_legend_says_who_deploys_where() -> None:
    none = Skirmish([(HERO, "4,4")], [(VETERAN, "4,7")])
    game = Skirmish([(HERO, "4,4")], [(VETERAN, "4,7")], loot={"2,2": "purse"})
    told = "A purse or a secret letter that is taken: 2 victory points."
    assert told in SCREEN.score(game.state).terms
    assert told not in SCREEN.score(none.state).terms
    (legend,) = (one for one in SCREEN.pages(game.state) if one.id == "legend")
    zones = {one.id: one.lines for part in legend.sections for one in part.cards}
    assert zones["space-zone-gold"] == ("Blue deploys there",)


@rule("TAC-CHG-8")
def test_the_card_says_which_effects_are_for_a_charge() -> None:
    gallop = {"name": "Gallop", "price": {"copper": 2}, "dice": 1, "charge_only": True}
    blow = {"name": "Lance", "kind": "melee", "dice": 2, "hit": 6, "effects": [gallop]}
    game = Skirmish([(card("Lancer", attacks=[blow]), "4,4")], [(VETERAN, "4,7")])
    (lancer,) = (one for one in SCREEN.pieces(game.state) if one.id == "b1")
    assert "Gallop: 2 copper stars, 1 more die, only in a charge" in lancer.lines


def test_a_space_is_called_by_its_name_before_a_figure_goes_there() -> None:
    game = Skirmish([(HERO, "4,4")], [(VETERAN, "4,7")])
    assert SCREEN.place_name(game.state, (4, 6), "b1") == "the space this side of Veteran"


@rule("TAC-ATK-16", "TAC-CAP-1")
def test_no_surge_is_promised_to_who_stays_engaged() -> None:
    foes = [(VETERAN, "4,5"), (SOLDIER, "5,4"), (SOLDIER, "0,8")]
    game = Skirmish([(SOLDIER, "4,4")], foes)
    game.do("wound", figure="r1", wounds=2).do("activate", figure="b1").attack([6, 1], [1])
    (asked,) = SCREEN.prompts(game.state)
    kill = asked.choices[0]
    assert str(kill.detail) == "out for good; no surge: Soldier 1 stays engaged with Soldier 2"
    assert game.do("fate", choose="kill").waits() != "surge"


@rule("TAC-END-10", "TAC-END-11", "TAC-CAP-1")
def test_the_fate_of_the_last_figure_tells_that_the_battle_ends() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(VETERAN, "4,5")], rounds=3)
    game.do("wound", figure="r1", wounds=2).do("activate", figure="b1").attack([6, 1], [1])
    (asked,) = SCREEN.prompts(game.state)
    last = "the last figure of Red: the battle ends, 6 victory points for Blue"
    assert str(asked.choices[0].detail) == f"out for good; {last}"
    assert str(asked.choices[1].detail) == last
    assert game.do("fate", choose="kill").vp("blue") == 6
