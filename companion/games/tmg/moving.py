"""Which moves a unit may make from where it stands (TMG-MAN, TMG-MAR, TMG-RET)."""

from __future__ import annotations

import numpy as np

from companion.games.tmg.battlefield import Battlefield
from companion.games.tmg.charge_paths import HIGHEST_ROLL
from companion.games.tmg.report import ARCS
from companion.games.tmg.shifting import Shifts
from companion.geometry.answer import SURE_SIGMAS, YES, Answer, no
from companion.geometry.shift import AXES, Axis
from companion.geometry.solids import TOUCH_IN


def move_answers(field: Battlefield, place: int) -> dict[str, Answer]:
    """Maneuver and March while unengaged, Retreat while engaged."""
    free = field.unengaged[place]
    return {
        "maneuver": because(free, "TMG-MAN-1"),
        "march": because(free, "TMG-MAR-1"),
        "retreat": retreat_answer(field, place, free),
    }


def because(free: Answer, rule: str) -> Answer:
    """The answer with the rule that forbids it."""
    return YES if free else Answer(free.verdict, (rule,), free.margin_in, free.chance)


def retreat_answer(field: Battlefield, place: int, free: Answer) -> Answer:
    """Only while engaged (TMG-RET-1), and only if some roll leads somewhere (TMG-RET-9)."""
    if free:
        return no("TMG-RET-1")
    if free.verdict == "unsure":
        return Answer("unsure", ("TMG-RET-1",), free.margin_in, 1 - free.chance)
    if retreat_axes(field, place, -SURE_SIGMAS):
        return YES
    from companion.games.tmg.escape import Escape  # few tables need it

    most = float(field.units[place].speed + HIGHEST_ROLL)
    return Escape(field, place, most).answer(retreat_directions(field, place))


def retreat_axes(field: Battlefield, place: int, sigmas: float = 0.0) -> dict[Axis, float]:
    """Directions of a possible retreat, with the least distance that ends legally unturned."""
    most = float(field.units[place].speed + HIGHEST_ROLL)
    axes = retreat_directions(field, place)
    found = {}
    for axis, spans in zip(axes, Shifts(field, place, most, sigmas).open(axes), strict=True):
        # standing still is no retreat; it always may, so it comes first
        ends = [max(low, TOUCH_IN) for low, high in spans if high > TOUCH_IN]
        if ends:
            found[axis] = ends[0]
    return found


def retreat_directions(field: Battlefield, place: int) -> tuple[tuple[float, float], ...]:
    """Sideways and backward; forward too if engaged at flank or rear (TMG-RET-3, -4, OR-22)."""
    ahead, back, left, right = AXES
    if not field.edition.retreat_forward:
        return back, left, right
    edges = [
        contact_edge(field, place, int(other)) for other in np.flatnonzero(field.engaged[place])
    ]
    beside = [edge != "front" for edge in edges]
    wanted = all(beside) if field.readings.retreat_forward == "all" else any(beside)
    return (ahead, back, left, right) if beside and wanted else (back, left, right)


def contact_edge(field: Battlefield, place: int, other: int) -> str:
    """The edge of a unit's own tray at which another touches it."""
    corners = field.pairs.corners[place, other]
    depth, width = field.trays.half[place]
    low, high = corners.min(axis=0), corners.max(axis=0)
    apart = (low[0] - depth, low[1] - width, -high[1] - width, -high[0] - depth)
    return ARCS[int(np.argmax(apart))]
