"""The line protocol: one JSON command per line in, one JSON answer per line out.

Every line gets exactly one answer, whatever it contains, and the game continues.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from companion.session.session import Session
from companion.text.translation import translate_all
from models import BadInput
from models.field import decode, shown, strict_json
from models.message import say

LONGEST_LINE = 1 << 20
DEEPEST = 40
HALF_LETTER = re.compile("[\ud800-\udfff]")
LARGEST = 2**53
"""Larger integers are not exact in every JSON reader."""


def converse(session: Session, commands: BinaryIO, answers: BinaryIO) -> None:
    """Answer every line until the input ends."""
    for line in lines(commands):
        answers.write(respond(session, line) + b"\n")
        answers.flush()


def lines(commands: BinaryIO) -> Iterator[bytes]:
    """Every line; one that is too long is cut off, and then refused."""
    while line := commands.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            while rest := commands.readline(LONGEST_LINE):
                if rest.endswith(b"\n"):
                    break
        yield line


def respond(session: Session, line: bytes) -> bytes:
    try:
        return session.reply(parse(line), written)
    except BadInput as error:
        return written({"ok": False, "why": "INPUT", "say": str(error)})


def written(answer: dict[str, Any]) -> bytes:
    """The answer as JSON in the selected language."""
    return json.dumps(translate_all(answer), allow_nan=False).encode("ascii")


def parse(line: bytes) -> dict[str, Any]:
    """Parse a line into a command: a JSON object that every part of the program can handle."""
    if len(line) > LONGEST_LINE:
        raise BadInput("command", "", f"is longer than {LONGEST_LINE} bytes")
    if not line.strip():
        raise BadInput("command", "", say("is empty"))
    command = strict_json(decode(line.rstrip(b"\r\n"), "command"), "command")
    if not isinstance(command, dict):
        raise BadInput("command", "", f'{shown(command)} is not an object like {{"do": "help"}}')
    if STRANGE.search(line) or line.count(b"[") + line.count(b"{") > DEEPEST:
        refuse_strange(command)
    return command


STRANGE = re.compile(rb"[^\x00-\x7f]|\\u|\d{16}|\d[eE]")
"""A line without any of these contains no lone surrogates and no numbers that are too large."""


def refuse_strange(command: dict[str, Any]) -> None:
    """Refuse what the log cannot store: infinities, lone surrogates, deep nesting."""
    waiting: list[tuple[Any, int]] = [(command, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > DEEPEST:
            raise BadInput("command", "", f"is nested more than {DEEPEST} deep")
        if isinstance(value, dict):
            waiting += [(one, depth + 1) for pair in value.items() for one in pair]
        elif isinstance(value, list):
            waiting += [(one, depth + 1) for one in value]
        elif isinstance(value, str):
            if not value.isascii() and HALF_LETTER.search(value):
                raise BadInput("command", "", f"{shown(value)} holds half a letter")
        elif isinstance(value, int | float) and not (
            math.isfinite(value) if isinstance(value, float) else abs(value) <= LARGEST
        ):
            raise BadInput("command", "", f"{shown(value)} is too large a number")
