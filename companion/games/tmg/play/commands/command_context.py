"""The context of a running command: its events so far, the state after them, its fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from random import Random
from typing import Any, TypeVar

from companion.games.api.play import Event, FieldSpec, Refusal
from companion.games.tmg.play.events.event_log import apply
from companion.games.tmg.play.state.game_state import (
    ACTIVATION,
    CLEAN_UP,
    SET_UP,
    GameState,
    PendingTask,
)
from companion.games.tmg.play.state.unit_state import UnitState
from models.field import Field, shown
from models.lazy_message import say

LONGEST = 200


class CommandContext:
    """Collects the events of one command; each is applied at once so that the next one sees it."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.events: list[Event] = []
        self.answer: dict[str, Any] = {}
        self._drawn = 0

    def add(self, kind: str, /, **data: Any) -> GameState:
        """Add an event and apply it."""
        if self._drawn:
            data["drawn"] = self._drawn
            self._drawn = 0
        event = Event(kind, data)
        self.state = apply(self.state, event)
        self.events.append(event)
        return self.state

    def remind(self, *sentences: str) -> None:
        """Tell the players what they may do now, without waiting for it."""
        self.answer.setdefault("reminders", []).extend(say(one) for one in sentences)

    def dice(self, count: int, faces: int = 6) -> list[int]:
        """Roll dice: the next ones of the seeded sequence, recorded by the next event."""
        first = self.state.rolls + self._drawn
        self._drawn += count
        return [die(self.state.seed, place, faces) for place in range(first, first + count)]

    def shuffled(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        """Shuffle cards by the same seeded sequence."""
        order = list(cards)
        Random(f"{self.state.seed}/{self.state.rolls + self._drawn}").shuffle(order)
        self._drawn += 1
        return tuple(order)


def die(seed: int, place: int, faces: int) -> int:
    """The die at an index of a seeded sequence, from a 64-bit hash, whose bias is negligible.

    >>> [die(7, place, 6) for place in range(8)]
    [6, 5, 5, 5, 1, 3, 3, 1]
    """
    drawn = blake2b(b"%d/%d" % (seed, place), digest_size=8).digest()
    return int.from_bytes(drawn) % faces + 1


@dataclass(frozen=True, slots=True)
class CommandArgs:
    """The fields of a command, validated: an error names the field."""

    raw: Mapping[str, Any]
    do: str = "command"

    def has(self, key: str) -> bool:
        """Whether the field is present and not null."""
        return self.raw.get(key) is not None

    def field(self, key: str) -> Field:
        """The field, or an error that names it."""
        if not self.has(key):
            Field(None, self.do).fail(say("field {key!r} is missing", key=key))
        return Field(self.raw[key], self.do, key)

    def text(self, key: str, default: str = "") -> str:
        """A text; the default if the field is absent."""
        return self.field(key).text(LONGEST) if self.has(key) else default

    def need(self, key: str) -> str:
        """A required text."""
        return self.field(key).text(LONGEST)

    def choice(self, key: str, known: tuple[str, ...], default: str | None = None) -> str:
        """One of the known words."""
        if default is not None and not self.has(key):
            return default
        return self.field(key).choice(known)

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int:
        if default is not None and not self.has(key):
            return default
        return self.field(key).whole(low, high)

    def number(self, key: str, low: float, high: float) -> float | None:
        """A number, or None if the field is absent."""
        return self.field(key).number(low, high) if self.has(key) else None

    def flag(self, key: str, default: bool = False) -> bool:
        return self.field(key).flag() if self.has(key) else default

    def maybe(self, key: str) -> bool | None:
        """True, false, or None if the field is absent."""
        return self.field(key).flag() if self.has(key) else None

    def texts(self, key: str, at_most: int = 60) -> tuple[str, ...]:
        """A list of texts, or one text; empty if the field is absent."""
        if not self.has(key):
            return ()
        if isinstance(self.raw[key], str):
            return (self.need(key),)
        return tuple(item.text(LONGEST) for item in self.field(key).items(at_most))

    def faces(self, key: str = "faces", highest: int = 6) -> list[int] | None:
        """The dice the players rolled; None if the companion is to roll."""
        if not self.has(key):
            return None
        if isinstance(self.raw[key], int | float):
            return [self.field(key).whole(1, highest)]
        return [item.whole(1, highest) for item in self.field(key).items(100)]


Verb = Callable[[CommandContext, CommandArgs], Refusal | None]
F = TypeVar("F", bound=Callable[..., Refusal | None])


@dataclass(frozen=True, slots=True)
class CommandRule:
    """A command: its entry in `help`, when it is accepted, and its function."""

    name: str
    what: str
    fields: tuple[FieldSpec, ...]
    verb: Verb
    phases: tuple[str, ...]
    busy: bool
    """Whether it is accepted while an attack, a test or another task is pending."""
    keys: frozenset[str]
    """The fields the command may have."""


COMMANDS: dict[str, CommandRule] = {}
"""Every command of the game by name; the modules of this package register theirs here."""


def command(
    name: str,
    what: str,
    *fields: FieldSpec,
    phases: tuple[str, ...] = (ACTIVATION,),
    busy: bool = False,
    of: Callable[[GameState, CommandArgs], Any] | None = None,
) -> Callable[[F], F]:
    """A decorator that registers a function as a command of the game.

    `of` finds what the command is about, or refuses; the function gets it as a third argument.
    """

    def known(verb: F) -> F:
        def about(deed: CommandContext, given: CommandArgs) -> Refusal | None:
            found = of(deed.state, given) if of else None
            if isinstance(found, Refusal):
                return found
            return verb(deed, given, found) if of else verb(deed, given)

        keys = frozenset({"do", *(one.name for one in fields)})
        COMMANDS[name] = CommandRule(name, what, fields, about, phases, busy, keys)
        return verb

    return known


interrupt = partial(command, phases=(ACTIVATION, CLEAN_UP), busy=True)
"""A command that is accepted in every round, also while something is pending."""
anytime = partial(command, phases=(SET_UP, ACTIVATION, CLEAN_UP), busy=True)
"""A command that is accepted before the first round too."""


def waiting(refusal: Refusal, *kinds: str) -> Callable[[GameState, CommandArgs], Any]:
    """Finds the pending task of one of these kinds: by its number, else the first one."""

    def found(state: GameState, given: CommandArgs) -> PendingTask | Refusal:
        tasks = [task for task in state.tasks if task.kind in kinds]
        if given.has("task"):
            number = given.whole("task", 0, 10**6)
            tasks = [task for task in tasks if task.id == number]
        return tasks[0] if tasks else refusal

    return found


def on_field(state: GameState, given: CommandArgs) -> UnitState | Refusal:
    """Finds the combat unit that a command names, which must be on the battlefield."""
    name = given.need("unit")
    if state.has_ncu(name):
        return no("TMG-NCU-1", "{unit} is not on the battlefield", unit=name)
    unit = state.unit(name)
    if not unit.standing:
        return no("TMG-UNT-11", "{unit} is not on the battlefield", unit=name)
    return unit


def ask(
    name: str, kind: str, what: str = "", required: bool = False, options: tuple[str, ...] = ()
) -> FieldSpec:
    """A field of a command, optional by default."""
    return FieldSpec(name, kind, what, required, options)


def no(why: str, one: str, many: str = "", /, **values: Any) -> Refusal:
    """A refusal with its rule number and its sentence, a lazy message of an English template."""
    return Refusal(why, say(one, many, **values))


def unsure(field: str, why: str, one: str, /, **values: Any) -> Refusal:
    """A refusal that asks the players for a field that the table cannot decide."""
    return Refusal(why, say(one, **values), field)


def quoted(value: object) -> str:
    """A value quoted for use in a sentence."""
    return shown(value)
