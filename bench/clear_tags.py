"""Which tags of a rendered frame are clear, so that a detector ought to find them.

No detector is asked: the answer comes from what the renderer knows and from the finished picture at
the tag's true place. A tag is clear if all of this holds:

1. Tag and white margin lie in the picture, and nothing hides any part of them: no model, pole,
   hand, finger or card. (Each renderer counts what it draws; `covered` compares pictures for what
   is laid on afterwards.) A tray that a hand is moving does not count.
2. Its modules are at least `LEAST_MODULE_PX` high where the view shortens them most. Below 2.2 px
   neighbouring modules of a 4x4 tag run into one another in any lens's blur.
3. Its black and its white differ by at least `LEAST_CONTRAST` grey levels of 255 in the finished
   picture, after light, haze, tone curve and compression.
4. No black module is washed out: glare adds less than half of the paper's own white to each. (A
   module beyond that is white in any picture, and 4x4 words tell no such error from another word.)

Blur, camera shake, noise, sharpening, compression, shadow edges, curl, dust, spread ink and trimmed
margins exclude nothing: such tags are clear and must be found.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.setup import OtherTag, dictionary_of

Floats = NDArray[np.floating]
Picture = NDArray[np.uint8]

LEAST_MODULE_PX = 2.2
LEAST_CONTRAST = 25.0
CHANGED_LEVELS = 4
"""Pixels that differ by more than so many grey levels show something else."""


def cells(tag_id: int, dictionary: str) -> NDArray[np.bool_]:
    """Which modules of a tag, its black frame included, are white (side x side)."""
    tag = OtherTag.of(tag_id)
    words = dictionary_of(tag.dictionary or dictionary)
    side = int(words.markerSize) + 2
    drawn = cv2.aruco.generateImageMarker(words, tag.number, side, borderBits=1)
    return np.asarray(drawn) > 127


def cell_centres(corners: Floats, side: int) -> Floats:
    """The middles of a tag's modules in the picture (side x side x 2), row by row as printed."""
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    warp = cv2.getPerspectiveTransform(square, np.asarray(corners, np.float32))
    line = np.arange(side) + 0.5
    grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 1, 2)
    there = np.asarray(cv2.perspectiveTransform(grid, warp), dtype=np.float64)
    return there.reshape(side, side, 2)


def module_px(corners: Floats, side: int) -> float:
    """The height of a tag's modules in pixels, across its longest side."""
    sides = np.roll(corners, -1, axis=0) - corners
    one, other = corners[2] - corners[0], corners[3] - corners[1]
    area = abs(one[0] * other[1] - one[1] * other[0]) / 2
    return float(area / np.hypot(sides[:, 0], sides[:, 1]).max() / side)


def contrast(grey: Picture, corners: Floats, white: NDArray[np.bool_]) -> float:
    """Grey levels between a tag's black and its white in a picture, medians of its modules."""
    places = cell_centres(corners, len(white)).astype(np.float32)
    seen = cv2.remap(grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR)
    return float(np.median(seen[white]) - np.median(seen[~white]))


def covered(before: Picture, after: Picture, corners: Floats, margin: float) -> float:
    """The share of a tag and its margin (in modules of six) on which something was laid."""
    middle = corners.mean(axis=0)
    paper = middle + (corners - middle) * (1 + margin / 3)
    height, width = before.shape[:2]
    left, top = np.clip(np.floor(paper.min(axis=0)).astype(int), 0, (width, height))
    right, bottom = np.clip(np.ceil(paper.max(axis=0)).astype(int) + 1, 0, (width, height))
    if right <= left or bottom <= top:
        return 0.0
    part = (slice(top, bottom), slice(left, right))
    inside = np.zeros((bottom - top, right - left), np.uint8)
    local = np.rint((paper - (left, top)) * 16).astype(np.int32)
    cv2.fillPoly(inside, [local], 1, shift=4)
    changed = cv2.absdiff(before[part], after[part]).max(axis=2) > CHANGED_LEVELS
    return float((changed & (inside > 0)).sum() / max(1, inside.sum()))


def legible(grey: Picture, corners: Floats, tag_id: int, dictionary: str) -> bool:
    """Whether a tag is large enough and stands out enough in the finished picture."""
    white = cells(tag_id, dictionary)
    return (
        module_px(corners, len(white)) >= LEAST_MODULE_PX
        and contrast(grey, corners, white) >= LEAST_CONTRAST
    )
