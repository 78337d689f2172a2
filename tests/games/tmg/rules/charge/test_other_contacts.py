"""Other enemies touched by a successful charge: at 50 %, an inch off, or just off."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Polygon

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charge_end import OtherContact, farthest_corner, others
from companion.games.tmg.rules.charge.charge_move import charge_move
from companion.games.tmg.rules.movement.move_end import MoveEnd
from companion.games.tmg.rules.readings import Readings
from models import Pose, Sigma, Terrain, Tray, Unit
from models.unit import corners, overlap_depth
from tests.games.tmg.sample_units import NEW, OLD, field, fighter, patch, spot

B1 = fighter("b1", 24, 10)
R1 = fighter("r1", 24, 27, 270)  # the target
PLACE = Pose(24, 24, 90)  # b1 aligned with it at 100 %: x 22..26, y 22.5..25.5


def moved(
    *things: Unit | Terrain, game: str = NEW, place: Pose = PLACE
) -> tuple[OtherContact, ...]:
    return others(field(game, B1, R1, *things), "b1", "r1", place)


def contact_in(one: Unit, other: Unit) -> float:
    """The length along which two trays touch."""
    shared = (
        Polygon(corners(one)).buffer(1e-4, join_style="mitre").intersection(Polygon(corners(other)))
    )
    return float(shared.length / 2) if not shared.is_empty else 0.0


@pytest.mark.rule("TMG-CHG-20", edition="2021")
def test_two_side_by_side_are_both_charged() -> None:
    # b1 charges r1 and lies at 50 % on it; the other half of its front lies on r2.
    ground = field(
        NEW, fighter("b1", 26, 12), fighter("r1", 24, 22, 270), fighter("r2", 28, 22, 270)
    )
    charged = charge_move(ground, "b1", "r1", 90.0, (6,))
    assert charged.success
    half = next(place for place in charged.places if place.placement.pose.x > 25)
    found = others(ground, "b1", "r1", half.placement.pose)
    assert [(one.unit, one.rule, one.contact) for one in found] == [("r2", "TMG-CHG-20", 0.5)]
    assert found[0].moved_in == pytest.approx(0, abs=1e-6)  # it is there already
    assert found[0].answer


@pytest.mark.rule("TMG-CHG-20", edition="2018")
def test_the_old_edition_moves_nobody() -> None:
    assert moved(fighter("r2", 20.5, 24.5, 0), game=OLD) == ()


@pytest.mark.rule("TMG-CHG-20")
@pytest.mark.parametrize(
    ("other", "there"),
    [
        (fighter("r2", 20.5, 24.5, 0), (20.5, 26.0, 0.0)),  # at the flank: up to the nearer half
        (fighter("r2", 20.5, 23.5, 0), (20.5, 22.0, 0.0)),
        (fighter("r2", 20.0, 24.5, 90), (20.0, 25.5, 90.0)),  # flank on flank keeps its facing
        (fighter("r2", 24.5, 21.0, 90), (26.0, 21.0, 90.0)),  # at the rear
    ],
)
def test_it_slides_to_the_nearer_half(other: Unit, there: tuple[float, float, float]) -> None:
    (found,) = moved(other)
    assert found.rule == "TMG-CHG-20"
    assert found.pose is not None
    assert spot(found.pose) == there
    assert found.moved_in == pytest.approx(
        abs(there[0] - other.pose.x) + abs(there[1] - other.pose.y)
    )


@pytest.mark.rule("TMG-CHG-20")
@given(turn=st.floats(-44, 44), up=st.floats(22.6, 25.4))
def test_one_that_stands_askew_is_turned_flush(turn: float, up: float) -> None:
    # Pushed against b1's left edge until it touches, wherever along it and however turned.
    loose = fighter("r2", 10, up, turn)
    ground = field(NEW, B1.at(PLACE), R1, loose)
    gap = min(22 - x for x, _ in corners(loose))
    other = loose.at(Pose(10 + gap, up, turn))
    if overlap_depth(other, R1) > 0 or MoveEnd(ground, 0).gap(PLACE, ground.trays.corners[2]) == 0:
        return
    results = moved(other)
    if not results:
        return  # its corner is above or below the edge
    (found,) = results
    assert found.pose is not None
    if found.rule != "TMG-CHG-20":
        return
    now = other.at(found.pose)
    assert overlap_depth(now, B1.at(PLACE)) < 1e-6
    assert overlap_depth(now, R1) < 0.02 + 1e-6
    assert contact_in(now, B1.at(PLACE)) == pytest.approx(1.5, abs=1e-2)  # b1's edge is 3 long
    # no other half place that is free asks for less
    for facing in (0.0, 90.0, 180.0, 270.0):
        wide, deep = (4.0, 3.0) if facing in (0.0, 180.0) else (3.0, 4.0)
        for side in (1, -1):
            y = 24 + side * max(wide, 3.0) / 2
            rival = other.at(Pose(22 - deep / 2, y, facing))
            if overlap_depth(rival, R1) < 0.02:
                far = max(
                    ((a - c) ** 2 + (b - d) ** 2) ** 0.5
                    for (a, b), (c, d) in zip(corners(other), corners(rival), strict=True)
                )
                assert found.moved_in <= far + 1e-6


@pytest.mark.rule("TMG-CHG-21")
def test_without_room_at_half_it_is_moved_an_inch_off() -> None:
    # Walls above and below b1's left edge: neither half is free, straight off is.
    walls = patch("impassable", 12, 26.6, 22, 30, "t1"), patch("impassable", 12, 18, 22, 22.4, "t2")
    (found,) = moved(fighter("r2", 20.5, 24.5, 0), *walls)
    assert found.rule == "TMG-CHG-21"
    assert found.pose is not None
    assert spot(found.pose) == (19.5, 24.5, 0.0)
    assert found.moved_in == pytest.approx(1)
    assert found.contact == 0
    ended = field(NEW, B1.at(PLACE), R1, fighter("r2", 20.5, 24.5, 0).at(found.pose))
    assert ended.pairs.gap[0, 2] == pytest.approx(1)


@pytest.mark.rule("TMG-CHG-21")
def test_it_goes_aslant_where_straight_is_barred() -> None:
    walls = (
        patch("impassable", 12, 26.95, 22, 30, "t1"),
        patch("impassable", 12, 18, 21.9, 22.4, "t2"),
        patch("impassable", 17, 22.4, 18.9, 22.8, "t3"),  # a stub behind it, low down
    )
    (found,) = moved(fighter("r2", 20.5, 24.5, 0), *walls)
    assert found.rule == "TMG-CHG-21"
    assert found.pose is not None
    assert found.moved_in > 1
    assert found.pose.y > 24.5
    ended = field(NEW, B1.at(PLACE), R1, fighter("r2", 20.5, 24.5, 0).at(found.pose))
    assert ended.pairs.gap[0, 2] == pytest.approx(1)


@pytest.mark.rule("TMG-CHG-22")
def test_without_an_inch_it_is_moved_just_off() -> None:
    walls = (
        patch("impassable", 12, 26.6, 22, 30, "t1"),
        patch("impassable", 12, 18, 22, 22.4, "t2"),
        patch("impassable", 12, 22.4, 18.5, 26.6, "t3"),  # half an inch behind it
    )
    other = fighter("r2", 20.5, 24.5, 0)
    (found,) = moved(other, *walls)
    assert found.rule == "TMG-CHG-22"
    assert found.pose is not None
    assert 0.02 < found.moved_in < 0.05
    ended = Battlefield(field(NEW, B1.at(PLACE), R1, other.at(found.pose), *walls).table)
    assert ended.engaged_ids(2) == ()


@pytest.mark.rule("TMG-CHG-22")
def test_walled_in_wholly_the_players_must_make_room() -> None:
    walls = (
        patch("impassable", 12, 26.5, 22, 30, "t1"),
        patch("impassable", 12, 18, 22, 22.5, "t2"),
        patch("impassable", 12, 22.5, 19, 26.5, "t3"),
    )
    (found,) = moved(fighter("r2", 20.5, 24.5, 0), *walls)
    assert (found.rule, found.pose) == ("TMG-CHG-22", None)
    assert found.answer.why == ("TMG-CHG-22",)


@pytest.mark.rule("TMG-CHG-20", "TMG-CHG-21")
def test_nobody_is_moved_into_another_fight() -> None:
    # b2 waits just above r2's upper half places, b3 just below the lower ones.
    friends = fighter("b2", 19.9, 28.5, 90), fighter("b3", 19.9, 19.5, 90)
    other = fighter("r2", 20.5, 24.5, 0)
    (found,) = moved(other, *friends)
    assert found.rule == "TMG-CHG-21"
    (alone,) = moved(other, friends[1])
    assert alone.rule == "TMG-CHG-20"


@pytest.mark.rule("TMG-CHG-20")
def test_several_are_moved_in_turn_without_meeting() -> None:
    left, right = fighter("r2", 20.5, 24.5, 0), fighter("r3", 27.5, 24.5, 180)
    found = moved(left, right)
    assert [one.unit for one in found] == ["r2", "r3"]
    places = [unit.at(one.pose) for unit, one in zip((left, right), found, strict=True) if one.pose]
    assert overlap_depth(*places) == 0
    assert {one.rule for one in found} == {"TMG-CHG-20"}


@pytest.mark.rule("TMG-CHG-20")
def test_where_two_would_meet_the_later_one_takes_the_other_half() -> None:
    # Both would go to b1's rear left corner, neither stands there yet; r2 goes first.
    left, wall = fighter("r2", 20.5, 24.5, 0), patch("impassable", 12, 26.6, 22, 30)
    behind = fighter("r3", 23.5, 21, 90, tray=Tray("", 2.0, 3.0))
    alone = moved(behind, wall)[0].pose, moved(left, wall)[0].pose
    assert [spot(pose) for pose in alone if pose] == [(22.0, 21.0, 90.0), (20.5, 22.0, 0.0)]
    found = [one.pose for one in moved(left, behind, wall)]
    assert [spot(pose) for pose in found if pose] == [(20.5, 22.0, 0.0), (26.0, 21.0, 90.0)]


@pytest.mark.rule("TMG-CHG-20")
def test_a_touch_the_measurement_cannot_tell_is_unsure() -> None:
    (found,) = moved(fighter("r2", 20.41, 24.5, 0, sigma=Sigma(0.03)))
    assert (found.touched.verdict, found.touched.why) == ("unsure", ("TMG-CHG-20",))
    assert found.answer.verdict == "unsure"
    assert moved(fighter("r2", 20.2, 24.5, 0, sigma=Sigma(0.03))) == ()


@pytest.mark.rule("TMG-CHG-20")
@pytest.mark.parametrize("deep", [3.0, 4.5])
def test_corner_on_corner_either_edge_will_do(deep: float) -> None:
    # r2 stands beside r1 and meets b1's front right corner. The front is r1's: whichever arc
    # holds more of r2, there is room at b1's right edge.
    other = fighter("r2", 28, 25.5 + deep / 2, 270, tray=Tray("", 4.0, deep))
    (found,) = moved(other)
    assert found.rule == "TMG-CHG-20"
    assert found.pose is not None
    now = other.at(found.pose)
    assert contact_in(now, B1.at(PLACE)) == pytest.approx(1.5, abs=1e-2)
    assert overlap_depth(now, R1) < 1e-6


@pytest.mark.rule("TMG-CHG-21", edition="2021")
@pytest.mark.parametrize("now", [Pose(3, 4, 180), Pose(3, -4, 180), Pose(-3, 4, 180)])
def test_a_tray_turned_about_a_corner_moves_its_opposite_corner_farthest(now: Pose) -> None:
    assert farthest_corner(Pose(0, 0, 0), now, 3.0, 4.0) == pytest.approx(10.0)


@pytest.mark.rule("TMG-GLO-11", "TMG-CHG-20")
@pytest.mark.parametrize(
    ("reading", "verdict"), [("ask", "unsure"), ("touch", "yes"), ("apart", "")]
)
def test_whether_a_corner_is_contact_is_the_players_reading(reading: str, verdict: str) -> None:
    # r2 stands flush beside r1: b1, aligned in the middle of r1, meets it at a corner only
    beside = fighter("r2", 28, 27, 270)
    ground = field(NEW, B1, R1, beside, readings=Readings(corner_contact=reading))
    found = others(ground, "b1", "r1", PLACE)
    assert [one.touched.verdict for one in found] == ([verdict] if verdict else [])
    assert all(one.cornered is (reading == "ask") for one in found)
    there = field(NEW, B1.at(PLACE), R1, beside, readings=Readings(corner_contact=reading))
    assert there.unengaged[2].verdict == {"yes": "no", "": "yes"}.get(verdict, verdict)
    askew = field(NEW, B1.at(PLACE), R1, fighter("r2", 28.2, 25.5, 200, sigma=Sigma()))
    assert not askew.cornered.any()
