"""A row of a card: a sign, a title, a line under it, and a short text at its right edge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.graphics import Color, Line
from kivy.metrics import dp

from companion.app.render.theme import SKIN
from companion.app.widgets.controls import Text, TouchButton

SIGNS = {
    "charge": "⇒",
    "shot": "⇢",
    "bow": "⇢",
    "melee": "×",
    "swords": "×",
    "break": "×",
    "move": "↑",
    "maneuver": "↑",
    "march": "⇑",
    "retreat": "↓",
    "forgo": "–",
    "pass": "–",
    "ask": "?",
    "undo": "↶",
}
"""The sign of an action's kind."""
LETTER = 0.62
"""The width of a letter compared with its size, on average."""
HIGH_DP = 58


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
        super().__init__(text, act, under=detail, **more)
        self.label.bold = True
        self.sign, self.edge = SIGNS.get(kind, ""), edge
        self.side = Text(edge, "large", bold=True, align="right", grow=False)
        self.mark = Text(self.sign, "large", "soft", align="center", grow=False)
        with self.canvas.after:
            self._line_colour = Color(0, 0, 0, 0)
            self._line = Line(width=dp(1.5))
        for one in (self.side, self.mark):
            one.size_hint = (None, None)
            self.add_widget(one)
        left = dp(38) if self.sign else SKIN.gap()
        right = SKIN.gap() + (dp(8) + self.edge_width() if edge else 0)
        self.padding = (left, dp(7), right, dp(7))
        self.floor = dp(HIGH_DP)
        self.choose(chosen)
        self.bind(pos=self._lay, size=self._lay)

    def edge_width(self) -> float:
        """The width that the text at the right edge needs."""
        return max(dp(24), len(self.edge) * SKIN.size("large") * LETTER)

    def choose(self, chosen: bool) -> None:
        """Draw or remove the outline of the chosen row."""
        self.chosen = chosen
        self._line_colour.rgba = SKIN.colour("text") if chosen else (0, 0, 0, 0)

    def stretch(self, floor: float) -> None:
        """Never lower than a row of a card is."""
        super().stretch(max(floor, dp(HIGH_DP)))

    def _lay(self, *_: Any) -> None:
        self.side.size = (self.edge_width(), self.height)
        self.side.pos = (self.right - SKIN.gap() - self.side.width, self.y)
        self.mark.size = (dp(38), self.height)
        self.mark.pos = self.pos
        inner = (self.x + 1, self.y + 1, max(1, self.width - 2), max(1, self.height - 2))
        self._line.rounded_rectangle = (*inner, SKIN.radius)
