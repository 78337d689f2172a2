"""A scene as marks on a screen: fills, strokes and words in screen pixels, no window needed.

The painters of `companion.overlay` draw on it as on paper; what they draw is kept as vectors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import shapely

from companion.overlay.canvas import Canvas, Line, block_size, dashes
from companion.overlay.figure import Sheet, draw, draw_ground
from companion.overlay.frame import Frame
from companion.overlay.photo import followed, hidden, photo_theme
from companion.overlay.placing import Box, PointPx
from companion.overlay.shape import (
    Circle,
    Label,
    Point,
    Polygon,
    Polyline,
    Scene,
    Shape,
    drawing_order,
)
from companion.overlay.texture import Texture
from companion.overlay.theme import LIGHT, Colour, Theme, side_looks
from companion.overlay.wording import draw_leader, draw_plate, lay_out, write

Ring = tuple[PointPx, ...]
ToPixels = Callable[[Sequence[Point]], Sequence[PointPx]]

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
class Words:
    """One line of words about its centre, turned counter-clockwise, perhaps with a halo."""

    text: str
    centre: PointPx
    size: int
    bold: bool
    colour: Colour
    halo: tuple[Colour, float] | None
    tilt_deg: float


Mark = Fill | Stroke | Words


class Ink(Canvas):
    """A canvas that remembers marks instead of painting pixels."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = math.ceil(width), math.ceil(height)
        self.marks: list[Mark] = []

    def fill(
        self,
        outline: Sequence[PointPx],
        colour: Colour,
        opacity: float = 1.0,
        holes: Sequence[Sequence[PointPx]] = (),
    ) -> None:
        """Fill a piece of ground."""
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
        ground = piece(outline, holes)
        if ground.is_empty:
            return
        angle = math.radians(angle_deg)
        along, across = (math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))
        left, top, right, bottom = ground.bounds
        corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
        spread = [x * across[0] + y * across[1] for x, y in corners]
        reach = [x * along[0] + y * along[1] for x, y in corners]
        rows = [
            [
                (across[0] * n * gap + along[0] * end, across[1] * n * gap + along[1] * end)
                for end in (min(reach) - 1, max(reach) + 1)
            ]
            for n in range(math.floor(min(spread) / gap), math.ceil(max(spread) / gap) + 1)
        ]
        self._clipped(ground, rows, width, light(colour, opacity))

    def scatter(
        self,
        outline: Sequence[PointPx],
        colour: Colour,
        opacity: float,
        texture: Texture,
        unit: float,
    ) -> None:
        """Fill a piece of ground with small drawn signs in staggered rows."""
        ground = piece(outline, ())
        if ground.is_empty:
            return
        step_x, step_y = texture.gap[0] * unit, texture.gap[1] * unit
        left, top, right, bottom = ground.bounds
        rows = []
        for row in range(math.floor(top / step_y) - 1, math.ceil(bottom / step_y) + 2):
            for column in range(math.floor(left / step_x) - 1, math.ceil(right / step_x) + 2):
                x, y = (column + 0.5 * (row % 2)) * step_x, row * step_y
                rows += [
                    [(x + dx * unit, y + dy * unit) for dx, dy in stroke]
                    for stroke in texture.strokes
                ]
        self._clipped(ground, rows, texture.weight * unit, light(colour, opacity))

    def _clipped(
        self,
        ground: shapely.Geometry,
        rows: Sequence[Sequence[PointPx]],
        width: float,
        colour: tuple[float, float, float, float],
    ) -> None:
        inside = shapely.MultiLineString([row for row in rows if len(row) > 1]).intersection(ground)
        for part in getattr(inside, "geoms", [inside]):
            if part.geom_type == "LineString" and not part.is_empty:
                points = tuple((float(x), float(y)) for x, y in part.coords)
                self.marks.append(Stroke(points, width, colour))

    def reduce(self) -> None:
        """Vectors need no reducing."""

    def write(
        self,
        centre: PointPx,
        lines: Sequence[Line],
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
            self.marks.append(Words(line.text, spot, line.size, line.bold, colour, halo, tilt_deg))
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


# -- the two pictures -----------------------------------------------------------------------------


@dataclass(frozen=True)
class ScreenFrame(Frame):
    """The table on a screen: `unit` is chosen for reading at arm's length, not for paper."""

    unit_px: float = 1.0
    spots: dict[Point, PointPx] = field(default_factory=dict)
    """Where points of the table lie on the screen, if not straight above."""
    to_pixels: ToPixels | None = None

    @property
    def unit(self) -> float:
        """The unit of weights and letters in pixels."""
        return self.unit_px

    def px(self, point: Point) -> PointPx:
        """A point of the table as a point of the screen."""
        if self.to_pixels is None:
            return super().px(point)
        found = self.spots.get(point)
        if found is None:
            found = self.spots[point] = self.to_pixels([point])[0]
        return found


def map_ink(scene: Scene, scale: float, unit_px: float, theme: Theme = LIGHT) -> tuple[Mark, ...]:
    """The scene from straight above, `scale` pixels per inch, y downwards from the far edge."""
    if scale < CROWDED:
        scene = replace(scene, shapes=tuple(brief(shape) for shape in scene.shapes))
    size = (math.ceil(scene.width_in * scale), math.ceil(scene.depth_in * scale))
    bounds = Box(1.0, 1.0, size[0] - 1.0, size[1] - 1.0)
    frame = ScreenFrame(size, 0.0, 0.0, scale, scene.depth_in, bounds, unit_px)
    ink = Ink(*size)
    sheet = Sheet(ink, frame, theme, side_looks(scene.sides))
    draw_ground(sheet, scene)
    for shape in drawing_order(scene.shapes):
        draw(sheet, shape)
    words = lay_out(sheet, scene)
    for label in words:
        draw_leader(sheet, label)
    for label in words:
        draw_plate(sheet, label)
    for label in words:
        write(sheet, label)
    return tuple(ink.marks)


def picture_ink(
    scene: Scene, size: tuple[float, float], to_pixels: ToPixels, unit_px: float
) -> tuple[Mark, ...]:
    """The scene as the camera sees it, on a picture shown in that size, y downwards."""
    shapes = tuple(
        followed(shape) for shape in scene.shapes if not hidden(shape) and not named(shape)
    )
    bent = replace(scene, shapes=shapes)
    points = list(dict.fromkeys(point for shape in shapes for point in points_of(shape)))
    middle = (scene.width_in / 2, scene.depth_in / 2)
    ends = [(middle[0] - 1, middle[1]), (middle[0] + 1, middle[1])]
    pixels = to_pixels([*points, *ends])
    spots = dict(zip(points, pixels, strict=False))
    scale = math.dist(pixels[-2], pixels[-1]) / 2
    bounds = Box(0.0, 0.0, *size)
    whole = (math.ceil(size[0]), math.ceil(size[1]))
    frame = ScreenFrame(whole, 0.0, 0.0, scale, scene.depth_in, bounds, unit_px, spots, to_pixels)
    ink = Ink(*size)
    sheet = Sheet(ink, frame, photo_theme(), side_looks(scene.sides))
    for shape in drawing_order(shapes):
        draw(sheet, shape)
    for label in (words := lay_out(sheet, bent)):
        draw_plate(sheet, label)
    for label in words:
        write(sheet, label)
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


def points_of(shape: Polygon | Polyline | Circle | Label) -> Sequence[Point]:
    """Every point of a shape that must be found on the screen."""
    match shape:
        case Polygon():
            return [*shape.outline, *(point for hole in shape.holes for point in hole)]
        case Polyline():
            return shape.points
        case Circle():
            return (shape.centre,)
        case Label():
            return shape.spots
