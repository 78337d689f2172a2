"""Taps on the cells of a board: the cells that offers and prompts aim at, and what a tap does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from companion.app.context import AppContext
from companion.app.render.table_view import TableView
from companion.app.turn.card import offer_key
from companion.app.turn.card_column import CardColumn
from companion.app.turn.cell_taps import aiming, offer_against, target_at
from companion.engine.snapshot import Snapshot
from companion.games.api.offer import ActionOffer
from companion.games.api.target_cell import TargetCell
from companion.geometry.grid.placing import cell_at
from companion.overlay.footprints import outlines
from companion.overlay.shapes import Point


class BoardScreen(Protocol):
    """The table screen as taps on a board see it."""

    app: AppContext
    snapshot: Snapshot
    panel: CardColumn

    @property
    def panes(self) -> list[TableView]:
        """The views that draw the cells."""

    def send(self, *commands: Mapping[str, Any]) -> None:
        """Send commands to the game."""


class BoardTaps:
    """Aims the picked offer at cells and at the pieces on them."""

    def __init__(self, screen: BoardScreen) -> None:
        self.screen = screen

    def tap(self, point: Point) -> bool:
        """Aim the selected piece's offer at this cell; whether there was one."""
        screen, picked = self.screen, self.screen.panel.picked
        table = screen.snapshot.gridded
        cell = cell_at(table.board, *point) if table is not None else None
        if cell is None:
            return False
        found = target_at(screen.snapshot, picked, cell)
        if found is not None:
            self.take(*found)
            return True
        piece = screen.app.service.unit_at(point)
        offer = offer_against(screen.snapshot, picked, piece) if piece else None
        if offer is None:
            return False
        if offer_key(offer) == picked and offer.commands:
            screen.panel.take(offer)
        else:
            screen.panel.pick(offer)
        return True

    def take(self, offer: ActionOffer | None, target: TargetCell) -> None:
        """Do what a tap on this cell does."""
        moves = self.screen.snapshot.cell_moves
        if moves:
            self.screen.app.service.place_piece(moves[0].piece, target.cell)
        elif offer is None:
            self.screen.send(*target.commands)
        else:
            self.screen.panel.take(replace(offer, commands=target.commands))

    def show(self) -> None:
        """Draw the cells that may be tapped."""
        snapshot = self.screen.snapshot
        table = snapshot.gridded
        cells = [one for _offer, one in aiming(snapshot, self.screen.panel.picked)]
        found = outlines(table).get(str(snapshot.chosen), ()) if table is not None else ()
        for pane in self.screen.panes:
            pane.show_cells(cells, found)
