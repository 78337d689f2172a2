"""A charge whose die lies and whose tray a hand has moved: whether it ends so (TMG-CHG-12, -17)."""

from __future__ import annotations

import math
from dataclasses import replace

from companion.games.tmg.rules.charge.charge_move import stays
from companion.games.tmg.rules.charge.charge_route import ChargeRoute
from companion.games.tmg.rules.movement.move_check import (
    MissingInches,
    MoveCheck,
    SeenMove,
    same,
)
from companion.games.tmg.rules.movement.move_end import SAME_PLACE_IN
from companion.games.tmg.rules.rulebook import CONTACT_IN
from companion.games.tmg.rules.survey import Survey
from companion.geometry.plane.answer import SURE_SIGMAS, YES, both, no

ASKED_IN = 1.5
"""A charge that lies so near to its target is meant to be in contact: where nobody knows yet if it
arrives, its players are asked."""


def rolled_charge(
    move: SeenMove, survey: Survey, target: str, reach_in: float, arrived: bool | None
) -> MoveCheck:
    """Whether a charge at a target with this distance ends there; `arrived` is whether it made
    contact, None where its players still have to say it (TMG-CHG-14)."""
    field, place = move.mover.field, move.mover.place
    charge, goal = survey.report.units[field.units[place].id].charges[target], field.index[target]
    apart = move.apart(goal)
    near = apart.length_in <= ASKED_IN
    touches = apart.length_in <= CONTACT_IN + apart.error_in + SAME_PLACE_IN
    if arrived or (arrived is None and touches):
        aligned = move.aligned(move.places(charge, goal), target) if touches else no("TMG-CHG-14")
        laid = MoveCheck(aligned, target=target, missing=None if near else apart)
        return laid if aligned or not near else replace(laid, askew=move.askew(charge, target))
    found = fallen_short(move, goal, target, reach_in)
    if arrived is None and near and found.missing is not None:
        return MoveCheck(YES, target=target)
    return found


def fallen_short(move: SeenMove, goal: int, target: str, reach_in: float) -> MoveCheck:
    """A charge that failed goes all its distance straight ahead (TMG-CHG-12, -13)."""
    turn = math.radians(move.end_seen.sigma.heading_deg)
    way = ChargeRoute.of(move.mover.field, move.mover.place, goal, move.end.heading, turn)
    ends = (stays(one, reach_in).travel_in for one in way.perhaps())
    missing_in = min((end - move.length_in for end in ends), key=abs)
    sigma = move.start.sigma.xy_in
    straight = both(move.faces_its_way("TMG-CHG-12"), way.allowed())
    answer = both(straight, same(abs(missing_in), SAME_PLACE_IN, "TMG-CHG-12", sigma))
    if answer.verdict != "no":
        return MoveCheck(answer, short=target)
    missing = MissingInches(missing_in, SURE_SIGMAS * sigma)
    if straight.verdict == "no" or missing_in < 0.0:
        return MoveCheck(answer, -missing_in)
    return MoveCheck(answer, missing=missing)
