"""What one viewer sees of a turn, as frozen records: texts in the viewer's language, and handles
(`tap`) for what that viewer may do now. Every record is JSON as it stands (`to_json`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

Seats = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SymbolView:
    """A symbol of a die: what is entered for it, its name, on how many faces, what it does now."""

    symbol: str
    name: str
    faces: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class DiceView:
    """Dice to enter: by faces, by count (or total) where `by_count`, or by a bare tap where the
    game may roll them itself (`app_rolls`)."""

    tap: str
    count: int
    sides: int
    need: int | None
    chances: Mapping[str, float]
    text: str = ""
    symbols: tuple[SymbolView, ...] = ()
    total: bool = False
    """Whether `need`, `chances` and a count speak of the total of the dice."""
    by_count: bool = False
    app_rolls: bool = False
    then: int = 0
    """How many further kinds of dice may be asked for after these."""


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """One button; `asks` is what its tap asks for before anything is recorded."""

    tap: str
    text: str
    acts: Seats
    detail: str = ""
    piece: str = ""
    look: str = "plain"
    asks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PieceTap:
    """A piece that may be tapped."""

    tap: str
    piece: str


@dataclass(frozen=True, slots=True)
class CellTap:
    """A cell that may be tapped."""

    tap: str
    cell: str
    text: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class OptionView:
    """A value to choose, and its text."""

    value: Any
    text: str


@dataclass(frozen=True, slots=True)
class FieldView:
    """A value that a form asks for."""

    name: str
    kind: str
    options: tuple[OptionView, ...] = ()
    text: str = ""
    least: int = 0
    most: int = 0
    value: Any = None
    required: bool = True
    only_for: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class FormView:
    """A form, sent with its values in one intent."""

    tap: str
    fields: tuple[FieldView, ...]
    text: str = ""
    detail: str = ""
    acts: Seats = ()


@dataclass(frozen=True, slots=True)
class FactView:
    """Something already known that helps to decide."""

    text: str
    tone: str = ""
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class PromptView:
    """What the game waits for, and how this viewer may answer it."""

    title: str
    text: str
    acts: Seats
    dice: tuple[DiceView, ...] = ()
    choices: tuple[ChoiceView, ...] = ()
    pieces: tuple[PieceTap, ...] = ()
    cells: tuple[CellTap, ...] = ()
    form: FormView | None = None
    forms: tuple[FormView, ...] = ()
    """All forms; `form` is the first of them."""
    id: str = ""
    facts: tuple[FactView, ...] = ()
    rolled: tuple[int | str, ...] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True)
class OfferView:
    """What a piece may do: its chance, the lowest roll that succeeds, and what it asks for."""

    tap: str
    piece: str
    text: str
    chance: float | None = None
    needs: int | None = None
    asks: tuple[str, ...] = ()
    target: str = ""
    detail: str = ""
    odds: str = ""
    expected: str = ""
    verdict: str = "yes"
    reason: str = ""
    cells: tuple[CellTap, ...] = ()


@dataclass(frozen=True, slots=True)
class RefusedView:
    """What a piece may not do, with the numbers of the rules and the reason."""

    piece: str
    text: str
    why: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PieceLine:
    """A piece as everybody sees it: its name, its player, what is left of it, where it stands."""

    id: str
    name: str
    seat: str
    state: str
    left: int | None = None
    most: int | None = None
    lines: tuple[str, ...] = ()
    badges: tuple[str, ...] = ()
    cell: str = ""
    place: tuple[float, ...] = ()
    """x, y and heading on an open table."""


@dataclass(frozen=True, slots=True)
class BoxView:
    """A box of a page: a zone, a card, a pile, a line of the score."""

    title: str
    lines: tuple[str, ...] = ()
    seat: str = ""
    count: int | None = None
    choices: tuple[ChoiceView, ...] = ()


@dataclass(frozen=True, slots=True)
class PageView:
    """A page beside the turn, with its buttons."""

    id: str
    title: str
    boxes: tuple[BoxView, ...] = ()
    forms: tuple[FormView, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnView:
    """Everything that one viewer sees of the game now."""

    seq: int = 0
    turn: str | None = None
    """Whose turn the rules say it is."""
    acts: Seats = ()
    """Who decides or rolls now."""
    headline: str = ""
    result: str = ""
    undo: str = ""
    prompts: tuple[PromptView, ...] = ()
    offers: tuple[OfferView, ...] = ()
    refused: tuple[RefusedView, ...] = ()
    score: Mapping[str, int] = field(default_factory=dict)
    winner: str | None = None
    seat: str | None = None
    """The viewer: a seat, or None for the shared tablet."""
    selected: str | None = None
    redo: str = ""
    seats: Mapping[str, str] = field(default_factory=dict)
    """The players' names by seat."""
    pieces: tuple[PieceLine, ...] = ()
    pages: tuple[PageView, ...] = ()
    notice: str = ""
    """What the newest move or command is to be told, such as a reminder."""

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = record_json(self)
        return found


def record_json(record: Any) -> Any:
    """A record of plain values as JSON."""
    if is_dataclass(record) and not isinstance(record, type):
        return {entry.name: record_json(getattr(record, entry.name)) for entry in fields(record)}
    if isinstance(record, list | tuple):
        return [record_json(value) for value in record]
    if isinstance(record, Mapping):
        return {str(key): record_json(value) for key, value in record.items()}
    return record
