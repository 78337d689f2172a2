"""The register of events: what each kind does to the state, and how it is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.games.tmg.play.state import Mod, State

Data = Mapping[str, Any]
Change = Callable[[State, Data], State]
Told = Callable[[Data], str]

KINDS: dict[str, tuple[Change, Told]] = {}


class Shy(dict[str, Any]):
    """Facts for a title: what is missing is left out, never an error."""

    def __missing__(self, key: str) -> str:
        return ""


def kind(name: str, title: str | Told) -> Callable[[Change], Change]:
    """Make a function what an event of that name does."""

    def known(change: Change) -> Change:
        told: Told
        if isinstance(title, str):
            text = title

            def told(data: Data) -> str:
                return text.format_map(Shy(data))

        else:
            told = title
        KINDS[name] = (change, told)
        return change

    return known


def count(number: int, word: str) -> str:
    """'1 wound', '3 wounds'."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def mods(raw: Any) -> tuple[Mod, ...]:
    """Modifiers as a log writes them."""
    return tuple((str(name), int(value)) for name, value in raw)


def called(data: Data) -> str:
    """A unit's id and, where the event tells it, its name: 'b1 (Stark Sworn Swords)'."""
    return f"{data['unit']} ({data['name']})" if data.get("name") else str(data["unit"])
