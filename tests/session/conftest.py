"""Games of the toy, kept in files of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.session.session import Session

Do = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def _toy(toy_game: None) -> None:
    """Every test here plays the toy."""


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting for the disk proves something only where the disk is the subject (test_log.py)."""
    monkeypatch.setattr("companion.session.log.SYNCHRONOUS", "OFF")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.game"


class Watch:
    """A clock that goes when told."""

    ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.ms

    def wait(self, seconds: float) -> None:
        self.ms += round(seconds * 1000)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def session(path: Path, watch: Watch) -> Iterator[Session]:
    with Session.open(path, watch) as kept:
        assert kept.answer({"do": "set-up", "game": "toy", "stones": 100, "seed": 1})["ok"]
        yield kept


@pytest.fixture
def do(session: Session) -> Do:
    """Give a command and have the answer."""

    def give(command: str, **fields: Any) -> dict[str, Any]:
        return session.answer({"do": command, **fields})

    return give
