"""Other enemies that a successful charge touches: aligned, or moved away (TMG-CHG-20..22, 2021)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.alignment import HALF
from companion.games.tmg.rules.distances import CLEAR_IN, CONTACT_IN
from companion.games.tmg.rules.report import ARCS
from companion.games.tmg.rules.tray_contact import (
    engaged_with,
    fits,
    flush,
    foes,
    gaps_from,
    met_edges,
    pose_on,
)
from companion.geometry.plane.answer import Answer, both, no
from companion.geometry.plane.motion.shift import gap_to
from companion.geometry.plane.trays import Bools, Floats
from models import Pose, Table

APART_IN = 2 * CONTACT_IN
"""A gap that is clearly not contact."""
TURNS_DEG = tuple(range(0, 90, 5))
"""Directions tried, relative to straight away, to either side."""
FARTHEST_IN = 12.0
"""No unit is moved farther than this."""


@dataclass(frozen=True, slots=True)
class OtherContact:
    """One other enemy in contact with the charger: by which rule it moves, and where to.

    `pose` is the nearest position that is legal (by TMG-CHG-21 its owner may prefer another), None
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
