"""Boards that the players put together: a tile or a board, edited by tapping cells and edges.

The `board_editor` of a game's `SCREEN` is such an object, usually a module. What a tap does is
`companion/games/shared/board_editing.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from models.board import Board


@dataclass(frozen=True, slots=True)
class BoardTool:
    """What a tap puts on a cell or on an edge.

    On a cell, the words of one `group` exclude each other; a word without a group stands beside the
    others, and a second tap removes it. "ground" words and "mark" words are kept apart. On an edge
    `word` is what stands there; if it `opens`, the second tap opens it and the third removes it. A
    tool without a word removes.
    """

    id: str
    text: str
    on: Literal["ground", "mark", "edge"]
    word: str = ""
    group: str = ""
    opens: bool = False


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """A tile or board in the list of those that may be edited."""

    id: str
    name: str
    own: bool = False
    detail: str = ""


class BoardEditor(Protocol):
    """A game whose boards the players may edit. What cannot be read raises CompanionError."""

    def board_tools(self, plan: str) -> Sequence[BoardTool]:
        """What may be put on cells and edges of a board."""
        ...

    def board_plans(self) -> Sequence[BoardPlan]:
        """The boards that may be edited or copied."""
        ...

    def plan_board(self, plan: str) -> Board:
        """A board to edit; an empty one for a new name."""
        ...

    def plan_problems(self, plan: str, board: Board) -> Sequence[str]:
        """What keeps an edited board from being played on; it may be kept all the same."""
        ...

    def save_plan(self, plan: str, name: str, board: Board) -> str:
        """Keep a board in the players' folder under an id, or a new one; returns its id."""
        ...

    def remove_plan(self, plan: str) -> bool:
        """Delete a board of the players' own; whether there was one."""
        ...

    def export_plan(self, plan: str) -> str:
        """A board as the text of a file, to share it."""
        ...
