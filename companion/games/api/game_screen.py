"""What a game shows and asks about a picture: the interface between a game and every screen.

A game's package holds such an object named `SCREEN` in its module `screen`. All answers are frozen
records of plain values; the app draws them and knows no game.

    for prompt in screen.prompts(state): ...            # what the game waits for
    for offer in screen.offers(state, report, "b1"): ...  # what this piece may do, and why not
    screen.outcome(before, events, after)               # what just happened
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from companion.games.api.board_editor import BoardEditor
from companion.games.api.card_form import CardForms
from companion.games.api.card_table import CardTable
from companion.games.api.new_game import NewGameStep, SeatRange, SeatView, Space
from companion.games.api.play import Event, Plain
from companion.games.api.prompt import ActionOffer, Choice, Prompt
from companion.games.api.screen_views import GuideStep, Outcome, Page, PieceView, ScoreView
from models.board import Cell
from models.message import say
from models.pose import Pose


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A tag that lies still, and the pose of what carries it, with its sigma."""

    tag: int
    pose: Pose
    piece: str = ""
    """What carries it, where that is known without asking: on a practice table."""


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece as it lies on a practice table, and its tag if the game knows one."""

    id: str
    tag: int | None
    pose: Pose


@dataclass(frozen=True, slots=True)
class CameraQuestion:
    """A difference between the picture and the game: the players choose what it means, or refuse.

    Nothing of it is applied by itself.
    """

    id: str
    title: str
    detail: str = ""
    choices: tuple[Choice, ...] = ()


class GameScreen(Protocol):
    """Stateless: every method is a function of its arguments. `state` is the game's own record.

    A game that derives from it inherits empty answers for what it does not have, and a new game
    that only asks who plays.
    """

    @property
    def games(self) -> tuple[str, ...]:
        """The names of its games: one per edition."""
        ...

    def name(self, game: str) -> str:
        """The game's name as players know it."""
        ...

    # -- before the game ---------------------------------------------------------------------

    def space(self, game: str, mode: str = "") -> Space:
        """Where it is played."""
        ...

    def seat_range(self, game: str, mode: str = "") -> SeatRange:
        """How many may play."""
        ...

    def steps(self, game: str, draft: Plain) -> Sequence[NewGameStep]:
        """The steps of a new game with the answers given so far, each with what it lacks."""
        seats = NewGameStep("seats", "seats", say("Who plays?"))
        return seats, NewGameStep("begin", "begin", say("Begin"))

    def set_up(self, game: str, draft: Plain) -> Plain:
        """The whole `set-up` command (`do`, `game` and its fields) for a finished draft."""
        return {"do": "set-up", "game": game, **draft}

    def practice(self, game: str, file: Path | None = None) -> Sequence[Plain]:
        """The commands of a practice game up to where its players begin, the set-up first; none
        if there is no practice game. A game of trays may be played on the table of another
        `file`."""
        return ()

    def short_name(self, name: str) -> str:
        """The name of a piece as it stands on the table, where a whole one has no room."""
        return name

    # -- cards and boards of the players' own -----------------------------------------------

    def card_forms(self, game: str) -> CardForms | None:
        """The forms in which players enter cards; None if the game has none."""
        return None

    def board_editor(self, game: str) -> BoardEditor | None:
        """What edits boards of the players' own; None if the game has none."""
        return None

    # -- in the game -------------------------------------------------------------------------

    def seats(self, state: Any) -> Sequence[SeatView]:
        """The players, in seating order."""
        ...

    def active(self, state: Any) -> tuple[str, ...]:
        """The seats whose decision is awaited."""
        asked = (prompt for prompt in self.prompts(state))
        return tuple(dict.fromkeys(s for one in asked for s in one.seats if s not in one.answered))

    def turn(self, state: Any) -> str:
        """The seat whose turn the rules say it is, whoever decides or rolls now; "" for nobody."""
        return str(getattr(state, "active", ""))

    def headline(self, state: Any) -> str:
        """Round, phase and what is left, for the bar: "Round 2 · 5 units to act"."""
        return ""

    def prompts(self, state: Any, seat: str | None = None) -> Sequence[Prompt]:
        """What the game waits for, most urgent first; secrets only for their own seat."""
        ...

    def offers(self, state: Any, report: Any, piece: str | None = None) -> Sequence[ActionOffer]:
        """What a piece may do now and what it may not; without a piece, the best of the active
        seats.

        `report` is the game's report of the newest table, None without one.
        """
        return ()

    def at_once(self, state: Any, piece: str, cell: Cell) -> Sequence[ActionOffer]:
        """Several actions of a piece in one go that bring it to a cell, where no single one does;
        their kind is `march`."""
        return ()

    def due_moves(self, state: Any) -> Sequence[ActionOffer]:
        """Moves that are decided while their pieces still stand on the table as before, in order.

        They have no commands: the next table that shows the piece carries them out.
        """
        return ()

    def entry_verdict(self, state: Any, table: Any, piece: str) -> Plain | None:
        """Whether a piece that comes in by a due move may stand where that table shows it, in the
        form of the rules' `check` of one move; None if another move is due."""
        return None

    def gain(self, state: Any, table: Any, piece: str) -> str:
        """What a piece has from standing where that table shows it: an objective, for instance."""
        return ""

    def outcome(self, before: Any, events: Sequence[Event], after: Any) -> Outcome | None:
        """The result of one step: the game's own events of it; None if there is nothing to say."""
        return None

    def report_lines(
        self, before: Any, events: Sequence[Event], after: Any
    ) -> Sequence[str] | None:
        """The sentences of one step in the battle report; None: those of its events, one by one."""
        return None

    def pieces(self, state: Any) -> Sequence[PieceView]:
        """Every piece, on the table or beside it."""
        return ()

    def card_table(self, state: Any) -> CardTable | None:
        """In a game without a table: the cards before each player, and the contest of two."""
        return None

    def camera_questions(
        self,
        state: Any,
        seen: Sequence[SeenPiece],
        size: tuple[float, float],
        chosen: str | None = None,
    ) -> Sequence[CameraQuestion]:
        """In a game without a measured table: what tagged pieces that lie still may mean.

        `size` is that of the table in inches, `chosen` the piece that the players have tapped.
        """
        return ()

    def piece_places(self, state: Any, size: tuple[float, float]) -> Sequence[PlacedPiece]:
        """In such a game: where the pieces lie on a practice table of this size, as it has them.

        Later ones lie on earlier ones. Without any there is no practice camera.
        """
        return ()

    def place_name(self, state: Any, cell: Cell, piece: str) -> str:
        """What players call a cell of a board to which this piece goes; "" without a word."""
        return ""

    def names(self, state: Any) -> Mapping[str, str]:
        """What players call everything that is no piece and no seat, by id: objectives, terrain."""
        return {}

    def guide(self, state: Any) -> GuideStep | None:
        """What to tap now in a guided turn; None where nobody is guided."""
        return None

    def score(self, state: Any) -> ScoreView:
        """The score by seat, and what is to be confirmed."""
        ...

    def pages(self, state: Any, seat: str | None = None) -> Sequence[Page]:
        """The game's own pages, at most four; hidden cards only for their own seat."""
        return ()
