"""The practice table as a source of rendered frames, during a game and during calibration."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field, replace

from calibration.camera.viewpoint import Viewpoint
from calibration.setup import Setup
from calibration.tags.mounts import surely
from companion.practice.camera import PracticeCamera
from companion.practice.mat import bare, painted
from companion.practice.random_table import standard_lens, standard_view, tagged_table, tags_of
from companion.practice.sensor import STANDARD, expose
from companion.practice.workbench import (
    LOOK,
    SIZE,
    STOPS,
    board_picture,
    workbench_setup,
    workbench_table,
)
from companion.vision.sources.frame import CameraFrame, Gap, Picture
from models import Pose, Table
from models.message import say
from models.unit import Unit


class PacedSource:
    """A frame `Source` that renders its pictures with `picture`, at most `fps` in a second."""

    name = "practice camera"
    fps: float
    _number = 0
    _due_s = 0.0
    _covered = False

    def picture(self, now_s: float) -> Picture:
        """The picture at this moment."""
        raise NotImplementedError

    def pace(self) -> float:
        """Pictures in a second."""
        return self.fps

    def cover(self, covered: bool) -> None:
        """Simulate an unplugged camera, or plug it in again."""
        self._covered = covered

    def read(self) -> CameraFrame | Gap | None:
        """The next frame; blocks until it is due."""
        now = time.monotonic()
        if self._due_s > now:
            time.sleep(self._due_s - now)
            now = time.monotonic()
        self._due_s = max(now, self._due_s + 1.0 / self.pace())
        if self._covered:
            return Gap(now, say("the camera is covered"))
        picture = self.picture(now)
        self._number += 1
        return CameraFrame(picture, now, self._number, self.name)

    def still(self) -> CameraFrame | None:
        """None: the practice camera has no higher resolution for stills."""
        return None

    def close(self) -> None: ...


FRAME_SIZE = (1280, 720)
TAG_MM = 30.0
TAG_UP_IN = 1.8
"""Tags are on poles over the rear edge of the tray, so that no model hides them."""
MOVE_S = 0.7
STILLS = 3
"""This many frames of an unchanged table have different noise; then they repeat by chance, so that
nobody who sees only some of them takes the camera for a frozen one."""


def practice_setup(table: Table, size: tuple[int, int] = FRAME_SIZE) -> Setup:
    """The camera set-up of a practice table: every tray with one raised tag, just where it says."""
    bare = tagged_table(table, standard_lens(size))
    trays = tuple(
        replace(
            one,
            tags=surely(tags_of(one.tray, tuple(tag.id for tag in one.tags), TAG_MM, TAG_UP_IN)),
        )
        for one in bare.trays
    )
    return replace(bare, trays=trays)


@dataclass(frozen=True, slots=True)
class TrayDrag:
    """A tray that is moving, with its start time."""

    unit: str
    start: Pose
    end: Pose
    began_s: float

    def at(self, now_s: float) -> Pose:
        """The pose at this time, with smooth acceleration and braking."""
        share = min(max((now_s - self.began_s) / MOVE_S, 0.0), 1.0)
        share = share * share * (3 - 2 * share)
        turn = (self.end.heading - self.start.heading + 180) % 360 - 180
        return Pose(
            self.start.x + (self.end.x - self.start.x) * share,
            self.start.y + (self.end.y - self.start.y) * share,
            self.start.heading + turn * share,
        )


@dataclass(eq=False)
class PracticeSource(PacedSource):
    """A frame `Source` that renders the practice table; `move` and `cover` are thread-safe."""

    name = "practice table"
    table: Table
    setup: Setup
    fps: float = 30.0
    resting_fps: float = 10.0
    """While nothing moves: an app at rest spares the battery."""
    _camera: PracticeCamera = field(init=False)
    _ways: dict[str, TrayDrag] = field(default_factory=dict, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _kept: tuple[object, list[Picture]] = field(default=(None, []), init=False)
    """The pictures of a table at rest."""
    _painted: object = field(default=None, init=False)

    def __post_init__(self) -> None:
        look = replace(STANDARD, jpeg=0)
        self._camera = PracticeCamera(self.setup, standard_view(self.table.width), look)

    def look_from(self, view: Viewpoint) -> None:
        """Push the camera to another place."""
        with self._lock:
            self._camera = replace(self._camera, view=view)
            self._kept = (None, [])

    def move(self, unit: str, pose: Pose) -> None:
        """Animate a tray to this pose."""
        with self._lock:
            if unit in self.table:
                start = self.table.unit(unit).pose
                self._ways[unit] = TrayDrag(unit, start, pose, time.monotonic())

    def put(self, unit: Unit) -> None:
        """Move a tray to its pose; one that was taken off is put down there."""
        if unit.id in self.table:
            self.move(unit.id, unit.pose)
            return
        with self._lock:
            self.table = replace(self.table, units=(*self.table.units, unit))

    def remove(self, unit: str) -> None:
        with self._lock:
            if unit in self.table:
                self.table = self.table.without(unit)
                self._ways.pop(unit, None)

    def show(self, table: Table) -> None:
        """Place everything as in this table at once, after an undo."""
        with self._lock:
            self.table, self._ways = table, {}

    def picture(self, now_s: float) -> Picture:
        """The table as it stands at this moment."""
        table = self._now(now_s)
        if self._kept[0] is not table:
            self._kept = (table, [])
        stills = self._kept[1]
        if len(stills) < STILLS:
            light, _ = self._camera.light(table)
            if self._painted != (table.terrain, table.tokens):
                # The rendered mats are large, and the camera has its own projection of them now.
                self._painted = (table.terrain, table.tokens)
                painted.cache_clear()
                bare.cache_clear()
            stills.append(expose(light, self._camera.look, self._number))
            if len(stills) == STILLS:
                self._camera.forget_light()
        else:
            stills.append(stills.pop(random.randrange(STILLS - 1)))
        return stills[-1]  # never the one before: a slow device would look frozen

    def pace(self) -> float:
        """Fewer pictures in a second of a table at rest."""
        resting = not self._ways and len(self._kept[1]) == STILLS
        return self.resting_fps if resting else self.fps

    def _now(self, now_s: float) -> Table:
        with self._lock:
            for unit, way in list(self._ways.items()):
                self.table = self.table.moved(unit, way.at(now_s))
                if now_s - way.began_s >= MOVE_S:
                    del self._ways[unit]
            return self.table


HELD_S = 0.35
"""How long the board is held still before it moves on."""


@dataclass(eq=False)
class PracticeCalibrationSource(PacedSource):
    """A frame `Source`; `show`, `place` and `cover` are thread-safe."""

    size: tuple[int, int] = SIZE
    fps: float = 12.0
    held_s: float = HELD_S
    shown: str = "board"
    """What is in front of the camera: the "board" or the "table"."""
    table: Table = field(default_factory=workbench_table)
    _camera: PracticeCamera | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _stop: int = field(default=0, init=False)
    _moved_s: float = field(default=0.0, init=False)

    def show(self, what: str) -> None:
        """Show the board or the table."""
        self.shown = what

    def place(self, unit: str, pose: Pose) -> None:
        """Move a tray to this pose at once."""
        with self._lock:
            self.table = self.table.moved(unit, pose)

    def place_tagged(self, tag: int, pose: Pose) -> None:
        """Move the tray with this tag, whatever its name is."""
        found = workbench_setup(self.size).tray_of(tag)
        if found is not None:
            self.place(found[0].unit, pose)

    def picture(self, now_s: float) -> Picture:
        """The board or the table, as the camera sees it now."""
        return self._board(now_s) if self.shown == "board" else self._table()

    def _board(self, now: float) -> Picture:
        if now - self._moved_s >= self.held_s:
            self._moved_s = now
            self._stop += 1
        return board_picture(self.size, (self._stop - 1) % STOPS)

    def _table(self) -> Picture:
        if self._camera is None:
            self._camera = PracticeCamera(workbench_setup(self.size), standard_view(), LOOK)
        with self._lock:
            table = self.table
        light, _ = self._camera.light(table)
        return expose(light, LOOK, self._number)
