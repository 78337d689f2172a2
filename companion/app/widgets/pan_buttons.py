"""Four buttons at the rims of a magnified view: a finger on it is not the only way to push it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.uix.floatlayout import FloatLayout

from companion.app.render.theme import SKIN
from companion.app.widgets.controls import TouchButton

SIDES: dict[str, tuple[str, tuple[int, int], dict[str, float]]] = {
    "left": ("←", (-1, 0), {"x": 0.01, "center_y": 0.5}),
    "right": ("→", (1, 0), {"right": 0.99, "center_y": 0.5}),
    "up": ("↑", (0, 1), {"center_x": 0.5, "top": 0.9}),
    "down": ("↓", (0, -1), {"center_x": 0.5, "y": 0.1}),
}
"""The sign of each side, which way it looks (right, up), and where its button lies."""


class PanButtons(FloatLayout):
    """`push` hears which way to look."""

    def __init__(self, push: Callable[[int, int], Any], **more: Any) -> None:
        super().__init__(**more)
        for side, (sign, way, spot) in SIDES.items():
            press = TouchButton(sign, partial(push, *way), name=f"push:{side}")
            press.size_hint, press.size = (None, None), (SKIN.target, SKIN.target)
            press.pos_hint = spot
            self.add_widget(press)
