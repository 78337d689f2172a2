"""The controller of a game: runs commands, renders the overlays, publishes snapshots.

Everything here runs on the worker thread; the screen thread only reads `snapshot`.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from calibration.setup import Setup
from companion import games
from companion.app.engine import practice_game
from companion.app.engine.app_words import _
from companion.app.engine.board_camera import under_camera
from companion.app.engine.board_source import BoardSource
from companion.app.engine.camera_session import CameraSession
from companion.app.engine.cell_moves import cell_move, still_open
from companion.app.engine.draft_editor import DraftEditor
from companion.app.engine.figure_tags import (
    figure_setup,
    figure_tags,
    piece_sizes,
    tag_numbers,
)
from companion.app.engine.game_view import (
    GameView,
    piece_offers,
    private_view,
    public_view,
    recoloured,
    screen_of,
)
from companion.app.engine.move_notice import explained, still
from companion.app.engine.overlay_cache import OverlayCache, ScreenSize, badged_board_of
from companion.app.engine.practice_moves import carry_out
from companion.app.engine.practice_source import PracticeSource, practice_setup
from companion.app.engine.prefetcher import Prefetcher
from companion.app.engine.snapshot import DraftSnapshot, Notice, Snapshot, UnitAnswers
from companion.app.engine.worker import Worker
from companion.app.files import draft as drafts
from companion.app.files import preferences, seats
from companion.app.files.game_library import new_path
from companion.app.files.seats import Seats
from companion.app.render.vertex_batches import Triangulate, VertexBatches
from companion.games.api.offer import ActionOffer
from companion.games.api.play import Plain
from companion.games.api.prompt import Prompt
from companion.overlay.footprints import fitted, table_size
from companion.session.report.story import tell as story_of
from companion.session.session import Session
from companion.text.translation import tell, told
from companion.vision.sources.frame_sources import Source
from companion.vision.sources.safe_source import Opener
from companion.vision.track.table_tracker import TrayMoved
from models import Pose, Table
from models.any_table import AnyTable
from models.board_table import BoardTable
from models.cell import Cell

LITTLE_PX = 317.0
"""The longer side of the small map beside the score."""

PAINT_S = 0.08
"""How long the whole overlay waits at most for the screen to draw the quick version of it."""


class GameController:
    """Holds one open game at a time and publishes its state as `snapshot`."""

    def __init__(self, folder: Path, triangulate: Triangulate) -> None:
        self.games_folder = folder / "games"
        self.preferences = preferences.load(folder / "preferences.json")
        self.snapshot = Snapshot()
        self.practice_file = practice_game.TABLE
        self.foresees = True
        """Whether overlays of units that may be tapped next are prefetched in idle time."""
        self.lookout = CameraSession(lambda event: self.worker.ask(lambda: self.moved(event)))
        self.easel = OverlayCache(triangulate)
        self._little = OverlayCache(triangulate, badged_board_of)
        self._little.resize(ScreenSize(unit_px=0.62))
        self._session: Session | None = None
        self._report: object = None
        self._answers: Mapping[str, Any] = {}
        self._told = 0
        self._said: Mapping[str, Any] = {}
        """The state before translation."""
        self._seats = Seats()
        self.painted: threading.Event | None = None
        """Set by the screen when it has drawn the newest overlay; None if there is no screen."""
        self._carried = ""
        """The tray that was moved last."""
        self._carried_out: dict[str, Pose] = {}
        """Where trays of the practice table go by the rules, with nobody's finger on them."""
        self._declared: frozenset[str] = frozenset()
        """The words of the commands sent last: an action among them may be carried out now."""
        self.worker = Worker(self.idle, lambda error: self.tell(str(error), "", refused=True))
        self.foresight = Prefetcher(self.worker.quiet)
        self.drafting = DraftEditor(
            folder / "draft.json", triangulate, self.worker.ask, self.staged
        )
        self.worker.start()
        self.foresight.start()

    def idle(self) -> None:
        """Draw anew if the camera stands elsewhere, or if there was none when it was drawn."""
        camera, snapshot = self.lookout.live.camera, self.snapshot
        shown = "picture" in self.easel.screen.shows and snapshot.table is not None
        undrawn = shown and snapshot.picture is None and camera is not None
        if undrawn or self.easel.shifted(camera):
            self.show()

    def do(self, commands: Sequence[Plain]) -> None:
        """Send commands to the game in order, until one is refused, and publish the result."""
        session = self._session
        if session is None:
            return
        reminders: list[str] = []
        declined = self.declined(commands)
        said = frozenset(
            value for one in commands for value in one.values() if isinstance(value, str)
        )
        for command in commands:
            answer = session.answer(command)
            if not answer["ok"]:
                self.tell(answer["say"], answer["why"], refused=True)
                break
            reminders += told(answer.get("reminders", ()))
            self.follow_up(command)
        else:
            self.go_on(session, declined)
            if reminders:
                self.tell(" · ".join(reminders), "")
        turn = self.turn()
        self.refresh()
        # What a piece declared holds until another one acts.
        self._declared = self._declared | said if self.turn() == turn else said

    def turn(self) -> tuple[object, ...]:
        """Whose turn it is, and how many of the pieces have acted."""
        view = self.snapshot.view
        if view is None:
            return ()
        return self.snapshot.state.get("active"), self.snapshot.state.get("round")

    def declined(self, commands: Sequence[Plain]) -> frozenset[str] | None:
        """The choices beside the primary one, if it is the primary one that is sent now."""
        prompt = next(iter(self.snapshot.prompts), None)
        if prompt is None or prompt.rolled or prompt.dice is not None:
            return None
        sent = [dict(one) for one in commands]
        primary = any(
            one.look == "primary" and [dict(command) for command in one.commands] == sent
            for one in prompt.choices
        )
        return choices_beside(prompt) if primary else None

    def go_on(self, session: Session, declined: frozenset[str] | None) -> None:
        """Continue by itself where nobody has anything to decide.

        That is where dice lie that nobody may change, and where a prompt offers only what the
        players have just declined: the end of an attack and the end of the turn are one tap. It is
        a step of its own: Undo returns to it, and then the players may do something else.
        """
        here = session.history.now
        screen = screen_of(here.game) if here.play is not None else None
        if screen is None or session.history.undone is not None:
            return
        prompt = next(iter(screen.prompts(here.state)), None)
        if prompt is None or prompt.secret or prompt.dice is not None or prompt.page:
            return
        primary = [one for one in prompt.choices if one.look == "primary"]
        beside = choices_beside(prompt)
        idle = prompt.rolled and not beside
        again = declined is not None and beside <= declined and not prompt.pieces
        if len(primary) == 1 and (idle or again):
            for command in primary[0].commands:
                if not session.answer(command)["ok"]:
                    break

    def save_elsewhere(self) -> None:
        """Continue the game in a new file, after its file was deleted."""
        session = self._session
        if session is None:
            return
        path = new_path(self.games_folder, "practice" if self.snapshot.practice else "game")
        answer = session.answer({"do": "save", "file": str(path.absolute())})
        if not answer["ok"]:
            self.tell(answer["say"], answer["why"], refused=True)
            return
        seats.keep(path, self._seats)
        self.snapshot = replace(
            self.snapshot, number=self.snapshot.number + 1, path=str(session.log.path)
        )
        self.tell(_("The game goes on in {path}", path=path), "")

    def follow_up(self, command: Plain) -> None:
        """On the practice table, move trays as the command decided, or back after an undo."""
        table, source = self.snapshot.trays, self.lookout.rehearsal
        if table is None or source is None or self._session is None:
            return
        here = self._session.history.now
        if command["do"] in ("undo", "redo"):
            back = here.play.moment(here.state).table if here.play else None
            self.lookout.put_back(back if isinstance(back, Table) else None)
            return
        screen = screen_of(here.game)
        if screen is not None:
            report = games.find(table.game).report(table, self.readings())
            self._carried_out |= carry_out(source, table, screen, here, report)

    def choose(self, unit: str | None) -> None:
        """Select a unit, or clear the selection; its offers are computed afterwards."""
        self.snapshot = replace(
            self.snapshot,
            chosen=unit if self.known(unit) else None,
            thinking=True,
        )
        self.show()

    def known(self, unit: str | None) -> bool:
        """Whether there is such a piece, on the table or beside it."""
        table = self.snapshot.table
        return unit is not None and (
            (table is not None and unit in table) or self.snapshot.piece(unit) is not None
        )

    def practice(self, game: str = "") -> None:
        """Start a game on the practice table: the usual one, or the practice game of a game."""
        screen = screen_of(game) if game else None
        if screen is not None and (commands := screen.practice(game)):
            if self.begin(commands[0], "practice"):
                self.do(commands[1:])
            return
        table = Table.load(self.practice_file)
        self.begin(practice_game.set_up(table, self.readings_of(table.game)), "practice")
        self.do(practice_game.opening(table))

    def begin_own(self) -> None:
        """Start the drafted game; a real camera stays open, with its trays renamed to units."""
        armies = drafts.with_armies(self.drafting.draft.game)
        chosen = self.drafting.draft.camera
        practice = self.lookout.rehearsal is not None if armies else chosen == "practice"
        if practice or chosen != "camera":
            self.lookout.close()
        draft = drafts.staged(self.drafting.draft, None)
        command = drafts.set_up(draft, self.readings_of(draft.game))
        if not self.begin(command, "practice" if practice else "game", keep_eyes=True):
            return
        assert self._session is not None
        tags = dict(draft.tags) if draft.camera == "camera" else {}
        if draft.camera != "none" and not armies:
            tags = figure_tags(draft.tags, (one.id for one in self.snapshot.pieces))
        colours = {one.side: one.colour or n for n, one in enumerate(draft.seats, 1)}
        worn = colours if any(one.colour for one in draft.seats) else {}
        self._seats = Seats({one.side: one.language for one in draft.seats}, tags, worn)
        seats.keep(self._session.log.path, self._seats)
        if self.lookout.rehearsal is None and self.lookout.setup is not None:
            self.lookout.rename(self.named(self.lookout.setup))
        self.snapshot = replace(
            self.snapshot, number=self.snapshot.number + 1, languages=self._seats.languages
        )
        self.refresh()
        self.drafting.plan(replace(draft, step=0))
        if draft.minutes:
            self.do(({"do": "clock", "action": "set", "minutes": draft.minutes},))
        if draft.first and draft.table is not None:
            self.open(draft.table)

    def open(self, table: Table) -> None:
        """Advance to the first turn through the steps that ask the players nothing."""
        for what, verb in (("ready", "continue"), ("deploy", "deploy")):
            if (self.snapshot.pending or {}).get("what") == what:
                self.do(({"do": verb},))
        self.do(({"do": "table", "table": table.plain()},))

    def begin(self, command: Plain, stem: str, keep_eyes: bool = False) -> bool:
        """Start a game and return whether the set-up was accepted; if not, its file is deleted."""
        self.leave(keep_eyes)
        session = Session.open(new_path(self.games_folder, stem))
        answer = session.answer(command)
        if answer["ok"]:
            self.take(session)
            return True
        path = session.log.path
        session.close()
        path.unlink(missing_ok=True)
        self.tell(answer["say"], answer["why"], refused=True)
        return False

    def resume(self, path: Path) -> None:
        """Open a saved game."""
        self.leave()
        session = Session.open(path)
        self.take(session)
        if session.damage is not None:
            self.tell(session.damage.say(), "", refused=True)

    def take(self, session: Session) -> None:
        """Make this session the current game."""
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
        self.refresh()

    def leave(self, keep_eyes: bool = False) -> None:
        """Close the game, and the camera too unless it is still needed."""
        if not keep_eyes:
            self.lookout.close()
        if self._session is not None:
            self._session.close()
            self._session = None
        self.forget()
        self.easel.put_up(None, None)
        self._said = {}
        self.snapshot = Snapshot(self.snapshot.number + 1, told=self.snapshot.told)

    def copy(self, path: Path, target: Path) -> bool:
        """Copy the open game to `target` if it is the one at `path`."""
        session = self._session
        if session is None or session.log.path.resolve() != path.resolve():
            return False
        session.log.copy(target)
        return True

    def look_through(self, source: Source, setup: Setup) -> None:
        """Show the practice table or another source that is already open."""
        self.lookout.open(source, setup)

    def open_camera(self, open_it: Opener, setup: Setup) -> None:
        """Switch to a camera, opened on its own thread; in a game its trays are named as units."""
        if self._session is not None:
            setup = self.named(setup)
        self.lookout.open_camera(open_it, setup)

    def named(self, setup: Setup) -> Setup:
        """A camera's set-up with its trays named as the units or figures of the game."""
        game, tags = str(self.snapshot.state.get("game") or ""), self._seats.tags
        if not tags or drafts.with_armies(game):
            return self._seats.named(setup)
        return figure_setup(setup, tags, piece_sizes(game, self.snapshot.pieces))

    # -- trays that move --------------------------------------------------------------------

    def moved(self, event: TrayMoved) -> None:
        """Handle a tray or a piece that came to rest at another place."""
        if self.snapshot.gridded is not None:
            self.moved_piece(event.unit, event.end)
        else:
            self.explain(event.unit, event.end)

    def moved_piece(self, piece: str, end: Pose) -> None:
        """On a board: accept the move of the piece that acts, else ask the players about it."""
        table, session = self.snapshot.gridded, self._session
        if table is None or session is None or piece not in table:
            return
        here = session.history.now
        screen = screen_of(here.game)
        report = games.find(table.game).report(table, self.readings())
        offers = screen.offers(here.state, report, piece) if screen is not None else ()
        found = cell_move(self.snapshot, table, piece, end, offers)
        rest = tuple(one for one in self.snapshot.cell_moves if one.piece != piece)
        moves = rest if found is None else (*rest, found)
        self.snapshot = replace(self.snapshot, number=self.snapshot.number + 1, cell_moves=moves)
        view = self.snapshot.piece(piece)
        if found is not None and found.legal and view is not None and view.state == "acting":
            self.place_piece(piece, found.cells[0].cell)

    def place_piece(self, piece: str, cell: Cell | None) -> None:
        """The players say on which cell a piece stands; None: it is back where it was."""
        move = next((one for one in self.snapshot.cell_moves if one.piece == piece), None)
        table = self.snapshot.gridded
        if move is None or table is None:
            return
        rest = tuple(one for one in self.snapshot.cell_moves if one is not move)
        self.snapshot = replace(self.snapshot, number=self.snapshot.number + 1, cell_moves=rest)
        commands = next((one.commands for one in move.cells if one.cell == cell), ())
        if commands:
            self.do(commands)
            return
        if cell is not None and (piece not in table or table.piece(piece).cell != cell):
            self.tell(_("It may not stand there now. Put it back."), "", refused=True)
        source = self.lookout.rehearsal
        if isinstance(source, BoardSource):
            source.follow(table)

    def explain(self, unit: str, end: Pose) -> None:
        """Queue a notice that names the action that explains the move, or accept it."""
        table = self.snapshot.trays
        if table is None or unit not in table:
            return
        self._carried = unit
        notice = explained(table, unit, end, self.readings(), self.snapshot, self._declared)
        waiting = self.snapshot.notices
        if notice is None:
            queue = tuple(one for one in waiting if one.unit != unit)
        elif any(one.unit == unit for one in waiting):
            queue = tuple(notice if one.unit == unit else one for one in waiting)
        else:
            queue = (*waiting, notice)
        self.snapshot = replace(self.snapshot, number=self.snapshot.number + 1, notices=queue)
        own = self._carried_out.pop(unit, None)
        if notice is not None and (notice.declared & self._declared or (own and still(own, end))):
            self.accept(unit)

    def accept(self, unit: str = "") -> None:
        """Accept a move, the oldest if none is named: the game takes over the moved tray."""
        notice, table = self.notice(unit), self.snapshot.trays
        if notice is None or table is None:
            return
        self.drop(notice)
        if notice.unit in table:
            moved = table.moved(notice.unit, notice.where[1])
            self.do(({"do": "table", "table": moved.plain()},))
        self.explain_again()

    def correct(self, unit: str = "") -> None:
        """Reject a move, the oldest if none is named; on the practice table the tray goes back."""
        notice = self.notice(unit)
        if notice is not None:
            self.drop(notice)
            self.lookout.carry(notice.unit, notice.before)

    def notice(self, unit: str) -> Notice | None:
        """The move of a unit that waits for a decision; without a name the oldest."""
        return next((one for one in self.snapshot.notices if unit in ("", one.unit)), None)

    def drop(self, notice: Notice) -> None:
        """Take a move out of the queue."""
        rest = tuple(one for one in self.snapshot.notices if one is not notice)
        self.snapshot = replace(self.snapshot, number=self.snapshot.number + 1, notices=rest)

    def explain_again(self) -> None:
        """Judge the moves that wait anew, after the table or the language changed."""
        for notice in self.snapshot.notices:
            self.explain(*notice.where)

    def adopt(self) -> None:
        """Update the game's table from all positions that the camera sees.

        On a board each piece that stands elsewhere is asked about.
        """
        live = self.lookout.live
        if self.snapshot.gridded is not None and live.sight == "live":
            for one in live.standings:
                if one.condition not in ("hidden", "gone"):
                    self.moved_piece(one.unit, one.fit.pose)
            return
        seen = self.lookout.seen(self.snapshot.trays)
        if seen is None:
            self.tell(_("the camera does not see the table now"), "", refused=True)
        else:
            self.do(({"do": "table", "table": seen.plain()},))

    def recount(self) -> None:
        """Compute the score by round and a small map to go with it."""
        session, table = self._session, self.snapshot.table
        if session is None:
            return
        story = story_of(session.log.steps())
        scores = tuple(story.scores())
        board = None
        if table is not None:
            dark, size = self.preferences.colours != "light", max(table_size(table))
            self._little.resize(replace(self._little.screen, map_scale=LITTLE_PX / size, dark=dark))
            self._little.put_up(table, None)
            board = self._little.map(None)
        self.snapshot = replace(
            self.snapshot, number=self.snapshot.number + 1, scores=scores, board=board
        )

    def staged(self, staged: DraftSnapshot) -> None:
        """Publish the rendered table of the draft."""
        self.snapshot = replace(self.snapshot, number=self.snapshot.number + 1, staged=staged)

    def peek(self, side: str | None) -> None:
        """Publish what one seat alone may see, or hide it again."""
        session = self._session
        private = None
        if session is not None and side is not None:
            here = session.history.now
            screen = screen_of(here.game)
            private = private_view(screen, here.state, side) if screen is not None else None
        self.snapshot = replace(self.snapshot, number=self.snapshot.number + 1, private=private)

    # -- state and overlay --------------------------------------------------------------------

    def readings_of(self, game: str) -> tuple[str, ...]:
        """The players' readings of one game; those of other games do not concern it."""
        rules = drafts.rules_of(game)
        names = {one.name for one in rules.switches()} if rules is not None else set()
        chosen = self.preferences.readings
        return tuple(one for one in chosen if one.partition("=")[0] in names)

    def readings(self) -> Any:
        """The players' choice of readings, as the game's settings."""
        table = self.snapshot.table
        if table is None:
            return None
        return games.find(table.game).settings(self.readings_of(table.game))

    def tell(self, text: str, why: str, refused: bool = False) -> None:
        """Publish a message for the players."""
        self._told += 1
        heard = UnitAnswers(self._told, self.snapshot.spelled(tell(text)), why, refused)
        self.snapshot = replace(self.snapshot, number=self.snapshot.number + 1, told=heard)

    def refresh(self) -> None:
        """Publish the state after a command; redraw the overlay if the table changed."""
        session = self._session
        if session is None:
            return
        here = session.history.now
        shown = here.play.moment(here.state).table if here.play is not None else None
        table: AnyTable | None = shown if isinstance(shown, Table | BoardTable) else None
        if isinstance(table, Table) and not table.mode:
            table = replace(table, mode=str(session.state().get("mode") or ""))
        screen = screen_of(here.game) if here.play is not None else None
        view = public_view(screen, here) if screen is not None else None
        if view is not None:
            view = recoloured(view, self._seats.colours)
            self.easel.wear({one.id: one.colour for one in view.seats})
            self._little.wear(self.easel.colours)
        if isinstance(table, BoardTable):
            practice, room = self.snapshot.practice, self.easel.screen.map_px
            numbers = tag_numbers(self._seats.tags)
            table = under_camera(self.lookout, table, view, practice, room, numbers)
        chosen = self.chosen(table, view)
        self._said = session.state()
        self.snapshot = replace(
            self.snapshot,
            number=self.snapshot.number + 1,
            state=told(self._said),
            view=view,
            table=table,
            chosen=chosen,
            taken_s=time.monotonic(),
            cell_moves=(
                still_open(self.snapshot.cell_moves, table) if isinstance(table, BoardTable) else ()
            ),
        )
        if (
            self.snapshot.practice
            and self.lookout.eyes is None
            and isinstance(table, Table)
            and table.units
        ):
            setup = practice_setup(table)
            self.look_through(PracticeSource(table, setup), setup)
        self.show()

    def chosen(self, table: AnyTable | None, view: GameView | None) -> str | None:
        """The selected piece after a step: none if it is gone, or if another player is asked.

        On a board the piece that acts is selected, and while pieces are put on it, the next one.
        """
        before, chosen = self.snapshot.view, self.snapshot.chosen
        if isinstance(table, BoardTable) and view is not None:
            acting = [one.id for one in view.pieces if one.state == "acting"]
            asked = view.prompts[0].pieces if view.prompts else ()
            if len(acting) == 1:
                return acting[0]
            if asked and not any(one in table for one in asked):
                return chosen if chosen in asked else asked[0]
        if chosen is None or (before and view and before.active != view.active):
            return None
        pieces = {one.id for one in view.pieces if one.state != "lost"} if view else set()
        return chosen if chosen in pieces or (table is not None and chosen in table) else None

    def retell(self) -> None:
        """Translate the state again, without drawing anything."""
        self.snapshot = replace(self.snapshot, state=told(self._said))

    def forget(self) -> None:
        """Clear the overlay cache and cancel prefetching."""
        self.easel.forget()
        self.foresight.plan(())

    def resize(self, screen: ScreenSize) -> None:
        """Render for a screen of another size."""
        turned = self.easel.screen.map_px != screen.map_px
        self.easel.resize(screen)
        self.drafting.fit(screen)
        if turned and self.snapshot.gridded is not None and self.lookout.eyes is None:
            table = fitted(self.snapshot.gridded, screen.map_px)
            self.snapshot = replace(self.snapshot, table=table)
        self.show()

    def anew(self) -> None:
        """Translate and draw everything again: after another language or other readings."""
        self.forget()
        self.refresh()
        self.explain_again()

    def show(self) -> None:
        """Draw the overlay and compute the offers of the selected unit."""
        table, chosen, session = self.snapshot.table, self.snapshot.chosen, self._session
        if table is None or session is None:
            self.offer(None)
            return
        easel, readings = self.easel, self.readings()
        if isinstance(table, BoardTable):
            self.show_board(table, readings)
            return
        if chosen not in table:  # a piece beside the table has offers, but nothing to draw
            chosen = None
        easel.put_up(table, readings)
        # The player waits for the overlay, so it comes first, and before it a quick version of it.
        # The offers' buttons follow.
        if not easel.knows(chosen):
            quick = easel.sketch(chosen, self.lookout.live.camera)
            if self.painted is not None:
                self.painted.clear()
            self.lay_down(*quick)
            if self.painted is not None:  # the rest would only delay the frame that shows it
                self.painted.wait(PAINT_S)
        self.lay_down(*easel.drawn(chosen, self.lookout.live.camera))
        game = games.find(table.game)
        report = game.report(table, readings)
        if self._report is not report:
            self._report, self._answers = report, report.plain("", whole=False)["units"]
        self.snapshot = replace(self.snapshot, answers=self._answers)
        self.offer(report)
        likely = dict.fromkeys((*self.next(), None, *(one.id for one in table.units)))
        self.foresight.plan([partial(easel.foresee, unit) for unit in likely if self.foresees])

    def show_board(self, table: BoardTable, readings: Any) -> None:
        """Compute the offers, then draw the board.

        The cells of offers are drawn by the view; a piece that has none shows what the report says
        of it.
        """
        self.offer(games.find(table.game).report(table, readings))
        aimed = any(one.cells for one in self.snapshot.offers)
        chosen = self.snapshot.chosen
        shown = chosen if chosen in table and not aimed else None
        self.easel.put_up(table, readings)
        self.lay_down(*self.easel.drawn(shown, self.lookout.live.camera), thinking=False)

    def offer(self, report: Any) -> None:
        """Publish what the selected piece may do, or the best offers of all."""
        session, view = self._session, self.snapshot.view
        found: tuple[ActionOffer, ...] = ()
        if session is not None and view is not None:
            here = session.history.now
            screen = screen_of(here.game)
            if screen is not None:
                found = piece_offers(screen, here.state, report, self.snapshot.chosen)
        self.snapshot = replace(
            self.snapshot, number=self.snapshot.number + 1, offers=found, thinking=False
        )

    def lay_down(
        self, above: VertexBatches | None, seen: VertexBatches | None, thinking: bool = True
    ) -> None:
        """Publish this overlay; the offers follow later, unless they are there already."""
        self.snapshot = replace(
            self.snapshot,
            number=self.snapshot.number + 1,
            thinking=thinking,
            map=above,
            picture=seen,
        )

    def next(self) -> tuple[str, ...]:
        """Units that are likely to be tapped next: the one moved last, and those with a turn."""
        table, waiting = self.snapshot.table, self.snapshot.pending or {}
        asked = self.snapshot.prompts[0].pieces if self.snapshot.prompts else ()
        units = (self._carried, *asked, *((waiting.get("data") or {}).get("units") or ()))
        return tuple(unit for unit in units if table is not None and unit in table)


def choices_beside(prompt: Prompt) -> frozenset[str]:
    """What a prompt offers beside its primary button, except the quiet choices."""
    return frozenset(
        json.dumps([dict(command) for command in one.commands], sort_keys=True, default=str)
        for one in prompt.choices
        if one.look == "plain"
    )
