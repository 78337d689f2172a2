"""Everything the rules say about every figure of a table, as `companion rules` prints it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from companion.games.tactics.rules.attack_options import attack_answer
from companion.games.tactics.rules.battlefield import square_field
from companion.games.tactics.rules.board_figure import BoardFigure
from companion.games.tactics.rules.charge import ChargeAnswer, charge_answer, gap
from companion.games.tactics.rules.contact import engaged_with
from companion.games.tactics.rules.movement import MoveTarget, move_ends
from companion.games.tactics.rules.objectives import (
    SHORT_RANGE,
    board_problems,
    controlled,
    takeable,
)
from companion.games.tactics.rules.placements import LikelyPosition, cell_chances, placements
from companion.games.tactics.rules.position import BattlePosition
from companion.games.tactics.rules.readings import TacticsReadings
from companion.games.tactics.rules.sight import SightResult
from companion.games.tactics.rules.visibility import sees
from models.board_table import BoardTable
from models.cell import Cell, cell_text

ANSWERS = ("sees", "attacks", "charges")
written = lru_cache(maxsize=1024)(cell_text)
"""A space as its text: the same few are written thousands of times."""


@dataclass(frozen=True, slots=True)
class FigureAnswers:
    """The answers for one figure in one placement."""

    engaged: tuple[str, ...]
    distance: Mapping[str, int]
    sees: Mapping[str, SightResult]
    reach: Mapping[Cell, MoveTarget]
    attacks: Mapping[str, tuple[str, tuple[str, ...]]]
    charges: Mapping[str, ChargeAnswer]
    controls: tuple[Cell, ...]
    loot: tuple[Cell, ...]
    high: bool

    def plain(self) -> dict[str, Any]:
        """The answers as JSON values."""
        return {
            "engaged": list(self.engaged),
            "distance": dict(self.distance),
            "near": [one for one, far in self.distance.items() if far <= SHORT_RANGE],
            "sees": {one: found.plain for one, found in self.sees.items()},
            "reach": {
                written(cell): {"cost": end.cost, "engages": list(end.engages)}
                for cell, end in sorted(self.reach.items())
            },
            "attacks": {
                one: {"answer": "yes", "why": [], "attack": name}
                if name
                else {"answer": "no", "why": list(why)}
                for one, (name, why) in self.attacks.items()
            },
            "charges": {one: plain_charge(found) for one, found in self.charges.items()},
            "controls": [cell_text(cell) for cell in self.controls],
            "loot": [cell_text(cell) for cell in self.loot],
            "high": self.high,
        }


def plain_charge(found: ChargeAnswer) -> dict[str, Any]:
    """A charge as JSON values: `declare` says whether it may be declared without arriving."""
    text: dict[str, Any] = {"answer": "yes" if found.reaches else "no", "why": list(found.why)}
    text["declare"] = found.declare
    if found.ends:
        text["ends"] = {written(cell): end.cost for cell, end in sorted(found.ends.items())}
    return text


def figure_answers(position: BattlePosition, figure: BoardFigure) -> FigureAnswers:
    """Every answer for one figure."""
    enemies = list(position.enemies(figure))
    reach = move_ends(position, figure)
    attacks = {}
    for enemy in enemies:
        found = attack_answer(position, figure, enemy)
        attacks[enemy.id] = (found.attack.name if found.attack else "", found.why)
    return FigureAnswers(
        tuple(sorted(one.id for one in engaged_with(position, figure))),
        {one.id: gap(figure, one) for one in position.figures if one.id != figure.id},
        {one.id: sees(position, figure, one) for one in enemies},
        reach,
        attacks,
        {one.id: charge_answer(position, figure, one, reach) for one in enemies},
        controlled(position, figure),
        takeable(position, figure),
        any(cell in position.field.high for cell in figure.cells),
    )


@dataclass(frozen=True)
class TacticsReport:
    """The answers for every figure of a table; `best` is the most probable placement."""

    table: BoardTable
    readings: TacticsReadings
    placed: tuple[LikelyPosition, ...]
    answers: tuple[Mapping[str, FigureAnswers], ...]
    """By placement, then by figure."""

    @classmethod
    def of(cls, table: BoardTable, readings: TacticsReadings) -> TacticsReport:
        """The report on a table."""
        field = square_field(table.board, readings)
        placed = tuple(placements(table, field))
        answers = tuple(
            {one.id: figure_answers(way.position, one) for one in way.position.figures}
            for way in placed
        )
        return cls(table, readings, placed, answers)

    @property
    def best(self) -> BattlePosition:
        return self.placed[0].position

    @property
    def units(self) -> Mapping[str, Any]:
        """The answers by figure, merged over all placements."""
        return {one: self.merged(one) for one in self.answers[0]}

    pieces = units

    def merged(self, figure: str) -> dict[str, Any]:
        """One figure's answers; what the placements disagree on is `unsure`."""
        plain = [one[figure].plain() for one in self.answers]
        if len(plain) == 1:
            return plain[0]
        chances = [one.chance for one in self.placed]
        found = dict(plain[0])
        for key in ANSWERS:
            found[key] = {
                other: merged_answer([one[key][other] for one in plain], chances)
                for other in plain[0][key]
            }
        found["reach"] = merged_reach([one["reach"] for one in plain])
        for key in ("engaged", "near", "controls", "loot"):
            always = [one for one in plain[0][key] if all(one in other[key] for other in plain)]
            perhaps = sorted({one for other in plain for one in other[key]} - set(always))
            found[key] = always
            if perhaps:
                found[f"{key}_unsure"] = perhaps
        spread = {
            other: sorted({one["distance"][other] for one in plain}) for other in found["distance"]
        }
        if unsure := {other: values for other, values in spread.items() if len(values) > 1}:
            found["distance_unsure"] = unsure
        own = cell_chances(self.placed, figure)
        if len(own) > 1:
            found["cells"] = {cell_text(cell): round(chance, 4) for cell, chance in own.items()}
        return found

    def plain(self, name: str, whole: bool = True) -> dict[str, Any]:
        """The report as `companion rules` prints it."""
        text: dict[str, Any] = {
            "table": name,
            "game": self.table.game,
            "pieces": dict(self.units),
        }
        problems = board_problems(self.best.field)
        if problems:
            text["problems"] = [{"why": rule, "cell": cell} for rule, cell in problems]
        return text


def merged_answer(answers: list[dict[str, Any]], chances: list[float]) -> dict[str, Any]:
    """One answer over several placements: `unsure` where they differ, with the chance of yes."""
    words = {one["answer"] for one in answers}
    if len(words) == 1:
        return answers[0]
    why = sorted({rule for one in answers for rule in one["why"]})
    yes = sum(
        chance for one, chance in zip(answers, chances, strict=True) if one["answer"] == "yes"
    )
    best = next(one for one in answers if one["answer"] == "yes")
    return {**best, "answer": "unsure", "why": why, "probability": round(yes, 4)}


def merged_reach(reaches: list[dict[str, Any]]) -> dict[str, Any]:
    """The spaces in reach; one that only some placements allow is `unsure`."""
    found: dict[str, Any] = {}
    for reach in reaches:
        for cell, end in reach.items():
            found.setdefault(cell, end)
    return {
        cell: end if all(one.get(cell) == end for one in reaches) else {**end, "answer": "unsure"}
        for cell, end in found.items()
    }
