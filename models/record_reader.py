"""Records read from files by their annotations, and written without their defaults.

A record is a frozen dataclass that derives from `Record`. Its annotations say what a file may hold;
forms ask `value_of` for the same limits.

>>> @dataclass(frozen=True, slots=True)
... class Volley(Record):
...     dice: Annotated[int, Between(1, 12)]
...     kind: Literal["short", "long"] = "short"
>>> Volley.read(Field({"dice": 3})).to_json()
{'dice': 3}
>>> Volley.read(Field({"dice": 13}, "a.toml", "attacks[0]"))
Traceback (most recent call last):
...
models.message.BadInput: a.toml: attacks[0].dice: 13 is outside 1 to 12

No library reads them: those with compiled parts have no recipe for Android, and the others do not
say file, place and value in one line that can be translated.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import (
    Annotated,
    Any,
    Literal,
    Protocol,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from models.field import Field, shown
from models.message import NOTHING, say

LONGEST_TEXT = 200
MOST_ENTRIES = 1000
SCALARS = frozenset((str, int, float, bool, type(None)))
ValueKind = Literal["text", "number", "option", "flag", "rows"]
Read = Callable[[Field, Any], Any]
"""Reads a field; the second argument is what the caller knows: a board, a catalogue."""


@dataclass(frozen=True, slots=True)
class Between:
    """The least and the most that a number may be."""

    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Length:
    """How many letters a text or how many entries a list may have."""

    most: int
    least: int = 0


@dataclass(frozen=True, slots=True)
class OneOf:
    """The words that a text may be; a function is asked for them at every reading."""

    words: Collection[str] | Callable[[], Collection[str]]

    def known(self) -> Collection[str]:
        return self.words() if callable(self.words) else self.words


@dataclass(frozen=True, slots=True)
class FileKey:
    """The name of a value in files, where the record calls it otherwise."""

    name: str


@dataclass(frozen=True, slots=True)
class ReadBy:
    """A value that functions of its own read and write."""

    read: Read
    write: Callable[[Any], Any] | None = None


GIVEN = "given"
"""The mark of a value that no file holds: who reads the record gives it."""
WRITTEN = "written"
"""The mark of a value that is written even where it is the default."""


class Record:
    """A frozen dataclass that is read and written by its annotations."""

    __slots__ = ()

    @classmethod
    def read(cls, field: Field, about: Any = None, /, **given: Any) -> Self:
        """The record of an object; every error names its place."""
        return read_record(cls, field, about, given)

    def checked(self, field: Field, about: Any) -> Self:
        """The record after checks of several values together."""
        return self

    def to_json(self) -> dict[str, Any]:
        """The record as JSON or TOML values, without its defaults; `read` reads it back."""
        text: dict[str, Any] = {}
        for one in plan_of(type(self)).values.values():
            value = getattr(self, one.name)
            if not one.given and (one.written or value != one.default):
                text[one.key] = (one.limits.write or plain)(value)
        return text


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ValueLimits:
    """What a value may be, how it is read, and how it is written."""

    kind: ValueKind
    read: Read
    least: float = 0
    most: float = 0
    words: OneOf = OneOf(())
    entry: ValueLimits | None = None
    """What each entry of a list may be."""
    write: Callable[[Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class RecordValue:
    """One value of a record: its key in files, its default and its limits."""

    name: str
    key: str
    default: Any
    """MISSING where a file must hold it."""
    limits: ValueLimits
    given: bool
    written: bool

    @property
    def required(self) -> bool:
        return self.default is MISSING


@dataclass(frozen=True, slots=True)
class RecordPlan:
    """How a record is read: its values by name, and those that files hold by their keys."""

    values: Mapping[str, RecordValue]
    keys: Mapping[str, RecordValue]
    required: tuple[str, ...]


PLANS: dict[type, RecordPlan] = {}


def plan_of(kind: type) -> RecordPlan:
    """The plan of a record, made once."""
    if kind not in PLANS:
        values = {one.name: one for one in record_values(kind)}
        keys = {one.key: one for one in values.values() if not one.given}
        required = tuple(sorted(key for key, one in keys.items() if one.required))
        PLANS[kind] = RecordPlan(values, keys, required)
    return PLANS[kind]


def record_values(kind: type) -> Iterator[RecordValue]:
    """The values of a record as its annotations say."""
    hints = get_type_hints(kind, include_extras=True)
    for one in fields(kind):
        default = one.default
        if one.default_factory is not MISSING:
            default = one.default_factory()
        note, marks = unwrapped(hints[one.name])
        key = marked(marks, FileKey) or FileKey(one.name)
        limits = limits_of(note, marks)
        yield RecordValue(one.name, key.name, default, limits, GIVEN in marks, WRITTEN in marks)


def read_record(
    kind: type[T], field: Field, about: Any = None, given: Mapping[str, Any] = NOTHING
) -> T:
    """A dataclass from an object: unknown and missing keys are refused by name, then each value."""
    plan = plan_of(kind)
    raw = field.keys(plan.keys, plan.required)
    values = dict(given)
    for key, one in plan.keys.items():
        if key in raw:
            values[one.name] = one.limits.read(field.member(key), about)
    made = kind(**values)
    return made.checked(field, about) if isinstance(made, Record) else made


def read_value(note: Any, field: Field, about: Any = None) -> Any:
    """A value by its annotation."""
    return limits_of(*unwrapped(note)).read(field, about)


def value_of(kind: type, name: str) -> RecordValue:
    """One value of a dataclass by its name: what a form needs to ask for it."""
    return plan_of(kind).values[name]


def unwrapped(note: Any) -> tuple[Any, tuple[Any, ...]]:
    """An annotation without its marks and without None, which only says that it may be absent."""
    marks: tuple[Any, ...] = ()
    while True:
        if get_origin(note) is Annotated:
            note, *own = get_args(note)
            marks += tuple(own)
        elif get_origin(note) in (Union, types.UnionType):
            (note,) = (one for one in get_args(note) if one is not type(None))
        else:
            return note, marks


def limits_of(note: Any, marks: tuple[Any, ...] = ()) -> ValueLimits:
    """What an annotation with its marks allows."""
    if (own := marked(marks, ReadBy)) is not None:
        return ValueLimits("text", own.read, write=own.write)
    origin = get_origin(note)
    if origin is Literal:
        return option_limits(OneOf(get_args(note)))
    if (words := marked(marks, OneOf)) is not None:
        return option_limits(words)
    if note in (int, float):
        return number_limits(note, marked(marks, Between))
    if note is str:
        most = length_of(marks, LONGEST_TEXT).most
        return ValueLimits("text", lambda field, _: field.text(most), most=most)
    if note is bool:
        return ValueLimits("flag", lambda field, _: field.flag())
    if origin in (tuple, frozenset):
        return list_limits(origin, get_args(note), length_of(marks, MOST_ENTRIES))
    if origin is not None and issubclass(origin, Mapping):
        key, value = get_args(note)
        return mapping_limits(key, value)
    if note is Any:
        return ValueLimits("text", lambda field, _: field.raw, write=lambda value: value)
    if issubclass(note, Record):
        return ValueLimits("rows", note.read)
    return ValueLimits("text", lambda field, _: note.read(field))


def marked(marks: Iterable[Any], kind: type[T]) -> T | None:
    return next((one for one in marks if isinstance(one, kind)), None)


def length_of(marks: Iterable[Any], most: int) -> Length:
    return marked(marks, Length) or Length(most)


def option_limits(words: OneOf) -> ValueLimits:
    """One of several words."""
    return ValueLimits("option", lambda field, _: field.choice(words.known()), words=words)


def number_limits(kind: type, limits: Between | None) -> ValueLimits:
    """A number between limits; a whole number without any may have more digits than a float."""
    if kind is float:
        low, high = (limits.least, limits.most) if limits else (-math.inf, math.inf)
        return ValueLimits("number", lambda field, _: field.number(low, high), low, high)
    if limits is None:
        return ValueLimits("number", read_integer, -math.inf, math.inf)
    least, most = int(limits.least), int(limits.most)
    return ValueLimits("number", lambda field, _: field.whole(least, most), least, most)


def read_integer(field: Field, about: Any) -> int:
    """A whole number of any size."""
    if type(field.raw) is not int:
        field.fail(say("{value} is not a whole number", value=shown(field.raw)))
    return field.raw


def list_limits(kind: type, args: tuple[Any, ...], length: Length) -> ValueLimits:
    """A list of like entries (`tuple[X, ...]`), or of one entry for each type (`tuple[X, Y]`)."""
    if kind is tuple and args[-1] is not Ellipsis:
        each = tuple(limits_of(*unwrapped(one)) for one in args)
        count = len(each)

        def read_each(field: Field, about: Any) -> tuple[Any, ...]:
            entries = field.items(count, count)
            return tuple(one.read(item, about) for one, item in zip(each, entries, strict=True))

        return ValueLimits("rows", read_each, count, count)
    entry = limits_of(*unwrapped(args[0]))

    def read_all(field: Field, about: Any) -> Any:
        return kind(entry.read(item, about) for item in field.items(length.most, length.least))

    def write_all(values: Iterable[Any]) -> list[Any]:
        return [(entry.write or plain)(one) for one in values]

    write = write_all if entry.write else None
    return ValueLimits("rows", read_all, length.least, length.most, entry=entry, write=write)


def mapping_limits(key: Any, value: Any) -> ValueLimits:
    """Values under names."""
    name, entry = limits_of(*unwrapped(key)), limits_of(*unwrapped(value))

    def read_members(field: Field, about: Any) -> dict[Any, Any]:
        return {
            name.read(Field(one, field.source, f"{field.place}[{shown(one)}]"), about): entry.read(
                field.member(one), about
            )
            for one in field.members()
        }

    def write_members(values: Mapping[Any, Any]) -> dict[Any, Any]:
        write, tell = entry.write or plain, name.write or plain
        return {tell(one): write(value) for one, value in values.items()}

    return ValueLimits("rows", read_members, entry=entry, write=write_members)


def plain(value: Any) -> Any:
    """A value as JSON: records as objects, tuples as lists."""
    if type(value) in SCALARS or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    if isinstance(value, frozenset):
        return sorted(plain(one) for one in value)
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    return value.to_json()


# -- files of many records -------------------------------------------------------------------------


class Identified(Protocol):
    """What stands in a file under an id."""

    @property
    def id(self) -> str: ...


E = TypeVar("E", bound=Identified)


def check_format(root: Field, expected: str) -> None:
    """Refuse a file of another format."""
    member = root.member("format")
    if member.text() != expected:
        member.fail(say("{found} is not {format!r}", found=shown(member.raw), format=expected))


def read_by_id(items: Iterable[Field], read: Callable[[Field], E]) -> dict[str, E]:
    """Records by their ids; one that stands twice is refused."""
    found: dict[str, E] = {}
    for item in items:
        record = read(item)
        refuse_twin(item, record.id, found)
        found[record.id] = record
    return found


def refuse_twin(item: Field, name: str, known: Collection[str]) -> None:
    """Refuse a second record of one id."""
    if name in known:
        item.member("id").fail(say("{name} stands twice", name=shown(name)))
