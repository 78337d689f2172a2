"""Killed at the worst moments: nothing that was answered is lost.

Here each moment is chosen; `make soak` kills a program 300 times at random ones (`kills.py`).
"""

from __future__ import annotations

import json
import os
import signal
import traceback
from pathlib import Path
from typing import Any

import pytest

from companion.session.fold import History, grow
from companion.session.log import Log
from companion.session.session import Session, view
from companion.session.storage import read
from tests.session.kills import public

STEPS = 8
MOMENTS = (
    "before a step is written",
    "after it is written and before it is answered",
    "between two steps",
    "before the game is closed",
    "after the game is closed",
)


def die(*_: object) -> None:
    """As the power goes."""
    os.kill(os.getpid(), signal.SIGKILL)


def arm(moment: str) -> None:
    """Let this process die at that moment."""
    append, close = Log.append, Log.close

    def write_and_die(log: Log, step: Any) -> None:
        append(log, step)
        die()

    def close_and_die(log: Log) -> None:
        close(log)
        die()

    match moment:
        case "before a step is written":
            Log.append = die  # type: ignore[method-assign, assignment]
        case "after it is written and before it is answered":
            Log.append = write_and_die  # type: ignore[method-assign, assignment]
        case "between two steps":
            die()
        case "before the game is closed":
            Log.close = die  # type: ignore[method-assign, assignment]
        case _:
            Log.close = close_and_die  # type: ignore[method-assign, assignment]


def live(path: Path, moment: str, seed: int, told: int) -> None:
    """Play a few steps, tell each answer, and die."""
    with Session.open(path) as session:
        if not session.history.seq:
            session.answer({"do": "set-up", "game": "toy", "stones": 50, "seed": seed})
        for number in range(STEPS + 1):
            if number == STEPS:
                arm(moment)
                if "closed" in moment:
                    break
            answer = session.answer({"do": "gamble"})
            os.write(told, json.dumps([answer["seq"], session.state()]).encode() + b"\n")


def told_before_it_died(path: Path, moment: str, seed: int) -> list[tuple[int, dict[str, Any]]]:
    """What a process told before it was killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            live(path, moment, seed, writing)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)  # it should not have lived so long
    os.close(writing)
    with open(reading, encoding="utf-8") as lines:
        heard = [json.loads(line) for line in lines]
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    return [(seq, state) for seq, state in heard]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_at_that_moment_nothing_answered_is_lost(tmp_path: Path, moment: str) -> None:
    path = tmp_path / "a.game"
    for life in range(2):  # the second one goes on in the same file
        heard = told_before_it_died(path, moment, seed=life)
        assert len(heard) == STEPS
        found = read(path)
        assert found.damage is None
        assert len(found.steps) - heard[-1][0] == ("before it is answered" in moment)
        history, seen = History(), {}
        for step in found.steps:
            history = grow(history, step)
            seen[step.seq] = public(view(history, None, 0))
        for seq, state in heard:
            assert public(state) == seen[seq]
