"""Which players' cards have room on the screen: who decides first, then who fights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SeatNeed:
    """What a player's row needs: its height, and how important it is now (0 the most)."""

    seat: str
    height: float
    rank: int


def open_seats(
    needs: Sequence[SeatNeed], room: float, closed_height: Callable[[int], float]
) -> frozenset[str]:
    """The players whose cards are shown: all if they fit, else the most important that do.

    At least one is shown. `closed_height` is the height of so many rows that show no cards.

    >>> rows = [SeatNeed("a", 200, 2), SeatNeed("b", 200, 0), SeatNeed("c", 100, 1)]
    >>> sorted(open_seats(rows, 500, lambda n: 40)), sorted(open_seats(rows, 360, lambda n: 40))
    (['a', 'b', 'c'], ['b', 'c'])
    """
    if sum(one.height for one in needs) <= room:
        return frozenset(one.seat for one in needs)
    found: list[SeatNeed] = []
    for one in sorted(needs, key=lambda one: one.rank):
        shown = [*found, one]
        closed = closed_height(len(needs) - len(shown))
        if not found or sum(each.height for each in shown) + closed <= room:
            found = shown
    return frozenset(one.seat for one in found)
