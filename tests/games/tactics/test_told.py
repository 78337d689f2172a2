"""What the screen tells before players decide: prices, what effects do, mounts, cards, doors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.api.play import Event
from companion.games.shared.event_registry import fill_title
from companion.games.tactics.play import PLAY
from companion.games.tactics.play.scoring import agenda_met
from companion.games.tactics.play.state import END, START
from companion.games.tactics.screen import SCREEN
from companion.games.tactics.screen.views import OUTCOME
from companion.overlay.board_shapes import SIGNS, board_shapes
from companion.overlay.shapes import Polyline
from tests.games.tactics.battle import (
    BOW,
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
FRAIL = {"health": 1, "defence": 10}


def facts(game: Skirmish) -> list[str]:
    return [str(fact.text) for prompt in SCREEN.prompts(game.state) for fact in prompt.facts]


def rows(game: Skirmish) -> dict[str, str]:
    """The rows of the acting figure with what stands at their edge."""
    return {str(one.text): str(one.odds) for one in SCREEN.offers(game.state, None, "b1")}


def details(game: Skirmish) -> dict[str, str]:
    """The rows of the acting figure with what stands under them."""
    return {str(one.text): str(one.detail) for one in SCREEN.offers(game.state, None, "b1")}


@rule("TAC-CRD-12")
def test_what_an_attack_costs_by_itself_is_told() -> None:
    bolt = {**SWORD, "name": "Bolt", "spend": [0, 0, 1]}
    game = Skirmish([(card("Shot", attacks=[bolt]), "3,3")], [(SOLDIER, "3,4")])
    game.do("activate", figure="b1")
    assert "Bolt against Soldier (1 copper star)" in rows(game)
    view = next(one for one in SCREEN.pieces(game.state) if one.id == "b1")
    assert "Bolt (melee, 1 copper star): 2 dice, 6+" in [str(one) for one in view.lines]
    far = Skirmish([(card("Shot", attacks=[bolt]), "3,1")], [(SOLDIER, "3,4")])
    assert "Charge Soldier (1 copper star)" in rows(far.do("activate", figure="b1"))


@rule("TAC-CRD-9", "TAC-ATK-6")
def test_what_an_effect_does_is_told_on_the_card_and_before_it_is_paid() -> None:
    aimed = {"name": "Aimed", "price": [0, 1, 0], "modifier": 2, "dice": 1}
    archer = card("Archer", attacks=[{**SWORD, "effects": [aimed]}])
    game = Skirmish([(archer, "3,3")], [(SOLDIER, "3,4")]).do("activate", figure="b1")
    view = next(one for one in SCREEN.pieces(game.state) if one.id == "b1")
    assert "Aimed: 1 silver stag, 1 more die, +2 on every die" in [str(one) for one in view.lines]
    (prompt,) = SCREEN.prompts(game.do("attack", target="r1").state)
    (choice,) = prompt.choices
    assert str(choice.detail).startswith("1 silver stag: 1 more die, +2 on every die, +")


@rule("TAC-CHG-6", "TAC-CRD-9")
def test_what_the_dice_of_an_attack_come_from_is_told() -> None:
    fury = {"name": "Fury", "price": [0, 0, 1], "dice": 2}
    rider = card("Lancer", attacks=[{**SWORD, "effects": [fury]}])
    game = Skirmish([(rider, "3,1")], [(SOLDIER, "3,4")]).do("activate", figure="b1")
    game.do("charge", target="r1", attack="Sword", effects=["Fury"], to="3,3")
    declared = list(game.titles)
    assert "dice: 2 on the card + 1 for the charge + 2 Fury" in facts(game)
    assert any("Sword, Fury" in one for one in declared)


@rule("TAC-ABL-6")
def test_a_defence_for_melee_says_so_on_its_card() -> None:
    parry = {"name": "Parry", "kind": "defence", "price": [0, 0, 1], "melee": True}
    game = Skirmish([({**HERO, "abilities": [parry]}, "3,3")], [(SOLDIER, "3,4")])
    view = next(one for one in SCREEN.pieces(game.state) if one.id == "b1")
    assert any("only in melee" in str(one) for one in view.lines)


@rule("TAC-ABL-8")
def test_the_card_says_how_far_an_order_reaches() -> None:
    order = {"name": "Winter", "kind": "order", "ap": 1, "range": 3, "whom": "enemy"}
    game = Skirmish([({**HERO, "abilities": [order]}, "3,3")], [(SOLDIER, "3,4")])
    view = next(one for one in SCREEN.pieces(game.state) if one.id == "b1")
    assert "Winter: as an order, 1 action point, within 3 spaces" in [str(x) for x in view.lines]


@rule("TAC-FIG-11", "TAC-OR-24")
def test_an_attack_on_a_mounted_figure_kills_the_mount() -> None:
    game = Skirmish([(SOLDIER, "3,3")], [(RIDER, "4,3")]).do("activate", figure="b1")
    assert any(odds.endswith("unhorsed") for odds in rows(game).values())
    game.do("attack", target="r1")
    assert any("kills the mount: " in one for one in facts(game))
    game.do("roll", faces=[10, 10]).do("roll", faces=[1] * 4)
    assert game.waits() == "unhorse"
    assert "tap one of the marked spaces" in facts(game)


@rule("TAC-ABL-13")
def test_a_further_free_action_tells_its_action_point() -> None:
    shout = {"name": "Shout", "kind": "order", "text": "free"}
    game = Skirmish([({**RIDER, "abilities": [shout]}, "3,3")], [(SOLDIER, "8,8")])
    game.do("activate", figure="b1")
    assert (details(game)["Dismount"], rows(game)["Shout"]) == ("free action", "")
    game.do("ability", figure="b1", ability="Shout")
    assert details(game)["Dismount"] == rows(game)["Shout"] == "1 action point"


@rule("TAC-OR-43", "TAC-DIE-4")
def test_a_natural_ten_counts_the_same_by_faces_and_by_count() -> None:
    slow = {"name": "Slow", "price": [0, 0, 1], "dice": 1, "modifier": -3}
    tens = card("Ten", attacks=[{**SWORD, "hit": 10, "effects": [slow]}])

    def rolled() -> Skirmish:
        readings = ("natural-ten=modified", "natural-ten-dice=undefended")
        game = Skirmish([(tens, "3,3")], [(SOLDIER, "3,4")], readings=readings)
        return game.do("activate", figure="b1").do("attack", target="r1", effects=["Slow"])

    assert "a natural 10 hits once" in facts(rolled())
    (prompt,) = SCREEN.prompts(rolled().state)
    assert prompt.dice is not None
    assert prompt.dice.top_field == ""
    for given in ({"faces": [10, 10, 1]}, {"hits": 2, "tens": 2}, {"hits": 2}):
        game = rolled().do("roll", **given)
        assert game.state.attack is not None
        assert (game.state.attack.hits, game.state.tasks[0].data["dice"]) == (2, 2)


@rule("TAC-AGD-2", "TAC-CAP-7")
def test_a_hero_who_was_a_captive_was_not_unharmed() -> None:
    hero = card("Hero", cost=[1, 0, 0], **FRAIL)
    game = Skirmish([(hero, "3,3"), (SOLDIER, "4,5")], [(card("Taker", **FRAIL), "3,4")])
    assert agenda_met(game.state, "blue", "A1")
    game.do("activate", figure="b2").do("end").do("activate", figure="r1")
    game.do("attack", target="b1").do("roll", faces=[9, 1]).do("roll", faces=[1])
    game.do("fate", choose="capture")
    if game.waits() == "surge":
        game.do("continue")
    game.do("wound", figure="r1", wounds=1)
    assert game.figure("b1").on_board, "free again"
    assert not agenda_met(game.state, "blue", "A1")


@rule("TAC-MOT-5", "TAC-MOT-4", "TAC-MOT-6")
def test_the_dead_side_of_a_motivation_is_met_by_friends() -> None:
    sides = [
        {"name": name, "points": 2, "trigger": "kills-veteran", "price": [1, 0, 0], "dead": dead}
        for name, dead in (("Alive", False), ("Dead", True))
    ]
    hero = card("Lord", cost=[1, 0, 0], motivation=sides, **FRAIL)
    enemies = [(card("Vet", cost=[0, 2, 0], **FRAIL), "5,6"), (SOLDIER, "8,8")]
    fallen = Skirmish([(hero, "3,3"), (SOLDIER, "5,5")], enemies)
    fallen.do("wound", figure="b1", wounds=1)
    assert fallen.figure("b1").fate == "killed"
    fallen.do("activate", figure="b2").do("attack", target="r1")
    fallen.do("roll", faces=[9, 9]).do("roll", faces=[1, 1])
    assert fallen.refused("motivation", figure="b1", name="Dead") == "TAC-MOT-6"
    fallen.do("fate", choose="kill")
    asked = [one for one in fallen.commands() if one["do"] == "motivation"]
    assert asked == [{"do": "motivation", "figure": "b1", "name": "Dead"}]
    assert fallen.refused("motivation", figure="b1", name="Alive") == "TAC-MOT-4"
    assert fallen.do("motivation", **{k: v for k, v in asked[0].items() if k != "do"}).vp() >= 2
    assert fallen.refused("motivation", figure="b1", name="Dead") == "TAC-MOT-6"


@rule("TAC-END-6", "TAC-END-8", "TAC-END-10", "TAC-END-11")
def test_paper_agendas_are_counted_before_a_lost_battle_ends() -> None:
    game = Skirmish([(SOLDIER, "3,3")], [(card("Last", **FRAIL), "3,4")], paper=True, rounds=2)
    assert game.refused("battle-end") == "TAC-END-7"
    game.do("wound", figure="r1", wounds=1)
    (prompt,) = SCREEN.prompts(game.state)
    assert ([str(one.text) for one in prompt.choices], len(prompt.forms)) == (["End the battle"], 2)
    assert (game.state.winner, game.vp()) == ("", 4)
    game.do("score", side="red", points=5, why="agendas").do("battle-end")
    assert (game.state.winner, game.vp("red")) == ("red", 5)
    own = Skirmish([(SOLDIER, "3,3")], [(card("Last", **FRAIL), "3,4")])
    assert own.do("wound", figure="r1", wounds=1).state.winner == "blue"


@rule("TAC-EQP-6", "TAC-CRD-4")
def test_charm_and_powder_are_announced_before_a_will_test_too() -> None:
    worn = {"b1": "lucky-charm", "r1": "blinding-powder"}
    game = Skirmish([(VETERAN, "3,3")], [(FOE_HERO, "3,4")], equipment=worn)
    game.do("will", figure="b1", asked=True)
    (prompt,) = SCREEN.prompts(game.state)
    assert [(str(one.text), one.seat) for one in prompt.choices] == [
        ("Veteran: Lucky charm", "blue"),
        ("Foe Hero: Blinding powder", "red"),
    ]
    mine, theirs = (str(one.detail) for one in prompt.choices)
    assert (mine, theirs) == ("one die becomes 10", "one die becomes 1; Red decides")
    game.do("announce", item="lucky-charm").do("will", figure="b1", faces=[2])
    (prompt,) = SCREEN.prompts(game.state)
    assert "Passed on 5+" in [str(one.text).capitalize() for one in prompt.facts]
    assert game.do("set-die", face=2).answer["passed"] is True
    assert undone(game) == "the die that was set"
    assert game.figure("b1").equipment == ""
    game.do("will", figure="b1", asked=True).do("announce", item="blinding-powder")
    game.do("will", figure="b1", faces=[10])
    assert game.state.tasks[0].side == "red"
    assert game.do("set-die", face=10).answer["passed"] is False
    assert game.refused("will", figure="b1", charm=True) == "TAC-EQP-6"
    direct = Skirmish([(VETERAN, "3,3")], [(FOE_HERO, "3,4")], equipment=worn)
    assert direct.do("will", figure="b1", charm=True).answer["passed"] is True


@rule("TAC-EQP-6", "TAC-CHG-13")
def test_a_charm_helps_to_break_terrain() -> None:
    game = Skirmish(
        [(SOLDIER, "3,3")],
        [(FOE_HERO, "8,8")],
        equipment={"b1": "lucky-charm"},
        ground={"3,4": "blocked-x"},
    ).do("activate", figure="b1")
    game.do("terrain-charge", cell="3,4", dice=2, needs=9, asked=True)
    game.do("announce", item="lucky-charm").do("smash", faces=[2, 3])
    (prompt,) = SCREEN.prompts(game.state)
    assert "breaks on 9+" in [str(one.text) for one in prompt.facts]
    game.do("set-die", face=3)
    assert game.state.board.ground[3, 4] == ("open-o",)


@rule("TAC-EQP-6")
def test_of_several_enemies_with_powder_each_may_throw_it() -> None:
    worn = {"r1": "blinding-powder", "r2": "blinding-powder"}
    foes = [(card("Wall", health=9), "3,4"), (SOLDIER, "4,4")]
    game = Skirmish([(HERO, "3,3")], foes, equipment=worn)
    game.do("activate", figure="b1").do("attack", target="r1")
    (prompt,) = SCREEN.prompts(game.state)
    powders = [one for one in prompt.choices if one.seat == "red"]
    assert [str(one.text) for one in powders] == [
        "Wall: Blinding powder",
        "Soldier: Blinding powder",
    ]
    means = [next(str(one.text) for one in prompt.facts if "average" in one.text)]
    for one in ("r2", "r1"):
        game.do("announce", item="blinding-powder", figure=one)
        assert game.figure(one).equipment == ""
        (prompt,) = SCREEN.prompts(game.state)
        means.append(next(str(one.text) for one in prompt.facts if "average" in one.text))
    assert len(set(means)) == 3
    game.do("roll", faces=[10, 8]).do("set-die", face=10).do("set-die", face=8)
    assert game.state.attack is None or game.state.attack.hits == 0


@rule("TAC-SET-5", "TAC-OBJ-5")
def test_which_objective_card_lies_where_is_on_a_page() -> None:
    game = Skirmish([(HERO, "")], [(FOE_HERO, "")], ready=False, objectives=["4,4", "2,4"])
    game.do("roll-off", faces=[9, 2]).do("zone", zone="gold").do("start-marker", side="blue")
    sections = [one for page in SCREEN.pages(game.state) for one in page.sections]
    (cards,) = [one for one in sections if str(one.title).startswith("Objective cards")]
    laid = [card for _, card in sorted(game.state.objective_cards)]
    assert [str(one.title) for one in cards.cards] == [f"Objective card {one[1:]}" for one in laid]
    assert all(one.lines for one in cards.cards)


@rule("TAC-END-6", "TAC-AGD-2")
@pytest.mark.parametrize("rounds", [1, 2])
def test_the_last_end_phase_asks_for_paper_agendas_before_it_counts(rounds: int) -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "0,8")], paper=True, rounds=rounds)
    game.do("activate", figure="b1").do("end").do("activate", figure="r1").do("end")
    (prompt,) = SCREEN.prompts(game.state)
    last = rounds == 1
    assert bool(prompt.forms) is last
    assert (SCREEN.score(game.state).confirm is None) is last  # the card asks, not the score page


@rule("TAC-END-2", "TAC-OBJ-1")
@pytest.mark.parametrize("rounds", [1, 2])
def test_the_end_phase_tells_what_it_will_count(rounds: int) -> None:
    """In the last one, too, after which the battle is over."""
    on, off = "4,4", "0,0"
    for start, told in ((on, ["Blue: 1 victory point"]), (off, ["no points by the board"])):
        squads = [(SOLDIER, start)], [(SOLDIER, "0,8")]
        game = Skirmish(*squads, marks={on: "objective"}, rounds=rounds)
        game.do("activate", figure="b1").do("end").do("activate", figure="r1").do("end")
        (prompt,) = SCREEN.prompts(game.state)
        found = [str(one.text) for one in prompt.facts]
        assert [one[: len(text)] for one, text in zip(found, told, strict=True)] == told


@rule("TAC-AGD-2", "TAC-END-7")
@pytest.mark.parametrize(("rounds", "told"), [(1, True), (2, False)])
def test_the_last_end_phase_says_that_agendas_are_counted(rounds: int, told: bool) -> None:
    """One point was announced, and three were counted."""
    game = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "0,8")], rounds=rounds)
    with_agenda(game, "blue", "A1").do("activate", figure="b1").do("end")
    game.do("activate", figure="r1").do("end")
    (prompt,) = SCREEN.prompts(game.state)
    counted = [one for one in prompt.facts if "agendas are revealed" in str(one.text)]
    assert bool(counted) is told


@rule("TAC-LOT-2", "TAC-LOT-3")
def test_taking_loot_tells_its_price_and_what_it_brings() -> None:
    game = Skirmish([(HERO, "3,3")], [(SOLDIER, "8,8")], loot={"3,4": "purse"})
    game.do("activate", figure="b1")
    assert details(game)["Take the purse"] == "1 action point, 2 VP and a coin"


@rule("TAC-SET-2")
def test_both_dice_of_the_roll_off_are_told() -> None:
    game = Skirmish([(HERO, "")], [(SOLDIER, "")], ready=False).do("roll-off", faces=[3, 8])
    assert [one.rpartition(" wins")[2] for one in game.titles] == [" the roll, 8 to 3"]


@rule("TAC-ABL-8")
def test_healing_that_heals_nobody_says_so_and_is_not_advised() -> None:
    dress = {"name": "Dress", "kind": "action", "ap": 1, "price": [0, 0, 2], "range": 1, "heals": 1}
    healer = card("Healer", cost=[0, 1, 0], abilities=[dress], attacks=[])
    game = Skirmish([(healer, "3,3"), (SOLDIER, "3,4")], [(SOLDIER, "8,8")])
    game.do("activate", figure="b1")
    (vain,) = (one for one in SCREEN.offers(game.state, "b1") if str(one.text) == "Dress")
    assert "nobody near it needs it now" in str(vain.detail)
    ends = next(one for one in SCREEN.offers(game.state, "b1") if one.closes)
    assert vain.value < ends.value
    game.do("wound", figure="b2", wounds=1)
    (offer,) = (one for one in SCREEN.offers(game.state, "b1") if str(one.text) == "Dress")
    assert "nobody near it needs it now" not in str(offer.detail)
    assert [one.cell for one in offer.cells] == [(3, 4)]


@rule("TAC-TER-13", "TAC-STA-2", "TAC-CRD-9")
def test_what_is_added_to_the_dice_says_where_it_comes_from() -> None:
    aimed = {"name": "Aimed", "price": [0, 1, 0], "modifier": 2}
    archer = card("Archer", attacks=[{**BOW, "effects": [aimed]}])
    game = Skirmish([(archer, "3,3")], [(SOLDIER, "3,6")], ground={"3,3": ["open-o", "high"]}).do(
        "activate", figure="b1"
    )
    game.do("attack", target="r1")
    assert "+2 on every die: high ground" in facts(game)
    game.do("announce", effects=["Aimed"])
    assert "+4 on every die: high ground +2, Aimed +2" in facts(game)
    asked = SCREEN.prompts(game.state)[0].dice
    assert asked is not None
    assert f"enough is a die that shows {asked.wanted}+" in facts(game)
    game.do("condition", figure="r1", kind="shaken", on=True).do("roll", faces=[9, 1])
    assert {"-2 on every die: shaken", "the shaken token goes with this roll"} <= {*facts(game)}
    game.do("roll", faces=[9])
    assert "Soldier defends 1 hit by Archer; no longer shaken" in game.titles


@rule("TAC-CRD-4", "TAC-STA-2")
def test_a_will_test_tells_the_number_it_needs_and_that_the_token_goes() -> None:
    game = Skirmish([(VETERAN, "3,3")], [(SOLDIER, "8,8")])
    game.do("condition", figure="b1", kind="shaken", on=True).do("will", figure="b1", asked=True)
    assert facts(game) == [
        "Will 5+",
        "-2 on every die: shaken",
        "passed on 7+",
        "the shaken token goes with this roll",
    ]
    game.do("will", figure="b1", faces=[6])
    assert "Veteran fails the Will test; no longer shaken" in game.titles
    game.do("will", figure="b1", asked=True)
    assert facts(game) == ["passed on 5+"]


@rule("TAC-RND-2")
def test_who_has_finished_is_told_with_the_own_sign() -> None:
    game = Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "3,8")]).do("activate", figure="b1").do("end")
    told = SCREEN.outcome(game.state, game.events, game.state)
    assert told is not None
    assert str(told.text).endswith("has finished")
    assert (told.seat, game.state.active) == ("blue", "red")


@rule("TAC-ABL-20", "TAC-OBJ-5", "TAC-ACT-8")
def test_after_a_card_that_only_players_can_read_they_are_told_where_to_note_it() -> None:
    curse = {"name": "Curse", "kind": "order", "whom": "enemy", "range": 3, "text": "shaken"}
    soothe = {"name": "Soothe", "kind": "order", "calms": True}
    lord = card("Lord", cost=[1, 0, 0], abilities=[curse, soothe])
    game = Skirmish([(lord, "3,3")], [(SOLDIER, "3,5")], objectives=["3,3"])
    game.do("activate", figure="b1").do("ability", figure="b1", ability="Curse", target="r1")
    found = SCREEN.outcome(game.state, game.events, game.state)
    assert found is not None
    assert "Will tests on the page of Soldier" in str(found.follows)
    assert str(found.follows) in map(str, game.answer["reminders"])
    game.do("objective")
    found = SCREEN.outcome(game.state, game.events, game.state)
    assert found is not None
    assert "on the page of Lord" in str(found.follows)
    calm = Skirmish([(lord, "3,3"), (SOLDIER, "3,4")], [(SOLDIER, "3,8")])
    calm.do("activate", figure="b1").do("condition", figure="b2", kind="shaken", on=True)
    calm.do("ability", figure="b1", ability="Soothe", target="b2")
    found = SCREEN.outcome(calm.state, calm.events, calm.state)
    assert found is not None
    assert "Note what" not in str(found.follows), "the companion has done it"


@rule("TAC-ABL-6", "TAC-ABL-15", "TAC-ATK-11")
def test_abilities_of_a_defence_or_an_aftermath_are_not_used_by_themselves() -> None:
    parry = {"name": "Parry", "kind": "defence", "price": [0, 0, 1]}
    cleave = {"name": "Cleave", "kind": "action", "price": [0, 0, 1], "aftermath": True}
    game = Skirmish([(card("Lord", abilities=[parry, cleave]), "3,3")], [(SOLDIER, "3,5")])
    game.do("activate", figure="b1")
    assert game.refused("ability", figure="b1", ability="Parry") == "TAC-ABL-6"
    assert game.refused("ability", figure="b1", ability="Cleave") == "TAC-ABL-15"
    assert not {"Parry", "Cleave"} & {str(one.text) for one in SCREEN.offers(game.state, "b1")}


@rule("TAC-AGD-1", "TAC-AGD-2", "TAC-END-7")
def test_at_the_end_the_agendas_are_shown_and_whether_they_were_met() -> None:
    game = Skirmish([(HERO, "3,3")], [(FOE_HERO, "8,8")], rounds=1)
    squads = [
        replace(squad, agenda=(card,))
        for squad, card in zip(game.state.squads, ("A1", "A5"), strict=True)
    ]
    for squad in squads:
        game.state = game.state.with_squad(squad)
    game.do("activate", figure="b1").do("end").do("activate", figure="r1").do("end")
    game.do("end-round")
    assert "Blue had the agenda Heroes unharmed: met" in game.titles
    assert "Red had the agenda No leaders left: not met" in game.titles
    pages = [one for page in SCREEN.pages(game.state) for one in page.sections]
    told = [str(line) for one in pages for card in one.cards for line in card.lines]
    assert any(line.startswith("Heroes unharmed") for line in told), "nothing is secret any more"
    assert any(line.startswith("No leaders left") for line in told)


@rule("TAC-TER-15")
def test_the_report_tells_what_a_leaf_pile_hid() -> None:
    game = Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "8,8")], marks={"3,4": "leaf-pile"})
    game.do("activate", figure="b1").do("move", to="3,4").do("leaf", pit=True)
    assert "a stake pit is found" in [PLAY.report_sentence(game.state, one) for one in game.events]


@rule("TAC-SET-6")
def test_while_agendas_are_chosen_it_is_the_turn_of_who_chooses() -> None:
    game = Skirmish([(HERO, "")], [(FOE_HERO, "")], ready=False)
    game.do("roll-off", faces=[2, 9]).do("zone", zone="gold").do("start-marker", side="red")
    assert (SCREEN.turn(game.state), SCREEN.active(game.state)) == ("", ("blue", "red"))
    game.do("agenda", side="red")
    assert (SCREEN.turn(game.state), SCREEN.active(game.state)) == ("", ("blue",))
    game.do("agenda", side="blue")
    assert SCREEN.turn(game.state) == "red"


@rule("TAC-TER-3", "TAC-TER-4")
def test_spaces_to_interact_with_bear_their_sign_and_stand_in_the_legend() -> None:
    game = Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "8,8")], marks={"3,4": "?", "4,4": "!well"})
    strokes = [one for one in board_shapes(game.state.board) if isinstance(one, Polyline)]
    signs = {one.about: len(one.points) for one in strokes if one.style.role == "mark-sign"}
    assert signs == {("3,4",): len(SIGNS["?"]), ("4,4",): len(SIGNS["!"])}
    cards = [
        card for page in SCREEN.pages(game.state) for one in page.sections for card in one.cards
    ]
    told = {str(card.title): [str(line) for line in card.lines] for card in cards}
    assert told["disc with ?"] == ["who enters may interact, as its sheet says"]
    assert told["disc with !"] == ["who enters must interact, as its sheet says"]
    drawn = {card.drawn for card in cards if card.id.startswith("space-")}
    assert {"mark-?", "mark-!"} <= drawn, "beside its words"


@rule("TAC-TER-11", "TAC-TER-12")
def test_an_open_door_stands_in_the_legend_while_there_is_one() -> None:
    def drawn() -> set[str]:
        (legend,) = (one for one in SCREEN.pages(game.state) if one.id == "legend")
        return {card.drawn for part in legend.sections for card in part.cards}

    door = [{"between": ["3,3", "3,4"], "kind": "door", "open": False}]
    game = Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "8,8")], edges=door)
    assert drawn() >= {"edge-door"}
    assert "edge-door-open" not in drawn()
    game.do("activate", figure="b1").do("door", edge=["3,3", "3,4"], do_what="open")
    assert "edge-door-open" in drawn()


@rule("TAC-GRD-8", "TAC-MOV-18")
def test_where_a_large_figure_has_gone_is_told_by_what_its_block_covers() -> None:
    game = Skirmish([(RIDER, "3,3")], [(SOLDIER, "8,8")], loot={"4,6": "letter"})
    game.do("activate", figure="b1").do("move", to="3,5")
    assert "Rider (mounted) moves 1 space to the letter" in game.titles


@rule("TAC-EQP-3", "TAC-OR-1")
@pytest.mark.parametrize("readings", [(), ("condition-icons=icon-frozen",)])
def test_what_equipment_protects_from_is_told_as_it_counts(readings: tuple[str, ...]) -> None:
    game = Skirmish(
        [(HERO, "3,3")], [(SOLDIER, "8,8")], equipment={"b1": "holy-icon"}, readings=readings
    )
    kind = game.state.readings.condition("shaken")
    assert game.refused("condition", figure="b1", kind=kind, on=True) == "TAC-STA-1"
    view = next(one for one in SCREEN.pieces(game.state) if one.id == "b1")
    (worn,) = (str(one.help) for one in view.badges if str(one.text) == "Holy icon")
    assert f"cannot become {kind}" in worn


@rule("TAC-TER-10", "TAC-TER-11")
def test_a_locked_door_is_drawn_otherwise_than_a_wooden_one() -> None:
    def locks(kind: str, open: bool = False) -> int:
        door = {"between": ["3,3", "3,4"], "kind": kind, "open": open}
        game = Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "8,8")], edges=[door])
        drawn = board_shapes(game.state.board)
        return sum(one.style.role == "edge-lock" for one in drawn)

    assert (locks("locked-door"), locks("door"), locks("locked-door", open=True)) == (1, 0, 0)


@rule("TAC-SET-14")
def test_whose_effects_at_the_start_of_the_battle_come_first_is_told() -> None:
    game = Skirmish([(HERO, "3,3")], [(FOE_HERO, "8,8")], begin=False)
    first, second = (game.squad(one).player for one in ("blue", "red"))
    if game.state.first == "red":
        first, second = second, first
    (asked,) = PLAY.pending(game.state)
    assert f"first {first}, then {second}" in str(asked.say)
    assert SCREEN.turn(game.state) == "", "both may use effects"


@rule("TAC-ATK-13", "TAC-ATK-16", "TAC-CAP-1")
def test_a_result_says_who_did_what_to_whom_with_the_sign_of_who_did_it() -> None:
    foes = [({**SOLDIER, **FRAIL}, "3,4"), (card("Bowman"), "0,6")]
    game = Skirmish([(HERO, "3,3")], foes).do("activate", figure="b1")
    game.do("attack", target="r1", attack="Sword").do("roll", faces=[9, 9])
    game.do("roll", faces=[1, 1])
    told = SCREEN.outcome(game.state, game.events, game.state)
    assert told is not None
    assert "defends no hit by Hero" in str(told.text)
    assert str(told.undo) == "the defence roll of Soldier"
    assert "Hero kills Soldier" in game.titles
    (died,) = [one for one in game.events if one.type == "killed"]
    alone = SCREEN.outcome(game.state, [died], game.state)
    assert alone is not None
    assert alone.seat == "blue"
    game.do("surge", to="3,4")
    assert game.titles[0].startswith("Hero surges to ")


@rule("TAC-LOT-1")
def test_undo_calls_what_is_found_by_its_name() -> None:
    event = Event("loot-taken", {"name": "Scout", "kind": "letter"})
    assert fill_title(OUTCOME.undo["loot-taken letter"].full, event.data) == "the letter of Scout"
    told = OUTCOME.outcome([event], (), ())
    assert told is not None
    assert told.undo == "the letter of Scout"
    noted = Event("objective-noted", {"cell": "1,1", "place": "the ford", "card": "Hold the ford"})
    card = OUTCOME.outcome([noted], (), ())
    assert card is not None
    assert (card.undo, card.undo_short) == ("an objective card: Hold the ford", "an objective card")
    told = OUTCOME.outcome(
        [Event("moved", {"name": "Scout", "path": ["1,1", "2,1"], "how": "surge", "place": "x"})],
        (),
        (),
    )
    assert told is not None
    assert told.undo == "the surge of Scout"


@rule("TAC-ABL-8", "TAC-FIG-8", "TAC-END-7")
def test_undo_says_what_was_used_and_not_only_by_whom() -> None:
    bark = {"name": "Bark", "kind": "order", "ap": 0, "text": "2 KS: an enemy is frozen"}
    game = Skirmish([(card("Lord", abilities=[bark]), "4,4")], [(SOLDIER, "4,5")], rounds=2)
    game.do("activate", figure="b1").do("ability", figure="b1", ability="Bark", target="r1")
    assert undone(game) == "Lord uses Bark"
    captive = Skirmish([(HERO, "4,4")], [(SOLDIER, "8,8")], marks={"4,4": "objective"})
    captive.do("activate", figure="b1").do("end").do("activate", figure="r1").do("end")
    assert undone(captive.do("end-round")) == "the count of the points"
    mounted = Skirmish([(RIDER, "3,3")], [(SOLDIER, "0,8")]).do("activate", figure="b1")
    assert undone(mounted.do("dismount", to="3,3")) == "Rider (mounted) dismounts"


def undone(game: Skirmish) -> str:
    told = SCREEN.outcome(game.state, game.events, game.state)
    assert told is not None
    return str(told.undo)


@rule("TAC-GEN-3", "TAC-END-4")
def test_special_rules_of_a_scenario_stand_where_they_count() -> None:
    """They had no place at all: what the players noted is read before the battle and at its end."""
    game = Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "3,6")])
    told = "Who holds the ford at the end has 3 points."
    scenario = replace(game.state.scenario, note=told)
    for phase in (START, END):
        state = replace(game.state, scenario=scenario, phase=phase)
        (asked,) = SCREEN.prompts(state)
        assert told in [str(one.text) for one in asked.facts]
        assert told in [str(one) for one in SCREEN.score(state).terms]
