from __future__ import annotations

import math

import pytest

from companion.games.tmg.figures.report_figure import ROLES, meaning
from companion.overlay.shapes import (
    Circle,
    Key,
    Label,
    Polygon,
    Shape,
    Style,
    TableScene,
    in_words,
    legend,
)
from companion.overlay.table_shapes import terrain_shapes, token_shapes, tray_shapes, zone_shapes
from models import Pose, TableToken, Terrain, Tray, Unit

TRAY = Tray("infantry", 5.5, 4.8, 48.9, models=12, ranks=3)


def swords(heading: float = 90.0, models: int = 12) -> Unit:
    return Unit("b1", "blue", "Sworn Swords", TRAY, Pose(10, 20, heading), models=models)


def of_role(shapes: list[Shape], role: str) -> list[Shape]:
    return [shape for shape in shapes if shape.style.role == role]


def test_the_bar_lies_along_the_front_edge_and_the_arrow_before_it() -> None:
    shapes = list(tray_shapes(swords()))
    (bar,) = of_role(shapes, "front")
    (arrow,) = of_role(shapes, "facing")
    assert isinstance(bar, Polygon)
    assert isinstance(arrow, Polygon)
    assert max(y for _, y in bar.outline) == pytest.approx(22.4)
    assert {round(x, 6) for x, _ in bar.outline} == {7.25, 12.75}
    assert arrow.outline[0][0] == pytest.approx(10)
    assert arrow.outline[0][1] > 22.4


@pytest.mark.parametrize(("models", "lost"), [(12, 0), (11, 1), (7, 5), (0, 12)])
def test_lost_models_are_hollow_from_the_rear_right(models: int, lost: int) -> None:
    shapes = list(tray_shapes(swords(models=models)))
    hollow = [mark for mark in of_role(shapes, "model-lost") if isinstance(mark, Circle)]
    standing = of_role(shapes, "model")
    assert (len(standing), len(hollow)) == (models, lost)
    if lost == 1:
        # Facing +y the rear is low and the right is at large x.
        assert hollow[0].centre[1] < 20
        assert hollow[0].centre[0] > 11.5


@pytest.mark.parametrize("heading", range(0, 360, 15))
def test_marks_and_name_stay_on_the_tray(heading: int) -> None:
    unit = swords(float(heading))
    for shape in tray_shapes(unit):
        if isinstance(shape, Circle):
            angle = math.radians(heading)
            dx, dy = shape.centre[0] - 10, shape.centre[1] - 20
            forward = dx * math.cos(angle) + dy * math.sin(angle)
            left = dy * math.cos(angle) - dx * math.sin(angle)
            assert abs(forward) + shape.radius_in <= 2.4 + 1e-9
            assert abs(left) + shape.radius_in <= 2.75 + 1e-9
        if isinstance(shape, Label) and shape.style.role == "tray":
            assert abs(shape.tilt_deg) <= 45


@pytest.mark.parametrize(
    ("heading", "tilt", "room_width"),
    [(90, 0, 5.15), (270, 0, 5.15), (180, 0, 4.45), (72, -18, 5.15)],
)
def test_a_name_runs_along_the_more_level_edge(
    heading: float, tilt: float, room_width: float
) -> None:
    (name,) = of_role(list(tray_shapes(swords(heading))), "tray")[1:]
    assert isinstance(name, Label)
    assert name.text == "Sworn Swords"
    assert name.tilt_deg == pytest.approx(tilt)
    assert name.room_in is not None
    assert name.room_in[0] == pytest.approx(room_width)


def test_the_chosen_tray_stands_out() -> None:
    roles = {shape.style.role for shape in tray_shapes(swords(), chosen=True)}
    assert "tray-chosen" in roles


def test_terrain_names_its_kind_and_keywords() -> None:
    square = ((0.0, 0.0), (6.0, 0.0), (6.0, 1.0), (0.0, 1.0))
    words = frozenset({"impassable", "destructible", "blocks-line-of-sight"})
    ground, label = terrain_shapes(Terrain("t1", square, words, "low-wall"), "wall")
    assert ground.style.role == "terrain-wall"
    assert isinstance(label, Label)
    (shown,) = in_words(TableScene(72, 48, shapes=(label,)), str).shapes
    assert isinstance(shown, Label)
    assert shown.text.split("\n")[0] == "Low wall"
    assert "blocks line of sight" in label.text
    assert label.spots[0] == (3.0, 0.5)


def test_a_token_shows_through_a_tray() -> None:
    shapes = list(token_shapes(TableToken("o1", 24, 24)))
    disc, ring = (shape for shape in shapes if isinstance(shape, Circle))
    tray = next(iter(tray_shapes(swords())))
    assert disc.z < tray.z < ring.z


def test_a_zone_is_named_at_its_outer_edge() -> None:
    zone, label = zone_shapes(((0, 38), (48, 38), (48, 48), (0, 48)), "red", "red", (24, 24))
    assert zone.style == Style("deployment", "red")
    assert isinstance(label, Label)
    assert label.spots[0][1] > 47


def test_the_legend_lists_sides_and_what_occurs() -> None:
    shapes: list[Shape] = [
        Polygon(((0, 0), (1, 0), (0, 1)), Style("attack-area", "blue", sure=False)),
        Label("3+ 67%", ((0, 0),), Style("shot", "blue")),
    ]
    keys = legend(shapes, ("blue", "red"), {role: meaning(role) for role in ROLES})
    assert keys[:2] == (Key(Style("tray", "blue"), "blue"), Key(Style("tray", "red"), "red"))
    assert [key.style.role for key in keys[2:]] == ["attack-area", "attack-area"]
    assert [key.style.sure for key in keys[2:]] == [True, False]
