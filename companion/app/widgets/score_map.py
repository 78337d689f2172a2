"""A small map of where points come from: a ring with the holder's mark at each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kivy.graphics import Color, Ellipse, Line, Rectangle
from kivy.uix.boxlayout import BoxLayout

from companion.app.render.icon import icon_texture
from companion.app.render.table_view import TableView
from companion.app.render.theme import THEME
from companion.app.widgets.seat_banner import seat_mark, seat_place
from companion.engine.snapshot import Snapshot
from companion.games.api.seats import SeatView
from companion.overlay.footprints import places
from models import Table
from models.any_table import AnyTable


class ScoreMap(BoxLayout):
    """The board without answers, with a ring for who holds what."""

    def __init__(self) -> None:
        super().__init__()
        self.pane = TableView("map", lambda point: None, lambda *_: False)
        self.add_widget(self.pane)
        self._shown: tuple[AnyTable | None, tuple[tuple[str, SeatView | None], ...]] = (None, ())
        self.pane.bind(size=self.draw)

    def show(self, snapshot: Snapshot, holders: Sequence[tuple[str, SeatView | None]]) -> None:
        """Show the table of a snapshot, and who holds which of its objectives."""
        self._shown = (snapshot.table, tuple(holders))
        board = replace(snapshot, map=snapshot.board, picture=None, chosen=None, offers=())
        self.pane.show(board)
        self.draw()

    def draw(self, *_: Any) -> None:
        """Draw the map as large as possible, with the marks."""
        table, holders = self._shown
        if table is None:
            return
        room = min(self.pane.width / self.pane.base[0], self.pane.height / self.pane.base[1])
        self.pane.zoom, self.pane.pan = max(room * 0.97, 0.2), (0.0, 0.0)
        self.pane.lay()
        group = self.pane.compositor.quick
        group.clear()
        spots = places(table)
        if isinstance(table, Table):
            spots |= {token.id: (token.x, token.y) for token in table.objectives}
        near = 1 / self.pane.zoom
        for piece, seat in holders:
            if piece in spots:
                x, y = self.pane.pixels(spots[piece])
                self.ring(group, seat, (x, y), THEME.size("body") * near * 1.15)

    def ring(
        self, group: Any, seat: SeatView | None, spot: tuple[float, float], radius: float
    ) -> None:
        """A ring in the colour of the holder with its mark; dashed and empty if nobody holds it."""
        x, y = spot
        role = f"side-{seat_place(seat)}" if seat is not None else "soft"
        group.add(Color(*THEME.colour("back")))
        group.add(Ellipse(pos=(x - radius, y - radius), size=(2 * radius, 2 * radius)))
        group.add(Color(*THEME.colour(role)))
        group.add(Line(circle=(x, y, radius), width=max(1.0, radius * 0.14)))
        if seat is None:
            return
        side = max(8, round(radius * 1.3))
        group.add(Color(*THEME.colour(role)))
        group.add(
            Rectangle(
                texture=icon_texture(seat_mark(seat), side),
                pos=(x - side / 2, y - side / 2),
                size=(side, side),
            )
        )
