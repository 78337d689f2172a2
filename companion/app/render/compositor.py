"""Composes a view: the newest frame, and over it layers that are rendered once into a
framebuffer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from kivy.core.window import Window
from kivy.graphics import (
    BindTexture,
    Callback,
    Canvas,
    ClearBuffers,
    ClearColor,
    Fbo,
    InstructionGroup,
    MatrixInstruction,
    PopMatrix,
    PushMatrix,
    Rectangle,
    RenderContext,
    ScissorPop,
    ScissorPush,
    Translate,
)
from kivy.graphics.opengl import (
    GL_BLEND,
    GL_ONE,
    GL_ONE_MINUS_SRC_ALPHA,
    GL_SRC_ALPHA,
    glBlendFuncSeparate,
    glDisable,
    glEnable,
)
from kivy.graphics.texture import Texture
from kivy.graphics.transformation import Matrix
from kivy.uix.widget import Widget

from companion.app.render.theme import THEME
from companion.vision.sources.frame import Picture as Pixels

PRECISION = """
#ifdef GL_ES
precision highp float;
#endif
"""
LAYER_VERTEX = f"""{PRECISION}
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
LAYER_FRAGMENT = f"""{PRECISION}
varying vec2 spot;
uniform sampler2D texture0;
void main(void) {{ gl_FragColor = vec4(texture2D(texture0, spot).rgb, 1.0); }}
"""


class OpaqueBackground(RenderContext):
    """A render context without blending: its pixels replace what is below."""

    def __init__(self, vertex: str = LAYER_VERTEX, fragment: str = LAYER_FRAGMENT) -> None:
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


VIEW_VERTEX = f"""{PRECISION}
attribute vec2 vPosition;
uniform mat4 modelview_mat;
uniform mat4 projection_mat;
uniform vec4 room;
uniform vec3 along;
uniform vec3 down;
uniform vec3 depth;
varying vec3 spot;
varying vec2 above;
void main(void) {{
  vec4 at = modelview_mat * vec4(vPosition, 0.0, 1.0);
  vec3 here = vec3(vPosition, 1.0);
  spot = vec3(dot(along, here), dot(down, here), dot(depth, here));
  above = (at.xy - room.xy) / room.zw;
  gl_Position = projection_mat * at;
}}
"""
VIEW_FRAGMENT = f"""{PRECISION}
varying vec3 spot;
varying vec2 above;
uniform sampler2D texture0;
uniform sampler2D texture1;
uniform vec3 tint;
void main(void) {{
  vec4 ink = texture2D(texture1, above);
  vec3 seen = texture2D(texture0, spot.xy / spot.z).rgb;
  gl_FragColor = vec4(seen * tint * (1.0 - ink.a) + ink.rgb, 1.0);
}}
"""
OUTSIDE = (30, 25, 22, 255)
"""The colour where the frame ends inside the pane: its border, which the texture repeats."""
CLEAR, FADED = (1.0, 1.0, 1.0), (0.68, 0.68, 0.7)
"""The tint of a frame: unchanged, or darkened because it is out of date."""
PLAIN = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Compositor:
    """Draws into a canvas: `overlay` is cached, `quick` is redrawn while a finger moves.

    `chips` is cached too, but its coordinates are those of the window.
    """

    def __init__(self, through: bool) -> None:
        self.through = through
        self.clips = True
        """Whether it clips what it draws; not on a page that scrolls, where places are no longer
        those of the window."""
        self.frame: Texture | None = None
        self._border = b""
        self.overlay, self.quick = InstructionGroup(), InstructionGroup()
        self.chips = InstructionGroup()
        self.canvas = Canvas()
        self._matrices = [MatrixInstruction() for _ in range(3)]
        self._picture = Picture()
        with self._picture.inside:
            Callback(keep_cover)
            PushMatrix()
            self._picture.inside.add(self._matrices[0])
            self._picture.inside.add(self.overlay)
            PopMatrix()
            self._picture.inside.add(self.chips)
            Callback(mix)
        self.canvas.add(self._picture)
        with self.canvas:
            self._clip = ScissorPush()
            laid = OpaqueBackground(VIEW_VERTEX, VIEW_FRAGMENT) if through else OpaqueBackground()
            PushMatrix()
            self.canvas.add(self._matrices[1])
            self.canvas.add(self.quick)
            PopMatrix()
            ScissorPop()
        with laid.inside:
            if through:
                laid["texture1"] = 1
                self._above = BindTexture(index=1)
                PushMatrix()
                laid.inside.add(self._matrices[2])
            self._laid = Rectangle(size=(0, 0))
            if through:
                PopMatrix()
        self._state = laid
        if through:
            self.fade(False)
            self.straighten(PLAIN)

    def look(self, pixels: Pixels) -> None:
        """Upload the newest frame (rows x columns x RGBA) as the texture."""
        high, wide = pixels.shape[:2]
        if self.frame is None or self.frame.size != (wide, high):
            self.frame = Texture.create(size=(wide, high), colorfmt="rgba")
            self.frame.flip_vertical()
            self._laid.texture = self.frame
            self._border = bytes(OUTSIDE) * max(wide, high)
        self.frame.blit_buffer(pixels.ravel(), colorfmt="rgba", bufferfmt="ubyte")
        for place, size in (
            ((0, 0), (wide, 1)),
            ((0, high - 1), (wide, 1)),
            ((0, 0), (1, high)),
            ((wide - 1, 0), (1, high)),
        ):
            border = self._border[: 4 * size[0] * size[1]]
            self.frame.blit_buffer(border, size, "rgba", pos=place, bufferfmt="ubyte")
        self.canvas.ask_update()

    def fade(self, faded: bool, dim: float = 1.0) -> None:
        """Darken the frame if it is out of date; `dim` darkens any."""
        self._state["tint"] = tuple(part * dim for part in (FADED if faded else CLEAR))

    def straighten(self, rows: Sequence[Sequence[float]]) -> None:
        """Set how a point of the base (y up) is found in the texture: a homography in rows."""
        for name, row in zip(("along", "down", "depth"), rows, strict=True):
            self._state[name] = tuple(map(float, row))
        self.canvas.ask_update()

    def ground(self, colour: tuple[float, float, float, float]) -> None:
        """Set the background colour beside the map."""
        self._picture.ground(colour)

    def arrange(
        self, room: tuple[float, float, float, float], base: tuple[float, float], matrix: Matrix
    ) -> None:
        """Cover this part of the window; the matrix maps pixels of `base` to it."""
        for one in self._matrices:
            one.matrix = matrix
        self._picture.arrange(*room)
        place, size = self._picture.place, self._picture.size
        self._clip.x, self._clip.y = place if self.clips else (0, 0)
        self._clip.width, self._clip.height = size if self.clips else Window.size
        if self.through:
            self._state["room"] = tuple(map(float, (*place, *size)))
            self._above.texture = self._picture.texture
            self._laid.size = base if self.frame is not None else (0, 0)
        else:
            self._laid.texture = self._picture.texture
            self._laid.pos, self._laid.size = place, size


def keep_cover(_: Any) -> None:
    """Blend so that the framebuffer also keeps the coverage of each pixel in its alpha."""
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA)


def mix(_: Any) -> None:
    """Restore kivy's default blending."""
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE)
