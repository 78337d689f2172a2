"""One picture of a table: poses of its trays with sigmas, missing trays, and problems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from calibration.references.table_lost import TableLost
from calibration.references.table_pose import FEWEST_REFERENCES, TablePose, table_pose
from calibration.setup import OtherTag, ReferenceTag, Setup, TaggedTray, TrayTag
from calibration.tags.tag_tilt import tilt_deg
from calibration.tags.tray_pose import TrayFit, Unplaced, fit_trays
from companion.vision.detect.detection import Detection
from companion.vision.detect.dictionaries import find_all, refit_all
from companion.vision.detect.pixels import Grey
from companion.vision.detect.tag_detector import Sightings
from companion.vision.picture_fault import fault_words, picture_fault
from companion.vision.sources.frame import CameraFrame
from models.board_table import HAND_SHARE, BoardTable, Measured
from models.catalogue import Catalogue
from models.message import BadInput
from models.table import Table
from models.unit import Unit, overlap_depth, trays_overlap

LIKELY_SIZE = 0.3
"""A tag that nobody expects is one if it is about as large as one of the set-up's."""
SIZE_TOLERANCE = 0.08
"""A tag that looks larger or smaller than this share is not the tag of the set-up."""
REFERENCE_CAUTION = 2.5
"""References are judged together: what a drawing leaves unexplained in one is in all of them,
and must not be taken for references laid beside their places."""
ENOUGH_TAGS, ODD_PRINT = 4, 0.02
"""So many tray tags that all look this much larger or smaller than written were printed so."""
MOST_BENT = 4
"""So many tags of one picture are asked whether they are tilted: that takes a while."""
CAUTIONS = (6.0, 36.0)
"""How much more variance a tag is given when its shape contradicts it."""
BENT_SHARE = 0.03
"""No tag may be doubted so much that its corners are in doubt by this share of its side."""
OFF_TABLE_IN = 1.0
"""A tray whose centre lies farther than this beyond the edge stands beside the table."""
SIDES = {"b": "blue", "r": "red"}
"""Sides of units whose ids begin so, where no table file names them."""


@dataclass(frozen=True, slots=True, eq=False)
class TableLook:
    """What one picture shows: the camera or why there is no table, the trays, what is missing."""

    name: str
    camera: TablePose | TableLost
    trays: tuple[TrayFit, ...]
    missing: tuple[str, ...]
    problems: tuple[str, ...]
    tags: Mapping[int, Detection]
    twins: frozenset[int] = frozenset()
    """Tags that were seen in two places, and so in none."""

    @property
    def empty(self) -> bool:
        """Whether not one tag was seen."""
        return not self.tags

    def tray(self, unit: str) -> TrayFit | None:
        return next((tray for tray in self.trays if tray.unit == unit), None)

    def to_json(self, setup: Setup) -> dict[str, Any]:
        """The result as `companion look` prints it."""
        kinds = {tray.unit: tray.tray for tray in setup.trays}
        camera: dict[str, Any] | None = None
        if isinstance(self.camera, TablePose):
            camera = {
                "position": [round(value, 3) for value in self.camera.view.position],
                "reprojection_px": round(self.camera.reprojection_px, 3),
                "references": list(self.camera.used),
                "lens": "estimated" if self.camera.estimated else "calibrated",
            }
        return {
            "picture": self.name,
            "camera": camera,
            "trays": [plain_tray(tray, kinds[tray.unit].to_json()) for tray in self.trays],
            "missing": list(self.missing),
            "problems": list(self.problems),
        }


def plain_tray(tray: TrayFit, kind: Any) -> dict[str, Any]:
    """One placed tray as `companion look` prints it."""
    return {
        "unit": tray.unit,
        "tray": kind,
        "x": round(tray.pose.x, 4),
        "y": round(tray.pose.y, 4),
        "heading": round(tray.pose.heading, 3) % 360.0,
        "sigma": {
            "xy": round(tray.pose.sigma.xy_in, 5),
            "heading": round(tray.pose.sigma.heading_deg, 4),
        },
        "tags": [OtherTag.of(tag).number for tag in tray.used],
    }


def require(setup: Setup, source: str) -> Setup:
    """Refuse a set-up with which no picture can be measured."""
    if len(setup.references) < FEWEST_REFERENCES:
        problem = f"{len(setup.references)} given, at least {FEWEST_REFERENCES} are needed"
        raise BadInput(source, "reference", problem)
    return setup


def look(frame: CameraFrame, setup: Setup, turn: int = 0, thorough: bool = False) -> TableLook:
    """Measure one picture by itself, without earlier frames.

    A single photo deserves a `thorough` search; of a stream's frames the next may tell more.
    """
    if setup.lens is not None:
        setup = setup.with_lens(setup.lens.seen_at(frame.size, frame.name or "picture"))
    grey = frame.grey()
    found = find_all(grey, setup, (), turn, thorough)
    if found.twins or found.strangers:
        found = judged(found, setup, frame.size)
    problems = [f"tag {OtherTag.of(tag)} is seen in two places" for tag in sorted(found.twins)]
    problems += [f"tag {tag} belongs to no tray of this set-up" for tag in sorted(found.strangers)]
    if found.problem:
        problems.append(found.problem)
    sight = measured(frame.name, found.tags, setup, frame.size, problems)
    if setup.lens is None and isinstance(sight.camera, TablePose):
        bent = refit_all(grey, found.tags, setup, sight.camera.lens)
        sight = measured(frame.name, bent, setup, frame.size, problems)
    if isinstance(sight.camera, TableLost) and len(sight.camera.seen) < FEWEST_REFERENCES:
        read = len(found.tags) + len(found.twins)
        camera = blamed(sight.camera, grey, setup, read, turn, thorough)
        told = (*sight.problems[:-1], f"table lost: {camera.reason}")
        sight = replace(sight, camera=camera, problems=told)
    return replace(sight, twins=found.twins) if found.twins else sight


def judged(found: Sightings, setup: Setup, size: tuple[int, int]) -> Sightings:
    """The same after size and place were asked: of a tag's two places the only fitting one is its
    own, and strangers of no tag's size are things that look like tags."""
    camera = camera_of(found.tags, setup, size, None)
    if isinstance(camera, TableLost):
        return found
    true = true_places({one: found.places[one] for one in found.twins}, camera, setup)
    likely = {
        one for one in found.strangers if any(fits(it, camera, setup) for it in found.places[one])
    }
    return replace(
        found,
        tags={**found.tags, **true},
        twins=found.twins - frozenset(true),
        strangers=frozenset(likely),
    )


def true_places(
    places: Mapping[int, Sequence[Detection]], camera: TablePose, setup: Setup
) -> dict[int, Detection]:
    """Of tags that were seen in several places the only one that fits, by their ids."""
    fitting = {
        one: [tag for tag in tags if fits(tag, camera, setup)] for one, tags in places.items()
    }
    return {one: tags[0] for one, tags in fitting.items() if len(tags) == 1}


def fits(tag: Detection, camera: TablePose, setup: Setup) -> bool:
    """Whether what looks like a tag has the size and the place of the set-up's tag of that id, or
    of any of its tags if nobody expects it."""
    like = next((one for one in setup.tags() if one.id == tag.id), None)
    up = like.up if isinstance(like, TrayTag) else 0.0
    x, y = camera.view.on_plane(camera.lens.rays(tag.centre_px.astype(np.float64)), up)
    if max(-x, -y, x - setup.table_width, y - setup.table_depth) > OFF_TABLE_IN:
        return False
    if isinstance(like, ReferenceTag) and math.hypot(x - like.x, y - like.y) > like.size_in:
        return False
    seen_mm = width_mm(tag, up, camera)
    if like is None:
        return any(abs(seen_mm / one.size_mm - 1) < LIKELY_SIZE for one in setup.tags())
    return size_fits(seen_mm / like.size_mm, camera)


def size_fits(share: float, camera: TablePose) -> bool:
    """Whether a tag may look so large, as a share of its written size.

    One printer prints them all: tray tags may be off as much as the references are.
    """
    return min(abs(share - 1), abs(share / camera.print_scale - 1)) <= SIZE_TOLERANCE


def width_mm(tag: Detection, up: float, camera: TablePose) -> float:
    """How wide a tag at that height would have to be to look as it does."""
    level = camera.view.on_plane(camera.lens.rays(tag.corners_px.astype(np.float64)), up)
    sides = np.roll(level, -1, axis=0) - level
    return float(np.hypot(sides[:, 0], sides[:, 1]).mean()) * 25.4


def blamed(
    lost: TableLost, grey: Grey, setup: Setup, found: int, turn: int = 0, thorough: bool = False
) -> TableLost:
    """The same with the picture's own fault as the reason, if it has one."""
    fault = picture_fault(grey, setup, found, turn, thorough)
    return replace(lost, reason=fault_words(fault), fault=fault) if fault else lost


def measured(
    name: str,
    tags: Mapping[int, Detection],
    setup: Setup,
    size: tuple[int, int],
    problems: Iterable[str] = (),
    previous: TablePose | None = None,
) -> TableLook:
    """Tags in pixels as trays in inches."""
    told = list(problems)
    camera = camera_of(tags, setup, size, previous)
    units = tuple(tray.unit for tray in setup.trays)
    told += camera.problems(setup)
    if isinstance(camera, TableLost):
        told.append(f"table lost: {camera.reason}")
        return TableLook(name, camera, (), units, tuple(told), tags)
    placed = placed_trays(setup.trays, tags, setup, camera, told)
    told += overlaps(placed, setup)
    seen = {tray.unit for tray in placed}
    missing = tuple(unit for unit in units if unit not in seen)
    return TableLook(name, camera, tuple(placed), missing, tuple(told), tags)


def camera_of(
    tags: Mapping[int, Detection],
    setup: Setup,
    size: tuple[int, int],
    previous: TablePose | None,
    before: Iterable[Detection] = (),
) -> TablePose | TableLost:
    """The camera over the table from the references among these, and the trays' tags if needed.

    `before`: tags of trays that stood elsewhere while the camera stood as it does now.
    """
    now = [tags[tag.id] for tag in setup.tags() if tag.id in tags]
    seen = [tag.sighting(REFERENCE_CAUTION) for tag in (*now, *before)]
    return table_pose(seen, setup, size, previous)


def placed_trays(
    trays: Sequence[TaggedTray],
    tags: Mapping[int, Detection],
    setup: Setup,
    camera: TablePose,
    told: list[str],
) -> list[TrayFit]:
    """The trays that can be placed; reasons for the others are added to `told`."""
    carried = [tag for tray in trays for tag in tray.tags if tag.id in tags]
    good, odd = [], []
    sizes = seen_sizes_mm(carried, tags, camera)
    for tag, size_mm in zip(carried, sizes, strict=True):
        if size_fits(size_mm / tag.size_mm, camera):
            good.append(tags[tag.id])
        else:
            odd.append((tag, size_mm))
    for tag, size_mm in odd:
        # Where many look so they were printed so, and nobody bent all of them.
        bent = tilted(tag, tags[tag.id], camera) if len(odd) <= MOST_BENT else ""
        size = f"tag {OtherTag.of(tag.id)} looks {size_mm:.1f} mm wide, not {tag.size_mm:g} mm"
        told.append(bent or size)
    told += misprints(carried, sizes)
    placed = []
    own = {tag.id: tag for tag in carried}
    asked = MOST_BENT
    for fit in doubting_fits(trays, good, camera):
        if isinstance(fit, Unplaced):
            open_ones = [tag for tag in fit.tags if tag in own][:asked]
            asked -= len(open_ones)
            askew = [tilted(own[tag], tags[tag], camera) for tag in open_ones]
            reason = next((words for words in askew if words), fit.reason)
            told.append(f"{fit.unit}: {reason}")
        elif fit is not None:
            told += [
                f"{fit.unit}: tag {OtherTag.of(tag)} does not fit its other tags"
                for tag in fit.dropped
            ]
            x, y = fit.pose.x, fit.pose.y
            if max(-x, -y, x - setup.table_width, y - setup.table_depth) > OFF_TABLE_IN:
                told.append(f"{fit.unit}: stands beside the table")
            elif not camera.knows(x, y):
                told.append(f"{fit.unit}: stands where the table is not known")
            else:
                placed.append(fit)
    return placed


def misprints(carried: Sequence[TrayTag], sizes: Sequence[float]) -> list[str]:
    """That the trays' tags were printed larger or smaller than written, in words."""
    written = {tag.size_mm for tag in carried}
    if len(carried) < ENOUGH_TAGS or len(written) != 1:
        return []
    share = float(np.median([size / tag.size_mm for tag, size in zip(carried, sizes, strict=True)]))
    if not ODD_PRINT < abs(share - 1) < SIZE_TOLERANCE:
        return []
    size = written.pop()
    told = f"your tray tags measure {size * share:.1f} mm, not {size:g}: printed at {share:.0%}"
    return [told.replace("%", " %") + "; a printed stand is then lower or higher, too"]


def tilted(tag: TrayTag, found: Detection, camera: TablePose) -> str:
    """That a tag is tilted, in words; empty where it is not."""
    angle = tilt_deg(found.sighting(), camera, tag)
    if angle is None:
        return ""
    return f"tag {OtherTag.of(tag.id)} is tilted by about {angle:.0f}°: bend its tab or stand level"


def doubting_fits(
    trays: Sequence[TaggedTray], good: Sequence[Detection], camera: TablePose
) -> list[TrayFit | Unplaced | None]:
    """Fit trays; those that fail are tried again with larger variances.

    Paper curls, tabs tilt, a glare or a thread bends an edge by a tenth of a pixel: such a tag
    is no lie, it is only less sure than its clear picture claims.
    """
    fits = fit_trays(trays, [tag.sighting() for tag in good], camera)
    for caution in CAUTIONS:
        again = [n for n, fit in enumerate(fits) if isinstance(fit, Unplaced)]
        if not again:
            break
        bold = [
            tag.sighting(caution)
            for tag in good
            if tag.sigma_px * caution**0.5 < BENT_SHARE * tag.side_px
        ]
        better = fit_trays([trays[n] for n in again], bold, camera)
        for n, fit in zip(again, better, strict=True):
            fits[n] = fit if isinstance(fit, TrayFit) else fits[n]
    return fits


def seen_sizes_mm(
    carried: Sequence[TrayTag], tags: Mapping[int, Detection], camera: TablePose
) -> list[float]:
    """How wide each tag, at its height, would have to be to look as it does."""
    if not carried:
        return []
    corners = np.array([tags[tag.id].corners_px for tag in carried], dtype=np.float64)
    rays = camera.lens.rays(corners)
    up = np.array([tag.up for tag in carried])
    level = camera.view.on_plane(rays, 0.0)
    # Similar triangles: the same rays meet a higher plane so much earlier.
    shrink = (camera.view.position[2] - up) / camera.view.position[2]
    sides = np.roll(level, -1, axis=1) - level
    widths = np.hypot(sides[..., 0], sides[..., 1]).mean(axis=1) * shrink * 25.4
    return [float(width) for width in widths]


def overlaps(placed: list[TrayFit], setup: Setup) -> list[str]:
    """Problems: trays that overlap, which means that a tag has slipped."""
    kinds = {tray.unit: tray.tray for tray in setup.trays}
    units = [Unit(fit.unit, "", fit.unit, kinds[fit.unit], fit.pose) for fit in placed]
    told = []
    for number, unit in enumerate(units):
        for other in units[:number]:
            depth = overlap_depth(unit, other)
            if trays_overlap(unit, other):
                told.append(f"{other.id} and {unit.id} lie {depth:.2f} in in one another")
    return told


def side_of(unit: str) -> str:
    """The side of a unit as its id begins, where nothing else tells it.

    >>> side_of("b2"), side_of("red 3"), side_of("#12")
    ('blue', 'red', '#')
    """
    start = unit.rstrip("0123456789").rstrip("-_ ") or unit
    return SIDES.get(start.casefold(), start)


def seen_table(trays: Iterable[TrayFit], setup: Setup, like: Table | None = None) -> Table:
    """What was seen as a Table; numbers, names, terrain and tokens come from another one, and the
    order of its units, which decides which side sits where.

    Without another one a unit's side is what its id begins with.
    """
    kinds = {tray.unit: tray.tray for tray in setup.trays}
    order = [unit.id for unit in like.units] if like is not None else []
    places = {unit: place for place, unit in enumerate(order)}
    units = []
    for fit in sorted(trays, key=lambda one: places.get(one.unit, len(order))):
        if like is not None and any(unit.id == fit.unit for unit in like.units):
            known = like.unit(fit.unit)
            units.append(replace(known, tray=kinds[fit.unit], pose=fit.pose))
            continue
        tray = kinds[fit.unit]
        units.append(
            Unit(fit.unit, side_of(fit.unit), fit.unit, tray, fit.pose, models=tray.models)
        )
    if like is not None:
        return replace(like, width=setup.table_width, depth=setup.table_depth, units=tuple(units))
    game = Catalogue.games()[-1]
    return Table(game, setup.table_width, setup.table_depth, tuple(units))


def unknown_values(trays: Iterable[TrayFit], like: Table | BoardTable | None) -> tuple[str, ...]:
    """What is told of trays of which only the place is known: every answer would rest on values
    that nobody gave."""
    if isinstance(like, BoardTable):
        return ()
    known = {unit.id for unit in like.units} if like is not None else set()
    taken = {one.name: one.default for one in fields(Unit)}
    unknown = [fit.unit for fit in trays if fit.unit not in known]
    if not unknown:
        return ()
    return (
        f"only the places of {', '.join(unknown)} are known; speed {taken['speed']}, defence"
        f" {taken['defense']}, morale {taken['morale']} and no attacks are assumed:"
        " name a table with their values as units",
    )


def seen_board(trays: Iterable[TrayFit], like: BoardTable) -> BoardTable:
    """What was seen as a table with a board: the known pieces where they were measured.

    A piece's sigma also holds how exactly hands put pieces into cells.
    """
    fits = {fit.unit: fit for fit in trays}
    hand = HAND_SHARE * like.board.cell_in
    pieces = []
    for piece in like.pieces:
        if (fit := fits.get(piece.id)) is not None:
            sigma = math.hypot(fit.pose.sigma.xy_in, hand)
            measured_at = Measured(round(fit.pose.x, 4), round(fit.pose.y, 4), round(sigma, 4))
            pieces.append(replace(piece, cell=None, measured=measured_at))
    return replace(like, pieces=tuple(pieces))
