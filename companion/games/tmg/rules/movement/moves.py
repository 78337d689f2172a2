"""Which moves a unit may make from where it stands: maneuver, march, retreat, and shifts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield, Spans
from companion.games.tmg.rules.rulebook import (
    CLEAR_IN,
    CONTACT_IN,
    ROUGH_IN,
    SLOWS,
    STOPS,
    farthest_in,
)
from companion.games.tmg.rules.tray_contact import edge_chances, engaged_with, foes
from companion.geometry.plane.answer import SURE_SIGMAS, YES, Answer, both, no
from companion.geometry.plane.motion.shift import AXES, Axis, ShiftTrack
from companion.geometry.plane.sight.scalar_shapes import ConvexPart, OrientedRect, Spot
from companion.geometry.plane.solids import TOUCH_IN
from companion.geometry.plane.trays import Bools, Floats
from models import Pose
from models.unit import OVERLAP_TOLERANCE_IN, overlap_depth
from models.unit import corners as corners_of


@dataclass(frozen=True, slots=True, eq=False)
class Shifts:
    """The slides of one unit, up to a distance.

    `sigmas` makes the test stricter (negative) or more lenient than measured.
    """

    field: Battlefield
    place: int
    most_in: float
    sigmas: float = 0.0

    def legal(self, axis: Axis, distances: Floats, clear: bool = True) -> Bools:
        """Whether the unit may slide these distances (k,) along the axis.

        `clear`: it must end 1 inch from enemies.
        """
        fine = np.zeros(len(distances), dtype=bool)
        for low, high in self.open([axis], clear)[0]:
            fine |= (distances >= low - TOUCH_IN) & (distances <= high + TOUCH_IN)
        return fine

    def open(self, axes: Sequence[Axis], clear: bool = True) -> list[Spans]:
        """The distances the unit may slide along each axis; 0 is always included."""
        field, place, ground = self.field, self.place, self.field.obstacles
        rows = (field.pairs.gap, field.gap_sigma, field.enemies)
        others = list(enumerate(zip(*(row[place].tolist() for row in rows), strict=True)))
        friends = [
            (ground.boxes[other].corners(), self.beside(other, gap, sigma), self.sigmas * sigma)
            for other, (gap, sigma, enemy) in others
            if not enemy and other != place and gap <= self.most_in
        ]
        wide = CLEAR_IN - self.sigmas * float(field.gap_sigma[place].max())
        near = self.most_in + max(wide, CLEAR_IN)
        enemies = [(other, sigma) for other, (gap, sigma, enemy) in others if enemy and gap <= near]
        doubt = self.sigmas * max((sigma for _, sigma in enemies), default=0.0)
        keep = max(CLEAR_IN - doubt, 0.0) - TOUCH_IN
        foes = [ground.boxes[other].corners() for other, _ in enemies] if clear else []
        rough, stops = self.parts_near(SLOWS), self.enemy_corners()
        stops += [(part.corners, part.corners) for part in self.parts_near(STOPS)]
        found = []
        for axis in axes:
            track = ShiftTrack.of(ground.boxes[place], axis)
            cuts = [track.near_span(corners, keep) for corners in foes]  # TMG-MOV-7
            for corners, beside, doubt in friends:  # TMG-MOV-9
                start, stop = track.span(corners, beside)
                cuts.append((start + doubt, stop - doubt))
            entries = [(part.piece, begins(track, part.corners)) for part in rough]  # TMG-TER-17
            met = [first_met(track, *one) for one in stops]  # TMG-MOV-10, TMG-TER-15
            most = min([self.past_rough(entries), *met])
            spans = gaps(*self.on_table(track, most), cuts)
            found.append(spans if spans and spans[0][0] <= 0 else [(0.0, 0.0), *spans])
        return found

    def parts_near(self, keywords: frozenset[str]) -> list[ConvexPart]:
        """The terrain parts with one of these keywords that a slide can reach."""
        tray = self.field.obstacles.boxes[self.place]
        parts = self.field.parts_with(*keywords)
        return [part for part in parts if near_part(tray, part, self.most_in)]

    def past_rough(self, entries: list[tuple[int, float]]) -> float:
        """How far it gets where parts of Rough pieces begin at these distances: it stops before, or
        pays once, or for every piece (OR-26).
        """
        left = self.most_in
        if self.field.readings.rough == "once":
            return max(min([left, *(entry for _, entry in entries)]), left - ROUGH_IN)
        begin: dict[int, float] = {}
        for piece, entry in entries:
            begin[piece] = min(entry, begin.get(piece, math.inf))
        for entry in sorted(begin.values()):
            if entry < left:
                left = max(left - ROUGH_IN, entry)
        return left

    def beside(self, other: int, gap: float, sigma: float) -> float:
        """How wide an overlap with a friend does not count.

        Trays in contact stay in contact whatever their measured overlap; from others the
        uncertainty is added to the distance.
        """
        if gap > CONTACT_IN + SURE_SIGMAS * sigma:
            return self.sigmas * sigma
        units = self.field.units
        deep = overlap_depth(units[self.place], units[other]) if gap <= 0 else 0.0
        return deep + SURE_SIGMAS * sigma

    def on_table(self, track: ShiftTrack, most: float) -> tuple[float, float]:
        """The range of distances up to `most` at which the tray is on the table (OR-18)."""
        table, least = self.field.table, 0.0
        if self.field.readings.table_edge == "off":
            return least, most
        spread = self.sigmas * self.field.obstacles.spread[self.place]
        x, y, ahead, aside, own, across = track
        for at, step, other, size in (
            (x, ahead, aside, table.width),
            (y, aside, ahead, table.depth),
        ):
            # sliding along an edge never comes closer to it
            doubt = spread if abs(step) > TOUCH_IN else 0.0
            extent = abs(step) * own + abs(other) * across - TOUCH_IN - doubt
            if step:
                one, two = (extent - at) / step, (size - extent - at) / step
                least, most = max(least, min(one, two)), min(most, max(one, two))
            elif not extent < at < size - extent:
                least = math.inf
        return least, most

    def enemy_corners(self) -> list[tuple[Sequence[Spot], Sequence[Spot]]]:
        """Enemy trays in reach, eased by the uncertainty and as measured; it may slide along those
        in contact with it, so these are smaller whatever their measured overlap (OR-22).
        """
        field, ground = self.field, self.field.obstacles
        rows = (field.touching, field.pairs.gap, field.gap_sigma)
        touching, gap, sigma = (row[self.place].tolist() for row in rows)
        found: list[tuple[Sequence[Spot], Sequence[Spot]]] = []
        for other in np.flatnonzero(field.enemies[self.place]).tolist():
            x, y, cos, sin, deep, wide = ground.boxes[other]
            ease = self.sigmas * sigma[other]
            if touching[other]:
                ease = OVERLAP_TOLERANCE_IN + CONTACT_IN + SURE_SIGMAS * ground.spread[other]
            if gap[other] + ease <= self.most_in:
                half = max(deep - ease, 1e-6), max(wide - ease, 1e-6)
                eased = OrientedRect(x, y, cos, sin, *half).corners()
                found.append((eased, eased if touching[other] else ground.boxes[other].corners()))
        return found


def begins(track: ShiftTrack, corners: Sequence[Spot]) -> float:
    """The distance until a sliding tray meets a polygon ahead; infinite where it never does."""
    start, stop = track.span(corners)
    return start if stop > TOUCH_IN else math.inf


def first_met(track: ShiftTrack, eased: Sequence[Spot], measured: Sequence[Spot]) -> float:
    """The distance until it meets an obstacle; one that already seems to be met counts as measured,
    as trays cannot overlap.
    """
    start = begins(track, eased)
    return max(start if start > 0 else begins(track, measured), 0.0)


def near_part(tray: OrientedRect, part: ConvexPart, within_in: float) -> bool:
    """Whether a terrain part may be within this distance of a tray (bounding circles)."""
    reach = within_in + math.hypot(tray.deep, tray.wide) + part.radius
    return math.hypot(part.x - tray.x, part.y - tray.y) <= reach


def gaps(low: float, high: float, cuts: list[tuple[float, float]]) -> Spans:
    """The closed interval from low to high minus these open intervals."""
    open_: Spans = []
    for start, stop in sorted(cut for cut in cuts if cut[1] > low and cut[0] < high):
        if start >= low - TOUCH_IN:
            open_.append((low, max(low, start)))
        low = max(low, stop)
    if low <= high + TOUCH_IN:
        open_.append((low, max(low, high)))
    return open_


def move_answers(field: Battlefield, place: int) -> dict[str, Answer]:
    """Maneuver and March while unengaged, Retreat while engaged."""
    free = field.unengaged[place]
    return {
        "maneuver": because(free, "TMG-MAN-1"),
        "march": because(free, "TMG-MAR-1"),
        "retreat": retreat_answer(field, place, free),
    }


def because(free: Answer, rule: str) -> Answer:
    """The answer with the rule that forbids it."""
    return YES if free else Answer(free.verdict, (rule,), free.margin_in, free.chance)


def retreat_answer(field: Battlefield, place: int, free: Answer) -> Answer:
    """Only while engaged (TMG-RET-1), and only if some roll leads to a legal end (TMG-RET-9)."""
    if free:
        return no("TMG-RET-1")
    if free.verdict == "unsure":
        return Answer("unsure", ("TMG-RET-1",), free.margin_in, 1 - free.chance)
    return way_out(field, place, farthest_in(field.units[place].speed))


def way_out(field: Battlefield, place: int, most_in: float) -> Answer:
    """Whether an engaged unit can end a retreat of at most this length (TMG-RET-9)."""
    if field.coarse:
        return Answer("unsure", ("TMG-RET-9",), None, 0.5)
    ahead = forward_retreat(field, place)
    axes = AXES if ahead else AXES[1:]  # sideways and backward (TMG-RET-3)
    if straight_retreat(field, place, most_in, axes):
        return YES
    from companion.games.tmg.rules.movement.retreats import RetreatEscape

    escape = RetreatEscape(field, place, most_in)
    found = escape.answer(axes)
    if found or ahead.verdict != "unsure":
        return found
    return max(found, both(ahead, escape.answer(AXES[:1])), key=lambda one: one.chance)


NARROW_IN = 1.0
"""Where straight paths leave less room than this to end in, a finger hardly finds it."""


def hidden_way_out(field: Battlefield, place: int, most_in: float) -> Pose | None:
    """Where a retreat may end that is hard to find: after a pivot, or in a narrow gap.

    None where there is plenty of room, and where there is none (TMG-RET-6, -9).
    """
    if field.coarse:
        return None
    axes = AXES[1:] if forward_retreat(field, place).verdict == "no" else AXES
    open_ = Shifts(field, place, most_in, -SURE_SIGMAS).open(axes)
    gaps_ = [
        (high - low, axis, (low + high) / 2)
        for axis, spans in zip(axes, open_, strict=True)
        for low, high in spans
        if high > TOUCH_IN
    ]
    if sum(long for long, _, _ in gaps_) >= NARROW_IN:
        return None
    if gaps_:
        _, axis, far = max(gaps_)
        return field.units[place].pose.shifted(axis[0] * far, axis[1] * far)
    from companion.games.tmg.rules.movement.retreats import RetreatEscape

    return RetreatEscape(field, place, most_in).end(axes)


def retreat_lanes(
    field: Battlefield, place: int, most_in: float
) -> Iterator[tuple[tuple[float, float], ...]]:
    """The outlines that its tray may cover after a retreat without a pivot (TMG-RET-3, -4)."""
    if field.coarse:
        return
    import shapely

    unit = field.units[place]
    axes = AXES[1:] if forward_retreat(field, place).verdict == "no" else AXES
    open_ = Shifts(field, place, most_in, -SURE_SIGMAS).open(axes)
    for axis, spans in zip(axes, open_, strict=True):
        for low, high in spans:
            if high <= TOUCH_IN:
                continue  # it stands still
            ends = [unit.pose.shifted(axis[0] * far, axis[1] * far) for far in (low, high)]
            covered = shapely.MultiPoint([one for end in ends for one in corners_of(unit.at(end))])
            yield tuple(map(tuple, shapely.get_coordinates(covered.convex_hull)[:-1].tolist()))


def straight_retreat(field: Battlefield, place: int, most_in: float, axes: Sequence[Axis]) -> bool:
    """Whether a straight retreat of at most this length is certainly legal without a pivot."""
    open_ = Shifts(field, place, most_in, -SURE_SIGMAS).open(axes)
    # standing still is always open, but it is not a retreat
    return any(high > TOUCH_IN for spans in open_ for _, high in spans)


def forward_retreat(field: Battlefield, place: int) -> Answer:
    """Whether a retreat may go forward: engaged at flank or rear (TMG-RET-4, OR-22).

    Unsure where the measurement leaves open who touches the unit or at which edge.
    """
    if not field.edition.retreat_forward:
        return no("TMG-RET-4")
    sure, perhaps = foes(field, place)
    edges = {other: edge_chances(field, place, other) for other in (*sure, *perhaps)}
    surely = {other: "front" not in found for other, found in edges.items()}
    maybe = {other: tuple(found) != ("front",) for other, found in edges.items()}
    if field.readings.retreat_forward == "all":
        may = bool(edges) and all(maybe[other] for other in sure) and any(maybe.values())
        must = bool(sure) and all(surely.values())
    else:
        may, must = any(maybe.values()), any(surely[other] for other in sure)
    if must or not may:
        return YES if must else no("TMG-RET-4")
    touch = {other: engaged_with(field, place, other, "TMG-RET-4").chance for other in edges}
    before = {other: touch[other] * found.get("front", 0.0) for other, found in edges.items()}
    if field.readings.retreat_forward == "all":  # some enemy touches it, and none its front
        apart = math.prod(1 - chance for chance in touch.values())
        chance = math.prod(1 - part for part in before.values()) - apart
    else:
        chance = 1 - math.prod(1 - touch[other] + before[other] for other in edges)
    return Answer("unsure", ("TMG-RET-4",), None, round(chance, 3))
