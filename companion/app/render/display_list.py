"""A scene as marks on a screen: fills, strokes and words in screen pixels, no window needed.

The painters of `companion.overlay` draw on it as on paper; what they draw is kept as vectors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from companion.app.engine.prefetcher import Breathe, go_on
from companion.overlay.canvas import Canvas, TextLine, block_size, dashes
from companion.overlay.label_placement import LabelBox, PointPx
from companion.overlay.labels import write
from companion.overlay.map_theme import LIGHT, Colour, MapTheme, side_looks
from companion.overlay.paint_figures import PaintLayer
from companion.overlay.photo_overlay import draw_photo
from companion.overlay.picture import draw_map
from companion.overlay.shape_cache import ShapeCache
from companion.overlay.shapes import Label, Shape, TableScene
from companion.overlay.texture import Texture, hatching, scattered
from companion.overlay.view_frame import ToPixels, ViewFrame

Ring = tuple[PointPx, ...]

CROWDED = 15.0
"""Below so many pixels per inch the map says less."""
SMALL_PX = 14.0
"""Round things smaller than this need only a quarter of their corners."""


@dataclass(frozen=True, slots=True)
class Fill:
    """A filled piece: its outline, its holes, its colour (0..1, with opacity)."""

    rings: tuple[Ring, ...]
    colour: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line of some width."""

    points: Ring
    width: float
    colour: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class TextMark:
    """One line of words about its centre, turned counter-clockwise, perhaps with a halo."""

    text: str
    centre: PointPx
    size: int
    bold: bool
    colour: Colour
    halo: tuple[Colour, float] | None
    tilt_deg: float


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """The marks of one shape, to be kept for it once they are triangles."""

    shape: Shape
    marks: tuple[Fill | Stroke, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DisplayItem:
    """Vertices, and triangles counted from the first of them: a figure as it was drawn before."""

    vertices: NDArray[np.float32]
    indices: NDArray[np.int64]


Mark = Fill | Stroke | TextMark | Figure | DisplayItem


class DisplayList(Canvas):
    """A canvas that remembers marks instead of painting pixels."""

    def __init__(
        self,
        width: float,
        height: float,
        breathe: Breathe = go_on,
        book: ShapeCache | None = None,
    ) -> None:
        self.width, self.height = math.ceil(width), math.ceil(height)
        self.marks: list[Mark] = []
        self._breathe, self._book = breathe, book

    def figure(self, shape: Shape, paint: Callable[[], None]) -> None:
        """A whole figure, or what is kept of it."""
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
        """Fill a piece of ground."""
        self._breathe()
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
        """Draw a line, dashed if told so."""
        self._breathe()
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
        """Fill a piece of ground with parallel strokes."""
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
        """Fill a piece of ground with small drawn signs in staggered rows."""
        width, shade = texture.weight * unit, light(colour, opacity)
        self.marks += [Stroke(row, width, shade) for row in strewn(tuple(outline), texture, unit)]

    def reduce(self) -> None:
        """Vectors need no reducing."""

    def write(
        self,
        centre: PointPx,
        lines: Sequence[TextLine],
        colour: Colour,
        halo: tuple[Colour, float] | None = None,
        tilt_deg: float = 0.0,
    ) -> None:
        """Set lines of words about a point."""
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
    """A colour as a graphics card takes it."""
    return colour[0] / 255, colour[1] / 255, colour[2] / 255, opacity


def sparse(points: Sequence[PointPx]) -> Ring:
    """The points, thinned out where so many cannot be seen."""
    if len(points) < 24:
        return tuple(points)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    if max(max(xs) - min(xs), max(ys) - min(ys)) > SMALL_PX:
        return tuple(points)
    return (*points[:-1:4], points[-1])


def piece(outline: Sequence[PointPx], holes: Sequence[Sequence[PointPx]]) -> shapely.Geometry:
    """A ring with holes as a valid piece of ground."""
    found = shapely.Polygon(outline, [hole for hole in holes if len(hole) > 2])
    return found if found.is_valid else found.buffer(0)


# The table's own ground is the same under every unit's answers: its textures are made once.


@lru_cache(maxsize=32)
def hatched(
    outline: Ring, holes: tuple[Ring, ...], angle_deg: float, gap: float
) -> tuple[Ring, ...]:
    """The strokes of a hatching inside a piece."""
    ground = piece(outline, holes)
    if ground.is_empty:
        return ()
    return clipped(ground, hatching(ground.bounds, angle_deg, gap))


@lru_cache(maxsize=64)
def strewn(outline: Ring, texture: Texture, unit: float) -> tuple[Ring, ...]:
    """The strokes of a texture's signs inside a piece."""
    ground = piece(outline, ())
    if ground.is_empty:
        return ()
    return clipped(ground, scattered(ground.bounds, texture, unit))


def clipped(ground: shapely.Geometry, rows: Iterable[Sequence[PointPx]]) -> tuple[Ring, ...]:
    """What of the rows lies inside a piece."""
    inside = shapely.MultiLineString([row for row in rows if len(row) > 1]).intersection(ground)
    return tuple(
        tuple((float(x), float(y)) for x, y in part.coords)
        for part in getattr(inside, "geoms", [inside])
        if part.geom_type == "LineString" and not part.is_empty
    )


# -- the two pictures -----------------------------------------------------------------------------


def map_ink(
    scene: TableScene,
    scale: float,
    unit_px: float,
    theme: MapTheme = LIGHT,
    bare: bool = False,
    breathe: Breathe = go_on,
    book: ShapeCache | None = None,
) -> tuple[Mark, ...]:
    """The scene from straight above, `scale` pixels per inch, y downwards from the far edge.

    A `bare` one has no ground: it lies over another.
    """
    if scale < CROWDED:
        scene = replace(scene, shapes=tuple(brief(shape) for shape in scene.shapes))
    size = (math.ceil(scene.width_in * scale), math.ceil(scene.depth_in * scale))
    bounds = LabelBox(1.0, 1.0, size[0] - 1.0, size[1] - 1.0)
    frame = ViewFrame(size, 0.0, 0.0, scale, scene.depth_in, bounds, unit_px)
    ink = DisplayList(*size, breathe, book)
    sheet = PaintLayer(ink, frame, theme, side_looks(scene.sides), book or ShapeCache())
    for label in draw_map(sheet, scene, not bare):
        write(sheet, label)
    return tuple(ink.marks)


def picture_ink(
    scene: TableScene,
    size: tuple[float, float],
    to_pixels: ToPixels,
    unit_px: float,
    breathe: Breathe = go_on,
    book: ShapeCache | None = None,
) -> tuple[Mark, ...]:
    """The scene as the camera sees it, on a picture shown in that size, y downwards."""
    ink = DisplayList(*size, breathe, book)
    quiet = tuple(shape for shape in scene.shapes if not named(shape))
    draw_photo(ink, replace(scene, shapes=quiet), size, to_pixels, unit_px, book)
    return tuple(ink.marks)


def named(shape: Shape) -> bool:
    """Whether it is a tray's name: on the picture its badge is enough, and words would pile up."""
    return isinstance(shape, Label) and shape.style.role in ("tray", "terrain", "deployment")


def brief(shape: Shape) -> Shape:
    """On a small map terrain says its name only, and zones say nothing."""
    if isinstance(shape, Label) and shape.style.role == "terrain":
        return replace(shape, text=shape.text.split("\n")[0])
    if isinstance(shape, Label) and shape.style.role == "deployment":
        return replace(shape, text=" ")
    return shape
