"""Model figures as upright billboards that face the camera."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from calibration.camera.viewpoint import Viewpoint
from companion.practice.layer import Layer, Sketch
from companion.practice.plate import base_radius, model_positions, side_colour
from companion.practice.window import Window
from models.unit import Unit

Floats = NDArray[np.float64]
Colour = tuple[int, int, int]
Part = tuple[str, Floats]

FOOT_HEIGHT_IN = 1.3
RIDER_HEIGHT_IN = 1.9
LARGE_HEIGHT_IN = 2.0
LARGE_BASE_IN = 1.6
"""A single figure on a larger base than this rides."""


def disc(x: float, y: float, wide: float, high: float) -> Floats:
    """An ellipse as a polygon."""
    angle = np.linspace(0, 2 * np.pi, 18, endpoint=False)
    return np.stack([x + wide * np.cos(angle), y + high * np.sin(angle)], axis=1)


def shape(*points: tuple[float, float]) -> Floats:
    """A polygon from its corners."""
    return np.array(points, dtype=np.float64)


FOOT: tuple[Part, ...] = (
    ("steel", shape((0.17, 0.12), (0.20, 0.12), (0.24, 1.08), (0.21, 1.08))),
    ("cloth", shape((-0.21, 0), (0.2, 0), (0.15, 0.6), (0.07, 0.74), (-0.07, 0.74), (-0.15, 0.6))),
    ("shade", shape((0.02, 0), (0.2, 0), (0.15, 0.6), (0.07, 0.74), (0.03, 0.74))),
    ("leather", shape((-0.16, 0.36), (0.16, 0.36), (0.16, 0.42), (-0.16, 0.42))),
    ("skin", disc(0, 0.83, 0.085, 0.10)),
    ("steel", shape((-0.095, 0.84), (0.095, 0.84), (0.07, 0.94), (0, 0.97), (-0.07, 0.94))),
    ("side", disc(-0.15, 0.42, 0.12, 0.17)),
    ("steel", disc(-0.15, 0.42, 0.035, 0.04)),
)
"""A soldier on foot of height 1: across, up."""

RIDER: tuple[Part, ...] = (
    ("leather", shape((-0.30, 0), (-0.25, 0), (-0.22, 0.34), (-0.30, 0.34))),
    ("leather", shape((0.20, 0), (0.25, 0), (0.28, 0.34), (0.20, 0.34))),
    ("leather", shape((-0.17, 0.02), (-0.12, 0.02), (-0.12, 0.3), (-0.19, 0.3))),
    ("leather", shape((0.10, 0.02), (0.15, 0.02), (0.17, 0.3), (0.10, 0.3))),
    ("horse", disc(0, 0.38, 0.34, 0.14)),
    ("horse", shape((0.2, 0.36), (0.34, 0.42), (0.44, 0.68), (0.34, 0.72), (0.16, 0.48))),
    ("horse", shape((0.33, 0.72), (0.40, 0.74), (0.55, 0.58), (0.50, 0.54), (0.38, 0.62))),
    ("side", shape((-0.28, 0.25), (0.05, 0.22), (0.08, 0.48), (-0.26, 0.5))),
    ("cloth", shape((-0.12, 0.42), (0.12, 0.42), (0.10, 0.74), (0, 0.82), (-0.10, 0.74))),
    ("shade", shape((0.02, 0.42), (0.12, 0.42), (0.10, 0.74), (0.01, 0.82))),
    ("skin", disc(0, 0.87, 0.06, 0.07)),
    ("steel", shape((-0.065, 0.88), (0.065, 0.88), (0.04, 0.96), (-0.04, 0.96))),
    ("steel", shape((0.14, 0.3), (0.16, 0.3), (0.30, 1.2), (0.28, 1.2))),
)
"""A rider of height 1."""

PAINTS: dict[str, Colour] = {
    "steel": (150, 148, 144),
    "leather": (40, 58, 84),
    "skin": (128, 158, 206),
    "horse": (44, 62, 92),
    "base": (22, 24, 26),
    "moss": (44, 74, 62),
}


def paints(side: str) -> dict[str, Colour]:
    """The colours of one side's figures."""
    blue, green, red = side_colour(side)
    cloth = (blue * 3 // 4 + 12, green * 3 // 4 + 12, red * 3 // 4 + 12)
    shade = (blue * 2 // 5 + 6, green * 2 // 5 + 6, red * 2 // 5 + 6)
    return PAINTS | {"side": (blue, green, red), "cloth": cloth, "shade": shade}


def figure_height(unit: Unit) -> float:
    """The height of a unit's models."""
    if unit.tray.round:
        return RIDER_HEIGHT_IN if unit.tray.width > LARGE_BASE_IN else FOOT_HEIGHT_IN
    if unit.tray.models == 1:
        return LARGE_HEIGHT_IN
    return RIDER_HEIGHT_IN if unit.tray.models <= 4 else FOOT_HEIGHT_IN


def figures_layer(unit: Unit, height: float, lens: Lens, view: Viewpoint) -> Layer | None:
    """The models of a unit on their tray, drawn from far to near."""
    if unit.models <= 0:
        return None
    spots = np.array(
        [unit.pose.ahead(*place) for place in model_positions(unit.tray)[: unit.models]]
    )
    away = np.hypot(spots[:, 0] - view.position[0], spots[:, 1] - view.position[1])
    spots = spots[np.argsort(-away)]
    tall = figure_height(unit)
    rides = unit.tray.round and unit.tray.width > LARGE_BASE_IN
    parts = RIDER if rides or 1 < unit.tray.models <= 4 else FOOT
    colours = paints(unit.side)
    outline = np.concatenate([points for _, points in parts])
    towards = spots - np.array(view.position[:2])
    across = np.stack([towards[:, 1], -towards[:, 0]], axis=1)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    # n figures x m points x 3, projected in one call.
    space = np.empty((len(spots), len(outline), 3))
    space[..., :2] = spots[:, None] + across[:, None] * (outline[None, :, :1] * tall)
    space[..., 2] = height + 0.08 + outline[None, :, 1] * tall
    angle = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) * base_radius(unit.tray)
    bases = np.empty((len(spots), len(ring), 3))
    bases[..., :2] = spots[:, None] + ring
    bases[..., 2] = height + 0.06
    if (view.in_camera(space)[..., 2] <= 0.1).any():
        return None
    drawn, feet = view.project(space, lens), view.project(bases, lens)
    window = Window.around(np.concatenate([drawn.reshape(-1, 2), feet.reshape(-1, 2)]), lens.size)
    if window is None:
        return None
    sketch = Sketch(window, colours["cloth"])
    for body, foot in zip(drawn, feet, strict=True):
        sketch.polygon(foot, colours["base"])
        middle = foot.mean(axis=0)
        sketch.polygon(middle + (foot - middle) * 0.8, colours["moss"])
        start = 0
        for paint, points in parts:
            sketch.polygon(body[start : start + len(points)], colours[paint])
            start += len(points)
    return sketch.layer()
