"""Tags of a second dictionary in one set-up: read, written, found, followed, and told apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.setup import OtherTag, Setup
from companion.practice.camera import PracticeCamera
from companion.practice.random_table import PracticeTable, standard_scene
from companion.vision.look import look
from companion.vision.sources.frame import CameraFrame
from companion.vision.track.table_tracker import TableTracker
from models.message import BadInput

OTHER = "DICT_5X5_100"


def mixed() -> PracticeTable:
    """Every other tray carries a larger tag of another dictionary, with the ids of the first."""
    scene = standard_scene(seed=2, trays=8, terrain=False)
    trays = list(scene.setup.trays)
    for place in range(1, len(trays), 2):
        tag = trays[place].tags[0]
        number = trays[place - 1].tags[0].id
        twin = replace(tag, id=OtherTag(number, OTHER).id, size_mm=32.0)
        trays[place] = replace(trays[place], tags=(twin,))
    return replace(scene, setup=replace(scene.setup, trays=tuple(trays)))


SCENE = mixed()


def test_it_is_written_and_read_again() -> None:
    text = SCENE.setup.text()
    assert text.count(f'dictionary = "{OTHER}"') == 4
    assert Setup.parse(text) == SCENE.setup
    assert set(SCENE.setup.by_dictionary()) == {"DICT_4X4_50", OTHER}
    usual = Setup.parse(text.replace(OTHER, "DICT_6X6_50"))
    assert set(usual.by_dictionary()) == {"DICT_4X4_50", "DICT_6X6_50"}


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (OTHER, "DICT_4X4_100", "'DICT_4X4_100' has the same codes as 'DICT_4X4_50'"),
        (OTHER, "DICT_9X9", "'DICT_9X9' is unknown"),
        (OTHER, "DICT_4X4_50", r"tray\[1\].tag\[0\].id: 10 is already tray\[0\].tag\[0\]"),
    ],
)
def test_refusals(old: str, new: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        Setup.parse(SCENE.setup.text().replace(f'"{old}"', f'"{new}"'))


def test_trays_of_both_dictionaries_are_placed_and_followed() -> None:
    picture, truth = PracticeCamera(SCENE.setup, SCENE.view).frame(SCENE.table)
    clear = {tag.unit for tag in truth.tags if tag.clear and tag.unit}
    sight = look(CameraFrame(picture), SCENE.setup, thorough=True)
    assert clear <= {tray.unit for tray in sight.trays}
    view = TableTracker(SCENE.setup).see(CameraFrame(picture))
    assert clear <= {one.unit for one in view.live}
    for trays in (sight.trays, view.live):
        for tray in trays:
            true = SCENE.table.unit(tray.unit).pose
            assert np.hypot(tray.pose.x - true.x, tray.pose.y - true.y) < 0.05
    plain = {tray["unit"]: tray["tags"] for tray in sight.to_json(SCENE.setup)["trays"]}
    assert all(tag < 50 for tags in plain.values() for tag in tags)
    unknown = look(CameraFrame(picture), SCENE.setup.with_lens(None))
    assert len(unknown.trays) >= len(clear) - 1
