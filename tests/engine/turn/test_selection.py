"""What a selected piece and a prompt mean: names of buttons, which choice is golden, what is taken
up by itself, what stays selected after a step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.engine.snapshot import CellMove, Snapshot
from companion.engine.turn.selection import (
    akin,
    asks_piece,
    choice_name,
    due_at_once,
    ending,
    in_turn,
    may_move,
    moves_rival,
    named_pieces,
    offer_key,
    own_cells,
    piece_actions,
    selected_after,
    several_astray,
    suited,
    urgent_card,
    waiting_behind,
    waits_for_answer,
)
from companion.engine.turn.turn_view import ViewMaker
from companion.games.api.prompt import (
    ActionOffer,
    Choice,
    DiceRequest,
    Entry,
    Prompt,
    PromptForm,
    TargetCell,
    TrayEnd,
)
from companion.games.api.screen_views import PieceView
from companion.session.authors import JointCommands
from companion.session.game_view import GameView
from models.board import Board
from models.board_table import BoardPiece, BoardTable
from tests.engine.turn.test_turn_screen import (
    BOWS,
    GUARDS,
    MARCH,
    PIECES,
    ROLL,
    SWORDS,
    TABLE,
    TURN,
    notice,
    shot,
    view,
)

BOARD = BoardTable(
    "toy",
    Board("square", 6, 6, 1.0),
    (BoardPiece("b1", "blue", cell=(1, 2), size=2), BoardPiece("b2", "blue")),
)
GO = TargetCell((2, 2), ({"do": "go"},))
ASTRAY = CellMove("b1", "Swords", "There?", (GO,))
WRONG = CellMove("b1", "Swords", "There?")
GOLD = Choice("End", ({"do": "end"},), "primary")


@pytest.mark.parametrize(
    ("commands", "name"),
    [
        ((), "choice:3"),
        (({"do": "a"}, {"do": "play", "n": 2, "yes": True, "none": None}), "choice:play:2:True"),
        (({"do": "set", "of": [{"x": "y"}, ("z", 1.5)]},), "choice:set:y:z"),
    ],
)
def test_a_button_is_named_by_the_values_of_its_last_command(commands: Any, name: str) -> None:
    assert choice_name(Choice("Text", commands), 3) == name


def test_offers_of_one_family_are_akin_and_those_of_another_piece_are_not() -> None:
    move = ActionOffer("move", "Move", (), "b1", family="go")
    assert akin(move, replace(move, kind="run", text="Run"))
    assert not akin(move, replace(move, piece="b2"))
    assert not akin(move, replace(move, kind="run", family="other"))
    assert not akin(replace(move, family=""), replace(move, kind="run", family=""))
    assert akin(replace(move, family=""), replace(move, family=""))
    assert not akin(move, None)


def test_an_offer_is_known_again_by_its_words_and_the_values_of_its_last_command() -> None:
    offer = ActionOffer("hit", "Hit", ({"do": "hit", "with": "axe", "n": [1]},), "b1", "r1")
    assert offer_key(offer) == ("hit", "b1", "r1:Hit:do=hit:with=axe:n=[1]")
    placed = replace(offer, commands=({"do": "hit", "at": [1.5, 2.0]},))
    assert offer_key(placed) == ("hit", "b1", "r1:Hit:do=hit")  # a place changes as trays are seen
    assert offer_key(replace(offer, commands=())) == ("hit", "b1", "r1:Hit")


@pytest.mark.parametrize(
    ("more", "asks"),
    [
        ({}, True),
        ({"pieces": ()}, False),
        ({"rolled": (3,)}, False),
        ({"secret": True}, False),
        ({"dice": DiceRequest(1, {"do": "x"})}, False),
        ({"choices": (GOLD,)}, False),
        ({"choices": (replace(GOLD, look="quiet"),)}, True),
    ],
)
def test_a_piece_is_asked_for_where_nothing_else_answers(more: Any, asks: bool) -> None:
    assert asks_piece(replace(TURN, **more)) == asks


def test_where_the_app_rolls_what_goes_on_with_its_dice_is_golden() -> None:
    on = Choice("Continue", ({"do": "continue"},), "primary")
    again = Choice("Continue and roll", (*on.commands, {"do": "roll"}), dice=ROLL.dice)
    prompt = Prompt("lie", "They lie", choices=(on, again))
    choices, left_out = suited(prompt, True)
    assert [(one.text, one.look) for one in choices] == [
        ("Continue", "quiet"),
        ("Continue and roll", "primary"),
    ]
    assert left_out == []
    choices, left_out = suited(prompt, False)
    assert [(one.text, one.look) for one in choices] == [
        ("Continue", "primary"),
        ("Continue and roll", "plain"),
    ]
    assert [one.text for one in left_out] == ["Continue and roll"]


def test_what_the_golden_button_of_a_piece_ends() -> None:
    actions = piece_actions(shot(TURN), None, "b1", None)
    asked = replace(TURN, choices=(replace(GOLD, piece="b1"), GOLD))
    assert ending(asked, actions) == GOLD
    assert ending(replace(asked, secret=True), actions) is None
    assert ending(replace(asked, dice=ROLL.dice), actions) is None
    assert ending(None, actions) is None
    own = piece_actions(
        shot(TURN, offers=(replace(MARCH, commands=GOLD.commands),)), None, "", None
    )
    assert ending(asked, own) is None, "the piece has that among its own"


def test_the_cells_that_a_piece_covers() -> None:
    here = Snapshot(table=BOARD, chosen="b1")
    assert own_cells(here) == {(1, 2), (2, 2), (1, 3), (2, 3)}
    for other in (replace(here, chosen="b2"), replace(here, chosen="x"), Snapshot(chosen="b1")):
        assert own_cells(other) == frozenset()


# -- after a step ----------------------------------------------------------------------------------


def test_a_rival_moves_the_piece_of_its_first_choice() -> None:
    moves = (Choice("r9", (), piece="r9"), Choice("b1", (), piece="b1"))
    acting = view(replace(TURN, choices=moves), rival="red")
    assert selected_after(None, "b2", BOARD, acting) == "b1"
    assert selected_after(None, "b2", BOARD, view(TURN, rival="red")) is None


def test_a_piece_that_is_to_be_put_on_the_board_is_selected() -> None:
    asked = view(replace(TURN, pieces=("n1", "n2")))
    assert selected_after(None, "b1", BOARD, asked) == "n1"
    assert selected_after(None, "n2", BOARD, asked) == "n2"
    there = view(replace(TURN, pieces=("n1", "b1")))
    assert selected_after(None, "b1", BOARD, there) == "b1"


def test_the_last_piece_that_was_placed_is_not_selected_any_more() -> None:
    """Its card stayed over “Begin”."""
    before = view(Prompt("place", "Place the units", seats=("blue",), pieces=("b1",)))
    after = view(Prompt("begin", "Begin the battle", seats=("blue",)))
    assert selected_after(before, "b1", BOARD, after) is None
    assert selected_after(before, "b2", BOARD, after) == "b2", "nobody placed it"


def test_among_cards_another_question_ends_the_selection() -> None:
    before, after = view(Prompt("a", "Attack?")), view(Prompt("b", "Defend?"))
    assert selected_after(before, "b1", None, before) == "b1"
    assert selected_after(before, "b1", None, after) is None
    assert selected_after(before, "b1", TABLE, after) == "b1", "on a table it stays"
    gone = replace(before, pieces=(replace(SWORDS, state="lost"),))
    assert selected_after(before, "b1", None, gone) is None
    assert selected_after(before, "b1", TABLE, replace(before, active=("red",))) is None


def test_a_move_that_was_made_ends_the_selection() -> None:
    due, done = view(TURN, due=(MARCH,)), view(TURN)
    assert selected_after(due, "b1", TABLE, done) is None
    assert selected_after(due, "b1", TABLE, due) == "b1"
    assert selected_after(done, "b1", TABLE, due) == "b1"
    assert selected_after(due, "b2", TABLE, done) == "b2"


def test_the_piece_that_is_asked_anew_is_selected() -> None:
    acting = (replace(SWORDS, state="acting"), BOWS, GUARDS)
    asked = replace(TURN, id="act", title="What does it do?", pieces=("b1",))
    before = view(TURN)
    after = view(asked, pieces=acting)
    assert selected_after(before, None, TABLE, after) == "b1"
    assert selected_after(after, None, TABLE, after) is None, "it was asked before"
    assert selected_after(before, None, TABLE, view(asked)) is None, "it does not act"
    rolls = view(replace(asked, dice=ROLL.dice), pieces=acting)
    assert selected_after(before, None, TABLE, rolls) is None
    two = view(replace(asked, pieces=("b1", "b2")), pieces=acting)
    assert selected_after(before, None, TABLE, two) is None


# -- what may be done now --------------------------------------------------------------------------


def test_a_piece_is_in_turn_while_no_other_acts() -> None:
    here = shot(TURN)
    assert in_turn(here, "b1")
    assert not in_turn(here, "r1")
    assert in_turn(here, "nobody")
    acting = shot(TURN, seen={"pieces": (replace(SWORDS, state="acting"), BOWS, GUARDS)})
    assert in_turn(acting, "b1")
    assert not in_turn(acting, "b2")
    spent = shot(TURN, seen={"pieces": (replace(SWORDS, state="spent"), BOWS)})
    assert not in_turn(spent, "b1")


@pytest.mark.parametrize(
    ("prompts", "more", "may"),
    [
        ((TURN,), {}, True),
        ((), {}, False),
        ((replace(TURN, rolled=(3,)),), {}, False),
        ((ROLL,), {}, False),
        ((ROLL,), {"due": (MARCH,)}, True),
        ((TURN,), {"pieces": (replace(SWORDS, state="spent"),)}, False),
        ((TURN,), {"active": ("red",)}, False),
    ],
)
def test_a_tray_is_taken_up_when_it_may_act_or_has_a_move_to_make(
    prompts: tuple[Prompt, ...], more: Any, may: bool
) -> None:
    assert may_move(shot(*prompts, table=TABLE, seen=more), "b1") == may
    assert not may_move(shot(*prompts, seen=more), "b1"), "no tray is shown"


@pytest.mark.parametrize(
    ("due", "prompts", "more", "taken"),
    [
        ((MARCH,), (TURN,), {}, True),
        ((), (TURN,), {}, False),
        ((replace(MARCH, kind="turn"),), (TURN,), {}, False),
        ((replace(MARCH, ends=(TrayEnd("there", ()),)),), (TURN,), {}, False),
        ((MARCH,), (ROLL,), {}, False),
        ((MARCH,), (), {}, True),
        ((MARCH,), (TURN,), {"notices": (notice(),)}, False),
        ((MARCH,), (TURN,), {"thinking": True}, False),
    ],
)
def test_a_decided_move_is_taken_up_by_itself_unless_something_comes_first(
    due: tuple[ActionOffer, ...], prompts: tuple[Prompt, ...], more: Any, taken: bool
) -> None:
    here = shot(*prompts, table=TABLE, seen={"due": due}, **more)
    assert due_at_once(here) == (due[0] if taken else None)


@pytest.mark.parametrize(
    ("moves", "several"),
    [
        ((ASTRAY, ASTRAY), False),
        ((ASTRAY, ASTRAY, ASTRAY), True),
        ((WRONG,), False),
        ((WRONG, WRONG), True),
        ((WRONG, ASTRAY), False),
        ((WRONG, replace(WRONG, asked=True)), False),
    ],
)
def test_three_that_stand_elsewhere_or_two_that_stand_wrong_are_one_question(
    moves: tuple[CellMove, ...], several: bool
) -> None:
    here = shot(TURN, cell_moves=moves, table=BOARD)
    assert several_astray(here) == several
    assert urgent_card(here, TURN, False, False, False) == ("astray" if several else "cell-move")


def test_trays_count_among_those_that_stand_elsewhere() -> None:
    wrong = notice(legal=False)
    assert several_astray(shot(notices=(wrong, wrong)))
    assert not several_astray(shot(notices=(wrong, notice())))
    assert several_astray(shot(notices=(wrong,), cell_moves=(WRONG,)))
    assert not several_astray(shot(notices=(replace(wrong, asked=True), wrong)))


def test_a_piece_that_can_only_go_back_waits_for_a_question() -> None:
    asked = Prompt("orders", "Which?", choices=(GOLD,))
    wrong = shot(asked, cell_moves=(WRONG,))
    assert waits_for_answer(wrong, asked)
    assert not waits_for_answer(wrong, replace(asked, pieces=("b1",)))
    assert not waits_for_answer(wrong, replace(asked, choices=()))
    assert not waits_for_answer(wrong, None)
    assert not waits_for_answer(shot(asked, cell_moves=(ASTRAY,)), asked)
    assert not waits_for_answer(replace(wrong, notices=(notice(),)), asked)


def test_a_proposal_of_another_screen_is_asked_before_the_game_goes_on() -> None:
    undo = JointCommands(({"do": "undo"},), ("red",), ("blue",), asks="Undo")
    here = shot(TURN, proposals=(undo,))
    assert urgent_card(here, TURN, False, False, False) == "proposal"
    assert urgent_card(here, ROLL, False, False, False) == "prompt"
    quiet = shot(TURN, proposals=(replace(undo, asks=""),))
    assert urgent_card(quiet, TURN, False, False, False) == "prompt"


def test_advice_and_the_move_of_a_rival_are_shown_though_a_piece_is_selected() -> None:
    chosen = shot(TURN, chosen="b1", offers=(MARCH,))
    assert urgent_card(chosen, TURN, False, False, False) == "piece"
    advised = replace(chosen, advice=(TURN,))
    assert urgent_card(advised, TURN, False, False, False) == "prompt"
    move = replace(TURN, seats=("red",), choices=(replace(GOLD, piece="b1"),))
    rival = shot(move, chosen="b1", offers=(MARCH,), seen={"rival": "red"})
    assert moves_rival(rival, move)
    assert urgent_card(rival, move, False, False, False) == "prompt"
    assert not moves_rival(replace(rival, chosen="b2"), move)
    assert moves_rival(replace(rival, chosen=None), move)
    assert not moves_rival(chosen, move)


def test_a_tap_on_a_unit_that_a_card_may_order_leads_back_to_its_question() -> None:
    """The page of a unit that it may not order was in front, and no other tap chose anything."""
    units = Entry("units", "Units", "several", (("b1", "Swords"), ("b2", "Bows")))
    card = replace(TURN, forms=(PromptForm("Order these units", {"do": "units"}, (units,)),))
    for piece, shown in (("b1", "prompt"), ("r1", "piece")):
        here = shot(card, chosen=piece, offers=(MARCH,))
        assert here.piece(piece) is not None
        assert urgent_card(here, card, False, True, False) == shown
    folded = replace(card, forms=(replace(card.forms[0], opens=True),))
    assert urgent_card(shot(folded, chosen="b1"), folded, False, True, False) == "piece"


def test_what_waits_behind_a_prompt() -> None:
    free, asked = Prompt("clock", "Clock"), Prompt("test", "Test", seats=("blue",))
    here = shot(TURN, free, asked)
    assert [one.id for one in waiting_behind(here, TURN)] == ["clock", "test"]
    rival = shot(replace(TURN, seats=("red",)), free, asked, seen={"rival": "red"})
    assert [one.id for one in waiting_behind(rival, rival.prompts[0])] == ["test"]
    assert list(waiting_behind(replace(here, advice=(TURN,)), TURN)) == []


def test_a_form_for_a_piece_names_those_it_is_about_else_all_that_are_left() -> None:
    lost = PieceView("b9", "Lost", "Lost", "blue", state="lost")
    here = shot(seen={"pieces": (*PIECES, lost)})
    assert named_pieces(here, ("b9",)) == [("b9", "Lost")]
    assert [piece for piece, _ in named_pieces(here, ())] == ["b1", "b2", "r1"]


def test_who_may_act_on_a_screen_of_their_own() -> None:
    """A rival of the app has no screen: everybody presses its buttons."""
    here = Snapshot(view=GameView(rivals=("red",)))

    def may(seat: str | None, *acts: str, shared: bool = False) -> bool:
        return ViewMaker(here, None, str, seat, shared).may(acts)  # type: ignore[arg-type]

    assert may("blue", "blue")
    assert may("blue")
    assert may("blue", "red"), "the rival's"
    assert not may("blue", "green")
    assert may(None, "green", shared=True)


def test_after_a_correction_of_another_piece_that_one_stays_selected() -> None:
    """A second token needed the way over its page anew."""
    acting = (replace(SWORDS, state="acting"), replace(SWORDS, id="b2", left=3))
    before = view(TURN, pieces=acting)
    fewer = replace(before, pieces=(acting[0], replace(acting[1], left=2)))
    assert selected_after(before, "b2", BOARD, fewer) == "b2"
    moved = replace(before, pieces=(replace(acting[0], left=1), acting[1]))
    assert selected_after(before, "b2", BOARD, moved) == "b1", "the acting piece is another"
    assert selected_after(before, "b2", BOARD, replace(fewer, active=("red",))) == "b1"
