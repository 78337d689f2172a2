"""The event types of a game: how each changes the state, its title, and the outcome of a step.

A game makes one registry and registers a function for every event type. The function's parameters
after the state are the fields of the event, so that the type checker knows them wherever an event
is added. Its `Play` then answers `apply` and `title` with the registry's:

    EVENTS = EventRegistry[GameState]()
    kind = EVENTS.kind

    @kind("passed", "{player} passes")  # the title: a template, a function of the fields, or ""
    def passed(state: GameState, *, side: str, player: str) -> GameState:
        return replace(state, passed=(*state.passed, side))

    context.add(passed, side="red", player="Ben")

A state that rolls dice has a field `rolls`, which `apply` advances by the dice an event has drawn
(see `StepContext`, which adds events by type). Titles are read without the state: write names into
the events, not only ids. A field whose name is a word of Python's has a parameter with an
underscore: `from_`.

An event type whose meaning changes is registered again with a higher `version`; the function of the
older version stays, so that older logs fold as before. A field that older logs lack has a default.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from string import Formatter
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from companion.games.api.play import Event, Pending
from companion.games.api.screen_views import Outcome
from models.message import CompanionError, joined, say

Data = Mapping[str, Any]
S = TypeVar("S")
P = ParamSpec("P")


def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters."""
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


class EventKind(Generic[S, P]):
    """One version of an event type: how it changes the state, and its title."""

    def __init__(
        self,
        name: str,
        version: int,
        change: Callable[Concatenate[S, P], S],
        title: str | Callable[..., str],
    ) -> None:
        self.name, self.version = name, version
        self._change: Callable[..., S] = change
        self._title = title
        self._fields = {one.rstrip("_"): one for one in parameters(change)[1:]}
        used = fields_of(title) if isinstance(title, str) else parameters(title)
        self._told = [one.rstrip("_") for one in used]
        if unknown := [field for field in self._told if field not in self._fields]:
            raise ValueError(f"the title of the event type {name!r} has unknown fields: {unknown}")

    def __call__(self, state: S, *args: P.args, **fields: P.kwargs) -> S:
        """The state after such an event."""
        return self._change(state, *args, **fields)

    def event(self, *args: P.args, **fields: P.kwargs) -> Event:
        """A new event of this type."""
        data = dict(zip(self._fields, args, strict=False))
        data |= {parameter.rstrip("_"): value for parameter, value in fields.items()}
        return Event(self.name, data, self.version)

    def apply(self, state: S, data: Data) -> S:
        """The state after an event with this data; fields that the function lacks are left out."""
        fields = self._fields
        return self._change(state, **{fields[key]: data[key] for key in data if key in fields})

    def title(self, data: Data) -> str:
        """The event as a short public sentence."""
        if isinstance(self._title, str):
            return fill_title(self._title, data)
        known = {self._fields[key]: data[key] for key in self._told if key in data}
        return self._title(**known)


class EventRegistry(Generic[S]):
    """The event types of a game by name and version; the modules of the game register theirs."""

    def __init__(self) -> None:
        self._kinds: dict[str, dict[int, EventKind[S, ...]]] = {}

    def __iter__(self) -> Iterator[str]:
        """The names of the event types."""
        return iter(self._kinds)

    def kind(
        self, name: str, title: str | Callable[..., str], version: int = 1
    ) -> Callable[[Callable[Concatenate[S, P], S]], EventKind[S, P]]:
        """A decorator that registers a function as what an event type does to the state."""

        def register(change: Callable[Concatenate[S, P], S]) -> EventKind[S, P]:
            found = EventKind(name, version, change, title)
            if self._kinds.setdefault(name, {}).setdefault(version, found) is not found:
                raise ValueError(f"two functions for version {version} of the event type {name!r}")
            return found

        return register

    def apply(self, state: S, event: Event) -> S:
        """The state after an event: one step of the fold."""
        kind = self._kinds.get(event.type, {}).get(event.version)
        if kind is None:
            raise CompanionError(
                say(
                    "an event {type!r} of version {version} is not known",
                    type=event.type,
                    version=event.version,
                )
            )
        if drawn := event.data.get("drawn", 0):
            rolled: Any = state
            state = replace(rolled, rolls=rolled.rolls + drawn)
        return kind.apply(state, event.data)

    def title(self, event: Event) -> str:
        """The event as a short public sentence; an unknown event's is its type."""
        kind = self._kinds.get(event.type, {}).get(event.version)
        return kind.title(event.data) if kind else event.type


def given(**fields: Any) -> dict[str, Any]:
    """The fields that are not None: what an event changes."""
    return {name: value for name, value in fields.items() if value is not None}


@cache
def fields_of(template: str) -> tuple[str, ...]:
    """The data fields that a title template uses."""
    return tuple(name for _, name, _, _ in Formatter().parse(template) if name)


def fill_title(template: str, data: Data) -> str:
    """A title filled with an event's data; missing fields are left empty, never an error."""
    if not template:
        return ""
    return say(template, **{name: data.get(name, "") for name in fields_of(template)})


def doer(event: Event) -> str:
    """The side that an event tells about: of whom does something to another one, else its own."""
    return str(event.data.get("by_side") or event.data.get("side") or "")


@dataclass(frozen=True, slots=True)
class StepName:
    """What Undo calls a step: in full, and what kind of step it is where there is less room."""

    full: str
    short: str = ""


MOST_TITLES = 3
AND_MORE = str(say("{step} (and {count} more)"))


@dataclass(frozen=True, slots=True)
class OutcomeRules:
    """Which types of events are told, which alone if there are many, and which are great or bad."""

    registry: EventRegistry[Any]
    quiet: Collection[str]
    loud: Collection[str]
    big: Collection[str]
    bad: Collection[str]
    between: str = " · "
    """What stands between two titles."""
    undo: Mapping[str, StepName] = field(default_factory=dict)
    """What Undo calls a step that begins with such an event, where its title is long; a kind of it
    is found by both words."""
    whose: Collection[str] = ()
    """The types of events that say whom a step is about, if it has such ones of a single side."""

    def outcome(
        self,
        events: Sequence[Event],
        pending: Sequence[Pending],
        dice: Sequence[int | str],
        more: Sequence[str] = (),
    ) -> Outcome | None:
        """What happened in these events, and what follows; None if nothing is to be told."""
        every = [(event, text) for event in events if (text := self.registry.title(event))]
        if not every:
            return None
        titles = [one for one in every if one[0].type not in self.quiet] or every
        first, undo = titles[0]
        alike = sum(1 for event, _ in titles if event.type == first.type)
        again = "again" if first.data.get("again") else ""
        kind = f"{first.type} {again or first.data.get('kind') or first.data.get('how')}"
        called = self.undo.get(kind) or self.undo.get(first.type)
        short = ""
        if called is not None:
            undo, short = fill_title(called.full, first.data), called.short
        elif alike > 1:
            undo = say(AND_MORE, step=undo, count=alike - 1)
        told = [text for _, text in titles]
        told_of = [event for event, _ in titles]
        if len(titles) > MOST_TITLES:
            told = [text for event, text in titles if event.type in self.loud] or [
                say(AND_MORE, step=told[0], count=len(told) - 1)
            ]
        return Outcome(
            joined([*told, *more], self.between),
            pending[0].say if pending else "",
            "bad" if any(event.type in self.bad for event in events) else "",
            "dice" if dice else "",
            self.side(events) or next(filter(None, map(doer, (*told_of, *events))), ""),
            tuple(dice),
            any(event.type in self.big for event in events),
            undo,
            (*(text for _, text in every), *more),
            undo_short=short,
        )

    def side(self, events: Sequence[Event]) -> str:
        """The one side of the events that say whom a step is about; none if they name several."""
        named = {doer(event) for event in events if event.type in self.whose}
        return named.pop() if len(named) == 1 else ""
