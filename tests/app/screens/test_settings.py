"""Every setting by touch: seen at once, kept, and felt where it matters."""

from __future__ import annotations

import io
import json
import os
import re
import wave
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kivy.core.window import Window

from companion import games
from companion.app.device.sound import SIGNALS, SoundPlayer, vibrate, wav_bytes
from companion.app.render.theme import THEME
from companion.app.scripted.driver import Driver
from companion.app.widgets import toasts
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.engine.app_words import _, set_language
from companion.engine.files.game_library import new_path
from companion.engine.files.preferences import Preferences, load, save
from companion.games import every, package_of
from companion.session.session import Session
from companion.version import VERSION
from models.catalogue import gather
from tests.app.conftest import opened
from tests.app.fits import faults


def kept(driver: Driver) -> Preferences:
    return load(driver.app.service.folder / "preferences.json")


CHOICES: tuple[tuple[str, str, object], ...] = (
    ("choice:de", "language", "de"),
    ("choice:ru", "language", "ru"),
    ("choice:cm", "units", "cm"),
    ("choice:light", "colours", "light"),
    ("choice:contrast", "colours", "contrast"),
    ("choice:1.2", "text", 1.2),
    ("choice:left", "hand", "left"),
    ("sound:False", "sound", False),
    ("vibration:False", "vibration", False),
    ("awake:False", "awake", False),
)


@pytest.mark.slow
def test_every_choice_is_kept_at_once(driver: Driver) -> None:
    driver.press("settings")
    for button, name, value in CHOICES:
        assert getattr(kept(driver), name) != value
        driver.press(button)
        assert getattr(driver.app.service.preferences, name) == value
        assert getattr(kept(driver), name) == value
        if name in ("language", "text"):
            assert faults(driver) == [], button


def test_strange_choices_fall_back(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text('{"text": 9, "sound": "loud", "setup": 3, "units": "cm", "readings": [1]}')
    assert load(path) == Preferences(units="cm")
    save(path, Preferences(setup="My table", vibration=False))
    assert load(path) == Preferences(setup="My table", vibration=False)


@pytest.mark.parametrize(
    ("readings", "kept", "dropped"),
    [
        (["no_such=thing"], (), ("no_such=thing",)),
        (["sight_lines=no such value", 7, ["x"]], (), ("sight_lines=no such value", "7", "['x']")),
        (["", "  ", "a\nb", "x" * 5000], (), ("''", "'  '", "'a\\nb'", "'" + "x" * 58 + "…")),
    ],
)
def test_readings_that_no_game_knows_are_dropped_and_named(
    tmp_path: Path, readings: list[object], kept: tuple[str, ...], dropped: tuple[str, ...]
) -> None:
    switch = next(iter(every())).switches()[0]
    known = f"{switch.name}={switch.choices[-1]}"
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"readings": [known, *readings], "units": "cm"}))
    found = load(path)
    assert found == Preferences(units="cm", readings=(known, *kept))
    assert found.dropped == dropped
    save(path, found)
    assert load(path).dropped == ()
    assert load(path) == found


def test_one_reading_set_twice_counts_once(tmp_path: Path) -> None:
    switch = next(iter(every())).switches()[0]
    one, other = (f"{switch.name}={value}" for value in switch.choices[:2])
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"readings": [one, other, one]}))
    assert (load(path).readings, load(path).dropped) == ((one,), (other,))


@pytest.mark.parametrize(
    "text",
    ["", "[" * 100_000, '{"a":' * 50_000, "\x00", '{"readings": {}}', '{"text": NaN}', "7", "null"],
)
def test_a_file_that_is_no_list_of_choices_is_forgotten(tmp_path: Path, text: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(text)
    assert load(path) == Preferences()
    path.unlink()
    path.mkdir()
    assert load(path) == Preferences()


def test_a_pipe_in_place_of_the_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.json")
    assert load(tmp_path / "p.json") == Preferences()


def test_dropped_readings_are_said_on_the_screen(driver: Driver) -> None:
    service = driver.app.service
    (service.folder / "preferences.json").write_text('{"readings": ["no_such=thing"]}')
    service.controller.game.preferences = load(service.folder / "preferences.json")
    driver.app.reload()
    said = [getattr(one, "text", "") for one in driver.app.toasts.walk()]
    assert any("no_such=thing" in text for text in said)


@pytest.mark.slow
def test_the_password_of_the_dice_camera_is_not_shown_and_stays(driver: Driver) -> None:
    address = "rtsp://me:secret@10.0.0.5/dice"
    service = driver.app.service
    service.prefer(replace(service.preferences, dice="camera", dice_camera=address))
    driver.press("settings")
    field: Any = driver.find("dice-camera")
    assert field.text == "rtsp://***@10.0.0.5/dice"
    driver.press("keep-dice-camera")
    assert service.preferences.dice_camera == address
    field = driver.find("dice-camera")
    field.text = "2"
    driver.press("keep-dice-camera")
    assert service.preferences.dice_camera == "2"
    field = driver.find("dice-camera")
    field.text = "http://" + "a" * 300
    driver.press("keep-dice-camera")
    assert service.preferences.dice_camera == "2"
    said = [getattr(one, "text", "") for one in driver.app.toasts.walk()]
    assert any("at most 200 letters" in text for text in said)


def test_text_grows_and_the_screen_stays_whole(driver: Driver) -> None:
    driver.press("settings")
    before = THEME.size("body")
    driver.press("choice:1.4")
    assert THEME.size("body") == pytest.approx(before * 1.4)
    assert faults(driver) == []


def test_the_screen_stays_on_only_in_a_game(driver: Driver) -> None:
    assert Window.allow_screensaver
    driver.app.go("table")
    assert not Window.allow_screensaver
    driver.press("menu")
    driver.press("go:settings")
    assert Window.allow_screensaver
    driver.press("awake:False")
    driver.press("back")
    assert driver.app.place == "table"
    assert Window.allow_screensaver


# -- sound and vibration ---------------------------------------------------------------------


class Played:
    def __init__(self) -> None:
        self.times = 0

    def play(self) -> None:
        self.times += 1


@pytest.mark.parametrize("name", SIGNALS)
def test_sounds_are_short_and_gentle(name: str) -> None:
    with wave.open(io.BytesIO(wav_bytes(SIGNALS[name]))) as file:
        seconds = file.getnframes() / file.getframerate()
        frames = file.readframes(file.getnframes())
    loud = max(
        abs(int.from_bytes(frames[n : n + 2], "little", signed=True))
        for n in range(0, len(frames), 2)
    )
    assert 0.02 < seconds < 1.5
    assert 3000 < loud < 16000
    assert frames[:2] == b"\0\0"


def test_sounds_play_as_the_players_like() -> None:
    sound, felt = Played(), list[int]()
    loaded: list[str] = []

    def load_it(path: str) -> Played:
        assert Path(path).read_bytes().startswith(b"RIFF")
        loaded.append(path)
        return sound

    sounds = SoundPlayer(load=load_it, vibrate=felt.append)
    sounds.play("refused")
    sounds.play("refused")
    assert (sound.times, len(loaded), felt) == (2, 1, [60, 60])
    sounds.sound = False
    sounds.play("refused")
    assert (sound.times, len(felt)) == (2, 3)
    sounds.sound, sounds.vibration = True, False
    sounds.play("refused")
    assert (sound.times, len(felt)) == (3, 3)


def test_without_sound_card_or_motor_nothing_happens() -> None:
    assert not vibrate(20)
    SoundPlayer(load=lambda path: None).play("done")


def test_a_refusal_is_heard(driver: Driver) -> None:
    played: list[str] = []
    driver.app.sounds.play = played.append  # type: ignore[assignment,method-assign]
    driver.app.toast("no", refused=True)
    driver.app.toast("yes", refused=False)
    assert played == ["refused", "done"]
    driver.press("settings")
    driver.press("sound:False")
    assert played[-1] == "sample"


# -- readings --------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_readings_of_a_game_are_below_its_name(driver: Driver) -> None:
    driver.press("settings")
    driver.press("choice:de")
    driver.press("section:readings")
    wanted = {
        "Tactics": "tactics",
        "Der Eiserne Thron: Das Kartenspiel": "thrones",
        "Die Schlachten von Westeros": "westeros",
        "Miniaturen, Ausgabe 2021 · Miniaturen, Ausgabe 2018": "tmg",
    }
    for name, package in wanted.items():
        driver.press(f"readings:{package}")
        button = driver.find(f"readings:{package}")
        assert button is not None
        assert button.text.replace("\u200a", "") == name
        rows = driver.app.screen.rows.column.children[::-1]
        cards = [one.children[-1].text for one in rows if isinstance(one, CardBox)]
        switches = next(game.switches() for game in every() if package_of(game) == package)
        told = [_(one.words) for one in switches]
        assert [card.replace("\u00a0", " ") for card in cards] == told, "a sign stays with its word"
        assert faults(driver) == []


@pytest.mark.slow
def test_readings_go_back_to_what_is_usual(driver: Driver) -> None:
    driver.press("settings")
    driver.press("section:readings")
    driver.press("readings:tmg")
    driver.press("choice:attacker")
    assert kept(driver).readings == ("contact_ratio=attacker",)
    assert driver.find("choice:smaller") is not None  # still the same game
    driver.press("readings-usual")
    assert kept(driver).readings == ()


# -- trays -----------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "own"
    folder.mkdir()
    monkeypatch.setenv("COMPANION_DATA", str(folder))
    gather.cache_clear()
    yield folder
    gather.cache_clear()


def test_a_tray_is_measured_anew(own: Path, driver: Driver) -> None:
    driver.press("settings")
    driver.press("section:trays")
    driver.press("tray-size:infantry")
    driver.press("infantry-width-")
    driver.press("infantry-depth+")
    assert (own / "trays.toml").read_text() == "[infantry]\nwidth = 5.45\ndepth = 4.85\n"
    assert faults(driver) == []
    driver.press("tray-size-reset")
    assert "5.45" not in (own / "trays.toml").read_text()
    driver.press("tray-size-done")
    assert driver.find("tray-size:infantry") is not None


def test_a_broken_own_file_is_said_and_nothing_breaks(own: Path, driver: Driver) -> None:
    (own / "trays.toml").write_text("[infantry]\nwidth = -3\n")
    driver.press("settings")
    driver.press("section:trays")
    told = [str(one.text) for one in driver.widgets() if hasattr(one, "text")]
    assert any("trays.toml" in text and "-3" in text for text in told)


# -- backup ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_backup_and_restore_by_touch(driver: Driver) -> None:
    Session.open(new_path(driver.app.service.games_folder, "game")).close()
    games = {path.name for path in driver.app.service.games_folder.iterdir()}
    driver.press("settings")
    driver.press("choice:cm")
    driver.press("section:data")
    driver.press("backup")
    driver.until(lambda: driver.app.waiting is None)
    assert any(name.startswith("share:") for name in driver.names())  # not a toast alone
    driver.press("close")
    made = next((driver.app.service.folder / "backups").glob("*.zip"))
    driver.press("section:general")
    driver.press("choice:in")
    driver.press("choice:de")
    driver.press("section:data")
    for path in driver.app.service.games_folder.iterdir():
        path.unlink()
    driver.press(f"restore:{made.stem}")
    driver.until(lambda: driver.app.waiting is None)
    assert faults(driver) == []
    driver.press("restore-sure")
    driver.until(lambda: driver.app.waiting is None)
    assert driver.app.service.preferences == Preferences(units="cm")
    assert driver.app.screen.title.text == "Settings"
    assert {path.name for path in driver.app.service.games_folder.iterdir()} == games
    assert list(driver.app.service.folder.glob("before-*/preferences.json"))
    driver.press("back")
    assert any(name.startswith("game:game-") for name in driver.names())


def covered(driver: Driver) -> list[str]:
    """The buttons that the toast covers."""
    driver.steps(4)
    (card,) = driver.app.toasts.children
    found = []
    for one in driver.widgets(driver.app.screen):
        if isinstance(one, TouchButton):
            (x, y), (left, low) = one.to_window(*one.pos), card.to_window(*card.pos)
            beside = x >= left + card.width or x + one.width <= left
            if not beside and y < low + card.height and y + one.height > low:
                found.append(one.name)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_toasts_about_data_in_a_deep_folder_cover_no_button(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr(toasts, "TOLD_S", 3600.0)  # they stay, however slow the machine is
    deep = tmp_path.joinpath(*["a folder with a long name"] * 6)
    deep.mkdir(parents=True)
    driver = opened(deep)
    try:
        driver.press("settings")
        driver.press(f"choice:{language}")
        driver.press("section:data")
        driver.press("backup")
        driver.until(lambda: driver.app.waiting is None)
        driver.press("close")
        (made,) = (deep / "backups").glob("*.zip")
        driver.press(f"restore:{made.stem}")
        driver.until(lambda: driver.app.waiting is None)
        driver.press("restore-sure")
        driver.until(lambda: driver.app.waiting is None)
        assert covered(driver) == []
    finally:
        driver.stop()
        set_language("en")


def test_a_zip_that_is_no_backup_is_refused_in_a_sentence(driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "odd.zip").write_bytes(b"PK nothing")
    driver.press("settings")
    driver.press("section:data")
    driver.press("restore-file")
    files = next(one for one in driver.widgets(driver.app.sheet) if hasattr(one, "endings"))
    files.enter(tmp_path)
    driver.press("file:odd.zip")
    driver.until(lambda: driver.app.waiting is None)
    told = [str(one.text) for one in driver.widgets(driver.app.toasts) if hasattr(one, "text")]
    assert any("odd.zip" in text and "is not a backup" in text for text in told)


def test_about_tells_version_licences_and_installed_games(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "installed", lambda: ("json", "sunk"))
    monkeypatch.setattr(games, "BROKEN", {"sunk": "ImportError: no water"})
    driver.press("settings")
    driver.press("section:about")
    told = [one.text for one in driver.widgets() if isinstance(one, Text)]
    assert f"Table Companion {VERSION}" in told
    assert "json" in told
    assert "sunk does not work and is left out: ImportError: no water" in told
    assert any(re.fullmatch(r"numpy [\d.]+ · .*BSD.*", line) for line in told)
    assert faults(driver) == []
