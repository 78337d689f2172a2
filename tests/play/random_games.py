"""Whole games by a program that knows nothing but `pending` and `help`, and a referee beside it.

    python -m tests.play.random_games 200 --seed 1

plays that many games, of both editions and every mode, and prints what they came to.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.session import log
from companion.session.protocol import respond
from companion.session.session import Session
from models import catalogue
from tests.play.random_table import table
from tests.play.referee import Referee

Plain = dict[str, Any]
Ask = Callable[[Plain], Plain]

MODES = {
    "tmg-2021": ("GOT", "COK", "SOS", "FFC", "DWD", "WOW", "HAR", "FAB", "HWS", "DWW"),
    "tmg-2018": ("GOT", "COK", "SOS", "FFC", "WOW"),
}
KINDS = [(game, mode) for game, modes in MODES.items() for mode in modes]
SHAPES = {"duel": ("blue", "red"), "team": ("blue", "blue", "red", "red"), "ffa": ("a", "b", "c")}
LONGEST = 6000
"""No game takes so many commands."""


def play(ask: Ask, chance: random.Random) -> None:
    """A whole game by somebody who sees the answers and nothing else."""
    state = ask({"do": "state"})["state"]
    while state["winner"] is None:
        side = state["pending"][0]["side"] or chance.choice(sorted(state["vp"]))
        seen = ask({"do": "state", "for": side})["state"]
        options = seen["pending"][0]["options"]
        word = chance.choice(sorted({option["do"] for option in options}))
        state = ask(chance.choice([one for one in options if one["do"] == word]))["state"]


# -- armies -----------------------------------------------------------------------------------


def army(game: str, side: str, player: str, chance: random.Random) -> Plain:
    """Some units of the catalogue, one of them the commander's, and some NCUs."""
    known = catalogue(game)
    names = Counter(unit.name for unit in known.units.values())
    cards = [unit for unit in known.units.values() if unit.attacks and names[unit.name] == 1]
    units: list[Plain] = [
        {"card": unit.name, "cost": unit.cost or chance.randint(4, 8)}
        for unit in chance.sample(cards, chance.randint(2, 4))
    ]
    leads = chance.random() < 0.8
    if leads:
        chance.choice(units)["commander"] = True
    ncus: list[Plain] = [
        {"name": f"Lord {number} of {player}", "cost": 4} for number in range(chance.randint(1, 3))
    ]
    if not leads:
        ncus[0]["commander"] = True
    return {"side": side, "player": player, "units": units, "ncus": ncus}


def set_up(number: int, chance: random.Random) -> Plain:
    """The set-up of a game: each number is another kind of game."""
    game, mode = KINDS[number % len(KINDS)]
    shape = "duel" if mode == "SOS" else chance.choice(("duel", "duel", "duel", "team", "ffa"))
    sides = SHAPES[shape]
    armies = [
        army(game, side, f"p{place}" if shape == "team" else side, chance)
        for place, side in enumerate(sides, 1)
    ]
    asked: Plain = {"game": game, "mode": mode, "shape": shape, "armies": armies}
    if shape == "duel" and chance.random() < 0.3:
        asked |= {"ready": True, "first": chance.choice(sides)}
        if mode == "SOS":
            asked["defender"] = chance.choice(sides)
    return {"do": "set-up", **asked, "points": 30, "unchecked": True, "seed": number}


# -- games ------------------------------------------------------------------------------------


def one_game(path: Path, number: int) -> Plain:
    """One game from its first question to its end; what it came to."""
    chance = random.Random(number)
    tally: Counter[str] = Counter()
    with Session.open(path) as session:

        def answer(command: Plain) -> Plain:
            found: Plain = json.loads(respond(session, json.dumps(command).encode()))
            assert found["ok"], f"{found['why']}: {found['say']} ({short(command)})"
            return found

        seen = number % 7 == 3  # a camera looks at the table now and then
        begun = answer(set_up(number, chance))
        referee = Referee(answer({"do": "help"})["commands"])
        referee.took({"do": "set-up"}, begun["state"])

        def ask(command: Plain) -> Plain:
            found = answer(command)
            if command["do"] == "state":
                referee.offered(found["state"])
                return found
            tally[command["do"]] += 1
            assert tally.total() < LONGEST, f"game {number} does not end"
            referee.took(command, found["state"])
            going = found["state"]["round"] > 0 and not found["state"]["winner"]
            if seen and going and chance.random() < 0.04:
                shown = table(found["state"], chance)
                found = answer({"do": "table", "table": shown})
                referee.took({"do": "table"}, found["state"])
            if chance.random() < 0.01:
                answer({"do": "undo"})
                assert gist(answer({"do": "redo"})) == gist(found)
            return found

        play(ask, chance)
        end = session.state()
    with Session.open(path) as session:
        assert session.state() == end, "the file tells another game"
    return {"rounds": end["round"], "winner": end["winner"], "how": end["how"], "commands": tally}


def short(command: Plain) -> str:
    """A command for a line of text."""
    return json.dumps(command)[:200]


def gist(answer: Plain) -> Plain:
    """A state without what undoing and doing again may change."""
    return {name: value for name, value in answer["state"].items() if name not in ("log", "seq")}


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("games", type=int, nargs="?", default=200)
    reader.add_argument("--seed", type=int, default=0, help="the number of the first game")
    asked = reader.parse_args()
    log.SYNCHRONOUS = "OFF"  # the disk is not the subject
    commands: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(asked.seed, asked.seed + asked.games):
            try:
                found = one_game(Path(folder) / f"{number}.game", number)
            except AssertionError as error:
                failed += 1
                print(f"game {number} {KINDS[number % len(KINDS)]}: {error}", file=sys.stderr)
                continue
            commands += found["commands"]
            ends[f"{found['rounds']} rounds"] += 1
    print(f"{asked.games} games, {commands.total()} commands, {failed} games with a fault")
    print("; ".join(f"{word} {count}" for word, count in sorted(ends.items())))
    print(", ".join(f"{word} {count}" for word, count in commands.most_common()))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
