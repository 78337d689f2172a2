"""A second tap at the same spot never does what nobody has read, nor does it slow anybody down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.scripted.driver import Driver
from companion.app.turn.card_column import CardColumn
from companion.app.widgets.controls import TouchButton
from companion.app.widgets.tap_guard import AWAKE_S
from companion.games.api.prompt import Choice, DiceRequest, Prompt
from tests.app.conftest import opened
from tests.app.turn.test_card_column import FACES, alone, sent, settled, shown

ATTACK = Prompt("attack", "Attack", "Robb's Outriders roll", dice=replace(FACES, count=2))
SAVE = DiceRequest(1, {"do": "save"}, wanted=4, count_field="saved", chances=(0.5, 0.5))
DEFENCE = Prompt("defence", "Defence", "The Halberdiers roll", dice=SAVE)


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    made = opened(tmp_path_factory.mktemp("hasty"))
    yield made
    made.stop()


@pytest.fixture
def column(driver: Driver, tmp_path: Path) -> CardColumn:
    """A column alone in the window."""
    driver.waited_s += 9.0
    return alone(driver, tmp_path)


def spot(driver: Driver, column: CardColumn, name: str) -> tuple[float, float]:
    """Where a button of the card is."""
    driver.steps(6)
    return driver.place(next(one for one in column.walk() if getattr(one, "name", "") == name))


def tapped(driver: Driver, x: float, y: float) -> None:
    """A tap of somebody who does not look."""
    driver.touch(x, y)
    driver.steps(10)


@pytest.mark.parametrize("how", ["count", "faces"])
def test_the_last_key_of_one_roll_is_none_of_the_next(
    driver: Driver, column: CardColumn, how: str
) -> None:
    """The keys of the defender came where the attacker's stood, and one tap was his whole roll."""
    column.owner.prefer_dice(how)
    settled(driver, column, shown(1, ATTACK))
    name = "count:1" if how == "count" else "die:1"
    attack = spot(driver, column, name)
    tapped(driver, *attack)
    if how == "faces":
        tapped(driver, *attack)  # each of its dice is tapped as fast as one likes
    assert [one["do"] for one in sent(column)] == ["dice"]
    column.show(shown(2, DEFENCE, decided=2))
    for where in (attack, spot(driver, column, name)):
        tapped(driver, *where)
    assert [one["do"] for one in sent(column)] == ["dice"], "one tap was the whole defence"
    driver.waited_s += AWAKE_S
    tapped(driver, *spot(driver, column, name))
    assert [one["do"] for one in sent(column)] == ["dice", "save"]


def test_gold_that_comes_where_gold_was_waits_a_moment(driver: Driver, column: CardColumn) -> None:
    act = Choice("Activate", ({"do": "activate"},), "primary")
    strike = Choice("Attack", ({"do": "attack"},), "primary")
    settled(driver, column, shown(1, Prompt("turn", "Your turn", choices=(act,))))
    gold = spot(driver, column, "choice:activate")
    tapped(driver, *gold)
    settled(driver, column, shown(2, Prompt("act", "Act", choices=(strike,)), decided=2))
    tapped(driver, *gold)
    assert [one["do"] for one in sent(column)] == ["activate"]
    veiled = driver.app.root_layer.veiled
    assert veiled is not None, "it is seen that it waits"
    driver.waited_s += AWAKE_S
    driver.steps(2)
    assert driver.app.root_layer.veiled is None
    assert driver.app.root_layer._shade.a == 0, "nothing of it is left on the picture"
    tapped(driver, *gold)
    assert [one["do"] for one in sent(column)] == ["activate", "attack"]


def test_the_same_gold_after_a_step_is_another_one(driver: Driver, column: CardColumn) -> None:
    """Two tests in a row look alike: a double tap would take both."""
    prompt = Prompt("go-on", "Go on", choices=(Choice("Go on", ({"do": "go"},), "primary"),))
    settled(driver, column, shown(1, prompt))
    gold = spot(driver, column, "choice:go")
    tapped(driver, *gold)
    settled(driver, column, shown(2, prompt, decided=2))
    tapped(driver, *gold)
    assert len(sent(column)) == 1


def test_a_row_elsewhere_and_one_that_means_the_same_take_quick_taps(
    driver: Driver, column: CardColumn
) -> None:
    """Nobody who knows the next step waits for it, and what is counted is tapped fast."""
    count = Choice("One token more", ({"do": "token"},))
    other = Choice("Go on", ({"do": "go"},), "primary")
    prompt = Prompt("tokens", "Tokens", choices=(count, other))
    settled(driver, column, shown(1, prompt))
    plus, gold = (spot(driver, column, f"choice:{one}") for one in ("token", "go"))
    for step in (2, 3):
        tapped(driver, *plus)
        settled(driver, column, shown(step, prompt, decided=step))
    tapped(driver, *gold)
    assert [one["do"] for one in sent(column)] == ["token", "token", "go"]


def test_what_lay_there_before_takes_a_tap_when_a_sheet_has_gone(driver: Driver) -> None:
    """The sheet's button and what lies below it are two things."""
    done: list[str] = []
    below = TouchButton("below", lambda: done.append("below"))
    below.size_hint = (1, 1)
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(below)
    driver.waited_s += 9.0
    press = TouchButton("sheet", driver.app.close_sheet, name="sheet")
    driver.app.open_sheet("A sheet", [press])
    driver.steps(6)
    here = driver.place(press)
    driver.touch(*here)
    driver.steps(10)
    assert driver.app.sheet is None
    tapped(driver, *here)
    assert done == []
    driver.waited_s += AWAKE_S
    tapped(driver, *here)
    assert done == ["below"]


def test_a_drag_is_no_tap(driver: Driver, column: CardColumn) -> None:
    """Who has moved the list has looked: nothing waits there."""
    act = Choice("Activate", ({"do": "activate"},), "primary")
    strike = Choice("Attack", ({"do": "attack"},), "primary")
    settled(driver, column, shown(1, Prompt("turn", "Your turn", choices=(act,))))
    gold = spot(driver, column, "choice:activate")
    tapped(driver, *gold)
    settled(driver, column, shown(2, Prompt("act", "Act", choices=(strike,)), decided=2))
    x, y = column.rows.to_window(*column.rows.center)
    driver.drag((x, y), (x, y + 60))
    tapped(driver, *gold)
    assert [one["do"] for one in sent(column)] == ["activate", "attack"]


def test_a_button_whose_words_go_on_changing_takes_taps_again(driver: Driver) -> None:
    """As one that counts seconds: only what follows the tap at once is its doing."""
    pressed: list[str] = []
    button = TouchButton("0", lambda: pressed.append(button.text), name="clock")
    button.size_hint, button.size = (None, None), (300, 60)
    driver.app.frame.clear_widgets()
    driver.app.frame.add_widget(button)
    driver.steps(4)
    where = driver.place(button)
    tapped(driver, *where)
    for second in range(1, 10):
        button._text = str(second)
        driver.waited_s += 0.8 * AWAKE_S
        driver.steps(2)
    tapped(driver, *where)
    assert pressed == ["0", "9"]
