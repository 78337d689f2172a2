"""Readings as settings: a frozen record with a field for each rule that a book leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, fields
from typing import Any, Self

from companion.games.api.rules import ReadingSwitch
from models.message import CompanionError, say


def reading(number: str, choices: str, words: str) -> Any:
    """A field of a game's readings; the first choice is the default."""
    known = tuple(choices.split())
    return field(default=known[0], metadata={"number": number, "choices": known, "words": words})


def switches_of(readings: Any) -> tuple[ReadingSwitch, ...]:
    """The switches of a record of readings, in the order of its fields."""
    return tuple(
        ReadingSwitch(
            one.metadata["number"],
            one.name.replace("_", "-"),
            one.metadata["choices"],
            one.metadata["words"],
        )
        for one in fields(readings)
    )


class GameReadings:
    """What the players agreed on where the book is silent: a frozen record derives from it."""

    __slots__ = ()

    @classmethod
    def parse(cls, texts: Sequence[str]) -> Self:
        """The settings from texts `NAME=VALUE`; an unknown name or value is refused."""
        known = {one.name: one for one in switches_of(cls)}
        found: dict[str, str] = {}
        for text in texts:
            name, _, value = text.partition("=")
            if name not in known:
                names = ", ".join(known)
                raise CompanionError(
                    say("no reading {name!r}; there are: {known}", name=text, known=names)
                )
            if value not in known[name].choices:
                choices = ", ".join(known[name].choices)
                raise CompanionError(
                    say(
                        "reading {name}: {value!r} is none of {known}",
                        name=name,
                        value=value,
                        known=choices,
                    )
                )
            found[name.replace("-", "_")] = value
        return cls(**found)

    def texts(self) -> list[str]:
        """The settings that differ from the defaults, as `parse` reads them."""
        return [
            f"{one.name}={value}"
            for one in switches_of(self)
            if (value := getattr(self, one.name.replace("-", "_"))) != one.default
        ]
