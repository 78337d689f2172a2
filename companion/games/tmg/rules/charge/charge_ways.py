"""The ways of a charge that differ in what matters: the roll they need, the ground they cross.

The report tells the shortest way. Its player may turn to another heading (TMG-CHG-9): one that
needs the same roll and crosses less is better, one that crosses less but needs more is a choice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from shapely.geometry import Polygon

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charge_paths import ChargePaths, ChargeStrip, obstacles
from companion.games.tmg.rules.charge.charge_route import ChargeRoute
from companion.games.tmg.rules.charge.charges import open_rolls
from companion.games.tmg.rules.combat.dice import charge_chance, needed_roll
from companion.games.tmg.rules.report import Charge
from companion.games.tmg.rules.rulebook import HARMS_CHARGE
from companion.games.tmg.rules.tray_contact import NOTHING, shared_effects
from companion.geometry.plane.answer import SURE_SIGMAS, both
from companion.geometry.plane.motion.obstacles import Obstacle

SPARE_IN = (0.1, 0.01)
"""How far a way stays off the ground it avoids: enough to see at the table, or just enough."""


def charge_ways(field: Battlefield, place: int, goal: int, charge: Charge) -> tuple[Charge, ...]:
    """The ways of a charge, the one that needs the lowest roll first; the shortest if no other is
    better in anything."""
    if charge.answer.verdict == "no" or charge.heading is None or charge.needs is None:
        return (charge,)
    shortest = ChargeRoute.of(field, place, goal, charge.heading)
    if not harm(shortest):
        return (charge,)
    words = sorted(
        {
            word
            for part in ChargeStrip.of(field.obstacles, place, goal).parts(field.parts)
            for word in field.edition.charge_effects(field.table.terrain[part.piece].keywords)
        }
        & HARMS_CHARGE
    )
    found = [(harm(shortest) | felt(charge), charge)]
    for count in range(len(words), 0, -1):
        for avoided in combinations(words, count):
            found += led_past(field, place, goal, charge, frozenset(avoided))
    return tuple(undominated(found))


def led_past(
    field: Battlefield, place: int, goal: int, charge: Charge, avoided: frozenset[str]
) -> Iterator[tuple[frozenset[str], Charge]]:
    """The shortest way that surely crosses none of the ground with these keywords, if there is
    one, with the keywords it still crosses or may cross."""
    paths = ChargePaths(field, [(place, goal)])
    about = obstacles(field, (place, goal), 0.0)
    sure_in = 0.0 if field.exact else SURE_SIGMAS * field.obstacles.spread[place]
    shapes = [
        Polygon(part.corners)
        for part in ChargeStrip.of(field.obstacles, place, goal).parts(field.parts)
        if field.table.terrain[part.piece].keywords & avoided
    ]
    for spare_in in SPARE_IN:
        grown = (shape.buffer(sure_in + spare_in, join_style="mitre") for shape in shapes)
        stops = (Obstacle(tuple(shape.exterior.coords)[:-1]) for shape in grown)
        near = about.nearby._replace(stops=(*about.nearby.stops, *stops))
        path = paths.ways({0: about._replace(nearby=near)}, 0.0).solve().paths[0]
        if path is None:
            continue
        way = ChargeRoute.of(field, place, goal, math.degrees(path.heading_rad) % 360)
        if not harm(way) & avoided and way.allowed().verdict == "yes":
            led = along(field, way, charge)
            yield harm(way) | felt(led), led
            return


def turned_to(field: Battlefield, place: int, goal: int, charge: Charge, heading: float) -> Charge:
    """The charge with the pivot that its player says (TMG-CHG-9)."""
    way = ChargeRoute.of(field, place, goal, heading)
    return replace(along(field, way, charge), answer=both(charge.answer, way.allowed()))


def along(field: Battlefield, way: ChargeRoute, charge: Charge) -> Charge:
    """The charge led along another way."""
    aligned = shared_effects(charge.align) if charge.align else NOTHING
    effects = tuple(sorted({*aligned, *way.effects(way.crossed(way.longest_in))}))
    needs = needed_roll(way.distance_in, way.speed)
    chance = charge_chance(needs, field.edition.year, "hindering" in effects) if needs else 0.0
    return replace(
        charge,
        distance_in=way.distance_in,
        needs=needs,
        chance=chance,
        heading=way.start.heading,
        effects=effects,
        may_need=open_rolls(way.distance_in, charge.sigma_in, way.speed),
    )


def harm(way: ChargeRoute) -> frozenset[str]:
    """The keywords on a way that harm the charge, or may."""
    edition = way.field.edition
    found = (
        edition.charge_effects(one.keywords, not one.entered) for one in way.crossed(way.longest_in)
    )
    return frozenset[str]().union(*found) & HARMS_CHARGE


def felt(charge: Charge) -> frozenset[str]:
    """The keywords that harm a charge whichever way it is led: of the ground on which it ends."""
    return HARMS_CHARGE.intersection(charge.effects)


def undominated(found: Iterable[tuple[frozenset[str], Charge]]) -> Iterator[Charge]:
    """The ways than which no other is better in roll or ground and as good in both."""
    ordered = sorted(
        (one for one in found if one[1].needs is not None),
        key=lambda one: (one[1].needs, len(one[0]), one[1].distance_in or 0.0),
    )
    kept: list[frozenset[str]] = []
    for words, charge in ordered:  # those before it need no higher roll
        if not any(one <= words for one in kept):
            kept.append(words)
            yield charge
