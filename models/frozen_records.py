"""Large frozen records: a faster `dataclasses.replace`, and caches of pure functions by
identity.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, slots=True)
... class Score:
...     blue: int = 0
...     red: int = 0
>>> replace(Score(3, 4), red=5)
Score(blue=3, red=5)

Caches of a pure function by the identity of its arguments.

>>> joined = IdentityCache(lambda words: " ".join(words))
>>> words = ("so", "it", "went")
>>> joined(words) is joined(words)
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, make_dataclass
from functools import cache
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@cache
def copier(kind: type) -> Callable[[Any], Any]:
    """A function that copies records of one slotted class without `__post_init__`.

    Setting a frozen record's fields one by one with `object.__setattr__` is slow, and so is getting
    them by name. The copy is an instance of an unfrozen class with the same slots, made by
    generated assignments: a record of fifty fields takes a microsecond.
    """
    assert not hasattr(kind, "__post_init__"), f"{kind.__name__} does more than keep its values"
    assert not any(vars(base).get("__slots__") for base in kind.__mro__[1:]), "inherits values"
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


class Identity:
    """An object as part of a key: equal to itself alone.

    It keeps the object alive; `id` of one that is gone may be that of the next.
    """

    __slots__ = ("held",)

    def __init__(self, held: object) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.held is other.held

    def __hash__(self) -> int:
        return hash(id(self.held))


class IdentityCache(Generic[T]):
    """A cache keyed by the identity of the arguments: faster than comparing records.

    Neither the arguments nor the results may ever change.
    """

    __slots__ = ("answer", "at_most", "known")

    def __init__(self, answer: Callable[..., T], at_most: int = 64) -> None:
        self.answer = answer
        self.at_most = at_most
        self.known: dict[tuple[int, ...], tuple[tuple[Any, ...], T]] = {}

    def __call__(self, *about: Any) -> T:
        """The result, computed once while it is cached."""
        key = tuple(map(id, about))
        found = self.known.get(key)
        if found is None:
            if len(self.known) >= self.at_most:
                self.known.clear()
            # The cache keeps its keys alive, so no other object can get their identity.
            found = self.known[key] = (about, self.answer(*about))
        return found[1]
