"""A written file is opened and shared by the device; where it cannot be, one line says so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.app.device.sharing import AndroidSharing, ComputerSharing
from companion.app.scripted.driver import Driver
from companion.app.widgets.file_picker import FileCard


@pytest.mark.parametrize(("system", "program"), [("linux", "xdg-open"), ("darwin", "open")])
def test_a_computer_opens_the_file_and_its_folder(system: str, program: str) -> None:
    started: list[Sequence[str]] = []
    device = ComputerSharing(system, started.append, lambda name: f"/usr/bin/{name}")
    path = Path("exports") / "a.html"
    assert device.open(path)
    assert device.share(path)
    assert started == [(program, str(path)), (program, "exports")]


def test_a_computer_without_a_file_manager_says_no() -> None:
    device = ComputerSharing("linux", lambda command: None, lambda name: None)
    assert not device.open(Path("a.html"))

    def broken(command: Sequence[str]) -> None:
        raise OSError("no display")

    assert not ComputerSharing("linux", broken, lambda name: name).share(Path("a.html"))


class Java:
    """Stands for Android's classes: remembers what was called."""

    def __init__(self, room: bool = True) -> None:
        self.calls: list[tuple[str, Any]] = []
        self.room = room

    def __call__(self, name: str) -> Any:
        return Recorder(self, name.rpartition(".")[2])


class Recorder:
    def __init__(self, java: Java, name: str) -> None:
        self._java, self._name = java, name

    def __getattr__(self, name: str) -> Any:
        if name.isupper() or name == "mActivity":
            return Recorder(self._java, f"{self._name}.{name}")
        return Recorder(self._java, name)

    def __call__(self, *given: Any) -> Any:
        self._java.calls.append((self._name, given))
        if self._name == "insert" and not self._java.room:
            return None
        return Recorder(self._java, f"{self._name}()")


def test_android_lends_a_copy_and_asks_to_whom(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("<p>won</p>", encoding="utf-8")
    java = Java()
    assert AndroidSharing(java).share(path)
    called = dict(java.calls)
    assert called["write"] == (b"<p>won</p>",)
    assert ("put", ("mime_type", "text/html")) in java.calls
    assert "startActivity" in called
    assert "close" in called
    assert not AndroidSharing(Java(room=False)).share(path)


def test_the_card_of_a_file_has_buttons_and_no_path(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    path = tmp_path / "game.html"
    card = FileCard([path], said.append)
    texts = " ".join(getattr(one, "text", "") for one in card.walk())
    assert "game.html" in texts
    assert str(tmp_path) not in texts
    card.device = ComputerSharing("linux", lambda command: None, lambda name: None)
    card.open(path)
    assert len(said) == 1
    assert str(path) in said[0]
