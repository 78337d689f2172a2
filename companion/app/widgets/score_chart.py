"""The score drawn: a line chart by round, and a small map of where points come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Ellipse, InstructionGroup, Line, Rectangle
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.render.table_view import TableView
from companion.app.render.theme import THEME
from companion.app.widgets.controls import SIGN_FONT
from companion.app.widgets.icon import icon_texture
from companion.app.widgets.seat_widgets import seat_mark, seat_place
from companion.engine.snapshot import Snapshot
from companion.games.api.new_game import SeatView
from companion.overlay.footprints import flag_spot, places
from models import Table
from models.table import AnyTable

Scores = Sequence[tuple[int, Mapping[str, int]]]


class ScoreChart(Widget):
    """Every line begins at zero; the goal is a dashed line."""

    def __init__(self, scores: Scores, sides: Sequence[str], goal: int | None = None) -> None:
        super().__init__(size_hint_y=None, height=dp(190))
        self.points = [(0, dict.fromkeys(sides, 0)), *scores]
        self.sides, self.goal = tuple(sides), goal
        self.bind(pos=self.draw, size=self.draw)

    def draw(self, *_: Any) -> None:
        """Draw the chart for the current size."""
        self.canvas.clear()
        # Kivy updates `right` and `top` after the handlers of `size`.
        left, right = self.x + dp(34), self.x + self.width - dp(96)
        low, high = self.y + dp(26), self.y + self.height - dp(12)
        last = max(1, self.points[-1][0])
        values = [one.get(side, 0) for _, one in self.points for side in self.sides]
        top = max([1, self.goal or 0, *values])
        bottom = min([0, *values])

        def place(number: int, score: int) -> tuple[float, float]:
            share = (score - bottom) / (top - bottom)
            return left + (right - left) * number / last, low + (high - low) * share

        with self.canvas:
            for score in sorted({bottom, top, *range(bottom, top, max(1, (top - bottom) // 4))}):
                Color(*THEME.colour("line", 0.6))
                x, y = place(0, score)
                Line(points=[x, y, right, y], width=1)
                words(str(score), x - dp(8), y, "faint", "right")
            if self.goal:
                Color(*THEME.colour("accent"))
                y = place(0, self.goal)[1]
                Line(points=[left, y, right, y], width=1, dash_length=6, dash_offset=4)
            for number, _score in self.points:
                words(str(number), place(number, bottom)[0], low - dp(12), "soft")
            for side in self.sides:
                way = [place(number, one.get(side, 0)) for number, one in self.points]
                Color(*THEME.side(side))
                if len(set(way)) > 1:  # kivy draws a line of one point across the window
                    Line(points=[value for spot in way for value in spot], width=dp(1.6))
                for x, y in way:
                    words(THEME.mark(side), x, y, THEME.side(side))
            final = {side: self.points[-1][1].get(side, 0) for side in self.sides}
            order = sorted(self.sides, key=final.__getitem__)
            wanted = [place(last, final[side])[1] for side in order]
            for side, height in zip(order, apart(wanted, dp(18), low, high), strict=True):
                told = f"{THEME.mark(side)} {final[side]}"
                words(told, right + dp(14), height, THEME.side(side), "left", "large")


def apart(wanted: Sequence[float], step: float, low: float, high: float) -> list[float]:
    """Heights that rise by a step at least, near those wanted, from the lowest one on; within a
    frame if it is high enough."""
    found: list[float] = []
    for height in wanted:
        found.append(max(height, low, found[-1] + step if found else low))
    ceiling = high
    for number in reversed(range(len(found))):
        found[number] = min(found[number], ceiling)
        ceiling = found[number] - step
    return found


def words(
    text: str,
    x: float,
    y: float,
    colour: str | tuple[float, float, float, float],
    align: str = "center",
    size: str = "small",
    into: InstructionGroup | None = None,
    scale: float = 1.0,
) -> None:
    """Draw text around a point, into a group or the current canvas."""
    label = CoreLabel(text=text, font_size=THEME.size(size), font_name=SIGN_FONT)
    label.refresh()
    wide, high = (length * scale for length in label.texture.size)
    shift = {"center": wide / 2, "right": wide, "left": 0}[align]
    shade = Color(*(THEME.colour(colour) if isinstance(colour, str) else colour))
    place = (x - shift, y - high / 2)
    letters = Rectangle(texture=label.texture, pos=place, size=(wide, high))
    if into is not None:
        into.add(shade)
        into.add(letters)


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
            spots |= {unit.id: flag_spot(table, unit) for unit in table.units}
            spots |= {token.id: (token.x, token.y) for token in table.tokens}
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
