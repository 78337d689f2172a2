"""Rendered tables with ordinary set-up mistakes: found, inside their sigmas, the cause named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.references.table_pose import TablePose
from calibration.setup import Setup
from calibration.tags.mounts import mount
from companion.practice.camera import PracticeCamera
from companion.practice.random_table import PracticeTable, standard_scene
from companion.vision.look import TableLook, look
from companion.vision.sources.frame import CameraFrame


def on_stands(seed: int) -> PracticeTable:
    """A table whose trays carry their tags on folded stands."""
    scene = standard_scene(seed, trays=12, terrain=False)
    trays = tuple(
        replace(tray, tags=mount("stand", tray.tray, (tray.tags[0].id,), 25.0))
        for tray in scene.setup.trays
    )
    return replace(scene, setup=replace(scene.setup, trays=trays))


def as_made(
    setup: Setup, seed: int, share: float = 1.0, laid: float = 0.0, glued: float = 0.0
) -> Setup:
    """What really lies on the table: printed at a share, laid and glued by hand."""
    rng = np.random.default_rng([seed, 77])
    references = tuple(
        replace(
            tag,
            x=tag.x + laid * rng.normal(0, 0.06),
            y=tag.y + laid * rng.normal(0, 0.06),
            heading=tag.heading + laid * rng.normal(0, 1.0),
            size_mm=tag.size_mm * share,
        )
        for tag in setup.references
    )
    trays = []
    for tray in setup.trays:
        around = rng.uniform(0, 2 * np.pi)
        off = glued / 25.4 * np.array([np.cos(around), np.sin(around)])
        tags = tuple(
            replace(
                tag,
                forward=tag.forward + float(off[0]),
                left=tag.left + float(off[1]),
                turn=tag.turn + glued * float(rng.choice((-1, 1))),
                up=tag.up + glued * float(rng.uniform(0, 1)) / 25.4,
                size_mm=tag.size_mm * share,
            )
            for tag in tray.tags
        )
        trays.append(replace(tray, tags=tags))
    return replace(setup, references=references, trays=tuple(trays))


def seen(scene: PracticeTable, real: Setup, given: bool = True) -> tuple[TableLook, set[str]]:
    """What is seen of the real table with the written set-up, and which trays are in clear view."""
    picture, truth = PracticeCamera(real, scene.view).frame(scene.table)
    setup = scene.setup if given else scene.setup.with_lens(None)
    clear = {tag.unit for tag in truth.tags if tag.clear and tag.unit}
    return look(CameraFrame(picture), setup, thorough=True), clear


def worst_sigmas(sight: TableLook, scene: PracticeTable) -> float:
    """The worst error of a tray in sigmas."""
    worst = 0.0
    for tray in sight.trays:
        true, sigma = scene.table.unit(tray.unit).pose, tray.pose.sigma
        away = np.hypot(tray.pose.x - true.x, tray.pose.y - true.y)
        turn = abs((tray.pose.heading - true.heading + 180) % 360 - 180)
        worst = max(worst, float(away) / sigma.xy_in, turn / sigma.heading_deg)
    return worst


@pytest.mark.parametrize("given", [True, False], ids=["lens", "no lens"])
@pytest.mark.parametrize("share", [0.94, 1.03])
def test_prints_that_were_fitted_to_the_page(share: float, given: bool) -> None:
    scene = on_stands(3)
    sight, clear = seen(scene, as_made(scene.setup, 3, share=share), given)
    assert isinstance(sight.camera, TablePose), sight.problems
    assert clear <= {tray.unit for tray in sight.trays}
    assert worst_sigmas(sight, scene) < 2.0
    named = f"printed at {100 * share:.0f} %"
    assert any(named in problem and "not 40" in problem for problem in sight.problems)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_first_evening(seed: int) -> None:
    scene = on_stands(seed)
    real = as_made(scene.setup, seed, share=0.97, laid=1.0, glued=1.0)
    sight, clear = seen(scene, real)
    assert isinstance(sight.camera, TablePose), sight.problems
    assert len(clear & {tray.unit for tray in sight.trays}) >= 0.95 * len(clear)
    assert worst_sigmas(sight, scene) < 4.0
    assert any("off their places" in problem for problem in sight.problems)


def test_a_good_evening_has_no_problems() -> None:
    scene = on_stands(4)
    sight, clear = seen(scene, scene.setup)
    assert clear <= {tray.unit for tray in sight.trays}
    assert sight.problems == ()
    assert worst_sigmas(sight, scene) < 1.0
