"""Shifts and other straight slides: how far they may go and where they may end (TMG-MOV-5..11)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.games.tmg.battlefield import CONTACT_IN, Battlefield
from companion.geometry.shift import Slide, clear_of
from companion.geometry.solids import Solids
from companion.geometry.trays import Bools, Floats
from models.table import OVERLAP_TOLERANCE_IN

CLEAR_IN = 1.0
"""TMG-MOV-7: no move but a charge ends nearer than this to an enemy (OR-13)."""
ROUGH_IN = 1.0
"""TMG-TER-17."""


@dataclass(frozen=True, slots=True)
class Shifts:
    """The slides of one unit, up to a distance."""

    field: Battlefield
    place: int
    most_in: float

    def slide(self, axis: tuple[float, float]) -> Slide:
        """Its tray sliding along an axis."""
        trays, place = self.field.trays, self.place
        return Slide(trays.centre[place], trays.forward[place], trays.half[place], axis)

    def legal(self, axis: tuple[float, float], distances: Floats, clear: bool = True) -> Bools:
        """Whether the unit may slide so far (k,) along the axis; standing still always may.

        `clear`: it must end 1 inch from enemies.
        """
        field, place = self.field, self.place
        slide, solids = self.slide(axis), field.solids
        corners, units = solids.corners, len(field.units)
        enemy = self.marked(field.enemies[place], "")
        stops = np.concatenate([self.enemy_corners(), corners[units:][self.walls("impassable")]])
        fine = distances <= self.allowed(slide, corners[units:][self.walls("rough")], distances)
        fine &= distances <= slide.open_until(stops) + 1e-9  # TMG-MOV-10, TMG-TER-15
        friends = ~field.enemies[place]
        friends[place] = False
        fine &= ~ends_on(slide, distances, corners[:units][friends])  # TMG-MOV-9
        if clear:
            fine &= clear_of(slide, distances, solids, enemy, CLEAR_IN)
        if field.readings.table_edge != "off":  # OR-18
            fine &= on_table(slide, distances, (field.table.width, field.table.depth))
        return fine | (distances == 0.0)

    def marked(self, trays: Bools, keyword: str) -> Bools:
        """Solids: these trays, and the terrain parts with that keyword."""
        return np.concatenate([trays, self.walls(keyword)])

    def walls(self, keyword: str) -> Bools:
        """Terrain parts with that keyword."""
        return self.field.parts_having(keyword)

    def enemy_corners(self) -> Floats:
        """Enemy trays; those in contact a little smaller, for one may slide along them (OR-22)."""
        field = self.field
        enemies = field.enemies[self.place]
        if not field.touching[self.place].any():
            return field.solids.corners[: len(field.units)][enemies]
        ease = np.where(field.touching[self.place], OVERLAP_TOLERANCE_IN + CONTACT_IN, 0.0)
        eased = Solids.of(field.trays, field.walls, ease + 3 * field.trays.spread)
        return eased.corners[: len(field.units)][enemies]

    def allowed(self, slide: Slide, rough: Floats, distances: Floats) -> Floats:
        """The greatest distance, less what Rough ground on the way costs (TMG-TER-17)."""
        most = np.full(len(distances), self.most_in + 1e-9)
        if len(rough):
            start, stop = slide.spans(rough)
            ahead = stop > 1e-9
            touched = (start[ahead][None] < distances[:, None] - 1e-9).any(axis=1)
            most -= ROUGH_IN * touched
        return most


def ends_on(slide: Slide, distances: Floats, polygons: Floats) -> Bools:
    """Whether the tray, slid so far, overlaps one of these."""
    start, stop = slide.spans(polygons)
    if not len(start):
        return np.zeros(len(distances), dtype=bool)
    inside = (distances[:, None] > start + 1e-9) & (distances[:, None] < stop - 1e-9)
    return np.asarray(inside.any(axis=1))


def on_table(slide: Slide, distances: Floats, size: tuple[float, float]) -> Bools:
    """Whether the tray, slid so far, lies wholly on the table (OR-18)."""
    left = np.array([-slide.forward[1], slide.forward[0]])
    extent = np.abs(slide.forward) * slide.half[0] + np.abs(left) * slide.half[1]
    centre = slide.centre + distances[:, None] * slide.step
    inside = (centre >= extent - 1e-9) & (centre <= np.array(size) - extent + 1e-9)
    return np.asarray(inside.all(axis=1))
