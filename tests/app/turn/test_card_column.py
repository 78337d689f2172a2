"""The card beside the table: no tap and no die is lost while a camera goes on measuring."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from kivy.base import EventLoop
from kivy.metrics import dp

from companion.app.scripted.driver import Driver, Finger
from companion.app.turn.card_column import CardColumn
from companion.app.turn.dice_entry import DiceEntry
from companion.app.turn.prompt_cards import fact_line
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.tap_guard import ON_ITS_WAY_S, TapGuard
from companion.engine.files.begun_dice import BegunDice, begun_dice, keep_begun_dice
from companion.engine.snapshot import Notice, Snapshot
from companion.engine.turn.handles import Handles
from companion.engine.turn.turn_view import ViewMaker
from companion.games.api.game_screen import CameraQuestion
from companion.games.api.new_game import SeatView
from companion.games.api.prompt import (
    ActionOffer,
    Choice,
    DiceRequest,
    DiceSymbol,
    Entry,
    Fact,
    Prompt,
    PromptForm,
)
from companion.games.api.screen_views import PieceView
from companion.session.game_view import GameView
from models import Pose, Table, Unit
from models.unit import Tray
from tests.app.conftest import opened

TRAY = Tray("infantry", 5.5, 4.8, 12, 3)
FACES = DiceRequest(
    4, {"do": "dice"}, wanted=4, count_field="hits", chances=(0.1, 0.2, 0.4, 0.2, 0.1)
)
TOTAL = DiceRequest(
    2,
    {"do": "test"},
    wanted=6,
    count_field="total",
    chances=(1 / 11,) * 11,
    extra=(DiceRequest(1, {"do": "test"}, "wounds", 3, single=True, if_failed=True),),
)


END = Choice("End the turn", ({"do": "end-turn"},), "primary")


class Owner:
    """Stands for the table screen: remembers what was sent."""

    def __init__(self) -> None:
        self.sent: list[Mapping[str, Any]] = []
        self.liked = SimpleNamespace(dice="count")

    def send(self, *commands: Mapping[str, Any]) -> None:
        self.sent += commands

    def when_done(self, act: Callable[[], object]) -> None:
        self.answered = act
        if self.at_once:
            act()

    dice_camera, at_once = None, True

    def prefer_dice(self, how: str) -> None:
        self.liked.dice = how

    def begun_dice(self, game: str, step: int) -> BegunDice:
        return begun_dice(self.folder, game, step)

    def keep_dice(self, begun: BegunDice) -> None:
        keep_begun_dice(self.folder, begun)

    folder = Path()
    """Where dice are kept that are entered in part."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_: None

    guard: TapGuard


def shown(seq: int, prompt: Prompt, decided: int = 1, **more: Any) -> Snapshot:
    """The state after a step; only `decided` counts steps that players made."""
    piece = PieceView("b1", "Sworn Swords", "Sworn Swords", "blue")
    view = GameView(
        (SeatView("blue", "Anna", 1),),
        ("blue",),
        prompts=(prompt,),
        pieces=(piece,),
        decided=decided,
    )
    return Snapshot(seq, "a.game", state={"seq": seq, "game": "toy"}, view=view, **more)


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """One window for all of them."""
    made = opened(tmp_path_factory.mktemp("column"))
    yield made
    made.stop()


@pytest.fixture
def column(driver: Driver, tmp_path: Path) -> CardColumn:
    """A column alone in the window."""
    driver.waited_s += ON_ITS_WAY_S  # nobody's finger is on its way from the test before
    return alone(driver, tmp_path)


def alone(driver: Driver, folder: Path) -> CardColumn:
    """A column as after the start of the app."""
    owner = Owner()
    owner.folder, owner.guard = folder, driver.app.guard
    made = CardColumn(owner)  # type: ignore[arg-type]
    made.size_hint, made.size = (None, None), (390, 560)
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(made)
    return made


def sent(column: CardColumn) -> list[Mapping[str, Any]]:
    """The commands that the card sent."""
    assert isinstance(column.owner, Owner)
    return column.owner.sent


def kind(column: CardColumn) -> str:
    """Which card is shown."""
    return column.view.kind


def settled(driver: Driver, column: CardColumn, snapshot: Snapshot) -> None:
    column.show(snapshot)
    driver.steps(6)


def touch(
    driver: Driver,
    column: CardColumn,
    name: str,
    between: Any = None,
    nth: int = 0,
    looks: bool = True,
) -> None:
    """A finger on a key for a few frames; `between` happens while it is there.

    One who `looks` waits for what has just come there.
    """
    key = [one for one in column.walk() if getattr(one, "name", "") == name][nth]
    here = driver.place(key)
    if looks:
        driver.look_first(*here)
    finger = Finger(*here)
    EventLoop.post_dispatch_input("begin", finger)
    if between is not None:
        driver.until(lambda: key.state == "down")
        between()
        driver.steps(1)
    EventLoop.post_dispatch_input("end", finger)
    driver.steps(4)


def test_positions_that_arrive_under_a_finger_do_not_swallow_the_tap(
    driver: Driver, column: CardColumn
) -> None:
    prompt = Prompt("attack-dice", "Attack", dice=FACES)
    settled(driver, column, shown(1, prompt))
    other = replace(prompt, dice=replace(FACES, chances=(0.2,) * 5), text="now from the flank")
    touch(driver, column, "count:3", lambda: column.show(shown(2, other)))
    assert sent(column) == [{"do": "dice", "hits": 3}]
    assert column.head.lower.text == "Now from the flank"


def test_new_positions_alone_do_not_build_the_card_anew(driver: Driver, column: CardColumn) -> None:
    prompt = Prompt("attack-dice", "Attack", dice=FACES)
    settled(driver, column, shown(1, prompt))
    before = list(column.rows.column.children)
    settled(driver, column, shown(2, replace(prompt)))
    assert column.rows.column.children == before


def test_dice_already_entered_are_kept_when_the_odds_change(
    driver: Driver, column: CardColumn
) -> None:
    column.owner.prefer_dice("faces")
    prompt = Prompt("attack-dice", "Attack", dice=FACES)
    settled(driver, column, shown(1, prompt))
    for face in (2, 5):
        touch(driver, column, f"die:{face}")
    other = replace(prompt, dice=replace(FACES, chances=(0.2,) * 5))
    settled(driver, column, shown(2, other))
    (entry,) = [one for one in column.walk() if isinstance(one, DiceEntry)]
    assert list(entry.rolled) == [2, 5]
    entry.remove_die(1)
    entry.remove_die(1)  # two fingers on one die
    assert list(entry.rolled) == [2]
    settled(driver, column, shown(3, other, decided=3))  # another attack: other dice
    (entry,) = [one for one in column.walk() if isinstance(one, DiceEntry)]
    assert not entry.rolled


@pytest.mark.parametrize(("asked", "top"), [("coach", 1.0), ("many", 0.0)])
def test_an_answer_of_the_coach_is_read_from_its_first_line(
    driver: Driver, column: CardColumn, asked: str, top: float
) -> None:
    """The list that led there may have been scrolled; the same question stays where it is."""
    many = tuple(Choice(f"Choice {n}", ({"do": "note", "text": str(n)},)) for n in range(20))
    settled(driver, column, shown(1, Prompt("many", "Many", choices=many)))
    column.rows.scroll_y = 0
    settled(driver, column, shown(1, Prompt(asked, "Coach", choices=many[::-1])))
    assert column.rows.scroll_y == top


@pytest.mark.parametrize("sides", [6, 10])
def test_no_key_moves_when_dice_are_entered(driver: Driver, column: CardColumn, sides: int) -> None:
    """Each die has its place before it lies there, also at the end of a long list."""
    column.owner.prefer_dice("faces")
    settled(driver, column, shown(1, Prompt("dice", "Dice", dice=replace(FACES, sides=sides))))
    column.rows.scroll_y = 0
    driver.rest()
    keys = [one for one in column.walk() if getattr(one, "name", "").startswith("die:")]
    places = [one.to_window(*one.pos) for one in keys]
    high = column.rows.column.height
    for face in (2, 5, 2):
        touch(driver, column, f"die:{face}")
        driver.rest()
        assert [one.to_window(*one.pos) for one in keys] == places
        assert column.rows.column.height == high
    # What is entered stands over the keys: it is seen where the finger is.
    (entry,) = [one for one in column.walk() if isinstance(one, DiceEntry)]
    assert entry.shown.to_window(*entry.shown.pos)[1] > max(y for _, y in places)


def test_the_dice_of_an_offer_survive_new_positions(driver: Driver, column: CardColumn) -> None:
    roll = DiceRequest(1, {"do": "action", "action": "charge"}, "die", wanted=4, single=True)
    offer = ActionOffer("charge", "Charge", (roll.command,), "b1", odds="50 %", dice=roll)
    prompt = Prompt("turn-start", "Your turn", pieces=("b1",), seats=("blue",))
    settled(driver, column, shown(1, prompt, chosen="b1", offers=(offer,)))
    touch(driver, column, "do-offer")
    assert kind(column) == "roll"
    nearer = replace(offer, odds="67 %", dice=replace(roll, wanted=3))
    settled(driver, column, shown(2, prompt, chosen="b1", offers=(nearer,)))
    assert kind(column) == "roll"
    assert column.view.prompt.dice[0].need == 3
    settled(driver, column, shown(3, prompt, 3, chosen="b1", offers=(nearer,)))
    assert kind(column) == "piece"


def test_a_second_tap_on_the_same_dice_is_not_sent_twice(
    driver: Driver, column: CardColumn
) -> None:
    prompt = Prompt("test", "Panic", dice=TOTAL)
    settled(driver, column, shown(1, prompt))
    touch(driver, column, "count:9")
    touch(driver, column, "count:9", looks=False)
    assert sent(column) == [{"do": "test", "total": 9}]


def test_a_total_is_shown_while_its_die_is_asked_and_can_be_entered_anew(
    driver: Driver, column: CardColumn
) -> None:
    passed = PromptForm("Passed without a roll", {"do": "pass-test"}, (), look="quiet")
    prompt = Prompt("test", "Panic", "Roll two dice.", dice=TOTAL, forms=(passed,))
    settled(driver, column, shown(1, prompt))
    assert column.view.prompt.forms
    touch(driver, column, "count:4")
    assert column.head.lower.text == "Entered: 4."
    assert not column.view.prompt.forms  # it has been rolled
    touch(driver, column, "anew")
    assert column.head.lower.text == "Roll two dice."
    assert column.view.prompt.forms
    touch(driver, column, "count:9")
    assert sent(column) == [{"do": "test", "total": 9}]


def test_the_card_stays_as_it_was_tapped_until_the_game_has_answered(
    driver: Driver, column: CardColumn
) -> None:
    """However long it takes: dice that were sent lie there, and nothing else is offered."""
    owner = column.owner
    assert isinstance(owner, Owner)
    owner.prefer_dice("faces")
    owner.at_once = False
    prompt = Prompt("attack-dice", "Attack", dice=replace(FACES, count=2))
    settled(driver, column, shown(1, prompt))
    for face in (2, 5):
        touch(driver, column, f"die:{face}")
    (entry,) = [one for one in column.walk() if isinstance(one, DiceEntry)]
    settled(driver, column, shown(2, replace(prompt, text="the camera measures on")))
    assert (sent(column), entry.rolled) == ([{"do": "dice", "faces": [2, 5]}], [2, 5])
    assert column.rows.opacity < 1
    touch(driver, column, "die:6")
    assert len(sent(column)) == 1
    owner.answered()  # and refused: they are entered again
    driver.steps(4)
    assert (entry.rolled, column.rows.opacity) == ([], 1)
    for face in (3, 3):
        touch(driver, column, f"die:{face}")
    column.show(shown(3, Prompt("turn", "Your turn", choices=(END,)), decided=2))
    assert column.head.title.text == "Attack"
    owner.answered()
    assert column.head.title.text == "Your turn"


def test_refused_dice_can_be_entered_again(driver: Driver, column: CardColumn) -> None:
    prompt = Prompt("test", "Panic", dice=TOTAL)
    settled(driver, column, shown(1, prompt))
    touch(driver, column, "count:4")
    touch(driver, column, "die:2")
    settled(driver, column, shown(1, prompt))  # the game says no, and waits as before
    touch(driver, column, "count:4")
    touch(driver, column, "die:3")
    assert [one["wounds"] for one in sent(column)] == [2, 3]


def test_the_app_rolls_all_dice_and_says_so_where_some_are_entered(
    driver: Driver, column: CardColumn
) -> None:
    column.owner.prefer_dice("faces")
    settled(driver, column, shown(1, Prompt("attack-dice", "Attack", dice=FACES)))
    (key,) = [one for one in column.walk() if getattr(one, "name", "") == "app-rolls"]
    assert key.text == "App rolls"
    touch(driver, column, "die:2")
    assert key.text == "App rolls all 4 dice"
    touch(driver, column, "drop:0")
    assert key.text == "App rolls"


@pytest.mark.parametrize(
    ("said", "chance", "shown"),
    [
        ("72 % to pass", 0.72, "72 % to pass"),
        ("Morale 6+", 0.72, "Morale 6+ · 72 %"),
        ("Morale 6+", 0.996, "Morale 6+ · > 99 %"),
    ],
)
def test_a_chance_is_said_once(driver: Driver, said: str, chance: float, shown: str) -> None:
    """Once and alike on every screen: the record holds the words."""
    maker = ViewMaker(Snapshot(), Handles(), str, None, True)
    view = maker.fact(Fact(said, "good", chance))
    assert view.text == shown
    box = fact_line(view)
    (text,) = [one for one in box.walk() if isinstance(one, Text)]
    assert re.sub(r"\[.*?\]", "", text.text).replace("\u00a0", " ") == f"✓ {shown}"
    assert " %" not in text.text  # the sign never begins a line


def test_what_is_known_comes_and_goes_without_shifting_the_rows_of_pieces(
    driver: Driver, column: CardColumn
) -> None:
    """A tap on a row fell between two of them: a line about an answering card had come above."""
    act = Choice("Act", ({"do": "activate", "unit": "b1"},), piece="b1")
    prompt = Prompt("turn", "Your turn", seats=("blue",), pieces=("b1",), choices=(act,))
    told = replace(prompt, facts=(Fact("Red may answer with a card first: ask"),))
    unit = Unit("b1", "blue", "Swords", TRAY, Pose(9, 9, 0))
    table = Table("tmg-2021", 48.0, 48.0, units=(unit,))
    places = []
    for seq, (one, high) in enumerate(
        ((prompt, 560), (told, 560), (told, 700), (replace(prompt), 700)), 1
    ):
        column.height = high
        settled(driver, column, shown(seq, one, table=table))
        row = next(one for one in column.walk() if getattr(one, "name", "") == "unit:b1")
        places.append(column.top - row.to_window(*row.pos)[1])
        words = [one.text for one in column.walk() if isinstance(one, Text)]
        assert any("may answer" in text for text in words) is (one is told)
    assert len(set(places)) == 1


def test_what_the_camera_saw_of_a_card_is_confirmed_or_left(
    driver: Driver, column: CardColumn
) -> None:
    kneel = {"do": "kneel", "cards": ["c1"]}
    choice = Choice("Kneel", (kneel,), "primary")
    question = CameraQuestion("kneel", "Robb Stark kneels", "", (choice,))
    snapshot = shown(1, Prompt("pass", "Act or pass"), camera_questions=(question,))
    settled(driver, column, snapshot)
    assert column.head.title.text == "Robb Stark kneels"
    gold = [one for one in column.walk() if getattr(one, "look", "") == "primary"]
    assert [one.name for one in gold] == ["question:0"]
    touch(driver, column, "question:0", looks=False)
    assert sent(column) == [], "the finger was on its way to what lay there before"
    driver.until(lambda: not driver.app.guard.resting)
    touch(driver, column, "question:0")
    assert sent(column) == [kneel]
    refused: list[str] = []
    column.owner.refuse_question = refused.append  # type: ignore[method-assign, assignment]
    settled(driver, column, replace(snapshot))  # the game has answered
    touch(driver, column, "not-so")
    assert refused == ["kneel"]
    settled(driver, column, replace(snapshot, number=2, camera_questions=()))
    assert column.head.title.text == "Act or pass"


def test_put_back_and_keep_stay_in_their_places_through_a_queue(
    driver: Driver, column: CardColumn
) -> None:
    """One spot tapped through a queue always puts back, one leaves it for later, and what lies
    under them keeps the move, or nothing lies there."""
    table = Table(
        "tmg-2021", 48.0, 48.0, units=(Unit("b1", "blue", "Swords", TRAY, Pose(9, 9, 0)),)
    )
    march = ActionOffer("march", "March", piece="b1")
    moved = Notice("b1", "Swords moved", "march", True, Pose(1, 1, 0), table, actions=(march,))
    cards = [
        moved,
        replace(moved, unsure=True),
        replace(moved, legal=False, actions=(), agreeable=(march,)),
        replace(moved, legal=False, actions=(), possible=False),
    ]
    places, lowest = set(), []
    for number, one in enumerate(cards):
        snapshot = shown(number + 1, Prompt("pass", "Act"), notices=(one,))
        settled(driver, column, snapshot)
        keys = {getattr(key, "name", ""): key for key in column.walk()}
        spots = (driver.place(keys[name]) for name in ("correct", "later"))
        places.add(tuple(tuple(map(round, spot)) for spot in spots))
        heights = {
            name: key.to_window(*key.pos)[1]
            for name, key in keys.items()
            if name.startswith(("accept", "later"))
        }
        lowest.append(min(heights, key=heights.__getitem__))
    assert len(places) == 1
    assert lowest == ["accept:march", "later", "later", "later"], "a stray tap costs nothing"


MINE = Choice("Sworn Shields", ({"do": "shields"},))


def test_a_card_that_comes_by_itself_books_nothing_where_another_button_lay(
    driver: Driver, column: CardColumn
) -> None:
    """The finger saw "End the turn", and a tray was laid down meanwhile."""
    table = Table(
        "tmg-2021", 48.0, 48.0, units=(Unit("b1", "blue", "Swords", TRAY, Pose(9, 9, 0)),)
    )
    roll = DiceRequest(1, {"do": "action"}, "die", wanted=4, single=True)
    march = ActionOffer("charge", "End the turn, Charge", (roll.command,), "b1", dice=roll)
    notice = Notice("b1", "Swords moved", "charge", True, Pose(1, 1, 0), table, actions=(march,))
    kept: list[str] = []
    column.owner.keep_move = lambda unit, action="", commands=(): kept.append(action)  # type: ignore[method-assign]
    prompt = Prompt("turn", "Your turn", choices=(MINE, END), seats=("blue",))
    settled(driver, column, shown(1, prompt))
    names = {getattr(one, "name", ""): one for one in column.walk()}
    spots = [driver.place(names[f"choice:{one}"]) for one in ("end-turn", "shields")]
    for spot in spots:
        settled(driver, column, shown(2, prompt, notices=(notice,)))
        driver.until(lambda: not driver.app.guard.resting)
        driver.touch(*spot)
        driver.steps(8)
        assert (kept, sent(column), kind(column)) == ([], [], "moves"), "nothing is booked"
        settled(driver, column, shown(3, prompt))
        driver.until(lambda: not driver.app.guard.resting)
    settled(driver, column, shown(4, prompt, notices=(notice,)))
    driver.until(lambda: not driver.app.guard.resting)
    driver.press("accept:charge")  # by those who have seen it
    assert kind(column) == "roll"


def test_a_card_that_goes_by_itself_ends_no_turn_under_the_finger(
    driver: Driver, column: CardColumn
) -> None:
    """The tray was put back just before "Later" was tapped."""
    table = Table(
        "tmg-2021", 48.0, 48.0, units=(Unit("b1", "blue", "Swords", TRAY, Pose(9, 9, 0)),)
    )
    notice = Notice("b1", "Swords moved", "not its turn", False, Pose(1, 1, 0), table)
    prompt = Prompt("turn", "Your turn", choices=(END,), seats=("blue",))
    settled(driver, column, shown(1, prompt, notices=(notice,)))
    spot = driver.place(next(one for one in column.walk() if getattr(one, "name", "") == "later"))
    settled(driver, column, shown(2, prompt))
    driver.until(lambda: not driver.app.guard.resting)
    driver.touch(*spot)
    driver.steps(4)
    assert sent(column) == []
    touch(driver, column, "choice:end-turn")
    assert sent(column) == [{"do": "end-turn"}], "the second tap has seen it"


def test_a_card_that_has_come_by_itself_a_while_ago_takes_the_first_tap(
    driver: Driver, column: CardColumn
) -> None:
    table = Table(
        "tmg-2021", 48.0, 48.0, units=(Unit("b1", "blue", "Swords", TRAY, Pose(9, 9, 0)),)
    )
    notice = Notice("b1", "Swords moved", "not its turn", False, Pose(1, 1, 0), table)
    prompt = Prompt("turn", "Your turn", choices=(END,), seats=("blue",))
    settled(driver, column, shown(1, prompt, notices=(notice,)))
    settled(driver, column, shown(2, prompt))
    driver.waited_s += ON_ITS_WAY_S
    key = next(x for x in column.walk() if getattr(x, "name", "") == "choice:end-turn")
    driver.touch(*driver.place(key))
    driver.steps(4)
    assert sent(column) == [{"do": "end-turn"}]


@pytest.mark.parametrize("prompt", [Prompt("dice", "Attack", dice=FACES), Prompt("pass", "Act")])
def test_a_tray_that_cannot_lie_there_is_put_back_beside_anything_else(
    driver: Driver, column: CardColumn, prompt: Prompt
) -> None:
    """It stands over another one when the camera comes back: nothing keeps it there."""
    units = (
        Unit("b1", "blue", "Swords", TRAY, Pose(9, 9, 0)),
        Unit("b2", "blue", "Bowmen", TRAY, Pose(10, 9, 0)),
    )
    table = Table("tmg-2021", 48.0, 48.0, units=units)
    moved = Notice("b1", "Swords moved", "march", True, Pose(1, 1, 0), table)
    bad = replace(moved, unit="b2", title="Bowmen moved", legal=False, possible=False)
    settled(driver, column, shown(1, prompt, notices=(moved, bad)))
    names = [getattr(key, "name", "") for key in column.walk()]
    assert "correct:b2" in names
    assert "accept:b2" not in names


@pytest.mark.parametrize(("wide", "columns"), [(340, 1), (780, 2)])
def test_upright_long_choices_lie_beside_each_other(
    driver: Driver, column: CardColumn, wide: int, columns: int
) -> None:
    choices = tuple(
        Choice(f"a long choice, number {n}", ({"do": "contact", "n": n},), look="quiet")
        for n in range(4)
    )
    before, column.width = column.width, dp(wide)
    settled(driver, column, shown(1, Prompt("contact", "Contact", "How?", choices=choices)))
    found = column.foot.children[-1].cols
    column.width = before
    assert found == columns


@pytest.mark.rule("TMG-MEL-5")
def test_of_two_rows_of_one_name_the_one_that_was_tapped_is_done(
    driver: Driver, column: CardColumn
) -> None:
    play = [
        Choice("Play a card", ({"do": "play", "worth": n / 2},), detail=f"{n} tokens", look="shown")
        for n in (1, 2)
    ]
    settled(driver, column, shown(1, Prompt("turn", "Turn", seats=("blue",), choices=tuple(play))))
    names = [one.name for one in column.view.prompt.choices]
    assert len(set(names)) == 1
    touch(driver, column, names[0], nth=1)
    touch(driver, column, "do-choice")
    assert [one["worth"] for one in sent(column)] == [1.0]


def test_gold_is_always_the_lowest_button(driver: Driver, column: CardColumn) -> None:
    """What ends the turn lay where the gold of a row was looked for: a card was not played."""
    card = Choice("Play a card", ({"do": "play"},), look="shown")
    settled(driver, column, shown(1, Prompt("turn", "Turn", seats=("blue",), choices=(card, END))))

    def lowest() -> str:
        pressed = [one for one in column.foot.walk() if isinstance(one, TouchButton) and one.text]
        return str(min(pressed, key=lambda one: float(one.y)).text)

    assert lowest() == "End the turn"
    touch(driver, column, column.view.prompt.choices[0].name)
    assert lowest() == "Play a card"
    touch(driver, column, "do-choice")
    assert sent(column) == [{"do": "play"}]


def test_a_shift_before_the_dice_lies_above_them(driver: Driver, column: CardColumn) -> None:
    unit = Unit("b1", "blue", "Swords", TRAY, Pose(9, 9, 0))
    table = Table("tmg-2021", 48.0, 48.0, units=(unit,))
    snapshot = shown(1, Prompt("attack-dice", "Attack", dice=FACES), table=table)
    shift = ActionOffer("shift", "Swords may shift up to 2″ first", piece="b1")
    assert snapshot.view is not None
    settled(driver, column, replace(snapshot, view=replace(snapshot.view, due=(shift,))))
    keys = {getattr(key, "name", ""): key for key in column.walk()}
    (dice,) = [one for one in column.walk() if isinstance(one, DiceEntry)]
    assert keys["due:b1"].y >= dice.top


def test_dice_chosen_one_by_one_leave_the_gold_to_the_usual_reroll(
    driver: Driver, column: CardColumn
) -> None:
    """A form that nobody has filled in is no next step (27.9)."""
    dice = tuple((place, str(face)) for place, face in enumerate((1, 2, 6)))
    form = PromptForm(
        "Roll", {"do": "again"}, (Entry("places", "", "several", dice),), rolls="places"
    )
    misses = Choice("Reroll 2 dice", ({"do": "misses"},), "primary")
    settled(driver, column, shown(1, Prompt("rolled", "Dice", forms=(form,))))
    assert looks(column) == {"send:again": "primary"}
    settled(driver, column, shown(2, Prompt("rolled", "Dice", choices=(misses,), forms=(form,))))
    assert [name for name, look in looks(column).items() if look == "primary"] == ["choice:misses"]
    touch(driver, column, "choice:misses")
    assert [one["do"] for one in sent(column)] == ["misses"]
    token = replace(misses, look="plain")  # who spends a token decides it: nothing is gold
    settled(driver, column, shown(3, Prompt("rolled", "Dice", choices=(token,), forms=(form,))))
    assert "primary" not in looks(column).values()


def test_the_chances_on_the_keys_are_whole_numbers(driver: Driver, column: CardColumn) -> None:
    """37.5 % stood beside 6 %, which is 6.25 %."""
    dice = replace(FACES, chances=(0.0625, 0.25, 0.375, 0.25, 0.0625))
    settled(driver, column, shown(1, Prompt("defense-dice", "Defense", dice=dice)))
    told = [str(getattr(one, "text", "")).replace("\u00a0", " ") for one in column.walk()]
    assert any("38 %" in text for text in told)
    assert not any("37.5" in text for text in told)


def test_what_is_asked_before_the_roll_stays_above_the_keys_of_a_low_card(
    driver: Driver, column: CardColumn
) -> None:
    facts = Fact("Ask Red first", "warn"), Fact("Into the flank", "good")
    settled(driver, column, shown(1, Prompt("attack-dice", "Attack", dice=FACES, facts=facts)))
    (dice,) = [one for one in column.walk() if isinstance(one, DiceEntry)]
    lines = {one.text: one for one in column.walk() if isinstance(one, Text)}
    (asked,) = [line for text, line in lines.items() if "Ask Red first" in text]
    (known,) = [line for text, line in lines.items() if "Into the flank" in text]
    assert asked.y >= dice.top > known.y


def test_dice_that_a_player_marked_are_what_gold_rolls_again(
    driver: Driver, column: CardColumn
) -> None:
    """Any dice may be rolled again: gold said "3 dice" where two were marked."""
    dice = tuple((place, str(face)) for place, face in enumerate((1, 2, 2, 6)))
    form = PromptForm(
        "Roll", {"do": "again"}, (Entry("places", "", "several", dice),), rolls="places"
    )
    misses = Choice("Reroll 3 dice", ({"do": "misses"},), "primary")
    settled(driver, column, shown(1, Prompt("rolled", "Dice", choices=(misses,), forms=(form,))))
    touch(driver, column, "places:3")
    touch(driver, column, "places:3")  # no longer marked
    assert looks(column)["choice:misses"] == "primary"
    touch(driver, column, "places:0")
    touch(driver, column, "places:1")
    (gold,) = [one for one in column.walk() if getattr(one, "look", "") == "primary"]
    assert gold.name == "send:again"
    assert "2 dice: 1, 2" in {getattr(one, "text", "") for one in gold.walk()}
    assert "choice:misses" in {getattr(one, "name", "") for one in column.walk()}
    touch(driver, column, "send:again")
    assert [dice.count for dice in column.view.prompt.dice] == [2]  # what they show now


def looks(column: CardColumn) -> dict[str, str]:
    """The buttons that send something, by name."""
    found = ((getattr(one, "name", ""), getattr(one, "look", "")) for one in column.walk())
    return {name: look for name, look in found if name.startswith(("send:", "choice:"))}


SYMBOLS = [DiceSymbol(f"S{n}", f"S{n}", "star", "red") for n in range(1, 7)]


def entry_of(column: CardColumn) -> DiceEntry:
    return next(one for one in column.walk() if isinstance(one, DiceEntry))


def test_a_die_that_was_tapped_is_there_again_after_the_app_was_killed(
    driver: Driver, column: CardColumn, tmp_path: Path
) -> None:
    """What was shown is on disk: each die, and each kind of dice that is complete."""
    owner = column.owner
    owner.liked.dice = "faces"  # type: ignore[misc]
    orders = DiceRequest(3, {"do": "orders"}, symbols=tuple(SYMBOLS), sides=6)
    settled(driver, column, shown(5, Prompt("orders", "Orders", dice=orders)))
    entry_of(column).add(4)
    entry_of(column).add(2)
    entry_of(column).remove_die(0)
    again = alone(driver, tmp_path)
    settled(driver, again, shown(5, Prompt("orders", "Orders", dice=orders)))
    assert entry_of(again).rolled == [2]
    for face in (1, 1):
        entry_of(again).add(face)
    assert sent(again) == [{"do": "orders", "faces": ["S2", "S1", "S1"]}]
    settled(driver, again, shown(6, Prompt("orders", "Orders", dice=orders), 6))
    assert entry_of(again).rolled == []
    settled(driver, again, shown(7, Prompt("orders", "Orders", dice=orders), 1))  # undone
    assert entry_of(again).rolled == []


def test_a_total_that_was_entered_is_there_again_after_the_app_was_killed(
    driver: Driver, column: CardColumn, tmp_path: Path
) -> None:
    settled(driver, column, shown(5, Prompt("test", "Test", dice=TOTAL)))
    touch(driver, column, "count:3")
    assert entry_of(column).dice.count == 1
    again = alone(driver, tmp_path)
    settled(driver, again, shown(5, Prompt("test", "Test", dice=TOTAL)))
    assert entry_of(again).dice.count == 1
    entry_of(again).add(2)
    assert sent(again) == [{"do": "test", "total": 3, "wounds": 2}]
