"""Throws on the dice mat as a camera sees them, with their truth: for practice and for tests.

The colours, shapes and hands drawn here are not those of training (`training/dice_scenes.py`).

>>> scene = thrown(np.random.default_rng(4), count=3)
>>> scene.picture.shape, len(scene.faces)
((720, 960, 3), 3)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.printing.dice_mat import (
    A5_MAT,
    DOT_GREY,
    DOT_MM,
    GREY,
    MAT_DICTIONARY,
    TAG_MM,
    DiceMat,
    dots,
)
from calibration.printing.sheets import code_cells
from calibration.setup import dictionary_of
from companion.practice.dice_marks import practice_numerals, westeros_faces
from companion.practice.dice_picture import Dice, Eye, Lamps, draw
from companion.practice.dice_solid import D6, D8, D10, Solid, corners

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]
Generator = np.random.Generator

SOLIDS = {6: D6, 8: D8, 10: D10}
SIZES_MM = {6: (12, 16), 8: (16, 20), 10: (14, 17)}
"""Edges of dice that are sold."""
GAPS = {6: (1.15, 1.5), 8: (1.32, 1.7), 10: (1.32, 1.7)}
"""Between the middles of dice, in edges: D8 and D10 are wider than their edges are long."""
LEANS = (0.3, 0.75)
"""By how much a die leans, in radians."""
PX_PER_MM = 4.0
"""Of the flat drawing of the mat."""

BODIES = (
    (0.93, 0.9, 0.82), (0.1, 0.09, 0.1), (0.62, 0.08, 0.1), (0.09, 0.25, 0.6), (0.1, 0.42, 0.2),
    (0.85, 0.62, 0.1), (0.45, 0.45, 0.48), (0.35, 0.12, 0.45),
)  # fmt: skip
"""Colours of dice sold most."""
LIGHT_BODIES = ((0.93, 0.9, 0.82), (0.9, 0.9, 0.92), (0.8, 0.72, 0.55), (0.62, 0.62, 0.64))
"""Those on which coloured symbols are seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Thrown:
    """Pictures of a throw and its truth: faces, their places in pixels, which dice lean."""

    picture: Picture
    again: tuple[Picture, ...]
    """The same dice in further frames."""
    faces: tuple[int, ...]
    places: Floats
    leaning: tuple[bool, ...]


def thrown(
    rng: Generator,
    *,
    count: int = 6,
    sides: int = 6,
    mat: DiceMat = A5_MAT,
    size: tuple[int, int] = (960, 720),
    lean: float = 0.0,
    faces: Sequence[int] | None = None,
    frames: int = 1,
    view: DiceScene | None = None,
) -> Thrown:
    """A random throw; `lean` is the chance that a die comes to rest on its edge. Another `view`
    than a new one: the dice, camera and light of an earlier throw."""
    view = view or DiceScene.random(rng, sides=sides, mat=mat, size=size)
    spots = free_spots(rng, mat, view.die_mm, count, GAPS[len(view.solid.values)])
    turns, ups, leaning = _turns(rng, view.solid, count, lean, faces)
    middles = view.resting(spots, turns)
    values = tuple(view.solid.values[up] for up in ups)
    first, *again = view.pictures(rng, middles, turns, frames)
    return Thrown(first, tuple(again), values, view.places(middles), leaning)


def resting_turns(rng: Generator, solid: Solid, faces: Sequence[int]) -> list[Floats]:
    """How dice lie that show these faces."""
    return _turns(rng, solid, len(faces), 0.0, faces)[0]


@dataclass(frozen=True, slots=True, eq=False)
class DiceScene:
    """A camera over a mat, its light, and one player's dice: all that stays from throw to throw."""

    solid: Solid
    die_mm: float
    eye: Eye
    lamps: Lamps
    ground: list[NDArray[np.float32]]
    material: Material
    glyphs: NDArray[np.float32] | None
    inks: NDArray[np.float32] | None
    size: tuple[int, int]
    blur: float
    noise: float

    @classmethod
    def random(
        cls, rng: Generator, *, sides: int, mat: DiceMat, size: tuple[int, int]
    ) -> DiceScene:
        """Somewhere around a table."""
        die_mm = float(rng.uniform(*SIZES_MM[sides]))
        eye = _eye(rng, mat, die_mm, size)
        solid = SOLIDS[sides]
        material = _material(rng, sides)
        ground = _ground(rng, mat, die_mm, eye, size)
        glyphs = inks = None
        if sides == 8:
            glyphs, inks = (part[None] for part in westeros_faces(rng))
        if sides == 10:
            atlas = practice_numerals()
            glyphs = atlas[int(rng.integers(len(atlas)))][None]
        blur, noise = float(rng.uniform(0.4, 0.9)), float(rng.uniform(0.003, 0.015))
        lamps = _lamps(rng)
        return cls(solid, die_mm, eye, lamps, ground, material, glyphs, inks, size, blur, noise)

    def resting(self, spots: Floats, turns: Sequence[Floats]) -> Floats:
        """The middles of dice that lie at these millimetres of the mat."""
        ball = float(np.ravel(self.material["ball"])[0])
        low = [lowest(self.solid, turn, ball) for turn in turns]
        return np.column_stack([spots / self.die_mm * [1, -1], low])

    def picture(self, rng: Generator, middles: Floats, turns: Sequence[Floats]) -> Picture:
        """The dice at these places, in edges, as the camera sees them."""
        return self.pictures(rng, middles, turns, 1)[0]

    def pictures(
        self, rng: Generator, middles: Floats, turns: Sequence[Floats], many: int
    ) -> list[Picture]:
        """So many pictures of the same dice at rest: they differ by the camera's noise."""
        dice = _dice(self.material, middles, turns) if len(turns) else None
        light = _drawn(self, dice)
        return [_exposed(rng, light, self.blur, self.noise) for _ in range(many)]

    def places(self, middles: Floats) -> Floats:
        """The upper faces of dice, in pixels."""
        tops = middles + np.array([0, 0, self.solid.height])
        px, py = self.eye.pixel(*(tops[:, axis] for axis in range(3)))
        return np.column_stack([np.ravel(px), np.ravel(py)])


def lowest(solid: Solid, turn: Floats, ball: float) -> float:
    """How far below its middle a turned die reaches, in edges; corners are rounded by the ball."""
    return min(-float((corners(solid) @ turn[2]).min()), ball)


def _drawn(scene: DiceScene, dice: Dice | None) -> NDArray[np.float32]:
    """The ground with its dice: only windows around dice are drawn with them and their shadows."""
    eye, lamps, ground, size = scene.eye, scene.lamps, scene.ground, scene.size
    shade = (
        lamps.strengths[2]
        + lamps.strengths[0] * lamps.first[2]
        + lamps.strengths[1] * lamps.second[2]
    )
    light = np.stack([part[0] for part in ground], -1) * shade
    if dice is None:
        return light
    px, py = (np.ravel(part) for part in eye.pixel(*(part[:, 0] for part in dice.middle)))
    depth = float(np.linalg.norm([np.ravel(part)[0] for part in eye.place]))
    reach = 3.0 * float(eye.focal) / depth
    for x, y in zip(px, py, strict=True):
        left, top = max(0, int(x - reach)), max(0, int(y - reach))
        right, low = min(size[0], int(x + reach)), min(size[1], int(y + reach))
        near = (np.abs(px - x) < 2.5 * reach) & (np.abs(py - y) < 2.5 * reach)
        rows, columns = np.mgrid[top:low, left:right].astype(np.float32)[:, None]
        under = [part[:, top:low, left:right] for part in ground]
        with np.errstate(all="ignore"):
            rgb, _ = draw(
                np, scene.solid, dice.subset(near), eye, lamps, (under[0], under[1], under[2]),
                (columns, rows), scene.glyphs, scene.inks,
            )  # fmt: skip
        light[top:low, left:right] = np.stack([np.nan_to_num(part[0]) for part in rgb], -1)
    return light


def _eye(rng: Generator, mat: DiceMat, die_mm: float, size: tuple[int, int]) -> Eye:
    """A camera somewhere around the table that sees the whole mat."""
    elevation = math.radians(rng.uniform(48, 85))
    azimuth = rng.uniform(0, math.tau)
    away = np.array(
        [
            math.cos(elevation) * math.cos(azimuth),
            math.cos(elevation) * math.sin(azimuth),
            math.sin(elevation),
        ]
    )
    distance = rng.uniform(500, 1100) / die_mm
    target = np.array([mat.width_mm / 2, -mat.height_mm / 2, 0]) / die_mm
    right = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
    down = np.cross(-away, right)
    reach = math.hypot(mat.width_mm, mat.height_mm) / die_mm / 2
    focal = 0.5 * min(size) / reach * distance * rng.uniform(0.85, 1.0)
    wide = [
        np.float32(v).reshape(1, 1, 1) for v in (*(target + distance * away), *right, *down, *-away)
    ]
    return Eye(
        (wide[0], wide[1], wide[2]), (wide[3], wide[4], wide[5]), (wide[6], wide[7], wide[8]),
        (wide[9], wide[10], wide[11]), np.float32(focal), (size[0] / 2, size[1] / 2),
    )  # fmt: skip


def free_spots(
    rng: Generator, mat: DiceMat, die_mm: float, count: int, gaps: tuple[float, float] = GAPS[6]
) -> Floats:
    """Places on the dark part, apart from each other by at least a die's diagonal or so."""
    found: list[Floats] = []
    while len(found) < count:
        spot = rng.uniform([30, 30], [mat.width_mm - 30, mat.height_mm - 30])
        gap = die_mm * rng.uniform(*gaps)
        if all(np.hypot(*(spot - other)) > gap for other in found):
            found.append(spot)
    return np.array(found)


def _turns(
    rng: Generator, solid: Solid, count: int, lean: float, faces: Sequence[int] | None
) -> tuple[list[Floats], list[int], tuple[bool, ...]]:
    turns, ups, leaning = [], [], []
    for index in range(count):
        up = (
            int(rng.integers(len(solid.normals)))
            if faces is None
            else solid.values.index(faces[index])
        )
        normal, right = np.array(solid.normals[up], float), np.array(solid.rights[up], float)
        base = np.stack([right, np.cross(normal, right), normal])
        leans = bool(rng.random() < lean)
        axis = rng.uniform(0, math.tau)
        yaw = cv2.Rodrigues(np.array([0, 0, rng.uniform(0, math.tau)]))[0]
        level = np.asarray(yaw @ base, np.float64)
        turns.append(leaning_turn(rng, solid, level, axis) if leans else level)
        ups.append(up)
        leaning.append(leans)
    return turns, ups, tuple(leaning)


def leaning_turn(rng: Generator, solid: Solid, level: Floats, axis: float) -> Floats:
    """A die that leans, about this axis or another one: no face of it is nearly level, neighbours
    of the upper one included."""
    while True:
        tilt = np.array([math.cos(axis), math.sin(axis), 0]) * rng.uniform(*LEANS)
        turn = np.asarray(cv2.Rodrigues(tilt)[0] @ level, np.float64)
        if (np.array(solid.normals) @ turn[2]).max() <= math.cos(LEANS[0]):
            return turn
        axis = rng.uniform(0, math.tau)


Material = Mapping[str, float | tuple[float, float, float]]
"""What one player's dice are made of, as `Dice` names it."""


def _material(rng: Generator, sides: int) -> Material:
    """One player's dice: all of one colour."""
    bodies = LIGHT_BODIES if sides == 8 else BODIES
    body = np.array(bodies[int(rng.integers(len(bodies)))]) * rng.uniform(0.85, 1.05)
    dark = body @ [0.3, 0.59, 0.11] < 0.45
    clear = rng.uniform(0.4, 0.8) if body.max() - body.min() > 0.3 and rng.random() < 0.15 else 0.0
    return {
        "size": 1.0,
        "bevel": rng.uniform(0.6, 0.69),
        "ball": rng.uniform(*{6: (0.7, 0.84), 8: (0.58, 0.7), 10: (0.64, 0.74)}[sides]),
        "softness": rng.uniform(0.01, 0.05),
        "colour": (float(body[0]), float(body[1]), float(body[2])),
        "mark": (0.95, 0.94, 0.9) if dark else (0.05, 0.05, 0.06),
        "mark_size": rng.uniform(0.085, 0.125) if sides == 6 else 0.0,
        "spacing": rng.uniform(*{6: (0.21, 0.28), 8: (0.21, 0.26), 10: (0.34, 0.4)}[sides]),
        "mirrored": 1.0 if rng.random() < 0.5 else -1.0,
        "gloss": rng.uniform(0, 0.6),
        "clear": clear,
        "veil": rng.uniform(0, 0.35),
        "logo": 0.0,
        "present": 1.0,
    }


def _dice(material: Material, middles: Floats, turns: Sequence[Floats]) -> Dice:
    """Dice of this material at these places."""
    count = len(turns)

    def each(values: Sequence[float] | Floats) -> NDArray[np.float32]:
        return np.asarray(values, np.float32).reshape(count, 1, 1, 1)

    def same(value: float | tuple[float, ...]) -> Any:
        if isinstance(value, tuple):
            return tuple(each([part] * count) for part in value)
        return each([value] * count)

    stacked = np.array(turns).reshape(count, 9)
    return Dice(
        middle=(each(middles[:, 0]), each(middles[:, 1]), each(middles[:, 2])),
        turn=tuple(each(stacked[:, k]) for k in range(9)),
        **{name: same(value) for name, value in material.items()},
    )


def _lamps(rng: Generator) -> Lamps:
    def toward(spread: float) -> tuple[np.float32, np.float32, np.float32]:
        way = np.array([*rng.normal(0, spread, 2), 1.0])
        x, y, z = way / np.linalg.norm(way)
        return np.float32(x), np.float32(y), np.float32(z)

    everywhere, first, second = rng.uniform(0.3, 0.7), rng.uniform(0.2, 0.7), rng.uniform(0, 0.3)
    level = rng.uniform(0.8, 1.05) / (everywhere + 0.7 * first + 0.7 * second)
    strengths = (
        np.float32(first * level),
        np.float32(second * level),
        np.float32(everywhere * level),
    )
    return Lamps(
        toward(0.6), toward(0.8), strengths, np.float32(rng.uniform(0.1, 0.6)), toward(0.4)
    )


def mat_drawing(mat: DiceMat) -> Picture:
    """The mat as printed: grey levels, four pixels to the millimetre."""
    scale = PX_PER_MM
    flat = np.full((round(mat.height_mm * scale), round(mat.width_mm * scale)), 245, np.uint8)
    field = np.array(mat.field) * scale
    cv2.fillPoly(flat, [field.round().astype(np.int32)], round(255 * GREY))
    for x, y in dots(mat):
        corner = (round((x - DOT_MM / 2) * scale), round((y - DOT_MM / 2) * scale))
        end = (round((x + DOT_MM / 2) * scale), round((y + DOT_MM / 2) * scale))
        cv2.rectangle(flat, corner, end, round(255 * DOT_GREY), -1)
    codes = dictionary_of(MAT_DICTIONARY)
    for index, number in enumerate(mat.ids):
        x, y = (round(v * scale) for v in mat.tag_corners(index)[0])
        side = round(TAG_MM * scale)
        cells = np.where(code_cells(codes, number), 20, 245).astype(np.uint8)
        flat[y : y + side, x : x + side] = cv2.resize(
            cells, (side, side), interpolation=cv2.INTER_NEAREST
        )
    return flat


def _ground(
    rng: Generator, mat: DiceMat, die_mm: float, eye: Eye, size: tuple[int, int]
) -> list[NDArray[np.float32]]:
    """The mat on a table, as the camera sees both."""
    corners = np.array(
        [[0, 0], [mat.width_mm, 0], [mat.width_mm, mat.height_mm], [0, mat.height_mm]]
    )
    px, py = eye.pixel(corners[:, 0] / die_mm, -corners[:, 1] / die_mm, corners[:, 0] * 0.0)
    seen = np.column_stack([np.ravel(px), np.ravel(py)]).astype(np.float32)
    matrix = cv2.getPerspectiveTransform((corners * PX_PER_MM).astype(np.float32), seen)
    flat = cv2.GaussianBlur(mat_drawing(mat), (0, 0), 1.5)
    sheet = cv2.warpPerspective(flat, matrix, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full_like(flat, 255), matrix, size, flags=cv2.INTER_LINEAR) / 255
    grain = cv2.resize(
        rng.normal(0, 1, (size[1] // 24, size[0] // 6)), size, interpolation=cv2.INTER_CUBIC
    )
    table = rng.uniform(0.2, 0.8) * np.array([1.0, rng.uniform(0.75, 1), rng.uniform(0.5, 1)])
    level = (sheet / 255.0) ** 2.2
    wood = [(colour * (1 + 0.08 * grain)) ** 1.5 for colour in table]
    return [(mask * level + (1 - mask) * part)[None].astype(np.float32) for part in wood]


def _exposed(rng: Generator, light: NDArray[np.float32], blur: float, noise: float) -> Picture:
    """Light as a camera records it: tone curve, defocus, noise."""
    levels = np.clip(light, 0, 1) ** (1 / 2.2)
    levels = np.asarray(cv2.GaussianBlur(levels, (0, 0), blur), np.float32)
    levels += rng.normal(0, noise, levels.shape)
    return np.clip(levels[..., ::-1] * 255 + 0.5, 0, 255).astype(np.uint8)
