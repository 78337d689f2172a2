"""The command `practice`: frames, a video or a live stream of a simulated table."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from models import atomic_write
from models.board_table import BoardTable
from models.field import shown
from models.message import BadInput, CompanionError
from models.table import load_table

if TYPE_CHECKING:
    from companion.cli.look import LookCommands
    from companion.practice.camera import PracticeCamera
    from companion.practice.random_table import PracticeTable
    from companion.practice.sensor import PictureStyle

DEFAULT_PORT = 8095


class BadPractice(CompanionError):
    """Options of `practice` that cannot be rendered."""


def add_commands(commands: LookCommands) -> None:
    what = "pictures of a table that is not there, to try everything on"
    added = commands.add_parser("practice", help=what, description=what, allow_abbrev=False)
    added.add_argument(
        "table", nargs="?", type=Path, metavar="TABLE", help="render this table file"
    )
    added.add_argument("--setup", type=Path, metavar="FILE", help="camera and tags to render with")
    added.add_argument("--out", type=Path, default=Path("out"), metavar="FOLDER")
    added.add_argument("--frames", type=int, default=1, metavar="N", help="pictures to write")
    added.add_argument("--video", type=Path, metavar="OUT", help="write a video (.avi or .mp4)")
    added.add_argument(
        "--stream",
        type=int,
        nargs="?",
        const=DEFAULT_PORT,
        metavar="PORT",
        help=f"show it live on this machine (port {DEFAULT_PORT})",
    )
    added.add_argument(
        "--game",
        default="",
        metavar="GAME",
        help="with --stream: the practice table of this game, its pieces moved by typed lines",
    )
    added.add_argument("--seconds", type=float, metavar="S", help="length of video or stream")
    added.add_argument("--fps", type=float, default=10.0, metavar="N")
    added.add_argument("--size", default="1920x1080", metavar="WxH")
    added.add_argument("--look", default="standard", metavar="NAME", help="light and camera")
    added.add_argument("--seed", type=int, default=1, metavar="N")
    added.add_argument("--trays", type=int, default=12, metavar="N")
    added.add_argument("--tags", type=int, choices=(1, 2), default=1, help="tags per tray")
    added.add_argument("--up", type=float, default=0.0, metavar="MM", help="height of the tags")
    added.add_argument("--board", type=int, metavar="N", help="write N photos of the lens board")
    added.set_defaults(run=practice)


def practice(args: argparse.Namespace) -> int:
    """Render what was requested."""
    size = read_size(args.size)
    for name, low, high in (
        ("frames", 1, 100_000),
        ("fps", 0.1, 120),
        ("seconds", 0.1, 36_000),
        ("board", 1, 200),
        ("up", 0, 100),
        ("seed", 0, 2**31),
    ):
        value = getattr(args, name)
        if value is not None and not low <= value <= high:
            raise BadPractice(f"--{name}: {shown(value)} is outside {low:g} to {high:g}")
    if args.board is not None:
        return board_photos(args, size)
    if args.game:
        from companion.cli.practice_stream import game_stream

        if args.stream is None:
            raise BadPractice("--game: the table of a game is shown with --stream")
        make_folder(args.out)
        return game_stream(args, size)
    scene = scene_of(args, size)
    if args.stream is not None:
        return stream(args, scene)
    if args.video is not None:
        return video(args, scene)
    return pictures(args, scene)


def read_size(text: str) -> tuple[int, int]:
    """Parse `1920x1080` into width and height."""
    found = re.fullmatch(r"(\d{2,5})[xX](\d{2,5})", text)
    if found is None or not all(64 <= int(side) <= 8192 for side in found.groups()):
        raise BadPractice(f"--size: {text!r} is not like 1920x1080")
    return int(found[1]), int(found[2])


def scene_of(args: argparse.Namespace, size: tuple[int, int]) -> PracticeTable:
    """The table to render: from a file, or generated from the seed."""
    from companion.practice import random_table as scenes
    from companion.practice.game_table import board_scene

    if args.table is None:
        try:
            up = args.up / 25.4
            scene = scenes.standard_scene(args.seed, args.trays, args.tags, up=up, size=size)
        except ValueError as error:
            raise BadPractice(str(error)) from None
    else:
        table = load_table(args.table)
        if isinstance(table, BoardTable):
            return on_setup(board_scene(table, scenes.standard_lens(size), seed=args.seed), args)
        try:
            lens, up = scenes.standard_lens(size), args.up / 25.4
            setup = scenes.tagged_table(table, lens, tags=args.tags, up=up)
        except ValueError as error:
            raise BadInput(str(args.table), "units", str(error)) from None
        scene = scenes.PracticeTable(table, setup, scenes.standard_view(table.width))
    return on_setup(scene, args)


def on_setup(scene: PracticeTable, args: argparse.Namespace) -> PracticeTable:
    """The scene with the camera and the tags of the set-up file, if one is named."""
    from calibration.setup import Setup
    from companion.practice.random_table import standard_lens

    if args.setup is None:
        return scene
    setup = Setup.load(args.setup)
    if setup.lens is None:
        setup = setup.with_lens(standard_lens(read_size(args.size)))
    return replace(scene, setup=setup)


def on_board(scene: PracticeTable) -> BoardTable | None:
    from companion.practice.game_table import BoardScene

    return scene.pieces if isinstance(scene, BoardScene) else None


def camera_of(scene: PracticeTable, look: PictureStyle) -> PracticeCamera:
    """The camera over the scene."""
    from companion.practice.camera import PracticeCamera

    table = on_board(scene)
    return PracticeCamera(scene.setup, scene.view, look, table.board if table else None)


def pictures(args: argparse.Namespace, scene: PracticeTable) -> int:
    """Write frames with the true tables beside them, and the set-up used to render them."""
    import cv2

    from companion.practice.film import Film
    from companion.practice.sensor import look_named

    look = replace(look_named(args.look), seed=args.seed)
    camera = camera_of(scene, look)
    make_folder(args.out)
    setup = args.out / "practice.setup.toml"
    scene.setup.save(setup)
    film = Film(scene.table, args.seed, still=on_board(scene) is not None)
    for number in range(args.frames):
        moment = film.at(number / args.fps)
        picture, truth = camera.frame(moment.table, moment.motions, moment.hands, number)
        name = f"practice-{number + 1:04d}" if args.frames > 1 else "practice"
        _, data = cv2.imencode(".png", picture)
        atomic_write.write_bytes(args.out / f"{name}.png", bytes(data))
        shown = on_board(scene) or truth.table
        atomic_write.write_text(args.out / f"{name}.table.json", shown.text())
        print(args.out / f"{name}.png")
    print(setup)
    return 0


def board_photos(args: argparse.Namespace, size: tuple[int, int]) -> int:
    """Write photos of the calibration board."""
    import cv2

    from companion.practice.random_table import standard_lens
    from companion.practice.sensor import look_named
    from companion.practice.workbench import board_photo, board_views

    lens = standard_lens(size)
    look = replace(look_named(args.look), seed=args.seed)
    make_folder(args.out)
    for number, view in enumerate(board_views(lens, args.board, args.seed)):
        _, data = cv2.imencode(".png", board_photo(lens, view, look, number))
        path = args.out / f"board-{number + 1:02d}.png"
        atomic_write.write_bytes(path, bytes(data))
        print(path)
    return 0


def video(args: argparse.Namespace, scene: PracticeTable) -> int:
    """Write a video of units being moved."""
    import cv2

    from companion.practice.film import Film
    from companion.practice.sensor import look_named

    code = {".avi": "MJPG", ".mp4": "mp4v"}.get(args.video.suffix.lower())
    if code is None:
        raise BadPractice(f"{args.video}: {args.video.suffix!r} is neither .avi nor .mp4")
    make_folder(args.video.parent)
    look = replace(look_named(args.look), seed=args.seed, jpeg=0)
    camera = camera_of(scene, look)
    with atomic_write.replacing(args.video) as part:
        fourcc = cv2.VideoWriter.fourcc(*code)
        writer = cv2.VideoWriter(str(part), fourcc, args.fps, camera.lens.size)
        if not writer.isOpened():
            raise BadInput(str(args.video), "", "cannot be written")
        count = 0
        try:
            film = Film(scene.table, args.seed, still=on_board(scene) is not None)
            for picture, _ in film.frames(camera, args.fps, args.seconds or 14.0):
                writer.write(picture)
                count += 1
        finally:
            writer.release()
        # OpenCV reports no error when the disk is full: only reading the video back shows it.
        if frames_in(part) != count:
            raise BadInput(str(args.video), "", "cannot be written: the video is not complete")
    setup = args.video.with_suffix(".setup.toml")
    scene.setup.save(setup)
    print(args.video)
    print(setup)
    return 0


def frames_in(path: Path) -> int:
    """The number of readable frames in a video."""
    import cv2

    video = cv2.VideoCapture(str(path))
    count = 0
    while video.grab():
        count += 1
    video.release()
    return count


def stream(args: argparse.Namespace, scene: PracticeTable) -> int:
    """Stream the table live until interrupted."""
    from companion.practice.film import Film
    from companion.practice.sensor import look_named
    from companion.practice.stream import Broadcast, paced, serve

    look = replace(look_named(args.look), seed=args.seed, jpeg=0)
    camera = camera_of(scene, look)
    make_folder(args.out)
    setup = args.out / "practice.setup.toml"
    scene.setup.save(setup)
    broadcast, film = Broadcast(), Film(scene.table, args.seed, still=on_board(scene) is not None)
    broadcast.show(camera.frame(scene.table)[0], scene.table)
    server = serve(broadcast, args.stream)
    address = f"http://127.0.0.1:{server.server_port}"
    print(f"{address}/stream.mjpg", flush=True)
    print(setup, flush=True)
    try:
        for number, time_s in enumerate(paced(1 / args.fps)):
            if args.seconds is not None and time_s > args.seconds:
                break
            moment = film.at(time_s)
            picture, truth = camera.frame(moment.table, moment.motions, moment.hands, number)
            broadcast.show(picture, truth.table)
    finally:
        broadcast.end()
        server.shutdown()
        server.server_close()
    return 0


def make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(str(path), "", f"cannot be made: {error.strerror or error}") from None
