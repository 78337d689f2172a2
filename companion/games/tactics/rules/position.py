"""The figures on the battlefield at one moment: their numbers and who stands where."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from companion.games.shared.board_report import LikelyPosition, candidate_cells, likely_positions
from companion.games.tactics.cards.figure_card import (
    FIGURE_SIZES,
    CardAbility,
    CardAttack,
    FigureCard,
    find_card,
)
from companion.games.tactics.cards.squad import EQUIPMENT
from companion.games.tactics.rules.battlefield import SquareField
from companion.games.tactics.rules.sight_result import SightResult
from companion.geometry.grid.grids import STEPS, SquareGrid
from companion.geometry.grid.lines import square_bits
from models.board import Cell, cell_text, edge
from models.board_table import BoardPiece, BoardTable
from models.field import Field
from models.message import CompanionError

FACTS = frozenset(
    ("kind", "will", "defence", "health", "wounds", "spaces", "attacks", "equipment", "shaken",
     "frozen", "activated")
)  # fmt: skip
PLAIN_ATTACK = CardAttack("Melee attack", "melee", 1, 6)
"""The attack of a figure of which nothing is known."""
BLOCK = lru_cache(maxsize=4096)(SquareGrid(1, 1).block)
"""The spaces of a figure, asked for again and again."""


@dataclass(frozen=True)
class BoardFigure:
    """A figure: the lower left of its spaces, its size, and its card's numbers."""

    id: str
    side: str
    name: str
    cell: Cell
    size: int = 1
    spaces: int = 3
    attacks: tuple[CardAttack, ...] = (PLAIN_ATTACK,)
    kind: str = "soldier"
    will: int | None = None
    defence: int | None = None
    health: int | None = None
    wounds: int = 0
    equipment: str = ""
    shaken: bool = False
    frozen: bool = False
    """Whether its next activation begins with 1 action point (TAC-STA-3)."""
    ridden: bool = False
    """Whether its rider fights on when it dies (TAC-FIG-11)."""

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The spaces it occupies: one, or a block of 2 × 2 (TAC-GRD-7, TAC-GRD-8)."""
        return BLOCK(self.cell, self.size)

    @property
    def large(self) -> bool:
        return self.size > 1

    @property
    def sees_everybody(self) -> bool:
        """Whether its equipment gives it sight to all other figures."""
        return self.equipment == "glass-candle"

    @cached_property
    def melee(self) -> CardAttack | None:
        """Its best melee attack: the most hits on average."""
        return best_attack(self.payable, "melee") or best_attack(self.attacks, "melee")

    @cached_property
    def charge_attack(self) -> CardAttack | None:
        """Its best melee attack in a charge, which is an `ATTACK 1` (TAC-CHG-1)."""
        return best_attack(one_point_attacks(self.attacks), "melee")

    @cached_property
    def ranged(self) -> CardAttack | None:
        return best_attack(self.payable, "ranged") or best_attack(self.attacks, "ranged")

    @property
    def payable(self) -> tuple[CardAttack, ...]:
        """The attacks that the action points of its next activation pay for."""
        return one_point_attacks(self.attacks) if self.frozen else self.attacks

    def cells_at(self, cell: Cell) -> tuple[Cell, ...]:
        """The spaces it would occupy elsewhere."""
        return BLOCK(cell, self.size)

    def at(self, cell: Cell) -> BoardFigure:
        """The same figure on another space."""
        return replace(self, cell=cell)


def one_point_attacks(attacks: tuple[CardAttack, ...]) -> tuple[CardAttack, ...]:
    """Those that cost 1 action point at most."""
    return tuple(one for one in attacks if one.ap <= 1)


def best_attack(attacks: tuple[CardAttack, ...], kind: str) -> CardAttack | None:
    """The attack of a kind with the most hits on average; the first of equals."""
    fitting = [one for one in attacks if one.kind == kind]
    return max(fitting, key=lambda one: one.dice * (12 - one.hit), default=None)


def figure_of(piece: BoardPiece, cell: Cell) -> BoardFigure:
    """The figure that a table's piece is; facts beside its card's come from the table."""
    place = f"pieces: {piece.id}"
    field = Field(dict(piece.facts), "", place)
    raw = field.keys(FACTS)
    if piece.size not in FIGURE_SIZES:
        raise CompanionError(f"{place}: size: {piece.size} is neither 1 nor 2")
    card = card_of(piece, place)

    def number(key: str, low: int, high: int) -> int | None:
        own = getattr(card, key, None)
        return field.member(key).whole(low, high) if key in raw else own

    equipment = field.member("equipment").choice(EQUIPMENT) if "equipment" in raw else ""
    spaces = number("spaces", 0, 12) if "spaces" in raw else card.reach_spaces if card else 3
    attacks = card.attacks if card else (PLAIN_ATTACK,)
    if "attacks" in raw:
        attacks = tuple(CardAttack.read(one) for one in field.listed("attacks", 8))
    kinds = {"hero", "veteran", "soldier"}
    known = card.kind if card else "soldier"
    return BoardFigure(
        piece.id,
        piece.side,
        piece.name or (card.name if card else piece.id),
        cell,
        piece.size,
        (spaces or 0) + EQUIPMENT[equipment].spaces if equipment else spaces or 0,
        attacks,
        field.member("kind").choice(kinds) if "kind" in raw else known,
        number("will", 2, 10),
        number("defence", 2, 10),
        number("health", 1, 20),
        number("wounds", 0, 99) or 0,
        equipment,
        field.member("shaken").flag() if "shaken" in raw else False,
        field.member("frozen").flag() if "frozen" in raw else False,
    )


def card_of(piece: BoardPiece, place: str) -> FigureCard | None:
    """The card a piece names; a table needs no card, but a named one must exist."""
    if piece.card:
        card = find_card(piece.card)
        if card is None:
            raise CompanionError(f"{place}: card: no card {piece.card!r}")
        return card
    return find_card(piece.name) if piece.name else None


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

    @cached_property
    def standing(self) -> int:
        """The occupied spaces as a set of bits."""
        return square_bits(self.occupied)

    @cached_property
    def extents(self) -> list[tuple[str, int, int, int, int]]:
        """The first and the last column, the lowest and the highest row of every figure."""
        return [
            (one.id, column, column + one.size - 1, row, row + one.size - 1)
            for one in self.figures
            for column, row in (one.cell,)
        ]

    def distances(self, figure: BoardFigure) -> dict[str, int]:
        """How far every other figure is, between the nearest spaces of both."""
        (left, low), more = figure.cell, figure.size - 1
        right, high = left + more, low + more
        far = {
            one: max(first - right, left - last, bottom - high, low - top, 0)
            for one, first, last, bottom, top in self.extents
        }
        far.pop(figure.id, None)
        return far

    def targets_of(self, figure: BoardFigure, ability: CardAbility) -> list[BoardFigure]:
        """The other figures for which an ability may be used: whose they are, and how far away."""
        far = self.distances(figure)
        return [
            one
            for one in self.figures
            if one.id != figure.id
            and not (ability.helps and self.hostile(figure, one))
            and (ability.whom != "enemy" or self.hostile(figure, one))
            and (not ability.range or far[one.id] <= ability.range)
        ]

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
            found = self.lifted[figure.id] = dict(self.occupied)
            own = self.by_id.get(figure.id)
            for cell in own.cells if own else ():
                if found.get(cell) is own:
                    del found[cell]
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


def moved(position: BattlePosition, figure: BoardFigure, cell: Cell) -> BattlePosition:
    """The position with a figure elsewhere."""
    others = tuple(figure.at(cell) if one.id == figure.id else one for one in position.figures)
    return BattlePosition(position.field, others, position.teams)


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


def placements(table: BoardTable, field: SquareField) -> list[LikelyPosition[BattlePosition]]:
    """Every way the figures may stand, the most probable first."""
    figures = [
        [(figure_of(piece, cell), chance) for cell, chance in candidates(field, piece)]
        for piece in table.pieces
    ]
    return likely_positions(figures, lambda chosen: BattlePosition(field, chosen), standing_problem)


def candidates(field: SquareField, piece: BoardPiece) -> list[tuple[Cell, float]]:
    """The spaces a piece may stand on; BLOCKED ones only if there is no other."""
    grid = SquareGrid(field.board.columns, field.board.rows)

    def is_free(cell: Cell) -> bool:
        cells = grid.block(cell, piece.size)
        return all(one in field.open for one in cells) and not crosses_wall(field, cells)

    return candidate_cells(field.board, piece, is_free)
