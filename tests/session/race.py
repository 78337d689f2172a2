"""Two programs that open one damaged game at the same moment: `python -m tests.session.race 100`.

Each adds a note as soon as it is let in. Afterwards every step of the damaged game that could be
read before is there, and every note that was acknowledged.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from companion.session.session import Session
from companion.session.storage import read, side_of
from tests.arguments import arguments

ROOT = Path(__file__).parents[2]
PROGRAM = """
import json, sys, time
from pathlib import Path
from companion.session.session import Session
from models import CompanionError
print("ready", flush=True)
sys.stdin.readline()
told = []
end = time.monotonic() + 30
while time.monotonic() < end and not told:
    try:
        with Session.open(Path(sys.argv[1])) as session:
            for number in range(3):
                answer = session.answer({"do": "note", "text": f"{sys.argv[2]} {number}"})
                if answer["ok"]:
                    told.append(answer["seq"])
    except CompanionError as error:
        if "open" not in str(error):
            raise
        time.sleep(0.002)
print(json.dumps(told), flush=True)
"""


class Racer:
    """A program that waits for the start."""

    def __init__(self, path: Path, name: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(path), name],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"

    def go(self) -> None:
        """Start."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def end(self) -> list[int]:
        """The numbers of the notes it was told to be kept."""
        out, _ = self.process.communicate(timeout=60)
        assert self.process.returncode == 0
        found: list[int] = json.loads(out)
        return found


def damaged(path: Path, chance: random.Random) -> None:
    """A game in need of recovery: of its file or its side file something is broken or missing."""
    with Session.open(path) as session:
        session.log.link.execute("PRAGMA synchronous = OFF")
        for count in range(chance.randrange(5, 120)):
            session.answer({"do": "note", "text": f"step {count} " * chance.randrange(1, 30)})
        data, side = bytearray(path.read_bytes()), bytearray(side_of(path).read_bytes())
    match chance.randrange(4):
        case 0:
            data[:100] = bytes(100)
        case 1:
            side[chance.randrange(8, 24)] ^= 0xFF
        case 2:
            place = chance.randrange(len(data) // 4096) * 4096
            data[place : place + 4096] = chance.randbytes(4096)
        case _ if len(data) <= 4096:
            del data[:]  # everything is still in the side file
        case _:
            data[4096:8192] = bytes(4096)
    path.write_bytes(data)
    side_of(path).write_bytes(side)


def race(times: int, seed: int, folder: Path) -> int:
    """Race so many times; how often no step was lost (an error says which was)."""
    chance = random.Random(seed)
    for count in range(times):
        path = folder / f"{count}.game"
        damaged(path, chance)
        before = read(path).steps
        racers = [Racer(path, name) for name in ("one", "two")]
        for racer in racers:
            racer.go()
        notes = {name: racer.end() for name, racer in zip(("one", "two"), racers, strict=True)}
        after = read(path)
        assert after.damage is None
        assert after.steps[: len(before)] == before, f"{count}: steps of the damaged game are lost"
        texts: dict[int, Any] = {one.seq: one.events()[0].data["text"] for one in after.steps}
        for name, told in notes.items():
            assert len(told) == 3, f"{count}: {name} was never let in"
            for number, seq in enumerate(told):
                assert texts[seq] == f"{name} {number}", f"{count}: note {seq} is lost"
        assert len(after.steps) == len(before) + 6
    return times


def main() -> None:
    """Run as a command."""
    times, seed = arguments(times=100, seed=random.randrange(10**6))
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        print(f"{race(times, seed, Path(folder))} races, no step lost")


if __name__ == "__main__":
    main()
