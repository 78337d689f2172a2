"""A display list of a scene: fills, strokes and text in screen pixels, independent of a window.

The painters of `companion.overlay` draw on it as on any canvas; it records vectors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from companion.overlay.canvas import Canvas, TextLine, block_size, dashes
from companion.overlay.icons import Texture, hatching, scattered
from companion.overlay.labels import draw_label
from companion.overlay.map_theme import LIGHT, Colour, MapTheme, side_looks
from companion.overlay.paint_figures import PaintLayer
from companion.overlay.photo_overlay import draw_photo
from companion.overlay.picture import draw_map
from companion.overlay.shapes import Label, Shape, ShapeCache, TableScene
from companion.overlay.view_frame import BoundingBox, PointPx, ToPixels, ViewFrame

Ring = tuple[PointPx, ...]

CROWDED = 15.0
"""Below this many pixels per inch the map shows fewer labels."""
SMALL_PX = 14.0
"""Round shapes smaller than this need only a quarter of their vertices."""


@dataclass(frozen=True, slots=True)
class Fill:
    """A filled polygon: its outline and holes, and its colour (0 to 1, with opacity)."""

    rings: tuple[Ring, ...]
    colour: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Stroke:
    points: Ring
    width: float
    colour: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class TextMark:
    """One line of text around its centre, rotated counter-clockwise, optionally with an outline."""

    text: str
    centre: PointPx
    size: int
    bold: bool
    colour: Colour
    halo: tuple[Colour, float] | None
    tilt_deg: float
    face: str = ""
    """Another face than the text's own."""


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """The marks of one shape, whose triangles are to be cached."""

    shape: Shape
    marks: tuple[Fill | Stroke, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DisplayItem:
    """A cached figure: its vertices, and triangles as indices of them."""

    vertices: NDArray[np.float32]
    indices: NDArray[np.int64]


Mark = Fill | Stroke | TextMark | Figure | DisplayItem


class DisplayList(Canvas):
    """A canvas that records marks instead of painting pixels."""

    def __init__(
        self,
        width: float,
        height: float,
        book: ShapeCache | None = None,
    ) -> None:
        self.width, self.height = math.ceil(width), math.ceil(height)
        self.marks: list[Mark] = []
        self._book = book

    def figure(self, shape: Shape, paint: Callable[[], None]) -> None:
        """Record the marks of a shape, from the cache if it has them."""
        known = self._book.figures.get(shape) if self._book is not None else None
        if known is not None:
            self.marks.append(known)
            return
        first = len(self.marks)
        paint()
        if self._book is not None and self._book.again(shape):
            own = tuple(mark for mark in self.marks[first:] if isinstance(mark, Fill | Stroke))
            self.marks[first:] = [Figure(shape, own)]

    def fill(
        self,
        outline: Sequence[PointPx],
        colour: Colour,
        opacity: float = 1.0,
        holes: Sequence[Sequence[PointPx]] = (),
    ) -> None:
        """Record a filled polygon."""
        if opacity > 0 and len(outline) > 2:
            rings = (sparse(outline), *(tuple(hole) for hole in holes if len(hole) > 2))
            self.marks.append(Fill(rings, light(colour, opacity)))

    def line(
        self,
        points: Sequence[PointPx],
        colour: Colour,
        width: float,
        opacity: float = 1.0,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """Record a line, optionally dashed."""
        if opacity <= 0 or len(points) < 2:
            return
        strokes = [tuple(one) for one in dashes(points, *dash)] if dash else [sparse(points)]
        self.marks += [Stroke(one, width, light(colour, opacity)) for one in strokes]

    def hatch(
        self,
        outline: Sequence[PointPx],
        colour: Colour,
        opacity: float,
        angle_deg: float,
        gap: float,
        width: float,
        holes: Sequence[Sequence[PointPx]] = (),
    ) -> None:
        """Fill a polygon with parallel lines."""
        inner = tuple(tuple(hole) for hole in holes)
        rows = hatched(tuple(outline), inner, angle_deg, gap)
        self.marks += [Stroke(row, width, light(colour, opacity)) for row in rows]

    def scatter(
        self,
        outline: Sequence[PointPx],
        colour: Colour,
        opacity: float,
        texture: Texture,
        unit: float,
    ) -> None:
        """Fill a polygon with small symbols in staggered rows."""
        width, shade = texture.weight * unit, light(colour, opacity)
        self.marks += [Stroke(row, width, shade) for row in strewn(tuple(outline), texture, unit)]

    def reduce(self) -> None:
        """Nothing to do: vectors are not downsampled."""

    def draw_text(
        self,
        centre: PointPx,
        lines: Sequence[TextLine],
        colour: Colour,
        halo: tuple[Colour, float] | None = None,
        tilt_deg: float = 0.0,
    ) -> None:
        """Record lines of text around a point."""
        _, total = block_size(lines)
        turn = math.radians(tilt_deg)
        y = -total / 2
        for line in lines:
            high = total * line.size / sum(one.size for one in lines)
            down = y + high / 2
            spot = centre[0] + down * math.sin(turn), centre[1] + down * math.cos(turn)
            self.marks.append(
                TextMark(line.text, spot, line.size, line.bold, colour, halo, tilt_deg)
            )
            y += high


def light(colour: Colour, opacity: float) -> tuple[float, float, float, float]:
    """A colour as floats from 0 to 1, with opacity."""
    return colour[0] / 255, colour[1] / 255, colour[2] / 255, opacity


def sparse(points: Sequence[PointPx]) -> Ring:
    """The points, thinned out where the curve is too small to show them all."""
    if len(points) < 24:
        return tuple(points)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    if max(max(xs) - min(xs), max(ys) - min(ys)) > SMALL_PX:
        return tuple(points)
    return (*points[:-1:4], points[-1])


def piece(outline: Sequence[PointPx], holes: Sequence[Sequence[PointPx]]) -> shapely.Geometry:
    """A valid polygon of an outline with holes."""
    found = shapely.Polygon(outline, [hole for hole in holes if len(hole) > 2])
    return found if found.is_valid else found.buffer(0)


# The table itself is the same below every unit's answers, so its hatchings are cached.


@lru_cache(maxsize=32)
def hatched(
    outline: Ring, holes: tuple[Ring, ...], angle_deg: float, gap: float
) -> tuple[Ring, ...]:
    """The lines of a hatching inside a polygon."""
    ground = piece(outline, holes)
    if ground.is_empty:
        return ()
    return clipped(ground, hatching(ground.bounds, angle_deg, gap))


@lru_cache(maxsize=64)
def strewn(outline: Ring, texture: Texture, unit: float) -> tuple[Ring, ...]:
    """The strokes of a texture's symbols inside a polygon."""
    ground = piece(outline, ())
    if ground.is_empty:
        return ()
    return clipped(ground, scattered(ground.bounds, texture, unit))


def clipped(ground: shapely.Geometry, rows: Iterable[Sequence[PointPx]]) -> tuple[Ring, ...]:
    """The parts of the lines that are inside a polygon."""
    inside = shapely.MultiLineString([row for row in rows if len(row) > 1]).intersection(ground)
    return tuple(
        tuple((float(x), float(y)) for x, y in part.coords)
        for part in getattr(inside, "geoms", [inside])
        if part.geom_type == "LineString" and not part.is_empty
    )


# -- the map and the camera picture --------------------------------------------------------------


def map_marks(
    scene: TableScene,
    scale: float,
    unit_px: float,
    theme: MapTheme = LIGHT,
    bare: bool = False,
    book: ShapeCache | None = None,
) -> tuple[Mark, ...]:
    """The marks of a scene from above, `scale` pixels per inch, y down from the far edge.

    With `bare` it has no background, to be drawn over another.
    """
    if scale < CROWDED:
        scene = replace(scene, shapes=tuple(brief(shape) for shape in scene.shapes))
    size = (math.ceil(scene.width_in * scale), math.ceil(scene.depth_in * scale))
    bounds = BoundingBox(1.0, 1.0, size[0] - 1.0, size[1] - 1.0)
    frame = ViewFrame(size, 0.0, 0.0, scale, scene.depth_in, bounds, unit_px)
    ink = DisplayList(*size, book)
    sheet = PaintLayer(ink, frame, theme, side_looks(scene.sides), book or ShapeCache())
    for label in draw_map(sheet, scene, not bare):
        draw_label(sheet, label)
    return tuple(ink.marks)


def picture_marks(
    scene: TableScene,
    size: tuple[float, float],
    to_pixels: ToPixels,
    unit_px: float,
    book: ShapeCache | None = None,
) -> tuple[Mark, ...]:
    """The marks of a scene as the camera sees it, on a picture of this size, y down."""
    ink = DisplayList(*size, book)
    quiet = tuple(shape for shape in scene.shapes if not named(shape))
    draw_photo(ink, replace(scene, shapes=quiet), size, to_pixels, unit_px, book)
    return tuple(ink.marks)


def named(shape: Shape) -> bool:
    """Whether the shape is a tray's name, which the picture leaves out: the badge is enough."""
    return isinstance(shape, Label) and shape.style.role in ("tray", "terrain", "deployment")


def brief(shape: Shape) -> Shape:
    """A shape for a small map: terrain with its name only, zones without a label."""
    if isinstance(shape, Label) and shape.style.role == "terrain":
        return replace(shape, text=shape.text.split("\n")[0])
    if isinstance(shape, Label) and shape.style.role == "deployment":
        return replace(shape, text=" ")
    return shape
