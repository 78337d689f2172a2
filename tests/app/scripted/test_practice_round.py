"""A whole round by touch on a small practice table: charge, panic test, cards, points, undo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.app.engine import practice_game
from companion.app.engine.app_service import AppService
from companion.app.play import make_app
from companion.app.scripted.driver import Driver
from models import Table
from tests.app.bare import no_triangles
from tests.app.fits import faults

UNITS = ("b2", "b6", "r6", "r7")


@pytest.fixture
def duel(tmp_path: Path) -> Iterator[Driver]:
    """The practice table with two units a side."""
    from kivy.core.window import Window

    table = Table.load(practice_game.TABLE)
    small = replace(table, units=tuple(one for one in table.units if one.id in UNITS))
    path = tmp_path / "small.table.json"
    path.write_text(small.text(), encoding="utf-8")
    Window.size = (1024, 600)
    driver = Driver(make_app(tmp_path, path))
    driver.app.desk.mind.foresees = False
    driver.app.view = "map"
    driver.start()
    driver.press("practice")
    driver.until(lambda: driver.app.desk.snapshot.map is not None, 60)
    driver.rest()
    driver.app.desk.cover(True)  # the map is enough here
    yield driver
    driver.stop()


def state(driver: Driver) -> Any:
    return driver.app.desk.snapshot.state


def waits(driver: Driver) -> str:
    """What the game waits for."""
    return str((driver.app.desk.snapshot.pending or {}).get("what"))


def told(driver: Driver) -> str:
    """Everything written on the screen."""
    return " ".join(one.text for one in driver.widgets() if getattr(one, "text", ""))


def roll(driver: Driver, *faces: int) -> None:
    """Tap dice and use them."""
    for face in faces:
        driver.press(f"die:{face}")
    driver.press("use-dice")


@pytest.mark.rule("TMG-CHG-5")
@pytest.mark.rule("TMG-PAN-4")
@pytest.mark.rule("TMG-ZON-2")
@pytest.mark.rule("TMG-RND-13")
def test_a_whole_round_by_touch(duel: Driver, tmp_path: Path) -> None:
    # Blue charges and falls short; the dice were misread: undo, and roll again.
    duel.tap_unit("b6")
    duel.press("offer:charge:r7")
    roll(duel, 1)
    assert state(duel)["attack"] is None
    assert "fails" in state(duel)["undo"]
    duel.press("undo")
    duel.press("offer:charge:r7")
    roll(duel, 6)
    attack = state(duel)["attack"]
    assert attack["charge"]
    # What the table knows is filled in, and what is to be expected stands beside the dice.
    assert attack["weapon"] in told(duel)
    assert "expected" in told(duel)
    roll(duel, *[6] * attack["dice"])
    duel.press("verb:continue")
    assert waits(duel) == "defense-dice"
    roll(duel, *[1] * state(duel)["attack"]["hits"])
    duel.press("verb:continue")
    # The tablet is knocked off the table in the middle of the turn: nothing is lost.
    nothing_is_lost(duel, tmp_path / "killed")
    # The target tests for panic: causes, modifiers, odds.
    assert waits(duel) == "test"
    data = duel.app.desk.snapshot.pending["data"]  # type: ignore[index]
    for words in (data["causes"][0], f"Morale {data['morale']}+", f"{100 * data['chance']:.0f} %"):
        assert words in told(duel)
    assert duel.find("tests") is not None  # the badge in the bar
    before = state(duel)["units"]["r7"]["wounds_left"]
    roll(duel, 1, 2)
    assert "passes with" not in told(duel)  # the dice lie: odds would tell of nothing
    duel.press("verb:continue")
    assert state(duel)["units"]["r7"]["wounds_left"] < before
    while waits(duel) != "end-of-turn":
        duel.press("verb:continue")
    # A card from a hand that only its owner sees.
    duel.press("play-card")
    duel.press_if("hand:blue")
    assert not any(name.startswith("card:") for name in duel.names())
    duel.press("uncover")
    duel.until(lambda: any(name.startswith("card:") for name in duel.names()))
    card = next(name for name in duel.names() if name.startswith("card:"))
    duel.press(card)
    duel.press("for:b6")
    assert state(duel)["players"]["blue"]["discard"] == [card.removeprefix("card:")]
    assert not duel.app.desk.snapshot.hidden
    duel.press("verb:end-turn")
    # The turn is red's: what red may do lies above what blue's unit may not.
    asked, tapped = duel.find("unit:rn1"), duel.find("unchoose")
    assert asked is not None
    assert tapped is not None
    assert asked.to_window(*asked.pos)[1] > tapped.to_window(*tapped.pos)[1]
    # Red's NCU claims a zone; whom its effect may hit is a button, whom not is none.
    duel.press("unit:rn1")
    duel.press("claim:crown")
    assert "zone-effect:b6" in duel.names()
    assert "zone-effect:r7" not in duel.names()
    duel.press("zone-effect:b6")
    assert waits(duel) == "test"
    roll(duel, 6, 6)
    duel.press("verb:continue")
    assert state(duel)["zones"]["crown"] == "rn1"
    duel.press("verb:end-turn")
    # Blue moves: the app says that the tray has to follow.
    duel.tap_unit("b2")
    duel.press("offer:Maneuver")
    assert "Now move b2" in told(duel)
    duel.press("verb:end-turn")
    # Everybody else does nothing.
    while waits(duel) == "turn-start":
        unit = duel.app.desk.snapshot.pending["data"]["units"][0]  # type: ignore[index]
        duel.press(f"unit:{unit}")
        ncu = unit in state(duel)["ncus"]
        duel.press("verb:forgo" if ncu else "offer:Forgo the action")
        duel.press("verb:end-turn")
    # The end of the round: points with their reasons, on the map too.
    assert state(duel)["phase"] == "clean-up"
    duel.app.go("score")
    duel.press("verb:continue")
    assert waits(duel) == "score"
    assert state(duel)["offers"] == []  # nobody scores in the first round
    duel.press("confirm-score")
    duel.press("verb:continue")
    assert state(duel)["round"] == 2
    nobody_acts(duel)
    duel.app.go("score")
    points_are_confirmed(duel)
    assert state(duel)["round"] == 3
    # And back again: two steps, nothing scored.
    duel.press("undo")
    duel.press("undo")
    assert waits(duel) == "score"
    assert sum(state(duel)["vp"].values()) == 0


def nothing_is_lost(driver: Driver, folder: Path) -> None:
    """What a killed app leaves, its files as they are at this moment, is the game as shown."""
    path = Path(driver.app.desk.snapshot.path)
    games = folder / "games"
    games.mkdir(parents=True)
    for part in path.parent.glob(f"{path.name}*"):
        (games / part.name).write_bytes(part.read_bytes())
    desk = AppService(folder, no_triangles)
    desk.mind.foresees = False
    desk.resume(games / path.name)
    assert desk.settle(30)
    for key in ("seq", "round", "phase", "vp", "units", "pending", "attack", "panic"):
        assert desk.snapshot.state[key] == state(driver)[key], key
    desk.close()


def nobody_acts(driver: Driver) -> None:
    """A round in which nothing happens, without a finger."""
    desk = driver.app.desk
    driver.app.go("settings")
    while waits(driver) == "turn-start":
        unit = desk.snapshot.pending["data"]["units"][0]  # type: ignore[index]
        ncu = unit in state(driver)["ncus"]
        desk.do(
            {"do": "activate", "unit": unit},
            {"do": "forgo"} if ncu else {"do": "action", "action": "forgo"},
            {"do": "end-turn"},
        )
        assert desk.settle(30)
    desk.do({"do": "continue"})
    driver.rest()


def points_are_confirmed(driver: Driver) -> None:
    """Each line has its reason, its rule and its mark; it can be corrected, then all count."""
    offered = state(driver)["offers"]
    driver.until(lambda: driver.app.screen.map.parent is not None)
    assert offered
    for one in offered:
        assert one["why"] in told(driver)
        assert one["rule"] in told(driver)
    marks = [number for number, one in enumerate(offered, 1) if one.get("token")]
    assert driver.app.screen.map.marked == marks
    driver.press("offer+:1")
    assert state(driver)["offers"][0]["vp"] == offered[0]["vp"] + 1
    driver.press("undo")
    assert state(driver)["offers"] == offered
    assert faults(driver) == []
    driver.press("confirm-score")
    assert sum(state(driver)["vp"].values()) == sum(one["vp"] for one in offered)
    assert driver.app.desk.snapshot.scores
    # The next step of the clean-up is a button here, too.
    driver.press("verb:continue")
