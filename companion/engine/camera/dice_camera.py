"""The camera that watches the dice mat: reads throws on its own thread, as prompts ask for them.

dice = DiceCamera(opener)              # the practice mat, the table's camera, or another one
dice.expect(5, 6)                      # a prompt waits for five D6
dice.sight.phase, dice.sight.throw     # what the watch knows now
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from companion.engine.camera.practice_source import PacedSource
from companion.engine.snapshot import CameraView
from companion.engine.threads import AppThread
from companion.engine.turn.proposed_dice import READ_SIDES, throw_json
from companion.practice.dice_film import DiceFilm
from companion.vision.dice.dice_reader import LEARNED_SIDES
from companion.vision.dice.learned_faces import LearnedFaces
from companion.vision.dice.throw_watch import ThrowSight, ThrowWatch
from companion.vision.sources.frame import CameraFrame, Gap, Picture
from companion.vision.sources.frame_sources import Source
from companion.vision.sources.safe_source import Opener, SafeSource

ROLLING_S, FRAME_S, IDLE_S = 0.02, 0.08, 0.3
"""How long to wait for the next frame while dice roll, while a throw is waited for, otherwise."""
PAUSE_S = 0.2


class DiceCamera:
    """Watches one mat; `expect` and `sight` may be called from any thread."""

    def __init__(
        self,
        opener: Opener,
        changed: Callable[[], object] = lambda: None,
        kept: Path | None = None,
    ) -> None:
        self._kept = kept
        """Where the faces of a D8 are kept that the players have shown."""
        self.learned = LearnedFaces() if kept is None else LearnedFaces.load(kept)
        self._changed = changed
        """Called, on any thread, when the phase has changed or a throw was read."""
        self._asked = 0, 6
        self._wanted: tuple[int, int, LearnedFaces | None] | None = None
        """What the watch is to wait for, told to it between two frames: a look at dice takes a
        while, and whoever asks does not wait for it."""
        self._reader = SafeSource(reopen=opener)
        self._watch = ThrowWatch()
        self._lock = threading.Lock()
        self._sight = ThrowSight("no mat")
        self._count = 0
        self._up: tuple[int, ...] = ()
        """The faces that practice dice must show."""
        self._rolled: Source | None = None
        """The practice dice that were rolled for the prompt; opened anew, they roll again."""
        self._stop = threading.Event()
        self._thread = AppThread(self._run, "dice", self._stop.set)
        self._thread.start()

    @property
    def sight(self) -> ThrowSight:
        """What is known now."""
        return self._sight

    @property
    def ready(self) -> bool:
        """Whether what is thrown from now on counts."""
        return self._wanted is None and self._watch.ready

    @property
    def thread_id(self) -> int:
        """Of the thread that watches."""
        return self._thread.ident or 0

    def expect(self, count: int, sides: int = 6) -> None:
        """Wait for a throw of so many dice from now on; 0: for none."""
        if sides == LEARNED_SIDES:
            self._expect(count if self.learned.traits else 0, sides, self.learned)
        else:
            self._expect(count if sides in READ_SIDES else 0, READ_SIDES.get(sides, 6))
        self._asked = self._count, sides
        self._changed()

    def show(self, face: int) -> None:
        """Wait for one D8 that is laid down with this face up."""
        self._expect(1, LEARNED_SIDES, LearnedFaces(), (face,))
        self._asked = 0, LEARNED_SIDES

    def learn(self, faces: LearnedFaces) -> None:
        """Know these faces from now on, and on the next evening."""
        self.learned = faces
        if self._kept is not None:
            faces.save(self._kept)

    def _expect(
        self, count: int, sides: int, learned: LearnedFaces | None = None, up: tuple[int, ...] = ()
    ) -> None:
        with self._lock:
            self._wanted, self._count = (count, sides, learned), count
            self._sight = ThrowSight(self._sight.phase, number=self._sight.number)
            self._rolled, self._up = None, up

    @property
    def throw(self) -> dict[str, Any] | None:
        """What is read for the prompt that waits, for screens beside the tablet."""
        sight, (count, sides) = self._sight, self._asked
        return throw_json(sight, count, sides) if count else None

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=0.5)

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                before = self._sight.phase, self._sight.number
                self._take(self._reader.read())
                if (self._sight.phase, self._sight.number) != before:
                    self._changed()
        finally:
            self._reader.close()

    def _take(self, frame: CameraFrame | Gap | None) -> None:
        if frame is None or isinstance(frame, Gap):
            self._sight = ThrowSight("no mat", number=self._sight.number)
            self._stop.wait(PAUSE_S)
            return
        with self._lock:
            wanted, self._wanted = self._wanted, None
        try:
            if wanted is not None:
                self._watch.expect(*wanted)
            sight = self._watch.see(frame.picture, frame.time_s)
            with self._lock:
                if self._wanted is None:  # else it is of a throw that nobody waits for any longer
                    self._sight = sight
                    self._roll_practice_dice()
        except Exception:  # one frame must not end the thread
            logging.getLogger(__name__).exception("frame %s", frame.name)
        waited = FRAME_S if self._count else IDLE_S
        self._stop.wait(ROLLING_S if self._watch.rolling else waited)

    def _roll_practice_dice(self) -> None:
        source = self._reader.source
        rolled = source is self._rolled
        if isinstance(source, PracticeDice) and self.ready and not rolled:
            self._rolled = source
            source.roll(self._watch.count, self._watch.sides, self._up)


@dataclass(eq=False)
class PracticeDice(PacedSource):
    """A rendered mat whose dice roll by themselves a moment after a prompt asks for them."""

    name = "practice dice"
    fps: float = 12.0
    seed: int = 7
    _film: DiceFilm = field(init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def __post_init__(self) -> None:
        self._film = DiceFilm(np.random.default_rng(self.seed))

    def roll(self, count: int, sides: int, faces: tuple[int, ...] = ()) -> None:
        """Pick everything up and throw so many dice."""
        with self._lock:
            if sides != self._film.sides:
                rng = np.random.default_rng(self.seed)
                self._film = DiceFilm(rng, sides=sides)
            self._film.throw(count, time.monotonic(), faces=faces)

    @property
    def faces(self) -> tuple[int, ...]:
        """What lies or will lie on the mat."""
        return self._film.faces

    def picture(self, now_s: float) -> Picture:
        """The mat at this moment."""
        with self._lock:
            return self._film.picture(now_s)


@dataclass(eq=False)
class TableFrames(PacedSource):
    """The frames that the table's camera shows anyway."""

    name = "table camera"
    view: Callable[[], CameraView]
    fps: float = 15.0

    def read(self) -> CameraFrame | Gap | None:
        """The newest frame, if there is one."""
        live, now = self.view(), time.monotonic()
        if live.picture is None:
            return Gap(now, live.why)
        return CameraFrame(live.picture, now, live.number, self.name)
