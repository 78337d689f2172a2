"""The readings of every game: what players may choose is asked for, named and counted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion.games
from companion import games
from companion.games.api.rules import ReadingSwitch

GAMES = ("tmg-2021", "tactics", "westeros", "thrones")
CODE = Path(companion.games.__file__).parent
ROOT = CODE.parents[1]
SWITCHES = [
    pytest.param(game, one, id=f"{game} {one.name}")
    for game in GAMES
    for one in games.find(game).switches()
]


@pytest.mark.parametrize(("game", "known"), SWITCHES)
def test_every_switch_is_asked_for_somewhere(game: str, known: ReadingSwitch) -> None:
    """A setting that nobody asks for would change nothing."""
    asked = re.compile(rf"\.{known.name.replace('-', '_')}\b")
    files = [*(CODE / game.partition("-")[0]).rglob("*.py"), *(CODE / "shared").rglob("*.py")]
    found = any(asked.search(one.read_text(encoding="utf-8")) for one in files)
    assert found, f"{known.number}: no code of {game} asks readings.{known.name}"


@pytest.mark.parametrize(("game", "known"), SWITCHES)
def test_a_switch_is_called_by_its_name_or_its_number(game: str, known: ReadingSwitch) -> None:
    rules = games.find(game)
    names = {known.name, known.name.replace("-", "_"), known.name.replace("_", "-")}
    if sum(one.number == known.number for one in rules.switches()) == 1:
        names |= {known.number, known.number.lower()}
    for choice in known.choices:
        chosen = rules.settings([f"{known.name}={choice}"])
        assert getattr(chosen, known.name.replace("-", "_")) == choice
        for name in names:
            assert rules.settings([f"{name} = {choice}"]) == chosen, name
        assert chosen.texts() == ([] if choice == known.default else [f"{known.name}={choice}"])


@pytest.mark.parametrize(
    ("game", "file", "sentence"),
    [
        ("tactics", "docs/formats.md", "Of the {all} open readings of the rulebook {some} are"),
        ("westeros", "docs/formats.md", "Of the {all} open readings of the rulebook {some} are"),
        ("westeros", "README.md", "The {some} open readings that change an answer"),
    ],
)
def test_the_docs_count_the_readings(game: str, file: str, sentence: str) -> None:
    """Two switches of one number are one reading."""
    some = len({one.number for one in games.find(game).switches()})
    tracked = (ROOT / f"tests/rules/{game}.txt").read_text(encoding="utf-8")
    every = len(set(re.findall(r"-OR-\d+", tracked)))
    words = sentence.format(all=every, some=some)
    assert words in (ROOT / file).read_text(encoding="utf-8"), words
