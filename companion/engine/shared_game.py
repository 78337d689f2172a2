"""The open game as viewers beside the tablet see it: what they send goes the tablet's way.

Everything here runs on the worker thread, so a viewer looks and acts there:

    game = controller.shared()
    blue = Client(game, "blue", "de")                          # once
    worker.promise(lambda: blue.act({"tap": "c1"}))           # a future of its next view
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.engine.move_queue import MoveQueue
from companion.engine.open_game import OpenGame
from companion.engine.posting import PostReply
from companion.engine.question_queue import QuestionQueue
from companion.engine.snapshot import Snapshot
from companion.engine.turn.handles import MoveTap
from companion.engine.turn.running_game import RunningGame
from companion.games.api.play import Plain, Refusal
from companion.session.authors import JointCommands
from companion.session.game_view import GameView, recoloured
from companion.session.session import Session


class Host(Protocol):
    """What a shared game asks of the controller of the open game."""

    game: OpenGame
    moves: MoveQueue
    questions: QuestionQueue

    def post(
        self,
        commands: Sequence[Plain],
        by: tuple[str, ...] = (),
        joins: bool = False,
        asks: str = "",
    ) -> PostReply:
        """Carry out commands."""
        ...

    def answer_proposal(self, proposal: JointCommands, agrees: bool) -> None:
        """Carry out what all agree to, or drop it."""
        ...


class SharedGame(RunningGame):
    """A running game whose commands the controller carries out, with what its camera saw."""

    def __init__(self, session: Session, host: Host) -> None:
        super().__init__(session, thinker=host.game.thinker)
        self.host = host

    @property
    def watched(self) -> Snapshot:
        """What the camera saw and nobody has decided."""
        return self.host.game.snapshot

    def view(self, seat: str | None) -> GameView:
        """What a seat sees, with the colours that the players chose."""
        return recoloured(super().view(seat), self.host.game.seats.colours)

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
        return self.host.post(commands, by, joins, asks)

    def decline(self, proposal: JointCommands) -> None:
        """Somebody does not agree to what the others propose."""
        self.host.answer_proposal(proposal, False)

    def decide(self, tap: MoveTap) -> Refusal | None:
        """What a viewer says of a move that the camera saw, or of what it asks."""
        match tap.says:
            case "keep":
                self.host.moves.accept(tap.about, tap.action, tap.commands)
            case "back":
                self.host.moves.correct(tap.about)
            case "place":
                self.host.moves.place_piece(tap.about, tap.cell, tap.end)
            case "correct":
                self.host.moves.correct_places((tap.about,))
            case "later":
                self.host.moves.later(tap.about)
            case "all":
                self.host.moves.decide_all(tap.about)
            case "no":
                self.host.questions.refuse(tap.about)
        return None
