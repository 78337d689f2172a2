"""All tags of a dictionary in one picture: the cold look, without knowing where anything is.

Dark quadrangles are cheap to find and almost always there; what fails with small tags is reading
them with corners that err by a pixel. So every quadrangle first gets its four edges fitted, then
is read, and what reads as a tag is compared with a drawing of that tag.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from companion.vision.bits import Codes, codes_of, read_bits
from companion.vision.edges import fit_edges
from companion.vision.found import Found
from companion.vision.quads import find_quads
from companion.vision.resized import doubled, halved, lens_for
from companion.vision.square import NEXT, homographies, in_picture, sampled
from companion.vision.template import Fitted, fit_templates
from companion.vision.tones import AS_IS, LINEAR, MIDDLE, Grey, Range, Tone, toned

Floats = NDArray[np.floating]

GRAIN_FACTOR = 1.3
"""Contrast asked for in a grainy picture, so that its grain is not taken for outlines."""
CORNER_FLOOR_PX, FLOOR_PER_CELL_PX = 0.009, 0.0012
"""Nobody's lens, print and sensor are truer than this, however well the drawing fits."""
COMMON_FLOOR_PX = 0.005
"""What all corners of a tag may share of that."""
PESSIMISM = 0.31
USUAL_MISFIT = 0.024
"""In a good picture most misfit is noise of the white parts, where it does no harm: so much of
the computed variance is really there. In a noisy one it is everywhere."""
STRAYED_DOUBT = 0.03
"""With so much of a tag covered its variance is doubled."""
CRAMPED_PX = 2.35
"""Below so many pixels across, cells run into one another more than a round blur explains."""
SIZE_DOUBT = 0.008
"""How well players measure a printed tag's edge, as a share of it, and how far ink spreads."""
IMITATED = {"DICT_4X4_50": frozenset({17, 37})}
"""Codes that tag-free photos have been seen to imitate."""


@dataclass(frozen=True, slots=True)
class Strictness:
    """What a quadrangle must reach to count as a tag."""

    clarity: float = 0.08
    likeness: float = 0.72
    misfit: float = 0.16
    strayed: float = 0.12
    residual_px: float = 1.2
    residual_share: float = 0.05


USUAL = Strictness()
DOUBTFUL = Strictness(clarity=0.4, likeness=0.93, misfit=0.07, strayed=0.03)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One way to look at the picture: tone, contrast asked for, and reduction."""

    tone: Tone
    contrast: float
    reduced: int = 1


FIRST = Attempt(LINEAR, 10)
"""Linear light comes first because it leaves the mat quiet."""
OTHERS = (Attempt(MIDDLE, 11, 2), Attempt(AS_IS, 13), Attempt(MIDDLE, 10))
"""Soft pictures, cameras that press the darks, and the middle: tried in turn while tags miss."""
SOFT_FROM_PX = 500
"""Pictures with a shorter side than this have nothing to spare."""
SOFT_PX = 1.7
"""Tags more blurred than this are found more easily at half the size."""
HUGE_PX = 20_000_000
MANY_MISSING = 0.5
"""With more than this share of the expected tags missing, all the others are tried at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Reads:
    """Quadrangles that read as tags: ids (n), corners as printed (n, 4, 2), clarity (n)."""

    ids: NDArray[np.int64]
    corners: Floats
    clarity: Floats

    def plus(self, other: Reads) -> Reads:
        """These and those."""
        return Reads(
            np.concatenate([self.ids, other.ids]),
            np.concatenate([self.corners, other.corners]),
            np.concatenate([self.clarity, other.clarity]),
        )


NOTHING = Reads(np.zeros(0, dtype=np.int64), np.zeros((0, 4, 2)), np.zeros(0))


@dataclass(frozen=True, slots=True, eq=False)
class Sightings:
    """What one look found: tags by id, ids seen in two places, and ids nobody expects."""

    tags: dict[int, Found]
    twins: frozenset[int] = frozenset()
    strangers: frozenset[int] = frozenset()


def find_tags(
    grey: Grey,
    dictionary: str = "DICT_4X4_50",
    lens: Lens | None = None,
    expected: Collection[int] | None = None,
    turn: int = 0,
    thorough: bool = False,
) -> Sightings:
    """Every tag in the picture that is beyond doubt.

    The search ends when all `expected` ids are found. While some are missing, one of the other
    attempts is made, another one each `turn`; a thorough search makes all of them.
    """
    wanted = expected if expected is not None else range(len(codes_of(dictionary).sheets))
    if grey.size > HUGE_PX:
        # So many pixels show the same tag only larger, and mostly softer.
        return reduced(grey, dictionary, lens, expected, turn, thorough)
    seen = searched(grey, dictionary, lens, expected, turn, thorough)
    missing = len(set(wanted) - set(seen.tags))
    blurs = [tag.blur_px for tag in seen.tags.values()]
    soft = bool(blurs) and float(np.median(blurs)) > SOFT_PX
    if (missing > MANY_MISSING * len(wanted) or (missing and soft)) and (
        min(grey.shape) >= SOFT_FROM_PX
    ):
        # Perhaps it is only out of focus: half the size is half the blur.
        again = reduced(grey, dictionary, lens, expected, turn, thorough)
        twins = seen.twins | again.twins
        tags = {i: tag for i, tag in {**again.tags, **seen.tags}.items() if i not in twins}
        return Sightings(tags, twins, seen.strangers | again.strangers)
    return seen


def reduced(
    grey: Grey,
    dictionary: str,
    lens: Lens | None,
    expected: Collection[int] | None,
    turn: int,
    thorough: bool,
) -> Sightings:
    """What is found at half the size, in the pixels of the whole picture."""
    small = halved(grey)
    bent = None if lens is None else lens_for(lens, (small.shape[1], small.shape[0]))
    found = find_tags(small, dictionary, bent, expected, turn, thorough)
    tags = {tag_id: doubled(tag) for tag_id, tag in found.tags.items()}
    return Sightings(tags, found.twins, found.strangers)


def searched(
    grey: Grey,
    dictionary: str,
    lens: Lens | None,
    expected: Collection[int] | None,
    turn: int,
    thorough: bool,
) -> Sightings:
    """What the attempts find at this size."""
    codes = codes_of(dictionary)
    over = Range.of(grey)
    wanted = set(range(len(codes.sheets))) if expected is None else set(expected)
    reads = attempted(grey, FIRST, over, NOTHING, dictionary, lens)
    spare = len(OTHERS)
    while spare and not wanted <= set(reads.ids.tolist()):
        attempt = OTHERS[(turn + len(OTHERS) - spare) % len(OTHERS)]
        reads = reads.plus(attempted(grey, attempt, over, reads, dictionary, lens))
        missing = len(wanted - set(reads.ids.tolist()))
        spare = spare - 1 if thorough or missing > MANY_MISSING * len(wanted) else 0
    return sorted_out(fitted_tags(grey, reads, codes, dictionary, lens), expected)


def attempted(
    grey: Grey,
    attempt: Attempt,
    over: Range,
    reads: Reads,
    dictionary: str,
    lens: Lens | None,
) -> Reads:
    """What one attempt reads besides what was already read."""
    picture = grey
    if attempt.reduced > 1:
        size = (grey.shape[1] // attempt.reduced, grey.shape[0] // attempt.reduced)
        small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        picture = np.asarray(small, dtype=np.uint8)
    picture = toned(picture, attempt.tone, over)
    quads = find_quads(picture, max(attempt.contrast, GRAIN_FACTOR * grain(picture)))
    if attempt.reduced > 1:
        scale = np.array([grey.shape[1] / picture.shape[1], grey.shape[0] / picture.shape[0]])
        quads = (quads + 0.5) * scale - 0.5
    return read_quads(grey, unclaimed(quads, reads.corners), codes_of(dictionary), dictionary, lens)


def grain(picture: Grey) -> float:
    """How much neighbouring pixels usually differ: noise, and the mat's own grain."""
    sample = picture[::31].astype(np.int16)
    return float(np.median(np.abs(sample[:, 2:] - sample[:, :-2])))


def read_quads(
    grey: Grey, quads: Floats, codes: Codes, dictionary: str, lens: Lens | None
) -> Reads:
    """The tags that can be read among these quadrangles."""
    quads = quads[framed(grey, quads, codes.side)]
    if not len(quads):
        return NOTHING
    edges = fit_edges(grey, quads, codes.side, lens=lens)
    side = edges.side_px
    settled = (
        (edges.residual_px.max(axis=1) < np.maximum(USUAL.residual_px, USUAL.residual_share * side))
        & (edges.contrast > 2.0)
        & np.isfinite(edges.shift_px)
    )
    corners = edges.corners[settled]
    read = read_bits(grey, corners, codes)
    strange = np.isin(read.ids, list(IMITATED.get(dictionary, ())))
    good = (
        (read.ids >= 0)
        & (read.clarity >= np.where(strange, DOUBTFUL.clarity, USUAL.clarity))
        & (read.likeness >= np.where(strange, DOUBTFUL.likeness, USUAL.likeness))
    )
    chosen = best_of_each(corners, read.ids, read.likeness, np.flatnonzero(good))
    ids = read.ids[chosen]
    printed = np.array(
        [np.roll(corners[i], read.turns[i], axis=0) for i in chosen], dtype=np.float64
    ).reshape(-1, 4, 2)
    return Reads(ids, printed, read.clarity[chosen])


def fitted_tags(
    grey: Grey, reads: Reads, codes: Codes, dictionary: str, lens: Lens | None
) -> list[Found]:
    """Those tags whose drawing agrees with the picture, with corrected corners."""
    ids, corners, clarity = reads.ids, reads.corners, reads.clarity
    if not len(ids):
        return []
    fitted = fit_templates(grey, corners, codes.sheets[ids], lens)
    covariances = honest(fitted, codes.side)
    # What covers a part may also bend what is left of it.
    covariances = covariances * (1.0 + (fitted.strayed / STRAYED_DOUBT) ** 2)[:, None, None]
    tags = []
    for n, tag_id in enumerate(ids):
        doubtful = int(tag_id) in IMITATED.get(dictionary, ())
        limits = DOUBTFUL if doubtful else USUAL
        if not (fitted.misfit[n] <= limits.misfit and fitted.strayed[n] <= limits.strayed):
            continue
        if not inside(grey, fitted.corners[n]):
            continue
        tags.append(
            Found(
                int(tag_id),
                fitted.corners[n],
                covariances[n],
                float(clarity[n]),
                float(fitted.misfit[n]),
                float(fitted.blur_px[n]),
            )
        )
    return tags


def honest(fitted: Fitted, side: int) -> Floats:
    """Covariances (n, 8, 8) with what the drawing cannot know: a true sensor, a true print."""
    corners = fitted.corners
    sides = corners[:, NEXT] - corners
    ahead, aside = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    area = np.abs(ahead[:, 0] * aside[:, 1] - ahead[:, 1] * aside[:, 0]) / 2
    thin_px = area / (np.hypot(sides[..., 0], sides[..., 1]).max(axis=1) * side + 1e-9)
    cramped = 1.0 + (CRAMPED_PX / np.maximum(thin_px, 1.0)) ** 6
    believed = np.clip(PESSIMISM * fitted.misfit / USUAL_MISFIT, PESSIMISM, 1.3)
    outward = (corners - corners.mean(axis=1, keepdims=True)).reshape(-1, 8)
    floor = CORNER_FLOOR_PX + FLOOR_PER_CELL_PX * np.abs(outward).max(axis=1) * 2 / side
    return np.asarray(
        fitted.covariance * (believed * cramped)[:, None, None]
        + np.eye(8) * (floor**2)[:, None, None]
        + np.tile(np.eye(2), (4, 4)) * COMMON_FLOOR_PX**2
        + outward[:, :, None] * outward[:, None, :] * SIZE_DOUBT**2
    )


def framed(grey: Grey, quads: Floats, side: int) -> NDArray[np.bool_]:
    """Which quadrangles are darker just inside all four sides than just outside."""
    if not len(quads):
        return np.zeros(0, dtype=np.bool_)
    along = np.array([0.2, 0.4, 0.6, 0.8])
    cell = 1.0 / side

    def ring(off: float) -> Floats:
        low, high = np.full(4, -off), np.full(4, 1 + off)
        walks = [(along, low), (high, along), (along, high), (low, along)]
        return np.concatenate([np.stack(walk, axis=-1) for walk in walks])

    maps = homographies(quads)
    # White margins may be narrow: it is enough that it is bright somewhere beyond each side.
    rings = np.concatenate([ring(off * cell) for off in (-0.45, 0.4, 0.7, 1.0)])
    seen = sampled(grey, in_picture(maps, rings)).reshape(-1, 4, 4, 4).mean(axis=3)
    return np.asarray((seen[:, 1:].max(axis=1) - seen[:, 0]).min(axis=1) > 4.0)


def unclaimed(quads: Floats, claimed: Floats) -> Floats:
    """Quadrangles that do not lie on a tag already read (n, 4, 2)."""
    if not len(quads) or not len(claimed):
        return quads
    sides = claimed[:, NEXT] - claimed
    reach = 0.6 * np.hypot(sides[..., 0], sides[..., 1]).mean(axis=1)
    apart = quads.mean(axis=1)[:, None] - claimed.mean(axis=1)[None]
    return np.asarray(quads[(np.hypot(apart[..., 0], apart[..., 1]) > reach).all(axis=1)])


def best_of_each(
    corners: Floats, ids: NDArray[np.int64], likeness: Floats, among: NDArray[np.int64]
) -> NDArray[np.int64]:
    """One of several quadrangles that read the same tag at the same place."""
    kept: list[int] = []
    for index in sorted(among, key=lambda i: -float(likeness[i])):
        centre = corners[index].mean(axis=0)
        twin = any(
            ids[index] == ids[other]
            and np.abs(corners[other].mean(axis=0) - centre).max()
            < 0.3 * np.ptp(corners[other], axis=0).max()
            for other in kept
        )
        if not twin:
            kept.append(int(index))
    return np.array(kept, dtype=np.int64)


def inside(grey: Grey, corners: Floats) -> bool:
    """Whether all corners lie in the picture."""
    height, width = grey.shape[:2]
    return bool(
        np.isfinite(corners).all()
        and corners.min() >= 0
        and corners[:, 0].max() <= width - 1
        and corners[:, 1].max() <= height - 1
    )


def sorted_out(found: list[Found], expected: Collection[int] | None) -> Sightings:
    """Tags by id; an id in two places is nobody's unless one of them is much the clearer."""
    tags: dict[int, Found] = {}
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
    )
