"""Which arc of another unit a tray stands in: count the points of a fine grid (TMG-LOS-8)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from models import Unit
from tests.reference.ground import EPS_IN, Array, Flags, Sure

ARCS = ("front", "left", "right", "rear")
GRID = 400
"""Points along each side of the tray."""


@dataclass(frozen=True, slots=True)
class ZoneTruth:
    """Share of the tray's area per arc, and the arcs that may hold the largest."""

    shares: dict[str, float]
    candidates: tuple[str, ...]

    @property
    def arc(self) -> str | None:
        """The arc, if it can be told."""
        return self.candidates[0] if len(self.candidates) == 1 else None


def into_frame(points: Array, unit: Unit) -> tuple[Array, Array]:
    """Forward and left coordinates of points as seen from the centre of a tray."""
    angle = math.radians(unit.pose.heading)
    dx, dy = points[..., 0] - unit.pose.x, points[..., 1] - unit.pose.y
    return (
        dx * math.cos(angle) + dy * math.sin(angle),
        dy * math.cos(angle) - dx * math.sin(angle),
    )


def ahead_of(forward: Array, aside: Array, unit: Unit, eps: float = 0.0) -> Flags:
    """Whether points (forward, aside) lie in the arc before the front edge, grown by eps (OR-2).

    The two lines start at the front corners and spread by the tray's own angle.
    """
    angle = math.radians(unit.tray.arc_deg)
    beyond = forward - unit.tray.depth / 2
    reach = unit.tray.width / 2 + beyond * math.tan(angle) + eps / math.cos(angle)
    inside: Flags = (beyond >= -eps) & (np.abs(aside) <= reach)
    return inside


def zone(unit: Unit, target: Unit) -> ZoneTruth:
    """The arc of `target` in which `unit` stands."""
    steps = (np.arange(GRID) + 0.5) / GRID - 0.5
    turn = math.radians(unit.pose.heading - target.pose.heading)
    cos, sin = math.cos(turn), math.sin(turn)
    ahead, left = steps[:, None] * unit.tray.depth, steps[None, :] * unit.tray.width
    centre_f, centre_s = into_frame(np.array([unit.pose.x, unit.pose.y]), target)
    f, s = centre_f + ahead * cos - left * sin, centre_s + ahead * sin + left * cos
    front = ahead_of(f, s, target)
    rear = ahead_of(-f, s, target) & ~front
    flank = ~front & ~rear
    shares = {
        "front": float(front.mean()),
        "left": float((flank & (s > 0)).mean()),
        "right": float((flank & (s <= 0)).mean()),
        "rear": float(rear.mean()),
    }
    # A line that moves by EPS_IN sweeps at most a diagonal's worth of area; the grid adds its own.
    diagonal = math.hypot(unit.tray.width, unit.tray.depth)
    doubt = 2 * EPS_IN * diagonal / (unit.tray.width * unit.tray.depth) + 1 / GRID
    most = max(shares.values())
    return ZoneTruth(shares, tuple(arc for arc in ARCS if shares[arc] >= most - doubt))


def same_share(mine: float, theirs: float) -> Sure:
    """Whether two shares of area agree, given the grid."""
    return abs(mine - theirs) <= 1 / GRID
