"""The desk at which a game is kept: session, table and camera behind one worker, free of kivy.

The screen thread only looks at `live` (the newest frame) and `snapshot` (the newest state of the
game) and leaves jobs; it never waits for them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from calibration.setup import Setup
from companion.app.engine.camera_worker import CameraWorker
from companion.app.engine.draft_editor import DraftEditor
from companion.app.engine.game_controller import GameController
from companion.app.engine.overlay_cache import ScreenSize
from companion.app.engine.snapshot import CameraView, Snapshot
from companion.app.engine.worker import Job, Worker
from companion.app.files import preferences
from companion.app.files.game_library import SavedGame, saved_games
from companion.app.files.preferences import Preferences
from companion.app.render.vertex_batches import Triangulate, VertexBatches
from companion.overlay.shapes import Point
from companion.session.game_lookup import Plain
from companion.vision.sources.safe_source import Opener
from models import Pose
from models.footprint import corners

NEAR_IN = 0.8
"""A finger this far beside a tray still means it."""


class AppService:
    """One device's games: what it is asked it does in its own time, one thing after the other."""

    def __init__(self, folder: Path, triangulate: Triangulate) -> None:
        self.folder = folder
        self.mind = GameController(folder, triangulate)
        self._wanted = self.mind.easel.screen

    @property
    def snapshot(self) -> Snapshot:
        """The newest state of the game."""
        return self.mind.snapshot

    @property
    def preferences(self) -> Preferences:
        """What the players like."""
        return self.mind.preferences

    @property
    def drafting(self) -> DraftEditor:
        """The game that is being set up."""
        return self.mind.drafting

    @property
    def live(self) -> CameraView:
        """The newest frame."""
        return self.mind.lookout.live

    @property
    def eyes(self) -> CameraWorker | None:
        """What looks at the table now."""
        return self.mind.lookout.eyes

    @property
    def setup(self) -> Setup | None:
        """The set-up that is looked through."""
        return self.mind.lookout.setup

    @property
    def games_folder(self) -> Path:
        """Where games lie."""
        return self.folder / "games"

    @property
    def worker(self) -> Worker:
        """Who does what is asked of the desk."""
        return self.mind.worker

    def ask(self, job: Job) -> None:
        """Leave a job for the worker."""
        self.mind.worker.ask(job)

    def do(self, *commands: Plain) -> None:
        """Give the game commands; those after a refused one are not given."""
        self.ask(lambda: self.mind.do(commands))

    def choose(self, unit: str | None) -> None:
        """Tap a unit, or the bare table."""
        self.ask(lambda: self.mind.choose(unit))

    def foreseen(self, unit: str | None) -> tuple[VertexBatches | None, VertexBatches | None]:
        """A unit's answers on the map and on the picture, as far as they were drawn ahead."""
        return self.mind.easel.foreseen(unit)

    def practice(self) -> None:
        """Begin a game on the practice table."""
        self.ask(self.mind.practice)

    def stage(self, only: str | None = None) -> None:
        """Draw and judge the table of the game that is being set up."""
        self.mind.drafting.stage(self.mind.preferences.readings, lambda: self.live.camera, only)

    def rehearse(self) -> None:
        """See that table through the practice camera."""
        self.ask(lambda: self.mind.look_through(*self.mind.drafting.rehearsal()))

    def close_eyes(self) -> None:
        """Look through no camera any more."""
        self.ask(self.mind.lookout.close)

    def begin(self) -> None:
        """Begin the game that was set up."""
        self.ask(self.mind.begin_own)

    def resume(self, path: Path) -> None:
        """Go on with a kept game."""
        self.ask(lambda: self.mind.resume(path))

    def leave(self) -> None:
        """Put the game away; it is kept to the last tap."""
        self.ask(self.mind.leave)

    def open_camera(self, open_it: Opener, setup: Setup) -> None:
        """See the table through another camera; nobody waits until it is open."""
        self.ask(lambda: self.mind.open_camera(open_it, setup))

    def accept(self) -> None:
        """Take over the table with the moved tray."""
        self.ask(self.mind.accept)

    def correct(self) -> None:
        """The moved tray goes back: the table stays as it was."""
        self.ask(self.mind.correct)

    def adopt(self) -> None:
        """Take every position as the camera sees it now."""
        self.ask(self.mind.adopt)

    def peek(self, side: str | None) -> None:
        """Show what one side alone may see, or hide it again."""
        self.ask(lambda: self.mind.peek(side))

    def carry(self, unit: str, pose: Pose) -> None:
        """Move a tray of the practice table."""
        self.mind.lookout.carry(unit, pose)

    def recount(self) -> None:
        """The score by round, and a small map for it."""
        self.ask(self.mind.recount)

    def where(self, unit: str | None) -> Pose | None:
        """Where a tray of the practice table really stands now."""
        return self.mind.lookout.where(unit)

    def cover(self, covered: bool) -> None:
        """Cover the practice camera, or uncover it."""
        self.mind.lookout.cover(covered)

    def prefer(self, chosen: Preferences) -> None:
        """Keep the players' choices; answers are drawn anew."""
        before, self.mind.preferences = self.mind.preferences, chosen
        preferences.save(self.folder / "preferences.json", chosen)
        spoken = (before.language, before.units) != (chosen.language, chosen.units)
        if spoken:
            self.mind.retell()  # at once, for the screen that is built next; what is drawn follows
        if spoken or before.readings != chosen.readings:
            self.ask(self.mind.anew)

    def redraw(self) -> None:
        """The same in another language."""
        self.mind.retell()
        self.ask(self.mind.anew)

    def fit(self, screen: ScreenSize) -> None:
        """Draw for a screen of that size."""
        if screen != self._wanted:
            self._wanted = screen
            self.ask(lambda: self.mind.resize(screen))

    def saved(self) -> tuple[SavedGame, ...]:
        """The games of this device."""
        return saved_games(self.games_folder)

    def unit_at(self, point: Point) -> str | None:
        """The tray that a finger on that spot of the table means."""
        table = self.snapshot.table
        if table is None:
            return None
        near = [
            (away(point, corners(unit)), unit.id)
            for unit in table.units
            # Exactly measured is only whose middle lies near enough: a finger waits.
            if math.dist(point, (unit.pose.x, unit.pose.y))
            <= NEAR_IN + math.hypot(unit.tray.width, unit.tray.depth) / 2
        ]
        found = min(near, default=(math.inf, ""))
        return found[1] if found[0] <= NEAR_IN else None

    @property
    def ahead(self) -> int:
        """How many drawings are still to be made for taps that may come."""
        return self.mind.foresight.left

    def save_elsewhere(self) -> None:
        """Go on with the game in a new file."""
        self.ask(self.mind.save_elsewhere)

    def copy(self, path: Path, target: Path) -> bool:
        """Copy a game if it is being played; it waits, so it is not for the screen thread."""
        return bool(self.mind.worker.answer(lambda: self.mind.copy(path, target)))

    def settle(self, timeout_s: float = 20.0) -> bool:
        """Wait until nothing is left to do; for tests and scripts, never for the screen."""
        return self.mind.worker.settle(timeout_s)

    def close(self) -> None:
        """Put everything away."""
        self.ask(self.mind.leave)
        self.mind.worker.close()
        self.mind.foresight.close()


def away(point: Point, outline: Sequence[Point]) -> float:
    """How far a point lies outside a convex outline; 0 inside."""
    import shapely

    return float(shapely.Polygon(outline).distance(shapely.Point(point)))
