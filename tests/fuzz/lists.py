"""Army lists as players paste them."""

from __future__ import annotations

import random
from pathlib import Path

from companion.session.game_lookup import find_army_reader
from models.field import decode
from tests.fuzz.driver import Fuzzer, one_line
from tests.fuzz.mutate import encoded, letters, raw
from tests.games.tmg.play.test_army_lists import DRESSES, some_army

GAMES = ("tmg-2021", "tmg-2018")
LONG = ("\n", " ", "-", "(", "(1 ", "1", "x1", "• ", ";", ",", "\t", "a", "+ ", ":", "é", "=", "/")


def make(dice: random.Random, folder: Path) -> tuple[str, bytes, int | None]:
    """A list in any form, damaged, sometimes very long."""
    game = dice.choice(GAMES)
    points = dice.choice((None, 30, 40, 1000))
    known = find_army_reader(game)
    text = known.write_army(some_army(dice, game), dice.choice(known.army_forms))
    if dice.random() < 0.3:
        text = dice.choice(list(DRESSES.values()))
    kind = dice.random()
    if kind < 0.15:
        at = dice.randrange(len(text) + 1)
        piece = dice.choice(LONG)
        text = text[:at] + piece * dice.choice((100, 5000, 90_000 // len(piece))) + text[at:]
    elif kind < 0.2:
        text = dice.choice(("http://", "https://x.example/?", "HTTP://a/#", "http")) + text
    elif kind < 0.3:
        return game, raw(dice, encoded(text)), points
    if dice.random() < 0.8:
        text = letters(dice, text)
    return game, encoded(text), points


def check(given: tuple[str, bytes, int | None], folder: Path) -> str:
    """Read it, judge it, and write it in every form; what was written is read the same."""
    game, data, points = given
    known = find_army_reader(game)
    text = decode(data, "list.txt")
    army = known.read_army(game, text, points)
    for problem in known.army_problems(army):
        one_line(str(problem.say))
    for note in known.army_notes(army, text):
        one_line(str(note))
    again = known.read_army(game, known.write_army(army, "toml"))
    assert again == army, (again, army)
    known.write_army(army, "text")
    known.write_army(army, "ids")
    return "read"


FUZZER = Fuzzer("lists", make, check)
