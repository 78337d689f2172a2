"""Moves a piece over the cells of a board: it snaps to the cell under the finger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Protocol

from kivy.clock import Clock

from companion.app.moving.ghost import CellGhost
from companion.app.moving.move_card import MoveCard
from companion.app.moving.tray_mover import MoverScreen
from companion.app.render.chip_layer import badge_icons
from companion.app.turn.option_row import OptionRow
from companion.app.widgets.controls import TouchButton
from companion.engine.app_words import _
from companion.engine.moves.cell_moves import cell_verdict
from companion.engine.snapshot import Snapshot
from companion.engine.turn.selection import akin, offer_key
from companion.games.api.prompt import ActionOffer, TargetCell
from companion.geometry.grid.placing import cell_at, cell_middle
from companion.overlay.shapes import Point
from companion.text.translation import capital
from models.board import Cell, cell_text
from models.board_table import BoardPiece, BoardTable


class CellScreen(MoverScreen, Protocol):
    """The table screen as this mover sees it."""

    def take_target(self, offer: ActionOffer | None, target: TargetCell) -> None:
        """Do what a tap on this cell does."""

    def send(self, *commands: Mapping[str, Any]) -> None:
        """Send commands to the game."""


class CellMover:
    """One piece at a time; `unit` is its id, empty while nothing is moved."""

    def __init__(self, screen: CellScreen) -> None:
        self.screen = screen
        self.unit = ""
        self.cell: Cell = (0, 0)
        self.offer: ActionOffer | None = None
        """The offer that carries it, if the players have picked one; of its family the one that
        they chose."""
        self.card = MoveCard(None, self.put_back, self.place)
        self._grip: Point = (0.0, 0.0)
        self._asked = 0

    @property
    def table(self) -> BoardTable | None:
        """The board that is played on."""
        return self.screen.snapshot.gridded

    @property
    def start(self) -> BoardPiece | None:
        """The piece where the game has it."""
        table = self.table
        return table.piece(self.unit) if table is not None and self.unit in table else None

    def take(self, unit: str, offer: ActionOffer | None = None) -> bool:
        """Take up a piece, for an offer or for any of its moves; whether it stands on a cell."""
        table = self.table
        piece = table.piece(unit) if table is not None and unit in table else None
        if piece is None or piece.cell is None:
            return False
        self.unit, self.cell, self.offer = unit, piece.cell, offer
        self.screen.choose(unit)
        self.screen.arrange()
        self.judge()
        return True

    def begin(self, unit: str, cell: Cell, offer: ActionOffer | None = None) -> bool:
        """Take up a piece and show it on a cell, with all cells that it would cover there."""
        taken = self.take(unit, offer)
        if taken:
            self.cell = cell
            self.judge()
        return taken

    def cancel(self) -> None:
        """Stop moving; the piece is where it was."""
        if not self.unit:
            return
        self.unit, self.offer = "", None
        self._asked += 1
        for pane in self.screen.panes:
            pane.show_ghost(None)
        self.screen.arrange()

    def put_back(self) -> None:
        """Put the piece back to where it was."""
        self.cancel()
        self.screen.choose(None)

    def place(self) -> None:
        """Move the piece to this cell, if it may."""
        found = self.target()
        if found is None:
            self.screen.app.toast(self.card.first.text, self.card.why.text)
            return
        self.cancel()
        self.screen.take_target(*found)

    def put(self) -> None:
        """Correct where the piece stands: what cards do, or a cell that was mistapped."""
        piece = self.screen.snapshot.piece(self.unit)
        command = {**piece.puts, "to": cell_text(self.cell)} if piece is not None else {}
        self.cancel()
        self.screen.send(command)

    # -- gestures ---------------------------------------------------------------------------

    def drag(self, step: str, start: Point, here: Point) -> bool:
        """Handle a drag; False if it begins on no piece."""
        piece = self.start
        if step == "down":
            unit = self.unit if self.lies_at(start) else self.screen.app.service.unit_at(start)
            if unit is None or (unit != self.unit and not self.take(unit)):
                return False
            taken = self.start
            assert taken is not None
            assert self.table is not None
            middle = cell_middle(self.table.board, self.cell, taken.size)
            self._grip = (middle[0] - start[0], middle[1] - start[1])
            return True
        if piece is not None and step in ("move", "up"):
            self.carry((here[0] + self._grip[0], here[1] + self._grip[1]), piece.size)
        return True

    def lies_at(self, point: Point) -> bool:
        """Whether the piece that is moved is shown at this point."""
        piece, table = self.start, self.table
        if not self.unit or piece is None or table is None:
            return False
        middle = cell_middle(table.board, self.cell, piece.size)
        reach = piece.size * table.board.cell_in / 2
        return all(abs(one - other) <= reach for one, other in zip(point, middle, strict=True))

    def tap(self, point: Point) -> None:
        """Take up the tapped piece, or put the one that is moved on this cell; a second tap on the
        cell places it."""
        unit, table = self.screen.app.service.unit_at(point), self.table
        if unit is not None and unit != self.unit:
            self.take(unit)
        elif self.target() is not None and table and cell_at(table.board, *point) == self.cell:
            self.place()
        elif self.unit:
            self.carry(point)

    def carry(self, centre: Point, size: int = 1) -> None:
        """Put the piece on the cell with this point in it; a large piece by its centre."""
        table = self.table
        if table is None or self.start is None:
            self.cancel()
            return
        back = (size - 1) / 2 * table.board.cell_in
        cell = cell_at(table.board, centre[0] - back, centre[1] - back)
        if cell is not None and cell != self.cell:
            self.cell = cell
            self.judge()

    # -- verdict ----------------------------------------------------------------------------

    def options(self) -> list[tuple[ActionOffer, TargetCell]]:
        """The offers that carry the piece to this cell, the best first."""
        return [
            (offer, found)
            for offer in self.screen.snapshot.offers
            if offer.piece == self.unit and offer.possible and self.meant(offer)
            if (found := offer.at(self.cell)) is not None
        ]

    def meant(self, offer: ActionOffer) -> bool:
        """Whether the players mean this offer: one of the picked family, else a mere move."""
        if self.offer is not None:
            return akin(offer, self.offer)
        return not offer.target and not offer.by_row

    def target(self) -> tuple[ActionOffer, TargetCell] | None:
        """The offer that moves the piece to this cell, if there is one: the chosen one."""
        options = self.options()
        key = offer_key(self.offer) if self.offer is not None else None
        chosen = (one for one in options if offer_key(one[0]) == key)
        return next(iter((*chosen, *options)), None)

    def choose(self, offer: ActionOffer) -> None:
        """Carry the piece by this offer of the family."""
        self.offer = offer
        self.judge()

    def judge(self) -> None:
        """Say whether the piece may go there, and why not."""
        piece, table = self.start, self.table
        if piece is None or table is None:
            return
        self._asked += 1
        found = self.target()
        if self.cell == piece.cell and found is None:
            self.show("", _("Not moved yet"), "")
        elif found is not None:
            where = self.screen.app.service.controller.game.place_name(self.unit, self.cell)
            verdict, why = told(*found, len(self.options()) > 1)
            self.show("yes", verdict, "\n".join(filter(None, (capital(_(where)), why))))
        elif self.offer is not None and self.offer.elsewhere:
            self.show("no", _("Not legal"), _(self.offer.elsewhere))
        else:
            self.show("no", _("Not legal"), "")
            self.ask_why(table, self.unit, self.cell, self._asked)

    def ask_why(self, table: BoardTable, unit: str, cell: Cell, number: int) -> None:
        """Let the worker find the rule that forbids it."""
        service = self.screen.app.service

        def job() -> None:
            why = cell_verdict(
                table, unit, cell, service.controller.game.readings(), service.snapshot
            )
            Clock.schedule_once(lambda _: self.heard(number, why), 0)

        service.ask(job)

    def heard(self, number: int, why: str) -> None:
        """The reason has come; it is dropped if the piece has gone on meanwhile."""
        if number == self._asked and self.unit:
            self.show("no", _("Not legal"), _(why))

    def show(self, tone: str, text: str, why: str) -> None:
        """Draw the ghost on every view, and the verdict on the card."""
        piece, table = self.start, self.table
        if piece is None or piece.cell is None or table is None:
            return
        snapshot = self.screen.snapshot
        place = badge_icons(snapshot).places.get(piece.side, 0)
        found = self.target() if tone == "yes" else None
        path = found[1].path if found is not None else ()
        ghost = CellGhost(
            piece.id, table.board, piece.cell, self.cell, piece.size, place, tone, path
        )
        for pane in self.screen.panes:
            pane.show_ghost(ghost)
        self.card.show(_("Place {unit}", unit=_(snapshot.name(self.unit))), None)
        self.card.judge(tone, text, why)
        shown = snapshot.piece(self.unit)
        by_hand = TouchButton(_("Put it here by hand"), self.put, name="put-by-hand")
        extra = [by_hand] if tone == "no" and shown is not None and shown.puts else []
        done = _(found[0].text) if found is not None and found[0].target else _("Done")
        self.card.choices(tone == "yes", text if tone == "no" else done, *extra)
        self.card.show_options(list(self.option_rows(found)))

    def option_rows(self, chosen: tuple[ActionOffer, TargetCell] | None) -> Iterator[OptionRow]:
        """A row for each offer of a family between which the players choose on this cell."""
        options = self.options() if chosen is not None else []
        for number, (offer, target) in enumerate(options if len(options) > 1 else ()):
            yield OptionRow(
                _(offer.variant or offer.text),
                partial(self.choose, offer),
                odds_line(offer) if offer.target else _(target.detail),
                kind=offer.kind,
                chosen=chosen is not None and offer == chosen[0],
                name=f"way:{number}",
            )

    def refresh(self, before: Snapshot) -> None:
        """After a new snapshot: drop a piece that is gone or that the game has moved."""
        if not self.unit:
            return
        piece, old = self.start, before.gridded
        was = old.piece(self.unit) if old is not None and self.unit in old else None
        if piece is None or piece.cell is None or (was is not None and was.cell != piece.cell):
            self.cancel()
        else:
            self.judge()


def told(offer: ActionOffer, target: TargetCell, asks: bool) -> tuple[str, str]:
    """What a piece does on a cell, as a line and what stands under it; the button may propose
    something else. Where it `asks` which of several, the rows tell their chances."""
    if not offer.target:
        first = _("Legal") if offer.variant else f"{_('Legal')}: {_(offer.text)}"
        return first, _(target.detail)
    parts = (_(target.detail), "" if asks else odds_line(offer))
    return _("Legal"), "\n".join(part for part in parts if part)


def odds_line(offer: ActionOffer) -> str:
    """The chances of an offer."""
    return " · ".join(_(part) for part in (offer.odds, offer.expected) if part)
