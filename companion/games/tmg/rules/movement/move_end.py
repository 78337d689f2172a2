"""Where a move may end, and what a path or a pivot may cross.

The rules are TMG-MOV-3..11, TMG-TER-15, TMG-TER-16 and OR-18.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.rulebook import CLEAR_IN, CONTACT_IN, ROUGH_IN, SLOWS, STOPS
from companion.geometry.plane.answer import SURE_SIGMAS, YES, Answer, both, eased_chance, judge, no
from companion.geometry.plane.motion.obstacles import Swing, swing
from companion.geometry.plane.motion.shift import gap_to
from companion.geometry.plane.solids import Solids
from companion.geometry.plane.trays import Bools, Floats
from models import Pose
from models.unit import trays_overlap

SAME_PLACE_IN = CONTACT_IN
"""Positions closer than this are equal: hands and rounding are no more precise."""
DOUBTFUL_SIGMAS = 2.0
"""Physical trays cannot overlap: only an overlap of more sigmas than this is doubtful."""
UNTURNED_DEG = 1e-6
"""A turn of no more than this is not a pivot."""
AHEAD = (1.0, 0.0)


@dataclass(frozen=True, slots=True)
class SweptPath:
    """The area a tray covers when it slides straight along one of its axes."""

    start: Pose
    axis: tuple[float, float] = AHEAD
    travel_in: float = 0.0

    def box(self, half: Floats, grown: float = 0.0) -> tuple[Floats, Floats, Floats]:
        """Centre, facing and half sizes of that area, enlarged by `grown`."""
        forward = facing(self.start.heading)
        left = np.array([-forward[1], forward[0]])
        step = self.axis[0] * forward + self.axis[1] * left
        centre = np.array([self.start.x, self.start.y]) + step * self.travel_in / 2
        size = np.maximum(half + grown, 1e-3) + np.abs(self.axis) * self.travel_in / 2
        return centre[None], forward[None], size[None]


@dataclass(frozen=True, slots=True, eq=False)
class MoveEnd:
    """One unit about to move: its obstacles, and where it may end."""

    field: Battlefield
    place: int

    @property
    def half(self) -> Floats:
        """Half depth and half width of its tray."""
        return self.field.trays.half[self.place]

    # -- obstacles --------------------------------------------------------------------------

    def trays(self, *, enemy: bool) -> Bools:
        """(q,): the solids that are enemy trays, or friendly ones."""
        chosen = np.zeros(len(self.field.solids), dtype=bool)
        chosen[: len(self.field.units)] = self.field.enemies[self.place] == enemy
        chosen[self.place] = False
        return chosen

    def parts(self, *keywords: str) -> Bools:
        """(q,): the solids that are terrain parts with one of these keywords."""
        none = np.zeros(len(self.field.units), dtype=bool)
        return np.concatenate([none, self.field.parts_having(*keywords)])

    def free(self, sweep: SweptPath, solids: Bools, rule: str) -> Answer:
        """Whether a swept area overlaps none of these solids."""
        if not solids.any():
            return YES
        spread = float(self.field.trays.spread.max(initial=0.0)) + sweep.start.sigma.xy_in
        if not self.meets(sweep, SURE_SIGMAS * spread)[solids].any():
            return YES
        if self.meets(sweep, -SAME_PLACE_IN - SURE_SIGMAS * spread)[solids].any():
            return no(rule)
        if not spread:
            return YES
        chance = eased_chance(
            lambda sigmas: not self.meets(sweep, -SAME_PLACE_IN - sigmas * spread)[solids].any()
        )
        return Answer("unsure", (rule,), None, round(chance, 3))

    def meets(self, sweep: SweptPath, grown: float = 0.0) -> Bools:
        """(q,): the solids that overlap a swept area."""
        return self.field.solids.meet(*sweep.box(self.half, grown))[0]

    # -- the path ---------------------------------------------------------------------------

    def passes(self, sweep: SweptPath) -> Answer:
        """Past friends (TMG-MOV-8), but through no enemy and no impassable piece."""
        return both(
            self.free(sweep, self.trays(enemy=True), "TMG-MOV-10"),
            self.free(sweep, self.parts(*STOPS), "TMG-TER-15"),
        )

    def pivots(self, pose: Pose) -> Answer:
        """A first pivot: over friends if the edition allows it (TMG-MOV-4), never over enemies."""
        turn = (pose.heading - self.field.units[self.place].pose.heading + 180) % 360 - 180
        if abs(turn) <= UNTURNED_DEG:
            return YES
        turned = SweptPath(pose)
        friends = YES
        if not self.field.edition.pivot_over_friends:
            friends = self.free(turned, self.trays(enemy=False), "TMG-MOV-3")
        return both(
            friends,
            self.free(turned, self.trays(enemy=True), "TMG-MOV-3"),  # OR-23
            self.free(turned, self.parts(*STOPS), "TMG-TER-16"),
        )

    def rough_cost(self, sweep: SweptPath, end: Pose | None = None) -> float:
        """The cost of Rough ground on a path (TMG-TER-17; OR-26: once, or for each piece).

        `end` is the pose after the last pivot, which counts where the edition says so.
        """
        if sweep.travel_in <= SAME_PLACE_IN:
            return 0.0
        under = self.meets(sweep)
        if end is not None and self.field.edition.last_pivot_pays:
            under |= self.meets(SweptPath(end))
        met = (under & self.parts(*SLOWS))[len(self.field.units) :]
        pieces = set(self.field.walls.piece[met].tolist())
        pieces |= set(
            np.flatnonzero(self.field.having(*SLOWS) & self.field.on_piece[self.place]).tolist()
        )
        return ROUGH_IN * (len(pieces) if self.field.readings.rough == "each" else bool(pieces))

    # -- the end ----------------------------------------------------------------------------

    def ends(self, pose: Pose, clear: bool = True) -> Answer:
        """Whether the unit may end a move there; `clear`: 1 inch from enemies."""
        answers = [self.on_table(pose), self.may_stand(pose)]
        if clear:
            answers.append(self.clear_of_enemies(pose))
        return both(*answers)

    def may_stand(self, pose: Pose) -> Answer:
        """No tray and no impassable piece under it (TMG-MOV-3, -9, TMG-TER-15)."""
        return both(
            self.beside_trays(pose, False, "TMG-MOV-9"),
            self.beside_trays(pose, True, "TMG-MOV-3"),
            self.off_walls(pose),
        )

    def off_walls(self, pose: Pose) -> Answer:
        """No impassable piece under it (TMG-TER-15)."""
        return self.beside(pose, self.parts(*STOPS), "TMG-TER-15", SAME_PLACE_IN)

    def beside_trays(self, pose: Pose, enemy: bool, rule: str) -> Answer:
        """Whether its tray, measured there, overlaps none of the enemies or friends.

        A table refuses the same overlap: whoever may stand there may be put there.
        """
        unit, sigma = self.field.units[self.place].at(pose), pose.sigma.xy_in

        def covers(sigmas: float) -> bool:
            return any(
                trays_overlap(unit, other, sigmas * math.hypot(sigma, other.pose.sigma.xy_in))
                for other in others
            )

        others = [self.field.units[one] for one in np.flatnonzero(self.trays(enemy=enemy))]
        if not covers(DOUBTFUL_SIGMAS):
            return YES
        return no(rule) if covers(SURE_SIGMAS) else Answer("unsure", (rule,), None, 0.05)

    def beside(self, pose: Pose, solids: Bools, rule: str, spare_in: float) -> Answer:
        """Whether a tray measured there overlaps none of these solids.

        Physical trays cannot overlap: the answer is yes as long as the overlap is within two sigmas
        of the measurement error.
        """
        spread = self.field.trays.spread[solids[: len(self.field.units)]].max(initial=0.0)
        sigma = float(np.hypot(pose.sigma.xy_in, spread))

        def covers(sigmas: float) -> bool:
            return bool(self.meets(SweptPath(pose), -spare_in - sigmas * sigma)[solids].any())

        if not covers(DOUBTFUL_SIGMAS):
            return YES
        if not sigma or covers(SURE_SIGMAS):
            return no(rule)
        return Answer("unsure", (rule,), None, 0.05)

    def clear_of_enemies(self, pose: Pose) -> Answer:
        """TMG-MOV-7: at least 1 inch from every enemy (OR-13)."""
        answer = YES
        for other in np.flatnonzero(self.field.enemies[self.place]):
            gap = self.gap(pose, self.field.trays.corners[other])
            sigma = float(np.hypot(pose.sigma.xy_in, self.field.trays.spread[other]))
            answer = both(answer, judge(gap - CLEAR_IN, "TMG-MOV-7", sigma_in=sigma))
        return answer

    def gap(self, pose: Pose, corners: Floats) -> float:
        """The distance of its tray at that pose from another polygon."""
        centre = np.array([[pose.x, pose.y]])
        return float(gap_to(centre, facing(pose.heading), self.half, corners[None])[0])

    def on_table(self, pose: Pose) -> Answer:
        """OR-18: the whole tray on the table."""
        if self.field.readings.table_edge == "off":
            return YES
        forward = facing(pose.heading)
        extent = np.abs(forward) * self.half[0] + np.abs(forward[::-1]) * self.half[1]
        centre = np.array([pose.x, pose.y])
        size = np.array([self.field.table.width, self.field.table.depth])
        margin = float(min((centre - extent).min(), (size - extent - centre).min()))
        return judge(margin + SAME_PLACE_IN, "OR-18", sigma_in=pose.sigma.xy_in)


def facing(heading_deg: float) -> Floats:
    """The unit vector of a heading."""
    angle = np.radians(heading_deg)
    return np.array([np.cos(angle), np.sin(angle)])


def pivot_over(field: Battlefield, place: int, heading: float, start: Pose | None = None) -> Answer:
    """Whether Impassable pieces allow a unit to pivot to that heading.

    It never ends on one (TMG-TER-15). Where it may not swing over one either, turning one way round
    or the other is enough. Without a `start` it pivots where it stands.
    """
    mover = MoveEnd(field, place)
    solid = mover.parts(*STOPS)
    pose = start or field.units[place].pose
    ends = mover.free(SweptPath(pose.turned(heading)), solid, "TMG-TER-16")
    if field.edition.swings_over_walls:
        return ends
    spread = float(field.trays.spread[place])

    def turns(sigmas: float) -> bool:
        swing = swing_from(field, place, pose, -sigmas * spread)
        return not swing.bars_turn(math.radians(heading))

    if turns(-SURE_SIGMAS):
        return ends
    if not turns(SURE_SIGMAS):
        return both(ends, no("TMG-TER-16"))
    return both(ends, Answer("unsure", ("TMG-TER-16",), None, eased_chance(turns)))


def swing_from(field: Battlefield, place: int, pose: Pose, grown: float = 0.0) -> Swing:
    """How far a unit's tray, enlarged by `grown`, turns before it overlaps an Impassable piece."""
    chosen, parts = field.parts_having(*STOPS), field.solids.parts
    solid = Solids(parts.corners[chosen], parts.normal[chosen], parts.offset[chosen], 0)
    half = np.maximum(field.trays.half[place] + grown, 1e-3)
    return swing(np.array([pose.x, pose.y]), math.radians(pose.heading), half, solid)


def swing_of(field: Battlefield, place: int, grown: float) -> Swing:
    """The same where the unit stands, unlimited where the edition allows it; cached."""
    if (place, grown) not in field.swings:
        free = field.edition.swings_over_walls
        pose = field.units[place].pose
        field.swings[place, grown] = Swing(0.0) if free else swing_from(field, place, pose, grown)
    return field.swings[place, grown]
