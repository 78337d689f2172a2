"""The report on a board, merged over all the positions that the table allows.

A measured piece may stand on one of several cells; each choice of cells is a position.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from companion.games.shared.table_fault import TableFault
from companion.games.shared.vague_pieces import VaguePieces
from companion.geometry.grid.placing import BLOCK, LEAST_CHANCE, cells_of, likely_cells
from models.board import Board, Cell, cell_text, parse_cell
from models.board_table import BoardPiece, BoardTable
from models.message import CompanionError

MOST_COMBINATIONS = 32
"""More are not combined: beyond them every further cell is tried by itself."""
MOST_WORK = 30_000
"""Positions times pieces squared: what a report may cost, about a second."""
LOST_CHANCE = 0.01
"""A piece of whose cells more than this is not tried may stand anywhere: it is vague."""

CERTAIN = 1 - 1e-9


class PieceOnCell(Protocol):
    """A piece in one of the positions."""

    @property
    def cell(self) -> Cell: ...

    @property
    def name(self) -> str: ...


class PiecePosition(Protocol):
    """A game's own position: the pieces by id."""

    @property
    def by_id(self) -> Mapping[str, PieceOnCell]: ...


Position = TypeVar("Position", bound=PiecePosition)
Piece = TypeVar("Piece")
Candidate = tuple[Piece, float]
"""A piece on one of the cells it may stand on, and the probability of that cell."""


@dataclass(frozen=True, slots=True)
class LikelyPosition(Generic[Position]):
    """One way the pieces may stand, and its probability."""

    position: Position
    chance: float
    vague: frozenset[int] = frozenset()
    """The numbers of the pieces of whose cells too many were not tried."""


def candidate_cells(
    board: Board, piece: BoardPiece, may_stand: Callable[[Cell], bool]
) -> list[tuple[Cell, float]]:
    """The cells a piece may stand on; one where it cannot stand only if there is no other."""
    cells = list(cells_of(board, piece).items())
    if not cells:
        raise CompanionError(f"pieces: {piece.id}: has neither a cell nor a position")
    if piece.cell is not None:
        return cells
    likely = [(cell, chance) for cell, chance in cells if chance >= LEAST_CHANCE] or cells[:1]
    return [one for one in likely if may_stand(one[0])] or likely[:1]


def likely_positions(
    choices: Sequence[Sequence[Candidate[Piece]]],
    position_of: Callable[[tuple[Piece, ...]], Position],
    problem: Callable[[Position], str],
) -> list[LikelyPosition[Position]]:
    """Every way the pieces may stand, the most probable first; an impossible table is refused."""
    found = []
    best = [max(chance for _, chance in one) for one in choices]
    tried, vague = combinations(choices)
    for chosen in tried:
        position = position_of(tuple(piece for piece, _ in chosen))
        if not problem(position):
            # Beside the likeliest: the product of hundreds of small chances would be 0.
            shares = (one / most for (_, one), most in zip(chosen, best, strict=True))
            found.append((math.prod(shares), position))
    if not found:
        likeliest = (max(one, key=lambda choice: choice[1]) for one in choices)
        raise CompanionError(problem(position_of(tuple(piece for piece, _ in likeliest))))
    whole = sum(chance for chance, _ in found)
    found.sort(key=lambda one: -one[0])
    return [LikelyPosition(position, chance / whole, vague) for chance, position in found]


def combinations(
    choices: Sequence[Sequence[Candidate[Piece]]],
) -> tuple[list[tuple[Candidate[Piece], ...]], frozenset[int]]:
    """The combinations of cells: all of them, or those of the likeliest cells.

    Where there are too many, every cell that was left out is combined with the others' best, so
    that no piece is taken to be certain that is not. If that is too much work, the least likely
    cells are not tried; the pieces that lose more than a small chance by it are told.
    """
    budget = max(1, MOST_WORK // max(1, len(choices)) ** 2)
    kept = [sorted(one, key=lambda choice: -choice[1]) for one in choices]
    left_out: list[tuple[int, Candidate[Piece]]] = []
    ways = math.prod(len(one) for one in kept)
    least = [(one[-1][1], at) for at, one in enumerate(kept) if len(one) > 1]
    heapq.heapify(least)
    while ways > min(MOST_COMBINATIONS, budget):
        _, at = heapq.heappop(least)
        ways -= ways // len(kept[at])
        left_out.append((at, kept[at].pop()))
        if len(kept[at]) > 1:
            heapq.heappush(least, (kept[at][-1][1], at))
    found = list(product(*kept))
    left_out.sort(key=lambda one: -one[1][1])
    alone = max(0, budget - len(found))
    best = [one[0] for one in kept]
    found += [(*best[:at], choice, *best[at + 1 :]) for at, choice in left_out[:alone]]
    lost: dict[int, float] = defaultdict(float)
    for at, (_, chance) in left_out[alone:]:
        lost[at] += chance
    return found, frozenset(at for at, chance in lost.items() if chance > LOST_CHANCE)


def piece_cells(
    table: BoardTable, placed: Sequence[LikelyPosition[Any]]
) -> dict[str, Mapping[Cell, float]]:
    """The cells that each piece may stand on; of a vague piece all, also those not tried."""
    return {
        piece.id: likely_cells(table.board, piece)
        if at in placed[0].vague
        else cell_chances(placed, piece.id)
        for at, piece in enumerate(table.pieces)
    }


def cell_chances(placed: Iterable[LikelyPosition[Any]], piece: str) -> dict[Cell, float]:
    """The cells of one piece over all positions, the most probable first."""
    found: dict[Cell, float] = {}
    for one in placed:
        cell = one.position.by_id[piece].cell
        found[cell] = found.get(cell, 0.0) + one.chance
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def merged_checks(checks: Iterable[tuple[float, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    """The likeliest of several checks of a move, `unsure` where the others answer otherwise.

    Each check holds its probability and, by action, the answer as JSON values.
    """
    found = list(checks)
    whole = sum(chance for chance, _ in found)
    text = {name: dict(plain) for name, plain in max(found, key=lambda one: one[0])[1].items()}
    for name, plain in text.items():
        yes = sum(chance for chance, every in found if every[name]["answer"] == "yes") / whole
        if 0 < yes < CERTAIN:
            plain |= {"answer": "unsure", "probability": round(yes, 4)}
    return text


class PieceAnswers(Protocol):
    """A game's answers for one piece in one position."""

    def to_json(self, brief: bool = False) -> dict[str, Any]: ...


Answers = TypeVar("Answers", bound=PieceAnswers)


@dataclass(frozen=True)
class BoardReport(Generic[Position, Answers]):
    """The answers for every piece of a table; `best` is the most probable position.

    The class variables name the keys of `PieceAnswers.to_json` that are merged: verdicts by enemy,
    with the details that may differ although the verdict is the same; lists; and single values.
    `reach` and `distance` are merged for every game.
    """

    VERDICTS: ClassVar[tuple[str, ...]] = ()
    DETAILS: ClassVar[tuple[str, ...]] = ()
    LISTS: ClassVar[tuple[str, ...]] = ()
    VALUES: ClassVar[tuple[str, ...]] = ()

    table: BoardTable
    placed: tuple[LikelyPosition[Position], ...]
    answers: tuple[Mapping[str, Answers], ...]
    """By position, then by piece."""

    @property
    def best(self) -> Position:
        return self.placed[0].position

    @cached_property
    def names(self) -> dict[str, str]:
        """What each piece is called."""
        return {one: piece.name for one, piece in self.best.by_id.items()}

    @property
    def units(self) -> Mapping[str, Any]:
        """The answers by piece, merged over all positions."""
        return {one: self.merged(one) for one in self.answers[0]}

    pieces = units

    @cached_property
    def vague(self) -> VaguePieces:
        """The pieces of whose cells too many were not tried."""
        pieces = self.table.pieces
        ids = frozenset(pieces[at].id for at in self.placed[0].vague)
        return VaguePieces(self.table.board, ids, self.cells, {one.id: one.size for one in pieces})

    def farthest(self, key: str, piece: str) -> float:
        """The most steps at which a verdict of a piece may be yes."""
        return math.inf

    def around(self, key: str, piece: str) -> int:
        """How near to a piece another one changes its verdicts, beside standing in a line; -1 if
        nobody's place does."""
        return -1

    def merged(self, piece: str, brief: bool = False) -> dict[str, Any]:
        """One piece's answers; what the positions disagree on is `unsure`.

        `brief` ones say what sentences tell: of what is refused hardly anything.
        """
        brief = brief and len(self.answers) == 1 and not self.vague.ids
        plain = [one[piece].to_json(brief) for one in self.answers]
        found = dict(plain[0])
        if len(plain) == 1 and not self.vague.ids:
            return found
        for key in self.VERDICTS:
            if key in found:
                found[key] = {
                    other: self.doubted(
                        key,
                        self.merged_verdict([one[key][other] for one in plain]),
                        piece,
                        other,
                        plain[0]["sees"][other],
                    )
                    for other in found[key]
                }
        found["reach"] = merged_reach([one["reach"] for one in plain])
        if self.vague.ids:
            found["reach"] = {
                cell: {**end, "answer": "unsure"} if self.doubtful_end(piece, cell) else end
                for cell, end in found["reach"].items()
            }
        for key in self.LISTS:
            every = [one.get(key, []) for one in plain]
            always = [one for one in every[0] if all(one in other for other in every)]
            perhaps = sorted({one for other in every for one in other} - set(always))
            if always or key in found:
                found[key] = always
            if perhaps:
                found[f"{key}_unsure"] = perhaps
        for key in self.VALUES:
            if len({one[key] for one in plain}) > 1:
                found[key] = "unsure"
        spread = {
            other: sorted({one["distance"][other] for one in plain}) for other in found["distance"]
        }
        if unsure := {other: values for other, values in spread.items() if len(values) > 1}:
            found["distance_unsure"] = unsure
        own = self.cells[piece]
        if len(own) > 1:
            found["cells"] = {cell_text(cell): round(chance, 4) for cell, chance in own.items()}
        return found

    @cached_property
    def cells(self) -> Mapping[str, Mapping[Cell, float]]:
        """The cells that each piece may stand on."""
        return piece_cells(self.table, self.placed)

    def doubtful_end(self, piece: str, cell: str) -> bool:
        """Whether a vague piece, or one that may stand in its way, moves to a cell."""
        return piece in self.vague.ids or self.crossed("reach", piece, parse_cell(cell))

    def crossed(self, key: str, piece: str, end: str | Cell) -> bool:
        """Whether a vague piece may stand in a line, or near enough to change what holds there."""
        near = self.around(key, piece)
        return self.vague.between(piece, end) or (near >= 0 and self.vague.beside(piece, near))

    def hidden(self, seen: Mapping[str, Any]) -> bool:
        """Whether a line of sight is blocked, and no vague piece takes part in it."""
        return seen["answer"] == "no" and self.vague_cells.isdisjoint(seen["blocked_by"])

    @cached_property
    def vague_cells(self) -> frozenset[str]:
        """Where the vague pieces stand in the likeliest position."""
        return frozenset(
            cell_text(cell)
            for one in self.table.pieces
            if one.id in self.vague.ids
            for cell in BLOCK(self.best.by_id[one.id].cell, one.size)
        )

    def doubted(
        self, key: str, verdict: dict[str, Any], piece: str, other: str, seen: Mapping[str, Any]
    ) -> dict[str, Any]:
        """A verdict, `unsure` where a vague piece may change it."""
        vague, answer = self.vague, verdict["answer"]
        if answer == "unsure" or not vague.ids:
            return verdict
        too_far = vague.apart(piece, other) > self.farthest(key, piece)
        concerned = piece in vague.ids or other in vague.ids
        hidden = not concerned and self.hidden(seen)
        if answer == "no" and (too_far or hidden):
            return verdict
        if concerned or self.crossed(key, piece, other):
            return {**verdict, "answer": "unsure", "probability": float(answer == "yes")}
        return verdict

    def merged_verdict(self, answers: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """One verdict over all positions: `unsure` where they differ, with the chance of yes."""
        if len({one["answer"] for one in answers}) == 1:
            same = dict(answers[0])
            for key in self.DETAILS:
                values = [one.get(key) for one in answers]
                if any(value != values[0] for value in values):
                    same[f"{key}_unsure"] = list(dict.fromkeys(v for v in values if v is not None))
            return same
        why = sorted({rule for one in answers for rule in one["why"]})
        pairs = zip(answers, self.placed, strict=True)
        yes = sum(place.chance for one, place in pairs if one["answer"] == "yes")
        best = next(one for one in answers if one["answer"] == "yes")
        return {**best, "answer": "unsure", "why": why, "probability": round(yes, 4)}

    @property
    def problems(self) -> Sequence[TableFault]:
        """What is wrong with the table, although it could be read."""
        return ()

    def heading(self, name: str) -> list[str]:
        """The first lines of the report in sentences."""
        return [f"{name}: {self.table.game}", *(f"  {one.line}" for one in self.problems)]

    def to_json(self, name: str, whole: bool = True) -> dict[str, Any]:
        """The report as `companion rules` prints it."""
        text: dict[str, Any] = {"table": name, "game": self.table.game}
        text["pieces"] = dict(self.units)
        if problems := self.problems:
            text["problems"] = [one.to_json() for one in problems]
        return text


def unlikely(verdicts: Mapping[str, Mapping[str, Any]], names: Mapping[str, str]) -> str:
    """Whom a verdict concerns that no position tried allows, though one left out might."""
    return ", ".join(
        names[other] for other, found in verdicts.items() if found.get("probability") == 0
    )


def merged_reach(reaches: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The cells in reach; one that only some positions allow is `unsure`."""
    found: dict[str, Any] = {}
    for reach in reaches:
        for cell, end in reach.items():
            found.setdefault(cell, end)
    return {
        cell: end if all(one.get(cell) == end for one in reaches) else {**end, "answer": "unsure"}
        for cell, end in found.items()
    }
