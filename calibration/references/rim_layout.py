"""Where the printed plan puts the references around the tables that players choose among, and for
which of these tables the references of a picture lie.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from calibration.camera.camera_fit import Camera, SeenReference, started
from calibration.camera.lens import Prior
from calibration.printing.sheets import REFERENCE_IDS, rim_places
from calibration.references.reference_choice import CARELESS_IN, all_fitted, rate
from calibration.setup import ReferenceTag, Setup
from calibration.tags.tag import Sighting

TABLE_SIZES = ((24.0, 24.0), (36.0, 36.0), (42.0, 30.0), (48.0, 48.0), (72.0, 48.0))
"""The tables that players choose among: small ones for boards."""
ARMY_TABLES = ((48.0, 48.0), (72.0, 48.0))
"""Those on which the trays of armies stand."""
SAME_PRINT = 0.12
"""On the table for which they lie the references look so large as they are written, to within this
share: on the next one they would look a quarter larger or smaller."""

MOST_TRIED = 2
"""So many tables are tried in full: those whose first camera comes nearest."""


def rim_references(
    width: float, depth: float, size_mm: float, ids: Sequence[int] = REFERENCE_IDS
) -> tuple[ReferenceTag, ...]:
    """The reference tags where the printed plan puts them, all reading upright from player 1."""
    places = rim_places((width, depth), len(ids))
    return tuple(
        ReferenceTag(number, x, y, 90.0, size_mm)
        for number, (x, y) in zip(ids, places, strict=True)
    )


def meant_table(
    sightings: Iterable[Sighting], setup: Setup, size: tuple[int, int], prior: Prior
) -> tuple[float, float] | None:
    """The other table for which all the references that are seen lie as the plan says; None if
    there is none.

    Asked only where they do not fit the table of the set-up.
    """
    seen = list(sightings)
    if not setup.references:
        return None
    own = started_off(SeenReference.of(seen, setup), setup, size)
    found: list[tuple[float, tuple[float, float]]] = []
    for wide, deep in TABLE_SIZES:
        if (wide, deep) != (setup.table_width, setup.table_depth):
            other = laid_for(setup, wide, deep)
            off = started_off(SeenReference.of(seen, other), other, size)
            found += [(off, (wide, deep))] if off < own else []
    nearest = [table for _off, table in sorted(found)[:MOST_TRIED]]
    return next((one for one in nearest if fits(seen, laid_for(setup, *one), size, prior)), None)


def laid_for(setup: Setup, wide: float, deep: float) -> Setup:
    """A set-up with its references laid around another table."""
    around = rim_references(wide, deep, setup.references[0].size_mm)
    return replace(setup, table_width=wide, table_depth=deep, references=around, trays=())


def started_off(seen: SeenReference, setup: Setup, size: tuple[int, int]) -> float:
    """By how many pixels the first camera misses half of the corners; infinite without one."""
    return off_px(seen, started(seen, setup, size, None))


def off_px(seen: SeenReference, camera: Camera | None) -> float:
    """By how many pixels a camera misses half of the corners; infinite without one."""
    if camera is None:
        return math.inf
    there = camera[0].project(seen.points.reshape(-1, 3), camera[1])
    off = np.linalg.norm(there - seen.pixels.reshape(-1, 2), axis=1)
    return float(np.median(off))


def fits(seen: Sequence[Sighting], setup: Setup, size: tuple[int, int], prior: Prior) -> bool:
    """Whether all references that are seen lie as a set-up says, as far as hands can lay them."""
    found = SeenReference.of(seen, setup)
    start = started(found, setup, size, None)
    if start is None:
        return False
    fit = all_fitted(found, setup, start, prior)
    whole = rate(found, np.ones(len(found), dtype=np.bool_), fit, prior)
    return whole.laying.place_in <= CARELESS_IN and abs(fit.scale - 1.0) <= SAME_PRINT
