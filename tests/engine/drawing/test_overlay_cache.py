"""The cache of overlays: what it keeps is what would be drawn from nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.references.table_pose import TablePose
from companion.app.render.mesh_renderer import triangulate
from companion.engine.camera.practice_source import FRAME_SIZE
from companion.engine.drawing.overlay_cache import OverlayCache, ScreenSize
from companion.engine.drawing.vertex_batches import VertexBatches
from companion.games.tmg.play.practice_game import TABLE
from companion.practice.random_table import standard_lens, standard_view
from models import Table


def camera_over(table: Table) -> TablePose:
    lens = standard_lens(FRAME_SIZE)
    return TablePose(standard_view(table.width), lens, np.zeros((6, 6)), (), (), 0.1)


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
