"""Doors, elements, heaps, terrain charges, movement abilities and agenda cards by taps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.api.prompt import ActionOffer
from companion.games.tactics.play.prompts import actions
from companion.games.tactics.play.state import battle_position
from companion.games.tactics.rival import RIVAL
from companion.games.tactics.rules.movement import move_ends
from companion.games.tactics.screen import SCREEN
from tests.games.tactics.battle import FOE_HERO, RIDER, SOLDIER, Skirmish, card
from tests.games.tactics.test_card_effects import button, piece, tap

rule = pytest.mark.rule
DOOR = {"between": ["2,3", "2,4"], "kind": "door", "open": False}
LOCKED = {"between": ["4,3", "4,4"], "kind": "locked-door", "open": False}


def offer(game: Skirmish, text: str, figure: str = "b1") -> ActionOffer:
    found = SCREEN.offers(game.state, None, figure)
    return next(one for one in found if str(one.text).startswith(text))


def texts(game: Skirmish, figure: str = "b1") -> list[str]:
    return [str(one.text) for one in SCREEN.offers(game.state, None, figure) if one.possible]


def send(game: Skirmish, command: Any) -> Skirmish:
    fields = dict(command)
    return game.do(fields.pop("do"), **fields)


def active(soldier: dict[str, Any] = SOLDIER, at: str = "3,3", **scenario: Any) -> Skirmish:
    game = Skirmish([(soldier, at)], [(FOE_HERO, "8,8")], **scenario)
    return game.do("activate", figure="b1")


@rule("TAC-TER-9", "TAC-TER-11", "TAC-TER-12")
def test_a_door_beside_the_figure_is_opened_and_closed() -> None:
    game = active(edges=[DOOR])
    send(game, offer(game, "Open the door").commands[0])
    assert game.state.board.borders[0].open
    send(game, offer(game, "Close the door").commands[0])
    assert not game.state.board.borders[0].open


@rule("TAC-TER-10")
def test_a_locked_door_is_broken_and_two_doors_are_told_apart() -> None:
    other = {"between": ["2,2", "2,3"], "kind": "door", "open": False}
    game = active(edges=[DOOR, LOCKED, other])
    doors = [text for text in texts(game) if text.startswith("Open the door")]
    assert len(set(doors)) == 2
    send(game, offer(game, "Break the door").commands[0])
    assert [one.id for one in SCREEN.prompts(game.state)] == ["door-step"]


@rule("TAC-TER-3", "TAC-TER-4", "TAC-ACT-8", "TAC-OBJ-5")
def test_elements_and_objectives_offer_their_action() -> None:
    marks = {"3,3": "objective", "3,4": "?bell", "6,6": "!trap"}
    game = active(marks=marks)
    assert [text for text in texts(game) if text.startswith("Interact")] == ["Interact: bell"]
    send(game, offer(game, "Interact: bell").commands[0])
    assert game.state.acting is not None
    assert game.state.acting.ap == 1
    tap(game, button(piece(game, "b1").forms, "interact"), cell="3,4", ap=0)
    assert game.state.acting.ap == 1
    send(game, offer(game, "Action of the objective").commands[0])
    assert game.state.activation is not None, "first what the card brought"
    game.do("objective-done")
    assert game.state.activation is None


@rule("TAC-TER-14")
def test_a_heap_of_corpses_is_climbed_after_a_will_test() -> None:
    game = active(ground={"3,4": "blocked-x", "4,4": "blocked-x", "7,7": "blocked-x"})
    (climb,) = [one for one in piece(game, "b1").corrections if "heap" in str(one.text)]
    (prompt,) = SCREEN.prompts(tap(game, climb).state)
    assert prompt.dice is not None
    assert (prompt.id, prompt.dice.wanted) == ("will-roll", 5)
    send(game, {**prompt.dice.command, "faces": [6]})
    assert game.state.acting is not None
    assert set(game.state.acting.opened) == {(3, 4), (4, 4)}


@rule("TAC-CHG-9", "TAC-CHG-12", "TAC-CHG-13", "TAC-CHG-14")
@pytest.mark.parametrize(("faces", "broken"), [([8, 1], True), ([7, 1], False)])
def test_a_terrain_charge_asks_where_to_and_for_the_dice(faces: list[int], broken: bool) -> None:
    game = active(at="3,0", ground={"3,4": "blocked-o"})
    form = button(piece(game, "b1").forms, "terrain charge")
    tap(game, form, cell="3,4", dice=2, needs=8)
    (prompt,) = SCREEN.prompts(game.state)
    assert (prompt.id, prompt.seats) == ("terrain-move", ("blue",))
    assert (3, 3) in {one.cell for one in prompt.cells}
    assert [str(one.text) for one in prompt.choices] == ["It stays where it is"]
    send(game, next(one for one in prompt.cells if one.cell == (3, 3)).commands[0])
    (prompt,) = SCREEN.prompts(game.state)
    assert prompt.dice is not None
    assert (prompt.dice.count, prompt.dice.wanted) == (2, 8)
    send(game, {**prompt.dice.command, "faces": faces})
    assert (game.state.board.ground.get((3, 4)) != ("blocked-o",)) is broken
    assert [one.id for one in SCREEN.prompts(game.state)] == ["door-step" if broken else "act"]


@rule("TAC-CHG-10", "TAC-CHG-12")
def test_a_terrain_charge_that_does_not_arrive_rolls_nothing() -> None:
    game = active(at="3,0", edges=[{"between": ["3,7", "3,8"], "kind": "locked-door"}])
    form = button(piece(game, "b1").forms, "terrain charge at a door")
    tap(game, form, edge=["3,7", "3,8"], dice=2, needs=8)
    game.do("approach", to="3,3")
    assert game.figure("b1").cell == (3, 3)
    assert [one.id for one in SCREEN.prompts(game.state)] == ["act"]


BOLD = {"name": "Bold Step", "kind": "movement", "price": [0, 0, 3], "spaces": 1}


@rule("TAC-ABL-3", "TAC-ABL-4", "TAC-ABL-14")
def test_a_movement_ability_is_announced_and_paid_with_the_move() -> None:
    game = active(card("Runner", abilities=[BOLD]), at="0,0")
    plain, bold = offer(game, "Move"), offer(game, "Move with Bold Step")
    assert str(bold.text) == "Move with Bold Step (3 copper stars)"
    assert bold.by_row
    assert {one.cell for one in bold.cells}.isdisjoint(one.cell for one in plain.cells)
    send(game, next(one for one in bold.cells if one.cell == (4, 0)).commands[0])
    assert game.figure("b1").cell == (4, 0)
    assert game.state.squad("blue").coins.copper == 18 - 1 - 3


@rule("TAC-ABL-3", "TAC-EQP-2")
def test_a_movement_ability_adds_to_spotless_boots() -> None:
    game = Skirmish(
        [(card("Runner", abilities=[BOLD]), "0,0")],
        [(FOE_HERO, "8,8")],
        equipment={"b1": "spotless-boots"},
    )
    game.do("activate", figure="b1")
    assert (5, 0) in {one.cell for one in offer(game, "Move with Bold Step").cells}


@rule("TAC-ABL-3", "TAC-CHG-7")
def test_a_movement_ability_is_announced_with_a_charge() -> None:
    game = Skirmish([(card("Runner", abilities=[BOLD]), "0,0")], [(SOLDIER, "5,0")])
    game.do("activate", figure="b1")
    assert "Charge Soldier" not in texts(game)
    charge = offer(game, "Charge Soldier with Bold Step")
    send(game, (charge.commands or charge.cells[0].commands)[0])
    assert game.state.attack is not None
    assert game.state.squad("blue").coins.copper == 18 - 1 - 3


@rule("TAC-AGD-1", "TAC-AGD-5")
def test_the_free_move_of_an_agenda_card_is_on_its_owners_page_alone() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "4,5"), (SOLDIER, "0,8")])
    squad = game.state.squad("blue")
    game.state = game.state.with_squad(replace(squad, agenda=("A4",)))
    game.do("activate", figure="b1")
    assert agenda_buttons(game, None) == agenda_buttons(game, "red") == []
    (choice,) = agenda_buttons(game, "blue")
    tap(game, choice)
    assert game.refused("attack", target="r1") == "TAC-AGD-5"
    assert game.refused("wait") == "TAC-AGD-5"
    send(game, offer(game, "Move").cells[0].commands[0])
    assert game.state.acting is not None
    assert (game.state.acting.figure, game.state.acting.ap) == ("b1", 2)
    assert agenda_buttons(game, "blue") == []


def agenda_buttons(game: Skirmish, seat: str | None) -> list[Any]:
    coins = next(one for one in SCREEN.pages(game.state, seat) if one.id == "coins")
    cards = [one for part in coins.sections for one in part.cards if one.icon == "letter"]
    return [choice for one in cards for choice in one.choices]


@rule("TAC-AGD-7")
def test_with_paper_agendas_the_acting_figure_offers_the_free_attack() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "4,5"), (SOLDIER, "0,8")], paper=True)
    assert not [one for one in piece(game, "b1").corrections if "agenda" in str(one.text)]
    game.do("activate", figure="b1")
    tap(game, button(piece(game, "b1").corrections, "show an agenda card: a free attack"))
    assert game.refused("move", to="4,3") == "TAC-AGD-7"
    assert {one["do"] for one in moves(game)} == {"attack", "end"}
    game.do("attack", target="r1").do("roll", faces=[1, 1])
    assert game.state.acting is not None
    assert game.state.acting.ap == 2


def moves(game: Skirmish) -> list[Any]:
    return actions(game.state)


WALL = ("0,4", "1,4", "2,4", "4,4", "5,4", "6,4")
"""A row of spaces before the figure; it goes through one of them or through the middle."""


@rule("TAC-MOV-1", "TAC-MOV-9", "TAC-TER-16")
def test_of_two_ways_with_different_harm_the_player_chooses() -> None:
    """Fire or a stake pit: the program took the fire, and nobody was asked."""
    for harm, asked, wounds in (
        ("through fire: 1 wound", [], 1),
        ("through a stake pit: 1 hit", ["hazard-roll"], 0),
    ):
        game = active(marks=dict.fromkeys(WALL, "fire") | {"3,4": "stake-pit"})
        (move,) = [one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "maneuver"]
        (told,) = [one for one in move.cells if one.cell == (3, 5)]
        both = "2 spaces, through fire: 1 wound / through a stake pit: 1 hit"
        assert str(told.detail) == both
        send(game, told.commands[0])
        assert game.titles[0].startswith("Soldier moves 2 spaces")
        (prompt,) = SCREEN.prompts(game.state)
        ways = {str(one.text): one.commands[0] for one in prompt.choices}
        assert [*ways] == ["through fire: 1 wound", "through a stake pit: 1 hit"]
        assert game.refused("way", path=["3,3", "3,5"]) == "TAC-MOV-1"
        send(game, ways[harm])
        assert game.titles[0] == f"Soldier: {harm}"
        assert [one.id for one in SCREEN.prompts(game.state)][: len(asked)] == asked
        assert game.figure("b1").wounds == wounds


@rule("TAC-MOV-1", "TAC-MOV-9", "TAC-MOV-12", "TAC-TER-15")
def test_which_leaf_pile_is_turned_over_is_asked_and_two_fires_are_counted() -> None:
    piles = {"2,4": "leaf-pile", "4,4": "leaf-pile"}
    game = active(marks=dict.fromkeys(WALL, "fire") | {"3,4": "fire"} | piles)
    (move,) = [one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "maneuver"]
    told = {one.cell: str(one.detail) for one in move.cells}
    assert told[3, 5] == "2 spaces, through fire: 1 wound / through a leaf pile"
    game.do("move", to="3,5")
    (prompt,) = SCREEN.prompts(game.state)
    leaves = [str(one.text) for one in prompt.choices if "leaf" in one.text]
    assert len(set(leaves)) == len(prompt.choices) - 1 == 2
    send(game, next(one for one in prompt.choices if one.text == leaves[1]).commands[0])
    assert game.state.tasks[0].kind == "leaf"
    wide = dict.fromkeys([f"{column},{row}" for column in range(9) for row in (4, 5)], "fire")
    (move,) = [
        one for one in SCREEN.offers(active(marks=wide).state, None, "b1") if one.kind == "maneuver"
    ]
    assert {str(one.detail) for one in move.cells if one.cell == (3, 6)} == {
        "3 spaces, through fire: 2 wounds"
    }


@rule("TAC-MOV-9")
def test_of_ways_through_the_same_terrain_the_one_with_less_of_it_is_taken() -> None:
    """The straight way leads through two fires, a longer one through one."""
    row = [f"{column},4" for column in range(9)]
    game = active(marks=dict.fromkeys(row, "fire") | {"3,5": "fire", "2,5": "fire"})
    assert game.do("move", to="3,6").figure("b1").wounds == 1


@rule("TAC-MOV-1", "TAC-CHG-4", "TAC-CHG-5", "TAC-ABL-22", "TAC-MOV-16")
def test_charges_and_forced_moves_and_large_figures_ask_for_their_way_too() -> None:
    marks = dict.fromkeys(WALL, "fire") | {"3,4": "stake-pit"}
    game = Skirmish([(SOLDIER, "3,3")], [(FOE_HERO, "3,6")], marks=marks)
    game.do("activate", figure="b1").do("charge", target="r1", to="3,5")
    assert game.waits() == "way"
    assert game.do("way", path=["3,3", "2,4", "3,5"]).figure("b1").wounds == 1
    assert game.waits() == "charge-attack"
    pushed = Skirmish([(SOLDIER, "3,3")], [(FOE_HERO, "3,2")], marks=marks)
    pushed.do("push", **{"figure": "b1", "from": "r1", "way": "away", "spaces": 2}, to="3,5")
    assert [one.side for one in pushed.state.tasks] == ["blue"]
    assert pushed.waits() == "way"
    rider = Skirmish([(RIDER, "3,2")], [(FOE_HERO, "8,8")], marks=marks)
    assert rider.do("activate", figure="b1").do("move", to="3,5").waits() == "way"
    assert rider.do("way", path=["3,3", "3,4", "3,5"]).waits() == "hazard-roll"


@rule("TAC-TER-4", "TAC-MOV-12")
def test_of_two_elements_on_the_way_the_player_says_which() -> None:
    marks = dict.fromkeys(WALL, "fire") | {"2,4": "?well", "4,4": "?bell", "3,4": "fire"}
    game = active(marks=marks).do("move", to="3,5")
    (prompt,) = SCREEN.prompts(game.state)
    assert [str(one.text) for one in prompt.choices] == ["bell", "well"]
    assert "bell" not in game.do("way", path=["3,3", "2,4", "3,5"]).answer["reminders"][0]


@rule("TAC-TER-4", "TAC-MOV-1")
def test_no_move_goes_a_longer_way_for_an_element_that_may_be_left_alone() -> None:
    """Beside a `?` the numbers of the spaces were those of the ways through it."""
    game = Skirmish([(SOLDIER, "4,1")], [(SOLDIER, "0,8")], marks={"6,2": "?", "0,3": "fire"})
    game.do("activate", figure="b1")
    (move,) = (one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "maneuver")
    told = {target.cell: str(target.text) for target in move.cells}
    assert told == {cell: str(max(abs(cell[0] - 4), abs(cell[1] - 1))) for cell in told}
    assert game.do("move", to="6,2").waits() == "act"


@rule("TAC-MOV-9")
def test_a_way_that_is_simply_worse_is_not_offered() -> None:
    game = active(marks={"3,4": "stake-pit", "2,4": "fire"})
    moves = [one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "maneuver"]
    ways = [target.detail for one in moves for target in one.cells if target.cell == (3, 5)]
    assert [str(one) for one in ways] == ["2 spaces"]


@rule("TAC-MOV-1", "TAC-MOV-9")
def test_the_way_around_a_fire_is_drawn_and_not_a_line_through_it() -> None:
    game = Skirmish([(SOLDIER, "4,4")], [(SOLDIER, "0,8")], marks={"4,5": ["fire"]})
    game.do("activate", figure="b1")
    (move,) = (one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "maneuver")
    target = move.at((4, 6))
    assert target is not None
    assert (target.path[0], target.path[-1]) == ((4, 4), (4, 6))
    assert (4, 5) not in target.path


@rule("TAC-MOV-1")
def test_a_way_is_as_straight_as_it_can_be() -> None:
    """Of ways that do the same nobody wonders why it bends."""
    game = Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "8,8")], marks={"1,1": "fire"})
    position = battle_position(game.state)
    ends = move_ends(position, position.by_id["b1"])
    assert ends[(6, 3)].ways == (((3, 3), (4, 3), (5, 3), (6, 3)),)
    assert ends[(3, 0)].ways == (((3, 3), (3, 2), (3, 1), (3, 0)),)
    assert ends[(6, 6)].ways == (((3, 3), (4, 4), (5, 5), (6, 6)),)
    (knight,) = ends[(6, 4)].ways
    assert knight in (((3, 3), (4, 4), (5, 4), (6, 4)), ((3, 3), (4, 3), (5, 3), (6, 4)))


@rule("TAC-LOT-4")
def test_the_rival_says_what_the_loot_is_worth() -> None:
    game = Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "8,8")], loot={"3,4": "letter"})
    game.do("activate", figure="b1")
    facts = RIVAL.facts(game.state, ({"do": "loot", "cell": "3,4"},))
    assert "2 VP and an agenda card" in [str(one.text) for one in facts]


@rule("TAC-TER-14")
def test_who_stands_on_a_heap_in_its_next_turn_climbs_down_after_another_test() -> None:
    ground = {"3,4": "blocked-x", "4,4": "blocked-x"}
    game = Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "8,8")], ground=ground)
    game.do("activate", figure="b1").do("heap", cells=["3,4", "4,4"], faces=[9])
    game.do("move", to="3,4").do("end").do("activate", figure="r1").do("end").do("end-round")
    game.do("activate", figure="r1").do("end").do("activate", figure="b1")
    assert not [one for one in game.commands() if one["do"] == "move"]
    climbs = [one for one in piece(game, "b1").corrections if "heap of corpses" in str(one.text)]
    send(game, climbs[0].commands[0]).do("will", figure="b1", faces=[9])
    assert [one for one in game.commands() if one["do"] == "move"]


@rule("TAC-TER-3")
def test_a_space_where_a_figure_must_interact_is_not_marked_as_one_that_wounds() -> None:
    marks = {"3,4": "!well", "4,4": "fire"}
    game = Skirmish([(SOLDIER, "3,3")], [(SOLDIER, "8,8")], marks=marks)
    game.do("activate", figure="b1")
    (move,) = (one for one in SCREEN.offers(game.state, None, "b1") if one.kind == "maneuver")
    told = {one.cell: (one.mark, str(one.detail)) for one in move.cells}
    assert told[(3, 4)] == ("", "1 space, it must interact")
    assert told[(4, 4)][0] == "danger"
