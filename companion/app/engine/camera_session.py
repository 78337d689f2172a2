"""Who looks at the table: one camera at a time, or the practice table, whose trays can be moved."""

from __future__ import annotations

from collections.abc import Callable

from calibration.setup import Setup
from companion.app.engine.camera_worker import CameraWorker
from companion.app.engine.practice_source import PracticeSource
from companion.app.engine.snapshot import CameraView
from companion.vision.look import seen_table
from companion.vision.sources.frame_sources import Source
from companion.vision.sources.safe_source import Opener
from companion.vision.track.table_tracker import TrayMoved
from models import Pose, Table


class CameraSession:
    """`moved` hears of trays that settled elsewhere, from the camera's own thread."""

    def __init__(self, moved: Callable[[TrayMoved], None]) -> None:
        self.eyes: CameraWorker | None = None
        self.setup: Setup | None = None
        self._moved = moved

    @property
    def live(self) -> CameraView:
        """The newest frame."""
        return self.eyes.live if self.eyes is not None else CameraView()

    @property
    def rehearsal(self) -> PracticeSource | None:
        """The practice table, if that is what is looked at."""
        source = self.eyes.source if self.eyes is not None else None
        return source if isinstance(source, PracticeSource) else None

    def open(self, source: Source, setup: Setup) -> None:
        """Look through another source."""
        self._look(CameraWorker(source, setup, self._moved))

    def open_camera(self, open_it: Opener, setup: Setup) -> None:
        """Look through a camera, which its own thread opens, and again after every fault."""
        self._look(CameraWorker(None, setup, self._moved, open_it))

    def _look(self, eyes: CameraWorker) -> None:
        self.close()
        self.setup, self.eyes = eyes.setup, eyes
        eyes.open()

    def close(self) -> None:
        """Look no more."""
        if self.eyes is not None:
            self.eyes.close()
            self.eyes = None

    def rename(self, setup: Setup) -> None:
        """The same camera, its trays under other names."""
        if self.eyes is not None:
            self.setup = self.eyes.setup = setup
            self.eyes.forget()

    def seen(self, table: Table | None) -> Table | None:
        """The table as the camera sees it now; None while it does not."""
        live = self.live
        if self.setup is None or live.sight != "live":
            return None
        return seen_table([one.fit for one in live.standings], self.setup, table)

    # -- the practice table -----------------------------------------------------------------

    def carry(self, unit: str, pose: Pose) -> None:
        """Move a tray of the practice table."""
        if self.rehearsal is not None:
            self.rehearsal.move(unit, pose)

    def where(self, unit: str | None) -> Pose | None:
        """Where a tray of the practice table really stands now."""
        source = self.rehearsal
        if source is None or unit not in source.table:
            return None
        return source.table.unit(str(unit)).pose

    def cover(self, covered: bool) -> None:
        """Cover the practice camera, or uncover it."""
        if self.rehearsal is not None:
            self.rehearsal.cover(covered)

    def put_back(self, table: Table | None) -> None:
        """Everything on the practice table stands where a table says: after an undo."""
        if self.rehearsal is not None and self.eyes is not None and table is not None:
            self.rehearsal.show(table)
            self.eyes.forget()
