"""The card of what to do now: several pieces that stand elsewhere, figures on other cells, what
another screen proposes; the parts of a prompt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.engine.moves.cell_ways import Way
from companion.engine.snapshot import CellMove, Snapshot
from companion.engine.turn.aimed_cells import aiming, target_at
from companion.engine.turn.handles import AgreeTap, CoachTap, MoveTap
from companion.engine.turn.selection import offer_key
from companion.engine.turn.turn_view import rules_line
from companion.games.api.game_screen import CameraQuestion
from companion.games.api.prompt import (
    ActionOffer,
    Choice,
    DiceRequest,
    DiceSymbol,
    Prompt,
    TargetCell,
    TrayEnd,
)
from companion.games.api.screen_views import GuideStep
from companion.session.authors import JointCommands
from companion.text.translation import catalogue
from models import Pose
from models.board import Board
from models.board_table import BoardPiece, BoardTable
from tests.engine.turn.test_turn_screen import (
    MARCH,
    PIECES,
    ROLL,
    SWORDS,
    TABLE,
    TURN,
    Screen,
    names,
    notice,
    press,
    shot,
    shown,
)

BOARD = BoardTable(
    "toy",
    Board("square", 6, 6, 1.0),
    (BoardPiece("b1", "blue", cell=(1, 1)), BoardPiece("r1", "red", cell=(4, 4))),
)
GO = TargetCell((2, 2), ({"do": "go", "to": "2,2"},), text="1", detail="free")
WRONG = CellMove("b1", "Swords", "not there", spot=(3, 3))
PUT = (replace(SWORDS, puts={"do": "put", "figure": "b1"}), *PIECES[1:])


class Agreeing(Screen):
    """Remembers what was agreed to and asked of the coach."""

    def agree(self, tap: AgreeTap) -> None:
        self.asked.append(tap)

    def ask_coach(self, seat: str) -> None:
        self.asked.append(CoachTap(seat))


# -- what a camera saw -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "practice", "buttons"),
    [
        (PUT, False, ["all-back", "all-correct", "all-later"]),
        (PUT, True, ["all-back", "all-correct"]),
        (PIECES, False, ["all-back", "all-later"]),
    ],
)
def test_several_that_stand_elsewhere_are_one_card(
    pieces: Any, practice: bool, buttons: list[str]
) -> None:
    screen = Screen()
    two = (WRONG, replace(WRONG, piece="r1"))
    here = shot(TURN, cell_moves=two, table=BOARD, practice=practice, seen={"pieces": pieces})
    card = shown(here, screen)
    assert (card.kind, card.prompt.title) == ("astray", "2 pieces stand elsewhere")
    assert card.uncalled
    assert names(card.prompt.choices) == buttons
    assert [one.id for one in card.moves] == ["b1", "r1"]
    for choice in card.prompt.choices:
        assert screen.tap({"tap": choice.tap}) is None
    says = {"all-back": "back", "all-correct": "correct", "all-later": "later"}
    assert screen.asked == [MoveTap("all", says[name]) for name in buttons]


def test_trays_that_can_lie_there_may_all_be_corrected() -> None:
    moved = tuple(notice(legal=False, actions=(), possible=fits) for fits in (False, True))
    card = shown(shot(TURN, notices=moved, cell_moves=(WRONG,), table=TABLE))
    assert card.prompt.title == "3 pieces stand elsewhere"
    assert "all-correct" in names(card.prompt.choices)
    assert [one.id for one in card.moves] == ["b1", "b1", "b1"]
    barred = tuple(replace(one, possible=False) for one in moved)
    card = shown(shot(TURN, notices=barred, table=TABLE))
    assert "all-correct" not in names(card.prompt.choices)


@pytest.mark.parametrize(
    ("more", "pieces", "buttons", "facts"),
    [
        ({}, PUT, ["accept", "correct", "later"], [("Not there", "warn")]),
        ({}, PIECES, ["correct", "later"], [("Not there", "warn")]),
        (
            {"refused": "a wall"},
            PUT,
            ["correct", "later"],
            [("Not there", "warn"), ("A wall", "bad")],
        ),
        (
            {"asked": True, "barred": "fire"},
            PUT,
            ["accept-barred", "correct", "later"],
            [("Nothing may stand there: fire.", "bad")],
        ),
    ],
)
def test_a_figure_where_it_may_not_go_is_put_back_or_corrected(
    more: Any, pieces: Any, buttons: list[str], facts: Any
) -> None:
    screen = Screen()
    here = shot(TURN, cell_moves=(replace(WRONG, **more),), table=BOARD, seen={"pieces": pieces})
    card = shown(here, screen)
    assert (card.kind, card.seat) == ("cell-move", "blue")
    assert names(card.prompt.choices) == buttons
    assert [(one.text, one.tone) for one in card.prompt.facts] == facts
    for choice in card.prompt.choices:
        assert screen.tap({"tap": choice.tap}) is None
    says = {
        "accept": MoveTap("correct", "b1"),
        "accept-barred": MoveTap("correct", "b1"),
        "correct": MoveTap("place", "b1"),
        "later": MoveTap("later", "b1"),
    }
    assert screen.asked == [says[name] for name in buttons]


def test_of_several_ways_to_a_cell_its_player_says_which() -> None:
    ways = (Way(GO, "Charge", "charge"), Way(GO, "Move", "move"))
    moved = CellMove("b1", "Swords", "there", (GO,), ways)
    screen = Screen()
    card = shown(shot(TURN, cell_moves=(moved,), table=BOARD), screen)
    kept = [one for one in card.prompt.choices if one.name.startswith("accept")]
    assert [(one.name, one.text, one.look) for one in kept] == [
        ("accept", "Charge", "plain"),
        ("accept:1", "Move", "plain"),
    ]
    assert screen.tap({"tap": kept[1].tap}) is None
    assert screen.asked == [MoveTap("place", "b1", cell=(2, 2), end=1)]
    assert screen.tap_cell((2, 2), None)
    assert screen.asked[1:] == [], "a button says which"
    same = replace(moved, ways=(Way(GO), Way(GO)))
    card = shown(shot(TURN, cell_moves=(same,), table=BOARD), Screen())
    kept = [one for one in card.prompt.choices if one.name.startswith("accept")]
    assert [(one.text, one.look) for one in kept] == [("Keep", "primary"), ("Keep", "plain")]
    strange = shot(TURN, cell_moves=(same,), table=BOARD, seen={"active": ("red",)})
    kept = [one for one in shown(strange).prompt.choices if one.name.startswith("accept")]
    assert [one.look for one in kept] == ["plain", "plain"]


def test_a_tray_that_must_leave_its_place_is_put_elsewhere() -> None:
    card = shown(shot(TURN, seen={"due": (replace(MARCH, kind="off"),)}, table=TABLE))
    assert [(one.name, one.text) for one in card.prompt.choices] == [
        ("stay", "It stays where it is"),
        ("move-tray", "Put it elsewhere"),
    ]


def test_where_a_decided_move_may_end_is_chosen_and_drawn() -> None:
    there = Pose(20.0, 20.0, 0.0)
    one = TrayEnd("to its left", (("b1", there),))
    due = replace(MARCH, ends=(one,), detail="with its front")
    screen = Screen()
    card = shown(shot(TURN, seen={"due": (due,)}, table=TABLE), screen)
    assert [(c.name, c.text, c.look) for c in card.prompt.choices] == [
        ("end:0", "to its left", "primary"),
        ("move-tray", "Move the tray", "plain"),
    ]
    assert card.prompt.text == "with its front"
    (drawn,) = card.prompt.ends
    assert (drawn.piece, drawn.text, len(drawn.outline)) == ("b1", "to its left", 4)
    assert sum(x for x, _ in drawn.outline) / 4 == pytest.approx(20.0)
    press(screen, card.prompt.choices, "end:0")
    assert screen.asked == [MoveTap("end", "b1")]
    two = replace(due, ends=(one, replace(one, text="to its right")))
    card = shown(shot(TURN, seen={"due": (two,)}, table=TABLE))
    assert [c.look for c in card.prompt.choices] == ["plain", "plain", "plain"]
    assert card.prompt.ends == (), "not before one is chosen"
    rolling = shown(shot(ROLL, seen={"due": (two,)}, table=TABLE))
    assert rolling.kind == "due-move", "its player chooses before dice are rolled for it"


# -- other screens ---------------------------------------------------------------------------------


def test_what_another_screen_proposes_is_agreed_to_or_not() -> None:
    undo = JointCommands(({"do": "undo"},), ("red",), ("blue",), asks="Undo")
    screen = Agreeing()
    card = shown(shot(TURN, proposals=(undo,), seen={"undo": "Swords march."}), screen)
    assert (card.kind, card.prompt.title) == ("proposal", "Question from Boris: do you agree?")
    assert card.prompt.text == "Undo: Swords march"
    assert [(one.name, one.text, one.acts) for one in card.prompt.choices] == [
        ("agree", "Agree", ("blue",)),
        ("decline", "Not agreed", ("blue",)),
    ]
    for choice in card.prompt.choices:
        assert screen.tap({"tap": choice.tap}) is None
    assert screen.asked == [AgreeTap(undo, True), AgreeTap(undo, False)]
    redo = replace(undo, commands=({"do": "redo"},), asks="Redo: Swords march")
    assert shown(shot(TURN, proposals=(redo,))).prompt.text == "Redo: Swords march"


def test_what_all_must_tap_is_gold_for_who_has_not() -> None:
    both = Choice("All pass", ({"do": "pass"},), "primary", shared=True)
    own = Choice("Rally", ({"do": "rally"},), "primary")
    prompt = replace(TURN, seats=("blue", "red"), choices=(both, own))
    tapped = JointCommands(both.commands, ("red",), ("blue",))
    here = shot(prompt, proposals=(tapped,))

    def looks(screen: Screen) -> list[tuple[str, str]]:
        return [(one.look, one.detail) for one in shown(here, screen).prompt.choices]

    assert looks(Screen("blue")) == [("primary", "already tapped: Boris"), ("plain", "")]
    assert looks(Screen("red")) == [("quiet", "waits for Anna"), ("plain", "")]
    assert looks(Screen()) == [("primary", "already tapped: Boris"), ("primary", "")]
    alone = shown(shot(prompt), Screen("blue")).prompt.choices[0]
    assert alone.detail == "happens when every player has tapped it"
    assert shown(shot(prompt), Screen()).prompt.choices[0].detail == ""


# -- the parts of a prompt -------------------------------------------------------------------------


def test_cells_answer_a_prompt_and_say_who_may() -> None:
    mine = replace(GO, mark="danger", piece="b1")
    theirs = replace(GO, cell=(3, 3), by=("red",), shared=True)
    prompt = replace(TURN, cells=(mine, theirs, TargetCell((5, 5), ())))
    screen = Screen()
    cells = shown(shot(prompt, table=BOARD), screen).prompt.cells
    assert [(one.cell, one.acts, one.mark, one.piece, one.shared) for one in cells] == [
        ("2,2", ("blue",), "danger", "b1", False),
        ("3,3", ("red",), "", "", True),
    ]
    assert screen.tap({"tap": cells[0].tap}) is None
    assert screen.sent == [*GO.commands]
    own = shown(shot(prompt, table=BOARD), Screen("red")).prompt.cells
    assert [one.cell for one in own] == ["3,3"]
    assert shown(shot(replace(prompt, secret=True), table=BOARD)).prompt.cells == ()


def test_where_the_trays_of_a_prompt_go_is_drawn() -> None:
    there = Pose(20.0, 20.0, 90.0)
    end = TrayEnd("1", (("b1", there), ("gone", there)))
    card = shown(shot(replace(TURN, ends=(end,)), table=TABLE))
    assert [(one.piece, one.text) for one in card.prompt.ends] == [("b1", "1")]
    assert shown(shot(replace(TURN, ends=(end,)))).prompt.ends == ()


def test_symbols_of_dice_are_entered_and_shown() -> None:
    sword = DiceSymbol("G", "sword", "swords", "green", "a hit", "good")
    blank = DiceSymbol("-", "blank", "", "white")
    request = DiceRequest(2, {"do": "roll"}, sides=3, symbols=(sword, sword, blank))
    screen = Screen()
    prompt = Prompt("attack", "Attack", dice=request, rolled=(sword, 4))
    card = shown(shot(prompt), screen)
    (dice,) = card.prompt.dice
    assert [(one.symbol, one.name, one.faces, one.detail) for one in dice.symbols] == [
        ("G", "sword", 2, "a hit"),
        ("-", "blank", 1, ""),
    ]
    assert [(one.value, one.text, one.tone) for one in dice.face_keys] == [
        (1, "sword", "good"),
        (3, "blank", ""),
    ]
    assert card.prompt.rolled == ("sword", 4)
    assert [(one.symbol, one.colour) for one in card.prompt.rolled_symbols] == [("G", "green")]
    assert screen.tap({"tap": dice.tap, "faces": ["G", 3]}) is None
    assert screen.sent == [{"do": "roll", "faces": ["G", "-"]}]


def test_folded_choices_of_a_rival_are_no_row() -> None:
    card = Choice("Play a card", ({"do": "play"},), "folded", by=("red",))
    own = replace(card, by=("blue",))
    prompt = replace(TURN, choices=(card, own, replace(card, look="plain", by=("red",))))
    found = shown(shot(prompt, seen={"rivals": ("red",)})).prompt.choices
    assert [(one.look, one.acts) for one in found] == [("folded", ("blue",)), ("plain", ("red",))]
    assert len(shown(shot(prompt)).prompt.choices) == 3


def test_the_coach_is_asked_by_who_decides_alone() -> None:
    screen = Agreeing()
    coached = {"coach": True}
    choices = shown(shot(TURN, seen=coached), screen).prompt.choices
    assert names(choices) == ["coach"]
    press(screen, choices, "coach")
    assert screen.asked == [CoachTap("blue")]
    for prompt in (
        replace(TURN, seats=("blue", "red")),
        replace(TURN, secret=True, seats=("blue",)),
        replace(ROLL, seats=("blue",)),
        replace(TURN, seats=()),
    ):
        assert "coach" not in names(shown(shot(prompt, seen=coached)).prompt.choices)
    assert names(shown(shot(TURN, seen=coached), Screen("red")).prompt.choices) == []
    rival = {"coach": True, "rivals": ("blue",)}
    assert names(shown(shot(TURN, seen=rival)).prompt.choices) == []
    assert names(shown(shot(TURN)).prompt.choices) == []
    advice = Prompt("coach", "The best", seats=("blue",))
    card = shown(shot(TURN, advice=(advice,)), screen)
    assert (card.kind, card.prompt.title, card.behind) == ("prompt", "The best", ())
    (off,) = card.prompt.choices
    assert (off.name, off.text, off.look) == ("coach", "Back to the game", "quiet")
    press(screen, card.prompt.choices, "coach")
    assert screen.asked[1:] == [CoachTap("")]


def test_a_guide_says_what_to_tap_to_those_who_may() -> None:
    leave = Choice("Leave the guide", ({"do": "guide", "on": False},), "quiet")
    guide = GuideStep(2, 5, "Tap the Swords", "they may act", "b1", "Tap March", leave)
    card = shown(shot(TURN, seen={"guide": guide}))
    assert card.guide is not None
    assert (card.guide.step, card.guide.text, card.guide.why, card.guide.piece) == (
        "Step 2 of 5", "Tap the Swords", "they may act", "b1",
    )  # fmt: skip
    assert card.guide.leave is not None
    assert card.guide.leave.text == "Leave the guide"
    chosen = shown(shot(TURN, chosen="b1", offers=(MARCH,), seen={"guide": guide}))
    assert chosen.guide is not None
    assert (chosen.guide.text, chosen.guide.piece) == ("Tap March", "")
    assert shown(shot(TURN, seen={"guide": guide}), Screen("red")).guide is None
    won = shown(shot(TURN, notices=(notice(),), seen={"guide": guide}))
    assert won.guide is None, "another card comes first"


# -- aiming ----------------------------------------------------------------------------------------


def test_an_offer_without_a_proposal_is_picked_and_aimed_at_a_cell() -> None:
    move = ActionOffer("move", "Move", (), "b1", cells=(GO,), closes=True)
    screen = Screen()
    card = shown(shot(TURN, chosen="b1", offers=(MARCH, move), table=BOARD), screen)
    assert card.picked is not None
    tap = next(one.tap for one in card.offers if one.kind == "move")
    assert screen.tap({"tap": tap}) is None
    assert (screen.picked, screen.sent) == (offer_key(move), [])
    assert screen.picked_offer() == move
    done = replace(MARCH, moves=False, closes=True)
    card = shown(shot(TURN, chosen="b1", offers=(done,), decided=2), screen)
    assert screen.tap({"tap": card.offers[0].tap}) is None
    assert (screen.asked, screen.sent) == ([None], [*MARCH.commands]), "nothing more is to be done"


def test_of_a_family_each_cell_is_offered_once() -> None:
    there = replace(GO, cell=(3, 3))
    walk = ActionOffer("walk", "Walk", (), "b1", cells=(GO,), family="go")
    run = ActionOffer("run", "Run", (), "b1", cells=(GO, there), family="go")
    here = Snapshot(table=BOARD, chosen="b1", offers=(walk, run), view=shot(TURN).view)
    found = [
        (offer.kind if offer else "", [one.cell for one in aimed.cells])
        for offer, aimed in aiming(here, None)
    ]
    assert found == [("walk", [(2, 2)]), ("run", [(3, 3)])]
    only = replace(here, offers=(walk, replace(run, cells=(GO,))))
    assert [offer.kind for offer, _ in aiming(only, None) if offer] == ["walk"]
    picked = [offer.kind for offer, _ in aiming(here, offer_key(run)) if offer]
    assert picked == ["walk", "run"], "its whole family is meant"
    free = replace(here, offers=(replace(walk, family=""), replace(run, family="")))
    assert [len(aimed.cells) for _, aimed in aiming(free, None)] == [1, 2]


def test_while_several_stand_elsewhere_no_cell_takes_a_tap() -> None:
    move = ActionOffer("move", "Move", (), "b1", cells=(GO,))
    two = (WRONG, replace(WRONG, piece="r1"))
    here = shot(TURN, chosen="b1", offers=(move,), table=BOARD, cell_moves=two)
    assert list(aiming(here, None)) == []
    assert target_at(replace(here, cell_moves=()), None, (2, 2)) is not None


def test_a_question_of_the_camera_names_its_answers() -> None:
    asked = CameraQuestion(
        "kneel", "Robb kneels", "?", (Choice("Kneel", ({"do": "a"},)), Choice("No", ({"do": "b"},)))
    )
    card = shown(shot(TURN, camera_questions=(asked,)))
    assert names(card.prompt.choices) == ["question:0", "question:1", "not-so"]
    assert (card.kind, card.prompt.id, card.prompt.title) == (
        "camera-question", "kneel", "Robb kneels",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [("en", "Rule", "Rules"), ("de", "Regel", "Regeln"), ("ru", "Правило", "Правила")],
)
def test_several_rules_are_named_in_the_plural(language: str, one: str, two: str) -> None:
    words = catalogue(language, game="tmg").translate
    assert words(rules_line("")) == ""
    assert words(rules_line("TMG-ATK-5")) == f"{one} TMG-ATK-5"
    assert words(rules_line("TMG-ATK-5, TMG-ATK-6")) == f"{two} TMG-ATK-5, TMG-ATK-6"
