"""A new game by touch: every step, back and forth, to the first turn."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import shapely
from kivy.core.clipboard import Clipboard
from kivy.core.window import Window

from companion.app.scripted.driver import Driver
from companion.engine.app_words import APP_LANGUAGE
from companion.engine.snapshot import CameraView
from companion.vision.track.table_tracker import TrackedTray
from tests.app.conftest import opened
from tests.app.fits import faults
from tests.app.screens.test_screens import SIZES

RED = "lannister;10101,20104,10102"


def draft(driver: Driver) -> Any:
    return driver.app.service.drafting.draft


def screen_text(driver: Driver) -> str:
    """Everything written on the screen."""
    return " ".join(one.text for one in driver.widgets() if getattr(one, "text", ""))


def said(driver: Driver) -> str:
    """The sentence over everything."""
    top = driver.app.toasts
    return " ".join(one.text for one in driver.widgets(top) if getattr(one, "text", ""))


def spot(driver: Driver, x: float, y: float) -> tuple[float, float]:
    """Where a spot of the table is on the screen."""
    pane = driver.app.screen.inner.pane
    found: tuple[float, float] = pane.to_window(*pane.on_screen((x, y)))
    return found


def paste(driver: Driver, text: str) -> None:
    """Paste an army list and read it."""
    driver.press("paste-list")
    entry = next(one for one in driver.widgets() if getattr(one, "name", "") == "list-text")
    entry.text = text
    driver.press("read-list")


@pytest.mark.slow
@pytest.mark.rule("TMG-ARM-5")
def test_a_game_is_set_up_step_by_step(driver: Driver) -> None:
    driver.press("new")
    driver.press("choice:30")
    driver.press("choice:45")
    driver.press("next")
    driver.press("next")
    # Nobody goes on without armies.
    driver.press("next")
    assert draft(driver).step == 2
    assert "army" in said(driver)
    # Build one: its points are counted with every tap.
    driver.press("faction:stark")
    driver.press("take:10201")
    assert "5 of 30 points" in screen_text(driver)
    assert driver.find("why:TMG-ARM-5") is not None  # no commander yet
    driver.press("choice:attachment")
    driver.press("take:20201")
    assert "keeps every rule" in screen_text(driver)
    driver.press("choice:unit")
    driver.press("take:10201")
    assert "10 of 30 points" in screen_text(driver)
    # Paste the other; what cannot be read changes nothing.
    driver.press("choice:red")
    paste(driver, "nobody;10101")
    assert "nobody" in said(driver)
    assert draft(driver).seat("red").army is None
    driver.app.close_sheet()
    # One typo does not refuse the whole list: which card is meant?
    paste(driver, RED.replace("20104", "2o104"))
    assert "no card '2o104'" in screen_text(driver)
    assert draft(driver).seat("red").army is None
    driver.press("change-list")
    assert "2o104" in driver.find("list-text").text  # type: ignore[union-attr]
    driver.press("read-list")
    meant = [name for name in driver.names() if name.startswith("meant:")]
    driver.press(next(one for one in meant if "Tywin" in driver.find(one).text))  # type: ignore[union-attr]
    assert draft(driver).seat("red").army.commander == "20104"
    # Leave, come back: everything is still there.
    driver.press("back")
    driver.press("new")
    assert draft(driver).step == 2
    driver.press("next")
    # Trays, terrain, objectives, deployment.
    driver.press("next")
    driver.press("draw-outline")
    for corner in ((20, 22), (28, 22), (28, 26), (20, 26)):
        driver.touch(*spot(driver, *corner))
    driver.press("piece:hedge")
    piece = draft(driver).table.terrain[0]
    assert piece.piece == "hedge"
    assert piece.outline[0] == pytest.approx((20, 22), abs=0.3)
    driver.drag(spot(driver, 24, 24), spot(driver, 24, 20))
    driver.rest()
    assert draft(driver).table.terrain[0].outline[0] == pytest.approx((20, 18), abs=0.3)
    driver.press("turn:90")
    wide = [x for x, _ in draft(driver).table.terrain[0].outline]
    assert max(wide) - min(wide) == pytest.approx(4, abs=0.1)
    # New pieces lie on free ground; a tap beside the selected one puts it there (TMG-SET-8).
    driver.press("piece-done")
    driver.press("piece:forest")
    driver.press("piece-done")
    driver.press("piece:forest")
    driver.rest()
    shapes = [shapely.Polygon(one.outline) for one in draft(driver).table.terrain]
    assert min(one.distance(two) for one, two in combinations(shapes, 2)) >= 6
    driver.touch(*spot(driver, 40, 24))
    driver.rest()
    middle = shapely.Polygon(draft(driver).table.terrain[2].outline).centroid
    assert (middle.x, middle.y) == pytest.approx((40, 24), abs=0.3)
    driver.press("remove-piece")
    # A piece that is not allowed is moved or agreed to before the table goes on (TMG-SET-8, -9).
    assert "Usually 4 pieces" in screen_text(driver)
    driver.press("terrain:t2")
    driver.touch(*spot(driver, 24, 9))
    driver.rest()
    driver.press("next")
    assert driver.find("piece:forest") is not None  # still here, with the list open
    driver.press("agree-terrain")
    assert driver.find("agree-terrain") is None
    driver.press("terrain:t2")
    driver.touch(*spot(driver, 40, 9))
    driver.rest()
    driver.press("piece-done")
    assert driver.find("agree-terrain") is not None  # elsewhere it is asked again
    driver.press("terrain:t2")
    driver.press("remove-piece")
    driver.press("next")
    assert len(draft(driver).table.tokens) == 5
    driver.press("next")
    driver.rest()
    assert "All deployed" in screen_text(driver)
    pose = draft(driver).table.unit("b1").pose
    driver.drag(spot(driver, pose.x, pose.y), spot(driver, pose.x, 20))
    driver.rest()
    assert "not yet" in screen_text(driver)
    assert "not wholly in its deployment zone" in screen_text(driver)
    driver.press("next")
    driver.rest()
    assert ": not wholly in its deployment zone" in screen_text(driver)  # TMG-DEP-4
    driver.press("previous")
    driver.rest()
    step = driver.app.screen.inner
    judged, step.staged = step.staged, None  # nothing is said before the rules were asked
    step.build()
    assert "All deployed" not in screen_text(driver)
    assert "The places are being checked" in screen_text(driver)
    step.staged = judged
    driver.press("line-up")
    driver.rest()
    assert "All deployed" in screen_text(driver)
    assert faults(driver) == []
    # A last look at the whole table, then off it goes.
    driver.press("next")
    last = driver.app.screen.inner
    driver.until(lambda: last.pane.brush.shown[0] is last.staged.map is not None)
    assert {one.id for one in last.staged.table.units} == {"b1", "b2", "r1", "r2"}
    driver.press("begin")
    driver.until(lambda: driver.app.place == "table")
    driver.rest()
    state = driver.app.service.snapshot.state
    assert (state["round"], state["points"]) == (1, 30)
    assert state["clock"]["sides"]["blue"]["left"] == 45 * 60
    assert driver.app.service.snapshot.pending is not None
    assert driver.app.service.snapshot.pending["what"] == "turn-start"
    assert set(state["units"]) == {"b1", "b2", "r1", "r2"}
    # The clock: five minutes more for one side, and it runs.
    driver.press("clock-face")
    driver.press("clock+:red")
    driver.press("clock-run")
    clock = driver.app.service.snapshot.state["clock"]
    assert clock["running"]
    assert clock["sides"]["red"]["left"] == pytest.approx(50 * 60, abs=1)
    driver.press("clock-run")
    assert not driver.app.service.snapshot.state["clock"]["running"]
    driver.app.close_sheet()


@pytest.mark.long
def test_steps_with_a_table_fit(tmp_path: Path) -> None:
    driver = opened(tmp_path, SIZES["7 inches"])
    driver.press("new")
    driver.press("step:armies")
    paste(driver, "stark;10201,20201,10201")
    driver.press("choice:red")
    paste(driver, RED)
    for language, size in (("ru", "7 inches"), ("de", "upright")):
        Window.size = SIZES[size]
        driver.app.prefer(replace(driver.app.service.preferences, language=language))
        for number in range(3, 8):
            driver.app.screen.open(number)
            driver.rest()
            assert faults(driver) == [], (number, language)
    driver.stop()


def see_all_trays(driver: Driver) -> None:
    """Wait until the camera reads all four tags; the far ones are 17 pixels wide."""
    driver.until(lambda: len(driver.app.screen.inner.trays) == 4, 90)


def test_units_that_the_camera_does_not_see_are_named_and_lie_elsewhere(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tap in ("new", "step:armies", "ready:0", "ready:1"):
        driver.press(tap)
    driver.press("step:place")
    driver.rest()
    service, step = driver.app.service, driver.app.screen.inner
    step.change_draft(camera="camera", tags=(("#10", "b1"),))
    fit: Any = SimpleNamespace(pose=draft(driver).table.unit("b2").pose)
    live = CameraView(sight="live", standings=(TrackedTray("#10", "settled", 1.0, fit, 9.0),))
    monkeypatch.setattr(type(service), "live", property(lambda _self: live))
    driver.until(lambda: draft(driver).table.unit("b1").pose == fit.pose)
    driver.until(lambda: not step.problems_of("units"))
    text = screen_text(driver)
    assert "not seen yet" in text
    assert step.called("b1") not in text.split("not seen yet: ")[1].split("Drag")[0]
    assert step.called("b2") in text.split("not seen yet: ")[1].split("Drag")[0]
    live = replace(live, standings=tuple(replace(one, condition="gone") for one in live.standings))
    driver.until(lambda: step.called("b1") in screen_text(driver).split("not seen yet: ")[1])


@pytest.mark.slow
def test_trays_are_named_as_the_camera_sees_them(tmp_path: Path) -> None:
    driver = opened(tmp_path, (800, 1280))
    driver.press("new")
    driver.press("next")
    driver.press("choice:de")  # the first card's: blue speaks German
    driver.press("next")
    paste(driver, "stark;10201,20201,10201")
    driver.press("choice:red")
    paste(driver, RED)
    driver.press("next")
    driver.press("choice:practice")
    see_all_trays(driver)
    driver.rest()
    assert dict(draft(driver).tags) == {"#10": "b1", "#11": "b2", "#12": "r1", "#13": "r2"}
    driver.press("tray:#10")
    driver.press("unit:b2")
    assert dict(draft(driver).tags)["#10"] == "b2"
    assert "#11" not in dict(draft(driver).tags)
    driver.press("propose-tags")
    assert dict(draft(driver).tags)["#11"] == "b2"
    assert [one.name for one in driver.widgets() if getattr(one, "look", "") == "primary"] == [
        "next"
    ]
    assert faults(driver) == []
    driver.press("step:begin")
    # Second thoughts: a tray that is moved at the last step begins where it stands.
    service = driver.app.service
    there = draft(driver).table.unit("b2").pose
    service.carry("b2", replace(there, x=there.x + 4, y=there.y + 1))
    driver.until(lambda: abs(draft(driver).table.unit("b2").pose.x - there.x - 4) < 0.2, 60)
    driver.press("begin")
    driver.until(lambda: driver.app.place == "table")
    driver.rest()
    begun = service.snapshot.trays
    assert begun is not None
    assert abs(begun.unit("b2").pose.y - there.y - 1) < 0.2
    # The practice camera goes on in the game, and whoever decides is spoken to.
    driver.until(lambda: driver.app.service.live.sight == "live", 60)
    assert driver.app.service.snapshot.practice
    assert APP_LANGUAGE.language == "de"
    # Nobody taps, and yet the frame fills the pane and the answers lie on it.
    driver.until(lambda: driver.app.service.snapshot.picture is not None, 60)
    driver.rest()
    drawn, pane = driver.app.service.snapshot.picture, driver.app.screen.panes[0]
    assert drawn is not None
    assert pane.base == drawn.size
    assert min(pane.base) > 100
    driver.app.service.do({"do": "activate", "unit": "b1"}, {"do": "action", "action": "forgo"})
    driver.app.service.do({"do": "end-turn"})
    driver.rest()
    assert APP_LANGUAGE.language == "en"
    driver.stop()


@pytest.mark.slow
def test_a_list_is_read_from_a_file(driver: Driver) -> None:
    folder = driver.app.service.folder / "armies"
    (folder / "more").mkdir(parents=True)
    (folder / "more" / "stark.txt").write_text("stark;10201,20201")
    (folder / "broken.txt").write_bytes(b"\xff\xfe\x00")
    driver.press("new")
    driver.press("step:armies")
    driver.press("list-file")
    driver.press("file:broken.txt")
    assert "broken.txt" in said(driver)
    driver.press("folder:more")
    driver.press("file:stark.txt")
    assert draft(driver).seat("blue").army.faction == "stark"


@pytest.mark.slow
@pytest.mark.rule("TMG-ARM-2")
def test_any_total_may_be_agreed(driver: Driver) -> None:
    driver.press("new")
    driver.press("choice:30")
    for _ in range(5):
        driver.press("points+")
    assert draft(driver).points == 35
    driver.press("points-")
    assert draft(driver).points == 34


@pytest.mark.slow
@pytest.mark.rule("TMG-ARM-1")
def test_a_card_that_is_too_much_says_why(driver: Driver) -> None:
    driver.press("new")
    driver.press("choice:30")
    driver.press("step:armies")
    paste(driver, "stark;" + ",".join(["10201"] * 6))
    driver.press("barred:10201")
    assert "TMG-ARM-1" in said(driver)
    driver.press("dismiss:10201")
    assert "25 of 30" in screen_text(driver)
    # Another army is a tap away, and this one is kept until it is taken.
    army = draft(driver).seat("blue").army
    driver.press("change-army")
    driver.press("change-army")
    assert (draft(driver).seat("blue").army, driver.find("ready:0")) == (army, None)
    driver.press("change-army")
    driver.press("ready:0")
    assert draft(driver).seat("blue").army not in (army, None)


@pytest.mark.slow
@pytest.mark.rule("TMG-ARM-3", "TMG-ARM-5", "TMG-WND-1")
def test_what_the_catalogue_lacks_is_asked_and_kept(driver: Driver) -> None:
    driver.press("new")
    driver.press("choice:tmg-2018")
    driver.press("next")
    driver.press("next")
    paste(driver, "stark;stark-sworn-swords:5,opportunist:0,grey-wind")
    driver.press("ask:cost")
    driver.press("answer:0")
    driver.press("ask:wounds")
    driver.press("answer:4")
    driver.press("ask:commander")
    driver.press("answer:opportunist")
    army = draft(driver).seat("blue").army
    assert (dict(army.costs)["grey-wind"], dict(army.wounds)) == (0, {"grey-wind": 4})
    assert army.commander == "opportunist"
    assert "keeps every rule" in screen_text(driver)


@pytest.mark.slow
def test_what_was_copied_is_pasted(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    copied = "stark;10201,20201,10201"
    monkeypatch.setattr(Clipboard, "paste", lambda: copied)
    driver.press("new")
    driver.press("next")
    driver.press("next")
    driver.press("paste-list")
    entry = driver.find("list-text")
    assert entry is not None
    assert entry.text == copied
    driver.press("close")
    # What is surely no list, a password perhaps, is not shown to everybody at once.
    copied = "Tr0ub4dor"
    driver.press("paste-list")
    entry = driver.find("list-text")
    assert entry is not None
    assert entry.text == ""
    driver.press("paste")
    assert entry.text == copied
    monkeypatch.setattr(Clipboard, "paste", lambda: "")
    driver.press("paste")
    assert entry.text == copied, "an empty clipboard takes nothing away"
    assert "Nothing was copied" in said(driver)
    entry.text = ""
    driver.press("read-list")
    assert "The list is empty" in said(driver)


@pytest.mark.slow
def test_a_far_tray_of_the_practice_table_keeps_its_unit(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.press("new")
    driver.press("next")
    driver.press("next")
    paste(driver, "stark;10201,20201,10201")
    driver.press("choice:red")
    paste(driver, RED)
    driver.press("next")
    driver.press("choice:practice")
    step = driver.app.screen.inner
    see_all_trays(driver)
    # The camera cannot read the tag of the first red tray: the second is still the second.
    trays = tuple(one for one in step.trays if one[0] != "#12")
    monkeypatch.setattr(type(step), "trays", property(lambda _step: trays))
    driver.press("propose-tags")
    assert dict(draft(driver).tags)["#13"] == "r2"
    assert "not seen yet: Lannister Guardsmen" in screen_text(driver)
    # A film that has ended, or a camera that is lost, is named with its reason.
    driver.app.service.cover(True)
    driver.until(lambda: "camera: lost" in screen_text(driver), 30)
    assert "covered" in screen_text(driver)


@pytest.mark.slow
@pytest.mark.rule("TMG-CMD-3")
def test_a_list_of_2018_with_gaps_leaves_room_for_its_buttons(driver: Driver) -> None:
    """Few lines about what is wrong, none about how a list is written; only who can commands."""
    driver.press("new")
    driver.press("choice:tmg-2018")
    driver.press("next")
    driver.press("next")
    paste(driver, "stark;stark-sworn-swords:5,stark-bowmen:6,stark-outriders:7")
    names = [str(getattr(one, "name", "")) for one in driver.widgets()]
    assert len([one for one in names if one.startswith("why:")]) <= 2
    assert ";" not in screen_text(driver)
    assert driver.find("ask:commander") is None, "a plain unit does not command"
    assert driver.find("next") is not None
    assert faults(driver) == []


@pytest.mark.slow
@pytest.mark.rule("TMG-CMD-3", "TMG-ARM-1")
def test_a_2018_army_names_another_commander_and_says_what_is_not_checked(driver: Driver) -> None:
    driver.press("new")
    driver.press("choice:tmg-2018")
    driver.press("next")
    driver.press("next")
    paste(driver, "stark;stark-sworn-swords,opportunist*,family-duty-honor")
    text = screen_text(driver)
    assert "The army keeps the rules that can be checked." in text
    assert "keeps every rule" not in text
    assert text.count("ame points: they are not counted, nor is their limit checked") == 1
    assert faults(driver) == []
    driver.press("ask:commander")
    driver.press("answer:family-duty-honor")
    assert draft(driver).seat("blue").army.commander == "family-duty-honor"
