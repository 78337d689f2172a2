"""Where one more reference helps most: the place that leaves the table's corners least in doubt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens, inverse
from calibration.camera.viewpoint import Viewpoint, projection
from calibration.setup import ReferenceTag, Setup
from calibration.tags.tag import reference_corners
from models.message import LazyMessage, say

Floats = NDArray[np.float64]

INSET_IN = 1.4
"""How far from the edges a reference at the rim lies."""
NEAR_IN = 3.0
"""A place this close to a reference needs no other."""
FOLD_SHARE = 0.9
"""Beyond this share of the way to where a lens would fold the picture nothing is known of it."""
CORNER_PX, LAID_IN = 0.1, 0.02
"""How exactly the corners of one more reference would be found, and how exactly it would lie."""


@dataclass(frozen=True, slots=True)
class NextReference:
    """The reference to lay (None: one more), where on the table, and where that is in the picture.

    `doubt_in` is the doubt that the table's corners would still be in.
    """

    id: int | None
    x: float
    y: float
    corners_px: tuple[tuple[float, float], ...]
    where: LazyMessage
    doubt_in: float

    @property
    def words(self) -> LazyMessage:
        """What to lay where, in one sentence."""
        if self.id is None:
            return say("lay one more reference tag {where}", where=self.where)
        return say("lay reference {tag} {where}", tag=self.id, where=self.where)


def doubts(points: Floats, view: Viewpoint, lens: Lens, covariance: Floats) -> Floats:
    """How unsure (one sigma, inches) places of the table (n x 2) are; infinite where the camera or
    its lens as far as it is known cannot tell them from others."""
    spots = np.concatenate([points, np.zeros((len(points), 1))], axis=1)
    seen = view.in_camera(spots)
    told = seen[:, 2] > 0.1
    told &= np.hypot(seen[:, 0], seen[:, 1]) < FOLD_SHARE * lens.folds_at() * seen[:, 2]
    found = np.full(len(points), np.inf)
    if told.any():
        found[told] = spreads(spots[told], view, lens, covariance)
    return found


def spreads(spots: Floats, view: Viewpoint, lens: Lens, covariance: Floats) -> Floats:
    """One sigma along the worse direction (inches) of points of the table before the camera."""
    seen = projection(spots, view, lens)
    slope = np.linalg.pinv(seen.by_point[:, :, :2])
    noise = seen.by_camera @ covariance @ seen.by_camera.transpose(0, 2, 1)
    spread = np.linalg.eigvalsh(slope @ noise @ slope.transpose(0, 2, 1))
    return np.sqrt(np.maximum(spread[:, -1], 0.0))


def corner_doubt(view: Viewpoint, lens: Lens, covariance: Floats, setup: Setup) -> float:
    """The worst doubt (one sigma, inches) of a point at the table's corners."""
    rows = [(x, y, 0.0) for x in (0.0, setup.table_width) for y in (0.0, setup.table_depth)]
    corners = np.array(rows)
    corners = corners[view.in_camera(corners)[:, 2] > 0.1]
    if not len(corners):
        return 0.0
    return float(spreads(corners, view, lens, covariance).max())


def next_reference(
    view: Viewpoint, lens: Lens, covariance: Floats, setup: Setup, seen: Collection[int]
) -> NextReference | None:
    """The best of the references that are not seen, else of the places around the rim."""
    unseen = [tag for tag in setup.references if tag.id not in seen]
    usual = setup.references[0]
    places: Sequence[tuple[int | None, ReferenceTag]] = [(tag.id, tag) for tag in unseen] or [
        (None, replace(usual, x=x, y=y, up=0.0))
        for x, y in rim(setup)
        if all(np.hypot(x - tag.x, y - tag.y) > NEAR_IN for tag in setup.references)
    ]
    information = inverse(covariance)
    found = []
    for name, tag in places:
        points = reference_corners(tag)
        if not np.isfinite(doubts(points[:, :2], view, lens, covariance)).all():
            continue
        pixels = view.project(points, lens)
        if (pixels < 0).any() or (pixels > np.array(lens.size) - 1).any():
            continue
        slopes = projection(points, view, lens)
        by = slopes.by_camera.reshape(8, -1)
        # It lies a little beside its place, as a whole.
        beside = slopes.by_point[:, :, :2].reshape(8, 2)
        noise = CORNER_PX**2 * np.eye(8) + LAID_IN**2 * beside @ beside.T
        after = inverse(information + by.T @ np.linalg.solve(noise, by))
        doubt = corner_doubt(view, lens, after, setup)
        rim_px = tuple((float(x), float(y)) for x, y in pixels)
        found.append(NextReference(name, tag.x, tag.y, rim_px, place_words(tag, setup), doubt))
    return min(found, key=lambda one: one.doubt_in, default=None)


def rim(setup: Setup) -> list[tuple[float, float]]:
    """Corners and middles of the table's edges."""
    across = (INSET_IN, setup.table_width / 2, setup.table_width - INSET_IN)
    along = (INSET_IN, setup.table_depth / 2, setup.table_depth - INSET_IN)
    middle = (across[1], along[1])
    return [(x, y) for x in across for y in along if (x, y) != middle]


def place_words(tag: ReferenceTag, setup: Setup) -> LazyMessage:
    """A place of the table as player 1 would say it."""
    column = min(int(3 * tag.x / setup.table_width), 2)
    row = min(int(3 * tag.y / setup.table_depth), 2)
    return (
        (
            say("in player 1's left corner"),
            say("at the middle of player 1's edge"),
            say("in player 1's right corner"),
        ),
        (
            say("at the middle of the left edge"),
            say("in the middle of the table"),
            say("at the middle of the right edge"),
        ),
        (
            say("in the far left corner"),
            say("at the middle of the far edge"),
            say("in the far right corner"),
        ),
    )[max(row, 0)][max(column, 0)]
