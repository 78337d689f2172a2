"""The interface between the session and a playable game: the session works with any game.

A game's package holds such an object named `PLAY` in its module `play`. The session manages the
event log, undo and redo, notes and the clock; the game decides what a command does.

    setup = play.prepare({"armies": ...})      # validated and self-contained, or refused
    state = play.start(setup)                  # frozen, and pure: the same setup, the same state
    match play.decide(state, {"do": "activate", "unit": "b1"}):
        case Refusal(why, say): ...            # nothing changes
        case Accepted(events):                 # logged first, then applied
            for event in events:
                state = play.apply(state, event)

All randomness is in `decide` (from the seed in the state) and is recorded in the event: `apply` is
pure, without dice, clock or files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

Plain = Mapping[str, Any]
"""A JSON object: text, whole or finite numbers, true, false, null, lists and objects of these."""

State = TypeVar("State")
"""A game's state: frozen dataclasses and tuples all the way down, comparable with ==."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, permanently: its type, its data, and the version of that type.

    A newer program reads every older version; a type whose meaning changes gets a higher version.
    """

    type: str
    data: Plain = field(default_factory=dict)
    version: int = 1


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command is refused: a rule number (or a word such as "INPUT") and a sentence for
    players.

    `asks` names the command's field with which the players answer what the table cannot show.
    """

    why: str
    say: str
    asks: str = ""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The result of a command: the events to log, in order, and further answers for the player.

    Without events the command was only a query. All events of one command are one undo step.
    `after` is the state after the events, if the game has computed it: they need not be applied
    again if the log reads them back unchanged.
    """

    events: tuple[Event, ...] = ()
    answer: Plain = field(default_factory=dict)
    after: Any = field(default=None, repr=False, compare=False)


Decision = Accepted | Refusal


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of a command; `kind` says what is expected (text, number, inches, ...)."""

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
    """A prompt: what the game waits for, from whom (None: both, or anybody), and by which commands.

    `data` holds the public facts (target, modifiers, odds) as the view shows them.
    """

    what: str
    say: str
    side: str | None = None
    commands: tuple[str, ...] = ()
    data: Plain = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Authority:
    """Who may give a command: any of these seats, or anybody if there are none.

    `together`: it ends the opportunity of all of them, so that they decide it together.
    """

    seats: tuple[str, ...] = ()
    together: bool = False


ANYBODY = Authority()


def asked_authority(pending: Sequence[Pending], command: Plain) -> Authority:
    """The side that is asked for a command; anybody if nobody is, or several sides are."""
    word, number = command.get("do"), command.get("task", command.get("test"))
    sides = set()
    for one in pending:
        if word in one.commands and number in (None, one.data.get("task", one.data.get("test"))):
            sides.add(one.side)
    side = sides.pop() if len(sides) == 1 else None
    return Authority((side,)) if side else ANYBODY


@dataclass(frozen=True, slots=True)
class RolledDice:
    """The dice rolled in an event, for the report: who rolled what and why."""

    side: str | None
    what: str
    faces: tuple[int, ...]
    die: int = 6
    """The number of faces of each die."""
    symbols: tuple[str, ...] = ()
    """The names of the faces, if they show symbols instead of numbers."""
    told: bool = False
    """Whether the sentence of the event says the faces already."""
    by: bool = False
    """Whether the report names the side that rolled: either may have."""


@dataclass(frozen=True, slots=True)
class UnitSummary:
    """A member of an army, for the report: name, points and fate."""

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
    members: tuple[UnitSummary, ...] = ()


@dataclass(frozen=True, slots=True)
class GameMoment:
    """A summary of the state in terms that every game shares.

    `turn` counts the turns of the whole game (0: before the first); it tells the report when to
    draw the map. `side` is the side whose decision is awaited, of several the one whose turn it is:
    its clock runs. `winner` is a side, or "draw"; None while the game goes on. `table` is the
    newest known table, if any: a `models.Table` or a `models.board_table.BoardTable`. `names` are
    the players' names of sides that are no words of their own; `part` is what the report calls this
    part of a round, where nobody has a turn.
    """

    round: int
    phase: str
    turn: int
    side: str | None
    sides: tuple[str, ...]
    score: Mapping[str, int]
    winner: str | None = None
    table: Any = None
    names: Mapping[str, str] = field(default_factory=dict)
    part: str = ""
    how: str = ""
    """Why the winner has won, in words, where the points alone do not say it."""
    readings: tuple[str, ...] = ()
    """The readings that the game was set up with (`NAME=VALUE`), where they are not the usual."""


class Play(Protocol[State]):
    """The interface of a playable game: stateless; every method is a function of its arguments.

    A game that derives from it inherits plain answers for what it does not need: `options`,
    `authority`, `report_sentence`, `occasion`, `armies`, `dice` and the common part of `view`.
    """

    @property
    def games(self) -> tuple[str, ...]:
        """The names of its games in table files: one per edition."""
        ...

    def prepare(self, game: str, command: Plain) -> Plain | Refusal:
        """The set-up that a `set-up` command asks for: validated and self-contained.

        It is logged as it is. Later changes to catalogues must not change an old game, so it
        contains the numbers and not only the names. The session has added an integer `seed` to the
        command if the players gave none.
        """
        ...

    def start(self, game: str, setup: Plain) -> State:
        """The state before the first event; pure."""
        ...

    def decide(self, state: State, command: Plain) -> Decision:
        """The result of a command (`do` and its fields, any JSON values), or a refusal.

        It may raise CompanionError for a malformed field (`models.field.Field` does): the session
        returns that as a refusal. It raises nothing else, whatever the command contains.
        """
        ...

    def apply(self, state: State, event: Event) -> State:
        """The state after an event that `decide` returned for this state; pure."""
        ...

    def veiled(self, state: State, side: str | None, seed: int) -> State:
        """The same game with other dice to come, and with everything dealt anew that a side cannot
        know (None: that not everybody knows): what a rival, or a trial, may look at.
        """
        reseeded: State = replace(state, seed=seed)  # type: ignore[type-var]
        return reseeded

    def view(self, state: State, side: str | None = None) -> Plain:
        """The state view that `{"do": "state"}` prints; hidden information only for its owner's
        side.

        With None it is what everybody may see. The session adds to it: it is made anew each time.
        """
        now = self.moment(state)
        return {
            "round": now.round,
            "phase": now.phase,
            "active": now.side,
            "vp": dict(now.score),
            "winner": now.winner,
        }

    def moment(self, state: State) -> GameMoment:
        """Round, phase, whose turn, score, winner, table."""
        ...

    def pending(self, state: State) -> Sequence[Pending]:
        """The prompts: everything the game waits for now, most urgent first."""
        ...

    def authority(self, state: State, command: Plain) -> Authority:
        """The seats that may give a command now.

        Most commands belong to the side that is asked for them.
        """
        return asked_authority(self.pending(state), command)

    def options(self, state: State, side: str | None = None) -> Sequence[Plain]:
        """For each prompt of `pending`, in the same order, the commands it offers to another
        program.

        `options` holds complete commands, each of which would be accepted; `open` names the
        commands of the prompt that can also be given in other ways. Hidden information is offered
        only to the side that owns it.
        """
        return [{} for _ in self.pending(state)]

    def title(self, event: Event) -> str:
        """The event as a short public sentence, without hidden information: "r2 suffers 3 wounds".

        Empty if the other events of its command make it obvious.
        """
        ...

    def report_sentence(self, state: State, event: Event) -> str:
        """The event as a sentence for the battle report, with the names of this state (after the
        event).

        Empty for purely technical events, and for dice: the report shows those separately.
        """
        return self.title(event)

    def part_begun(self, event: Event, before: GameMoment) -> GameMoment | None:
        """The moment at which an event begins another part of a round, where the report has parts
        and not turns; None: it does not."""
        return None

    def occasion(self, state: State) -> str:
        """The game being played, for the head of a report: the mode, the size, the edition."""
        return ""

    def armies(self, state: State) -> Sequence[ArmySummary]:
        """The armies, with their current state."""
        return ()

    def dice(self, event: Event) -> Sequence[RolledDice]:
        """The dice rolled in this event."""
        return ()

    def reveals(self, event: Event) -> bool:
        """Whether this event shows everybody what a player had chosen in secret: nobody takes that
        back alone."""
        return False

    def help(self, game: str) -> Sequence[Command]:
        """Every command of the game, `set-up` first."""
        ...
