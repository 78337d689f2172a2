"""The event types of a game: how each changes the state, its title, and the outcome of a step.

A game makes one registry and registers a function for every event type. Its `Play` then answers
`apply` and `title` with the registry's:

    EVENTS = EventRegistry[GameState]()
    kind = EVENTS.kind

    @kind("passed", "{player} passes")         # the title: a template filled with the event's data,
    def passed(state: GameState, data: Data) -> GameState:  # a function of it, or "" for none
        return replace(state, passed=(*state.passed, data["side"]))

    class MyPlay(Play[GameState]):
        def apply(self, state: GameState, event: Event) -> GameState:
            return EVENTS.apply(state, event)

A state that rolls dice has a field `rolls`, which `apply` advances by the dice an event has drawn
(see `StepContext`, which takes the registry and adds events by type). Titles are read without the
state: write names into the events, not only ids.

An event type whose meaning changes is registered again with a higher `version`; the function of the
older version stays, so that older logs fold as before. New events get the highest version.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from string import Formatter
from typing import Any, Generic, TypeVar

from companion.games.api.play import Event, Pending
from companion.games.api.screen_views import Outcome
from models.message import CompanionError, joined, say

Data = Mapping[str, Any]
Title = Callable[[Data], str]
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class EventKind(Generic[S]):
    """One version of an event type: how it changes the state, and its title."""

    change: Callable[[S, Data], S]
    title: Title


class EventRegistry(Generic[S]):
    """The event types of a game by name and version; the modules of the game register theirs."""

    def __init__(self) -> None:
        self._kinds: dict[str, dict[int, EventKind[S]]] = {}

    def __iter__(self) -> Iterator[str]:
        """The names of the event types."""
        return iter(self._kinds)

    def kind(
        self, name: str, title: str | Title, version: int = 1
    ) -> Callable[[Callable[[S, Data], S]], Callable[[S, Data], S]]:
        """A decorator that registers a function as what an event type does to the state."""

        def register(change: Callable[[S, Data], S]) -> Callable[[S, Data], S]:
            versions = self._kinds.setdefault(name, {})
            if version in versions:
                raise ValueError(f"two functions for version {version} of the event type {name!r}")
            words = partial(fill_title, title) if isinstance(title, str) else title
            versions[version] = EventKind(change, words)
            return change

        return register

    def event(self, name: str, data: Data) -> Event:
        """A new event, in the highest version of its type."""
        return Event(name, data, max(self._kinds.get(name, (1,))))

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
        return kind.change(state, event.data)

    def title(self, event: Event) -> str:
        """The event as a short public sentence; an unknown event's is its type."""
        kind = self._kinds.get(event.type, {}).get(event.version)
        return kind.title(event.data) if kind else event.type


@cache
def fields_of(template: str) -> tuple[str, ...]:
    """The data fields that a title template uses."""
    return tuple(name for _, name, _, _ in Formatter().parse(template) if name)


def fill_title(template: str, data: Data) -> str:
    """A title filled with an event's data; missing fields are left empty, never an error."""
    if not template:
        return ""
    return say(template, **{name: data.get(name, "") for name in fields_of(template)})


MOST_TITLES = 3


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

    def outcome(
        self,
        events: Sequence[Event],
        pending: Sequence[Pending],
        dice: Sequence[int | str],
        more: Sequence[str] = (),
    ) -> Outcome | None:
        """What happened in these events, and what follows; None if nothing is to be told."""
        titles = [
            (event, text)
            for event in events
            if event.type not in self.quiet and (text := self.registry.title(event))
        ]
        if not titles:
            return None
        if len(titles) > MOST_TITLES:
            titles = [one for one in titles if one[0].type in self.loud] or titles[:1]
        return Outcome(
            joined([*(text for _, text in titles), *more], self.between),
            pending[0].say if pending else "",
            "bad" if any(event.type in self.bad for event in events) else "",
            "dice" if dice else "",
            next((str(event.data["side"]) for event in events if event.data.get("side")), ""),
            tuple(dice),
            any(event.type in self.big for event in events),
        )
