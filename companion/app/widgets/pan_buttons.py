"""Four buttons at the edges of a zoomed view, to pan it without dragging."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.uix.floatlayout import FloatLayout

from companion.app.render.theme import THEME
from companion.app.widgets.controls import TouchButton

SIDES: dict[str, tuple[str, tuple[int, int], dict[str, float]]] = {
    "left": ("←", (-1, 0), {"x": 0.01, "center_y": 0.5}),
    "right": ("→", (1, 0), {"right": 0.99, "center_y": 0.5}),
    "up": ("↑", (0, 1), {"center_x": 0.5, "top": 0.9}),
    "down": ("↓", (0, -1), {"center_x": 0.5, "y": 0.1}),
}
"""Symbol of each direction, the direction (right, up), and the place of its button."""


class PanButtons(FloatLayout):
    """Buttons that call `push` with the direction."""

    def __init__(self, push: Callable[[int, int], Any], **more: Any) -> None:
        super().__init__(**more)
        for side, (sign, way, spot) in SIDES.items():
            press = TouchButton(sign, partial(push, *way), name=f"push:{side}")
            press.size_hint, press.size = (None, None), (THEME.target, THEME.target)
            press.pos_hint = spot
            self.add_widget(press)
