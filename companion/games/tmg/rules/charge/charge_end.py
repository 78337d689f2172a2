"""Where a successful charge ends: 100 % or 50 % on the arc's edge, or as near as possible.

Where neither is free (TMG-CHG-18) the editions differ: in 2021 the attacker ends as near to one of
them as it can, in 2018 the defender is moved along its own edge until one is reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.alignment import FULL, HALF, farthest, felt_at, on_edge, taken
from companion.games.tmg.rules.distances import CONTACT_IN
from companion.games.tmg.rules.movement.move_end import MoveEnd
from companion.games.tmg.rules.report import Placement
from companion.games.tmg.rules.terrain_keywords import STOPS
from companion.games.tmg.rules.tray_contact import fits, flush, pose_on
from companion.geometry.plane.answer import Answer
from companion.geometry.plane.contact import EdgeRoom, TrayEdge
from companion.geometry.plane.motion.shift import ShiftTrack
from models import Pose


@dataclass(frozen=True, slots=True)
class ChargeEnd:
    """A position where the charge may end, with its rule and the defender's pose if that is moved.

    `share` is 1 or 0.5 where the trays are aligned so, else None.
    """

    placement: Placement
    share: float | None
    rule: str
    defender: Pose | None = None

    def plain(self) -> dict[str, Any]:
        """The position as a JSON object."""
        text: dict[str, Any] = {**self.placement.plain(), "share": self.share, "rule": self.rule}
        if self.defender is not None:
            text["defender"] = self.defender.plain()
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
