"""Where a charging tray may end: 100 % or 50 % on the target's edge (TMG-CHG-3, -17, -18)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.games.tmg.battlefield import CONTACT_IN, Battlefield
from companion.games.tmg.report import ARCS, Placement, Zone
from companion.geometry.answer import SURE_SIGMAS, YES, Answer, both, judge, no
from companion.geometry.contact import Edges, Room, room, touch_share
from companion.geometry.solids import Solids
from companion.geometry.trays import Bools, Floats, Ints, joined
from models import Pose

FULL, HALF = 1.0, 0.5
"""TMG-CHG-17: trays align at 100 % or at 50 %."""
LEAST_SHARE = 0.05
"""Where any free room will do, so much of the shorter edge (OR-8) must be in contact; and a tray
this near to 100 % lies at 100 %. Nobody places trays more finely by hand."""
TWO_SHARE = 0.01
"""Who touches so much of an edge stands on it."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Whether there is room on the arc's edge, and where the tray may end."""

    answer: Answer
    placements: tuple[Placement, ...] = ()
    neither: bool = False  # neither 100 % nor 50 % is free (TMG-CHG-18)


NOTHING: frozenset[str] = frozenset()
OPEN = Alignment(YES)
"""Nobody asks for room out of reach."""


def alignments(field: Battlefield, mover: Ints, target: Ints, zones: list[Zone]) -> list[Alignment]:
    """Room and placements for these pairs, on the edge of the arc each mover stands in.

    Where the arc is open, the attacker's best choice counts (TMG-CHG-8).
    """
    options = [(row, ARCS.index(arc)) for row, zone in enumerate(zones) for arc in arcs_of(zone)]
    rows = np.array([row for row, _ in options], dtype=np.intp)
    arcs = np.array([arc for _, arc in options], dtype=np.intp)
    found = on_edges(field, mover[rows], target[rows], arcs)
    options_of: dict[int, list[Alignment]] = {}
    for row, alignment in zip(rows.tolist(), found, strict=True):
        options_of.setdefault(row, []).append(alignment)
    exact = field.trays.exact
    return [chosen(options_of[row], exact) for row in range(len(zones))]


def chosen(options: list[Alignment], exact: bool) -> Alignment:
    """The best of the arcs a unit may be in; what measuring leaves open is no choice of its own."""
    best = options[0]
    for one in options[1:]:
        if better(one.answer, best.answer):
            best = one
    agreed = len({one.answer.verdict for one in options}) == 1
    if exact or agreed:
        return best
    return replace(best, answer=Answer("unsure", ("TMG-CHG-3", "TMG-CHG-7"), None, 0.5))


def arcs_of(zone: Zone) -> tuple[str, ...]:
    """The arcs a charge may end in."""
    return zone.choices or (zone.arc,)


def better(answer: Answer, known: Answer) -> bool:
    """Whether one answer promises more than the other."""
    order = ("no", "unsure", "yes")
    return order.index(answer.verdict) > order.index(known.verdict)


def on_edges(field: Battlefield, mover: Ints, target: Ints, arc: Ints) -> list[Alignment]:
    """Room and placements on these edges."""
    edges = Edges.of(field.trays, mover, target, arc)
    most = farthest(field, edges)
    spots = np.stack([np.zeros(len(most)), half_offset(edges), -half_offset(edges)], axis=1)
    nominal = taken(field, edges, mover, target, 0.0)
    free = nominal.free(spots) & (np.abs(spots) <= most[:, None] + 1e-9)
    result = []
    for row, (wishes, open_, limit) in enumerate(
        zip(spots.tolist(), free.tolist(), most.tolist(), strict=True)
    ):
        offsets = [wish for wish, fits in zip(wishes, open_, strict=True) if fits]
        neither = not offsets
        if neither:
            offsets = nearest_offsets(nominal, row, wishes, limit)
        answer = YES if offsets else no("TMG-CHG-3")
        places = tuple(placed(edges, row, spot) for spot in offsets)
        result.append(Alignment(answer, places, neither and bool(places)))
    if not field.trays.exact:
        doubt(field, edges, mover, target, most, result)
    if field.edition.full_edge_closed:
        for row in range(len(mover)):
            known = result[row]
            if known.answer.verdict == "no":
                continue
            open_ = edge_open(field, edges, row, mover, target)
            if open_.verdict == "no":
                result[row] = Alignment(open_)
            elif not open_:
                result[row] = replace(known, answer=both(known.answer, open_))
    return on_ground(field, mover, result)


def on_ground(field: Battlefield, mover: Ints, rooms: list[Alignment]) -> list[Alignment]:
    """The same with what the charges feel of the ground they end on (TMG-CHG-5)."""
    if not field.having(*field.edition.felt_aligned).any():
        return rooms
    spots = [
        (row, number, one.pose)
        for row, room in enumerate(rooms)
        for number, one in enumerate(room.placements)
    ]
    if not spots:
        return rooms
    places = mover[[row for row, _, _ in spots]]
    felt = felt_at(field, places, [pose for _, _, pose in spots])
    result = list(rooms)
    for (row, number, _), words in zip(spots, felt, strict=True):
        if words:
            known = result[row]
            ways = list(known.placements)
            ways[number] = replace(ways[number], effects=words)
            result[row] = replace(known, placements=tuple(ways))
    return result


def felt_at(field: Battlefield, places: Ints, poses: Sequence[Pose]) -> list[tuple[str, ...]]:
    """What a charge feels because its unit ends there: keywords of the ground, in order."""
    words = field.edition.felt_aligned
    chosen = np.flatnonzero(field.parts_having(*words))
    if not len(chosen):
        return [()] * len(poses)
    centre = np.array([(pose.x, pose.y) for pose in poses])
    angle = np.radians([pose.heading for pose in poses])
    forward = joined(np.cos(angle), np.sin(angle))
    half = np.maximum(field.trays.half[places] - CONTACT_IN / 2, 1e-3)
    under: list[set[str]] = [set() for _ in poses]
    meets = field.solids.parts.meet(centre, forward, half)[:, chosen]
    for number, part in np.argwhere(meets).tolist():
        piece = field.table.terrain[field.walls.piece[chosen[part]]]
        under[number] |= piece.keywords & words
    return [tuple(sorted(one)) for one in under]


def shared_effects(placements: Iterable[Placement]) -> frozenset[str]:
    """What a charge feels wherever it is aligned."""
    sets = [one.effects for one in placements]
    return frozenset(sets[0]).intersection(*sets) if all(sets) and sets else NOTHING


def doubt(
    field: Battlefield,
    edges: Edges,
    mover: Ints,
    target: Ints,
    most: Floats,
    result: list[Alignment],
) -> None:
    """Mark room that is there only if the trays stand a little elsewhere than measured."""
    sure = taken(field, edges, mover, target, -SURE_SIGMAS)
    lenient = taken(field, edges, mover, target, SURE_SIGMAS)
    for row, known in enumerate(result):
        level = sure if known.answer else lenient
        fits = level.nearest(row, 0.0, float(most[row])) is not None
        if fits != bool(known.answer):
            unsure = Answer("unsure", ("TMG-CHG-3",), None, 0.5)
            result[row] = replace(known, answer=unsure)


def half_offset(edges: Edges) -> Floats:
    """Where the contact is half of the shorter edge (OR-8)."""
    return np.maximum(edges.width, edges.length) / 2


def farthest(field: Battlefield, edges: Edges) -> Floats:
    """The greatest offset at which a charge still has the contact its edition asks for."""
    total = (edges.width + edges.length) / 2
    if not field.edition.half_contact_room:
        return total - LEAST_SHARE * np.minimum(edges.width, edges.length)
    if field.readings.contact_ratio == "attacker":
        return np.where(edges.length < HALF * edges.width, -1.0, total - HALF * edges.width)
    return half_offset(edges)


def taken(field: Battlefield, edges: Edges, mover: Ints, target: Ints, sigmas: float) -> Room:
    """What trays and impassable pieces take along the edges, trays eased by so many sigmas."""
    solids = field.solids
    if sigmas:
        solids = Solids.of(field.trays, field.walls, sigmas * field.trays.spread)
    endless = field.readings.table_edge == "off"  # OR-18
    size = None if endless else (field.table.width, field.table.depth)
    found = room(edges, solids, ignored(field, mover, target), size)
    # the edge itself may lie a little elsewhere
    return found.eased(sigmas * field.trays.spread[target]) if sigmas else found


def ignored(field: Battlefield, mover: Ints, target: Ints) -> Bools:
    """(m, q): solids that take no room: the two themselves, and terrain one may end on (OR-10)."""
    rows = np.arange(len(mover))
    trays = np.zeros((len(mover), len(field.units)), dtype=bool)
    trays[rows, mover] = True
    trays[rows, target] = True
    if field.readings.friends_block_room == "no":
        trays |= ~field.enemies[mover]
    parts = np.broadcast_to(~field.parts_having("impassable"), (len(mover), len(field.walls)))
    return np.concatenate([trays, parts], axis=1)


def nearest_offsets(found: Room, row: int, wishes: list[float], most: float) -> list[float]:
    """The free offset nearest to 100 % or 50 % where neither is free (TMG-CHG-18)."""
    options = [
        (abs(offset - wish), offset)
        for wish, offset in zip(wishes, found.near_wishes(row, wishes, most), strict=True)
        if offset is not None
    ]
    return [min(options)[1]] if options else []


def placed(edges: Edges, row: int, offset: float) -> Placement:
    """The tray lying at that offset."""
    x, y, heading = edges.place(row, offset)
    return Placement(edges.contact(row, offset), Pose(x, y, heading))


def edge_open(field: Battlefield, edges: Edges, row: int, mover: Ints, target: Ints) -> Answer:
    """Whether an edge is not yet taken at 100 %, nor by two (TMG-CHG-3, 2018)."""
    goal, place = int(target[row]), int(mover[row])
    there, full = [], YES
    near = (field.touching[goal] | field.maybe_touching[goal]) & field.enemies[goal]
    for other in np.flatnonzero(near).tolist():
        if other == place:
            continue
        sigma = float(field.gap_sigma[other, goal])
        within = 2 * CONTACT_IN + SURE_SIGMAS * sigma
        share = touch_share(field.trays.corners[other], edges, row, within)
        short = min(2 * float(field.trays.half[other].max()), float(edges.length[row]))
        touches = judge((share - TWO_SHARE) * short, "TMG-CHG-3", sigma_in=sigma)
        if share and not field.engaged[goal, other]:
            touches = Answer("unsure", ("TMG-CHG-3",), None, 0.5)
        there.append(touches)
        apart = judge((FULL - LEAST_SHARE - share) * short, "TMG-CHG-3", sigma_in=sigma)
        if touches.verdict != "no" and not apart:
            full = both(full, apart if touches else replace(apart, verdict="unsure", chance=0.5))
    if sum(bool(one) for one in there) > 1:
        return no("TMG-CHG-3")
    if sum(one.verdict != "no" for one in there) > 1:
        return both(full, Answer("unsure", ("TMG-CHG-3",), None, 0.5))
    return full
