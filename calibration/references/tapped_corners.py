"""The lens from one picture in which the players tapped the table's own corners.

Four references near the middle leave the lens open, and with it the rim of the table. The corners
of the table are known places as well: tapped once, they tell the lens, which stays when the camera
is moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from calibration.camera.camera_fit import FEWEST_REFERENCES, SeenReference, focused, started
from calibration.camera.lens import Lens, prior_of
from calibration.camera.viewpoint import VIEW_SIZE
from calibration.references.reference_errors import BY_HAND, SCALE
from calibration.references.table_lost import TableLost
from calibration.references.table_pose import chance, doubted
from calibration.setup import ReferenceTag, Setup
from calibration.tags.tag import Sighting
from models.message import say

FINGER_PX, LOOSE_PX = 3.0, 1.0
"""How exactly people tap (in pixels of a picture 1280 wide), and how much of that is each of the
four points' own that stand for one tap."""
USUAL_WIDTH_PX = 1280
SMALL_MM = 0.01
"""A tap has no size: the four corners of its stand-in lie in one place."""
FIRST_ID = 1_000_000
FITS = 3.0
"""Taps that miss by so many times what chance leaves are on something else."""


def table_corners(setup: Setup) -> tuple[tuple[float, float], ...]:
    """The corners in the order in which they are tapped: player 1's left and right, then the
    far right and the far left."""
    width, depth = setup.table_width, setup.table_depth
    return (0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)


def lens_of_corners(
    sightings: Iterable[Sighting],
    setup: Setup,
    size: tuple[int, int],
    taps: Sequence[tuple[float, float]],
) -> Lens | TableLost:
    """The lens that the references and the tapped corners (all four, in order) tell together."""
    places = table_corners(setup)
    corners = tuple(
        ReferenceTag(FIRST_ID + number, x, y, 90.0, SMALL_MM)
        for number, (x, y) in enumerate(places)
    )
    finger = FINGER_PX * max(1.0, size[0] / USUAL_WIDTH_PX)
    spread = np.tile(np.eye(2), (4, 4)) * finger**2 + np.eye(8) * LOOSE_PX**2
    seen = [
        Sighting(tag.id, np.tile(np.array(tap, dtype=np.float64), (4, 1)), finger, spread)
        for tag, tap in zip(corners, taps, strict=True)
    ]
    both = replace(setup, references=(*setup.references, *corners), trays=())
    found = SeenReference.of([*sightings, *seen], both)
    lost = TableLost(say("the tapped corners do not fit the reference tags: tap them again"))
    start = started(found, both, size, None)
    if len(found) < len(corners) + FEWEST_REFERENCES or start is None:
        return lost
    fit = focused(found, np.ones(len(found)), start, prior_of(None, size), BY_HAND)
    if not np.isfinite(fit.chi2) or fit.chi2 > FITS * chance(len(found)):
        return lost
    sigma = np.sqrt(np.maximum(np.diag(doubted(fit, len(found)))[VIEW_SIZE:SCALE], 0.0))
    return replace(fit.lens, sigma=tuple(float(value) for value in sigma), estimated=False)
