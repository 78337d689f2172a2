"""Contact between trays: who touches whom, at which edges, and where a tray can lie flush."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.alignment import arc_chances, arcs_of, edge_in
from companion.games.tmg.rules.distances import CONTACT_IN
from companion.games.tmg.rules.movement.move_end import MoveEnd, SweptPath
from companion.games.tmg.rules.report import ARCS
from companion.games.tmg.rules.sight_rules import zones
from companion.games.tmg.rules.terrain_keywords import STOPS
from companion.geometry.plane.answer import SURE_SIGMAS, YES, Answer, both, judge, no
from companion.geometry.plane.contact import TrayEdge
from models import Pose

EDGE_TURN_DEG = {"front": 0.0, "left": 90.0, "right": -90.0, "rear": 180.0}
"""The direction an edge of a tray faces, relative to the tray's own facing."""


def engaged_with(field: Battlefield, place: int, other: int, rule: str) -> Answer:
    """Whether two enemies are in contact (TMG-GLO-11); `rule` is the rule that requires it."""
    if field.engaged[place, other]:
        return YES
    if not (field.maybe_touching & field.enemies)[place, other]:
        return no(rule)
    gap, sigma = float(field.pairs.gap[place, other]), float(field.gap_sigma[place, other])
    return judge(CONTACT_IN - gap, rule, sigma_in=sigma)


def foes(field: Battlefield, place: int) -> tuple[list[int], list[int]]:
    """The enemies certainly in contact with a unit, and those that may be."""
    perhaps = field.maybe_touching[place] & field.enemies[place]
    return np.flatnonzero(field.engaged[place]).tolist(), np.flatnonzero(perhaps).tolist()


def touched_edges(field: Battlefield, place: int, other: int) -> tuple[str, ...]:
    """The edge of a unit's own tray at which another touches it; two where it is unsure.

    Corner to corner both edges touch: the arc that contains more of the other decides (OR-7).
    """
    near = met_edges(field, place, other)
    if len(near) == 1:
        return near
    zone = zones(field, np.array([other]), np.array([place]))[0]
    return (zone.arc,) if zone.arc in near else near


def edge_chances(field: Battlefield, place: int, other: int) -> dict[str, float]:
    """The probability of each of those edges, from the arc that contains more of the other."""
    edges = touched_edges(field, place, other)
    if len(edges) == 1:
        return {edges[0]: 1.0}
    zone = zones(field, np.array([other]), np.array([place]))[0]
    odds = dict(zip(arcs_of(zone), arc_chances(field, other, place, zone), strict=True))
    told = sum(odds.get(edge, 0.0) for edge in edges)
    return {edge: odds.get(edge, 0.0) / told if told else 1 / len(edges) for edge in edges}


def met_edges(field: Battlefield, place: int, other: int) -> tuple[str, ...]:
    """Every edge of a unit's own tray that another touches: two if corner to corner."""
    corners = field.pairs.corners[place, other]
    depth, width = field.trays.half[place]
    low, high = corners.min(axis=0), corners.max(axis=0)
    apart = np.array([low[0] - depth, low[1] - width, -high[1] - width, -high[0] - depth])
    spare = CONTACT_IN + SURE_SIGMAS * float(field.gap_sigma[place, other])
    order = np.argsort(-apart.round(6), kind="stable")
    return tuple(ARCS[edge] for edge in order if apart[edge] >= apart.max() - spare)


# -- lying flush against an edge ---------------------------------------------------------------


def flush(field: Battlefield, place: int, goal: int, arc: str, own: str = "front") -> TrayEdge:
    """The edge of the goal's tray in that arc, for a tray that touches it with its `own` edge."""
    edge = edge_in(field, place, goal, arc)
    if own in ("left", "right"):
        return edge._replace(depth=edge.width, width=edge.depth)
    return edge


def pose_on(edge: TrayEdge, offset: float, own: str = "front") -> Pose:
    """The pose of the tray that lies there with its `own` edge."""
    tray = edge.tray(offset)
    return Pose(tray.x, tray.y, tray.heading - EDGE_TURN_DEG[own])


# -- standing anywhere ------------------------------------------------------------------------


def fits(
    field: Battlefield, place: int, pose: Pose, rule: str, ignored: Collection[int] = ()
) -> Answer:
    """Whether a tray may stand there: on the table, on no other tray, on nothing Impassable."""
    mover = MoveEnd(field, place)
    taken = mover.trays(enemy=True) | mover.trays(enemy=False) | mover.parts(*STOPS)
    taken[list(ignored)] = False
    return both(mover.free(SweptPath(pose), taken, rule), mover.on_table(pose))


def gaps_from(field: Battlefield, place: int, pose: Pose) -> dict[int, float]:
    """The distance of a unit standing there from every enemy."""
    mover = MoveEnd(field, place)
    enemies = np.flatnonzero(field.enemies[place]).tolist()
    return {other: mover.gap(pose, field.trays.corners[other]) for other in enemies}
