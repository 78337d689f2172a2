"""Holds a report against the slow reference; only what is not near a limit may be held against it.

`python -m tests.reference.compare 500 [SEED]` tries so many random tables.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from companion.games import find
from models import Pose, Table, Unit
from tests.arguments import arguments
from tests.reference.brute import UnitTruth, brute
from tests.reference.charge import EFFECTS, ChargeTruth, reached_at
from tests.reference.ground import EPS_IN, Sure, overlap, piece_shape, tray_shape
from tests.reference.room import contact, edge
from tests.reference.shot import RANGES_IN, SHIFT_IN, ShotTruth, may_shoot, moved
from tests.reference.tables import random_table
from tests.reference.zone import same_share, zone

Plain = dict[str, Any]
WORDS = {True: "yes", False: "no"}
FAR_EVERY = 4
"""Of so many tables one is asked how far the charges are that may not be made: that is slow."""


def disagreements(
    table: Table, report: Plain, truth: dict[str, UnitTruth], far: bool = True
) -> list[str]:
    """Every line on which the report (as `companion rules` prints it) and the reference differ.

    How `far` charges are that may not be made is held against it where both were asked.
    """
    lines: list[str] = []
    for unit in table.units:
        mine = report["units"].get(unit.id)
        if mine is None:
            lines.append(f"{unit.id}: not in the report")
            continue
        found = unit_lines(table, unit, mine, truth[unit.id], far)
        lines += [f"{unit.id} {line}" for line in found]
    return lines


def unit_lines(table: Table, unit: Unit, mine: Plain, truth: UnitTruth, far: bool) -> Iterator[str]:
    """The differences about one unit."""
    for enemy, on in truth.engaged.items():
        if differs(WORDS[enemy in mine["engaged"]], on):
            yield f"engaged with {enemy}: report {enemy in mine['engaged']}, reference {on}"
    yield from numbers("gap", mine["gap"], truth.gap)
    yield from numbers("range", mine["range"], {e: p.range for e, p in truth.pairs.items()})
    for kind, sure in truth.moves.items():
        yield from verdict(f"moves.{kind}", mine["moves"].get(kind), sure)
    for name, pair in truth.pairs.items():
        target = table.unit(name)
        yield from verdict(f"sees {name}", mine["sees"].get(name), pair.sees)
        place = mine["zone"].get(name, {})
        if pair.zone.arc is not None and place.get("answer") != pair.zone.arc:
            yield f"zone {name}: report {place.get('answer')}, reference {pair.zone.arc}"
        for arc, share in pair.zone.shares.items():
            if not same_share(share, place.get("shares", {}).get(arc, 0.0)):
                yield f"zone {name}: share {arc} {place.get('shares')}, reference {share:.4f}"
        yield from charge_lines(table, unit, target, mine["charges"].get(name), pair.charge, far)
        yield from shot_lines(table, unit, target, mine["shots"].get(name), pair.shot)


def differs(word: str | None, sure: Sure) -> bool:
    """Whether a verdict contradicts what is surely known; 'unsure' is no verdict on exact poses."""
    return sure is not None and (word or "no") != WORDS[sure]


def verdict(what: str, mine: Plain | None, sure: Sure) -> Iterator[str]:
    """The difference between an answer and the truth, if there is one."""
    word = (mine or {}).get("answer")
    if differs(word, sure):
        assert sure is not None
        yield f"{what}: report {word} {(mine or {}).get('why')}, reference {WORDS[sure]}"


def numbers(what: str, mine: dict[str, float], truth: dict[str, float]) -> Iterator[str]:
    """Distances that differ, or are missing."""
    for name, value in truth.items():
        if name not in mine or abs(mine[name] - value) > EPS_IN / 10:
            yield f"{what} {name}: report {mine.get(name)}, reference {value:.4f}"


# -- charges ----------------------------------------------------------------------------------


def charge_lines(
    table: Table, unit: Unit, target: Unit, mine: Plain | None, truth: ChargeTruth, far: bool
) -> Iterator[str]:
    """The differences about one charge."""
    what = f"charges {target.id}"
    facts = (
        f"engaged {truth.engaged}, sees {truth.sees}, room {truth.room}, "
        f"{truth.low:.3f} to {truth.high:.3f} of {truth.reach:g}"
    )
    yield from (f"{line} ({facts})" for line in verdict(what, mine, truth.answer))
    if mine is None:
        return
    # A reason given must hold: the opposite of each must not be sure.
    held = {
        "TMG-CHG-1": truth.engaged is not False,
        "TMG-CHG-2": truth.sees is not True,
        "TMG-CHG-3": truth.room is not True,
        "TMG-CHG-4": truth.reached is not True,
        "TMG-CHG-9": truth.reached is not True,
        "TMG-CHG-10": truth.reached is not True,
    }
    for rule in mine["why"]:
        if not held.get(rule, True):
            yield f"{what}: report gives {rule}, which does not hold ({facts})"
    if truth.zone.arc is not None and mine["zone"] != truth.zone.arc:
        yield f"{what}: zone {mine['zone']}, reference {truth.zone.arc}"
    distance, heading = mine["distance"], mine["heading"]
    if not far and (mine["answer"] != "yes" or truth.answer is not True):
        return
    if distance is None or heading is None:
        if truth.high < math.inf:
            yield f"{what}: no distance or heading, reference {truth.low:.4f} to {truth.high:.4f}"
        return
    if not truth.low - EPS_IN <= distance <= truth.high + EPS_IN:
        yield f"{what}: distance {distance}, reference {truth.low:.4f} to {truth.high:.4f}"
        return
    low, high = reached_at(table, unit, target, heading)
    if not low - EPS_IN <= distance or (high < math.inf and distance > high + EPS_IN):
        yield f"{what}: heading {heading} goes {low:.4f} to {high:.4f}, report {distance}"
    if mine["answer"] != "yes" or truth.answer is not True:
        return
    needs = truth.needs(unit.speed)
    if needs is not None:
        if mine["needs"] != needs:
            yield f"{what}: needs {mine['needs']}, reference {needs} ({facts})"
        elif ("hindering" in truth.effects_surely) == ("hindering" in truth.effects_perhaps):
            lower = table.game.endswith("2018") and "hindering" in truth.effects_surely
            chance = ((7 - needs) / 6) ** (2 if lower else 1)  # TMG-TER-14
            if abs(mine["chance"] - chance) > 1e-3:
                yield f"{what}: chance {mine['chance']}, reference {chance:.4f}"
    effects = {word for word in mine["effects"] if word in EFFECTS}
    spots = [unit.at(Pose(one["x"], one["y"], one["heading"])) for one in mine["align"]]
    surely, perhaps = (ending_on(table, spots, sure) for sure in (True, False))
    surely, perhaps = surely | truth.effects_surely, perhaps | truth.effects_perhaps
    if not surely <= effects <= perhaps:
        yield f"{what}: effects {sorted(effects)}, reference {sorted(surely)} to {sorted(perhaps)}"
    if not mine["align"]:
        yield f"{what}: nowhere to align"
    for spot in mine["align"]:
        yield from (f"{what}: {line}" for line in spot_lines(table, unit, target, mine, spot))


def ending_on(table: Table, spots: list[Unit], sure: bool) -> set[str]:
    """What a charge feels because all places it may end at lie on such ground (TMG-CHG-5)."""
    felt = {"dangerous"} if table.game.endswith("2018") else {"dangerous", "fortified", "hindering"}
    under = [
        {
            word
            for piece in table.terrain
            if (on := overlap(spot, piece)) is True or (on is None and not sure)
            for word in piece.keywords
        }
        for spot in spots
    ]
    return felt.intersection(*under) if under else set()


def spot_lines(table: Table, unit: Unit, target: Unit, mine: Plain, spot: Plain) -> Iterator[str]:
    """What is wrong with one place to align at (TMG-CHG-17)."""
    if "defender" in spot:  # 2018 moves it along its edge (TMG-CHG-18)
        moved_to = spot["defender"]
        target = target.at(Pose(moved_to["x"], moved_to["y"], target.pose.heading))
        others = (other for other in table.units if other.id not in (unit.id, target.id))
        for other in others:
            if tray_shape(target, -EPS_IN).intersects(tray_shape(other, -EPS_IN)):
                yield f"align {spot}: the defender overlaps {other.id}"
    side = edge(target, mine["zone"])
    there = unit.at(Pose(spot["x"], spot["y"], spot["heading"]))
    facing = math.radians(spot["heading"])
    if math.cos(facing) * -side.out[0] + math.sin(facing) * -side.out[1] < math.cos(0.002):
        yield f"align {spot} does not face the {mine['zone']} edge"
        return
    centre = np.array([spot["x"], spot["y"]]) - side.middle
    if abs(centre @ side.out - unit.tray.depth / 2) > EPS_IN:
        yield f"align {spot} is not flush"
    share = float(contact(side, unit.tray.width, np.array([centre @ side.along]))[0])
    if abs(share - spot["contact"]) > EPS_IN:
        yield f"align {spot} has contact {share:.4f}"
    if table.game.endswith("2021") and share < 0.5 - EPS_IN:
        yield f"align {spot} has contact {share:.4f} < 0.5"
    shape = tray_shape(there)
    if not shapely.box(0, 0, table.width, table.depth).buffer(EPS_IN).contains(shape):
        yield f"align {spot} leaves the table"
    for other in table.units:
        if other.id not in (unit.id, target.id) and shape.intersects(tray_shape(other, -EPS_IN)):
            yield f"align {spot} overlaps {other.id}"
    for piece in table.terrain:
        if "impassable" in piece.keywords and shape.intersects(piece_shape(piece, -EPS_IN)):
            yield f"align {spot} overlaps {piece.id}"


# -- shots ------------------------------------------------------------------------------------


def shot_lines(
    table: Table, unit: Unit, target: Unit, mine: Plain | None, truth: ShotTruth
) -> Iterator[str]:
    """The differences about one shot."""
    what = f"shots {target.id}"
    facts = f"engaged {truth.engaged}, armed {truth.armed}, shift {truth.low:.3f}-{truth.high:.3f}"
    yield from (f"{line} ({facts})" for line in verdict(what, mine, truth.answer))
    if mine is None:
        return
    held = {
        "TMG-RNG-2": truth.engaged is not False,
        "TMG-RNG-3": not truth.armed,
        "TMG-RNG-4": truth.possible is not True,
        "TMG-RNG-7": truth.possible is not True,
    }
    for rule in mine["why"]:
        if not held.get(rule, True):
            yield f"{what}: report gives {rule}, which does not hold ({facts})"
    if mine["answer"] != "yes" or truth.answer is not True:
        return
    kinds = {attack.name: attack.kind for attack in unit.ranged}
    if mine["attack"] not in kinds:
        yield f"{what}: attack {mine['attack']!r}, known {sorted(kinds)}"
        return
    forward, left = mine["shift"]
    length = math.hypot(forward, left)
    longest = max(RANGES_IN[kind] for kind in kinds.values())
    if min(abs(forward), abs(left)) > 1e-4:
        yield f"{what}: shift {mine['shift']} is diagonal"
    # A shorter bow may be worth a longer shift than the least one.
    most = truth.high if RANGES_IN[kinds[mine["attack"]]] == longest else SHIFT_IN
    if not truth.low - EPS_IN <= length <= most + EPS_IN:
        yield f"{what}: shift {length:.4f}, reference {truth.low:.4f} to {truth.high:.4f}"
    there = unit
    if length:
        there = moved(unit, (forward / length, left / length), length)
    if may_shoot(table, there, target, RANGES_IN[kinds[mine["attack"]]]) is False:
        yield f"{what}: after shift {mine['shift']} {mine['attack']} has no target"
    arc = zone(there, target).arc
    if arc is not None and mine["zone"] != arc:
        yield f"{what}: zone {mine['zone']} after shift {mine['shift']}, reference {arc}"
    panics = set(mine["panics"])
    if not truth.panics_surely <= panics <= truth.panics_perhaps:
        yield f"{what}: panics {sorted(panics)}, reference {sorted(truth.panics_surely)}"


# -- many tables ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trial:
    """One random table tried on both."""

    seed: int
    lines: tuple[str, ...]
    pairs: int
    report_s: float
    brute_s: float


def trial(seed: int, flavour: str = "", units_per_side: int = 0) -> Trial:
    """Report and reference on one random table."""
    table, far = random_table(seed, flavour, units_per_side), seed % FAR_EVERY == 0
    game = find(table.game)
    started = time.perf_counter()
    try:
        report = game.report(table).to_json(str(seed), whole=far)
    except Exception as error:  # the hunt goes on: a crash is one more disagreement
        return Trial(seed, (f"no report: {error!r}",), 0, 0.0, 0.0)
    between = time.perf_counter()
    truth = brute(table, far)
    ended = time.perf_counter()
    lines = disagreements(table, report, truth, far)
    pairs = sum(len(unit.pairs) for unit in truth.values())
    return Trial(seed, tuple(lines), pairs, between - started, ended - between)


def main(given: list[str] | None = None) -> int:
    """Try random tables and print every disagreement."""
    count, first = arguments(given, count=50, first=0)
    bad = pairs = 0
    report_s = brute_s = 0.0
    with ProcessPoolExecutor() as pool:
        for one in pool.map(trial, range(first, first + count)):
            for line in one.lines:
                print(f"seed {one.seed}: {line}")
            bad += bool(one.lines)
            pairs += one.pairs
            report_s += one.report_s
            brute_s += one.brute_s
    print(
        f"{count} tables, {pairs} pairs: {bad} tables with disagreements; reference "
        f"{brute_s:.1f} s, report {report_s:.2f} s: {brute_s / max(report_s, 1e-9):.0f} x"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
