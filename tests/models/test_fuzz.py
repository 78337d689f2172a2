"""10,000 mutated table files: each is read or refused in one line, nothing else ever happens."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import pytest
from shapely.geometry import Polygon

from models import BadInput, Table
from tests.models.sample import sample
from tests.trials import trials

ROUNDS = trials(4_000, 10_000)
SEED = 20210
TEXT = json.dumps(sample(), ensure_ascii=False)

NASTY: list[Any] = [
    None, True, False, 0, -1, 1, 2.5, 1e-300, -0.0, 1e308, 10**30, 10**400, float("nan"),
    float("inf"), "", " ", "x", "infantry", "melee", "rough", "\x00", "\ud800", "\u202e", "é",
    "a" * 300, [], [[]], {}, {"": 1}, [1, 2], [None] * 3, {"width": 3, "depth": 2},
    {"width": 0, "depth": 0},
    "tmg-2018", "../../etc", "b1", [[0, 0], [9, 0], [0, 9]], [[0, 0], [9, 9], [9, 0], [0, 9]],
]  # fmt: skip
SNIPPETS = [
    "NaN", "-Infinity", "1e999", "null", "{", "}", "[", "]", ",", ":", '"', "\\", "\\u0000", "0",
    "-", "1e", "[[[[", '{"a":', "\n", "\t", "\x00", "\ufeff", "é", "9" * 50, "9" * 5000, "[" * 3000,
]  # fmt: skip


def slots(value: Any) -> list[tuple[Any, Any]]:
    """Every place in the table where another value could stand."""
    found: list[tuple[Any, Any]] = []
    if isinstance(value, dict | list):
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        for key in keys:
            found.append((value, key))
            found += slots(value[key])
    return found


def nasty(dice: random.Random) -> Any:
    """A value nobody expects, fresh: later mutations may change it."""
    return copy.deepcopy(dice.choice(NASTY))


def nudge(dice: random.Random, value: Any) -> Any:
    """A number a little or a lot beside the old one."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9:
        return dice.choice([value + dice.gauss(0, 3), value * 100, -value, dice.uniform(0, 48)])
    return nasty(dice)


def wrong_values(dice: random.Random) -> str:
    """Sound JSON with other values, missing keys, foreign keys, entries twice or in disorder."""
    table = sample()
    for _ in range(dice.randint(1, 3)):
        where, key = dice.choice(slots(table))
        match dice.randrange(6):
            case 0 | 1:
                where[key] = nudge(dice, where[key])
            case 2:
                where[key] = nasty(dice)
            case 3:
                del where[key]
            case 4 if isinstance(where, list):
                where.append(where[key])
            case 4:
                where[dice.choice(["Width", "colour", "", "x" * 99, "\n"])] = nasty(dice)
            case _ if isinstance(where, list):
                dice.shuffle(where)
            case _:
                other = dice.choice(list(where))
                where[key], where[other] = where[other], where[key]
        if not table:
            break
    return json.dumps(table)


def wrong_letters(dice: random.Random) -> str:
    """The text itself damaged: cut, doubled, swapped, strange letters put in."""
    text = TEXT
    for _ in range(dice.choice([1, 1, 1, 2, 4])):
        at, end = sorted(dice.randrange(len(text) + 1) for _ in range(2))
        end = min(end, at + dice.randint(0, 30))
        match dice.randrange(8):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:at] + text[at:end] + text[at:]
            case 2:
                text = text[:at] + dice.choice(SNIPPETS) + text[end:]
            case 3:
                text = text[:at] + chr(dice.randrange(1, 0x2FF)) + text[at + 1 :]
            case 4:
                text = text[:at]
            case _:
                digits = [place for place, letter in enumerate(text) if letter.isdigit()]
                at = dice.choice(digits or [0])
                text = text[:at] + str(dice.randint(0, 9)) + text[at + 1 :]
        if not text:
            break
    return text


def outcome(text: str) -> str:
    try:
        table = Table.parse(text, "f.table.json")
    except BadInput as error:
        said = str(error)
        assert said.startswith("f.table.json: "), said
        assert said.isprintable(), said
        assert len(said) < 500, said
        return "refused"
    assert Table.parse(table.text()) == table
    assert all(Polygon(piece.outline).is_valid for piece in table.terrain)
    return "read"


@pytest.mark.slow
@pytest.mark.parametrize("mutate", [wrong_values, wrong_letters])
def test_read_or_refused(mutate: Any) -> None:
    dice = random.Random(SEED)
    outcomes: Counter[str] = Counter()
    for number in range(ROUNDS // 2):
        text = mutate(dice)
        try:
            outcomes[outcome(text)] += 1
        except Exception as error:
            pytest.fail(f"number {number}: {type(error).__name__}: {error}\n{text[:3000]}")
    # Both ends are met often, or the mutations would prove little.
    assert min(outcomes["read"], outcomes["refused"]) > ROUNDS // 20, outcomes
