"""A small picture of a table: the ground, terrain, and each side's trays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.graphics import Color, Line, Mesh, Quad, RoundedRectangle
from kivy.graphics.instructions import InstructionGroup
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from models import Table
from models.footprint import corners


class MiniTable(Widget):
    """The table of a saved game, as large as its widget allows; nothing on it can be touched."""

    def __init__(self, table: Table, side_dp: float = 56) -> None:
        share = table.depth / max(table.width, 1e-6)
        wide, high = (side_dp, side_dp * share) if share <= 1 else (side_dp / share, side_dp)
        super().__init__(size_hint=(None, None), size=(dp(wide), dp(high)))
        self.table = table
        self._drawn = InstructionGroup()
        self.canvas.add(self._drawn)
        self.bind(pos=self.draw, size=self.draw)
        self.draw()

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point of the table (inches) in the window."""
        table = self.table
        return self.x + x / table.width * self.width, self.y + y / table.depth * self.height

    def draw(self, *_: Any) -> None:
        """Draw everything at its place."""
        add, table = self._drawn.add, self.table
        self._drawn.clear()
        add(Color(*THEME.colour("cloth")))
        add(RoundedRectangle(pos=self.pos, size=self.size, radius=[dp(4)]))
        add(Color(*THEME.colour("cloth-line")))
        for piece in table.terrain:
            self._fan([self.at(*point) for point in piece.outline])
        for unit in table.units:
            add(Color(*THEME.side(unit.side)))
            spots = [part for point in corners(unit) for part in self.at(*point)]
            add(Quad(points=spots) if len(spots) == 8 else Line(points=spots, close=True))
        add(Color(*THEME.colour("line")))
        add(Line(rounded_rectangle=(*self.pos, *self.size, dp(4)), width=dp(1)))

    def _fan(self, ring: Sequence[tuple[float, float]]) -> None:
        """Fill an outline, which is nearly convex at this size."""
        flat = [value for x, y in ring for value in (x, y, 0.0, 0.0)]
        self._drawn.add(Mesh(vertices=flat, indices=[*range(len(ring))], mode="triangle_fan"))
