"""What was found of a charge's way, and what the search for it went by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.geometry.advance import Path
from companion.geometry.glimpse import Ground
from companion.geometry.tries import Refusals

Pair = tuple[int, int]
"""A unit and another."""
Asked = tuple[float, bool]
"""A pivot, and whether the target is seen after it."""


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """What the search for one way went by: trays that move elsewhere may leave it as it is."""

    ways: Sequence[Path]  # the best, and where measuring leaves doubts the best either way
    refusals: Sequence[Refusals]  # of as many searches
    row: int  # of the refusals
    ground: Ground  # where the trays stood

    def same_without_moved(self, ground: Ground) -> bool:
        """Whether it had found the same without the trays that stand elsewhere now."""
        before, now = (zip(one.boxes, one.spread, strict=True) for one in (self.ground, ground))
        both = enumerate(zip(before, now, strict=True))
        gone = [place for place, (stood, stands) in both if stood != stands]
        return all(refusals.same_without(self.row, gone) for refusals in self.refusals)


@dataclass(frozen=True, slots=True)
class Trail:
    """How a way was found; two found otherwise may be the same."""

    asked: tuple[Asked, ...] = field(default=(), compare=False)  # what was to be known of pivots
    search: Search | None = field(default=None, compare=False)


NO_TRAIL = Trail()


@dataclass(frozen=True, slots=True)
class Found:
    """The best path, and how likely it is open as far as measuring tells."""

    best: Path | None
    likely: float = 1.0
    walled: bool = False  # a way there is, but the tray cannot turn to it (TMG-TER-16)
