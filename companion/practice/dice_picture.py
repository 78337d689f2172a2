"""Dice drawn over a picture of the ground: bodies, pips or numerals, gloss, clear bodies, shadows.

One call draws one frame of the practice camera or a thousand scenes of a training batch: arrays of
a scene are batch × 1 × 1, those of its dice have the dice before that, pictures are batch × rows ×
columns (see `dice_solid`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from types import ModuleType

from companion.practice.dice_solid import Array, Ray, Solid, flat_face, meet, rounded_normal

Triple = tuple[Array, Array, Array]


@dataclass(frozen=True, slots=True)
class Eye:
    """A pinhole camera: where it stands, its three directions, its focal length in pixels."""

    place: Triple
    right: Triple
    down: Triple
    forward: Triple
    focal: Array
    middle: tuple[Array, Array]

    def rays(self, xp: ModuleType, columns: Array, rows: Array) -> Triple:
        """The directions of pixels."""
        a, b = (columns - self.middle[0]) / self.focal, (rows - self.middle[1]) / self.focal
        dx, dy, dz = (
            f + a * r + b * d for r, d, f in zip(self.right, self.down, self.forward, strict=True)
        )
        length = xp.sqrt(dx * dx + dy * dy + dz * dz)
        return dx / length, dy / length, dz / length

    def pixel(self, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
        """Where a place of the world appears."""
        away = (x - self.place[0], y - self.place[1], z - self.place[2])
        a, b, depth = (dot(away, axis) for axis in (self.right, self.down, self.forward))
        return self.middle[0] + self.focal * a / depth, self.middle[1] + self.focal * b / depth


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice on the ground, their shapes and materials; lengths in units of an edge."""

    middle: Triple
    turn: tuple[Array, ...]
    """Nine numbers, row by row: from a die's own directions to the world's."""

    size: Array
    bevel: Array
    ball: Array
    softness: Array
    colour: Triple
    mark: Triple
    """Colour of pips or numerals; a die without any has a `mark_size` below zero."""

    mark_size: Array
    spacing: Array
    mirrored: Array
    """-1 or 1: the two ways in which the pips of 2, 3 and 6 may lie."""

    gloss: Array
    clear: Array
    veil: Array
    """How much a bright ceiling whitens faces that reflect it."""

    logo: Array
    """How strongly a maker's sign is printed around the middle of the low faces."""

    present: Array

    def at(self, xp: ModuleType, owner: Array) -> Dice:
        """The die seen at each pixel: every number as a picture."""
        die = as_index(xp.where(owner < 0, owner * 0.0, owner))
        batch = as_index(xp.cumsum(owner[:, :1, :1] * 0.0 + 1.0, 0) - 1.0)

        def seen(value: Array) -> Array:
            return value[die, batch, 0, 0]

        return self.each(seen)

    def subset(self, wanted: Array) -> Dice:
        """Some of the dice."""
        return self.each(lambda value: value[wanted])

    def each(self, change: Callable[[Array], Array]) -> Dice:
        """Every number changed alike."""
        changed = {}
        for field in fields(self):
            value = getattr(self, field.name)
            several = isinstance(value, tuple)
            changed[field.name] = tuple(map(change, value)) if several else change(value)
        return Dice(**changed)


@dataclass(frozen=True, slots=True)
class Lamps:
    """A lamp, a second one, the light from everywhere, and what a ceiling reflects."""

    first: Triple
    second: Triple
    strengths: tuple[Array, Array, Array]
    softness: Array
    ceiling: Triple


def as_index(values: Array) -> Array:
    """Whole numbers to look up with."""
    return values.astype(int) if hasattr(values, "astype") else values.long()


def dot(a: Triple, b: Triple) -> Array:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def smooth(xp: ModuleType, low: Array, high: Array, value: Array) -> Array:
    """From 0 at `low` to 1 at `high`, without a corner."""
    t = xp.clip((value - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def pip_distance(xp: ModuleType, value: Array, u: Array, v: Array, spacing: Array) -> Array:
    """How far a place of a face is from the nearest middle of a pip."""
    au, av = xp.abs(u), xp.abs(v)
    corner = (au - spacing) ** 2 + (av - spacing) ** 2
    far = corner * 0.0 + 9.0
    same = u * v >= 0
    best = xp.where((value >= 2) & same, corner, far)
    best = xp.where((value >= 4) & ~same, xp.minimum(best, corner), best)
    best = xp.where(value % 2 == 1, xp.minimum(best, u * u + v * v), best)
    best = xp.where(value == 6, xp.minimum(best, u * u + (av - spacing) ** 2), best)
    return xp.sqrt(best)


def makers_sign(xp: ModuleType, value: Array, u: Array, v: Array, sharp: Array) -> Array:
    """A ring of letters around a single pip, a crest in the middle of two or six pips."""
    apart = xp.sqrt(u * u + v * v)
    turned = xp.sin(9.0 * xp.arctan2(v, u)) + xp.sin(23.0 * xp.arctan2(v, u))
    none = apart * 0.0 - 1.0
    around = xp.where(turned > -0.2, 0.045 - xp.abs(apart - 0.24), none)
    crest = xp.where(xp.sin(40.0 * u) + xp.cos(31.0 * v) > 0, 0.1 - apart, none)
    inside = xp.where(value == 1, around, xp.where((value == 2) | (value == 6), crest, none))
    return smooth(xp, -sharp, sharp, inside)


def marks(
    xp: ModuleType, solid: Solid, die: Dice, place: Triple, sharp: Array, glyphs: Array | None
) -> Array:
    """How much of a place of the surface is pip or numeral: 0 to 1."""
    face, u, v = flat_face(xp, solid, place)
    if glyphs is not None:
        return _numerals(xp, die, face, u, v, sharp, glyphs)
    value = face * 0.0
    for index, printed in enumerate(solid.values):
        value = xp.where(face == index, value * 0.0 + printed, value)
    inside = die.mark_size - pip_distance(xp, value, u, v * die.mirrored, die.spacing)
    sign = die.logo * makers_sign(xp, value, u, v, sharp)
    return xp.maximum(smooth(xp, -sharp, sharp, inside), sign)


def _numerals(
    xp: ModuleType, die: Dice, face: Array, u: Array, v: Array, sharp: Array, glyphs: Array
) -> Array:
    """Numerals by their signed distances: `glyphs` is batch × face × row × column."""
    side = glyphs.shape[-1]
    column = xp.clip(u / die.spacing * side / 2 + side / 2, 0, side - 1)
    row = xp.clip(-v / die.spacing * side / 2 + side / 2, 0, side - 1)
    batch = as_index(xp.cumsum(face[:, :1, :1] * 0.0 + 1.0, 0) - 1.0)
    inside = glyphs[batch, as_index(face), as_index(row), as_index(column)] * die.spacing
    within = (xp.abs(u) < die.spacing) & (xp.abs(v) < die.spacing) & (die.mark_size > -0.5)
    return smooth(xp, -sharp, sharp, xp.where(within, inside + die.mark_size, inside * 0.0 - 1.0))


def _inks(xp: ModuleType, solid: Solid, place: Triple, inks: Array) -> Triple:
    """The colour of what is printed on the face at a place of the surface."""
    face = as_index(flat_face(xp, solid, place)[0])
    batch = as_index(xp.cumsum(place[0][:, :1, :1] * 0.0 + 1.0, 0) - 1.0)
    return inks[batch, face, 0], inks[batch, face, 1], inks[batch, face, 2]


def own_ray(dice: Dice, start: Triple, way: Triple) -> Ray:
    """Rays of the world in the dice's own directions and sizes."""
    away = tuple((s - m) / dice.size for s, m in zip(start, dice.middle, strict=True))
    x, y, z = (sum(dice.turn[3 * r + c] * away[r] for r in range(3)) for c in range(3))
    dx, dy, dz = (sum(dice.turn[3 * r + c] * way[r] for r in range(3)) for c in range(3))
    return Ray(x, y, z, dx, dy, dz)


def draw(
    xp: ModuleType,
    solid: Solid,
    dice: Dice,
    eye: Eye,
    lamps: Lamps,
    ground: Triple,
    pixels: tuple[Array, Array],
    glyphs: Array | None = None,
    inks: Array | None = None,
) -> tuple[Triple, Array]:
    """The picture of dice on a ground, and which die is seen at each pixel (-1: none).

    `glyphs` are what faces show instead of pips, batch × face × row × column; `inks` their colours
    where each face has its own, batch × face × 3.
    """
    way = eye.rays(xp, *pixels)
    near = -eye.place[2] / xp.where(xp.abs(way[2]) < 1e-6, way[2] * 0.0 - 1e-6, way[2])
    owner = near * 0.0 - 1.0
    hit = meet(xp, solid, own_ray(dice, eye.place, way), bevel=dice.bevel, ball=dice.ball)
    missed = (hit.enter >= hit.leave) | (dice.present < 0.5)
    reach = xp.where(missed, hit.enter * 0.0 + 1e6, hit.enter * dice.size)
    for index in range(dice.size.shape[0]):
        nearer = reach[index] < near
        near, owner = (
            xp.where(nearer, reach[index], near),
            xp.where(nearer, near * 0.0 + index, owner),
        )
    x, y, z = (p + near * w for p, w in zip(eye.place, way, strict=True))
    lit, second, closeness = _shadows(xp, solid, dice, lamps, (x, y, z), owner)
    everywhere = lamps.strengths[2] * (1 - 0.55 * closeness)
    light = (lamps.strengths[0] * lit, lamps.strengths[1] * second, everywhere)
    shade = everywhere + light[0] * lamps.first[2] + light[1] * lamps.second[2]
    body = _bodies(xp, solid, dice.at(xp, owner), eye, way, lamps, light, ground, glyphs, inks)
    r, g, b = (xp.where(owner < 0, under * shade, c) for under, c in zip(ground, body, strict=True))
    return (r, g, b), owner


def _shadows(
    xp: ModuleType, solid: Solid, dice: Dice, lamps: Lamps, place: Triple, owner: Array
) -> tuple[Array, Array, Array]:
    """How much of each lamp reaches a place, and how closely dice stand around it."""
    plain = replace(solid, bevels=())
    lit, second, closeness = owner * 0.0 + 1.0, owner * 0.0 + 1.0, owner * 0.0
    stops = (1.0 - 0.6 * dice.clear) * dice.present
    blocked = []
    for lamp in (lamps.first, lamps.second):
        hit = meet(xp, plain, own_ray(dice, place, lamp), bevel=dice.bevel, ball=dice.ball)
        inside = hit.leave - xp.maximum(hit.enter, hit.enter * 0.0)
        blocked.append(smooth(xp, 0.0, lamps.softness, inside) * stops)
    dx, dy, dz = (p - m for p, m in zip(place, dice.middle, strict=True))
    near = xp.exp(-(((dx * dx + dy * dy + dz * dz) / (0.75 * dice.size) ** 2) ** 2)) * dice.present
    for index in range(dice.size.shape[0]):
        other = xp.where(owner == index, owner * 0.0, owner * 0.0 + 1.0)
        lit, second = (
            lit * (1 - other * blocked[0][index]),
            second * (1 - other * blocked[1][index]),
        )
        closeness = xp.maximum(closeness, near[index] * other)
    return lit, second, closeness


def _bodies(
    xp: ModuleType,
    solid: Solid,
    die: Dice,
    eye: Eye,
    way: Triple,
    lamps: Lamps,
    light: Triple,
    ground: Triple,
    glyphs: Array | None,
    inks: Array | None,
) -> Triple:
    """The colours of the dice that are seen at pixels."""
    ray = own_ray(die, eye.place, way)
    hit = meet(xp, solid, ray, bevel=die.bevel, ball=die.ball)
    at = ray.at(hit.enter)
    own = rounded_normal(xp, solid, at, bevel=die.bevel, softness=die.softness)
    nx, ny, nz = (sum(die.turn[3 * r + c] * own[c] for c in range(3)) for r in range(3))
    facing = -dot((nx, ny, nz), way)
    sharp = 0.35 * hit.enter / eye.focal + 0.004
    mark = marks(xp, solid, die, at, sharp, glyphs)
    back = marks(xp, solid, die, ray.at(hit.leave), sharp * 3, glyphs)
    first = light[0] * xp.clip(dot((nx, ny, nz), lamps.first), 0.0, 1.0)
    second = light[1] * xp.clip(dot((nx, ny, nz), lamps.second), 0.0, 1.0)
    shade = light[2] * (0.6 + 0.4 * nz) + first + second
    mirror = (way[0] + 2 * facing * nx, way[1] + 2 * facing * ny, way[2] + 2 * facing * nz)
    glint = light[0] * xp.clip(dot(mirror, lamps.first), 0.0, 1.0) ** 24
    glint = die.gloss * (
        glint + 0.6 * light[1] * xp.clip(dot(mirror, lamps.second), 0.0, 1.0) ** 24
    )
    ceiling = smooth(xp, 0.72, 0.95, dot(mirror, lamps.ceiling))
    fresnel = xp.clip(1.0 - facing, 0.0, 1.0) ** 4
    veil = xp.clip(die.veil * ceiling + die.gloss * 0.35 * fresnel, 0.0, 0.85) * (1 - 0.6 * mark)
    depth = xp.clip(hit.leave - hit.enter, 0.0, 2.0)
    colours = []
    printed = die.mark if inks is None else _inks(xp, solid, at, inks)
    for body, ink, under in zip(die.colour, printed, ground, strict=True):
        through = under * (0.35 + 0.65 * body) * xp.exp(-1.2 * (1 - body) * depth)
        through = through * (1 - 0.55 * back) + 0.5 * ink * (0.3 + 0.7 * body) * back
        colour = body * (1 - die.clear) + die.clear * (0.75 * through + 0.25 * body)
        colour = (colour * (1 - mark) + ink * mark) * shade
        colours.append(colour * (1 - veil) + veil + glint)
    return colours[0], colours[1], colours[2]
