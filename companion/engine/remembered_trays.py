"""Trays that the camera does not see now, drawn grey at their last known place, with the time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.engine.snapshot import CameraView
from companion.overlay.shapes import Label, Shape, Style, TableScene
from companion.overlay.shapes import Polygon as Ground
from models import Table
from models.footprint import corners

UNSEEN_Z = 200
HIDDEN_S = 2.0
"""A hand hides a tray for a moment; only after so long it is shown as remembered."""
MOST_TOLD = 6
"""The time is shown for at most this many trays; if there are more, the camera is the problem."""

Ages = Mapping[str, str]
"""Units not seen now, with how long as text (empty if nothing need be shown)."""


def unseen(live: CameraView, table: Table | None) -> dict[str, str]:
    """The units that are shown at their last known place; all of them while the camera is lost."""
    if table is None:
        return {}
    if live.sight in ("held", "lost"):
        return {unit.id: "" for unit in table.units}
    if live.sight != "live":
        return {}
    now = newest_s(live)
    hidden = (one for one in live.standings if one.condition in ("hidden", "gone"))
    lost = [one for one in hidden if one.age_s(now) >= HIDDEN_S]
    return {
        one.unit: age(one.age_s(now)) if number < MOST_TOLD else ""
        for number, one in enumerate(lost)
        if one.unit in table
    }


def newest_s(live: CameraView) -> float:
    """The time of the newest sighting."""
    return max((one.seen_s for one in live.standings), default=0.0)


def age(seconds: float) -> str:
    """A duration as coarse text, so that the overlay is not redrawn every second.

    >>> age(3.7), age(38), age(190)
    ('3 s', '35 s', '3 min')
    """
    whole = int(seconds)
    if whole >= 60:
        return f"{whole // 60} min"
    return f"{whole if whole < 10 else whole - whole % 5} s"


def remembered(table: Table, ages: Ages) -> TableScene:
    """The unseen trays as a scene of their own."""
    return TableScene(table.width, table.depth, table.sides(), shapes=tuple(shapes(table, ages)))


def shapes(table: Table, ages: Ages) -> Iterator[Shape]:
    """A grey, dashed outline per tray, with the time since it was last seen."""
    for unit, told in ages.items():
        here = table.unit(unit)
        yield Ground(corners(here), Style("remembered", here.side), UNSEEN_Z, (unit,))
        if told:
            spot = (here.pose.x, here.pose.y)
            yield Label(told, (spot,), Style("remembered", here.side), UNSEEN_Z, (unit,))
