"""Icons, marks and seat shapes as textures and widgets."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.metrics import dp
from kivy.uix.widget import Widget
from PIL import Image, ImageDraw

from companion.app.render.middle import middle
from companion.app.render.theme import THEME, Colour
from companion.overlay.icons import FIELD, MARK_NAMES, STROKE, outline, strokes

FINE = 4
"""Drawings are painted this many times larger and then reduced."""


@lru_cache(maxsize=256)
def icon_texture(name: str, size: int, stroke: float = STROKE, filled: bool = False) -> Texture:
    """An icon or a mark in white, `size` pixels wide, to be tinted by the colour before it."""
    scale = size * FINE / FIELD
    mask = Image.new("L", (size * FINE, size * FINE))
    pen = ImageDraw.Draw(mask)
    width = stroke * scale
    for line in strokes(name):
        points = [(x * scale, y * scale) for x, y in line]
        if filled and len(points) > 2:
            pen.polygon(points, fill=255)
        pen.line(points, fill=255, width=max(1, round(width)), joint="curve")
        for x, y in (points[0], points[-1]):
            pen.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=255)
    return texture_of(mask.resize((size, size), Image.Resampling.BOX))


@lru_cache(maxsize=64)
def seat_texture(place: int, mark: str, size: int, fill: Colour, edge: Colour) -> Texture:
    """The shape of a seat in its colours, with its mark in white."""
    big = size * FINE
    image = Image.new("RGBA", (big, big))
    pen = ImageDraw.Draw(image)
    rim = outline(place, (big / 2, big / 2), big - 2 * FINE)
    pen.polygon(rim, fill=bytes_of(fill))
    pen.line([*rim, rim[0], rim[1]], fill=bytes_of(edge), width=round(0.06 * big), joint="curve")
    share = 0.46 if place == 1 else 0.54
    scale = big * share / FIELD
    left = big * (1 - share) / 2
    top = left - (0.05 * big if place == 5 else 0.0)
    for line in strokes(mark):
        points = [(left + x * scale, top + y * scale) for x, y in line]
        pen.line(points, fill=(255, 255, 255, 255), width=round(2.2 * scale), joint="curve")
    small = image.resize((size, size), Image.Resampling.BOX)
    texture = Texture.create(size=(size, size), colorfmt="rgba")
    texture.flip_vertical()
    texture.blit_buffer(small.tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    return texture


def texture_of(mask: Image.Image) -> Texture:
    """White in the strength of a mask."""
    white = Image.new("RGBA", mask.size, (255, 255, 255, 0))
    white.putalpha(mask)
    texture = Texture.create(size=mask.size, colorfmt="rgba")
    texture.flip_vertical()
    texture.blit_buffer(white.tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    return texture


def bytes_of(colour: Colour) -> tuple[int, int, int, int]:
    """A colour in bytes."""
    red, green, blue, opacity = (round(255 * part) for part in colour)
    return red, green, blue, opacity


class IconView(Widget):
    """An icon, centred in the widget, in a role's colour."""

    def __init__(
        self, name: str, size_dp: float = 26, colour: str | Colour = "text", filled: bool = False
    ) -> None:
        super().__init__(size_hint=(None, None), size=(dp(size_dp), dp(size_dp)))
        self.icon, self._filled = name, filled
        self._shown: object = None
        with self.canvas:
            self._shade = Color(*(THEME.words(colour) if isinstance(colour, str) else colour))
            self._drawn = Rectangle()
        self.set_icon(name)
        self.bind(pos=self._arrange, size=self._arrange)

    def set_icon(self, name: str, colour: str | Colour | None = None) -> None:
        """Show another icon, or the same in another colour."""
        self.icon = name
        if colour is not None:
            shade = THEME.words(colour) if isinstance(colour, str) else colour
            if tuple(self._shade.rgba) != tuple(shade):
                self._shade.rgba = shade
        self._arrange()

    def _arrange(self, *_: Any) -> None:
        side = max(8, round(min(self.width, self.height)))
        x, y = middle(self)
        place = (round(x - side / 2), round(y - side / 2))
        # Setting the same again would redraw everything around it.
        if (self.icon, side, place) == self._shown:
            return
        self._shown = (self.icon, side, place)
        self._drawn.texture = icon_texture(self.icon, side, filled=self._filled)
        self._drawn.size, self._drawn.pos = (side, side), place


class SeatSign(Widget):
    """The shape of a seat with its mark; `place` counts the seats from 0."""

    def __init__(self, place: int, size_dp: float = 36, mark: str = "") -> None:
        super().__init__(size_hint=(None, None), size=(dp(size_dp), dp(size_dp)))
        self.place, self.mark = place, mark
        with self.canvas:
            Color(1, 1, 1, 1)
            self._drawn = Rectangle()
        self.bind(pos=self._arrange, size=self._arrange)
        self._arrange()

    def _arrange(self, *_: Any) -> None:
        side = max(8, round(min(self.width, self.height)))
        fill, edge = THEME.colour(f"fill-{self.place}"), THEME.colour(f"side-{self.place}")
        mark = self.mark or MARK_NAMES[self.place]
        self._drawn.texture = seat_texture(self.place, mark, side, fill, edge)
        self._drawn.size = (side, side)
        x, y = middle(self)
        self._drawn.pos = (round(x - side / 2), round(y - side / 2))
