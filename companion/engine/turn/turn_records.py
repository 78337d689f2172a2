"""What one viewer sees of a turn, as frozen records: texts in the viewer's language, and handles
(`tap`) for what that viewer may do now. Every record is JSON as it stands (`to_json`).

Where a record sends something, `acts` are the seats that may press it, anybody if there are none;
`shared` says that it answers for all of them at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal

Seats = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SymbolView:
    """A symbol of a die: what is entered for it, its name, on how many faces, what it does now."""

    symbol: str
    name: str
    faces: int
    detail: str = ""
    icon: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class DiceKey:
    """A number, a face or a symbol to tap, with its chance and whether it succeeds."""

    value: int
    text: str
    chance: float | None = None
    tone: str = ""
    symbol: SymbolView | None = None


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
    by_faces: bool = True
    face_text: str = ""
    """The question to those who enter faces; `text` asks for a count where there is one."""
    count_keys: tuple[DiceKey, ...] = ()
    face_keys: tuple[DiceKey, ...] = ()


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
    icon: str = ""
    name: str = ""
    """What it sends in a word or two, the same in every language."""
    elsewhere: bool = False
    """Whether a card of one prompt needs no button for it: its piece is selected first, the page
    of the prompt has the button, or another button begins the same."""
    shared: bool = False


@dataclass(frozen=True, slots=True)
class PieceTap:
    """A piece that may be tapped; `selects` says that it is selected first, and acts then."""

    tap: str
    piece: str
    text: str = ""
    selects: bool = False


@dataclass(frozen=True, slots=True)
class CellTap:
    """A cell that may be tapped."""

    tap: str
    cell: str
    text: str = ""
    detail: str = ""
    acts: Seats = ()
    shared: bool = False


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
    look: str = "plain"
    opens: bool = False
    """Whether it is a row that opens it; else it lies open."""
    name: str = ""
    shared: bool = False
    rolls: str = ""
    """The field of which the values are dice on the table, to be rolled again."""


@dataclass(frozen=True, slots=True)
class TotalView:
    """What a player's side comes to in a contest, or the player's points."""

    seat: str
    total: int
    detail: str = ""


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
    seats: Seats = ()
    """All players who are asked; `acts` are those who have not answered."""
    secret: bool = False
    page: str = ""
    """The page that answers it best, and its title."""
    page_title: str = ""
    totals: tuple[TotalView, ...] = ()
    why: tuple[str, ...] = ()
    """The rules that forbid what happened, for those who ask."""
    rolled_symbols: tuple[SymbolView, ...] = ()


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
    kind: str = ""
    name: str = ""
    at_once: bool = True
    """Whether there is nothing to look at first: no target, no dice, no cells."""
    acts: Seats = ()
    shared: bool = False


@dataclass(frozen=True, slots=True)
class RefusedView:
    """What a piece may not do, with the numbers of the rules and the reason."""

    piece: str
    text: str
    why: tuple[str, ...]
    reason: str = ""
    kind: str = ""
    name: str = ""


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
    leader: bool = False
    note: str = ""
    """What the players wrote about it themselves."""


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
class GuideView:
    """What to tap now in a guided turn, why, and the button that leaves the guide."""

    step: str
    text: str
    why: str = ""
    piece: str = ""
    """The piece to be tapped, until it is selected."""
    leave: ChoiceView | None = None


CardKind = Literal[
    "camera",
    "moves",
    "due-move",
    "cell-move",
    "camera-question",
    "roll",
    "won",
    "piece",
    "prompt",
    "nothing",
]


@dataclass(frozen=True, slots=True)
class PromptLine:
    """A prompt that waits behind the one that is shown."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class CardView:
    """The one thing to do now, for a screen with room for a single card.

    `prompt` is what is asked, whatever asks it: the game, dice of an offer, a camera, the end. A
    selected piece has its own card: its lines, what it may do and why not the rest.
    """

    kind: CardKind = "nothing"
    prompt: PromptView = PromptView("", "", ())
    seat: str = ""
    """The player whom it concerns."""
    moves: tuple[PromptView, ...] = ()
    """Moves that wait besides."""
    due: tuple[ChoiceView, ...] = ()
    """Decided moves whose trays may be moved while dice are entered."""
    best: tuple[OfferView, ...] = ()
    """The best that pieces may do, while none is selected."""
    behind: tuple[PromptLine, ...] = ()
    piece: PieceLine | None = None
    offers: tuple[OfferView, ...] = ()
    picked: OfferView | None = None
    """The offer that the button carries out."""
    refused: tuple[RefusedView, ...] = ()
    choices: tuple[ChoiceView, ...] = ()
    """What the prompt offers to the selected piece, besides its offers."""
    correctable: bool = False
    guide: GuideView | None = None


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
    guide: GuideView | None = None

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
