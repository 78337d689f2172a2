"""What a screen shows beside the card: pages, score, corrections, clock; and what one seat looks at
alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.engine.snapshot import Snapshot
from companion.engine.turn.clock_view import clock_face, running_side, times_shown
from companion.engine.turn.handles import LookTap
from companion.engine.turn.selection import form_key
from companion.engine.turn.turn_records import FormView, PageView, PromptView
from companion.games.api.prompt import Choice, DiceRequest, Entry, Prompt, PromptForm
from companion.games.api.screen_views import (
    Page,
    PageCard,
    ScoreLine,
    ScoreView,
    SeatScore,
    Section,
)
from tests.engine.turn.test_turn_screen import (
    PIECES,
    SWORDS,
    TURN,
    Screen,
    names,
    press,
    shot,
    shown,
    view,
)

PLAY = Choice("Play", ({"do": "play"},))
DROP = Choice("Drop", ({"do": "drop"},), by=("red",))
CARD = PageCard("c1", "the raven", ("flies",), "blue", choices=(PLAY, DROP))
HAND = Page("hand", "Hand", "cards", (Section("Yours", (CARD,)),), "2")
DIE = DiceRequest(1, {"do": "reroll"}, "face", single=True)


def test_a_page_is_made_with_new_handles_and_only_if_the_game_has_it() -> None:
    screen = Screen("blue")
    prompt = replace(TURN, choices=(PLAY,))
    card = shown(shot(prompt, seen={"pages": (HAND,)}), screen)
    page = screen.page("hand")
    assert page is not None
    assert (page.title, page.icon, page.badge) == ("Hand", "cards", "2")
    (box,) = page.sections[0].boxes
    assert (box.title, box.lines) == ("The raven", ("Flies",))
    assert names(page.choices) == ["choice:play"], "blue does not press what is red's"
    assert screen.tap({"tap": page.choices[0].tap}) is None
    assert screen.sent == [{"do": "play"}]
    assert screen.tap({"tap": card.prompt.choices[0].tap}) is not None, "the page's count now"
    assert screen.page("board") is None


def test_the_score_page_takes_the_points_and_says_who_has_won() -> None:
    screen = Screen()
    form = PromptForm("Points", {"do": "vp"}, (Entry("n", "How many", "number"),), by=("blue",))
    seats = (SeatScore("blue", 5, 10, "VP", "two wins", form), SeatScore("red", 3, place="place 2"))
    lines = (ScoreLine("blue", "the hill", 1, "b1", False, (PLAY,), "at the end"),)
    score = ScoreView(
        seats, lines, replace(PLAY, text="Take them"), "", "", (DROP,), ("a hill: 1",)
    )
    screen.see(shot(TURN, seen={"score": score}))
    page = screen.score_page()
    assert page is not None
    assert [(one.points, one.goal, one.unit, one.detail) for one in page.seats] == [
        (5, 10, "VP", "Two wins"),
        (3, None, "", "Place 2"),
    ]
    assert [one.form is not None for one in page.seats] == [True, False]
    (line,) = page.lines
    assert (line.text, line.detail, line.points, line.seat, line.piece, line.sure) == (
        "The hill", "At the end", 1, "blue", "b1", False,
    )  # fmt: skip
    assert names(line.choices) == ["choice:play"]
    assert page.confirm is not None
    assert (page.confirm.text, names(page.ends)) == ("Take them", ["choice:drop"])
    assert (page.winner, page.won) == ("", "")
    assert (page.terms_title, page.terms) == ("What scores in this game", ("A hill: 1",))
    other = Screen("red")
    other.see(shot(TURN, seen={"score": replace(score, winner="blue", terms=())}))
    page = other.score_page()
    assert page is not None
    assert (page.winner, page.won, page.terms_title) == ("blue", "Anna wins", "")
    assert page.seats[0].form is None, "it is blue's"
    other.see(shot(TURN))
    assert other.score_page() is None


def test_a_piece_is_corrected_by_its_buttons_and_forms() -> None:
    form = PromptForm("Wounds", {"do": "wound"}, (Entry("n", "How many", "number"),))
    foreign = replace(form, text="Lift", command={"do": "lift"}, by=("red",))
    piece = replace(SWORDS, corrections=(PLAY, DROP), forms=(form, foreign))
    screen = Screen("blue")
    screen.see(shot(TURN, seen={"pieces": (piece, *PIECES[1:])}))
    page = screen.corrections("b1")
    assert page is not None
    assert page.title == "Sworn Swords: effect or correction"
    assert names(page.choices) == ["choice:play"]
    assert [one.text for one in page.forms] == ["Wounds"]
    assert screen.tap({"tap": page.forms[0].tap, "values": {"n": 2}}) is None
    assert screen.sent == [{"do": "wound", "n": 2}]
    plain = screen.corrections("b2")
    assert plain is not None
    assert plain.sections[0].boxes == ()
    assert screen.corrections("nobody") is None


def test_the_clock_is_started_set_and_put_away() -> None:
    screen = Screen()
    screen.see(shot(TURN))
    clock = screen.clock()
    assert (clock.used, clock.running, clock.side, names(clock.choices)) == (
        False, False, "", ["clock-run"],
    )  # fmt: skip
    sides = {"blue": {"used": 61.0, "left": 3599.0}, "red": {"used": 600.0, "left": -59.5}}
    state = {"clock": {"running": True, "side": "red", "sides": sides}}
    screen.see(shot(TURN, state=state))
    clock = screen.clock()
    assert (clock.used, clock.running, clock.side) == (True, True, "red")
    assert [(one.text, one.look) for one in clock.choices] == [
        ("Pause the clock", "primary"),
        ("Put the clock away", "plain"),
    ]
    assert clock.text == "All together: 11:01 played, 58:59 left"
    assert [(one.name, one.used, one.left) for one in clock.sides] == [
        ("Anna", 61.0, 3599.0),
        ("Boris", 600.0, -59.5),
    ]
    assert [one.text for one in clock.sides[0].choices] == ["−5 min", "+5 min"]
    for choice in (*clock.choices, *clock.sides[1].choices):
        assert screen.tap({"tap": choice.tap}) is None
    assert screen.sent == [
        {"do": "clock", "action": "pause"},
        {"do": "clock", "action": "off"},
        {"do": "clock", "action": "add", "side": "red", "seconds": -300},
        {"do": "clock", "action": "add", "side": "red", "seconds": 300},
    ]
    sides["red"].pop("left")
    screen.see(shot(TURN, state=state))
    clock = screen.clock()
    assert clock.text == "All together: 11:01 played"
    (first,) = clock.sides[1].choices
    assert (first.text, clock.sides[1].left) == ("60 min", None)
    assert screen.tap({"tap": first.tap}) is None
    assert screen.sent[-1] == {"do": "clock", "action": "set", "side": "red", "minutes": 60}
    alone = {"clock": {"sides": {"blue": {"used": 5.0}}}}
    screen.see(shot(TURN, state=alone))
    assert screen.clock().text == ""


def with_clock(running: bool, side: str | None, **sides: dict[str, float]) -> Snapshot:
    return Snapshot(state={"clock": {"running": running, "side": side, "sides": sides}})


BLUE, RED = {"used": 60.0}, {"used": 90.0, "left": 30.0}


@pytest.mark.parametrize(
    ("snapshot", "runs", "shown"),
    [
        (Snapshot(), "", ()),
        (with_clock(False, "red", blue=BLUE, red=RED), "", (("blue", "1:00"), ("red", "0:30"))),
        (with_clock(True, "red", blue=BLUE, red=RED), "red", (("blue", "1:00"), ("red", "0:25"))),
        (with_clock(True, "blue", blue=BLUE, red=RED), "blue", (("blue", "1:05"), ("red", "0:30"))),
        (with_clock(True, "b", a=BLUE, b=BLUE, c=RED), "b", (("b", "1:05"), ("", "3:35"))),
        (with_clock(False, None, a=BLUE, b=RED, c=RED), "", (("a", "1:00"), ("", "4:00"))),
    ],
    ids=["no clock", "paused", "what is left", "what is used", "of three", "of three, none yet"],
)
def test_a_line_has_two_times_and_the_running_one_goes_on(
    snapshot: Snapshot, runs: str, shown: tuple[tuple[str, str], ...]
) -> None:
    assert running_side(snapshot) == runs
    assert times_shown(snapshot, 5.0) == shown


@pytest.mark.parametrize(
    ("seconds", "face"), [(0.0, "0:00"), (0.9, "0:00"), (61.0, "1:01"), (-61.0, "−1:01")]
)
def test_a_time_is_told_in_minutes_and_seconds(seconds: float, face: str) -> None:
    assert clock_face(seconds) == face


# -- alone -----------------------------------------------------------------------------------------


def test_a_hand_is_offered_to_each_player_who_has_one_and_not_to_a_rival() -> None:
    own = {"pages": (HAND,), "secrets": (("hand", "blue"), ("hand", "red"), ("other", "blue"))}
    screen = Screen()
    screen.see(shot(TURN, seen={**own, "rivals": ("red",)}))
    page = screen.page("hand")
    assert page is not None
    (button,) = page.hands
    assert (button.name, button.acts, button.detail) == ("hand:blue", ("blue",), "Anna")
    screen.tap({"tap": button.tap})
    assert screen.asked == [LookTap("blue", "page", "hand", "Hand")]
    blue = Screen("blue")
    blue.see(shot(TURN, seen=own))
    page = blue.page("hand")
    assert page is not None
    assert page.hands == (), "a screen of one's own shows it"


def test_one_seat_looks_alone_at_its_page_its_secret_or_its_form() -> None:
    entry = Entry("card", "Card", options=(("x", "X"),))
    form = PromptForm("Play a card", {"do": "play"}, (entry,), seat="blue", opens=True)
    secret = Prompt(
        "plots", "Plots", seats=("blue", "red"), secret=True, choices=(PLAY,), forms=(form,)
    )
    own = view(secret, pages=(HAND,))
    screen = Screen()
    screen.see(shot(Prompt("plots", "Plots", seats=("blue", "red"), secret=True)))
    page = screen.alone(LookTap("blue", "page", "hand"), own)
    assert isinstance(page, PageView)
    assert page.hands == ()
    assert screen.alone(LookTap("blue", "page", "board"), own) is None
    prompt = screen.alone(LookTap("blue", "prompt", "plots"), own)
    assert isinstance(prompt, PromptView)
    assert names(prompt.choices) == ["choice:play"]
    assert prompt.forms == (), "it has a cover of its own"
    assert press(screen, prompt.choices, "choice:play") is None
    assert screen.sent == [{"do": "play"}]
    assert screen.alone(LookTap("blue", "prompt", "other"), own) is None
    nothing = view(replace(secret, choices=(), forms=()))
    assert screen.alone(LookTap("blue", "prompt", "plots"), nothing) is None
    filled = screen.alone(LookTap("blue", "form", form_key(form)), own)
    assert isinstance(filled, FormView)
    assert (filled.text, filled.acts) == ("Play a card", ("blue",))
    assert screen.tap({"tap": filled.tap, "values": {"card": "x"}}) is None
    assert screen.sent[1:] == [{"do": "play", "card": "x"}]
    assert screen.alone(LookTap("blue", "form", "another"), own) is None


# -- forms with dice -------------------------------------------------------------------------------


def test_dice_that_a_form_rolls_again_are_entered_after_it() -> None:
    entry = Entry(
        "again", "Which?", "several", (("0", "a 2"), ("1", "a 3"), ("d3", "the D3")), most=3
    )
    other = replace(DIE, sides=3)
    form = PromptForm(
        "Roll again", {"do": "reroll"}, (entry,), rolls="again", other_dice=(("d3", other),)
    )
    screen = Screen()
    card = shown(shot(replace(TURN, forms=(form,))), screen)
    assert screen.tap({"tap": card.prompt.forms[0].tap, "values": {"again": ["0", "d3"]}}) is None
    assert screen.sent == []
    card = screen.card()
    assert (card.kind, card.prompt.title) == ("roll", "Roll again")
    (dice,) = card.prompt.dice
    assert (dice.count, dice.sides, dice.then) == (1, 6, 1)
    assert screen.tap({"tap": dice.tap, "faces": [4]}) is None
    (dice,) = screen.card().prompt.dice
    assert (dice.count, dice.sides) == (1, 3)
    assert screen.tap({"tap": dice.tap, "faces": [2]}) is None
    assert screen.sent == [{"do": "reroll", "again": ["0", "d3"], "faces": [4], "face": 2}]


def test_dice_entered_before_the_app_ended_are_gone_on_with() -> None:
    extra = DiceRequest(1, {"do": "roll"}, "d3", 3, single=True)
    request = DiceRequest(2, {"do": "roll"}, count_field="hits", wanted=4, extra=(extra,))
    asked = Prompt("attack", "Attack", dice=request)
    for given, text, left in (
        ((("hits", 1),), "Entered: 1.", 1),
        ((("faces", [2, 5]),), "Entered: 2, 5.", 1),
        ((("hits", 7),), "", 2),
        ((("other", 1),), "", 2),
        ((("hits", 1), ("d3", 2)), "", 2),
        ((), "", 2),
    ):
        screen = Screen()
        screen.see(shot(TURN, asked))
        screen.go_on_entering(given)
        screen.show_first("attack")
        card = screen.card()
        assert (card.prompt.text, card.prompt.dice[0].count) == (text, left), given
    screen = Screen()
    screen.see(shot(TURN))
    screen.go_on_entering((("hits", 1),))
    assert screen.entered is None


def test_nothing_is_shown_of_a_snapshot_without_a_game() -> None:
    screen = Screen()
    screen.see(Snapshot())
    assert screen.score_page() is None
    assert screen.place() is None
    assert screen.clock().sides == ()
