"""Effects on a unit where it stands: who and what is in range, and the terrain around it.

Unlike a ranged attack, an effect is measured from tray to tray, or from tray to terrain (OR-17).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field as member
from typing import Any

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.rulebook import BREAKS, MORALE, RANGES_IN, WOUNDS, keywords
from companion.geometry.plane.answer import LIMIT_IN, SURE_SIGMAS, YES, Answer, both, judge, no
from models import Terrain


def in_range(field: Battlefield, source: str, reach: str) -> dict[str, Answer]:
    """For every unit whether part of its tray is within `reach` (short or long) of the source's.

    A unit is always in range of its own effects (TMG-GLO-15).
    """
    place = field.index[source]
    gap, sigma = field.pairs.gap[place], field.gap_sigma[place]
    return {
        unit.id: YES
        if other == place
        else judge(RANGES_IN[reach] - float(gap[other]), "TMG-GLO-13", sigma_in=float(sigma[other]))
        for other, unit in enumerate(field.units)
    }


def friends_in_range(field: Battlefield, source: str, reach: str) -> dict[str, Answer]:
    """The friendly units in range of that unit's effects, itself included (TMG-GLO-6)."""
    enemy = field.enemies[field.index[source]]
    return {
        name: answer
        for name, answer in in_range(field, source, reach).items()
        if not enemy[field.index[name]] and answer.verdict != "no"
    }


def piece_gap(field: Battlefield, place: int, piece: int) -> float:
    """The distance between a unit's tray and a terrain piece; 0 where they overlap."""
    tray = field.obstacles.boxes[place]
    return min(part.gap_to(tray) for part in field.parts if part.piece == piece)


def near_piece(field: Battlefield, place: int, piece: int, within_in: float, *why: str) -> Answer:
    """Whether any part of a unit's tray is within this distance of a piece (OR-13: inclusive)."""
    sigma = float(field.trays.spread[place])
    return judge(within_in - piece_gap(field, place, piece), *why, sigma_in=sigma)


BREAK_IN = 1.0
"""TMG-TER-19 (2021): a piece within this distance may be attacked."""


@dataclass(frozen=True, slots=True)
class GroundEffect:
    """One keyword that affects a unit's morale, and the piece that decides it."""

    keyword: str
    rule: str
    value: int
    piece: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class MoraleGround:
    """The terrain's modifier to a unit's morale tests; `choices` where it is unsure."""

    modifier: int = 0
    felt: tuple[GroundEffect, ...] = ()
    choices: tuple[int, ...] = ()

    @property
    def near(self) -> tuple[str, ...]:
        """The keywords that certainly count, as `odds_for` takes them."""
        return tuple(one.keyword for one in self.felt if one.answer)

    @property
    def doubtful(self) -> tuple[GroundEffect, ...]:
        """The effects that are unsure: the players decide whether they count."""
        return tuple(one for one in self.felt if one.answer.verdict == "unsure")

    def to_json(self) -> dict[str, Any]:
        """The modifier as a JSON object."""
        return {
            "modifier": self.modifier,
            "choices": list(self.choices),
            "felt": [
                {
                    **one.answer.to_json(),
                    "keyword": one.keyword,
                    "rule": one.rule,
                    "value": one.value,
                    "piece": one.piece,
                }
                for one in self.felt
            ],
        }


def morale_ground(field: Battlefield, place: int) -> MoraleGround:
    """The morale modifier of the terrain around a unit, with its reasons.

    Pieces of one kind do not add up: each keyword counts once (TMG-TER-12, -13, TMG-ABL-5).
    """
    felt = []
    about = pieces_about(field, place, RANGES_IN["short"])
    for one in MORALE:
        found = [
            GroundEffect(one.name, one.rule, one.morale, piece.id, answer)
            for number, piece in about
            if one.name in piece.keywords
            if (answer := near_piece(field, place, number, RANGES_IN["short"], one.rule)).verdict
            != "no"
        ]
        if found:
            felt.append(max(found, key=lambda one: (one.answer.chance, one.answer.margin_in or 0)))
    sure = sum(one.value for one in felt if one.answer)
    doubted = [one.value for one in felt if one.answer.verdict == "unsure"]
    return MoraleGround(sure, tuple(felt), sums(sure, doubted) if doubted else ())


def sums(base: int, perhaps: Iterable[int]) -> tuple[int, ...]:
    """All possible sums when each of these values may be added or not."""
    totals = {base}
    for value in perhaps:
        totals |= {total + value for total in totals}
    return tuple(sorted(totals))


def pieces_about(field: Battlefield, place: int, within_in: float) -> list[tuple[int, Terrain]]:
    """Broad phase: the pieces that can be this near to a unit, in the table's order."""
    spare = within_in + SURE_SIGMAS * float(field.trays.spread[place]) + LIMIT_IN
    near = {part.piece for part in field.parts_about(place, spare)}
    return [(number, field.table.terrain[number]) for number in sorted(near)]


# -- breaking ---------------------------------------------------------------------------------


def breakable(field: Battlefield, place: int) -> dict[str, Answer]:
    """Which Destructible pieces a unit may remove with a melee attack (TMG-TER-19, OR-27).

    Only pieces that can be near enough are listed. In the edition in which pieces are crushed by
    moving, there is nothing to attack: see `terrain_crossing.crushed`.
    """
    if field.edition.crushes:
        return {}
    armed = YES if field.units[place].melee else no("TMG-MEL-2")
    return {
        piece.id: both(armed, near_piece(field, place, number, BREAK_IN, "TMG-TER-19"))
        for number, piece in pieces_about(field, place, BREAK_IN)
        if piece.keywords & BREAKS
    }


# -- one unit ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class UnitGround:
    """The effects of terrain on a unit that does not move.

    `on` are the Dangerous pieces under its tray (TMG-TER-9), `breaks` the pieces it may destroy.
    """

    on: dict[str, Answer] = member(default_factory=dict)
    morale: MoraleGround = MoraleGround()
    breaks: dict[str, Answer] = member(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The effects as a JSON object, without empty parts."""
        text: dict[str, Any] = {}
        if self.on:
            text["on"] = {piece: answer.to_json() for piece, answer in self.on.items()}
        if self.morale.felt:
            text["morale"] = self.morale.to_json()
        if self.breaks:
            text["breaks"] = {piece: answer.to_json() for piece, answer in self.breaks.items()}
        return text


OPEN_GROUND = UnitGround()
"""No terrain affects the unit."""
FELT_STANDING = keywords(lambda one: one.morale or one.wounds or one.breaks)


def unit_ground(field: Battlefield, place: int) -> UnitGround:
    """The effects of terrain on a unit where it stands."""
    if not any(field.having(*FELT_STANDING)):
        return OPEN_GROUND
    on = dangers_underfoot(field, place) if any(field.having(*WOUNDS)) else {}
    near = {piece: one for piece, one in breakable(field, place).items() if one.verdict != "no"}
    return UnitGround(on, morale_ground(field, place), near)


def dangers_underfoot(field: Battlefield, place: int) -> dict[str, Answer]:
    """The Dangerous pieces a unit stands on, or may stand on (OR-24)."""
    spare = SURE_SIGMAS * float(field.trays.spread[place]) + LIMIT_IN
    if not any(
        piece.keywords & WOUNDS and piece_gap(field, place, number) <= spare
        for number, piece in pieces_about(field, place, 0.0)
    ):
        return {}
    from companion.games.tmg.rules.terrain_crossing import (
        crossings,  # few units stand on such a piece
    )

    return {one.piece: one.answer for one in crossings(field, place) if one.keywords & WOUNDS}
