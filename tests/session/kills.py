"""A game killed (SIGKILL) at random moments: `python -m tests.session.kills 300 [SEED] [GAME]`.

Two players talk to `companion session`, the very process players' scripts talk to, and it is
killed while they do. After each kill every answered step must be in the file, unchanged, and the
state that was answered must be the fold of the steps up to it. Then the game goes on in the same
file.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.session.fold import History, grow
from companion.session.session import Session, view
from companion.session.step import LogStep
from companion.session.storage import read
from tests.arguments import arguments
from tests.play.played_games import MINIATURES, PlayedGame, miniatures_set_up, played

LONGEST_LIFE_S, MOST_STEPS = 0.3, 16
PATIENCE_S = 30.0
ROOT = Path(__file__).parents[2]
EXTRAS: tuple[dict[str, Any], ...] = (
    {"do": "undo"},
    {"do": "undo", "count": 3},
    {"do": "redo"},
    {"do": "clock", "action": "start"},
    {"do": "clock", "action": "pause"},
    {"do": "note", "text": "so it went " * 150},
    {"do": "activate", "unit": "nobody"},
)


@dataclass
class Tally:
    """What happened in all."""

    games: int = 0
    kills: int = 0
    answered: int = 0
    """The steps that were answered, without refusals and questions."""
    unanswered: int = 0
    before_the_first_answer: int = 0
    finished: int = 0


set_up = miniatures_set_up


class Talk:
    """A process and its two pipes."""

    def __init__(self, path: Path) -> None:
        words = [sys.executable, "-m", "companion.cli", "session", str(path)]
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
        )
        self.heard: list[dict[str, Any]] = []

    def say(self, command: dict[str, Any]) -> dict[str, Any] | None:
        """Send a command; its answer, or None where the process is dead."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(command).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            return None
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            return None
        self.heard.append(json.loads(line))
        return self.heard[-1]

    def kill_after(self, life_s: float) -> threading.Timer:
        """Let it live so long."""
        timer = threading.Timer(life_s, os.kill, (self.process.pid, signal.SIGKILL))
        timer.daemon = True
        timer.start()
        return timer

    def end(self) -> None:
        """Wait until it is dead."""
        self.process.wait(PATIENCE_S)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdout.close()
        with suppress(OSError):  # nobody reads what was still to be sent
            self.process.stdin.close()


def live_and_die(
    path: Path, chance: random.Random, at_birth: bool, game: PlayedGame
) -> list[dict[str, Any]]:
    """Play in a process that is killed; what it answered before.

    It is killed while the file is being opened, or a moment after so many steps: on a busy machine
    as many as on a quiet one. Now and then the players leave then: it may be killed while it closes
    the file.
    """
    players = game.players(chance.randrange(10**6))
    life_s, steps = chance.uniform(0, LONGEST_LIFE_S), chance.randrange(MOST_STEPS)
    leaves = chance.random() < 0.15
    talk = Talk(path)
    timer = talk.kill_after(0.3 + life_s if at_birth else PATIENCE_S)
    first = talk.say({"do": "state"})
    state, seq = (first["state"], first["seq"]) if first else (None, 0)
    begin = seq
    dying = at_birth
    while state is not None and not state["winner"] and state["game"]:
        if not dying and seq - begin >= steps:
            timer.cancel()
            timer = talk.kill_after(life_s / 10)
            dying = True
            if leaves:
                break
        command = players.command(state)
        if chance.random() < 0.15:
            command = chance.choice(EXTRAS)
        answer = talk.say(command)
        if answer is not None and game.asks:
            answer = talk.say({"do": "state"})
        if answer is None:
            break
        state, seq = answer.get("state", state), answer.get("seq", seq)
    if talk.process.stdin is not None:
        with suppress(OSError):
            talk.process.stdin.close()
    talk.end()
    timer.cancel()
    return talk.heard


def public(state: dict[str, Any]) -> dict[str, Any]:
    """A state without the clock, which runs on, and without what one side alone may see."""
    plain: dict[str, Any] = json.loads(json.dumps(state))
    plain.pop("clock", None)
    for prompt in plain.get("pending", ()):
        for key in ("options", "open", "actions"):  # only who asks for the state is told these
            prompt.pop(key, None)
    for player in plain.get("players", {}).values():
        player.pop("hand_cards", None)
        player.pop("mission_cards", None)
    return plain


def run(kills: int, seed: int, folder: Path, name: str = MINIATURES) -> Tally:
    """Kill and check so many times."""
    chance, game = random.Random(seed), played(name)
    tally = Tally()
    known: list[LogStep] = []
    history = History()
    path = folder / "none"
    for count in range(kills):
        here = history.now
        over = here.play is not None and here.play.moment(here.state).winner is not None
        if over or here.play is None or len(known) > 900:  # at first, or its set-up was undone
            path = folder / f"{count}.game"
            with Session.open(path) as session:
                answer = session.answer(game.set_up(chance))
                assert answer["ok"], answer
            known = read(path).steps
            history = grow(History(), known[0])
            tally.games += 1
            tally.finished += over
        answers = live_and_die(path, chance, at_birth=chance.random() < 0.3, game=game)
        found = read(path)
        assert found.damage is None, found.damage
        assert found.steps[: len(known)] == known, "a step changed or went missing"
        seen = {len(known): public(view(history, None, 0))}
        for step in found.steps[len(known) :]:
            history = grow(history, step)
            seen[step.seq] = public(view(history, None, 0))
        done = [answer for answer in answers if answer["ok"]]
        for answer in done:
            assert answer["seq"] <= len(found.steps), f"answered step {answer['seq']} is lost"
            assert public(answer["state"]) == seen[answer["seq"]], "not the fold"
        last = done[-1]["seq"] if done else len(known)
        # At most the step being taken, and the stopped clock of a new beginning.
        assert len(found.steps) - last <= 2, "steps that nobody was told of"
        tally.kills += 1
        tally.answered += len({one["seq"] for one in done} - {len(known)})
        tally.unanswered += len(found.steps) - last
        tally.before_the_first_answer += not done
        known = found.steps
    return tally


def main() -> None:
    """Run as a command."""
    kills, seed, name = arguments(kills=300, seed=random.randrange(10**6), game=MINIATURES)
    print(f"{name}: seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        print(run(kills, seed, Path(folder), name))


if __name__ == "__main__":
    main()
