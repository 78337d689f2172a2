"""Where a successful charge ends, 100 % or 50 % on the edge, and the other enemies it touches.

Where neither is free (TMG-CHG-18) the editions differ: in 2021 the attacker ends as near to one of
them as it can, in 2018 the defender is moved along its own edge until one is reached.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from companion.games.tmg.rules.battlefield import AT_A_CORNER, Battlefield
from companion.games.tmg.rules.movement.move_end import MoveEnd
from companion.games.tmg.rules.report import ARCS, Placement
from companion.games.tmg.rules.rulebook import CLEAR_IN, CONTACT_IN, STOPS
from companion.games.tmg.rules.tray_contact import (
    FULL,
    HALF,
    engaged_with,
    farthest,
    felt_at,
    fits,
    flush,
    foes,
    gaps_from,
    met_edges,
    on_edge,
    pose_on,
    taken,
)
from companion.geometry.plane.answer import Answer, both, judge, no
from companion.geometry.plane.contact import EdgeRoom, TrayEdge
from companion.geometry.plane.motion.shift import ShiftTrack, gap_to
from companion.geometry.plane.trays import Bools, Floats
from models import Pose, Table


@dataclass(frozen=True, slots=True)
class ChargeEnd:
    """A position where the charge may end, with its rule and the defender's pose if that is moved.

    `share` is 1 or 0.5 where the trays are aligned so, else None.
    """

    placement: Placement
    share: float | None
    rule: str
    defender: Pose | None = None

    def to_json(self) -> dict[str, Any]:
        """The position as a JSON object."""
        text: dict[str, Any] = {**self.placement.to_json(), "share": self.share, "rule": self.rule}
        if self.defender is not None:
            text["defender"] = self.defender.to_json()
        return text


@dataclass(frozen=True, slots=True)
class ChargeEndSearch:
    """Whether a charge has room in that arc, and where it may end."""

    answer: Answer
    places: tuple[ChargeEnd, ...] = ()


@dataclass(frozen=True, slots=True)
class EndSide:
    """An attacker's tray and the defender's edge it is to align with."""

    field: Battlefield
    place: int
    goal: int
    edge: TrayEdge
    room: EdgeRoom

    @classmethod
    def of(cls, field: Battlefield, place: int, goal: int, arc: str) -> EndSide:
        """The edge in that arc."""
        edge = flush(field, place, goal, arc)
        return cls(field, place, goal, edge, taken(field, edge, place, goal))

    @property
    def wishes(self) -> tuple[tuple[float, float], ...]:
        """The shares a charge may end at, and their offsets along the edge (OR-8)."""
        half = self.edge.half_offset
        return (FULL, 0.0), (HALF, half), (HALF, -half)

    @property
    def most(self) -> float:
        """The greatest offset with the contact the edition requires."""
        return farthest(self.field, self.edge)

    def free(self, offset: float) -> bool:
        """Whether the attacker fits at that offset."""
        return self.room.free(offset)

    def at(self, offset: float, share: float | None, rule: str, shifted: float = 0.0) -> ChargeEnd:
        """The end at that offset from the defender's original centre, which may be shifted."""
        pose = pose_on(self.edge, offset)
        felt = felt_at(self.field, self.edge.tray(offset))
        placement = Placement(self.edge.contact(offset - shifted), pose, felt)
        return ChargeEnd(placement, share, rule, self.defender(shifted) if shifted else None)

    def defender(self, shifted: float) -> Pose:
        """The defender's pose after that shift along its edge."""
        was = self.field.units[self.goal].pose
        x, y = self.edge.along
        return Pose(was.x + x * shifted, was.y + y * shifted, was.heading, was.sigma)


def settle(field: Battlefield, place: int, goal: int, arc: str) -> ChargeEndSearch:
    """Where a successful charge into that arc may end (TMG-CHG-17, -18)."""
    room = on_edge(field, place, goal, arc).answer
    if room.verdict == "no":
        return ChargeEndSearch(room)
    side = EndSide.of(field, place, goal, arc)
    places = tuple(
        side.at(offset, share, "TMG-CHG-17")
        for share, offset in side.wishes
        if side.free(offset) and abs(offset) <= side.most + CONTACT_IN
    )
    return ChargeEndSearch(room, places or tuple(OTHERWISE[field.edition.year](side)))


def settled_places(
    field: Battlefield, place: int, goal: int, arcs: Iterable[str]
) -> tuple[Placement, ...]:
    """Where a charge into one of these arcs ends if neither 100 % nor 50 % is free."""
    for arc in arcs:
        found = settle(field, place, goal, arc)
        if found.places:
            return tuple(replace(one.placement, defender=one.defender) for one in found.places)
    return ()


# -- where neither is free --------------------------------------------------------------------


def attacker_near(side: EndSide) -> Iterator[ChargeEnd]:
    """Edition 2021: the attacker as near as possible to 100 % or 50 %."""
    yield from nearest(side, [offset for _, offset in side.wishes])


def nearest(side: EndSide, wishes: Iterable[float]) -> Iterator[ChargeEnd]:
    """The free position nearest to one of these offsets."""
    options = [
        (round(abs(offset - wish), 6), offset)
        for wish in wishes
        if (offset := side.room.nearest(wish, side.most)) is not None
    ]
    if options:
        yield side.at(min(options)[1], None, "TMG-CHG-18")


def defender_moved(side: EndSide) -> Iterator[ChargeEnd]:
    """Edition 2018: the defender moved as little as possible, else as near as possible to 50 %."""
    found = False
    for share in (FULL, HALF):
        ways = [
            (abs(shift), shift, offset + shift)
            for one, offset in side.wishes
            if one == share
            for shift in shifts(side, offset)
            if side.free(offset + shift) and defender_fits(side, shift)
        ]
        if ways:
            found = True
            _, shift, offset = min(ways, key=lambda way: [round(one, 6) for one in way])
            yield side.at(offset, share, "TMG-CHG-18", shift)
    if not found:
        yield from nearest(side, [offset for share, offset in side.wishes if share == HALF])


OTHERWISE: dict[str, Callable[[EndSide], Iterator[ChargeEnd]]] = {
    "2021": attacker_near,
    "2018": defender_moved,
}


def shifts(side: EndSide, wish: float) -> list[float]:
    """The critical shifts of the defender: where an obstacle begins or ceases to be in the way.

    The least shift that frees a position is one of them: before it, attacker or defender overlapped
    what they now touch. The defender passes through nothing, and the attacker stays where it could
    have been in contact.
    """
    behind, ahead = defender_limits(side)
    ends = [*side.room.table, *(end for span in side.room.taken for end in span)]
    critical = np.append(np.array(ends) - wish, [behind, ahead])
    within = (critical >= behind - CONTACT_IN) & (critical <= ahead + CONTACT_IN)
    near = np.abs(critical + wish) <= side.most + CONTACT_IN
    return sorted(set(critical[np.isfinite(critical) & within & near].tolist()))


def defender_limits(side: EndSide) -> tuple[float, float]:
    """How far the defender can slide either way along its edge before it meets an obstacle."""
    field, trays, goal = side.field, side.field.trays, side.goal
    mover = MoveEnd(field, goal)
    solid = mover.trays(enemy=True) | mover.trays(enemy=False) | mover.parts(*STOPS)
    solid[side.place] = False  # it has left its starting position
    along = np.array(side.edge.along)
    axis = (
        float(np.round(along @ trays.forward[goal])),
        float(np.round(along @ trays.left[goal])),
    )
    slide = ShiftTrack.of(field.obstacles.boxes[goal], axis)
    start, stop = slide.spans(field.solids.corners[solid])
    start, stop = start[np.isfinite(start)], stop[np.isfinite(start)]
    before = start + stop < 0
    return (
        float(np.minimum(stop[before], 0.0).max(initial=-np.inf)),
        float(np.maximum(start[~before], 0.0).min(initial=np.inf)),
    )


def defender_fits(side: EndSide, shift: float) -> bool:
    """Whether the defender may stand there: without overlap, in contact with its enemies."""
    field, pose = side.field, side.defender(shift)
    if fits(field, side.goal, pose, "TMG-CHG-18", [side.place]).verdict == "no":
        return False
    mover, sigma = MoveEnd(field, side.goal), field.gap_sigma[side.goal]
    others = np.flatnonzero(field.engaged[side.goal]).tolist()
    return all(
        mover.gap(pose, field.trays.corners[other]) <= CONTACT_IN + sigma[other]
        for other in others
        if other != side.place
    )


APART_IN = 2 * CONTACT_IN
"""A gap that is clearly not contact."""
TURNS_DEG = tuple(range(0, 90, 5))
"""Directions tried, relative to straight away, to either side."""
FARTHEST_IN = 12.0
"""No unit is moved farther than this."""
HAND_IN = 0.25
"""A hand that moves a tray an inch off may leave it this much farther away."""


@dataclass(frozen=True, slots=True)
class OtherContact:
    """One other enemy in contact with the charger: by which rule it moves, and where to.

    `pose` is the nearest position that is legal (by TMG-CHG-21 its owner chooses another), None
    where even TMG-CHG-22 finds none and the players must make room. `moved_in` is the longest
    distance any corner of its tray moves.
    """

    unit: str
    touched: Answer
    rule: str
    pose: Pose | None
    contact: float = 0.0
    moved_in: float = 0.0
    answer: Answer = no("TMG-CHG-22")

    @property
    def cornered(self) -> bool:
        """Whether the trays meet only at a corner and the players say if that counts (OR-49)."""
        return self.touched.why[-1:] == AT_A_CORNER.why


@dataclass(frozen=True, slots=True)
class ContactOption:
    """A position an enemy might be moved to."""

    pose: Pose
    moved_in: float
    contact: float = 0.0


def others(field: Battlefield, charger: str, target: str, place: Pose) -> tuple[OtherContact, ...]:
    """What happens to the other enemies in contact with a charger aligned with its target there.

    They are moved one after the other, in the order of the table.
    """
    if not field.edition.others_align:
        return ()
    # the tray lies against its target, so it has the target's uncertainty
    there = replace(place, sigma=field.table.unit(target).pose.sigma)
    now = Battlefield(field.table.moved(charger, there), field.readings)
    sure, perhaps = foes(now, now.index[charger])
    found: list[OtherContact] = []
    for enemy in sorted([*sure, *perhaps]):
        name = now.units[enemy].id
        if name != target:
            moved = make_way(now, now.index[charger], enemy)
            found.append(moved)
            now = Battlefield(after(now.table, moved), now.readings)
    return tuple(found)


def after(table: Table, moved: OtherContact) -> Table:
    """The table after that enemy has moved."""
    if moved.pose is None:
        return table
    return table.moved(moved.unit, replace(moved.pose, sigma=table.unit(moved.unit).pose.sigma))


def make_way(field: Battlefield, charger: int, enemy: int) -> OtherContact:
    """The shortest move by the first of the three rules that allows one."""
    name = field.units[enemy].id
    touched = engaged_with(field, charger, enemy, "TMG-CHG-20")
    for rule, options in (
        ("TMG-CHG-20", halves(field, charger, enemy)),
        ("TMG-CHG-21", away(field, charger, enemy, CLEAR_IN)),
        ("TMG-CHG-22", away(field, charger, enemy, APART_IN)),
    ):
        for option in sorted(options, key=lambda one: round(one.moved_in, 6)):
            answer = may_stand(field, charger, enemy, option.pose, rule)
            if answer.verdict != "no":
                pose, contact, moved = option.pose, option.contact, option.moved_in
                return OtherContact(
                    name, touched, rule, pose, contact, moved, both(touched, answer)
                )
    return OtherContact(name, touched, "TMG-CHG-22", None)


def stands_off(field: Battlefield, charger: int, enemy: int, pose: Pose) -> Answer:
    """Whether its owner may so put an enemy that is moved 1" off a charger (TMG-CHG-21)."""
    beyond = MoveEnd(field, enemy).gap(pose, field.trays.corners[charger]) - CLEAR_IN
    sigma = math.hypot(pose.sigma.xy_in, field.trays.spread[charger])
    return both(
        judge(beyond + CONTACT_IN, "TMG-CHG-21", sigma_in=sigma),
        judge(HAND_IN - beyond, "TMG-CHG-21", sigma_in=sigma),
        may_stand(field, charger, enemy, pose, "TMG-MOV-3"),
        MoveEnd(field, enemy).on_table(pose),
    )


def may_stand(field: Battlefield, charger: int, enemy: int, pose: Pose, rule: str) -> Answer:
    """Whether the enemy may stand there: without overlap, and in no new contact."""
    room = fits(field, enemy, pose, rule, [charger])
    gaps = gaps_from(field, enemy, pose)
    new = [
        other
        for other, gap in gaps.items()
        if other != charger and gap <= CONTACT_IN and not field.touching[enemy, other]
    ]
    return both(room, no(rule)) if new else room


# -- positions --------------------------------------------------------------------------------


def halves(field: Battlefield, charger: int, enemy: int) -> Iterator[ContactOption]:
    """Flush at 50 % against an edge of the charger that it touches, with any of its own edges."""
    was = field.units[enemy]
    for arc in met_edges(field, charger, enemy):
        for own in ARCS:
            edge = flush(field, enemy, charger, arc, own)
            half = edge.half_offset
            for offset in (half, -half):
                pose = pose_on(edge, offset, own)
                yield ContactOption(
                    pose, farthest_corner(was.pose, pose, was.tray.depth, was.tray.width), HALF
                )


def farthest_corner(was: Pose, now: Pose, depth: float, width: float) -> float:
    """The longest distance any corner moves: turning counts too."""
    return max(
        math.dist(
            was.ahead(ahead * depth / 2, aside * width / 2),
            now.ahead(ahead * depth / 2, aside * width / 2),
        )
        for ahead in (1, -1)
        for aside in (1, -1)
    )


def away(field: Battlefield, charger: int, enemy: int, clear_in: float) -> Iterator[ContactOption]:
    """Moved off the touched edge, straight or at an angle, as little as needed; same facing."""
    was = field.units[enemy].pose
    turns = np.radians(sorted({sign * turn for turn in TURNS_DEG for sign in (1, -1)}, key=abs))
    for arc in met_edges(field, charger, enemy):
        edge = flush(field, enemy, charger, arc)
        angle = math.atan2(edge.out_y, edge.out_x) + turns
        steps = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        for far, (x, y) in zip(least(field, charger, enemy, steps, clear_in), steps, strict=True):
            if math.isfinite(far):
                pose = replace(was, x=was.x + float(far * x), y=was.y + float(far * y))
                yield ContactOption(pose, float(far))


def least(field: Battlefield, charger: int, enemy: int, steps: Floats, clear_in: float) -> Floats:
    """The least distance in each direction (k, 2) that gives the clearance (bisection)."""
    trays = field.trays
    wall = trays.corners[[charger]]

    def near(far: Floats) -> Bools:
        there = trays.centre[enemy] + far[:, None] * steps
        return gap_to(there, trays.forward[enemy], trays.half[enemy], wall) < clear_in

    low, high = np.zeros(len(steps)), np.full(len(steps), FARTHEST_IN)
    never = near(high)
    while (high - low).max() > 1e-10:
        middle = (low + high) / 2
        inside = near(middle)
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return np.where(never, np.inf, high)
