"""Contact between trays: who touches whom, at which edges, and where a tray may align."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.games.tmg.rules.battlefield import AT_A_CORNER, Battlefield
from companion.games.tmg.rules.movement.move_end import MoveEnd, SweptPath
from companion.games.tmg.rules.report import ARCS, Placement, Zone
from companion.games.tmg.rules.rulebook import CONTACT_IN, STOPS
from companion.games.tmg.rules.sight_rules import zones
from companion.geometry.plane.answer import (
    SURE_SIGMAS,
    YES,
    Answer,
    both,
    count_chances,
    judge,
    no,
    normal,
)
from companion.geometry.plane.contact import EdgeRoom, TrayEdge, room, touch_share
from companion.geometry.plane.sight.scalar_shapes import OrientedRect
from models import Pose

FULL, HALF = 1.0, 0.5
"""TMG-CHG-17: trays align at 100 % or at 50 %."""
LEAST_SHARE = 0.05
"""Where any free room is enough, this share of the shorter edge (OR-8) must be in contact; and a
tray this close to 100 % counts as 100 %. Nobody places trays more precisely by hand.
"""
TWO_SHARE = 0.01
"""A tray that touches this share of an edge occupies it."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Whether there is room on the arc's edge, and where the tray may end."""

    answer: Answer
    placements: tuple[Placement, ...] = ()
    neither: bool = False  # neither 100 % nor 50 % is free (TMG-CHG-18)


NO_ROOM = no("TMG-CHG-3")
NOTHING: frozenset[str] = frozenset()
OPEN = Alignment(YES)
"""The room of a target out of reach, which is not computed."""


def alignment(field: Battlefield, place: int, goal: int, zone: Zone) -> Alignment:
    """Room and placements on the edge of the arc a mover stands in.

    Where several arcs are possible, the attacker's best choice counts (TMG-CHG-8).
    """
    options = [on_edge(field, place, goal, arc) for arc in arcs_of(zone)]
    best = options[0]
    for one in options[1:]:
        if better(one.answer, best.answer):
            best = one
    if field.exact or len({one.answer.verdict for one in options}) == 1:
        return best
    # an arc that is open only because of the measurement error is not the attacker's choice
    odds = zip(arc_chances(field, place, goal, zone), options, strict=True)
    chance = round(sum(part * one.answer.chance for part, one in odds), 3)
    return replace(best, answer=Answer("unsure", ("TMG-CHG-3", "TMG-CHG-7"), None, chance))


def arc_chances(field: Battlefield, place: int, goal: int, zone: Zone) -> list[float]:
    """The probability that a mover stands in each of its possible arcs, from the margin."""
    trays, arcs = field.trays, arcs_of(zone)
    far = float(np.hypot(*(trays.centre[place] - trays.centre[goal])))
    sigma = float(np.hypot(field.gap_sigma[place, goal], trays.turn[goal] * far))
    first = normal(zone.margin_in or 0.0, sigma)
    if len(arcs) == 1:
        return [1.0]
    lead = max(arcs, key=lambda arc: zone.shares[ARCS.index(arc)])
    return [first if arc == lead else (1 - first) / (len(arcs) - 1) for arc in arcs]


def arcs_of(zone: Zone) -> tuple[str, ...]:
    """The arcs a charge may end in."""
    return zone.choices or (zone.arc,)


def better(answer: Answer, known: Answer) -> bool:
    """Whether the first answer is more favourable than the second."""
    order = ("no", "unsure", "yes")
    return order.index(answer.verdict) > order.index(known.verdict)


def edge_in(field: Battlefield, place: int, goal: int, arc: str) -> TrayEdge:
    boxes = field.obstacles.boxes
    return TrayEdge.of(boxes[place], boxes[goal], ARCS.index(arc))


def on_edge(field: Battlefield, place: int, goal: int, arc: str) -> Alignment:
    """Room and placements on one edge."""
    edge = edge_in(field, place, goal, arc)
    most, nominal = farthest(field, edge), taken(field, edge, place, goal)
    wishes = (0.0, edge.half_offset, -edge.half_offset)
    good = [wish for wish in wishes if abs(wish) <= most + 1e-9]
    offsets = [wish for wish in good if nominal.free(wish)]
    if not field.exact and len(offsets) < len(good):
        # trays cannot overlap: an obstacle that seems to cover the place slightly may not
        seeming = taken(field, edge, place, goal, SURE_SIGMAS)
        offsets = [wish for wish in good if wish in offsets or seeming.free(wish)]
    neither = not offsets
    if neither:
        offsets = nearest_offsets(nominal, wishes, most)
    found = Alignment(
        YES if offsets else NO_ROOM,
        tuple([placed(field, edge, offset) for offset in offsets]),
        neither and bool(offsets),
    )
    if not field.exact:
        found = doubted(field, edge, place, goal, found)
    if field.edition.full_edge_closed and found.answer.verdict != "no":
        open_ = edge_open(field, edge, place, goal)
        if open_.verdict == "no":
            return Alignment(open_)
        if not open_:
            return replace(found, answer=both(found.answer, open_))
    return found


def felt_at(field: Battlefield, tray: OrientedRect) -> tuple[str, ...]:
    """The keywords of terrain that apply to a charge because its unit ends there, sorted."""
    words, lying = field.edition.aligned_effects, tray.grown(-CONTACT_IN / 2)
    felt: set[str] = set()
    for part in field.parts_with(*words):
        if part.lies_under(lying):
            felt |= field.table.terrain[part.piece].keywords & words
    return tuple(sorted(felt)) if felt else ()


def shared_effects(placements: Iterable[Placement]) -> frozenset[str]:
    """The effects that apply to a charge at every one of its placements."""
    sets = [one.effects for one in placements]
    return frozenset(sets[0]).intersection(*sets) if all(sets) and sets else NOTHING


def doubted(
    field: Battlefield, edge: TrayEdge, place: int, goal: int, known: Alignment
) -> Alignment:
    """The same alignment, unsure where the room depends on the measurement error."""

    def fits(sigmas: float) -> bool:
        found = taken(field, edge, place, goal, sigmas)
        return found.nearest(0.0, farthest(field, edge)) is not None

    if fits(-SURE_SIGMAS if known.answer else SURE_SIGMAS) == bool(known.answer):
        return known
    chance = field.chance(fits)
    return replace(known, answer=Answer("unsure", ("TMG-CHG-3",), None, chance))


def farthest(field: Battlefield, edge: TrayEdge) -> float:
    """The greatest offset at which a charge has the contact its edition requires."""
    total = (edge.width + edge.length) / 2
    if not field.edition.half_contact_room:
        return total - LEAST_SHARE * min(edge.width, edge.length)
    if field.readings.contact_ratio == "attacker":
        return -1.0 if edge.length < HALF * edge.width else total - HALF * edge.width
    return edge.half_offset


def taken(
    field: Battlefield, edge: TrayEdge, place: int, goal: int, sigmas: float = 0.0
) -> EdgeRoom:
    """The offsets blocked by trays and Impassable pieces, with trays shrunk by this many sigmas."""
    ignored: Collection[int] = (place, goal)
    if field.readings.friends_block_room == "no":
        ignored = (goal, *np.flatnonzero(~field.enemies[place]).tolist())
    found = room_on(field, edge, ignored, sigmas)
    # the edge itself has a measurement error too
    return found.eased(sigmas * field.obstacles.spread[goal]) if sigmas else found


def room_on(
    field: Battlefield, edge: TrayEdge, ignored: Collection[int], sigmas: float = 0.0
) -> EdgeRoom:
    """The offsets blocked by trays (except ignored ones) and Impassable pieces (OR-10)."""
    trays = edge.near(field.obstacles.eased(sigmas), ignored)
    hard = filter(edge.may_touch, field.parts_with(*STOPS))
    parts = [list(map(edge.inside, part.corners)) for part in hard]
    endless = field.readings.table_edge == "off"  # OR-18
    size = None if endless else (field.table.width, field.table.depth)
    return room(edge, [*trays, *parts], size)


def nearest_offsets(found: EdgeRoom, wishes: Sequence[float], most: float) -> list[float]:
    """The free offset nearest to 100 % or 50 % where neither is free (TMG-CHG-18)."""
    options = [
        (round(abs(offset - wish), 6), offset)
        for wish, offset in zip(wishes, found.near_wishes(wishes, most), strict=True)
        if offset is not None
    ]
    return [min(options)[1]] if options else []


def placed(field: Battlefield, edge: TrayEdge, offset: float) -> Placement:
    """The placement at that offset, with the effects of the ground on the charge (TMG-CHG-5)."""
    tray = edge.tray(offset)
    pose = Pose(tray.x, tray.y, tray.heading)
    return Placement(edge.contact(offset), pose, felt_at(field, tray))


def edge_open(field: Battlefield, edge: TrayEdge, place: int, goal: int) -> Answer:
    """Whether an edge is not yet occupied at 100 %, nor by two (TMG-CHG-3, 2018)."""
    there, full = [], YES
    for other in field.at_hand[goal]:
        if other == place:
            continue
        sigma = float(field.gap_sigma[other, goal])
        within = 2 * CONTACT_IN + SURE_SIGMAS * sigma
        tray = field.obstacles.boxes[other]
        share = touch_share(tray.corners(), edge, within)
        short = min(2 * max(tray.deep, tray.wide), edge.length)
        touches = judge((share - TWO_SHARE) * short, "TMG-CHG-3", sigma_in=sigma)
        if share and not field.engaged[goal, other]:
            near = normal(CONTACT_IN - float(field.pairs.gap[goal, other]), sigma)
            touches = both(touches, Answer("unsure", ("TMG-CHG-3",), None, near))
        there.append(touches)
        apart = judge((FULL - LEAST_SHARE - share) * short, "TMG-CHG-3", sigma_in=sigma)
        if touches.verdict != "no" and not apart:
            free = 1 - touches.chance * (1 - apart.chance)
            full = both(full, apart if touches else replace(apart, verdict="unsure", chance=free))
    if sum(bool(one) for one in there) > 1:
        return no("TMG-CHG-3")
    if sum(one.verdict != "no" for one in there) > 1:
        one_at_most = sum(count_chances(one.chance for one in there)[:2])
        return both(full, Answer("unsure", ("TMG-CHG-3",), None, round(one_at_most, 3)))
    return full


EDGE_TURN_DEG = {"front": 0.0, "left": 90.0, "right": -90.0, "rear": 180.0}
"""The direction an edge of a tray faces, relative to the tray's own facing."""


def engaged_with(field: Battlefield, place: int, other: int, rule: str) -> Answer:
    """Whether two enemies are in contact (TMG-GLO-11); `rule` is the rule that requires it."""
    if field.engaged[place, other]:
        return YES
    if not field.maybe_engaged[place, other]:
        return no(rule)
    if field.cornered[place, other]:
        return replace(AT_A_CORNER, why=(rule, *AT_A_CORNER.why))
    gap, sigma = float(field.pairs.gap[place, other]), float(field.gap_sigma[place, other])
    return judge(CONTACT_IN - gap, rule, sigma_in=sigma)


def foes(field: Battlefield, place: int) -> tuple[list[int], list[int]]:
    """The enemies certainly in contact with a unit, and those that may be."""
    sure, perhaps = field.engaged[place], field.maybe_engaged[place]
    return np.flatnonzero(sure).tolist(), np.flatnonzero(perhaps).tolist()


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
