"""Prompts and offers: what a game waits for, what a piece or a player may do now, and why not.

Every text in these records may be a lazy message (`models.message.say`); the screen translates
it when it draws. No text holds an id: pieces and seats go by the names players know.

Where a record sends commands, `by` are the seats that may press it, anybody if there are none;
`shared` says that it answers for all of them at once: on a screen that they share one of them
presses it, on screens of their own each of them does. `seat` is the player it speaks of, which may
be another one. Games fill in both with `companion.games.api.authority`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from companion.games.api.play import Plain
from models import Pose, Table, Unit
from models.message import say

CellMark = Literal["", "engages", "stops", "danger", "more", "unsure", "barred"]
"""What a piece meets there: an enemy, the end of its move, harm, a higher cost, a close call."""


@dataclass(frozen=True, slots=True)
class TargetCell:
    """One cell: the commands that a tap on it sends.

    For a piece that covers several cells it is the lower left one. `text` is short and stands on
    the cell ("2"); `detail` says what happens there ("engaged with Lewyn Martell").
    """

    cell: tuple[int, int]
    commands: tuple[Plain, ...]
    mark: CellMark = ""
    text: str = ""
    detail: str = ""
    by: tuple[str, ...] = ()
    shared: bool = False
    piece: str = ""
    """The piece that goes there, where the mark shows every cell that it would cover."""
    size: int = 0
    """How many cells each way it covers; 0: as many as on the table."""
    path: tuple[tuple[int, int], ...] = ()
    """The cells of its way there from where it stands, where that is no straight line."""
    place: str = ""
    """What players call the cell, where the few of a question have a row each beside the board."""


Look = Literal["primary", "plain", "shown", "quiet", "folded"]
"""`shown`: its row only shows what it would do, and the primary button does it. `folded`: the same,
but seldom meant now; one row unfolds all of them."""
Tone = Literal["", "good", "bad", "warn"]
"""How a text is meant; the screen adds a sign to the colour."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something already known that helps to decide: "Morale 6+", "-1 from the flank".

    `chance` (0 to 1) is drawn as a bar beside the text.
    """

    text: str
    tone: Tone = ""
    chance: float | None = None
    about: tuple[tuple[str, str], ...] = ()
    """The pieces it speaks of, each with its words: behind the text, a tap on one selects it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One button: its text, what stands under it, and the commands it sends in order."""

    text: str
    commands: tuple[Plain, ...]
    look: Look = "plain"
    detail: str = ""
    icon: str = ""
    seat: str = ""
    piece: str = ""
    """The piece it speaks of: highlighted on the table."""
    dice: DiceRequest | None = None
    """Dice that it rolls: entered before it is sent, or left to the game."""
    by: tuple[str, ...] = ()
    shared: bool = False
    moves: str = ""
    """The kind of move that it lets its piece make on an open table: a tray that is simply moved
    so chooses it."""
    ends: tuple[TrayEnd, ...] = ()
    """The only places where that move may end, if the rules name them."""
    begins_with: str = ""
    """The kind of move that its piece may make before it, as part of it."""
    passes: bool = False
    """Whether it passes: small screens keep it in sight."""


SymbolColour = Literal["green", "blue", "red", "purple", "white"]


@dataclass(frozen=True, slots=True)
class DiceSymbol:
    """A symbol on a die: the word of commands, its name, its sign, and what it does now."""

    symbol: str
    name: str
    icon: str
    colour: SymbolColour
    detail: str = ""
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class DiceRequest:
    """Dice to enter, or to let the app roll.

    Faces run from 1 to `sides`; `symbols` are those of each face of a die that shows some.
    `command` is completed with `field`: a list of faces, or one number if `single`. If
    `count_field` is set, players may enter a single number instead: how many dice show `wanted` or
    more ("How many hit on 4+?"), or the total, if `chances` are those of each total; `wanted` is
    then the total that succeeds. `extra` are further dice of other kinds, rolled together with
    these and sent in the same command. If `keep_field` is set, that flag in the command accepts the
    result at once: nobody wants to reroll.
    """

    count: int
    command: Plain
    field: str = "faces"
    sides: int = 6
    symbols: tuple[DiceSymbol, ...] = ()
    text: str = ""
    wanted: int | None = None
    count_field: str = ""
    top_field: str = ""
    """How many of the counted dice show the highest face: asked after the count."""
    chances: tuple[float, ...] = ()
    """The chance of 0, 1, 2 … wanted dice, or of each total."""
    single: bool = False
    keep_field: str = ""
    if_failed: bool = False
    """Whether these extra dice matter only if the total before them does not succeed."""
    optional: bool = True
    """Whether the app may roll: without `field` the game rolls itself."""
    extra: tuple[DiceRequest, ...] = ()


def rerolled_dice(
    again: Sequence[Any], others: Sequence[tuple[Any, DiceRequest]], command: Plain
) -> DiceRequest:
    """The dice that are rolled again, those of another kind after the rest."""
    extra = tuple(replace(dice, command=command) for one, dice in others if one in again)
    if len(extra) == len(again) == 1:
        return extra[0]
    text = say("The dice rolled again")
    return DiceRequest(len(again) - len(extra), command, text=text, extra=extra)


@dataclass(frozen=True, slots=True)
class Entry:
    """A value that players choose or type into a command's field.

    `options` are pairs of a value and its text; without them a number between `least` and `most`,
    or a text, is typed. Options that are ids of pieces are also chosen by tapping the pieces.
    """

    field: str
    text: str
    kind: Literal["option", "several", "number", "text", "cell", "piece"] = "option"
    options: tuple[tuple[Any, str], ...] = ()
    least: int = 0
    most: int = 99
    value: Any = None
    required: bool = True
    only_for: tuple[Any, ...] = ()
    """It is asked for only if an entry before it has one of these values; always if empty."""
    worth: tuple[int, ...] = ()
    """What each option adds to the total of the form's `tallies`."""
    sends: bool = False
    """Whether its options are the buttons that send the form: it is chosen with the last tap."""


@dataclass(frozen=True, slots=True)
class PromptForm:
    """A command with values to choose or to type, sent by one button.

    A form with a single option, or with entries that depend on it, is sent by the last tap.
    """

    text: str
    command: Plain
    entries: tuple[Entry, ...]
    look: Look = "plain"
    detail: str = ""
    opens: bool = False
    """Whether it is a row of the card that opens it; else it lies open."""
    seat: str = ""
    """The player who fills it in alone: the values to choose from are in that seat's prompts."""
    tallies: tuple[str, ...] = ()
    """What it comes to, for each total of the chosen options' `worth` from 0 on."""
    rolls: str = ""
    """The entry of several values that are dice on the table: what those show when they are rolled
    again is entered after it, unless the app rolls."""
    by: tuple[str, ...] = ()
    shared: bool = False
    most: int | None = None
    """The largest total of `worth` with which it can be sent, if there is one."""
    single: tuple[Any, ...] = ()
    """Values of which at most one can be sent; `single_text` says so."""
    single_text: str = ""
    other_dice: tuple[tuple[Any, DiceRequest], ...] = ()
    """The values of `rolls` that are dice of another kind, with how each of them is entered."""


@dataclass(frozen=True, slots=True)
class SeatTotal:
    """What a player's side comes to in a contest, drawn large: "8", with "6 + 2" under it."""

    seat: str
    total: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the game waits for: one card on the screen.

    `seats` are the players asked: none means anybody, several means each of them. A `secret` prompt
    is answered by each of them alone, behind a cover, and revealed by the game when all are in;
    `answered` are the seats that have done so. `page` names the page that answers it best.
    """

    id: str
    title: str
    text: str = ""
    seats: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    dice: DiceRequest | None = None
    rolled: tuple[int | DiceSymbol, ...] = ()
    """Dice that already lie on the table."""
    choices: tuple[Choice, ...] = ()
    forms: tuple[PromptForm, ...] = ()
    pieces: tuple[str, ...] = ()
    """The pieces that may be tapped to answer."""
    cells: tuple[TargetCell, ...] = ()
    """The cells that may be tapped to answer. If a piece is chosen first, its offers have them."""
    secret: bool = False
    hidden: bool = False
    """Whether seats may have choices here that nobody else sees, such as cards in hand."""
    answered: tuple[str, ...] = ()
    page: str = ""
    rule: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    """Further public facts, for other programs."""
    totals: tuple[SeatTotal, ...] = ()
    """The sides of a contest as they stand now."""
    ends: tuple[TrayEnd, ...] = ()
    """Where trays go that its choices move on an open table: drawn there."""
    mover: str = ""
    """The piece that goes to a tapped cell: a hand may put it there instead."""
    player: str = ""
    """Who is asked, by name, where several play for the asked seat."""
    rolled_sides: int = 6
    """How many sides the dice of `rolled` have that show a number."""
    ranged: str = ""
    """The piece in whose range others may be named: the range is drawn while it is asked."""


Verdict = Literal["yes", "no", "unsure"]


@dataclass(frozen=True, slots=True)
class TrayEnd:
    """A place where a move that is decided may end, and the pose there of every tray it moves."""

    text: str
    poses: tuple[tuple[str, Pose], ...]
    trays: tuple[Unit, ...] = ()
    """Trays that are to be put down and that no table shows yet."""

    def shown(self, table: Table) -> tuple[tuple[Unit, Pose], ...]:
        """Each tray as it stands, or as it will be put down, with where it goes."""
        new = {one.id: one for one in self.trays}
        found = ((table.unit(one) if one in table else new.get(one), to) for one, to in self.poses)
        return tuple((unit, pose) for unit, pose in found if unit is not None)

    def on(self, table: Table) -> Table:
        """The table with those trays moved."""
        for unit, pose in self.poses:
            table = table.moved(unit, pose) if unit in table else table
        return table

    def command(self, table: Table) -> Plain:
        """The command that puts those trays there."""
        units = [unit for unit, _ in self.poses]
        return {"do": "table", "table": self.on(table).to_json(), "units": units}


@dataclass(frozen=True, slots=True)
class ActionOffer:
    """An action: its button, its verdict and odds, and the commands that do it.

    `kind` chooses the icon. The game sorts its offers, the best first; those that are not legal
    come last, with the rule and the reason. `reason` also says what an `unsure` verdict rests on,
    and what a legal one takes away: the button that carries it out repeats it.
    """

    kind: str
    text: str
    commands: tuple[Plain, ...] = ()
    piece: str = ""
    target: str = ""
    """The other piece it concerns, highlighted on the table."""
    cells: tuple[TargetCell, ...] = ()
    """The cells at which it may be aimed: tapping one sends its commands. If the players must
    choose one, `commands` is empty; else `commands` is what the game proposes."""
    verdict: Verdict = "yes"
    chance: float | None = None
    """The chance that it succeeds, exactly; `odds` says it in words."""
    odds: str = ""
    """Short, at the right edge of the button: "67 %"."""
    detail: str = ""
    expected: str = ""
    dice: DiceRequest | None = None
    """Dice that the last of its commands rolls; `dice.command` is that command."""
    rules: tuple[str, ...] = ()
    reason: str = ""
    value: float = 0.0
    """What the offer is worth compared with the others of its list: the overview draws the best."""
    by: tuple[str, ...] = ()
    shared: bool = False
    moves: bool = False
    """Whether it moves its piece on an open table: it is recorded with where the piece goes."""
    reach: float | None = None
    """How far its piece may go, where that is decided; 0: it only turns."""
    lines: tuple[float, ...] = ()
    """The only ways it goes, in degrees left of its facing; none: any way."""
    ends: tuple[TrayEnd, ...] = ()
    """Where it may end, for its player to choose from, where the rules name the places."""
    certain: bool = False
    """Whether the only one of `ends` follows from the rules alone."""
    closes: bool = False
    """Whether nothing more is to be done with its piece: it is selected no longer."""
    begins: bool = False
    """Whether its piece acts from then on: a hand may have moved the piece before the tap."""
    keeps_facing: bool = False
    """Whether its piece may not turn on its way."""
    by_row: bool = False
    """Whether players pick it by its row first: the button does not propose it."""
    elsewhere: str = ""
    """Why it may not be aimed at other cells than its own."""
    lanes: tuple[tuple[tuple[float, float], ...], ...] = ()
    """Outlines of what its tray may cover in the end, where its dice lie."""
    family: str = ""
    """Offers of one family are one row beside a board: which of them is meant is chosen once their
    piece is shown on a cell."""
    variant: str = ""
    """What tells it from the others of its family."""
    begins_with: str = ""
    """The move that it begins with, which a hand may have made already, as the check of moves calls
    it."""

    @property
    def possible(self) -> bool:
        """Whether it may be done now: by its button, or by tapping a cell."""
        return self.verdict != "no" and bool(self.commands or self.cells)

    def at(self, cell: tuple[int, int]) -> TargetCell | None:
        """What a tap on a cell does."""
        return next((one for one in self.cells if one.cell == cell), None)
