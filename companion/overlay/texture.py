"""Small symbols that distinguish kinds of terrain without colour."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from companion.overlay.bounding_box import BoundingBox, PointPx

Stroke = tuple[PointPx, ...]


@dataclass(frozen=True, slots=True)
class Texture:
    """Strokes around an origin, the distance at which they repeat (x, y), and their weight.

    All in thousandths of the picture's shorter side.
    """

    strokes: tuple[Stroke, ...]
    gap: PointPx
    weight: float


CROWN = tuple(
    (3.4 * math.cos(math.radians(30 * step)), 3.4 * math.sin(math.radians(30 * step)) - 2)
    for step in range(13)
)

TEXTURES = {
    "trees": Texture((CROWN, ((0, 1.4), (0, 5))), (16, 12.5), 0.7),
    "leaves": Texture((((-2.2, 1.2), (-1.2, -1), (1.2, -1), (2.2, 1.2)),), (8, 5.6), 0.7),
    "waves": Texture(
        (tuple((float(t), 1.4 * math.sin(t)) for t in range(-6, 7)),), (21, 7.5), 0.75
    ),
    "spikes": Texture((((-3, 3.7), (2, -3.7)), ((3, 3.7), (-2, -3.7))), (15, 11), 0.9),
    "bricks": Texture((((0, -2.5), (0, 2.5)), ((-6.5, 2.5), (6.5, 2.5))), (12.5, 5), 0.6),
    "bars": Texture((((0, -5.6), (0, 5.6)),), (5, 11), 0.9),
    "hills": Texture(
        (
            tuple(
                (6 * math.cos(math.radians(a)), 2 - 5 * math.sin(math.radians(a)))
                for a in range(20, 161, 20)
            ),
            ((-1.5, -0.5), (-3.4, 1.6)),
            ((1.5, -0.5), (3.4, 1.6)),
        ),
        (17, 12),
        0.8,
    ),
    "houses": Texture(
        (
            ((-4, 0), (0, -4.4), (4, 0), (4, 5), (-4, 5), (-4, 0)),
            ((-1, 5), (-1, 2), (1, 2), (1, 5)),
        ),
        (17, 14),
        0.8,
    ),
    "stones": Texture(
        (
            tuple(
                (2.0 * math.cos(math.radians(a)), 1.3 * math.sin(math.radians(a)))
                for a in range(0, 361, 60)
            ),
        ),
        (8.5, 6.5),
        0.8,
    ),
    "crosses": Texture((((-2, -2), (2, 2)), ((-2, 2), (2, -2))), (12.5, 9), 0.8),
}


def hatching(box: BoundingBox, angle_deg: float, gap: float) -> Iterator[Stroke]:
    """Parallel strokes over a box; those of adjacent boxes line up."""
    angle = math.radians(angle_deg)
    along, across = (math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))
    left, top, right, bottom = box
    corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
    spread = [x * across[0] + y * across[1] for x, y in corners]
    reach = [x * along[0] + y * along[1] for x, y in corners]
    ends = (min(reach) - gap, max(reach) + gap)
    for number in range(math.floor(min(spread) / gap), math.ceil(max(spread) / gap) + 1):
        x, y = across[0] * number * gap, across[1] * number * gap
        yield tuple((x + along[0] * end, y + along[1] * end) for end in ends)


def scattered(box: BoundingBox, texture: Texture, unit: float) -> Iterator[Stroke]:
    """A texture's symbols over a box, in staggered rows."""
    step_x, step_y = texture.gap[0] * unit, texture.gap[1] * unit
    left, top, right, bottom = box
    for row in range(math.floor(top / step_y) - 1, math.ceil(bottom / step_y) + 2):
        for column in range(math.floor(left / step_x) - 1, math.ceil(right / step_x) + 2):
            x, y = (column + 0.5 * (row % 2)) * step_x, row * step_y
            for stroke in texture.strokes:
                yield tuple((x + dx * unit, y + dy * unit) for dx, dy in stroke)
