"""Which moves a unit may make from where it stands (TMG-MAN, TMG-MAR, TMG-RET)."""

from __future__ import annotations

import math

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.distances import HIGHEST_ROLL
from companion.games.tmg.rules.movement.shifts import Shifts
from companion.games.tmg.rules.tray_contact import edge_chances, engaged_with, foes
from companion.geometry.plane.answer import SURE_SIGMAS, YES, Answer, both, no
from companion.geometry.plane.motion.shift import AXES, Axis
from companion.geometry.plane.solids import TOUCH_IN


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
    """Only while engaged (TMG-RET-1), and only if some roll leads to a legal end (TMG-RET-9)."""
    if free:
        return no("TMG-RET-1")
    if free.verdict == "unsure":
        return Answer("unsure", ("TMG-RET-1",), free.margin_in, 1 - free.chance)
    return way_out(field, place, float(field.units[place].speed + HIGHEST_ROLL))


def way_out(field: Battlefield, place: int, most_in: float) -> Answer:
    """Whether an engaged unit can end a retreat of at most this length (TMG-RET-9)."""
    if straight_retreat(field, place, most_in):
        return YES
    from companion.games.tmg.rules.movement.retreat_escape import (
        RetreatEscape,  # few tables need it
    )

    escape = RetreatEscape(field, place, most_in)
    found = escape.answer(retreat_directions(field, place))
    ahead = forward_retreat(field, place)
    if found or ahead.verdict != "unsure":
        return found
    return max(found, both(ahead, escape.answer(AXES[:1])), key=lambda one: one.chance)


def straight_retreat(field: Battlefield, place: int, most_in: float) -> bool:
    """Whether a straight retreat of at most this length is certainly legal without a pivot."""
    axes = retreat_directions(field, place)
    open_ = Shifts(field, place, most_in, -SURE_SIGMAS).open(axes)
    # standing still is always open, but it is not a retreat
    return any(high > TOUCH_IN for spans in open_ for _, high in spans)


def retreat_directions(field: Battlefield, place: int) -> tuple[Axis, ...]:
    """Sideways and backward; forward too where that is certainly allowed (TMG-RET-3, -4)."""
    ahead, back, left, right = AXES
    if forward_retreat(field, place):
        return ahead, back, left, right
    return back, left, right


def forward_retreat(field: Battlefield, place: int) -> Answer:
    """Whether a retreat may go forward: engaged at flank or rear (TMG-RET-4, OR-22).

    Unsure where the measurement leaves open who touches the unit or at which edge.
    """
    if not field.edition.retreat_forward:
        return no("TMG-RET-4")
    sure, perhaps = foes(field, place)
    edges = {other: edge_chances(field, place, other) for other in (*sure, *perhaps)}
    surely = {other: "front" not in found for other, found in edges.items()}
    maybe = {other: tuple(found) != ("front",) for other, found in edges.items()}
    if field.readings.retreat_forward == "all":
        may = bool(edges) and all(maybe[other] for other in sure) and any(maybe.values())
        must = bool(sure) and all(surely.values())
    else:
        may, must = any(maybe.values()), any(surely[other] for other in sure)
    if must or not may:
        return YES if must else no("TMG-RET-4")
    touch = {other: engaged_with(field, place, other, "TMG-RET-4").chance for other in edges}
    before = {other: touch[other] * found.get("front", 0.0) for other, found in edges.items()}
    if field.readings.retreat_forward == "all":  # some enemy touches it, and none its front
        apart = math.prod(1 - chance for chance in touch.values())
        chance = math.prod(1 - part for part in before.values()) - apart
    else:
        chance = 1 - math.prod(1 - touch[other] + before[other] for other in edges)
    return Answer("unsure", ("TMG-RET-4",), None, round(chance, 3))
