"""Set free: Surge Forward after a destruction, free pivots after it and after a retreat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.tmg.checking import check
from companion.games.tmg.moving import forward_retreat, move_answers, retreat_axes
from companion.games.tmg.readings import Readings
from companion.games.tmg.retreating import free_pivots
from companion.games.tmg.surge import surge
from companion.geometry.shift import AXES
from models import Pose, Sigma, Tray
from tests.games.tmg.fighters import BOTH, NEW, OLD, SQUARE, field, fighter, patch

# b1 at (24, 24) faces up and fights r1 in front of it.
B1 = fighter("b1", 24, 24)
R1 = fighter("r1", 24, 27, 270)
BEHIND_R1 = fighter("b2", 24, 30, 270)
BESIDE_R1 = fighter("b3", 27.5, 27, 180)
AHEAD, BACK, LEFT, RIGHT = AXES


# -- Surge Forward ------------------------------------------------------------------------------


@pytest.mark.rule("TMG-SRG-2")
@pytest.mark.parametrize("game", BOTH)
def test_an_attacker_left_without_enemies_may_maneuver(game: str) -> None:
    found = surge(field(game, B1, R1), "b1", "r1")
    assert found.maneuver
    assert found.pivots == {}


@pytest.mark.rule("TMG-SRG-2")
@pytest.mark.parametrize("game", BOTH)
def test_an_attacker_still_engaged_may_not(game: str) -> None:
    other = fighter("r2", 20.5, 24, 0)
    found = surge(field(game, B1, R1, other), "b1", "r1")
    assert (found.maneuver.verdict, found.maneuver.why) == ("no", ("TMG-SRG-2",))


@pytest.mark.rule("TMG-SRG-4")
@pytest.mark.parametrize("game", BOTH)
def test_friends_who_fought_that_enemy_only_may_pivot(game: str) -> None:
    busy = fighter("r2", 24, 33, 270)  # in b2's back
    aside = fighter("b4", 40, 10)  # fought nobody
    found = surge(field(game, B1, R1, BEHIND_R1, BESIDE_R1, busy, aside), "b1", "r1")
    assert found.maneuver
    assert {name: answer.why for name, answer in found.pivots.items()} == {
        "b2": ("TMG-SRG-4",),
        "b3": (),
    }
    assert found.pivots["b3"]
    assert "b1" not in found.pivots
    assert found.plain()["pivots"]["b2"]["answer"] == "no"


@pytest.mark.rule("TMG-SRG-2", "TMG-SRG-4")
def test_what_the_measurement_cannot_tell_is_unsure() -> None:
    close = fighter("r2", 20.41, 24, 0, sigma=Sigma(0.03))  # 0.09 inch from b1
    brushing = fighter("b2", 24, 30.09, 270, sigma=Sigma(0.03))
    found = surge(field(NEW, B1, R1, close, brushing), "b1", "r1")
    assert (found.maneuver.verdict, found.maneuver.why) == ("unsure", ("TMG-SRG-2",))
    assert (found.pivots["b2"].verdict, found.pivots["b2"].why) == ("unsure", ("TMG-SRG-4",))


# -- retreats -----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-RET-7", "EX-10")
@pytest.mark.parametrize("game", BOTH)
def test_an_enemy_left_alone_may_pivot_ex_10(game: str) -> None:
    found = free_pivots(field(game, B1, R1), "b1", Pose(24, 20, 90))
    assert {name: answer.verdict for name, answer in found.items()} == {"r1": "yes"}


@pytest.mark.rule("TMG-RET-7")
@pytest.mark.parametrize("game", BOTH)
def test_an_enemy_still_engaged_may_not(game: str) -> None:
    second = fighter("r2", 20.5, 24, 0)
    bystander = fighter("r3", 40, 40)
    ground = field(game, B1, R1, BEHIND_R1, second, bystander)
    found = free_pivots(ground, "b1", Pose(24, 18, 90))
    assert {name: answer.why for name, answer in found.items()} == {
        "r1": ("TMG-RET-7",),
        "r2": (),
    }


@pytest.mark.rule("TMG-RET-7", "TMG-RET-9")
def test_a_unit_that_stays_frees_nobody() -> None:
    found = free_pivots(field(NEW, B1, R1), "b1", B1.pose)
    assert found["r1"].why == ("TMG-RET-7",)


@pytest.mark.rule("TMG-RET-7")
def test_a_retreat_that_may_still_touch_is_unsure() -> None:
    ground = field(NEW, B1, R1)
    found = free_pivots(ground, "b1", Pose(24, 23.91, 90, Sigma(0.03)))
    assert (found["r1"].verdict, found["r1"].why) == ("unsure", ("TMG-RET-7",))


@pytest.mark.rule("EX-9", "TMG-RET-3", "TMG-RET-6")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("dx", "dy", "needs"),
    [(0, -6, 2), (-6, 0, 2), (6, 0, 2), (0, -5, 1), (0, -1, 1), (-6.1, 0, 3), (0, -10, 6)],
)
def test_guardsmen_fall_back_or_aside_ex_9(game: str, dx: float, dy: float, needs: int) -> None:
    guards = fighter("b1", 24, 24, speed=4)
    before = field(game, guards, R1).table
    heading = 90.0 if dy == -1 else 200.0  # turned afterwards, where there is room to
    after = before.moved("b1", Pose(24 + dx, 24 + dy, heading))
    found = check(before, after, "b1")["retreat"]
    assert found.answer, found.answer
    assert found.needs == needs


@pytest.mark.rule("EX-9", "TMG-RET-3")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(("dx", "dy"), [(0, -10.1), (-4, -4), (0, -0.5)])
def test_guardsmen_fall_back_no_farther_and_not_askew_ex_9(game: str, dx: float, dy: float) -> None:
    guards = fighter("b1", 24, 24, speed=4)
    before = field(game, guards, R1).table
    found = check(before, before.moved("b1", Pose(24 + dx, 24 + dy, 90)), "b1")["retreat"]
    assert found.answer.verdict == "no"


@pytest.mark.rule("EX-11", "TMG-RET-4")
@pytest.mark.parametrize(("game", "verdict"), [(NEW, "yes"), (OLD, "no")])
def test_engaged_at_the_rear_only_the_new_edition_flees_forward_ex_11(
    game: str, verdict: str
) -> None:
    before = field(game, fighter("b1", 24, 24, speed=4), fighter("r1", 24, 21, 90)).table
    found = check(before, before.moved("b1", Pose(24, 30, 90)), "b1")["retreat"]
    assert found.answer.verdict == verdict
    assert found.needs == (2 if verdict == "yes" else None)


@pytest.mark.rule("EX-12", "TMG-RET-9", "TMG-RET-8")
@pytest.mark.parametrize("game", BOTH)
def test_a_unit_walled_in_stays_engaged_ex_12(game: str) -> None:
    walls = (
        patch("impassable", 18, 20, 21.5, 27, "t1"),
        patch("impassable", 26.5, 20, 30, 27, "t2"),
        patch("impassable", 21.5, 20, 26.5, 22.4, "t3"),
    )
    shut = field(game, fighter("b1", 24, 24, speed=4), R1, *walls)
    found = move_answers(shut, 0)["retreat"]
    assert (found.verdict, found.why) == ("no", ("TMG-RET-9",))
    opened = field(game, fighter("b1", 24, 24, speed=4), R1, *walls[1:])
    assert move_answers(opened, 0)["retreat"]
    assert set(retreat_axes(opened, 0)) == {LEFT}


@pytest.mark.rule("TMG-RET-6", "TMG-RET-9")
@pytest.mark.parametrize("game", BOTH)
def test_a_last_pivot_may_be_what_gets_a_unit_clear(game: str) -> None:
    """A long tray between two enemies, walled in: turned on its spot it is an inch from both."""
    long = replace(fighter("b1", 24, 24, speed=4), tray=Tray("", 2.0, 5.0))
    foes = fighter("r1", 24, 28, 270), fighter("r2", 24, 20, 90)
    walls = patch("impassable", 15, 18, 21, 30), patch("impassable", 27, 18, 33, 30, "t2")
    ground = field(game, long, *foes, *walls)
    assert not retreat_axes(ground, 0)
    assert move_answers(ground, 0)["retreat"]
    turned = ground.table.moved("b1", Pose(24, 24, 0))
    assert check(ground.table, turned, "b1")["retreat"].answer
    square = field(game, replace(long, tray=Tray("", 5.0, 5.0)), *foes, *walls)
    assert move_answers(square, 0)["retreat"].why == ("TMG-RET-9",)


@pytest.mark.rule("EX-12", "TMG-RET-9")
@pytest.mark.parametrize("game", BOTH)
def test_a_low_roll_leads_nowhere_clear_of_enemies_ex_12(game: str) -> None:
    # Enemies stand all along the way back: only beyond 5 inches is one clear of them.
    guards = fighter("b1", 24, 24, speed=4)
    flankers = fighter("r2", 19.6, 20, 0), fighter("r3", 28.4, 20, 180)
    walls = patch("impassable", 15, 22.6, 21.5, 28), patch("impassable", 26.5, 22.6, 33, 28, "t2")
    ground = field(game, guards, R1, *flankers, *walls)
    least = retreat_axes(ground, 0)
    assert set(least) == {BACK}
    assert least[BACK] > 4 + 1  # a roll of 1 moves at most 5 inches
    near, far = (ground.table.moved("b1", Pose(24, 24 - way, 90)) for way in (5.0, 9.5))
    assert check(ground.table, near, "b1")["retreat"].answer.why == ("TMG-MOV-7",)
    assert check(ground.table, far, "b1")["retreat"].answer


# -- forward, or perhaps forward ------------------------------------------------------------------

SEEN = Sigma(0.03, 0.3)


@pytest.mark.rule("TMG-RET-4", "OR-22", edition="2021")
@pytest.mark.parametrize(
    ("gap", "verdict"),
    [(0.0, "yes"), (0.05, "yes"), (0.1, "unsure"), (0.14, "unsure"), (0.2, "no")],
)
def test_who_is_perhaps_engaged_at_the_flank_perhaps_retreats_forward(
    gap: float, verdict: str
) -> None:
    # Had it not touched r1 the same move was a March: one of the two it must have been.
    seen = fighter("b1", 24, 24, sigma=SEEN), fighter("r1", 27.5 + gap, 24, 180, sigma=SEEN)
    before = field(NEW, *seen).table
    found = check(before, before.moved("b1", Pose(24, 29, 90, SEEN)), "b1")
    assert found["retreat"].answer.verdict == verdict
    assert (found["march"].answer.verdict == "no") == (verdict == "yes")


@pytest.mark.rule("TMG-RET-4", "OR-7", "OR-22", edition="2021")
@pytest.mark.parametrize(("x", "y", "verdict"), [(28, 27, "yes"), (27.5, 28, "no")])
def test_corner_on_corner_the_arc_that_holds_more_tells_whence_it_is_engaged(
    x: float, y: float, verdict: str
) -> None:
    # A wide tray off the front right corner lies mostly in the flank arc, a deep one in the front.
    tray = Tray("", 4.0, 3.0) if verdict == "yes" else Tray("", 3.0, 5.0)
    before = field(NEW, fighter("b1", 24, 24), fighter("r1", x, y, 270, tray=tray)).table
    far = y + tray.depth / 2 + 1 + 1.5
    found = check(before, before.moved("b1", Pose(24, far, 90)), "b1")["retreat"]
    assert found.answer.verdict == verdict
    assert found.answer.why == (() if verdict == "yes" else ("TMG-RET-4",))


@pytest.mark.rule("TMG-RET-4", "OR-22", edition="2021")
def test_reading_all_one_enemy_at_the_front_bars_the_way_ahead() -> None:
    two = fighter("r1", 24, 27, 270), fighter("r2", 27.5, 24, 180)
    for reading, ahead in (("any", "yes"), ("all", "no")):
        ground = field(NEW, B1, *two, readings=Readings(retreat_forward=reading))
        assert forward_retreat(ground, 0).verdict == ahead
    aside = field(NEW, B1, two[1], readings=Readings(retreat_forward="all"))
    assert forward_retreat(aside, 0)
    assert forward_retreat(field(OLD, B1, two[1]), 0).why == ("TMG-RET-4",)


@pytest.mark.rule("TMG-RET-4", "TMG-RET-9", edition="2021")
def test_a_way_out_that_is_only_perhaps_open_is_told_so() -> None:
    # Walled in but for the way ahead; r1 stands off the corner, halved by the line of the arcs.
    walls = (
        patch("impassable", 15, 20, 21.9, 30, "t1"),
        patch("impassable", 15, 18, 33, 22.4, "t2"),
        patch("impassable", 26.1, 20, 33, 25.4, "t3"),
    )
    for tray, verdict in ((SQUARE, "unsure"), (Tray("", 3.5, 3.0), "yes"), (Tray("", 3, 4), "no")):
        foe = fighter("r1", 26 + tray.width / 2, 25.5 + tray.depth / 2, 270, tray=tray)
        found = move_answers(field(NEW, B1, foe, *walls), 0)["retreat"]
        assert found.verdict == verdict
