"""Records of the screen in which every text is a mark of its own: who draws them shows them."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Union


def filled(kind: type, **given: Any) -> Any:
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
