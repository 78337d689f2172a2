"""Ways to damage a sound input: its values, its letters, its bytes."""

from __future__ import annotations

import copy
import json
import math
import random
from collections.abc import Callable
from typing import Any

NASTY: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2.5, 1e-300, -0.0, 1e308, 10**30, 10**400, 2**63, -(2**63)),
    *(math.nan, math.inf, -math.inf, "", " ", "x", "\x00", "\ud800", "\u202e", "é", "\x1b[2J"),
    *("a" * 300, "a" * 100_000, "0" * 5000, "1e999", "NaN", "../../etc/passwd", "/dev/zero", "."),
    *("{x}", "{x.__class__}", "{x:>999999999}", "%s%n", "<script>", "C:\\con", "🂡", "٤٢", "½"),
    *([], [[]], {}, {"": 1}, [1, 2], [None] * 3, [0] * 5000, {"width": 3, "depth": 2}),
    *([[0, 0], [9, 0], [0, 9]], [[0, 0], [9, 9], [9, 0], [0, 9]]),
)
SNIPPETS = (
    *("NaN", "-Infinity", "1e999", "null", "{", "}", "[", "]", ",", ":", '"', "'", "\\", "\\u0000"),
    *("\\ud800", "0", "-", "1e", "[[[[", '{"a":', "\n", "\r", "\t", "\x00", "\ufeff", "é", "="),
    *("#", "0x", "'''", '"""', "\u2028", "9" * 50, "9" * 5000, "[" * 3000, '{"a":' * 3000),
    *("\n" * 3000, " " * 3000, "a.b.c", "inf", "1979-05-27", "\x1b[31m", "🂡" * 100),
)

HALF_LETTERS = (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x00", b"\xef\xbb")


def slots(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a value where another one could stand."""
    found: list[tuple[Any, Any]] = []
    keys: list[Any] = []
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = list(range(len(value)))
    for key in keys:
        found.append((value, key))
        found += slots(value[key])
    return found


def nasty(dice: random.Random) -> Any:
    """A value nobody expects; sometimes a deep one."""
    if dice.random() < 0.03:
        deep: Any = 1
        for _ in range(dice.choice((10, 100, 500))):
            deep = [deep] if dice.random() < 0.5 else {"a": deep}
        return deep
    return copy.deepcopy(dice.choice(NASTY))


def nudged(dice: random.Random, value: Any) -> Any:
    """A number a little or a lot beside the old one, a text with a letter changed."""
    if isinstance(value, str) and value:
        at = dice.randrange(len(value))
        return value[:at] + dice.choice(("", "x", "é", "\n", "\x00", "9")) + value[at + 1 :]
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9:
        return dice.choice((value + dice.gauss(0, 3), value * 100, -value, value + 1, 0))
    return nasty(dice)


def values(dice: random.Random, plain: Any) -> Any:
    """The same structure with other values, missing, foreign, doubled or exchanged entries."""
    try:
        return changed(dice, copy.deepcopy(plain))
    except RecursionError:  # it is too deep to be copied
        return nasty(dice)


def changed(dice: random.Random, found: Any) -> Any:
    """A structure in which some values are changed."""
    for _ in range(dice.choice((1, 1, 1, 2, 3, 6))):
        places = slots(found)
        if not places or dice.random() < 0.02:
            return nasty(dice)
        where, key = dice.choice(places)
        match dice.randrange(7):
            case 0 | 1:
                where[key] = nudged(dice, where[key])
            case 2 | 3:
                where[key] = nasty(dice)
            case 4:
                del where[key]
            case 5 if isinstance(where, list):
                where.extend([copy.deepcopy(where[key])] * dice.choice((1, 1, 2, 300)))
            case 5:
                where[dice.choice(("Width", "", "x" * 99, "\n", "__class__", key))] = nasty(dice)
            case _:
                other, place = dice.choice(places)
                if not isinstance(where[key], dict | list):
                    other[place] = where[key]
    return found


def letters(dice: random.Random, text: str) -> str:
    """The text itself damaged: cut, doubled, swapped, strange letters put in."""
    for _ in range(dice.choice((1, 1, 1, 2, 4, 9))):
        at, end = sorted(dice.randrange(len(text) + 1) for _ in range(2))
        end = min(end, at + dice.randint(0, 40))
        match dice.randrange(7):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:end] + text[at:]
            case 2 | 3:
                text = text[:at] + dice.choice(SNIPPETS) + text[end:]
            case 4:
                text = text[:at] + chr(dice.randrange(1, 0x2FFF)) + text[at + 1 :]
            case 5:
                text = text[: dice.randrange(len(text) + 1)]
            case _:
                lines = text.splitlines(keepends=True)
                dice.shuffle(lines)
                text = "".join(lines)
    return text


def raw(dice: random.Random, data: bytes) -> bytes:
    """Bytes turned, cut, put in, or nothing but noise."""
    if dice.random() < 0.05:
        return dice.randbytes(dice.choice((0, 1, 7, 300, 9000)))
    found = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 8))):
        at = dice.randrange(len(found) + 1)
        match dice.randrange(4):
            case 0 if at < len(found):
                found[at] ^= 1 << dice.randrange(8)
            case 1:
                found[at:at] = dice.randbytes(dice.randint(1, 5))
            case 2:
                found[at : at + dice.randint(1, 50)] = b""
            case _:
                found[at:at] = dice.choice(
                    (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x00", b"\xef\xbb")
                )
    return bytes(found)


def encoded(text: str) -> bytes:
    """Text as bytes, half letters and all."""
    return text.encode("utf-8", "surrogatepass")


def damaged(dice: random.Random, plain: Any, write: Callable[[Any], str] = json.dumps) -> bytes:
    """A file with a structure in it, damaged in one of the three ways."""
    kind = dice.random()
    if kind < 0.55:
        try:
            return encoded(write(values(dice, plain)))
        except (TypeError, ValueError, RecursionError):  # what cannot be written is no input
            return encoded(write(plain))
    if kind < 0.85:
        return encoded(letters(dice, write(plain)))
    return raw(dice, encoded(write(plain)))
