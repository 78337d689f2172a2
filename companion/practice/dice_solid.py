"""Dice as solids: where a ray meets a die, and which face and place of a face it meets.

Every die is an intersection of half-spaces with a ball: six faces and twelve bevels for a D6, ten
kites for a D10, eight triangles for a D8. So a ray meets it in closed form, and the same lines run
on NumPy arrays (the practice camera) and on tensors of a learning library (training).

>>> import numpy as np
>>> hit = meet(np, D6, Ray(*(np.array([v]) for v in (0.1, 0.2, 9.0, 0.0, 0.0, -1.0))),
...            bevel=np.array([0.66]), ball=np.array([0.8]))
>>> round(float(hit.enter[0]), 2), D6.values[int(hit.face[0])]
(8.5, 1)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = tuple[float, float, float]
Array = Any
"""A NumPy array or a tensor: both understand the arithmetic used here."""

FAR = 1e6


@dataclass(frozen=True, slots=True)
class Solid:
    """Faces by their outward normals, with the value printed on each; edge length is one."""

    normals: tuple[Vector, ...]
    height: float
    """From the middle to every face."""

    rights: tuple[Vector, ...]
    """The direction of reading of each face; up is normal × right."""

    values: tuple[int, ...]
    bevels: tuple[Vector, ...] = ()


@dataclass(frozen=True, slots=True)
class Ray:
    """Where rays begin and whither they go, in the die's own directions."""

    x: Array
    y: Array
    z: Array
    dx: Array
    dy: Array
    dz: Array

    def at(self, t: Array) -> tuple[Array, Array, Array]:
        """The places reached at `t`."""
        return self.x + t * self.dx, self.y + t * self.dy, self.z + t * self.dz


@dataclass(frozen=True, slots=True)
class Hit:
    """How far rays go until they enter and leave a die; `enter` >= `leave` is a miss."""

    enter: Array
    leave: Array
    face: Array
    """The face through which a ray enters: an index into the solid's normals."""

    back: Array
    """The face through which it leaves."""


def _unit(vector: Vector) -> Vector:
    length = math.sqrt(sum(v * v for v in vector))
    return vector[0] / length, vector[1] / length, vector[2] / length


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _cube() -> Solid:
    normals: tuple[Vector, ...] = (
        (0, 0, 1),
        (0, 0, -1),
        (1, 0, 0),
        (-1, 0, 0),
        (0, 1, 0),
        (0, -1, 0),
    )
    rights = ((1, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 0), (0, 0, 1), (0, 0, 1))
    bevels = tuple(
        _unit((a[0] + b[0], a[1] + b[1], a[2] + b[2]))
        for a, b in combinations(normals, 2)
        if a != tuple(-v for v in b)
    )
    return Solid(normals, 0.5, rights, (1, 6, 2, 5, 3, 4), bevels)


def _octahedron() -> Solid:
    both = (1.0, -1.0)
    normals = tuple(_unit((x, y, z)) for x, y, z in product(both, both, both))
    rights = tuple(_unit(_cross((0.0, 0.0, 1.0), n)) for n in normals)
    return Solid(normals, math.sqrt(1 / 6), rights, (1, 2, 3, 4, 5, 6, 7, 8))


def _trapezohedron() -> Solid:
    """Ten kites: even values around one tip, odd ones around the other, 9 opposite 0."""
    slope = math.radians(45.0)
    normals = []
    for k in range(5):
        angle = math.tau * k / 5
        normals.append(
            (math.cos(angle) * math.cos(slope), math.sin(angle) * math.cos(slope), math.sin(slope))
        )
    normals += [(-x, -y, -z) for x, y, z in normals]
    tips = [(0.0, 0.0, 1.0)] * 5 + [(0.0, 0.0, -1.0)] * 5
    rights = tuple(_unit(_cross(tip, n)) for tip, n in zip(tips, normals, strict=True))
    evens, odds = (10, 8, 6, 4, 2), (9, 1, 3, 5, 7)
    return Solid(tuple(normals), 0.5, rights, evens + odds)


@cache
def corners(solid: Solid) -> NDArray[np.float64]:
    """Where three or more faces meet: rows of x, y, z."""
    found: list[NDArray[np.float64]] = []
    for three in combinations(np.array(solid.normals, float), 3):
        faces = np.stack(three)
        if abs(np.linalg.det(faces)) < 1e-6:
            continue
        corner = np.linalg.solve(faces, np.full(3, solid.height))
        outside = (np.array(solid.normals) @ corner).max() > solid.height + 1e-6
        if not outside and all(np.linalg.norm(corner - other) > 1e-6 for other in found):
            found.append(corner)
    return np.stack(found)


D6 = _cube()
D8 = _octahedron()
D10 = _trapezohedron()


def meet(xp: ModuleType, solid: Solid, ray: Ray, *, bevel: Array, ball: Array) -> Hit:
    """Where rays enter and leave; `bevel` and `ball` are how far bevels and the ball stand off."""
    zero = ray.x * ray.dx * 0.0
    enter, leave = zero - FAR, zero + FAR
    face, back = zero - 1.0, zero - 1.0
    for index, normal in enumerate(solid.normals + solid.bevels):
        height = solid.height if index < len(solid.normals) else bevel
        toward = normal[0] * ray.dx + normal[1] * ray.dy + normal[2] * ray.dz
        away = height - (normal[0] * ray.x + normal[1] * ray.y + normal[2] * ray.z)
        t = away / xp.where(xp.abs(toward) < 1e-6, zero - 1e-6, toward)
        enters, leaves = (toward < 0) & (t > enter), (toward >= 0) & (t < leave)
        enter, face = xp.where(enters, t, enter), xp.where(enters, zero + index, face)
        leave, back = xp.where(leaves, t, leave), xp.where(leaves, zero + index, back)
    along = ray.x * ray.dx + ray.y * ray.dy + ray.z * ray.dz
    apart = ray.x * ray.x + ray.y * ray.y + ray.z * ray.z - ball * ball
    inside = along * along - apart
    half = xp.sqrt(xp.where(inside > 0, inside, zero))
    enter = xp.where(inside > 0, xp.maximum(enter, -along - half), zero + FAR)
    leave = xp.minimum(leave, -along + half)
    return Hit(enter, leave, face, back)


def rounded_normal(
    xp: ModuleType,
    solid: Solid,
    place: tuple[Array, Array, Array],
    *,
    bevel: Array,
    softness: Array,
) -> tuple[Array, Array, Array]:
    """The normal at a place of the surface, blended over edges as on a moulded die."""
    x, y, z = place
    nx, ny, nz = x * 0.0, x * 0.0, x * 0.0
    for index, normal in enumerate(solid.normals + solid.bevels):
        height = solid.height if index < len(solid.normals) else bevel
        weight = xp.exp((normal[0] * x + normal[1] * y + normal[2] * z - height) / softness)
        nx, ny, nz = nx + weight * normal[0], ny + weight * normal[1], nz + weight * normal[2]
    length = xp.sqrt(nx * nx + ny * ny + nz * nz) + 1e-9
    return nx / length, ny / length, nz / length


def flat_face(
    xp: ModuleType, solid: Solid, place: tuple[Array, Array, Array]
) -> tuple[Array, Array, Array]:
    """The face nearest to a place of the surface, and where on it: along its right and its up."""
    x, y, z = place
    best, face, right, up = x * 0.0 - FAR, x * 0.0, x * 0.0, x * 0.0
    for index, (normal, side) in enumerate(zip(solid.normals, solid.rights, strict=True)):
        top = _cross(normal, side)
        height = normal[0] * x + normal[1] * y + normal[2] * z
        nearer = height > best
        best, face = xp.where(nearer, height, best), xp.where(nearer, x * 0.0 + index, face)
        right = xp.where(nearer, side[0] * x + side[1] * y + side[2] * z, right)
        up = xp.where(nearer, top[0] * x + top[1] * y + top[2] * z, up)
    return face, right, up
