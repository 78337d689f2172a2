"""Renders vertex batches with kivy: one shader for all figures, one texture per line of text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from kivy.core.text import Label as CoreLabel
from kivy.graphics import (
    Color,
    InstructionGroup,
    Mesh,
    PopMatrix,
    PushMatrix,
    Rectangle,
    RenderContext,
    Rotate,
    Translate,
)
from kivy.graphics.tesselator import TYPE_POLYGONS, WINDING_ODD, Tesselator

from companion.app.render.compositor import PRECISION
from companion.app.render.theme import FONTS
from companion.engine.drawing.display_list import Ring, TextMark
from companion.engine.drawing.vertex_batches import SOFT_PX, Floats32, Ints, VertexBatches

VERTEX = f"""{PRECISION}
attribute vec2 vPosition;
attribute vec4 vColor;
attribute vec2 vEdge;
uniform mat4 modelview_mat;
uniform mat4 projection_mat;
varying vec4 shade;
varying vec2 edge;
void main(void) {{
  shade = vColor;
  edge = vEdge;
  gl_Position = projection_mat * modelview_mat * vec4(vPosition, 0.0, 1.0);
}}
"""
FRAGMENT = f"""{PRECISION}
varying vec4 shade;
varying vec2 edge;
void main(void) {{
  float cover = clamp((edge.y + {SOFT_PX} - abs(edge.x)) / {1.5 * SOFT_PX}, 0.0, 1.0);
  gl_FragColor = vec4(shade.rgb, shade.a * cover);
}}
"""
FORMAT = [(b"vPosition", 2, "float"), (b"vColor", 4, "float"), (b"vEdge", 2, "float")]
NOTHING = [0.0] * 8
"""A triangle without an extent, in a format of its own."""
FINE = 2
"""Text is rendered at this multiple of its size, so that it stays sharp when zoomed."""


@lru_cache(maxsize=96)
def triangulate(rings: tuple[Ring, ...]) -> tuple[Floats32, Ints]:
    """Triangulate rings (even-odd rule); cached, since most recur in every unit's overlay."""
    tess = Tesselator()
    for ring in rings:
        tess.add_contour([value for point in ring for value in point])
    points: list[tuple[float, float]] = []
    corners: list[int] = []
    if tess.tesselate(WINDING_ODD, TYPE_POLYGONS):
        for vertices, _ in tess.meshes:
            first = len(points)
            points += [(vertices[n], vertices[n + 1]) for n in range(0, len(vertices), 4)]
            for n in range(first + 1, len(points) - 1):
                corners += [first, n, n + 1]
    return np.array(points, np.float32).reshape(-1, 2), np.array(corners, np.int64)


@lru_cache(maxsize=192)
def lettering(
    text: str,
    size: int,
    bold: bool,
    colour: tuple[int, int, int],
    halo: tuple[tuple[int, int, int], float] | None,
    face: str = "",
) -> Any:
    """A texture with one line of text."""
    more: dict[str, Any] = {"font_name": FONTS[face]} if face in FONTS else {}
    if halo is not None:
        rim = tuple(part / 255 for part in halo[0])
        more |= {"outline_width": max(1, round(halo[1] * FINE)), "outline_color": rim}
    label = CoreLabel(
        text=text,
        font_size=size * FINE,
        bold=bold and face != "narrow",
        color=(*(part / 255 for part in colour), 1),
        **more,
    )
    label.refresh()
    return label.texture


class MeshRenderer:
    """Draws vertex batches into a canvas; new ones replace the old."""

    def __init__(self) -> None:
        self.figures = RenderContext(
            use_parent_projection=True, use_parent_modelview=True, vs=VERTEX, fs=FRAGMENT
        )
        self.words = InstructionGroup()
        self.shown: tuple[VertexBatches | None, bool] = (None, False)

    def show(self, overlay: VertexBatches | None, turned: bool) -> None:
        """Draw these batches; with `turned`, text is upright as seen from the other side."""
        if self.shown == (overlay, turned):
            return
        if self.shown[0] is not overlay:
            self.figures.clear()
            if overlay is not None:
                # Kivy enables the attributes of a format only when a shader meets another format
                # than before; in between other shaders may have disabled them: all would be black.
                self.figures.add(Mesh(vertices=NOTHING, indices=[0, 0, 0], fmt=FORMAT))
            for batch in overlay.batches if overlay is not None else ():
                self.figures.add(
                    Mesh(
                        vertices=batch.vertices.ravel().data,
                        indices=batch.indices.data,
                        fmt=FORMAT,
                        mode="triangles",
                    )
                )
        self.shown = (overlay, turned)
        self.words.clear()
        if overlay is not None:
            self.words.add(Color(1, 1, 1, 1))
            for words in overlay.words:
                self._write(words, overlay.size[1], turned)

    def _write(self, words: TextMark, high: float, turned: bool) -> None:
        texture = lettering(
            words.text, words.size, words.bold, words.colour, words.halo, words.face
        )
        if texture is None:
            return
        width, height = texture.width / FINE, texture.height / FINE
        x, y = words.centre[0], high - words.centre[1]
        tilt = words.tilt_deg + (180.0 if turned else 0.0)
        if not tilt:
            place = (x - width / 2, y - height / 2)
            self.words.add(Rectangle(texture=texture, pos=place, size=(width, height)))
            return
        for one in (
            PushMatrix(),
            Translate(x, y),
            Rotate(angle=tilt, axis=(0, 0, 1)),
            Rectangle(texture=texture, pos=(-width / 2, -height / 2), size=(width, height)),
            PopMatrix(),
        ):
            self.words.add(one)
