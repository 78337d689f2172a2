"""What one viewer sees of a turn, as frozen records: texts in the viewer's language, and handles
(`tap`) for what that viewer may do now. Every record is JSON as it stands (`to_json`).

Where a record sends something, `acts` are the seats that may press it, anybody if there are none;
`shared` says that it answers for all of them at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

from companion.games.api.new_game import SeatView

Seats = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SymbolView:
    """A symbol of a die: what is entered for it, its name, on how many faces, what it does now."""

    symbol: str
    name: str
    faces: int
    detail: str
    icon: str
    colour: str


@dataclass(frozen=True, slots=True)
class DiceKey:
    """A number, a face or a symbol to tap, with its chance and whether it succeeds."""

    value: int
    text: str
    chance: float | None
    tone: str
    symbol: SymbolView | None = None
    odds: str = ""
    """The chance in words: "< 1 %"."""


@dataclass(frozen=True, slots=True)
class DiceView:
    """Dice to enter: by faces, by count (or total) where `by_count`, or by a bare tap where the
    game may roll them itself (`app_rolls`)."""

    tap: str
    count: int
    sides: int
    need: int | None
    chances: Mapping[str, float]
    text: str
    symbols: tuple[SymbolView, ...]
    total: bool
    """Whether `need`, `chances` and a count speak of the total of the dice."""
    by_count: bool
    app_rolls: bool
    then: int
    """How many further kinds of dice may be asked for after these."""
    by_faces: bool
    face_text: str
    """The question to those who enter faces; `text` asks for a count where there is one."""
    count_keys: tuple[DiceKey, ...]
    face_keys: tuple[DiceKey, ...]
    question: str
    """A name of what is asked, the same under every handle: half a throw belongs to it."""


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
    passes: bool = False
    """Whether it passes: small screens keep it in sight."""


@dataclass(frozen=True, slots=True)
class PieceTap:
    """A piece that may be tapped; `selects` says that it is selected first, and acts then."""

    tap: str
    piece: str
    text: str
    selects: bool


@dataclass(frozen=True, slots=True)
class CellTap:
    """A cell that may be tapped."""

    tap: str
    cell: str
    text: str
    detail: str
    acts: Seats
    shared: bool
    mark: str
    """How it is marked on the board: `CellMark`."""
    piece: str
    """The piece that goes there, where it may cover more; the cell is then the lower left one."""
    place: str = ""
    """What players call it, where it has a row beside the board."""


@dataclass(frozen=True, slots=True)
class EndView:
    """Where a tray goes: its corners in inches, and the number of the choice that moves it."""

    piece: str
    outline: tuple[tuple[float, float], ...]
    text: str = ""


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
    options: tuple[OptionView, ...]
    text: str
    least: int
    most: int
    value: Any
    required: bool
    only_for: tuple[Any, ...]
    """It is asked for only if an entry before it has one of these values; always if empty."""
    worth: tuple[int, ...]
    """What each option adds to the total of the form's `tallies`."""
    sends: bool
    """Whether its options are the buttons that send the form: it is chosen with the last tap."""


@dataclass(frozen=True, slots=True)
class FormView:
    """A form, sent with its values in one intent."""

    tap: str
    fields: tuple[FieldView, ...]
    text: str
    detail: str
    acts: Seats
    look: str
    opens: bool
    """Whether it is a row that opens it; else it lies open."""
    name: str
    shared: bool
    quick: bool
    """Whether the last tap on an option sends it."""
    word: str
    """The word of its command, the same in every language."""
    tallies: tuple[str, ...]
    """What it comes to, for each total of the chosen options' `worth` from 0 on."""
    rolls: str
    """The field of which the values are dice on the table, to be rolled again."""
    most: int | None
    """The largest total of `worth` with which it can be sent, if there is one."""
    single: tuple[Any, ...]
    """Values of which at most one can be sent; `single_text` says so."""
    single_text: str
    question: str = ""
    """A name of what is asked, the same under every handle: what is half entered is kept by it."""


@dataclass(frozen=True, slots=True)
class TotalView:
    """What a player's side comes to in a contest, or the player's points."""

    seat: str
    total: int
    detail: str


@dataclass(frozen=True, slots=True)
class FactView:
    """Something already known that helps to decide."""

    text: str
    """With its chance, if it has one."""
    tone: str
    chance: float | None = None
    about: tuple[tuple[str, str], ...] = ()
    """Pieces with their words: a tap on one selects it."""


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
    why: str = ""
    """The rules that it follows, or that forbid what happened, in words, for those who ask."""
    rolled_symbols: tuple[SymbolView, ...] = ()
    ends: tuple[EndView, ...] = ()
    """Where trays go that its choices move."""
    rolled_sides: int = 6
    """How many sides the dice of `rolled` have that show a number."""
    before: str = ""
    """What may be announced before its dice are rolled, for screens that show it below them."""


@dataclass(frozen=True, slots=True)
class OfferView:
    """What a piece may do: its chance, the lowest roll that succeeds, and what it asks for."""

    tap: str
    piece: str
    text: str
    chance: float | None
    needs: int | None
    asks: tuple[str, ...]
    target: str
    detail: str
    odds: str
    expected: str
    verdict: str
    reason: str
    cells: tuple[CellTap, ...]
    kind: str
    name: str
    at_once: bool
    """Whether there is nothing to look at first: no target, no dice, no cells, no table."""
    acts: Seats
    shared: bool
    moves: bool
    """Whether a finger moves its tray, and the place is recorded with it (`move` with `as`)."""
    family: str
    """Beside a board, offers of one family are one row: one of them is chosen on its cell."""
    closes: bool
    """Whether nothing more is to be done with its piece."""
    variant: str = ""
    """What tells it from the others of its family."""


@dataclass(frozen=True, slots=True)
class RefusedView:
    """What a piece may not do, with the numbers of the rules and the reason."""

    piece: str
    text: str
    why: tuple[str, ...]
    reason: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class PieceLine:
    """A piece as everybody sees it: its name, its player, what is left of it, where it stands."""

    id: str
    name: str
    seat: str
    state: str
    left: int | None
    most: int | None
    lines: tuple[str, ...]
    badges: tuple[str, ...]
    cell: str
    place: tuple[float, ...]
    """x, y and heading on an open table."""
    leader: bool
    short: str
    movable: bool
    """Whether a finger may take up its tray now."""
    note: str
    """What the players wrote about it themselves."""
    puts: bool
    """Whether it may be put on another cell by hand now."""


@dataclass(frozen=True, slots=True)
class BoxView:
    """A box of a page: a zone, a card, a pile, a player.

    `turned` draws it lying on its side, `marked` with an outline; `secret` is for its player's
    eyes alone.
    """

    title: str
    lines: tuple[str, ...]
    seat: str
    count: int | None
    choices: tuple[ChoiceView, ...]
    id: str
    icon: str
    tone: str
    spent: bool
    turned: bool
    secret: bool
    piece: str
    icons: tuple[str, ...]
    marked: bool
    badge: str
    note: str
    colour: str
    drawn: str


@dataclass(frozen=True, slots=True)
class SectionView:
    """A heading and its boxes, in a grid, in a row, in a list or along a track."""

    title: str
    boxes: tuple[BoxView, ...]
    shape: str = "grid"
    seat: str = ""
    text: str = ""
    piece: str = ""
    tag: str = ""


@dataclass(frozen=True, slots=True)
class PageView:
    """A page beside the turn, with its buttons.

    `hands` are the buttons with which a player alone looks at it, on a screen that all share.
    """

    id: str
    title: str
    sections: tuple[SectionView, ...]
    forms: tuple[FormView, ...]
    hands: tuple[ChoiceView, ...] = ()
    icon: str = ""
    badge: str = ""

    @property
    def choices(self) -> tuple[ChoiceView, ...]:
        """The buttons of all its boxes."""
        return tuple(
            choice for section in self.sections for box in section.boxes for choice in box.choices
        )


@dataclass(frozen=True, slots=True)
class SeatScoreView:
    """A player's points, and what wins the game."""

    seat: str
    points: int
    goal: int | None
    unit: str
    detail: str
    form: FormView | None
    """What sets the points right."""


@dataclass(frozen=True, slots=True)
class ScoreLineView:
    """One reason for points, and what the players can do about it."""

    text: str
    points: int
    seat: str
    piece: str
    sure: bool
    choices: tuple[ChoiceView, ...]
    detail: str


@dataclass(frozen=True, slots=True)
class ScorePageView:
    """The score: points by player, their reasons, and the button that takes them now."""

    seats: tuple[SeatScoreView, ...]
    lines: tuple[ScoreLineView, ...]
    confirm: ChoiceView | None
    winner: str
    """A seat, or "draw"."""
    won: str
    """Who has won, as a sentence, and how."""
    how: str
    ends: tuple[ChoiceView, ...]
    """What ends the game early."""
    terms_title: str
    terms: tuple[str, ...]
    """What gives points and what decides the game."""


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A place to which players move a tray: the verdict, and what they may say of it.

    `contact` is the part of another tray's edge at which it stands, as x, y, x, y. The first of
    the `choices` puts it down there, if one action surely explains it.
    """

    piece: str
    x: float
    y: float
    heading: float
    contact: tuple[float, ...]
    verdict: str
    """Whether it may stand there: yes, no, unsure; none while it has not moved."""
    text: str
    why: str
    far: float
    """How far it went, in inches."""
    only_turns: bool
    title: str
    choices: tuple[ChoiceView, ...]
    turns: bool
    """Whether the tray may be turned."""


@dataclass(frozen=True, slots=True)
class ClockSideView:
    """The time of one player in seconds, and the buttons that give or take some."""

    seat: str
    name: str
    used: float
    left: float | None
    """None: no time is set."""
    choices: tuple[ChoiceView, ...]


@dataclass(frozen=True, slots=True)
class ClockView:
    """The players' clock, and the buttons that start, pause or remove it."""

    used: bool
    """Whether this game uses one."""
    running: bool
    side: str
    """Whose time runs, or would."""
    sides: tuple[ClockSideView, ...]
    text: str
    """The time of all together."""
    choices: tuple[ChoiceView, ...]


@dataclass(frozen=True, slots=True)
class GuideView:
    """What to tap now in a guided turn, why, and the button that leaves the guide."""

    step: str
    text: str
    why: str
    piece: str
    """The piece to be tapped, until it is selected."""
    leave: ChoiceView | None


@dataclass(frozen=True, slots=True)
class TurnView:
    """Everything that one viewer sees of the game now."""

    seq: int
    turn: str | None
    """Whose turn the rules say it is."""
    acts: Seats
    """Who decides or rolls now."""
    headline: str
    result: str
    undo: str
    prompts: tuple[PromptView, ...]
    offers: tuple[OfferView, ...]
    refused: tuple[RefusedView, ...]
    score: Mapping[str, int]
    winner: str | None
    seat: str | None
    """The viewer: a seat, or None for the shared tablet."""
    selected: str | None
    redo: str
    seats: Mapping[str, str]
    """The players' names by seat."""
    pieces: tuple[PieceLine, ...]
    pages: tuple[PageView, ...]
    notice: str
    """What the newest move or command is to be told, such as a reminder."""
    guide: GuideView | None
    """In a guided turn: what to tap now."""
    score_page: ScorePageView | None
    corrections: PageView | None
    """What may be corrected at the selected piece."""
    placing: PlaceView | None
    """The place that was tried for a tray."""
    log: tuple[str, ...]
    """The newest steps as sentences, the last one first."""
    clock: ClockView
    players: tuple[SeatView, ...]
    """The players with their colours and marks, in seating order."""
    cards: Mapping[str, Any] | None
    """In a game of cards what lies on the table: a `CardTable` without what is empty."""

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = record_json(self)
        return found


def record_json(record: Any) -> Any:
    """A record of plain values as JSON."""
    if record is None or isinstance(record, str | int | float):
        return record
    if isinstance(record, list | tuple):
        return [record_json(value) for value in record]
    if isinstance(record, Mapping):
        return {str(key): record_json(value) for key, value in record.items()}
    names = field_names(record.__class__)
    return {name: record_json(getattr(record, name)) for name in names} if names else record


@cache
def field_names(kind: type) -> tuple[str, ...]:
    """The fields of a kind of record; none of what is no record."""
    return tuple(entry.name for entry in fields(kind)) if is_dataclass(kind) else ()
