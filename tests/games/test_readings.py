"""The readings of every game: what players may choose is asked for, named and counted."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import companion.games
from companion import games
from companion.games.api.rules import ReadingSwitch, agreed
from companion.session.report.html_page import html
from companion.session.report.markdown_report import markdown
from companion.session.report.story import build_story
from companion.session.session import Session
from companion.session.storage import read
from companion.text.translation import read_po

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
    name = known.name.replace("-", "_")
    asked = re.compile(rf"(?i:readings)[\w.()]*\.{name}\b")
    folder = CODE / game.partition("-")[0]
    own = (folder / "rules" / "readings.py").read_text(encoding="utf-8")
    files = [*folder.rglob("*.py"), *(CODE / "shared").rglob("*.py")]
    found = f"self.{name}" in own or any(
        asked.search(one.read_text(encoding="utf-8")) for one in files
    )
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


@pytest.mark.parametrize(("game", "known"), SWITCHES)
@pytest.mark.parametrize("language", ["de", "ru"])
def test_every_choice_is_said_in_plain_words(
    game: str, known: ReadingSwitch, language: str
) -> None:
    """A choice is a key for files; players read its label, in the game's own translation."""
    words = read_po(CODE / game.partition("-")[0] / "locale" / f"{language}.po")
    assert len(known.labels) == len(set(known.labels)) == len(known.choices)
    assert not [label for label in known.labels if "-" in label or "_" in label]
    assert not [text for text in (known.words, *known.labels) if text not in words]


@pytest.mark.parametrize(("game", "known"), SWITCHES)
def test_what_was_agreed_is_a_sentence(game: str, known: ReadingSwitch) -> None:
    rules = games.find(game)
    other = known.choices[-1]
    (told,) = agreed(rules, rules.settings([f"{known.name}={other}"]).texts())
    assert str(told) == f"Agreed ({known.number}): {known.words}: {known.label(other)}"


@pytest.mark.rule("BOW-OR-6")
def test_what_the_players_agreed_on_stands_in_the_report(tmp_path: Path) -> None:
    path = tmp_path / "ford.game"
    with Session.open(path) as session:
        agreed = "archers-on-hills=units-and-hills"
        begun = session.answer(
            {"do": "set-up", "game": "westeros", "battle": "sample-ford", "readings": [agreed]}
        )
        assert begun["ok"], begun
    story = build_story(read(path).steps)
    assert story.end is not None
    sentence = "Agreed (BOW-OR-6): what a ranged unit on a hill shoots over: over units and hills"
    assert f"- {sentence}" in markdown(story)
    assert sentence in html(story)
    assert "Agreed" not in markdown(replace(story, end=replace(story.end, readings=())))


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
