"""Lines in, lines out: whatever a line holds, it gets one answer and the game goes on."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest

from companion.session.protocol import LONGEST_LINE, converse, written
from companion.session.session import Session
from companion.text.translation import set_language, translate_all
from models.message import say

SETUP = b'{"do": "set-up", "game": "toy", "stones": 500, "seed": 3}'


def talk(path: Path, *lines: bytes, end: bytes = b"\n") -> list[dict[str, Any]]:
    answers = io.BytesIO()
    with Session.open(path) as session:
        converse(session, io.BytesIO(b"\n".join(lines) + end), answers)
    return [json.loads(line) for line in answers.getvalue().decode("ascii").splitlines()]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"", "command: is empty"),
        (b"  ", "command: is empty"),
        (b'{"do": ', "line 1 column 8: not JSON"),
        (b"take 3", "line 1 column 1: not JSON"),
        (b"[]", "is not an object"),
        (b'"take"', "is not an object"),
        (b"null", "is not an object"),
        (b"\xff\xfe", "not UTF-8"),
        (b'{"do": "take", "stones": NaN}', "nan is not a finite number"),
        (b'{"do": "take", "stones": 1e999}', "too large a number"),
        (b'{"do": "take", "stones": 1' + b"0" * 30 + b"}", "too large a number"),
        (b'{"do": "take", "stones": 1' + b"0" * 6000 + b"}", "not JSON"),
        (b'{"do": "note", "text": "\\ud800"}', "half a letter"),
        (b'{"do": "note", "\\udfff": 1}', "half a letter"),
        (b'{"do": "take", "do": "hide"}', "stands twice"),
        (b'{"do": ' + b"[" * 60 + b"]" * 60 + b"}", "nested more than"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"do": "note", "text": "' + b"x" * LONGEST_LINE + b'"}', "is longer than"),
        (b'{"do": "note", "text": "a\\u0000b"}', "unprintable"),
        (b'{"do": {"do": "take"}}', "is not a text"),
    ],
)
def test_a_strange_line_gets_its_answer_and_the_game_goes_on(
    path: Path, line: bytes, says: str
) -> None:
    answers = talk(path, SETUP, line, b'{"do": "take", "stones": 2}')
    assert [answer["ok"] for answer in answers] == [True, False, True]
    assert answers[1]["why"] == "INPUT"
    assert says in answers[1]["say"]
    assert answers[2]["state"]["stones"] == 498
    assert answers[2]["seq"] == 2


def test_the_last_line_needs_no_end(path: Path) -> None:
    assert len(talk(path, SETUP, b'{"do": "state"}', end=b"")) == 2


def test_carriage_returns_do_no_harm(path: Path) -> None:
    assert all(answer["ok"] for answer in talk(path, SETUP + b"\r", b'{"do": "state"}\r'))


def fuzzed(chance: random.Random) -> bytes:
    """A line between sense and noise."""
    seeds = (
        b'{"do": "take", "stones": 2}',
        b'{"do": "undo", "count": 2, "to": 1}',
        b'{"do": "clock", "action": "add", "side": "blue", "seconds": 5}',
        b'{"do": "hide", "card": "a", "for": "red"}',
        b'{"do": "state"}',
        b'{"do": "redo"}',
        b'{"do": "note", "text": "\xc3\xa9\\u00e9"}',
        b'{"do": "history"}',
    )
    line = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((0, 1, 1, 2, 5))):
        place = chance.randrange(len(line) + 1)
        match chance.randrange(5):
            case 0:
                line[place:place] = chance.randbytes(chance.randint(1, 4))
            case 1:
                del line[place : place + chance.randint(1, 9)]
            case 2:
                line[place:place] = chance.choice(
                    (b"{", b"}", b"[", b'"', b",", b"-", b"e9", b"null")
                )
            case 3:
                line = line.replace(b"2", chance.choice((b"-1", b"1e400", b'"x"', b"{}", b"0.5")))
            case _:
                line += chance.choice(seeds)
    return bytes(line).replace(b"\n", b" ")


@pytest.mark.slow
def test_fuzzed_lines_get_one_answer_each(path: Path) -> None:
    chance = random.Random(11)
    lines = [fuzzed(chance) for _ in range(10_000)]
    answers = talk(path, SETUP, *lines, b'{"do": "state"}')
    assert len(answers) == len(lines) + 2
    for answer in answers:
        if answer["ok"]:
            assert {"ok", "seq", "state"} <= set(answer)
        else:
            assert set(answer) == {"ok", "why", "say"}
            assert answer["why"] != "BUG", answer
    refused = sum(not answer["ok"] for answer in answers)
    assert 2000 < refused < 9000
    assert answers[-1]["ok"]


@pytest.mark.parametrize("language", ["en", "de", "ru"])
def test_an_answer_is_written_in_the_selected_language(language: str) -> None:
    answer = {
        "say": say("the clock is not running"),
        "state": {"rü": [say("step {step} cannot be reached", step=3), 2, None]},
    }
    set_language(language)
    try:
        told = json.loads(written(answer))
        assert told == translate_all(answer)
        assert (told["say"] == answer["say"]) is (language == "en")
    finally:
        set_language("en")


def test_nothing_that_is_no_json_is_written() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        written({"x": float("nan")})
    with pytest.raises(TypeError):
        written({"x": object()})
