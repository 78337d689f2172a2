"""Spaces in the words of players: the objective on the left, the space left of the door."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.shared.places import Landmark, cells_near, place_words
from companion.games.tactics.rules.battlefield import blocks_movement
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from models.board import Board, Cell
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


def landmarks(board: Board) -> dict[Cell, Landmark]:
    """What lies on the spaces, by which they and those near them are named."""
    marks = {one: OBSTACLE for one, words in board.ground.items() if blocks_movement(words)}
    for one, words in board.marks.items():
        for word in words:
            if word in MARKS:
                marks[one] = MARKS[word]
    return marks
