"""Who is in contact with whom, who sees whom, whom a figure may attack (TAC-CON, -LOS, -ATK)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from companion.games.tactics.cards.figure_card import CardAttack
from companion.games.tactics.rules.battlefield import SquareField
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from companion.games.tactics.rules.sight import corner_blockers, sight
from companion.games.tactics.rules.sight_result import SEEN, SightResult
from companion.geometry.grid.grids import STEPS
from models.board import Cell, edge


def touches(
    field: SquareField, occupied: Collection[Cell], one: Cell, two: Cell, own: Collection[Cell]
) -> bool:
    """Whether figures on two adjacent spaces are in contact across this pair (TAC-CON-1, -4)."""
    if one[0] == two[0] or one[1] == two[1]:
        return edge(one, two) not in field.walls
    flanks = ((two[0], one[1]), (one[0], two[1]))
    if corner_blockers(field, occupied, one, two, flanks, own):
        return False
    return not all(
        edge(one, flank) in field.walls or edge(flank, two) in field.walls for flank in flanks
    )


def in_contact(
    position: BattlePosition,
    cells: Iterable[Cell],
    sought: Mapping[Cell, BoardFigure],
    others: Mapping[Cell, BoardFigure],
) -> list[BoardFigure]:
    """Those of the figures sought that are in contact with a figure on these spaces.

    `others` are all figures but that one, wherever it stands now.
    """
    field, found = position.field, dict[str, BoardFigure]()
    mine = tuple(cells)
    for cell in mine:
        column, row = cell
        for dc, dr in STEPS:
            there = (column + dc, row + dr)
            if there not in sought:
                continue
            other = sought[there]
            if other.id in found:
                continue
            if touches(field, others, cell, there, (*mine, *other.cells)):
                found[other.id] = other
    return list(found.values())


def contacts(position: BattlePosition, figure: BoardFigure) -> list[BoardFigure]:
    """Everybody in contact with a figure where it stands."""
    others = position.without(figure)
    return in_contact(position, figure.cells, others, others)


def engaged_with(position: BattlePosition, figure: BoardFigure) -> list[BoardFigure]:
    """The enemies in contact: the figure is engaged with them (TAC-CON-2, -3, -5)."""
    found = position.engagements.get(figure.id)
    if found is None:
        found = [one for one in contacts(position, figure) if position.hostile(figure, one)]
        position.engagements[figure.id] = found
    return found


def reaches_element(position: BattlePosition, figure: BoardFigure, cell: Cell) -> bool:
    """Whether a figure is in contact with a marker or terrain on a space (TAC-OR-26).

    It stands on the space, or on an adjacent one with sight to it.
    """
    if cell in figure.cells:
        return True
    others = position.without(figure)
    return any(
        max(abs(one[0] - cell[0]), abs(one[1] - cell[1])) == 1
        and touches(position.field, others, one, cell, (*figure.cells, cell))
        for one in figure.cells
    )


def sees(position: BattlePosition, figure: BoardFigure, target: BoardFigure) -> SightResult:
    """What a figure sees of another; a glass candle sees everybody (TAC-OR-37)."""
    if figure.sees_everybody:
        return SEEN
    one, two = figure.id, target.id
    pair = (one, two) if one < two else (two, one)
    found = position.sights.get(pair)
    if found is None:
        found = sight(position, figure.cells, target.cells)
        position.sights[pair] = found
    return found


@dataclass(frozen=True, slots=True)
class AttackAnswer:
    """Whether an enemy may be attacked, with which attack, or the rules that forbid it."""

    attack: CardAttack | None
    why: tuple[str, ...] = ()


@cache
def refused_attack(why: str) -> AttackAnswer:
    """An attack that is not allowed; a large board has tens of thousands."""
    return AttackAnswer(None, (why,))


def attack_answer(
    position: BattlePosition, figure: BoardFigure, target: BoardFigure
) -> AttackAnswer:
    """The best attack against an enemy: melee if engaged with it, ranged if engaged with nobody."""
    if not figure.attacks:
        return refused_attack("TAC-ATK-1")
    why = ""
    for attack in (figure.melee, figure.ranged):
        if attack is not None:
            why = attack_refusal(position, figure, target, attack)
            if not why:
                return AttackAnswer(attack)
    return refused_attack(why)


def attack_refusal(
    position: BattlePosition, figure: BoardFigure, target: BoardFigure, attack: CardAttack
) -> str:
    """The rule that forbids one attack against one enemy; "" if it is allowed."""
    engaged = engaged_with(position, figure)
    if attack.kind == "melee":
        if target.id not in [one.id for one in engaged]:
            return "TAC-ATK-2"
    elif engaged:
        return "TAC-ATK-4"
    elif not sees(position, figure, target).clear:
        return "TAC-LOS-8"
    return "" if attack in figure.payable else "TAC-STA-3"
