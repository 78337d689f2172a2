"""Icons, marks, seat shapes and dice as textures and widgets, and buttons with an icon."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from kivy.graphics import Color, Ellipse, Line, Mesh, Rectangle, RoundedRectangle
from kivy.graphics.texture import Texture
from kivy.metrics import dp
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget
from PIL import Image, ImageDraw

from companion.app.render.theme import FONTS, THEME, Colour, middle
from companion.app.widgets.controls import LOOKS, Text, TouchButton
from companion.engine.turn.turn_records import SymbolView
from companion.overlay.icons import FIELD, MARK_NAMES, STROKE, outline, strokes
from companion.vision.sources.frame import Picture

FINE = 4
"""Drawings are painted this many times larger and then reduced."""


def icon_mask(name: str, size: int, stroke: float = STROKE, filled: bool = False) -> Image.Image:
    """An icon or a mark, `size` pixels wide, as how strong each pixel of it is."""
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
    return mask.resize((size, size), Image.Resampling.BOX)


@lru_cache(maxsize=256)
def icon_texture(name: str, size: int, stroke: float = STROKE, filled: bool = False) -> Texture:
    """An icon or a mark in white, `size` pixels wide, to be tinted by the colour before it."""
    return texture_of(icon_mask(name, size, stroke, filled))


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


ICON_DP = 24


class IconButton(TouchButton):
    """An icon over a short word; without a word the icon is centred."""

    def __init__(
        self,
        icon: str,
        text: str,
        act: Callable[[], Any] | None = None,
        look: str = "quiet",
        words: bool = True,
        ready: bool = True,
        **more: Any,
    ) -> None:
        super().__init__(
            text if words else "", act, look, size="small", ready=ready, name=more.pop("name", text)
        )
        for key, value in more.items():
            setattr(self, key, value)
        self.icon = IconView(icon, ICON_DP, LOOKS[look][1] if ready else "faint")
        self.words = words
        self.label.font_name = FONTS["narrow"]
        self.add_widget(self.icon)
        top = dp(ICON_DP + 8) if words else dp(2)
        self.padding = (dp(2), top, dp(2), dp(3))
        self.bind(pos=self._lay, size=self._lay)

    def _lay(self, *_: Any) -> None:
        # Kivy updates `center` after the handlers of `size`.
        high = self.label.height if self.words else 0.0
        block = self.icon.height + high
        top = self.y + (self.height + block) / 2
        self.icon.pos = (self.x + (self.width - self.icon.width) / 2, top - self.icon.height)
        if self.words:
            self.label.pos = (self.x + dp(2), top - block)

    def _place(self, *args: Any) -> None:
        super()._place(*args)
        if hasattr(self, "icon"):
            self._lay()


def icon_of(kind: str) -> str:
    """The icon of an action's kind, of a page or of a result; a known name stays itself."""
    from companion.overlay.icons import ICONS

    known = {
        "melee": "swords",
        "attack": "swords",
        "break": "swords",
        "move": "maneuver",
        "forgo": "pass",
        "hit": "swords",
        "wounds": "drop",
        "wound": "drop",
        "reroll": "turn",
        "card": "cards",
        "play": "cards",
        "court": "people",
        "die": "dice",
        "morale": "flag",
        "roster": "armies",
        "vp-token": "score",
    }
    name = known.get(kind, kind)
    return name if name in ICONS else ""


def small_words() -> bool:
    """Whether a small screen has no room for words under icons."""
    from kivy.core.window import Window

    return bool(min(Window.size) >= dp(680)) and THEME.text <= 1.2


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


DIE_FACE = (0.97, 0.95, 0.9, 1.0)
"""The ground of a die."""

SYMBOL_PLACES = {"blue": 0, "red": 1, "green": 2, "purple": 3, "white": 5}
"""The seat whose colour a symbol of a die has."""


def symbol_icon(symbol: SymbolView, size_dp: float = 34, on_die: bool = False) -> IconView:
    """The sign of a symbol in its colour: light on the panel, dark on a die."""
    role = f"{'fill' if on_die else 'side'}-{SYMBOL_PLACES[symbol.colour]}"
    return IconView(symbol.icon, size_dp, THEME.colour(role), filled=True)


@lru_cache(maxsize=32)
def symbol_picture(symbol: SymbolView, size: int) -> Picture:
    """The sign of a symbol on a small die, `size` pixels wide, to be laid upon a picture."""
    die = Image.new("RGBA", (size * FINE, size * FINE))
    end = size * FINE - 1
    pen = ImageDraw.Draw(die)
    pen.rounded_rectangle(
        (0, 0, end, end), 0.2 * end, fill=bytes_of(DIE_FACE), outline=bytes_of(DIE_EDGE), width=FINE
    )
    die = die.resize((size, size), Image.Resampling.BOX)
    inner = round(0.7 * size)
    colour = bytes_of(THEME.colour(f"fill-{SYMBOL_PLACES[symbol.colour]}"))
    low = (size - inner) // 2
    die.paste(colour, (low, low), icon_mask(symbol.icon, inner, filled=True))
    return np.asarray(die, np.uint8)


class SymbolDie(ButtonBehavior, Widget):
    """A button drawn as a die that shows a symbol."""

    def __init__(self, symbol: SymbolView, act: Callable[[], Any] | None, name: str = "") -> None:
        super().__init__(size_hint=(None, None), size=(dp(48), dp(48)))
        self._act, self.name = act, name
        with self.canvas:
            Color(0.97, 0.95, 0.9, 1)
            self._body = RoundedRectangle(radius=[dp(9)])
            Color(*DIE_EDGE)
            self._rim = Line(width=dp(1.2))
        self.mark = symbol_icon(symbol, 30, on_die=True)
        self.add_widget(self.mark)
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: Any) -> None:
        self._body.pos, self._body.size = self.pos, self.size
        self._rim.rounded_rectangle = (*self.pos, *self.size, dp(9))
        x, y = middle(self)
        self.mark.pos = (x - self.mark.width / 2, y - self.mark.height / 2)

    def on_release(self) -> None:
        """Call the die's action."""
        if self._act is not None:
            self._act()


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


KITE = ((0.5, 1.0), (0.98, 0.62), (0.98, 0.38), (0.5, 0.0), (0.02, 0.38), (0.02, 0.62))
"""The outline of a die of ten sides that lies on the table."""
FACE_UP = ((0.5, 1.0), (0.86, 0.42), (0.5, 0.24), (0.14, 0.42))
"""The face of it that is up."""
DIE_SHADE = (0.86, 0.82, 0.74, 1.0)
"""The sides of a die that turn away from the light."""


class NumberDie(ButtonBehavior, Widget):
    """A button drawn as a die of ten sides, with a number."""

    def __init__(
        self, face: int, act: Callable[[], Any] | None, side_dp: float = 52, name: str = ""
    ) -> None:
        super().__init__(size_hint=(None, None), size=(dp(side_dp), dp(side_dp)))
        self.face, self._act, self.name = face, act, name or f"die:{face}"
        with self.canvas:
            Color(*DIE_SHADE)
            self._body = Mesh(mode="triangle_fan", indices=range(len(KITE)))
            Color(*DIE_FACE)
            self._up = Mesh(mode="triangle_fan", indices=range(len(FACE_UP)))
            Color(*DIE_EDGE)
            self._rims = [Line(width=dp(1.2), close=True) for _outline in (KITE, FACE_UP)]
        self.label = Text(str(face), bold=True, align="center", grow=False)
        self.label.color, self.label.font_size = (0.1, 0.1, 0.12, 1), dp(side_dp * 0.36)
        self.add_widget(self.label)
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: Any) -> None:
        side = min(self.width, self.height) - dp(4)
        left, low = self.x + (self.width - side) / 2, self.y + (self.height - side) / 2
        meshes = (self._body, self._up)
        for mesh, rim, corners in zip(meshes, self._rims, (KITE, FACE_UP), strict=True):
            spots = [(left + x * side, low + y * side) for x, y in corners]
            mesh.vertices = [part for spot in spots for part in (*spot, 0, 0)]
            rim.points = [part for spot in spots for part in spot]
        self.label.size, self.label.pos = (side, side * 0.5), (left, low + side * 0.3)

    def on_release(self) -> None:
        """Call the die's action."""
        if self._act is not None:
            self._act()
