"""Three languages, whole: no word of the app without its translation, no lost value."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from companion.engine.app_words import LOCALE, _, set_language
from companion.games import every
from companion.games.tmg.play import PLAY
from companion.text.translation import catalogue, read_po, translate
from models.catalogue import catalogue as cards
from models.message import CONTEXT
from tests.sentences import ROOT, TRANSLATED, sources

ENGINE = LOCALE.parent
APP = ENGINE.parent / "app"


def said() -> set[str]:
    """Every text that the app and the engine behind it say."""
    found = set()
    for path in (*ENGINE.rglob("*.py"), *APP.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("_", "say")
                and node.args
                and isinstance(node.args[0], ast.Constant)
            ):
                found.add(str(node.args[0].value))
    return found


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated(language: str) -> None:
    known = {*read_po(LOCALE / f"{language}.po"), *catalogue(language).forms}
    assert said() - known == set()


@cache
def alive() -> frozenset[str]:
    """Every text that stands in the code or the data, there to be said or to be handed on."""
    pieces = {piece for game in PLAY.games for piece in cards(game).pieces}
    found = {piece.replace("-", " ").capitalize() for piece in pieces}
    for game in every():
        found |= {f"{one.name}={choice}" for one in game.switches() for choice in one.choices}
    for _path, tree in sources(ROOT / "companion", ROOT / "models", ROOT / "calibration"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return frozenset(found)


ROOMS = sorted([*LOCALE.glob("*.po"), *(ROOT / "companion" / "locale").glob("*.po")])


@pytest.mark.parametrize("path", ROOMS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_nothing_is_translated_that_nobody_says(path: Path) -> None:
    known = {source.rpartition(CONTEXT)[2] for source in read_po(path)}
    assert known - alive() - {""} == set()


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_values_stay_in_their_places(language: str) -> None:
    known = read_po(LOCALE / f"{language}.po")
    del known[""]
    for source, forms in known.items():
        plain = (re.sub(r"{\w+:[^}]*\|[^}]*}", "", text) for text in (source, *forms))  # "is|are"
        found = [sorted(re.findall(r"{.*?}", text)) for text in plain]
        assert found[0] == found[1], source


def test_overlays_speak_the_language_too() -> None:
    from companion.games.tmg.figures.report_figure import meaning

    try:
        set_language("de")
        assert translate(meaning("shot")) == "Schuss"
        assert _("Round {round}", round=3) == "Runde 3"
        set_language("ru")
        assert translate(meaning("sight-blocked")) == "перекрыто"
    finally:
        set_language("en")
    assert meaning("shot") == "shot"


def test_a_po_file_is_read_with_its_long_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.po"
    path.write_text(
        'msgid ""\nmsgstr "head"\n\n# why\nmsgid "a "\n"b"\nmsgstr "c "\n"\\"d\\""\n\n'
        'msgid "x"\nmsgstr ""\n\nmsgid "{n} e"\nmsgid_plural "{n} "\n"f"\n'
        'msgstr[0] "{n} g"\nmsgstr[1] "{n} "\n"h"\n'
    )
    assert read_po(path) == {"": ("head",), "a b": ('c "d"',), "{n} e": ("{n} g", "{n} h")}
