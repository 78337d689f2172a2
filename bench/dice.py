"""Dice on the practice mat, of materials that training has not seen: read, asked about, or wrong.

python -m bench.dice --throws 2000 --kept out/d6.log     goes on where the file ends (one --seed)
python -m bench.dice --throws 300 --sides 10             D8: each symbol is shown once before
python -m bench.dice --beside 60                         throws of five D6 beside the running app

Every tenth throw has a die that leans: it must be asked about, whatever it seems to show.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from calibration.printing.dice_mat import A4_MAT, A5_MAT
from companion.engine.camera.dice_camera import DiceCamera
from companion.engine.camera.practice_source import PacedSource
from companion.practice.dice_film import HAND_S, STILLS, TUMBLE_S, DiceFilm
from companion.practice.dice_marks import INKS, SHAPES
from companion.practice.dice_throw import DiceScene, Picture, Thrown, thrown
from companion.vision.dice.dice_mat import find_mat, read_mat
from companion.vision.dice.dice_reader import Doubt, ReadThrow
from companion.vision.dice.learned_faces import LearnedFaces
from companion.vision.dice.throw_watch import FRAMES
from companion.vision.sources.frame import grey_of

MOST_DICE = {6: 12, 8: 6, 10: 5}
MATS = ((A5_MAT, (640, 480)),) * 3 + ((A4_MAT, (960, 720)),)
FINER_MAT = (A5_MAT, (960, 720))
"""D8 and D10 are read in pictures with more pixels than pips need."""
LEANS_EVERY = 10
LEANS = 0.35
SHOWN_FOR = 10
"""So many throws of D8 are made with dice that were shown once."""
SLICES = 4
PAUSE_S, LONGEST_S = 0.5, 12.0
"""Between two throws beside the app; a proposal that comes later is given up."""
RIGHT = {6: 0.97, 8: 0.95, 10: 0.95}
WRONG = {6: 0.001, 8: 0.003, 10: 0.003}


def main() -> None:
    """Make the throws that the file does not hold yet, then tell all of them."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--throws", type=int, default=20)
    parser.add_argument("--sides", type=int, default=6, choices=tuple(MOST_DICE))
    parser.add_argument("--seed", type=int, default=0, help="other throws, of other dice")
    parser.add_argument("--kept", type=Path, help="a line a throw; throws in it are not made again")
    parser.add_argument("--beside", type=float, metavar="SECONDS", help="frames, delay, memory")
    args = parser.parse_args()
    if args.beside:
        beside(args.beside)
        return
    kept = args.kept.read_text("utf-8") if args.kept and args.kept.exists() else ""
    told = [json.loads(line) for line in kept.splitlines()]
    for number in range(len(told), args.throws):
        told.append(tried(number, args.sides, args.seed))
        if args.kept:
            with args.kept.open("a", encoding="utf-8") as file:
                print(json.dumps(told[-1]), file=file)
    print("\n".join(summary(told[: args.throws], args.sides)))


def tried(number: int, sides: int, seed: int) -> dict[str, Any]:
    """One throw and what the reader says about it."""
    rng = np.random.default_rng([sides, number, seed])
    mat, size = MATS[number % len(MATS)] if sides == 6 else FINER_MAT
    count = int(rng.integers(1, MOST_DICE[sides] + 1))
    learned = None
    if sides == 8:
        view, learned = shown(number // SHOWN_FOR, seed)
    else:
        view = DiceScene.random(rng, sides=sides, mat=mat, size=size)
    leans = number % LEANS_EVERY == LEANS_EVERY - 1
    while True:
        lean = LEANS if leans else 0.0
        scene = thrown(rng, count=count, mat=mat, lean=lean, frames=FRAMES, view=view)
        if any(scene.leaning) == leans:
            break
    before = view.picture(rng, np.empty((0, 3)), [])
    read, true = seen(scene, sides, learned, before), scene.faces
    if sides == 8:
        true = tuple(first_face(face) for face in true)
    right = read.faces == tuple(sorted(true)) and not leans
    return {
        "throw": number,
        "leans": leans,
        "answer": "asked" if not read.sure else "right" if right else "wrong",
        "why": sorted({doubt.word for doubt in read.doubts}),
        "true": sorted(true),
        "read": read.faces,
        "colour": [round(float(v), 2) for v in np.ravel(view.material["colour"])],
        "clear": view.material["clear"],
    }


def seen(
    scene: Thrown, sides: int, learned: LearnedFaces | None, before: Picture | None = None
) -> ReadThrow:
    """What the app reads of a throw at rest; `before` it the mat was empty."""
    view = find_mat(grey_of(scene.picture))
    if view.problem:
        return ReadThrow((), (Doubt(view.problem),))
    count = len(scene.faces)
    (again,) = scene.again
    return read_mat(
        scene.picture,
        view,
        count=count,
        sides=sides,
        again=again,
        learned=learned,
        before=before,
    )


def first_face(face: int) -> int:
    """The first face of a D8 with the symbol of this one."""
    looks = list(zip(SHAPES, INKS, strict=True))
    return 1 + looks.index(looks[face - 1])


@lru_cache(maxsize=1)
def shown(player: int, seed: int) -> tuple[DiceScene, LearnedFaces]:
    """Somebody's D8 under a camera, and its faces: each symbol laid down once, a second and third
    time where it is not seen clearly."""
    rng, (mat, size) = np.random.default_rng([8, player, seed, 1]), FINER_MAT
    view, learned = DiceScene.random(rng, sides=8, mat=mat, size=size), LearnedFaces()
    for face in sorted({first_face(face) for face in range(1, 9)}):
        for _ in range(3):
            scene = thrown(rng, count=1, mat=mat, faces=[face], frames=FRAMES, view=view)
            read = seen(scene, 8, None)
            if read.sure and learned.like(read.dice[0].traits, face) is None:
                learned = learned.taught(face, read.dice[0].traits)
                break
    return view, learned


class FilmedThrows(PacedSource):
    """A camera over the mat whose pictures were made before: it takes no processor of its own."""

    def __init__(self, count: int) -> None:
        self.fps, self.name = 15.0, "filmed dice"
        self.lasts_s = HAND_S + TUMBLE_S
        self.began_s = -self.lasts_s
        film = DiceFilm(np.random.default_rng(3))
        moments = np.arange(0, self.lasts_s, 1 / self.fps)
        self.films = list[tuple[list[Picture], list[Picture]]]()
        """Two throws in turn, each rolling and at rest: dice that lie as before do not count."""
        for _ in range(2):
            film.throw(count, 0.0)
            rolling = [film.picture(float(moment)) for moment in moments]
            self.films.append((rolling, [film.picture(self.lasts_s) for _ in range(STILLS)]))

    def throw(self) -> float:
        """Throw now; when the dice lie still."""
        self.films.reverse()
        self.began_s = time.monotonic()
        return self.began_s + self.lasts_s

    def picture(self, now_s: float) -> Picture:
        """The mat at this moment."""
        rolling, resting = self.films[0]
        index = int((now_s - self.began_s) * self.fps)
        return rolling[index] if index < len(rolling) else resting[self._number % STILLS]


def beside(seconds: float) -> None:
    """The app alone and beside a camera that reads throw after throw, in turn."""
    from bench import app

    with app.opened() as driver:
        units, source = app.first_units(driver), FilmedThrows(5)
        before = app.memory_mb("VmRSS")
        kept, waits = list[float](), list[tuple[float, float]]()
        for number in range(SLICES):
            alone = app.busy(driver, units[number:], seconds / SLICES)
            over = threading.Event()
            thrower = threading.Thread(target=throws, args=(source, over, waits), daemon=True)
            thrower.start()
            busy = app.busy(driver, units[number:], seconds / SLICES)
            over.set()
            thrower.join()
            rates = alone.frames / alone.seconds, busy.frames / busy.seconds
            kept.append(rates[1] / rates[0])
            print(f"{rates[0]:.1f} frames/s alone, {rates[1]:.1f} beside the dice", flush=True)
        after = app.memory_mb("VmRSS")
    print(f"kept {statistics.median(kept):.0%} of its frames (bar 90%)")
    delays, worked = zip(*waits, strict=True)
    waited = f"median {statistics.median(delays):.2f} s, slowest {max(delays):.2f} (bar 0.7)"
    print(f"from still dice to the proposal: {len(delays)} throws, {waited}; processor of a whole"
          f" throw {statistics.median(worked):.2f} s; load {os.getloadavg()[0]:.0f}")  # fmt: skip
    print(f"memory + {after - before:.0f} MB (bar 40)")


def throws(source: FilmedThrows, over: threading.Event, waits: list[tuple[float, float]]) -> None:
    """Throw dice until it is over; how long each proposal was waited for, and how much processor
    the watching thread took from the first moving picture on."""
    camera = DiceCamera(lambda: source)
    clock = time.pthread_getcpuclockid(camera.thread_id)
    while not over.is_set():
        number = camera.sight.number
        camera.expect(5)
        while not (camera.ready or over.is_set()):
            over.wait(0.02)
        over.wait(PAUSE_S)
        rested, worked = source.throw(), time.clock_gettime(clock)
        while camera.sight.number == number and time.monotonic() < rested + LONGEST_S:
            time.sleep(0.01)
        waits.append((time.monotonic() - rested, time.clock_gettime(clock) - worked))
    camera.close()


def summary(told: Sequence[dict[str, Any]], sides: int) -> Iterator[str]:
    """How many of the throws were right, asked about and wrong; then those that lean."""
    lying = Counter(one["answer"] for one in told if not one["leans"])
    many = max(1, sum(lying.values()))
    yield (
        f"D{sides}: {many} throws, {lying['right']} right ({lying['right'] / many:.1%}, bar"
        f" {RIGHT[sides]:.0%}), {lying['asked']} asked, {lying['wrong']} wrong"
        f" ({lying['wrong'] / many:.2%}, bar {WRONG[sides]:.1%})"
    )
    leaning = Counter(one["answer"] for one in told if one["leans"])
    yield f"with a leaning die: {leaning['asked']} asked, {leaning['wrong']} read"
    why = Counter(word for one in told if not one["leans"] for word in one["why"])
    yield "asked because: " + (", ".join(f"{word} {n}" for word, n in why.most_common()) or "-")


if __name__ == "__main__":
    main()
