"""Records to logged data and back: fields by name, tuples as lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar

T = TypeVar("T")


def record_of(kind: type[T], data: Mapping[str, Any], **more: Any) -> T:
    """A record from the data of the same names, and `more`; what an older log lacks is default."""
    found = {
        one.name: tupled(data[one.name])
        for one in fields(kind)  # type: ignore[arg-type]
        if one.name not in more and (one.name in data or one.default is MISSING)
    }
    return kind(**found, **more)


def plain_of(record: Any, *names: str) -> dict[str, Any]:
    """These fields of a record, or all of them, as data."""
    return {name: listed(getattr(record, name)) for name in names or record.__slots__}


def tupled(value: Any) -> Any:
    """The same value with tuples for lists."""
    return tuple(map(tupled, value)) if isinstance(value, list | tuple) else value


def listed(value: Any) -> Any:
    """The same value with lists for tuples."""
    return list(map(listed, value)) if isinstance(value, tuple) else value
