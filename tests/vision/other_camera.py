"""A second virtual camera, plain and slow, that shares nothing with the practice table.

It draws printed tags, paper that curls, a mottled ground, trays with figures, shadows, a colour
cast, blur, grain, sharpening and JPEG, from rays of its own; set-up files are written by hand. What
the eyes make of its pictures is not what they were tuned on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]
Bytes = NDArray[np.uint8]

FINE = 3
"""Rays per pixel along either side."""
PRINT_PX = 40
"""Pixels of a printed sheet per module."""


@dataclass
class Tag:
    """A printed tag lying or standing somewhere: centre, height, its up's direction, edge."""

    id: int
    x: float
    y: float
    heading: float
    edge_in: float
    up: float = 0.0
    curl_in: float = 0.0
    """How high the paper's two ends rise above its middle."""
    curl_along: bool = False
    margin: float = 1.0


@dataclass
class Plate:
    """A tray: its centre, facing, depth and width, and its colour."""

    unit: str
    x: float
    y: float
    heading: float
    depth: float
    width: float
    colour: tuple[float, float, float]


@dataclass
class World:
    """Everything before the camera, and the camera."""

    seed: int
    size: tuple[int, int]
    focal: float
    centre: tuple[float, float]
    bend: tuple[float, float, float, float]
    """k1 k2 p1 p2"""
    eye: tuple[float, float, float]
    aim: tuple[float, float]
    roll: float = 0.0
    tags: list[Tag] = field(default_factory=list)
    plates: list[Plate] = field(default_factory=list)
    blur: float = 0.7
    shake: tuple[float, float] = (0.0, 0.0)
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    black: float = 40.0
    white: float = 215.0
    grain: float = 0.01
    sharpen: float = 0.0
    contrast: float = 0.0
    shadow: float = 1.0
    exposure: float = 1.0
    ground: tuple[float, float, float] = (0.08, 0.16, 0.09)
    jpeg: int = 85
    sharpen_px: float = 1.5
    lifted: float = 0.0
    """How far a phone lifts the darks, as a share of the range."""
    bleed: float = 0.0
    """How far ink runs into the white, in modules."""
    dust: int = 0
    """Specks on every printed sheet."""
    texture: str = "mottle"
    """What the mat shows: mottle, planks or tiles."""
    shade: float = 1.0
    """Light behind hard shadow edges; 1: there are none."""
    glare: float = 0.0
    """Light that glossy sheets throw back in spots; 1 is as bright as their white."""


def camera_axes(world: World) -> Array:
    """Rows: right, down, ahead."""
    eye = np.array(world.eye)
    ahead = np.array([*world.aim, 0.0]) - eye
    ahead /= np.linalg.norm(ahead)
    north = np.array([0.0, 1.0, 0.0]) if abs(ahead[2]) > 0.999 else np.array([0.0, 0.0, 1.0])
    right = np.cross(ahead, north)
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    c, s = math.cos(world.roll), math.sin(world.roll)
    return np.array([c * right + s * down, c * down - s * right, ahead])


def bent(world: World, x: Array, y: Array) -> tuple[Array, Array]:
    k1, k2, p1, p2 = world.bend
    r2 = x * x + y * y
    radial = 1 + k1 * r2 + k2 * r2 * r2
    return (
        x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
        y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
    )


def pixel_of(world: World, points: Array) -> Array:
    """Points of the room in the picture."""
    seen = (points - np.array(world.eye)) @ camera_axes(world).T
    x, y = bent(world, seen[..., 0] / seen[..., 2], seen[..., 1] / seen[..., 2])
    return np.stack([world.focal * x + world.centre[0], world.focal * y + world.centre[1]], axis=-1)


def rays_through(world: World, u: Array, v: Array) -> Array:
    """Directions in the room of places in the picture."""
    goal_x, goal_y = (u - world.centre[0]) / world.focal, (v - world.centre[1]) / world.focal
    x, y = goal_x.copy(), goal_y.copy()
    for _ in range(16):
        a, b = bent(world, x, y)
        x += goal_x - a
        y += goal_y - b
    return np.stack([x, y, np.ones_like(x)], axis=-1) @ camera_axes(world)


def fine_grid(left: int, top: int, width: int, height: int) -> tuple[Array, Array]:
    """The places of all rays of a window of pixels."""
    u = left - 0.5 + (np.arange(width * FINE) + 0.5) / FINE
    v = top - 0.5 + (np.arange(height * FINE) + 0.5) / FINE
    return tuple(np.meshgrid(u, v))  # type: ignore[return-value]


def mottle(rng: np.random.Generator, side: int) -> Array:
    """Cloudy noise of several sizes, about 1."""
    sheet = np.ones((side, side))
    for cells, strength in ((8, 0.12), (40, 0.12), (200, 0.15), (side // 3, 0.2)):
        coarse = rng.normal(0, 1, (cells, cells))
        sheet += strength * cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)
    return np.clip(sheet, 0.2, 2.5)


def ground_sheet(world: World, rng: np.random.Generator) -> tuple[Array, float]:
    """The ground with the trays painted on, seen from above: 60 inches from (-6, -6)."""
    scale, side = 20.0, 1200
    sheet = mottle(rng, side)[..., None] * np.array(world.ground)
    if world.texture != "mottle":
        sheet *= pattern(world.texture, rng, side)[..., None]
    for plate in world.plates:
        turn = math.radians(plate.heading)
        ahead, left = np.array([math.cos(turn), math.sin(turn)]), None
        left = np.array([-ahead[1], ahead[0]])
        rim = [
            (plate.x, plate.y) + a * plate.depth / 2 * ahead + b * plate.width / 2 * left
            for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
        ]
        spots = np.rint((np.array(rim) + 6) * scale * 16).astype(np.int32)
        cv2.fillPoly(sheet, [spots], plate.colour, cv2.LINE_AA, 4)
    return sheet, scale


def pattern(kind: str, rng: np.random.Generator, side: int) -> Array:
    """Planks with dark joints, or square tiles of several shades with bright joints."""
    sheet = np.ones((side, side))
    step = 60 if kind == "planks" else 34
    for row, top in enumerate(range(0, side, step)):
        shades = rng.uniform(0.5, 2.2, 1 if kind == "planks" else side // step + 1)
        for column, shade in enumerate(shades):
            wide = side if kind == "planks" else step
            left = column * wide
            sheet[top : top + step, left : left + wide] *= shade
            sheet[top : top + step, left : left + 2] *= 0.3 if kind == "planks" else 2.0
        sheet[top : top + 2] *= 0.3 if kind == "planks" else 2.0
        if kind == "planks":
            joint = int(rng.integers(0, side - 3)) + row % 2
            sheet[top : top + step, joint : joint + 3] *= 0.3
    return sheet


def printed(tag: Tag, dictionary: int, world: World) -> Bytes:
    """The sheet of a tag with its margin, in grey values as a printer leaves them."""
    black, white = world.black, world.white
    modules = cv2.aruco.getPredefinedDictionary(dictionary).markerSize + 2
    marker = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(dictionary), tag.id, modules * PRINT_PX
    )
    rim = round(tag.margin * PRINT_PX)
    sheet = np.pad(np.asarray(marker), rim, constant_values=255).astype(np.float64) / 255
    if world.bleed:
        wide = 2 * round(world.bleed * PRINT_PX) + 1
        sheet[:] = cv2.GaussianBlur(cv2.erode(sheet, np.ones((wide, wide))), (0, 0), wide / 3)
    rng = np.random.default_rng([world.seed, tag.id, 9])
    for _ in range(world.dust):
        x, y = (int(value) for value in rng.integers(0, len(sheet), 2))
        size = int(rng.integers(2, PRINT_PX // 4))
        cv2.circle(sheet, (x, y), size, float(rng.choice([0.0, 0.5, 1.0])), -1, cv2.LINE_AA)
    return np.rint(black + (white - black) * sheet).astype(np.uint8)


def lay(picture: Array, world: World, tag: Tag, dictionary: int) -> None:
    """Draw one tag into a picture of light."""
    modules = cv2.aruco.getPredefinedDictionary(dictionary).markerSize + 2
    half = tag.edge_in / 2 * (1 + 2 * tag.margin / modules)
    turn = math.radians(tag.heading)
    up = np.array([math.cos(turn), math.sin(turn)])
    right = np.array([up[1], -up[0]])
    corners = [
        (*(np.array([tag.x, tag.y]) + a * half * right + b * half * up), tag.up)
        for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))
    ]
    quad = pixel_of(world, np.array(corners))
    left, top = np.floor(quad.min(axis=0)).astype(int) - 3
    far = np.ceil(quad.max(axis=0)).astype(int) + 4
    left, top = max(left, 0), max(top, 0)
    width, height = min(far[0], world.size[0]) - left, min(far[1], world.size[1]) - top
    if width <= 0 or height <= 0:
        return
    rays = rays_through(world, *fine_grid(left, top, width, height))
    eye = np.array(world.eye)
    rise = np.zeros(rays.shape[:2])
    for _ in range(4):
        share = (tag.up + rise - eye[2]) / rays[..., 2]
        there = eye[:2] + rays[..., :2] * share[..., None] - (tag.x, tag.y)
        across, along = there @ right, there @ up
        rise = tag.curl_in * ((along if tag.curl_along else across) / half) ** 2
    paper = (printed(tag, dictionary, world).astype(np.float32) / 255) ** 2.2
    side = paper.shape[0]
    px = ((across + half) / (2 * half) * side - 0.5).astype(np.float32)
    py = ((half - along) / (2 * half) * side - 0.5).astype(np.float32)
    # Each ray stands for its part of a pixel: without this, an edge along the rows of the picture
    # would lie at whole rays only, a sixth of a pixel from where it should.
    soft = cv2.sepFilter2D(paper, -1, box(ray_step(px)), box(ray_step(py)))
    light = np.asarray(
        cv2.remap(soft, px, py, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float64
    )
    if world.glare:
        light = light + glare_at(world, tag, across, along)
    inside = ((np.abs(across) < half) & (np.abs(along) < half)).astype(np.float64)

    def pixels(values: Array) -> Array:
        return values.reshape(height, FINE, width, FINE).mean(axis=(1, 3))

    cover = pixels(inside)[..., None]
    part = picture[top : top + height, left : left + width]
    part *= 1 - cover
    part += pixels(light * inside)[..., None]


def ray_step(places: Array) -> float:
    """How far apart neighbouring rays meet the paper, in its pixels along one of its sides."""
    across, down = np.diff(places, axis=1), np.diff(places, axis=0)
    return math.hypot(float(np.median(np.abs(across))), float(np.median(np.abs(down))))


def box(wide: float) -> Array:
    """A mean over so many pixels, not necessarily a whole number."""
    arm = max(0, math.ceil((wide - 1) / 2))
    weights = np.clip(wide / 2 + 0.5 - np.abs(np.arange(-arm, arm + 1)), 0.0, 1.0)
    return np.asarray(weights / weights.sum())


def glare_at(world: World, tag: Tag, across: Array, along: Array, modules: int = 6) -> Array:
    """The light that a glossy sheet throws back at places of it, in inches from its middle."""
    half = tag.edge_in / 2 * (1 + 2 * tag.margin / modules)
    dice = np.random.default_rng([world.seed, tag.id, 8])
    spot = dice.uniform(-half, half, 2)
    wide = half * dice.uniform(0.15, 0.35, 2)
    far = ((across - spot[0]) / wide[0]) ** 2 + ((along - spot[1]) / wide[1]) ** 2
    return np.asarray(world.glare * np.exp(-far))


def paper_light(world: World) -> float:
    """The light of the paper's white."""
    return float((world.white / 255) ** 2.2)


def shot(world: World, dictionary: int = cv2.aruco.DICT_4X4_50) -> Bytes:
    """The picture (blue, green, red)."""
    rng = np.random.default_rng(world.seed)
    sheet, scale = ground_sheet(world, rng)
    width, height = world.size
    # Where exactly a blade of grass lies does not matter: every eighth ray is enough.
    u, v = np.meshgrid((np.arange(width // 8) + 0.5) * 8, (np.arange(height // 8) + 0.5) * 8)
    rays = rays_through(world, u, v)
    down = np.minimum(rays[..., 2], -1e-3)
    there = np.array(world.eye)[:2] - rays[..., :2] * (world.eye[2] / down)[..., None]
    spots = cv2.resize(((there + 6) * scale - 0.5).astype(np.float32), (width, height))
    picture = np.asarray(
        cv2.remap(
            sheet.astype(np.float32),
            spots[..., 0],
            spots[..., 1],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        ),
        dtype=np.float32,
    )
    flat = [tag for tag in world.tags if tag.up < 0.2]
    for tag in flat:
        lay(picture, world, tag, dictionary)
    for tag in world.tags:
        if tag.up >= 0.2:
            lay(picture, world, tag, dictionary)
    return developed((picture * lighting(world, rng)).astype(np.float32), world, rng)


def lighting(world: World, rng: np.random.Generator) -> Array:
    """Uneven light, and a soft shadow of something beside the table."""
    width, height = world.size
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    way = rng.uniform(0, 2 * math.pi)
    light = 1.0 - 0.25 * (0.5 + 0.5 * (x * math.cos(way) + y * math.sin(way)))
    light *= 1 - 0.18 * (x * x + y * y)
    edge = x * math.cos(way + 1) + y * math.sin(way + 1) - rng.uniform(-0.3, 0.3)
    light *= world.shadow + (1 - world.shadow) / (1 + np.exp(-edge * 25))
    if world.shade < 1.0:
        # Beams, arms and window bars: stripes with edges as sharp as the sun makes them.
        dice = np.random.default_rng([world.seed, 7])
        for _ in range(4):
            way, wide = dice.uniform(0, math.pi), dice.uniform(0.05, 0.16)
            far = x * math.cos(way) + y * math.sin(way) * height / width - dice.uniform(-0.7, 0.7)
            soft = dice.uniform(0.6, 2.0) * 2 / width
            inside = 1 / (1 + np.exp(np.clip((np.abs(far) - wide) / soft, -50, 50)))
            light *= 1 - (1 - world.shade) * inside
    return np.asarray(light[..., None] * np.array(world.cast) * world.exposure)


def developed(light: Array, world: World, rng: np.random.Generator) -> Bytes:
    """What the sensor and the camera's software make of it."""
    if any(world.shake):
        steps = 12
        moved = np.zeros_like(light)
        for part in np.linspace(-0.5, 0.5, steps):
            shift = np.array([[1, 0, world.shake[0] * part], [0, 1, world.shake[1] * part]])
            moved += cv2.warpAffine(
                light, shift, world.size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
            )
        light = moved / steps
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), world.blur))
    light = np.maximum(light, 0)
    grain = rng.standard_normal(light.shape, dtype=np.float32)
    light = light + grain * np.float32(world.grain) * np.sqrt(light + np.float32(0.01))
    tone = np.clip(light, 0, 1) ** (1 / 2.2)
    tone = tone + world.contrast * np.sin(2 * math.pi * (tone - 0.5)) / (2 * math.pi)
    if world.lifted:
        # Phones lift the darks and press the brights together.
        tone = world.lifted + (1 - world.lifted) * tone / (0.75 + 0.25 * tone)
    if world.sharpen:
        tone = tone + world.sharpen * (tone - cv2.GaussianBlur(tone, (0, 0), world.sharpen_px))
    picture = np.rint(255 * np.clip(tone, 0, 1)).astype(np.uint8)
    if world.jpeg:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, world.jpeg])
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    return picture
