"""Odd tables for the whole `rules` command: strange but sound ones, and broken ones.

`python -m tests.odd_tables 10000 [SEED]` drives so many through it: each is answered in one line
of sound JSON (or in words), or refused in one line; nothing else ever happens.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import random
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from companion.cli.program import main as command
from companion.games import find
from models.terrain import KEYWORDS
from tests.arguments import arguments
from tests.models.test_fuzz import wrong_letters, wrong_values

GAMES = ("tmg-2021", "tmg-2018")
TRAYS = ("infantry", "cavalry", "solo", "warmachine")
BROKEN_SHARE = 0.25


def odd_tray(dice: random.Random) -> Any:
    """A tray of the catalogue, or one nobody would build."""
    if dice.random() < 0.6:
        return dice.choice(TRAYS)
    sizes = (0.25, 0.26, 1.0, 2.0, 4.0, 5.5, 12.0, 24.0)
    arc = dice.choice((1, 20, 45, 48.9, 70, 89))
    return {"width": dice.choice(sizes), "depth": dice.choice(sizes), "arc": arc}


def odd_place(dice: random.Random, others: list[dict[str, Any]]) -> tuple[float, float, float]:
    """Anywhere: on the grid, off the table, exactly flush with or just beside another."""
    heading = dice.choice((0, 45, 90, 180, 270, -90, 36000, 30.0001, dice.uniform(-720, 720)))
    kind = dice.random()
    if kind < 0.35 or not others:
        return dice.uniform(0, 48), dice.uniform(0, 48), heading
    if kind < 0.45:
        return float(dice.randint(-2, 50)), float(dice.randint(-2, 50)), heading
    if kind < 0.48:
        far = dice.choice((-60.0, 0.0, 48.0, 100.0, 1e3))
        return far, dice.choice((24.0, far)), heading
    other = dice.choice(others)
    angle = math.radians(other["heading"] + dice.choice((0, 90, 180, 270)))
    away = dice.choice((2.0, 2.76, 4.8, 5.0, 5.3, 5.5, 5.52, 6.0, 6.5)) + dice.choice(
        (0.0, 0.0, 0.01, -0.01, 1.0, 1e-9, -1e-9)
    )
    x, y = other["x"] + away * math.cos(angle), other["y"] + away * math.sin(angle)
    return x, y, dice.choice((other["heading"], other["heading"] + 180, heading))


def odd_attacks(dice: random.Random) -> list[dict[str, Any]]:
    """From no attack at all to more than any card has."""
    kinds = ("melee", "short", "long")
    return [
        {
            "name": f"A{n}",
            "kind": dice.choice(kinds),
            "hit": dice.randint(1, 7),
            "dice": [dice.randint(0, 10) for _ in range(dice.randint(1, 3))],
            **({"abilities": ["vicious"]} if dice.random() < 0.2 else {}),
        }
        for n in range(dice.choice((0, 1, 1, 2, 2, 4)))
    ]


def odd_unit(dice: random.Random, number: int, others: list[dict[str, Any]]) -> dict[str, Any]:
    """One unit among others."""
    x, y, heading = odd_place(dice, others)
    unit = {
        "id": f"u{number}",
        "side": dice.choice(("blue", "blue", "red", "red", "green")),
        "tray": odd_tray(dice),
        "x": x,
        "y": y,
        "heading": heading,
        "speed": dice.choice((0, 1, 4, 5, 6, 24)),
        "defense": dice.randint(1, 7),
        "morale": dice.randint(1, 13),
        "models": dice.choice((0, 1, 3, 4, 12, 60)),
        "wounds": dice.choice((0, 0, 1, 60)),
        "attacks": odd_attacks(dice),
    }
    if dice.random() < 0.3:
        unit["sigma"] = {
            "xy": dice.choice((0.0, 1e-9, 0.03, 0.3, 12)),
            "heading": dice.choice((0.0, 0.4, 10, 90)),
        }
    return unit


def odd_outline(dice: random.Random) -> list[list[float]]:
    """A box, a sliver, a star, a comb, a circle, or a piece as large as the table."""
    x, y, size = dice.uniform(-5, 50), dice.uniform(-5, 50), dice.choice((0.05, 0.5, 3, 8, 60))
    kind = dice.randrange(5)
    if kind == 0:
        long, deep = dice.choice(((size, size), (size, 0.02), (0.02, size), (48, 0.5)))
        return [[x, y], [x + long, y], [x + long, y + deep], [x, y + deep]]
    if kind == 1:
        spots = dice.choice((6, 10, 40))
        turns = [math.tau * n / spots for n in range(spots)]
        far = [size * (1.0 if n % 2 else dice.uniform(0.2, 0.9)) for n in range(spots)]
        return [[x + r * math.cos(a), y + r * math.sin(a)] for r, a in zip(far, turns, strict=True)]
    if kind == 2:
        teeth = dice.randint(2, 6)
        top = [[x + n, y + (size if n % 2 else 0.3)] for n in range(2 * teeth, -1, -1)]
        return [[x, y - 0.5], [x + 2.0 * teeth, y - 0.5], *top]
    if kind == 3:
        turn = dice.uniform(0, math.tau)
        cos, sin = math.cos(turn) * size, math.sin(turn) * size
        return [[x, y], [x + cos, y + sin], [x - sin, y + cos]]
    return [[x + dice.gauss(0, size), y + dice.gauss(0, size)] for _ in range(dice.randint(3, 7))]


def odd_table(dice: random.Random) -> str:
    """The text of a table file with anything on it."""
    units: list[dict[str, Any]] = []
    for number in range(dice.choice((0, 1, 2, 3, 4, 5, 7, 10))):
        units.append(odd_unit(dice, number, units))
    size = dice.choice(((48, 48), (48, 48), (72, 48), (12, 12), (144, 144)))
    terrain = [
        {
            "id": f"t{n}",
            "keywords": dice.sample(sorted(KEYWORDS), dice.randint(0, 4)),
            "outline": odd_outline(dice),
        }
        for n in range(dice.choice((0, 0, 1, 2, 4)))
    ]
    table = {
        "format": "table-companion/1",
        "game": dice.choice(GAMES),
        "table": {"width": size[0], "depth": size[1]},
        "units": units,
        "terrain": terrain,
        "objectives": [{"id": "o1", "x": 24, "y": 24}] if dice.random() < 0.3 else [],
    }
    return json.dumps(table)


def spaced(dice: random.Random) -> str:
    """An odd table without trays that lie in one another, so that most are sound."""
    table = json.loads(odd_table(dice))
    kept: list[dict[str, Any]] = []
    for unit in table["units"]:
        size = unit["tray"] if isinstance(unit["tray"], dict) else {"width": 5.5, "depth": 5.0}
        unit["reach"] = max(size["width"], size["depth"]) * 0.5
        apart = (
            math.dist((unit["x"], unit["y"]), (one["x"], one["y"]))
            >= (unit["reach"] + one["reach"]) * 0.98
            for one in kept
        )
        if all(apart):
            kept.append(unit)
    for unit in kept:
        del unit["reach"]
    return json.dumps({**table, "units": kept})


def written(dice: random.Random) -> str:
    """The text of one table, strange or broken."""
    if dice.random() < BROKEN_SHARE:
        return dice.choice((wrong_values, wrong_letters))(dice)
    return dice.choice((odd_table, spaced, spaced, spaced))(dice)


def flags(dice: random.Random) -> list[str]:
    """Options of the command, as a player might give them."""
    given = ["--json"] if dice.random() < 0.85 else []
    if dice.random() < 0.2:
        one = dice.choice(find(GAMES[0]).switches())
        given += ["--reading", f"{one.name}={dice.choice(one.choices)}"]
    return given


def driven(text: str, options: list[str], path: Path) -> str:
    """What the command makes of a table: 'answered' or 'refused'; anything else is an error."""
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = command(["rules", str(path), *options])
    said, told = err.getvalue(), out.getvalue()
    if status == 2:
        assert not told, told[:200]
        assert said.startswith("companion: "), said
        assert said.count("\n") == 1, said
        return "refused"
    assert (status, said) == (0, ""), said
    if "--json" in options:
        answer = json.loads(told, parse_constant=unsound)
        for unit in answer["units"].values():
            for charge in unit["charges"].values():
                assert charge["distance"] is None or charge["distance"] >= 0, charge
                assert 0 <= charge["chance"] <= 1, charge
    return "answered"


def unsound(word: str) -> float:
    """No answer is NaN or endless."""
    raise AssertionError(f"{word} in the answer")


def tried(count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """So many tables: how they ended, and what went wrong."""
    dice, ends, wrong = random.Random(seed), Counter[str](), list[str]()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        path = Path(folder) / "odd.table.json"
        for number in range(count):
            text, options = written(dice), flags(dice)
            try:
                ends[driven(text, options, path)] += 1
            except Exception:
                ends["wrong"] += 1
                wrong.append(f"number {number} {options}: {traceback.format_exc()}\n{text}")
    return ends, wrong


def main(given: list[str] | None = None) -> int:
    """Try many and print what went wrong."""
    count, seed = arguments(given, count=1000, seed=0)
    started = time.process_time()
    ends, wrong = tried(count, seed)
    for line in wrong[:20]:
        print(line)
    print(f"{count} odd tables: {dict(ends)}, {time.process_time() - started:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
