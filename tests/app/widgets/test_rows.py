"""A column of rows: it stays where a finger left it, and listens no more than it must."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window

from companion.app.own_content.editors import FormEditor
from companion.app.scripted.driver import Driver, Finger
from companion.app.turn.option_row import OptionRow
from companion.app.widgets.controls import Rows, TouchButton
from companion.games.api.card_form import FormField, FormProblem


@pytest.mark.slow
@pytest.mark.parametrize("pause", [1, 40])
def test_a_column_filled_again_and_again_listens_no_more_than_before(
    driver: Driver, pause: int
) -> None:
    rows = Rows()
    driver.app.frame.add_widget(rows)
    heard: list[int] = []
    for _panel in range(6):
        rows.fill([TouchButton("one") for _ in range(30)])
        rows.scroll_y = 0.3
        driver.steps(pause)
        rows.scroll_y = 0.9
        driver.steps(pause)
        heard.append(sum(len(rows.get_property_observers(f"bar_{kind}color"))
                         for kind in ("", "inactive_")))  # fmt: skip
    assert heard == [heard[0]] * 6


def test_what_is_added_below_moves_nothing(driver: Driver) -> None:
    """A form slid up under the finger that had opened a row of it."""
    rows = Rows()
    driver.app.frame.add_widget(rows)
    buttons = [TouchButton(str(n)) for n in range(40)]
    rows.fill(buttons)
    driver.steps(4)
    rows.scroll_y = 0.5
    driver.steps(4)
    before = buttons[20].to_window(*buttons[20].pos)[1]
    for n in range(30):
        rows.column.add_widget(TouchButton(f"more {n}"))
    driver.steps(4)
    after = buttons[20].to_window(*buttons[20].pos)[1]
    assert after == pytest.approx(before, abs=1.0)
    rows.scroll_y = 1
    driver.steps(2)
    rows.fill(buttons[:30])
    driver.steps(4)
    assert rows.scroll_y == 1, "what was at its top stays there"


def test_a_finger_that_rests_a_moment_before_it_drags_still_scrolls(driver: Driver) -> None:
    taken: list[str] = []
    rows = Rows()
    driver.app.frame.add_widget(rows)
    rows.fill([TouchButton(str(n), lambda: taken.append("tap")) for n in range(60)])
    driver.steps(4)
    x, y = rows.center
    driver.drag((x, y), (x, y + 200), rest_s=0.25)
    driver.steps(4)
    assert rows.scroll_y < 1
    assert taken == []


def long_list(driver: Driver, taken: list[str]) -> Rows:
    """A list much longer than the window, a finger's length below its top."""
    rows = Rows()
    driver.app.frame.add_widget(rows)
    rows.fill([TouchButton(str(n), partial(taken.append, str(n))) for n in range(200)])
    driver.steps(4)
    rows.scroll_y = 0.5
    driver.steps(4)
    return rows


def scrolled(rows: Rows) -> float:
    """How far the list is scrolled, in pixels."""
    return float((1 - rows.scroll_y) * (rows.column.height - rows.height))


def test_a_list_goes_on_a_little_after_a_drag_and_a_tap_only_stops_it(driver: Driver) -> None:
    """Touches of one frame came at once: a short drag let the page run away, and the tap that was
    to stop it pressed what had just come there."""
    taken: list[str] = []
    rows = long_list(driver, taken)
    before, (x, y) = scrolled(rows), rows.center
    driver.drag((x, y), (x, y + 60))
    assert rows.effect_y.moving
    driver.touch(x, y)
    at = scrolled(rows)
    driver.steps(30)
    assert scrolled(rows) == pytest.approx(at, abs=1), "it stands still"
    assert taken == []
    driver.touch(x, y)
    driver.steps(30)
    assert len(taken) == 1, "the next tap is one"
    driver.drag((x, y), (x, y + 60))
    driver.steps(200)
    assert abs(scrolled(rows) - before) < 2 * 60 * 4


def test_where_frames_come_slowly_a_list_stays_where_the_finger_left_it(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []
    rows = long_list(driver, taken)

    def slow() -> float:
        Clock._dt = 0.4
        Clock._last_tick += 0.4
        return float(Clock._last_tick)

    monkeypatch.setattr(Clock, "idle", slow)
    before, (x, y) = scrolled(rows), rows.center
    driver.drag((x, y), (x, y + 60))
    driver.steps(8)
    assert scrolled(rows) - before == pytest.approx(60, abs=1)
    driver.touch(x, y)
    driver.steps(8)
    assert len(taken) == 1


@pytest.mark.slow
def test_a_number_pad_that_closes_leaves_its_field_and_the_next_where_they_were(
    driver: Driver,
) -> None:
    """After each number the page scrolled by a row: the next tap met nothing."""
    fields = [FormField(f"n{at}", f"Number {at}", "number", most=9) for at in range(30)]
    rows = Rows()
    driver.app.frame.add_widget(rows)
    form = FormEditor(fields, {}, str, lambda typed: None, list, lambda *_: TouchButton(""))
    rows.fill([form])
    driver.steps(4)

    def tops() -> list[float]:
        found = [driver.find(name) for name in ("n1", "n2")]
        return [one.to_window(one.x, one.top)[1] for one in found if one is not None]

    before = tops()
    for name in ("n1", "n1=6"):
        key = driver.find(name)
        assert key is not None
        driver.touch(*driver.place(key))
        driver.steps(20)
    assert tops() == pytest.approx(before, abs=1.0)


@pytest.mark.parametrize("rest_s", [0.0, 0.6])
def test_a_finger_that_slides_over_a_button_has_not_tapped_it(
    driver: Driver, rest_s: float
) -> None:
    """A unit was removed from a battle by a drag that began on its Remove."""
    taken: list[str] = []
    rows = Rows()
    driver.app.frame.add_widget(rows)
    tall = TouchButton("Remove", lambda: taken.append("tap"), size_hint_y=None)
    tall.stretch(300)
    rows.fill([tall, *(TouchButton(str(n)) for n in range(60))])
    driver.steps(4)
    x, y = tall.to_window(*tall.center)
    driver.drag((x, y), (x, y + 60), rest_s=rest_s)
    driver.steps(20)
    assert taken == []


def test_a_drag_that_was_over_before_a_slow_frame_saw_it_has_tapped_nothing(
    driver: Driver,
) -> None:
    """Its events had waited, and it seemed to begin where it ended: an option was chosen there."""
    taken: list[str] = []
    rows = Rows()
    driver.app.frame.add_widget(rows)
    rows.fill([TouchButton(str(n), partial(taken.append, str(n))) for n in range(60)])
    driver.steps(4)
    (x, y), (wide, high) = rows.center, Window.system_size
    drag = Finger(x, y)
    for part in range(1, 9):  # as the mouse of a window does, which tells a frame all at once
        drag.move((x / (wide - 1), (y + 10 * part) / (high - 1)))
    for phase in ("begin", *8 * ["update"], "end"):
        EventLoop.post_dispatch_input(phase, drag)
    driver.steps(30)
    assert taken == []
    driver.touch(x, y)
    driver.steps(30)
    driver.touch(x, y)
    driver.steps(30)
    assert taken, "a tap is one"


@pytest.mark.slow
def test_a_form_that_shrinks_leaves_the_touched_field_under_the_finger(driver: Driver) -> None:
    """A tap for one unit chose another: red lines above it had gone, a number pad had closed."""
    fields = [FormField(f"n{at}", f"Number {at}", "number", most=9) for at in range(9)]
    values: dict[str, object] = {}

    def problems() -> list[FormProblem]:
        gone = values.get("n4") is not None  # one entry answers several questions
        return [] if gone else [FormProblem("missing", f"n{at}") for at in range(6)]

    rows = Rows()
    driver.app.frame.add_widget(rows)
    form = FormEditor(fields, values, str, lambda typed: None, problems, lambda *_: TouchButton(""))
    rows.fill([form, *(TouchButton(f"below {n}") for n in range(3))])
    driver.steps(4)

    def top(name: str) -> float:
        found = driver.find(name)
        assert found is not None
        return float(found.to_window(found.x, found.top)[1])

    rows.scroll_y = 0.4
    driver.steps(4)
    driver.press("n3")  # opens its number pad
    for name in ("n4", "n4+", "n3+", "n4"):
        before = top(name)
        driver.press(name)
        driver.steps(4)
        assert top(name) == pytest.approx(before, abs=1.0), name


@pytest.mark.slow
def test_a_form_that_has_changed_often_still_ends_where_its_last_field_ends(
    driver: Driver,
) -> None:
    """Number rows that opened and closed let the page grow: a drag led to an empty page."""
    fields = [FormField(f"n{at}", f"Number {at}", "number", most=9) for at in range(9)]
    rows = Rows()
    driver.app.frame.add_widget(rows)
    form = FormEditor(fields, {}, str, lambda typed: None, list, lambda *_: TouchButton(""))
    rows.fill([form])
    driver.steps(4)
    for _turn in range(3):
        for name in ("n6", "n8", "n8", "n7", "n7+", "n6"):  # opens and closes number pads
            rows.scroll_y = 0
            driver.steps(2)
            if driver.find(name) is not None:
                driver.press(name)
                driver.steps(4)
    rows.scroll_y = 0
    driver.steps(4)
    end = form.to_window(form.x, form.y)[1]
    assert end < rows.to_window(rows.x, rows.center_y)[1], "half a page is empty at most"


@pytest.mark.slow
def test_a_new_row_begins_where_the_finger_is(driver: Driver) -> None:
    """Its button was pushed out of sight, and what lay below was shown."""
    inner = tuple(FormField(f"n{at}", f"Number {at}", "number", most=9) for at in range(12))
    fields = [FormField("rows", "Rows", "rows", fields=inner), *inner]
    rows = Rows()
    driver.app.frame.add_widget(rows)
    form = FormEditor(fields, {}, str, lambda typed: None, list, lambda *_: TouchButton(""))
    rows.fill([form])
    driver.steps(4)

    def top(name: str) -> float:
        found = driver.find(name)
        assert found is not None
        return float(found.to_window(found.x, found.top)[1])

    before = top("add:rows")
    driver.press("add:rows")
    driver.steps(4)
    assert top("row:rows[0]") == pytest.approx(before, abs=1.0)


def test_kivy_scrolls_nothing_while_a_column_is_built(driver: Driver) -> None:
    """A tap in a form threw its page away: what kivy scrolled meanwhile counted as a finger's."""
    rows = Rows()
    driver.app.frame.add_widget(rows)
    buttons = [TouchButton(str(n)) for n in range(40)]
    rows.fill(buttons)
    driver.steps(4)
    rows.scroll_y = 0.5
    driver.steps(4)
    touched = buttons[20]
    before = float(touched.to_window(touched.x, touched.top)[1])
    rows.hold(lambda: touched, before)
    rows.scroll_y = 0.9
    driver.steps(6)
    assert touched.to_window(touched.x, touched.top)[1] == pytest.approx(before, abs=1.0)
    assert rows.effect_y.value == pytest.approx(rows.effect_y.max * rows.scroll_y)
    rows.scroll_y = 0.9  # a finger
    driver.steps(4)
    assert rows.scroll_y == pytest.approx(0.9)


def test_taps_faster_than_the_form_is_built_all_count(driver: Driver) -> None:
    values: dict[str, object] = {}
    fields = [FormField("n", "Number", "number", most=9)]
    rows = Rows()
    driver.app.frame.add_widget(rows)
    form = FormEditor(fields, values, str, lambda typed: None, list, lambda *_: TouchButton(""))
    rows.fill([form])
    driver.steps(4)
    more: Any = driver.find("n+")
    for _tap in range(4):  # as a busy machine hands them over, all in one frame
        more.dispatch("on_release")
    assert driver.find("n+") is more, "it stays until the next frame"
    driver.steps(2)
    assert values["n"] == 4


@pytest.mark.parametrize("wide", range(220, 361, 20))
def test_no_line_of_a_row_ends_with_the_dot_between_two_facts(driver: Driver, wide: int) -> None:
    """ "… wounds with panic · without" broke a sentence off; a dot leads the fact after it."""
    facts = (
        "Arrow Volley · shifts 0.2″ first\nabout 2.9 wounds with panic · without its card’s text"
    )
    row = OptionRow("Shoot at House Clegane Mountain’s Men", None, facts, "33 %", "shot")
    row.size_hint_x, row.width = None, wide
    driver.app.frame.add_widget(row)
    driver.steps(4)
    (_title, under) = row.lines
    written = [
        "".join(word.text for word in line.words).strip() for line in under._label._cached_lines
    ]
    assert len(written) >= 2
    assert not [line for line in written if line.endswith("·")], written
