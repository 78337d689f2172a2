"""References that lie for another table than the chosen one are told as that."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from calibration.camera.lens import Lens
from calibration.references.rim_layout import TABLE_SIZES, rim_references
from calibration.references.table_lost import TableLost
from calibration.references.table_pose import TablePose, table_pose
from calibration.setup import Setup
from calibration.tags.tag import Sighting, reference_corners
from companion.practice.random_table import standard_lens, standard_view

SIZE = (1280, 720)


def laid(wide: float, deep: float, lens: Lens | None = None) -> Setup:
    """A set-up whose references lie as its plan says."""
    around = rim_references(wide, deep, 40.0)
    return Setup(lens, table_width=wide, table_depth=deep, references=around)


def seen(setup: Setup, noise_px: float = 0.05) -> list[Sighting]:
    """What a camera over that table sees of its references."""
    dice, lens = np.random.default_rng(1), standard_lens(SIZE)
    view = standard_view(setup.table_width)
    corners = ((tag.id, view.project(reference_corners(tag), lens)) for tag in setup.references)
    return [
        Sighting(number, there + dice.normal(0, noise_px, (4, 2)), noise_px)
        for number, there in corners
    ]


@pytest.mark.parametrize("measured", [True, False], ids=["lens", "no lens"])
@pytest.mark.parametrize(
    ("real", "chosen"),
    [
        ((24.0, 24.0), (36.0, 36.0)),
        ((24.0, 24.0), (48.0, 48.0)),
        ((42.0, 30.0), (36.0, 36.0)),
        ((48.0, 48.0), (72.0, 48.0)),
        ((72.0, 48.0), (48.0, 48.0)),
    ],
)
def test_the_table_is_named_for_which_the_references_lie(
    real: tuple[float, float], chosen: tuple[float, float], measured: bool
) -> None:
    lens = standard_lens(SIZE) if measured else None
    found = table_pose(seen(laid(*real)), laid(*chosen, lens), SIZE)
    assert isinstance(found, TableLost)
    assert found.meant == real
    assert found.reason.startswith("these reference tags lie for another table, ")
    assert f"{real[0]:g} × {real[1]:g} inches" in found.reason
    assert not found.dropped, "none of them is named as out of place"


@pytest.mark.slow
def test_every_two_tables_are_told_apart() -> None:
    for real, chosen in itertools.permutations(TABLE_SIZES, 2):
        found = table_pose(seen(laid(*real)), laid(*chosen, standard_lens(SIZE)), SIZE)
        assert isinstance(found, TableLost)
        assert found.meant == real


def test_pushed_references_are_no_other_table() -> None:
    """Two that were pushed are named; half of them pushed anyhow are no other table."""
    setup = laid(48.0, 48.0, standard_lens(SIZE))
    tags = list(setup.references)
    for number, way in ((1, 3.0), (4, -2.5)):
        tags[number] = replace(tags[number], x=tags[number].x + way)
    pushed = replace(setup, references=tuple(tags))
    found = table_pose(seen(pushed), setup, SIZE)
    assert isinstance(found, TablePose)
    assert {one.id for one in found.dropped} == {1, 4}
    for number, way in ((0, 2.0), (2, -1.5), (5, 2.2), (7, 1.7)):
        tags[number] = replace(tags[number], y=tags[number].y + way)
    lost = table_pose(seen(replace(setup, references=tuple(tags))), setup, SIZE)
    assert isinstance(lost, TableLost)
    assert lost.meant is None
