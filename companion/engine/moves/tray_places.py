"""Places of a tray: whether it stands still, the lines of a straight move, and the places that the
rules name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion.engine.moves.contact import NEAR_DEG, NEAR_IN
from companion.games.api.prompt import ActionOffer, TrayEnd
from models import Pose, Table
from models.unit import trays_overlap

STILL_IN, STILL_DEG = 0.1, 1.0
"""A tray that ends this close to its old place has not moved."""

LINE_IN = 0.4
"""A finger this close to the line of a straight move means the line."""

MISSED_IN = 0.01
"""A line missed by less is not missed."""

DECIDED_IN = 2.0
"""A move that is decided goes along its lines only: a finger may be this far off."""


def still(before: Pose, now: Pose) -> bool:
    """Whether two poses are the same within the tolerance."""
    turned = abs((now.heading - before.heading + 180) % 360 - 180)
    return math.hypot(now.x - before.x, now.y - before.y) < STILL_IN and turned < STILL_DEG


def lies_over(table: Table, unit: str) -> str | None:
    """The tray over which another one would lie, which no table has; None if there is none."""
    own = table.unit(unit)
    covered = (one.id for one in table.units if one is not own and trays_overlap(own, one))
    return next(covered, None)


def line_end(start: Pose, pose: Pose, lines: Sequence[float]) -> Pose:
    """The nearest pose on the lines along which alone a move goes; its facing is kept."""
    ends = [pose]
    for line in lines:
        way = math.radians(start.heading + line)
        dx, dy = math.cos(way), math.sin(way)
        far = max(0.0, (pose.x - start.x) * dx + (pose.y - start.y) * dy)
        ends.append(replace(pose, x=start.x + far * dx, y=start.y + far * dy))
    return min(ends[1:] or ends, key=lambda end: math.dist((end.x, end.y), (pose.x, pose.y)))


def straightened(start: Pose, pose: Pose, lines: Sequence[float], decided: bool = False) -> Pose:
    """The pose on the line of a straight move, if a finger put it close to that."""
    end = line_end(start, pose, lines)
    near = DECIDED_IN if decided else LINE_IN
    return end if math.dist((end.x, end.y), (pose.x, pose.y)) <= near else pose


def drawn_back(start: Pose, pose: Pose, reach: float) -> Pose:
    """The pose as far away as a move goes, if a finger put it a little farther."""
    far = math.dist((pose.x, pose.y), (start.x, start.y))
    if not 0.0 < reach < far <= reach + LINE_IN:
        return pose
    x, y = (a + (b - a) * reach / far for a, b in ((start.x, pose.x), (start.y, pose.y)))
    return replace(pose, x=x, y=y)


def off_line(before: Pose, end: Pose, lines: Sequence[float]) -> float:
    """How far a place is from the lines along which alone a move goes; 0 where it goes any way."""
    there = line_end(before, end, lines)
    off = math.dist((there.x, there.y), (end.x, end.y))
    return off if off >= MISSED_IN else 0.0


def ends_from(offer: ActionOffer, unit: str, pose: Pose) -> Iterator[tuple[float, float, TrayEnd]]:
    """The places of an offer for one tray alone, with how far off a pose is in inches and
    degrees."""
    for end in offer.ends:
        (piece, there), *others = end.poses
        if piece == unit and not others:
            turned = abs((there.heading - pose.heading + 180) % 360 - 180)
            yield math.dist((there.x, there.y), (pose.x, pose.y)), turned, end


def at_end(offers: Iterable[ActionOffer], unit: str, pose: Pose) -> Pose | None:
    """The nearest place that an offer names for a tray, if a finger put it close to that."""
    found = [one for offer in offers for one in ends_from(offer, unit, pose)]
    near = [one for one in found if one[0] <= NEAR_IN and one[1] <= NEAR_DEG]
    return min(near, key=lambda one: one[0])[2].poses[0][1] if near else None


def place_name(offer: ActionOffer, unit: str, pose: Pose) -> str:
    """At which of the places of an offer a tray is, within the error of its measurement."""
    for off, turn, end in ends_from(offer, unit, pose):
        far, turned = (2 * error for error in (pose.sigma.xy_in, pose.sigma.heading_deg))
        if off < STILL_IN + far and turn < STILL_DEG + turned:
            return end.text
    return ""


def certain_ends(due: Iterable[ActionOffer]) -> list[TrayEnd]:
    """Where trays go that have a move to make, if the rules alone say it."""
    return [move.ends[0] for move in due if move.certain]
