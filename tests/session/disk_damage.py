"""A played game damaged in every way a disk has: `python -m tests.session.disk_damage 200`.

Bytes turned at random places, files cut at random lengths (with and without a side file), a disk
that is really full, a folder that is really read-only. Each time what is saved is told, the damaged
file is kept aside, the rest is recovered and the game goes on; or one clear line and no change.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from companion.session.fold import fold
from companion.session.log import PAGE
from companion.session.session import Session
from companion.session.step import LogStep
from companion.session.storage import read, side_of
from models import CompanionError
from tests.arguments import arguments
from tests.play.players import Players
from tests.session.kills import ROOT, set_up

STEPS = 250
ROOM = "160k"


@dataclass
class Tally:
    """What happened in all."""

    damages: int = 0
    harmless: int = 0
    """Bytes that hold nothing were hit: every step is there, and so nothing is told."""
    cut_short: int = 0
    """The side file was cut: nothing tells that from a power cut before those steps were taken."""
    refused: int = 0
    """So little was left that nothing says it was ours."""
    saved: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Game:
    """A game's bytes, closed and as a power cut leaves it, and its steps."""

    closed: bytes
    open: bytes
    side: bytes
    steps: list[LogStep]


def play(folder: Path, seed: int) -> Game:
    """A real game of many steps."""
    path = folder / "played.game"
    chance, players = random.Random(seed), Players(seed)
    with Session.open(path) as session:
        session.log.link.execute("PRAGMA synchronous = OFF")
        session.answer(set_up(chance))
        while session.history.seq < STEPS and not session.state()["winner"]:
            state = session.state()
            session.answer(players.command(session.state(state["pending"][0]["side"])))
        data, side = path.read_bytes(), side_of(path).read_bytes()
    return Game(path.read_bytes(), data, side, read(path).steps)


def damaged(chance: random.Random, data: bytes) -> tuple[str, bytes]:
    """A file after something happened to it."""
    place = chance.randrange(len(data))
    match chance.randrange(5):
        case 0:
            return "cut", data[:place]
        case 1:
            length = chance.choice((1, 8, 64, 512))
            return "bytes", data[:place] + chance.randbytes(length) + data[place + length :]
        case 2:
            page = place // PAGE * PAGE
            return "page", data[:page] + chance.randbytes(PAGE) + data[page + PAGE :]
        case 3:
            page = place // PAGE * PAGE
            return "zeros", data[:page] + bytes(PAGE) + data[page + PAGE :]
        case _:
            other = chance.randrange(len(data)) // PAGE * PAGE
            page = place // PAGE * PAGE
            return "moved", data[:page] + data[other : other + PAGE] + data[page + PAGE :]


def damage(chance: random.Random, game: Game, path: Path, tally: Tally) -> None:
    """One damage, and what becomes of it."""
    killed = chance.random() < 0.4
    data, side = (game.open, game.side) if killed else (game.closed, b"")
    hurt_side = killed and chance.random() < 0.5
    kind, hurt = damaged(chance, side if hurt_side else data)
    path.write_bytes(data if hurt_side else hurt)
    if killed:
        side_of(path).write_bytes(hurt if hurt_side else side)
    before = path.read_bytes()
    tally.damages += 1
    try:
        session = Session.open(path)
    except CompanionError:
        assert path.read_bytes() == before, "a refused file was changed"
        tally.refused += 1
        return
    with session:
        kept = read(path).steps
        assert kept == game.steps[: len(kept)], "a step that was never written"
        assert session.history.now.state == fold(kept).now.state
        damage = session.damage
        if damage is None:
            # A power cut may have cost the step being written: of the side file, never more. A
            # damage that hits just the last step there cannot be told from that.
            lost = len(game.steps) - len(kept)
            assert lost == 0 or (hurt_side and (kind == "cut" or lost == 1)), (kind, lost)
            tally.harmless += not lost
            tally.cut_short += bool(lost)
        else:
            assert damage.saved == len(kept)
            assert Path(damage.aside).read_bytes() == before
            name = f"{kind}{' of the side file' if hurt_side else ''}"
            tally.saved[name] += 1
            if kind != "cut" and not hurt_side and not killed:
                # One page is gone, and every step stands on two.
                several = kind == "bytes"  # they may reach into a second page
                assert several or len(kept) == len(game.steps), f"{name}: {len(kept)}"
        answer = session.answer({"do": "note", "text": "and on it goes"})
        assert answer["ok"], answer


# -- disks ------------------------------------------------------------------------------------


@contextmanager
def mounted(folder: Path, *options: str) -> Iterator[bool]:
    """A file system of its own at that folder; False where this machine does not allow it."""
    folder.mkdir()
    done = subprocess.run(["mount", *options, str(folder)], capture_output=True, check=False)
    try:
        yield done.returncode == 0
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", str(folder)], check=True)


def full_disk(folder: Path, seed: int) -> str:
    """A game until the disk is full; then room is made and it goes on."""
    with mounted(folder / "full", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs") as allowed:
        if not allowed:
            return "not tried: this machine mounts nothing for us"
        path = folder / "full" / "a.game"
        stuffing = folder / "full" / "stuffing"
        stuffing.write_bytes(bytes(40_000))
        chance, players = random.Random(seed), Players(seed)
        session = Session.open(path)
        assert session.answer(set_up(chance))["ok"]
        refused = 0
        for _ in range(3000):
            state = session.state()
            if state["winner"] or refused == 5:
                break
            before = session.history
            answer = session.answer(players.command(session.state(state["pending"][0]["side"])))
            if not answer["ok"]:
                assert (answer["why"], session.history) == ("DISK", before), answer
                assert answer["say"] == f"{path}: cannot be written: the disk is full", answer
                refused += 1
        assert refused == 5, "the disk was never full"
        done = session.history.seq
        session.log.link.close()  # as a power cut would leave it
        found = read(path)
        assert (found.damage, len(found.steps)) == (None, done)
        stuffing.unlink()
        with Session.open(path) as again:
            assert again.damage is None
            assert again.answer({"do": "note", "text": "room again"})["seq"] == done + 1
        return f"full after {done} steps, none lost, and on it went"


def read_only(folder: Path, game: Game) -> str:
    """A game on a disk that cannot be written to: read by all, kept by none."""
    with mounted(folder / "sealed", "-t", "tmpfs", "tmpfs") as allowed:
        if not allowed:
            return "not tried: this machine mounts nothing for us"
        path = folder / "sealed" / "a.game"
        path.write_bytes(game.closed)
        subprocess.run(["mount", "-o", "remount,ro", str(path.parent)], check=True)
        for name in ("a.game", "new.game"):
            words = [sys.executable, "-m", "companion.cli", "session", str(path.with_name(name))]
            done = subprocess.run(
                words, cwd=ROOT, input=b'{"do": "undo"}\n', capture_output=True, check=False
            )
            told = done.stderr.decode()
            assert (done.returncode, done.stdout) == (2, b""), told
            assert told.startswith(f"companion: {path.with_name(name)}: cannot be opened: "), told
            assert told.count("\n") == 1
            assert "read-only" in told, told
        assert read(path).steps == game.steps
        assert [one.name for one in path.parent.iterdir()] == ["a.game"]
        return told.strip().rpartition(": ")[2]


def main() -> None:
    """Run as a command."""
    count, seed = arguments(count=200, seed=random.randrange(10**6))
    print(f"seed {seed}", flush=True)
    chance, tally = random.Random(seed), Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        game = play(folder, seed)
        for number in range(count):
            damage(chance, game, folder / f"{number}.game", tally)
        print(tally)
        print("a full disk:", full_disk(folder, seed))
        print("a read-only folder:", read_only(folder, game))


if __name__ == "__main__":
    main()
