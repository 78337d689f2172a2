"""The figures on the battlefield at one moment: who stands where, and who may not."""

from __future__ import annotations

import dataclasses
from functools import cached_property

from companion.games.tactics.rules.battlefield import SquareField
from companion.games.tactics.rules.board_figure import BoardFigure
from companion.games.tactics.rules.sight import SightResult
from companion.geometry.grid.square import STEPS
from models.cell import Cell, cell_text, edge


@dataclasses.dataclass(frozen=True, slots=True)
class Opponents:
    """The enemies of a side: the figures, their spaces, and the spaces beside these."""

    figures: tuple[BoardFigure, ...]
    cells: dict[Cell, BoardFigure]
    beside: frozenset[Cell]


@dataclasses.dataclass(frozen=True)
class BattlePosition:
    """A battlefield and the figures on it; `teams` groups sides that fight together.

    `engagements`, `sights`, `lifted` and `sides` are answers given before: the same is asked often.
    """

    field: SquareField
    figures: tuple[BoardFigure, ...]
    teams: dict[str, str] = dataclasses.field(default_factory=dict)
    engagements: dict[str, list[BoardFigure]] = dataclasses.field(
        default_factory=dict, compare=False
    )
    sights: dict[tuple[str, str], SightResult] = dataclasses.field(
        default_factory=dict, compare=False
    )
    lifted: dict[str, dict[Cell, BoardFigure]] = dataclasses.field(
        default_factory=dict, compare=False
    )
    sides: dict[str, Opponents] = dataclasses.field(default_factory=dict, compare=False)

    @cached_property
    def by_id(self) -> dict[str, BoardFigure]:
        return {one.id: one for one in self.figures}

    @cached_property
    def occupied(self) -> dict[Cell, BoardFigure]:
        return {cell: one for one in self.figures for cell in one.cells}

    def team(self, side: str) -> str:
        return self.teams.get(side, side)

    def hostile(self, one: BoardFigure, two: BoardFigure) -> bool:
        """Whether two figures are enemies: of squads that are not allied (TAC-GEN-4, -5)."""
        if not self.teams:
            return one.side != two.side
        return self.team(one.side) != self.team(two.side)

    def enemies(self, figure: BoardFigure) -> tuple[BoardFigure, ...]:
        return self.opponents(figure).figures

    def opponents(self, figure: BoardFigure) -> Opponents:
        """The enemies of a figure, with where they stand."""
        found = self.sides.get(figure.side)
        if found is None:
            enemies = tuple(one for one in self.figures if self.hostile(one, figure))
            cells = {cell: one for one in enemies for cell in one.cells}
            beside = frozenset((c + dc, r + dr) for c, r in cells for dc, dr in STEPS)
            found = self.sides[figure.side] = Opponents(enemies, cells, beside)
        return found

    def without(self, figure: BoardFigure) -> dict[Cell, BoardFigure]:
        """The occupied spaces if a figure were lifted from the board."""
        found = self.lifted.get(figure.id)
        if found is None:
            found = {cell: one for cell, one in self.occupied.items() if one.id != figure.id}
            self.lifted[figure.id] = found
        return found

    def fits(self, figure: BoardFigure, cell: Cell) -> str:
        """The rule that forbids a figure to stand there; "" if it may.

        All its spaces must be OPEN and free, and no wall may run between them.
        """
        cells = figure.cells_at(cell)
        if any(one not in self.field.open for one in cells):
            return "TAC-MOV-19" if figure.large else "TAC-MOV-2"
        if any(self.occupied.get(one, figure).id != figure.id for one in cells):
            return "TAC-GRD-9"
        return "TAC-TER-8" if crosses_wall(self.field, cells) else ""


def crosses_wall(field: SquareField, cells: tuple[Cell, ...]) -> bool:
    """Whether a wall runs between the spaces of one figure (TAC-TER-8)."""
    return len(cells) > 1 and any(
        edge(one, two) in field.walls for one in cells for two in cells if one < two
    )


def standing_problem(position: BattlePosition) -> str:
    """Why the figures cannot stand like this, in one line; "" if they can."""
    seen: dict[Cell, str] = {}
    for figure in position.figures:
        for cell in figure.cells:
            where = f"pieces: {figure.id}: cell: "
            if cell not in position.field.open:
                return f"{where}{cell_text(cell)} is BLOCKED or not on the board (TAC-SPC-7)"
            if cell in seen:
                return f"{where}{cell_text(cell)} is taken by {seen[cell]} (TAC-GRD-9)"
            seen[cell] = figure.id
        if crosses_wall(position.field, figure.cells):
            return f"pieces: {figure.id}: a wall runs through its spaces (TAC-TER-8)"
    return ""
