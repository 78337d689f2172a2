"""Readings as settings: a frozen record with a field for each rule that a book leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from functools import lru_cache
from typing import Any, ClassVar, Self

from companion.games.api.rules import ReadingSwitch
from models.message import BadInput, UnknownName, say


def reading(number: str, choices: Mapping[str, str], words: str) -> Any:
    """A field of a game's readings: its choices with what players call them, the default first."""
    return field(
        default=next(iter(choices)),
        metadata={"number": number, "choices": choices, "words": words},
    )


def switches_of(readings: Any) -> tuple[ReadingSwitch, ...]:
    """The switches of a record of readings, in the order of its fields."""
    return tuple(
        ReadingSwitch(
            one.metadata["number"],
            one.name.replace("_", readings.JOINT),
            tuple(one.metadata["choices"]),
            one.metadata["words"],
            tuple(one.metadata["choices"].values()),
        )
        for one in fields(readings)
    )


class GameReadings:
    """What the players agreed on where the book is silent: a frozen record derives from it."""

    __slots__ = ()
    JOINT: ClassVar[str] = "-"
    """What joins the words of a name in settings and files."""
    FIXED: ClassVar[tuple[ReadingSwitch, ...]] = ()
    """Open readings of which one value only is built."""

    def __post_init__(self) -> None:
        for one in switches_of(self):
            allowed(one, getattr(self, field_name(one)))

    @classmethod
    def parse(cls, texts: Iterable[str]) -> Self:
        """The settings from texts `NAME=VALUE`, each called by its name, with hyphens or
        underscores, or by its number; an unknown name or value is refused."""
        kind: Any = cls
        found: Self = parsed(kind, tuple(texts))
        return found

    def texts(self) -> list[str]:
        """The settings that differ from the defaults, as `parse` reads them."""
        return [
            f"{one.name}={value}"
            for one in switches_of(self)
            if (value := getattr(self, field_name(one))) != one.default
        ]


@lru_cache(maxsize=64)
def parsed(kind: Any, texts: tuple[str, ...]) -> Any:
    """The readings of a game from texts."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise BadInput("readings", "", say("{text!r} is not NAME=VALUE", text=text))
        one = find_reading(kind, name)
        if field_name(one) in found:
            raise BadInput("readings", one.name, say("is set twice"))
        found[field_name(one)] = allowed(one, value)
    only = {field_name(one) for one in kind.FIXED}
    return kind(**{name: value for name, value in found.items() if name not in only})


def find_reading(kind: type[GameReadings], name: str) -> ReadingSwitch:
    """The open reading of that name or number."""
    for one in (*switches_of(kind), *kind.FIXED):
        if name.casefold() in spellings(one):
            return one
    known = ", ".join(one.name for one in switches_of(kind))
    raise UnknownName(say("no reading {name!r}; there are: {known}", name=name, known=known))


def field_name(one: ReadingSwitch) -> str:
    """The field of a record that holds a reading."""
    return one.name.replace("-", "_")


def spellings(one: ReadingSwitch) -> set[str]:
    """What a reading may be called."""
    return {one.number.casefold(), one.name.replace("-", "_"), one.name.replace("_", "-")}


def allowed(one: ReadingSwitch, value: str) -> str:
    """A value that a reading has."""
    if value not in one.choices:
        known = ", ".join(one.choices)
        problem = say("{value!r} is unknown; known: {known}", value=value, known=known)
        raise BadInput("readings", one.name, problem)
    return value
