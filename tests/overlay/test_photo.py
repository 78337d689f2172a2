"""Answers on a photo: where they are drawn, and what they must not cover."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image

from companion.overlay.board_shapes import board_scene
from companion.overlay.photo_overlay import LARGEST_PX, followed, hidden, onto_photo, stepped
from companion.overlay.shapes import Circle, Label, Polygon, Polyline, Style, TableScene
from models.board import Board
from models.board_table import BoardTable

GREY = Image.new("RGB", (480, 480), (120, 120, 120))


def ten_px_per_inch(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(10 * x, 480 - 10 * y) for x, y in points]


def changed(scene: TableScene) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    drawn = onto_photo(GREY, scene, ten_px_per_inch)
    assert drawn.size == GREY.size
    return np.asarray(np.abs(np.asarray(drawn).astype(int) - 120).max(axis=2) > 12)


def test_an_empty_scene_leaves_the_photo_as_it_is() -> None:
    assert not changed(TableScene(48, 48)).any()


def test_a_tray_is_outlined_where_it_stands_and_not_covered() -> None:
    tray = Polygon(((10, 10), (20, 10), (20, 16), (10, 16)), Style("tray", "blue"))
    mask = changed(TableScene(48, 48, ("blue",), shapes=(tray,)))
    assert mask[475 - 160 : 485 - 160, 100:200].any()
    assert mask[475 - 100 : 485 - 100, 100:200].any()
    assert not mask[480 - 150 : 480 - 110, 115:185].any()
    assert not mask[:200].any()


def test_what_the_photo_shows_is_not_drawn_again() -> None:
    square = ((10.0, 10.0), (20.0, 10.0), (20.0, 16.0), (10.0, 16.0))
    shapes = (
        Polygon(square, Style("terrain-wood")),
        Circle((30, 30), 0.5, Style("model", "red")),
        Polygon(square, Style("deployment", "red")),
    )
    assert not changed(TableScene(48, 48, ("red",), shapes=shapes)).any()


def test_lines_get_corners_enough_to_bend() -> None:
    assert len(stepped([(0, 0), (10, 0)])) == 11
    closed = stepped([(0, 0), (2, 0), (2, 2)], closed=True)
    assert closed[0] == (0, 0)
    assert closed[-1] != (0, 0)
    way = followed(Polyline(((0, 0), (0, 5)), Style("attack-path", "blue"), arrow=True))
    assert isinstance(way, Polyline)
    assert way.arrow
    assert len(way.points) == 6
    ring = followed(Circle((5, 5), 1, Style("token")))
    assert isinstance(ring, Polygon)
    label = followed(Label("x", ((1, 1),), Style("tray"), room_in=(2, 1), tilt_deg=30))
    assert isinstance(label, Label)
    assert label.room_in is None


def test_large_photos_are_reduced() -> None:
    large = Image.new("RGB", (4800, 2400), (120, 120, 120))
    drawn = onto_photo(large, TableScene(48, 48), ten_px_per_inch)
    assert drawn.size == (LARGEST_PX, LARGEST_PX // 2)


@pytest.mark.rule("BOW-FIR-1")
def test_fires_are_drawn_on_the_photo_and_the_ground_is_not() -> None:
    board = Board("hex", 3, 3, 1.0, ground={(1, 1): ("forest", "fire-2")})
    shapes = board_scene(BoardTable("westeros", board, ())).shapes
    shown = [one.style.role for one in shapes if not hidden(one)]
    assert shown.count("ground-flame") == 2
    assert not any(role in ("ground-forest", "ground-fire-2") for role in shown)
