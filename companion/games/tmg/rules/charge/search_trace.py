"""The result of the search for a charge's path."""

from __future__ import annotations

from dataclasses import dataclass

from companion.geometry.plane.motion.advance import AdvancePath

Pair = tuple[int, int]
"""The indices of two units."""


@dataclass(frozen=True, slots=True)
class FoundRoute:
    """The best path, and the probability that it is open given the measurement error."""

    best: AdvancePath | None
    likely: float = 1.0
    walled: bool = False  # there is a path, but the tray cannot turn to it (TMG-TER-16)
