"""A second look at dice on the mat, from right above: does a face of theirs lie level?

The mat tells where the camera is. So a die can be seen as if from right above, its camera's side
always below, and a second, small net knows how much of its sides must be seen when it lies flat:
one that leans shows other sides. Of a D6 this net reads the face as well.

>>> above = np.array([[2.0, 0, 320], [0, 2.0, 240], [0, 0, 1]])
>>> [round(float(v)) for v in camera_place(above, (640, 480))]
[0, 0, 384]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.dice.dice_net import StoredNet
from companion.vision.dice.net_weights import (
    LEVEL_EDGES,
    LEVEL_PX,
    LEVEL_SHIFT,
    STEEPEST,
    Floats,
    onnx_level_net,
)

Picture = NDArray[np.uint8]
Places = NDArray[np.float64]

USUAL_FOCAL = 1.2
"""Widths of a picture: the focal length where the mat does not tell it, right above it."""
FOCALS = USUAL_FOCAL * 2.0 ** np.linspace(-1.2, 2.0, 33)
UNUSUAL = 1e-5
"""What a focal length twice as long as usual costs: as much as axes whose lengths or directions
are off by the square root of it. Corners of tags are seen that exactly."""
FINER = 1.25
"""A picture with so many times more pixels than the net sees is made smaller first."""


def camera_place(to_picture: Places, size: tuple[int, int]) -> Places:
    """Where the camera is, in millimetres of the mat (right, down, up), from the homography of the
    mat and the width and height of the picture: the axes of the mat are of one length and meet at
    a right angle."""
    width, height = size
    middle = np.array([[1.0, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    found = middle @ to_picture
    best, place = np.inf, np.zeros(3)
    for focal in FOCALS * width:
        right, down, away = (np.diag([1 / focal, 1 / focal, 1.0]) @ found).T
        long, wide = np.linalg.norm(right), np.linalg.norm(down)
        off = (float(right @ down) / (long * wide)) ** 2 + np.log(long / wide) ** 2
        off += UNUSUAL * np.log2(focal / (USUAL_FOCAL * width)) ** 2
        if off < best:
            axes = np.column_stack([right, down, np.cross(right, down) / np.sqrt(long * wide)])
            best, place = off, -np.linalg.solve(axes, away)
    return np.asarray([place[0], place[1], abs(place[2])], np.float64)


class LevelNet(StoredNet):
    """See `training/level_training.py` for its making."""

    @staticmethod
    @cache
    def load(sides: int) -> LevelNet:
        """The net for dice of so many sides."""
        return LevelNet.read(f"level-d{sides}", onnx_level_net)

    def chances(self, pictures: Sequence[Picture], aside: Sequence[float]) -> Floats:
        """Of each die: the chances of its faces (of a D6; else that one is level), then that it
        leans. `aside` is how far the camera looks aside for each step down."""
        blob = np.empty((len(pictures), 4, *pictures[0].shape[:2]), np.float32)
        for index, (picture, steep) in enumerate(zip(pictures, aside, strict=True)):
            blob[index, :3] = picture[..., ::-1].transpose(2, 0, 1) / 255.0 - 0.5
            blob[index, 3] = min(steep, STEEPEST) - 0.5
        out = self.answer(blob)[:, :, 0, 0]
        powers = np.exp(out - out.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


def level_chances(
    picture: Picture, to_picture: Places, places: Places, *, sides: int, die_mm: float
) -> Floats:
    """What the second net says of dice whose upper faces are at these pixels of a picture."""
    if not len(places):
        return np.empty((0, 2), np.float32)
    camera = camera_place(to_picture, (picture.shape[1], picture.shape[0]))
    wide, mm = LEVEL_PX[sides], LEVEL_EDGES * die_mm
    small = _smaller(to_picture, places, wide / mm)
    if small < 1:
        picture = np.asarray(
            cv2.resize(picture, None, fx=small, fy=small, interpolation=cv2.INTER_AREA), np.uint8
        )
    back = np.linalg.inv(to_picture)
    seen, aside = [], []
    for x, y in places:
        spot = back @ [x, y, 1.0]
        toward = camera[:2] - spot[:2] / spot[2]
        away = float(np.hypot(*toward))
        down = toward / away if away > 1e-6 else np.array([0.0, 1.0])
        aside.append(away / max(camera[2], 1e-6))
        corner = spot[:2] / spot[2] + (LEVEL_SHIFT * die_mm) * down
        right = np.array([down[1], -down[0]])
        step = mm / wide
        corner = corner - (wide - 1) / 2 * step * (right + down)
        level = np.eye(3)
        level[:2] = np.column_stack([right * step, down * step, corner])
        shrunk = np.diag([small, small, 1.0]) @ to_picture @ level
        seen.append(
            cv2.warpPerspective(
                picture, shrunk, (wide, wide), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            )
        )  # fmt: skip
    return LevelNet.load(sides).chances([np.asarray(one, np.uint8) for one in seen], aside)


def _smaller(to_picture: Places, places: Places, px_per_mm: float) -> float:
    """How many times fewer pixels a picture needs in which dice have so many."""
    middle = np.linalg.inv(to_picture) @ [*places.mean(axis=0), 1.0]
    ends = middle[:2] / middle[2] + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    seen = np.column_stack([ends, np.ones(3)]) @ to_picture.T
    here, right, down = seen[:, :2] / seen[:, 2:]
    finest = max(np.hypot(*(right - here)), np.hypot(*(down - here)))
    return min(1.0, FINER * px_per_mm / float(finest))
