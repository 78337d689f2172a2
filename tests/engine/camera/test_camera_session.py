"""Trays on their way: the picture does not outline them where they no longer stand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from calibration.references.table_pose import TablePose
from companion.engine.camera.camera_session import CameraSession, remembered, unseen
from companion.engine.camera.practice_source import practice_setup
from companion.engine.drawing.overlay_cache import OverlayCache, badged_board_of
from companion.engine.snapshot import CameraView
from companion.games.tmg.play import practice_game
from companion.practice.random_table import standard_view
from companion.vision.track.table_tracker import TrackedTray
from models import Table
from models.board import Board
from models.board_table import BoardPiece, BoardTable

NO_CORNERS = np.zeros(0, np.int64)
TABLE = Table.load(practice_game.TABLE)


def seeing(*trays: tuple[str, str, float, float], sight: str = "live") -> CameraSession:
    """A camera that sees trays: unit, condition, since when, how far ahead of the game's place."""
    session = CameraSession(print)
    standings = []
    for unit, condition, since_s, ahead in trays:
        pose = TABLE.unit(unit).pose
        fit: Any = SimpleNamespace(pose=replace(pose, y=pose.y + ahead))
        known: Any = condition
        standings.append(TrackedTray(unit, known, since_s, fit, 10.0))
    live: Any = {"sight": sight, "standings": tuple(standings)}
    camera_worker: Any = SimpleNamespace(live=CameraView(**live))
    session.camera_worker = camera_worker
    return session


@pytest.mark.parametrize(
    ("condition", "since_s", "ahead", "away"),
    [
        ("moving", 1.0, 3.0, True),
        ("moving", 1.0, 0.5, False),
        ("settled", 9.5, 3.0, True),
        ("settled", 5.0, 3.0, False),
        ("hidden", 9.5, 3.0, False),
        ("gone", 9.5, 3.0, False),
    ],
)
def test_a_tray_on_its_way_is_displaced(
    condition: str, since_s: float, ahead: float, away: bool
) -> None:
    session = seeing(("b2", condition, since_s, ahead), ("b7", "settled", 1.0, 0.0))
    assert session.displaced(TABLE) == ({"b2"} if away else set())


def test_a_lost_camera_displaces_nothing() -> None:
    assert seeing(("b2", "moving", 1.0, 3.0), sight="lost").displaced(TABLE) == set()
    assert seeing(("b2", "moving", 1.0, 3.0)).displaced(None) == set()


def test_the_picture_outlines_no_displaced_tray_and_the_map_does() -> None:
    setup = practice_setup(TABLE)
    assert setup.lens is not None
    camera = TablePose(standard_view(TABLE.width), setup.lens, np.zeros((15, 15)), (), (), 0.1)
    cache = OverlayCache(lambda _: (np.zeros((0, 2), np.float32), NO_CORNERS), badged_board_of)
    cache.set_table(TABLE, None)
    above, whole = cache.drawn(None, camera)
    cache.displace(frozenset({"b2"}))
    still, fewer = cache.drawn(None, camera)
    assert whole is not None
    assert fewer is not None
    assert still is above
    assert sum(len(one.vertices) for one in fewer.batches) < sum(
        len(one.vertices) for one in whole.batches
    )
    cache.displace(frozenset())
    again = cache.drawn(None, camera)[1]
    assert again is not None
    assert len(again.batches) == len(whole.batches)


def test_a_tray_hidden_for_a_moment_is_not_called_remembered() -> None:
    live = seeing(("b2", "hidden", 9.0, 0.0), ("b7", "settled", 1.0, 0.0)).live
    hidden, seen = live.standings
    for last_s, told in ((9.0, {}), (6.0, {"b2": "4 s"})):
        shown = replace(live, standings=(replace(hidden, seen_s=last_s), seen))
        assert unseen(shown, TABLE) == told


def test_a_piece_of_a_board_that_is_hidden_is_marked_where_it_stood() -> None:
    board = BoardTable(
        "tactics", Board("square", 6, 6, 1.25), (BoardPiece("b2", "blue", cell=(2, 2), size=2),)
    )
    live = seeing(("b2", "hidden", 5.0, 0.0), ("b7", "settled", 10.0, 0.0)).live
    hidden, seen = live.standings
    live = replace(live, standings=(replace(hidden, seen_s=5.0), seen))
    ages = unseen(live, board)
    assert ages == {"b2": "5 s"}
    assert [one.about for one in remembered(board, ages).shapes] == [("b2",), ("b2",)]
    assert unseen(replace(live, sight="lost"), board) == {"b2": ""}
