"""Whole games by a program that knows nothing but `pending` and `help`, and a referee beside it.

    python -m tests.play.random_games 200 --seed 1

plays that many games, of both editions and every mode, and prints what they came to.
"""

from __future__ import annotations

import argparse
import json
import math
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
LISTS = {
    "units": "unit",
    "cards": "card",
    "zones": "zone",
    "roles": "role",
    "pieces": "piece",
    "sides": "side",
    "players": "player",
}
"""What a prompt lists, and the field of its first command that takes one of them."""
OTHER_LISTS = {("reserves", "units"), ("missions-chosen", "cards")}
"""Lists of which a command takes several."""
DECK, HAND_LIMIT, ROUNDS = 20, 5, 6


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


# -- the referee ------------------------------------------------------------------------------


class Referee:
    """Knows the rules' invariants and nothing of the program: it sees the public answers alone."""

    def __init__(self, commands: list[Plain]) -> None:
        self.listed = {one["do"]: one for one in commands}
        self.full: dict[str, tuple[int, int, int]] = {}
        self.activated: set[tuple[int, str]] = set()
        self.last: Plain = {}

    def offered(self, state: Plain) -> None:
        """Every prompt is answered by commands as `help` lists them."""
        for prompt in state["pending"]:
            assert prompt["commands"], prompt
            assert set(prompt["commands"]) <= self.listed.keys(), prompt
            for option in prompt["options"]:
                assert option["do"] in prompt["commands"], (option, prompt)
                self.fits(option)
            self.told_twice(prompt)
        assert state["winner"] or state["pending"][0]["options"], state["pending"][0]
        for player in state["players"].values():
            held = player.get("hand_cards")
            if held is not None:
                assert len(held) == player["hand"]
                copies = Counter((*held, *player["discard"]))
                assert max(copies.values(), default=0) <= 2

    def told_twice(self, prompt: Plain) -> None:
        """The lists beside a prompt name the same as its options."""
        facts, first = prompt.get("data", {}), prompt["commands"][0]
        for many, one in LISTS.items():
            if many in facts and (prompt["what"], many) not in OTHER_LISTS:
                named = {option.get(one) for option in prompt["options"] if option["do"] == first}
                assert named - {None} == set(facts[many]), (many, named, prompt)

    def fits(self, option: Plain) -> None:
        """Only fields that `help` lists, all that it wants, and values it names."""
        fields = {one["name"]: one for one in self.listed[option["do"]]["fields"]}
        given = option.keys() - {"do"}
        assert given <= fields.keys(), option
        assert {name for name, one in fields.items() if one["required"]} <= given, option
        for name in given:
            allowed = fields[name].get("options")
            assert not allowed or option[name] in allowed, option

    def took(self, command: Plain, state: Plain) -> None:
        """A command was taken."""
        before, self.last = self.last, state
        if command["do"] == "activate":
            turn = (before["round"], command["unit"])
            assert turn not in self.activated, f"{command['unit']} acts twice in a round"
            self.activated.add(turn)
        if before:
            for side, points in before["vp"].items():
                assert state["vp"][side] >= points, f"{side} loses points by {command}"
            assert state["round"] - before["round"] in (0, 1)
            if state["round"] > before["round"] > 0:
                self.new_round(before, state)
        self.sound(state)

    def new_round(self, before: Plain, state: Plain) -> None:
        """Everybody may act again, the board is empty, the first player token has passed on."""
        everybody = (*state["units"].values(), *state["ncus"].values(), *state["walls"].values())
        assert not any(one["activated"] for one in everybody)
        assert not any(state["zones"].values())
        assert not any(unit["influence"] or unit["orders_used"] for unit in state["units"].values())
        left = [name for name, side in state["sides"].items() if not side["eliminated"]]
        assert state["first"] in left
        assert len(left) == 1 or state["first"] != before["first"]

    def sound(self, state: Plain) -> None:
        """Nothing a table could not look like."""
        units = state["units"]
        for name, unit in units.items():
            if unit["place"] == "field":
                self.ranks(name, unit)
            else:
                assert not unit["engaged"], name
            assert len(set(unit["tokens"])) == len(unit["tokens"]) <= 3
            for other in unit["engaged"]:
                assert name in units[other]["engaged"], f"{name} and {other}: one of them only"
                assert units[other]["side"] != unit["side"]
                assert units[other]["place"] == "field"
        on_board = [ncu for ncu in state["zones"].values() if ncu]
        assert len(on_board) == len(set(on_board))
        assert set(on_board) <= set(state["ncus"])
        too_full = {one["data"]["player"] for one in state["pending"] if one["what"] == "hand"}
        for name, player in state["players"].items():
            assert player["deck"] + player["hand"] + len(player["discard"]) == DECK
            assert max(Counter(player["discard"]).values(), default=0) <= 2
            if state["game"] == "tmg-2021" and name not in too_full and not state["winner"]:
                assert player["hand"] <= HAND_LIMIT
        for token in state["objectives"].values():
            if token["unit"]:
                assert units[token["unit"]]["place"] == "field", token
        for wall in state["walls"].values():
            assert 0 <= wall["wounds"] <= wall["of"]
            assert wall["standing"] == (wall["wounds"] < wall["of"])
        assert 0 <= state["round"] <= ROUNDS
        if state["winner"]:
            out = [side for side in state["sides"].values() if side["eliminated"]]
            reached = max(state["vp"].values()) >= state["goal"]
            assert out or reached or state["round"] == ROUNDS, state["how"]
        else:
            assert state["pending"]

    def ranks(self, name: str, unit: Plain) -> None:
        """Models follow wounds, ranks follow models (TMG-WND-7, TMG-RNK-8)."""
        total = unit["wounds"] + unit["wounds_left"]
        full, ranks, wounds = self.full.setdefault(name, (unit["models"], unit["ranks"], total))
        assert wounds == total
        assert 0 < unit["models"] == full - unit["wounds"] // (total // full), name
        assert unit["ranks"] == math.ceil(unit["models"] * ranks / full), name
        assert unit["wound_tokens"] == unit["wounds"] % (total // full), name


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
