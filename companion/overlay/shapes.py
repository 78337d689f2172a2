"""Shapes in inches that describe what they mean; a theme decides how they look. Also the legend
of a scene, what of it is drawn where badges name the trays, and the cache of shapes drawn
before.

>>> Polyline(((0, 0), (3, 4)), Style("shot", side="blue"), arrow=True).length_in
5.0
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from companion.overlay.map_theme import NAMED_SIDES, SIDE_LOOKS, side_looks
from companion.text.lengths import whole_percent
from models import Table
from models.message import LazyMessage, Name, say

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Style:
    """What a shape stands for: the theme's role, its side, its certainty and its emphasis.

    A shape that is not `sure` is drawn hatched and dashed; `emphasis` runs from 0 (a hint) to 1. Of
    the reach of a piece `move` says of which move.
    """

    role: str
    side: str = ""
    sure: bool = True
    emphasis: float = 1.0
    move: str = ""


@dataclass(frozen=True, slots=True)
class Polygon:
    """An area, perhaps with holes; `about` holds the ids of the units or pieces it concerns."""

    outline: tuple[Point, ...]
    style: Style
    z: int = 0
    about: tuple[str, ...] = ()
    holes: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Polyline:
    """A path or a border; `arrow` adds a head at its end."""

    points: tuple[Point, ...]
    style: Style
    z: int = 0
    about: tuple[str, ...] = ()
    arrow: bool = False

    @property
    def length_in(self) -> float:
        """The length in inches."""
        return math.fsum(math.dist(p, q) for p, q in pairwise(self.points))

    def at(self, share: float) -> Point:
        """The point at this share (0..1) of its length."""
        left = share * self.length_in
        for p, q in pairwise(self.points):
            step = math.dist(p, q)
            if left <= step and step > 0:
                part = left / step
                return p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])
            left -= step
        return self.points[-1]


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc: a token, a model, a mark."""

    centre: Point
    radius_in: float
    style: Style
    z: int = 0
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Label:
    """Text at a position, or at the first of `spots` (best first) where it covers nothing.

    A label with `room_in` (width, height) stays at its first spot, wrapped and shrunk to fit,
    rotated by `tilt_deg`. Of two labels that want one position, the higher `z` gets it.
    """

    text: str
    spots: tuple[Point, ...]
    style: Style
    z: int = 0
    about: tuple[str, ...] = ()
    room_in: tuple[float, float] | None = None
    tilt_deg: float = 0.0


Shape = Polygon | Polyline | Circle | Label


@dataclass(frozen=True, slots=True)
class Key:
    """One line of the legend: a style and its meaning."""

    style: Style
    text: str


@dataclass(frozen=True, slots=True)
class TableScene:
    """A whole picture: the table's size, its sides, a title, a legend, and the shapes."""

    width_in: float
    depth_in: float
    sides: tuple[str, ...] = ()
    title: str = ""
    subtitle: str = ""
    legend: tuple[Key, ...] = ()
    shapes: tuple[Shape, ...] = ()
    measured: bool = True
    """Whether lengths count on it: a grid of inches and rulers are drawn."""


def drawing_order(shapes: tuple[Shape, ...]) -> list[Shape]:
    """The shapes from bottom to top; stable for equal `z`."""
    return sorted(shapes, key=lambda shape: shape.z)


MOST_KEPT, MOST_MET = 350, 8_000
"""Above these sizes, most entries are about units that have since moved."""

Stamp: TypeAlias = "tuple[slice, slice, NDArray[np.uint8]]"
"""The rows and columns of a picture's cells around a figure, and which of them it covers."""


@dataclass(frozen=True, slots=True)
class ShapeCache:
    """The cache for one frame and one theme; several threads may read and write it."""

    met: set[int] = field(default_factory=set)
    """Hashes of shapes drawn at least once; only those that recur are cached."""
    followed: dict[Shape, Shape] = field(default_factory=dict)
    """Shapes subdivided for lens distortion."""
    stamps: dict[Shape, Stamp | None] = field(default_factory=dict)
    """The cells that figures cover."""
    figures: dict[Shape, Any] = field(default_factory=dict)
    """Figures as the canvas stores them."""

    def again(self, shape: Shape) -> bool:
        """Whether it was drawn before: most answers are drawn once, every tray in every picture."""
        known = hash(shape)
        if known in self.met:
            return True
        self.met.add(known)
        return False

    @property
    def full(self) -> bool:
        """Whether a new cache should be started."""
        return len(self.figures) > MOST_KEPT or len(self.met) > MOST_MET


GROUND_WORDS = ("terrain", "deployment")
QUIET = ("sight", "sight-blocked", "threat-shot", "attack-path", "shot")
"""Lines of every possible answer: the card lists them, and one arrow is drawn for the best."""
TOKENS = ("token", "token-ring")
"""Drawn as flags over the table."""
FAINT = ("threat", "threat-far", "arc-line", "arc-front", "range")
FAINT_EMPHASIS = 0.15
COLOUR_NAMES = tuple(
    next(name for name, place in NAMED_SIDES.items() if place == number)
    for number in range(len(SIDE_LOOKS))
)
"""A name of a side for each colour, in the order of the seats."""


def in_words(scene: TableScene, translate: Callable[[str], str]) -> TableScene:
    """The scene in a viewer's language: until then its texts are lazy messages."""

    def told(text: str) -> str:
        known = isinstance(text, LazyMessage | Name)
        return whole_percent(translate(text)) if known else text

    def labelled(label: Label) -> Label:
        text = told(label.text)
        place = label.style.role == "terrain"
        return replace(label, text=text[:1].upper() + text[1:] if place else text)

    return replace(
        scene,
        title=told(scene.title),
        subtitle=told(scene.subtitle),
        legend=tuple(replace(key, text=told(key.text)) for key in scene.legend),
        shapes=tuple(labelled(one) if isinstance(one, Label) else one for one in scene.shapes),
    )


def uncluttered(scene: TableScene, tokens: bool = False) -> TableScene:
    """The scene without labels of trays and offers; with a unit chosen, its areas remain.

    `tokens`: with the tokens, where nothing else draws them.
    """
    shapes = (one for one in scene.shapes if kept(one) or (tokens and is_token(one)))
    return replace(scene, shapes=tuple(map(quieter, shapes)))


def is_token(shape: Shape) -> bool:
    return not isinstance(shape, Label) and shape.style.role in TOKENS


def named_only(scene: TableScene) -> TableScene:
    """The scene without ids, which players do not know; names stay on the trays."""
    shapes = (
        one
        for one in scene.shapes
        if not (isinstance(one, Label) and one.style.role in ("id", "token"))
    )
    return replace(scene, shapes=tuple(shapes))


def in_colours(scene: TableScene, colours: Mapping[str, int]) -> TableScene:
    """The scene with its sides named after the colours (1 to 6) that they are to be drawn in."""
    usual = {
        side: SIDE_LOOKS.index(look) + 1 for side, look in side_looks(scene.sides).items() if side
    }
    wanted = {side: colours.get(side, number) for side, number in usual.items()}
    if wanted == usual or len(set(wanted.values())) < len(wanted):
        return scene
    names = {side: COLOUR_NAMES[number - 1] for side, number in wanted.items()}
    shapes = tuple(
        replace(one, style=replace(one.style, side=names.get(one.style.side, one.style.side)))
        for one in scene.shapes
    )
    return replace(scene, sides=tuple(names[one] for one in scene.sides), shapes=shapes)


def kept(shape: Shape) -> bool:
    """Whether a shape stays."""
    role = shape.style.role
    return role in GROUND_WORDS if isinstance(shape, Label) else role not in (*QUIET, *TOKENS)


def quieter(shape: Shape) -> Shape:
    """The shape, fainter if it is only the background of an answer; places with their name only."""
    if isinstance(shape, Label):
        return replace(shape, text=shape.text.split("\n")[0])
    if shape.style.role in FAINT:
        return replace(shape, style=replace(shape.style, emphasis=FAINT_EMPHASIS))
    return shape


Meanings = Mapping[str, str]
"""What the mark of each role means, in the legend's order.

Trays, terrain and zones have labels of their own.
"""


def legend(shapes: Sequence[Shape], sides: Sequence[str], meanings: Meanings) -> tuple[Key, ...]:
    """Sides first, then every role that occurs, then the meaning of hatching."""
    keys = [Key(Style("tray", side), say(side)) for side in sides]
    styles = [shape.style for shape in shapes if not isinstance(shape, Label)]
    for role, meaning in meanings.items():
        found = next((style for style in styles if style.role == role), None)
        if found is not None:
            keys.append(Key(Style(role, found.side), meaning))
    doubt = next((style for style in styles if not style.sure), None)
    if doubt is not None:
        keys.append(Key(Style(doubt.role, doubt.side, sure=False), say("too close to call")))
    return tuple(keys)


def scene(
    table: Table, shapes: Sequence[Shape], meanings: Meanings, title: str, subtitle: str = ""
) -> TableScene:
    """A table's scene with title and legend."""
    sides = table.coloured()
    keys = legend(shapes, sides, meanings)
    return TableScene(table.width, table.depth, sides, title, subtitle, keys, tuple(shapes))
