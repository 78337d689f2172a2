"""Where a camera stands over the table and which way it looks, and the projection from space to
its pixels, with derivatives by point, camera and lens.

>>> view = Viewpoint.looking((24, -14, 35), (24, 20, 0))
>>> view.directions(np.array([[24.0, 20.0, 0.0]])).round(9).tolist()
[[0.0, 0.0]]
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens, distorted, distortion_slope

Floats = NDArray[np.float64]
Point3 = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The camera's centre in table inches (x, y, up) and its axes right, down, forward.

    `axes` are the rows of the rotation from table to camera, one after another.
    """

    position: Point3
    axes: tuple[float, ...]

    @classmethod
    def looking(cls, position: Point3, at: Point3, roll_deg: float = 0.0) -> Viewpoint:
        """A camera that looks at a point; roll turns it clockwise as its owner sees it."""
        place, aim = np.array(position, dtype=float), np.array(at, dtype=float)
        forward = (aim - place) / np.linalg.norm(aim - place)
        up = np.array([0.0, 1.0, 0.0]) if abs(forward[2]) > 0.9999 else np.array([0.0, 0.0, 1.0])
        right = np.cross(forward, up)
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        cos, sin = math.cos(math.radians(roll_deg)), math.sin(math.radians(roll_deg))
        axes = np.stack([right * cos + down * sin, down * cos - right * sin, forward])
        return cls.of(place, axes)

    @classmethod
    def of(cls, position: Floats, rotation: Floats) -> Viewpoint:
        """From a centre and a 3 x 3 rotation (table to camera)."""
        x, y, z = (float(value) for value in position)
        return cls((x, y, z), tuple(float(value) for value in np.ravel(rotation)))

    @property
    def rotation(self) -> Floats:
        """Table to camera, 3 x 3."""
        return np.array(self.axes, dtype=np.float64).reshape(3, 3)

    @property
    def centre(self) -> Floats:
        """The camera's centre."""
        return np.array(self.position, dtype=np.float64)

    def in_camera(self, points: Floats) -> Floats:
        """Table points (... x 3) in the camera's own frame: right, down, forward."""
        moved: Floats = (np.asarray(points, dtype=np.float64) - self.centre) @ self.rotation.T
        return moved

    def directions(self, points: Floats) -> Floats:
        """Table points (... x 3) as directions x/z, y/z."""
        seen = self.in_camera(points)
        return seen[..., :2] / seen[..., 2:]

    def project(self, points: Floats, lens: Lens) -> Floats:
        """Table points (... x 3) as pixels of a lens."""
        return lens.pixels(self.directions(points))

    def to_plane(self, height: float) -> Floats:
        """The homography from directions (x, y, 1) to table inches at that height."""
        back = self.rotation.T
        drop = height - self.position[2]
        return np.stack(
            [
                self.position[0] * back[2] + drop * back[0],
                self.position[1] * back[2] + drop * back[1],
                back[2],
            ]
        )

    def on_plane(self, directions: Floats, height: float = 0.0) -> Floats:
        """Where the rays in those directions (... x 2) meet the plane at that height."""
        h = self.to_plane(height)
        x, y = directions[..., 0], directions[..., 1]
        rows = [h[i, 0] * x + h[i, 1] * y + h[i, 2] for i in range(3)]
        return np.stack([rows[0] / rows[2], rows[1] / rows[2]], axis=-1)


VIEW_SIZE = 6
"""Numbers of a viewpoint's change: a small turn (3, camera axes), then a shift (3, inches)."""
LENS_SIZE = 9
"""Numbers of a lens: fx fy cx cy k1 k2 p1 p2 k3."""
CAMERA_SIZE = VIEW_SIZE + LENS_SIZE


@dataclass(frozen=True, slots=True, eq=False)
class Projection:
    """Pixels of n points, and their derivatives by camera (n x 2 x 15) and by point (n x 2 x 3)."""

    pixels: Floats
    by_camera: Floats
    by_point: Floats


def projection(points: Floats, view: Viewpoint, lens: Lens) -> Projection:
    """Project points of the table (n x 3), with derivatives."""
    seen = view.in_camera(points)
    depth = seen[:, 2]
    rays = seen[:, :2] / depth[:, None]
    x, y = rays[:, 0], rays[:, 1]
    fx, fy, _, _, *_ = lens.parameters
    bent = distorted(rays, lens.distortion)
    xx, xy, yy = distortion_slope(rays, lens.distortion)

    count = len(points)
    # Bent direction by point in the camera's frame.
    by_seen = np.empty((count, 2, 3))
    by_seen[:, 0, 0], by_seen[:, 0, 1] = xx, xy
    by_seen[:, 1, 0], by_seen[:, 1, 1] = xy, yy
    by_seen[:, :, 2] = -by_seen[:, :, 0] * x[:, None] - by_seen[:, :, 1] * y[:, None]
    by_seen *= np.array([fx, fy])[None, :, None] / depth[:, None, None]

    by_point = by_seen @ view.rotation
    by_camera = np.zeros((count, 2, CAMERA_SIZE))
    # A small turn w moves a seen point by w x point.
    by_camera[:, :, 0] = by_seen[:, :, 2] * seen[:, 1, None] - by_seen[:, :, 1] * seen[:, 2, None]
    by_camera[:, :, 1] = by_seen[:, :, 0] * seen[:, 2, None] - by_seen[:, :, 2] * seen[:, 0, None]
    by_camera[:, :, 2] = by_seen[:, :, 1] * seen[:, 0, None] - by_seen[:, :, 0] * seen[:, 1, None]
    by_camera[:, :, 3:6] = -by_point
    square = x * x + y * y
    by_camera[:, 0, 6] = bent[:, 0]
    by_camera[:, 1, 7] = bent[:, 1]
    by_camera[:, 0, 8] = by_camera[:, 1, 9] = 1.0
    for place, power in ((10, 1), (11, 2), (14, 3)):
        grow = square**power
        by_camera[:, 0, place] = fx * x * grow
        by_camera[:, 1, place] = fy * y * grow
    by_camera[:, 0, 12] = fx * 2 * x * y
    by_camera[:, 1, 12] = fy * (square + 2 * y * y)
    by_camera[:, 0, 13] = fx * (square + 2 * x * x)
    by_camera[:, 1, 13] = fy * 2 * x * y
    return Projection(lens.pixels(rays), by_camera, by_point)


def changed(view: Viewpoint, lens: Lens, change: Floats) -> tuple[Viewpoint, Lens]:
    """The camera after a change, in the order of `by_camera`."""
    rotation = turned(change[:3]) @ view.rotation
    return Viewpoint.of(view.centre + change[3:6], rotation), refocused(lens, change[6:])


def refocused(lens: Lens, change: Floats) -> Lens:
    """A lens after a change of its numbers, true to first order.

    What pixels show of a distortion stays when the focal length changes, so the step is taken in
    k1/f², k2/f⁴, p/f, k3/f⁶: otherwise a lens whose focal length is hardly known never arrives.
    """
    now = lens.parameters
    after = now + change
    if min(after[:2]) <= 0:
        return lens.with_parameters(after)
    grown = math.sqrt(after[0] * after[1] / (now[0] * now[1]))
    powers = np.array([2.0, 4.0, 1.0, 1.0, 6.0])
    rate = (change[0] / now[0] + change[1] / now[1]) / 2
    after[4:] = (now[4:] + change[4:] - powers * now[4:] * rate) * grown**powers
    return lens.with_parameters(after)


def turned(turn: Floats) -> Floats:
    """The rotation by a turn (axis times radians)."""
    angle = float(np.linalg.norm(turn))
    if angle < 1e-12:
        return np.eye(3)
    a, b, c = turn / angle
    cross = np.array([[0.0, -c, b], [c, 0.0, -a], [-b, a, 0.0]])
    rotation: Floats = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)
    return rotation
