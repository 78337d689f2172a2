"""The controller of a game: starts it, sends it commands, and publishes its state.

Everything here runs on the worker thread; the screen thread only reads `snapshot`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from calibration.board_place import BoardPlace
from calibration.setup import Setup
from companion.engine import posting
from companion.engine.app_words import _
from companion.engine.camera.camera_session import CameraSession
from companion.engine.camera.game_source import CardSource, card_source, under_camera
from companion.engine.camera.practice_source import PracticeSource, practice_setup
from companion.engine.drawing.game_overlay import GameOverlay
from companion.engine.drawing.overlay_cache import ScreenSize
from companion.engine.drawing.vertex_batches import Triangulate
from companion.engine.files import draft as drafts
from companion.engine.files.draft import Draft
from companion.engine.files.draft_editor import DraftEditor
from companion.engine.files.game_library import Seats
from companion.engine.move_queue import MoveQueue
from companion.engine.moves.cell_moves import still_open
from companion.engine.moves.recorded_move import agreed_note
from companion.engine.open_game import OpenGame
from companion.engine.posting import PostReply
from companion.engine.question_queue import QuestionQueue
from companion.engine.rival_turn import RivalThinker, advice_for, coach_prompts, with_rival
from companion.engine.shared_game import SharedGame
from companion.engine.snapshot import CellMove, Snapshot
from companion.engine.tag_assignment import (
    clip_setup,
    figure_setup,
    figure_tags,
    piece_sizes,
    tag_numbers,
)
from companion.engine.threads import Worker
from companion.engine.turn.automatic_step import take_automatic_step
from companion.engine.turn.selection import in_turn_still, selected_after
from companion.games.api.play import Plain, Refusal
from companion.session.authors import JointCommands, takes_back
from companion.session.game_lookup import find_screen
from companion.session.game_view import public_view, recoloured
from companion.vision.sources.safe_source import Opener
from models import Table
from models.board_table import BoardTable
from models.catalogue import Catalogue
from models.field import load_json
from models.message import joined, say
from models.table import AnyTable

NOT_OPEN = Refusal("SET-UP", say("no game is open"))


class GameController:
    """Runs the open game: `game` is its state, `moves` its moved trays, `overlay` its drawing."""

    def __init__(self, folder: Path, triangulate: Triangulate) -> None:
        self.practice_file: Path | None = None
        """A table to practise on instead of the usual one."""
        self.game = OpenGame(folder)
        self.game.thinker = RivalThinker(lambda: self.worker.ask(self.refresh))
        self._shared: SharedGame | None = None
        self.camera_session = CameraSession(
            lambda event: self.worker.ask(lambda: self.moves.handle_move(event))
        )
        self.moves = MoveQueue(self.game, self.camera_session, self.do)
        self.questions = QuestionQueue(self.game, self.camera_session)
        self.worker = Worker(
            self.idle, lambda error: self.game.notify(str(error), "", refused=True)
        )
        self.overlay = GameOverlay(self.game, self.camera_session, triangulate)
        self.drafting = DraftEditor(
            folder / "draft.json",
            triangulate,
            self.worker.ask,
            lambda staged: self.game.publish(staged=staged),
        )
        self.worker.start()

    @property
    def snapshot(self) -> Snapshot:
        """The newest state that the screens show."""
        return self.game.snapshot

    def idle(self) -> None:
        """Keep the overlay where the camera sees the table, and ask about tagged cards."""
        self.overlay.idle()
        self.questions.idle()
        self.moves.look_at_acting()
        self.moves.compare()
        board = self.snapshot.gridded
        question = self.camera_session.board_question(board.board) if board is not None else ""
        if question != self.snapshot.board_question:
            self.game.publish(board_question=question)

    # -- commands ---------------------------------------------------------------------------

    def do(self, commands: Sequence[Plain], joins: bool = False) -> None:
        """Send commands of the shared screen: a refusal is shown there.

        What `joins` the newest step is undone with it.
        """
        refusal = self.post(commands, joins=joins).refusal
        if refusal is not None:
            self.game.notify(refusal.say, refusal.why, refused=True)

    def post(
        self,
        commands: Sequence[Plain],
        by: tuple[str, ...] = (),
        joins: bool = False,
        asks: str = "",
    ) -> PostReply:
        """Send commands to the game in order, until one is refused, and publish the result.

        `by` is the seat whose screen sends them; none is the shared screen.
        """
        session = self.game.session
        if session is None:
            return PostReply(0, NOT_OPEN)
        if takes_back(commands) and commands[0]["do"] == "undo" and self.questions.take_back():
            return PostReply(session.history.seq)  # the newest answer was none of the game
        reply = posting.post(session, commands, by, self.moves.move_trays, joins, asks)
        if reply.done:
            for command in take_automatic_step(session, by):
                self.moves.move_trays(command)
            back = any(one.get("do") in ("undo", "redo") for one in commands)
            if reply.reminders or back:  # what was told of the step is told no longer
                self.game.notify(joined(reply.reminders, " · "), "")
        if reply.waits_for or not reply.accepted:
            self.game.publish(proposals=session.agreements.waiting(session.history))
            return reply
        self.refresh()
        if asks:
            self.moves.explain_again()  # one of those that wait may be the one agreed to
        return reply

    def answer_proposal(self, proposal: JointCommands, agrees: bool) -> None:
        """Carry out what a player proposes and all agree to, or drop it."""
        session = self.game.session
        if session is None:
            return
        if not agrees:
            session.agreements.decline(proposal)
            self.game.publish(proposals=session.agreements.waiting(session.history))
            return
        reply = self.post(proposal.commands, joins=proposal.joins, asks=proposal.asks)
        if reply.done and not takes_back(proposal.commands):
            self.do((agreed_note(proposal.asks, _),), joins=True)

    def advise(self, seat: str) -> None:
        """Show what a seat could do best; "" puts that away."""
        here, view = self.game.here, self.snapshot.view
        if here is not None and view is not None:
            self.game.publish(advice=coach_prompts(view, here, seat))

    def shared(self) -> SharedGame | None:
        """The open game for viewers beside the tablet; None if none is open."""
        session = self.game.session
        if session is None:
            return None
        if self._shared is None or self._shared.session is not session:
            self._shared = SharedGame(session, self)
        return self._shared

    def choose(self, unit: str | None, by_itself: bool = False) -> None:
        """Select a unit, or clear the selection; its offers are computed afterwards.

        `by_itself`: its tray was taken up, nobody has asked about it.
        """
        chosen = unit if self.game.known(unit) else None
        advice = advice_for(self.game.snapshot.advice, chosen)
        at = self.snapshot.view.decided if self.snapshot.view is not None else -1
        self.game.publish(
            chosen=chosen, chosen_at=at, by_itself=by_itself, thinking=True, advice=advice
        )
        self.overlay.show()

    # -- starting and leaving games ---------------------------------------------------------

    def start_practice(self, game: str = "", alone: bool = False) -> None:
        """Start the practice game of a game; of the usual one if none is named. For a player who
        is alone the app takes the last seat."""
        file = None if game else self.practice_file
        if file is not None:
            game = load_json(file).member("game").choice(Catalogue.games())
        game = game or Draft.fresh().game
        set_up, *opening = find_screen(game).practice(game, file)
        if alone:
            set_up = drafts.against_rival(set_up, Draft.fresh(game).alone())
        readings = self.game.chosen_readings(game)
        if self.begin({**set_up, "readings": list(readings)} if readings else set_up, "practice"):
            self.do(opening, joins=True)

    def begin_own(self, agreed: str = "") -> None:
        """Start the drafted game; a real camera stays open, with its trays renamed to units."""
        armies = drafts.with_armies(self.drafting.draft.game)
        chosen = self.drafting.draft.camera
        practice = (
            self.camera_session.practice_source is not None if armies else chosen == "practice"
        )
        if practice or chosen != "camera":
            self.camera_session.close()
        draft = drafts.staged(self.drafting.draft, None)
        command = drafts.set_up(draft, self.game.chosen_readings(draft.game))
        command |= drafts.rivals(draft)
        if not self.begin(command, "practice" if practice else "game", keep_camera=True):
            return
        self.game.seat(self.seats_of(draft, armies))
        if self.camera_session.practice_source is None and self.camera_session.setup is not None:
            self.camera_session.rename(self.named(self.camera_session.setup))
        self.refresh()
        self.drafting.plan(replace(draft, step=0))
        if draft.minutes:
            self.do(({"do": "clock", "action": "set", "minutes": draft.minutes},))
        if draft.first and draft.table is not None:
            self.open(draft.table)
        if agreed:
            self.do((agreed_note(agreed, _),), joins=True)

    def seats_of(self, draft: Draft, armies: bool) -> Seats:
        """The players' languages and colours, and the trays under the camera by piece."""
        tags = dict(draft.tags) if draft.camera == "camera" else {}
        if draft.camera != "none" and not armies:
            tags = figure_tags(draft.tags, (one.id for one in self.snapshot.pieces))
        colours: dict[str, int] = {}
        languages: dict[str, str] = {}
        for number, one in enumerate(draft.seats, 1):  # a team has its first player's
            colours.setdefault(draft.plays_for(one) if armies else one.side, one.colour or number)
            languages.setdefault(draft.plays_for(one) if armies else one.side, one.language)
        worn = colours if any(one.colour for one in draft.seats) else {}
        return Seats(languages, tags, worn)

    def open(self, table: Table) -> None:
        """Advance to the first turn through the steps that ask the players nothing."""
        if (self.snapshot.pending or {}).get("what") == "ready":
            self.do(({"do": "deploy"}, {"do": "continue"}), joins=True)
        self.do(({"do": "table", "table": table.to_json()},), joins=True)

    def begin(self, command: Plain, stem: str, keep_camera: bool = False) -> bool:
        """Leave the game and start another; whether its set-up was accepted."""
        self.leave(keep_camera)
        begun = self.game.start(command, stem)
        if begun:
            self.refresh()
        return begun

    def resume(self, path: Path) -> None:
        """Open a saved game."""
        self.leave()
        self.game.load(path)
        self.refresh()
        damage = self.game.session.damage if self.game.session is not None else None
        if damage is not None:
            self.game.notify(damage.say(), "", refused=True)

    def leave(self, keep_camera: bool = False) -> None:
        """Close the game, and the camera too unless it is still needed."""
        if not keep_camera:
            self.camera_session.close()
        self.overlay.clear()
        self.game.close()

    def open_camera(self, open_it: Opener, setup: Setup) -> None:
        """Switch to a camera, opened on its own thread; in a game its trays are named as units."""
        if self.game.session is not None:
            setup = self.named(setup)
        self.camera_session.open_camera(open_it, setup)
        self.refresh()

    def close_camera(self) -> None:
        """Go on without a camera."""
        self.camera_session.close()
        self.refresh()

    def place_board(self, place: BoardPlace) -> None:
        """The players have shown where the board lies: its pieces are seen there from now on."""
        setup = self.camera_session.setup
        if setup is not None:
            self.camera_session.rename(setup.with_board(place))
            self.game.publish(cell_moves=(), board_question="")
            self.refresh()

    def leave_board(self) -> None:
        """The players answer the question about the board later."""
        self.camera_session.leave_board(self.snapshot.board_question)
        self.game.publish(board_question="")

    def named(self, setup: Setup) -> Setup:
        """A camera's set-up with its trays named as the units or figures of the game."""
        game, seats = self.snapshot.game, self.game.seats
        if not self.snapshot.tabled:
            return clip_setup(setup)
        if not seats.tags or drafts.with_armies(game):
            return seats.named(setup)
        return figure_setup(setup, seats.tags, piece_sizes(game, self.snapshot.pieces))

    # -- what is shown ----------------------------------------------------------------------

    def refresh(self) -> None:
        """Publish the state after a command; redraw the overlay if the table changed."""
        session = self.game.session
        if session is None:
            return
        here = session.history.now
        shown = here.play.moment(here.state).table if here.play is not None else None
        table: AnyTable | None = shown if isinstance(shown, Table | BoardTable) else None
        state = session.state()
        if isinstance(table, Table) and not table.mode:
            table = replace(table, mode=str(state.get("mode") or ""))
        screen = self.game.screen
        view = public_view(screen, here) if screen is not None else None
        if view is not None:
            view = with_rival(recoloured(view, self.game.seats.colours), here, self.game.thinker)
            self.overlay.wear({one.id: one.colour for one in view.seats})
        moves: tuple[CellMove, ...] = ()
        unplaced, before, told_turn = False, self.snapshot.view, 0.0
        if isinstance(table, BoardTable):
            told_turn = table.board.turn
            practice, room = self.snapshot.practice, self.overlay.cache.screen.map_px
            numbers = tag_numbers(self.game.seats.tags)
            table = under_camera(self.camera_session, table, view, practice, room, numbers)
            unplaced = self.camera_session.unplaced(table.board)
            moves = () if unplaced else still_open(self.snapshot.cell_moves, table)
        earlier = self.snapshot.chosen
        chosen = selected_after(self.snapshot.view, earlier, table, view)
        self.game.publish(
            state=state,
            view=view,
            table=table,
            offers=self.snapshot.offers if table is None else in_turn_still(self.snapshot, view),
            chosen=chosen,
            by_itself=self.snapshot.by_itself or chosen != earlier,
            taken_s=time.monotonic(),
            cell_moves=moves,
            unplaced=unplaced,
            told_turn=told_turn,
            camera_questions=(),
            left_question="",
            advice=(),
            proposals=(),
        )
        self.lay_cards()
        blind = self.camera_session.camera_worker is None
        if self.snapshot.practice and blind and isinstance(table, Table) and table.units:
            setup = practice_setup(table)
            self.camera_session.open(PracticeSource(table, setup), setup)
        self.overlay.show()
        if table is not None and not blind:
            self.worker.ask(self.moves.judge_again)
        if isinstance(table, BoardTable) and not blind:
            self.worker.ask(lambda: self.moves.compare_acting(before))

    # -- the practice table of a card game ----------------------------------------------------

    def watch_cards(self) -> None:
        """Open the practice camera over the cards in play."""
        source = card_source()
        self.camera_session.open(source, source.setup)
        self.lay_cards()

    def lay_cards(self) -> None:
        """Lay the cards on the practice table as the game has them."""
        source, here, screen = self.cards_source, self.game.here, self.game.screen
        if source is not None and here is not None and screen is not None:
            source.follow(screen.piece_places(here.state, source.size))

    def turn_card(self, piece: str) -> None:
        """Turn a card on the practice table by hand: the camera sees it, the game does not know."""
        if self.cards_source is not None:
            self.cards_source.turn(piece)

    @property
    def cards_source(self) -> CardSource | None:
        """The practice table of cards, if it is the open source."""
        source = self.camera_session.practice_source
        return source if isinstance(source, CardSource) else None

    def resize(self, screen: ScreenSize) -> None:
        """Render for a screen of another size."""
        self.drafting.fit(screen)
        other = self.overlay.cache.screen.map_px != screen.map_px
        self.overlay.resize(screen)
        if other and self.snapshot.practice and self.snapshot.gridded is not None:
            self.refresh()  # the practice board lies so that it fills the room

    def anew(self) -> None:
        """Translate and draw everything again: after another language or other readings."""
        self.overlay.cache.forget()
        self.refresh()
        self.moves.explain_again()
