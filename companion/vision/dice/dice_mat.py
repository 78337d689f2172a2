"""The dice mat in a picture: where it lies, how large dice are on it, and the throw upon it.

>>> find_mat(np.full((480, 640), 90, np.uint8)).problem
'no mat'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.printing.dice_mat import MAT_DICTIONARY, MATS, TAG_MM, WHITE_MM, DiceMat
from companion.vision.detect.pixels import Grey
from companion.vision.detect.tag_detector import find_tags
from companion.vision.dice.dice_reader import (
    Doubt,
    Picture,
    ReadThrow,
    SeenDie,
    read_throw,
    shifted,
)
from companion.vision.dice.learned_faces import LearnedFaces
from companion.vision.sources.frame import grey_of, load_photo

Floats = NDArray[np.float64]

DIE_MM = 14.0
"""Dice of 12 to 16 mm are read; the reader allows for the difference."""

OFF_LEVEL_MM = 16.0
"""The upper face of a die at the rim may appear this far outside the field."""

MatProblem = Literal["no mat", "two mats", "covered"]


@dataclass(frozen=True, slots=True, eq=False)
class MatView:
    """Where the mat lies in a picture: the homography from its millimetres to pixels."""

    mat: DiceMat | None = None
    to_picture: Floats | None = None
    problem: MatProblem | None = None

    def in_picture(self, points: Floats) -> Floats:
        """Places of the mat in pixels."""
        assert self.to_picture is not None
        return _moved(self.to_picture, points)

    def on_mat(self, points: Floats) -> Floats:
        """Pixels as places of the mat, as if they lay upon it."""
        assert self.to_picture is not None
        return _moved(np.asarray(np.linalg.inv(self.to_picture), np.float64), points)


def _moved(matrix: Floats, points: Floats) -> Floats:
    moved = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(moved[:, :2] / moved[:, 2:])


def find_mat(grey: Grey) -> MatView:
    """The mat, if exactly one is in the picture and enough of its tags are free."""
    ids = [number for mat in MATS for number in mat.ids]
    seen = find_tags(grey, MAT_DICTIONARY, expected=ids)
    if seen.twins:
        return MatView(problem="two mats")
    present = [mat for mat in MATS if any(number in seen.tags for number in mat.ids)]
    if not present:
        return MatView(problem="no mat")
    if len(present) > 1:
        return MatView(problem="two mats")
    (mat,) = present
    places = [
        (mat.tag_corners(index), seen.tags[number].corners_px)
        for index, number in enumerate(mat.ids)
        if number in seen.tags
    ]
    if len(places) < 3:
        return MatView(mat, problem="covered")
    printed = np.array([corner for corners, _ in places for corner in corners], np.float64)
    pixels = np.concatenate([corners for _, corners in places]).astype(np.float64)
    matrix, _ = cv2.findHomography(printed, pixels, 0)
    if matrix is None or abs(np.linalg.det(matrix)) < 1e-12:
        return MatView(mat, problem="covered")
    return MatView(mat, np.asarray(matrix, np.float64))


def die_edge_px(view: MatView) -> float:
    """How many pixels a die's edge has in the middle of the mat."""
    assert view.mat is not None
    middle = np.array([view.mat.width_mm / 2, view.mat.height_mm / 2])
    half = DIE_MM / 2
    ends = middle + np.array([[-half, 0], [half, 0], [0, -half], [0, half]])
    left, right, top, low = view.in_picture(ends)
    return float(max(np.hypot(*(right - left)), np.hypot(*(low - top))))


def read_mat(
    picture: Picture,
    view: MatView,
    *,
    count: int | None,
    sides: int = 6,
    again: Sequence[Picture] = (),
    learned: LearnedFaces | None = None,
) -> ReadThrow:
    """The throw on the mat; dice beside it are doubts, dice far from it are not looked at.

    `again` are further pictures of the same throw, which must agree.
    """
    assert view.mat is not None
    field = np.array(view.mat.field, np.float64)
    outline = view.in_picture(field)
    edge = die_edge_px(view)
    low = np.maximum(np.floor(outline.min(axis=0) - 1.2 * edge).astype(int), 0)
    high = np.ceil(outline.max(axis=0) + 0.5 * edge).astype(int)
    x, y = (int(v) for v in low)
    part, *further = (
        _without_tags(one, view)[y : int(high[1]), x : int(high[0])] for one in (picture, *again)
    )
    if min(part.shape[:2]) < 8:
        return ReadThrow((), (Doubt("none"),))
    throw = read_throw(
        part, edge=edge, count=count, sides=sides, exact=True, again=further, learned=learned
    )
    throw = shifted(throw, x, y)
    off = [index for index, die in enumerate(throw.dice) if not _lies_on(view, die, field)]
    return ReadThrow(throw.dice, throw.doubts + tuple(Doubt("off the mat", i) for i in off))


def read_photo(
    path: Path | str, count: int | None, sides: int, learned: LearnedFaces | None = None
) -> ReadThrow:
    """The throw on the mat in a photo, mirrored or not; without a mat, why there is none."""
    picture = load_photo(path)
    view = find_mat(grey_of(picture))
    if view.problem == "no mat" and (turned := mirrored_mat(picture)) is not None:
        seen = coloured(mirrored(picture))
        throw = read_mat(seen, turned, count=count, sides=sides, learned=learned)
        dice = tuple(replace(die, x=picture.shape[1] - 1 - die.x) for die in throw.dice)
        return replace(throw, dice=dice)
    if view.problem:
        return ReadThrow((), (Doubt(view.problem),))
    return read_mat(coloured(picture), view, count=count, sides=sides, learned=learned)


def mirrored(picture: Picture) -> Picture:
    """The picture as the eye sees the mat, where a front camera mirrors it."""
    return np.ascontiguousarray(picture[:, ::-1])


def mirrored_mat(picture: Picture) -> MatView | None:
    """The mat in the mirror, if it lies whole in there."""
    view = find_mat(grey_of(mirrored(picture)))
    return None if view.problem else view


def coloured(picture: Picture) -> Picture:
    """Three channels, whatever the picture has."""
    if picture.ndim == 2:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    return picture[..., :3]


def _without_tags(picture: Picture, view: MatView) -> Picture:
    """The picture with the mat's tags painted over: a net that looks for pips finds them there."""
    assert view.mat is not None
    middle = view.in_picture(np.array([[view.mat.width_mm / 2, WHITE_MM + TAG_MM / 2]]))[0]
    grey = picture[tuple(np.clip(middle[::-1].astype(int), 0, np.array(picture.shape[:2]) - 1))]
    painted = picture.copy()
    for index in range(4):
        corners = np.array(view.mat.tag_corners(index))
        grown = corners + np.sign(corners - corners.mean(axis=0)) * WHITE_MM
        outline = view.in_picture(grown).round().astype(np.int32)
        cv2.fillConvexPoly(painted, outline, [int(v) for v in grey])
    return painted


def _lies_on(view: MatView, die: SeenDie, field: Floats) -> bool:
    place = view.on_mat(np.array([[die.x, die.y]]))[0]
    outline = field.astype(np.float32).reshape(-1, 1, 2)
    return cv2.pointPolygonTest(outline, (float(place[0]), float(place[1])), True) > -OFF_LEVEL_MM
