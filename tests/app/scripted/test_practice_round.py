"""A whole round by touch on a small practice table: charge, panic test, cards, points, undo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.app.play import make_app
from companion.app.scripted.driver import Driver
from companion.engine.app_service import AppService
from companion.games.tmg.play import practice_game
from models import Pose, Table
from tests.app.bare import no_triangles
from tests.app.fits import faults

UNITS = ("b2", "b6", "r6", "r7")


@pytest.fixture
def duel(tmp_path: Path) -> Iterator[Driver]:
    """The practice table with two units a side; b2 stands on a token, as b6 does."""
    from kivy.core.window import Window

    table = Table.load(practice_game.TABLE).moved("b2", Pose(6.0, 18.0, 84.0))
    small = replace(table, units=tuple(one for one in table.units if one.id in UNITS))
    path = tmp_path / "small.table.json"
    path.write_text(small.text(), encoding="utf-8")
    Window.size = (1024, 600)
    driver = Driver(make_app(tmp_path, path))
    driver.app.view = "map"
    driver.start()
    driver.press("practice")
    driver.until(lambda: driver.app.service.snapshot.map is not None, 60)
    driver.rest()
    driver.app.service.cover(True)  # the map is enough here
    yield driver
    driver.stop()


def state(driver: Driver) -> Any:
    return driver.app.service.snapshot.state


def waits(driver: Driver) -> str:
    """What the game waits for."""
    prompts = driver.app.service.snapshot.prompts
    return prompts[0].id if prompts else ""


def screen_text(driver: Driver) -> str:
    """Everything written on the screen."""
    found = (one.text for one in driver.widgets() if getattr(one, "text", ""))
    return " ".join(found).replace("\u00a0", " ")


def result(driver: Driver) -> str:
    """The result strip."""
    strip = driver.app.screen.stage.strip
    return f"{strip.sentence.text} {strip.after.text}"


def gold(driver: Driver) -> list[str]:
    """The primary buttons on the screen."""
    found = [one for one in driver.widgets(driver.top) if getattr(one, "look", "") == "primary"]
    return [one.name for one in found]


def end_turn(driver: Driver) -> None:
    """Whatever may follow, nobody wants it."""
    while waits(driver) != "turn-start" and driver.app.place == "table":
        assert len(gold(driver)) == 1
        driver.press(gold(driver)[0])


@pytest.mark.rule("TMG-CHG-5")
@pytest.mark.rule("TMG-PAN-4")
@pytest.mark.rule("TMG-OBJ-4")
@pytest.mark.rule("TMG-ZON-2")
@pytest.mark.rule("TMG-RND-13")
def test_a_whole_round_by_touch(duel: Driver, tmp_path: Path) -> None:
    # The camera is covered: the card says so, and the game goes on on the map.
    duel.until(lambda: duel.find("camera:map") is not None, 30)
    assert gold(duel) == ["camera:reconnect"]
    duel.press("camera:other")
    assert duel.app.place == "camera"
    duel.press("back")
    assert duel.app.place == "table"
    assert state(duel)["round"] == 1
    duel.press("camera:map")
    assert state(duel)["objectives"]["o3"]["controlled"] == "b6"
    duel.press("tool:hand")  # only look
    # Blue charges and falls short; the dice were misread: undo, and roll again.
    duel.tap_unit("b6")
    assert gold(duel) == ["do-offer"]
    duel.press("do-offer")
    assert gold(duel) == []
    duel.press("die:1")
    assert state(duel)["attack"] is None
    assert "rolled 1, it fails" in result(duel)
    while waits(duel) != "turn-start":
        duel.press("undo")
    duel.tap_unit("b6")
    duel.press("do-offer")
    duel.press("die:6")
    attack = state(duel)["attack"]
    assert attack["charge"]
    duel.press("end:0")
    assert state(duel)["objectives"]["o3"]["controlled"] is None  # it left its token
    # What the table knows is filled in, and each count has its chance.
    assert attack["weapon"] in screen_text(duel)
    assert "33 %" in screen_text(duel)
    duel.press(f"count:{attack['dice']}")
    assert waits(duel) == "defense-dice"
    duel.press("count:0")
    assert f"{attack['dice']} wounds" in result(duel)
    # The tablet is knocked off the table in the middle of the turn: nothing is lost.
    nothing_is_lost(duel, tmp_path / "killed")
    # The target tests for panic: modifiers and odds.
    assert waits(duel) == "test"
    data = duel.app.service.snapshot.prompts[0].data
    for words in (f"Morale {data['morale']}+", f"{100 * data['chance']:.0f} %"):
        assert words in screen_text(duel)
    before = state(duel)["units"]["r7"]["wounds_left"]
    duel.press("count:3")
    duel.press("die:2")  # the D3 counts, because the test fails
    assert state(duel)["units"]["r7"]["wounds_left"] < before
    # A card from a hand that only its owner sees.
    duel.press("dock:page:cards")
    duel.press("hand:blue")
    assert not any(name.startswith("choice:play:") for name in duel.names())
    duel.press("uncover")
    duel.until(lambda: duel.find("uncover") is None)
    duel.steps(12)
    assert faults(duel) == []
    duel.press("close")
    assert duel.app.sheet is None
    duel.press("back")
    end_turn(duel)
    # The turn is red's: nothing of blue's is selected any longer.
    assert duel.app.service.snapshot.chosen is None
    assert "Red" in duel.app.bar.banner.label.text  # type: ignore[union-attr]
    # Red's NCU claims a zone; whom its effect may hit is a button, whom not is none.
    duel.press("unit:rn1")
    duel.press("offer:claim:crown")
    duel.press("do-offer")
    names = duel.names()
    assert "choice:zone-effect:b6" in names
    assert "choice:zone-effect:r7" not in names
    duel.press("choice:zone-effect:b6")
    assert waits(duel) == "zone"  # the row only shows
    duel.press("do-choice")
    assert waits(duel) == "test"
    duel.press("count:12")
    assert state(duel)["zones"]["crown"] == "rn1"
    end_turn(duel)
    # Blue moves.
    duel.tap_unit("b2")
    duel.press("offer:maneuver")
    duel.press("do-offer")
    duel.press("stay")  # the action counts only when the players say that its tray stays
    end_turn(duel)
    # Everybody else does nothing.
    nobody_acts(duel)
    # The end of the round opens the score.
    duel.app.go("table")
    duel.rest()
    assert duel.app.place == "score"
    assert state(duel)["offers"] == []  # nobody scores in the first round
    duel.press("confirm-score")
    while state(duel)["round"] == 1:
        duel.press(gold(duel)[0])
    nobody_acts(duel)
    duel.app.go("table")
    duel.rest()
    assert duel.app.place == "score"
    points_are_confirmed(duel)
    while state(duel)["round"] == 2:
        duel.press(gold(duel)[0])
    # And back again: nothing scored.
    while waits(duel) != "score":
        duel.press("undo")
    assert sum(state(duel)["vp"].values()) == 0


def nothing_is_lost(driver: Driver, folder: Path) -> None:
    """What a killed app leaves, its files as they are at this moment, is the game as shown."""
    path = Path(driver.app.service.snapshot.path)
    games = folder / "games"
    games.mkdir(parents=True)
    for part in path.parent.glob(f"{path.name}*"):
        (games / part.name).write_bytes(part.read_bytes())
    service = AppService(folder, no_triangles)
    service.resume(games / path.name)
    assert service.settle(30)
    for key in ("seq", "round", "phase", "vp", "units", "pending", "attack", "panic"):
        assert service.snapshot.state[key] == state(driver)[key], key
    service.close()


def nobody_acts(driver: Driver) -> None:
    """A round in which nothing happens, without a finger."""
    service = driver.app.service
    driver.app.go("settings")
    while waits(driver) == "turn-start":
        unit = service.snapshot.prompts[0].pieces[0]
        ncu = unit in state(driver)["ncus"]
        service.do(
            {"do": "activate", "unit": unit},
            {"do": "forgo"} if ncu else {"do": "action", "action": "forgo"},
            {"do": "end-turn"},
        )
        assert service.settle(30)
    while waits(driver) != "score":
        service.do({"do": "continue"})
        assert service.settle(30)
    driver.rest()


def points_are_confirmed(driver: Driver) -> None:
    """Each line has its reason; it can be corrected, then all count."""
    offered = state(driver)["offers"]
    driver.until(lambda: driver.app.screen.map.parent is not None)
    assert offered
    for line in driver.app.service.snapshot.score.lines:  # type: ignore[union-attr]
        assert line.text in screen_text(driver)
    driver.press("line:0")
    assert faults(driver) == []
    change = next(name for name in driver.names() if name.startswith("choice:score:1:"))
    driver.press(change)
    assert state(driver)["offers"][0]["vp"] != offered[0]["vp"]
    driver.press("undo")
    assert state(driver)["offers"] == offered
    assert faults(driver) == []
    driver.press("confirm-score")
    assert sum(state(driver)["vp"].values()) == sum(one["vp"] for one in offered)
    assert driver.app.place == "table"
