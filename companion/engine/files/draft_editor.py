"""The controller of a new game's set-up: the draft, its rendered and validated table, and what
players call the things on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.references.table_pose import TablePose
from calibration.setup import Setup
from companion import games
from companion.engine.app_words import _, ruler
from companion.engine.camera.practice_source import PracticeSource, practice_setup
from companion.engine.drawing.overlay_cache import OverlayCache, ScreenSize, board_of
from companion.engine.drawing.vertex_batches import Triangulate
from companion.engine.files import draft as drafts
from companion.engine.files.draft import Draft
from companion.engine.moves.move_verdict import reasons
from companion.engine.snapshot import CameraView, DraftSnapshot
from companion.engine.threads import Job
from companion.session.game_lookup import find_screen
from companion.text.verdicts import numbered
from models import Pose, Table, Unit


def unit_names(units: Iterable[Unit]) -> dict[str, str]:
    """The names of units by id, numbered where several share one."""
    return numbered({unit.id: _(unit.name) for unit in units})


def names_on(table: Table) -> dict[str, str]:
    """The names of units, terrain and objectives by id."""
    found = unit_names(table.units)
    found |= numbered({one.id: spoken(one.piece or _("terrain")) for one in table.terrain})
    found |= {
        token.id: _("Objective {number}", number=number)
        for number, token in enumerate(table.tokens, 1)
    }
    return found


def briefly_named(table: Table) -> Table:
    """The table with the names that its units have on the map in the game, twins with numbers."""
    screen, names = find_screen(table.game), numbered({one.id: one.name for one in table.units})
    units = (replace(one, name=screen.short_name(names[one.id])) for one in table.units)
    return replace(table, units=tuple(units))


@dataclass(frozen=True, slots=True)
class PlaceVerdict:
    """Whether a thing may lie where it does, yes, no or unsure: in words, and the rules against
    it."""

    answer: str
    text: str
    rules: tuple[str, ...] = ()


def place_verdict(staged: DraftSnapshot | None, kind: str, name: str) -> PlaceVerdict:
    """The verdict on the place of a thing; what nobody has judged yet is allowed."""
    found = staged.placed.get(kind, {}).get(name, {}) if staged is not None else {}
    answer, margin = found.get("answer", "yes"), found.get("margin")
    if staged is None or answer == "yes":
        return PlaceVerdict("yes", _("legal here"))
    text = _("too close to call")
    if answer == "no":
        why = _(reasons(found["why"], games.find(staged.table.game).reason))
        text = f"{_('not allowed here')}: {why}" if why else _("not allowed here")
    if margin is not None and margin < 0:
        text += " · " + _("{length} off", length=ruler().length(-margin))
    return PlaceVerdict(answer, text, tuple(found.get("why", ())))


def misplaced(staged: DraftSnapshot | None, kind: str) -> list[str]:
    """The things of a kind whose place is not allowed."""
    answers = staged.placed.get(kind, {}) if staged is not None else {}
    return [name for name, one in answers.items() if one["answer"] == "no"]


def spoken(name: str) -> str:
    """The name of a kind of terrain for players."""
    return _(name.replace("-", " ").capitalize())


class DraftEditor:
    """Edits the draft; rendering is queued with `ask`, and the result is passed to `show`."""

    def __init__(
        self,
        path: Path,
        triangulate: Triangulate,
        ask: Callable[[Job], None],
        show: Callable[[DraftSnapshot], None],
    ) -> None:
        self.path = path
        self.draft = drafts.load(path)
        self._overlay_cache = OverlayCache(triangulate, board_of)
        self._ask, self._show = ask, show
        self._newest = 0
        self._saved = self.draft

    def plan(self, draft: Draft) -> None:
        """Save the draft."""
        self.draft = draft
        self._ask(self._save)

    def stage(
        self,
        readings: tuple[str, ...],
        camera: Callable[[], TablePose | None],
        only: str | None = None,
    ) -> None:
        """Queue rendering and validating the table; of several requests only the last is done."""
        self._newest += 1
        number = self._newest
        self._ask(lambda: self._stage(number, readings, camera(), only))

    def fit(self, screen: ScreenSize) -> None:
        """Render for a screen of this size."""
        self._overlay_cache.resize(screen)

    def practice_source(self) -> tuple[PracticeSource, Setup]:
        """A practice camera over the draft's table, with trays named after their tag numbers."""
        draft = drafts.staged(self.draft)
        assert draft.table is not None
        setup = practice_setup(draft.table)
        trays = tuple(
            replace(one, unit=tray_name(one.tags[0].id)) for one in setup.trays if one.tags
        )
        return PracticeSource(draft.table, setup), replace(setup, trays=trays)

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
        self._overlay_cache.set_table(briefly_named(table), settings)
        found = stage.placed(table, draft.defends, settings)
        picture = self._overlay_cache.picture(only, camera)
        self._show(DraftSnapshot(table, self._overlay_cache.map(only), picture, found))
        self._save()


def tray_name(tag: int) -> str:
    """The name of a tray that is not yet assigned to a unit."""
    return f"#{tag}"


def trays_seen(live: CameraView, setup: Setup | None) -> tuple[tuple[str, str], ...]:
    """The trays the camera sees now, in the order of their tags: name and kind."""
    seen = poses_seen(live)
    return tuple((tray, kind) for tray, kind in trays_of(setup) if tray in seen)


def trays_of(setup: Setup | None) -> tuple[tuple[str, str], ...]:
    """Every tray of a set-up, in the order of their tags: name and kind."""
    trays = () if setup is None else setup.trays
    listed = sorted(trays, key=lambda one: min((tag.id for tag in one.tags), default=0))
    return tuple((one.unit, one.tray.name) for one in listed)


def poses_seen(live: CameraView) -> dict[str, Pose]:
    """The pose of each tray that the camera sees."""
    return {
        one.unit: one.fit.pose for one in live.standings if one.condition not in ("hidden", "gone")
    }
