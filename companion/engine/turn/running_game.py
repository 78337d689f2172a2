"""A running game that several viewers look at and act in: one session, views by seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.engine import posting
from companion.engine.moves.tray_places import certain_ends
from companion.engine.posting import PostReply
from companion.engine.rival_turn import RivalThinker, with_rival
from companion.engine.snapshot import Snapshot
from companion.engine.turn.automatic_step import take_automatic_step
from companion.engine.turn.handles import MoveTap
from companion.games.api.game_screen import GameScreen
from companion.games.api.play import Plain, Refusal
from companion.games.api.prompt import ActionOffer
from companion.session.authors import JointCommands
from companion.session.fold import Position
from companion.session.game_view import (
    GameView,
    piece_offers,
    public_view,
    report_of,
    screen_of,
    seat_view,
    settings_of,
)
from companion.session.session import Session
from models import CompanionError, Table
from models.board_table import BoardTable
from models.message import say
from models.table import AnyTable

NOT_SET_UP = Refusal("SET-UP", say("no game is set up yet, so nothing is shown"))


class RunningGame:
    """The newest position of a session with what its screen shows, computed once for a step."""

    def __init__(
        self,
        session: Session,
        moves_trays: bool = False,
        thinker: RivalThinker | None = None,
    ) -> None:
        self.session = session
        self.thinker = thinker or RivalThinker()
        self.moves_trays = moves_trays
        """Whether trays go by themselves where the rules alone say so, as on a practice table."""
        self.begun: dict[str, tuple[Position, str]] = {}
        """What seats have announced and roll for now, by the position at which they did."""
        self._position: Position | None = None
        self._views: dict[str | None, GameView] = {}
        self._offers: dict[str | None, tuple[ActionOffer, ...]] = {}
        self._table: AnyTable | None = None
        self._report: tuple[AnyTable | None, Any] = (None, None)

    @property
    def here(self) -> Position:
        """The newest position; what was computed for an older one is dropped."""
        now = self.session.history.now
        if now is not self._position:
            self._position, self._views, self._offers, self._table = now, {}, {}, None
        return now

    @property
    def screen(self) -> GameScreen | None:
        """The screen of the game; None before it is set up."""
        return screen_of(self.here.game) if self.here.play is not None else None

    @property
    def table(self) -> AnyTable | None:
        """The newest table, of trays or of cells."""
        here = self.here
        if self._table is None and here.play is not None:
            table = here.play.moment(here.state).table
            self._table = table if isinstance(table, Table | BoardTable) else None
        return self._table

    def view(self, seat: str | None) -> GameView:
        """What a seat sees; None: what everybody sees."""
        here, screen = self.here, self.screen
        if screen is None:
            return GameView()
        if None not in self._views:
            self._views[None] = public_view(screen, here)
        if seat not in self._views:
            self._views[seat] = seat_view(screen, here.state, self._views[None], seat)
        return with_rival(self._views[seat], here, self.thinker)

    def offers(self, piece: str | None) -> tuple[ActionOffer, ...]:
        """What a piece may do, or the best of the active seats."""
        here, screen = self.here, self.screen
        if screen is None or self.view(None).rival:
            return ()
        if piece not in self._offers:
            self._offers[piece] = piece_offers(screen, here, self.report(), piece)
        return self._offers[piece]

    def entry(self, table: Table, piece: str) -> Plain | None:
        """Whether a piece that comes in may stand where a table shows it."""
        screen = self.screen
        return screen.entry_verdict(self.here.state, table, piece) if screen is not None else None

    def gain(self, table: Table, piece: str) -> str:
        """What a piece has from standing where a table shows it."""
        screen = self.screen
        return screen.gain(self.here.state, table, piece) if screen is not None else ""

    def report(self) -> Any:
        """What the rules say about the newest table."""
        table = self.table
        if self._report[0] != table:
            self._report = table, report_of(self.here)
        return self._report[1]

    def readings(self) -> Any:
        """The readings that the game was set up with, as its settings."""
        return settings_of(self.here)

    @property
    def watched(self) -> Snapshot:
        """What a camera saw and nobody has decided."""
        return Snapshot()

    def decide(self, tap: MoveTap) -> Refusal | None:
        """What a viewer says of a move that a camera saw, or of what it asks."""
        return None

    # -- commands ------------------------------------------------------------------------------

    def post(
        self,
        commands: Sequence[Plain],
        by: tuple[str, ...] = (),
        joins: bool = False,
        asks: str = "",
    ) -> PostReply:
        """Send commands in order, all or none of them; `by` is the seat that sends them."""
        if len(commands) > 1 and (refusal := self.tried(commands)) is not None:
            return PostReply(self.session.history.seq, refusal)
        reply = posting.post(self.session, commands, by, self.move_trays, joins, asks)
        again = all(command.get("do") not in ("undo", "redo", "table") for command in commands)
        if reply.done and again:
            for command in take_automatic_step(self.session, by):
                self.move_trays(command)
        return reply

    def decline(self, proposal: JointCommands) -> None:
        """Somebody does not agree to what the others propose."""
        self.session.agreements.decline(proposal)

    def tried(self, commands: Sequence[Plain]) -> Refusal | None:
        """The refusal that one of the commands would meet after those before it."""
        play, state = self.here.play, self.here.state
        if play is None:
            return NOT_SET_UP
        for command in commands:
            try:
                decision = play.decide(state, command)
            except CompanionError as error:
                return Refusal("INPUT", str(error))
            if isinstance(decision, Refusal):
                return decision
            for event in decision.events:
                state = play.apply(state, event)
        return None

    def move_trays(self, command: Plain) -> None:
        """Put trays where a command moves them by the rules alone."""
        table, screen = self.table, self.screen
        undone = command.get("do") in ("undo", "redo")
        if not self.moves_trays or undone or screen is None or not isinstance(table, Table):
            return
        for end in certain_ends(screen.due_moves(self.here.state)):
            self.session.answer(end.command(table), follows=True, joins=True)
