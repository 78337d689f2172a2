"""Files and lines made to break the program: `tests.fuzz_files 10000 [SEED] [DOOR] [GAME]`.

Every door gets so many seeded inputs: game files with changed bytes, game files whose events were
changed and sealed again, backups, drafts, and lines of a session. Nothing may raise anything but
the one line of a `CompanionError`, lose what was there before, take 5 s of processor or 600 MB.
"""

from __future__ import annotations

import io
import json
import os
import random
import resource
import shutil
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from companion.cli.program import main as main_of_the_commands
from companion.engine.files import draft as drafts
from companion.engine.files import game_library
from companion.engine.files.backup import BackupPaths, back_up, restore
from companion.engine.files.backup_zip import CONTENTS
from companion.engine.files.preferences import Preferences, save
from companion.session.protocol import respond
from companion.session.session import Session
from companion.session.step import LogStep
from companion.session.storage import read, side_of, write_log
from models import CompanionError
from tests.arguments import arguments
from tests.play.played_games import MINIATURES, played

STEPS = 6
SLOWEST_S = 5.0
MOST_KIB = 600 * 1024
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 0.5, -0.0, 1e308, -1e308, 2**31, 2**53 + 1, 10**30, "", " ", "x",
    "x" * 5000, "\x1b[2J", "\u202e", "{x.__class__}", "%s", "blue", "red", "b1", "..", "/dev/null",
    [], {}, [[]], {"": ""}, ["x"] * 300, {"said": ["{x.__class__}"], "with": {"x": 1}},
    {"said": ["{n} a", "{n} b"], "with": {"n": "x"}}, {"said": [], "with": {}},
)  # fmt: skip
RAW = (b"Infinity", b"NaN", b"-Infinity", b"1e999", b"[" * 3000, b'{"a":' * 3000, b"\xff", b"\0")


def changed(value: Any, chance: random.Random) -> Any:
    """A value of JSON in which something is another: a leaf, a branch, a key, the order."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        match chance.randrange(8):
            case 0:
                return {name: one for name, one in value.items() if name != key}
            case 1:
                return {
                    **value,
                    chance.choice(("odd", "", "do", "side", "unit")): chance.choice(ODD),
                }
            case 2:
                other = chance.choice(list(value))
                return {**value, key: value[other]}
            case _:
                return {**value, key: changed(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        place = chance.randrange(len(value))
        match chance.randrange(8):
            case 0:
                return value[:place] + value[place + 1 :]
            case 1:
                return [*value, *value]
            case 2:
                return value[::-1]
            case _:
                return [*value[:place], changed(value[place], chance), *value[place + 1 :]]
    if isinstance(value, int | float) and not isinstance(value, bool) and chance.random() < 0.4:
        return chance.choice((value + 1, -value, value * 1000, value / 3, 0))
    return chance.choice(ODD)


def text_of(value: Any, chance: random.Random) -> bytes:
    """JSON as bytes, now and then with something in it that is none."""
    data = json.dumps(value, allow_nan=True).encode()
    if chance.random() < 0.15:
        place = chance.randrange(len(data) + 1)
        data = data[:place] + chance.choice(RAW) + data[place + chance.randrange(3) :]
    return data


def bent(data: bytes, chance: random.Random) -> bytes:
    """Bytes of which some are others, gone, or there twice."""
    place = chance.randrange(len(data) + 1)
    length = chance.choice((1, 1, 2, 16, 300, 4096))
    match chance.randrange(6):
        case 0:
            return data[:place]
        case 1:
            return data[:place] + data[place + length :]
        case 2:
            return data[:place] + data[place : place + length] + data[place:]
        case 3:
            return data[:place] + bytes(length) + data[place + length :]
        case 4:
            return data[:place] + chance.randbytes(length) + data[place + length :]
        case _:
            flipped = bytearray(data)
            for _ in range(chance.choice((1, 1, 3, 20))):
                flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
            return bytes(flipped)


@dataclass
class Sample:
    """What the inputs are made from, and a folder to put them."""

    folder: Path
    steps: list[LogStep] = field(default_factory=list)
    closed: bytes = b""
    open: bytes = b""
    side: bytes = b""
    lines: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def play(cls, folder: Path, seed: int, name: str = MINIATURES) -> Sample:
        """A real game of a few steps."""
        sample, game = cls(folder), played(name)
        path = folder / "played.game"
        chance, players = random.Random(seed), game.players(seed)
        with Session.open(path) as session:
            session.log.link.execute("PRAGMA synchronous = OFF")
            sample.lines.append(game.set_up(chance))
            session.answer(sample.lines[0])
            while session.history.seq < STEPS:
                side = session.state()["pending"][0]["side"]
                asked = {"do": "state", **({"for": side} if side else {})}
                command = players.command(session.answer(asked)["state"])
                sample.lines.append(command)
                session.answer(command)
            sample.open, sample.side = path.read_bytes(), side_of(path).read_bytes()
        sample.closed, sample.steps = path.read_bytes(), read(path).steps
        return sample


def opened(path: Path, number: int) -> str:
    """Open a game as the app and a session do; how it ended."""
    if number % 3 == 0:
        game_library.about(path)
    try:
        with Session.open(path) as session:
            session.log.link.execute("PRAGMA synchronous = OFF")
            for command in ({"do": "state"}, {"do": "history"}, {"do": "note", "text": "on"}):
                assert isinstance(session.answer(command), dict)
            session.answer({"do": "undo"})
            return "recovered" if session.damage is not None else "opened"
    except CompanionError as error:
        return refused(error)


def refused(error: CompanionError) -> str:
    """A refusal is one line."""
    assert "\n" not in str(error), str(error)
    return "refused"


def mutated_game(sample: Sample, chance: random.Random, number: int) -> str:
    """A game whose bytes were changed, beside its side file or without one."""
    path = sample.folder / "it" / "a.game"
    path.parent.mkdir()
    data, side = (sample.open, sample.side) if chance.random() < 0.5 else (sample.closed, b"")
    if side and chance.random() < 0.5:
        side = bent(side, chance)
    else:
        data = bent(data, chance)
    if side and chance.random() < 0.1:
        data = b""
    path.write_bytes(data)
    if side:
        side_of(path).write_bytes(side)
    before = {sha256(one).digest() for one in (data, side) if one}
    ended = opened(path, number)
    if ended != "opened":
        found = {sha256(one.read_bytes()).digest() for one in path.parent.iterdir()}
        assert before <= found, "a damaged file is neither in its place nor kept aside"
    return ended


def resealed_game(sample: Sample, chance: random.Random, number: int) -> str:
    """A game with events that nobody logged, in an unbroken chain of marks."""
    path = sample.folder / "it" / "a.game"
    path.parent.mkdir()
    steps: list[LogStep] = []
    place = chance.randrange(len(sample.steps))
    for step in sample.steps[: chance.randrange(place, len(sample.steps)) + 1]:
        last = steps[-1] if steps else None
        body = step.body
        if step.seq == place + 1 or chance.random() < 0.05:
            body = text_of(changed(json.loads(body), chance), chance).decode("utf-8", "replace")
        at_ms = chance.choice((step.at_ms,) * 9 + (0, 2**53, -5))
        title = step.title if chance.random() < 0.9 else str(chance.choice(ODD))[:100]
        steps.append(LogStep.sealed(last, at_ms, title, body))
    write_log(path, steps)
    ended = opened(path, number)
    if number % 10 == 0:
        for command in (["report", str(path)], ["export", str(path)]):
            said = io.StringIO()
            with redirect_stdout(io.StringIO()), redirect_stderr(said):
                assert main_of_the_commands(command) in (0, 2)
            assert said.getvalue().count("\n") <= 2, said.getvalue()  # damage, and a refusal
    return ended


def backup(sample: Sample, chance: random.Random, number: int) -> str:
    """A backup whose bytes, list or members were changed."""
    good = sample.folder / "good.zip"
    if not good.exists():
        one = BackupPaths(sample.folder / "one", sample.folder / "own")
        (one.folder / "games").mkdir(parents=True)
        (one.folder / "games" / "a.game").write_bytes(sample.closed)
        save(one.folder / "preferences.json", Preferences(language="de"))
        back_up(one, good, lambda share, word="": None)
    bad = sample.folder / "it" / "bad.zip"
    bad.parent.mkdir()
    if chance.random() < 0.5:
        bad.write_bytes(bent(good.read_bytes(), chance))
    else:
        with zipfile.ZipFile(good) as old, zipfile.ZipFile(bad, "w") as new:
            for name in old.namelist():
                data = old.read(name)
                if name == CONTENTS:
                    data = text_of(changed(json.loads(data), chance), chance)
                elif chance.random() < 0.2:
                    data = bent(data, chance)
                if chance.random() < 0.1:
                    name = str(chance.choice(ODD)).replace("\0", "")[:200] + str(number)
                new.writestr(name, data, chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)))
    here = BackupPaths(sample.folder / "it" / "home")
    (here.folder / "games").mkdir(parents=True)
    (here.folder / "games" / "mine.game").write_bytes(b"mine")
    try:
        aside = restore(bad, here, lambda share, word="": None)
    except CompanionError as error:
        assert (here.folder / "games" / "mine.game").read_bytes() == b"mine"
        return refused(error)
    kept = [one.read_bytes() for one in here.folder.rglob("mine.game")]
    assert kept == [b"mine"], "what was there before is lost"
    assert aside.is_dir()
    return "restored"


@cache
def usual_draft() -> dict[str, Any]:
    """A draft with a table."""
    return drafts.staged(drafts.Draft.fresh()).to_json()


def draft(sample: Sample, chance: random.Random, number: int) -> str:
    """A draft that was changed."""
    path = sample.folder / "it" / "draft.json"
    path.parent.mkdir()
    usual = drafts.Draft.fresh()
    plain = usual_draft()
    if chance.random() < 0.7:
        data = text_of(changed(plain, chance), chance)
    else:
        data = bent(json.dumps(plain).encode(), chance)
    path.write_bytes(data)
    found = drafts.load(path)
    drafts.save(path, found)
    assert drafts.load(path) == found, "a draft that was read does not outlive the app"
    try:
        drafts.set_up(drafts.staged(found))
    except CompanionError:
        return "refused"
    return "forgotten" if found == usual else "read"


def session_line(sample: Sample, chance: random.Random, number: int) -> str:
    """A line that is a command of a game, more or less."""
    path = sample.folder / "lines" / "a.game"
    if not path.parent.exists():
        path.parent.mkdir()
    if "session" not in KEPT or number % 500 == 0:
        if "session" in KEPT:
            KEPT.pop("session").close()
        path.write_bytes(sample.closed)
        KEPT["session"] = Session.open(path)
        KEPT["session"].log.link.execute("PRAGMA synchronous = OFF")
    session = KEPT["session"]
    before = session.history.seq
    command = chance.choice([*sample.lines[1:], *EXTRAS])
    if chance.random() < 0.85:
        line = text_of(changed(command, chance), chance)
    else:
        line = bent(json.dumps(command).encode(), chance)
    answer = json.loads(respond(session, line.replace(b"\n", b" ")))
    assert answer["ok"] or session.history.seq == before
    if answer.get("why") == "BUG":
        return f"BUG: {answer['say'][:80]} <- {line[:200]!r}"
    return "done" if answer["ok"] else "refused"


KEPT: dict[str, Session] = {}
EXTRAS: tuple[dict[str, Any], ...] = (
    {"do": "undo", "count": 2},
    {"do": "redo", "to": 5},
    {"do": "clock", "action": "set", "minutes": 30, "side": "blue"},
    {"do": "clock", "action": "add", "seconds": 30, "side": "red"},
    {"do": "clock", "action": "start", "side": "red"},
    {"do": "note", "text": "so it went", "side": "blue"},
    {"do": "state", "for": "blue"},
    {"do": "help", "game": "tmg-2021"},
    {"do": "save", "file": "b.game"},
)
Door = Callable[[Sample, random.Random, int], str]
DOORS: dict[str, Door] = {
    "game files, mutated": mutated_game,
    "game files, resealed": resealed_game,
    "backups": backup,
    "drafts": draft,
    "session lines": session_line,
}


@contextmanager
def timed(what: str) -> Iterator[None]:
    """What takes too long is an error."""
    start = time.process_time()
    yield
    took = time.process_time() - start
    assert took < SLOWEST_S, f"{what} took {took:.1f} s"


def fuzz(name: str, count: int, seed: int, folder: Path, game: str = MINIATURES) -> Counter[str]:
    """So many inputs for one door; how they ended."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # of whatever ran here before
    sample = Sample.play(folder, seed, game)
    tally: Counter[str] = Counter()
    for number in range(count):
        # Each input has a seed of its own, so that one can be tried again.
        chance = random.Random(f"{name} {seed} {number}")
        try:
            with timed(f"{name} {number}"):
                tally[DOORS[name](sample, chance, number)] += 1
        except BaseException:
            print(f"{name}: input {number} of seed {seed}", file=sys.stderr)
            raise
        shutil.rmtree(folder / "it", ignore_errors=True)
    if "session" in KEPT:
        KEPT.pop("session").close()
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert more < MOST_KIB, f"{name}: {more} KiB more"
    return tally


def main() -> None:
    """Run as a command."""
    count, seed, only, game = arguments(
        count=10_000, seed=random.randrange(10**6), only="", game=MINIATURES
    )
    print(f"seed {seed}", flush=True)
    for name in DOORS:
        if only in name:
            start = time.monotonic()
            quick = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # waiting proves nothing
            with tempfile.TemporaryDirectory(dir=quick) as folder:
                tally = fuzz(name, count, seed, Path(folder), game)
            took = time.monotonic() - start
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            print(f"{name}: {count} in {took:.0f} s, at most {most} MiB: {dict(tally)}", flush=True)


if __name__ == "__main__":
    main()
