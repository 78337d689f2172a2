"""A game on the practice table, by touch: charge, dice, panic, undo, cards, score, camera."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.metrics import dp

from companion.app.scripted.driver import Driver, Finger, pixels
from companion.app.widgets.controls import TouchButton
from companion.engine.camera.practice_source import PracticeSource
from companion.overlay.footprints import piece_at
from companion.overlay.map_theme import SIDE_LOOKS
from companion.practice.random_table import standard_view
from companion.text.translation import LANGUAGES, translate
from companion.vision.explain import ExplainedTag
from companion.vision.look import look
from companion.vision.sources.frame import CameraFrame
from models.unit import corners
from tests.app.conftest import opened
from tests.app.fits import faults


def state(driver: Driver) -> Any:
    """What the game says now."""
    return driver.app.service.snapshot.state


def more_tools(driver: Driver) -> None:
    """Show the second column of the tool rail."""
    if driver.find("tool:turn") is None:
        driver.press("tool:more")


def said(driver: Driver) -> str:
    """What the game answered last."""
    return driver.app.service.snapshot.told


@pytest.fixture(autouse=True)
def _tidy(request: pytest.FixtureRequest) -> Iterator[None]:
    """Leave the next test an English game without a tool in hand, even after a failure."""
    game = request.getfixturevalue("game") if "game" in request.fixturenames else None
    yield
    if game is None:
        return
    if game.app.service.preferences.language != "en":
        game.app.prefer(replace(game.app.service.preferences, language="en"))
    if game.app.place != "table":
        game.app.go("table")
    game.app.toasts.dismiss()
    game.app.screen.take_up("select")
    game.rest()


def texts(driver: Driver) -> list[str]:
    """Everything that is written on the table screen."""
    return [getattr(one, "text", "") for one in driver.widgets(driver.app.screen)]


def test_a_newcomers_first_charge_takes_at_most_eight_taps(tmp_path: Path) -> None:
    # Open the app. One button is large and golden: the practice table.
    driver = opened(tmp_path)
    driver.press("practice")
    driver.until(lambda: driver.app.service.snapshot.trays is not None, 60)
    # On a slow machine the first picture takes so long that the camera counts as lost meanwhile.
    driver.until(lambda: driver.app.service.live.sight == "live", 60)
    # Look at it from above, and tap one of the blue trays.
    driver.press("view:map")
    driver.until(lambda: driver.app.service.snapshot.map is not None, 60)
    driver.tap_unit("b6")
    # What it may do is green. Press the charge.
    driver.press("do-offer")
    # Let the app roll the die.
    driver.press("app-rolls")
    assert driver.taps <= 8
    log = " ".join(line["title"] for line in state(driver)["log"])
    assert "b6" in log
    assert "charge" in log
    driver.stop()


@pytest.mark.live
def test_overlays_lie_on_the_trays(game: Driver) -> None:
    game.app.service.choose(None)
    game.rest()
    game.app.screen.show_as("picture")
    game.rest()
    game.until(lambda: game.app.service.snapshot.picture is not None)
    (wide, high), raw = pixels()
    shown = np.frombuffer(raw, np.uint8).reshape(high, wide, 4)[..., :3].astype(int)
    pane = game.app.screen.panes[0]
    source = game.app.service.camera_worker.source if game.app.service.camera_worker else None
    assert isinstance(source, PracticeSource)
    view, lens = standard_view(source.table.width), source.setup.lens
    assert lens is not None
    checked = 0
    for unit in ("b2", "b7"):
        ring = np.array([(*point, 0.0) for point in corners(source.table.unit(unit))])
        true = pane.fit.to_pane(view.project(ring, lens) + 0.5)
        left, top = pane.center_x - pane.base[0] / 2, pane.center_y + pane.base[1] / 2
        spots = [np.array([left + x, top - y]) for x, y in true]
        middle = sum(spots) / 4
        for first, second in zip(spots, [*spots[1:], spots[0]], strict=True):
            halfway = first * 0.7 + second * 0.3
            along = (second - first) / np.linalg.norm(second - first)
            outward = np.array([along[1], -along[0]])
            if outward @ (halfway - middle) < 0:
                outward = -outward
            hits = []
            for step in np.arange(-9, 5.0, 0.5):  # further out begins the badge
                x, y = np.rint(halfway + outward * step).astype(int)
                if np.abs(shown[y, x] - SIDE_LOOKS[0].edge).max() < 40:
                    hits.append(step)
            if hits:
                checked += 1
                # Inward a front bar may follow; the outermost blue is the drawn edge.
                assert abs(max(hits)) < 3.0, (unit, hits)
    assert checked >= 6


def test_taps_choose_trays_on_map_and_picture(game: Driver) -> None:
    for view in ("map", "picture", "both"):
        game.app.screen.show_as(view)
        game.rest()
        for unit in ("b2", "r6"):
            game.tap_unit(unit)
            assert game.app.service.snapshot.chosen == unit, view
    more_tools(game)
    game.press("tool:turn")
    game.tap_unit("b2")
    assert game.app.service.snapshot.chosen == "b2"
    game.press("tool:turn")


def test_a_tap_on_the_badge_of_a_tray_selects_it(game: Driver) -> None:
    game.app.screen.show_as("map")
    game.app.service.choose(None)
    game.rest()
    (pane,) = game.app.screen.panes
    trays = game.app.service.snapshot.trays
    assert trays is not None
    tried = 0
    for unit in [*pane.chips.placed]:
        x, y = pane.chips.placed[unit].box.centre  # one that hid a flag may have gone aside
        left, bottom = pane.chips._at
        spot = left + x, bottom + pane.chips.high - y
        if piece_at(trays, pane.inches(*spot), 0.0) is not None:
            continue  # it lies on a tray: that one is meant
        game.touch(*spot)
        game.rest()
        assert game.app.service.snapshot.chosen == unit
        tried += 1
    assert tried > 4


def test_both_views_are_large_on_seven_inches(game: Driver) -> None:
    game.app.screen.show_as("both")
    game.rest()
    game.tap_unit("b2")
    picture, above = game.app.screen.panes
    assert (picture.kind, above.kind) == ("picture", "map")
    assert picture.width >= dp(460)
    assert picture.height == pytest.approx(picture.width * 9 / 16, abs=2)
    assert min(above.size) >= dp(420)
    assert game.app.screen.panel.height >= dp(260)
    assert above.right <= picture.x
    assert faults(game) == []
    game.app.screen.show_as("map")
    game.rest()
    assert game.app.screen.panel.width < dp(360)
    assert picture.parent is None
    assert faults(game) == []


def test_a_tap_draws_nothing_before_its_answer_but_a_late_mark(game: Driver) -> None:
    game.app.screen.show_as("picture")
    game.tap_unit("b2")
    service, pane = game.app.service, game.app.screen.panes[0]
    service.cover(True)
    game.until(lambda: service.live.sight == "lost")
    game.rest()
    held = threading.Event()
    service.ask(lambda: held.wait(60))
    try:
        service.controller.overlay.cache.forget()
        before = pane.brush.shown[0]
        for _frame in range(200):
            EventLoop.idle()
            if not Window.canvas.needs_redraw:
                break
        table = service.snapshot.trays
        assert table is not None
        pose = table.unit("r6").pose
        finger = Finger(*pane.to_window(*pane.on_screen((pose.x, pose.y))))
        EventLoop.post_dispatch_input("begin", finger)
        EventLoop.post_dispatch_input("end", finger)
        # A whole window drawn for a finger alone would hold its answer up.
        assert not Window.canvas.needs_redraw
        assert not pane.finger.length()
        game.until(pane.finger.length)
        assert pane.brush.shown[0] is before
    finally:
        held.set()
        service.cover(False)
    game.until(lambda: pane.brush.shown[0] is not before)
    assert not pane.finger.length()
    assert service.snapshot.chosen == "r6"
    game.until(lambda: service.live.sight == "live")


def test_every_answer_is_a_button_or_a_reason(game: Driver) -> None:
    game.tap_unit("b2")
    names = game.names()
    assert "offer:charge:r3" in names
    assert "offer:shot:r3" in names
    assert "refused:charge:r5" not in names  # folded away
    game.press("why-not")
    assert "refused:charge:r5" in game.names()
    game.press("refused:charge:r5")  # not in sight either: more reach alone would not help
    press = game.find("refused:charge:r5")
    assert isinstance(press, TouchButton)
    assert "″" not in press.lines[1].text
    game.app.toasts.dismiss()
    game.press("refused:charge:r1")
    told = " ".join(one.text for one in game.widgets(game.app.toasts) if getattr(one, "text", ""))
    assert "CHG" in told
    assert "″" in told
    game.app.toasts.dismiss()


@pytest.mark.parametrize("hand", ["left", "right"])
@pytest.mark.parametrize("size", [(800, 1280), (1024, 600)], ids=["upright", "7 inches"])
def test_table_tools_and_panel_lie_beside_each_other(
    game: Driver, size: tuple[int, int], hand: str
) -> None:
    from kivy.core.window import Window

    Window.size = size
    game.app.prefer(replace(game.app.service.preferences, hand=hand))
    if game.app.screen.tools.more:  # in a row they lie in place of the first
        game.press("tool:more")
    game.press("view:map")  # under the panel no finger would reach it
    more_tools(game)
    game.press("tool:zoom-in")
    screen = game.app.screen
    assert screen.panes[0].zoom > 1
    parts = [screen.stage.views, screen.stage.strip, screen.panel]
    parts += [screen.foot] if size[1] > size[0] else []
    for one, other in combinations(parts, 2):
        wide = min(one.right, other.right) - max(one.x, other.x)
        high = min(one.top, other.top) - max(one.y, other.y)
        assert min(wide, high) < 1, (one, other)
    # Together they fill the screen, and what lies on the table lies where the table is.
    assert sum(one.width * one.height for one in parts) == pytest.approx(
        screen.width * screen.height
    )
    for one, over in (
        (screen.stage.hint, screen.stage),
        (screen.stage.arrows, screen.stage.views),
    ):
        assert (*one.pos, *one.size) == pytest.approx((*over.pos, *over.size))
    game.press("tool:zoom-out")
    game.tap_unit("b2")
    assert game.app.service.snapshot.chosen == "b2"


def test_undo_takes_away_what_was_told_of_its_step(game: Driver) -> None:
    game.app.service.do({"do": "activate", "unit": "b2"})
    game.rest()
    game.app.toast("It moves 6″ and stays there")
    assert game.app.toasts.children
    game.press("undo")
    game.rest()
    assert not game.app.toasts.children


@pytest.mark.parametrize("size", [(800, 1280), (1024, 600)], ids=["upright", "7 inches"])
def test_a_sentence_lies_over_the_table_alone(game: Driver, size: tuple[int, int]) -> None:
    from kivy.core.window import Window

    Window.size = size
    game.steps(8)
    game.rest()
    game.tap_unit("b2")
    assert game.app.service.snapshot.chosen == "b2"
    for sentence in ("no", "one word after another " * 12):
        game.app.toast(sentence)
        game.steps(4)
        (card,) = game.app.toasts.children
        views = game.app.screen.stage.views
        assert views.x <= card.x < card.right <= views.right
        assert views.y <= card.y < card.top <= views.top
        assert not card.collide_widget(game.app.screen.panel)
        # It is as wide as its words, and the finger that takes it away touches nothing else.
        assert (card.width < 100) == (sentence == "no")
        game.touch(*card.center)
        game.rest()
        assert not game.app.toasts.children
        assert game.app.service.snapshot.chosen == "b2"


@pytest.mark.long
def test_nothing_is_cut_off_while_playing(game: Driver) -> None:
    from kivy.core.window import Window

    for size, language in (
        ((1024, 600), "ru"),
        ((800, 1280), "de"),
    ):
        Window.size = size
        game.app.prefer(replace(game.app.service.preferences, language=language))
        for place in ("table", "roster", "page:board", "page:cards", "score"):
            game.app.go(place)
            game.steps(8)
            assert faults(game) == [], (place, language, size)
    Window.size = (1024, 600)
    game.app.prefer(replace(game.app.service.preferences, language="en"))
    game.app.go("table")
    game.rest()


def test_a_refusal_and_a_prompt_in_german_at_once(game: Driver) -> None:
    game.app.service.choose(None)  # the card of a selected piece would cover the prompt
    game.rest()
    english = translate(game.app.service.snapshot.prompts[0].text)
    assert any(english in text for text in texts(game))
    game.app.service.do({"do": "activate", "unit": "b99"})
    game.rest()
    assert "no unit" in said(game)
    game.app.prefer(replace(game.app.service.preferences, language="de"))
    german = translate(game.app.service.snapshot.prompts[0].text)
    assert german != english
    game.rest()
    assert any(german in text for text in texts(game))
    assert not any(english in text for text in texts(game))
    game.app.service.do({"do": "activate", "unit": "b99"})
    game.rest()
    assert said(game).startswith("keine Einheit „b99“; es gibt: Geschworene Schwerter")
    # The card of a piece changes its language at once too.
    game.app.toasts.dismiss()  # a tap on the sentence would only take it away
    game.tap_unit("b2")
    assert "Warum nicht …?" in texts(game)
    game.app.prefer(replace(game.app.service.preferences, language="en"))
    game.rest()
    assert "Why not…?" in texts(game)
    assert "Warum nicht …?" not in texts(game)


def test_measuring_from_tray_to_tray(game: Driver) -> None:
    game.app.screen.show_as("map")
    game.press("tool:measure")
    pane = game.app.screen.panes[0]
    table = game.app.service.snapshot.trays
    assert table is not None
    ends = [pane.on_screen((table.unit(u).pose.x, table.unit(u).pose.y)) for u in ("b1", "r6")]
    game.drag(*ends)
    start, end = game.app.screen.ruler.ends
    told = game.app.service.measured(start, end)
    gap = game.app.service.snapshot.answers["b1"]["gap"]["r6"]
    assert told == f"Sworn Swords – Pyromancers: {gap:.2f}″"
    game.press("tool:measure")


def test_measuring_by_two_taps(game: Driver) -> None:
    game.app.toasts.dismiss()
    game.press("tool:measure")
    pane, chosen = game.app.screen.panes[0], game.app.service.snapshot.chosen
    for spot in ((10.0, 5.0), (13.0, 9.0)):
        game.touch(*pane.on_screen(spot))
    start, end = game.app.screen.ruler.ends
    assert (*start, *end) == pytest.approx((10.0, 5.0, 13.0, 9.0), abs=1e-6)
    assert game.app.service.measured(start, end) == "5.00″"
    assert pane.ruler.children
    # A third tap begins anew, and no tap with the ruler chooses a tray.
    game.touch(*pane.on_screen((20.0, 5.0)))
    assert game.app.screen.ruler.ends[0] == game.app.screen.ruler.ends[1]
    assert game.app.service.snapshot.chosen == chosen
    game.press("tool:measure")
    assert not pane.ruler.children


def test_a_magnified_table_is_pushed_about_by_buttons_too(game: Driver) -> None:
    more_tools(game)
    game.app.screen.show_as("map")
    game.rest()
    pane = game.app.screen.panes[0]
    assert game.find("push:left") is None
    game.press("tool:zoom-in")
    game.press("tool:zoom-in")
    before = pane.on_screen((24.0, 24.0))
    game.press("push:right")
    assert pane.on_screen((24.0, 24.0))[0] < before[0] - 50
    game.press("push:up")
    assert pane.on_screen((24.0, 24.0))[1] < before[1] - 50
    for _ in range(3):
        game.press("tool:zoom-out")
    assert pane.zoom == 1.0
    assert game.find("push:left") is None


def test_two_fingers_magnify_and_turn_the_table(game: Driver) -> None:
    more_tools(game)
    pane, screen = game.app.screen.panes[0], game.app.screen
    x, y = pane.center
    game.pinch(((x - 50, y), (x + 50, y)), ((x - 100, y), (x + 100, y)))
    assert pane.zoom == pytest.approx(2.0, abs=0.05)
    game.pinch(((x - 100, y), (x + 100, y)), ((x - 50, y), (x + 50, y)))
    assert pane.zoom == pytest.approx(1.0, abs=0.05)
    assert not screen.turned
    game.pinch(((x - 80, y), (x + 80, y)), ((x, y - 80), (x, y + 80)))
    assert screen.turned
    assert pane.turned
    game.press("tool:turn")
    assert not screen.turned


@pytest.mark.live
def test_a_tray_that_is_hidden_is_remembered(game: Driver) -> None:
    game.app.screen.show_as("both")
    game.rest()
    service = game.app.service
    source = service.camera_worker.source if service.camera_worker else None
    assert isinstance(source, PracticeSource)
    whole = source.table
    assert all(pane.memory.shown[0] is None for pane in game.app.screen.panes)
    source.remove("r5")
    game.until(lambda: all(pane.memory.shown[0] for pane in game.app.screen.panes), 30)
    for pane in game.app.screen.panes:
        told = [one.text for one in pane.memory.shown[0].words]
        assert len(told) == 1
        assert told[0].endswith(" s")
    hint = game.find("hint")
    assert hint is not None
    assert hint.text.startswith("not seen by the camera: ")
    assert "Gregor" in hint.text
    source.show(whole)
    game.until(lambda: all(not pane.memory.shown[0] for pane in game.app.screen.panes), 30)


@pytest.mark.live
def test_a_view_opened_without_a_camera_is_as_large_as_the_others(game: Driver) -> None:
    game.app.screen.show_as("map")
    game.rest()
    game.app.service.cover(True)
    game.until(lambda: game.app.service.live.sight == "lost", 10)
    game.app.screen.show_as("picture")
    game.rest()
    pane = game.app.screen.panes[0]
    game.until(lambda: pane.base[0] > pane.width * 0.9, 10)
    # The whole picture is grey and says when it was taken; nothing covers the trays and their tags.
    game.until(lambda: pane.note != "", 10)
    assert pane.memory.shown[0] is None
    assert len(pane.chips.placed) == 14
    game.app.service.cover(False)
    game.until(lambda: game.app.service.live.sight == "live", 20)
    game.app.screen.show_as("map")
    game.rest()


@pytest.mark.live
def test_a_moved_tray_raises_accept_and_correct(game: Driver) -> None:
    table = game.app.service.snapshot.trays
    assert table is not None
    before = table.unit("b2").pose
    game.app.service.carry("b2", replace(before, y=before.y + 2.5))  # a hand moves it
    game.until(lambda: game.app.service.snapshot.notice is not None, 30)
    notice = game.app.service.snapshot.notice
    assert notice is not None
    assert notice.unit == "b2"
    assert "maneuver" in notice.detail
    # Whoever decides next may read another language: the same move is said anew.
    for language, word in (("de", "Manöver"), ("en", "maneuver")):
        game.app.prefer(replace(game.app.service.preferences, language=language))
        game.rest()
        again = game.app.service.snapshot.notice
        assert again is not None
        assert again.where == notice.where
        assert word in translate(again.detail)
    game.press("correct")
    game.until(lambda: abs(game.app.service.where("b2").y - before.y) < 0.02, 20)  # type: ignore[union-attr]
    now = game.app.service.snapshot.trays
    assert now is not None
    assert now.unit("b2").pose == before


def test_what_the_camera_sees_is_explained(game: Driver) -> None:
    game.press("camera")
    game.press("sight")
    game.until(
        lambda: any("tags are found" in getattr(one, "text", "") for one in game.widgets()), 30
    )
    picture, setup = game.app.service.live.picture, game.app.service.setup
    assert picture is not None
    assert setup is not None
    hidden = ExplainedTag(12, "b2", "covered", None)
    game.app.screen.tell((look(CameraFrame(picture), setup), (hidden,)))
    told = [str(getattr(one, "text", "")) for one in game.widgets()]
    name = game.app.service.snapshot.name("b2")
    assert any(one.startswith(f"{name}, tag 12") for one in told), "by its name, not its id"
    game.press("back")


@pytest.mark.live
def test_the_camera_is_lost_and_returns(game: Driver) -> None:
    game.press("camera")
    game.press("cover")
    game.until(lambda: game.app.service.live.sight == "lost", 10)
    game.press("camera")
    assert "cover" not in game.names(), "it is covered"
    game.app.close_sheet()
    # The map and everything else go on.
    game.tap_unit("b5")
    assert game.app.service.snapshot.chosen == "b5"
    game.press("camera")
    game.press("uncover")
    game.until(lambda: game.app.service.live.sight == "live", 20)


def test_a_tray_that_comes_to_rest_pushes_no_dice_away(game: Driver) -> None:
    game.app.screen.take_up("select")
    service = game.app.service
    game.tap_unit("b6")
    game.press("do-offer")
    die = game.find("die:6")
    assert die is not None
    before, pose = game.place(die), service.where("b2")
    assert pose is not None
    service.carry("b2", replace(pose, y=pose.y + 1.0))
    game.until(lambda: game.find("accept:b2") is not None, 30)
    assert game.find("die:6") is die
    assert game.place(die) == before
    game.press("correct:b2")
    game.until(lambda: service.snapshot.notice is None, 20)
    game.press("not-now")


def test_a_whole_round_ends_in_confirmed_points(game: Driver) -> None:
    service = game.app.service
    for _ in range(40):
        waiting = service.snapshot.pending
        assert waiting is not None
        if waiting["what"] == "turn-start":
            unit = waiting["data"]["units"][0]
            service.do({"do": "activate", "unit": unit})
            ncu = unit in state(game)["ncus"]
            service.do({"do": "forgo"} if ncu else {"do": "action", "action": "forgo"})
            service.do({"do": "end-turn"})
        elif waiting["what"] == "score":
            break
        else:
            service.do({"do": "continue"})
        assert service.settle(20)
    game.app.go("score")
    game.rest()
    assert state(game)["phase"] == "clean-up"
    offered = state(game)["offers"]
    game.press("confirm-score")
    assert state(game)["step"] != "score"
    assert sum(state(game)["vp"].values()) == sum(one["vp"] for one in offered)
    game.app.go("table")
    game.rest()


def test_resume_brings_the_game_back(tmp_path: Path) -> None:
    driver = opened(tmp_path)
    driver.press("practice")
    driver.app.service.do({"do": "note", "text": "here"})
    driver.rest()
    seq = state(driver)["seq"]
    driver.stop()
    driver = opened(tmp_path)
    driver.press("resume")
    driver.until(lambda: driver.app.service.snapshot.playing, 30)
    assert state(driver)["seq"] == seq
    driver.stop()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_the_narrow_tool_rail_is_broken(game: Driver, language: str) -> None:
    game.app.prefer(replace(game.app.service.preferences, language=language))
    game.rest()
    more_tools(game)
    Window.size = (800, 1280)
    game.app.screen.show_as("picture")
    game.rest()
    found = [fault for fault in faults(game) if "broken" in fault]
    Window.size = (1024, 600)
    game.rest()
    assert found == []
