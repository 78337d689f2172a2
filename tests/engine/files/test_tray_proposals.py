"""Which unit a tray is proposed for: never one of the other side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calibration.setup import TaggedTray
from companion.engine.files import draft as drafts
from companion.engine.files.draft import Draft
from companion.engine.files.draft_editor import poses_seen, trays_seen
from companion.engine.snapshot import CameraView
from companion.engine.tag_assignment import proposed_by_side, proposed_in_order
from companion.practice.camera import PracticeCamera
from companion.practice.random_table import standard_lens, standard_view, tagged_table
from companion.practice.sensor import PLAIN
from companion.vision.sources.frame import CameraFrame
from companion.vision.track.table_tracker import TableTracker
from models import Pose, Table
from tests.engine.files.test_draft import drafted


@pytest.fixture(scope="module")
def draft() -> Draft:
    return drafts.staged(drafted())


@pytest.fixture(scope="module")
def table(draft: Draft) -> Table:
    """Both armies deployed."""
    assert draft.table is not None
    return draft.table


def seen(
    table: Table, names: dict[str, str]
) -> tuple[tuple[tuple[str, str], ...], dict[str, Pose]]:
    """The trays under these names, where their units stand on a table."""
    trays = tuple((name, table.unit(unit).tray.name) for name, unit in names.items())
    return trays, {name: table.unit(unit).pose for name, unit in names.items()}


def test_on_the_practice_table_tags_follow_the_units_each_of_its_kind(draft: Draft) -> None:
    trays = (("#10", "infantry"), ("#11", "cavalry"), ("#12", "infantry"))
    assert proposed_in_order(draft, trays) == (("#10", "b1"), ("#12", "b2"))
    # What players chose stays; a unit is one tray only.
    chosen = drafts.assigned(draft, "#12", "b1")
    assert proposed_in_order(chosen, trays) == (("#12", "b1"), ("#10", "b2"))
    swapped = drafts.assigned(replace(draft, tags=(("#10", "b1"), ("#12", "b2"))), "#12", "b1")
    assert swapped.tags == (("#12", "b1"),)


def test_a_film_of_deployed_armies_proposes_units_of_the_right_side(
    draft: Draft, table: Table
) -> None:
    # The tags of the set-up know nothing of this game: red's have the lower numbers.
    units = sorted(table.units, key=lambda unit: unit.side != "red")
    plain = replace(table, units=tuple(units), terrain=(), tokens=())
    scene = tagged_table(plain, standard_lens((1920, 1080)))
    names = {tray.unit: f"tray {number}" for number, tray in enumerate(scene.trays)}
    setup = replace(
        scene, trays=tuple(TaggedTray(names[one.unit], one.tray, one.tags) for one in scene.trays)
    )
    picture, _truth = PracticeCamera(scene, standard_view(table.width), PLAIN).frame(plain)
    tracker = TableTracker(setup)
    views = [
        tracker.see(CameraFrame(picture, time, number)) for number, time in enumerate((0.0, 0.1))
    ]
    live = CameraView(standings=views[-1].standings)
    found = dict(proposed_by_side(draft, trays_seen(live, setup), poses_seen(live)))
    assert len(found) == len(table.units)
    for unit in table.units:
        assert found[names[unit.id]][0] == unit.id[0]


@pytest.mark.parametrize(
    "names",
    [
        pytest.param({"x": "b1", "y": "b2"}, id="one army is not there yet"),
        pytest.param({"x": "b1", "y": "b2", "z": "r1"}, id="one tray is missing"),
    ],
)
def test_before_both_armies_stand_nothing_is_proposed(
    draft: Draft, table: Table, names: dict[str, str]
) -> None:
    trays, poses = seen(table, names)
    assert proposed_by_side(draft, trays, poses) == ()


def test_trays_in_a_heap_have_no_side(draft: Draft, table: Table) -> None:
    trays, poses = seen(table, {"w": "b1", "x": "b2", "y": "r1", "z": "r2"})
    heap = {name: replace(table.unit("b1").pose, x=6.0 + 8 * n) for n, name in enumerate(poses)}
    assert proposed_by_side(draft, trays, heap) == ()
    assert proposed_by_side(draft, trays, {}) == ()


def test_a_name_tells_the_side_unless_its_place_says_otherwise(draft: Draft, table: Table) -> None:
    trays, poses = seen(table, {"red 7": "b1", "r2": "b2", "red 9": "b1"})
    # Red's trays, held before the camera in blue's zone: red units, the one of its name first.
    assert proposed_by_side(draft, trays, poses) == (("r2", "r2"), ("red 7", "r1"))
    # Both armies stand, and one tray's name disagrees with its place: nobody is proposed for it.
    trays, poses = seen(table, {"b1": "b1", "b8": "r1", "r2": "r2", "b2": "b2"})
    assert dict(proposed_by_side(draft, trays, poses)) == {"b1": "b1", "b2": "b2", "r2": "r2"}
