"""Rolled charges: how far, what stops them, how they end, in both editions."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.charge.charge_move import ChargeMove, charge_move
from companion.games.tmg.rules.charge.charge_route import ChargeRoute
from companion.games.tmg.rules.combat.melee import melee_bonus
from companion.games.tmg.rules.movement.move_end import MoveEnd
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.survey import Survey
from models import CompanionError, Pose, Sigma, Terrain, Tray, Unit
from models.unit import overlap_depth
from tests.games.tmg.sample_units import BOTH, NEW, OLD, SQUARE, field, fighter, patch, spot

B1 = fighter("b1", 24, 10)  # front edge at y = 11.5
ONE_INCH = Readings(failed_charge_stop="one-inch")


def enemy(away: float, x: float = 24.0, unit_id: str = "r1") -> Unit:
    """An enemy facing b1 whose front edge is so far ahead of b1's."""
    return fighter(unit_id, x, 11.5 + away + 1.5, 270)


def roll(ground: Battlefield, *faces: int, heading: float = 90.0) -> ChargeMove:
    return charge_move(ground, "b1", "r1", heading, faces)


# -- the roll -----------------------------------------------------------------------------------


@pytest.mark.rule("EX-13", "TMG-CHG-14", "TMG-CHG-12")
@pytest.mark.parametrize("game", BOTH)
def test_eight_inches_at_speed_five_need_a_three_ex_13(game: str) -> None:
    ground = field(game, B1, enemy(8))
    assert Survey.of(ground.table).report.units["b1"].charges["r1"].needs == 3
    verdicts = [roll(ground, die).success.verdict for die in range(1, 7)]
    assert verdicts == ["no", "no", "yes", "yes", "yes", "yes"]
    # Whatever the roll beyond that, the tray is stopped by the contact.
    assert {spot(roll(ground, die).end) for die in (3, 6)} == {(24.0, 18.0, 90.0)}


@pytest.mark.rule("EX-14", "TMG-CHG-12", "TMG-CHG-13", "TMG-CHG-15")
@pytest.mark.parametrize("game", BOTH)
def test_a_two_falls_an_inch_short_ex_14(game: str) -> None:
    ground = field(game, B1, enemy(8))
    found = roll(ground, 2)
    assert found.success.why == ("TMG-CHG-15",)
    assert found.travel_in == pytest.approx(7)
    assert spot(found.end) == (24.0, 17.0, 90.0)
    assert MoveEnd(ground, 0).gap(found.end, ground.trays.corners[1]) == pytest.approx(1)
    assert (found.stopped, found.places, found.roll.disorderly) == ((), (), False)


@pytest.mark.rule("EX-15", "TMG-CHG-15", "TMG-CHG-16")
@pytest.mark.parametrize("game", BOTH)
def test_a_one_fails_in_disorder_ex_15(game: str) -> None:
    found = roll(field(game, B1, enemy(8)), 1)
    assert found.travel_in == pytest.approx(6)
    assert (found.success.verdict, found.roll.disorderly, found.roll.bonus) == ("no", True, False)


@pytest.mark.rule("EX-16", "TMG-CHG-14", "TMG-CHG-16")
@pytest.mark.parametrize("game", BOTH)
def test_a_one_can_be_enough_but_never_orderly_ex_16(game: str) -> None:
    found = roll(field(game, B1, enemy(6)), 1)
    assert found.success
    assert (found.roll.disorderly, found.roll.bonus) == (True, False)
    orderly = roll(field(game, B1, enemy(6)), 2)
    assert (orderly.roll.disorderly, orderly.roll.bonus) == (False, True)


@pytest.mark.rule("EX-17", "TMG-CHG-4")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(("away", "verdict"), [(10.0, "yes"), (10.1, "no")])
def test_the_farthest_charge_needs_a_six_ex_17(game: str, away: float, verdict: str) -> None:
    # The tray is so narrow that no corner of it comes nearer by turning.
    slow, goal = fighter("b1", 24, 10, tray=Tray("", 0.1, 3.0), speed=4), enemy(away)
    ground = field(game, slow, goal)
    found = roll(ground, 6)
    assert found.allowed.verdict == found.success.verdict == verdict
    assert not roll(ground, 5).success


@pytest.mark.rule("EX-18", "TMG-TER-17", "TMG-CHG-4")
@pytest.mark.parametrize("game", BOTH)
def test_rough_ground_takes_an_inch_of_the_reach_ex_18(game: str) -> None:
    bog = patch("rough", 20, 14, 28, 15)
    ground = field(game, B1, enemy(10.5), bog)
    found = roll(ground, 6)
    assert not found.allowed
    assert found.success.verdict == "no"
    assert found.travel_in == pytest.approx(10)
    assert found.effects == ("rough",)
    assert roll(field(game, B1, enemy(10.5)), 6).success


@pytest.mark.rule("TMG-TER-17", "OR-26")
@pytest.mark.parametrize("game", BOTH)
def test_rough_is_paid_once_or_by_piece_and_only_where_it_is_trodden(game: str) -> None:
    two = patch("rough", 20, 13, 28, 14), patch("rough", 20, 15, 28, 16, "t2")
    ground = field(game, B1, enemy(9), *two)
    assert roll(ground, 3).travel_in == pytest.approx(7)
    each = field(game, B1, enemy(9), *two, readings=Readings(rough="each"))
    assert roll(each, 3).travel_in == pytest.approx(6)
    assert roll(ground, 5).success
    assert not roll(each, 5).success
    # The last inch onto a Rough piece cannot be paid for: the tray stops at its edge.
    far = field(game, B1, enemy(9), patch("rough", 20, 19, 28, 20))
    assert roll(far, 3).travel_in == pytest.approx(7.5)
    assert roll(far, 2).travel_in == pytest.approx(7)
    # Leaving Rough ground costs as well.
    start = field(game, B1, enemy(9), patch("rough", 20, 8, 28, 9))
    assert roll(start, 3).travel_in == pytest.approx(7)
    # Even where the pivot alone takes the tray off it.
    sideways = field(game, fighter("b1", 24, 10, 0), enemy(9), patch("rough", 20, 7, 28, 8.2))
    assert roll(sideways, 3).travel_in == pytest.approx(7)


@pytest.mark.rule("EX-19", "TMG-TER-14", "TMG-CHG-16", edition="2021")
def test_hindering_takes_the_bonus_in_2021_ex_19() -> None:
    found = roll(field(NEW, B1, enemy(8), patch("hindering", 20, 14, 28, 15)), 5)
    assert found.success
    assert found.roll.reach_in == 10
    assert (found.roll.bonus, found.roll.disorderly) == (False, False)
    assert found.effects == ("hindering",)


@pytest.mark.rule("EX-19", "TMG-TER-14", "TMG-CHG-16", edition="2018")
def test_hindering_rolls_two_dice_in_2018_ex_19() -> None:
    ground = field(OLD, B1, enemy(8), patch("hindering", 20, 14, 28, 15))
    found = roll(ground, 2, 5)
    assert not found.success
    assert (found.roll.die, found.roll.disorderly) == (2, True)
    assert found.travel_in == pytest.approx(7)
    with pytest.raises(CompanionError, match="2 D6"):
        roll(ground, 5)


@pytest.mark.rule("EX-20", "TMG-TER-14", "TMG-CHG-16")
@pytest.mark.parametrize(
    ("game", "faces", "disorderly", "bonus"),
    [(NEW, (2,), False, False), (OLD, (2, 6), True, False), (OLD, (3, 6), False, True)],
)
def test_seven_inches_over_hindering_ex_20(
    game: str, faces: tuple[int, ...], disorderly: bool, bonus: bool
) -> None:
    found = roll(field(game, B1, enemy(7), patch("hindering", 20, 14, 28, 15)), *faces)
    assert found.success
    assert (found.roll.disorderly, found.roll.bonus) == (disorderly, bonus)


@pytest.mark.rule("TMG-TER-14")
@pytest.mark.parametrize(
    ("piece", "faces"),
    [
        (patch("hindering", 27, 14, 30, 15), (3,)),  # beside the way
        (patch("hindering", 20, 19.6, 28, 21), (3,)),  # under the target, not before it
        (patch("hindering", 25, 19, 30, 21), (3, 3)),
    ],
    ids=["beside", "beyond", "before"],
)
def test_only_hindering_ground_on_the_way_counts_in_2018(
    piece: Terrain, faces: tuple[int, ...]
) -> None:
    assert roll(field(OLD, B1, enemy(8), piece), *faces).success


# -- what stops it ------------------------------------------------------------------------------


@pytest.mark.rule("TMG-CHG-13")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    "thing",
    [enemy(5, 27, "r2"), patch("impassable", 25, 16.5, 30, 18, "r2")],
    ids=["enemy", "piece"],
)
def test_it_stops_an_inch_short_of_another(game: str, thing: Unit | Terrain) -> None:
    ground = field(game, B1, enemy(8), thing)
    found = roll(ground, 6)
    assert found.success.verdict == "no"
    assert set(found.success.why) == {"TMG-CHG-13", "TMG-CHG-15"}
    assert found.travel_in == pytest.approx(4)
    assert (found.stopped, found.stopper) == (("TMG-CHG-13",), "r2")


@pytest.mark.rule("TMG-CHG-12", "TMG-CHG-13")
@pytest.mark.parametrize("game", BOTH)
def test_only_what_it_would_touch_stops_it(game: str) -> None:
    beside = enemy(5, 28.1, "r2")  # 0.1 inch from the way
    assert roll(field(game, B1, enemy(8), beside), 3).success
    # A roll that ends before the contact goes its full distance, nearer than an inch too.
    short = field(game, B1, enemy(12), enemy(6.5, 27, "r2"))
    assert roll(short, 1).travel_in == pytest.approx(6)
    assert roll(short, 1).stopped == ()
    assert roll(short, 2).travel_in == pytest.approx(5.5)
    # One that ends at the contact would touch it.
    touching = roll(field(game, B1, enemy(12), enemy(7, 27, "r2")), 2)
    assert touching.travel_in == pytest.approx(6)
    assert touching.stopped == ("TMG-CHG-13",)
    # From nearer than two inches it still goes what is left.
    near = roll(field(game, B1, enemy(12), enemy(1.6, 27, "r2")), 2)
    assert near.travel_in == pytest.approx(0.6)


@pytest.mark.rule("TMG-CHG-13")
@pytest.mark.parametrize("game", BOTH)
def test_an_inch_short_is_an_inch_of_room_not_of_way(game: str) -> None:
    # An enemy's corner points at the charger: the gap at the end is exactly an inch.
    askew = fighter("r2", 24, 20, 225)
    ground = field(game, B1, enemy(20), askew)
    found = roll(ground, 6)
    gap = MoveEnd(ground, 0).gap(found.end, ground.trays.corners[2])
    assert gap == pytest.approx(1, abs=1e-6)


@pytest.mark.rule("TMG-CHG-14", "TMG-CHG-20")
def test_touching_the_target_and_another_at_once_is_a_success() -> None:
    ground = field(NEW, B1, enemy(8, 22), enemy(8, 26, "r2"))
    assert roll(ground, 3).success


@pytest.mark.rule("TMG-CHG-13")
def test_close_to_another_it_does_not_move_at_all() -> None:
    ground = field(NEW, B1, enemy(8, 26), enemy(0.6, 22, "r2"))
    found = roll(ground, 6)
    assert found.travel_in == 0
    assert spot(found.end) == spot(B1.pose)


@pytest.mark.rule("TMG-CHG-15", "TMG-CHG-9", "TMG-CHG-10", edition="2021")
def test_a_pivot_that_misses_the_target_is_refused_in_2021() -> None:
    found = roll(field(NEW, B1, enemy(8)), 6, heading=135.0)
    assert found.success.why == ("TMG-CHG-15",)
    assert "TMG-CHG-10" in found.allowed.why
    away = roll(field(NEW, B1, enemy(8)), 6, heading=270.0)
    assert "TMG-CHG-9" in away.allowed.why


# -- where a failed charge stays ----------------------------------------------------------------


@pytest.mark.rule("OR-14", "TMG-CHG-12", "TMG-CHG-15")
@pytest.mark.parametrize("game", BOTH)
def test_a_failed_charge_goes_its_full_distance_or_stops_at_an_inch(game: str) -> None:
    near = enemy(7.4)
    full = roll(field(game, B1, near), 2)
    assert full.travel_in == pytest.approx(7)
    assert full.stopped == ()
    short = roll(field(game, B1, near, readings=ONE_INCH), 2)
    assert short.travel_in == pytest.approx(6.4)
    assert (short.stopped, short.stopper) == (("OR-14",), "r1")
    assert roll(field(game, B1, near, readings=ONE_INCH), 3).success  # successes are not touched


@pytest.mark.rule("OR-14")
def test_read_so_it_may_pass_an_enemy_closely_but_not_stay_there() -> None:
    aside = enemy(2, 28.5, "r2")  # half an inch beside the way, from 2 to 5 inches ahead
    ground = field(NEW, B1, enemy(20), aside, readings=ONE_INCH)
    past = roll(ground, 6)
    assert past.travel_in == pytest.approx(11)
    slow = field(NEW, replace(B1, speed=3), enemy(20), aside, readings=ONE_INCH)
    found = roll(slow, 1)
    gap = MoveEnd(slow, 0).gap(found.end, slow.trays.corners[2])
    assert gap == pytest.approx(1, abs=1e-6)
    assert found.travel_in < 2


@pytest.mark.rule("OR-14", "TMG-CHG-9")
@pytest.mark.parametrize("game", BOTH)
def test_beside_an_enemy_it_only_pivots(game: str) -> None:
    beside = fighter("r2", 28.5, 10, 270)  # half an inch beside it
    slow = replace(B1, speed=1)
    ground = field(game, slow, enemy(6), beside, readings=ONE_INCH)
    found = roll(ground, 1, heading=92.0)
    assert (found.travel_in, found.stopped, found.stopper) == (0.0, ("OR-14",), "r2")
    assert spot(found.end) == (24.0, 10.0, 92.0)


@pytest.mark.rule("OR-15", "TMG-MOV-8", "TMG-MOV-9")
@pytest.mark.parametrize("game", BOTH)
def test_a_failed_charge_ends_clear_of_friends(game: str) -> None:
    friend = fighter("b2", 25, 18)  # y 16.5..19.5, over the way
    ground = field(game, B1, enemy(14), friend)
    found = roll(ground, 2)  # 7 inches end at y 18.5, on the friend
    assert found.travel_in == pytest.approx(5)
    assert (found.stopped, found.stopper) == (("OR-15",), "b2")
    assert overlap_depth(B1.at(found.end), friend) < 1e-6
    beyond = roll(field(game, replace(B1, speed=6), enemy(14), friend), 6)
    assert beyond.travel_in == pytest.approx(12)  # past the friend, clear again
    assert beyond.stopped == ()


@pytest.mark.rule("OR-15", "TMG-MOV-4", edition="2021")
def test_with_no_place_on_the_line_it_stays_as_it_stood() -> None:
    # In 2021 the pivot may end over a friend; a low roll then finds no free place on the line.
    friend = fighter("b2", 23.6, 14)
    slow = fighter("b1", 20, 14, 0, speed=0)  # turned upward it is wider than it is now
    ground = field(NEW, slow, friend, fighter("r1", 20, 20, 270))
    found = roll(ground, 1)
    assert found.stopped == ("OR-15",)
    assert spot(found.end) == spot(slow.pose)


@pytest.mark.rule("OR-18", "TMG-CHG-12")
def test_a_failed_charge_stays_on_the_table() -> None:
    ground = field(NEW, fighter("b1", 24, 40), fighter("r1", 34, 45, 270))
    found = roll(ground, 6)
    assert found.travel_in == pytest.approx(48 - 41.5)
    assert found.stopped == ("OR-18",)
    endless = field(
        NEW,
        fighter("b1", 24, 40),
        fighter("r1", 34, 45, 270),
        readings=Readings(table_edge="off"),
    )
    assert roll(endless, 6).travel_in == pytest.approx(11)


# -- where a successful one is put --------------------------------------------------------------


@pytest.mark.rule("TMG-CHG-17", "TMG-CHG-6", "OR-12")
@pytest.mark.parametrize("game", BOTH)
def test_a_success_is_aligned_at_full_or_half(game: str) -> None:
    found = roll(field(game, B1, enemy(8, 23)), 6)  # at the contact the centres are an inch apart
    assert [(place.share, spot(place.placement.pose)) for place in found.places] == [
        (1.0, (23.0, 18.0, 90.0)),
        (0.5, (25.0, 18.0, 90.0)),
        (0.5, (21.0, 18.0, 90.0)),
    ]
    assert {place.rule for place in found.places} == {"TMG-CHG-17"}


@pytest.mark.rule("EX-21", "TMG-CHG-6", "TMG-CHG-7", "TMG-CHG-17", "TMG-BON-3", "TMG-BON-4")
@pytest.mark.parametrize("game", BOTH)
def test_from_the_flank_it_ends_at_the_flank_ex_21(game: str) -> None:
    # Most of b1 stands in r1's left arc, a small part in its front arc.
    goal = fighter("r1", 24, 20, 0)
    ground = field(game, fighter("b1", 31, 30, 270), goal)
    charge = Survey.of(ground.table).report.units["b1"].charges["r1"]
    assert charge.zone.arc == "left"
    assert charge.zone.shares[0] > 0
    assert charge.heading is not None
    found = charge_move(ground, "b1", "r1", charge.heading, (6,))
    assert found.success
    full = found.places[0]
    assert spot(full.placement.pose) == (24.0, 23.5, 270.0)
    ended = Battlefield(ground.table.moved("b1", full.placement.pose))
    bonus = melee_bonus(ended, 0, 1)
    assert (bonus.zone, bonus.defense, bonus.panic) == ("flank", -1, -1)


@pytest.mark.rule("TMG-CHG-8")
def test_on_the_arc_line_the_attacker_chooses() -> None:
    # EX-G5: a square tray halved by the line of r1's front right corner.
    goal = fighter("r1", 24, 20, 90)
    ground = field(NEW, fighter("b1", 30, 25.5, 180, tray=SQUARE), goal)
    heading = Survey.of(ground.table).report.units["b1"].charges["r1"].heading
    assert heading is not None
    ends = {
        arc: charge_move(ground, "b1", "r1", heading, (6,), arc).places[0].placement.pose.heading
        for arc in ("front", "right")
    }
    assert ends == pytest.approx({"front": 270.0, "right": 180.0})


@pytest.mark.rule("TMG-CHG-18", edition="2021")
def test_where_neither_fits_the_attacker_lies_as_near_as_it_can_in_2021() -> None:
    # A wall on each side of r1's front leaves 5.2 inches: room for one place off both.
    walls = patch("impassable", 15, 16, 21.7, 19, "t1"), patch("impassable", 26.9, 16, 33, 19, "t2")
    ground = field(NEW, B1, enemy(8), *walls)
    assert [place.share for place in roll(ground, 6).places] == [1.0]
    tight = field(
        NEW,
        fighter("b1", 24.9, 10),
        enemy(8),
        walls[0],
        patch("impassable", 15, 16, 22.4, 19, "t3"),
    )
    found = roll(tight, 6)
    assert [(place.share, place.rule) for place in found.places] == [(0.5, "TMG-CHG-17")]
    # Walls from both sides: 100 % (x = 24) and 50 % (x = 26) are taken, x = 24.7 is free.
    both = field(
        NEW,
        fighter("b1", 24.7, 10),
        enemy(8),
        patch("impassable", 15, 16, 22.6, 19, "t1"),
        patch("impassable", 26.8, 16, 33, 19, "t2"),
    )
    found = roll(both, 6)
    assert found.success
    assert [(place.share, place.rule) for place in found.places] == [(None, "TMG-CHG-18")]
    only = found.places[0]
    assert only.defender is None
    assert only.placement.pose.x == pytest.approx(24.6)
    assert only.placement.contact == pytest.approx(3.4 / 4)


@pytest.mark.rule("TMG-CHG-18", "TMG-CHG-17", edition="2018")
def test_where_neither_fits_the_defender_is_moved_in_2018() -> None:
    ground = field(
        OLD,
        fighter("b1", 24.7, 10),
        enemy(8),
        patch("impassable", 15, 16, 22.6, 19, "t1"),
        patch("impassable", 26.8, 16, 33, 19, "t2"),
    )
    found = roll(ground, 6)
    assert [place.rule for place in found.places] == ["TMG-CHG-18", "TMG-CHG-18"]
    full, half = found.places
    assert full.defender is not None
    assert half.defender is not None
    # 100 %: the attacker at x = 24.6, the defender slides there too; facing kept.
    assert spot(full.placement.pose) == (24.6, 18.0, 90.0)
    assert spot(full.defender) == (24.6, 21.0, 270.0)
    # 50 %: the attacker at x = 24.8, the defender slides away from it to 22.8.
    assert spot(half.placement.pose) == (24.8, 18.0, 90.0)
    assert spot(half.defender) == (22.8, 21.0, 270.0)
    for place in (full, half):
        assert place.defender is not None
        assert overlap_depth(B1.at(place.placement.pose), enemy(8).at(place.defender)) < 1e-6


@pytest.mark.rule("TMG-CHG-18", edition="2018")
def test_a_defender_held_fast_is_met_as_near_to_half_as_can_be_in_2018() -> None:
    held = (
        patch("impassable", 15, 19.6, 21.9, 23, "t3"),  # nothing lets r1 slide to either side
        patch("impassable", 26.1, 19.6, 33, 23, "t4"),
    )
    walls = patch("impassable", 15, 16, 22.6, 19, "t1"), patch("impassable", 26.8, 16, 33, 19, "t2")
    found = roll(field(OLD, fighter("b1", 24.7, 10), enemy(8), *walls, *held), 6)
    assert [(place.share, place.defender) for place in found.places] == [(None, None)]
    assert found.places[0].placement.pose.x == pytest.approx(24.8)  # nearer to 26 than to 24


@pytest.mark.rule("TMG-CHG-18", edition="2018")
def test_a_defender_is_not_carried_off_in_2018() -> None:
    # Only at the far left (x = 20.5) the attacker has room; the way there is barred to r1.
    slot = (
        patch("impassable", 10, 16, 18.4, 19, "t1"),
        patch("impassable", 22.6, 16, 29.9, 19, "t2"),
    )
    bar = patch("impassable", 21.5, 19.6, 21.9, 23, "t3")
    ground = field(OLD, fighter("b1", 20.5, 10), enemy(8), *slot)
    full, half = roll(ground, 6).places
    assert full.defender is not None
    assert half.defender is not None
    assert spot(full.defender) == (20.6, 21.0, 270.0)
    assert spot(half.defender) == (22.6, 21.0, 270.0)
    # It neither jumps over the bar nor leads the attacker away to the room beyond t2.
    found = roll(field(OLD, fighter("b1", 20.5, 10), enemy(8), *slot, bar), 6)
    assert [(place.share, place.defender) for place in found.places] == [(None, None)]
    assert spot(found.places[0].placement.pose) == (20.6, 18.0, 90.0)


@pytest.mark.rule("TMG-CHG-18", edition="2018")
def test_a_defender_keeps_its_other_fights_when_moved_in_2018() -> None:
    # b2 holds r1 at its side: sliding away from b2 would end that fight.
    walls = patch("impassable", 15, 16, 22.6, 19, "t1"), patch("impassable", 26.8, 16, 33, 19, "t2")
    guard = fighter("b2", 20.5, 21.5, 0)  # on r1's edge at x = 22
    found = roll(field(OLD, fighter("b1", 24.7, 10), enemy(8), guard, *walls), 6)
    assert [place.defender for place in found.places] == [None]


# -- doubt --------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-CHG-14", "TMG-CHG-15")
@pytest.mark.parametrize(
    ("away", "verdict"), [(7.8, "yes"), (7.97, "unsure"), (8.03, "unsure"), (8.3, "no")]
)
def test_a_roll_that_just_reaches_is_unsure(away: float, verdict: str) -> None:
    blurred = fighter("b1", 24, 10, sigma=Sigma(0.03))
    found = roll(field(NEW, blurred, enemy(away)), 3)
    assert found.success.verdict == verdict
    if verdict == "unsure":
        assert (found.success.chance > 0.5) is (away < 8)


@pytest.mark.rule("TMG-CHG-13")
@pytest.mark.parametrize(("x", "verdict"), [(28.3, "yes"), (28.05, "unsure"), (27.7, "no")])
def test_an_enemy_that_may_stand_in_the_way_is_unsure(x: float, verdict: str) -> None:
    other = replace(enemy(5, x, "r2"), pose=Pose(x, 18, 270, Sigma(0.03)))
    found = roll(field(NEW, B1, enemy(8), other), 6)
    assert found.success.verdict == verdict
    if verdict == "unsure":
        assert found.success.why == ("TMG-CHG-13",)


@pytest.mark.rule("TMG-CHG-14")
@pytest.mark.parametrize(("x", "verdict"), [(27.0, "yes"), (27.95, "unsure")])
def test_a_target_that_is_perhaps_only_brushed_is_unsure(x: float, verdict: str) -> None:
    goal = fighter("r1", x, 21, 270, sigma=Sigma(0.03))
    assert roll(field(NEW, B1, goal), 6).success.verdict == verdict


# -- against the report -------------------------------------------------------------------------


@pytest.mark.rule("TMG-CHG-12", "TMG-CHG-14")
@given(
    x=st.floats(10, 38),
    y=st.floats(18, 30),
    tenths=st.integers(0, 3599),
    die=st.integers(1, 6),
    game=st.sampled_from(BOTH),
)
def test_the_report_promises_what_the_roll_keeps(
    x: float, y: float, tenths: int, die: int, game: str
) -> None:
    bog = patch("rough", 18, 14, 30, 16)
    ground = field(game, B1, fighter("r1", x, y, tenths / 10), bog)
    charge = Survey.of(ground.table).report.units["b1"].charges["r1"]
    if not charge.answer or charge.heading is None or charge.distance_in is None:
        return
    if abs(charge.distance_in - round(charge.distance_in)) < 1e-3:
        return
    found = charge_move(ground, "b1", "r1", charge.heading, (die,))
    assert bool(found.success) is (charge.needs is not None and die >= charge.needs)
    gap = MoveEnd(ground, 0).gap(found.end, ground.trays.corners[1])
    if found.success:
        assert gap < 2e-3
        assert found.places
    else:
        assert gap > 1e-4


@pytest.mark.rule("TMG-CHG-13", "TMG-TER-15")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("left", "low", "verdict"),
    [
        (26.25, 11.0, "unsure"),  # a quarter of an inch beside the way
        (26.7, 11.0, "yes"),  # farther than the heading errs over 11 inches: 0.58
        (23.0, 7.5, "no"),  # half an inch before the target
    ],
)
def test_a_heading_with_an_error_may_lead_into_a_wall_beside_the_way(
    game: str, left: float, low: float, verdict: str
) -> None:
    wall = patch("impassable", left, 11.5 + low if left < 24 else 12.0, 30, 11.5 + low + 0.2)
    way = ChargeRoute.of(field(game, B1, enemy(8), wall), 0, 1, 90.0, math.radians(1.0))
    assert way.first().verdict == verdict
