"""Keeping a game: a command's way to the disk and back, against a bare commit; folding a game."""

from __future__ import annotations

import json
import sqlite3
import statistics
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from companion.session.fold import fold
from companion.session.log import CHECKPOINT_PAGES, PAGE, SYNCHRONOUS
from companion.session.play import Decided
from companion.session.protocol import respond
from companion.session.session import Session
from companion.session.storage import read
from models import CompanionError
from tests.play.battle import LANNISTER, STARK
from tests.session.driving import Driver

GAME = "tmg-2021"
LEFT_OUT = ("undo", "redo", "concede", "eliminate", "table", "correct")
ROUNDS = 5
COMMANDS = 60
"""The two take turns in short runs, so that a busy disk slows both."""

EVENTS = 600
ROUND_TRIP_LIMIT_MS = 10.0
RATIO_LIMIT = 3.0
FOLD_LIMIT_MS = 50.0


def bare(path: Path) -> Callable[[], None]:
    """A commit of one short row with the same promise of durability."""
    link = sqlite3.connect(path, isolation_level=None)
    link.execute("PRAGMA locking_mode = EXCLUSIVE")
    link.execute(f"PRAGMA page_size = {PAGE}")
    link.execute("PRAGMA journal_mode = WAL")
    link.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
    link.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    link.execute("CREATE TABLE log (seq INTEGER PRIMARY KEY, body TEXT)")

    def commit() -> None:
        link.execute("INSERT INTO log (body) VALUES (?)", ("x" * 120,))

    return commit


def timed(
    act: Callable[[], object], times: int, clock: Callable[[], float] = perf_counter
) -> list[float]:
    """Milliseconds of each of so many calls."""
    spent = []
    for _ in range(times):
        start = clock()
        act()
        spent.append((clock() - start) * 1000)
    return spent


def set_up(session: Session) -> None:
    """A game with armies of the usual size on both sides."""
    lists: list[dict[str, Any]] = [STARK, LANNISTER]
    armies = [{**army, "units": army["units"] * 2} for army in lists]
    asked = {"mode": "GOT", "armies": armies, "seed": 7, "ready": True, "first": "blue"}
    answer = session.answer({"do": "set-up", "game": GAME, "unchecked": True, **asked})
    assert answer["ok"], answer


def commands(session: Session) -> Iterator[dict[str, Any]]:
    """Endless commands that the game accepts, made up at random."""
    driver = Driver(session, seed=5, rare=LEFT_OUT)
    while True:
        driver.learn(session.state())
        command = driver.command()
        here = session.history.now
        if command["do"] in LEFT_OUT or here.play is None:
            continue
        try:
            decided = here.play.decide(here.state, command)
        except CompanionError:
            continue
        if isinstance(decided, Decided) and decided.events:
            yield command


def round_trip(folder: Path) -> None:
    ours: list[float] = []
    theirs: list[float] = []
    commit = bare(folder / "bare")
    with Session.open(folder / "a.game") as session:
        set_up(session)
        making = commands(session)
        for _ in range(ROUNDS):
            theirs += timed(commit, COMMANDS)
            for _ in range(COMMANDS):
                line = json.dumps(next(making)).encode()
                ours += timed(partial(respond, session, line), 1)
        assert session.history.seq == ROUNDS * COMMANDS + 1
    mine, bare_ms = statistics.median(ours), statistics.median(theirs)
    print(
        f"command to durable to answer: median {mine:.2f} ms (limit {ROUND_TRIP_LIMIT_MS:g}),"
        f" a bare commit {bare_ms:.2f} ms: {mine / bare_ms:.2f} x (limit {RATIO_LIMIT:g} x)"
    )
    print(f"  by their means {statistics.fmean(ours) / statistics.fmean(theirs):.2f} x")


def folding(folder: Path) -> None:
    path = folder / "long.game"
    with Session.open(path) as session:
        session.log.link.execute("PRAGMA synchronous = OFF")  # only the reading is timed
        set_up(session)
        making = commands(session)
        events = 1
        while events < EVENTS:
            assert session.answer(next(making))["ok"]
            assert session.history.last is not None
            events += len(session.history.last.events())
    steps = read(path).steps
    # Work, not waiting: others may keep the machine busy.
    spent = min(timed(lambda: fold(steps), 15, process_time))
    parsed = min(timed(lambda: [step.events() for step in steps], 15, process_time))
    opened = min(timed(lambda: read(path), 5, process_time))
    print(
        f"fold of {events} events: {spent:.1f} ms (limit {FOLD_LIMIT_MS:g}),"
        f" {spent / parsed:.1f} x parsing their text"
    )
    print(f"  reading and checking the file costs {opened / spent:.1f} x the fold")


def main() -> None:
    # Not in memory: a disk is what a step waits for.
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        round_trip(Path(folder))
        folding(Path(folder))


if __name__ == "__main__":
    main()
