"""The desk at which a game is kept: session, table and camera behind two workers, free of kivy.

The screen thread only looks at `live` (the newest frame) and `snapshot` (the newest state of the
game) and leaves jobs; it never waits for them.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from calibration.setup import Setup
from calibration.table_pose import TablePose
from companion import games, summary
from companion.app import first_game, preferences
from companion.app.eyes import Eyes
from companion.app.ink import map_ink, picture_ink
from companion.app.library import Saved, new_path, saved_games
from companion.app.offers import offers
from companion.app.preferences import Preferences
from companion.app.rehearsal import Rehearsal, practice_setup
from companion.app.sheaf import Sheaf, Triangulate, sheaf
from companion.app.snapshot import Live, Notice, Snapshot, Told
from companion.app.words import _
from companion.games.face import OddsQuestion
from companion.overlay.placing import PointPx
from companion.overlay.shape import Point, Scene
from companion.session.play import Plain
from companion.session.session import Session
from companion.vision.following import Moved
from companion.vision.look import seen_table
from companion.vision.sources import Source
from companion.words import tell, told
from models import CompanionError, Pose, Table
from models.footprint import corners

Job = Callable[[], object]

TICK_S = 0.15
"""So often an idle worker looks whether the camera stands elsewhere."""
SHIFTED_PX = 0.7
"""The overlay is drawn anew when it would lie farther off than this."""
NEAR_IN = 0.8
"""A finger this far beside a tray still means it."""


@dataclass(frozen=True, slots=True)
class Screen:
    """How large things are shown: the map's pixels per inch, the picture's size, the lettering.

    `shows` says which of the two are on the screen: the other is not drawn.
    """

    map_scale: float = 12.0
    picture_px: tuple[float, float] = (960.0, 540.0)
    unit_px: float = 1.0
    shows: tuple[str, ...] = ("map", "picture")


class Desk:
    """One device's games: what it is asked it does in its own time, one thing after the other."""

    def __init__(self, folder: Path, triangulate: Triangulate) -> None:
        self.folder = folder
        self.preferences = preferences.load(folder / "preferences.json")
        self.snapshot = Snapshot()
        self.practice_file = first_game.TABLE
        self.foresees = True
        """Whether idle time is spent on drawing what may be tapped next."""
        self.eyes: Eyes | None = None
        self.setup: Setup | None = None
        self._triangulate = triangulate
        self._session: Session | None = None
        self._screen = Screen()
        self._scenes: dict[str | None, Scene] = {}
        self._maps: dict[str | None, Sheaf] = {}
        self._pictures: dict[str | None, Sheaf] = {}
        self._camera: TablePose | None = None
        self._report: object = None
        self._answers: Mapping[str, Any] = {}
        self._ahead: list[Job] = []
        self._told = 0
        self._said: Mapping[str, Any] = {}
        """The state before it was told in the players' language."""
        self._listed: Mapping[str, Any] = {}
        """The game's commands, likewise."""
        self._jobs: deque[Job] = deque()
        self._wake = threading.Condition()
        self._busy = False
        self._over = False
        self._thread = threading.Thread(target=self._run, name="mind", daemon=True)
        self._thread.start()

    # -- the screen thread's side -----------------------------------------------------------

    @property
    def live(self) -> Live:
        """The newest frame."""
        return self.eyes.live if self.eyes is not None else Live()

    @property
    def games_folder(self) -> Path:
        """Where games lie."""
        return self.folder / "games"

    def ask(self, job: Job) -> None:
        """Leave a job for the worker."""
        with self._wake:
            self._jobs.append(job)
            self._wake.notify()

    def do(self, *commands: Plain) -> None:
        """Give the game commands; those after a refused one are not given."""
        self.ask(lambda: self._do(commands))

    def choose(self, unit: str | None) -> None:
        """Tap a unit, or the bare table."""
        self.ask(lambda: self._choose(unit))

    def foreseen(self, unit: str | None) -> tuple[Sheaf | None, Sheaf | None]:
        """A unit's answers on the map and on the picture, as far as they were drawn ahead."""
        return self._maps.get(unit), self._pictures.get(unit)

    def practice(self) -> None:
        """Begin a game on the practice table."""
        self.ask(self._practice)

    def begin(self, command: Plain, table: Table | None = None) -> None:
        """Begin a game of one's own."""
        self.ask(lambda: self._begin(command, table))

    def resume(self, path: Path) -> None:
        """Go on with a kept game."""
        self.ask(lambda: self._resume(path))

    def leave(self) -> None:
        """Put the game away; it is kept to the last tap."""
        self.ask(self._leave)

    def look_through(self, source: Source, setup: Setup) -> None:
        """See the table through another source."""
        self.ask(lambda: self._look_through(source, setup))

    def accept(self) -> None:
        """Take over the table with the moved tray."""
        self.ask(self._accept)

    def correct(self) -> None:
        """The moved tray goes back: the table stays as it was."""
        self.ask(self._correct)

    def adopt(self) -> None:
        """Take every position as the camera sees it now."""
        self.ask(self._adopt)

    def peek(self, side: str | None) -> None:
        """Show what one side alone may see, or hide it again."""
        self.ask(lambda: self._peek(side))

    def carry(self, unit: str, pose: Pose) -> None:
        """Move a tray of the practice table."""
        source = self.eyes.source if self.eyes is not None else None
        if isinstance(source, Rehearsal):
            source.move(unit, pose)

    def where(self, unit: str | None) -> Pose | None:
        """Where a tray of the practice table really stands now."""
        source = self.eyes.source if self.eyes is not None else None
        if not isinstance(source, Rehearsal) or unit not in source.table:
            return None
        return source.table.unit(str(unit)).pose

    def cover(self, covered: bool) -> None:
        """Cover the practice camera, or uncover it."""
        source = self.eyes.source if self.eyes is not None else None
        if isinstance(source, Rehearsal):
            source.cover(covered)

    def prefer(self, chosen: Preferences) -> None:
        """Keep the players' choices; answers are drawn anew."""
        before, self.preferences = self.preferences, chosen
        preferences.save(self.folder / "preferences.json", chosen)
        if before.language != chosen.language:
            # At once, for the screen that is built next; what is drawn follows.
            self.snapshot = replace(
                self.snapshot, state=told(self._said), commands=told(self._listed)
            )
        if (before.language, before.readings) != (chosen.language, chosen.readings):
            self.ask(self._anew)

    def fit(self, screen: Screen) -> None:
        """Draw for a screen of that size."""
        before, self._screen = self._screen, screen
        if replace(before, shows=screen.shows) != screen:
            self.ask(self._resized)
        elif before.shows != screen.shows:
            self.ask(self._show)

    def saved(self) -> tuple[Saved, ...]:
        """The games of this device."""
        return saved_games(self.games_folder)

    def unit_at(self, point: Point) -> str | None:
        """The tray that a finger on that spot of the table means."""
        table = self.snapshot.table
        if table is None:
            return None
        near = [(away(point, corners(unit)), unit.id) for unit in table.units]
        found = min(near, default=(math.inf, ""))
        return found[1] if found[0] <= NEAR_IN else None

    def settle(self, timeout_s: float = 20.0) -> bool:
        """Wait until nothing is left to do; for tests and scripts, never for the screen."""
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            with self._wake:
                if not self._jobs and not self._busy:
                    return True
            time.sleep(0.01)
        return False

    def close(self) -> None:
        """Put everything away."""
        self.ask(self._leave)
        self.ask(self._end)
        self._thread.join(timeout=10)

    # -- the worker -------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._over:
            with self._wake:
                if not self._jobs and not self._ahead:
                    self._wake.wait(TICK_S)
                job = self._jobs.popleft() if self._jobs else None
                self._busy = job is not None
            try:
                if job is not None:
                    job()
                else:
                    self._idle()
            except CompanionError as error:
                self._tell(str(error), "", refused=True)
            finally:
                self._busy = False

    def _end(self) -> None:
        self._over = True

    def _idle(self) -> None:
        """Draw anew if the camera stands elsewhere; else draw ahead what may be tapped next."""
        if shifted(self._camera, self.live.camera, self.snapshot.table):
            self._show()
        elif self._ahead:
            self._ahead.pop(0)()

    def _do(self, commands: Sequence[Plain]) -> None:
        session = self._session
        if session is None:
            return
        reminders: list[str] = []
        for command in commands:
            answer = session.answer(command)
            if not answer["ok"]:
                self._tell(answer["say"], answer["why"], refused=True)
                break
            reminders += told(answer.get("reminders", ()))
            self._follow_up(command, answer["state"])
        else:
            if reminders:
                self._tell(" · ".join(reminders), "")
        self._refresh()

    def _follow_up(self, command: Plain, state: Mapping[str, Any]) -> None:
        """On the practice table nobody has hands: a charge that arrived is carried over."""
        table, source = self.snapshot.table, self.eyes.source if self.eyes is not None else None
        if table is None or not isinstance(source, Rehearsal):
            return
        if command["do"] in ("undo", "redo"):
            self._rehang(source)
        for unit in table.units:
            if state["units"].get(unit.id, {}).get("place") == "destroyed":
                source.remove(unit.id)
        if command["do"] == "action" and command.get("action") == "charge":
            mover = str((state.get("attack") or {}).get("attacker") or "")
            charges = self.snapshot.answers.get(mover, {}).get("charges", {})
            places = charges.get(command["target"], {}).get("align")
            if places:
                spot = places[0]
                source.move(mover, Pose(spot["x"], spot["y"], spot["heading"]))

    def _rehang(self, source: Rehearsal) -> None:
        assert self._session is not None
        here = self._session.history.now
        table = here.play.moment(here.state).table if here.play is not None else None
        if table is not None:
            source.show(table)
            if self.eyes is not None:
                self.eyes.forget()

    def _choose(self, unit: str | None) -> None:
        table = self.snapshot.table
        self.snapshot = replace(
            self.snapshot, chosen=unit if table is not None and unit in table else None
        )
        self._show()

    def _practice(self) -> None:
        table = Table.load(self.practice_file)
        self._begin(first_game.set_up(table, self.preferences.readings), table, "practice")
        self._do(first_game.opening(table))

    def _begin(self, command: Plain, table: Table | None, stem: str = "game") -> None:
        self._leave()
        session = Session.open(new_path(self.games_folder, stem))
        answer = session.answer(command)
        if not answer["ok"]:
            path = session.log.path
            session.close()
            path.unlink(missing_ok=True)
            self._tell(answer["say"], answer["why"], refused=True)
            return
        self._take(session)

    def _resume(self, path: Path) -> None:
        self._leave()
        self._take(Session.open(path))

    def _take(self, session: Session) -> None:
        self._session = session
        practice = session.log.path.stem.startswith("practice")
        self.snapshot = Snapshot(
            self.snapshot.number + 1,
            str(session.log.path),
            practice,
            told=self.snapshot.told,
        )
        self._refresh()

    def _leave(self) -> None:
        if self.eyes is not None:
            self.eyes.close()
            self.eyes = None
        if self._session is not None:
            self._session.close()
            self._session = None
        self._forget()
        self.snapshot = Snapshot(self.snapshot.number + 1, told=self.snapshot.told)

    def _look_through(self, source: Source, setup: Setup) -> None:
        if self.eyes is not None:
            self.eyes.close()
        self.setup = setup
        self.eyes = Eyes(source, setup, lambda event: self.ask(lambda: self._moved(event)))
        self.eyes.open()

    # -- trays that move --------------------------------------------------------------------

    def _moved(self, event: Moved) -> None:
        """A tray settled elsewhere: say what explains it."""
        table = self.snapshot.table
        if table is None or event.unit not in table:
            return
        before = table.unit(event.unit).pose
        far = math.hypot(event.end.x - before.x, event.end.y - before.y)
        turned = abs((event.end.heading - before.heading + 180) % 360 - 180)
        after = table.moved(event.unit, event.end)
        if far < 0.1 and turned < 1.0:
            self.snapshot = replace(self.snapshot, number=self.snapshot.number + 1, notice=None)
            return
        game = games.find(table.game)
        try:
            found = game.check(table, after, event.unit, self._readings())
        except CompanionError as error:
            self._tell(str(error), "", refused=True)
            return
        length = self.preferences.length(far)
        title = _("{unit} moved {length}", unit=event.unit, length=length)
        legal = [name for name, answer in found.items() if answer["answer"] != "no"]
        if legal:
            detail = ", ".join(
                _(name) + (f" ({_('too close to call')})" if doubtful(found[name]) else "")
                for name in legal
            )
        else:
            name, answer = min(found.items(), key=lambda item: item[1].get("over") or math.inf)
            over = answer.get("over") or 0.0
            missed = _("{length} too far", length=self.preferences.length(over)) if over else ""
            detail = " · ".join(
                part for part in (_(name), missed, ", ".join(answer["why"])) if part
            )
        notice = Notice(event.unit, title, detail, bool(legal), before, after)
        self.snapshot = replace(self.snapshot, number=self.snapshot.number + 1, notice=notice)

    def _accept(self) -> None:
        notice = self.snapshot.notice
        if notice is not None:
            self.snapshot = replace(self.snapshot, notice=None)
            self._do(({"do": "table", "table": notice.table.plain()},))

    def _correct(self) -> None:
        notice = self.snapshot.notice
        if notice is not None:
            self.snapshot = replace(self.snapshot, number=self.snapshot.number + 1, notice=None)
            self.carry(notice.unit, notice.before)

    def _adopt(self) -> None:
        table, live = self.snapshot.table, self.live
        if self.setup is None or live.sight != "live":
            self._tell(_("the camera does not see the table now"), "", refused=True)
            return
        fits = [one.fit for one in live.standings]
        seen = seen_table(fits, self.setup, table)
        self._do(({"do": "table", "table": seen.plain()},))

    def _peek(self, side: str | None) -> None:
        session = self._session
        hidden = told(session.state(side)) if session is not None and side is not None else {}
        self.snapshot = replace(self.snapshot, number=self.snapshot.number + 1, hidden=hidden)

    # -- answers ----------------------------------------------------------------------------

    def _readings(self) -> Any:
        table = self.snapshot.table
        return None if table is None else games.find(table.game).settings(self.preferences.readings)

    def _tell(self, text: str, why: str, refused: bool = False) -> None:
        self._told += 1
        heard = Told(self._told, tell(text), why, refused)
        self.snapshot = replace(self.snapshot, number=self.snapshot.number + 1, told=heard)

    def _refresh(self) -> None:
        """The state after a command; answers anew where the table changed."""
        session = self._session
        if session is None:
            return
        here = session.history.now
        table = here.play.moment(here.state).table if here.play is not None else None
        if table is not None and not table.mode:
            table = replace(table, mode=str(session.state().get("mode") or ""))
        if table != self.snapshot.table:
            self._forget()
        chosen = self.snapshot.chosen
        if table is None or chosen not in table:
            chosen = None
        self._said, self._listed = session.state(), self._commands(session)
        self.snapshot = replace(
            self.snapshot,
            number=self.snapshot.number + 1,
            state=told(self._said),
            table=table,
            chosen=chosen,
            commands=told(self._listed),
            expected=expected_of(self._said),
        )
        if self.snapshot.practice and self.eyes is None and table is not None and table.units:
            setup = practice_setup(table)
            self._look_through(Rehearsal(table, setup), setup)
        self._show()

    def _commands(self, session: Session) -> Mapping[str, Mapping[str, Any]]:
        """What may be asked of the game, looked up once."""
        if self._listed:
            return self._listed
        listed = session.answer({"do": "help"}).get("commands", ())
        return {one["do"]: one for one in listed}

    def _forget(self) -> None:
        """Nothing drawn holds any more."""
        self._scenes, self._maps, self._pictures, self._ahead = {}, {}, {}, []

    def _resized(self) -> None:
        """The same shapes, drawn for another screen."""
        self._maps, self._pictures = {}, {}
        self._show()

    def _anew(self) -> None:
        """Everything said and drawn once more: another language, other readings."""
        self._forget()
        self._refresh()

    def _show(self) -> None:
        """Pictures and offers for what is chosen."""
        table, chosen, session = self.snapshot.table, self.snapshot.chosen, self._session
        if table is None or session is None:
            self.snapshot = replace(self.snapshot, number=self.snapshot.number + 1)
            return
        # The overlay first: it is what the finger waits for. Buttons follow.
        above, seen = self._drawn(chosen)
        self.snapshot = replace(
            self.snapshot,
            number=self.snapshot.number + 1,
            offers=(),
            thinking=True,
            map=above,
            picture=seen,
        )
        game = games.find(table.game)
        report = game.report(table, self._readings())
        if self._report is not report:
            self._report, self._answers = report, report.plain("")["units"]
        found = (
            offers(session, game, report, self._answers, self.snapshot.state, chosen)
            if chosen
            else ()
        )
        self.snapshot = replace(
            self.snapshot,
            number=self.snapshot.number + 1,
            answers=self._answers,
            offers=found,
            thinking=False,
        )
        # In small steps, so that a tap in between does not wait long.
        self._ahead = [
            partial(step, unit)
            for unit in (None, *self._next(), *(one.id for one in table.units))
            for step in (self._scene, self._drawn)
            if self.foresees
        ]

    def _next(self) -> tuple[str, ...]:
        """The units whose turn it may be: they are tapped first."""
        table, waiting = self.snapshot.table, self.snapshot.pending or {}
        units = (waiting.get("data") or {}).get("units") or ()
        return tuple(unit for unit in units if table is not None and unit in table)

    def _drawn(self, unit: str | None) -> tuple[Sheaf | None, Sheaf | None]:
        """A unit's answers on the map and on the picture, where the screen shows them."""
        shows = self._screen.shows
        return (
            self._map(unit) if "map" in shows else None,
            self._picture(unit) if "picture" in shows else None,
        )

    def _scene(self, unit: str | None) -> Scene:
        """The answers of a unit as shapes, kept until the table changes."""
        table = self.snapshot.table
        assert table is not None
        if unit not in self._scenes:
            self._scenes[unit] = games.find(table.game).scene(table, unit, self._readings())
        return self._scenes[unit]

    def _map(self, unit: str | None) -> Sheaf:
        """Those shapes from above, kept until the screen changes."""
        if unit not in self._maps:
            scene, screen = self._scene(unit), self._screen
            size = (scene.width_in * screen.map_scale, scene.depth_in * screen.map_scale)
            marks = map_ink(scene, screen.map_scale, screen.unit_px)
            self._maps[unit] = sheaf(marks, size, self._triangulate)
        return self._maps[unit]

    def _picture(self, unit: str | None) -> Sheaf | None:
        """Those shapes on the live picture, kept until the camera moves."""
        camera = self.live.camera
        if camera is None:
            return None
        if shifted(self._camera, camera, self.snapshot.table):
            self._camera, self._pictures = camera, {}
        if unit not in self._pictures:
            screen = self._screen
            assert self._camera is not None
            to_pixels = projector(self._camera, screen.picture_px)
            marks = picture_ink(self._scene(unit), screen.picture_px, to_pixels, screen.unit_px)
            self._pictures[unit] = sheaf(marks, screen.picture_px, self._triangulate)
        return self._pictures[unit]


def expected_of(state: Mapping[str, Any]) -> str:
    """What the running attack does on average, from the numbers the game gives."""
    attack = state.get("attack")
    target = state.get("units", {}).get((attack or {}).get("defender"))
    if not attack or not target or target["morale"] is None or not attack["dice"]:
        return ""
    question = OddsQuestion(
        hit=attack["hit"],
        dice=attack["dice"],
        defense=target["defense"],
        morale=target["morale"],
        zone=attack["zone"],
        charge=bool(attack["charge_bonus"]),
        abilities=tuple(attack["abilities"]),
        models=target["wounds_left"] or None,
    )
    try:
        return summary.wounds(games.find(state["game"]).odds(state["game"], question))
    except CompanionError:
        return ""  # an ability that only the cards know


def doubtful(answer: Mapping[str, Any]) -> bool:
    """Whether measuring cannot tell."""
    return bool(answer["answer"] == "unsure")


def projector(
    camera: TablePose, shown_px: tuple[float, float]
) -> Callable[[Sequence[Point]], list[PointPx]]:
    """From inches of the table to the pixels of the picture as large as it is shown."""
    width, height = camera.lens.size
    scale = np.array([shown_px[0] / width, shown_px[1] / height])

    def to_pixels(points: Sequence[Point]) -> list[PointPx]:
        level = np.column_stack([np.asarray(points, dtype=float), np.zeros(len(points))])
        pixels = (camera.pixels(level) + 0.5) * scale
        return [(float(x), float(y)) for x, y in pixels]

    return to_pixels


def shifted(before: TablePose | None, now: TablePose | None, table: Table | None) -> bool:
    """Whether the overlay of one camera would lie elsewhere under the other."""
    if now is None or table is None or before is now:
        return False
    if before is None:
        return True
    rim = np.array(
        [(x, y, 0.0) for x in (0.0, table.width / 2, table.width) for y in (0.0, table.depth)]
    )
    return bool(np.abs(before.pixels(rim) - now.pixels(rim)).max() > SHIFTED_PX)


def away(point: Point, outline: Sequence[Point]) -> float:
    """How far a point lies outside a convex outline; 0 inside."""
    import shapely

    return float(shapely.Polygon(outline).distance(shapely.Point(point)))
