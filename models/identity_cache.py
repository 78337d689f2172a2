"""A pure function that recalls what it said about the very same objects.

>>> told = Recall(lambda words: " ".join(words))
>>> words = ("so", "it", "went")
>>> told(words) is told(words)
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class IdentityCache(Generic[T]):
    """Its answers by the identity of what it was asked about: quicker than comparing records.

    What it is asked about must never change, and neither must its answers.
    """

    __slots__ = ("answer", "at_most", "known")

    def __init__(self, answer: Callable[..., T], at_most: int = 64) -> None:
        self.answer = answer
        self.at_most = at_most
        self.known: dict[tuple[int, ...], tuple[tuple[Any, ...], T]] = {}

    def __call__(self, *about: Any) -> T:
        """The answer, made once while it is remembered."""
        key = tuple(map(id, about))
        found = self.known.get(key)
        if found is None:
            if len(self.known) >= self.at_most:
                self.known.clear()
            # What is kept with the answer stays alive, so no other object can get its identity.
            found = self.known[key] = (about, self.answer(*about))
        return found[1]


class RowIdentityCache(Generic[T]):
    """The same for rows that change here and there: only what is new at its place is told.

    >>> told = RowRecall(lambda word: [word])
    >>> first, second = told(("so", "it")), told(("so", "be"))
    >>> first[0] is second[0], second[1]
    (True, ['be'])
    """

    __slots__ = ("answer", "last")

    def __init__(self, answer: Callable[[Any], T]) -> None:
        self.answer = answer
        self.last: tuple[tuple[Any, ...], list[T]] = ((), [])

    def __call__(self, row: tuple[Any, ...]) -> list[T]:
        """The answers, one for each in the row."""
        known, said = self.last  # taken and left as one: two threads may ask
        if row is known:
            return said
        if len(row) == len(known):
            told = [
                answer if one is before else self.answer(one)
                for one, before, answer in zip(row, known, said, strict=True)
            ]
        else:
            told = [self.answer(one) for one in row]
        self.last = (row, told)
        return told
