"""Knows what the rules never allow, and sees the answers of `companion session` alone."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

Plain = dict[str, Any]

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
OTHER_LISTS = {
    ("reserves", "units"),
    ("missions-chosen", "cards"),
    ("turn-start", "cards"),
    ("end-of-round", "players"),
}
"""Lists of which a command takes several, or that are not of the first command."""
DECK, HAND_LIMIT, ROUNDS = 20, 5, 6


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
                if other in state["walls"]:
                    assert state["walls"][other]["standing"], (name, other)
                    continue
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
