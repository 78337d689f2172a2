"""A small map of where points come from, with a number at each token that gives some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kivy.graphics import Color, Ellipse, Line, Rectangle
from kivy.uix.boxlayout import BoxLayout

from companion.app.engine.snapshot import Snapshot
from companion.app.render.icon import icon_texture
from companion.app.render.table_view import TableView
from companion.app.render.theme import SKIN
from companion.app.render.vertex_batches import VertexBatches
from companion.app.widgets.score_chart import words
from companion.app.widgets.seat_banner import seat_mark, seat_place
from companion.games.api.seats import SeatView
from models import Table


class ScoreMap(BoxLayout):
    """The board without answers, and the offers on it."""

    def __init__(self) -> None:
        super().__init__()
        self.pane = TableView("map", lambda point: None, lambda *_: False)
        self.add_widget(self.pane)
        self._shown: tuple[Table | None, tuple[Mapping[str, Any], ...]] = (None, ())
        self.pane.bind(size=self.draw)
        self.marked: list[int] = []
        """The numbers of the offers that have a place on the map."""

    def put(
        self,
        table: Table,
        board: VertexBatches,
        offers: Sequence[Mapping[str, Any]],
    ) -> None:
        """Set the table and the offers, each at its token or unit."""
        self._shown = (table, tuple(offers))
        self.pane.show(Snapshot(table=table, map=board))
        self.draw()

    def hold(
        self,
        table: Table,
        board: VertexBatches,
        holders: Sequence[tuple[str, SeatView | None]],
    ) -> None:
        """Set the table, and who holds which of its objectives."""
        offers = tuple({"token": token, "seat": seat} for token, seat in holders)
        self.put(table, board, offers)

    def draw(self, *_: Any) -> None:
        """Draw the map as large as possible, with the marks."""
        table, offers = self._shown
        if table is None:
            return
        room = min(self.pane.width / self.pane.base[0], self.pane.height / self.pane.base[1])
        self.pane.zoom, self.pane.pan = max(room * 0.97, 0.2), (0.0, 0.0)
        self.pane.lay()
        group = self.pane.glass.quick
        group.clear()
        places = {one.id: (one.pose.x, one.pose.y) for one in table.units}
        places |= {token.id: (token.x, token.y) for token in table.objectives}
        self.marked = []
        for number, one in enumerate(offers, 1):
            token = one.get("token")
            if token not in places:
                continue
            self.marked.append(number)
            x, y = self.pane.pixels(places[token])
            near = 1 / self.pane.zoom
            radius = SKIN.size("body") * near
            if "seat" in one:
                self.ring(group, one["seat"], (x, y), radius * 1.15)
                continue
            group.add(Color(*SKIN.side(one["side"])))
            group.add(Ellipse(pos=(x - radius, y - radius), size=(2 * radius, 2 * radius)))
            group.add(Color(*SKIN.colour("on-accent")))
            group.add(Line(circle=(x, y, radius), width=1.6 * near))
            words(str(number), x, y, "on-accent", size="large", into=group, scale=near)

    def ring(
        self, group: Any, seat: SeatView | None, spot: tuple[float, float], radius: float
    ) -> None:
        """A ring in the colour of the holder with its mark; dashed and empty if nobody holds it."""
        x, y = spot
        role = f"side-{seat_place(seat)}" if seat is not None else "soft"
        group.add(Color(*SKIN.colour("back")))
        group.add(Ellipse(pos=(x - radius, y - radius), size=(2 * radius, 2 * radius)))
        group.add(Color(*SKIN.colour(role)))
        group.add(Line(circle=(x, y, radius), width=max(1.0, radius * 0.14)))
        if seat is None:
            return
        side = max(8, round(radius * 1.3))
        group.add(Color(*SKIN.colour(role)))
        group.add(
            Rectangle(
                texture=icon_texture(seat_mark(seat), side),
                pos=(x - side / 2, y - side / 2),
                size=(side, side),
            )
        )
