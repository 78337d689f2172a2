"""What a tap on the table does: measures with the ruler, shows a unit, chooses a cell of a
board.
"""

from __future__ import annotations

import time
from typing import Protocol

from kivy.clock import Clock

from companion.app.context import AppContext
from companion.app.render.table_view import TableView
from companion.app.turn.card_column import CardColumn
from companion.engine.app_words import _
from companion.engine.moves.cell_moves import cell_verdict
from companion.engine.moves.cell_ways import MOVES, way_name
from companion.engine.snapshot import Snapshot
from companion.engine.turn.aimed_cells import aiming, target_at
from companion.games.api.prompt import ActionOffer, TargetCell
from companion.geometry.grid.placing import cell_at
from companion.overlay.footprints import outlines
from companion.overlay.shapes import Point
from models.board import Cell
from models.board_table import BoardTable


class RulerScreen(Protocol):
    """What the ruler needs of the table screen."""

    app: AppContext

    @property
    def panes(self) -> list[TableView]:
        """The views that draw the ruler."""


class TableRuler:
    """Lies between two points, set by two taps or by a drag."""

    def __init__(self, screen: RulerScreen) -> None:
        self.screen = screen
        self.ends: tuple[Point, Point] | None = None

    def tap(self, point: Point) -> None:
        """Set one end, then the other."""
        if self.ends is None or self.ends[0] != self.ends[1]:
            self.lay(point, point)
        else:
            self.lay(self.ends[0], point)

    def drag(self, step: str, start: Point, here: Point) -> bool:
        """Lay the ruler along a drag; a drag never pans while measuring."""
        if step not in ("cancel", "down"):
            self.lay(start, here)
        return True

    def remove(self) -> None:
        self.ends = None
        for pane in self.screen.panes:
            pane.measure(None)

    def lay(self, start: Point, end: Point) -> None:
        """Place the ruler between two points."""
        self.ends = (start, end)
        length = self.screen.app.service.measured(start, end) if start != end else ""
        for pane in self.screen.panes:
            pane.measure(self.ends, length)


MARK_S = 0.12
"""The selected tray is outlined if its overlay takes longer than this to draw."""
PATIENCE_S = 0.5
"""The longest time for which frames are skipped while a tap waits for its overlay."""


class TappedScreen(Protocol):
    """The table screen as a tap sees it."""

    app: AppContext
    snapshot: Snapshot

    @property
    def panes(self) -> list[TableView]:
        """The views that show the answer."""


class TapAnswer:
    """The unit tapped last, and until when its overlay is waited for."""

    def __init__(self, screen: TappedScreen) -> None:
        self.screen = screen
        self._unit: str | None = None
        self._until_s = 0.0

    @property
    def waiting(self) -> bool:
        """Whether frames are skipped so that the overlay comes sooner."""
        return time.monotonic() < self._until_s

    def drawn(self, unit: str | None) -> None:
        """The overlay of a unit is there."""
        if unit == self._unit:
            self._until_s = 0.0

    def choose(self, unit: str | None, by_itself: bool = False) -> None:
        """Select a unit; its tray is outlined if its overlay is slow."""
        service = self.screen.app.service
        if self.screen.snapshot.gridded is not None:  # a board is drawn at once
            service.choose(unit, by_itself)
            return
        for pane in self.screen.panes:
            pane.unmark()
        now = time.monotonic()
        self._unit, self._until_s = unit, now + PATIENCE_S
        service.choose(unit, by_itself)
        self.mark(unit, now + MARK_S)

    def mark(self, unit: str | None, due_s: float) -> None:
        """Outline the tapped tray if its overlay is not there by this time."""
        if time.monotonic() < due_s:
            # Kivy counts a delay from its last frame, which may already be that old.
            Clock.schedule_once(lambda _: self.mark(unit, due_s), 0)
            return
        table = self.screen.snapshot.table
        if self._unit == unit and self._until_s and table is not None and unit in table:
            for pane in self.screen.panes:
                pane.mark(outlines(table)[str(unit)])


class BoardScreen(Protocol):
    """The table screen as taps on a board see it."""

    app: AppContext
    snapshot: Snapshot
    panel: CardColumn

    @property
    def panes(self) -> list[TableView]:
        """The views that draw the cells."""

    def begin_move(self, piece: str, cell: Cell, offer: ActionOffer | None = None) -> None:
        """Take up a piece and show it on a cell, for an offer."""


class BoardTaps:
    """Aims the picked offer at cells and at the pieces on them."""

    def __init__(self, screen: BoardScreen) -> None:
        self.screen = screen

    def tap(self, point: Point) -> bool:
        """Aim the selected piece's offer at this cell; whether there was one."""
        screen = self.screen
        table = screen.snapshot.gridded
        cell = cell_at(table.board, *point) if table is not None else None
        if table is None or cell is None:
            return False
        unit, piece = screen.app.service.unit_at(point), screen.snapshot.chosen
        found = target_at(screen.snapshot, screen.panel.turn.picked, cell, point)
        if found is not None and found[0] is not None and way_name(found[0]):
            screen.begin_move(str(piece), found[1].cell, found[0])
            return True
        if screen.panel.turn.tap_cell(cell, unit, point):
            screen.panel.build()
            return True
        if unit is not None or not self.aimed():
            return False
        self.say_why(table, str(screen.snapshot.chosen), cell)
        return True

    def aimed(self) -> bool:
        """Whether the selected piece has cells to go to: a tap beside them is a slip."""
        snapshot = self.screen.snapshot
        return any(
            offer is not None for offer, _cells in aiming(snapshot, self.screen.panel.turn.picked)
        )

    def say_why(self, table: BoardTable, piece: str, cell: Cell) -> None:
        """Say why the selected piece cannot go to this cell, or why the picked action is not aimed
        at it; the piece stays selected."""
        app, snapshot = self.screen.app, self.screen.snapshot
        picked = self.screen.panel.turn.picked_offer()
        if picked is None:  # one that says itself why it goes nowhere else
            aims = (offer for offer, _cells in aiming(snapshot, None) if offer is not None)
            picked = next((offer for offer in aims if offer.elsewhere), None)
        if picked is not None and picked.kind not in MOVES:
            app.toast(f"{_(picked.text)}: {_(picked.elsewhere) or _('Tap a marked space')}")
            return

        def job() -> None:
            readings = app.service.controller.game.readings()
            why = cell_verdict(table, piece, cell, readings, app.service.snapshot)
            Clock.schedule_once(lambda _tick: app.toast(_(why) or _("Tap a marked space")), 0)

        app.service.ask(job)

    def take(self, offer: ActionOffer | None, target: TargetCell) -> None:
        """Do what a tap on this cell does."""
        self.screen.panel.done(self.screen.panel.turn.take_cell(offer, target))

    def show(self) -> None:
        """Draw the cells that may be tapped, the outline of the piece that a row shows, and a tick
        on those that are chosen in the form on the card."""
        snapshot, panel = self.screen.snapshot, self.screen.panel
        shown, form = panel.shown_piece, panel.form
        table = snapshot.table if shown or form else snapshot.gridded
        cells = [one for _offer, one in aiming(snapshot, panel.turn.picked)]
        around = outlines(table) if table is not None else {}
        named = form.filled.chosen() if form is not None else frozenset[str]()
        ticked = [outline for piece, outline in around.items() if piece in named]
        about = around.get(shown or str(snapshot.chosen), ()) if shown or snapshot.gridded else ()
        for pane in self.screen.panes:
            pane.show_cells(cells, about, ticked)
