"""Where the game is that screens look at: behind one thread, which alone touches it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Protocol, TypeVar

from companion.engine.files.game_library import load_seats
from companion.engine.posting import PostReply
from companion.engine.threads import Worker
from companion.engine.turn.running_game import RunningGame
from companion.games.api.play import Plain
from companion.session.authors import JointCommands
from companion.session.session import Session

T = TypeVar("T")
Changed = Callable[[], object]
OPEN_S = 60.0


class GameHost(Protocol):
    """A running game and its thread."""

    @property
    def path(self) -> Path:
        """The game's file."""

    @property
    def colours(self) -> Mapping[str, int]:
        """The colours that the players chose for their seats."""

    def call(self, job: Callable[[RunningGame], T]) -> Future[T]:
        """Do something with the game, on its thread."""

    @property
    def throw(self) -> dict[str, Any] | None:
        """What a camera reads of the dice that a prompt waits for, if one watches them."""

    def live_picture(self) -> bytes | None:
        """The newest picture of a camera over the table as a small JPEG; None if none runs."""

    @property
    def watched(self) -> bool:
        """Whether a camera over the table runs."""

    def subscribe(self, changed: Changed) -> Changed:
        """Call `changed`, on any thread, whenever a screen may show something else; the answer ends
        that."""


class ServedGame(RunningGame):
    """A running game that says when somebody has posted something."""

    def __init__(self, session: Session, changed: Changed, moves_trays: bool) -> None:
        super().__init__(session, moves_trays)
        self._changed = changed

    def post(
        self,
        commands: Sequence[Plain],
        by: tuple[str, ...] = (),
        joins: bool = False,
        asks: str = "",
    ) -> PostReply:
        """Send commands; the others see what became of them."""
        reply = super().post(commands, by, joins, asks)
        self._changed()
        return reply

    def decline(self, proposal: JointCommands) -> None:
        """Drop a proposal; the others see that it is gone."""
        super().decline(proposal)
        self._changed()


class FileHost:
    """A game in a file, opened for screens alone: nothing else shows it, and no camera sees it."""

    throw, watched = None, False

    def live_picture(self) -> None:
        """No camera."""

    def __init__(self, path: Path, begin: Callable[[Session], object]) -> None:
        self.path = path
        self.colours = load_seats(path).colours
        self._listeners: list[Changed] = []
        self._worker = Worker(lambda: None, lambda error: None)
        self._worker.start()
        try:
            self._game = self._worker.promise(lambda: self._open(begin)).result(OPEN_S)
        except BaseException:
            self._worker.close()
            raise

    def _open(self, begin: Callable[[Session], object]) -> ServedGame:
        session = Session.open(self.path)
        try:
            begin(session)
        except BaseException:
            session.close()
            raise
        return ServedGame(session, self._tell, self.path.stem.startswith("practice"))

    def _tell(self) -> None:
        for changed in tuple(self._listeners):
            changed()

    def call(self, job: Callable[[RunningGame], T]) -> Future[T]:
        """Do something with the game, on its thread."""
        return self._worker.promise(lambda: job(self._game))

    def subscribe(self, changed: Changed) -> Changed:
        """Call `changed` whenever a screen may show something else; the answer ends that."""
        self._listeners.append(changed)
        return lambda: self._listeners.remove(changed)

    def close(self) -> None:
        """Close the file and end the thread."""
        self._worker.ask(self._game.session.close)
        self._worker.close()
