"""Threats as shapes: the areas a side's next activations may charge or shoot at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import shapely

from companion.games.tmg.figures.sight_figure import areas
from companion.games.tmg.rules.threat import Threat
from companion.overlay.shapes import Polygon, Style
from models import Table

BANDS = ((6, "threat-far"), (3, "threat"))
"""The area within reach of any roll, and the area within reach of a roll of 3."""

THREAT_Z = 16
SMALLEST_IN2 = 0.5
"""Smaller slivers between two shadows are not drawn."""


def threat_shapes(table: Table, threats: Sequence[Threat]) -> Iterator[Polygon]:
    """For each side the area its units threaten together: charges in two bands, then shots."""
    for side in table.sides():
        own = [threat for threat in threats if table.unit(threat.unit).side == side]
        for most, role in BANDS:
            band = [one.area for one in own if one.kind == "charge" and (one.needs or 0) <= most]
            yield from merged(tuple(band), Style(role, side))
        shots = [one.area for one in own if one.kind == "shot"]
        yield from merged(tuple(shots), Style("threat-shot", side))


@lru_cache(maxsize=16)
def merged(pieces: tuple[shapely.Geometry, ...], style: Style) -> tuple[Polygon, ...]:
    """The union of these areas without slivers; cached, as all units of a side share it."""
    whole = shapely.union_all(list(pieces), grid_size=0.01)
    large = [part for part in shapely.get_parts(whole) if part.area > SMALLEST_IN2]
    return tuple(areas(shapely.GeometryCollection(large), style, THREAT_Z, ()))
