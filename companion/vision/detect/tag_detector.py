"""Find all tags of a dictionary in one picture, without knowing where anything is.

Dark quadrangles are cheap to find and rarely missed; small tags fail because they are decoded with
corners that are off by a pixel. So the four edges of every quadrangle are fitted first, then it is
decoded, and a decoded tag is compared with a template (`tag_reading.py`). While tags are missing,
wider windows and softer pictures are tried.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from companion.vision.detect.bits import codes_of
from companion.vision.detect.budget import SearchBudget
from companion.vision.detect.detection import Detection, doubled, halved, lens_for
from companion.vision.detect.pixels import AS_IS, LINEAR, MIDDLE, Grey, Range, Tone, toned
from companion.vision.detect.quads import find_quads
from companion.vision.detect.tag_reading import (
    LARGE_PX,
    NOTHING,
    Reads,
    fitted_at_some_size,
    read_quads,
    unclaimed,
)

Floats = NDArray[np.floating]
Wanted = Mapping[str, frozenset[int]]
"""The ids to look for, by dictionary."""

GRAIN_FACTOR = 1.3
"""Contrast asked for in a grainy picture, so that its grain is not taken for outlines."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One way to look at the picture: tone, contrast asked for, and reduction."""

    tone: Tone
    contrast: float
    reduced: int = 1


FIRST = Attempt(LINEAR, 10)
"""Linear light comes first because it leaves the mat quiet."""
FLOOR, WIDE = Attempt(AS_IS, 13), Attempt(AS_IS, 7)
"""The windows of OpenCV's own detector find what the narrow one of `quads.py` does not: the middle
one, and the wide one for pictures of which little could be read."""
WINDOWS_PX, FLOOR_CONTRAST = {FLOOR: 13, WIDE: 23}, 7.0
OTHERS = (FLOOR, Attempt(MIDDLE, 11, 2))
"""OpenCV's candidates, and soft pictures: tried in turn while tags are missing."""
SOFT_FROM_PX = 500
"""Pictures with a shorter side than this have nothing to spare."""
SOFT_PX = 1.7
"""Tags more blurred than this are found more easily at half the size."""
HUGE_PX = 20_000_000
MANY_MISSING = 0.5
"""With more than this share of the expected tags missing, all the others are tried at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Sightings:
    """What one look found: tags by id, ids seen in two places, and ids nobody expects."""

    tags: dict[int, Detection]
    twins: frozenset[int] = frozenset()
    strangers: frozenset[int] = frozenset()
    problem: str = ""
    """What of the picture was not looked at."""
    places: Mapping[int, tuple[Detection, ...]] = field(default_factory=dict)
    """Every place of a twin or stranger: size and place may tell the true one."""


NOBODY: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Tags that were found at a larger size: their ids by dictionary, and where they lie."""

    ids: Mapping[str, frozenset[int]] = field(default_factory=dict)
    corners: Floats = field(default_factory=lambda: np.zeros((0, 4, 2)))

    def plus(self, found: Mapping[str, list[Detection]]) -> Known:
        """These and those."""
        corners = [tag.corners_px for tags in found.values() for tag in tags]
        ids = {
            name: self.ids.get(name, NOBODY).union(tag.id for tag in tags)
            for name, tags in found.items()
        }
        return Known(ids, np.concatenate([self.corners, np.reshape(corners, (-1, 4, 2))]))

    def halved(self) -> Known:
        """The same in the picture of half the size."""
        return replace(self, corners=(self.corners + 0.5) / 2 - 0.5)


def find_tags(
    grey: Grey,
    dictionary: str = "DICT_4X4_50",
    lens: Lens | None = None,
    expected: Collection[int] | None = None,
    turn: int = 0,
    thorough: bool = False,
) -> Sightings:
    """Every tag of one dictionary in the picture that is beyond doubt."""
    return find_in_all(grey, {dictionary: expected}, lens, turn, thorough)[dictionary]


def find_in_all(
    grey: Grey,
    expected: Mapping[str, Collection[int] | None],
    lens: Lens | None = None,
    turn: int = 0,
    thorough: bool = False,
) -> dict[str, Sightings]:
    """Every tag of these dictionaries in the picture that is beyond doubt, by dictionary.

    The search ends when all `expected` ids are found (None: all of a dictionary). While some are
    missing, one of the other attempts is made, another one each `turn`; a thorough search makes
    all of them.
    """
    wanted = {
        name: frozenset(range(len(codes_of(name).sheets)) if ids is None else ids)
        for name, ids in expected.items()
    }
    budget = SearchBudget()
    found = found_tags(grey, wanted, lens, turn, thorough, budget)
    return {
        name: replace(sorted_out(tags, expected[name]), problem=budget.problem)
        for name, tags in found.items()
    }


def found_tags(
    grey: Grey,
    wanted: Wanted,
    lens: Lens | None,
    turn: int,
    thorough: bool,
    budget: SearchBudget,
    large_px: float = LARGE_PX,
    known: Known | None = None,
) -> dict[str, list[Detection]]:
    """All tags by dictionary, each place once, whoever expects them, but for those already known.

    While tags are missing, those larger than `large_px` are looked for at half the size too.
    """
    known = Known() if known is None else known
    if grey.size > HUGE_PX:
        # So many pixels show the same tag only larger, and mostly softer.
        return reduced(grey, wanted, lens, turn, thorough, budget, known)
    seen = search_tags(grey, wanted, lens, turn, thorough, budget, known)
    everything = [tag for tags in seen.values() for tag in tags]
    known = known.plus(seen)
    missing = missing_ids(wanted, known.ids)
    soft = bool(everything) and (
        float(np.median([tag.blur_px for tag in everything])) > SOFT_PX
        or float(np.median([tag.side_px for tag in everything])) > large_px
    )
    many = missing > MANY_MISSING * sum(map(len, wanted.values()))
    if (many or (missing and soft)) and min(grey.shape) >= SOFT_FROM_PX:
        # Perhaps it is only out of focus: half the size is half the blur, and enough of large tags.
        again = reduced(grey, wanted, lens, turn, thorough, budget, known)
        for name, tags in again.items():
            seen[name] += tags
    return seen


def all_large(reads: Iterable[Reads]) -> bool:
    """Whether tags were read, and all of them are large enough for the picture of half the size."""
    sizes = [np.ptp(read.corners, axis=1).max(axis=1) for read in reads if len(read.ids)]
    return bool(sizes) and float(np.concatenate(sizes).min()) > LARGE_PX


def beside(tag: Detection, others: Iterable[Detection]) -> bool:
    """Whether one of the others is the same tag at the same place."""
    return any(
        other.id == tag.id and np.abs(other.centre_px - tag.centre_px).max() < 0.3 * other.side_px
        for other in others
    )


def missing_ids(wanted: Wanted, seen: Mapping[str, Collection[int]]) -> int:
    """How many of the wanted ids are not among those seen."""
    return sum(len(ids - set(seen[name])) for name, ids in wanted.items())


def reduced(
    grey: Grey,
    wanted: Wanted,
    lens: Lens | None,
    turn: int,
    thorough: bool,
    budget: SearchBudget,
    known: Known,
) -> dict[str, list[Detection]]:
    """What is found at half the size, in the pixels of the whole picture."""
    small = halved(grey)
    bent = None if lens is None else lens_for(lens, (small.shape[1], small.shape[0]))
    # A picture so much smaller costs little: it is halved once more for smaller tags.
    found = found_tags(small, wanted, bent, turn, thorough, budget, LARGE_PX / 2, known.halved())
    return {name: [doubled(tag) for tag in tags] for name, tags in found.items()}


def search_tags(
    grey: Grey,
    wanted: Wanted,
    lens: Lens | None,
    turn: int,
    thorough: bool,
    budget: SearchBudget,
    known: Known,
) -> dict[str, list[Detection]]:
    """What the attempts find at this size."""
    over = Range.of(grey)
    reads = dict.fromkeys(wanted, NOTHING)
    others = [OTHERS[(turn + step) % len(OTHERS)] for step in range(len(OTHERS))]
    for number, attempt in enumerate((FIRST, *others, WIDE)):
        missing = missing_ids(
            wanted,
            {
                name: known.ids.get(name, NOBODY) | set(one.ids.tolist())
                for name, one in reads.items()
            },
        )
        if not missing:
            break
        many = missing > MANY_MISSING * sum(map(len, wanted.values()))
        if number > 1 and not thorough and not many:
            break
        if number and all_large(reads.values()) and min(grey.shape) >= SOFT_FROM_PX:
            break  # the others are made at half the size
        if attempt is WIDE and not (thorough and many):
            break
        if attempt in (FLOOR, WIDE) and budget.problem:
            continue
        quads = candidates(grey, attempt, over, budget)
        taken = np.concatenate([known.corners, *(read.corners for read in reads.values())])
        quads = budget.largest(unclaimed(quads, taken))
        for name in wanted:
            more = read_quads(grey, quads, codes_of(name), lens, as_given=attempt in (FLOOR, WIDE))
            reads[name] = reads[name].plus(more.subset(wanted[name]))
    return {
        name: fitted_at_some_size(grey, read, codes_of(name), lens) for name, read in reads.items()
    }


def candidates(grey: Grey, attempt: Attempt, over: Range, budget: SearchBudget) -> Floats:
    """The quadrangles that one attempt finds (n, 4, 2)."""
    if attempt in WINDOWS_PX:
        return find_quads(grey, FLOOR_CONTRAST, budget, WINDOWS_PX[attempt])
    picture = grey
    if attempt.reduced > 1:
        size = (grey.shape[1] // attempt.reduced, grey.shape[0] // attempt.reduced)
        small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        picture = np.asarray(small, dtype=np.uint8)
    picture = toned(picture, attempt.tone, over)
    quads = find_quads(picture, max(attempt.contrast, GRAIN_FACTOR * grain(picture)), budget)
    if attempt.reduced > 1:
        scale = np.array([grey.shape[1] / picture.shape[1], grey.shape[0] / picture.shape[0]])
        quads = (quads + 0.5) * scale - 0.5
    return quads


def grain(picture: Grey) -> float:
    """How much neighbouring pixels usually differ: noise, and the mat's own grain."""
    sample = picture[::31].astype(np.int16)
    return float(np.median(np.abs(sample[:, 2:] - sample[:, :-2])))


def sorted_out(found: list[Detection], expected: Collection[int] | None) -> Sightings:
    """Tags by id; an id in two places is nobody's unless one of them is much the clearer."""
    tags: dict[int, Detection] = {}
    twins: set[int] = set()
    strangers: set[int] = set()
    for tag in sorted(found, key=lambda tag: tag.misfit):
        if expected is not None and tag.id not in expected:
            strangers.add(tag.id)
        elif tag.id not in tags:
            tags[tag.id] = tag
        elif not (tag.misfit > 2 * tags[tag.id].misfit and tag.clarity < 0.5):
            twins.add(tag.id)
    return Sightings(
        {tag_id: tag for tag_id, tag in tags.items() if tag_id not in twins},
        frozenset(twins),
        frozenset(strangers),
        places={
            number: tuple(tag for tag in found if tag.id == number) for number in twins | strangers
        },
    )
