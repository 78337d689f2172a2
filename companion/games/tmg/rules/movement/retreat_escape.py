"""Retreats that are legal only after their last pivot (TMG-RET-6, TMG-RET-9).

Branch and bound over slide distances and pivots: a range in which every end is too close to
something is discarded, others are bisected until a legal end is found or nothing is left. So a "no"
is proved, however narrow the gap.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.movement.retreat_path import RetreatPath
from companion.geometry.plane.answer import YES, Answer, no
from companion.geometry.plane.motion.shift import Axis

MOST_CELLS = 8_000
"""At most this many ranges are evaluated; if some are still open, the answer is unsure."""
LEAST = 1e-9
"""Ranges no wider than this are not bisected."""


@dataclass(frozen=True, slots=True, eq=False)
class RetreatEscape:
    """The retreats of one unit with enemies too close for a straight path alone."""

    field: Battlefield
    place: int
    most_in: float

    def answer(self, axes: Sequence[Axis]) -> Answer:
        """Whether a straight path along one of these axes followed by a pivot has a legal end."""
        lanes = [RetreatPath(self.field, self.place, self.most_in, axis) for axis in axes]
        open_ = [(lane, lane.first_cells()) for lane in lanes]
        best, nearest, looked = no("TMG-RET-9"), -math.inf, 0
        while open_:
            left = []
            for lane, cells in open_:
                looked += len(cells)
                bounds = lane.leeway.bounds(cells)
                nearest = max(nearest, float(bounds.ends.max(initial=-math.inf)))
                keep = (bounds.most >= 0) & (cells.long + cells.wide > LEAST)
                keep[keep] = lane.possible(cells.only(keep), sure=bool(best.chance))
                cells, bounds = cells.only(keep), bounds.only(keep)
                for answer in lane.tried(cells, bounds.ends):
                    if answer:
                        return YES
                    best = max(best, answer, key=lambda one: one.chance)
                keep = bounds.safe >= 0 if best.chance else bounds.most >= 0
                if keep.any():
                    left.append((lane, lane.halved(cells.only(keep), bounds.only(keep))))
            if looked > MOST_CELLS:
                return max(
                    best,
                    Answer("unsure", ("TMG-RET-9",), min(nearest, 0.0), 0.5),
                    key=lambda one: one.chance,
                )
            open_ = left
        return best
