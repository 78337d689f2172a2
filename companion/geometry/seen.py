"""The answer to one question of sight, with its proof."""

from __future__ import annotations

from typing import NamedTuple

from companion.geometry.views import SETTLED

Line = tuple[float, float, float]
"""A line of view: it starts at (0, a) and runs one step (dx, dy)."""


class Seen(NamedTuple):
    """Whether a target is seen, what stands in the way where not, and the proof of it.

    The proof is a free line, or the places of a few trays that hide all of the target whatever
    else stands where; where nothing can change the answer, it is `SETTLED`.
    """

    seen: bool
    ahead: bool
    terrain: bool = False
    trays: bool = False
    line: Line | None = None
    hiders: tuple[int, ...] = ()


ASIDE, FREED = Seen(False, False, hiders=(SETTLED,)), Seen(True, True, hiders=(SETTLED,))
"""Nothing of the target lies in the arc; nothing blocks at all: whoever else stands where."""
