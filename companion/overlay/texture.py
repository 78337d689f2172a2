"""Small drawn signs that tell kinds of ground apart without colour."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from companion.overlay.canvas import PointPx, circle

Strokes = list[list[PointPx]]


@dataclass(frozen=True, slots=True)
class Texture:
    """A sign, how far apart it is repeated (across, down), and how thick it is drawn (px)."""

    sign: Callable[[float, float], Strokes]
    gap: PointPx
    width: float


def tree(x: float, y: float) -> Strokes:
    """A round crown on a short stem."""
    crown = circle((x, y - 3), 5.5, 12)
    return [[*crown, crown[0]], [(x, y + 2.5), (x, y + 8)]]


def leaf(x: float, y: float) -> Strokes:
    """A small arch."""
    return [[(x - 3.5, y + 2), (x - 2, y - 1.5), (x + 2, y - 1.5), (x + 3.5, y + 2)]]


def wave(x: float, y: float) -> Strokes:
    """A short ripple."""
    return [[(x + t, y + 2.2 * math.sin(t * 0.62)) for t in range(-10, 11, 2)]]


def spike(x: float, y: float) -> Strokes:
    """Two crossed stakes."""
    return [[(x - 5, y + 6), (x + 3, y - 6)], [(x + 5, y + 6), (x - 3, y - 6)]]


def brick(x: float, y: float) -> Strokes:
    """A joint and the course under it."""
    return [[(x, y - 4), (x, y + 4)], [(x - 10, y + 4), (x + 10, y + 4)]]


def bar(x: float, y: float) -> Strokes:
    """An upright pale."""
    return [[(x, y - 9), (x, y + 9)]]


def cross(x: float, y: float) -> Strokes:
    """A small cross."""
    return [[(x - 3, y - 3), (x + 3, y + 3)], [(x - 3, y + 3), (x + 3, y - 3)]]


TEXTURES = {
    "trees": Texture(tree, (26, 20), 1.2),
    "leaves": Texture(leaf, (13, 9), 1.2),
    "waves": Texture(wave, (34, 12), 1.3),
    "spikes": Texture(spike, (24, 18), 1.5),
    "bricks": Texture(brick, (20, 8), 1.0),
    "bars": Texture(bar, (8, 18), 1.5),
    "crosses": Texture(cross, (20, 14), 1.3),
}
