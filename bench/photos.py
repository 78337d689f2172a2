"""Photographs in folders, one set a folder: tags found and time, beside default OpenCV."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from calibration.setup import dictionary_of
from companion.vision.detect.pixels import Grey
from companion.vision.detect.tag_detector import find_tags
from companion.vision.sources.frame import grey_of, load_photo, photos_in

DICTIONARIES = (
    "DICT_4X4_50",
    "DICT_4X4_100",
    "DICT_5X5_100",
    "DICT_5X5_250",
    "DICT_6X6_250",
    "DICT_7X7_50",
    "DICT_APRILTAG_36h11",
    "DICT_ARUCO_ORIGINAL",
)
FIRST_PHOTOS = 3
"""So many photos of a set are asked for its dictionary."""


@dataclass(frozen=True, slots=True)
class PhotoSet:
    """What the photos of one folder counted."""

    name: str
    dictionary: str
    photos: int
    found: int
    default: int
    lost: int
    """Tags that OpenCV's default reads and we do not."""
    ratios: tuple[float, ...]
    """Our time in times of OpenCV's default, all ids of the set being expected, photo by photo."""

    @property
    def measured(self) -> str:
        """The counts in one line."""
        return (
            f"{self.found} / {self.default} / {self.lost}, time {np.median(self.ratios):.2f} "
            f"(worst {max(self.ratios):.2f}) in {self.photos} photos of {self.dictionary}"
        )


def ratio(work: Callable[[], object], base: Callable[[], object], times: int = 3) -> float:
    """How much longer the one takes than the other: the shortest of a few turns of each.

    They take turns, in seconds of this process, since others may be busy and the machine may
    slow down meanwhile.
    """
    best = [float("inf")] * 2
    for _ in range(times):
        for place, one in enumerate((work, base)):
            start = time.process_time()
            one()
            best[place] = min(best[place], time.process_time() - start)
    return best[0] / best[1]


def count_photos(folder: Path) -> list[PhotoSet]:
    """The sets in a folder: its own photos, and those of each folder in it."""
    sets = {path.parent for kind in ("*", "*/*") for path in folder.glob(kind) if path.is_file()}
    counted = (count_set(one) for one in sorted(sets))
    return [one for one in counted if one is not None]


def count_set(folder: Path) -> PhotoSet | None:
    """The photos of one folder; None where it has none with tags."""
    greys = [grey_of(load_photo(path)) for path in photos_in(folder)]
    first = greys[:FIRST_PHOTOS]
    names = {name: sum(len(default_ids(grey, name)) for grey in first) for name in DICTIONARIES}
    name = max(names, key=names.__getitem__)
    if not names[name]:
        return None
    theirs = [default_ids(grey, name) for grey in greys]
    every = frozenset[int]().union(*theirs)
    search = partial(find_tags, dictionary=name, expected=every, thorough=True)
    ours = []
    for grey in greys:
        seen = search(grey)
        ours.append(frozenset(seen.tags) | seen.twins)
    detector = cv2.aruco.ArucoDetector(dictionary_of(name))
    ratios = [ratio(partial(search, one), partial(detector.detectMarkers, one)) for one in greys]
    lost = sum(len(other - own) for own, other in zip(ours, theirs, strict=True))
    found, default = sum(map(len, ours)), sum(map(len, theirs))
    return PhotoSet(folder.name, name, len(greys), found, default, lost, tuple(ratios))


def default_ids(grey: Grey, dictionary: str) -> frozenset[int]:
    """The ids that OpenCV's default reads."""
    _, ids, _ = cv2.aruco.ArucoDetector(dictionary_of(dictionary)).detectMarkers(grey)
    return frozenset() if ids is None else frozenset(int(one) for one in np.ravel(ids))
