"""Where the reference tags really lie, measured from photos instead of with a ruler.

Players lay references by hand, a millimetre or two beside their places. Several photos of the
same table say better: all cameras, the lens and all references are fitted together, every
reference held near its written place only as firmly as a hand lays it.

Photos alone cannot tell a larger table from larger prints. Where nobody measured a print, the table
is as large as it is written, and how large the prints then look is told; where one was measured,
it says how large the table is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera.camera_fit import SeenReference, started
from calibration.camera.lens import Lens, inverse, prior_of, solved
from calibration.camera.viewpoint import LENS_SIZE, VIEW_SIZE, Viewpoint, changed, projection
from calibration.setup import MM_PER_IN, ReferenceTag, Setup
from calibration.tags.tag import Sighting, reference_corners
from models.message import CompanionError, joined, say

Floats = NDArray[np.float64]

LAID_MM = 4.0
"""How far beside its place a hand lays a tag (one sigma)."""
LAID_DEG = 3.0
PRINTED, PRINTED_MEASURED = 0.03, 0.0015
"""How well the size of the printed tags is known, as a share: all come from one printer."""
STRETCHED = 0.02
"""How far a table may be larger than it is written, as a share, where a print was measured."""
DIFFERENT, SURE = 0.006, 2.5
"""Prints that differ by this share, and by so many sigmas, are worth a word."""
FAR_MM = 15.0
"""A reference farther than this from its written place was not laid there: the table's place rests
on the others."""
FEWEST_IN_PHOTO = 4
FREE, ODD_SIGMAS = 4, 6.0
"""Shift, turn and size of the table are free; beyond so many sigmas of chance a layout is odd."""
UNBELIEVED = 100.0
"""How many times less is known of a reference that was laid elsewhere."""
DECIMALS = 4
"""Of inches and degrees in the file."""
STRAY_SIGMAS = 6.0
"""A sighting that misses by so much is left out of the fit."""


class NoLayout(CompanionError):
    """Photos from which the references' places cannot be told."""


@dataclass(frozen=True, slots=True)
class LaidReference:
    """One reference as measured: where it lies, how far from its written place, how sure (mm)."""

    tag: ReferenceTag
    moved_mm: float
    sigma_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceLayout:
    """All references as measured, the lens as fitted on the way, and what is left over (px)."""

    laid: tuple[LaidReference, ...]
    lens: Lens
    misfit_px: float
    photos: int
    scale: float = 1.0
    """How large the printed tags look, as a share of their written size."""
    scale_sigma: float = 0.0
    elsewhere: tuple[int, ...] = ()
    """References that lie far from their written places; the others tell where the table is."""

    @property
    def odd_prints(self) -> bool:
        """Whether the tags clearly look larger or smaller than written."""
        away = abs(self.scale - 1.0)
        return away > max(DIFFERENT, SURE * self.scale_sigma)

    def onto(self, setup: Setup) -> Setup:
        """The set-up with the measured places; references never seen stay as written.

        Prints that clearly differ from their written size get the size they have, and so do those
        of the same written size that no photo shows: one printer printed them all.
        """
        share = self.scale if self.odd_prints else 1.0
        sizes = {one.tag.size_mm for one in self.laid}
        places = {
            one.tag.id: replace(
                one.tag,
                x=round(one.tag.x, DECIMALS),
                y=round(one.tag.y, DECIMALS),
                heading=round(one.tag.heading, DECIMALS),
            )
            for one in self.laid
        }
        references = [places.get(tag.id, tag) for tag in setup.references]
        printed = tuple(
            replace(tag, size_mm=round(tag.size_mm * share, 3)) if tag.size_mm in sizes else tag
            for tag in references
        )
        return replace(setup, references=printed)


@dataclass(frozen=True, slots=True, eq=False)
class Guess:
    """The unknowns: one viewpoint per photo, the lens, the references, and the printer's scale."""

    views: tuple[Viewpoint, ...]
    lens: Lens
    tags: tuple[ReferenceTag, ...]
    scale: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class LayoutPrior:
    """What is known before: written places, the lens, and whether a print was measured."""

    written: tuple[ReferenceTag, ...]
    lens: Lens
    lens_information: Floats
    measured: bool
    elsewhere: frozenset[int] = frozenset()
    """References whose written places are not believed."""

    def spread(self) -> Floats:
        """Covariance of tags laid by hand (x, y, radians), on a table that may be stretched."""
        laid = np.array([LAID_MM / MM_PER_IN, LAID_MM / MM_PER_IN, np.radians(LAID_DEG)])
        each = np.tile(laid**2, (len(self.written), 1))
        each[[tag.id in self.elsewhere for tag in self.written]] *= UNBELIEVED**2
        places = np.array([(tag.x, tag.y) for tag in self.written])
        arms = np.column_stack([places - places.mean(axis=0), np.zeros(len(places))]).ravel()
        stretched = STRETCHED if self.measured else 0.0
        return np.asarray(np.diag(each.ravel()) + stretched**2 * np.outer(arms, arms))


def measured_layout(
    photos: Sequence[Sequence[Sighting]],
    setup: Setup,
    size: tuple[int, int],
    measured: bool = False,
) -> ReferenceLayout:
    """The references' places from what was found in each photo.

    `measured` says that the written size of the tags was measured on the prints.
    """
    seen = [SeenReference.of(photo, setup) for photo in photos]
    seen = [one for one in seen if len(one) >= FEWEST_IN_PHOTO]
    if not seen:
        raise NoLayout(say("no photo shows {count} reference tags", count=FEWEST_IN_PHOTO))
    cameras = [started(one, setup, size, None) for one in seen]
    paired = [
        (one, camera) for one, camera in zip(seen, cameras, strict=True) if camera is not None
    ]
    if not paired:
        raise NoLayout(say("the reference tags do not fit any view of the table"))
    seen = [one for one, _ in paired]
    ids = sorted({tag.id for one in seen for tag in one.tags})
    tags = tuple(tag for tag in setup.references if tag.id in ids)
    prior = prior_of(setup.lens, size)
    start = Guess(tuple(camera[0] for _, camera in paired), paired[0][1][1], tags)
    known = LayoutPrior(tags, prior.lens, prior.information, measured)
    layout = fitted_layout(seen, start, known)
    elsewhere = laid_elsewhere([one.tag for one in layout.laid], tags)
    if elsewhere:
        layout = fitted_layout(seen, start, replace(known, elsewhere=elsewhere))
    return layout


def laid_elsewhere(laid: Sequence[ReferenceTag], written: Sequence[ReferenceTag]) -> frozenset[int]:
    """The references that lie elsewhere than written; the others agree about where the table is."""
    believed = list(range(len(written)))
    while not agree(shifts_mm(laid, written, believed)[believed]):
        # The one without which the others agree best.
        tries = [[place for place in believed if place != left_out] for left_out in believed]
        rest = [shifts_mm(laid, written, one)[one] for one in tries]
        order = sorted(range(len(tries)), key=lambda n: float((rest[n] ** 2).sum()))
        fine = [believed[n] for n in order if agree(rest[n])]
        believed = tries[order[0]]
        if 2 * len(believed) <= len(written):
            off = shifts_mm(laid, written, believed)
            names = joined(
                say("{tag} by {off:.0f} mm", tag=tag.id, off=float(off[place]))
                for place, tag in enumerate(written)
                if place not in believed
            )
            raise NoLayout(
                say("the reference tags do not lie as they are written: {names}", names=names)
            )
        if len(fine) > 1:
            either = ", ".join(str(written[place].id) for place in fine)
            raise NoLayout(
                say("one of these reference tags lies elsewhere than written: {tags}", tags=either)
            )
    return frozenset(tag.id for place, tag in enumerate(written) if place not in believed)


def shifts_mm(
    laid: Sequence[ReferenceTag], written: Sequence[ReferenceTag], believed: Sequence[int]
) -> Floats:
    """How far each reference lies from its written place (n), where the believed ones fit best.

    Photos do not tell where the table is, how it is turned, or how large: only the layout counts.
    """
    here, there = (np.array([complex(tag.x, tag.y) for tag in tags]) for tags in (laid, written))
    rows = np.column_stack([here, np.ones(len(here))])
    turn, *_ = np.linalg.lstsq(rows[believed], there[believed], rcond=None)
    return np.asarray(np.abs(rows @ turn - there) * MM_PER_IN)


def agree(off_mm: Floats) -> bool:
    """Whether references lie as near their places as a hand lays them."""
    spare = max(2 * len(off_mm) - FREE, 1)
    strain = float(((off_mm / LAID_MM) ** 2).sum())
    return bool(off_mm.max() <= FAR_MM) and strain <= spare + ODD_SIGMAS * (2 * spare) ** 0.5


def fitted_layout(
    seen: Sequence[SeenReference], guess: Guess, prior: LayoutPrior
) -> ReferenceLayout:
    """All cameras, the lens and all references fitted together."""
    weights = [np.ones(len(one)) for one in seen]
    information = np.eye(1)
    for _ in range(25):
        information, slope, offs = gathered(seen, weights, guess, prior)
        step = solved(information, slope)
        guess = apply_step(guess, step)
        weights = [
            np.where(strain(one, off) > STRAY_SIGMAS, 0.0, 1.0)
            if float(np.abs(step).max()) < 0.05
            else np.ones(len(one))
            for one, off in zip(seen, offs, strict=True)
        ]
        if float(np.abs(step).max()) < 1e-7:
            break
    misses = [off[weight > 0] for off, weight in zip(offs, weights, strict=True)]
    misfit = float(np.sqrt(np.concatenate([m.ravel() for m in misses]).var() * 2))
    spread = inverse(information)
    base = VIEW_SIZE * len(seen) + LENS_SIZE
    laid = []
    for number, (now, before) in enumerate(zip(guess.tags, prior.written, strict=True)):
        place = base + 3 * number
        doubt = float(np.sqrt((spread[place, place] + spread[place + 1, place + 1]) / 2))
        away = float(np.hypot(now.x - before.x, now.y - before.y))
        laid.append(LaidReference(now, away * MM_PER_IN, doubt * MM_PER_IN))
    doubt = float(np.sqrt(spread[-1, -1]))
    elsewhere = tuple(sorted(prior.elsewhere))
    return ReferenceLayout(
        tuple(laid), guess.lens, misfit, len(seen), guess.scale, doubt, elsewhere
    )


def strain(seen: SeenReference, off: Floats) -> Floats:
    """How badly each sighting of a photo misses, in sigmas of its corners."""
    noise = np.sqrt(np.trace(seen.covariances, axis1=1, axis2=2) / 8)
    return np.asarray(np.sqrt((off**2).mean(axis=1)) / np.maximum(noise, 0.1))


def gathered(
    seen: Sequence[SeenReference],
    weights: Sequence[Floats],
    guess: Guess,
    prior: LayoutPrior,
) -> tuple[Floats, Floats, list[Floats]]:
    """Information and slope over all unknowns, and each photo's corner offsets (tags x 8)."""
    number_of = {tag.id: number for number, tag in enumerate(guess.tags)}
    photos = len(seen)
    base = VIEW_SIZE * photos + LENS_SIZE
    size = base + 3 * len(guess.tags) + 1
    information, slope = np.zeros((size, size)), np.zeros(size)
    camera = np.arange(VIEW_SIZE * photos, base)
    offs = []
    for photo, (one, weight) in enumerate(zip(seen, weights, strict=True)):
        own = np.arange(VIEW_SIZE * photo, VIEW_SIZE * (photo + 1))
        misses = np.empty((len(one), 8))
        for row, tag in enumerate(one.tags):
            number = number_of[tag.id]
            now = guess.tags[number]
            corners = reference_corners(replace(now, size_mm=now.size_mm * guess.scale))
            model = projection(corners, guess.views[photo], guess.lens)
            off = (one.pixels[row] - model.pixels).reshape(8)
            misses[row] = off
            arm = corners[:, :2] - (now.x, now.y)
            by_turn = np.column_stack([-arm[:, 1], arm[:, 0], np.zeros(4)])
            turn = (model.by_point @ by_turn[:, :, None]).reshape(8, 1)
            by_scale = np.column_stack([arm / guess.scale, np.zeros(4)])
            grow = (model.by_point @ by_scale[:, :, None]).reshape(8, 1)
            slopes = np.hstack(
                [
                    model.by_camera.reshape(8, -1),
                    model.by_point[:, :, :2].reshape(8, 2),
                    turn,
                    grow,
                ]
            )
            places = np.concatenate([own, camera, base + 3 * number + np.arange(3), [size - 1]])
            trust = inverse(one.covariances[row]) * weight[row]
            information[np.ix_(places, places)] += slopes.T @ trust @ slopes
            slope[places] += slopes.T @ trust @ off
        offs.append(misses)
    away = prior.lens.parameters - guess.lens.parameters
    information[np.ix_(camera, camera)] += prior.lens_information
    slope[camera] += prior.lens_information @ away
    printed = PRINTED_MEASURED if prior.measured else PRINTED
    information[-1, -1] += 1 / printed**2
    slope[-1] += (1.0 - guess.scale) / printed**2
    firm = inverse(prior.spread())
    drift = np.array(
        [
            value
            for now, before in zip(guess.tags, prior.written, strict=True)
            for value in (
                before.x - now.x,
                before.y - now.y,
                np.radians(before.heading - now.heading),
            )
        ]
    )
    places = base + np.arange(len(drift))
    information[np.ix_(places, places)] += firm
    slope[places] += firm @ drift
    return information, slope, offs


def apply_step(guess: Guess, step: Floats) -> Guess:
    """The unknowns after a step."""
    photos = len(guess.views)
    base = VIEW_SIZE * photos + LENS_SIZE
    lens = guess.lens.with_parameters(guess.lens.parameters + step[VIEW_SIZE * photos : base])
    views = tuple(
        changed(
            view,
            guess.lens,
            np.concatenate(
                [step[VIEW_SIZE * photo : VIEW_SIZE * (photo + 1)], np.zeros(LENS_SIZE)]
            ),
        )[0]
        for photo, view in enumerate(guess.views)
    )
    tags = tuple(
        replace(
            tag,
            x=tag.x + float(step[base + 3 * number]),
            y=tag.y + float(step[base + 3 * number + 1]),
            heading=tag.heading + float(np.degrees(step[base + 3 * number + 2])),
        )
        for number, tag in enumerate(guess.tags)
    )
    return Guess(views, lens, tags, guess.scale + float(step[-1]))
