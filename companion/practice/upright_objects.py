"""Upright objects: model figures as billboards, walls, trees, poles for tags, and hands."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from calibration.camera.viewpoint import Viewpoint
from companion.practice.layer import Layer, Sketch, Window
from companion.practice.plate import base_radius, model_positions, side_colour
from models.terrain import Terrain
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


WALLS: dict[str, tuple[float, Colour, Colour]] = {
    "low-wall": (0.6, (104, 108, 112), (146, 150, 154)),
    "hedge": (0.8, (34, 66, 38), (52, 96, 58)),
    "palisade": (1.5, (44, 66, 92), (70, 100, 132)),
    "castle-wall": (2.4, (96, 100, 104), (140, 144, 148)),
}
"""Height, side colour and top colour of terrain that fills its outline."""

TREES: dict[str, tuple[float, float, Colour, Colour]] = {
    "forest": (2.6, 6.0, (36, 70, 44), (24, 48, 32)),
    "weirwood": (3.2, 30.0, (40, 40, 150), (28, 28, 108)),
    "stakes": (0.7, 0.8, (70, 98, 126), (48, 70, 96)),
}
"""Height, square inches per tree, light and dark colour of wooded terrain."""


@dataclass(frozen=True, slots=True)
class HandSprite:
    """A hand over the table: where its fingers are, which edge it reaches in from, how high."""

    x: float
    y: float
    from_far_side: bool = False
    up: float = 1.6


@dataclass(frozen=True, slots=True)
class Stick:
    """A thin upright pole that carries a tag."""

    x: float
    y: float
    low: float
    high: float


def drawn(
    pieces: list[tuple[Floats, Colour]], lens: Lens, view: Viewpoint, spare: int = 2
) -> Layer | None:
    """Polygons in space as one layer, the last on top."""
    shapes = [
        (view.project(points, lens), colour)
        for points, colour in pieces
        if (view.in_camera(points)[:, 2] > 0.1).all()
    ]
    if not shapes:
        return None
    window = Window.around(np.concatenate([points for points, _ in shapes]), lens.size, spare)
    if window is None:
        return None
    sketch = Sketch(window, shapes[-1][1])
    for points, colour in shapes:
        sketch.polygon(points, colour)
    return sketch.layer()


def terrain_layer(piece: Terrain, lens: Lens, view: Viewpoint) -> Layer | None:
    """The upright part of a terrain piece, if any."""
    if piece.piece in WALLS:
        return drawn(wall(piece, view), lens, view)
    if piece.piece in TREES:
        return drawn(trees(piece, view), lens, view)
    return None


def wall(piece: Terrain, view: Viewpoint) -> list[tuple[Floats, Colour]]:
    """The outline extruded to its height: sides from far to near, then the top."""
    height, side, top = WALLS[piece.piece]
    ground = np.array([(x, y, 0.0) for x, y in piece.outline])
    roof = ground + np.array([0.0, 0.0, height])
    following = np.roll(np.arange(len(ground)), -1)
    faces = []
    for start, end in enumerate(following):
        middle = (ground[start] + ground[end]) / 2
        away = math.dist(middle[:2], view.position[:2])
        along = ground[end] - ground[start]
        tone = 0.75 + 0.25 * abs(along[0]) / max(math.hypot(along[0], along[1]), 1e-9)
        colour: Colour = (int(side[0] * tone), int(side[1] * tone), int(side[2] * tone))
        faces.append((away, np.array([ground[start], ground[end], roof[end], roof[start]]), colour))
    faces.sort(key=lambda face: -face[0])
    return [(points, colour) for _, points, colour in faces] + [(roof, top)]


def trees(piece: Terrain, view: Viewpoint) -> list[tuple[Floats, Colour]]:
    """Cones spread evenly inside the outline, far ones first."""
    height, room, light, dark = TREES[piece.piece]
    outline = np.array(piece.outline)
    area = 0.5 * abs(
        float(
            outline[:, 0] @ np.roll(outline[:, 1], -1) - outline[:, 1] @ np.roll(outline[:, 0], -1)
        )
    )
    count = int(np.clip(round(area / room), 1, 24))
    rng = np.random.default_rng(sum(piece.id.encode()) + len(piece.outline))
    shares = rng.dirichlet(np.full(len(outline), 1.2), count)
    spots = (shares @ outline * 0.85) + outline.mean(axis=0) * 0.15
    spots = spots[np.argsort(-np.hypot(*(spots - np.array(view.position[:2])).T))]
    pieces: list[tuple[Floats, Colour]] = []
    for spot in spots:
        towards = spot - np.array(view.position[:2])
        across = np.array([towards[1], -towards[0]]) / max(float(np.hypot(*towards)), 1e-9)
        tall = height * float(rng.uniform(0.75, 1.1))
        wide = tall * 0.26

        def at(side: float, up: float, spot: Floats = spot, across: Floats = across) -> Floats:
            return np.array([*(spot + across * side), up])

        foot = tall * 0.12
        pieces.append(
            (
                np.array([at(-0.12, 0), at(0.12, 0), at(0.1, tall * 0.3), at(-0.1, tall * 0.3)]),
                (36, 52, 72),
            )
        )
        for step in range(3):
            low, high = foot + tall * 0.24 * step, foot + tall * (0.40 + 0.24 * step)
            reach = wide * (1 - 0.27 * step)
            crown = np.array([at(-reach, low), at(reach, low), at(0, high)])
            pieces.append((crown, light))
            pieces.append((np.array([at(0.1 * reach, low), at(reach, low), at(0, high)]), dark))
    return pieces


def pole_outline(stick: Stick, view: Viewpoint) -> Floats:
    """The four corners (4 x 3) of a tag's pole, turned to the camera."""
    towards = np.array([stick.x, stick.y]) - np.array(view.position[:2])
    across = np.array([towards[1], -towards[0]]) / max(float(np.hypot(*towards)), 1e-9) * 0.06
    foot, head = (stick.x, stick.y, stick.low), (stick.x, stick.y, stick.high)
    side = np.array([*across, 0.0])
    return np.array([foot - side, foot + side, head + side, head - side])


def stick_layer(stick: Stick, lens: Lens, view: Viewpoint) -> Layer | None:
    """The layer of a tag's pole."""
    return drawn([(pole_outline(stick, view), (60, 62, 66))], lens, view)


def hand_pieces(hand: HandSprite, table_depth: float) -> list[tuple[Floats, Colour]]:
    """Forearm, palm and fingers, level at the hand's height, the arm rising to the edge."""
    edge_y = table_depth + 8 if hand.from_far_side else -8.0
    start, goal = np.array([24.0 * 0.3 + hand.x * 0.7, edge_y]), np.array([hand.x, hand.y])
    along = (goal - start) / max(float(np.hypot(*(goal - start))), 1e-9)
    across = np.array([along[1], -along[0]])

    def at(forward: float, side: float, up: float) -> Floats:
        return np.array([*(goal + along * forward + across * side), hand.up + up])

    sleeve, skin, shade = (96, 72, 58), (134, 164, 214), (104, 132, 184)
    reach = float(np.hypot(*(goal - start)))
    pieces: list[tuple[Floats, Colour]] = [
        (np.array([at(-reach, -2, 4), at(-reach, 2, 4), at(-6, 1.5, 1), at(-6, -1.5, 1)]), sleeve),
        (
            np.array([at(-6.2, -1.1, 1), at(-6.2, 1.1, 1), at(-3, 1.1, 0.5), at(-3, -1.1, 0.5)]),
            skin,
        ),
    ]
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    palm = [at(-2.6 + 1.7 * math.cos(a), 1.6 * math.sin(a), 0.4) for a in angle]
    pieces.append((np.array(palm), skin))
    for side, length in ((-1.15, 0.7), (-0.4, 1.0), (0.35, 1.05), (1.1, 0.8)):
        base, tip = -1.7, -1.7 + 2.4 * length
        finger = [
            at(base, side - 0.34, 0.4),
            at(base, side + 0.34, 0.4),
            at(tip - 0.2, side * 0.8 + 0.28, 0.0),
            at(tip, side * 0.8, 0.0),
            at(tip - 0.2, side * 0.8 - 0.28, 0.0),
        ]
        pieces.append((np.array(finger), skin))
        pieces.append(
            (np.array([finger[1], finger[2], finger[3], (finger[0] + finger[1]) / 2]), shade)
        )
    thumb = [at(-3.4, 1.3, 0.3), at(-2.6, 2.0, 0.2), at(-1.2, 1.9, 0.0), at(-1.4, 1.3, 0.1)]
    pieces.append((np.array(thumb), skin))
    return pieces


def hand_layers(
    hand: HandSprite, table_depth: float, lens: Lens, view: Viewpoint
) -> tuple[Layer | None, Layer | None]:
    """The hand's shadow on the table (to be drawn half transparent) and the hand itself."""
    pieces = hand_pieces(hand, table_depth)
    shadow = [
        (
            np.column_stack([points[:, 0] + 0.8, points[:, 1] + 0.3, np.zeros(len(points))]),
            (0, 0, 0),
        )
        for points, _ in pieces
    ]
    dark = drawn([(points, (8, 8, 8)) for points, _ in shadow], lens, view)
    return dark, drawn(pieces, lens, view)
