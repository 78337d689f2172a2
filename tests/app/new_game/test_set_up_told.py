"""What the steps of a new game show of its players, twins and cameras, by touch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.app.new_game.begin_step import fielded
from companion.app.render.theme import THEME
from companion.app.scripted.driver import Driver
from companion.engine.app_words import set_language
from companion.engine.camera.camera_profile import fresh
from companion.engine.drawing.overlay_cache import ScreenSize
from companion.engine.files.draft import army_builder
from companion.engine.files.game_library import SavedGame
from companion.games.tmg.play import PLAY
from companion.practice.workbench import workbench_setup


def test_the_sides_of_the_last_game_leave_their_colours(driver: Driver) -> None:
    """Blue is blue and red is red, whatever was played before."""
    THEME.sides = {"stark": 0, "lannister": 1}
    driver.press("new")
    driver.press("step:armies")
    assert (THEME.place("blue"), THEME.place("red")) == (0, 1)


@pytest.mark.rule("TMG-DEP-1")
def test_names_on_the_deployment_map_are_whole_in_german(driver: Driver) -> None:
    """Half of them were cut to "Pyromantik…"; they are called there as on the map of the game."""
    driver.app.prefer(replace(driver.app.service.preferences, language="de"))
    try:
        for name in ("new", "choice:tmg-2021", "step:armies", "ready:0", "ready:1", "step:place"):
            driver.press(name)
        driver.rest()
        staged = driver.app.service.snapshot.staged
        assert staged is not None
        assert staged.map is not None
        told = [one.text for one in staged.map.words]
        for first, rest in (("Bogen-", "schützen"), ("Gefolgs-", "männer"), ("Helle-", "bardiere")):
            assert f"{first}{rest}" in "".join(told)
        assert "Gardisten" in told, "as on the map of the game: without their house"
        assert not [one for one in told if "…" in one]
    finally:
        set_language("en")


@pytest.mark.rule("TMG-DEP-1")
def test_twins_have_numbers_where_they_are_deployed(driver: Driver) -> None:
    for name in ("new", "choice:tmg-2018", "step:armies", "ready:0", "ready:1", "step:place"):
        driver.press(name)
    table = driver.app.service.drafting.draft.table
    assert table is not None
    twins = [one for one in table.units if one.name == "Stark Sworn Swords"]
    assert len(twins) > 1
    rows = [driver.find(f"deployed:{one.id}") for one in twins]
    named = [row.text for row in rows if row is not None]
    assert len(set(named)) == len(twins), named
    assert all(text[-1].isdigit() for text in named), named


def test_a_set_up_chosen_meanwhile_is_looked_through_at_once(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    app: Any = driver.app
    opened: list[str] = []
    monkeypatch.setattr(app, "see_through", lambda: opened.append(app.camera_profile.name))
    for name in ("Kitchen", "Minis"):
        profile = fresh(app.service.folder / "setups", name).saved(source="http://10.0.0.1/video")
        app.choose_camera_profile(profile)
        app.service.drafting.plan(replace(app.service.drafting.draft, camera="camera"))
    assert opened == ["Minis"]
    app.choose_camera_profile(app.camera_profile)
    assert opened == ["Minis"], "the same one stays open"


def test_a_game_goes_on_under_its_own_set_up(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took the one that was chosen last: "the reference tags look bent"."""
    app: Any = driver.app
    opened: list[str] = []
    monkeypatch.setattr(app, "see_through", lambda: opened.append(app.camera_profile.name))
    monkeypatch.setattr(app.service, "plays_under_camera", lambda snapshot: bool(snapshot.path))
    for name in ("My table", "Dining room"):
        profile = fresh(app.setups, name).saved(source="http://10.0.0.1/video")
        app.choose_camera_profile(profile)
        app.note_camera(replace(app.service.snapshot, path=f"/games/{name}.game"))
    saved = SavedGame(Path("/games/My table.game"), "", 0.0)
    app.use_camera_of(saved)
    assert app.camera_profile.name == "My table"
    assert app.service.preferences.setup == "My table"
    app.camera_profile.path.unlink()
    app.choose_camera_profile(profile)
    app.use_camera_of(saved)
    assert app.camera_profile.name == "Dining room", "its own is gone"
    monkeypatch.setattr(app.service, "plays_under_camera", lambda snapshot: True)
    app.choose_camera_profile(fresh(app.setups, "Kitchen").saved(source="http://10.0.0.1/video"))
    assert opened == ["Kitchen"], "another set-up is looked through in the middle of a game"


@pytest.mark.parametrize("game", ["tmg-2021", "tactics", "thrones"])
def test_the_last_step_names_the_camera_set_up(driver: Driver, game: str) -> None:
    driver.press("new")
    driver.press(f"choice:{game}")
    app: Any = driver.app
    profile = fresh(app.setups, "Kitchen").saved(workbench_setup(), source="http://10.0.0.1/video")
    for camera, told in (
        ("none", "No camera"),
        ("practice", "Under the camera: practice camera"),
        ("camera", "Under the camera: Kitchen"),
    ):
        app.camera_profile = profile
        app.service.drafting.plan(replace(app.service.drafting.draft, camera=camera))
        to_last_step(driver)
        assert told in texts(driver), camera
        driver.press("step:game")


def to_last_step(driver: Driver) -> None:
    """Go on with ready armies until the game can begin."""
    for _step in range(9):
        for name in ("ready:0", "ready:1"):
            if driver.find(name):
                driver.press(name)
        if driver.find("begin"):
            return
        driver.press("next")


@pytest.mark.rule("TMG-STA-1")
def test_whether_the_cards_are_of_paper_is_asked_on_the_first_step_and_told_on_the_last(
    driver: Driver,
) -> None:
    driver.press("new")
    driver.press("choice:True")
    assert driver.app.service.drafting.draft.paper
    for name in ("step:armies", "ready:0", "ready:1", "step:begin"):
        driver.press(name)
    assert "we use paper cards" in texts(driver)
    driver.press("step:game")
    driver.press("choice:False")
    driver.press("step:begin")
    assert "the app deals" in texts(driver)


def texts(driver: Driver) -> list[str]:
    return [str(one.text) for one in driver.widgets(driver.top) if getattr(one, "text", "")]


def test_the_table_of_a_step_is_drawn_only_once_it_has_its_room(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it shows as large as a stamp first."""
    sizes: list[float] = []
    fit = driver.app.service.fit

    def fitted(size: ScreenSize) -> None:
        sizes.append(size.map_scale)
        fit(size)

    monkeypatch.setattr(driver.app.service, "fit", fitted)
    for name in ("new", "step:armies", "ready:0", "ready:1", "step:place", "step:begin"):
        driver.press(name)
    assert len(sizes) >= 2
    assert min(sizes) > 0.5 * max(sizes), sizes


@pytest.mark.rule("TMG-UNT-1", "TMG-NCU-1")
def test_the_last_step_counts_the_units_beside_the_table_too() -> None:
    """The game that began told "5 units to act" where the last step had told 4."""
    game = "tmg-2021"
    builder = army_builder(game)
    assert builder is not None
    army = PLAY.read_army(game, "stark;10201,20201,10205,30201")
    assert len(army.units) == 2
    assert fielded(builder, army) == 3
    assert fielded(None, army) == 2


@pytest.mark.rule("TMG-DEP-4", "TMG-SET-9")
def test_gold_never_agrees_to_a_deployment_that_the_rules_forbid(driver: Driver) -> None:
    """A unit stands outside its zone: the players say that both agree, or correct it."""
    for name in ("new", "step:armies", "ready:0", "ready:1", "step:place"):
        driver.press(name)
    service = driver.app.service
    draft = service.drafting.draft
    assert draft.table is not None
    unit = draft.table.units[0]
    far = draft.table.moved(unit.id, replace(unit.pose, y=20.0))
    service.drafting.plan(replace(draft, table=far))
    driver.press("step:begin")
    driver.until(lambda: driver.find("correct"), 60)
    told = texts(driver)
    assert any("No terrain lies on the table" in one for one in told), told
    assert any(f"of {draft.points} points" in one for one in told), told
    assert gold(driver) == ["correct"]
    driver.press("correct")
    assert driver.find("deployed:" + unit.id) is not None
    driver.press("step:begin")
    driver.until(lambda: driver.find("correct"), 60)
    driver.press("begin")
    driver.until(lambda: driver.app.place == "table", 60)
    assert "both agree: Begin the game" in str(service.snapshot.state["notes"][-1]["text"])


def gold(driver: Driver) -> list[str]:
    return [one.name for one in driver.widgets() if getattr(one, "look", "") == "primary"]
