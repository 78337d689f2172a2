"""What a figure sees of another, and what blocks the line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from companion.geometry.grid.lines import squares_of
from models.board import Edge, cell_text

FIGURE, CROSS, WALL = "TAC-LOS-3", "TAC-LOS-4", "TAC-LOS-5"


@dataclass(frozen=True)
class SightResult:
    """Whether two figures see each other; otherwise what blocks the least obstructed line."""

    figures: int = 0
    """The spaces whose figures block, as a set of bits; likewise those whose crosses do."""
    crosses: int = 0
    walls: tuple[Edge, ...] = ()

    @property
    def clear(self) -> bool:
        return not (self.figures or self.crosses or self.walls)

    @property
    def number(self) -> int:
        return (self.figures | self.crosses).bit_count() + len(self.walls)

    @property
    def verdict(self) -> dict[str, Any]:
        """The answer and its rules as JSON values; both figures have the same."""
        return plain_verdict(self.figures > 0, self.crosses > 0, bool(self.walls))

    @cached_property
    def to_json(self) -> dict[str, Any]:
        """The same with everything that blocks."""
        if self.clear:
            return self.verdict
        cells = squares_of(self.figures | self.crosses)
        text = {**self.verdict, "blocked_by": [cell_text(cell) for cell in cells]}
        if self.walls:
            text["walls"] = [[cell_text(one), cell_text(two)] for one, two in sorted(self.walls)]
        return text


@cache
def plain_verdict(figures: bool, crosses: bool, walls: bool) -> dict[str, Any]:
    """A verdict by what blocks, shared by all answers alike: a board has tens of thousands."""
    why = [rule for rule, blocks in ((FIGURE, figures), (CROSS, crosses), (WALL, walls)) if blocks]
    return {"answer": "no" if why else "yes", "why": why}


SEEN = SightResult()
