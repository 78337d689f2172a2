"""Own tray sizes: written into the players' own file, known at once, nothing of theirs lost."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from models.catalogue import (
    Catalogue,
    catalogue,
    gather,
    heading,
    own_place,
    reset_size,
    resized,
    set_size,
    shipped_trays,
)
from models.field import parse_toml
from models.message import BadInput


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    gather.cache_clear()
    yield tmp_path
    gather.cache_clear()


def size(name: str) -> tuple[float, float]:
    tray = catalogue(Catalogue.games()[0]).trays[name]
    return tray.width, tray.depth


def test_a_size_is_known_at_once_and_taken_back(own: Path) -> None:
    usual = size("infantry")
    assert set_size("infantry", 5.4, 4.7) == own / "trays.toml"
    assert size("infantry") == (5.4, 4.7)
    assert size("solo") == (shipped_trays()["solo"].width, shipped_trays()["solo"].depth)
    reset_size("infantry")
    assert size("infantry") == usual


def test_what_players_wrote_stays(own: Path) -> None:
    text = "# mine\n[solo]\nwidth = 3.0   # measured twice\ndepth = 2.9\n"
    text += "\n[cart]\nwidth = 4\ndepth = 6\n"
    (own / "trays.toml").write_text(text)
    set_size("solo", 2.8, 2.9)
    after = (own / "trays.toml").read_text()
    assert "# mine" in after
    assert "width = 2.8   # measured twice" in after
    assert tomllib.loads(after) == {
        "solo": {"width": 2.8, "depth": 2.9},
        "cart": {"width": 4, "depth": 6},
    }
    assert size("cart") == (4.0, 6.0)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", {"solo": {"width": 2.0, "depth": 3.0}}),
        ("[solo]\n", {"solo": {"width": 2.0, "depth": 3.0}}),
        ('["solo"]\nmodels = 1\n', {"solo": {"models": 1, "width": 2.0, "depth": 3.0}}),
        ("[a]\nwidth = 1\n[solo]\ndepth=9\n[b]\nwidth = 7\n",
         {"a": {"width": 1}, "solo": {"width": 2.0, "depth": 3.0}, "b": {"width": 7}}),
    ],
)  # fmt: skip
def test_any_file_can_be_changed(text: str, after: dict[str, object]) -> None:
    assert tomllib.loads(resized(text, "solo", {"width": 2.0, "depth": 3.0})) == after


def test_a_broken_file_is_named_and_left(own: Path) -> None:
    (own / "trays.toml").write_text("[solo\n")
    with pytest.raises(BadInput, match=r"trays\.toml"):
        set_size("solo", 2.0, 2.0)
    assert (own / "trays.toml").read_text() == "[solo\n"


def test_without_a_folder_there_are_no_own_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", "")
    assert own_place() is None
    with pytest.raises(BadInput, match="COMPANION_DATA"):
        set_size("solo", 2.0, 2.0)


def test_the_usual_folder_is_made_when_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COMPANION_DATA")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert own_place() == tmp_path / ".table-companion" / "data"
    set_size("solo", 2.5, 2.5)
    assert size("solo") == (2.5, 2.5)
    gather.cache_clear()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("[solo]", "solo"),
        ('  [ "my tray" ]  # mine', "my tray"),
        ("[solo] x", None),
        ("[]", None),
        ("solo]", None),
        ("[[solo]]", None),
        ('[a."b"]', None),
        ("width = 3", None),
        ("[" + " " * 1_000_000, None),
        ("[" + " " * 1_000_000 + "]", None),
    ],
)
def test_a_heading_is_read_in_a_moment(line: str, name: str | None) -> None:
    began = time.process_time()
    assert heading(line) == name
    assert time.process_time() - began < 0.5


def test_a_long_line_of_spaces_is_resized_in_a_moment() -> None:
    text = "[solo]\nwidth = 3" + " " * 500_000 + "\n" + "depth = 3" + " " * 500_000 + "# d\n"
    began = time.process_time()
    changed = resized(text, "solo", {"width": 2.0, "depth": 2.5})
    assert tomllib.loads(changed) == {"solo": {"width": 2.0, "depth": 2.5}}
    assert changed.endswith(" # d\n")
    assert time.process_time() - began < 1.0


def test_too_much_toml_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(BadInput, match="is larger than 1 MiB"):
        parse_toml("a = 1\n" * 200_000, "a.toml")
