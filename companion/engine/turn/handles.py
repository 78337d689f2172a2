"""Handles: short names (`c1`, `d2`) for what a viewer was offered, and what each stands for."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal

from companion.engine.turn.entered_dice import EnteredDice
from companion.engine.turn.filled_form import FilledForm
from companion.games.api.play import Plain
from companion.games.api.prompt import ActionOffer, DiceRequest
from companion.session.authors import JointCommands
from models import Pose
from models.board import Cell


@dataclass(frozen=True, slots=True)
class SendTap:
    """Commands to send, after their dice if the last of them rolls some."""

    commands: tuple[Plain, ...]
    dice: DiceRequest | None = None
    text: str = ""
    detail: str = ""
    acts: tuple[str, ...] = ()
    shared: bool = False
    """Whether it answers for all of these seats."""


@dataclass(frozen=True, slots=True)
class DiceTap:
    """Dice to enter; the last of the commands is completed with them."""

    dice: EnteredDice
    commands: tuple[Plain, ...]
    prompt: str
    """The id of the prompt that asks for them; none for an offer."""


@dataclass(frozen=True, slots=True)
class FormTap:
    """A form to send with its values: they complete the command."""

    form: FilledForm
    command: Plain
    acts: tuple[str, ...]
    shared: bool
    other_dice: tuple[tuple[Any, DiceRequest], ...]


@dataclass(frozen=True, slots=True)
class OfferTap:
    """An offer to carry out, or to aim at a cell."""

    offer: ActionOffer
    acts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SelectTap:
    """A piece to select."""

    piece: str


@dataclass(frozen=True, slots=True)
class LookTap:
    """A seat that looks alone at the shared tablet, at a secret prompt, a form or a page; none
    covers it again."""

    seat: str | None
    what: Literal["", "prompt", "form", "page"] = ""
    name: str = ""
    """The id of the prompt or of the page, or the key of the form."""
    title: str = ""


@dataclass(frozen=True, slots=True)
class MoveTap:
    """What the players say of a piece that a camera saw elsewhere, of what it asks, or of a move
    that is due."""

    says: Literal["keep", "back", "place", "no", "begin", "stay", "end", "correct", "later", "all"]
    about: str
    """The piece, or the id of the camera's question; what becomes of `all` that stand elsewhere:
    back, correct or later."""
    action: str = ""
    """The kind of action as which a move is kept."""
    commands: tuple[Plain, ...] = ()
    """The commands of that action, which tell it from others of its kind."""
    cell: Cell | None = None
    """Where it is placed; none: where the game has it."""
    end: int = 0
    """Which of the places where a move that is due may end, or of the ways to a cell."""


@dataclass(frozen=True, slots=True)
class PlaceTap:
    """A tray put down where it was tried: as an action, "" as a mere correction."""

    piece: str
    action: str
    commands: tuple[Plain, ...] = ()
    """The commands of that action, which tell it from others of its kind."""
    stays: bool = False
    """Whether the action is carried out and the tray stays where it was."""
    at: Pose | None = None
    """Where the tray is tried next, instead."""


@dataclass(frozen=True, slots=True)
class AgreeTap:
    """What this viewer says to the proposal of another one."""

    proposal: JointCommands
    agrees: bool


@dataclass(frozen=True, slots=True)
class CoachTap:
    """The coach is asked what a seat could do best, or "": put away."""

    seat: str = ""


@dataclass(frozen=True, slots=True)
class CancelTap:
    """What was begun is not done after all."""


TapTarget = (
    SendTap
    | DiceTap
    | FormTap
    | OfferTap
    | SelectTap
    | LookTap
    | MoveTap
    | PlaceTap
    | AgreeTap
    | CoachTap
    | CancelTap
)


class Handles:
    """The handles of one viewer.

    A handle stays the same while the same thing is offered, so that a step of somebody else
    refuses no tap; what the viewer has done itself makes all of them stale, so that a double tap
    does nothing twice. A number is never used again.
    """

    def __init__(self) -> None:
        self._numbers: Counter[str] = Counter()
        self._known: dict[str, tuple[str, TapTarget]] = {}
        self._next: dict[str, tuple[str, TapTarget]] = {}
        self._asleep = False

    def begin(self) -> None:
        """A new view is made."""
        self._next = {}

    def add(self, letter: str, about: object, target: TapTarget) -> str:
        """The handle of something that is offered in this view."""
        key = key_of(letter, about)
        if key in self._next:
            return self._next[key][0]
        if key in self._known:
            name = self._known[key][0]
        else:
            self._numbers[letter] += 1
            name = f"{letter}{self._numbers[letter]}"
        self._next[key] = name, target
        return name

    def end(self) -> None:
        """The view is made: only its handles are valid."""
        self._known = self._next

    def retire(self) -> None:
        """The viewer did something: no handle is valid before the next view."""
        self._known = {}

    def sleep(self) -> None:
        """The viewer did something and waits for the answer: no handle is valid before it."""
        self._asleep = True

    def wake(self) -> None:
        """The answer is there: what is still offered is valid again."""
        self._asleep = False

    def find(self, name: object) -> TapTarget | None:
        """What a handle stands for; None for one that is not offered."""
        known = {} if self._asleep else self._known
        return next((target for own, target in known.values() if own == name), None)

    def targets(self) -> list[TapTarget]:
        """Everything that the handles of the newest view stand for."""
        return [target for _, target in self._known.values()]


def key_of(letter: str, about: object) -> str:
    """What a handle stands for, in a line of text."""
    return f"{letter} {json.dumps(about, sort_keys=True, default=str)}"


def question_name(letter: str, about: object) -> str:
    """The name of a question to fill in: the same as long as the same is asked, whatever its
    handle; what is half entered belongs to it."""
    return hashlib.blake2s(key_of(letter, about).encode(), digest_size=6).hexdigest()
