"""A game killed (SIGKILL) at random moments: `python -m tests.session.kills 300`.

After each kill every answered step must be in the file, unchanged, and the state that was answered
must be the fold of the steps up to it. Then the game goes on in the same file.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import companion.games
from companion.session.fold import History, grow
from companion.session.protocol import converse
from companion.session.session import Session, view
from companion.session.step import Step
from companion.session.storage import read

TOYS = Path(__file__).parents[1] / "toys"
LONGEST_LIFE_S = 0.15
PATIENCE_S = 20.0
COMMANDS = (4, 20, 150)
"""How many a life begins with: a short one may be killed while it closes the file."""

LONG_GAME = 600
"""A game of so many steps is over, and the next one begins in a file of its own."""


@dataclass
class Tally:
    """What happened in all."""

    games: int = 0
    kills: int = 0
    answered: int = 0
    unanswered: int = 0
    before_the_first_answer: int = 0


def script(chance: random.Random) -> list[dict[str, Any]]:
    """Commands as players give them; some are refused."""
    choices: list[dict[str, Any]] = [
        {"do": "gamble"},
        {"do": "take", "stones": chance.randint(1, 4)},
        {"do": "hide", "card": f"card {chance.randint(1, 99)}"},
        {"do": "note", "text": "so it went " * chance.choice((1, 5, 150))},
        {"do": "undo"},
        {"do": "undo", "count": 3},
        {"do": "redo"},
        {"do": "clock", "action": chance.choice(("start", "pause"))},
    ]
    return chance.choices(choices, weights=[9, 9, 3, 2, 3, 1, 3, 1], k=chance.choice(COMMANDS))


def live_and_die(
    path: Path, commands: list[dict[str, Any]], life_s: float, at_birth: bool
) -> list[dict[str, Any]]:
    """Play in a process that is killed; what it answered before.

    Its time counts from its birth, or from its first answer.
    """
    told, heard = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(told[1])
            os.close(heard[0])
            with Session.open(path) as session:
                converse(session, os.fdopen(told[0], "rb"), os.fdopen(heard[1], "wb"))
        finally:
            os._exit(0)
    os.close(told[0])
    os.close(heard[1])
    os.write(told[1], "".join(json.dumps(command) + "\n" for command in commands).encode())
    os.close(told[1])
    listening = os.fdopen(heard[0], "rb")
    os.set_blocking(heard[0], False)
    end = time.monotonic() + (life_s if at_birth else PATIENCE_S)
    text = b""
    while (now := time.monotonic()) < end:
        text += listening.read() or b""
        if text and not at_birth:
            end, at_birth = now + life_s, True
        time.sleep(max(0.0, min(0.001, end - now)))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.set_blocking(heard[0], True)
    text += listening.read()
    listening.close()
    whole = text[: text.rfind(b"\n") + 1]
    return [json.loads(line) for line in whole.splitlines()]


def without_time(state: dict[str, Any]) -> dict[str, Any]:
    """A state without the clock, which runs on while nobody looks."""
    return json.loads(json.dumps({key: state[key] for key in state if key != "clock"}))


def run(kills: int, seed: int, folder: Path) -> Tally:
    """Kill and check so many times."""
    chance = random.Random(seed)
    tally = Tally()
    known: list[Step] = []
    history = History()
    for count in range(kills):
        if not known or len(known) > LONG_GAME:
            path = folder / f"{count}.game"
            with Session.open(path) as session:
                session.answer({"do": "set-up", "game": "toy", "stones": 9999, "seed": 7})
            known = read(path).steps
            history = grow(History(), known[0])
            tally.games += 1
        life_s, at_birth = chance.uniform(0, LONGEST_LIFE_S), chance.random() < 0.3
        answers = live_and_die(path, script(chance), life_s, at_birth)
        found = read(path)
        assert found.damage is None, found.damage
        assert found.steps[: len(known)] == known, "a step changed or went missing"
        seen = {len(known): without_time(view(history, None, 0))}
        for step in found.steps[len(known) :]:
            history = grow(history, step)
            seen[step.seq] = without_time(view(history, None, 0))
        done = [answer for answer in answers if answer["ok"]]
        for answer in done:
            assert answer["seq"] <= len(found.steps), f"answered step {answer['seq']} is lost"
            assert without_time(answer["state"]) == seen[answer["seq"]], "not the fold"
        last = done[-1]["seq"] if done else len(known)
        # At most the step being taken, and the stopped clock of a new beginning.
        assert len(found.steps) - last <= 2, "steps that nobody was told of"
        tally.kills += 1
        tally.answered += len(done)
        tally.unanswered += len(found.steps) - last
        tally.before_the_first_answer += not done
        known = found.steps
    return tally


def main() -> None:
    """Run as a command."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)
    companion.games.__path__ = [str(TOYS)]
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        print(run(kills, seed, Path(folder)))


if __name__ == "__main__":
    main()
