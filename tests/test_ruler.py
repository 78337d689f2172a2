"""Lengths in inches or centimetres, in every sentence of every language."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import cache
from string import Formatter
from typing import Any

import pytest

from companion.overlay import picture
from companion.overlay.canvas import TextLine
from companion.overlay.map_theme import LIGHT
from companion.overlay.shapes import TableScene
from companion.text import translation, verdicts
from companion.text.lengths import INCHES, LengthFormat
from companion.text.translation import catalogue, ruler, set_language, set_units, translate
from models.message import joined, say
from tests.sentences import GAME, ROOT, said

METRIC = LengthFormat("cm", "mm")
IN_INCHES = re.compile(r'[\d}]\s?[″"]')
"""A number, or a value in a template, that says it is in inches."""


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    set_units("in")
    set_language("en")


@pytest.mark.parametrize(
    ("way", "inches", "metric"),
    [
        ("length", "0.61″", "1.6 cm"),
        ("short", "0.614″", "2 cm"),
        ("limit", "0.614″", "1.6 cm"),
        ("printed", "0.614", "0.614 (1.6 cm)"),
        ("fine", "0.614″", "15.60 mm"),
    ],
)
def test_a_length_in_both_units(way: str, inches: str, metric: str) -> None:
    assert (getattr(INCHES, way)(0.614), getattr(METRIC, way)(0.614)) == (inches, metric)


@pytest.mark.parametrize(
    ("pattern", "values", "told"),
    [
        ("up to {reach:g}″, {n} dice", {"reach": 11, "n": 2}, "up to 27.9 cm, 2 dice"),
        ('{reach}" forward, at 1" off', {"reach": 5}, "12.7 cm forward, at 2.5 cm off"),
        ('no unit "{unit}" in "6"', {"unit": "b1"}, 'no unit "b1" in "6"'),
        ('there is "{unit}"', {"unit": "b1"}, 'there is "b1"'),
        ("{reason}, by {inches:.1f}″", {"reason": "too far″", "inches": 2}, "too far″, by 5.1 cm"),
        ("{n!r} of {wide:+d}", {"n": "x", "wide": 7}, "'x' of +7"),
        ("50 % of {{nothing}} {n}", {"n": 1}, "50 % of {nothing} 1"),
    ],
)
def test_what_is_a_length_in_a_template(pattern: str, values: dict[str, Any], told: str) -> None:
    assert METRIC.filled(pattern, values) == told
    assert INCHES.filled(pattern, values) == pattern.format_map(values)


@cache
def spoken_in_inches() -> list[str]:
    """Every sentence of game, session and map that holds a length."""
    rooms = (GAME, ROOT / "companion" / "session", ROOT / "companion" / "overlay")
    found = [*said(*rooms).items(), *said(GAME / "play", whole=True).items()]
    return sorted({text for both in found for text in both if IN_INCHES.search(text)})


@pytest.mark.slow
def test_there_are_such_sentences() -> None:
    assert len(spoken_in_inches()) >= 12


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_every_sentence_is_told_in_centimetres(language: str) -> None:
    in_cm, in_inches = catalogue(language, "cm"), catalogue(language)
    for pattern in spoken_in_inches():
        names = [name for _, name, _, _ in Formatter().parse(pattern) if name]
        sentence = say(pattern, **dict.fromkeys(names, 7))
        told = in_cm.translate(sentence)
        assert not IN_INCHES.search(told), told
        assert ("см" if language == "ru" else "cm") in told, told
        assert IN_INCHES.search(in_inches.translate(sentence)), pattern


def test_sentences_in_sentences_and_rows_of_them_follow() -> None:
    row = joined([say("it would end within 1″ of an enemy"), say("up to {n:g}″", n=4)], "; ")
    set_units("cm")
    assert translate(row) == "it would end within 2.5 cm of an enemy; up to 10.2 cm"
    assert translate(translate(row)) == translate(row)
    set_language("ru")
    assert "2,5 см" in translate(row)


def test_the_unit_stays_when_the_language_changes() -> None:
    set_units("cm")
    set_language("de")
    assert (ruler().length(1), translation.language()) == ("2,5 cm", "de")
    set_units("in")
    assert (ruler().length(1), translation.language()) == ("1,00″", "de")


def test_germans_and_russians_write_a_comma_and_nothing_but_numbers_changes() -> None:
    sentence = say("{unit} of v1.2 moved {far:.1f}″, 0.5″ too far", unit="b.2", far=5.3)
    assert translate(sentence) == "b.2 of v1.2 moved 5.3″, 0.5″ too far"
    for language in ("de", "ru"):
        set_language(language)
        assert translate(sentence) == "b.2 of v1.2 moved 5,3″, 0,5″ too far"
        assert translate(translate(sentence)) == translate(sentence)
        assert ruler().number(0.251, 2) == "0,25"
        assert [ruler().short(1.5), ruler().printed(7.5), ruler().fine(0.02)] == [
            "1,5″",
            "7,5",
            "0,020″",
        ]
    set_units("cm")
    assert translate("b2 moved 5,3″") == "b2 moved 13,5 см"


def test_a_doubt_is_told_in_the_unit() -> None:
    answer = {"answer": "unsure", "probability": 0.4, "margin": -0.05}
    assert verdicts.doubt(answer) == "0.05″ too close to call, 40 % yes"
    set_units("cm")
    assert verdicts.doubt(answer) == "0.1 cm too close to call, 40 % yes"


def test_the_rulers_of_a_painted_map(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def noted(text: str, size: int) -> TextLine:
        written.append(text)
        return TextLine(text, size)

    monkeypatch.setattr(picture, "TextLine", noted)
    scene = TableScene(12.0, 12.0)
    sheet = picture.sheet_for(scene, (300, 300), LIGHT)
    picture.write_rulers(sheet, scene)
    assert set(written) == {"0″", "6″", "12″"}
    written.clear()
    set_units("cm")
    picture.write_rulers(sheet, scene)
    assert set(written) == {"0 cm", "15 cm", "30 cm"}


@pytest.mark.parametrize("text", ["1" * 100_000, "1." * 50_000, "1" * 50_000 + ",1" * 20_000])
def test_a_text_of_digits_is_told_in_a_moment(text: str) -> None:
    began = time.process_time()
    assert METRIC.plain(text) == text
    assert time.process_time() - began < 1.0
