"""Everything the rules say about every unit of a table, as `companion rules` prints it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.westeros.cards.catalogue import every_card
from companion.games.westeros.rules.attack_options import (
    HexAttackAnswer,
    attack_answer,
    hound_refusals,
)
from companion.games.westeros.rules.board_unit import BoardUnit
from companion.games.westeros.rules.command_range import commanders_of
from companion.games.westeros.rules.fire import fires_beside, scorch_cells
from companion.games.westeros.rules.hex_field import HexField
from companion.games.westeros.rules.movement import HexMoveEnd, ordered_ends
from companion.games.westeros.rules.placements import UnitPlacement, placements
from companion.games.westeros.rules.position import HexPosition
from companion.games.westeros.rules.readings import WesterosReadings
from companion.games.westeros.rules.retreat import free_steps
from companion.games.westeros.rules.sight import HexSight, sight
from models.board_table import BoardTable
from models.cell import Cell, cell_text

ANSWERS = ("sees", "attacks", "hounds")
LISTS = ("engaged", "commanded", "retreat", "scorches", "fires")


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

    def plain(self) -> dict[str, Any]:
        """The answers as JSON values."""
        text: dict[str, Any] = {
            "engaged": list(self.engaged),
            "distance": dict(self.distance),
            "sees": {one: plain_sight(found) for one, found in self.sees.items()},
            "reach": {
                cell_text(cell): {"cost": end.cost, "attack": end.attack}
                for cell, end in sorted(self.reach.items())
            },
            "attacks": {one: plain_attack(found) for one, found in self.attacks.items()},
            "commanded": list(self.commanded),
            "retreat": [cell_text(cell) for cell in self.retreat],
            "stalwart": self.stalwart,
        }
        if self.hounds:
            text["hounds"] = {one: verdict(why) for one, why in self.hounds.items()}
        for key, cells in (("scorches", self.scorches), ("fires", self.fires)):
            if cells:
                text[key] = [cell_text(cell) for cell in cells]
        return text


def verdict(why: tuple[str, ...]) -> dict[str, Any]:
    """A yes or no with its rules."""
    return {"answer": "no" if why else "yes", "why": list(why)}


def plain_sight(found: HexSight) -> dict[str, Any]:
    """A sight answer as JSON values."""
    text = verdict(found.rules)
    return text if found.clear else {**text, "blocked_by": [cell_text(c) for c in found.cells]}


def plain_attack(found: HexAttackAnswer) -> dict[str, Any]:
    """An attack answer as JSON values."""
    text = verdict(found.why)
    if not found.legal:
        return text
    text |= {"dice": found.dice, "flank": found.flank}
    return {**text, "parting_blow": found.parting_blow} if found.parting_blow else text


def unit_answers(position: HexPosition, unit: BoardUnit) -> HexAnswers:
    """Every answer for one unit."""
    enemies = list(position.enemies(unit))
    foe = position.opponent(unit)
    hounds = enemies if unit.has("war-hounds") else []
    return HexAnswers(
        (foe.id,) if foe else (),
        {
            one.id: position.field.distance(unit.cell, one.cell)
            for one in position.units
            if one.id != unit.id
        },
        {one.id: sight(position, unit, one) for one in enemies},
        ordered_ends(position, unit),
        {one.id: attack_answer(position, unit, one) for one in enemies},
        {one.id: hound_refusals(position, unit, one) for one in hounds},
        tuple(one.commander for one in commanders_of(position, unit)),
        tuple(sorted(free_steps(position, unit, unit.cell))),
        position.stalwart(unit),
        scorch_cells(position, unit) if unit.has("scorched-earth") else (),
        fires_beside(position, unit),
    )


@dataclass(frozen=True)
class WesterosReport:
    """The answers for every unit of a table; `best` is the most probable placement."""

    table: BoardTable
    readings: WesterosReadings
    placed: tuple[UnitPlacement, ...]
    answers: tuple[Mapping[str, HexAnswers], ...]
    """By placement, then by unit."""

    @classmethod
    def of(cls, table: BoardTable, readings: WesterosReadings) -> WesterosReport:
        """The report on a table."""
        field = HexField.of(table.board, readings)
        placed = tuple(placements(table, field, every_card()))
        answers = tuple(
            {one.id: unit_answers(way.position, one) for one in way.position.units}
            for way in placed
        )
        return cls(table, readings, placed, answers)

    @property
    def best(self) -> HexPosition:
        return self.placed[0].position

    @property
    def units(self) -> Mapping[str, Any]:
        """The answers by unit, merged over all placements."""
        return {one: self.merged(one) for one in self.answers[0]}

    pieces = units

    def merged(self, unit: str) -> dict[str, Any]:
        """One unit's answers; what the placements disagree on is `unsure`."""
        plain = [one[unit].plain() for one in self.answers]
        found = dict(plain[0])
        if len(plain) == 1:
            return found
        chances = [one.chance for one in self.placed]
        for key in ANSWERS:
            if key in found:
                found[key] = {
                    other: merged_answer([one[key][other] for one in plain], chances)
                    for other in found[key]
                }
        found["reach"] = merged_reach([one["reach"] for one in plain])
        for key in LISTS:
            every = [one.get(key, []) for one in plain]
            always = [one for one in every[0] if all(one in other for other in every)]
            perhaps = sorted({one for other in every for one in other} - set(always))
            if always or key in found:
                found[key] = always
            if perhaps:
                found[f"{key}_unsure"] = perhaps
        if len({one["stalwart"] for one in plain}) > 1:
            found["stalwart"] = "unsure"
        spread = {
            other: sorted({one["distance"][other] for one in plain}) for other in found["distance"]
        }
        if unsure := {other: values for other, values in spread.items() if len(values) > 1}:
            found["distance_unsure"] = unsure
        own: dict[Cell, float] = {}
        for way in self.placed:
            cell = way.position.by_id[unit].cell
            own[cell] = own.get(cell, 0.0) + way.chance
        if len(own) > 1:
            found["cells"] = {cell_text(cell): round(chance, 4) for cell, chance in own.items()}
        return found

    def plain(self, name: str, whole: bool = True) -> dict[str, Any]:
        """The report as `companion rules` prints it."""
        return {"table": name, "game": self.table.game, "pieces": dict(self.units)}


def merged_answer(answers: list[dict[str, Any]], chances: list[float]) -> dict[str, Any]:
    """One answer over several placements: `unsure` where they differ, with the chance of yes."""
    if len({one["answer"] for one in answers}) == 1:
        same = dict(answers[0])
        for key in ("dice", "flank", "parting_blow"):
            values = [one.get(key) for one in answers]
            if any(value != values[0] for value in values):
                same[f"{key}_unsure"] = list(dict.fromkeys(v for v in values if v is not None))
        return same
    why = sorted({rule for one in answers for rule in one["why"]})
    yes = sum(
        chance for one, chance in zip(answers, chances, strict=True) if one["answer"] == "yes"
    )
    best = next(one for one in answers if one["answer"] == "yes")
    return {**best, "answer": "unsure", "why": why, "probability": round(yes, 4)}


def merged_reach(reaches: list[dict[str, Any]]) -> dict[str, Any]:
    """The hexes in reach; one that only some placements allow is `unsure`."""
    found: dict[str, Any] = {}
    for reach in reaches:
        for cell, end in reach.items():
            found.setdefault(cell, end)
    return {
        cell: end if all(one.get(cell) == end for one in reaches) else {**end, "answer": "unsure"}
        for cell, end in found.items()
    }
