"""Readings as settings: a frozen record with a text for each rule that a book leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from companion.games.api.rules import ReadingSwitch
from models.errors import CompanionError
from models.lazy_message import say

R = TypeVar("R")


def parse_readings(plain: R, switches: Sequence[ReadingSwitch], texts: Sequence[str]) -> R:
    """The default settings with those of the texts `NAME=VALUE`; an unknown one is refused."""
    known = {one.name: one for one in switches}
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
    settings: Any = plain
    changed: R = replace(settings, **found)
    return changed


def reading_texts(settings: Any, plain: Any) -> list[str]:
    """The settings that differ from the defaults, as `parse_readings` reads them."""
    return [
        f"{one.name.replace('_', '-')}={getattr(settings, one.name)}"
        for one in fields(settings)
        if getattr(settings, one.name) != getattr(plain, one.name)
    ]
