"""The open game: its session, its seats and the snapshot that the screens read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import chain
from pathlib import Path
from typing import Any

from companion import games
from companion.engine.files import draft as drafts
from companion.engine.files import game_library, preferences
from companion.engine.files.game_library import Seats, new_path
from companion.engine.rival_turn import RivalThinker, rival_offers
from companion.engine.snapshot import PlayerMessage, Snapshot
from companion.engine.turn.running_game import RunningGame
from companion.games.api.game_screen import GameScreen
from companion.games.api.play import Plain, Play, Refusal
from companion.games.api.prompt import ActionOffer, Choice, TargetCell
from companion.session.fold import Position
from companion.session.game_view import (
    GameView,
    log_lines,
    piece_offers,
    redo_text,
    screen_of,
    settings_of,
)
from companion.session.session import Session
from companion.text.translation import capital, translate
from models import Table
from models.board import Cell
from models.message import joined, say


class OpenGame:
    """Holds one open game at a time; every change of what is shown goes through `publish`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "games"
        self.preferences = preferences.load(folder / "preferences.json")
        self._snapshot = Snapshot()
        self._listeners: list[Callable[[Snapshot], object]] = []
        self._publishing = threading.Lock()
        self.session: Session | None = None
        self.seats = Seats()
        self._running: RunningGame | None = None
        self.thinker = RivalThinker()
        self._messages = 0

    # -- what is shown ------------------------------------------------------------------------

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot that was published."""
        return self._snapshot

    def publish(self, **changes: Any) -> None:
        """Publish the snapshot with these changes, under a new number."""
        with self._publishing:
            number = self._snapshot.number + 1
            self._snapshot = replace(self._snapshot, number=number, **changes)
            shown = self._snapshot
        for listener in tuple(self._listeners):
            listener(shown)

    def publish_anew(self, **values: Any) -> None:
        """Publish a snapshot with nothing but these values and the newest message."""
        blank = Snapshot(message=self._snapshot.message)
        rest = {one.name: getattr(blank, one.name) for one in fields(blank) if one.name != "number"}
        self.publish(**rest | values)

    def subscribe(self, listener: Callable[[Snapshot], object]) -> Callable[[], None]:
        """Call `listener` with every snapshot that is published, on the thread that publishes it;
        the answer ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def notify(self, text: str, why: str, refused: bool = False) -> None:
        """Publish a message for the players."""
        self._messages += 1
        self.publish(message=PlayerMessage(self._messages, text, why, refused))

    def refuse(self, answer: Mapping[str, Any]) -> None:
        """Publish the refusal of a command."""
        self.notify(answer["say"], answer["why"], refused=True)

    def known(self, piece: str | None) -> bool:
        """Whether there is such a piece, on the table or beside it."""
        table = self.snapshot.table
        return piece is not None and (
            (table is not None and piece in table) or self.snapshot.piece(piece) is not None
        )

    def log(self) -> tuple[str, ...]:
        """The newest steps as sentences, the last one first."""
        here, screen = self.here, self.screen
        found: list[str] = []
        for position, said in log_lines(screen, here) if here and screen else ():
            line = capital(translate(said) or self.snapshot.spelled(position.title))
            if line and line not in found[-1:]:  # the camera updates positions again and again
                found.append(line)
        return tuple(found)

    def redo_text(self) -> str:
        """What can be done again, "" for nothing."""
        undone = self.session.history.undone if self.session is not None else None
        if undone is None or self.screen is None:
            return ""
        return self.snapshot.spelled(redo_text(self.screen, undone)).rstrip(".")

    # -- the game's rules ---------------------------------------------------------------------

    @property
    def here(self) -> Position | None:
        """The newest position, once the game is set up."""
        here = self.session.history.now if self.session is not None else None
        return here if here is not None and here.play is not None else None

    @property
    def screen(self) -> GameScreen | None:
        return screen_of(self.here.game) if self.here is not None else None

    def view(self, seat: str | None) -> GameView:
        """What a seat sees, on a screen of its own; None: what everybody sees."""
        if self._running is None or self._running.session is not self.session:
            self._running = None
            if self.session is not None:
                self._running = RunningGame(self.session, thinker=self.thinker)
        return self._running.view(seat) if self._running is not None else GameView()

    def chosen_readings(self, game: str) -> tuple[str, ...]:
        """The players' readings of one game; those of other games do not concern it."""
        rules = drafts.rules_of(game)
        names = {one.name for one in rules.switches()} if rules is not None else set()
        chosen = self.preferences.readings
        return tuple(one for one in chosen if one.partition("=")[0] in names)

    def readings(self) -> Any:
        """The readings of the game that is played; of a mere table those that the players like."""
        if self.here is not None:
            return settings_of(self.here)
        table = self.snapshot.table
        if table is None:
            return None
        return games.find(table.game).settings(self.chosen_readings(table.game))

    def report(self) -> Any:
        """What the rules say about the table that is shown; None without one."""
        table = self.snapshot.table
        return games.find(table.game).report(table, self.readings()) if table is not None else None

    def offers(self, piece: str) -> Sequence[ActionOffer]:
        """What a piece may do now and what it may not."""
        here, screen = self.here, self.screen
        if here is None or screen is None:
            return ()
        if (view := self.snapshot.view) is not None and view.rival:
            return tuple(rival_offers(view, piece))
        return piece_offers(screen, here, self.report(), piece)

    def offers_by_hand(self, piece: str, at: Position | None = None) -> Sequence[ActionOffer]:
        """What a piece may do that a hand has moved already, now or `at` an earlier position: also
        where it may go once it may act, both as one step."""
        here, screen = at or self.here, self.screen
        if here is None or here.play is None or screen is None:
            return ()
        found = [*(piece_offers(screen, here, None, piece) if at else self.offers(piece))]
        for first, state in self.beginnings(here, here.play, screen, piece, tuple(found)):
            moves = screen.offers(state, None, piece)
            found += [joined_to(first, one) for one in moves if one.possible and one.cells]
        return found

    def place_name(self, piece: str, cell: Cell) -> str:
        """What players call a cell of the board to which a piece goes."""
        here, screen = self.here, self.screen
        if here is None or here.play is None or screen is None:
            return ""
        return screen.place_name(here.state, cell, piece)

    def at_once(self, piece: str, cell: Cell) -> Sequence[ActionOffer]:
        """The actions that together bring a piece to a cell, which a hand has done in one go."""
        here, screen = self.here, self.screen
        view = self.snapshot.view
        if here is None or here.play is None or screen is None or view is None or view.rival:
            return ()
        found = [*screen.at_once(here.state, piece, cell)]
        offers = self.offers(piece)
        for first, state in self.beginnings(here, here.play, screen, piece, offers):
            found += [joined_to(first, one) for one in screen.at_once(state, piece, cell)]
        return found

    def beginnings(
        self,
        here: Position,
        play: Play[Any],
        screen: GameScreen,
        piece: str,
        offers: Sequence[ActionOffer],
    ) -> Iterator[tuple[tuple[ActionOffer, ...], Any]]:
        """What lets a piece act, with the state after it; also once another one has ended."""
        starts: list[tuple[tuple[ActionOffer, ...], Any]] = [((), here.state)]
        if over := self.only_ends(here, screen, piece):
            starts.append(((over,), state_after(play, here.state, over.commands[0])))
        for first, state in starts:
            later = screen.offers(state, None, piece) if first and state is not None else ()
            for begins in later if first else offers:
                if not (begins.begins and begins.possible):
                    continue
                after = state_after(play, state, begins.commands[0])
                if after is not None:
                    yield (*first, begins), after

    def offers_of_tray(self, unit: str) -> Sequence[ActionOffer]:
        """What a tray may do that a hand has moved already: also in the turn that begins once the
        open one is ended, where nothing else is asked, both as one step."""
        found, here, screen = self.offers(unit), self.here, self.screen
        if any(one.possible for one in found) or here is None or here.play is None:
            return found
        end = self.only_choice()
        if screen is None or end is None:
            return found
        after = state_after(here.play, here.state, end.commands[0])
        later = screen.offers(after, self.report(), unit) if after is not None else ()
        return [
            replace(
                one,
                commands=(*end.commands, *one.commands),
                text=joined((end.text, one.text)),
            )
            for one in later
            if one.possible and one.piece == unit
        ] or found

    def only_ends(self, here: Position, screen: GameScreen, piece: str) -> ActionOffer | None:
        """What ends the turn of another piece, by name if it has more to do; or what the game says
        ends it: a commander may have an ability left."""
        pieces = screen.pieces(here.state)
        acting = [one.id for one in pieces if one.state == "acting" and one.id != piece]
        offers = [one for who in acting for one in screen.offers(here.state, None, who)]
        left = [one for one in offers if one.possible]
        over = [one for one in left if one.closes]
        if over and len(over) == len(left):
            return over[0]
        if over and len(acting) == 1:
            name = next(one.name for one in pieces if one.id == acting[0])
            told = say("{piece}: {action}", piece=name, action=over[0].text)
            return replace(over[0], text=told)
        end = self.only_choice() if acting else None
        return ActionOffer("end", end.text, end.commands, closes=True) if end is not None else None

    def only_choice(self) -> Choice | None:
        """What ends the open turn by one command, where nothing else is asked."""
        prompts = self.snapshot.prompts[:1]
        ends = [
            one
            for asked in prompts
            for one in asked.choices
            if one.look == "primary" and not one.piece
        ]
        if len(ends) != 1 or len(ends[0].commands) != 1 or ends[0].dice:
            return None
        return ends[0]

    def refusal_of(self, command: Plain) -> str:
        """Why the game would refuse a command now; empty if it would carry it out."""
        here = self.here
        if here is None or here.play is None:
            return ""
        decision = here.play.decide(here.state, command)
        return decision.say if isinstance(decision, Refusal) else ""

    def entry(self, table: Table, piece: str) -> Plain | None:
        """Whether a piece that comes in may stand where a table shows it."""
        here, screen = self.here, self.screen
        return screen.entry_verdict(here.state, table, piece) if here and screen else None

    def gain(self, table: Table, piece: str) -> str:
        """What a piece has from standing where a table shows it."""
        here, screen = self.here, self.screen
        return screen.gain(here.state, table, piece) if here and screen else ""

    # -- its file -----------------------------------------------------------------------------

    def start(self, command: Plain, stem: str) -> bool:
        """Start a game and return whether the set-up was accepted; if not, its file is deleted."""
        session = Session.open(new_path(self.folder, stem))
        answer = session.answer(command)
        if answer["ok"]:
            self.take(session)
            return True
        path = session.log.path
        session.close()
        path.unlink(missing_ok=True)
        self.refuse(answer)
        return False

    def load(self, path: Path) -> None:
        """Open a saved game; one whose set-up was undone is set up again."""
        session = Session.open(path)
        if session.history.now.play is None and session.history.undone is not None:
            session.answer({"do": "redo"})
        self.take(session)

    def take(self, session: Session) -> None:
        """Make this session the current game."""
        self.session = session
        self.seats = game_library.load_seats(session.log.path)
        self.publish_anew(
            path=str(session.log.path),
            practice=session.log.path.stem.startswith("practice"),
            languages=self.seats.languages,
        )

    def seat(self, chosen: Seats) -> None:
        """Keep the players' seats beside the game's file."""
        assert self.session is not None
        self.seats = chosen
        game_library.save_seats(self.session.log.path, chosen)
        self.publish(languages=chosen.languages)

    def close(self) -> None:
        self.thinker.stop()
        if self.session is not None:
            self.session.close()
            self.session = None
        self.publish_anew()

    def save_elsewhere(self) -> None:
        """Continue the game in a new file, after its file was deleted."""
        session = self.session
        if session is None:
            return
        path = new_path(self.folder, "practice" if self.snapshot.practice else "game")
        answer = session.answer({"do": "save", "file": str(path.absolute())})
        if not answer["ok"]:
            self.refuse(answer)
            return
        game_library.save_seats(path, self.seats)
        self.publish(path=str(session.log.path))
        self.notify(say("The game goes on in {path}", path=str(path)), "")

    def copy(self, path: Path, target: Path) -> bool:
        """Copy the open game to `target` if it is the one at `path`."""
        session = self.session
        if session is None or session.log.path.resolve() != path.resolve():
            return False
        session.log.copy(target)
        return True


def state_after(play: Play[Any], state: Any, command: Plain) -> Any:
    """The state after a command, None if it is refused."""
    decision = play.decide(state, command)
    if isinstance(decision, Refusal):
        return None
    for event in decision.events:
        state = play.apply(state, event)
    return state


def joined_to(first: Sequence[ActionOffer], offer: ActionOffer) -> ActionOffer:
    """An offer whose cells are reached in one step with what lets its piece act; it costs both."""
    before, text = [one.commands[0] for one in first], joined([one.text for one in first])

    def whole(one: TargetCell) -> TargetCell:
        parts = (each.get("commands", (each,)) for each in one.commands)
        together: Plain = {"do": "together", "commands": [*before, *chain.from_iterable(parts)]}
        harm = one.detail if one.mark == "danger" else ""  # whoever agrees to it knows it
        told = joined([part for part in (text, harm) if part], " · ")
        return replace(one, commands=(together,), detail=told)

    price = joined([one.detail for one in (*first, offer) if one.detail])
    return replace(offer, cells=tuple(map(whole, offer.cells)), begins=True, detail=price)
