"""The pictures of the home screen: one that fills its widget behind a title, and small tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from kivy.core.image import Image as CoreImage
from kivy.graphics import Color, Line, Mesh, Quad, Rectangle, RoundedRectangle
from kivy.graphics.instructions import InstructionGroup
from kivy.graphics.texture import Texture
from kivy.metrics import dp
from kivy.uix.widget import Widget
from numpy.typing import NDArray

from companion.app.render.theme import FONTS, THEME
from companion.app.widgets.controls import Text
from models import Table
from models.unit import corners

CREAM = (244 / 255, 239 / 255, 228 / 255, 1.0)


ROWS = np.linspace(0.0, 1.0, 64)
"""The heights of a shade, from its lower edge."""
EDGES = np.clip((ROWS - 0.55) / 0.35, 0.0, 1.0) * 0.86 + np.clip((0.2 - ROWS) / 0.2, 0, 1) * 0.6
"""Grows towards the upper and the lower edge."""
BEHIND_TEXT = np.clip(ROWS / 0.35, 0.0, 1.0) * 0.6
"""Besides that it is dark behind the title, for the badges in the picture are no text."""


def shade(dark: NDArray[np.float64]) -> Texture:
    """Black of this strength in each row."""
    pixels = np.zeros((len(dark), 1, 4), np.uint8)
    pixels[..., 3] = np.clip(dark * 255, 0, 255).astype(np.uint8)[:, None]
    texture = Texture.create(size=(1, len(dark)), colorfmt="rgba")
    texture.blit_buffer(pixels.tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    return texture


class HeroPicture(Widget):
    """The picture with a title and a line under it; the middle of the picture is always seen."""

    def __init__(self, path: Path, title: str, under: str, **more: Any) -> None:
        super().__init__(**more)
        self._texture = CoreImage(str(path)).texture
        with self.canvas:
            Color(1, 1, 1, 1)
            self._drawn = Rectangle(texture=self._texture)
            self._dark = Rectangle(texture=shade(EDGES))
            self._behind = Rectangle(texture=shade(BEHIND_TEXT))
        self.title = Text(title, "huge", CREAM, bold=True)
        self.title.font_name = FONTS["title"]
        self.under = Text(under, "large", CREAM)
        for one in (self.title, self.under):
            self.add_widget(one)
            one.bind(height=self._arrange)
        self.bind(pos=self._arrange, size=self._arrange)

    def _arrange(self, *_: Any) -> None:
        self._dark.pos = self._drawn.pos = self.pos
        self._dark.size = self._drawn.size = self.size
        wide, high = self._texture.size
        if self.width > 1 and self.height > 1:
            share = min(wide / self.width, high / self.height)
            across, along = self.width * share / wide, self.height * share / high
            left, low = (1 - across) * 0.42, (1 - along) * 0.5
            right, top = left + across, low + along
            self._drawn.tex_coords = (left, 1 - low, right, 1 - low, right, 1 - top, left, 1 - top)
        gap = THEME.gap("wide") + dp(6)
        size = THEME.size("huge")
        self.title.font_size = min(size, self.width / 10.6)
        for one in (self.title, self.under):
            one.width = max(1.0, self.width - 2 * gap)
        self.title.pos = (self.x + gap, self.y + self.height - gap - self.title.height)
        self.under.pos = (self.x + gap, self.title.y - dp(4) - self.under.height)
        low = self.under.y - 3 * gap
        self._behind.pos, self._behind.size = (self.x, low), (self.width, self.top - low)


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
