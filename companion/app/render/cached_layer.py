"""A layer that is rendered once into a framebuffer and drawn from its texture each frame.

A software renderer pays for every pixel of every layer; five layers of a panel, cached, cost one.
"""

from __future__ import annotations

import math
from typing import Any

from kivy.graphics import (
    Callback,
    Canvas,
    ClearBuffers,
    ClearColor,
    Fbo,
    PopMatrix,
    PushMatrix,
    Rectangle,
    RenderContext,
    Translate,
)
from kivy.graphics.opengl import GL_BLEND, glDisable, glEnable
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME

PRECISION = """
#ifdef GL_ES
precision highp float;
#endif
"""
VERTEX = f"""{PRECISION}
attribute vec2 vPosition;
attribute vec2 vTexCoords0;
uniform mat4 modelview_mat;
uniform mat4 projection_mat;
varying vec2 spot;
void main(void) {{
  spot = vTexCoords0;
  gl_Position = projection_mat * modelview_mat * vec4(vPosition, 0.0, 1.0);
}}
"""
FRAGMENT = f"""{PRECISION}
varying vec2 spot;
uniform sampler2D texture0;
void main(void) {{ gl_FragColor = vec4(texture2D(texture0, spot).rgb, 1.0); }}
"""


class OpaqueBackground(RenderContext):
    """A render context without blending: its pixels replace what is below."""

    def __init__(self, vertex: str = VERTEX, fragment: str = FRAGMENT) -> None:
        super().__init__(
            use_parent_projection=True, use_parent_modelview=True, vs=vertex, fs=fragment
        )
        with self:
            Callback(lambda _: glDisable(GL_BLEND))
            self.inside = Canvas()
            Callback(lambda _: glEnable(GL_BLEND))


class Picture(Fbo):
    """A framebuffer whose texture is drawn at its own place, pixel for pixel."""

    size: tuple[int, int]

    def __init__(self, **more: Any) -> None:
        super().__init__(size=(1, 1), **more)
        self.place: tuple[int, int] = (0, 0)
        with self:
            self._paper = ClearColor(0, 0, 0, 0)
            ClearBuffers(clear_stencil=True)
            PushMatrix()
            self._shift = Translate(0, 0)
            self.inside = Canvas()
            PopMatrix()

    def arrange(self, x: float, y: float, width: float, height: float) -> bool:
        """Cover this part of the window, in whole pixels; returns whether the texture is new."""
        self.place = (math.floor(x), math.floor(y))
        self._shift.xy = (-self.place[0], -self.place[1])
        size = (
            max(1, math.ceil(x + width) - self.place[0]),
            max(1, math.ceil(y + height) - self.place[1]),
        )
        if tuple(self.size) == size:
            return False
        self.size = size
        self.texture.mag_filter = self.texture.min_filter = "nearest"
        return True

    def ground(self, colour: tuple[float, float, float, float]) -> None:
        """Set the background colour."""
        self._paper.rgba = colour


class CachedLayer(Widget):
    """A mixin for layouts that renders the children into a framebuffer, on an opaque colour."""

    def __init__(self, ground: str, **more: Any) -> None:
        self.canvas = Canvas()
        with self.canvas:
            self.picture = Picture(with_stencilbuffer=True)
            laid = OpaqueBackground()
        self.picture.ground(THEME.colour(ground))
        with laid.inside:
            self._laid = Rectangle()
        super().__init__(**more)
        self.bind(pos=self._arrange, size=self._arrange)
        self._arrange()

    def add_widget(self, widget: Widget, *args: Any, **more: Any) -> None:
        """Add a child that is drawn into the framebuffer."""
        shown, self.canvas = self.canvas, self.picture.inside
        try:
            super().add_widget(widget, *args, **more)
        finally:
            self.canvas = shown

    def remove_widget(self, widget: Widget, *args: Any, **more: Any) -> None:
        shown, self.canvas = self.canvas, self.picture.inside
        try:
            super().remove_widget(widget, *args, **more)
        finally:
            self.canvas = shown

    def _arrange(self, *_: Any) -> None:
        self.picture.arrange(*self.pos, *self.size)
        self._laid.texture = self.picture.texture
        self._laid.pos, self._laid.size = self.picture.place, self.picture.size
