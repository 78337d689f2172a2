"""The dice mat in a picture: where it lies, how large dice are on it, and the throw upon it.

>>> find_mat(np.full((480, 640), 90, np.uint8)).problem
'no mat'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.printing.dice_mat import MAT_DICTIONARY, MATS, TAG_MM, WHITE_MM, DiceMat
from companion.vision.detect.pixels import Grey
from companion.vision.detect.tag_detector import find_tags
from companion.vision.dice.changed_parts import ChangedPart, changed_parts
from companion.vision.dice.dice_reader import (
    Doubt,
    Picture,
    ReadThrow,
    SeenDie,
    ThrowLooks,
    shifted,
)
from companion.vision.dice.learned_faces import LearnedFaces
from companion.vision.dice.level_look import level_chances
from companion.vision.sources.frame import grey_of, load_photo

Floats = NDArray[np.float64]

DIE_MM = {6: 14.0, 8: 18.0, 10: 15.5}
"""Edges of dice as they are sold, by their sides, give or take 2 mm: the reader allows for that."""

OFF_LEVEL_MM = 16.0
"""The upper face of a die at the rim may appear this far outside the field."""

TURNS = (2, 1)
"""By so many quarters the looks are turned that must agree with the first."""
SMALLEST_PART_PX = 8

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


def die_edge_px(view: MatView, sides: int = 6) -> float:
    """How many pixels a die's edge has in the middle of the mat."""
    assert view.mat is not None
    middle = np.array([view.mat.width_mm / 2, view.mat.height_mm / 2])
    half = DIE_MM[sides] / 2
    ends = middle + np.array([[-half, 0], [half, 0], [0, -half], [0, half]])
    left, right, top, low = view.in_picture(ends)
    return float(max(np.hypot(*(right - left)), np.hypot(*(low - top))))


@dataclass(eq=False)
class MatReading:
    """Reads one throw on the mat: a first look finds the dice, looks at a later picture must agree,
    so that what one picture happens to show is not believed.

    Dice beside the mat are doubts, dice far from it are not looked at.
    """

    view: MatView
    sides: int = 6
    learned: LearnedFaces | None = None
    _parts: list[ChangedPart] | None = field(default=None, init=False)
    """Where the mat has changed, if dice were looked for only there."""
    agreed: bool = field(default=False, init=False)
    """Whether a later picture was looked at."""
    _looks: ThrowLooks = field(init=False)
    _field: Floats = field(init=False)
    _low: Floats = field(init=False)
    _high: Floats = field(init=False)
    """The part of the picture in which dice may lie."""

    def __post_init__(self) -> None:
        assert self.view.mat is not None
        edge = die_edge_px(self.view, self.sides)
        self._field = np.array(self.view.mat.field, np.float64)
        outline = self.view.in_picture(self._field)
        self._low = np.maximum(np.floor(outline.min(axis=0) - 1.2 * edge), 0)
        self._high = np.maximum(np.ceil(outline.max(axis=0) + 0.5 * edge), 0)
        self._looks = ThrowLooks(self.sides, edge, self.learned)

    def find(self, picture: Picture, before: Picture | None = None) -> None:
        """The first look; only where the mat looks other than `before`, if that is known."""
        part = self._part(picture)
        if min(part.shape[:2]) < SMALLEST_PART_PX:
            return
        if before is None or before.shape != picture.shape:
            self._looks.find(part)
        else:
            self._parts = changed_parts(self._part(before), part, self._looks.edge)
            self._looks.find_in(part, self._parts)

    @property
    def found_in_parts(self) -> bool:
        """Whether dice were looked for only where the mat has changed."""
        return self._parts is not None

    def unseen(self, dice: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
        """The dice, seen in an earlier picture, that lie where nothing has changed."""
        if self._parts is None:
            return ()
        left, top = self._low
        return tuple(
            die
            for die in dice
            if not any(part.holds(die.x - left, die.y - top) for part in self._parts)
        )

    def confirm(self, picture: Picture) -> None:
        """Look at the same dice again, turned, and from right above."""
        self._looks.look_again(self._part(picture), TURNS)
        assert self.view.to_picture is not None
        places = self._looks.places + self._low
        die_mm = DIE_MM[self.sides]
        self._looks.look_level(
            level_chances(picture, self.view.to_picture, places, sides=self.sides, die_mm=die_mm)
        )
        self.agreed = True

    def throw(self, count: int | None) -> ReadThrow:
        """The throw as far as all looks agree."""
        left, top = self._low
        throw = shifted(self._looks.throw(count), float(left), float(top))
        off = tuple(
            Doubt("off the mat", index)
            for index, die in enumerate(throw.dice)
            if not _lies_on(self.view, die, self._field)
        )
        return ReadThrow(throw.dice, throw.doubts + off)

    def _part(self, picture: Picture) -> Picture:
        (left, top), (right, low) = self._low.astype(int), self._high.astype(int)
        return _without_tags(picture, self.view)[top:low, left:right]


def read_mat(
    picture: Picture,
    view: MatView,
    *,
    count: int | None,
    sides: int = 6,
    again: Picture | None = None,
    learned: LearnedFaces | None = None,
    before: Picture | None = None,
) -> ReadThrow:
    """The throw on the mat; `again` is a later picture of it, which must agree, `before` one from
    before the throw."""
    reading = MatReading(view, sides, learned)
    reading.find(picture, before)
    reading.confirm(picture if again is None else again)
    if reading.found_in_parts and count not in (None, len(reading.throw(None).dice)):
        return read_mat(picture, view, count=count, sides=sides, again=again, learned=learned)
    return reading.throw(count)


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
