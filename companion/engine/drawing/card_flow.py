"""Where cards lie in a box, line after line, and who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

Size = tuple[float, float]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Flow:
    """The places of things from the upper left corner, and the height they take."""

    places: tuple[Size, ...]
    height: float


def flow(sizes: Sequence[Size], width: float, gap: float) -> Flow:
    """Lay things out in lines, as many in each as there is room for.

    >>> flow([(40, 50), (40, 70), (40, 50)], 100, 10)
    Flow(places=((0.0, 0.0), (50.0, 0.0), (0.0, 80.0)), height=130.0)
    """
    places: list[Size] = []
    left, top, high = 0.0, 0.0, 0.0
    for wide, tall in sizes:
        if left and left + wide > width:
            left, top, high = 0.0, top + high + gap, 0.0
        places.append((left, top))
        left, high = left + wide + gap, max(high, tall)
    return Flow(tuple(places), top + high)


def seated(count: int, columns: int) -> list[list[int]]:
    """Who sits in which row, from above: clockwise, the first player at the lower left.

    >>> seated(4, 2), seated(5, 2), seated(2, 1)
    ([[1, 2], [0, 3]], [[2, 3], [1, 4], [0]], [[1], [0]])
    """
    if columns < 2:
        return [[one] for one in reversed(range(count))]
    if count % 2:
        return [[count // 2 - n, count // 2 + 1 + n] for n in range(count // 2)] + [[0]]
    return [[count // 2 - 1 - n, count // 2 + n] for n in range(count // 2)]


def in_rows(things: Sequence[T], columns: int) -> list[list[T]]:
    """Things in rows of so many.

    >>> in_rows("abc", 2)
    [['a', 'b'], ['c']]
    """
    return [list(things[at : at + columns]) for at in range(0, len(things), columns)]
