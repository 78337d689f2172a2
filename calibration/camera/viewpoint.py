"""Where a camera stands over the table and which way it looks.

>>> view = Viewpoint.looking((24, -14, 35), (24, 20, 0))
>>> view.directions(np.array([[24.0, 20.0, 0.0]])).round(9).tolist()
[[0.0, 0.0]]
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens

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
