"""The file beside a game: languages of the sides, trays of the camera."""

from __future__ import annotations

import random
from pathlib import Path

from companion.engine.app_words import LANGUAGES
from companion.engine.files import game_library
from companion.engine.files.game_library import SEATS_SUFFIX, Seats
from tests.fuzz.driver import Fuzzer
from tests.fuzz.mutate import damaged
from tests.fuzz.setups import SETUP


def make(dice: random.Random, folder: Path) -> bytes:
    """Seats of a game, damaged."""
    units = [tray.unit for tray in SETUP.trays]
    tags = {unit: f"u{number}" for number, unit in enumerate(dice.sample(units, 4))}
    return damaged(dice, {"languages": {"blue": "de", "red": "ru"}, "tags": tags})


def check(data: bytes, folder: Path) -> str:
    """Load them, name the trays by them, and keep them again."""
    game = folder / "a.game"
    game.with_suffix(SEATS_SUFFIX).write_bytes(data)
    found = game_library.load_seats(game)
    assert all(one in ("", *LANGUAGES) for one in found.languages.values())
    named = found.named(SETUP)
    assert len({tray.unit for tray in named.trays}) == len(named.trays), "one unit, two trays"
    assert type(named).parse(named.text()) == named
    game.with_suffix(SEATS_SUFFIX).unlink()
    game_library.save_seats(game, found)
    assert game_library.load_seats(game) == found or not (
        found.tags or any(found.languages.values())
    )
    return "usual" if found == Seats() else "read"


FUZZER = Fuzzer("seats", make, check)
