"""Everything the rules say about every figure of a table, as `companion rules` prints it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from companion.games.shared.board_report import BoardReport
from companion.games.shared.table_fault import TableFault
from companion.games.tactics.rules.battlefield import square_field
from companion.games.tactics.rules.contact import (
    AttackAnswer,
    attack_answer,
    engaged_with,
    refused_attack,
    sees,
)
from companion.games.tactics.rules.movement import (
    ChargeAnswer,
    MoveTarget,
    charge_answer,
    charge_refusals,
    move_ends,
    no_charge,
)
from companion.games.tactics.rules.position import BattlePosition, BoardFigure, placements
from companion.games.tactics.rules.readings import TacticsReadings
from companion.games.tactics.rules.sight_result import SightResult
from companion.games.tactics.rules.space_effects import (
    SHORT_RANGE,
    controlled,
    takeable,
)
from companion.games.tactics.rules.table_faults import table_faults
from models.board import Cell, cell_text
from models.board_table import BoardTable


@dataclass(frozen=True, slots=True)
class FigureAnswers:
    """The answers for one figure in one placement."""

    position: BattlePosition
    figure: BoardFigure
    engaged: tuple[str, ...]
    sees: Mapping[str, SightResult]
    reach: Mapping[Cell, MoveTarget]
    attacks: Mapping[str, AttackAnswer]
    charges: Mapping[str, ChargeAnswer]
    controls: tuple[Cell, ...]
    loot: tuple[Cell, ...]
    high: bool

    def to_json(self, brief: bool = False) -> dict[str, Any]:
        attacks, charges = self.attacks, self.charges
        if brief:
            attacks = {one: found for one, found in attacks.items() if found.attack}
            charges = {one: found for one, found in charges.items() if found.reaches}
            ranges = dict[str, Any]()
        else:
            distance = self.position.distances(self.figure)
            near = [one for one, far in distance.items() if far <= SHORT_RANGE]
            ranges = {"distance": distance, "near": near}
        return {
            "engaged": list(self.engaged),
            **ranges,
            "sees": {
                one: found.verdict if brief else found.to_json for one, found in self.sees.items()
            },
            "reach": {
                cell_text(cell): {"cost": end.cost, "engages": list(end.engages)}
                for cell, end in sorted(self.reach.items())
            },
            "attacks": {
                one: {"answer": "yes", "why": [], "attack": found.attack.name}
                if found.attack
                else refused(found.why)
                for one, found in attacks.items()
            },
            "charges": {one: plain_charge(found) for one, found in charges.items()},
            "controls": [cell_text(cell) for cell in self.controls],
            "loot": [cell_text(cell) for cell in self.loot],
            "high": self.high,
        }


@lru_cache(maxsize=256)
def refused(why: tuple[str, ...], **more: bool) -> dict[str, Any]:
    """A refusal as JSON values, shared by all answers alike: a board has thousands of them."""
    return {"answer": "no", "why": list(why), **more}


def plain_charge(found: ChargeAnswer) -> dict[str, Any]:
    """A charge as JSON values: `declare` says whether it may be declared without arriving."""
    if not found.declare:
        return refused(found.why, declare=False)
    text: dict[str, Any] = {"answer": "yes" if found.reaches else "no", "why": list(found.why)}
    text["declare"] = found.declare
    if found.ends:
        text["ends"] = {cell_text(cell): end.cost for cell, end in sorted(found.ends.items())}
    return text


def figure_answers(position: BattlePosition, figure: BoardFigure) -> FigureAnswers:
    """The answers for one figure; what does not depend on the enemy is looked up once."""
    enemies = position.enemies(figure)
    reach = move_ends(position, figure)
    engaged = {one.id for one in engaged_with(position, figure)}
    sights = {one.id: sees(position, figure, one) for one in enemies}
    refusals = [charge_refusals(position, figure, seen) for seen in (False, True)]
    refused = [no_charge(why) if why else None for why in refusals]
    charges = {
        one.id: refused[sights[one.id].clear] or charge_answer(position, figure, one, reach)
        for one in enemies
    }
    apart = None if figure.ranged is not None or not figure.attacks else refused_attack("TAC-ATK-2")
    return FigureAnswers(
        position,
        figure,
        tuple(sorted(engaged)),
        sights,
        reach,
        {
            one.id: attack_answer(position, figure, one)
            if apart is None or one.id in engaged
            else apart
            for one in enemies
        },
        charges,
        controlled(position, figure),
        takeable(position, figure),
        any(cell in position.field.high for cell in figure.cells),
    )


@dataclass(frozen=True)
class TacticsReport(BoardReport[BattlePosition, FigureAnswers]):
    """The answers for every figure of a table."""

    VERDICTS = ("sees", "attacks", "charges")
    LISTS = ("engaged", "near", "controls", "loot")
    VALUES = ("high",)

    @classmethod
    def of(cls, table: BoardTable, readings: TacticsReadings) -> TacticsReport:
        placed = tuple(placements(table, square_field(table.board, readings)))
        answers = tuple(
            {one.id: figure_answers(way.position, one) for one in way.position.figures}
            for way in placed
        )
        return cls(table, placed, answers)

    def farthest(self, key: str, piece: str) -> float:
        figure = self.best.by_id[piece]
        if key == "charges":
            return figure.spaces + 1
        melee = 1 if figure.melee is not None else 0
        return melee if key == "attacks" and figure.ranged is None else math.inf

    def around(self, key: str, piece: str) -> int:
        """Contact makes it engaged; it stops beside enemies on its way, or goes round them."""
        way = self.best.by_id[piece].spaces + 1
        return {"attacks": 1, "charges": way, "reach": way}.get(key, -1)

    @property
    def problems(self) -> Sequence[TableFault]:
        return tuple(table_faults(self.best))
