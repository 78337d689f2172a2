"""A row of a card: a sign, a title, a line under it, and a short text at its right edge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.graphics import Color, Line
from kivy.metrics import dp

from companion.app.render.theme import THEME
from companion.app.widgets.controls import Text, TouchButton
from companion.app.widgets.icon import IconView, icon_of

LETTER = 0.62
"""The width of a letter compared with its size, on average."""
HIGH_DP = 58
EDGE_LETTERS = 8
"""Longer words at the edge of a row would leave its title too narrow: they stand under it."""


DOT, LEADING_DOT = " · ", " ·\u00a0"
"""What parts the facts of a row: where a line ends between them it leads the next one."""


class OptionRow(TouchButton):
    """A button for one action or choice; the chosen one has an outline."""

    def __init__(
        self,
        text: str,
        act: Callable[[], Any] | None = None,
        detail: str = "",
        edge: str = "",
        kind: str = "",
        chosen: bool = False,
        **more: Any,
    ) -> None:
        more.setdefault("align", "left")
        if len(edge) > EDGE_LETTERS:
            edge, detail = "", "\n".join(line for line in (edge, detail) if line)
        super().__init__(text, act, under=detail.replace(DOT, LEADING_DOT), **more)
        self.label.bold = True
        self.sign, self.edge = icon_of(kind), edge
        self.side = Text(edge, "large", bold=True, align="right", grow=False)
        with self.canvas.after:
            self._line_colour = Color(0, 0, 0, 0)
            self._line = Line(width=dp(1.5))
        self.side.size_hint = (None, None)
        self.add_widget(self.side)
        self.mark = IconView(self.sign, 24, "soft") if self.sign else None
        if self.mark is not None:
            self.add_widget(self.mark)
        left = dp(44) if self.sign else THEME.gap()
        right = THEME.gap() + (dp(8) + self.edge_width() if edge else 0)
        self.padding = (left, dp(7), right, dp(7))
        self.floor = dp(HIGH_DP)
        self.choose(chosen)
        self.bind(pos=self._lay, size=self._lay)

    def edge_width(self) -> float:
        """The width that the text at the right edge needs."""
        return max(dp(24), len(self.edge) * THEME.size("large") * LETTER)

    def choose(self, chosen: bool) -> None:
        """Draw or remove the outline of the chosen row."""
        self.chosen = chosen
        self._line_colour.rgba = THEME.colour("text") if chosen else (0, 0, 0, 0)

    def stretch(self, floor: float) -> None:
        """Never lower than a row of a card is."""
        super().stretch(max(floor, dp(HIGH_DP)))

    def _lay(self, *_: Any) -> None:
        self.side.size = (self.edge_width(), self.height)
        self.side.pos = (self.x + self.width - THEME.gap() - self.side.width, self.y)
        if self.mark is not None:
            self.mark.pos = (self.x + dp(12), self.y + (self.height - self.mark.height) / 2)
        inner = (self.x + 1, self.y + 1, max(1, self.width - 2), max(1, self.height - 2))
        self._line.rounded_rectangle = (*inner, THEME.radius)
