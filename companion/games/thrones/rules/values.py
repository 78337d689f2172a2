"""Values and their modifiers.

>>> modified(4, [Change("add", 1), Change("divide", 2)])
3
>>> modified(3, [Change("add", -5), Change("add", 1)]), modified(3, [Change("set", 2)])
(0, 2)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Literal

Operation = Literal["add", "multiply", "divide", "set"]
OPERATIONS: tuple[Operation, ...] = ("add", "multiply", "divide", "set")


@dataclass(frozen=True, slots=True)
class Change:
    """One modifier of a value."""

    operation: Operation
    value: int


def modified(base: int, changes: Iterable[Change]) -> int:
    """A base value with all its modifiers (AGOT-MOD-1, AGOT-MOD-2).

    The last "set to" overrides all others (AGOT-MOD-5, AGOT-MOD-6); additions come before
    multiplications and divisions (AGOT-MOD-3), fractions are rounded up at the end (AGOT-MOD-4),
    and nothing is negative (AGOT-MOD-7).
    """
    found = list(changes)
    if not found:
        return max(0, base)
    fixed = [one.value for one in found if one.operation == "set"]
    if fixed:
        return max(0, fixed[-1])
    added = base + sum(one.value for one in found if one.operation == "add")
    if all(one.operation == "add" for one in found):
        return max(0, added)
    total = Fraction(added)
    for one in found:
        if one.operation == "multiply":
            total *= one.value
        elif one.operation == "divide" and one.value:
            total /= one.value
    return max(0, ceil(total))
