"""A game in a file for other programs: commands, undo, and the screen's records with their taps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from companion.games import package_of
from companion.games.api.play import Refusal
from companion.session.game_lookup import find_screen
from companion.session.session import Session
from companion.text.translation import MessageCatalogue, catalogue, speaking
from models.message import BadInput, CompanionError
from models.table import AnyTable

if TYPE_CHECKING:
    from companion.engine.turn.client import Client
    from companion.engine.turn.running_game import RunningGame


class Refused(CompanionError):
    """A command or tap that is not allowed: the rule number, and a sentence for players.

    `asks` names the field with which the players answer what the table cannot show.
    """

    def __init__(self, why: str, say: str, asks: str = "") -> None:
        super().__init__(f"{say} ({why})")
        self.why, self.say, self.asks = why, say, asks


class Game:
    """One game, kept in a file: every step is on the disk before it is answered.

    `with Game("evening.game") as game:` opens it, or begins a new one. Sentences are in its
    language ("en", "de" or "ru"); keys, ids and words that are commands stay as they are.
    """

    def __init__(self, path: Path | str, language: str = "en") -> None:
        self.path, self.language = Path(path), language
        self._session = Session.open(self.path)
        self._running: RunningGame | None = None
        self._clients: dict[str | None, Client] = {}

    def __repr__(self) -> str:
        return f"Game({str(self.path)!r}, {self.language!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the clock and close the file."""
        self._session.close()

    # -- commands ------------------------------------------------------------------------------

    def do(self, command: str, **fields: Any) -> dict[str, Any]:
        """Carry out a command of `companion session`; what is not allowed raises `Refused`.

        `do("help")` lists the commands with their fields.
        """
        given = {key.rstrip("_"): value for key, value in fields.items()}  # for_="blue"
        with self._speaking():
            answer = self._told(self._session.answer({"do": command, **given}))
        if not answer["ok"]:
            raise Refused(answer["why"], answer["say"], answer.get("asks", ""))
        return answer

    def practise(self, game: str, readings: Sequence[str] = ()) -> None:
        """Set up the practice game of a game, with open rules read as told (`NAME=VALUE`)."""
        begin_practice(self._session, game, self.path, readings)

    def undo(self) -> None:
        """Take the newest step back."""
        self.do("undo")

    def redo(self) -> None:
        """Take back the newest undo."""
        self.do("redo")

    # -- what it is like -----------------------------------------------------------------------

    def state(self, seat: str | None = None) -> dict[str, Any]:
        """The whole state as that seat may know it; None: as everybody may."""
        with self._speaking():
            return self._told(self._session.state(seat))

    @property
    def table(self) -> AnyTable | None:
        """The newest table; None for a game without one, or before it is set up."""
        return self._game().table

    @property
    def winner(self) -> str | None:
        """The seat that has won, or "draw"; None while the game goes on."""
        here = self._session.history.now
        return None if here.play is None else here.play.moment(here.state).winner

    @property
    def undo_title(self) -> str:
        """What `undo` would take back; empty if there is nothing."""
        with self._speaking():
            return str(self._told(self._session.history.now.whole.title))

    def report(self) -> str:
        """The battle report as Markdown."""
        from companion.session.report.markdown_report import markdown
        from companion.session.report.story import build_story
        from companion.session.storage import read

        with self._speaking():
            return markdown(build_story(read(self.path).steps))

    # -- the screen ----------------------------------------------------------------------------

    def view(self, seat: str | None = None) -> dict[str, Any]:
        """What the screen shows that seat, with a handle for whatever can be tapped.

        The handles of a view are good until the seat's next one.
        """
        return self._client(seat).view().to_json()

    def act(self, intent: Mapping[str, Any], seat: str | None = None) -> dict[str, Any]:
        """What a finger does (`{"tap": "c1"}`): the next view, or `Refused` and nothing changed."""
        answer = self._client(seat).act(dict(intent))
        if isinstance(answer, Refusal):
            raise Refused(answer.why, str(answer.say), answer.asks)
        return answer.to_json()

    def _speaking(self) -> AbstractContextManager[MessageCatalogue]:
        return speaking(self.language, package_of(self._session.history.now.play))

    def _told(self, value: Any) -> Any:
        """A value with its sentences in the language of the game being played now."""
        game = package_of(self._session.history.now.play)
        return catalogue(self.language, game=game).translate_all(value)

    def _game(self) -> RunningGame:
        from companion.engine.turn.running_game import RunningGame

        if self._running is None:
            practice = self.path.stem.startswith("practice")
            self._running = RunningGame(self._session, moves_trays=practice)
        return self._running

    def _client(self, seat: str | None) -> Client:
        from companion.engine.turn.client import Client

        if seat not in self._clients:
            self._clients[seat] = Client(self._game(), seat, self.language)
        return self._clients[seat]


def begin_practice(session: Session, game: str, path: Path, readings: Sequence[str] = ()) -> None:
    """Set up the practice game of a game."""
    if session.history.now.play is not None:
        raise BadInput(str(path), "", "holds a game already; name another file")
    for command in find_screen(game).practice(game):
        if readings and command["do"] == "set-up":
            command = {**command, "readings": list(readings)}
        answer = session.answer(command)
        if not answer["ok"]:
            raise CompanionError(f"{game}: {answer['say']}")
    if session.history.now.play is None:
        raise CompanionError(f"{game!r} has no practice game")
