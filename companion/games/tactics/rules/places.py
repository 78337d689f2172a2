"""Spaces in the words of players: the objective on the left, the space left of the door."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from companion.games.shared.places import Landmark, Landmarks, cells_near, place_words
from companion.games.tactics.rules.battlefield import blocks_movement
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from models.board import Board, Cell
from models.frozen_records import IdentityCache
from models.message import say

MARKS = {
    "objective": Landmark(say("the objective"), say("of the objective")),
    "loot": Landmark(say("the loot"), say("of the loot")),
    "purse": Landmark(say("the purse"), say("of the purse")),
    "letter": Landmark(say("the letter"), say("of the letter")),
    "fire": Landmark(say("the fire"), say("of the fire")),
    "river": Landmark(say("the river"), say("of the river")),
    "leaf-pile": Landmark(say("the leaf pile"), say("of the leaf pile")),
    "stake-pit": Landmark(say("the stake pit"), say("of the stake pit")),
}
OBSTACLE = Landmark(say("the obstacle"), say("of the obstacle"))
WATER = Landmark(say("the water"), say("of the water"))
BUSH = Landmark(say("the bush"), say("of the bush"))
HIGH_GROUND = Landmark(say("the high ground"), say("of the high ground"))
FORD = Landmark(say("the ford"), say("of the ford"))


def place(position: BattlePosition, cell: Cell, without: str = "") -> str:
    """What players call a space; `without` is the figure that comes or goes."""
    board, standing = position.field.board, position.occupied
    near = (standing[one] for one in cells_near(board.space, cell) if one in standing)
    figures = {one: figure.name for figure in near if figure.id != without for one in figure.cells}
    return board_place(board, cell, figures)


def block_place(position: BattlePosition, cell: Cell, figure: BoardFigure) -> str:
    """What players call where a figure stands: a large one by what its block covers."""
    marks = landmarks(position.field.board)
    covered = [one for one in figure.cells_at(cell) if one in marks]
    return place(position, (covered or [cell])[0], figure.id)


def board_place(board: Board, cell: Cell, figures: Mapping[Cell, str]) -> str:
    """The same on a board with these figures."""
    return place_words(board, landmarks(board), figures, cell)


def ground_mark(words: tuple[str, ...]) -> Landmark | None:
    """What players call a space by its ground, as the map draws it."""
    if "blocked-o" in words:
        return WATER
    if blocks_movement(words):
        return OBSTACLE
    if "high" in words:
        return HIGH_GROUND
    return BUSH if "open-x" in words else None


def crossed(water: Set[Cell], cell: Cell) -> bool:
    """Whether a space leads through water that lies on both sides of it."""
    x, y = cell
    return {(x - 1, y), (x + 1, y)} <= water or {(x, y - 1), (x, y + 1)} <= water


def marked_cells(board: Board) -> Landmarks:
    """What lies on the spaces, by which they and those near them are named."""
    marks = {one: mark for one, words in board.ground.items() if (mark := ground_mark(words))}
    water = {one for one, mark in marks.items() if mark is WATER}
    for one in {(x + across, y + up) for x, y in water for across, up in ((1, 0), (0, 1))} - water:
        if one in board and one not in marks and crossed(water, one):
            marks[one] = FORD
    for one, words in board.marks.items():
        for word in words:
            if word in MARKS:
                marks[one] = MARKS[word]
    return Landmarks(marks)


landmarks = IdentityCache(marked_cells, 16)
"""The same, looked for once on each board."""


def barred_ground(board: Board, cells: Iterable[Cell]) -> str:
    """What keeps every figure off these spaces, by what the map draws there; "" if nothing."""
    for cell in cells:
        if cell not in board:
            return say("the board ends there")
        words = board.ground.get(cell, ())
        if blocks_movement(words):
            if ground_mark(words) is WATER:
                return say("water: nobody may stand there")
            return say("an obstacle: nobody may stand there")
    return ""
