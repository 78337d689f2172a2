"""Where a new game is set up: the draft, its table drawn and judged, the camera's trays named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from calibration.setup import Setup
from calibration.table_pose import TablePose
from companion import games
from companion.app import draft as drafts
from companion.app.draft import Draft
from companion.app.easel import Easel, Screen, board_of
from companion.app.rehearsal import Rehearsal, practice_setup
from companion.app.sheaf import Triangulate
from companion.app.snapshot import Live, Staged
from companion.app.worker import Job
from models import Pose


class Drafting:
    """Jobs go to the desk's worker; what they make is handed to `show`."""

    def __init__(
        self,
        path: Path,
        triangulate: Triangulate,
        ask: Callable[[Job], None],
        show: Callable[[Staged], None],
    ) -> None:
        self.path = path
        self.draft = drafts.load(path)
        self._easel = Easel(triangulate, board_of)
        self._ask, self._show = ask, show
        self._newest = 0
        self._saved = self.draft

    def plan(self, draft: Draft) -> None:
        """Keep what was chosen so far."""
        self.draft = draft
        self._ask(self._save)

    def stage(
        self,
        readings: tuple[str, ...],
        camera: Callable[[], TablePose | None],
        only: str | None = None,
    ) -> None:
        """Draw and judge the table; of several wishes the last counts."""
        self._newest += 1
        number = self._newest
        self._ask(lambda: self._stage(number, readings, camera(), only))

    def fit(self, screen: Screen) -> None:
        """Draw for a screen of that size."""
        self._easel.resize(screen)

    def rehearsal(self) -> tuple[Rehearsal, Setup]:
        """The practice camera over the drafted table; trays go by their tags' numbers."""
        draft = drafts.staged(self.draft)
        assert draft.table is not None
        setup = practice_setup(draft.table)
        trays = tuple(
            replace(one, unit=tray_name(one.tags[0].id)) for one in setup.trays if one.tags
        )
        return Rehearsal(draft.table, setup), replace(setup, trays=trays)

    def _save(self) -> None:
        if self.draft is not self._saved:
            self._saved = self.draft
            drafts.save(self.path, self.draft)

    def _stage(
        self,
        number: int,
        readings: tuple[str, ...],
        camera: TablePose | None,
        only: str | None,
    ) -> None:
        if number != self._newest:
            return
        asked = self.draft
        settings = games.find(asked.game).settings(readings)
        draft = drafts.staged(asked, settings)
        table, stage = draft.table, draft.stage
        if table is None or stage is None:
            return
        if self.draft is asked:
            self.draft = draft
        self._easel.put_up(table, settings)
        found = stage.placed(table, draft.defends, settings)
        picture = self._easel.picture(only, camera)
        self._show(Staged(table, self._easel.map(only), picture, found))
        self._save()


def tray_name(tag: int) -> str:
    """What a tray is called before it is a unit."""
    return f"#{tag}"


def trays_seen(live: Live, setup: Setup | None) -> tuple[tuple[str, str], ...]:
    """The trays the camera sees now, in the order of their tags: name and kind."""
    if setup is None:
        return ()
    seen = {one.unit for one in live.standings if one.condition not in ("hidden", "gone")}
    listed = sorted(setup.trays, key=lambda one: min((tag.id for tag in one.tags), default=0))
    return tuple((one.unit, one.tray.name) for one in listed if one.unit in seen)


def poses_seen(live: Live) -> dict[str, Pose]:
    """Where the camera sees each tray."""
    return {
        one.unit: one.fit.pose for one in live.standings if one.condition not in ("hidden", "gone")
    }
