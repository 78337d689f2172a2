"""A board that is edited by taps: a tool is chosen, cells and edges are tapped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.render.mesh_renderer import triangulate
from companion.app.render.table_view import TableView
from companion.app.render.theme import THEME
from companion.app.widgets.controls import Rows, TouchButton
from companion.engine.drawing.overlay_cache import OverlayCache, ScreenSize, board_of
from companion.engine.snapshot import Snapshot
from companion.games.api.board_editor import BoardTool
from companion.games.shared.board_editing import tap_cell, tap_edge
from companion.geometry.grid.placing import cell_at, nearest_edge
from companion.overlay.footprints import fitted, table_size
from companion.overlay.shapes import Point
from models import CompanionError
from models.board import Board
from models.board_table import BoardTable

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
        self.pane = TableView("map", self.tap, lambda *_: False)
        self.cache = OverlayCache(triangulate, board_of)
        self.list = Rows(size_hint=(TOOLS_WIDE, 1))
        self.add_widget(self.pane)
        self.add_widget(self.list)
        self.fill()
        self.pane.bind(size=self.draw)

    @property
    def shown(self) -> BoardTable:
        """The board as it lies on the map."""
        return fitted(BoardTable(self.game, self.board), (self.pane.width, self.pane.height))

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

    def undo(self) -> None:
        """Take the last tap back."""
        if self.past:
            self.change(self.past.pop())

    def change(self, board: Board) -> None:
        """Show and keep another board."""
        self.board = replace(board, at=None)
        self.keep(self.board)
        self.draw()

    def draw(self, *_: Any) -> None:
        """Draw the board as large as possible."""
        table = self.shown
        wide, deep = table_size(table)
        scale = max(0.96 * min(self.pane.width / wide, self.pane.height / deep), 4.0)
        self.cache.resize(ScreenSize(scale, unit_px=dp(1), dark=THEME.palette != "light"))
        self.cache.set_table(table, None)
        self.pane.show(Snapshot(table=table, map=self.cache.map(None)))
        self.pane.lay()
