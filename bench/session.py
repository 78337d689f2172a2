"""Keeping a game: a command's way to the disk and back, against a bare commit; folding a game."""

from __future__ import annotations

import random
import sqlite3
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import companion.games
from companion.session.fold import fold
from companion.session.log import CHECKPOINT_PAGES, PAGE, SYNCHRONOUS
from companion.session.protocol import respond
from companion.session.session import Session
from companion.session.storage import read

TOYS = Path(__file__).parents[1] / "tests" / "toys"
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


def timed(act: Callable[[], object], times: int) -> list[float]:
    """Milliseconds of each of so many calls."""
    spent = []
    for _ in range(times):
        start = perf_counter()
        act()
        spent.append((perf_counter() - start) * 1000)
    return spent


def round_trip(folder: Path) -> None:
    chance = random.Random(1)
    ours: list[float] = []
    theirs: list[float] = []
    commit = bare(folder / "bare")
    with Session.open(folder / "a.game") as session:
        respond(session, b'{"do": "set-up", "game": "toy", "stones": 9999, "seed": 1}')

        def command() -> None:
            line = chance.choice((b'{"do": "gamble"}', b'{"do": "take", "stones": 2}'))
            assert respond(session, line).startswith(b'{"ok": true')

        for _ in range(ROUNDS):
            theirs += timed(commit, COMMANDS)
            ours += timed(command, COMMANDS)
    mine, bare_ms = statistics.median(ours), statistics.median(theirs)
    print(
        f"command to durable to answer: median {mine:.2f} ms (limit {ROUND_TRIP_LIMIT_MS:g}),"
        f" a bare commit {bare_ms:.2f} ms: {mine / bare_ms:.2f} x (limit {RATIO_LIMIT:g} x)"
    )
    waits = statistics.fmean(ours) / statistics.fmean(theirs)
    print(f"  by their means {waits:.2f} x")


def folding(folder: Path) -> None:
    path = folder / "long.game"
    with Session.open(path) as session:
        session.log.link.execute("PRAGMA synchronous = OFF")  # only the reading is timed
        session.answer({"do": "set-up", "game": "toy", "stones": 9999, "seed": 1})
        # A command of the toy is two events.
        while session.history.seq < EVENTS // 2:
            session.answer({"do": "gamble"})
    steps = read(path).steps
    events = sum(len(step.events()) for step in steps)
    spent = min(timed(lambda: fold(steps), 9))
    opened = min(timed(lambda: read(path), 5))
    print(f"fold of {events} events: {spent:.1f} ms (limit {FOLD_LIMIT_MS:g})")
    print(f"  reading and checking the file costs {opened / spent:.1f} x that")


def main() -> None:
    companion.games.__path__ = [str(TOYS)]
    # Not in memory: a disk is what a step waits for.
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        round_trip(Path(folder))
        folding(Path(folder))


if __name__ == "__main__":
    main()
