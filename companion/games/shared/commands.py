"""Commands of a game: their fields, when they are accepted, their seeded dice and their events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from random import Random
from typing import Any, Generic, Literal, ParamSpec, Protocol, TypeVar

from companion.games.api.play import Command, Event, FieldSpec, Refusal
from companion.games.shared.event_registry import EventKind, EventRegistry
from models.field import Field, shown
from models.message import say


def die(seed: int, place: int, faces: int) -> int:
    """The die at an index of a seeded sequence, from a 64-bit hash, whose bias is negligible.

    >>> [die(7, place, 6) for place in range(8)]
    [6, 5, 5, 5, 1, 3, 3, 1]
    """
    drawn = blake2b(b"%d/%d" % (seed, place), digest_size=8).digest()
    return int.from_bytes(drawn) % faces + 1


LONGEST = 200


class SeededState(Protocol):
    """A state with the seed of its dice and how many of them were drawn."""

    @property
    def seed(self) -> int: ...

    @property
    def rolls(self) -> int: ...


S = TypeVar("S", bound=SeededState)
P = ParamSpec("P")
K = TypeVar("K", bound=str)
W = TypeVar("W", bound=str)


class StepContext(Generic[S]):
    """Collects the events of one command; each is applied at once so that the next one sees it."""

    def __init__(self, state: S, events: EventRegistry[S]) -> None:
        self.state = state
        self.events: list[Event] = []
        self.answer: dict[str, Any] = {}
        self._registry = events
        self._drawn = 0

    def add(self, kind: EventKind[S, P], /, *args: P.args, **fields: P.kwargs) -> S:
        """Add an event of a type, with its fields, and apply it."""
        event = kind.event(*args, **fields)
        if self._drawn:
            event = replace(event, data={**event.data, "drawn": self._drawn})
            self._drawn = 0
        self.state = self._registry.apply(self.state, event)
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


class CommandArgs(Generic[K]):
    """The fields of a command, validated: an error names the field.

    `K` are the names of all fields of a game, so that the type checker sees a wrong one.
    """

    def __init__(self, raw: Mapping[str, Any], do: str = "command") -> None:
        self.raw, self.do = raw, do

    def has(self, key: K | Literal["faces"]) -> bool:
        """Whether the field is present and not null."""
        return self.raw.get(key) is not None

    def field(self, key: K | Literal["faces"]) -> Field:
        """The field, or an error that names it."""
        if not self.has(key):
            Field(None, self.do).fail(say("field {key!r} is missing", key=key))
        return Field(self.raw[key], self.do, key)

    def text(self, key: K, default: str = "") -> str:
        """A text; the default if the field is absent."""
        return self.field(key).text(LONGEST) if self.has(key) else default

    def need(self, key: K) -> str:
        """A required text."""
        return self.field(key).text(LONGEST)

    def choice(self, key: K, known: tuple[W, ...], default: W | None = None) -> W:
        """One of the known words."""
        if default is not None and not self.has(key):
            return default
        return known[known.index(self.field(key).choice(known))]

    def whole(self, key: K, low: int, high: int, default: int | None = None) -> int:
        if default is not None and not self.has(key):
            return default
        return self.field(key).whole(low, high)

    def number(self, key: K, low: float, high: float) -> float | None:
        """A number, or None if the field is absent."""
        return self.field(key).number(low, high) if self.has(key) else None

    def flag(self, key: K, default: bool = False) -> bool:
        return self.field(key).flag() if self.has(key) else default

    def maybe(self, key: K) -> bool | None:
        """True, false, or None if the field is absent."""
        return self.field(key).flag() if self.has(key) else None

    def texts(self, key: K, at_most: int = 60) -> tuple[str, ...]:
        """A list of texts, or one text; empty if the field is absent."""
        if not self.has(key):
            return ()
        if isinstance(self.raw[key], str):
            return (self.need(key),)
        return tuple(item.text(LONGEST) for item in self.field(key).items(at_most))

    def faces(self, key: K | Literal["faces"] = "faces", highest: int = 6) -> list[int] | None:
        """The dice the players rolled; None if the companion is to roll."""
        if not self.has(key):
            return None
        if isinstance(self.raw[key], int | float):
            return [self.field(key).whole(1, highest)]
        return [item.whole(1, highest) for item in self.field(key).items(100)]


C = TypeVar("C", bound=StepContext[Any])
F = TypeVar("F", bound=Callable[..., Refusal | None])


@dataclass(frozen=True, slots=True)
class CommandRule(Generic[C]):
    """A command: its entry in `help`, when it is accepted, and its function."""

    name: str
    what: str
    fields: tuple[FieldSpec, ...]
    verb: Callable[[C, CommandArgs[Any]], Refusal | None]
    phases: tuple[str, ...]
    busy: bool
    """Whether it is accepted while an attack, a test or another task is pending."""
    keys: frozenset[str]
    """The fields the command may have."""


class CommandRegistry(Generic[C]):
    """The commands of a game by name; the modules of the game register theirs here."""

    def __init__(
        self,
        phases: tuple[str, ...],
        field_names: tuple[str, ...],
        busy_phases: tuple[str, ...] = (),
    ) -> None:
        """`busy_phases` are those of the commands that answer a task, if they are others."""
        self.phases = phases
        self.busy_phases = busy_phases or phases
        self.field_names = {"do", *field_names}
        self.rules: dict[str, CommandRule[C]] = {}

    def command(
        self,
        name: str,
        what: str,
        *fields: FieldSpec,
        phases: tuple[str, ...] | None = None,
        busy: bool = False,
        of: Callable[[Any, CommandArgs[Any]], Any] | None = None,
    ) -> Callable[[F], F]:
        """A decorator that registers a function as a command of the game.

        `of` finds in the state what the command is about, or refuses; the function gets it as a
        third argument.
        """

        def known(verb: F) -> F:
            def about(context: C, given: CommandArgs[Any]) -> Refusal | None:
                found = of(context.state, given) if of else None
                if isinstance(found, Refusal):
                    return found
                return verb(context, given, found) if of else verb(context, given)

            keys = frozenset({"do", *(one.name for one in fields)})
            if unknown := keys - self.field_names:
                raise ValueError(f"the command {name!r} has unknown fields: {sorted(unknown)}")
            usual = self.busy_phases if busy else self.phases
            when = usual if phases is None else phases
            self.rules[name] = CommandRule(name, what, fields, about, when, busy, keys)
            return verb

        return known

    def listed(self) -> Sequence[Command]:
        """Every command as `help` lists it, by name."""
        return tuple(
            Command(rule.name, rule.what, rule.fields)
            for rule in sorted(self.rules.values(), key=lambda rule: rule.name)
        )


def ask(
    name: str, kind: str, what: str = "", required: bool = False, options: tuple[str, ...] = ()
) -> FieldSpec:
    """A field of a command, optional by default."""
    return FieldSpec(name, kind, what, required, options)


def no(why: str, one: str, many: str = "", /, **values: Any) -> Refusal:
    """A refusal with its rule number and its sentence, a lazy message of an English template."""
    return Refusal(why, say(one, many, **values))


def quoted(value: object) -> str:
    """A value quoted for use in a sentence."""
    return shown(value)
