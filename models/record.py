"""A faster `dataclasses.replace` for large frozen records.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, slots=True)
... class Score:
...     blue: int = 0
...     red: int = 0
>>> replace(Score(3, 4), red=5)
Score(blue=3, red=5)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, make_dataclass
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


@cache
def copier(kind: type) -> Callable[[Any], Any]:
    """A function that copies records of one slotted class without `__post_init__`.

    Setting a frozen record's fields one by one with `object.__setattr__` is slow, and so is getting
    them by name. The copy is an instance of an unfrozen class with the same slots, made by
    generated assignments: a record of fifty fields takes a microsecond.
    """
    assert not hasattr(kind, "__post_init__"), f"{kind.__name__} does more than keep its values"
    names = [one.name for one in fields(kind)]
    twin = make_dataclass(kind.__name__, names, slots=True)
    lines = "\n ".join(f"made.{name} = record.{name}" for name in names)
    made: dict[str, Any] = {"new": object.__new__, "twin": twin}
    exec(f"def copy(record):\n made = new(twin)\n {lines}\n return made", made)
    copy: Callable[[Any], Any] = made["copy"]
    return copy


def replace(record: T, **changes: Any) -> T:
    """The record with these changes, like `dataclasses.replace` but faster."""
    kind: type = type(record)
    made = copier(kind)(record)
    for name, value in changes.items():
        setattr(made, name, value)
    made.__class__ = kind
    found: T = made
    return found
