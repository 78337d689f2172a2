"""A die of six faces, drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.graphics import Color, Ellipse, Line, RoundedRectangle
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME

PIPS = {
    1: ((0.5, 0.5),),
    2: ((0.27, 0.73), (0.73, 0.27)),
    3: ((0.27, 0.73), (0.5, 0.5), (0.73, 0.27)),
    4: ((0.27, 0.73), (0.73, 0.73), (0.27, 0.27), (0.73, 0.27)),
    5: ((0.27, 0.73), (0.73, 0.73), (0.5, 0.5), (0.27, 0.27), (0.73, 0.27)),
    6: ((0.27, 0.76), (0.73, 0.76), (0.27, 0.5), (0.73, 0.5), (0.27, 0.24), (0.73, 0.24)),
}
"""The positions of the pips on each face."""


DIE_EDGE = (0.42, 0.39, 0.33, 1.0)
"""The outline of a die: it is cream, and so may be the ground."""


class Die(ButtonBehavior, Widget):
    """A button drawn as one face of a die."""

    def __init__(
        self, face: int, act: Callable[[], Any] | None, side_dp: float = 52, dim: bool = False
    ) -> None:
        super().__init__(size_hint=(None, None), size=(dp(side_dp), dp(side_dp)))
        self.face, self._act = face, act
        self.name = f"die:{face}"
        with self.canvas:
            Color(*(THEME.colour("line") if dim else (0.97, 0.95, 0.9, 1)))
            self._body = RoundedRectangle(radius=[dp(9)])
            Color(*DIE_EDGE)
            self._rim = Line(width=dp(1.2))
            Color(0.1, 0.1, 0.12, 1)
            self._pips = [Ellipse() for _ in PIPS[face]]
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: Any) -> None:
        inner = dp(3)
        side = min(self.width, self.height) - 2 * inner
        left, low = self.x + (self.width - side) / 2, self.y + (self.height - side) / 2
        self._body.pos, self._body.size = (left, low), (side, side)
        self._rim.rounded_rectangle = (left, low, side, side, dp(9))
        wide = side * 0.19
        for pip, (x, y) in zip(self._pips, PIPS[self.face], strict=True):
            pip.pos = (left + x * side - wide / 2, low + y * side - wide / 2)
            pip.size = (wide, wide)

    def on_release(self) -> None:
        """Call the die's action."""
        if self._act is not None:
            self._act()
