"""A card of the turn, and what it asks of the column and of the screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from kivy.uix.widget import Widget

from companion.app.turn.dice_entry import Done
from companion.app.turn.entry_form import EntryForm, Pieces
from companion.engine.app_words import _
from companion.engine.files.preferences import Preferences
from companion.engine.snapshot import CameraView, Snapshot
from companion.engine.turn.turn_view import Rolling
from companion.games.api.new_game import SeatView
from companion.games.api.prompt import ActionOffer, DiceRequest, Prompt, PromptForm


class TurnOwner(Protocol):
    """What the cards ask of the screen."""

    @property
    def liked(self) -> Preferences:
        """The preferences: how dice are entered."""
        ...

    def prefer_dice(self, how: str) -> None:
        """Remember how dice are entered."""

    def send(self, *commands: Mapping[str, Any]) -> None:
        """Send commands to the game."""

    def choose(self, unit: str | None) -> None:
        """Select a piece."""

    def say(self, text: str, why: str = "") -> None:
        """Show a toast."""

    def aim(self, offer: ActionOffer | None) -> None:
        """Draw the arrow of the offer that the primary button carries out."""

    def keep_move(self, unit: str, action: str = "") -> None:
        """Accept a detected move."""

    def move_piece(self, offer: ActionOffer) -> bool:
        """Take up the tray of an action that moves it; False if it has none on the table."""

    def put_back(self, unit: str) -> None:
        """Reject a detected move."""

    def stay(self, unit: str) -> None:
        """A move that is due is not made."""

    def place_piece(self, piece: str, cell: tuple[int, int] | None) -> None:
        """Say on which cell a piece stands that the camera saw; None: it is put back."""

    def refuse_question(self, question: str) -> None:
        """Say that what the camera saw is not so."""

    def go(self, place: str) -> None:
        """Open a page."""

    def secret(self, prompt: Prompt, seat: str) -> None:
        """Let one player answer a secret prompt."""

    def open_form(self, form: PromptForm) -> None:
        """Open a form in a sheet."""

    def open_private(self, form: PromptForm) -> None:
        """Open a form that one player fills in alone."""

    def mark_pieces(self) -> None:
        """Outline the pieces that are chosen in the form on the card."""

    def camera(self, act: str) -> None:
        """Reconnect, choose another camera, or play on the map."""


class Column(Protocol):
    """The column that shows the cards, with what the players chose in it."""

    owner: TurnOwner
    snapshot: Snapshot
    live: CameraView
    picked: tuple[str, str, str] | None
    rolling: Rolling | None
    tapped: bool
    unfolded: bool
    focus: str
    opened: str
    on_map: bool

    def pick(self, offer: ActionOffer) -> None:
        """The primary button carries out this offer."""

    def take(self, offer: ActionOffer) -> None:
        """Carry out an offer."""

    def roll(self, rolling: Rolling) -> None:
        """Let the players enter dice, or the app roll, then send the commands."""

    def rolled(self, rolling: Rolling, command: Mapping[str, Any] | None) -> None:
        """The dice are there."""

    def entry(self, about: object, request: DiceRequest, done: Done) -> Widget:
        """The dice being entered; a card that is built anew keeps them."""
        ...

    def cancel_roll(self) -> None:
        """Do not roll for the offer after all."""

    def unfold(self) -> None:
        """Show what is not allowed, or hide it."""

    def ask(self, prompt: str) -> None:
        """Show another prompt first."""

    def open(self, form: PromptForm | None) -> None:
        """Open a form in place of the prompt, or close it."""

    def fill_in(self, form: PromptForm, pieces: Pieces) -> EntryForm:
        """The form on the card."""
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
    foot: list[Widget] = field(default_factory=list)
    rim: str = "line"
    close: Widget | None = None


def short_name(snapshot: Snapshot, piece: str) -> str:
    found = snapshot.piece(piece)
    return found.short or found.name if found is not None else piece


def owner_of(snapshot: Snapshot, piece: str) -> SeatView | None:
    """The player of a piece."""
    found = snapshot.piece(piece)
    return snapshot.seat(found.seat) if found is not None else None


def seat_name(snapshot: Snapshot, seat: str) -> str:
    """The name of the player on a seat."""
    found = snapshot.seat(seat)
    return _(found.name) if found is not None else _(seat)
