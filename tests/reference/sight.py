"""Line of sight: try all lines between closely spaced points of the front edge and the target.

If a line exists, a sampled one runs within half the spacing of it. So a line found between
grown obstacles proves sight, and none found between obstacles shrunk by half the spacing
disproves it. Coarse spacings are tried first because they settle most questions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely

from models import Table, Terrain, Unit
from tests.reference.ground import (
    EPS_IN,
    Array,
    Flags,
    Sure,
    overlap,
    piece_rings,
    piece_shape,
    tray_ring,
    tray_shape,
)
from tests.reference.zone import ahead_of, into_frame

SPACINGS_IN = (0.5, 0.1, 0.016)
"""The last leaves a little of EPS_IN for whoever samples the viewer's own place."""

BUNDLE = 8000
SIGHT = "blocks-line-of-sight"


@dataclass(frozen=True, slots=True)
class Blockers:
    """What may stand in the way, and which terrain a cautious and a generous judge let count."""

    trays: tuple[Unit, ...]
    pieces: tuple[tuple[Terrain, Sure], ...]
    """Each piece, and whether the viewer is on it and so sees past it."""
    ignored: Sure = False
    """Whether the viewer ignores all of them (TMG-TER-8)."""


def blockers(
    table: Table, viewer: Unit, target: Unit, shooting: bool = False, slack: float = 0.0
) -> Blockers:
    """Everything that could block: other trays, sight-blocking pieces, Cover for shooters.

    With slack, a piece the viewer might stand on from so near by counts as perhaps stood on.
    """
    words = {SIGHT}
    if shooting and table.game.endswith("2021"):
        words.add("cover")  # TMG-TER-6
    view = shapely.MultiPoint(
        [*map(tuple, tray_ring(viewer)[[0, 3]]), *map(tuple, tray_ring(target))]
    ).convex_hull.buffer(0.5)
    raised: list[Sure] = [
        overlap(viewer, piece, slack) for piece in table.terrain if "elevated" in piece.keywords
    ]
    ignored: Sure = False
    if shooting and raised:
        ignored = True if True in raised else (None if None in raised else False)
    return Blockers(
        tuple(
            unit
            for unit in table.units
            if unit.id not in (viewer.id, target.id) and view.intersects(tray_shape(unit))
        ),
        tuple(
            (piece, overlap(viewer, piece, slack))
            for piece in table.terrain
            if piece.keywords & words and view.intersects(piece_shape(piece))
        ),
        ignored,
    )


def sees(
    table: Table, viewer: Unit, target: Unit, shooting: bool = False, slack: float = 0.0
) -> Sure:
    """Whether any unblocked line runs from the front edge to a part of the target ahead.

    A no holds even if the viewer stood up to `slack` from where it does.
    """
    found = blockers(table, viewer, target, shooting)
    for spacing in SPACINGS_IN:
        if clear_line(viewer, target, found, spacing):
            return True
        if never_seen(viewer, target, found, spacing, slack):
            return False
    return None


def plainly_sees(table: Table, viewer: Unit, target: Unit, shooting: bool = False) -> bool:
    """Whether a coarse look already finds a clear line: enough for an upper bound."""
    found = blockers(table, viewer, target, shooting)
    return any(clear_line(viewer, target, found, spacing) for spacing in SPACINGS_IN[:2])


def never_seen(viewer: Unit, target: Unit, found: Blockers, spacing: float, slack: float) -> bool:
    """No line, even if the viewer stood up to `slack` from where it does."""
    return not possible_line(viewer, target, found, spacing, max(EPS_IN, spacing / 2 + slack))


def blind(table: Table, viewer: Unit, target: Unit, shooting: bool, slack: float) -> bool:
    """Whether nothing is seen from anywhere up to `slack` around the viewer: a quick look."""
    found = blockers(table, viewer, target, shooting, slack)
    return never_seen(viewer, target, found, SPACINGS_IN[1], slack)


def clear_line(viewer: Unit, target: Unit, found: Blockers, spacing: float) -> bool:
    """Whether a sampled line stays EPS_IN clear of everything."""
    starts, ends = line_ends(viewer, target, spacing, -EPS_IN)
    if found.ignored:
        return len(ends) > 0
    return any(
        unblocked(lines, found.trays, EPS_IN, [p for p, on in found.pieces if on is not True])
        for lines in bundles(starts, ends)
    )


def possible_line(viewer: Unit, target: Unit, found: Blockers, spacing: float, eps: float) -> bool:
    """Whether a sampled line comes through if everything shrinks by eps."""
    starts, ends = line_ends(viewer, target, spacing, eps)
    if found.ignored is not False:
        return len(ends) > 0
    return any(
        unblocked(lines, found.trays, -eps, [p for p, on in found.pieces if on is False])
        for lines in bundles(starts, ends)
    )


@dataclass(frozen=True, slots=True)
class Lines:
    """Straight lines: where each starts and ends."""

    starts: Array
    ends: Array

    def __getitem__(self, keep: Flags) -> Lines:
        return Lines(self.starts[keep], self.ends[keep])

    def __len__(self) -> int:
        return len(self.starts)


def bundles(starts: Array, ends: Array) -> Iterator[Lines]:
    """Every start with every end, a few thousand lines at a time."""
    size = max(1, BUNDLE // max(1, len(ends)))
    for first in range(0, len(starts) if len(ends) else 0, size):
        some = starts[first : first + size]
        yield Lines(np.repeat(some, len(ends), axis=0), np.tile(ends, (len(some), 1)))


def unblocked(lines: Lines, trays: tuple[Unit, ...], grow: float, pieces: list[Terrain]) -> bool:
    """Whether one of the lines passes all obstacles, grown (or shrunk) by so much."""
    for unit in trays:
        lines = lines[~through_tray(lines, unit, grow)]
    for piece in pieces:
        if grow > 0:
            lines = lines[~maybe_through_piece(lines, piece, grow)]
        else:
            lines = lines[~surely_through_piece(lines, piece, -grow)]
    return len(lines) > 0


def line_ends(viewer: Unit, target: Unit, spacing: float, eps: float) -> tuple[Array, Array]:
    """Points of the closed front edge (OR-3), and of the target inside the front arc (OR-4)."""
    mine, theirs = tray_ring(viewer), tray_ring(target)
    starts = along(mine[3], mine[0], spacing)
    ends = np.concatenate(
        [along(theirs[i], theirs[(i + 1) % 4], spacing) for i in range(4)], axis=0
    )
    forward, left = into_frame(ends, viewer)
    return starts, ends[ahead_of(forward, left, viewer, eps)]


def along(one: Array, two: Array, spacing: float) -> Array:
    """Points from one end to the other, both included."""
    count = max(2, math.ceil(float(np.hypot(*(two - one))) / spacing) + 1)
    return one + np.linspace(0.0, 1.0, count)[:, None] * (two - one)


def through_tray(lines: Lines, unit: Unit, grow: float) -> Flags:
    """Which lines cross the interior of a tray (OR-5): no direction separates the two."""
    fore, left = unit.tray.depth / 2 + grow, unit.tray.width / 2 + grow
    if min(fore, left) <= 0:
        return np.zeros(len(lines), dtype=bool)
    f0, s0 = into_frame(lines.starts, unit)
    f1, s1 = into_frame(lines.ends, unit)
    mid_f, mid_s = (f0 + f1) / 2, (s0 + s1) / 2
    half_f, half_s = (f1 - f0) / 2, (s1 - s0) / 2
    crossed: Flags = (
        (np.abs(mid_f) < fore + np.abs(half_f))
        & (np.abs(mid_s) < left + np.abs(half_s))
        & (np.abs(mid_f * half_s - mid_s * half_f) < fore * np.abs(half_s) + left * np.abs(half_f))
    )
    return crossed


@dataclass(frozen=True, slots=True)
class Crossings:
    """Where lines cross the outline of a shape: first and last share of the way, how often."""

    first: Array
    last: Array
    count: Array
    start_in: Flags
    end_in: Flags


def crossings(lines: Lines, rings: list[Array]) -> Crossings:
    """Cross every line with every side of the rings."""
    size = len(lines)
    first, last = np.full(size, np.inf), np.full(size, -np.inf)
    count = np.zeros(size)
    start_in, end_in = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
    a, d = lines.starts, lines.ends - lines.starts
    for ring in rings:
        polygon = shapely.Polygon(ring)
        shapely.prepare(polygon)
        start_in |= shapely.contains_xy(polygon, lines.starts)
        end_in |= shapely.contains_xy(polygon, lines.ends)
        for p, q in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            e, to = q - p, p - a
            turn = d[:, 0] * e[1] - d[:, 1] * e[0]
            safe = np.where(np.abs(turn) < 1e-12, 1.0, turn)
            t = (to[:, 0] * e[1] - to[:, 1] * e[0]) / safe
            u = (to[:, 0] * d[:, 1] - to[:, 1] * d[:, 0]) / safe
            hit = (np.abs(turn) >= 1e-12) & (t >= 0) & (t <= 1) & (u >= 0) & (u <= 1)
            first = np.where(hit, np.minimum(first, t), first)
            last = np.where(hit, np.maximum(last, t), last)
            count += hit
    return Crossings(first, last, count, start_in, end_in)


def surely_through_piece(lines: Lines, piece: Terrain, eps: float) -> Flags:
    """Lines that enter the shrunk piece and leave the grown one before they end (OR-25)."""
    core = crossings(lines, piece_rings(piece, -eps))
    rim = crossings(lines, piece_rings(piece, eps))
    stays = rim.end_in & (rim.last <= core.first)
    blocked: Flags = np.isfinite(core.first) & ~stays
    return blocked


def maybe_through_piece(lines: Lines, piece: Terrain, eps: float) -> Flags:
    """Lines that touch the grown piece without plainly ending in it at their first visit."""
    core = crossings(lines, piece_rings(piece, -eps))
    rim = crossings(lines, piece_rings(piece, eps))
    touches = np.isfinite(rim.first) | rim.start_in
    stays = core.end_in & (core.count == 1) & (rim.count <= 1)
    blocked: Flags = touches & ~stays
    return blocked
