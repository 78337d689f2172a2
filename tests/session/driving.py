"""Random commands, legal or not, for any game: nothing breaks, refusals change nothing."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Container
from typing import Any

from companion.session.fold import fold
from companion.session.session import Session
from companion.session.storage import read

ODD: tuple[Any, ...] = (None, True, -1, 0, 1, 2, 3, 7, 2.5, 10**9, "", "x", "blue", [], [1, 6], {})


class Driver:
    """Makes commands up from what `help` lists and from words found in the state."""

    def __init__(self, session: Session, seed: int, rare: Container[str] = ()) -> None:
        self.session = session
        self.chance = random.Random(seed)
        self.rare = rare
        listed = session.answer({"do": "help"})["commands"]
        self.commands = [one for one in listed if one["do"] not in ("set-up", "help", "save")]
        self.words: list[str] = []
        self.units: list[str] = []

    def command(self) -> dict[str, Any]:
        """One more command."""
        chance = self.chance
        if chance.random() < 0.02:
            return {"do": chance.choice(ODD)}
        if self.session.history.undone is not None and chance.random() < 0.3:
            return {"do": "redo"}
        wanted = self.wanted()
        known = [one for one in self.commands if one["do"] in wanted]
        asked = chance.choice(known if known and chance.random() < 0.5 else self.commands)
        if asked["do"] in self.rare and chance.random() < 0.98:
            asked = chance.choice(known or self.commands[:1])
        command: dict[str, Any] = {"do": asked["do"]}
        for field in asked["fields"]:
            if chance.random() < (0.93 if field["required"] else 0.4):
                command[field["name"]] = self.value(field)
        if chance.random() < 0.02:
            command["hat"] = 1
        # Enough steps always stay: with the set-up undone nothing but refusals would follow.
        if asked["do"] == "undo" and self.depth() < 15:
            return {"do": "note", "text": "here we stop undoing"}
        if asked["do"] == "undo" and "to" in command:
            command["to"] = max(2, self.session.history.now.seq - chance.randint(0, 9))
        return command

    def wanted(self) -> set[str]:
        """The commands that the game waits for: without them it would not get far."""
        here = self.session.history.now
        if here.play is None:
            return set()
        return {word for one in here.play.pending(here.state) for word in one.commands}

    def depth(self) -> int:
        """How many steps could be undone."""
        return sum(1 for _ in self.session.history.now.down())

    def value(self, field: dict[str, Any]) -> Any:
        """A value that may fit a field."""
        chance = self.chance
        if chance.random() < 0.05:
            return chance.choice(ODD)
        if field.get("options"):
            return chance.choice(field["options"])
        kind = field["kind"]
        if kind in ("number", "whole", "die"):
            return chance.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 12))
        if kind in ("flag", "yes/no", "bool", "boolean"):
            return chance.random() < 0.5
        if kind in ("dice", "faces", "numbers"):
            return [chance.randint(1, 6) for _ in range(chance.randint(0, 8))]
        if kind in ("side", "player"):
            return chance.choice(("blue", "red"))
        if kind in ("unit", "NCU") and self.units:
            return chance.choice(self.units)
        if kind == "object":
            return {side: chance.randint(1, 6) for side in ("blue", "red")}
        if field["name"] == "units" and self.units:
            return chance.sample(self.units, min(len(self.units), chance.randint(1, 3)))
        if kind in ("list", "units", "texts"):
            return [self.word() for _ in range(chance.randint(0, 3))]
        return self.word()

    def word(self) -> str:
        """A word that the state knows: an id, a name, a zone."""
        return self.chance.choice(self.words) if self.words else "b1"

    def learn(self, state: Any) -> None:
        """Remember the words of a state."""
        found: set[str] = set()
        waiting = [state]
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict):
                waiting += [*value.keys(), *value.values()]
            elif isinstance(value, list):
                waiting += value
            elif isinstance(value, str) and len(value) <= 40:
                found.add(value)
        self.words = sorted(found)
        self.units = sorted(word for word in found if re.fullmatch("[a-z]{1,2}[0-9]{1,2}", word))


def drive(
    session: Session,
    count: int,
    seed: int,
    sound: Callable[[Any], None],
    rare: Container[str] = (),
) -> dict[str, dict[bool, int]]:
    """Give so many random commands; `sound` asserts that a state is a possible one."""
    driver = Driver(session, seed, rare)
    start = session.history.now
    driver.learn(session.state())
    tally: dict[str, dict[bool, int]] = {}
    for index in range(count):
        command = driver.command()
        before = session.history
        answer = session.answer(command)
        if answer["ok"]:
            sound(session.history.now.state)
            if index % 20 == 0:
                driver.learn(answer["state"])
        else:
            assert answer["why"] != "BUG", (command, answer)
            assert session.history is before, command
        outcome = tally.setdefault(str(command["do"]), {True: 0, False: 0})
        outcome[answer["ok"]] += 1
    kept = read(session.log.path).steps
    assert fold(kept) == session.history, "the state is not the fold of the file"
    # Undo of everything returns to the start; redo of everything to the end.
    end = session.history.now
    steps = [one.seq for one in end.down()]
    back = steps.index(start.seq)
    assert session.answer({"do": "undo", "count": back})["ok"]
    assert session.history.now == start
    assert session.answer({"do": "redo", "count": back})["ok"]
    assert session.history.now == end
    for _ in range(back):
        assert session.answer({"do": "undo"})["ok"]
    assert session.history.now == start
    return tally
