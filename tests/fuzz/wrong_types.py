"""Commands of a session, of all four games, in which a field holds something of another type.

Accepted or refused in one line, and never broken; a refused one changes nothing, and after an
accepted one every screen answers and it can be undone.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from companion.session.protocol import respond
from tests.fuzz.driver import Fuzzer, one_line
from tests.fuzz.mutate import nasty
from tests.play.screen_walk import GAMES, Walk

Plan = tuple[str, int]
ROUND = 400
"""After so many inputs a game begins again."""
WRONG: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 3, 0.5, 1e308, 2**70, "", "x", "b1", "red", [], ["x"], [[]], {}),
    *([None], [1], {"x": 1}, {"": None}, [{"x": []}], {"b1": {"x": [1]}}, "\x1b[2J", "x" * 5000),
)
WALKS: dict[str, tuple[Walk, int]] = {}


def make(dice: random.Random, folder: Path) -> Plan:
    """The game and the seed of the command."""
    return dice.choice(GAMES), dice.randrange(10**9)


def walk_of(name: str, folder: Path) -> Walk:
    """A game in play; it goes on a step now and then, and begins again after a round."""
    walk, asked = WALKS.get(name, (None, 0))
    if walk is None or asked % ROUND == 0:
        if walk is not None:
            walk.session.close()
        walk = Walk(name, asked, folder)
    elif asked % 10 == 0:
        walk.answer(walk.offered())
    WALKS[name] = walk, asked + 1
    return walk


def check(plan: Plan, folder: Path) -> str:
    """Give the command to the session as a line of its protocol."""
    name, seed = plan
    walk, dice = walk_of(name, folder), random.Random(seed)
    session = walk.session
    command = dict(walk.offered() if dice.random() < 0.3 else walk.invented())
    fields = [field for field in command if field != "do"]
    if dice.random() < 0.05 or not fields:
        fields.append("do")
    command[dice.choice(fields)] = dice.choice(WRONG) if dice.random() < 0.9 else nasty(dice)
    before, state = session.history.seq, walk.state
    answer = respond_to(walk, command)
    if not answer["ok"]:
        one_line(answer["say"])
        assert (session.history.seq, walk.state) == (before, state), "a refusal changed the game"
        return "refused"
    if session.history.seq > before:
        walk.ask()
        assert session.answer({"do": "undo", "count": session.history.seq - before})["ok"]
        assert walk.state == state, "undo does not lead back"
    return "accepted"


def respond_to(walk: Walk, command: dict[str, Any]) -> dict[str, Any]:
    """The session's answer to a line; an error of the program fails."""
    line = json.dumps(command, ensure_ascii=True).encode()
    answer: dict[str, Any] = json.loads(respond(walk.session, line))
    assert answer.get("why") != "BUG", (answer, command)
    return answer


FUZZER = Fuzzer("wrong_types", make, check)
