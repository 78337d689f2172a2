"""The practice table as a source of rendered frames; trays move when the player drags them."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace

from calibration.setup import Setup
from companion.engine.camera.paced_source import PacedSource
from companion.practice.camera import PracticeCamera
from companion.practice.mat import bare, painted
from companion.practice.picture_style import STANDARD
from companion.practice.random_table import standard_lens, standard_view, tagged_table, tags_of
from companion.practice.sensor import expose
from companion.vision.sources.frame import Picture
from models import Pose, Table

SIZE = (1280, 720)
TAG_MM = 30.0
TAG_UP_IN = 1.8
"""Tags are on poles over the rear edge of the tray, so that no model hides them."""
MOVE_S = 0.7
STILLS = 3
"""This many frames of an unchanged table have different noise; then they repeat."""


def practice_setup(table: Table, size: tuple[int, int] = SIZE) -> Setup:
    """The camera set-up of a practice table: every tray with one raised tag."""
    bare = tagged_table(table, standard_lens(size))
    trays = tuple(
        replace(one, tags=tags_of(one.tray, tuple(tag.id for tag in one.tags), TAG_MM, TAG_UP_IN))
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
    _camera: PracticeCamera = field(init=False)
    _ways: dict[str, TrayDrag] = field(default_factory=dict, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _kept: tuple[object, list[Picture]] = field(default=(None, []), init=False)
    """The pictures of a table at rest."""
    _painted: object = field(default=None, init=False)

    def __post_init__(self) -> None:
        look = replace(STANDARD, jpeg=0)
        self._camera = PracticeCamera(self.setup, standard_view(self.table.width), look)

    def move(self, unit: str, pose: Pose) -> None:
        """Animate a tray to this pose."""
        with self._lock:
            if unit in self.table:
                start = self.table.unit(unit).pose
                self._ways[unit] = TrayDrag(unit, start, pose, time.monotonic())

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
            if self._painted != (table.terrain, table.objectives):
                # The rendered mats are large, and the camera has its own projection of them now.
                self._painted = (table.terrain, table.objectives)
                painted.cache_clear()
                bare.cache_clear()
            stills.append(expose(light, self._camera.look, self._number))
            if len(stills) == STILLS:
                self._camera.forget_light()
        return stills[self._number % len(stills)]

    def _now(self, now_s: float) -> Table:
        with self._lock:
            for unit, way in list(self._ways.items()):
                self.table = self.table.moved(unit, way.at(now_s))
                if now_s - way.began_s >= MOVE_S:
                    del self._ways[unit]
            return self.table
