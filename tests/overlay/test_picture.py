from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import cast

import pytest
from PIL import Image

from companion.games.tmg.figures.report_figure import ROLES
from companion.games.tmg.figures.report_figure import titled_scene as scene
from companion.overlay.labels import LabelLayout, lay_out
from companion.overlay.map_theme import BLUE, LIGHT, RED, Colour, mixed
from companion.overlay.picture import SIZE_PX, legend_entries, paint, picture, sheet_for
from companion.overlay.shapes import Label, Point, Polygon, Polyline, Shape, Style, TableScene
from companion.overlay.table_shapes import tray_shapes
from models import Pose, Table, Tray, Unit

SMALL = (640, 640)
TRAY = Tray("infantry", 5.5, 4.8, 48.9, models=12, ranks=3)


def unit(unit_id: str, side: str, x: float, y: float, heading: float) -> Unit:
    return Unit(unit_id, side, f"Company {unit_id}", TRAY, Pose(x, y, heading), models=12)


def small_scene(*more: Shape, title: str = "A table") -> TableScene:
    units = (unit("b1", "blue", 12, 12, 90), unit("r1", "red", 36, 36, 255))
    table = Table("tmg-2021", 48, 48, units)
    shapes = [shape for one in units for shape in tray_shapes(one)]
    return scene(table, [*shapes, *more], title, "of today")


def colour_at(image: Image.Image, what: TableScene, point: Point) -> Colour:
    x, y = sheet_for(what, image.size).frame.px(point)
    found = image.getpixel((round(x), round(y)))
    assert isinstance(found, tuple)
    return found[0], found[1], found[2]


def near(one: Colour, other: Colour, within: int = 12) -> bool:
    return all(abs(a - b) <= within for a, b in zip(one, other, strict=True))


def test_the_picture_has_the_size_of_a_tablet(tmp_path: Path) -> None:
    paint(small_scene(), tmp_path / "map.png")
    with Image.open(tmp_path / "map.png") as image:
        assert image.size == SIZE_PX == (1600, 1600)
        assert image.format == "PNG"


def test_the_same_scene_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("one.png", "two.png"):
        paint(small_scene(), tmp_path / name, SMALL)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_ground_trays_and_bars_have_their_colours() -> None:
    what = small_scene()
    image = picture(what, SMALL)
    assert near(colour_at(image, what, (24.5, 20.5)), LIGHT.ground)
    assert near(colour_at(image, what, (12 - 2.7 + 0.1, 12 + 2.22)), BLUE)
    # Between the models the tray shows its tint.
    assert near(colour_at(image, what, (12 - 2.6, 12)), mixed(BLUE, (255, 255, 255), 0.16))
    corner = cast(tuple[int, int, int], image.getpixel((5, 5)))
    assert near(corner, LIGHT.bar)


def test_one_front_bar_is_solid_and_the_other_striped() -> None:
    what = small_scene()
    image = picture(what, (1200, 1200))

    def along_the_bar(one: Unit) -> list[Colour]:
        shares = [step / 40 for step in range(-30, 31) if abs(step) > 10]
        return [
            colour_at(image, what, one.pose.ahead(2.4 - 0.18, share * 2.75)) for share in shares
        ]

    blue = along_the_bar(unit("b1", "blue", 12, 12, 90))
    red = along_the_bar(unit("r1", "red", 36, 36, 255))
    assert all(near(colour, BLUE) for colour in blue)
    assert any(near(colour, RED, 25) for colour in red)
    assert any(near(colour, (255, 255, 255), 40) for colour in red)


def test_what_is_unsure_is_hatched() -> None:
    square = ((20.0, 20.0), (28.0, 20.0), (28.0, 28.0), (20.0, 28.0))

    def reds(sure: bool) -> list[int]:
        what = small_scene(Polygon(square, Style("attack-area", "blue", sure=sure)))
        image = picture(what, (1200, 1200))
        return [colour_at(image, what, (21 + step / 16, 24.5))[0] for step in range(96)]

    plain, hatched = reds(sure=True), reds(sure=False)
    assert max(plain) - min(plain) < 40  # the fill over the ground and its grid
    assert max(hatched) - min(hatched) > 100


def test_holes_stay_open() -> None:
    square = ((20.0, 20.0), (28.0, 20.0), (28.0, 28.0), (20.0, 28.0))
    hole = ((22.0, 22.0), (26.0, 22.0), (26.0, 26.0), (22.0, 26.0))
    what = small_scene(Polygon(square, Style("attack-area", "blue"), holes=(hole,)))
    image = picture(what, SMALL)
    assert near(colour_at(image, what, (24.5, 24.5)), LIGHT.ground)
    assert not near(colour_at(image, what, (20.5, 24.5)), LIGHT.ground)


def test_an_arrow_ends_where_it_points() -> None:
    style = Style("attack-path", "red")
    what = small_scene(Polyline(((4.5, 30.5), (20.5, 30.5)), style, arrow=True))
    image = picture(what, (1200, 1200))
    assert near(colour_at(image, what, (20.2, 30.5)), RED, 30)
    assert near(colour_at(image, what, (20.9, 30.5)), LIGHT.ground)
    assert near(colour_at(image, what, (19.9, 30.62)), RED, 30)  # the head is wider


def crowd() -> list[LabelLayout]:
    style = Style("attack-area", "red")
    labels = [
        Label(f"{number}+ 50%", ((12.0 + number / 4, 20.0), (14.0, 22.0)), style, z=90)
        for number in range(12)
    ]
    edge = [Label("far out", ((-30.0, 70.0),), style), Label("b9", ((47.9, 0.1),), style)]
    what = small_scene(*labels, *edge)
    return lay_out(sheet_for(what, SIZE_PX), what)


def test_no_words_leave_the_picture_or_cover_others() -> None:
    words = crowd()
    assert len(words) == 12 + 2 + 4
    for label in words:
        assert label.box.left >= 0
        assert label.box.top >= 0
        assert label.box.right <= SIZE_PX[0]
        assert label.box.bottom <= SIZE_PX[1]
    free = [label for label in words if label.label.room_in is None]
    for one, other in combinations(free, 2):
        assert not one.box.overlaps(other.box), (one.label.text, other.label.text)
    names = [label for label in words if label.label.style.role == "tray"]
    assert len(names) == 2
    assert not any(one.box.overlaps(name.box) for one in free for name in names)


def test_a_fixed_label_off_the_table_is_pulled_into_the_picture() -> None:
    what = small_scene(Label("lost", ((90.0, 24.0),), Style("tray", "red"), room_in=(5, 3)))
    lost = next(
        words for words in lay_out(sheet_for(what, SMALL), what) if words.label.text == "lost"
    )
    assert lost.box.right <= SMALL[0]


def test_endless_names_stay_on_their_tray_and_in_the_picture() -> None:
    endless = Unit("i" * 60, "s" * 60, "N" * 200, TRAY, Pose(24, 24, 45), models=12)
    table = Table("tmg-2021", 48, 48, (endless,))
    label = Label("o" * 200, ((24.0, 30.0),), Style("token"))
    what = scene(table, [*tray_shapes(endless), label], "T" * 300, "S" * 300)
    words = lay_out(sheet_for(what, SMALL), what)
    scale = sheet_for(what, SMALL).frame.scale
    for one in words:
        assert one.box.right - one.box.left < 8 * scale or one.label is label
        assert one.box.left >= 0
        assert one.box.right <= SMALL[0]
    for entry in legend_entries(what, SMALL):
        assert entry.left + entry.words.width <= SMALL[0]
    assert picture(what, SMALL).size == SMALL


def test_the_legend_keeps_within_the_picture() -> None:
    what = small_scene(*(Polyline(((1, 1), (2, 2)), Style(role, "blue")) for role in ROLES))
    entries = legend_entries(what, SMALL)
    frame = sheet_for(what, SMALL).frame
    assert len({entry.sample.top for entry in entries}) >= 2
    for entry in entries:
        assert entry.left + entry.words.width <= SMALL[0]
        assert entry.sample.bottom <= SMALL[1]
        assert entry.sample.top > frame.px((0, 0))[1]


@pytest.mark.parametrize("size", [(1000, 640), (640, 1000)])
def test_any_table_fits_any_picture(size: tuple[int, int]) -> None:
    what = TableScene(72, 48, title="long table")
    frame = sheet_for(what, size).frame
    for corner in ((0, 0), (72, 0), (72, 48), (0, 48)):
        x, y = frame.px(corner)
        assert 0 < x < size[0]
        assert 0 < y < size[1]
    assert frame.inches(frame.px((13, 31))) == pytest.approx((13, 31))


def test_painting_loads_neither_kivy_nor_cv2() -> None:
    code = (
        "import sys; from companion.overlay import picture, canvas; "
        "canvas.font(12, True); assert not {'kivy', 'cv2'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
