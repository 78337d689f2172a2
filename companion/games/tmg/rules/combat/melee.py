"""Melee attacks: whom a unit may attack, how it may turn first, and the flank and rear bonus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.combat.odds import ZONE_BONUS, zone_of
from companion.games.tmg.rules.movement.move_end import MoveEnd, SweptPath
from companion.games.tmg.rules.report import Placement
from companion.games.tmg.rules.rulebook import CLEAR_IN, CONTACT_IN, STOPS
from companion.games.tmg.rules.tray_contact import (
    FULL,
    HALF,
    edge_chances,
    engaged_with,
    flush,
    foes,
    gaps_from,
    pose_on,
    room_on,
    touched_edges,
)
from companion.geometry.plane.answer import (
    SURE_SIGMAS,
    YES,
    Answer,
    both,
    count_chances,
    eased_chance,
    judge,
    no,
)
from companion.geometry.plane.contact import TrayEdge
from models import Pose

SAME_FACING_DEG = 0.25
"""Trays closer than this to parallel lie flush."""


@dataclass(frozen=True, slots=True)
class MeleeOption:
    """A position from which a unit may attack one enemy, and whether it had to turn for it.

    `share` is 1 or 0.5 where the trays are aligned so (TMG-MEL-5), None where the unit only turned
    as near as possible to where it stood.
    """

    target: str
    placement: Placement
    turned: bool
    share: float | None
    answer: Answer = YES

    def to_json(self) -> dict[str, Any]:
        """The position as a JSON object."""
        return {
            **self.answer.to_json(),
            **self.placement.to_json(),
            "target": self.target,
            "turned": self.turned,
            "share": self.share,
        }


@dataclass(frozen=True, slots=True)
class Melee:
    """Whether a unit may attack in melee, whom, whether it may turn, and where it may then stand.

    It may always stay where it is; `stances` are the positions it may move to.
    """

    answer: Answer
    targets: dict[str, Answer] = field(default_factory=dict)
    turn: Answer = no("TMG-MEL-1")
    stances: tuple[MeleeOption, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            **self.answer.to_json(),
            "targets": {name: answer.to_json() for name, answer in self.targets.items()},
            "turn": self.turn.to_json(),
            "stances": [stance.to_json() for stance in self.stances],
        }


def melee(field: Battlefield, place: int) -> Melee:
    """The melee attack of one unit from where it stands."""
    sure, perhaps = foes(field, place)
    # TMG-MEL-7: contact alone decides, line of sight does not
    targets = {
        field.units[other].id: engaged_with(field, place, other, "TMG-MEL-1")
        for other in sorted([*sure, *perhaps])
    }
    engaged = max(targets.values(), key=lambda one: one.chance, default=no("TMG-MEL-1"))
    armed = YES if field.units[place].melee else no("TMG-MEL-2")
    answer = both(engaged, armed)
    if not targets:
        return Melee(answer)
    found = tuple(stances(field, place, sure, perhaps))
    return Melee(answer, targets, turn_answer(field, place, sure, perhaps, found), found)


def turn_answer(
    field: Battlefield,
    place: int,
    sure: list[int],
    perhaps: list[int],
    found: tuple[MeleeOption, ...],
) -> Answer:
    """Whether it may turn its front to the enemy: only one, at flank or rear, and with room."""
    if len(sure) > 1:
        return no("TMG-MEL-4")
    if len(sure) + len(perhaps) > 1:
        contacts = [engaged_with(field, place, one, "TMG-MEL-4") for one in (*sure, *perhaps)]
        alone = count_chances(one.chance for one in contacts)[1]
        return Answer("unsure", ("TMG-MEL-4",), None, round(alone, 3))
    only = (sure or perhaps)[0]
    edges = edge_chances(field, place, only)
    if tuple(edges) == ("front",):
        return no("TMG-MEL-3")
    beside = YES
    if "front" in edges:
        beside = Answer("unsure", ("TMG-MEL-3",), None, round(1 - edges["front"], 3))
    rooms = [stance.answer for stance in found if stance.turned]
    room = max(rooms, key=lambda one: one.chance, default=no("OR-20"))
    return both(beside, engaged_with(field, place, only, "TMG-MEL-1"), room)


def stances(
    field: Battlefield, place: int, sure: list[int], perhaps: list[int]
) -> Iterator[MeleeOption]:
    """Every position to attack from: turned only against a single enemy (TMG-MEL-3, -4, OR-21)."""
    every = sorted([*sure, *perhaps])
    for goal in every:
        others = [other for other in every if other != goal]
        for arc in touched_edges(field, goal, place):  # OR-20: the enemy's edge stays the same
            for own in touched_edges(field, place, goal):
                yield from kept(field, place, goal, arc, own, others)
                if own != "front" and not [other for other in sure if other != goal]:
                    yield from turned(field, place, goal, arc, others)


def turned(
    field: Battlefield, place: int, goal: int, arc: str, others: list[int]
) -> Iterator[MeleeOption]:
    """Turned with its front to the enemy's edge: nearest to where it stood, at 100 % and 50 %."""
    on = MeleeContact(field, place, goal, flush(field, place, goal, arc), "front")
    spots = [(share, offset) for share, offset in on.aligned() if on.free(offset).verdict != "no"]
    here = on.nearest(on.present)
    if here is not None and all(abs(here - offset) > CONTACT_IN for _, offset in spots):
        spots.append((None, here))
    contacts = [engaged_with(field, place, one, "TMG-MEL-4") for one in others]
    alone = count_chances(one.chance for one in contacts)[0]
    doubt = YES if not others else Answer("unsure", ("TMG-MEL-4",), None, round(alone, 3))
    for share, offset in spots:
        clear = both(on.free(offset), on.clear(offset, [goal, *others]), doubt)
        if clear.verdict != "no":
            yield on.stance(offset, share, True, clear)


def kept(
    field: Battlefield, place: int, goal: int, arc: str, own: str, others: list[int]
) -> Iterator[MeleeOption]:
    """Shifted along the enemy's edge to 100 % or 50 %, same facing, same contacts (OR-21)."""
    on = MeleeContact(field, place, goal, flush(field, place, goal, arc, own), own)
    pose = on.pose(on.present)
    turn = abs((pose.heading - field.units[place].pose.heading + 180) % 360 - 180)
    if turn > SAME_FACING_DEG + SURE_SIGMAS * np.degrees(field.trays.turn[[place, goal]].sum()):
        return  # not flush: no straight shift aligns it (TMG-MOV-5)
    for share, offset in on.aligned():
        answer = both(
            on.free(offset),
            on.clear(offset, [goal, *others]),
            on.holds(offset, others),
            on.passes(offset, [goal, *others]),
        )
        if answer.verdict != "no":
            yield on.stance(offset, share, False, answer)


@dataclass(frozen=True, slots=True)
class MeleeContact:
    """A tray lying with one of its edges against an enemy's edge, at any offset along it."""

    field: Battlefield
    place: int
    goal: int
    edge: TrayEdge
    own: str

    @property
    def present(self) -> float:
        """The current offset."""
        away = self.field.trays.centre[self.place] - self.field.trays.centre[self.goal]
        return float(away @ self.edge.along)

    def pose(self, offset: float) -> Pose:
        return pose_on(self.edge, offset, self.own)

    def aligned(self) -> list[tuple[float | None, float]]:
        """100 %: centres aligned; 50 %: half the shorter edge at either end (OR-8)."""
        half = self.edge.half_offset
        return [(FULL, 0.0), (HALF, half), (HALF, -half)]

    def free(self, offset: float) -> Answer:
        """Whether nothing blocks that offset (OR-20)."""

        def free(sigmas: float) -> bool:
            room = room_on(self.field, self.edge, (self.place, self.goal), sigmas)
            return room.free(offset)

        if self.field.exact or free(-SURE_SIGMAS) == free(SURE_SIGMAS):
            return YES if free(0.0) else no("OR-20")
        return Answer("unsure", ("OR-20",), None, eased_chance(free))

    def nearest(self, wish: float) -> float | None:
        """The free offset nearest to `wish` that keeps some contact."""
        most = (self.edge.width + self.edge.length) / 2 - 2 * CONTACT_IN
        wish = min(max(wish, -most), most)
        return room_on(self.field, self.edge, (self.place, self.goal)).nearest(wish, most)

    def clear(self, offset: float, engaged: list[int]) -> Answer:
        """Whether it is 1 inch from every enemy it is not engaged with (TMG-MOV-7, OR-19)."""
        if self.field.readings.near_pivot != "strict":
            return YES
        gaps = gaps_from(self.field, self.place, self.pose(offset))
        sigma = self.field.gap_sigma
        return both(
            *(
                judge(gap - CLEAR_IN, "TMG-MOV-7", sigma_in=float(sigma[self.goal, other]))
                for other, gap in gaps.items()
                if other not in engaged
            )
        )

    def holds(self, offset: float, others: list[int]) -> Answer:
        """Whether it stays in contact with the other enemies too."""
        gaps = gaps_from(self.field, self.place, self.pose(offset))
        sigma = self.field.gap_sigma
        return both(
            *(
                judge(
                    CONTACT_IN + float(sigma[self.goal, other]) - gaps[other],
                    "OR-21",
                    sigma_in=float(sigma[self.goal, other]),
                )
                for other in others
            )
        )

    def passes(self, offset: float, engaged: list[int]) -> Answer:
        """Whether the shift passes through no enemy and nothing Impassable (TMG-MOV-10)."""
        way = offset - self.present
        step = np.array(self.edge.along) * np.sign(way)
        forward, left = self.field.trays.forward[self.place], self.field.trays.left[self.place]
        axis = (float(np.round(step @ forward)), float(np.round(step @ left)))
        mover = MoveEnd(self.field, self.place)
        sweep = SweptPath(self.pose(self.present), axis, abs(way))
        enemies = mover.trays(enemy=True)
        enemies[engaged] = False
        return both(
            mover.free(sweep, enemies, "TMG-MOV-10"),
            mover.free(sweep, mover.parts(*STOPS), "TMG-TER-15"),
        )

    def stance(self, offset: float, share: float | None, turn: bool, answer: Answer) -> MeleeOption:
        placement = Placement(self.edge.contact(offset), self.pose(offset))
        return MeleeOption(self.field.units[self.goal].id, placement, turn, share, answer)


RULES = {"front": (), "flank": ("TMG-BON-3", "TMG-BON-4"), "rear": ("TMG-BON-5", "TMG-BON-6")}


@dataclass(frozen=True, slots=True)
class Bonus:
    """The penalty to the enemy's defense rolls and panic tests, with its rules.

    `answer` is unsure where the arc cannot be determined; in an exact tie the attacker chooses
    (OR-6), so `zone` is then the best of `choices`.
    """

    zone: str
    defense: int
    panic: int
    rules: tuple[str, ...] = ()
    answer: Answer = YES
    choices: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            **self.answer.to_json(),
            "zone": self.zone,
            "defense": self.defense,
            "panic": self.panic,
            "rules": list(self.rules),
            "choices": list(self.choices),
        }


def melee_bonus(field: Battlefield, attacker: int, target: int) -> Bonus:
    """The bonus of a melee attack: the enemy's edge in contact decides (OR-7).

    Where the trays meet corner to corner, the arc that contains more of the attacker decides.
    """
    return of_arcs(edge_chances(field, target, attacker), "OR-7")


def of_arcs(odds: dict[str, float], rule: str) -> Bonus:
    """The bonus of the best of these arcs; certain where all are worth the same."""
    kinds = tuple(dict.fromkeys(zone_of(arc) for arc in odds))
    best = min(kinds, key=ZONE_BONUS.__getitem__)
    chance = round(sum(part for arc, part in odds.items() if zone_of(arc) == best), 3)
    answer = YES if len(kinds) == 1 else Answer("unsure", (rule,), None, chance)
    worth = ZONE_BONUS[best]
    return Bonus(best, worth, worth, RULES[best], answer, kinds if len(kinds) > 1 else ())
