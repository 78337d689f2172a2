"""A value read from a file together with its place, so that every error can name it.

>>> Field({"x": "left"}, "a.table.json").member("x").number()
Traceback (most recent call last):
...
models.message.BadInput: a.table.json: x: 'left' is not a number
"""

from __future__ import annotations

import codecs
import errno
import json
import math
import os
import re
import select
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from models.message import BadInput, cause, say

MAX_FILE_BYTES = 8 * 1024 * 1024
MAX_TOML_BYTES = 1024 * 1024
"""Python's TOML parser takes seconds for more; the largest catalogue has 50 kB."""
MOST_KEY_DOTS = 16
"""Python's TOML parser takes time and memory with the square of the parts of a name."""
PATIENCE_S = 5.0
NO_DATA = "nothing comes through this pipe"
"""The timeout for another program to write more into a pipe."""


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a file and its path in it (`units[3].heading`)."""

    raw: Any
    source: str = ""
    place: str = ""

    def fail(self, problem: str) -> NoReturn:
        """Raise the error that refuses this value."""
        raise BadInput(self.source, self.place, problem)

    # -- containers -------------------------------------------------------------------------

    def members(self) -> dict[str, Any]:
        """The object's members, whatever their names."""
        if not isinstance(self.raw, dict):
            self.fail(say("{value} is not an object", value=shown(self.raw)))
        return self.raw

    def keys(self, allowed: Collection[str], required: Collection[str] = ()) -> dict[str, Any]:
        """The object's members, after refusing unknown and missing keys by name."""
        members = self.members()
        for key in members:
            if key not in allowed:
                self.fail(say("unknown key {key}", key=shown(key)))
        for key in sorted(required):
            if key not in members:
                self.fail(say("key {key!r} is missing", key=key))
        return members

    def member(self, key: str) -> Field:
        """The member `key` of this object."""
        return Field(self.raw[key], self.source, f"{self.place}.{key}" if self.place else key)

    def items(self, at_most: int = 1000, at_least: int = 0) -> Iterator[Field]:
        """The elements of this list, each with its index in its place."""
        if not isinstance(self.raw, list):
            self.fail(say("{value} is not a list", value=shown(self.raw)))
        if not at_least <= len(self.raw) <= at_most:
            self.fail(
                say(
                    "has {count} entries, expected {least} to {most}",
                    count=len(self.raw),
                    least=at_least,
                    most=at_most,
                )
            )
        for index, raw in enumerate(self.raw):
            yield Field(raw, self.source, f"{self.place}[{index}]")

    def listed(self, key: str, at_most: int = 1000) -> Iterator[Field]:
        """The elements of the list `key` of this object, none if it is absent."""
        return self.member(key).items(at_most) if key in self.raw else iter(())

    # -- scalars ----------------------------------------------------------------------------

    def number(self, low: float = -math.inf, high: float = math.inf) -> float:
        """A finite number within [low, high]."""
        if isinstance(self.raw, bool) or not isinstance(self.raw, int | float):
            self.fail(say("{value} is not a number", value=shown(self.raw)))
        try:
            value = float(self.raw)
        except OverflowError:
            self.fail(say("{value} is too large", value=shown(self.raw)))
        if not math.isfinite(value):
            self.fail(say("{value} is not a finite number", value=shown(self.raw)))
        if not low <= value <= high:
            self.fail(
                say(
                    "{value} is outside {low} to {high}",
                    value=shown(self.raw),
                    low=limit(low),
                    high=limit(high),
                )
            )
        return value

    def whole(self, low: int, high: int) -> int:
        """An integer within [low, high]."""
        value = self.number(low, high)
        if value != int(value):
            self.fail(say("{value} is not a whole number", value=shown(self.raw)))
        return int(value)

    def text(self, at_most: int = 200) -> str:
        """A non-empty printable text."""
        if not isinstance(self.raw, str):
            self.fail(say("{value} is not a text", value=shown(self.raw)))
        if not self.raw.strip():
            self.fail("is empty")
        if len(self.raw) > at_most:
            self.fail(say("is longer than {most} characters", most=at_most))
        if not self.raw.isprintable():
            self.fail(say("{value} holds unprintable characters", value=shown(self.raw)))
        return self.raw

    def flag(self) -> bool:
        """A boolean."""
        if not isinstance(self.raw, bool):
            self.fail(say("{value} is neither true nor false", value=shown(self.raw)))
        return self.raw

    def choice(self, known: Collection[str]) -> str:
        """One of the known words."""
        word = self.text()
        if word not in known:
            self.fail(
                say(
                    "{value} is unknown; known: {known}",
                    value=shown(word),
                    known=", ".join(sorted(known)),
                )
            )
        return word


def limit(number: float) -> float:
    """A bound as a message writes it: a whole number without decimals."""
    return int(number) if math.isfinite(number) and number == int(number) else number


def shown(raw: object, at_most: int = 60) -> str:
    """A value as one short line for a message."""
    try:
        text = repr(raw)
    except (ValueError, RecursionError):
        text = f"a {type(raw).__name__} too large to print"
    return text if len(text) <= at_most else text[: at_most - 1] + "…"


HIDDEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
"""Unicode categories of characters that a terminal interprets or that are invisible."""


def visible(text: str) -> str:
    r"""A text in one line without control characters: those are written as escapes.

    >>> visible("red\x1b[31m")
    'red\\x1b[31m'
    """
    if text.isprintable():
        return text
    import unicodedata  # seldom needed

    kind = unicodedata.category
    return "".join(
        one.encode("unicode_escape").decode() if kind(one) in HIDDEN else one for one in text
    )


def drop_empty(members: dict[str, Any]) -> dict[str, Any]:
    """The members without None, False, empty texts and empty lists."""
    return {
        key: value
        for key, value in members.items()
        if value is not None and value is not False and value not in ("", [])
    }


def read_bytes(path: Path, at_most: int = MAX_FILE_BYTES) -> bytes:
    """The bytes of a file, or an error that names it."""
    try:
        data = opened_bytes(path, at_most)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadInput(str(path), "", f"cannot be read: {reason or error}") from None
    if len(data) > at_most:
        raise BadInput(str(path), "", f"is larger than {at_most // 2**20} MiB")
    return data


def opened_bytes(path: Path, at_most: int) -> bytes:
    """At most one byte more than allowed of a file; a pipe that stays empty is an error."""
    # Non-blocking, so that a pipe without a writer does not hang.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(handle, "rb", buffering=0) as file:
        data = b""
        # A device or pipe has no size: only reading shows that it is too much.
        while len(data) <= at_most:
            part = file.read(at_most + 1 - len(data))
            if part is None:  # a pipe whose writer is not finished
                if not select.select([file], [], [], PATIENCE_S)[0]:
                    raise TimeoutError(errno.ETIMEDOUT, NO_DATA)
            elif part:
                data += part
            else:
                break
        if not data and stat.S_ISFIFO(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EPIPE, NO_DATA)  # else it would pass for an empty file
    return data


def decode(data: bytes, source: str) -> str:
    """The bytes as UTF-8 text, with or without a byte order mark."""
    try:
        return data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise BadInput(source, f"byte {error.start}", "is not UTF-8 text") from None


def decode_list(data: bytes, source: str) -> str:
    """A list that people wrote with any editor: UTF-8, or what Windows calls "Unicode"."""
    if not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return decode(data, source)
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError as error:
        raise BadInput(source, f"byte {error.start}", "is not UTF-16 text") from None


class Faulty(Exception):
    """Something Python's JSON parser would accept; its place is determined afterwards."""


def members_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, unless a key is duplicated."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Faulty
    return found


def no_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which are not JSON."""
    raise Faulty


STRICT = json.JSONDecoder(object_pairs_hook=members_of, parse_constant=no_constant)


def parse_json(text: str, source: str) -> Field:
    return Field(strict_json(text, source), source)


def strict_json(text: str, source: str) -> Any:
    """The value of a JSON text; NaN, duplicate keys and excessive nesting are refused."""
    try:
        try:
            return STRICT.decode(text)
        except Faulty:
            refuse_fault(Field(json.loads(text, object_pairs_hook=tuple), source))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise BadInput(source, place, f"not JSON: {error.msg}") from None
    except RecursionError:
        raise BadInput(source, "", "nested too deeply") from None
    except ValueError as error:
        raise BadInput(source, "", f"not JSON: {error}") from None


def refuse_fault(field: Field) -> NoReturn:
    """Refuse the first duplicate key or NaN by its place; objects are tuples of their members."""
    waiting = [field]
    while waiting:
        here = waiting.pop()
        steps: list[tuple[str, Any]] = []
        if isinstance(here.raw, tuple):
            seen: set[str] = set()
            for key, value in here.raw:
                if key in seen:
                    here.fail(f"key {shown(key)} stands twice in one object")
                seen.add(key)
                word = key if key.isprintable() and len(key) <= 60 else shown(key)
                steps.append((f".{word}" if here.place else word, value))
        elif isinstance(here.raw, list):
            steps = [(f"[{index}]", value) for index, value in enumerate(here.raw)]
        elif isinstance(here.raw, float) and not math.isfinite(here.raw):
            here.fail(f"{here.raw} is not a finite number")
        waiting += [Field(raw, here.source, here.place + step) for step, raw in reversed(steps)]
    field.fail("holds a number that is not finite")


def parse_toml(text: str, source: str) -> Field:
    import tomllib  # tables do not need it

    if len(text) > MAX_TOML_BYTES:
        raise BadInput(source, "", f"is larger than {MAX_TOML_BYTES >> 20} MiB")
    between = re.split(r"[\n=,{}\[\]]", re.sub(r"\.{2,}", "", text))
    if any(part.count(".") > MOST_KEY_DOTS for part in between):
        raise BadInput(source, "", f"a name with more than {MOST_KEY_DOTS} dots")
    try:
        return Field(tomllib.loads(text), source)
    except RecursionError:
        raise BadInput(source, "", "nested too deeply") from None
    except ValueError as error:
        raise BadInput(source, "", f"not TOML: {error}") from None


def file_size(path: Path) -> int:
    """The size of a file in bytes, 0 if it is gone or cannot be read."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def files_named(folder: Path, *endings: str) -> list[Path]:
    """The files of a folder with such names, in order; none if it is not there.

    A folder that cannot be read is an error: its files are not gone.
    """
    try:
        return [folder / name for name in sorted(os.listdir(folder)) if name.endswith(endings)]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise BadInput(
            str(folder), "", say("cannot be read: {reason}", reason=cause(error))
        ) from None


def load_json(path: Path) -> Field:
    """A JSON file as a field."""
    return parse_json(decode(read_bytes(path), str(path)), str(path))


def load_kept_json(path: Path) -> Field:
    """A JSON file of the app's own, which must be a regular file."""
    if not path.is_file():
        raise BadInput(str(path), "", say("is not a file"))
    return load_json(path)


def load_toml(path: Path) -> Field:
    """A TOML file as a field."""
    return parse_toml(decode(read_bytes(path, MAX_TOML_BYTES), str(path)), str(path))
