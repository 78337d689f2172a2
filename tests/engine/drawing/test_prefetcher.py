"""Drawing ahead: it holds still while an answer is made, and nothing old comes among the new."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calibration.references.table_pose import TablePose
from companion.app.render.mesh_renderer import triangulate
from companion.engine.camera.practice_source import FRAME_SIZE
from companion.engine.drawing.overlay_cache import OverlayCache, ScreenSize, answers_of
from companion.engine.drawing.vertex_batches import VertexBatches
from companion.engine.threads import Checkpoint, Prefetcher, go_on
from companion.games.tmg.play.practice_game import TABLE
from companion.overlay.shapes import TableScene
from companion.practice.random_table import standard_lens, standard_view
from models import Table
from models.table import AnyTable


def until(good: Callable[[], object]) -> None:
    end = time.monotonic() + 10
    while not good():
        assert time.monotonic() < end, "not within ten seconds"
        time.sleep(0.002)


@pytest.fixture
def quiet() -> threading.Event:
    found = threading.Event()
    found.set()
    return found


@pytest.fixture
def foresight(quiet: threading.Event) -> Iterator[Prefetcher]:
    made = Prefetcher(quiet)
    made.start()
    yield made
    made.close()
    assert not made.left


def test_it_holds_still_while_an_answer_is_made(
    foresight: Prefetcher, quiet: threading.Event
) -> None:
    strokes: list[int] = []

    def endless(checkpoint: Checkpoint) -> None:
        while True:
            strokes.append(1)
            time.sleep(0.001)
            checkpoint()

    foresight.plan([endless])
    until(lambda: len(strokes) > 3)
    quiet.clear()
    time.sleep(0.05)
    drawn = len(strokes)
    time.sleep(0.1)
    assert len(strokes) == drawn
    quiet.set()
    until(lambda: len(strokes) > drawn + 3)


def test_another_plan_ends_what_was_begun(foresight: Prefetcher) -> None:
    begun, drawn = threading.Event(), threading.Event()

    def endless(checkpoint: Checkpoint) -> None:
        begun.set()
        while True:
            time.sleep(0.001)
            checkpoint()

    foresight.plan([endless, endless])
    assert begun.wait(10)
    assert foresight.left == 2
    foresight.plan([lambda _: drawn.set()])
    assert drawn.wait(10)
    until(lambda: not foresight.left)


def test_what_cannot_be_drawn_does_not_end_the_rest(
    foresight: Prefetcher, caplog: pytest.LogCaptureFixture
) -> None:
    drawn = threading.Event()

    def broken(_: Checkpoint) -> None:
        raise ValueError("no such shape")

    foresight.plan([broken, lambda _: drawn.set()])
    assert drawn.wait(10)
    assert "no such shape" in caplog.text


# -- the cache ------------------------------------------------------------------------------------


def camera_over(table: Table) -> TablePose:
    lens = standard_lens(FRAME_SIZE)
    return TablePose(standard_view(table.width), lens, np.zeros((6, 6)), (), (), 0.1)


def test_what_was_begun_for_another_table_is_nobodys_answer() -> None:
    table = Table.load(TABLE)
    pose = table.unit("b2").pose
    moved = table.moved("b2", replace(pose, y=pose.y + 1))
    cache = OverlayCache(triangulate)

    def draw(on: AnyTable, unit: str | None, readings: Any, whole: bool) -> TableScene:
        if on is table:
            cache.set_table(moved, None)  # while it is being drawn
        return answers_of(on, unit, readings, whole)

    cache._draw = draw
    cache.set_table(table, None)
    cache.foresee("b2", go_on)
    assert cache.prefetched("b2") == (None, None)
    assert not cache.knows("b2")
    cache.foresee("b2", go_on)
    assert cache.prefetched("b2")[0] is not None


def same(one: VertexBatches | None, other: VertexBatches | None) -> bool:
    assert one is not None
    assert other is not None
    return one.words == other.words and all(
        np.array_equal(a.vertices, b.vertices) and np.array_equal(a.indices, b.indices)
        for a, b in zip(one.batches, other.batches, strict=True)
    )


@pytest.mark.slow
def test_a_picture_with_kept_figures_is_the_picture_drawn_from_nothing() -> None:
    table = Table.load(TABLE)
    camera, screen = camera_over(table), ScreenSize(14.0, (860.0, 483.8), 0.9)
    cache = OverlayCache(triangulate)
    cache.resize(screen)
    for unit, dy in ((None, 0.0), ("b2", 0.0), ("b2", 1.0), ("r3", 1.0), ("b2", 0.0)):
        pose = table.unit("b2").pose
        now = table.moved("b2", replace(pose, y=pose.y + dy))
        cache.set_table(now, None)
        fresh = OverlayCache(triangulate)
        fresh.resize(screen)
        fresh.set_table(now, None)
        for ours, theirs in zip(
            cache.sketch(unit, camera), fresh.sketch(unit, camera), strict=True
        ):
            assert same(ours, theirs)
        for ours, theirs in zip(cache.drawn(unit, camera), fresh.drawn(unit, camera), strict=True):
            assert same(ours, theirs)


def test_another_camera_or_screen_keeps_no_figure() -> None:
    table = Table.load(TABLE)
    camera = camera_over(table)
    nearer = replace(camera, view=standard_view(table.width * 0.9))
    cache, fresh = OverlayCache(triangulate), OverlayCache(triangulate)
    for one in (cache, fresh):
        one.set_table(table, None)
    cache.drawn("b2", camera)
    assert same(cache.drawn("b2", nearer)[1], fresh.drawn("b2", nearer)[1])
    larger = ScreenSize(15.0, (900.0, 506.0), 1.1)
    for one in (cache, fresh):
        one.resize(larger)
    for ours, theirs in zip(cache.drawn("b2", nearer), fresh.drawn("b2", nearer), strict=True):
        assert same(ours, theirs)
