"""Three languages, whole: no word of the app without its translation, no lost value."""

from __future__ import annotations

import ast
import gettext
import re
from pathlib import Path

import pytest

from companion.app.words import LOCALE, _, read_po, speak

APP = LOCALE.parent


def said() -> set[str]:
    """Every text the app's code says."""
    found = set()
    for path in APP.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "_"
                and isinstance(node.args[0], ast.Constant)
            ):
                found.add(str(node.args[0].value))
    return found


@pytest.mark.parametrize("language", ["de", "ru"])
def test_every_text_is_translated(language: str) -> None:
    known = read_po(LOCALE / f"{language}.po")
    assert said() - known.keys() == set()


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_values_stay_in_their_places(language: str) -> None:
    for source, target in read_po(LOCALE / f"{language}.po").items():
        assert sorted(re.findall(r"{.*?}", source)) == sorted(re.findall(r"{.*?}", target)), source


def test_overlays_speak_the_language_too() -> None:
    from companion.overlay.legend import meaning

    try:
        speak("de")
        assert meaning("shot") == "Schuss"
        assert _("Round {round}", round=3) == "Runde 3"
        speak("ru")
        assert gettext.gettext("blocked") == "закрыто"
    finally:
        speak("en")
    assert meaning("shot") == "shot"


def test_a_po_file_is_read_with_its_long_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.po"
    path.write_text('msgid ""\nmsgstr "head"\n\nmsgid "a "\n"b"\nmsgstr "c "\n"\\"d\\""\n')
    assert read_po(path) == {"a b": 'c "d"'}
