"""What something on a board looks like, drawn beside its words."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME, middle
from companion.overlay.board_sample import sample_picture
from companion.overlay.map_theme import DARK, LIGHT

HIGH_DP = 44


class SampleView(Widget):
    """A part of a board in the colours of the map."""

    def __init__(self, drawn: str) -> None:
        high = round(dp(HIGH_DP))
        picture = sample_picture(drawn, high, LIGHT if THEME.palette == "light" else DARK)
        super().__init__(size_hint=(None, None), size=picture.size)
        self.drawn = drawn
        texture = Texture.create(size=picture.size, colorfmt="rgb")
        texture.flip_vertical()
        texture.blit_buffer(picture.tobytes(), colorfmt="rgb", bufferfmt="ubyte")
        with self.canvas:
            Color(1, 1, 1, 1)
            self._drawn = Rectangle(texture=texture, size=picture.size)
        self.bind(pos=self._arrange, size=self._arrange)

    def _arrange(self, *_: Any) -> None:
        x, y = middle(self)
        wide, high = self._drawn.size
        self._drawn.pos = (round(x - wide / 2), round(y - high / 2))
