"""What the search for a charge's way found."""

from __future__ import annotations

from dataclasses import dataclass

from companion.geometry.plane.motion.advance import AdvancePath

Pair = tuple[int, int]
"""A unit and another."""


@dataclass(frozen=True, slots=True)
class FoundRoute:
    """The best path, and how likely it is open as far as measuring tells."""

    best: AdvancePath | None
    likely: float = 1.0
    walled: bool = False  # a way there is, but the tray cannot turn to it (TMG-TER-16)
