"""The register of events: what each kind does to the state, and how it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from string import Formatter
from typing import Any

from companion.games.tmg.play.state.game_state import GameState, Mod
from models.lazy_message import say

Data = Mapping[str, Any]
Change = Callable[[GameState, Data], GameState]
Told = Callable[[Data], str]

KINDS: dict[str, tuple[Change, Told]] = {}


def kind(name: str, title: str | Told) -> Callable[[Change], Change]:
    """Make a function what an event of that name does."""

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
    """The facts a title wants to know."""
    return tuple(name for _, name, _, _ in Formatter().parse(template) if name)


def told_from(template: str, data: Data) -> str:
    """A title with an event's facts in it: what is missing is left out, never an error."""
    return say(template, **{name: data.get(name, "") for name in named(template)})


def noted(told: str, note: str) -> str:
    """A sentence with a note in brackets, where there is one: 'r2 suffers 3 wounds (Longsword)'."""
    return say("{told} ({note})", told=told, note=note) if note else told


def dice(faces: Iterable[int]) -> str:
    """Faces as players read them out."""
    return " ".join(str(face) for face in faces)


def mods(raw: Any) -> tuple[Mod, ...]:
    """Modifiers as a log writes them."""
    return tuple((str(name), int(value)) for name, value in raw)


def called(data: Data) -> str:
    """A unit's id and, where the event tells it, its name: 'b1 (Stark Sworn Swords)'."""
    return noted(str(data["unit"]), data.get("name", ""))
