"""Terrain under a move: which pieces it enters, crosses or leaves, and their effects."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from shapely.geometry import Polygon

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.margins import allow, clearance, ground
from companion.games.tmg.rules.movement.move_end import SweptPath
from companion.games.tmg.rules.rulebook import BREAKS, WOUNDS
from companion.geometry.plane.answer import Answer, no
from companion.geometry.plane.trays import corners_at
from models import Pose


@dataclass(frozen=True, slots=True)
class TerrainCrossing:
    """One piece a move overlaps: how certainly, and whether it started or ended on it (OR-24)."""

    piece: str
    keywords: frozenset[str]
    answer: Answer
    started: bool = False
    ended: bool = False

    @property
    def entered(self) -> bool:
        """Whether the move goes onto the piece, not merely off it."""
        return not self.started or self.ended

    def to_json(self) -> dict[str, Any]:
        return {
            **self.answer.to_json(),
            "piece": self.piece,
            "keywords": sorted(self.keywords),
            "started": self.started,
            "ended": self.ended,
        }


def crossings(
    field: Battlefield, place: int, *ways: SweptPath, sigma_in: float = 0.0
) -> tuple[TerrainCrossing, ...]:
    """The pieces under these straight parts of a unit's move, including its start.

    A pivot is a part of length 0: terrain around a turning tray is not crossed. `sigma_in` is the
    uncertainty of the end of an observed move.
    """
    half = field.trays.half[place]
    sigma = math.hypot(float(field.trays.spread[place]), sigma_in)
    start = footprint(SweptPath(field.units[place].pose), half)
    shapes = [start, *(footprint(way, half) for way in ways)]
    end = footprint(SweptPath(end_of(ways[-1])), half) if ways else start
    found = []
    for piece in field.table.terrain:
        outline = ground(piece)
        deep = -min(clearance(shape, outline) for shape in shapes)
        answer = allow(deep, "OR-24", sigma_in=sigma, beyond=True)
        if answer.verdict != "no":
            started, ended = (-clearance(shape, outline) > 0 for shape in (start, end))
            found.append(TerrainCrossing(piece.id, piece.keywords, answer, started, ended))
    return tuple(found)


def footprint(way: SweptPath, half: Any) -> Polygon:
    """The area a tray covers along its path."""
    return Polygon(corners_at(*way.box(half))[0])


def end_of(way: SweptPath) -> Pose:
    return way.start.shifted(way.axis[0] * way.travel_in, way.axis[1] * way.travel_in)


def met(crossed: Iterable[TerrainCrossing], keyword: str, rule: str) -> Answer:
    """Whether a move enters, crosses or leaves a piece with that keyword."""
    answers = [one.answer for one in crossed if keyword in one.keywords]
    best = max(answers, key=lambda one: one.chance, default=no(rule))
    return best if best or not answers else Answer("unsure", (rule,), best.margin_in, best.chance)


# -- dangerous ground -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TerrainDanger:
    """D3+1 wounds from one piece, with the rule and how certain it is."""

    piece: str
    rule: str
    answer: Answer

    def to_json(self) -> dict[str, Any]:
        return {**self.answer.to_json(), "piece": self.piece, "rule": self.rule}


def new_dangers(
    crossed: Iterable[TerrainCrossing], charge: bool, action: bool
) -> tuple[TerrainDanger, ...]:
    """Edition 2021: acting on a piece, and moving onto one; a charge is wounded only once."""
    pieces = list(crossed)
    found = [
        TerrainDanger(one.piece, "TMG-TER-9", one.answer)
        for one in pieces
        if action and one.started
    ]
    found += [
        TerrainDanger(one.piece, "TMG-TER-10", one.answer) for one in pieces if not one.started
    ]
    if charge and found:  # TMG-TER-11
        return (max(found, key=lambda one: one.answer.chance),)
    return tuple(found)


def old_dangers(
    crossed: Iterable[TerrainCrossing], charge: bool, action: bool
) -> tuple[TerrainDanger, ...]:
    """Edition 2018: moving through a piece or ending on it."""
    return tuple(
        TerrainDanger(one.piece, "TMG-TER-10", one.answer) for one in crossed if one.entered
    )


DANGERS: dict[str, Callable[[Iterable[TerrainCrossing], bool, bool], tuple[TerrainDanger, ...]]] = {
    "2021": new_dangers,
    "2018": old_dangers,
}


def dangers(
    field: Battlefield,
    crossed: Iterable[TerrainCrossing],
    *,
    charge: bool = False,
    action: bool = True,
) -> tuple[TerrainDanger, ...]:
    """The wounds of a move over Dangerous ground; a free pivot or shift is not an `action`."""
    sharp = [one for one in crossed if one.keywords & WOUNDS]
    return DANGERS[field.edition.year](sharp, charge, action)


# -- breaking things --------------------------------------------------------------------------


def crushed(field: Battlefield, crossed: Iterable[TerrainCrossing]) -> dict[str, Answer]:
    """The pieces a move destroys by going through or ending on them (TMG-TER-19, 2018)."""
    if not field.edition.crushes:
        return {}
    return {one.piece: one.answer for one in crossed if one.keywords & BREAKS and one.entered}
