"""Measures one charge: the straight line after a given pivot, and what lies on it (TMG-CHG-9..15).

Nothing is searched here: the heading is chosen by the players, seen by the camera, or found by
`charge_paths`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charges import distance_sigma
from companion.games.tmg.rules.movement.move_end import (
    AHEAD,
    MoveEnd,
    SweptPath,
    facing,
    pivot_over,
)
from companion.games.tmg.rules.movement.moves import because
from companion.games.tmg.rules.rulebook import CLEAR_IN, ROUGH_IN, SLOWS, STOPS, farthest_in
from companion.games.tmg.rules.sight_rules import UnitSight
from companion.games.tmg.rules.terrain_crossing import TerrainCrossing, crossings, met
from companion.geometry.plane.answer import SURE_SIGMAS, YES, Answer, both, eased_chance, judge, no
from companion.geometry.plane.motion.shift import ShiftTrack
from companion.geometry.plane.solids import TOUCH_IN, Solids
from companion.geometry.plane.trays import Bools, Floats, into_frame
from models import Pose

GLANCE_IN = 1e-3
"""A tray that passes a target this closely touches it: headings are rounded to 0.001 degrees."""
SAME_IN = 1e-6
LIKELY = 0.5
"""Terrain at least this likely to be crossed counts; the crossing has its probability."""


@dataclass(frozen=True, slots=True)
class ChargeRoute:
    """The straight line a charge follows after its pivot, and what lies on it."""

    field: Battlefield
    place: int
    goal: int
    start: Pose
    contact_in: float  # infinite where the target is not on the line
    block_in: float  # first contact with another enemy or an Impassable piece
    blocker: int  # the index of that solid, or -1
    turn: float = 0.0  # one sigma of its heading, radians: 0 where it is yet to be chosen

    @classmethod
    def of(
        cls, field: Battlefield, place: int, goal: int, heading: float, turn: float = 0.0
    ) -> ChargeRoute:
        """The path of one unit toward another after a pivot to that heading."""
        start = field.units[place].pose.turned(heading)
        way = cls(field, place, goal, start, math.inf, math.inf, -1, turn)
        contact = way.meets_goal(0.0)
        if not math.isfinite(contact):
            contact = way.meets_goal(GLANCE_IN)
        return replace(way, contact_in=contact).among()

    def meets_goal(self, wider_in: float) -> float:
        """The travel until a tray widened by this much on either side meets the target."""
        slide = slide_of(self.field, self.place, self.start)
        wide = slide._replace(across=slide.across + wider_in)
        return float(first_contact(wide, self.field.solids.corners[[self.goal]])[0])

    def drift(self, sigma_in: Floats) -> Floats:
        """One sigma of each tray's lateral offset (n,): of itself, the charger, the heading."""
        trays = self.field.trays
        away = np.hypot(*(trays.centre - np.array([self.start.x, self.start.y])).T)
        return np.asarray(
            np.sqrt(sigma_in**2 + trays.spread[self.place] ** 2 + (self.turn * away) ** 2)
        )

    def among(self, sigmas: float = 0.0) -> ChargeRoute:
        """The same path with its first obstacle, everything this many sigmas farther away."""
        blocks = self.blocks(sigmas)
        blocker = int(np.argmin(blocks.round(6)))
        first = float(blocks[blocker])
        return replace(self, block_in=first, blocker=blocker if math.isfinite(first) else -1)

    def perhaps(self) -> list[ChargeRoute]:
        """The path as measured, and with all obstacles as near and as far as they may be."""
        if self.field.trays.exact and not self.turn:
            return [self]
        ways = [self, self.among(-SURE_SIGMAS), self.among(SURE_SIGMAS)]
        past = math.isfinite(self.contact_in) and not self.field.edition.pivot_reaches
        if past and not self.hits():  # the target may have been passed, too
            ways.append(replace(self, contact_in=math.inf))
        return ways

    def blocks(self, sigmas: float) -> Floats:
        """First contact with each other enemy and Impassable part; friends stop nobody (OR-9)."""
        field, trays = self.field, self.field.trays
        mover, count = MoveEnd(field, self.place), len(field.units)
        stops = mover.trays(enemy=True) | mover.parts(*STOPS)
        stops[self.goal] = False
        slide, solids = slide_of(field, self.place, self.start), field.solids
        met = first_contact(slide, solids.corners)
        if sigmas:  # both trays have errors; of a piece only the charger does
            eased = Solids.of(trays, field.walls, sigmas * self.drift(trays.spread))
            met[:count] = first_contact(slide, eased.corners[:count])
            own, far = float(trays.spread[self.place]), farthest_in(self.speed)
            aside = sigmas * math.hypot(own, self.turn * far)
            slim = slide._replace(
                own=max(slide.own - sigmas * own, 1e-3), across=max(slide.across - aside, 1e-3)
            )
            met[count:] = first_contact(slim, solids.corners[count:])
        return np.where(stops, met, np.inf)

    # -- before the roll --------------------------------------------------------------------

    @property
    def blocked(self) -> bool:
        """Whether an obstacle is met before the target."""
        return self.block_in < self.contact_in - SAME_IN

    @property
    def speed(self) -> int:
        return self.field.units[self.place].speed

    @property
    def distance_in(self) -> float | None:
        """The charge distance: the travel plus the cost of Rough ground (TMG-TER-17); None if this
        line does not lead to the target."""
        return None if self.blocked or not math.isfinite(self.contact_in) else self.total_in

    @property
    def total_in(self) -> float:
        """The charge distance regardless of obstacles."""
        entries = [entry for entry in self.rough if entry < self.contact_in - SAME_IN]
        return self.contact_in + ROUGH_IN * len(entries)

    @property
    def rough(self) -> list[float]:
        """The travels at which Rough ground begins to cost: once, or by piece (OR-26)."""
        field, slide = self.field, slide_of(self.field, self.place, self.start)
        pieces: dict[int, float] = {}
        units = len(field.units)
        for part, entry in enumerate(first_contact(slide, field.solids.corners[units:])):
            piece = int(field.walls.piece[part])
            if field.having(*SLOWS)[piece]:
                pieces[piece] = min(entry, pieces.get(piece, math.inf))
        for piece in np.flatnonzero(field.on_piece[self.place] & field.having(*SLOWS)).tolist():
            pieces[piece] = 0.0
        entries = sorted(entry for entry in pieces.values() if math.isfinite(entry))
        return entries if field.readings.rough == "each" else entries[:1]

    def allowed(self) -> Answer:
        """Whether the pivot is legal: target in sight and within possible reach (TMG-CHG-9, -10).

        Where the edition requires line of sight only, a charge may be directed past its target.
        """
        reach = YES
        if self.field.edition.pivot_reaches:
            reach = because(self.reaches(farthest_in(self.speed)), "TMG-CHG-10")
        swings = pivot_over(self.field, self.place, self.start.heading)
        return both(MoveEnd(self.field, self.place).pivots(self.start), swings, self.seen(), reach)

    def seen(self) -> Answer:
        """Whether the target is in line of sight after the pivot (TMG-CHG-9)."""
        sight = UnitSight(self.field, self.place, self.goal)
        turned = sight.tray.turned(math.radians(self.start.heading))
        return because(sight.answer(turned), "TMG-CHG-9")

    @property
    def sigma_in(self) -> float:
        """One sigma of the charge distance."""
        return distance_sigma(self.field, self.place, self.goal)

    def crossed(self, travel_in: float) -> tuple[TerrainCrossing, ...]:
        """The terrain under this much of the path."""
        return crossings(self.field, self.place, SweptPath(self.start, AHEAD, travel_in))

    @property
    def hindered(self) -> bool:
        """Whether the path to the target leads over Hindering ground (TMG-TER-14)."""
        crossed = self.crossed(self.longest_in)
        return met(crossed, "hindering", "TMG-TER-14").chance >= LIKELY

    @property
    def longest_in(self) -> float:
        """The travel with the highest roll."""
        return min(self.contact_in, self.block_in, farthest_in(self.speed))

    def effects(self, crossed: tuple[TerrainCrossing, ...]) -> tuple[str, ...]:
        """The effects of the terrain a charge crosses (TMG-TER-5, -10, -14, -17, -19)."""
        words = set[str]()
        for one in crossed:
            if one.answer.chance >= LIKELY:
                words |= self.field.edition.charge_effects(one.keywords, not one.entered)
        return tuple(sorted(words))

    # -- reaching the target ----------------------------------------------------------------

    def reaches(self, reach_in: float) -> Answer:
        """Whether a charge of this length reaches its target (TMG-CHG-14, -15), past all others."""
        if not math.isfinite(self.contact_in):
            grazing = self.meets_goal(SURE_SIGMAS * self.drift(self.field.trays.spread)[self.goal])
            if not math.isfinite(grazing):
                return no("TMG-CHG-15")
            return replace(self, contact_in=grazing).reaches(reach_in)
        ahead = self.first()
        if ahead.verdict == "no":
            return both(ahead, no("TMG-CHG-15"))
        reached = judge(reach_in - self.total_in, "TMG-CHG-15", sigma_in=self.sigma_in)
        return both(ahead, self.hits(), reached)

    def first(self) -> Answer:
        """Whether the target is met before everything that would stop it (TMG-CHG-13)."""
        free = [not way.blocked for way in self.perhaps()]
        if all(free):
            return YES
        if not any(free):
            return no("TMG-CHG-13")
        chance = eased_chance(lambda sigmas: not self.among(sigmas).blocked)
        return Answer("unsure", ("TMG-CHG-13",), None, round(chance, 3))

    def hits(self) -> Answer:
        """Whether the target lies in the path and not perhaps just beside it."""
        trays = self.field.trays
        sigma = float(self.drift(trays.spread)[self.goal])
        if not sigma:
            return YES
        corners = trays.corners[[self.goal]]
        centre, ahead = np.array([[self.start.x, self.start.y]]), facing(self.start.heading)
        across = into_frame(centre, ahead[None], corners)[0, :, 1]
        half = float(trays.half[self.place, 1])
        inside = min(half - float(across.min()), half + float(across.max()))
        return judge(inside, "TMG-CHG-14", sigma_in=sigma)

    # -- stopping on the way ----------------------------------------------------------------

    def before(self, corners: Floats, contact_in: float) -> float:
        """The last travel before a contact at which the tray is still 1 inch away; 0 if none.

        On a straight path toward a convex obstacle the gap is monotonic, so bisection finds it.
        """
        low, high = 0.0, contact_in
        while high - low > 1e-11:
            middle = (low + high) / 2
            low, high = (low, middle) if self.gap(corners, middle) < CLEAR_IN else (middle, high)
        return low

    def gap(self, corners: Floats, travel_in: float) -> float:
        """The distance of the tray from a polygon after this much travel."""
        return MoveEnd(self.field, self.place).gap(self.start.shifted(travel_in), corners)

    def nearest(self, corners: Floats, far_in: float) -> float:
        """The travel at which the tray is nearest to a convex obstacle (ternary search)."""
        low, high = 0.0, far_in
        while high - low > 1e-9:
            third = (high - low) / 3
            nearer = self.gap(corners, low + third) <= self.gap(corners, high - third)
            low, high = (low, high - third) if nearer else (low + third, high)
        return low

    def after(self, corners: Floats, nearest_in: float, far_in: float) -> float:
        """The first travel beyond the nearest point at which the tray is 1 inch away again."""
        low, high = nearest_in, far_in
        if self.gap(corners, far_in) < CLEAR_IN:
            return math.inf
        while high - low > 1e-11:
            middle = (low + high) / 2
            low, high = (middle, high) if self.gap(corners, middle) < CLEAR_IN else (low, middle)
        return low

    def name(self, solid: int) -> str:
        """The id of a unit, or of the piece a part belongs to."""
        units = len(self.field.units)
        if solid < units:
            return self.field.units[solid].id
        return self.field.table.terrain[int(self.field.walls.piece[solid - units])].id


def slide_of(field: Battlefield, place: int, start: Pose) -> ShiftTrack:
    """The pivoted tray moving straight forward."""
    tray = field.obstacles.boxes[place].turned(math.radians(start.heading))
    return ShiftTrack.of(tray, AHEAD)


def first_contact(slide: ShiftTrack, corners: Floats) -> Floats:
    """The travel until the tray meets each polygon; infinite where it never does."""
    start, stop = slide.spans(corners)
    ahead: Bools = stop > TOUCH_IN
    return np.where(ahead, np.maximum(start, 0.0), np.inf)
