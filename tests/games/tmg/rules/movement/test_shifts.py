"""Shifts: how far a unit may slide beside friends, over rough ground, and how sure that is."""

from __future__ import annotations

import math

import pytest

from companion.games.tmg.rules.movement.move_check import check
from companion.games.tmg.rules.movement.moves import Shifts, gaps
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.survey import Survey
from companion.geometry.plane.motion.shift import AXES, ShiftTrack
from models import Sigma, Tray
from tests.games.tmg.sample_units import BOTH, BOW, NEW, field, fighter, patch

# -- friends beside the shooter -----------------------------------------------------------------


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize("overlap", [-0.01, 0.0, 0.01, 0.04])
@pytest.mark.parametrize("xy", [0.0, 0.03])
@pytest.mark.rule("TMG-MOV-9", "TMG-RNG-5", "TMG-MOV-5")
def test_a_friend_beside_the_shooter_bars_no_shift_forward(
    game: str, overlap: float, xy: float
) -> None:
    """Trays side by side look a hair in one another when typed or measured: both agree on it."""
    sigma = Sigma(xy, 0.0)
    unit = fighter("b1", 24, 10, attacks=(BOW,), sigma=sigma)
    friend = fighter("b2", 28 - overlap, 10, sigma=sigma)
    goal = fighter("r1", 24, 26, 270, sigma=sigma)  # 13 inches from the arrow
    table = field(game, unit, friend, goal).table
    shot = Survey.of(table).report.units["b1"].shots["r1"]
    assert shot.answer.verdict == "yes"
    assert shot.shift[0] == pytest.approx(1.0 + 3 * xy * 2**0.5, abs=0.01)
    stepped = table.moved("b1", unit.pose.shifted(*shot.shift))
    assert check(table, stepped, "b1")["shift"].answer.verdict == "yes"


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-MOV-9", "TMG-RNG-5")
def test_a_friend_in_the_way_bars_a_shift_and_a_doubtful_one_casts_doubt(game: str) -> None:
    """The shooter must step aside to see past a friend, and another stands where it would go."""

    def shot(off: float, xy: float = 0.0) -> tuple[str, float]:
        sigma = Sigma(xy, 0.0)
        table = field(
            game,
            fighter("b1", 24, 10, attacks=(BOW,), sigma=sigma),
            fighter("b2", 28 + off, 10, sigma=sigma),
            fighter("b3", 20 - off, 10, sigma=sigma),
            fighter("b4", 24.2, 14, tray=Tray("", 4.4, 1.0), sigma=sigma),
            fighter("r1", 24, 18, 270, tray=Tray("", 1.0, 1.0), sigma=sigma),
        ).table
        found = Survey.of(table).report.units["b1"].shots["r1"]
        return found.answer.verdict, found.shift[1]

    free = shot(2.0)
    assert free[0] == "yes"
    needs = abs(free[1])
    assert 0.2 < needs < 2.0
    assert shot(needs - 0.05)[0] == "no"
    assert shot(needs + 0.05)[0] == "yes"
    assert shot(needs + 0.05, 0.05)[0] == "unsure"


@pytest.mark.rule("OR-26", "TMG-TER-17", "TMG-RNG-5")
@pytest.mark.parametrize("game", BOTH)
def test_a_shift_pays_for_each_rough_piece_if_so_read(game: str) -> None:
    bogs = [patch("rough", 20, 11.6 + n / 4, 28, 11.7 + n / 4, f"t{n}") for n in range(2)]

    def shot(reading: str, away: float) -> str:
        goal = fighter("r1", 24, 11.5 + away + 1.5, 270)
        ground = field(game, fighter("b1", 24, 10, attacks=(BOW,)), goal, *bogs)
        report = Survey.of(ground.table, Readings(rough=reading)).report
        return report.units["b1"].shots["r1"].answer.verdict

    assert (shot("once", 13.0), shot("once", 13.01)) == ("yes", "no")
    assert (shot("each", 12.35), shot("each", 12.36)) == ("yes", "no")  # it stops at the second


# -- enemies ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-MOV-7", "TMG-RNG-6", "OR-19", edition="2021")
@pytest.mark.parametrize(
    ("beside", "xy", "verdict"),
    [
        (1.02, 0.0, "yes"),
        (0.98, 0.0, "no"),
        (1.02, 0.05, "unsure"),
        (0.98, 0.05, "unsure"),
        (1.5, 0.05, "yes"),
        (0.5, 0.05, "no"),
    ],
)
def test_the_inch_from_an_enemy_after_a_shift_is_measured_with_doubt(
    beside: float, xy: float, verdict: str
) -> None:
    """The target comes into range an inch ahead, where another enemy stands beside the way."""
    sigma = Sigma(xy, 0.0)
    post = Tray("", 1.0, 1.0)
    ground = field(
        NEW,
        fighter("b1", 24, 10, attacks=(BOW,), sigma=sigma),
        fighter("r1", 24, 26, 270, sigma=sigma),
        fighter("r2", 26 + beside + 0.5, 12.9, 270, tray=post, sigma=sigma),
    )
    shot = Survey.of(ground.table).report.units["b1"].shots["r1"]
    assert shot.answer.verdict == verdict


# -- retreats -----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-RET-9", "TMG-RET-8")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(("room", "verdict"), [(1.03, "yes"), (1.001, "yes"), (0.99, "no")])
def test_a_retreat_into_a_narrow_window_is_found(game: str, room: float, verdict: str) -> None:
    """Walls beside it and behind it leave so much way back; an inch from the enemy is legal."""
    unit = fighter("b1", 24, 10)
    ground = field(
        game,
        unit,
        fighter("r1", 24, 13, 270),
        patch("impassable", 21, 5, 21.9, 14, "t1"),
        patch("impassable", 26.1, 5, 27, 14, "t2"),
        patch("impassable", 20, 7, 28, 8.5 - room, "t3"),
    )
    report = Survey.of(ground.table).report.units["b1"]
    assert report.moves["retreat"].verdict == verdict
    back = check(ground.table, ground.table.moved("b1", unit.pose.shifted(-room)), "b1")["retreat"]
    assert back.answer.verdict == verdict


# -- the table's edges ----------------------------------------------------------------------------


@pytest.mark.rule("OR-18", "TMG-MOV-5")
@pytest.mark.parametrize("heading", [0.0, 90.0, 180.0, 270.0])
@pytest.mark.parametrize(
    ("x", "y", "way", "room"),
    [
        (3.0, 24.0, (-1, 0), 0.0),
        (45.0, 24.0, (1, 0), 0.0),
        (24.0, 3.0, (0, -1), 0.0),
        (24.0, 45.0, (0, 1), 0.0),
        (24.0, 24.0, (1, 0), 2.0),
    ],
)
def test_a_shift_ends_at_the_tables_edge(
    heading: float, x: float, y: float, way: tuple[int, int], room: float
) -> None:
    """A tray of 4 x 4 has 1 inch to the edge; in the middle nothing ends the 2 inches."""
    unit = fighter("b1", x, y, heading, tray=Tray("", 4.0, 4.0))
    ground = field(NEW, unit)
    box = ground.obstacles.boxes[0]
    for axis in AXES:
        spans = Shifts(ground, 0, 2.0).open([axis])[0]
        track = ShiftTrack.of(box, axis)
        toward = track.ahead * way[0] + track.aside * way[1] > 0.5
        most = room or (1.0 if toward else 2.0)
        assert len(spans) == 1
        assert spans[0] == pytest.approx((0.0, most), abs=1e-4), axis


@pytest.mark.rule("OR-18", "TMG-MOV-5")
def test_a_tray_askew_ends_its_shift_with_its_first_corner_at_the_edge() -> None:
    unit = fighter("b1", 24.0, 45.0, 60.0)
    ahead = Shifts(field(NEW, unit), 0, 3.0).open([AXES[0]])[0]
    slope, across = math.sin(math.radians(60)), math.cos(math.radians(60))
    most = (3.0 - 1.5 * slope - 2.0 * across) / slope
    assert len(ahead) == 1
    assert ahead[0] == pytest.approx((0.0, most), abs=1e-4)
    off = field(NEW, unit, readings=Readings(table_edge="off"))
    assert Shifts(off, 0, 3.0).open([AXES[0]])[0] == [(0.0, 3.0)]


@pytest.mark.rule("OR-18", "TMG-MOV-5")
def test_a_tray_over_the_edge_may_shift_back_onto_the_table_only() -> None:
    ground = field(NEW, fighter("b1", 24.0, 47.0))  # half an inch of it hangs over
    ahead, back, *aside = Shifts(ground, 0, 2.0).open(
        [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)]
    )
    assert ahead == [(0.0, 0.0)]
    assert back[0] == (0.0, 0.0)
    assert back[1] == pytest.approx((0.5, 2.0), abs=1e-4)
    assert aside == [[(0.0, 0.0)], [(0.0, 0.0)]]


@pytest.mark.rule("TMG-MOV-7", "TMG-MOV-9")
def test_what_is_cut_out_of_a_slide() -> None:
    assert gaps(0.0, 2.0, []) == [(0.0, 2.0)]
    assert gaps(0.0, 2.0, [(0.5, 1.0)]) == [(0.0, 0.5), (1.0, 2.0)]
    assert gaps(0.0, 2.0, [(0.5, 1.0), (0.8, 1.5)]) == [(0.0, 0.5), (1.5, 2.0)]
    assert gaps(0.0, 2.0, [(-1.0, 0.5)]) == [(0.5, 2.0)]
    assert gaps(0.0, 2.0, [(1.0, 3.0)]) == [(0.0, 1.0)]
    assert gaps(0.0, 2.0, [(-1.0, 3.0)]) == []
    assert gaps(0.0, 2.0, [(2.0, 3.0), (-1.0, 0.0)]) == [(0.0, 2.0)]
    assert gaps(0.0, 2.0, [(1.0, 2.0)]) == [(0.0, 1.0), (2.0, 2.0)]
    assert gaps(1.0, 0.5, []) == []
