"""References laid by hand, measured from photos."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.camera.viewpoint import Viewpoint
from calibration.references.reference_layout import NoLayout, ReferenceLayout, measured_layout
from calibration.references.table_pose import TablePose, table_pose
from companion.practice.random_table import PracticeTable, standard_scene
from tests.calibration.seen import sightings

SIZE = (1920, 1080)
VIEWS = (
    Viewpoint.looking((24.0, -14.0, 35.0), (24.0, 17.0, 0.0)),
    Viewpoint.looking((5.0, -12.0, 36.0), (22.0, 19.0, 0.0), 5.0),
    Viewpoint.looking((44.0, -13.0, 38.0), (26.0, 19.0, 0.0), -6.0),
)


def spread_mm(one: PracticeTable, other: PracticeTable) -> tuple[float, float]:
    """How far apart two layouts are after the best common turn, shift and scale, and that scale."""
    a = np.array([(tag.x, tag.y) for tag in one.setup.references])
    b = np.array([(tag.x, tag.y) for tag in other.setup.references])
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    u, _, v = np.linalg.svd(a.T @ b)
    turned = a @ (u @ v)
    scale = float((turned * b).sum() / (turned**2).sum())
    return float(np.sqrt(((turned * scale - b) ** 2).sum(axis=1).mean()) * 25.4), scale


def laid_by_hand(seed: int) -> tuple[PracticeTable, PracticeTable]:
    """A table as written and as it really lies."""
    rng = np.random.default_rng(seed)
    written = standard_scene(seed=1, trays=0, terrain=False)
    real = replace(
        written.setup,
        references=tuple(
            replace(
                tag,
                x=tag.x + rng.normal(0, 2 / 25.4),
                y=tag.y + rng.normal(0, 2 / 25.4),
                heading=tag.heading + rng.normal(0, 1.0),
            )
            for tag in written.setup.references
        ),
    )
    return written, replace(written, setup=real)


def measure(written: PracticeTable, real: PracticeTable) -> ReferenceLayout:
    photos = [sightings(replace(real, view=view), seed=number) for number, view in enumerate(VIEWS)]
    return measured_layout(photos, written.setup, SIZE)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_hand_laid_references_are_measured_to_a_fraction(seed: int) -> None:
    written, real = laid_by_hand(seed)
    layout = measure(written, real)
    found = replace(written, setup=layout.onto(written.setup))
    assert spread_mm(written, real)[0] > 1.2
    apart, scale = spread_mm(found, real)
    assert apart < 0.25
    # Nothing in a photo tells a table from a slightly larger one with larger tags on it: the
    # scale comes from how well tags were printed and laid.
    assert scale == pytest.approx(1.0, abs=0.004)
    assert layout.misfit_px < 0.15
    assert layout.photos == 3
    assert max(one.moved_mm for one in layout.laid) > 1.5


def test_nothing_is_measured_from_too_little() -> None:
    written, real = laid_by_hand(1)
    few = sightings(real, hidden=frozenset({0, 1, 2, 3, 4}))
    with pytest.raises(NoLayout, match="no photo shows 4 reference tags"):
        measured_layout([few, []], written.setup, SIZE)


def misprinted(scene: PracticeTable, share: float) -> PracticeTable:
    """The same table with tags that a printer shrank or grew."""
    tags = tuple(replace(tag, size_mm=tag.size_mm * share) for tag in scene.setup.references)
    return replace(scene, setup=replace(scene.setup, references=tags))


def stretched(scene: PracticeTable, share: float) -> PracticeTable:
    """A larger or smaller table, its references as far apart as that."""
    tags = tuple(
        replace(tag, x=24 + (tag.x - 24) * share, y=24 + (tag.y - 24) * share)
        for tag in scene.setup.references
    )
    return replace(scene, setup=replace(scene.setup, references=tags))


def test_prints_of_another_size_are_told_and_do_not_stretch_the_table() -> None:
    written, real = laid_by_hand(4)
    layout = measure(written, misprinted(real, 0.97))
    assert layout.scale == pytest.approx(0.97, abs=0.003)
    assert layout.odd_prints
    measured = replace(written, setup=layout.onto(written.setup))
    assert spread_mm(measured, real)[1] == pytest.approx(1.0, abs=0.003)
    # What was measured is written, so that the next picture has nothing to complain about.
    assert measured.setup.references[0].size_mm == pytest.approx(0.97 * 40, abs=0.15)
    pose = table_pose(sightings(misprinted(real, 0.97), seed=9), measured.setup, SIZE)
    assert isinstance(pose, TablePose)
    assert pose.problems(measured.setup) == []
    assert not measure(written, real).odd_prints


def test_a_measured_print_says_how_large_the_table_is() -> None:
    written = standard_scene(seed=1, trays=0, terrain=False)
    real = stretched(written, 0.985)
    photos = [sightings(replace(real, view=view), seed=number) for number, view in enumerate(VIEWS)]
    unmeasured = measured_layout(photos, written.setup, SIZE)
    assert unmeasured.odd_prints
    layout = measured_layout(photos, written.setup, SIZE, measured=True)
    measured = replace(written, setup=layout.onto(written.setup))
    assert spread_mm(measured, real)[1] == pytest.approx(1.0, abs=0.002)


def pushed(scene: PracticeTable, far_mm: float, ids: tuple[int, ...]) -> PracticeTable:
    """The same table with some references pushed away, each its own way."""
    tags = tuple(
        replace(
            tag,
            x=tag.x + far_mm / 25.4 * float(np.cos(2.0 * tag.id)),
            y=tag.y + far_mm / 25.4 * float(np.sin(2.0 * tag.id)),
        )
        if tag.id in ids
        else tag
        for tag in scene.setup.references
    )
    return replace(scene, setup=replace(scene.setup, references=tags))


@pytest.mark.parametrize("ids", [(4,), (0, 5)])
def test_references_laid_elsewhere_do_not_drag_the_table_along(ids: tuple[int, ...]) -> None:
    written = standard_scene(seed=1, trays=0, terrain=False)
    real = pushed(written, 30.0, ids)
    layout = measure(written, real)
    assert layout.elsewhere == ids
    for one, tag in zip(layout.laid, real.setup.references, strict=True):
        assert np.hypot(one.tag.x - tag.x, one.tag.y - tag.y) * 25.4 < 1.5


def test_half_of_the_references_elsewhere_is_refused_by_name() -> None:
    written = standard_scene(seed=1, trays=0, terrain=False)
    with pytest.raises(NoLayout, match="as they are written: 0 by 30 mm, 2 by 30 mm, 4 by 30 mm"):
        measure(written, pushed(written, 30.0, (0, 2, 4, 6)))


def test_a_print_scale_is_written_for_references_that_no_photo_shows() -> None:
    written = standard_scene(seed=1, trays=0, terrain=False)
    real = misprinted(written, 0.96)
    hidden = frozenset({0, 1, 2})
    photos = [sightings(replace(real, view=view), hidden=hidden) for view in VIEWS]
    setup = measured_layout(photos, written.setup, SIZE).onto(written.setup)
    assert {tag.size_mm for tag in setup.references} == {setup.references[7].size_mm}
    assert setup.references[0].size_mm == pytest.approx(38.4, abs=0.15)
    assert setup.references[0].x == written.setup.references[0].x
