"""A live camera picture with marks on its pixels; a tap is reported as the pixel it hit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from kivy.core.text import Label as CoreLabel
from kivy.graphics import (
    Color,
    Ellipse,
    InstructionGroup,
    Line,
    Mesh,
    Rectangle,
    RoundedRectangle,
    StencilPop,
    StencilPush,
    StencilUnUse,
    StencilUse,
)
from kivy.graphics.texture import Texture
from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.app.widgets.controls import Text
from companion.vision.sources.frame import Picture, rgba_of

Spot = tuple[float, float]
LENS_DP, LARGER = 190, 4.0
"""The width of the magnifier, and how much larger than the picture it shows a spot, at least."""
PIXEL_SEEN = 2.0
"""So large, at least, a pixel of the camera is in the magnifier: its cross meets each of them."""
AWAY_DP, CROSS_DP = 44, 8
"""How far the magnifier lies from the spot, and how long the arms of the picture's cross are."""
LEASH_DP = 40
"""How far a finger moves the cross slowly; beyond, it takes the cross along."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A line in pixels of the picture: colour role, width, whether closed, filled, labelled."""

    points: tuple[Spot, ...]
    role: str = "accent"
    width_dp: float = 2.0
    closed: bool = False
    fill: float = 0.0
    """Opacity of the inside, which must be convex."""
    text: str = ""
    """The label, at the mean of the points."""


def mark(points: Any, role: str = "accent", **more: Any) -> Mark:
    """A mark from an array of pixels."""
    flat = np.asarray(points, dtype=float).reshape(-1, 2)
    return Mark(tuple((float(x), float(y)) for x, y in flat), role, **more)


class Viewer(Widget):
    """Shows the newest picture as large as possible, and a text while there is none."""

    def __init__(
        self, tap: Callable[[Spot], Any] = lambda pixel: None, magnifies: bool = False, **more: Any
    ) -> None:
        super().__init__(**more)
        self.tap, self.magnifies = tap, magnifies
        self.size_px = (0, 0)
        self._texture: Texture | None = None
        self._marks: tuple[Mark, ...] = ()
        self._drawn = InstructionGroup()
        with self.canvas:
            Color(*THEME.colour("panel"))
            self._ground = RoundedRectangle(radius=[THEME.radius])
            # A stencil scrolls with a page; scissors would cut where the picture once was.
            StencilPush()
            self._clip = Rectangle()
            StencilUse()
            self._shade = Color(1, 1, 1, 0)
            self._picture = Rectangle()
        self.canvas.add(self._drawn)
        self.lens = InstructionGroup()
        """The magnified spot under the finger; empty without one."""
        self.canvas.add(self.lens)
        with self.canvas:
            StencilUnUse()
            self._unclip = Rectangle()
            StencilPop()
        self.words = Text("", colour="soft", align="center", grow=False)
        self.add_widget(self.words)
        self.bind(pos=self.lay, size=self.lay)

    def show(self, picture: Picture | None, marks: Sequence[Mark], trouble: str = "") -> None:
        """Show a picture with its marks; a problem is written over the last picture."""
        if picture is not None:
            high, wide = picture.shape[:2]
            if self._texture is None or self._texture.size != (wide, high):
                self._texture = Texture.create(size=(wide, high), colorfmt="rgba")
                self._texture.flip_vertical()
                self._picture.texture = self._texture
                self.size_px = (wide, high)
                self.lay()
            pixels = rgba_of(picture).ravel()
            self._texture.blit_buffer(pixels, colorfmt="rgba", bufferfmt="ubyte")
            self.canvas.ask_update()
        seen = self._texture is not None
        self._shade.rgba = (0.4, 0.4, 0.45, 1) if trouble and seen else (1, 1, 1, 1 if seen else 0)
        if trouble != self.words.text:
            self.words.set_text(trouble)
        if tuple(marks) != self._marks:
            self._marks = tuple(marks)
            self.draw()

    def lay(self, *_: Any) -> None:
        """Update the layout of picture and marks."""
        self._ground.pos, self._ground.size = self.pos, self.size
        self.words.pos = (self.x + THEME.gap(), self.y)
        self.words.size = (max(self.width - 2 * THEME.gap(), 1), self.height)
        for part in (self._clip, self._unclip):
            part.pos, part.size = self.pos, self.size
        left, top, scale = self._frame()
        wide, high = self.size_px
        self._picture.pos = (left, top - high * scale)
        self._picture.size = (wide * scale, high * scale)
        self.draw()

    def _frame(self) -> tuple[float, float, float]:
        """Left, top and scale of the picture on the screen."""
        wide, high = self.size_px
        if not wide or not high:
            return self.x, self.top, 1.0
        scale = min(self.width / wide, self.height / high)
        return self.center_x - wide * scale / 2, self.center_y + high * scale / 2, scale

    def on_screen(self, pixel: Spot) -> Spot:
        """The screen position of a pixel of the picture."""
        left, top, scale = self._frame()
        return left + (pixel[0] + 0.5) * scale, top - (pixel[1] + 0.5) * scale

    def pixel(self, x: float, y: float) -> Spot | None:
        """The pixel at a screen position; None outside the picture."""
        left, top, scale = self._frame()
        px, py = (x - left) / scale - 0.5, (top - y) / scale - 0.5
        wide, high = self.size_px
        return (px, py) if -0.5 <= px < wide - 0.5 and -0.5 <= py < high - 0.5 else None

    def draw(self) -> None:
        """Draw the marks at their current screen positions."""
        self._drawn.clear()
        if self._texture is None:
            return
        for one in self._marks:
            points = [self.on_screen(spot) for spot in one.points]
            flat = [value for point in points for value in point]
            if one.fill and len(points) > 2:
                self._drawn.add(Color(*THEME.colour(one.role, one.fill)))
                corners = [part for x, y in points for part in (x, y, 0.0, 0.0)]
                indices = list(range(len(points)))
                self._drawn.add(Mesh(vertices=corners, indices=indices, mode="triangle_fan"))
            if one.width_dp and len(points) > 1:
                # A dark line below the coloured one makes it visible on any background.
                wide = max(dp(one.width_dp / 2), 1.1)  # kivy draws thinner ones with gaps
                for colour, width in (
                    ((0, 0, 0, 0.5), wide + dp(0.8)),
                    (THEME.colour(one.role), wide),
                ):
                    self._drawn.add(Color(*colour))
                    self._drawn.add(Line(points=flat, width=width, close=one.closed))
            if one.text and points:
                self._label(one, points)

    def _label(self, one: Mark, points: Sequence[Spot]) -> None:
        texture = lettered(one.text, round(THEME.size("small")))
        wide, high = texture.size
        x = sum(point[0] for point in points) / len(points) - wide / 2
        y = sum(point[1] for point in points) / len(points) - high / 2
        x = min(max(x, self.x + dp(4)), self.right - wide - dp(4))
        y = min(max(y, self.y + dp(3)), self.top - high - dp(3))
        self._drawn.add(Color(0, 0, 0, 0.72))
        spare = dp(4)
        self._drawn.add(
            RoundedRectangle(
                pos=(x - spare, y - spare / 2),
                size=(wide + 2 * spare, high + spare),
                radius=[dp(5)],
            )
        )
        self._drawn.add(
            Color(*THEME.colour(one.role)) if THEME.palette != "light" else Color(1, 1, 1)
        )
        self._drawn.add(Rectangle(texture=texture, pos=(x, y), size=(wide, high)))

    @property
    def larger(self) -> float:
        """How much larger the magnifier shows a spot than the picture does: at least so that each
        pixel of the camera is seen."""
        return max(LARGER, PIXEL_SEEN / self._frame()[2])

    def magnify(self, spot: Spot | None) -> None:
        """Show a spot large, beside the finger, and a cross on it."""
        self.lens.clear()
        texture = self._texture
        if spot is None or texture is None:
            return
        side, (wide, high) = dp(LENS_DP), self.size_px
        half = side / self._frame()[2] / self.larger / 2
        u, v = (abs(part) for part in texture.uvsize)
        left, right = ((spot[0] + 0.5 + way * half) / wide * u for way in (-1, 1))
        top, low = ((spot[1] + 0.5 + way * half) / high * v for way in (-1, 1))
        around = (left, low, right, low, right, top, left, top)
        at = self.on_screen(spot)
        x, y = self.lens_place(at, side)
        self.lens.add(Color(*THEME.colour("panel")))
        self.lens.add(Ellipse(pos=(x, y), size=(side, side)))
        self.lens.add(Color(1, 1, 1, 1))
        self.lens.add(Ellipse(texture=texture, pos=(x, y), size=(side, side), tex_coords=around))
        self.lens.add(Color(*THEME.colour("accent")))
        for (middle, up), arm in (((x + side / 2, y + side / 2), side * 0.12), (at, dp(CROSS_DP))):
            for points in (
                (middle - arm, up, middle + arm, up),
                (middle, up - arm, middle, up + arm),
            ):
                self.lens.add(Line(points=points, width=1.2))
        self.lens.add(Line(ellipse=(x, y, side, side), width=dp(1.5)))

    def lens_place(self, at: Spot, side: float) -> Spot:
        """Where the magnifier lies: over the finger, or beside it where there is no room."""
        away = dp(AWAY_DP)
        x, y = at[0] - side / 2, at[1] + away
        if y + side > self.top:
            x = at[0] - away - side if at[0] > self.center_x else at[0] + away
        return min(max(x, self.x), self.right - side), min(max(y, self.y), self.top - side)

    def aim(self, touch: Any) -> Spot | None:
        """The spot that a finger means: it moves so slowly that each pixel can be met, and a finger
        that goes far takes it along."""
        x, y = touch.ud.setdefault("aims from", touch.pos)
        dx, dy = touch.pos[0] - x, touch.pos[1] - y
        leash, far = dp(LEASH_DP), math.hypot(dx, dy)
        if far > leash:
            share = 1 - leash / far
            x, y = touch.ud["aims from"] = x + dx * share, y + dy * share
            dx, dy = touch.pos[0] - x, touch.pos[1] - y
        return self.pixel(x + dx / self.larger, y + dy / self.larger)

    def on_touch_down(self, touch: Any) -> bool:
        """Report a tap on the picture; where it magnifies, when the finger is lifted."""
        if not self.collide_point(*touch.pos):
            return False
        if self.magnifies:
            touch.grab(self)
            self.magnify(self.aim(touch))
        elif (spot := self.pixel(*touch.pos)) is not None:
            self.tap(spot)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        """Move the cross with the finger."""
        if touch.grab_current is not self:
            return False
        self.magnify(self.aim(touch))
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """The spot counts on which the cross was last."""
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        self.magnify(None)
        spot = self.aim(touch)
        if spot is not None:
            self.tap(spot)
        return True


@lru_cache(maxsize=200)
def lettered(text: str, size: int) -> Any:
    """A texture with one line of white text."""
    label = CoreLabel(text=text, font_size=size, bold=True)
    label.refresh()
    return label.texture
