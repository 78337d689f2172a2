"""Shifts and other straight slides: how far they may go and where they may end (TMG-MOV-5..11)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.games.tmg.battlefield import CONTACT_IN, Battlefield, Spans
from companion.geometry.answer import SURE_SIGMAS
from companion.geometry.plain import Box, Part
from companion.geometry.shift import Axis, Slides
from companion.geometry.solids import TOUCH_IN, Solids
from companion.geometry.trays import Bools, Floats, joined
from models.footprint import overlap_depth
from models.table import OVERLAP_TOLERANCE_IN

CLEAR_IN = 1.0
"""TMG-MOV-7: no move but a charge ends nearer than this to an enemy (OR-13)."""
ROUGH_IN = 1.0
"""TMG-TER-17."""


@dataclass(frozen=True, slots=True, eq=False)
class Shifts:
    """The slides of one unit, up to a distance.

    `sigmas` asks for more room (negative) or less than what the measurement says.
    """

    field: Battlefield
    place: int
    most_in: float
    sigmas: float = 0.0

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
        rough = self.parts_near("rough")
        stops = np.concatenate([self.enemy_corners(), self.parts_near("impassable")])
        # all are met in one stroke; TMG-MOV-9, TMG-TER-17, TMG-MOV-10 and TMG-TER-15
        own, slow = int(friends.sum()), int(friends.sum()) + len(rough)
        aside = np.zeros(slow + len(stops))
        if own:
            aside[:own] = self.beside(friends)
        things = np.concatenate([corners[friends], rough, stops])
        start = stop = np.zeros((len(axes), 0))
        if len(things):
            start, stop = slides.spans(things, aside)
        doubt = self.sigmas * field.gap_sigma[place, friends]
        starts, ends = start[:, :own] + doubt, stop[:, :own] - doubt
        wide = CLEAR_IN - self.sigmas * float(field.gap_sigma[place].max())
        enemies = field.enemies[place] & (gap <= self.most_in + max(wide, CLEAR_IN))
        if clear and enemies.any():
            doubt = self.sigmas * float(field.gap_sigma[place, enemies].max())
            near = slides.near_spans(corners[enemies], max(CLEAR_IN - doubt, 0.0) - TOUCH_IN)
            starts = np.concatenate([starts, near[0]], axis=1)
            ends = np.concatenate([ends, near[1]], axis=1)
        ahead = np.where(stop > TOUCH_IN, start, np.inf)
        most = self.past_rough(ahead[:, own:slow])
        met = np.maximum(ahead[:, slow:], 0.0).min(axis=1, initial=np.inf)
        first, last = self.on_table(slides, np.minimum(most, met))
        found = map(gaps, first.tolist(), last.tolist(), joined(starts, ends))
        return [spans if spans and spans[0][0] <= 0 else [(0.0, 0.0), *spans] for spans in found]

    def parts_near(self, keyword: str) -> Floats:
        """The terrain parts with that keyword that a slide can reach; by piece, all of them."""
        field, every = self.field, self.field.readings.rough == "each"
        if not field.parts_with(keyword):
            return field.solids.corners[:0]
        numbers = [
            number
            for number, part in enumerate(field.parts)
            if field.having(keyword)[part.piece]
            and (every or near_part(field.blockers.ground.boxes[self.place], part, self.most_in))
        ]
        return field.solids.corners[len(field.units) :][numbers]

    def past_rough(self, entries: Floats) -> Floats:
        """How far it gets (k,) where Rough parts begin after so much: it stops before, or pays.

        It pays once, or for every piece (OR-26).
        """
        if self.field.readings.rough == "once":
            first = entries.min(axis=1, initial=np.inf)
            return np.maximum(np.minimum(first, self.most_in), self.most_in - ROUGH_IN)
        owner, left = self.field.walls.piece, np.full(len(entries), self.most_in)
        owner = owner[self.field.parts_having("rough")]
        begins = [entries[:, owner == piece].min(axis=1) for piece in np.unique(owner)]
        for entry in np.sort(np.array(begins).reshape(-1, len(entries)), axis=0):
            left = np.where(entry < left, np.maximum(left - ROUGH_IN, entry), left)
        return left

    def beside(self, friends: Bools) -> Floats:
        """How wide an overlap with each friend (k,) does not count.

        Who stands beside it stays beside it, however the two were typed or measured; from the
        others doubt keeps its distance.
        """
        field, place = self.field, self.place
        sigma, gap = field.gap_sigma[place, friends], field.pairs.gap[place, friends]
        unit, others = field.units[place], np.flatnonzero(friends).tolist()
        deep = [
            overlap_depth(unit, field.units[other]) if overlaps else 0.0
            for other, overlaps in zip(others, (gap <= 0).tolist(), strict=True)
        ]
        touching = gap <= CONTACT_IN + SURE_SIGMAS * sigma
        return np.where(touching, np.array(deep) + SURE_SIGMAS * sigma, self.sigmas * sigma)

    def on_table(self, slides: Slides, most: Floats) -> tuple[Floats, Floats]:
        """From which to which distance (k,), at most so far, the tray lies on the table (OR-18)."""
        least, table, ground = np.zeros(len(most)), self.field.table, self.field.blockers.ground
        doubt = self.sigmas * ground.spread[self.place]
        tray, reach = (
            ground.boxes[self.place],
            ground.radius[self.place] + abs(doubt) + self.most_in,
        )
        far = reach <= tray.x <= table.width - reach and reach <= tray.y <= table.depth - reach
        if far or self.field.readings.table_edge == "off":
            return least, most
        step = np.abs(slides.step)
        extent = step * slides.half[:, :1] + step[:, ::-1] * slides.half[:, 1:] - TOUCH_IN
        extent = extent - np.where(step > TOUCH_IN, doubt, 0.0)  # along an edge none comes nearer
        size = np.array([table.width, table.depth])
        with np.errstate(divide="ignore"):
            one = (extent - slides.centre) / slides.step
            two = (size - extent - slides.centre) / slides.step
        low, high = np.minimum(one, two).max(axis=1), np.maximum(one, two).min(axis=1)
        return np.maximum(least, low), np.minimum(most, high)

    def enemy_corners(self) -> Floats:
        """Enemy trays in reach; those in contact a little smaller: one may slide along (OR-22)."""
        field, touching = self.field, self.field.touching[self.place]
        enemies = field.enemies[self.place] & (field.pairs.gap[self.place] <= self.most_in)
        if not touching.any():
            return field.solids.corners[: len(field.units)][enemies]
        ease = np.where(touching, OVERLAP_TOLERANCE_IN + CONTACT_IN, 0.0)
        eased = Solids.of(field.trays, field.walls, ease + 3 * field.trays.spread)
        return eased.corners[: len(field.units)][enemies]


def near_part(tray: Box, part: Part, within_in: float) -> bool:
    """Whether a terrain part may come nearer to a tray than that."""
    reach = within_in + math.hypot(tray.deep, tray.wide) + part.radius
    return math.hypot(part.x - tray.x, part.y - tray.y) <= reach


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
