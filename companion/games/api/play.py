"""The face of a game in play: what the session may ask, so that it can keep a game it knows not.

A game's package holds such an object under the name `PLAY` in its module `play`. The session
keeps the log, undo and redo, notes and the clock; the game decides what a command means.

    setup = play.prepare({"armies": ...})      # checked and written out in full, or refused
    state = play.start(setup)                  # frozen, and pure: the same setup, the same state
    match play.decide(state, {"do": "activate", "unit": "b1"}):
        case Refusal(why, say): ...            # nothing changes
        case Decided(events):                  # logged first, applied then
            for event in events:
                state = play.apply(state, event)

Everything random happens in `decide` (from the seed in the state) and is written into the event:
`apply` rolls nothing, asks no clock, reads no file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from models import Table

Plain = Mapping[str, Any]
"""A JSON object: text, whole or finite numbers, true, false, null, lists and objects of these."""

State = TypeVar("State")
"""A game's state: frozen dataclasses and tuples all the way down, comparable with ==."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, for good: its type, its facts, and the version of their meaning.

    A later program reads every earlier version; a type that changes its meaning gets a higher one.
    """

    type: str
    data: Plain = field(default_factory=dict)
    version: int = 1


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why not: the number of the rule (or a word such as "INPUT") and a sentence for the player.

    `asks` names the field of the command that answers what the table cannot tell.
    """

    why: str
    say: str
    asks: str = ""


@dataclass(frozen=True, slots=True)
class Accepted:
    """What a command does: events to log, in order, and what else the player asked to hear.

    No events: the command only asked something. All events of one command are one step of undo.
    `after` is the state after the events, where the game has it anyway: they need not be applied
    again if the log gives them back unchanged.
    """

    events: tuple[Event, ...] = ()
    answer: Plain = field(default_factory=dict)
    after: Any = field(default=None, repr=False, compare=False)


Decision = Accepted | Refusal


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of a command: `kind` says what is expected (text, number, inches, ...)."""

    name: str
    kind: str
    what: str = ""
    required: bool = True
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """A command as `help` lists it."""

    name: str
    what: str
    fields: tuple[FieldSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """Something the game waits for: whose it is (None: both, or anybody) and which commands do it.

    `data` holds the public facts (target, modifiers, odds) as the view shows them.
    """

    what: str
    say: str
    side: str | None = None
    commands: tuple[str, ...] = ()
    data: Plain = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RolledDice:
    """Dice that fell in an event, for the report: who rolled what for which reason."""

    side: str | None
    what: str
    faces: tuple[int, ...]
    die: int = 6
    """How many faces each of them has."""


@dataclass(frozen=True, slots=True)
class UnitSummary:
    """Somebody in an army, for the report: the name, the points, and what became of them."""

    name: str
    points: int | None = None
    fate: str = ""
    lost: bool = False


@dataclass(frozen=True, slots=True)
class ArmySummary:
    """One player's army, for the report."""

    side: str
    name: str
    leader: str = ""
    fighters: tuple[UnitSummary, ...] = ()


@dataclass(frozen=True, slots=True)
class GameMoment:
    """Where a game stands, in the few words every game shares.

    `turn` counts the turns of the whole game (0: before the first); it tells the report when to
    draw the map. `side` is whose decision is awaited: its clock runs. `winner` is a side, or
    "draw"; None while the game goes on. `table` is the newest known table, if any.
    """

    round: int
    phase: str
    turn: int
    side: str | None
    sides: tuple[str, ...]
    score: Mapping[str, int]
    winner: str | None = None
    table: Table | None = None


class Play(Protocol[State]):
    """A game that can be played: stateless; every method is a function of its arguments."""

    @property
    def games(self) -> tuple[str, ...]:
        """The games it plays, as table files name them: one per edition."""
        ...

    def prepare(self, game: str, command: Plain) -> Plain | Refusal:
        """The set-up a `set-up` command asks for: checked, and complete in itself.

        It is logged as it is; later changes of catalogues must not change an old game, so it holds
        the numbers and not only the names. The session has put a whole number `seed` into the
        command where the players gave none.
        """
        ...

    def start(self, game: str, setup: Plain) -> State:
        """The state before the first event; pure."""
        ...

    def decide(self, state: State, command: Plain) -> Decision:
        """What a command (`do` and its fields, any JSON values) does here, or why it may not.

        It may raise CompanionError for a malformed field (`models.field.Field` does): the session
        answers that as a refusal. It raises nothing else, whatever the command holds.
        """
        ...

    def apply(self, state: State, event: Event) -> State:
        """The state after an event that `decide` gave out in this state; pure."""
        ...

    def view(self, state: State, side: str | None = None) -> Plain:
        """The state as `{"do": "state"}` prints it; hidden things only for the side that owns them.

        With None it is what both players (and anybody looking on) may see. A game whose views have
        much in common makes a `View` of parts that it tells once (see `json_fragment`).
        """
        ...

    def moment(self, state: State) -> GameMoment:
        """Round, phase, whose turn, score, winner, table."""
        ...

    def pending(self, state: State) -> Sequence[Pending]:
        """Everything the game waits for now, the most urgent first."""
        ...

    def options(self, state: State, side: str | None = None) -> Sequence[Plain]:
        """For each prompt of `pending`, in its order, what it offers to another program.

        `options` holds whole commands, every one of which is taken as it stands; `open` names the
        commands of the prompt that can be given in other ways, too. Hidden things are offered only
        to the side that owns them. A game without it offers nothing.
        """
        ...

    def title(self, event: Event) -> str:
        """The event as a short public sentence: "r2 suffers 3 wounds"; nothing hidden in it.

        Empty where the event goes without saying beside the others of its command.
        """
        ...

    def tale(self, state: State, event: Event) -> str:
        """The event as a battle report tells it: by the names in this state, the one after it.

        Empty for what only keeps the game going, and for dice: the report shows those as they lie.
        """
        ...

    def occasion(self, state: State) -> str:
        """What is played, for the head of a report: the mode, the size, the edition."""
        ...

    def hosts(self, state: State) -> Sequence[ArmySummary]:
        """The armies, with what is left of them."""
        ...

    def dice(self, event: Event) -> Sequence[RolledDice]:
        """The dice that fell in this event."""
        ...

    def help(self, game: str) -> Sequence[Command]:
        """Every command of the game, `set-up` first."""
        ...
