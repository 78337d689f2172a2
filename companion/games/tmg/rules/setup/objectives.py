"""Objective tokens: which unit claims one, and which controls it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.tmg.rules.margins import clearance, footprint, ground, measured, rim_in, spread
from companion.games.tmg.rules.modes import Mode
from companion.games.tmg.rules.readings import DEFAULT, Readings
from companion.games.tmg.rules.rulebook import CONTACT_IN
from companion.geometry.plane.answer import SURE_SIGMAS, YES, Answer, both, no
from models import Pose, Table, TableToken, Terrain, Unit


@dataclass(frozen=True, slots=True)
class LoggedFacts:
    """Facts that positions do not show; the game's log supplies them.

    `engaged` are each unit's enemies in contact (measured where it is None), `wounds_left` those of
    solo units, `touched` the units that touched a token, in order, `carried` the unit that carries
    a token, `lost` the units that lost control and have not moved since.
    """

    engaged: Mapping[str, Collection[str]] | None = None
    wounds_left: Mapping[str, int] = field(default_factory=dict)
    touched: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    carried: Mapping[str, str] = field(default_factory=dict)
    lost: frozenset[str] = frozenset()


NOTHING_KNOWN = LoggedFacts()


@dataclass(frozen=True, slots=True)
class ObjectiveControl:
    """One token: free, held, contested (claimed but not controlled) or unsure, and by whom.

    `claims` are the units on the token; `choices` those between which the positions cannot decide.
    """

    token: str
    state: str
    answer: Answer
    unit: str = ""
    side: str = ""
    claims: dict[str, Answer] = field(default_factory=dict)
    choices: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The record as a JSON object."""
        text: dict[str, Any] = {"token": self.token, "state": self.state, **self.answer.to_json()}
        text["unit"] = self.unit or None
        text["side"] = self.side or None
        text["claims"] = {unit: claim.to_json() for unit, claim in self.claims.items()}
        if self.choices:
            text["choices"] = list(self.choices)
        return text


# -- claiming ---------------------------------------------------------------------------------


def claim(unit: Unit, token: TableToken, mode: Mode) -> Answer:
    """Whether a unit that ends its move there claims the token."""
    fact = mode.facts.objective
    why = tuple(dict.fromkeys((fact.claim_rule, fact.off_rule)))
    if fact.claim == "none":
        return no(*why)
    measure = covered_in if fact.claim == "whole" else touched_in
    return measured(lambda one: measure(one, token), unit, why=why)


def covered_in(unit: Unit, token: TableToken) -> float:
    """How far the token's rim is inside the tray; negative where it sticks out."""
    forward, left = in_frame(unit.pose, token)
    deep = min(unit.tray.depth / 2 - abs(forward), unit.tray.width / 2 - abs(left))
    return deep - token.radius


def touched_in(unit: Unit, token: TableToken) -> float:
    """How far the token extends under the tray; negative where it lies beside it."""
    return -rim_in(token, footprint(unit))


def in_frame(pose: Pose, token: TableToken) -> tuple[float, float]:
    """The token's centre in the tray's frame: forward and left."""
    angle = math.radians(pose.heading)
    dx, dy = token.x - pose.x, token.y - pose.y
    cos, sin = math.cos(angle), math.sin(angle)
    return dx * cos + dy * sin, dy * cos - dx * sin


def claims(table: Table, token: TableToken, mode: Mode) -> dict[str, Answer]:
    """Every unit that claims the token, or may claim it."""
    found = {unit.id: claim(unit, token, mode) for unit in table.units}
    return {unit: answer for unit, answer in found.items() if answer.verdict != "no"}


# -- controlling ------------------------------------------------------------------------------


def holdings(
    table: Table, mode: Mode, known: LoggedFacts = NOTHING_KNOWN, readings: Readings = DEFAULT
) -> dict[str, ObjectiveControl]:
    """The control of each token of the table."""
    return {token.id: holding(table, token, mode, known, readings) for token in table.tokens}


def holding(
    table: Table,
    token: TableToken,
    mode: Mode,
    known: LoggedFacts = NOTHING_KNOWN,
    readings: Readings = DEFAULT,
) -> ObjectiveControl:
    """The control of a token, by the mode's method."""
    return WAYS[mode.facts.objective.control](table, token, mode, known, readings)


def held_by_nobody(
    table: Table, token: TableToken, mode: Mode, known: LoggedFacts, readings: Readings
) -> ObjectiveControl:
    """Tokens that cannot be held by standing on them."""
    return ObjectiveControl(token.id, "free", no(mode.facts.objective.control_rule))


def held_by_ranks(
    table: Table, token: TableToken, mode: Mode, known: LoggedFacts, readings: Readings
) -> ObjectiveControl:
    """Edition 2021: the unit on the token, unless a stronger enemy is engaged with it.

    Evaluated anew each time, so control returns when the stronger enemy is gone (OR-29).
    """
    fact = mode.facts.objective
    found = claims(table, token, mode)
    if not found:
        return ObjectiveControl(token.id, "free", no(fact.claim_rule, fact.off_rule))
    if len(found) > 1:
        return undecided(token, found, fact.claim_rule)
    [(unit_id, claimed)] = found.items()
    unit = table.unit(unit_id)
    answer = both(claimed, *stronger_enemies(table, unit, fact.control_rule, known))
    if readings.control_back == "new-claim" and unit_id in known.lost:
        answer = both(answer, no("OR-29"))
    state = {"yes": "held", "no": "contested", "unsure": "unsure"}[answer.verdict]
    return ObjectiveControl(token.id, state, answer, unit_id, unit.side, found)


def stronger_enemies(table: Table, unit: Unit, rule: str, known: LoggedFacts) -> list[Answer]:
    """One answer per engaged enemy that has, or may have, more ranks than the unit."""
    answers = []
    least, most = counted_ranks(unit, known)
    for enemy in engaged_enemies(table, unit, known):
        enemy_least, enemy_most = counted_ranks(enemy, known)
        if enemy_least > most:
            answers.append(no(rule))
        elif enemy_most > least:
            answers.append(Answer("unsure", (rule, "TMG-OBJ-3"), None, 0.5))
    return answers


def counted_ranks(unit: Unit, known: LoggedFacts) -> tuple[float, float]:
    """Remaining ranks as they count for control, at least and at most.

    A solo unit counts its remaining wounds (TMG-OBJ-3); at least one where they are unknown.
    """
    if unit.tray.ranks > 1:
        return unit.ranks, unit.ranks
    if unit.id in known.wounds_left:
        return known.wounds_left[unit.id], known.wounds_left[unit.id]
    if unit.models == 1:
        return 1, math.inf
    if unit.tray.standard:  # a table file may count a solo unit's wounds as models
        return unit.models, unit.models
    return 1, unit.models  # players' own tray: its ranks are unknown


def engaged_enemies(table: Table, unit: Unit, known: LoggedFacts) -> list[Unit]:
    """The enemies in contact, as given or as measured."""
    if known.engaged is not None:
        told = known.engaged.get(unit.id, ())
        return [enemy for enemy in table.enemies(unit) if enemy.id in told]
    return [enemy for enemy in table.enemies(unit) if touch(unit, enemy)]


def touch(unit: Unit, other: Unit) -> bool:
    """Whether two trays are in contact: others are never closer than 1 inch (TMG-MOV-7)."""

    def gap_in(one: Pose, two: Pose) -> float:
        return clearance(footprint(unit.at(one)), footprint(other.at(two)))

    poses = unit.pose, other.pose
    return gap_in(*poses) <= CONTACT_IN + SURE_SIGMAS * spread(gap_in, *poses)


def held_by_first(
    table: Table, token: TableToken, mode: Mode, known: LoggedFacts, readings: Readings
) -> ObjectiveControl:
    """Edition 2018: of the units that touch the token, the one that touched it first."""
    fact = mode.facts.objective
    found = claims(table, token, mode)
    if not found:
        return ObjectiveControl(token.id, "free", no(fact.claim_rule, fact.off_rule))
    order = [unit for unit in known.touched.get(token.id, ()) if unit in found]
    if order and found[order[0]]:
        first = order[0]
    elif len(found) == 1:
        [first] = found
    else:
        return undecided(token, found, fact.control_rule)
    state = "held" if found[first] else "unsure"
    return ObjectiveControl(token.id, state, found[first], first, table.unit(first).side, found)


def held_by_carrier(
    table: Table, token: TableToken, mode: Mode, known: LoggedFacts, readings: Readings
) -> ObjectiveControl:
    """Tokens that are picked up: the carrier, else the unit that now touches the token."""
    fact = mode.facts.objective
    carrier = known.carried.get(token.id, "")
    if carrier in table:
        return ObjectiveControl(
            token.id, "held", YES, carrier, table.unit(carrier).side, {carrier: YES}
        )
    laden = set(known.carried.values())
    found = {
        unit: answer for unit, answer in claims(table, token, mode).items() if unit not in laden
    }
    if not found:
        return ObjectiveControl(token.id, "free", no(fact.claim_rule))
    if len(found) > 1:
        return undecided(token, found, fact.claim_rule)
    [(unit_id, answer)] = found.items()
    state = "held" if answer else "unsure"
    return ObjectiveControl(token.id, state, answer, unit_id, table.unit(unit_id).side, found)


def undecided(token: TableToken, found: dict[str, Answer], rule: str) -> ObjectiveControl:
    """The result where several units are on the token and positions do not decide."""
    answer = Answer("unsure", (rule,), None, 1 / len(found))
    return ObjectiveControl(token.id, "unsure", answer, claims=found, choices=tuple(found))


Way = Callable[[Table, TableToken, Mode, LoggedFacts, Readings], ObjectiveControl]
WAYS: dict[str, Way] = {
    "none": held_by_nobody,
    "ranks": held_by_ranks,
    "first": held_by_first,
    "carried": held_by_carrier,
}
"""How a token is held, by the value in the mode's data."""


# -- questions of the log during play ---------------------------------------------------------


def touch_order(earlier: Iterable[str], touching: Collection[str]) -> tuple[str, ...]:
    """The units on a token in the order they touched it, without those gone (TMG-MODE-GOT-10)."""
    kept = [unit for unit in earlier if unit in touching]
    return (*kept, *(unit for unit in touching if unit not in kept))


def after_melee(
    order: tuple[str, ...], destroyed: str, destroyer: str, touching: Collection[str]
) -> tuple[str, ...]:
    """The order after a unit was destroyed: its destroyer takes over its token if it touches it.

    That applies to the controlling unit only (TMG-MODE-GOT-9).
    """
    left = tuple(unit for unit in order if unit != destroyed)
    if order[:1] == (destroyed,) and destroyer in touching:
        return (destroyer, *(unit for unit in left if unit != destroyer))
    return left


def second_tokens(table: Table, mode: Mode, unit: Unit, known: LoggedFacts) -> dict[str, Answer]:
    """Further tokens that a carrying unit touches: the opponent moves those elsewhere.

    A yes means the token must be moved (TMG-MODE-FFC-9, TMG-MODE-DWD-7).
    """
    if unit.id not in known.carried.values():
        return {}
    rule = mode.facts.objective.second_rule
    loose = (token for token in table.tokens if token.id not in known.carried)
    found = {
        token.id: measured(lambda one, at=token: touched_in(one, at), unit, why=(rule,))
        for token in loose
    }
    return {token: answer for token, answer in found.items() if answer.verdict != "no"}


def keeps_token(mode: Mode, unit: Unit, pile: Terrain) -> Answer:
    """Whether a unit still touches the corpse pile its token is linked to.

    A no means it loses the token (TMG-MODE-FFC-10).
    """
    rule = mode.facts.objective.leave_rule
    if not rule:
        return YES
    return measured(lambda one: -clearance(footprint(one), ground(pile)), unit, why=(rule,))


def markable(table: Table, mode: Mode, commander: Unit) -> dict[str, Answer]:
    """The enemies near enough for the commander's unit to put a point token on one."""
    fact = mode.facts
    if not fact.mark_rule:
        return {}
    return {
        enemy.id: measured(
            lambda one, two: fact.mark_within - clearance(footprint(one), footprint(two)),
            commander,
            enemy,
            why=(fact.mark_rule,),
        )
        for enemy in table.enemies(commander)
    }
