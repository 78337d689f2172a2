"""Records of the screen in which every text is a mark of its own: who draws them shows them."""

from __future__ import annotations

import types
import typing
from collections.abc import Collection, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Union

SIGNS = frozenset(
    # how it is drawn
    "colour drawn icon icons look mark shape tone state short"
    # what a tap on it is, and what it is called in files
    " acts asks family id kind name only_for page piece question rolls rule single target turn word"
    # whom or what it belongs to, drawn with what belongs to it
    " allies faction seat seats selected side team winner".split()
)
"""Fields that hold no words on any screen."""


def unsaid(view: Any, text: str, signs: Collection[str]) -> list[str]:
    """The fields of a record that a text does not say, but for those that are no words."""
    missing = (mark.strip("‹›").split(".") for mark in marks(view) if mark not in text)
    return sorted(f"{kind}.{field}" for kind, field in missing if field not in signs)


def filled(kind: type, /, **given: Any) -> Any:
    """A record of a kind; each text in it is the name of its record and field, in brackets."""
    hints = typing.get_type_hints(kind)
    values = {
        one.name: value_of(hints[one.name], f"‹{kind.__name__}.{one.name}›")
        for one in fields(kind)
        if one.name not in given
    }
    return kind(**values, **given)


def value_of(hint: Any, mark: str) -> Any:
    """A value of an annotated kind."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Union, types.UnionType):
        return value_of(next(one for one in arguments if one is not type(None)), mark)
    if origin is typing.Literal:
        return arguments[0]
    if origin is tuple:
        return tuple(value_of(one, mark) for one in arguments if one is not Ellipsis)
    if origin is not None and issubclass(origin, Mapping):
        return {"1" if arguments[1] is float else "blue": value_of(arguments[1], mark)}
    if isinstance(hint, type) and is_dataclass(hint):
        return filled(hint)
    return {str: mark, int: 3, float: 0.5, bool: True}.get(hint, mark)


def flagged(record: Any, on: bool) -> Any:
    """A record in which whatever may be true or false is the same."""
    if isinstance(record, bool):
        return on
    if isinstance(record, tuple):
        return tuple(flagged(value, on) for value in record)
    if isinstance(record, Mapping):
        return {key: flagged(value, on) for key, value in record.items()}
    if is_dataclass(record) and not isinstance(record, type):
        changed = {one.name: flagged(getattr(record, one.name), on) for one in fields(record)}
        return replace(record, **changed)
    return record


def with_fields(record: Any, **values: Any) -> Any:
    """A record in which every field of these names has this value, however deep it lies."""
    if isinstance(record, tuple):
        return tuple(with_fields(value, **values) for value in record)
    if is_dataclass(record) and not isinstance(record, type):
        names = [one.name for one in fields(record)]
        changed = {name: with_fields(getattr(record, name), **values) for name in names}
        return replace(record, **changed | {name: values[name] for name in names if name in values})
    return record


def marks(record: Any) -> set[str]:
    """The marks of all texts in a record."""
    if isinstance(record, str):
        return {record} if record.startswith("‹") else set()
    if isinstance(record, Mapping):
        return {mark for value in record.values() for mark in marks(value)}
    if isinstance(record, tuple | list):
        return {mark for value in record for mark in marks(value)}
    if is_dataclass(record):
        return {mark for one in fields(record) for mark in marks(getattr(record, one.name))}
    return set()
