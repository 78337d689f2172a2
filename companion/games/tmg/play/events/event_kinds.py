"""The registry of event types: how each changes the state, and its title."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from string import Formatter
from typing import Any

from companion.games.tmg.play.state.game_state import GameState
from models.lazy_message import say

Data = Mapping[str, Any]
Change = Callable[[GameState, Data], GameState]
Told = Callable[[Data], str]

KINDS: dict[str, tuple[Change, Told]] = {}


def kind(name: str, title: str | Told) -> Callable[[Change], Change]:
    """A decorator that registers a function as the handler of an event type."""

    def known(change: Change) -> Change:
        told: Told
        if isinstance(title, str):
            told = partial(told_from, title)

        else:
            told = title
        KINDS[name] = (change, told)
        return change

    return known


@lru_cache(maxsize=256)
def named(template: str) -> tuple[str, ...]:
    """The data fields that a title template uses."""
    return tuple(name for _, name, _, _ in Formatter().parse(template) if name)


def told_from(template: str, data: Data) -> str:
    """A title filled with an event's data; missing fields are left empty, never an error."""
    return say(template, **{name: data.get(name, "") for name in named(template)})


def noted(told: str, note: str) -> str:
    """A sentence with an optional note in brackets: 'r2 suffers 3 wounds (Longsword)'."""
    return say("{told} ({note})", told=told, note=note) if note else told


def dice(faces: Iterable[int]) -> str:
    """Die faces as text."""
    return " ".join(str(face) for face in faces)


def called(data: Data) -> str:
    """A unit's id and, if the event has it, its name: 'b1 (Stark Sworn Swords)'."""
    return noted(str(data["unit"]), data.get("name", ""))
