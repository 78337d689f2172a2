"""No test reads what the person at this machine keeps as own entries, unless it says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from models.catalogue import OWN_VARIABLE

Writer = Callable[[str, str], Path]


@pytest.fixture(autouse=True)
def nobodys_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OWN_VARIABLE, "")


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writer:
    """A player's folder: `own("tmg-2021/units.toml", text)` writes a file of it."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv(OWN_VARIABLE, str(folder))

    def write(name: str, text: str) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write
