"""Ranged attacks: range, line of sight, and the shift before (TMG-RNG-2..10, TMG-SIM-1, -2)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.combat.shot_shift import Shift, ShotPosition, shortest_shift
from companion.games.tmg.rules.distances import RANGES_IN, SHIFT_IN
from companion.games.tmg.rules.report import Shot, Zone
from companion.games.tmg.rules.sight_rules import UnitSight, zone_of, zones
from companion.games.tmg.rules.terrain_keywords import COVERS
from companion.geometry.plane.answer import (
    ROUNDING_IN,
    SURE_SIGMAS,
    YES,
    Answer,
    both,
    eased_chance,
    judge,
    no,
)
from companion.geometry.plane.sight.los_query import off_way
from companion.geometry.plane.sight.scalar_shapes import OrientedRect
from companion.geometry.plane.trays import Ints

COVER_NEAR_IN = 1.0
"""TMG-TER-7."""

NO_BOW = no("TMG-RNG-3")
TOO_FAR = no("TMG-RNG-10")


def aims(
    field: Battlefield,
    shooter: Ints,
    target: Ints,
    zones: list[Zone],
    rows: Ints,
    sights: list[Answer],
) -> list[Shot]:
    """The best shot of each shooter, before all other criteria; attacks in card order.

    `sights` are the shooters' lines of sight for the `rows` in reach.
    """
    result = [
        Shot(TOO_FAR, zone, bow.name) if (bow := field.bow[place]) else Shot(NO_BOW, zone)
        for place, zone in zip(shooter.tolist(), zones, strict=True)
    ]
    for row, seen in zip(rows.tolist(), sights, strict=True):
        place, goal = int(shooter[row]), int(target[row])
        shot = standing(field, place, goal, seen, zones[row])
        result[row] = shot if shot.answer else shifting(field, place, goal, shot.answer) or shot
    return result


def shifting(field: Battlefield, place: int, goal: int, stood: Answer) -> Shot | None:
    """The shot after the shortest shift that brings the target into range and sight, or None.

    An engaged unit does not shift; `stood` is the answer for a shot without one.
    """
    if field.foes[place]:
        return None
    levels = (0.0,) if field.exact else (-SURE_SIGMAS, 0.0, SURE_SIGMAS)
    found = (shortest_shift(field, place, goal, SHIFT_IN, sigmas) for sigmas in levels)
    number, shift = next(((n, shift) for n, shift in enumerate(found) if shift), (0, None))
    if shift is None:
        return None
    answer = shift_doubt(field, place, goal, stood) if number else YES
    bow, effects = field.bow[place], cover(field, place, goal, shift)
    zone = shifted_zone(field, place, goal, shift)
    return Shot(answer, zone, bow.name if bow else None, shift, effects=effects)


def shift_doubt(field: Battlefield, place: int, goal: int, stood: Answer) -> Answer:
    """The probability that some shift brings the target into range and sight, or none is needed."""

    def found(sigmas: float) -> bool:
        return shortest_shift(field, place, goal, SHIFT_IN, sigmas) is not None

    chance = max(eased_chance(found), stood.chance)
    return Answer("unsure", ("TMG-RNG-6",), None, chance)


def shifted_zone(field: Battlefield, place: int, goal: int, shift: Shift) -> Zone:
    """The arc a shooter stands in after its shift."""
    trays, boxes = field.trays, field.obstacles.boxes
    target = boxes[goal]
    corners = [target.inside(spot) for spot in boxes[place].slid(*shift).corners()]
    arc, turn = float(trays.tan_arc[goal]), float(trays.turn[goal])
    spread = float(field.gap_sigma[place, goal])
    return zone_of(corners, target.deep, target.wide, arc, turn, spread)


def standing(field: Battlefield, place: int, goal: int, seen: Answer, zone: Zone) -> Shot:
    """The shot from where the unit stands: its first legal attack, else the most likely one."""
    sigma = float(field.gap_sigma[place, goal])
    distance = float(field.pairs.range[place, goal])
    best: Shot | None = None
    for attack in field.units[place].ranged:
        spare = RANGES_IN[attack.kind] - distance
        answer = both(judge(spare, "TMG-RNG-10", sigma_in=sigma), seen)
        if answer:
            return Shot(answer, zone, attack.name, effects=cover(field, place, goal))
        if best is None or answer.chance > best.answer.chance:
            best = Shot(answer, zone, attack.name)
    assert best is not None  # only units with a ranged attack get here
    return best


def stands_to_shoot(field: Battlefield, place: int) -> list[Answer]:
    """For each enemy whether a unit that can shoot may shoot it from where it stands."""
    goals = np.flatnonzero(field.enemies[place])
    stands = zones(field, np.full(len(goals), place), goals)
    return [
        standing(field, place, goal, UnitSight(field, place, goal, shot=True).answer(), zone).answer
        for goal, zone in zip(goals.tolist(), stands, strict=True)
    ]


def cover(field: Battlefield, place: int, goal: int, shift: Shift = (0.0, 0.0)) -> tuple[str, ...]:
    """`cover` where a piece between gives the target +1 to defense (TMG-TER-6, 2018).

    A piece is between if every line of sight passes through it; an attacker within 1 inch of it
    ignores it (TMG-TER-7).
    """
    if not field.cover_protects:
        return ()
    covering = field.having(*COVERS)
    ground = field.obstacles
    tray, target = ground.boxes[place].slid(*shift), ground.boxes[goal]
    wide = max(ground.radius[place], ground.radius[goal])
    low = {
        part.piece
        for part in field.parts
        if covering[part.piece] and off_way(tray, target, part) <= wide + part.radius
    }
    if not low:  # no Cover near the line
        return ()
    post = ShotPosition.of(field, place, goal, SHIFT_IN)
    exempt, freed = post.footing(tray)
    for piece in np.flatnonzero(covering & ~field.blocks_sight).tolist():
        exempt[piece] = piece not in low or near_piece(field, tray, piece)
    return () if post.watch.look(post.eye.slid(*shift), exempt, freed).seen else ("cover",)


def near_piece(field: Battlefield, tray: OrientedRect, piece: int) -> bool:
    """Whether a tray stands within 1 inch of a piece (TMG-TER-7)."""
    return any(
        part.piece == piece and part.gap_to(tray) <= COVER_NEAR_IN + ROUNDING_IN
        for part in field.parts
    )


def shot_of(field: Battlefield, place: int, goal: int, aimed: Shot, seen: Answer) -> Shot:
    """The verdict on one shot, with the friends who must test for panic (TMG-SIM-2).

    A piece that blocks a shot but not a charge is Cover (TMG-TER-6).
    """
    unengaged, answer = field.unengaged[place], aimed.answer
    if "TMG-TER-18" in answer.why and "TMG-TER-18" not in seen.why:
        why = ("TMG-TER-6" if rule == "TMG-TER-18" else rule for rule in answer.why)
        answer = replace(answer, why=tuple(why))
    if not unengaged:
        barred = Answer(unengaged.verdict, ("TMG-RNG-2",), unengaged.margin_in, unengaged.chance)
        answer = both(barred, answer)
    panics = tuple(
        field.units[other].id
        for other in field.foes[goal]
        if other != place and not field.enemies[place, other]
    )
    return Shot(answer, aimed.zone, aimed.attack, aimed.shift, panics, aimed.effects)
