"""A board of the players' own, edited by taps: its map beside the tools."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.render.mesh_renderer import triangulate
from companion.app.render.table_view import TableView
from companion.app.render.theme import THEME
from companion.app.widgets.controls import Rows, TouchButton
from companion.engine.drawing.overlay_cache import OverlayCache, ScreenSize, badged_board_of
from companion.engine.snapshot import Snapshot
from companion.games.api.board_editor import BoardTool, tap_cell, tap_edge
from companion.games.api.new_game import SeatView
from companion.games.api.screen_views import PieceView
from companion.geometry.grid.placing import cell_at, nearest_edge
from companion.overlay.footprints import fitted, table_size
from companion.overlay.shapes import Point
from companion.session.game_view import GameView
from models import CompanionError
from models.board import Board, Cell
from models.board_table import BoardPiece, BoardTable

TOOLS_WIDE = 0.32
"""The share of the width that the tools take."""


class BoardPane(BoxLayout):
    """The map of a board beside its tools; `keep` gets the board after every tap."""

    def __init__(
        self,
        game: str,
        board: Board,
        tools: Sequence[BoardTool],
        translate: Callable[[str], str],
        keep: Callable[[Board], Any],
        complain: Callable[[str], Any],
    ) -> None:
        super().__init__(spacing=THEME.gap("small"))
        self.game, self.board, self.tools, self.translate = game, board, tuple(tools), translate
        self.keep, self.complain = keep, complain
        self.tool = self.tools[0]
        self.past: list[Board] = []
        self.stroke: list[Point] = []
        """Where a finger has passed that paints."""
        self.pane = TableView("map", self.tap, self.drag)
        self.pane.painted = True
        self.pane.badge_taps = lambda: False  # a tap is one on the cell, also under a name
        self.pane.compositor.clips = False
        self.cache = OverlayCache(triangulate, badged_board_of)
        self.list = Rows(size_hint=(TOOLS_WIDE, 1))
        self.add_widget(self.pane)
        self.add_widget(self.list)
        self.fill()
        self.pane.bind(size=self.draw)

    @property
    def shown(self) -> BoardTable:
        """The board as it lies on the map, with the pieces that are put on it."""
        return self.table_of(self.board)

    def table_of(self, board: Board) -> BoardTable:
        """The table of a board in the place of this one."""
        named = {one.word: one for one in self.tools if one.side}
        marks = board.marks
        stands = {word: cell for cell, words in marks.items() for word in words}
        pieces = tuple(  # in the order of their sides, which have their colours by it
            BoardPiece(word, one.side, self.translate(one.text), cell=stands[word])
            for word, one in named.items()
            if word in stands
        )
        rest = {cell: tuple(one for one in marks[cell] if one not in named) for cell in marks}
        edges = {one.side: one.home_edge for one in named.values() if one.home_edge}
        table = BoardTable(self.game, replace(board, marks=rest), pieces, edges)
        return fitted(table, (self.pane.width, self.pane.height))

    def labels(self, table: BoardTable) -> GameView:
        """What its pieces are called on the map: as in the game."""
        sides = dict.fromkeys(one.side for one in self.tools if one.side)
        seats = [SeatView(side, side, number) for number, side in enumerate(sides, 1)]
        shorts = {one.word: self.translate(one.short or one.text) for one in self.tools}
        pieces = [PieceView(one.id, one.name, shorts[one.id], one.side) for one in table.pieces]
        return GameView(tuple(seats), pieces=tuple(pieces))

    def fill(self) -> None:
        """Show the tools, the chosen one marked."""
        self.list.fill(
            [
                TouchButton(
                    self.translate(one.text),
                    partial(self.choose, one),
                    "ink" if one is self.tool else "plain",
                    align="left",
                    name=f"tool:{one.id}",
                )
                for one in self.tools
            ]
        )

    def choose(self, tool: BoardTool) -> None:
        """Use another tool."""
        self.tool = tool
        self.fill()

    def tap(self, point: Point) -> None:
        """Put the tool where the board was tapped, or remove it there."""
        board = self.shown.board
        try:
            if self.tool.on == "edge":
                found = nearest_edge(board, *point)
                if found is None:
                    return
                after = tap_edge(self.board, self.tool, *found)
            else:
                cell = cell_at(board, *point)
                if cell is None:
                    return
                after = tap_cell(self.board, self.tool, cell, self.tools)
        except CompanionError as error:
            self.complain(str(error))
            return
        self.past.append(self.board)
        self.change(after)

    def drag(self, phase: str, start: Point, here: Point) -> bool:
        """Paint the tool over the cells that a finger passes: one step, which undo takes back."""
        if self.tool.on == "edge" or self.tool.side:
            return False  # the map is shifted
        if phase == "down":
            self.stroke = [start]
            return cell_at(self.shown.board, *start) is not None
        if phase != "cancel":
            self.stroke.append(here)
            self.paint(done=phase == "up")
        return True

    def paint(self, done: bool) -> None:
        """Put the tool on every cell of the stroke, or remove it there if the first one has it."""
        board, tool = self.shown.board, self.tool
        cells = list(dict.fromkeys(cells_along(board, self.stroke)))
        words = self.board.ground if tool.on == "ground" else self.board.marks
        removes = tool.word in words.get(cells[0], ())
        painted = self.board
        try:
            for cell in cells:
                if not tool.word or (tool.word in words.get(cell, ())) == removes:
                    painted = tap_cell(painted, tool, cell, self.tools)
        except CompanionError as error:
            self.complain(str(error))
        if done:
            self.past.append(self.board)
            self.change(painted)
        elif len(cells) > 1:
            self.draw(board=painted)

    def undo(self) -> None:
        """Take the last tap or stroke back."""
        if self.past:
            self.change(self.past.pop())

    def change(self, board: Board) -> None:
        """Show and keep another board."""
        self.board = replace(board, at=None)
        self.keep(self.board)
        self.draw()

    def draw(self, *_: Any, board: Board | None = None) -> None:
        """Draw the board as large as possible, or what it becomes while a finger paints."""
        table = self.table_of(board or self.board)
        wide, deep = table_size(table)
        scale = max(0.96 * min(self.pane.width / wide, self.pane.height / deep), 4.0)
        self.cache.resize(ScreenSize(scale, unit_px=dp(1), dark=THEME.palette != "light"))
        self.cache.set_table(table, None)
        self.pane.show(Snapshot(table=table, map=self.cache.map(None), view=self.labels(table)))
        self.pane.lay()


def cells_along(board: Board, points: Sequence[Point]) -> Iterator[Cell]:
    """The cells under a line through these points."""
    for one, two in zip(points, points[1:] or points, strict=False):
        parts = max(1, math.ceil(math.dist(one, two) / (board.cell_in / 2)))
        for part in range(parts + 1):
            x, y = (a + (b - a) * part / parts for a, b in zip(one, two, strict=True))
            cell = cell_at(board, x, y)
            if cell is not None:
                yield cell
