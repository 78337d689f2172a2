"""Keeping a game: a command's way to the disk and back, against a bare commit; folding a game.

Compared is one command of a game being played (line in, durable, line with the whole state out)
with one INSERT of the same row and COMMIT, durable as well (`synchronous = FULL`), in a file of the
same folder: by SQLite as it comes, which is what "a bare commit" means, and by SQLite in our own
dress (one writer, write-ahead log), which tells how much of our gain is that dress.
"""

from __future__ import annotations

import json
import sqlite3
import statistics
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from companion.session.fold import fold
from companion.session.log import CHECKPOINT_PAGES, COLUMNS, PAGE, SYNCHRONOUS
from companion.session.protocol import respond
from companion.session.session import Session
from companion.session.step import LogStep
from companion.session.storage import read
from companion.text.translation import LANGUAGES, set_language
from tests.arguments import arguments
from tests.play.battle import LANNISTER, STARK
from tests.play.players import Players

GAME = "tmg-2021"
COMMANDS = 500
EVENTS = 600
ROUND_TRIP_LIMIT_MS = 10.0
RATIO_LIMIT = 3.0
OWN_LIMIT_MS = 3.0
FOLD_LIMIT_MS = 50.0


def bare(path: Path, dressed: bool = False) -> Callable[[LogStep], None]:
    """A durable commit of one row."""
    link = sqlite3.connect(path, isolation_level=None)
    if dressed:
        link.execute("PRAGMA locking_mode = EXCLUSIVE")
        link.execute(f"PRAGMA page_size = {PAGE}")
        link.execute("PRAGMA journal_mode = WAL")
        link.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    link.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
    link.execute(f"CREATE TABLE log ({COLUMNS.replace('seq', 'seq INTEGER PRIMARY KEY')})")

    numbers = count(1)

    def commit(step: LogStep) -> None:
        row = (next(numbers), step.at_ms, step.title, step.body, step.mark)
        link.execute("BEGIN IMMEDIATE")
        link.execute(f"INSERT INTO log ({COLUMNS}) VALUES (?, ?, ?, ?, ?)", row)
        link.execute("COMMIT")

    return commit


def timed(act: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    """Milliseconds that something takes."""
    start = clock()
    act()
    return (clock() - start) * 1000


def set_up(session: Session) -> None:
    """A game with armies of the usual size on both sides."""
    lists: list[dict[str, Any]] = [STARK, LANNISTER]
    armies = [{**army, "units": army["units"] * 2} for army in lists]
    asked = {"mode": "GOT", "armies": armies, "seed": 7, "ready": True, "first": "blue"}
    answer = session.answer({"do": "set-up", "game": GAME, "unchecked": True, **asked})
    assert answer["ok"], answer


def played(session: Session, seed: int) -> Iterator[bytes]:
    """The lines two players send, each made from what its sender sees."""
    players = Players(seed)
    state = session.state()
    while not state["winner"]:
        state = session.state(state["pending"][0]["side"])
        yield json.dumps(players.command(state)).encode()
        state = session.state()


def round_trip(folder: Path) -> None:
    """Ours and theirs in turns, so that a busy disk slows all of them.

    Each is first now and then: whoever comes later finds SQLite at hand, while the first comes
    after the players have thought. What only asks is not counted.
    """
    spent: dict[str, list[float]] = {"ours": [], "bare": [], "dressed": []}
    commits = {name: bare(folder / name, name == "dressed") for name in ("bare", "dressed")}
    with Session.open(folder / "a.game") as session:
        set_up(session)
        for turn, line in enumerate(played(session, seed=4)):
            before = session.history.last
            assert before is not None
            acts = {name: partial(commit, before) for name, commit in commits.items()}
            names = list(spent)
            for name in names[turn % 3 :] + names[: turn % 3]:
                act = acts.get(name, partial(respond, session, line))
                spent[name].append(timed(act))
            if session.history.last is before:
                for found in spent.values():
                    found.pop()
            if len(spent["ours"]) == COMMANDS:
                break
    mine, plain, dressed = (statistics.median(found) for found in spent.values())
    print(f"a bare commit by SQLite as it comes: median {plain:.3f} ms, in turns with")
    print(
        f"command to durable to answer: median {mine:.3f} ms (limit {ROUND_TRIP_LIMIT_MS:g}):"
        f" {mine / plain:.2f} x the bare commit (limit {RATIO_LIMIT:g} x)"
    )
    print(f"  {mine / dressed:.2f} x a commit in our own dress ({dressed:.3f} ms)")
    means = {name: statistics.fmean(found) for name, found in spent.items()}
    print(
        f"  by their means {means['ours'] / means['bare']:.2f} x"
        f" and {means['ours'] / means['dressed']:.2f} x"
    )


def own_work(folder: Path, language: str) -> float:
    """The companion's own work on a command: the same game three times, without waiting."""
    runs: list[list[float]] = []
    set_language(language)
    for number in range(3):
        spent: list[float] = []
        with Session.open(folder / f"{language}{number}.game") as session:
            session.log.link.execute("PRAGMA synchronous = OFF")
            set_up(session)
            spent.extend(
                timed(partial(respond, session, line), process_time)
                for line in played(session, seed=4)
            )
        runs.append(spent)
    set_language("en")
    least = [min(found) for found in zip(*runs, strict=True)]
    return statistics.median(least)


def languages(folder: Path) -> None:
    spent = {language: own_work(folder, language) for language in LANGUAGES}
    told = ", ".join(f"{name} {ms / spent['en']:.2f} x" for name, ms in spent.items())
    print(f"own work per command: median {spent['en']:.3f} ms (limit {OWN_LIMIT_MS:g}); {told}")


def folding(folder: Path) -> None:
    path = folder / "long.game"
    events = 1
    with Session.open(path) as session:
        session.log.link.execute("PRAGMA synchronous = OFF")  # only the reading is timed
        set_up(session)
        for line in played(session, seed=4):
            respond(session, line)
            assert session.history.last is not None
            events += len(session.history.last.events())
            if events >= EVENTS:
                break
    steps = read(path).steps
    # Work, not waiting: others may keep the machine busy.
    spent = min(timed(lambda: fold(steps), process_time) for _ in range(15))
    parsed = min(timed(lambda: [step.events() for step in steps], process_time) for _ in range(15))
    opened = min(timed(lambda: read(path), process_time) for _ in range(5))
    print(
        f"fold of {events} events: {spent:.1f} ms (limit {FOLD_LIMIT_MS:g}),"
        f" {spent / parsed:.1f} x parsing their text"
    )
    print(f"  reading and checking the file costs {opened / spent:.1f} x the fold")


def main() -> None:
    # Not in memory: a disk is what a step waits for.
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        round_trip(Path(folder))
        languages(Path(folder))
        folding(Path(folder))


if __name__ == "__main__":
    arguments()
    main()
