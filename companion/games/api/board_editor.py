"""Boards that the players put together: the tools of a game's editor, and what a tap does with one.

The `board_editor` of a game's `SCREEN` is such an object, usually a module.

>>> board = Board("square", 7, 7, 1.25)
>>> rock = BoardTool("rock", "Rock", "ground", "blocked-x", "ground")
>>> tap_cell(board, rock, (3, 2), (rock,)).ground
{(3, 2): ('blocked-x',)}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from models.board import MOST_WORDS, Board, Border, Cell, cell_text, edge
from models.message import CompanionError, say


@dataclass(frozen=True, slots=True)
class BoardTool:
    """What a tap puts on a cell or on an edge.

    On a cell, the words of one `group` exclude each other; a word without a group stands beside the
    others, and a second tap removes it. "ground" words and "mark" words are kept apart. A mark with
    a `side` is a piece of that side: there is one of it, and another tap moves it; `home_edge` is
    the edge of the board that this side has, `short` its name on the map. On an edge `word` is what
    stands there; if it `opens`, the second tap opens it and the third removes it. A tool without a
    word removes.
    """

    id: str
    text: str
    on: Literal["ground", "mark", "edge"]
    word: str = ""
    group: str = ""
    opens: bool = False
    side: str = ""
    home_edge: str = ""
    short: str = ""


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


class BadTap(CompanionError):
    """A tap that the tool cannot use."""


def tap_cell(board: Board, tool: BoardTool, cell: Cell, tools: Sequence[BoardTool]) -> Board:
    """The board after a tap on a cell; a second tap removes what the first one put there."""
    if cell not in board:
        raise BadTap(say("{cell} is not on the board", cell=cell_text(cell)))
    if tool.on == "edge":
        raise BadTap(say("{tool} stands on an edge, not on a cell", tool=tool.text))
    if tool.on == "mark":
        return replace(board, marks=tapped(board.marks, tool, cell, tools))
    return replace(board, ground=tapped(board.ground, tool, cell, tools))


def tapped(
    words: Mapping[Cell, tuple[str, ...]],
    tool: BoardTool,
    cell: Cell,
    tools: Sequence[BoardTool],
) -> dict[Cell, tuple[str, ...]]:
    """The words by cell after the tap; a cell without words is left out."""
    held = words.get(cell, ())
    rivals = {one.word for one in tools if one.on == tool.on and one.group == tool.group != ""}
    if not tool.word:
        kept: tuple[str, ...] = ()
    elif tool.word in held:
        kept = tuple(one for one in held if one != tool.word)
    else:
        kept = (*(one for one in held if one not in rivals), tool.word)
    if len(kept) > MOST_WORDS:
        raise BadTap(say("{cell} holds {n} words already", cell=cell_text(cell), n=MOST_WORDS))
    found = {other: value for other, value in words.items() if other != cell}
    if tool.side:
        alone = {other: tuple(one for one in found[other] if one != tool.word) for other in found}
        found = {other: value for other, value in alone.items() if value}
    return dict(sorted({**found, cell: kept}.items())) if kept else found


def tap_edge(board: Board, tool: BoardTool, one: Cell, two: Cell) -> Board:
    """The board after a tap on the edge between two cells: put there, opened, removed."""
    for cell in (one, two):
        if cell not in board:
            raise BadTap(say("{cell} is not on the board", cell=cell_text(cell)))
    if not board.next_to(one, two):
        raise BadTap(
            say("{one} and {two} do not share an edge", one=cell_text(one), two=cell_text(two))
        )
    if tool.on != "edge":
        raise BadTap(say("{tool} stands on a cell, not on an edge", tool=tool.text))
    place = edge(one, two)
    others = tuple(border for border in board.borders if border.edge != place)
    before = next((border for border in board.borders if border.edge == place), None)
    after: Border | None = Border(place, tool.word, False if tool.opens else None)
    if not tool.word:
        after = None
    elif before is not None and before.kind == tool.word:
        after = replace(before, open=True) if tool.opens and not before.open else None
    borders = (*others, after) if after is not None else others
    return replace(board, borders=tuple(sorted(borders, key=lambda border: border.edge)))
