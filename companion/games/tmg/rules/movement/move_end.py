"""Where a move may end, and what a straight way may cross (TMG-MOV-3..11, TMG-TER-15, OR-18)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.distances import CLEAR_IN, CONTACT_IN, ROUGH_IN
from companion.geometry.plane.answer import SURE_SIGMAS, YES, Answer, both, eased_chance, judge, no
from companion.geometry.plane.motion.shift import gap_to
from companion.geometry.plane.trays import Bools, Floats
from models import Pose
from models.table import OVERLAP_TOLERANCE_IN

SAME_PLACE_IN = CONTACT_IN
"""Places nearer than this are one place: hands and rounding are no better."""
UNTURNED_DEG = 1e-6
"""Who turns no more than this does not pivot."""
AHEAD = (1.0, 0.0)


@dataclass(frozen=True, slots=True)
class SweptPath:
    """The ground a tray covers when it slides straight along one of its axes, facing kept."""

    start: Pose
    axis: tuple[float, float] = AHEAD
    travel_in: float = 0.0

    def box(self, half: Floats, grown: float = 0.0) -> tuple[Floats, Floats, Floats]:
        """Centre, facing and half sizes of that ground, grown by so much."""
        forward = facing(self.start.heading)
        left = np.array([-forward[1], forward[0]])
        step = self.axis[0] * forward + self.axis[1] * left
        centre = np.array([self.start.x, self.start.y]) + step * self.travel_in / 2
        size = np.maximum(half + grown, 1e-3) + np.abs(self.axis) * self.travel_in / 2
        return centre[None], forward[None], size[None]


@dataclass(frozen=True, slots=True, eq=False)
class MoveEnd:
    """One unit of a battlefield about to move: what may stop it, and where it may end."""

    field: Battlefield
    place: int

    @property
    def half(self) -> Floats:
        """Half depth and width of its tray."""
        return self.field.trays.half[self.place]

    # -- what lies about --------------------------------------------------------------------

    def trays(self, *, enemy: bool) -> Bools:
        """(q,): the solids that are enemy trays, or friendly ones."""
        chosen = np.zeros(len(self.field.solids), dtype=bool)
        chosen[: len(self.field.units)] = self.field.enemies[self.place] == enemy
        chosen[self.place] = False
        return chosen

    def parts(self, keyword: str) -> Bools:
        """(q,): the solids that are terrain parts with that keyword."""
        none = np.zeros(len(self.field.units), dtype=bool)
        return np.concatenate([none, self.field.parts_having(keyword)])

    def free(self, sweep: SweptPath, solids: Bools, rule: str) -> Answer:
        """Whether a sweep meets none of these solids."""
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
        """(q,): the solids that share ground with a sweep."""
        return self.field.solids.meet(*sweep.box(self.half, grown))[0]

    # -- the way ----------------------------------------------------------------------------

    def passes(self, sweep: SweptPath) -> Answer:
        """Past friends (TMG-MOV-8), but through no enemy and no impassable piece."""
        return both(
            self.free(sweep, self.trays(enemy=True), "TMG-MOV-10"),
            self.free(sweep, self.parts("impassable"), "TMG-TER-15"),
        )

    def pivots(self, pose: Pose) -> Answer:
        """A first pivot: over friends where the edition lets it (TMG-MOV-4), never enemies."""
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
            self.free(turned, self.parts("impassable"), "TMG-TER-16"),
        )

    def rough_cost(self, sweep: SweptPath, end: Pose | None = None) -> float:
        """What Rough ground under a way costs (TMG-TER-17; OR-26: once, or for each piece).

        `end` is where its last pivot left the tray, which counts where the edition says so.
        """
        if sweep.travel_in <= SAME_PLACE_IN:
            return 0.0
        under = self.meets(sweep)
        if end is not None and self.field.edition.last_pivot_pays:
            under |= self.meets(SweptPath(end))
        met = (under & self.parts("rough"))[len(self.field.units) :]
        pieces = set(self.field.walls.piece[met].tolist())
        pieces |= set(
            np.flatnonzero(self.field.having("rough") & self.field.on_piece[self.place]).tolist()
        )
        return ROUGH_IN * (len(pieces) if self.field.readings.rough == "each" else bool(pieces))

    # -- the end ----------------------------------------------------------------------------

    def ends(self, pose: Pose, clear: bool = True) -> Answer:
        """Whether the unit may end a move there; `clear`: 1 inch from enemies."""
        answers = [self.on_table(pose), self.stands(pose)]
        if clear:
            answers.append(self.clear_of_enemies(pose))
        return both(*answers)

    def stands(self, pose: Pose) -> Answer:
        """No tray and no impassable piece under it (TMG-MOV-3, -9, TMG-TER-15)."""
        return both(
            self.beside(pose, self.trays(enemy=False), "TMG-MOV-9", OVERLAP_TOLERANCE_IN),
            self.beside(pose, self.trays(enemy=True), "TMG-MOV-3", OVERLAP_TOLERANCE_IN),
            self.beside(pose, self.parts("impassable"), "TMG-TER-15", SAME_PLACE_IN),
        )

    def beside(self, pose: Pose, solids: Bools, rule: str, spare_in: float) -> Answer:
        """Whether a tray that was seen there lies on none of these solids.

        Solid things lie beside one another, however they look: so it is yes while the overlap
        is no deeper than measuring makes it (two sigmas).
        """
        spread = self.field.trays.spread[solids[: len(self.field.units)]].max(initial=0.0)
        sigma = float(np.hypot(pose.sigma.xy_in, spread))

        def overlaps(sigmas: float) -> bool:
            return bool(self.meets(SweptPath(pose), -spare_in - sigmas * sigma)[solids].any())

        if not overlaps(2.0):
            return YES
        if not sigma or overlaps(SURE_SIGMAS):
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
        """Distance of its tray there from another polygon."""
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
