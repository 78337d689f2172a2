"""Games played before, step by step: each command must be decided now as it was then.

`python -m tests.play.recorded` plays and records them again, for when a decision changes on
purpose; the difference of the recorded files then shows every decision that changed. Sentences are
left out: they may be worded better at any time.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.games.api.play import Refusal
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.state.game_state import GameState
from models import CompanionError
from tests.arguments import arguments
from tests.games.tmg.play.test_random_play import GAMES, random_command
from tests.play.battle import LANNISTER, STARK, Battle, battle_of
from tests.play.players import ANSWERS, Players

FOLDER = Path(__file__).with_name("recorded_games")
STEPS = 160
Facts = dict[str, Any]


def names() -> list[str]:
    """Every recorded game: edition, mode, and the shape where there are more than two players."""
    games = [f"{year}-{mode}" for year, mode in GAMES]
    return [*games, "2021-GOT-ready", "2018-GOT-ready", "2021-COK-team", "2021-HWS-ffa"]


def begun(name: str) -> GameState:
    """The first state of a recorded game."""
    year, mode, *rest = name.split("-")
    if not rest:
        return battle_of(mode, year, defender="red", seed=11).state
    if rest == ["ready"]:
        return Battle(mode, year, ready=False, first=None, seed=5).start
    team = rest == ["team"]
    sides = ("blue", "blue", "red", "red") if team else ("blue", "red", "green")
    armies = [
        {**army, "side": side, **({"player": f"{letter}{side}"} if team else {})}
        for letter, side, army in zip(
            "abcd", sides, (STARK, LANNISTER, STARK, LANNISTER), strict=False
        )
    ]
    asked: Facts = {"armies": armies, "shape": rest[0], "points": 20, "unchecked": True}
    return Battle(mode, year, ready=False, first=None, **asked).start


def decided(state: GameState, command: Facts) -> tuple[str, GameState]:
    """What became of a command in a few words, and the state after it."""
    try:
        found = PLAY.decide(state, command)
    except CompanionError:
        return "bad input", state
    if isinstance(found, Refusal):
        return found.why, state
    for event in found.events:
        state = PLAY.apply(state, event)
    dice = [list(roll.faces) for event in found.events for roll in PLAY.dice(event)]
    kinds = " ".join(event.type for event in found.events)
    return f"{kinds} {json.dumps(dice)}" if dice else kinds, state


def shown(state: GameState) -> Facts:
    """What everybody sees, as flat facts without sentences."""
    view = PLAY.view(state, state.sides[0].id)
    del view["pipeline"]  # the step tells as much
    return dict(flat(view))


def flat(value: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Every number and word in nested records by its path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(inner, f"{where}/{key}")
    elif isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        for at, inner in enumerate(value):
            yield from flat(inner, f"{where}/{at}")
    elif isinstance(value, list):
        yield where, " ".join(str(one) for one in value)
    elif not (isinstance(value, str) and " " in value):
        yield where, round(value, 3) if isinstance(value, float) else value


def changes(before: Facts, after: Facts) -> Facts:
    """What a step changed; what is gone is None."""
    gone = {key: None for key in before if key not in after}
    return {key: value for key, value in after.items() if before.get(key) != value} | gone


def words(facts: Facts) -> set[str]:
    """The words of all paths: what a record knows of."""
    return {word for path in facts for word in path.split("/") if not word.isdigit()}


def record(name: str) -> list[Any]:
    """Play a game: mostly as players would, with many a command that is seldom given or refused."""
    chance, players = random.Random(name), Players(len(name))
    state, before = begun(name), Facts()
    steps: list[Any] = []
    given: Counter[str] = Counter()
    while len(steps) < STEPS and state.phase != "over":
        command = guided(players, state)
        if command is None or chance.random() < 0.5:
            command = seldom(chance, state, given)
        outcome, after = decided(state, command)
        given[command["do"]] += 1
        facts = shown(after)
        steps.append([command, outcome, changes(before, facts)])
        before, state = facts, after
    return steps


def guided(players: Players, state: GameState) -> Facts | None:
    """What players would do now, where they know an answer that is not refused."""
    waiting = PLAY.pending(state)[0]
    if waiting.what not in ANSWERS:
        return None
    try:
        command = players.command(PLAY.view(state, waiting.side or state.sides[0].id))
    except (KeyError, IndexError, StopIteration, ValueError):
        return None
    return command if decided(state, command)[1] is not state else None


def seldom(chance: random.Random, state: GameState, given: Counter[str]) -> Facts:
    """Of some random commands the one given least so far, rather one that is not refused."""
    drawn = [random_command(chance, state) for _ in range(12)]
    drawn = [one for one in drawn if one["do"] != "concede"] or [{"do": "continue"}]
    accepted = [one for one in drawn if decided(state, one)[1] is not state]
    choices = accepted if accepted and chance.random() < 0.75 else drawn
    return min(choices, key=lambda one: given[one["do"]])


def load(name: str) -> list[Any]:
    """The steps of a recorded game."""
    steps: list[Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return steps


def main() -> None:
    """Record all games."""
    for name in names():
        lines = (json.dumps(step, separators=(",", ":")) for step in record(name))
        text = "[\n" + ",\n".join(lines) + "\n]\n"
        (FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
        print(name, flush=True)


if __name__ == "__main__":
    arguments()
    main()
