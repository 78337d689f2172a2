"""Terrain under a move: which pieces it goes onto, over or off, and what they do to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from shapely.geometry import Polygon

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.margins import allow, clearance, ground
from companion.games.tmg.rules.movement.move_end import SweptPath
from companion.geometry.plane.answer import Answer, no
from companion.geometry.plane.trays import corners_at
from models import Pose


@dataclass(frozen=True, slots=True)
class TerrainCrossing:
    """One piece a move touches: whether surely, and whether it was begun or ended on it (OR-24)."""

    piece: str
    keywords: frozenset[str]
    answer: Answer
    started: bool = False
    ended: bool = False

    @property
    def entered(self) -> bool:
        """Whether the move goes onto the piece, not merely off it."""
        return not self.started or self.ended

    def plain(self) -> dict[str, Any]:
        """The crossing as a command would print it."""
        return {
            **self.answer.plain(),
            "piece": self.piece,
            "keywords": sorted(self.keywords),
            "started": self.started,
            "ended": self.ended,
        }


def crossings(
    field: Battlefield, place: int, *ways: SweptPath, sigma_in: float = 0.0
) -> tuple[TerrainCrossing, ...]:
    """The pieces under these straight parts of a unit's move; its start counts by itself.

    A pivot is a way of no length: while a tray turns, what lies about it is not trodden on.
    `sigma_in` is the uncertainty of where a move that was seen ended.
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
    """The ground a tray covers on its way."""
    return Polygon(corners_at(*way.box(half))[0])


def end_of(way: SweptPath) -> Pose:
    """Where a way ends."""
    return way.start.shifted(way.axis[0] * way.travel_in, way.axis[1] * way.travel_in)


def met(crossed: Iterable[TerrainCrossing], keyword: str, rule: str) -> Answer:
    """Whether a move meets a piece of that keyword at all: onto, over or off it."""
    answers = [one.answer for one in crossed if keyword in one.keywords]
    best = max(answers, key=lambda one: one.chance, default=no(rule))
    return best if best or not answers else Answer("unsure", (rule,), best.margin_in, best.chance)


# -- dangerous ground -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TerrainDanger:
    """D3+1 wounds from one piece, by which rule, and how surely."""

    piece: str
    rule: str
    answer: Answer

    def plain(self) -> dict[str, Any]:
        """The danger as a command would print it."""
        return {**self.answer.plain(), "piece": self.piece, "rule": self.rule}


def new_dangers(
    crossed: Iterable[TerrainCrossing], charge: bool, action: bool
) -> tuple[TerrainDanger, ...]:
    """Edition 2021: acting on a piece, and moving onto one; a charge hurts only once."""
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
    """What a move over Dangerous ground costs; a free pivot or shift is no `action`."""
    sharp = [one for one in crossed if "dangerous" in one.keywords]
    return DANGERS[field.edition.year](sharp, charge, action)


# -- breaking things --------------------------------------------------------------------------


def crushed(field: Battlefield, crossed: Iterable[TerrainCrossing]) -> dict[str, Answer]:
    """The pieces a move destroys by going through or ending on them (TMG-TER-19, 2018)."""
    if not field.edition.crushes:
        return {}
    return {
        one.piece: one.answer for one in crossed if "destructible" in one.keywords and one.entered
    }
