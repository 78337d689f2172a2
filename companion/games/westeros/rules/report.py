"""Everything the rules say about every unit of a table, as `companion rules` prints it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.games.shared.board_report import BoardReport
from companion.games.shared.table_fault import TableFault
from companion.games.westeros.cards.catalogue import CardCollection, every_card
from companion.games.westeros.rules.attack_options import (
    HOUND_RANGE,
    HexAttackAnswer,
    attack_answers,
    hound_refusals,
)
from companion.games.westeros.rules.fire import fires_beside, scorch_cells
from companion.games.westeros.rules.hex_field import HexField, HexSight, plain_verdict
from companion.games.westeros.rules.movement import HexMoveEnd, free_steps, ordered_ends
from companion.games.westeros.rules.position import (
    BoardUnit,
    HexPosition,
    commanders_of,
    placements,
)
from companion.games.westeros.rules.readings import WesterosReadings
from companion.games.westeros.rules.sight import sight
from companion.games.westeros.rules.table_faults import table_faults
from models.board import Cell, cell_text
from models.board_table import BoardTable


@dataclass(frozen=True, slots=True)
class HexAnswers:
    """The answers for one unit in one placement."""

    engaged: tuple[str, ...]
    distance: Mapping[str, int]
    sees: Mapping[str, HexSight]
    reach: Mapping[Cell, HexMoveEnd]
    attacks: Mapping[str, HexAttackAnswer]
    hounds: Mapping[str, tuple[str, ...]]
    commanded: tuple[str, ...]
    retreat: tuple[Cell, ...]
    stalwart: bool
    scorches: tuple[Cell, ...]
    fires: tuple[Cell, ...]

    def to_json(self, brief: bool = False) -> dict[str, Any]:
        text: dict[str, Any] = {
            "engaged": list(self.engaged),
            "distance": dict(self.distance),
            "sees": {
                one: found.verdict if brief else found.to_json for one, found in self.sees.items()
            },
            "reach": {
                cell_text(cell): {"cost": end.cost, "attack": end.attack}
                for cell, end in sorted(self.reach.items())
            },
            "attacks": {
                one: plain_attack(found)
                for one, found in self.attacks.items()
                if found.legal or not brief
            },
            "commanded": list(self.commanded),
            "retreat": [cell_text(cell) for cell in self.retreat],
            "stalwart": self.stalwart,
        }
        if self.hounds:
            text["hounds"] = {one: plain_verdict(why) for one, why in self.hounds.items()}
        for key, cells in (("scorches", self.scorches), ("fires", self.fires)):
            if cells:
                text[key] = [cell_text(cell) for cell in cells]
        return text


def plain_attack(found: HexAttackAnswer) -> dict[str, Any]:
    """An attack answer as JSON values."""
    text = plain_verdict(found.why)
    if not found.legal:
        return text
    text = {**text, "dice": found.dice, "flank": found.flank}
    return {**text, "parting_blow": found.parting_blow} if found.parting_blow else text


def unit_answers(position: HexPosition, unit: BoardUnit) -> HexAnswers:
    enemies = list(position.enemies(unit))
    foe, far = position.opponent(unit), position.distances(unit)
    hounds = enemies if unit.has("war-hounds") else []
    return HexAnswers(
        (foe.id,) if foe else (),
        far,
        {one.id: sight(position, unit, one) for one in enemies},
        ordered_ends(position, unit),
        attack_answers(position, unit, far),
        {one.id: hound_refusals(position, unit, one) for one in hounds},
        tuple(one.commander for one in commanders_of(position, unit)),
        tuple(sorted(free_steps(position, unit, unit.cell))),
        position.stalwart(unit),
        scorch_cells(position, unit) if unit.has("scorched-earth") else (),
        fires_beside(position, unit),
    )


@dataclass(frozen=True)
class WesterosReport(BoardReport[HexPosition, HexAnswers]):
    """The answers for every unit of a table."""

    VERDICTS = ("sees", "attacks", "hounds")
    DETAILS = ("dice", "flank", "parting_blow")
    LISTS = ("engaged", "commanded", "retreat", "scorches", "fires")
    VALUES = ("stalwart",)

    def farthest(self, key: str, piece: str) -> float:
        if key == "hounds":
            return HOUND_RANGE[1]
        return self.best.by_id[piece].row.range if key == "attacks" else math.inf

    cards: CardCollection = field(default_factory=CardCollection)

    @property
    def problems(self) -> Sequence[TableFault]:
        return tuple(table_faults(self.table, self.best.field, self.cards))

    @classmethod
    def of(cls, table: BoardTable, readings: WesterosReadings) -> WesterosReport:
        cards = every_card()
        placed = tuple(placements(table, HexField.of(table.board, readings), cards))
        answers = tuple(
            {one.id: unit_answers(way.position, one) for one in way.position.units}
            for way in placed
        )
        return cls(table, placed, answers, cards)
