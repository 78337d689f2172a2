"""Decide which quadrangles are tags: fit their edges, read their bits, fit a template of the tag.

A reading is accepted on the evidence of bits and template together: the clearer the bits, the more
the template may differ, because cameras sharpen, paper curls and light is uneven. Glare is known by
its sign: it only adds light, in one place, and everything else agrees with the template.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from calibration.camera.lens import Lens
from companion.vision.detect.bits import BitReadings, Codes, read_bits
from companion.vision.detect.budget import MOST_ALIKE, MOST_READ
from companion.vision.detect.detection import Detection, doubled, halved, lens_for
from companion.vision.detect.pixels import NEXT, Grey, homographies, in_picture, middle_of, sampled
from companion.vision.detect.quads import Edges, fit_edges
from companion.vision.detect.template import Fitted, fit_templates

Floats = NDArray[np.floating]

CORNER_FLOOR_PX, FLOOR_PER_CELL_PX = 0.009, 0.0012
"""Smallest standard deviation of a corner, however well the template fits: lens, print, sensor."""
COMMON_FLOOR_PX = 0.005
"""The part of it that all corners of a tag have in common."""
PESSIMISM = 0.31
USUAL_MISFIT = 0.024
"""In a good picture most misfit is noise of the white parts, where it does no harm: so much of
the computed variance is really there. In a noisy one it is everywhere."""
STRAYED_DOUBT = 0.03
"""With so much of a tag covered its variance is doubled."""
MOST_MOVED_PX, MOVED_MISFIT = 1.0, 0.115
"""A template that moved farther than this from the fitted edges must fit better than this."""
VERY_SOFT_PX, SOFT_MISFIT, LARGE_PX = 1.3, 0.08, 80.0
"""Large tags that are so soft and fit so badly are left to the picture of half the size."""
LARGE_MISFIT = 0.19
"""Of large tags only the lines are compared: what differs so much has a corner elsewhere."""
HALVED_CELL_PX = 6.0
"""Tags whose cells have so many pixels can be read at half the size, too."""
UNCOVERED = 0.98
"""All cells of a tag are so like the printed ones where nothing covers it."""
PATCHY, PATCH_PX = (0.65, 0.9), 0.15
"""From the first to the second share a patch is believed to bend the drawing, by about so much."""
ODD_MISFIT = (0.03, 0.08)
"""From the first to the second misfit, the outer edges may be as right as the drawing."""
APART_PX, APART_SHARE = 0.35, 0.7
"""Edges usually lie so close to the drawing; this share of more is a doubt in any picture."""
PUSHED_PX = 0.15
"""What pushes opposite edges farther apart than this makes a tag's size as doubtful as that."""
CRAMPED_PX = 2.35
"""Below so many pixels across, cells run into one another more than a round blur explains."""
SIZE_DOUBT = 0.008
"""How well players measure a printed tag's edge, as a share of it, and how far ink spreads."""
STRETCH_DOUBT = 0.005
"""How much longer a tag may be one way than the other: ink, paper feed, and blur it hides in."""


@dataclass(frozen=True, slots=True)
class Strictness:
    """What a quadrangle must reach to count as a tag."""

    clarity: float = 0.08
    likeness: float = 0.72
    misfit: float = 0.16
    strayed: float = 0.12
    patch: float = 0.45
    patch_misfit: float = 0.15
    residual_px: float = 1.2
    residual_share: float = 0.05


LEAST_LETTERED, LEAST_FRAMED = 0.15, 0.5
"""What is not even so bright within, as a share of its surroundings, or so dark along its rim is
no tag: it is not fitted and not read."""
BATCH = 2000
"""So many quadrangles are read at once; few pictures have more."""
Batch = TypeVar("Batch", Edges, BitReadings)
USUAL = Strictness()
STRONG = Strictness(clarity=0.4, likeness=0.93, misfit=0.3, strayed=0.35)
"""Limits for tags whose bits are so clear that a poor template fit is no reason to reject them."""
PLAIN = Strictness(clarity=0.4, likeness=0.93, misfit=0.22, strayed=0.2)
"""Limits for words with few changes between cells: windows, screens and screws look like them."""
GLARE = Strictness(misfit=0.28, strayed=0.2)
GLARE_REST, GLARE_BRIGHTER = 0.07, 0.85
"""Glare only adds light, in one place: everything else must agree with the drawing so well."""
LONG_BITS = 25
"""Words of so many bits have no accidental matches: no minimum for their weakest bit."""
ALIKE = Strictness(clarity=0.0, likeness=0.9)
"""Limits for tags with one weak bit that correlate well as a whole."""
WHOLE = Strictness(clarity=0.2, likeness=0.97, misfit=0.3)
"""Limits for tags all of whose cells look as printed, though their edges are bent or sharpened."""


@dataclass(frozen=True, slots=True, eq=False)
class Reads:
    """Quadrangles decoded as tags: ids (n), corners as printed (n, 4, 2), clarity, likeness."""

    ids: NDArray[np.int64]
    corners: Floats
    clarity: Floats
    likeness: Floats
    outlines: Floats
    """The corners as the outer edges alone have them (n, 4, 2)."""
    glared: NDArray[np.bool_]
    """Whether one black cell read white and was corrected (n)."""
    sigma_px: Floats
    """How unsure the corners were, where they were fitted in the same picture before; else 0."""

    @classmethod
    def of(cls, tags: Collection[Detection], same_picture: bool = False) -> Reads:
        """Tags that were found before, to be fitted once more, in another picture or the same."""
        return cls(
            np.array([tag.id for tag in tags], dtype=np.int64),
            np.array([tag.corners_px for tag in tags]).reshape(-1, 4, 2),
            np.array([tag.clarity for tag in tags]),
            np.array([tag.likeness for tag in tags]),
            np.array([tag.outline_px for tag in tags]).reshape(-1, 4, 2),
            np.zeros(len(tags), dtype=np.bool_),
            np.array([tag.sigma_px if same_picture else 0.0 for tag in tags]),
        )

    def plus(self, other: Reads) -> Reads:
        """These and those."""
        return Reads(
            np.concatenate([self.ids, other.ids]),
            np.concatenate([self.corners, other.corners]),
            np.concatenate([self.clarity, other.clarity]),
            np.concatenate([self.likeness, other.likeness]),
            np.concatenate([self.outlines, other.outlines]),
            np.concatenate([self.glared, other.glared]),
            np.concatenate([self.sigma_px, other.sigma_px]),
        )

    def subset(self, wanted: Collection[int]) -> Reads:
        """These without corrected readings of ids that nobody wants."""
        return self.chosen(~self.glared | np.isin(self.ids, list(wanted)))

    def chosen(self, kept: NDArray[np.bool_]) -> Reads:
        """Some of them."""
        return Reads(*(getattr(self, one.name)[kept] for one in fields(self)))

    def halved(self) -> Reads:
        """The same in the picture of half the size."""
        return replace(
            self,
            corners=(self.corners + 0.5) / 2 - 0.5,
            outlines=(self.outlines + 0.5) / 2 - 0.5,
            sigma_px=self.sigma_px / 2,
        )


NOTHING = Reads.of(())


def read_quads(
    grey: Grey, quads: Floats, codes: Codes, lens: Lens | None, as_given: bool = False
) -> Reads:
    """The tags that can be read among these quadrangles.

    With `as_given`, quadrangles need no bright margin, and those that cannot be read after their
    edges were fitted are read as they are.
    """
    if not as_given:
        dark = [framed(grey, some, codes.side) for some in batches(quads)]
        quads = quads[np.concatenate(dark)]
    quads = quads[np.concatenate([lettered(grey, some, codes.side) for some in batches(quads)])]
    if not len(quads):
        return NOTHING
    edges = joined([fit_edges(grey, some, codes.side, lens=lens) for some in batches(quads)])
    side = edges.side_px
    settled = (
        (edges.residual_px.max(axis=1) < np.maximum(USUAL.residual_px, USUAL.residual_share * side))
        & (edges.contrast > 2.0)
        & np.isfinite(edges.shift_px)
    )
    reads = good_reads(grey, edges.corners[settled], codes)
    if as_given:
        reads = reads.plus(good_reads(grey, unclaimed(quads, reads.corners), codes))
    return reads


def batches(corners: Floats) -> Iterator[Floats]:
    """The quadrangles, some at a time to save memory; an empty batch if there are none."""
    for start in range(0, max(len(corners), 1), BATCH):
        yield corners[start : start + BATCH]


def joined(parts: Sequence[Batch]) -> Batch:
    """What was worked out for the batches as one record of arrays."""
    if len(parts) == 1:
        return parts[0]
    names = [one.name for one in fields(parts[0])]
    return type(parts[0])(*(np.concatenate([getattr(part, n) for part in parts]) for n in names))


def good_reads(grey: Grey, corners: Floats, codes: Codes) -> Reads:
    """Those quadrangles, with their final corners, that show a word clearly enough."""
    read = joined([read_bits(grey, some, codes) for some in batches(corners)])
    plain = codes.plain[read.ids]
    clear = (
        (read.clarity >= USUAL.clarity) & (read.likeness >= USUAL.likeness)
        | (read.clarity >= ALIKE.clarity) & (read.likeness >= ALIKE.likeness)
    ) & ~plain
    good = (read.ids >= 0) & (clear | strong(read.clarity, read.likeness, codes))
    chosen = best_of_each(corners, read.ids, read.likeness, np.flatnonzero(good))
    order = (np.arange(4) - read.turns[chosen, None]) % 4
    printed = np.asarray(corners[chosen[:, None], order], dtype=np.float64)
    return Reads(
        read.ids[chosen],
        printed,
        read.clarity[chosen],
        read.likeness[chosen],
        printed,
        read.glared[chosen],
        np.zeros(len(chosen)),
    )


def strong(clarity: Floats, likeness: Floats, codes: Codes) -> NDArray[np.bool_]:
    """Which readings are beyond doubt by themselves."""
    least = 0.0 if codes.words.shape[1] >= LONG_BITS else STRONG.clarity
    return np.asarray((clarity >= least) & (likeness >= STRONG.likeness))


def fitted_at_some_size(
    grey: Grey, reads: Reads, codes: Codes, lens: Lens | None
) -> list[Detection]:
    """Those tags whose drawing agrees with the picture at this size or, the large ones, a smaller.

    Of a large tag a drawing is compared with its lines alone, to a fraction of a pixel: paper that
    is not quite level or a lens that bends is enough to refuse it. At half the size it is not.
    """
    if not len(reads.ids):
        return []
    fitted = fit_templates(grey, reads.corners, codes.sheets[reads.ids], lens)
    tags = believable(grey, reads, codes, fitted)
    # What covers a part of a tag would be seen less at half the size: all cells must be seen here,
    # and those of a smaller tag differ from the drawing everywhere, as halos do.
    sizes = np.ptp(reads.corners, axis=1).max(axis=1)
    large = (sizes > HALVED_CELL_PX * codes.side) & (fitted.patch <= USUAL.patch)
    large = (large | (sizes > LARGE_PX)) & (reads.likeness >= UNCOVERED)
    if large.any():
        places = {(tag.id, *tag.outline_px[0]) for tag in tags}
        known = zip(reads.ids.tolist(), reads.outlines[:, 0].tolist(), strict=True)
        refused = large & [(number, *corner) not in places for number, corner in known]
        if refused.any():
            small = halved(grey)
            bent = None if lens is None else lens_for(lens, (small.shape[1], small.shape[0]))
            again = fitted_at_some_size(small, reads.chosen(refused).halved(), codes, bent)
            tags += [doubled(tag) for tag in again]
    return tags


def fitted_tags(grey: Grey, reads: Reads, codes: Codes, lens: Lens | None) -> list[Detection]:
    """Those tags whose drawing agrees with the picture, with corrected corners."""
    if not len(reads.ids):
        return []
    fitted = fit_templates(grey, reads.corners, codes.sheets[reads.ids], lens)
    return believable(grey, reads, codes, fitted)


def believable(grey: Grey, reads: Reads, codes: Codes, fitted: Fitted) -> list[Detection]:
    """Those of the fitted tags that agree well enough, with all doubt of their corners."""
    ids, corners, clarity = reads.ids, reads.corners, reads.clarity
    covariances = honest(fitted, codes.side)
    # What covers a part may also bend what is left of it.
    covariances = covariances * (1.0 + (fitted.strayed / STRAYED_DOUBT) ** 2)[:, None, None]
    covariances = covariances + disagreement(fitted, reads.outlines)
    fine, covariances = between(fitted, reads.outlines, covariances)
    # Fitted once more in the same picture, a tag is not known better: nothing new was seen of it.
    sigma = np.sqrt(np.trace(covariances, axis1=1, axis2=2) / 8)
    covariances *= (np.maximum(1.0, reads.sigma_px / sigma) ** 2)[:, None, None]
    clearly = strong(clarity, reads.likeness, codes)
    whole = (clarity >= WHOLE.clarity) & (reads.likeness >= WHOLE.likeness)
    sizes = np.ptp(fitted.corners, axis=1).max(axis=1)
    shifts = np.abs(fitted.corners - corners).max(axis=(1, 2))
    within = inside(grey, fine)
    tags = []
    for n, tag_id in enumerate(ids):
        moved = shifts[n]
        usual = WHOLE if whole[n] else USUAL
        limits = PLAIN if codes.plain[tag_id] else STRONG if clearly[n] else usual
        glare = (
            fitted.brighter[n] >= GLARE_BRIGHTER
            and fitted.rest[n] <= GLARE_REST
            and moved <= MOST_MOVED_PX
            and not codes.plain[tag_id]
        )
        limits = GLARE if glare and limits is usual else limits
        if not (fitted.misfit[n] <= limits.misfit and fitted.strayed[n] <= limits.strayed):
            continue
        soft = fitted.blur_px[n] > VERY_SOFT_PX and fitted.misfit[n] > SOFT_MISFIT
        if sizes[n] > LARGE_PX and (soft or fitted.misfit[n] > LARGE_MISFIT):
            # So soft a tag is fitted better at half the size, and so odd a one may be covered.
            continue
        most = MOVED_MISFIT if moved > MOST_MOVED_PX else limits.patch_misfit
        if fitted.patch[n] > limits.patch and fitted.misfit[n] > most and not glare:
            # Halos lie along all edges; what lies in one place covers the tag there.
            continue
        if not within[n]:
            continue
        tags.append(
            Detection(
                int(tag_id),
                fine[n],
                covariances[n],
                float(clarity[n]),
                float(fitted.misfit[n]),
                float(fitted.blur_px[n]),
                likeness=float(reads.likeness[n]),
                edges_px=reads.outlines[n],
            )
        )
    return tags


def between(fitted: Fitted, edges: Floats, covariances: Floats) -> tuple[Floats, Floats]:
    """Corners and covariances of tags with a patch of glare or dirt.

    A patch biases both the template and the edges, so the corners are taken between the two, with
    their difference as uncertainty.
    """
    share = 0.5 * np.clip((fitted.patch - PATCHY[0]) / (PATCHY[1] - PATCHY[0]), 0.0, 1.0)
    apart = (edges - fitted.corners) * share[:, None, None]
    doubt = apart.reshape(-1, 8) ** 2 + (2 * share[:, None] * PATCH_PX) ** 2
    return fitted.corners + apart, covariances + doubt[:, :, None] * np.eye(8)


def disagreement(fitted: Fitted, outlines: Floats) -> Floats:
    """Covariances (n, 8, 8) of what drawing and outer edges do not agree about.

    In a good picture the drawing is by far the better of the two. Glare, a shadow's edge or a
    margin trimmed away pull both of them, differently, and leave a misfit.
    """
    apart = (outlines - fitted.corners).reshape(-1, 8)
    right, down = tag_axes(fitted.corners)
    # Sharpening, blur and ink push opposite edges apart: that makes a tag wider or higher, but
    # neither turns nor moves it. Only the rest is a doubt of where the corners are.
    ways = np.stack([right, down], axis=1)
    by = np.linalg.solve(ways @ np.swapaxes(ways, 1, 2), ways @ apart[:, :, None])
    pushed = by * ways
    rest = apart - pushed.sum(axis=1)
    low, high = ODD_MISFIT
    share = np.clip((fitted.misfit - low) / (high - low), 0.0, 1.0)[:, None]
    wide = np.maximum(np.abs(pushed).max(axis=2), 1e-6)
    pushed = pushed * np.maximum(share, 1.0 - PUSHED_PX / wide)[:, :, None]
    most = np.maximum(np.abs(apart), 1e-6)
    share = share + APART_SHARE * np.maximum(most - APART_PX, 0.0) / most
    rest = rest * share
    parts = np.concatenate([pushed, rest[:, None]], axis=1)
    # Half as one error of the whole tag, half of each corner by itself. What biases two corners may
    # bias the others as well, where the edges happen to agree with the template.
    each = 0.5 * (rest**2 + (rest**2).mean(axis=1, keepdims=True))
    return np.asarray(np.swapaxes(parts, 1, 2) @ parts + each[:, :, None] * np.eye(8))


def tag_axes(corners: Floats) -> tuple[Floats, Floats]:
    """How the corners (n, 8) move where a tag is as wide again, and as high again, in each half.

    Its corners are at (-1, -1), (1, -1), (1, 1), (-1, 1) of its own axes.
    """
    right = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 4
    down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 4
    wide, high = np.array([-1.0, 1.0, 1.0, -1.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    return (
        (wide[:, None] * right[:, None]).reshape(-1, 8),
        (high[:, None] * down[:, None]).reshape(-1, 8),
    )


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
    right, down = tag_axes(corners)
    stretch = right - down
    floor = CORNER_FLOOR_PX + FLOOR_PER_CELL_PX * np.abs(outward).max(axis=1) * 2 / side
    return np.asarray(
        fitted.covariance * (believed * cramped)[:, None, None]
        + np.eye(8) * (floor**2)[:, None, None]
        + np.tile(np.eye(2), (4, 4)) * COMMON_FLOOR_PX**2
        + outward[:, :, None] * outward[:, None, :] * SIZE_DOUBT**2
        + stretch[:, :, None] * stretch[:, None, :] * STRETCH_DOUBT**2
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
    rings = np.concatenate([ring(off * cell) for off in (-0.45, 0.2, 0.4, 0.7, 1.0)])
    seen = sampled(grey, in_picture(maps, rings)).reshape(-1, 5, 4, 4).mean(axis=3)
    return np.asarray((seen[:, 1:].max(axis=1) - seen[:, 0]).min(axis=1) > 4.0)


def lettered(grey: Grey, quads: Floats, side: int) -> NDArray[np.bool_]:
    """Which quadrangles are mostly dark along their rim and show something bright within."""
    if not len(quads):
        return np.zeros(0, dtype=np.bool_)
    middles = (np.arange(-1, side + 1) + 0.5) / side
    points = np.stack(np.meshgrid(middles, middles), axis=-1).reshape(-1, 2)
    seen = sampled(grey, in_picture(homographies(quads), points)).astype(np.float32)
    cells = seen.reshape(-1, side + 2, side + 2)
    rings = [ring_of(cells, off) for off in (0, 1)]
    around, dark = (middle_of(ring) for ring in rings)
    bright = cells[:, 2:-2, 2:-2].max(axis=(1, 2))
    framed = (rings[1] < ((dark + bright) / 2)[:, None]).mean(axis=1)
    return np.asarray((bright - dark > LEAST_LETTERED * (around - dark)) & (framed >= LEAST_FRAMED))


def ring_of(cells: Floats, off: int) -> Floats:
    """The cells (n, side, side) that lie so far from the rim, one row each."""
    last = cells.shape[1] - 1 - off
    rows = cells[:, [off, last], off : last + 1].reshape(len(cells), -1)
    columns = cells[:, off + 1 : last, [off, last]].reshape(len(cells), -1)
    return np.concatenate([rows, columns], axis=1)


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
    """One of several quadrangles that read the same tag at the same place, some places each."""
    centres, sizes = corners.mean(axis=1), np.ptp(corners, axis=1).max(axis=1)
    kept: list[int] = []
    places: dict[int, list[int]] = {}
    for index in sorted(among.tolist(), key=lambda i: -float(likeness[i])):
        same = places.setdefault(int(ids[index]), [])
        if len(same) < MOST_ALIKE and not any(
            np.abs(centres[other] - centres[index]).max() < 0.3 * sizes[other] for other in same
        ):
            same.append(index)
            kept.append(index)
    return np.array(kept[:MOST_READ], dtype=np.int64)


def inside(grey: Grey, corners: Floats) -> NDArray[np.bool_]:
    """Whether all corners of each tag (n, 4, 2) lie in the picture."""
    height, width = grey.shape[:2]
    fits = (corners >= 0) & (corners <= (width - 1, height - 1))
    return np.asarray(fits.all(axis=(1, 2)))
