"""A pasted list with a misspelt name, and the lists it may have been meant to be."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from models import CompanionError
from models.errors import UnknownName
from models.lazy_message import LazyMessage

BETWEEN = r"\s*(?:,|[–—-]|\()\s*"
"""What stands between a name and its title in lists."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A known name in place of the misspelt one, and the whole list with it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Misspelling:
    """A name that the catalogue lacks, and the nearest ones that it has."""

    name: str
    nearest: tuple[str, ...]
    is_id: bool = False
    """Whether the list has ids; then an id stands before each of the nearest names."""


def misspelling(error: Exception) -> Misspelling | None:
    """The name that an error is about, if it suggests others."""
    message = error.args[0] if error.args else ""
    while isinstance(message, LazyMessage):
        values = message.values
        if "names" in values:
            try:
                name = literal_eval(str(values.get("name", values.get("key", ""))))
            except (SyntaxError, ValueError):  # a long name that was cut
                return None
            return Misspelling(str(name), tuple(str(values["names"]).split("; ")), "key" in values)
        message = values.get("error", "")
    return None


def repairs(text: str, wrong: Misspelling, read: Callable[[str], Any]) -> tuple[Repair, ...]:
    """The lists with a known name instead; each can be read at least past that name."""
    title = wrong.name.split(", ")
    place = re.search(
        BETWEEN.join(map(re.escape, title)) + (r"\)?" if len(title) > 1 else ""), text
    )
    if place is None:
        return ()
    found = []
    for one in wrong.nearest:
        put, _space, name = one.partition(" ") if wrong.is_id else (one, "", one)
        tried = text[: place.start()] + put + text[place.end() :]
        if passes(tried, put, read):
            found.append(Repair(name, tried))
    return tuple(found)


def passes(text: str, put: str, read: Callable[[str], Any]) -> bool:
    """Whether a list can be read, or fails only at another misspelt name."""
    try:
        read(text)
    except UnknownName as error:
        other = misspelling(error)
        return other is not None and other.name != put
    except CompanionError:
        return False
    return True
