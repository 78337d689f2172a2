"""Messages that keep their template and values, so that they can be translated later, and the
errors about input that carry them: one base class, the offending value always in the message.

>>> message = say("{unit} suffers {n} wound", "{unit} suffers {n} wounds", unit="r2", n=3)
>>> message
'r2 suffers 3 wounds'
>>> message.pattern, message.values["unit"]
('{unit} suffers {n} wounds', 'r2')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

NOTHING: Mapping[str, Any] = MappingProxyType({})


CONTEXT = "\x04"
"""Ends the context in a template, as in gettext: a word with two meanings has one for each."""


class Name(str):
    """A name that a card prints or a player gave: no word, so it is never looked up as one."""

    __slots__ = ()

    @classmethod
    def of(cls, text: str) -> str:
        """A plain text as a name; a message stays one, and so does a name."""
        return cls(text) if type(text) is str else text


class ShortName(Name):
    """A name as it stands on a badge: a language may have a shorter one than the cards print."""

    __slots__ = ()


class SingleName(Name):
    """The name of one piece, though its words may sound like several."""

    __slots__ = ()


class PlayerName(Name):
    """A name that a player gave: no card of that name lends it its translation."""

    __slots__ = ()


PLAYERS = frozenset("opponent opponents player players winner".split())
"""Values of a template that are names of players, where they are plain texts."""
NAMES = frozenset(
    "attack attacker battle captor card cards defender enemy enemies figure figures foe foes friend"
    " host leader name names opponent opponents order other player players plot scenario target"
    " unit units weapon who winner".split()
)
"""Values of a template that are names, where they are plain texts and no messages."""


class LazyMessage(str):
    """An English text that also keeps its template and the values in it.

    A message with a count has a second template for every number but 1, and its number is `n`.
    Values may be messages themselves.
    """

    __slots__ = ("many", "one", "values")
    one: str
    many: str
    values: Mapping[str, Any]

    @property
    def pattern(self) -> str:
        """The template it was made from."""
        return self.many if self.many and self.values["n"] != 1 else self.one

    def __str__(self) -> str:
        return self  # so that an error keeps the message and not a plain copy


def say(one: str, many: str = "", /, **values: Any) -> LazyMessage:
    """A message from its English template."""
    if isinstance(one, LazyMessage) and not values:
        return one
    pattern = many if many and values["n"] != 1 else one
    if values:
        check_template(pattern)
    text = pattern.format_map(values) if values else pattern
    said = LazyMessage(text.partition(CONTEXT)[2] if CONTEXT in one else text)
    said.one, said.many, said.values = one, many, values or NOTHING
    return said


def word(context: str, text: str) -> LazyMessage:
    """A word that is translated by what it means here.

    >>> word("camera", "lost"), word("camera", "lost").one
    ('lost', 'camera\\x04lost')
    """
    return say(f"{context}{CONTEXT}{text}")


FIELD = re.compile(r"{([A-Za-z_]\w{0,39})(?:!r)?(?::\+?(?:\.\d)?[dfg%]?)?}|{{|}}")
"""Everything allowed in a template's braces: a name, quoted or with a number format.

Attributes, indices, widths and nested fields are refused, as templates also come from files.
"""


@lru_cache(maxsize=4096)
def check_template(pattern: str) -> tuple[str, ...]:
    """The names in a template; ValueError if its braces contain anything else."""
    rest = FIELD.sub("", pattern)
    if "{" in rest or "}" in rest:
        raise ValueError(f"not a template: {pattern[:60]!r}")
    return tuple(found[1] for found in FIELD.finditer(pattern) if found[1])


def say_read(templates: list[str], values: Mapping[str, Any], longest: int) -> LazyMessage:
    """A message read from a file; ValueError if it is invalid, or longer than that."""
    if not 1 <= len(templates) <= 2 or not all(type(one) is str for one in templates):
        raise ValueError("a sentence has one or two templates")
    if len(templates) > 1 and type(values["n"]) is not int:
        raise ValueError("a sentence counts with a whole number")
    for template in templates:
        length = len(template)
        for name in check_template(template):
            value = values[name]
            length += len(value if isinstance(value, str) else str(value))
            if length > longest:
                raise ValueError(f"a sentence is longer than {longest} letters")
    return say(*templates, **values)


def joined(parts: Iterable[str], between: str = ", ") -> str:
    """Parts joined into one message, each of which can still be translated."""
    found = tuple(parts)
    if len(found) < 2:
        return found[0] if found else ""
    pattern, names = row(len(found), between)
    told = (one[:1].upper() + one[1:] for one in found) if between == ". " else found
    said = LazyMessage(between.join(told))
    said.one, said.many, said.values = pattern, "", dict(zip(names, found, strict=True))
    return said


def listed_names(names: Iterable[str]) -> str:
    """Names in one message; one that is a message itself ("Face-down card") is still translated."""
    return joined(map(Name.of, names))


@lru_cache(maxsize=64)
def row(count: int, between: str) -> tuple[str, tuple[str, ...]]:
    """The template of this many parts, and their names in it."""
    names = tuple(f"part{number}" for number in range(count))
    return between.join(f"{{{name}}}" for name in names), names


class CompanionError(Exception):
    """Invalid input or an impossible request; its text is one line a player can act on."""


class BadInput(CompanionError):
    """A file (or a value in it) that cannot be read: names file, place and value."""

    def __init__(self, source: str, place: str, problem: str) -> None:
        where = (Name.of(source), Name.of(place))
        super().__init__(joined((part for part in (*where, problem) if part), ": "))
        self.source = source
        self.place = place
        self.problem = problem


class UnknownName(CompanionError):
    """A name that is not in a catalogue, table or game."""


def file_problem(error: OSError, otherwise: str = "") -> BadInput:
    """An error of the system as one line that names the file.

    >>> str(file_problem(OSError(28, "No space left on device", "a.game")))
    'a.game: No space left on device'
    """
    name = error.filename if isinstance(error.filename, str) else otherwise
    return BadInput(name, "", error.strerror or " ".join(str(error).split()))


LONGEST_CAUSE = 120


def cause(error: BaseException) -> str:
    """An exception's message as part of one line.

    >>> cause(FileNotFoundError(2, "No such file or directory"))
    'No such file or directory'
    >>> cause(ValueError())
    'ValueError'
    """
    if isinstance(error, CompanionError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    text = " ".join(str(error).split())[:LONGEST_CAUSE]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


STARS = "***"
"""Stands for a password wherever one would be shown."""
SECRETS = re.compile(
    r"(?i)((?:pas\w*|pwd|pw|token|key|auth\w*|secret|usr|user\w*|login\w*|account|cred\w*|sig\w*"
    r"|session\w*|(?<=[?&;])(?:p|u|sid))=)[^&#\s]*"
)


def without_passwords(text: str) -> str:
    """A message that may hold addresses as they were typed, or as the name of a file.

    >>> without_passwords("rtsp:/me:secret@10.0.0.5/x: cannot be read: No such file or directory")
    'rtsp:/***@10.0.0.5/x: cannot be read: No such file or directory'
    >>> without_passwords("me:secret@cam: none, photos/10:30@home.jpg: cannot be read")
    '***@cam: none, photos/10:30@home.jpg: cannot be read'
    """
    told = re.sub(r"(?i)(\b[a-z][a-z0-9+.-]+:/{1,2}).*@", rf"\1{STARS}@", text)
    told = re.sub(r"(?<!\S)[^\s/@]+:(?!/)[^\s@]*@(?=[\w\[])", f"{STARS}@", told)
    return SECRETS.sub(rf"\1{STARS}", told) if ":/" in told else told
