"""Every kind of disturbance and of set-up mistake, beside default OpenCV on the same frames.

Frames come from both renderers: the practice table as `bench.varied` draws it, and the second
camera (`tests/vision/other_camera.py`), which shares nothing with it. What a frame counted is one
line of JSON in the log, and a run that was broken off goes on where its log ends.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.clear_tags import cell_centres, cells, legible
from bench.many import code
from bench.varied import varied
from calibration.setup import Setup, dictionary_of
from companion.vision.look import TableLook, look
from companion.vision.sources.frame import CameraFrame, Picture, grey_of
from models.pose import Pose
from tests.vision.other_camera import Tag, World, glare_at, paper_light, pixel_of, shot
from tests.vision.other_table import KINDS, MISTAKES, staged

Floats = NDArray[np.floating]

RIM_PX = 3.0
PLACE_SHARE = 0.3
"""A tag is found where its centre is within this share of its edge from the true one."""
WASHED_OUT = 0.5
"""Glare that adds this share of the paper's white leaves no black."""
WRONG_IN, WRONG_DEG, WRONG_SIGMAS = 0.1, 2.0, 5.0
FAR = 2 / 3
"""Tags beyond this share of the table's depth are far."""
SIZES = ((1600, 1000), (1920, 1080), (1280, 720))


@dataclass(frozen=True, slots=True)
class KindCount:
    """What one frame counted: clear tags, found by us and by OpenCV; trays and their errors.

    `any_found` and `any_default` count all tags of resting trays, clear or not.
    """

    renderer: str
    kind: str
    seed: int
    clear: int
    found: int
    far_clear: int
    far_found: int
    default: int
    any_found: int
    any_default: int
    trays: int
    """Trays with a clear tag."""
    trays_placed: int
    """Those of them that were placed."""
    placed: int
    wrong: int
    position_in: tuple[float, ...]
    heading_deg: tuple[float, ...]
    sigmas: tuple[float, ...]
    """The largest error of every placed tray in units of its sigma."""


@dataclass(frozen=True, slots=True, eq=False)
class StagedTag:
    """A tag of a resting tray: its true corners, whether it is clear, whether it is far away."""

    id: int
    corners_px: Floats
    clear: bool
    far: bool


@dataclass(frozen=True, slots=True, eq=False)
class StagedFrame:
    """One frame with its truth: the tags of resting trays, and the trays' poses."""

    renderer: str
    kind: str
    seed: int
    picture: Picture
    setup: Setup
    tags: tuple[StagedTag, ...]
    poses: dict[str, Pose]


def frame_of(number: int) -> StagedFrame:
    """The frame of a number: both renderers in turn, and all kinds of the second in turn."""
    return practice_stage(number // 2) if number % 2 else other_stage(number // 2)


def practice_stage(seed: int) -> StagedFrame:
    """A frame of the practice table."""
    scene = varied(seed)
    picture, truth = scene.shot()
    grey = grey_of(picture)
    places = {unit.id: unit.pose for unit in scene.table.units}
    tags = tuple(
        StagedTag(
            tag.id,
            tag.corners_px,
            tag.clear and legible(grey, tag.corners_px, tag.id, scene.told.dictionary),
            places[tag.unit].y > scene.table.depth * FAR,
        )
        for tag in truth.tags
        if tag.unit is not None and tag.unit not in truth.moving
    )
    # A kind names table, size, place and mounts with their millimetres before the look.
    kind = scene.kind.split(" mm ")[1].split()[0]
    poses = {unit: pose for unit, pose in places.items() if unit not in truth.moving}
    return StagedFrame("practice", kind, seed, picture, scene.told, tags, poses)


def other_stage(seed: int) -> StagedFrame:
    """A frame of the second camera."""
    kinds = (*KINDS, *MISTAKES)
    kind = kinds[seed % len(kinds)]
    size = SIZES[seed // len(kinds) % len(SIZES)]
    stage = staged(seed, size, lens=seed % 3 > 0, units=14, tag_mm=30.0, kind=kind)
    setup, world = Setup.parse(stage.setup), stage.world
    picture = shot(world)
    grey = grey_of(picture)
    own = {tag.id for tray in setup.trays for tag in tray.tags}
    tags = []
    for tag in world.tags:
        if tag.id in own:
            corners = corners_of(world, tag)
            clear = (
                in_picture(world, tag)
                and legible(grey, corners, tag.id, setup.dictionary)
                and not washed_out(world, tag, setup.dictionary)
            )
            tags.append(StagedTag(tag.id, corners, clear, tag.y > setup.table_depth * FAR))
    poses = {unit: Pose(*pose) for unit, pose in stage.truth.items()}
    return StagedFrame("second", kind, seed, picture, setup, tuple(tags), poses)


def corners_of(world: World, tag: Tag, margin: float = 0.0) -> Floats:
    """A tag's corners, or those of its paper with a margin in modules, in the picture (4 x 2)."""
    turn = math.radians(tag.heading)
    up = np.array([math.cos(turn), math.sin(turn)]) * tag.edge_in / 2 * (1 + margin / 3)
    right = np.array([up[1], -up[0]])
    middle = np.array([tag.x, tag.y])
    corners = [
        (*(middle + a * right + b * up), tag.up) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))
    ]
    return pixel_of(world, np.array(corners))


def in_picture(world: World, tag: Tag) -> bool:
    """Whether a tag lies in the picture with its margin."""
    paper = corners_of(world, tag, tag.margin)
    return bool(paper.min() > RIM_PX and (paper < np.array(world.size) - RIM_PX).all())


def washed_out(world: World, tag: Tag, dictionary: str) -> bool:
    """Whether glare leaves no black in one of a tag's black modules."""
    if not world.glare:
        return False
    white = cells(tag.id, dictionary)
    half = tag.edge_in / 2
    square = half * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)])
    added = glare_at(world, tag, *np.moveaxis(cell_centres(square, len(white)), -1, 0))
    return bool(added[~white].max() >= WASHED_OUT * paper_light(world))


def counted(stage: StagedFrame) -> KindCount:
    """Look at a frame as a single photo, and let default OpenCV look at it."""
    sight = look(CameraFrame(stage.picture, name=f"frame {stage.seed}"), stage.setup, thorough=True)
    detector = cv2.aruco.ArucoDetector(dictionary_of(stage.setup.dictionary))
    quads, ids, _ = detector.detectMarkers(grey_of(stage.picture))
    default = {} if ids is None else dict(zip(np.ravel(ids).tolist(), quads, strict=True))
    ours = {
        one.id
        for one in stage.tags
        if one.id in sight.tags and right(one, sight.tags[one.id].corners_px)
    }
    theirs = {one.id for one in stage.tags if one.id in default and right(one, default[one.id][0])}
    clear = [one for one in stage.tags if one.clear]
    far = [one for one in clear if one.far]
    position, heading, sigmas, wrong = errors(sight, stage.poses)
    good = {tag.id for tag in clear}
    trays = {tray.unit for tray in stage.setup.trays if any(tag.id in good for tag in tray.tags)}
    return KindCount(
        stage.renderer,
        stage.kind,
        stage.seed,
        len(clear),
        sum(tag.id in ours for tag in clear),
        len(far),
        sum(tag.id in ours for tag in far),
        sum(tag.id in theirs for tag in clear),
        len(ours),
        len(theirs),
        len(trays),
        sum(sight.tray(unit) is not None for unit in trays),
        len(position),
        wrong,
        tuple(position),
        tuple(heading),
        tuple(sigmas),
    )


def right(tag: StagedTag, corners: Floats) -> bool:
    """Whether a tag was found at its true place."""
    off = np.asarray(corners).mean(axis=0) - tag.corners_px.mean(axis=0)
    return float(np.hypot(*off)) < PLACE_SHARE * float(np.ptp(tag.corners_px, axis=0).max())


def errors(
    sight: TableLook, poses: dict[str, Pose]
) -> tuple[list[float], list[float], list[float], int]:
    """Errors of the placed trays: inches, degrees, largest in sigmas; and how many are wrong."""
    position, heading, sigmas, wrong = [], [], [], 0
    for tray in sight.trays:
        if tray.unit not in poses:
            continue
        true, sigma = poses[tray.unit], tray.pose.sigma
        dx, dy = tray.pose.x - true.x, tray.pose.y - true.y
        turn = (tray.pose.heading - true.heading + 180.0) % 360.0 - 180.0
        off = math.hypot(dx, dy)
        position.append(round(off, 5))
        heading.append(round(abs(turn), 4))
        worst = max(abs(dx) / sigma.xy_in, abs(dy) / sigma.xy_in, abs(turn) / sigma.heading_deg)
        sigmas.append(round(worst, 3))
        far = off > max(WRONG_IN, WRONG_SIGMAS * sigma.xy_in)
        wrong += far or abs(turn) > max(WRONG_DEG, WRONG_SIGMAS * sigma.heading_deg)
    return position, heading, sigmas, wrong


def count_kinds(
    frames: int, log: Path | None, stage_of: Callable[[int], StagedFrame] = frame_of
) -> list[KindCount]:
    """Count so many frames, going on where a log of the same code ends."""
    version = code()
    done: dict[int, KindCount] = {}
    if log is not None and log.exists():
        for line in log.read_text(encoding="utf-8").splitlines():
            plain = json.loads(line)
            if plain.pop("code") == version:
                number = plain.pop("number")
                for name in ("position_in", "heading_deg", "sigmas"):
                    plain[name] = tuple(plain[name])
                done[number] = KindCount(**plain)
    results = []
    for number in range(frames):
        result = done.get(number)
        if result is None:
            result = counted(stage_of(number))
            if log is not None:
                log.parent.mkdir(parents=True, exist_ok=True)
                with log.open("a", encoding="utf-8") as file:
                    entry = {"code": version, "number": number, **asdict(result)}
                    file.write(json.dumps(entry) + "\n")
        results.append(result)
    return results


@dataclass(frozen=True, slots=True)
class BarRow:
    """One line of the sheet: what, the bar, what was measured, and whether it is met."""

    what: str
    bar: str
    measured: str
    good: bool


def rows(results: list[KindCount]) -> Iterable[BarRow]:
    """The bars, first over everything, then by kind."""
    right = [one for one in results if one.kind not in MISTAKES]
    yield found_row("clear tags found, set-ups without mistakes", right, 0.98, 0.95)
    plain = [one for one in right if one.kind == "plain"]
    inches = [value for one in plain for value in one.position_in]
    degrees = [value for one in plain for value in one.heading_deg]
    if inches:
        measured = f'{np.percentile(inches, 95):.4f}" / {np.percentile(degrees, 95):.3f}°'
        good = (
            float(np.percentile(inches, 95)) <= 0.01 and float(np.percentile(degrees, 95)) <= 0.35
        )
        yield BarRow(
            "nominal: tray position / heading, 95th pct.", '<= 0.01" / <= 0.35°', measured, good
        )
    wrong, placed = sum(one.wrong for one in results), sum(one.placed for one in results)
    yield BarRow("wrong trays", "0", f"{wrong} of {placed} in {len(results)} frames", wrong == 0)
    for renderer in ("second", "practice"):
        chosen = [one for one in results if one.renderer == renderer]
        for kind in sorted({one.kind for one in chosen}):
            of_kind = [one for one in chosen if one.kind == kind]
            if kind in MISTAKES:
                yield mistake_row(f"{renderer} camera, mistake: {kind}", of_kind)
            else:
                yield found_row(f"{renderer} camera, {kind}", of_kind, 0.0, 0.0)


def found_row(what: str, chosen: list[KindCount], least: float, least_far: float) -> BarRow:
    """How many clear tags were found, and no fewer than OpenCV finds."""
    clear, found = sum(one.clear for one in chosen), sum(one.found for one in chosen)
    far, far_found = sum(one.far_clear for one in chosen), sum(one.far_found for one in chosen)
    default = sum(one.default for one in chosen)
    ours, theirs = sum(one.any_found for one in chosen), sum(one.any_default for one in chosen)
    sigmas = [value for one in chosen for value in one.sigmas]
    measured = (
        f"{share(found, clear)} of {clear}, far {share(far_found, far)} "
        f"(OpenCV {share(default, clear)}); clear or not {ours} (OpenCV {theirs}); "
        f"worst error {max(sigmas, default=0.0):.1f} sigma"
    )
    bar = f">= {100 * least:g} %, far >= {100 * least_far:g} %" if least else ">= OpenCV"
    good = found >= max(least * clear, default) and far_found >= least_far * far and ours >= theirs
    return BarRow(what, bar, measured, good)


def mistake_row(what: str, chosen: list[KindCount]) -> BarRow:
    """How many trays are placed in spite of a mistake, and how far errors go beyond sigma."""
    trays, placed = sum(one.trays for one in chosen), sum(one.trays_placed for one in chosen)
    sigmas = [value for one in chosen for value in one.sigmas]
    worst = max(sigmas, default=0.0)
    return BarRow(
        what,
        ">= 95 %, <= 4 sigma",
        f"{share(placed, trays)} of {trays} trays with a clear tag, worst error {worst:.1f} sigma",
        placed >= 0.95 * trays and worst <= 4.0,
    )


def share(part: int, whole: int) -> str:
    """A share in words."""
    return f"{100 * part / whole:.1f} %" if whole else "none"
