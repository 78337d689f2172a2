"""Quadrants of the battlefield: which of the four contains the largest part of a tray."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from shapely.geometry import box

from companion.games.tmg.rules.margins import footprint, spread
from companion.geometry.plane.answer import ROUNDING_IN, judge, rounded
from models import Pose, Table, Unit

QUADRANTS = ("lower-left", "lower-right", "upper-left", "upper-right")
"""As player 1 sees them (TMG-MODE-HWS-3)."""

FAR_IN = 1000.0
NUDGE_IN = 1e-4


@dataclass(frozen=True, slots=True)
class Quadrant:
    """The quadrant a unit is in, by share of its tray's area (TMG-MODE-HWS-4).

    `name` is 'unsure' where the largest share cannot be determined; `choices` are then the
    candidates, and between exactly equal ones the opponent of the unit's owner chooses
    (TMG-MODE-HWS-5).
    """

    name: str
    shares: tuple[float, float, float, float]
    margin_in: float
    choices: tuple[str, ...] = ()
    opponent_chooses: bool = False

    def to_json(self) -> dict[str, Any]:
        text: dict[str, Any] = {
            "answer": self.name,
            "shares": {
                name: round(share, 4) for name, share in zip(QUADRANTS, self.shares, strict=True)
            },
            "margin": rounded(self.margin_in),
        }
        if self.choices:
            text["choices"] = list(self.choices)
            text["why"] = ["TMG-MODE-HWS-5" if self.opponent_chooses else "TMG-MODE-HWS-4"]
        return text


def shares(table: Table, unit: Unit) -> tuple[float, float, float, float]:
    """The share of the tray in each quadrant, as the centre lines divide the table.

    A part that extends over the table's edge counts as inside (TMG-MODE-HWS-3).
    """
    x, y = table.width / 2, table.depth / 2
    tray = footprint(unit)

    def part(x0: float, y0: float, x1: float, y1: float) -> float:
        return float(tray.intersection(box(x0, y0, x1, y1)).area / tray.area)

    return (
        part(-FAR_IN, -FAR_IN, x, y),
        part(x, -FAR_IN, FAR_IN, y),
        part(-FAR_IN, y, x, FAR_IN),
        part(x, y, FAR_IN, FAR_IN),
    )


def quadrant(table: Table, unit: Unit) -> Quadrant:
    found = shares(table, unit)
    order = sorted(range(4), key=lambda place: -found[place])
    first = order[0]
    equal = [place for place in order if found[first] - found[place] <= ROUNDING_IN]
    tied = len(equal) > 1
    rivals = [place for place in order[1:] if doubtful(table, unit, first, place)]
    margin_in = min(lead_in(table, unit, first, place) for place in order[1:])
    if not rivals:
        return Quadrant(QUADRANTS[first], found, margin_in)
    choices = tuple(QUADRANTS[place] for place in sorted([first, *rivals]))
    exact = tied and not unit.pose.sigma
    return Quadrant("unsure", found, margin_in, choices, exact)


def lead(table: Table, unit: Unit, first: int, second: int) -> float:
    """The difference of the shares of two quadrants."""
    found = shares(table, unit)
    return found[first] - found[second]


def lead_in(table: Table, unit: Unit, first: int, second: int) -> float:
    """That lead in inches: approximately how far the tray must slide to lose it."""
    ahead = lead(table, unit, first, second)
    pose = unit.pose
    slope = math.hypot(
        *(
            lead(table, unit.at(Pose(pose.x + dx, pose.y + dy, pose.heading)), first, second)
            - lead(table, unit.at(Pose(pose.x - dx, pose.y - dy, pose.heading)), first, second)
            for dx, dy in ((NUDGE_IN, 0.0), (0.0, NUDGE_IN))
        )
    ) / (2 * NUDGE_IN)
    if slope > 1e-6 and ahead < 1 - 1e-9:
        return ahead / slope
    # A tray wholly inside loses its quadrant once its centre reaches a centre line.
    return min(abs(pose.x - table.width / 2), abs(pose.y - table.depth / 2))


def doubtful(table: Table, unit: Unit, first: int, second: int) -> bool:
    """Whether the measurement leaves open which of two quadrants leads."""
    ahead = lead(table, unit, first, second)
    if ahead <= ROUNDING_IN:
        return True
    sigma = spread(lambda pose: lead(table, unit.at(pose), first, second), unit.pose)
    return judge(ahead, sigma_in=sigma).verdict != "yes"
