"""The score by round as a line chart; each side has its colour, symbol and name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, InstructionGroup, Line, Rectangle
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.widgets.controls import SIGN_FONT

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
            heights: list[float] = []
            for side in self.sides:
                way = [place(number, one.get(side, 0)) for number, one in self.points]
                Color(*THEME.side(side))
                if len(set(way)) > 1:  # kivy draws a line of one point across the window
                    Line(points=[value for spot in way for value in spot], width=dp(1.6))
                for x, y in way:
                    words(THEME.mark(side), x, y, THEME.side(side))
                height = way[-1][1]
                while any(abs(height - other) < dp(18) for other in heights):
                    height -= dp(18)
                heights.append(height)
                told = f"{THEME.mark(side)} {self.points[-1][1].get(side, 0)}"
                words(told, right + dp(14), height, THEME.side(side), "left", "large")


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
