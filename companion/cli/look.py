"""The command `look`: reads images, videos and cameras, and returns tables."""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from companion import games
from companion.text.translation import complain, translate
from models import CompanionError, Table, atomic_write
from models.board import cell_text
from models.board_table import BoardTable
from models.message import BadInput
from models.table import AnyTable, load_table

if TYPE_CHECKING:
    from calibration.references.table_lost import TableLost
    from calibration.references.table_pose import TablePose
    from calibration.setup import Setup
    from calibration.tags.tray_pose import TrayFit
    from companion.practice.camera import PracticeCamera
    from companion.vision.explain import ExplainedTag
    from companion.vision.look import TableLook
    from companion.vision.sources.frame import CameraFrame, Picture
    from companion.vision.sources.frame_sources import Source

BROKEN_INPUT = 2
TAG_MM = 25.0
"""The size of the practice tags."""
EMPTY = "no tag of the set-up is in the picture"


class LookCommands(Protocol):
    """The part of argparse's subparsers that is needed to add a command."""

    def add_parser(self, name: str, **kwargs: Any) -> argparse.ArgumentParser:
        """Add a command."""
        ...


def add_commands(commands: LookCommands) -> None:
    what = "where the trays stand in a picture, a video or before a camera"
    added = commands.add_parser("look", help=what, description=what, allow_abbrev=False)
    added.add_argument(
        "pictures",
        nargs="+",
        metavar="PICTURE",
        help="a photo, a folder of them, a video, a camera's number or a stream's address",
    )
    added.add_argument("--setup", type=Path, required=True, metavar="FILE")
    added.add_argument("--json", action="store_true", help="one line of JSON per picture")
    added.add_argument("--video", action="store_true", help="the pictures are one stream")
    added.add_argument(
        "--mirrored", action="store_true", help="the pictures are mirrored: turn them back"
    )
    added.add_argument("--table", type=Path, metavar="OUT", help="write the table that was seen")
    added.add_argument(
        "--overlay", type=Path, metavar="OUT", help="draw the answers onto the picture (PNG)"
    )
    added.add_argument(
        "--explain",
        type=Path,
        metavar="OUT",
        help="say of every tag whether it was found and why not, and draw it onto the picture",
    )
    added.add_argument(
        "--units",
        type=Path,
        metavar="TABLE",
        help="a table file with names, numbers, terrain and tokens of what may be seen",
    )
    added.add_argument("--unit", metavar="ID", help="draw the answers of this unit only")
    added.set_defaults(run=look)


def look(args: argparse.Namespace) -> int:
    """Report where every tray stands; one bad image does not stop the others."""
    from calibration.setup import Setup
    from companion.vision.look import require

    setup = require(Setup.load(args.setup), str(args.setup))
    setup = replace(setup, mirrored=setup.mirrored != args.mirrored)
    like = load_table(args.units) if args.units is not None else None
    if isinstance(like, BoardTable) and like.board.at is None:
        raise BadInput(str(args.units), "board.at", "is missing: a camera needs the board's place")
    # Several images cannot be written as one table; of a stream the last frame can.
    if args.explain is not None and streamed(args):
        raise BadInput("--explain", "", "needs a picture, not a film or a camera")
    outputs = {"--table": args.table, "--overlay": args.overlay, "--explain": args.explain}
    for flag, target in outputs.items():
        known = args.units if flag != "--table" else None  # a table may take the place of its like
        atomic_write.refuse_inputs(target, args.setup, known, *places(args.pictures))
        if target is not None and not streamed(args) and len(places(args.pictures)) > 1:
            raise BadInput(flag, "", f"needs one picture, not {len(places(args.pictures))}")
    if streamed(args):
        return look_at_stream(args, setup, like)
    status = 0
    for place in places(args.pictures):
        try:
            status = max(status, glance(place, args, setup, like))
        except CompanionError as error:
            complain(error)
            status = BROKEN_INPUT
    return status


def streamed(args: argparse.Namespace) -> bool:
    """Whether the images are one stream: requested, or a video or a camera."""
    from companion.vision.sources.frame_sources import streams

    return bool(args.video) or any(streams(place) for place in args.pictures)


def places(pictures: Iterable[str]) -> list[str]:
    """All images, with folders expanded."""
    from companion.vision.sources.frame import photos_in

    found: list[str] = []
    for place in pictures:
        path = Path(place)
        found += [str(photo) for photo in photos_in(path)] if path.is_dir() else [place]
    return found


def glance(place: str, args: argparse.Namespace, setup: Setup, like: AnyTable | None) -> int:
    """Analyse a single image."""
    from calibration.references.table_lost import TableLost
    from calibration.references.table_pose import TablePose
    from companion.vision import look as looking
    from companion.vision.sources.frame import CameraFrame, load_photo

    frame = CameraFrame(load_photo(place), name=place).turned_back(setup.mirrored)
    sight = looking.look(frame, setup, thorough=True)
    plain = sight.to_json(setup) | board_answers(sight.trays, like)
    told = explain(frame, setup, sight, args.explain) if args.explain is not None else ()
    if args.explain is not None:
        plain["places"] = [one.to_json() for one in told]
    print(line(plain) if args.json else text(plain))
    for one in () if args.json else told:
        print(f"  {one.words}")
    lost = sight.camera if isinstance(sight.camera, TableLost) else None
    if lost is not None and lost.fault and (sight.empty or lost.fault == "mirrored"):
        raise BadInput(place, "", fault_advice(lost))
    if sight.empty:
        raise BadInput(place, "", EMPTY)
    if isinstance(sight.camera, TablePose):
        keep(args, setup, like, sight.trays, sight.camera, frame.picture)
    elif args.table is not None or args.overlay is not None:
        raise BadInput(place, "", f"no table to write: {sight.camera.reason}")
    return 0


def explain(
    frame: CameraFrame, setup: Setup, sight: TableLook, target: Path
) -> tuple[ExplainedTag, ...]:
    """Why each tag was found or not, also drawn onto the picture."""
    import numpy as np
    from PIL import Image

    from companion.overlay.photo_overlay import draw_explained
    from companion.vision.explain import explained

    told = explained(frame.grey(), setup, sight)
    photo = Image.fromarray(np.ascontiguousarray(frame.picture[..., ::-1]))
    outlines = [
        ([(float(x), float(y)) for x, y in one.corners_px], one.role, one.short)
        for one in told
        if one.corners_px is not None
    ]
    data = io.BytesIO()
    draw_explained(photo, outlines).save(data, "PNG")
    atomic_write.write_bytes(target, data.getvalue())
    return told


def fault_advice(lost: TableLost) -> str:
    """What is wrong with a picture, and with which option it is mended."""
    if lost.fault != "mirrored":
        return lost.reason
    return f"{lost.reason} with --mirrored; calibrate table --mirrored writes it into the set-up"


def look_at_stream(args: argparse.Namespace, setup: Setup, like: AnyTable | None) -> int:
    """Analyse the images as one stream; a video that breaks off ends with what was seen."""
    from calibration.references.table_lost import TableLost
    from calibration.references.table_pose import TablePose
    from companion.vision.sources.frame_sources import Camera, VideoFile, open_source
    from companion.vision.sources.stream_address import masked
    from companion.vision.track.table_tracker import TableTracker, TrackedView

    follower: TableTracker | None = None
    last: TrackedView | None = None
    seen: tuple[TrackedView, CameraFrame] | None = None
    status = 0
    for number, place in enumerate(args.pictures):
        source = open_source(place)
        follower = follower or TableTracker(setup, source.still)
        try:
            for frame in stream(source, number):
                frame = frame.turned_back(setup.mirrored)
                last = follower.see(frame)
                plain = last.to_json(setup) | board_answers(last.live, like)
                print(line(plain) if args.json else text(plain), flush=isinstance(source, Camera))
                if last.held_s is None:
                    seen = (last, frame)
        finally:
            source.close()
        if isinstance(source, VideoFile) and source.problem:
            complain(f"{place}: {source.problem}")
    if last is None or seen is None:
        where = ", ".join(map(masked, args.pictures))
        if last is None:
            raise BadInput(where, "", "holds no frame")
        lost = last.camera
        if isinstance(lost, TableLost) and lost.fault:
            raise BadInput(where, "", fault_advice(lost))
        raise BadInput(where, "", "no table was seen")
    view, frame = seen
    if isinstance(view.camera, TablePose):
        keep(args, setup, like, view.live, view.camera, frame.picture)
    return status


def stream(source: Source, number: int) -> Iterator[CameraFrame]:
    """The frames of one source; gaps are reported on stderr, and later sources continue in time."""
    from companion.vision.sources.frame import MIN_SIDE_PX, Gap
    from companion.vision.sources.safe_source import frame_problem

    while (taken := source.read()) is not None:
        if isinstance(taken, Gap):
            complain(taken.why)
            pause(0.2)
            continue
        problem = frame_problem(taken)
        if problem or min(taken.size) < MIN_SIDE_PX:
            size = f"is only {taken.size[0]} x {taken.size[1]} pixels: too small to see a table"
            complain(f"{taken.name}: {problem or size}")
            continue
        yield replace(taken, time_s=taken.time_s + number) if number else taken


def pause(seconds: float) -> None:
    """Wait a moment for a camera to come back."""
    import time

    time.sleep(seconds)


def keep(
    args: argparse.Namespace,
    setup: Setup,
    like: AnyTable | None,
    trays: tuple[TrayFit, ...],
    camera: TablePose,
    picture: Picture,
) -> None:
    """Write the requested files: the table, and the image with the answers drawn on it."""
    if args.table is None and args.overlay is None:
        return
    from companion.vision.look import unknown_values

    table = found_table(trays, setup, like)
    for problem in unknown_values(trays, like):
        complain(problem)
    if args.table is not None:
        atomic_write.write_text(args.table, table.text())
    if args.overlay is not None:
        draw(table, camera, picture, args.overlay, args.unit)


def found_table(trays: Iterable[TrayFit], setup: Setup, like: AnyTable | None) -> AnyTable:
    """What was seen as a table of the kind that the players named."""
    from companion.vision.look import seen_board, seen_table

    if isinstance(like, BoardTable):
        return seen_board(trays, like)
    return seen_table(trays, setup, like)


def board_answers(trays: Iterable[TrayFit], like: AnyTable | None) -> dict[str, Any]:
    """Which cells the pieces of a board stand on with their chances; `asks` are not certain."""
    from companion.geometry.grid.placing import likely_cells
    from companion.vision.look import seen_board

    if not isinstance(like, BoardTable):
        return {}
    table = seen_board(trays, like)
    game = games.find(like.game)
    told: dict[str, Any] = {}
    try:
        cells = game.cells(table, game.settings())
    except CompanionError as error:
        told["impossible"] = str(error)
        cells = {piece.id: likely_cells(table.board, piece) for piece in table.pieces}
    pieces = [
        {
            **piece.to_json(),
            "cells": {
                cell_text(cell): round(chance, 4) for cell, chance in cells[piece.id].items()
            },
        }
        for piece in table.pieces
    ]
    asks = [piece["id"] for piece in pieces if len(piece["cells"]) != 1]
    return {"pieces": pieces, "asks": asks, **told}


def draw(
    table: AnyTable, camera: TablePose, picture: Picture, target: Path, unit: str | None = None
) -> None:
    """Draw the game's answers onto the image."""
    import numpy as np
    from PIL import Image

    from companion.overlay.photo_overlay import onto_photo
    from companion.overlay.shapes import in_words

    def to_pixels(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        level = np.array([(x, y, 0.0) for x, y in points])
        return [(float(x), float(y)) for x, y in camera.pixels(level)]

    scene = in_words(games.find(table.game).scene(table, unit), translate)
    photo = Image.fromarray(np.ascontiguousarray(picture[..., ::-1]))
    drawn = onto_photo(photo, scene, to_pixels)
    data = io.BytesIO()
    drawn.save(data, "PNG")
    atomic_write.write_bytes(target, data.getvalue())


@dataclass(frozen=True, slots=True, eq=False)
class PracticeRun:
    """A practice run: the table as seen in the rendered photo, with the image and the camera."""

    table: AnyTable
    missing: tuple[str, ...]
    photo: Path
    overlay: Path


def practice_run(table: AnyTable, folder: Path, stem: str, unit: str | None = None) -> PracticeRun:
    """The whole chain: render the table as a camera would see it, detect it, draw the answers.

    The photo, its set-up and the photo with the answers are written to the folder.
    """
    from calibration.tags.mounts import mount, surely
    from companion.practice.camera import PracticeCamera
    from companion.practice.game_table import board_scene
    from companion.practice.random_table import standard_view, tagged_table

    if isinstance(table, BoardTable):
        scene = board_scene(table, seed=1)
        camera = PracticeCamera(scene.setup, scene.view, board=scene.board)
        return seen_again(camera, scene.table, scene.pieces, folder, stem, unit)
    try:
        setup = tagged_table(table)
    except ValueError as error:
        raise CompanionError(str(error)) from None
    # Small stands: a tab behind a tray that faces the camera is hidden by the tray's own models.
    trays = tuple(
        replace(tray, tags=surely(mount("standard", tray.tray, (tray.tags[0].id,), TAG_MM)))
        for tray in setup.trays
    )
    setup = replace(setup, trays=trays)
    camera = PracticeCamera(setup, standard_view(table.width))
    return seen_again(camera, table, table, folder, stem, unit)


def seen_again(
    camera: PracticeCamera,
    shown: Table,
    like: AnyTable,
    folder: Path,
    stem: str,
    unit: str | None,
) -> PracticeRun:
    """Render, write, look at the photo, and draw the answers on it."""
    from calibration.references.table_pose import TablePose
    from companion.vision import look as looking
    from companion.vision.sources.frame import CameraFrame, encoded

    setup = camera.setup
    picture, _ = camera.frame(shown)
    photo, overlay = folder / f"{stem}.photo.jpg", folder / f"{stem}.answers.png"
    atomic_write.write_bytes(photo, encoded(picture))
    setup.save(folder / f"{stem}.setup.toml")
    sight = looking.look(CameraFrame(picture, name=str(photo)), setup, thorough=True)
    if not isinstance(sight.camera, TablePose):
        raise BadInput(str(photo), "", f"no table was seen: {sight.camera.reason}")
    seen = found_table(sight.trays, setup, like)
    draw(seen, sight.camera, picture, overlay, unit)
    return PracticeRun(seen, sight.missing, photo, overlay)


def line(plain: dict[str, Any]) -> str:
    """One answer as one line of JSON."""
    return json.dumps(plain, allow_nan=False)


def text(plain: dict[str, Any]) -> str:
    camera = plain["camera"]
    if camera is None:
        lines = [f"{plain['picture']}: no table"]
    else:
        x, y, up = camera["position"]
        lines = [
            f"{plain['picture']}: camera {up:.1f}″ above ({x:.1f}, {y:.1f}), "
            f"{len(camera['references'])} references, {camera['reprojection_px']:.2f} px, "
            f"lens {camera['lens']}"
        ]
    for piece in plain.get("pieces", ()):
        chances = [f"{cell} ({chance:.0%})" for cell, chance in piece["cells"].items()]
        if len(chances) == 1:
            lines.append(f"  {piece['id']:<6} on {next(iter(piece['cells']))}")
        else:
            between = " or ".join(chances) or "no cell of the board"
            lines.append(f"  {piece['id']:<6} on {between}: where does it stand?")
    if "impossible" in plain:
        lines.append(f"  problem: {plain['impossible']}")
    for tray in plain["trays"] if "pieces" not in plain else ():
        sigma = tray["sigma"]
        state = f"  {tray['state']}" if "state" in tray else ""
        lines.append(
            f"  {tray['unit']:<6} ({tray['x']:6.2f}, {tray['y']:6.2f})"
            f" facing {tray['heading']:5.1f}°"
            f"  ±{sigma['xy']:.3f}″ ±{sigma['heading']:.2f}°{state}"
        )
    if plain["missing"]:
        lines.append(f"  missing: {', '.join(plain['missing'])}")
    lines += [f"  problem: {problem}" for problem in plain["problems"]]
    return "\n".join(lines)
