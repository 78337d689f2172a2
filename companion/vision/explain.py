"""Why a picture shows what it shows: each expected tag with its place and, where it was not found,
the most likely reason there; and dark squares that nobody could read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_place import CORNER_IDS
from calibration.references.table_pose import TablePose
from calibration.setup import OtherTag, ReferenceTag, Setup
from calibration.tags.tag import placed_corners, reference_corners
from companion.vision.detect.bits import Codes, cell_samples, codes_of, correlation, read_bits
from companion.vision.detect.budget import SearchBudget
from companion.vision.detect.pixels import NEXT, Grey, Range
from companion.vision.detect.tag_detector import FIRST, candidates
from companion.vision.detect.tag_reading import framed, unclaimed
from companion.vision.look import TableLook
from models.message import LazyMessage, joined, say

Floats = NDArray[np.floating]
Reason = Literal[
    "found", "unplaced", "covered", "blurred", "small", "glare", "dark", "other", "outside",
    "twice", "nowhere", "unread", "stranger",
]  # fmt: skip

SMALL_CELL_PX = 2.2
"""Cells smaller than this run into one another."""
WHITE, GLARE_SHARE = 250.0, 0.3
"""Glare turns so large a share of what should be black white."""
DARK, FAINT = 50.0, 14.0
"""A dark place: its white is no brighter than this. One colour alone covers the tag."""
SOFT_PX, SOFT_SHARE, SOFT_CELLS, ALIKE = 2.5, 0.45, 0.8, 0.5
"""Edges wider than this, and than so much of a cell, are blurred, if the cells resemble a tag
blurred by so much of a cell."""
CLEARLY = 0.85
"""Cells so like those of another tag are that tag: on photographs they are at least 0.95 alike,
those of a blurred one no more than 0.8."""
MOST_SQUARES = 12
LIKELY_SIZE = (0.6, 1.6)
"""An unread square is worth a word if it is as large as a tag could be, as a share of the usual."""


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedTag:
    """An expected tag, or (id None) a square that could not be read: where, and why."""

    tag: int | None
    unit: str
    reason: Reason
    corners_px: Floats | None = None
    """Where it is or should be (4 x 2); None: nobody knows."""
    seen: int | None = None
    """The tag that lies there instead."""

    @property
    def found(self) -> bool:
        return self.reason == "found"

    @property
    def name(self) -> str:
        """Which tag it is, for a mark on the picture."""
        if self.reason == "stranger":
            return f"{self.seen}?"
        return "?" if self.tag is None else str(OtherTag.of(self.tag))

    @property
    def role(self) -> Literal["found", "missing", "unread"]:
        """How it is drawn."""
        if self.tag is None:
            return "unread"
        return "found" if self.found else "missing"

    @property
    def short(self) -> str:
        """The tag and its reason, for a mark on the picture."""
        if self.reason == "stranger":
            return str(self.why)
        return self.name if self.found else f"{self.name}: {self.why}"

    @property
    def what(self) -> LazyMessage:
        """The tag and what carries it."""
        if self.tag is None:
            return say("a dark square")
        if self.unit:
            return say("{unit}, tag {tag}", unit=self.unit, tag=self.name)
        return say("reference {tag}", tag=self.name)

    @property
    def words(self) -> LazyMessage:
        """The tag and its reason in one sentence."""
        if self.reason == "stranger":
            return self.why
        return say("{what}: {why}", what=self.what, why=self.why)

    @property
    def why(self) -> LazyMessage:
        """The reason in words."""
        return {
            "found": say("found"),
            "unplaced": say("read, but its tray cannot be placed"),
            "covered": say("something covers it, or it is not there"),
            "blurred": say("blurred: hold still, more light"),
            "small": say("too small in the picture: go closer, or print it larger"),
            "glare": say("glare hides it: move the lamp"),
            "dark": say("too dark there: more light"),
            "other": say("tag {seen} lies there instead", seen=self.seen),
            "outside": say("outside the picture"),
            "twice": say("seen in two places"),
            "nowhere": say("nowhere in the picture: hidden, or off the table"),
            "stranger": say("tag {seen} belongs to nothing in this set-up", seen=self.seen),
            "unread": say("no tag of this set-up can be read in it"),
        }[self.reason]

    def to_json(self) -> dict[str, Any]:
        """The place as `companion look --explain --json` prints it."""
        told: dict[str, Any] = {"tag": None if self.tag is None else self.name}
        if self.unit:
            told["unit"] = self.unit
        told["reason"] = self.reason
        if self.seen is not None:
            told["seen"] = self.seen
        if self.corners_px is not None:
            told["corners"] = np.round(self.corners_px, 1).tolist()
        return told


def missing_told(told: Iterable[ExplainedTag]) -> tuple[tuple[str, str], ...]:
    """How each line is drawn, and a line for each reason with all tags that are missing for it.

    What is known of a place comes before tags that are nowhere; a reason is told once.
    """
    groups: dict[str, list[ExplainedTag]] = {}
    missing = [one for one in told if not one.found]
    for one in sorted(missing, key=lambda one: (one.reason == "nowhere", one.tag is None)):
        groups.setdefault(str(one.why), []).append(one)
    return tuple((alike[0].role, told_together(alike)) for alike in groups.values())


def told_together(alike: Sequence[ExplainedTag]) -> str:
    """One line for tags that are missing for the same reason."""
    first = alike[0]
    if first.reason == "stranger":
        return first.why
    each = {str(one.what): one.what for one in alike}
    return say("{what}: {why}", what=joined(each.values(), "; "), why=first.why)


def explained(grey: Grey, setup: Setup, sight: TableLook) -> tuple[ExplainedTag, ...]:
    """Every tag of the set-up, references first, then squares that could not be read."""
    camera = sight.camera if isinstance(sight.camera, TablePose) else None
    told = list(expected_tags(grey, setup, sight, camera))
    claimed = [one.corners_px for one in told if one.corners_px is not None]
    taken = np.array(claimed, dtype=np.float64).reshape(-1, 4, 2)
    return (*told, *unread_squares(grey, setup, camera, taken))


def expected_tags(
    grey: Grey, setup: Setup, sight: TableLook, camera: TablePose | None
) -> Iterator[ExplainedTag]:
    for tag in setup.tags():
        tray = None if isinstance(tag, ReferenceTag) else setup.tray_of(tag.id)
        unit = tray[0].unit if tray is not None else ""
        fit = sight.tray(unit) if unit else None
        if tag.id in sight.tags:
            lost = bool(unit) and camera is not None and fit is None
            reason: Reason = "unplaced" if lost else "found"
            yield ExplainedTag(tag.id, unit, reason, sight.tags[tag.id].corners_px)
            continue
        points = None
        if isinstance(tag, ReferenceTag):
            points = reference_corners(tag)
        elif fit is not None:
            points = placed_corners(tag, fit.pose)
        if tag.id in sight.twins:
            yield ExplainedTag(tag.id, unit, "twice")
        elif camera is None or points is None:
            yield ExplainedTag(tag.id, unit, "nowhere")
        elif (camera.view.in_camera(points)[:, 2] <= 0).any():
            yield ExplainedTag(tag.id, unit, "outside")
        else:
            yield unfound(grey, setup, tag.id, unit, camera.pixels(points))


def unfound(grey: Grey, setup: Setup, tag: int, unit: str, corners: Floats) -> ExplainedTag:
    """The most likely reason why a tag was not found where it should be."""
    high, wide = grey.shape[:2]
    if corners.min() < 0 or corners[:, 0].max() > wide - 1 or corners[:, 1].max() > high - 1:
        return ExplainedTag(tag, unit, "outside", corners)
    known = OtherTag.of(tag)
    codes = codes_of(known.dictionary or setup.dictionary)
    read = clearly_read(grey, corners, codes)
    if read >= 0 and read != known.number:
        return ExplainedTag(tag, unit, "other", corners, read)
    cells = cell_samples(grey, corners[None], codes.side)[0].mean(axis=-1)
    drawn = np.asarray(codes.sheets[known.number])
    reason = local_reason(grey, corners, codes.side, cells, drawn)
    return ExplainedTag(tag, unit, reason or "covered", corners)


def clearly_read(grey: Grey, corners: Floats, codes: Codes) -> int:
    """The tag that lies there for sure (-1: none can be told): a blurred one reads as any."""
    read = read_bits(grey, corners[None], codes)
    return int(read.ids[0]) if read.likeness[0] >= CLEARLY else -1


def local_reason(
    grey: Grey, corners: Floats, side: int, cells: Floats, drawn: Floats | None
) -> Reason | None:
    """What keeps a place from being read, as far as its own pixels tell."""
    sides = corners[NEXT] - corners
    cell_px = float(np.hypot(sides[:, 0], sides[:, 1]).min()) / side
    if cell_px < SMALL_CELL_PX:
        return "small"
    black = cells[1:-1, 1:-1] if drawn is None else cells[drawn < 0.5]
    if float((black >= WHITE).mean()) > GLARE_SHARE:
        return "glare"
    white = float(np.percentile(cells, 90))
    contrast = white - float(np.percentile(cells, 10))
    if white < DARK:
        return "dark"
    if contrast < FAINT:
        return None
    alike = 1.0
    if drawn is not None:
        soft = np.asarray(cv2.GaussianBlur(drawn, (0, 0), SOFT_CELLS), dtype=np.float64)
        alike = float(correlation(cells.reshape(1, -1), soft.reshape(1, -1))[0])
    width_px = contrast / steepest(grey, corners)
    if alike >= ALIKE and width_px > max(SOFT_PX, SOFT_SHARE * cell_px):
        return "blurred"
    return None


def steepest(grey: Grey, corners: Floats) -> float:
    """The steepest change from pixel to pixel within a quadrangle."""
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, 0)
    right, low = np.ceil(corners.max(axis=0)).astype(int) + 2
    part = grey[top:low, left:right].astype(np.float32)
    across, down = np.abs(np.diff(part, axis=1)), np.abs(np.diff(part, axis=0))
    return max(float(np.percentile(across, 98)), float(np.percentile(down, 98)), 1.0)


def unread_squares(
    grey: Grey, setup: Setup, camera: TablePose | None, taken: Floats
) -> Iterator[ExplainedTag]:
    """Dark squares of a tag's size that are none of the known places."""
    codes = codes_of(setup.dictionary)
    quads = candidates(grey, FIRST, Range.of(grey), SearchBudget())
    quads = unclaimed(quads[framed(grey, quads, codes.side)], taken)
    if camera is not None and setup.trays and len(quads):
        sizes = 25.4 * sides_in(camera, quads)
        usual = float(np.median([tag.size_mm for tray in setup.trays for tag in tray.tags]))
        low, high = LIKELY_SIZE
        quads = quads[(sizes > low * usual) & (sizes < high * usual)]
    largest = np.argsort(-np.ptp(quads, axis=1).sum(axis=1), kind="stable")
    kept: list[Floats] = []
    for quad in quads[largest]:
        if len(kept) == MOST_SQUARES:
            break
        if not len(unclaimed(quad[None], np.array(kept).reshape(-1, 4, 2))):
            continue
        kept.append(quad)
        read = clearly_read(grey, quad, codes)
        if read >= 0 and OtherTag(read, "").id not in setup.ids():
            if read not in CORNER_IDS:  # those of a board may lie there
                yield ExplainedTag(None, "", "stranger", quad, read)
            continue
        cells = cell_samples(grey, quad[None], codes.side)[0].mean(axis=-1)
        reason = local_reason(grey, quad, codes.side, cells, None)
        yield ExplainedTag(None, "", reason or "unread", quad)


def sides_in(camera: TablePose, quads: Floats) -> Floats:
    """How large quadrangles would be on the table (inches); those that do not lie there: none."""
    rays = camera.lens.rays(quads.reshape(-1, 2).astype(np.float64))
    level = camera.view.on_plane(rays, 0.0).reshape(-1, 4, 2)
    sides = np.roll(level, -1, axis=1) - level
    return np.asarray(np.hypot(sides[..., 0], sides[..., 1]).mean(axis=1))
