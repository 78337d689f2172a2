"""Ways that are shut: what stands before a target from end to end needs no search for a gap."""

from __future__ import annotations

import numpy as np

from companion.geometry.swing import nearest_spots
from companion.geometry.trays import Bools, Floats

HAIR_IN = 1e-6


def shut(centre: Floats, half: Floats, target: Floats, solids: Floats, stops: Bools) -> Bools:
    """Whether m trays meet one of their stops before their target, whatever the pivot.

    `target` (m, e, 2), `solids` (q, e, 2), of which `stops` (m, q) names each tray's own. It is
    quick and says no where it cannot tell: a stop counts where all of it is nearer than all of
    the target.
    """
    wide = half[:, 1] - HAIR_IN
    away = target - centre[:, None]
    spots = np.concatenate([away, nearest_spots(away)], axis=1)
    nearest = np.hypot(spots[..., 0], spots[..., 1]).min(axis=1)
    middle = away.mean(axis=1)
    base = np.arctan2(middle[:, 1], middle[:, 0])[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        turn = np.abs(turned(np.arctan2(away[..., 1], away[..., 0]) - base)).max(axis=1)
        limit = turn + np.arcsin(half[:, 1] / nearest)  # no pivot farther off reaches the target
        first = np.sqrt(nearest**2 - half[:, 1] ** 2)
        seen = solids - centre[:, None, None]
        distance = np.hypot(seen[..., 0], seen[..., 1])
        angle = turned(np.arctan2(seen[..., 1], seen[..., 0]) - base[..., None])
        off = np.arcsin(wide[:, None, None] / distance)
        low, high = (angle - off).min(axis=2), (angle + off).max(axis=2)
        counts = stops & (distance.max(axis=2) < first[:, None] - HAIR_IN) & (high - low < np.pi)
    low, high = np.where(counts, low, np.inf), np.where(counts, high, -np.inf)
    order = np.argsort(low, axis=1)
    low, high = np.take_along_axis(low, order, axis=1), np.take_along_axis(high, order, axis=1)
    open_ = -limit[:, None]  # all before this is shut
    reached = np.maximum(np.maximum.accumulate(high, axis=1), open_)
    before = np.concatenate([open_, reached[:, :-1]], axis=1)
    gap = ((low > before) & (before < limit[:, None])).any(axis=1)
    return np.asarray(counts.any(axis=1) & ~gap & (reached[:, -1] >= limit))


def turned(angle: Floats) -> Floats:
    """The same angles within π of 0."""
    return (angle + np.pi) % (2 * np.pi) - np.pi
