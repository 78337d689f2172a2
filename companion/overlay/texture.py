"""Small drawn signs that tell kinds of ground apart without colour."""

from __future__ import annotations

import math
from dataclasses import dataclass

PointPx = tuple[float, float]
Stroke = tuple[PointPx, ...]


@dataclass(frozen=True, slots=True)
class Texture:
    """Strokes about an origin, how far apart they are repeated (across, down), their weight.

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
    "crosses": Texture((((-2, -2), (2, 2)), ((-2, 2), (2, -2))), (12.5, 9), 0.8),
}
