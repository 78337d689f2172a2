"""The file of the players' choices: whatever is in it, the app starts and can save its own."""

from __future__ import annotations

import random
from dataclasses import asdict
from pathlib import Path

from companion import games
from companion.engine.files import preferences
from companion.engine.files.preferences import CHOICES, Preferences
from tests.fuzz.driver import Fuzzer, one_line
from tests.fuzz.mutate import damaged


def make(dice: random.Random, folder: Path) -> bytes:
    """Some choices, damaged."""
    switches = [one for game in games.every() for one in game.switches()]
    chosen = dice.sample(switches, min(3, len(switches)))
    plain = {name: dice.choice(known) for name, known in CHOICES.items()}
    plain["readings"] = [f"{one.name}={dice.choice(one.choices)}" for one in chosen]
    plain["setup"] = dice.choice(("", "My table", "x" * 300))
    return damaged(dice, plain)


def check(data: bytes, folder: Path) -> str:
    """Load, use and save them."""
    path = folder / "preferences.json"
    path.write_bytes(data)
    found = preferences.load(path)
    for name, choices in CHOICES.items():
        assert getattr(found, name) in choices, name
    for game in games.every():
        game.settings(found.readings)
    for one in found.dropped:
        one_line(one)
    preferences.save(path, found)
    again = preferences.load(path)
    assert asdict(again) == {**asdict(found), "dropped": ()}
    return "usual" if found == Preferences() else "read"


FUZZER = Fuzzer("preferences", make, check)
