"""Shifts and other straight slides: how far they may go and where they may end (TMG-MOV-5..11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.games.tmg.battlefield import CONTACT_IN, Battlefield
from companion.geometry.shift import Axis, Slides
from companion.geometry.solids import TOUCH_IN, Solids
from companion.geometry.trays import Bools, Floats
from models.table import OVERLAP_TOLERANCE_IN

CLEAR_IN = 1.0
"""TMG-MOV-7: no move but a charge ends nearer than this to an enemy (OR-13)."""
ROUGH_IN = 1.0
"""TMG-TER-17."""

Spans = list[tuple[float, float]]
"""Distances from … to …, both included, in order."""


@dataclass(frozen=True, slots=True)
class Shifts:
    """The slides of one unit, up to a distance."""

    field: Battlefield
    place: int
    most_in: float

    def legal(self, axis: Axis, distances: Floats, clear: bool = True) -> Bools:
        """Whether the unit may slide so far (k,) along the axis.

        `clear`: it must end 1 inch from enemies.
        """
        fine = np.zeros(len(distances), dtype=bool)
        for low, high in self.open([axis], clear)[0]:
            fine |= (distances >= low - TOUCH_IN) & (distances <= high + TOUCH_IN)
        return fine

    def open(self, axes: Sequence[Axis], clear: bool = True) -> list[Spans]:
        """How far the unit may slide along each axis; standing still always may."""
        field, place, trays = self.field, self.place, self.field.trays
        slides = Slides.of(trays.centre[place], trays.forward[place], trays.half[place], axes)
        corners, gap = field.solids.corners[: len(field.units)], field.pairs.gap[place]
        friends = ~field.enemies[place] & (gap <= self.most_in)
        friends[place] = False
        starts, stops = slides.spans(corners[friends])  # TMG-MOV-9
        enemies = field.enemies[place] & (gap <= self.most_in + CLEAR_IN)
        if clear and enemies.any():
            near = slides.near_spans(corners[enemies], CLEAR_IN - TOUCH_IN)
            starts, stops = (
                np.concatenate(both, axis=1) for both in zip((starts, stops), near, strict=True)
            )
        first, last = self.limits(slides)
        cuts = np.stack([starts, stops], axis=2)
        found = map(gaps, first.tolist(), last.tolist(), cuts)
        return [spans if spans and spans[0][0] <= 0 else [(0.0, 0.0), *spans] for spans in found]

    def limits(self, slides: Slides) -> tuple[Floats, Floats]:
        """The least and the greatest distance (k,), whatever it may not end on between."""
        field, units = self.field, len(self.field.units)
        parts = field.solids.corners[units:]
        walls = parts[field.parts_having("impassable")]
        start, stop = slides.spans(np.concatenate([self.enemy_corners(), walls]))
        # TMG-MOV-10, TMG-TER-15
        met = np.where(stop > TOUCH_IN, np.maximum(start, 0.0), np.inf).min(axis=1, initial=np.inf)
        most = np.full(len(met), self.most_in)
        rough = field.parts_having("rough")
        if rough.any():  # one may stop before it, or pay for it
            start, stop = slides.spans(parts[rough])
            before = np.where(stop > TOUCH_IN, start, np.inf).min(axis=1)
            most = np.maximum(np.minimum(most, before), most - ROUGH_IN)
        first, last = np.zeros(len(met)), np.minimum(met, most)
        if field.readings.table_edge != "off":  # OR-18
            low, high = on_table(slides, (field.table.width, field.table.depth))
            first, last = np.maximum(first, low), np.minimum(last, high)
        return first, last

    def enemy_corners(self) -> Floats:
        """Enemy trays in reach; those in contact a little smaller: one may slide along (OR-22)."""
        field, touching = self.field, self.field.touching[self.place]
        enemies = field.enemies[self.place] & (field.pairs.gap[self.place] <= self.most_in)
        if not touching.any():
            return field.solids.corners[: len(field.units)][enemies]
        ease = np.where(touching, OVERLAP_TOLERANCE_IN + CONTACT_IN, 0.0)
        eased = Solids.of(field.trays, field.walls, ease + 3 * field.trays.spread)
        return eased.corners[: len(field.units)][enemies]


def gaps(low: float, high: float, cuts: Floats) -> Spans:
    """What open spans (q, 2) leave of the closed one from low to high."""
    open_: Spans = []
    for start, stop in sorted((cuts[(cuts[:, 1] > low) & (cuts[:, 0] < high)]).tolist()):
        if start >= low - TOUCH_IN:
            open_.append((low, max(low, start)))
        low = max(low, stop)
    if low <= high + TOUCH_IN:
        open_.append((low, max(low, high)))
    return open_


def on_table(slides: Slides, size: tuple[float, float]) -> tuple[Floats, Floats]:
    """From which to which distance (k,) the sliding tray lies wholly on the table (OR-18)."""
    step = np.abs(slides.step)
    extent = step * slides.half[:, :1] + step[:, ::-1] * slides.half[:, 1:]
    with np.errstate(divide="ignore"):
        one = (extent - TOUCH_IN - slides.centre) / slides.step
        two = (np.array(size) + TOUCH_IN - extent - slides.centre) / slides.step
    return np.minimum(one, two).max(axis=1), np.maximum(one, two).min(axis=1)
