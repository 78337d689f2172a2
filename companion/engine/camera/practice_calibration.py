"""The practice camera during calibration, as a frame source like any camera.

The app chooses what it shows and moves its trays; the truth (lens, references, mounts) is used only
for comparison afterwards.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from companion.engine.camera.paced_source import PacedSource
from companion.practice.camera import PracticeCamera
from companion.practice.random_table import standard_view
from companion.practice.sensor import expose
from companion.practice.workbench import (
    LOOK,
    SIZE,
    STOPS,
    board_picture,
    workbench_setup,
    workbench_table,
)
from companion.vision.sources.frame import Picture
from models import Pose, Table

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
