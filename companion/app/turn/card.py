"""A card of the turn, and what it asks of the column and of the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.turn.entry_form import EntryForm
from companion.app.widgets.tap_guard import TapGuard
from companion.engine.camera.dice_camera import DiceCamera
from companion.engine.files.begun_dice import BegunDice
from companion.engine.files.preferences import Preferences
from companion.engine.snapshot import CameraView, Snapshot
from companion.engine.turn.card_records import CardView
from companion.engine.turn.handles import LookTap
from companion.engine.turn.proposed_dice import ProposedDice
from companion.engine.turn.turn_records import ChoiceView, DiceView, FormView
from companion.games.api.new_game import SeatView
from companion.games.api.play import Plain
from companion.games.api.prompt import ActionOffer
from companion.session.authors import JointCommands


class TurnOwner(Protocol):
    """What the cards ask of the screen."""

    @property
    def liked(self) -> Preferences:
        """The preferences: how dice are entered."""
        ...

    @property
    def dice_camera(self) -> DiceCamera | None:
        """The camera that reads the players' dice, if they let it."""
        ...

    @property
    def guard(self) -> TapGuard:
        """What decides which taps count."""
        ...

    def prefer_dice(self, how: str) -> None:
        """Remember how dice are entered."""

    def begun_dice(self, game: str, step: int) -> BegunDice:
        """The dice that were entered in part after this step."""
        ...

    def keep_dice(self, begun: BegunDice) -> None:
        """Keep dice that are entered in part, or that none is."""

    def throw_taken(self, read: ProposedDice, entered: bool) -> None:
        """Count the throws that the camera reads as the players do; `entered` by hand instead."""

    def send(self, *commands: Plain) -> None:
        """Send commands to the game."""

    def when_done(self, act: Callable[[], object]) -> None:
        """Call `act` when everything that was sent has been answered."""

    def choose(self, unit: str | None) -> None:
        """Select a piece."""

    def say(self, text: str, why: str = "") -> None:
        """Show a toast."""

    def aim(self, offer: ActionOffer | None) -> None:
        """Draw the arrow of the offer that the primary button carries out."""

    def intend(self, unit: str, action: str) -> None:
        """Say which action the tray carries out that is moved now; none: ""."""

    def keep_move(self, unit: str, action: str = "", commands: Sequence[Plain] = ()) -> None:
        """Accept a detected move."""

    def move_piece(self, offer: ActionOffer) -> bool:
        """Take up the tray of an action that moves it; False if it has none on the table."""

    def put_back(self, unit: str) -> None:
        """Reject a detected move."""

    def stay(self, unit: str) -> None:
        """A move that is due is not made."""

    def end_move(self, unit: str, number: int) -> None:
        """Choose where a move that is due ends."""

    def place_piece(self, piece: str, cell: tuple[int, int] | None, way: int = 0) -> None:
        """Say on which cell a piece stands that the camera saw; None: it is put back."""

    def correct_places(self, pieces: Sequence[str]) -> None:
        """Take over where pieces stand, as mere corrections."""

    def decide_later(self, piece: str) -> None:
        """Leave a piece where it stands for now."""

    def decide_all(self, how: str) -> None:
        """Say what becomes of everything that stands elsewhere: back, correct or later."""

    def refuse_question(self, question: str) -> None:
        """Say that what the camera saw is not so."""

    def answer_proposal(self, proposal: JointCommands, agrees: bool) -> None:
        """Say yes or no to what a player proposes on a phone."""

    def ask_coach(self, seat: str) -> None:
        """Show what a seat could do best; "" puts that away."""

    def go(self, place: str) -> None:
        """Open a page."""

    def look_alone(self, tap: LookTap) -> None:
        """Show one player what only that player may see."""

    def open_form(self, form: FormView, filled: EntryForm) -> None:
        """Open a form in a sheet."""

    def close_form(self) -> None:
        """Close the sheet of a form that was sent."""

    def mark_pieces(self) -> None:
        """Outline the pieces that are chosen in the form on the card."""

    def camera(self, act: str) -> None:
        """Reconnect, choose another camera, or play on the map."""


class Column(Protocol):
    """The column that shows the cards, with what the players unfolded in it."""

    owner: TurnOwner
    snapshot: Snapshot
    view: CardView
    live: CameraView
    unfolded: bool
    opened: str
    width: float
    height: float

    @property
    def room(self) -> float:
        """Its height without the pages under the card."""

    def act(self, tap: str, **given: Any) -> None:
        """A tap on something that the card offers."""

    def pick(self, tap: str) -> None:
        """The primary button carries out this offer."""

    def entry(self, dice: DiceView) -> Widget:
        """The dice being entered; a card that is built anew keeps them."""
        ...

    def show_first(self, choice: ChoiceView) -> None:
        """Show what a row would do; the gold button does it."""

    def unfold(self) -> None:
        """Show what is not allowed, or hide it."""

    def ask(self, prompt: str) -> None:
        """Show another prompt first."""

    def open(self, form: FormView | None) -> None:
        """Open a form in place of the prompt, or close it."""

    def open_in_sheet(self, form: FormView) -> None:
        """Open a form over the screen."""

    def fill_in(self, form: FormView, gold: bool = True) -> EntryForm:
        """The form on the card; its button is `gold` where nothing else is the next step."""
        ...

    def marked(self, form: FormView) -> bool:
        """Whether players have marked dice on the table to roll again."""
        ...

    def play_on(self) -> None:
        """Go on without the camera."""


@dataclass
class Card:
    """A card: its head, what scrolls, and what is pinned at its foot."""

    title: str
    text: str = ""
    seat: SeatView | None = None
    body: list[Widget] = field(default_factory=list)
    late: list[Widget] = field(default_factory=list)
    """What comes after the card and goes again, below all that scrolls: no row moves for it."""
    foot: list[Widget] = field(default_factory=list)
    rim: str = "line"
    close: Widget | None = None


UPRIGHT_DP = 600
"""Upright the column is as wide as the screen, and low: what it asks needs the height."""


def upright(column: Column) -> bool:
    """Whether two buttons lie beside each other."""
    return column.width >= dp(UPRIGHT_DP)
