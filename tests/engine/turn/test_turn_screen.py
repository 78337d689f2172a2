"""One viewer of a turn: which card is shown, what stands on it, and what each tap does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from companion.engine.moves.cell_ways import Way
from companion.engine.snapshot import CellMove, Notice, Snapshot
from companion.engine.turn.card_records import CardView
from companion.engine.turn.handles import LookTap, MoveTap
from companion.engine.turn.selection import (
    ends_shown,
    form_key,
    in_turn_still,
    offer_key,
    selected_after,
)
from companion.engine.turn.turn_records import ChoiceView
from companion.engine.turn.turn_screen import STALE, TurnScreen
from companion.games.api.game_screen import CameraQuestion
from companion.games.api.new_game import SeatView
from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import (
    ActionOffer,
    Choice,
    DiceRequest,
    Entry,
    Fact,
    Prompt,
    PromptForm,
    SeatTotal,
    TargetCell,
    TrayEnd,
)
from companion.games.api.screen_views import Badge, Page, PieceView, ScoreView, SeatScore
from companion.session.authors import JointCommands
from companion.session.game_view import GameView
from models import Pose, Table
from models.board import Board
from models.board_table import BoardPiece, BoardTable

SEATS = (SeatView("blue", "Anna", 1), SeatView("red", "Boris", 2))
SWORDS = PieceView(
    "b1", "Sworn Swords", "Swords", "blue", left=9, most=12, lines=("Speed 5",), leader=True
)
BOWS = PieceView("b2", "Bowmen", "Bows", "blue")
GUARDS = PieceView("r1", "Guardsmen", "Guards", "red", badges=(Badge("panicked"),))
PIECES = (SWORDS, BOWS, GUARDS)
DIE = DiceRequest(1, {"do": "charge", "unit": "b1"}, "die", wanted=3, single=True)
CHARGE = ActionOffer(
    "charge",
    "Charge",
    (DIE.command,),
    "b1",
    "r1",
    chance=4 / 6,
    odds="67 %",
    detail="far",
    dice=DIE,
)
MARCH = ActionOffer("march", "March", ({"do": "march", "unit": "b1"},), "b1", moves=True)
SHOOT = ActionOffer("shoot", "Shoot", (), "b1", verdict="no", rules=("TMG-1",), reason="no bow")
TURN = Prompt("turn-start", "Your turn", "Choose a unit", seats=("blue",), pieces=("b1", "b2"))
TABLE = Table.load(Path("models/data/practice.table.json"))


class Screen(TurnScreen):
    """Remembers what it was asked for."""

    def __init__(self, seat: str | None = None) -> None:
        super().__init__(seat)
        self.sent: list[Plain] = []
        self.asked: list[object] = []
        self.fingers = False

    def words(self, text: str) -> str:
        return str(text)

    def send(self, commands: Sequence[Plain]) -> Refusal | None:
        self.sent += commands
        return None

    def select(self, piece: str | None) -> Refusal | None:
        self.asked.append(piece)
        return None

    def look(self, tap: LookTap) -> None:
        self.asked.append(tap)

    def take_up(self, offer: ActionOffer) -> bool:
        self.asked.append(offer.kind)
        return self.fingers

    def decide(self, tap: MoveTap) -> Refusal | None:
        self.asked.append(tap)
        return None


def view(*prompts: Prompt, decided: int = 1, **more: Any) -> GameView:
    given: dict[str, Any] = {"seats": SEATS, "active": ("blue",), "pieces": PIECES, **more}
    return GameView(prompts=prompts, decided=decided, **given)


def shot(*prompts: Prompt, decided: int = 1, seen: Any = None, **more: Any) -> Snapshot:
    return Snapshot(1, "a.game", view=view(*prompts, decided=decided, **(seen or {})), **more)


def shown(snapshot: Snapshot, screen: Screen | None = None, blind: bool = False) -> CardView:
    screen = screen or Screen()
    screen.see(snapshot)
    return screen.card(blind)


def names(choices: Sequence[ChoiceView]) -> list[str]:
    return [choice.name for choice in choices]


def press(screen: Screen, choices: Sequence[ChoiceView], name: str, **given: Any) -> Refusal | None:
    tap = next(choice.tap for choice in choices if choice.name == name)
    return screen.tap({"tap": tap, **given})


# -- which card ------------------------------------------------------------------------------------


def notice(**more: Any) -> Notice:
    given: dict[str, Any] = {"legal": True, "actions": (MARCH,), **more}
    return Notice("b1", "Swords moved", "march", before=Pose(1, 1, 0), table=TABLE, **given)


QUESTION = CameraQuestion("kneel", "Robb kneels", "?", (Choice("Kneel", ({"do": "kneel"},)),))
CELL_MOVE = CellMove("b1", "Swords", "Where?")
ROLL = Prompt("attack", "Attack", dice=DiceRequest(2, {"do": "roll"}, wanted=4, count_field="hits"))


@pytest.mark.parametrize(
    ("snapshot", "blind", "kind"),
    [
        (shot(TURN, notices=(notice(),)), True, "camera"),
        (shot(ROLL, table=TABLE), True, "prompt"),
        (shot(TURN, notices=(notice(),), seen={"tabled": False}), True, "moves"),
        (shot(TURN, notices=(notice(),), cell_moves=(CELL_MOVE,)), False, "moves"),
        (shot(TURN, cell_moves=(CELL_MOVE,), camera_questions=(QUESTION,)), False, "cell-move"),
        (shot(TURN, camera_questions=(QUESTION,)), False, "camera-question"),
        (shot(ROLL, camera_questions=(QUESTION,), notices=(notice(),)), False, "prompt"),
        (shot(TURN, seen={"score": ScoreView((), winner="blue")}), False, "won"),
        (shot(TURN, chosen="b1", offers=(CHARGE,)), False, "piece"),
        (shot(TURN, seen={"due": (MARCH,)}, table=TABLE), False, "due-move"),
        (shot(ROLL, seen={"due": (MARCH,)}, table=TABLE), False, "prompt"),
        (shot(ROLL, chosen="b1", offers=(CHARGE,)), False, "prompt"),
        (shot(TURN), False, "prompt"),
        (shot(), False, "nothing"),
    ],
)
def test_the_most_urgent_card_is_shown(snapshot: Snapshot, blind: bool, kind: str) -> None:
    assert shown(snapshot, blind=blind).kind == kind


def test_a_piece_without_actions_is_shown_only_if_it_was_tapped() -> None:
    screen = Screen()
    screen.see(shot(TURN))
    assert shown(shot(TURN, chosen="b1"), screen).kind == "piece"
    assert shown(shot(TURN, chosen="b1", decided=2), screen).kind == "prompt"
    tapped = shown(shot(TURN, chosen="b1", chosen_at=2, decided=2), screen)
    assert tapped.kind == "piece", "the same piece again, after a correction of it"
    again = shown(shot(TURN, chosen="b1", chosen_at=1), Screen())
    assert again.kind == "piece", "a screen shown again"
    older = shown(shot(TURN, chosen="b1", chosen_at=1, decided=2), Screen())
    assert older.kind == "prompt", "selected before the newest step, or by the game"
    acting = {"pieces": (replace(SWORDS, state="acting"),)}
    again = shown(shot(TURN, chosen="b1", chosen_at=1, seen=acting), Screen())
    assert again.kind == "prompt", "what waits for the acting piece is not hidden"
    assert shown(shot(chosen="b1"), screen).kind == "piece"


def test_a_tray_that_is_taken_up_hides_no_question_behind_its_page() -> None:
    """The app takes up the tray of a charge by itself, and what is asked next stays in sight."""
    screen = Screen()
    screen.see(shot(TURN))
    taken: dict[str, Any] = {"chosen": "b1", "chosen_at": 1}
    assert shown(shot(TURN, **taken, by_itself=True), screen).kind == "prompt"
    assert shown(shot(TURN, **taken), Screen()).kind == "piece", "tapped by its player"


@pytest.mark.rule("TMG-MEL-5", "TMG-RET-9")
@pytest.mark.parametrize(("kind", "drawn"), [("align", False), ("turn", False), ("retreat", True)])
def test_a_move_at_will_is_not_drawn_before_anybody_chose_it(kind: str, drawn: bool) -> None:
    end = TrayEnd("50 % in contact", (("b1", Pose(1.0, 2.0, 90.0)),))
    due = replace(MARCH, kind=kind, commands=(), ends=(end,))
    assert ends_shown(shot(ROLL, seen={"due": (due,)}, table=TABLE)) == ((end,) if drawn else ())


@pytest.mark.parametrize("offers", [(), (MARCH,)])
def test_what_ends_the_turn_is_on_the_card_of_any_piece(offers: tuple[ActionOffer, ...]) -> None:
    """After its last action nobody has to close the piece to end the turn."""
    over = Choice("End the turn", ({"do": "end-turn"},), "primary")
    screen = Screen()
    screen.see(shot(replace(TURN, choices=(over,))))
    card = shown(shot(replace(TURN, choices=(over,)), chosen="b1", offers=offers), screen)
    assert (card.kind, card.ends and card.ends.text) == ("piece", "End the turn")
    assert card.ends is not None
    screen.tap({"tap": card.ends.tap})
    assert screen.sent == [{"do": "end-turn"}]


def test_offers_of_a_piece_whose_turn_is_over_are_not_shown_until_the_new_ones_come() -> None:
    before = shot(TURN, offers=(CHARGE, replace(MARCH, piece="")))
    assert in_turn_still(before, before.view) == before.offers
    over = view(TURN, active=("red",), decided=2)
    assert in_turn_still(before, over) == before.offers[1:]


def test_a_selected_piece_that_was_moved_was_not_asked_about() -> None:
    screen = Screen()
    screen.see(shot(TURN, table=TABLE))
    assert shown(shot(TURN, chosen="b1", table=TABLE), screen).kind == "piece"
    moved = TABLE.moved("b1", Pose(11, 11, 0))
    assert shown(shot(TURN, chosen="b1", table=moved), screen).kind == "prompt"


# -- the prompt ------------------------------------------------------------------------------------


def test_a_prompt_has_its_facts_totals_page_and_what_waits_behind() -> None:
    totals = (SeatTotal("blue", 8, "6 + 2"),)
    prompt = replace(
        TURN,
        facts=(Fact("Morale 6+", "good", 0.72),),
        totals=totals,
        page="score",
        rolled=(4, 2),
    )
    card = shown(shot(prompt, Prompt("later", "Later")))
    assert (card.prompt.title, card.prompt.text, card.seat) == (
        "Your turn",
        "Choose a unit",
        "blue",
    )
    assert [(fact.text, fact.tone, fact.chance) for fact in card.prompt.facts] == [
        ("Morale 6+ · 72 %", "good", 0.72)
    ]
    assert [(one.seat, one.total, one.detail) for one in card.prompt.totals] == [
        ("blue", 8, "6 + 2")
    ]
    assert (card.prompt.page, card.prompt.page_title) == ("score", "Score")
    assert card.prompt.rolled == (4, 2)
    assert [(one.id, one.title, one.text) for one in card.behind] == [("later", "Later", "")]
    (other,) = shown(shot(prompt, Prompt("pay", "Pay", "It may pay", ("red",)))).behind
    assert other.text.endswith(": It may pay"), "another player decides that"
    named = shown(
        shot(replace(prompt, page="cards"), seen={"pages": (Page("cards", "Hands", "", ()),)})
    )
    assert named.prompt.page_title == "Hands"
    both = shown(shot(replace(TURN, seats=("blue", "red"))))
    assert (both.seat, both.prompt.acts, both.prompt.page_title) == ("", ("blue", "red"), "")


def test_another_prompt_is_put_first_until_the_next_step() -> None:
    screen, later = Screen(), Prompt("later", "Later")
    screen.see(shot(TURN, later))
    screen.show_first("later")
    card = screen.card()
    assert (card.prompt.id, [one.id for one in card.behind]) == ("later", ["turn-start"])
    assert shown(shot(TURN, later, decided=2), screen).prompt.id == "turn-start"


def test_the_best_offers_are_named_while_no_piece_is_selected() -> None:
    more = [replace(MARCH, piece=piece) for piece in ("b2", "r1", "b3", "b4")]
    card = shown(shot(TURN, offers=(CHARGE, MARCH, SHOOT, *more), table=TABLE))
    assert [(offer.piece, offer.kind) for offer in card.best] == [
        ("b1", "charge"),
        ("b2", "march"),
        ("r1", "march"),
    ]
    assert [(tap.piece, tap.text, tap.selects) for tap in card.prompt.pieces] == [
        ("b1", "Swords", True),
        ("b2", "Bows", True),
    ]
    asked = shown(shot(replace(TURN, rolled=(3,)), offers=(CHARGE,), table=TABLE))
    assert asked.best == ()
    assert shown(shot(TURN, offers=(CHARGE,), seen={"tabled": False})).best == ()


def test_a_choice_of_a_piece_that_is_selected_first_stands_elsewhere() -> None:
    done = {"do": "done"}
    own = Choice("Bows", ({"do": "act", "unit": "b2"},), piece="b2")
    spent = replace(BOWS, state="spent")
    prompt = replace(TURN, choices=(own, Choice("Pass", (done,), "quiet")))
    card = shown(shot(prompt, seen={"pieces": (SWORDS, BOWS, GUARDS)}))
    assert [choice.elsewhere for choice in card.prompt.choices] == [True, False]
    card = shown(shot(prompt, seen={"pieces": (SWORDS, spent, GUARDS)}))
    assert [choice.elsewhere for choice in card.prompt.choices] == [False, False]
    confirm = Choice("Take them", (done,), "primary")
    score = ScoreView((), confirm=confirm)
    scoring = Prompt("scores", "Points", choices=(confirm,), page="score")
    assert shown(shot(scoring, seen={"score": score})).prompt.choices[0].elsewhere
    assert (
        not shown(shot(replace(scoring, page=""), seen={"score": score}))
        .prompt.choices[0]
        .elsewhere
    )
    other = replace(confirm, commands=({"do": "other"},))
    apart = shown(shot(replace(scoring, choices=(other,)), seen={"score": score}))
    assert not apart.prompt.choices[0].elsewhere


def test_a_secret_is_answered_by_each_seat_alone() -> None:
    screen = Screen()
    prompt = Prompt("plots", "Plots", seats=("blue", "red"), secret=True, answered=("red",))
    card = shown(shot(prompt), screen)
    assert names(card.prompt.choices) == ["secret:blue"]
    assert (card.prompt.acts, card.prompt.seats) == (("blue",), ("blue", "red"))
    assert press(screen, card.prompt.choices, "secret:blue") is None
    assert screen.asked == [LookTap("blue", "prompt", "plots", "Plots")]
    own = shown(shot(prompt), Screen("blue"))
    assert own.prompt.choices == ()


def test_a_form_of_one_seat_has_a_locked_row_for_the_shared_tablet() -> None:
    screen = Screen()
    entry = Entry("card", "Card", options=(("x", "X"),))
    form = PromptForm("Play a card", {"do": "play"}, (entry,), seat="blue", opens=True)
    card = shown(shot(replace(TURN, forms=(form,))), screen)
    (row,) = card.prompt.choices
    assert (row.icon, row.text, row.acts, row.asks) == ("lock", "Play a card", ("blue",), ("look",))
    screen.tap({"tap": row.tap})
    assert screen.asked == [LookTap("blue", "form", form_key(form), "Play a card")]
    assert card.prompt.forms == ()
    assert [
        one.text for one in shown(shot(replace(TURN, forms=(form,))), Screen("blue")).prompt.forms
    ]
    assert shown(shot(replace(TURN, forms=(form,))), Screen("red")).prompt.forms == ()


def test_a_form_is_filled_in_and_sent_and_checked() -> None:
    screen = Screen()
    form = PromptForm("Wounds", {"do": "wound"}, (Entry("n", "How many", "number", most=4),))
    empty = PromptForm("Nothing", {"do": "x"}, (Entry("card", "Card"),))
    card = shown(shot(replace(TURN, forms=(form, empty))), screen)
    (listed,) = card.prompt.forms
    assert listed == card.prompt.form
    assert (listed.name, listed.opens, listed.look) == ("form:wound", False, "plain")
    refusal = screen.tap({"tap": listed.tap, "values": {"n": 5}})
    assert refusal is not None
    assert not screen.sent
    assert screen.tap({"tap": listed.tap, "values": {"n": 3}}) is None
    assert screen.sent == [{"do": "wound", "n": 3}]


def test_what_a_seat_may_not_press_is_left_out() -> None:
    theirs = Choice("Counter", ({"do": "counter"},), by=("red",))
    both = Choice("All pass", ({"do": "pass"},), shared=True)
    prompt = replace(TURN, choices=(theirs, both))
    assert names(shown(shot(prompt), Screen("blue")).prompt.choices) == ["choice:pass"]
    assert names(shown(shot(prompt), Screen("red")).prompt.choices) == ["choice:counter"]
    shared = shown(shot(prompt)).prompt.choices
    assert [(one.acts, one.shared) for one in shared] == [(("red",), False), (("blue",), True)]


# -- the selected piece ----------------------------------------------------------------------------


def test_a_piece_has_what_it_may_do_and_why_not_the_rest() -> None:
    own = Choice("Rally", ({"do": "rally"},), piece="b1", icon="flag")
    same = Choice("March", ({"do": "march", "unit": "b1"},), piece="b1")
    prompt = replace(TURN, choices=(own, same))
    corrected = replace(SWORDS, corrections=(own,))
    card = shown(
        shot(
            prompt,
            chosen="b1",
            offers=(CHARGE, MARCH, SHOOT),
            seen={"pieces": (corrected, BOWS, GUARDS)},
        )
    )
    assert card.piece is not None
    assert (card.piece.name, card.piece.left, card.piece.most, card.piece.leader) == (
        "Sworn Swords",
        9,
        12,
        True,
    )
    assert (card.piece.lines, card.seat, card.correctable) == (("Speed 5",), "blue", True)
    assert [(one.name, one.asks) for one in card.offers] == [
        ("offer:charge:r1", ("dice",)),
        ("offer:march:b1", ()),
    ]
    assert card.picked is card.offers[0]
    assert [(one.name, one.why, one.reason) for one in card.refused] == [
        ("refused:shoot:", ("TMG-1",), "no bow")
    ]
    assert [(one.text, one.icon) for one in card.choices] == [("Rally", "flag")]
    assert (card.offers[0].chance, card.offers[0].needs) == (4 / 6, 3)
    guards = shown(shot(TURN, chosen="r1", offers=(CHARGE,)))
    assert guards.piece is not None
    assert (guards.piece.badges, guards.correctable) == (("panicked",), False)


def test_a_picked_offer_is_what_the_button_carries_out() -> None:
    screen = Screen()
    card = shown(shot(TURN, chosen="b1", offers=(CHARGE, MARCH)), screen)
    assert screen.pick(card.offers[1].tap) is None
    picked = screen.card().picked
    assert picked is not None
    assert picked.kind == "march"
    assert screen.aimed() == MARCH
    assert screen.picked_offer() == MARCH
    assert screen.asked == []
    assert screen.pick("o99") is STALE
    other = shown(shot(TURN, offers=(CHARGE,), table=TABLE), screen)
    screen.pick(other.best[0].tap)
    assert screen.asked == ["b1"], "its piece is selected"
    screen.see(shot(TURN, chosen="b1", offers=(CHARGE, MARCH), decided=9))
    assert screen.picked is None


def test_an_action_that_moves_its_tray_is_taken_up_by_a_finger_where_one_can() -> None:
    screen = Screen()
    card = shown(shot(TURN, chosen="b1", offers=(MARCH,)), screen)
    screen.tap({"tap": card.offers[0].tap})
    assert (screen.asked, screen.sent) == (["march"], [*MARCH.commands])
    screen.fingers = True
    screen.tap({"tap": card.offers[0].tap})
    assert screen.sent == [*MARCH.commands]


# -- dice ------------------------------------------------------------------------------------------


def test_an_offer_asks_for_its_dice_and_keeps_them_through_new_odds() -> None:
    screen = Screen()
    card = shown(shot(TURN, chosen="b1", offers=(CHARGE,)), screen)
    screen.tap({"tap": card.offers[0].tap})
    card = screen.card()
    assert (card.kind, card.prompt.title, card.prompt.text) == ("roll", "Charge", "far · 67 %")
    assert (card.seat, card.prompt.dice[0].need) == ("blue", 3)
    nearer = replace(CHARGE, odds="83 %", dice=replace(DIE, wanted=2))
    card = shown(shot(TURN, chosen="b1", offers=(nearer,), notices=(notice(),)), screen)
    assert (card.kind, card.prompt.text, card.prompt.dice[0].need) == ("roll", "far · 83 %", 2)
    assert [one.id for one in card.moves] == ["b1"], "a tray that comes to rest waits"
    assert screen.tap({"tap": card.prompt.dice[0].tap, "faces": [5]}) is None
    assert screen.sent == [{"do": "charge", "unit": "b1", "die": 5}]


def test_dice_that_are_entered_are_kept_through_new_odds() -> None:
    more = DiceRequest(2, DIE.command, "reroll")
    screen = Screen()
    two = replace(CHARGE, dice=replace(DIE, extra=(more,)))
    screen.tap({"tap": shown(shot(TURN, chosen="b1", offers=(two,)), screen).offers[0].tap})
    screen.tap({"tap": screen.card().prompt.dice[0].tap, "faces": [5]})
    nearer = replace(CHARGE, odds="83 %", dice=replace(DIE, wanted=2, extra=(more,)))
    card = shown(shot(TURN, chosen="b1", offers=(nearer,)), screen)
    assert (card.prompt.dice[0].count, card.prompt.dice[0].then) == (2, 0), "the second kind"
    farther = replace(CHARGE, dice=replace(DIE, count=3, extra=(more,)))
    card = shown(shot(TURN, chosen="b1", offers=(farther,)), screen)
    assert (card.prompt.dice[0].count, card.prompt.dice[0].then) == (3, 1), "other dice"


def test_dice_that_come_with_the_tap_on_an_offer_are_gone_on_with_under_its_name() -> None:
    """A program that sent the first kind of dice at once was asked for the second by a card without
    a title."""
    two = replace(CHARGE, dice=replace(DIE, extra=(DiceRequest(2, DIE.command, "reroll"),)))
    screen = Screen()
    tap = shown(shot(TURN, chosen="b1", offers=(two,)), screen).offers[0].tap
    refusal = screen.tap({"tap": tap, "faces": [7]})
    assert refusal is not None
    assert screen.card().kind == "piece", "nothing has begun"
    tap = screen.card().offers[0].tap
    assert screen.tap({"tap": tap, "faces": [5]}) is None
    card = screen.card()
    assert (card.kind, card.seat, card.prompt.title, card.prompt.text) == (
        "roll", "blue", "Charge", "far · 67 %",
    )  # fmt: skip
    assert card.prompt.dice[0].count == 2
    assert screen.tap({"tap": card.prompt.dice[0].tap, "faces": [1, 2]}) is None
    assert screen.sent == [{**DIE.command, "die": 5, "reroll": [1, 2]}]


def test_dice_are_put_away_by_not_now_by_another_piece_and_by_a_step() -> None:
    for ending in ("not now", "piece", "step"):
        screen = Screen()
        card = shown(shot(TURN, chosen="b1", offers=(CHARGE,)), screen)
        screen.tap({"tap": card.offers[0].tap})
        assert screen.card().kind == "roll"
        if ending == "not now":
            press(screen, screen.card().prompt.choices, "not-now")
        elif ending == "piece":
            screen.see(shot(TURN, chosen="b2", offers=(CHARGE,)))
        else:
            screen.see(shot(TURN, chosen="b1", offers=(CHARGE,), decided=2))
        assert screen.card().kind == "piece", ending
    assert screen.sent == []


def test_a_viewer_who_lets_the_app_roll_is_not_asked() -> None:
    screen = Screen()
    screen.app_rolls = True
    card = shown(shot(TURN, chosen="b1", offers=(CHARGE,)), screen)
    assert card.offers[0].asks == ()
    assert card.offers[0].reason == "the app rolls", "the button says so"
    screen.tap({"tap": card.offers[0].tap})
    assert screen.sent == [*CHARGE.commands]
    own = replace(CHARGE, dice=replace(DIE, optional=False))
    card = shown(shot(TURN, chosen="b1", offers=(own,)), screen)
    assert card.offers[0].asks == ("dice",)
    assert card.offers[0].reason == ""
    screen.tap({"tap": card.offers[0].tap})
    assert len(screen.sent) == 1
    screen.tap({"tap": card.offers[0].tap, "faces": [6]})
    assert screen.sent[1:] == [{**DIE.command, "die": 6}]


def test_the_dice_of_a_prompt_are_entered_one_kind_after_the_other() -> None:
    more = DiceRequest(1, {"do": "test"}, "d3", 3, single=True, if_failed=True)
    request = DiceRequest(
        2, {"do": "test"}, wanted=7, count_field="total", chances=(1 / 11,) * 11, extra=(more,)
    )
    screen = Screen()
    (dice,) = shown(shot(Prompt("panic", "Panic", dice=request)), screen).prompt.dice
    assert (dice.total, dice.by_count, dice.by_faces, dice.app_rolls, dice.then) == (
        True,
        True,
        True,
        True,
        1,
    )
    assert dice.text == "What is the total?"
    assert dice.face_text == "What did you roll?"
    assert (len(dice.count_keys), len(dice.face_keys)) == (11, 6)
    assert screen.tap({"tap": dice.tap, "count": 3, "faces": [1, 2]}) is not None
    assert screen.tap({"tap": dice.tap, "count": 3}) is None
    (second,) = screen.card().prompt.dice
    assert (second.sides, second.app_rolls, second.then, second.by_count) == (3, True, 0, False)
    assert screen.tap({"tap": second.tap, "faces": [2]}) is None
    assert screen.sent == [{"do": "test", "total": 3, "d3": 2}]
    (dice,) = screen.card().prompt.dice
    assert screen.tap({"tap": dice.tap, "count": 3}) is None
    assert screen.tap({"tap": screen.card().prompt.dice[0].tap}) is None
    assert screen.sent[1:] == [{"do": "test", "total": 3}], "the app rolls what is left"
    assert screen.tap({"tap": screen.card().prompt.dice[0].tap}) is None
    assert screen.sent[2:] == [{"do": "test"}]
    own = replace(request, extra=(replace(more, optional=False),))
    (dice,) = shown(shot(Prompt("panic", "Panic", dice=own)), screen).prompt.dice
    refusal = screen.tap({"tap": dice.tap})
    assert refusal is not None
    assert "does not roll" in refusal.say


def test_nothing_is_bought_once_the_dice_lie() -> None:
    """TAC-ATK-6: coins are paid before the roll."""
    request = DiceRequest(
        2, {"do": "attack"}, sides=10, wanted=6, count_field="hits", top_field="tens"
    )
    aimed = Choice("Aimed", ({"do": "pay"},), detail="1 silver stag")
    prompt = Prompt("attack", "Attack roll", "", dice=request, choices=(aimed,))
    screen = Screen()
    card = shown(shot(prompt), screen)
    assert [one.text for one in card.prompt.choices] == ["Aimed"]
    assert screen.tap({"tap": card.prompt.dice[0].tap, "count": 1}) is None
    assert [one.name for one in screen.card().prompt.choices] == ["anew"]


def test_a_total_that_is_entered_is_shown_and_may_be_taken_back() -> None:
    more = DiceRequest(1, {"do": "test"}, "d3", 3, single=True, if_failed=True)
    request = DiceRequest(
        2, {"do": "test"}, wanted=7, count_field="total", chances=(1 / 11,) * 11, extra=(more,)
    )
    facts = (Fact("Morale 7+"), Fact("58 % to pass", "good", 0.58))
    prompt = Prompt("panic", "Panic", "Roll two dice.", dice=request, facts=facts)
    screen = Screen()
    card = shown(shot(prompt), screen)
    assert (card.prompt.text, len(card.prompt.facts)) == ("Roll two dice.", 2)
    assert screen.tap({"tap": card.prompt.dice[0].tap, "count": 4}) is None
    card = screen.card()
    assert card.prompt.text == "Entered: 4."
    assert [fact.text for fact in card.prompt.facts] == ["Morale 7+"], "the chance is over"
    (anew,) = [one for one in card.prompt.choices if one.name == "anew"]
    assert screen.tap({"tap": anew.tap}) is None
    card = screen.card()
    assert (card.prompt.text, len(card.prompt.facts)) == ("Roll two dice.", 2)
    assert card.prompt.dice[0].count == 2
    assert not [one for one in card.prompt.choices if one.name == "anew"]
    assert screen.tap({"tap": card.prompt.dice[0].tap, "faces": [1, 3]}) is None
    assert screen.card().prompt.text == "Entered: 1, 3."
    assert screen.sent == []


def test_keys_that_do_not_belong_to_a_tap_are_refused() -> None:
    screen = Screen()
    prompt = replace(TURN, choices=(Choice("Pass", ({"do": "pass"},)),))
    card = shown(shot(prompt, offers=(MARCH, CHARGE)), screen)
    for tap, given in (
        (card.prompt.choices[0].tap, {"faces": [1]}),
        (card.prompt.pieces[0].tap, {"values": {}}),
    ):
        refusal = screen.tap({"tap": tap, **given})
        assert refusal is not None
        assert "does not belong" in refusal.say
    assert screen.tap({"tap": "c99"}) is STALE
    assert screen.tap({"tap": card.prompt.pieces[0].tap}) is None
    assert (screen.asked, screen.sent) == (["b1"], [])


def test_a_screen_does_only_what_it_can() -> None:
    """A view of a game that is over has no camera, no coach and nobody to agree."""
    screen = Screen()
    undo = JointCommands(({"do": "undo"},), ("red",), ("blue",), asks="Undo")
    card = shown(shot(TURN, proposals=(undo,)), screen)
    assert [screen.tap({"tap": one.tap}) for one in card.prompt.choices] == [STALE, STALE]
    card = shown(shot(TURN, seen={"coach": True}), screen)
    assert [screen.tap({"tap": one.tap}) for one in card.prompt.choices] == [STALE]
    assert TurnScreen.decide(screen, MoveTap("back", "b1")) is STALE
    assert not TurnScreen.take_up(screen, MARCH)


def test_no_tap_counts_while_an_answer_is_awaited() -> None:
    screen = Screen()
    prompt = replace(TURN, choices=(Choice("Pass", ({"do": "pass"},)),))
    card = shown(shot(prompt), screen)
    screen.handles.sleep()
    assert screen.tap({"tap": card.prompt.choices[0].tap}) is STALE
    screen.see(shot(prompt))
    assert screen.tap({"tap": card.prompt.choices[0].tap}) is None
    assert screen.sent == [{"do": "pass"}]


# -- what a camera saw -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "tone", "looks"),
    [
        (
            {},
            "good",
            {"correct": "plain", "later": "quiet", "accept:march": "primary", "accept": "quiet"},
        ),
        (
            {"unsure": True},
            "warn",
            {"correct": "plain", "later": "quiet", "accept:march": "plain", "accept": "quiet"},
        ),
        (
            {"actions": (MARCH, replace(MARCH, kind="maneuver"))},
            "good",
            {
                "correct": "plain",
                "later": "quiet",
                "accept:march": "plain",
                "accept:maneuver": "plain",
                "accept": "quiet",
            },
        ),
        (
            {"legal": False, "actions": (), "agreeable": (MARCH,), "rules": ("TMG-MAR-1",)},
            "bad",
            {"correct": "plain", "later": "quiet", "agree:march": "plain", "accept": "quiet"},
        ),
        (
            {"legal": False, "actions": (), "in_turn": False},
            "warn",
            {"correct": "plain", "later": "quiet", "accept": "quiet"},
        ),
        (
            {"legal": False, "actions": (), "barred": "rocks", "asked": True},
            "bad",
            {"accept-barred": "plain", "correct": "plain", "later": "quiet"},
        ),
    ],
)
def test_a_move_is_kept_as_an_action_or_put_back(more: Any, tone: str, looks: Any) -> None:
    screen = Screen()
    moved = notice(**more)
    another = replace(moved, unit="b2", legal=True, asked=False)
    card = shown(shot(TURN, notices=(moved, another)), screen)
    told_rules = "".join(f"Rule {one}" for one in moved.rules)
    assert (card.prompt.title, card.seat, card.prompt.why) == ("Swords moved", "blue", told_rules)
    told = f"Nothing may stand there: {moved.barred}." if moved.asked else "March"
    assert [(fact.text, fact.tone) for fact in card.prompt.facts] == [(told, tone)]
    assert {choice.name: choice.look for choice in card.prompt.choices} == looks
    assert [one.id for one in card.moves] == ["b2"]
    for name in looks:
        press(screen, card.prompt.choices, name)
    meant = {
        "later": MoveTap("later", "b1"),
        "correct": MoveTap("back", "b1"),
        "accept": MoveTap("keep", "b1"),
        "accept-barred": MoveTap("keep", "b1"),
    }
    kinds = {name: MoveTap("keep", "b1", name.partition(":")[2], MARCH.commands) for name in looks}
    assert screen.asked == [meant.get(name, kinds[name]) for name in looks]


def test_a_move_of_the_other_side_is_never_gold() -> None:
    """A finger may be on its way to what ends the turn: the golden place waits."""
    snapshot = shot(TURN, notices=(notice(),), seen={"active": ("red",)})
    found = {one.name: one.look for one in shown(snapshot, Screen()).prompt.choices}
    assert (found["accept:march"], found["later"]) == ("plain", "quiet")


def test_two_charges_of_the_same_words_say_by_which_way() -> None:
    ways = tuple(replace(CHARGE, detail=one) for one in ("3+, flank", "5+, flank, past the rocks"))
    card = shown(shot(TURN, notices=(notice(actions=ways),)), Screen())
    texts = [one.text for one in card.prompt.choices if one.name.startswith("accept:")]
    assert texts == [f"{CHARGE.text} · {one.detail}" for one in ways]


def test_a_move_that_rolls_dice_asks_for_them() -> None:
    screen = Screen()
    card = shown(shot(TURN, notices=(notice(actions=(CHARGE,)),)), screen)
    press(screen, card.prompt.choices, "accept:charge")
    assert screen.card().kind == "roll"
    assert screen.card().moves == (), "it is answered by its dice"
    assert screen.asked == []


@pytest.mark.parametrize(
    ("kind", "text", "look"),
    [
        ("march", "Move the tray", "primary"),
        ("pivot", "Turn it", "plain"),
        ("shift", "Shift it", "plain"),
    ],
)
def test_a_decided_move_is_made_or_not(kind: str, text: str, look: str) -> None:
    screen, due = Screen(), replace(MARCH, kind=kind)
    card = shown(shot(TURN, seen={"due": (due,)}, table=TABLE), screen)
    assert (card.prompt.title, card.seat) == ("March", "blue")
    assert [(one.name, one.text, one.look) for one in card.prompt.choices] == [
        ("stay", "It stays where it is", "plain"),
        ("move-tray", text, look),
    ]
    for choice in card.prompt.choices:
        screen.tap({"tap": choice.tap})
    assert screen.asked == [MoveTap("stay", "b1"), MoveTap("begin", "b1")]
    rolling = shown(shot(ROLL, seen={"due": (due,)}, table=TABLE), Screen())
    assert [(one.name, one.icon) for one in rolling.due] == [("due:b1", kind)]


BOARD = BoardTable(
    "toy",
    Board("square", 6, 6, 1.0),
    (BoardPiece("b1", "blue", cell=(1, 1)), BoardPiece("r1", "red", cell=(4, 4))),
)
GO = TargetCell((2, 2), ({"do": "go", "to": "2,2"},), text="1", detail="free")
NO_GO = TargetCell((3, 3), ())


@pytest.mark.parametrize(("then", "selected"), [("spent", None), ("acting", "b1")])
def test_the_card_of_a_piece_whose_turn_is_done_does_not_stay_open(
    then: Literal["spent", "acting"], selected: str | None
) -> None:
    """Also where the same player goes on, because the others have passed."""
    before, after = (
        GameView(active=("blue",), prompts=(TURN,), pieces=(replace(SWORDS, state=one), BOWS))
        for one in ("acting", then)
    )
    assert selected_after(before, "b1", BOARD, after) == selected
    assert selected_after(after, "b2", BOARD, after) == ("b1" if selected else "b2")


@pytest.mark.rule("BOW-CRD-7")
def test_who_has_others_act_is_selected_no_longer() -> None:
    ready, acting = (
        GameView(
            SEATS,
            ("blue",),
            pieces=(
                *(replace(SWORDS, id=one, state=state) for one in ("b2", "b3")),
                replace(SWORDS, id="b1", state="ready"),
            ),
        )
        for state in ("ready", "acting")
    )
    assert selected_after(ready, "b1", BOARD, acting) is None, "its moves are not drawn"
    assert selected_after(ready, "b2", BOARD, acting) == "b2"
    assert selected_after(acting, "b1", BOARD, acting) == "b1", "a look at it, while they act"


def test_a_piece_seen_on_another_cell_is_kept_asked_about_or_put_back() -> None:
    for cells, expected, tone, asked in (
        ((GO,), ["correct", "accept", "later"], "good", ""),
        ((NO_GO,), ["correct", "later"], "warn", ""),
        ((GO, NO_GO), ["correct", "later"], "warn", "Tap a marked space"),
    ):
        ways = (Way(GO),) if cells == (GO,) else ()
        screen, moved = Screen(), CellMove("b1", "Swords", "There?", cells, ways)
        card = shown(shot(TURN, cell_moves=(moved,), table=BOARD), screen)
        assert (names(card.prompt.choices), card.prompt.text) == (expected, asked)
        assert card.prompt.facts[0].tone == tone
        for choice in card.prompt.choices:
            screen.tap({"tap": choice.tap})
        cell = [MoveTap("place", "b1", cell=(2, 2))] if "accept" in expected else []
        later = [MoveTap("later", "b1")] if "later" in expected else []
        assert screen.asked == [MoveTap("place", "b1"), *cell, *later]
        screen.asked.clear()
        assert screen.tap_cell((2, 2), None) is (GO in cells)
        if GO in cells:
            assert screen.asked == [MoveTap("place", "b1", cell=(2, 2))]


def test_a_question_of_the_camera_is_answered_or_refused() -> None:
    screen = Screen()
    card = shown(shot(TURN, camera_questions=(QUESTION,)), screen)
    assert names(card.prompt.choices) == ["question:0", "not-so"]
    press(screen, card.prompt.choices, "question:0")
    press(screen, card.prompt.choices, "not-so")
    assert (screen.sent, screen.asked) == ([{"do": "kneel"}], [MoveTap("no", "kneel")])


# -- cells -----------------------------------------------------------------------------------------


def test_a_tap_on_a_cell_moves_answers_or_picks_an_attack() -> None:
    move = ActionOffer("move", "Move", (), "b1", cells=(GO,))
    hit = ActionOffer("hit", "Hit", ({"do": "hit"},), "b1", "r1")
    screen = Screen()
    screen.see(shot(TURN, chosen="b1", offers=(move, hit), table=BOARD))
    assert not screen.tap_cell((5, 5), None)
    assert screen.tap_cell((2, 2), None)
    assert screen.sent == [*GO.commands]
    assert screen.tap_cell((4, 4), "r1")
    assert (screen.picked, len(screen.sent)) == (offer_key(hit), 1)
    assert screen.tap_cell((4, 4), "r1")
    assert screen.sent[1:] == [{"do": "hit"}]
    asked = replace(TURN, cells=(GO,))
    screen.see(shot(asked, table=BOARD, decided=2))
    assert screen.tap_cell((2, 2), None)
    assert screen.sent[2:] == [*GO.commands]


def test_a_cell_of_an_offer_with_dice_asks_for_them_first() -> None:
    rolled = replace(GO, commands=(DIE.command,))
    move = ActionOffer("rush", "Rush", (), "b1", cells=(rolled,), dice=DIE, detail="quick")
    screen = Screen()
    card = shown(shot(TURN, chosen="b1", offers=(move,), table=BOARD), screen)
    assert card.picked is not None
    assert card.picked.asks == ("cell",)
    assert [(cell.cell, cell.text, cell.detail, cell.acts) for cell in card.picked.cells] == [
        ("2,2", "1", "free", ("blue",))
    ]
    screen.tap_cell((2, 2), None)
    assert screen.sent == []
    assert (screen.card().kind, screen.card().prompt.text) == ("roll", "quick")


# -- the end ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("winner", "title", "seat"), [("blue", "Anna wins", "blue"), ("draw", "A draw", "draw")]
)
def test_the_end_names_the_winner_and_the_points(winner: str, title: str, seat: str) -> None:
    points = (SeatScore("blue", 5, 10), SeatScore("red", 3, 10))
    score = ScoreView(points, winner=winner, how="by points")
    card = shown(shot(TURN, seen={"score": score}))
    assert (card.prompt.title, card.prompt.text, card.seat) == (title, "by points", seat)
    assert [(one.seat, one.total) for one in card.prompt.totals] == [("blue", 5), ("red", 3)]


def test_nothing_to_decide_says_where_the_game_stands() -> None:
    card = shown(shot(seen={"headline": "Round 2"}))
    assert (card.prompt.title, card.prompt.text) == ("Nothing to decide", "Round 2")
    assert Screen().card().prompt.text == ""


def test_what_is_announced_before_a_roll_is_named_in_the_record() -> None:
    """Each screen that shows the dice first joined the names for itself, or did not."""
    extra = Choice("One more die", ({"do": "announce"},))
    found = shown(shot(replace(ROLL, choices=(extra, replace(extra, text="Charm")))))
    assert found.prompt.before == "Before the roll, see below: One more die, Charm"
    assert shown(shot(ROLL)).prompt.before == ""
    assert shown(shot(replace(ROLL, dice=None, choices=(extra,)))).prompt.before == ""
