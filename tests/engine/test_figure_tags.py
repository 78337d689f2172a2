"""Tags of figures: a camera's set-up gets a stand for every figure of the game."""

from __future__ import annotations

from calibration.setup import Setup, TaggedTray
from calibration.tags.mounts import mount
from companion.engine.tag_assignment import TAG_NAMES, figure_setup, figure_tags, tag_numbers
from models.unit import Tray


def test_every_figure_gets_the_stand_of_its_tag() -> None:
    measured = TaggedTray("stand", Tray.base(1.0), mount("rear-tab", Tray.base(1.0), (11,), 15.0))
    tray = Tray("", 4.0, 3.0)
    regiment = TaggedTray("tray", tray, mount("standard", tray, (12,), 25.0))
    setup = Setup(None, 40.0, 30.0, "DICT_4X4_50", (), (measured, regiment))
    named = figure_setup(setup, {"#10": "b1", "#11": "b2", "#12": "r1"}, {"r1": 2})
    stands = {one.unit: one for one in named.trays}
    assert [one.tags[0].id for one in named.trays] == [10, 11, 12]
    assert stands["b1"].tray.width < 1.2 < stands["r1"].tray.width < 2.0
    assert stands["b2"].tags == measured.tags, "a measured stand stays as it was measured"
    assert stands["r1"].tags[0].size_mm == 12.0, "the tag of a regiment's tray is a figure's here"


def test_a_game_of_an_earlier_version_keeps_its_trays() -> None:
    stand = TaggedTray("red 1", Tray.base(1.2), mount("rear-tab", Tray.base(1.2), (30,), 12.0))
    setup = Setup(None, 40.0, 30.0, "DICT_4X4_50", (), (stand,))
    named = figure_setup(setup, {"red 1": "r1"}, {})
    assert [(one.unit, one.tags[0].id) for one in named.trays] == [("r1", 30)]


def test_more_figures_than_tags_leave_the_last_without() -> None:
    pieces = [f"b{number}" for number in range(50)]
    numbers = tag_numbers(figure_tags((), pieces))
    assert list(numbers) == pieces[: len(TAG_NAMES)]
    assert len(set(numbers.values())) == len(TAG_NAMES)
