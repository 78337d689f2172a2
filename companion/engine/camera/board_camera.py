"""Where a board lies: under the open camera, or alone on the map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.engine.camera.board_source import BoardSource, board_source
from companion.engine.camera.camera_session import CameraSession
from companion.engine.game_view import GameView
from companion.overlay.footprints import fitted
from companion.practice.board_table import laid
from models.board_table import BoardTable


def under_camera(
    camera_session: CameraSession,
    table: BoardTable,
    view: GameView | None,
    practice: bool,
    room: tuple[float, float],
    tags: Mapping[str, int],
) -> BoardTable:
    """The table with its board where the camera sees it; without one it fills the map's room.

    In a practice game the virtual camera is opened as soon as every piece stands on the board, and
    its pieces follow the game; `tags` are those that the players gave them.
    """
    source = camera_session.practice_source
    pieces = view.pieces if view is not None else ()
    ready = bool(table.pieces) and all(one.state == "lost" or one.id in table for one in pieces)
    if practice and camera_session.camera_worker is None and ready:
        source = board_source(table, tags)
        camera_session.open(source, source.setup)
    if isinstance(source, BoardSource):
        source.place_pieces(table)
        assert source.scene is not None
        return replace(table, board=replace(table.board, at=source.scene.board.at, turn=0.0))
    if camera_session.camera_worker is None:
        return fitted(table, room)
    return replace(table, board=laid(table.board))
