"""The desk at which a game is kept: session, table and camera behind one worker, free of kivy.

The screen thread only looks at `live` (the newest frame) and `snapshot` (the newest state of the
game) and leaves jobs; it never waits for them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from calibration.setup import Setup
from companion import games
from companion.app import draft as drafts
from companion.app import first_game, preferences, seats
from companion.app.drafting import Drafting
from companion.app.easel import Easel, Screen, board_of
from companion.app.expected import expected_of
from companion.app.eyes import Eyes
from companion.app.guide import guide, may_play
from companion.app.hands import carry_out
from companion.app.library import Saved, new_path, saved_games
from companion.app.moved import explained
from companion.app.offers import offers
from companion.app.preferences import Preferences
from companion.app.rehearsal import Rehearsal, practice_setup
from companion.app.seats import Seats
from companion.app.sheaf import Sheaf, Triangulate
from companion.app.snapshot import Live, Snapshot, Staged, Told
from companion.app.words import _
from companion.app.worker import Job, Worker
from companion.overlay.shape import Point
from companion.session import story
from companion.session.play import Plain
from companion.session.session import Session
from companion.vision.following import Moved
from companion.vision.look import seen_table
from companion.vision.sources import Source
from companion.words import tell, told
from models import Pose, Table
from models.footprint import corners

NEAR_IN = 0.8
"""A finger this far beside a tray still means it."""


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
        self._session: Session | None = None
        self._easel = Easel(triangulate)
        self._wanted = self._easel.screen
        self._little = Easel(triangulate, board_of)
        self._little.resize(Screen(6.6, unit_px=0.62))
        self.drafting = Drafting(folder / "draft.json", triangulate, self.ask, self._staged)
        self._report: object = None
        self._answers: Mapping[str, Any] = {}
        self._told = 0
        self._said: Mapping[str, Any] = {}
        """The state before it was told in the players' language."""
        self._listed: Mapping[str, Any] = {}
        """The game's commands, likewise."""
        self._seats = Seats()
        self._worker = Worker(self._idle, lambda error: self._tell(str(error), "", refused=True))

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
        self._worker.ask(job)

    def do(self, *commands: Plain) -> None:
        """Give the game commands; those after a refused one are not given."""
        self.ask(lambda: self._do(commands))

    def choose(self, unit: str | None) -> None:
        """Tap a unit, or the bare table."""
        self.ask(lambda: self._choose(unit))

    def foreseen(self, unit: str | None) -> tuple[Sheaf | None, Sheaf | None]:
        """A unit's answers on the map and on the picture, as far as they were drawn ahead."""
        return self._easel.foreseen(unit)

    def practice(self) -> None:
        """Begin a game on the practice table."""
        self.ask(self._practice)

    def stage(self, only: str | None = None) -> None:
        """Draw and judge the table of the game that is being set up."""
        self.drafting.stage(self.preferences.readings, lambda: self.live.camera, only)

    def rehearse(self) -> None:
        """See that table through the practice camera."""
        self.ask(lambda: self._look_through(*self.drafting.rehearsal()))

    def close_eyes(self) -> None:
        """Look through no camera any more."""
        self.ask(self._close_eyes)

    def begin(self) -> None:
        """Begin the game that was set up."""
        self.ask(self._begin_own)

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

    def recount(self) -> None:
        """The score by round, and a small map for it."""
        self.ask(self._recount)

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

    def redraw(self) -> None:
        """The same in another language."""
        self.ask(self._anew)

    def fit(self, screen: Screen) -> None:
        """Draw for a screen of that size."""
        if screen != self._wanted:
            self._wanted = screen
            self.ask(lambda: self._resize(screen))

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

    @property
    def ahead(self) -> int:
        """How many drawings are still to be made for taps that may come."""
        return len(self._worker.ahead)

    def settle(self, timeout_s: float = 20.0) -> bool:
        """Wait until nothing is left to do; for tests and scripts, never for the screen."""
        return self._worker.settle(timeout_s)

    @property
    def worker(self) -> Worker:
        """Who does what is asked of the desk."""
        return self._worker

    def close(self) -> None:
        """Put everything away."""
        self.ask(self._leave)
        self._worker.close()

    # -- the worker -------------------------------------------------------------------------

    def _idle(self) -> None:
        """Draw anew if the camera stands elsewhere; else draw ahead what may be tapped next."""
        if self._easel.shifted(self.live.camera):
            self._show()
        elif self._worker.ahead:
            self._worker.ahead.pop(0)()

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
            reminders += self._now_move(commands)
            if reminders:
                self._tell(" · ".join(reminders), "")
        self._refresh()

    def _now_move(self, commands: Sequence[Plain]) -> list[str]:
        """A move was chosen: the tray has to go somewhere."""
        acting = (self.snapshot.state.get("acting") or {}).get("unit")
        unit = next((one["unit"] for one in commands if one["do"] == "activate"), acting)
        moves = self.snapshot.answers.get(str(unit), {}).get("moves", {})
        return [
            _("Now move {unit} on the table.", unit=unit)
            for one in commands
            if one["do"] == "action" and one.get("action") in moves
        ]

    def _follow_up(self, command: Plain, state: Mapping[str, Any]) -> None:
        table, source = self.snapshot.table, self.eyes.source if self.eyes is not None else None
        if table is None or not isinstance(source, Rehearsal):
            return
        if command["do"] in ("undo", "redo"):
            self._rehang(source)
        carry_out(source, table, command, state, self.snapshot.answers)

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
        self._close_eyes()
        self._begin(first_game.set_up(table, self.preferences.readings), "practice")
        self._do(first_game.opening(table))

    def _begin_own(self) -> None:
        """The drafted game; a real camera goes on looking, its trays now named as units."""
        source = self.eyes.source if self.eyes is not None else None
        practice = isinstance(source, Rehearsal)
        if practice or self.drafting.draft.camera != "camera":
            self._close_eyes()
        draft = drafts.staged(self.drafting.draft, None)
        eyes, self.eyes = self.eyes, None
        begun = self._begin(
            drafts.set_up(draft, self.preferences.readings), "practice" if practice else "game"
        )
        self.eyes = self.eyes or eyes
        if not begun or self._session is None:
            return
        tags = dict(draft.tags) if eyes is not None else {}
        self._seats = Seats({one.side: one.language for one in draft.seats}, tags)
        seats.keep(self._session.log.path, self._seats)
        if eyes is not None and self.setup is not None:
            self.setup = eyes.setup = self._seats.named(self.setup)
            eyes.forget()
        self.snapshot = replace(
            self.snapshot, number=self.snapshot.number + 1, languages=self._seats.languages
        )
        self.drafting.plan(replace(draft, step=0))
        if draft.minutes:
            self._do(({"do": "clock", "action": "set", "minutes": draft.minutes},))
        if draft.first and draft.table is not None:
            self._open(draft.table)

    def _open(self, table: Table) -> None:
        """To the first turn, as far as nobody is asked anything."""
        for what, verb in (("ready", "continue"), ("deploy", "deploy")):
            if (self.snapshot.pending or {}).get("what") == what:
                self._do(({"do": verb},))
        self._do(({"do": "table", "table": table.plain()},))

    def _begin(self, command: Plain, stem: str) -> bool:
        """Whether the game was set up; if not, the sentence says why and nothing is left of it."""
        self._leave()
        session = Session.open(new_path(self.games_folder, stem))
        answer = session.answer(command)
        if answer["ok"]:
            self._take(session)
            return True
        path = session.log.path
        session.close()
        path.unlink(missing_ok=True)
        self._tell(answer["say"], answer["why"], refused=True)
        return False

    def _resume(self, path: Path) -> None:
        self._leave()
        self._take(Session.open(path))

    def _take(self, session: Session) -> None:
        self._session = session
        self._seats = seats.load(session.log.path)
        practice = session.log.path.stem.startswith("practice")
        self.snapshot = Snapshot(
            self.snapshot.number + 1,
            str(session.log.path),
            practice,
            told=self.snapshot.told,
            languages=self._seats.languages,
        )
        self._refresh()

    def _close_eyes(self) -> None:
        if self.eyes is not None:
            self.eyes.close()
            self.eyes = None

    def _leave(self) -> None:
        self._close_eyes()
        if self._session is not None:
            self._session.close()
            self._session = None
        self._forget()
        self._easel.put_up(None, None)
        self.snapshot = Snapshot(self.snapshot.number + 1, told=self.snapshot.told)

    def _look_through(self, source: Source, setup: Setup) -> None:
        self._close_eyes()
        if self._session is not None and not isinstance(source, Rehearsal):
            setup = self._seats.named(setup)
        self.setup = setup
        self.eyes = Eyes(source, setup, lambda event: self.ask(lambda: self._moved(event)))
        self.eyes.open()

    # -- trays that move --------------------------------------------------------------------

    def _moved(self, event: Moved) -> None:
        """A tray settled elsewhere: say what explains it."""
        table = self.snapshot.table
        if table is None or event.unit not in table:
            return
        notice = explained(table, event, self.preferences, self._readings())
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

    def _recount(self) -> None:
        session, table = self._session, self.snapshot.table
        if session is None:
            return
        scores = tuple(story.tell(session.log.steps()).scores())
        board = None
        if table is not None:
            self._little.put_up(table, None)
            board = self._little.map(None)
        self.snapshot = replace(
            self.snapshot, number=self.snapshot.number + 1, scores=scores, board=board
        )

    def _staged(self, staged: Staged) -> None:
        self.snapshot = replace(self.snapshot, number=self.snapshot.number + 1, staged=staged)

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
        chosen = self.snapshot.chosen
        if table is None or chosen not in table:
            chosen = None
        self._said, self._listed = session.state(), self._commands(session)
        self.snapshot = replace(
            self.snapshot,
            number=self.snapshot.number + 1,
            state=(state := told(self._said)),
            table=table,
            chosen=chosen,
            commands=(commands := told(self._listed)),
            expected=expected_of(self._said),
            taken_s=time.monotonic(),
            guide=guide(session, state, commands),
            may_play=may_play(session),
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
        self._easel.forget()
        self._worker.ahead = []

    def _resize(self, screen: Screen) -> None:
        self._easel.resize(screen)
        self.drafting.fit(screen)
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
        easel, readings = self._easel, self._readings()
        easel.put_up(table, readings)
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
        report = game.report(table, readings)
        if self._report is not report:
            self._report, self._answers = report, report.plain("", whole=False)["units"]
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
        self._worker.ahead = [
            partial(step, unit)
            for unit in (None, *self._next(), *(one.id for one in table.units))
            for step in (easel.scene, self._drawn)
            if self.foresees
        ]

    def _next(self) -> tuple[str, ...]:
        """The units whose turn it may be: they are tapped first."""
        table, waiting = self.snapshot.table, self.snapshot.pending or {}
        units = (waiting.get("data") or {}).get("units") or ()
        return tuple(unit for unit in units if table is not None and unit in table)

    def _drawn(self, unit: str | None) -> tuple[Sheaf | None, Sheaf | None]:
        return self._easel.drawn(unit, self.live.camera)


def away(point: Point, outline: Sequence[Point]) -> float:
    """How far a point lies outside a convex outline; 0 inside."""
    import shapely

    return float(shapely.Polygon(outline).distance(shapely.Point(point)))
