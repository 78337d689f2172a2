"""Which actions explain an observed move: from where a unit stood to where it stands now."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charge_end import settled_places
from companion.games.tmg.rules.charge.charge_move import full_distance, stays
from companion.games.tmg.rules.charge.charge_route import ChargeRoute
from companion.games.tmg.rules.combat.dice import needed_roll
from companion.games.tmg.rules.combat.shots import stands_to_shoot
from companion.games.tmg.rules.movement.move_costs import SAME_FACING_DEG, ChargePath, move_costs
from companion.games.tmg.rules.movement.move_end import (
    AHEAD,
    SAME_PLACE_IN,
    MoveEnd,
    SweptPath,
    facing,
    pivot_over,
)
from companion.games.tmg.rules.movement.moves import because, forward_retreat
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.report import Charge, Placement
from companion.games.tmg.rules.rulebook import (
    CLEAR_IN,
    CONTACT_IN,
    HIGHEST_ROLL,
    SHIFT_IN,
    STOPS,
    farthest_in,
)
from companion.games.tmg.rules.survey import Survey, surveyed
from companion.games.tmg.rules.terrain_crossing import TerrainDanger
from companion.games.tmg.rules.tray_contact import arcs_of
from companion.geometry.plane.answer import (
    ROUNDING_IN,
    SURE_SIGMAS,
    YES,
    Answer,
    both,
    judge,
    no,
)
from companion.geometry.plane.motion.shift import AXES
from models import BadInput, Pose, Sigma, Table, UnknownName

MEANT_DEG = 30.0
"""A tray that a hand carried forward faces its way so nearly."""


def likelier(one: Answer, other: Answer) -> bool:
    """Whether an explanation is at least as good as another."""
    return (one.chance, -len(one.why)) >= (other.chance, -len(other.why))


@dataclass(frozen=True, slots=True)
class MissingInches:
    """By how much a move stopped short, and how wrong the table may be about that."""

    length_in: float
    error_in: float

    def to_json(self) -> dict[str, Any]:
        """The numbers as a JSON object."""
        return {"missing": round(self.length_in, 4), "error": round(self.error_in, 4)}


@dataclass(frozen=True, slots=True)
class AskewCharge:
    """A charge at a target that a hand did not lay as it ends, and the rules that say so; `missing`
    is how far it stopped before its target."""

    target: str
    why: tuple[str, ...] = ("TMG-CHG-17",)
    missing: MissingInches | None = None

    def to_json(self) -> dict[str, Any]:
        """The charge as a JSON object."""
        missing = self.missing.to_json() if self.missing is not None else {}
        return {"target": self.target, "why": [*self.why], **missing}


@dataclass(frozen=True, slots=True)
class MoveCheck:
    """Whether one action explains the move, and by how much it went too far.

    `dangers` and `crushed` are the effects of the terrain under the move if it was this action.
    `askew` is the charge that was meant where a hand did not align it, `short` whom one did not
    reach, `missing` by how much it stopped before its full distance.
    """

    answer: Answer
    over_in: float = 0.0
    needs: int | None = None
    target: str | None = None
    dangers: tuple[TerrainDanger, ...] = ()
    crushed: dict[str, Answer] = field(default_factory=dict)
    askew: AskewCharge | None = None
    short: str | None = None
    missing: MissingInches | None = None

    def to_json(self) -> dict[str, Any]:
        """The verdict as a JSON object."""
        text: dict[str, Any] = {**self.answer.to_json(), "over": round(max(self.over_in, 0.0), 4)}
        if self.needs is not None:
            text["needs"] = self.needs
        if self.target is not None:
            text["target"] = self.target
        if self.short is not None:
            text["short"] = self.short
        if self.missing is not None:
            text |= self.missing.to_json()
        if self.askew is not None:
            text["askew"] = self.askew.to_json()
        if self.dangers:
            text["dangers"] = [one.to_json() for one in self.dangers]
        if self.crushed:
            text["crushed"] = {piece: answer.to_json() for piece, answer in self.crushed.items()}
        return text


def check(
    before: Table, after: Table, unit_id: str, readings: Readings | None = None
) -> dict[str, MoveCheck]:
    """The verdict on every action for the move of one unit between two tables."""
    if before.game != after.game:
        raise BadInput("", "game", f"{before.game!r} before, {after.game!r} after")
    for table in (before, after):
        if unit_id not in table:
            raise UnknownName(f"no unit {unit_id!r} on both tables")
    survey = surveyed(before, readings)
    end = after.unit(unit_id).pose
    move = SeenMove.seen(survey.battlefield, unit_id, end)
    found = {
        "maneuver": move.maneuver(),
        "march": move.march(),
        "retreat": move.retreat(),
        "shift": move.shift(),
        "pivot": move.pivot(),
        "charge": move.charge(survey),
    }
    return {action: with_costs(survey, unit_id, end, action, one) for action, one in found.items()}


def with_costs(survey: Survey, unit_id: str, end: Pose, action: str, found: MoveCheck) -> MoveCheck:
    """The verdict with the effects of terrain; unchanged where the action is impossible."""
    if found.answer.verdict == "no" or not survey.report.table.terrain:
        return found
    charge = None
    if found.target is not None:
        heading = survey.report.ways(unit_id, found.target)[0].heading
        charge = None if heading is None else ChargePath(found.target, heading)
    costs = move_costs(survey.battlefield, unit_id, end, action, charge)
    return replace(found, dangers=costs.dangers, crushed=costs.crushed)


def beyond(charge: Charge) -> float:
    """By how much a charge was out of reach (TMG-CHG-4)."""
    margin_in = charge.answer.margin_in
    return -margin_in if "TMG-CHG-4" in charge.answer.why and margin_in is not None else 0.0


def same(off: float, spare: float, rule: str, sigma: float) -> Answer:
    """Whether two measured values are equal; a measurement can only refute that, never prove it.

    So the answer is yes as long as they agree within two sigmas.
    """
    if off <= spare + 2 * sigma + ROUNDING_IN:
        return YES
    return judge(spare - off, rule, sigma_in=sigma)


@dataclass(frozen=True, slots=True)
class SeenMove:
    """A unit's move from one pose to another, in inches forward and left of the start."""

    mover: MoveEnd
    start: Pose
    end: Pose
    forward_in: float
    left_in: float
    end_seen: Pose  # with the sigma of its own measurement only

    @classmethod
    def seen(cls, field: Battlefield, unit_id: str, end: Pose) -> SeenMove:
        """The move of one unit of the battlefield, with the combined sigma of both measurements."""
        place = field.index[unit_id]
        start = field.units[place].pose
        sigma = Sigma(
            math.hypot(start.sigma.xy_in, end.sigma.xy_in),
            math.hypot(start.sigma.heading_deg, end.sigma.heading_deg),
        )
        dx, dy = end.x - start.x, end.y - start.y
        ahead = facing(start.heading)
        return cls(
            MoveEnd(field, place),
            replace(start, sigma=sigma),
            replace(end, sigma=sigma),
            float(dx * ahead[0] + dy * ahead[1]),
            float(dy * ahead[0] - dx * ahead[1]),
            end,
        )

    # -- measurements -----------------------------------------------------------------------

    @property
    def length_in(self) -> float:
        """The distance the centre moved."""
        return math.hypot(self.forward_in, self.left_in)

    @property
    def turn_deg(self) -> float:
        """The turn in degrees, 0 to 180."""
        return abs((self.end.heading - self.start.heading + 180) % 360 - 180)

    @property
    def speed(self) -> int:
        """The unit's Speed."""
        return self.mover.field.units[self.mover.place].speed

    @property
    def unengaged(self) -> Answer:
        return self.mover.field.unengaged[self.mover.place]

    @property
    def unmoved(self) -> bool:
        """Whether it stayed: a move of 0 inches is legal (TMG-MOV-12) anywhere."""
        return self.length_in <= SAME_PLACE_IN and self.turn_deg <= SAME_FACING_DEG

    def ends(self, clear: bool = True) -> Answer:
        """Whether it may end there; a unit that did not move always may (OR-19)."""
        return YES if self.unmoved else self.mover.ends(self.end, clear)

    def ends_turned(self, heading: float) -> Answer:
        """Whether it may end there after moving with that heading and a last pivot.

        Under the reading that pivots need not keep 1 inch, it must have been kept before the pivot
        (OR-19).
        """
        if self.mover.field.readings.near_pivot == "strict" or self.unmoved:
            return self.ends()
        if self.length_in <= SAME_PLACE_IN:
            return self.ends(clear=False)
        kept = [
            self.mover.clear_of_enemies(self.end.turned(one)) for one in (heading, self.end.heading)
        ]
        return both(self.ends(clear=False), max(kept, key=lambda answer: answer.chance))

    def up_to(self, most_in: float, rule: str) -> tuple[Answer, float]:
        """Whether the length is allowed, and by how much it is over."""
        over = self.length_in - most_in
        return judge(-over, rule, sigma_in=self.start.sigma.xy_in), over

    def within(self, most_in: float, cost_in: float, rule: str) -> tuple[Answer, float]:
        """The same less what Rough ground costs, which is a reason where it alone decides
        (TMG-TER-17)."""
        far, over = self.up_to(most_in - cost_in, rule)
        if cost_in and far.verdict != "yes" and over <= cost_in:
            far = replace(far, why=(*far.why, "TMG-TER-17"))
        return far, over

    def still(self, inches: float, rule: str) -> Answer:
        """Whether a distance is zero."""
        return same(abs(inches), SAME_PLACE_IN, rule, self.start.sigma.xy_in)

    def same_facing(self, rule: str, heading: float | None = None) -> Answer:
        """Whether its facing is unchanged, or equals the given heading."""
        turn = self.turn_deg
        if heading is not None:
            turn = abs((self.end.heading - heading + 180) % 360 - 180)
        found = same(turn, SAME_FACING_DEG, rule, self.start.sigma.heading_deg)
        return replace(found, margin_in=None)  # degrees are not inches

    def faces_its_way(self, rule: str) -> Answer:
        """Whether it faces the direction it moved in; for a short move that is hardly known."""
        if self.length_in <= SAME_PLACE_IN:
            return YES
        turn = abs((self.end.heading - self.direction + 180) % 360 - 180)
        astray = math.degrees(self.start.sigma.xy_in / self.length_in)
        sigma = math.hypot(self.start.sigma.heading_deg, astray)
        return replace(same(turn, SAME_FACING_DEG, rule, sigma), margin_in=None)

    def passes(self, sweep: SweptPath, straight: Answer) -> Answer:
        """Whether a straight move passed through nothing."""
        if straight.verdict == "no" or self.length_in <= SAME_PLACE_IN:
            return YES
        return self.mover.passes(sweep)

    def along(self, axes: Iterable[tuple[float, float]], rule: str) -> tuple[Answer, SweptPath]:
        """Whether the move was along one of these axes, and the area it covered."""
        best, sweep = no(rule), SweptPath(self.start)
        for axis in axes:
            way = self.forward_in * axis[0] + self.left_in * axis[1]
            aside = self.forward_in * axis[1] + self.left_in * axis[0]
            lever = math.radians(self.start.sigma.heading_deg) * abs(way)
            sigma = math.hypot(self.start.sigma.xy_in, lever)
            answer = both(
                same(abs(aside), SAME_PLACE_IN, rule, sigma),
                same(max(-way, 0.0), SAME_PLACE_IN, rule, self.start.sigma.xy_in),
            )
            if answer.chance > best.chance:
                best, sweep = answer, SweptPath(self.start, axis, max(way, 0.0))
        return best, sweep

    # -- actions ----------------------------------------------------------------------------

    def maneuver(self) -> MoveCheck:
        """Pivot, straight forward up to Speed, pivot (TMG-MAN-1..4)."""
        away = self.length_in > SAME_PLACE_IN
        turned = self.start.turned(self.direction) if away else self.start
        sweep = SweptPath(turned, AHEAD, self.length_in)
        cost = self.mover.rough_cost(sweep, self.end)
        far, over = self.within(self.speed, cost, "TMG-MAN-3")
        return MoveCheck(
            both(
                because(self.unengaged, "TMG-MAN-1"),
                far,
                self.mover.pivots(turned) if away else YES,
                pivot_over(self.mover.field, self.mover.place, turned.heading) if away else YES,
                self.mover.passes(sweep) if away else YES,
                self.last_pivot(turned.heading),
                self.ends_turned(turned.heading),
            ),
            over,
        )

    def march(self) -> MoveCheck:
        """Straight forward up to twice Speed, then pivot (TMG-MAR-1..4)."""
        straight, sweep = self.along(AXES[:1], "TMG-MAR-3")
        cost = self.mover.rough_cost(sweep, self.end)
        far, over = self.within(2 * self.speed, cost, "TMG-MAR-2")
        return MoveCheck(
            both(
                because(self.unengaged, "TMG-MAR-1"),
                straight,
                far,
                self.passes(sweep, straight),
                self.last_pivot(self.start.heading),
                self.ends_turned(self.start.heading),
            ),
            over,
        )

    def last_pivot(self, heading: float) -> Answer:
        """Whether it may have turned so at the end of its move (TMG-TER-16)."""
        if self.same_facing("TMG-TER-16", heading):
            return YES
        field, place = self.mover.field, self.mover.place
        return pivot_over(field, place, self.end.heading, self.end.turned(heading))

    def retreat(self, rolled_in: float | None = None) -> MoveCheck:
        """Sideways or back (forward where allowed) up to Speed + D6, then pivot (TMG-RET-1..8);
        `rolled_in` is how far the die lets it go, once it lies."""
        field, place = self.mover.field, self.mover.place
        free = self.unengaged
        engaged = no("TMG-RET-1") if free else YES
        if free.verdict == "unsure":
            engaged = Answer("unsure", ("TMG-RET-1",), free.margin_in, 1 - free.chance)
        forth = forward_retreat(field, place)
        axes = AXES[1:] if forth.verdict == "no" else (*AXES[1:], AHEAD)
        rule = "TMG-RET-3"
        if self.forward_in > abs(self.left_in):
            rule = "TMG-RET-4"
        straight, sweep = self.along(axes, rule)
        if sweep.axis == AHEAD and sweep.travel_in > SAME_PLACE_IN:
            straight = both(straight, forth)
        cost = self.mover.rough_cost(sweep, self.end)
        most = farthest_in(self.speed) if rolled_in is None else rolled_in
        far, over = self.within(most, cost, "TMG-RET-3")
        passing = YES
        if straight.verdict != "no" and sweep.travel_in > 0:
            passing = self.slides(sweep)
        needs = needed_roll(max(self.length_in + cost - SAME_PLACE_IN / 2, 0.0), self.speed)
        turned = self.last_pivot(self.start.heading)
        ended = self.ends_turned(self.start.heading)
        answer = both(engaged, straight, far, passing, turned, ended)
        return MoveCheck(answer, over, needs if answer.verdict != "no" else None)

    def slides(self, sweep: SweptPath) -> Answer:
        """A retreat past enemies: along the edges it touches, but through nothing (OR-22)."""
        field, place = self.mover.field, self.mover.place
        touched = np.zeros(len(field.solids), dtype=bool)
        touched[: len(field.units)] = field.touching[place]
        others = self.mover.trays(enemy=True) & ~touched
        near = self.mover.trays(enemy=True) & touched
        slack = replace(sweep, start=sweep.start)
        through = self.mover.meets(slack, -4 * CONTACT_IN - 3 * self.start.sigma.xy_in)[near]
        return both(
            no("TMG-MOV-10") if through.any() else YES,
            self.mover.free(sweep, others, "TMG-MOV-10"),
            self.mover.free(sweep, self.mover.parts(*STOPS), "TMG-TER-15"),
        )

    def shift(self) -> MoveCheck:
        """Along one axis up to 2 inches, same facing (TMG-MOV-5, -6, TMG-RNG-5)."""
        straight, sweep = self.along(AXES, "TMG-MOV-5")
        far, over = self.up_to(SHIFT_IN - self.mover.rough_cost(sweep), "TMG-RNG-5")
        strict = self.mover.field.readings.near_pivot == "strict"  # OR-19
        return MoveCheck(
            both(
                because(self.unengaged, "TMG-RNG-2"),
                self.same_facing("TMG-MOV-6"),
                straight,
                far,
                self.passes(sweep, straight),
                self.ends(strict),
                self.may_shoot(),
            ),
            over,
        )

    def may_shoot(self) -> Answer:
        """Whether it has a ranged attack (TMG-RNG-3) and a target after its shift (TMG-RNG-6).

        Without any attacks in the table file, its card is unknown and the answer is yes.
        """
        field, place = self.mover.field, self.mover.place
        if self.unmoved or not field.units[place].attacks:
            return YES
        if not field.units[place].ranged:
            return no("TMG-RNG-3")
        if not field.edition.shift_needs_target:
            return YES
        there = Battlefield(field.table.moved(field.units[place].id, self.end_seen), field.readings)
        best = max(stands_to_shoot(there, place), key=lambda one: one.chance, default=no())
        return best if best else replace(best, why=("TMG-RNG-6",))

    def pivot(self) -> MoveCheck:
        """On the spot to any facing (TMG-MOV-1..3)."""
        strict = self.mover.field.readings.near_pivot == "strict"  # OR-19
        turned = self.turn_deg > SAME_FACING_DEG
        return MoveCheck(
            both(
                self.still(self.length_in, "TMG-MOV-1"),
                pivot_over(self.mover.field, self.mover.place, self.end.heading) if turned else YES,
                self.mover.ends(self.end, strict) if turned else YES,
            ),
            self.length_in if self.length_in > SAME_PLACE_IN else 0.0,
        )

    def charge(self, survey: Survey) -> MoveCheck:
        """Aligned with a target it could charge, or a full charge move that fell short."""
        field, name = self.mover.field, self.mover.field.units[self.mover.place].id
        charges = survey.report.units[name].charges
        best: MoveCheck | None = None
        for other, charge in charges.items():
            corners = field.trays.corners[field.index[other]]
            gap = self.mover.gap(self.end, corners)
            if gap > CONTACT_IN + 3 * self.start.sigma.xy_in + SAME_PLACE_IN:
                continue
            places = self.places(charge, field.index[other])
            found = MoveCheck(
                both(charge.answer, self.aligned(places, other)),
                beyond(charge),
                charge.needs,
                other,
            )
            if best is None or likelier(found.answer, best.answer):
                best = found
        if best and best.answer:
            return best
        short = self.failed_charge(survey)  # it may only have passed closely
        found = short if best is None or short.answer.chance > best.answer.chance else best
        if found.answer:
            return found
        # In contact with whom it may charge it lies only askew, whichever way it came.
        only = best is not None and best.answer.why == ("TMG-CHG-17",)
        meant = best.target if best is not None and only else self.meant(charges)
        if meant is None:
            return found
        return replace(found, askew=self.askew(charges[meant], meant))

    def askew(self, charge: Charge, target: str) -> AskewCharge:
        """A charge that does not lie as it ends: how far before its target, or only not aligned."""
        goal = self.mover.field.index[target]
        missing = self.apart(goal)
        if missing.length_in <= CONTACT_IN + missing.error_in:
            return AskewCharge(target)
        arrived = replace(self, end=self.end.shifted(missing.length_in, 0.0))
        beside = arrived.aligned(self.places(charge, goal), target)
        why = () if beside.verdict != "no" else beside.why
        return AskewCharge(target, ("TMG-CHG-14", *why), missing)

    def apart(self, goal: int) -> MissingInches:
        """How far it ends from another tray."""
        trays = self.mover.field.trays
        own, lever = self.end_seen.sigma, float(np.hypot(*trays.half[self.mover.place]))
        spread = math.hypot(own.xy_in, math.radians(own.heading_deg) * lever)
        error = SURE_SIGMAS * math.hypot(spread, float(trays.spread[goal]))
        return MissingInches(self.mover.gap(self.end, trays.corners[goal]), error)

    def meant(self, charges: Mapping[str, Charge]) -> str | None:
        """Whom a hand charged that did not align the tray (TMG-CHG-17): it went its way, and
        nothing else may end so near to an enemy (TMG-MOV-7)."""
        field = self.mover.field
        turn = abs((self.end.heading - self.direction + 180) % 360 - 180)
        if self.length_in <= SAME_PLACE_IN or turn > MEANT_DEG:
            return None
        near = {
            self.mover.gap(self.end, field.trays.corners[field.index[other]]): other
            for other, charge in charges.items()
            if charge.answer.verdict != "no"
        }
        return near[min(near)] if near and min(near) < CLEAR_IN else None

    def places(self, charge: Charge, goal: int) -> tuple[Placement, ...]:
        """Where the charge may end; in 2018 also with the defender moved."""
        field, place = self.mover.field, self.mover.place
        if not field.edition.moves_defender or charge.answer.verdict == "no":
            return charge.align
        return (*charge.align, *settled_places(field, place, goal, arcs_of(charge.zone)))

    def aligned(self, places: Iterable[Placement], goal: str) -> Answer:
        """Whether it ended at 50 % or 100 % on the right edge (TMG-CHG-17).

        The placements have an error too: they turn with the measured target.
        """
        best, target = no("TMG-CHG-17"), self.mover.field.table.unit(goal).pose
        for spot in places:
            lever = math.hypot(spot.pose.x - target.x, spot.pose.y - target.y)
            lever *= math.radians(target.sigma.heading_deg)
            sigma = math.hypot(self.end_seen.sigma.xy_in, target.sigma.xy_in, lever)
            off = math.hypot(self.end.x - spot.pose.x, self.end.y - spot.pose.y)
            answer = both(
                same(off, 2 * SAME_PLACE_IN, "TMG-CHG-17", sigma),
                self.same_facing("TMG-CHG-17", spot.pose.heading),
            )
            if answer.chance > best.chance:
                best = answer
        return best

    def failed_charge(self, survey: Survey) -> MoveCheck:
        """Pivot, then all of Speed + D6 straight forward without contact (TMG-CHG-12, -15)."""
        field, place = self.mover.field, self.mover.place
        charges = survey.report.units[field.units[place].id].charges
        straight = self.faces_its_way("TMG-CHG-12")
        over = self.length_in - farthest_in(self.speed)
        best: MoveCheck | None = None
        for other, charge in sorted(charges.items(), key=lambda item: item[1].answer.chance):
            turn = math.radians(self.end_seen.sigma.heading_deg)
            way = ChargeRoute.of(field, place, field.index[other], self.end.heading, turn)
            declared = both(charge.answer, straight, way.allowed())
            if declared.verdict == "no":  # whatever the distance
                if best is None or likelier(declared, best.answer):
                    best = MoveCheck(declared, over)
                continue
            for roll, gone in self.fallen_short(way):
                off = abs(gone - self.length_in)
                full = same(off, SAME_PLACE_IN, "TMG-CHG-12", self.start.sigma.xy_in)
                found = both(declared, full)
                # of equal ones the later, more likely charge wins, then the one with fewer reasons
                if best is None or likelier(found, best.answer):
                    open_ = found.verdict != "no"
                    needs, short = (roll, other) if open_ else (None, None)
                    best = MoveCheck(found, over, needs, short=short)
            if best is None and math.isfinite(way.contact_in):  # every roll reaches it
                best = MoveCheck(both(charge.answer, no("TMG-CHG-14")), over)
        return best or MoveCheck(no("TMG-CHG-2"), over)

    def fallen_short(self, way: ChargeRoute) -> Iterator[tuple[int, float]]:
        """The rolls with which a charge falls short, and how far it then goes."""
        for one in way.perhaps():
            for roll in range(1, HIGHEST_ROLL + 1):
                reach = float(self.speed + roll)
                if not one.blocked and one.contact_in <= full_distance(one, reach):
                    break
                stop = stays(one, reach)
                yield roll, stop.travel_in
                if "TMG-CHG-13" in stop.rules:  # a higher roll stops there too
                    break

    @property
    def direction(self) -> float:
        """The heading of the move."""
        if self.length_in <= SAME_PLACE_IN:
            return self.end.heading
        return math.degrees(math.atan2(self.end.y - self.start.y, self.end.x - self.start.x))
