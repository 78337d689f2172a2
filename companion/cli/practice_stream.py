"""`companion practice --game GAME --stream`: the practice table of a game as a network camera, laid
as players lay it; typed lines move its pieces.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from calibration.camera.viewpoint import Viewpoint
from companion.engine.camera.game_source import BoardSource
from companion.engine.camera.practice_source import PracticeSource
from companion.library.kept_game import begin_practice
from companion.practice.game_table import BoardScene
from companion.practice.laid_table import known_setup, laid_board, laid_trays
from companion.practice.random_table import PracticeTable
from companion.practice.stream import Broadcast, serve
from companion.session.session import Session
from companion.vision.sources.frame import CameraFrame
from models.board import parse_cell
from models.board_table import BoardTable
from models.message import CompanionError
from models.pose import Pose
from models.table import AnyTable, Table

HELP = (
    "Type what a hand does: PIECE 4,3 (to a space), PIECE X Y [HEADING] (inches, degrees), "
    "PIECE off, camera DX DY DZ (push the camera, inches)."
)


class BadHand(CompanionError):
    """A typed line that no hand can carry out."""


def game_stream(args: argparse.Namespace, size: tuple[int, int]) -> int:
    """Stream the table until the time is over or the program is interrupted."""
    scene = game_scene(args.game, size)
    source = source_of(scene)
    source.fps = args.fps
    setup = args.out / "practice.setup.toml"
    known_setup(scene).save(setup)
    broadcast = Broadcast(f"{HELP}\n{pieces_text(scene)}")
    server = serve(broadcast, args.stream)
    print(f"http://127.0.0.1:{server.server_port}/stream.mjpg", flush=True)
    print(setup, flush=True)
    if sys.stdin.isatty():
        print(HELP, pieces_text(scene), sep="\n", flush=True)
    threading.Thread(target=hear, args=(source, scene, sys.stdin), daemon=True).start()
    start = time.monotonic()
    try:
        while args.seconds is None or time.monotonic() - start < args.seconds:
            taken = source.read()
            if isinstance(taken, CameraFrame):
                broadcast.show(taken.picture, source.table)
    finally:
        broadcast.end()
        server.shutdown()
        server.server_close()
    return 0


def game_scene(game: str, size: tuple[int, int]) -> PracticeTable:
    """The practice table of a game under a camera."""
    table = practice_table(game)
    if isinstance(table, BoardTable):
        return laid_board(table, size)
    return laid_trays(table, size)


def practice_table(game: str) -> AnyTable:
    """The table on which the practice game of a game begins."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "practice.game"
        with Session.open(path) as session:
            begin_practice(session, game, path)
            here = session.history.now
            table = here.play.moment(here.state).table if here.play is not None else None
    if not isinstance(table, Table | BoardTable):
        raise BadHand(f"{game} is not played on a table")
    return table


def source_of(scene: PracticeTable) -> PracticeSource:
    """The scene as pictures."""
    if isinstance(scene, BoardScene):
        return BoardSource(scene.table, scene.setup, scene=scene)
    return PracticeSource(scene.table, scene.setup)


def hear(source: PracticeSource, scene: PracticeTable, typed: Iterable[str]) -> None:
    """Do what each line says; what cannot be done is told."""
    view = scene.view
    for line in typed:
        words = line.split()
        if not words:
            continue
        try:
            if words[0] == "camera":
                view = pushed(view, [float(word) for word in words[1:]])
                source.look_from(view)
            else:
                carry(source, scene, words[0], words[1:])
        except (CompanionError, ValueError) as error:
            print(f"{line.strip()}: {error}. {HELP}", file=sys.stderr, flush=True)


def pieces_text(scene: PracticeTable) -> str:
    """The pieces of a table as they are called in typed lines."""
    return "Pieces: " + ", ".join(f"{one.id} ({one.name})" for one in scene.table.units)


def pushed(view: Viewpoint, by: list[float]) -> Viewpoint:
    """The camera a little aside."""
    if len(by) != 3:
        raise BadHand("the camera is pushed by three numbers")
    x, y, z = (float(value) + step for value, step in zip(view.position, by, strict=True))
    return Viewpoint.of(np.array([x, y, z]), view.rotation)


def carry(source: PracticeSource, scene: PracticeTable, piece: str, words: list[str]) -> None:
    """A hand carries a piece to a space or to a place, takes it off, or puts it down again."""
    if piece not in scene.table:
        raise BadHand(f"{piece} does not stand on the table. {pieces_text(scene)}")
    unit = (source.table if piece in source.table else scene.table).unit(piece)
    if words == ["off"]:
        source.remove(piece)
    elif isinstance(scene, BoardScene) and len(words) == 1:
        size = scene.pieces.piece(piece).size
        x, y = scene.board.middle(parse_cell(words[0]), size)
        source.put(unit.at(Pose(x, y, unit.pose.heading)))
    elif len(words) in (2, 3):
        x, y, heading = (*(float(word) for word in words), unit.pose.heading)[:3]
        source.put(unit.at(Pose(x, y, heading)))
    else:
        raise BadHand("where to?")
