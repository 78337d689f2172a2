"""Melee: whom a unit may attack, turning to face a single enemy, and aligning with it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.combat.melee import Melee, MeleeOption, melee
from companion.games.tmg.rules.movement.move_end import MoveEnd
from companion.games.tmg.rules.readings import Readings
from models import Pose, Sigma, Tray, Unit
from models.unit import overlap_depth
from tests.games.tmg.sample_units import BOTH, BOW, NEW, field, fighter, patch, spot

# The attacker b1 stands at (24, 24) facing up: x 22..26, y 22.5..25.5.
AT_FRONT = fighter("r1", 24, 27, 270)
AT_LEFT = fighter("r1", 20.5, 24, 0)  # its front on b1's left edge
AT_RIGHT = fighter("r2", 27.5, 24, 180)
AT_REAR = fighter("r2", 24, 21, 90)
B1 = fighter("b1", 24, 24)


def fight(ground: Battlefield, unit_id: str = "b1") -> Melee:
    return melee(ground, ground.index[unit_id])


def places(found: Melee, turned: bool) -> dict[tuple[float, float, float], MeleeOption]:
    return {spot(s.placement.pose): s for s in found.stances if s.turned == turned}


# -- who may attack whom ------------------------------------------------------------------------


@pytest.mark.rule("TMG-MEL-1", "TMG-GLO-11", "TMG-GLO-12")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("gap", "verdict"), [(0.0, "yes"), (0.019, "yes"), (0.021, "no"), (0.5, "no"), (9.0, "no")]
)
def test_only_an_engaged_unit_attacks_in_melee(game: str, gap: float, verdict: str) -> None:
    ground = field(game, B1, fighter("r1", 24, 27 + gap, 270))
    found = fight(ground)
    assert found.answer.verdict == verdict
    assert found.answer.why == (() if verdict == "yes" else ("TMG-MEL-1",))
    assert list(found.targets) == (["r1"] if verdict == "yes" else [])
    assert bool(ground.unengaged[0]) is (verdict == "no")
    assert ground.engaged_ids(0) == tuple(found.targets)


@pytest.mark.rule("TMG-GLO-11", "TMG-MEL-1")
def test_contact_with_a_friend_is_no_melee() -> None:
    ground = field(NEW, B1, fighter("b2", 24, 27, 270), fighter("r1", 24, 40))
    assert fight(ground).answer.why == ("TMG-MEL-1",)
    assert ground.unengaged[0]


@pytest.mark.rule("TMG-MEL-2")
@pytest.mark.parametrize("game", BOTH)
def test_a_unit_without_a_melee_attack_has_none(game: str) -> None:
    bowmen = replace(B1, attacks=(BOW,))
    assert fight(field(game, bowmen, AT_FRONT)).answer.why == ("TMG-MEL-2",)


@pytest.mark.rule("TMG-MEL-1")
def test_a_gap_the_measurement_cannot_tell_is_unsure() -> None:
    sigma = Sigma(0.03)
    ground = field(NEW, replace(B1, pose=Pose(24, 24, 90, sigma)), fighter("r1", 24, 27.09, 270))
    found = fight(ground)
    assert found.answer.verdict == "unsure"
    assert found.targets["r1"].verdict == "unsure"
    assert 0 < found.answer.chance < 0.5
    assert {stance.answer.verdict for stance in found.stances} == {"yes"}


@pytest.mark.rule("TMG-MEL-7", "EX-28")
@pytest.mark.parametrize("game", BOTH)
def test_every_enemy_in_contact_may_be_attacked_seen_or_not_ex_28(game: str) -> None:
    ground = field(game, B1, AT_FRONT, AT_REAR)
    found = fight(ground)
    assert {name: bool(answer) for name, answer in found.targets.items()} == {"r1": 1, "r2": 1}


# -- facing -------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-MEL-3", "TMG-MEL-5", "OR-20", "EX-27")
@pytest.mark.parametrize("game", BOTH)
def test_engaged_at_the_flank_it_turns_and_aligns_ex_27(game: str) -> None:
    found = fight(field(game, B1, AT_LEFT))
    assert found.turn
    # r1's front edge is x = 22 from y 22 to 26: b1 lies on it with its own front, facing left.
    assert set(places(found, turned=True)) == {
        (23.5, 24.0, 180.0),
        (23.5, 26.0, 180.0),
        (23.5, 22.0, 180.0),
    }
    shares = {spot(s.placement.pose): s.share for s in found.stances if s.turned}
    assert shares[23.5, 24.0, 180.0] == 1.0
    assert shares[23.5, 26.0, 180.0] == shares[23.5, 22.0, 180.0] == 0.5
    # Without turning, its left edge (3 long) aligns with the enemy's front (4 long).
    assert set(places(found, turned=False)) == {
        (24.0, 24.0, 90.0),
        (24.0, 26.0, 90.0),
        (24.0, 22.0, 90.0),
    }


@pytest.mark.rule("TMG-MEL-3", "OR-20")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("enemy", "heading"),
    [
        (fighter("r1", 20.5, 24, 0), 180.0),
        (fighter("r1", 27.5, 24, 180), 0.0),
        (fighter("r1", 24, 21, 90), 270.0),
        (fighter("r1", 20, 24, 90), 180.0),  # its right edge on b1's left
        (fighter("r1", 24, 21, 270), 270.0),  # back to back
    ],
    ids="left right rear flank-on-flank back-to-back".split(),
)
def test_it_turns_to_where_the_enemy_is(game: str, enemy: Unit, heading: float) -> None:
    ground = field(game, B1, enemy)
    found = fight(ground)
    assert found.turn
    turned = [stance for stance in found.stances if stance.turned]
    assert {round(stance.placement.pose.heading, 6) for stance in turned} == {heading}
    mover = MoveEnd(ground, 0)
    for stance in turned:
        pose = stance.placement.pose
        assert mover.gap(pose, ground.trays.corners[1]) < 1e-6
        assert overlap_depth(B1.at(pose), enemy) < 1e-6


@pytest.mark.rule("TMG-MEL-3")
@pytest.mark.parametrize("game", BOTH)
def test_with_the_enemy_in_front_there_is_nothing_to_turn(game: str) -> None:
    found = fight(field(game, B1, AT_FRONT))
    assert found.turn.why == ("TMG-MEL-3",)
    assert not places(found, turned=True)


@pytest.mark.rule("TMG-MEL-4", "OR-21", "EX-28")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize("other", [AT_RIGHT, AT_REAR, fighter("r2", 24, 27, 270)])
def test_engaged_from_several_sides_it_keeps_its_facing_ex_28(game: str, other: Unit) -> None:
    found = fight(field(game, B1, AT_LEFT, other))
    assert (found.turn.verdict, found.turn.why) == ("no", ("TMG-MEL-4",))
    assert not places(found, turned=True)
    assert set(found.targets) == {"r1", "r2"}


@pytest.mark.rule("TMG-MEL-4", "OR-21")
def test_two_enemies_on_one_side_bar_turning_but_not_a_shift_that_keeps_both() -> None:
    left, right = fighter("r1", 21.3, 27, 270), fighter("r2", 25.7, 27, 270)
    found = fight(field(NEW, B1, left, right))
    assert found.turn.why == ("TMG-MEL-4",)
    # 100 % with either, or 50 % at its far end, would leave the other.
    assert [(s.target, s.share, spot(s.placement.pose)) for s in found.stances] == [
        ("r1", 0.5, (23.3, 24.0, 90.0)),
        ("r2", 0.5, (23.7, 24.0, 90.0)),
    ]


@pytest.mark.rule("OR-21")
def test_a_shift_that_breaks_another_contact_is_not_offered() -> None:
    found = fight(field(NEW, B1, fighter("r1", 22.5, 27, 270), AT_RIGHT))
    # Shifting along r1's front would leave r2, who stands at the right edge.
    assert [spot(s.placement.pose) for s in found.stances if s.target == "r1"] == []


@pytest.mark.rule("TMG-MEL-4")
def test_a_second_enemy_that_may_touch_makes_turning_unsure() -> None:
    doubtful = fighter("r2", 27.59, 24, 180, sigma=Sigma(0.03))
    found = fight(field(NEW, B1, AT_LEFT, doubtful))
    assert (found.turn.verdict, found.turn.why) == ("unsure", ("TMG-MEL-4",))
    assert found.turn.chance == pytest.approx(1 - found.targets["r2"].chance, abs=1e-3)
    assert {s.answer.verdict for s in found.stances if s.turned} == {"unsure"}


@pytest.mark.rule("TMG-MEL-3", "TMG-MEL-4")
def test_of_two_enemies_that_may_touch_exactly_one_must_for_a_turn() -> None:
    left = fighter("r1", 20.42, 24, 0, sigma=Sigma(0.03))
    right = fighter("r2", 27.59, 24, 180, sigma=Sigma(0.03))
    found = fight(field(NEW, B1, left, right))
    one, two = (found.targets[name].chance for name in ("r1", "r2"))
    assert 0 < one < 1
    assert 0 < two < 1
    assert found.turn.why == ("TMG-MEL-4",)
    alone = one * (1 - two) + two * (1 - one)
    assert found.turn.chance == pytest.approx(alone, abs=2e-3)


# -- aligning -----------------------------------------------------------------------------------


@pytest.mark.rule("TMG-MEL-5")
@pytest.mark.parametrize("game", BOTH)
def test_a_friend_on_the_same_edge_leaves_the_other_half(game: str) -> None:
    # The friend lies at 50 % on the left half of r1's front (x 20..24), b1 a little to the right.
    enemy, friend = fighter("r1", 24, 27, 270), fighter("b2", 22, 24)
    found = fight(field(game, fighter("b1", 26.4, 24), enemy, friend))
    assert [spot(s.placement.pose) for s in found.stances] == [(26.0, 24.0, 90.0)]
    assert [s.share for s in found.stances] == [0.5]
    assert found.stances[0].placement.contact == pytest.approx(0.5)


@pytest.mark.rule("TMG-MEL-5")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("piece", "free"), [("impassable", {24.0, 22.0}), ("cover rough", {24.0, 22.0, 26.0})]
)
def test_only_impassable_ground_takes_room(game: str, piece: str, free: set[float]) -> None:
    ground = field(game, B1, AT_FRONT, patch(piece, 27, 20, 30, 24))
    assert {spot(s.placement.pose)[0] for s in fight(ground).stances} == free


@pytest.mark.rule("TMG-MEL-5", "OR-18")
def test_the_table_edge_takes_room() -> None:
    near = fighter("b1", 2.5, 24), fighter("r1", 2.5, 27, 270)
    assert {spot(s.placement.pose)[0] for s in fight(field(NEW, *near)).stances} == {2.5, 4.5}
    endless = field(NEW, *near, readings=Readings(table_edge="off"))
    assert {spot(s.placement.pose)[0] for s in fight(endless).stances} == {2.5, 4.5, 0.5}


@pytest.mark.rule("TMG-MEL-3", "OR-20")
def test_without_room_to_lie_on_the_edge_it_cannot_turn() -> None:
    # r1's short edge (x = 22.5) is walled in but for the 3 inches on which b1 stands sideways.
    enemy = fighter("r1", 20.5, 24, 90)  # right edge x = 22.5, y 22.5..25.5
    b1 = fighter("b1", 24.5, 24, 90)
    walls = patch("impassable", 22.6, 25.6, 30, 27), patch("impassable", 22.6, 20, 30, 22.4, "t2")
    found = fight(field(NEW, b1, enemy, *walls))
    assert found.turn.why == ("OR-20",)
    assert not places(found, turned=True)
    open_ground = fight(field(NEW, b1, enemy, walls[0]))
    assert open_ground.turn  # one wall less leaves room below


@pytest.mark.rule("TMG-MEL-5", "TMG-MOV-7")
def test_aligning_stays_an_inch_from_other_enemies() -> None:
    other = fighter("r2", 28.9, 22, 90)  # x 26.9..30.9: 0.9 inch from b1 where it stands
    strict = field(NEW, B1, AT_FRONT, other)
    assert {spot(s.placement.pose)[0] for s in fight(strict).stances} == {22.0}
    free = field(NEW, B1, AT_FRONT, other, readings=Readings(near_pivot="free"))
    assert {spot(s.placement.pose)[0] for s in fight(free).stances} == {22.0, 24.0}


@pytest.mark.rule("TMG-MEL-3", "TMG-MOV-7")
def test_turning_stays_an_inch_from_other_enemies() -> None:
    # Turned to the left, b1 is 4 wide from y 22 to 26: within an inch of r2 below it.
    below = fighter("r2", 24, 19.6, 90)  # y up to 21.1
    found = fight(field(NEW, B1, AT_LEFT, below))
    assert set(places(found, turned=True)) == {(23.5, 26.0, 180.0)}
    free = field(NEW, B1, AT_LEFT, below, readings=Readings(near_pivot="free"))
    assert len(places(fight(free), turned=True)) == 2  # below it still is not free


@pytest.mark.rule("TMG-MEL-5", "TMG-MOV-10")
def test_aligning_passes_through_no_enemy() -> None:
    # A small tray on a long edge: at one end of it the way along the edge is barred.
    long, small = Tray("", 12.0, 3.0), Tray("", 2.0, 3.0)
    b1, enemy = fighter("b1", 24, 24, tray=small), fighter("r1", 24, 27, 270, tray=long)
    post = fighter("r2", 27, 25, tray=Tray("", 1.0, 1.0))
    found = fight(field(NEW, b1, enemy, post))
    assert {spot(s.placement.pose)[0] for s in found.stances} == {24.0, 18.0}
    wall = patch("impassable", 26.5, 24.5, 27.5, 25.4)
    found = fight(field(NEW, b1, enemy, wall))
    assert {spot(s.placement.pose)[0] for s in found.stances} == {24.0, 18.0}
    friend = fighter("b2", 27, 25, tray=Tray("", 1.0, 1.0))
    found = fight(field(NEW, b1, enemy, friend))
    assert {spot(s.placement.pose)[0] for s in found.stances} == {24.0, 18.0, 30.0}


@pytest.mark.rule("OR-20")
def test_room_the_measurement_cannot_tell_is_unsure() -> None:
    # A friend whose edge lies a hair from where b1's 50 % place begins.
    friend = fighter("b2", 30.01, 24, sigma=Sigma(0.03))
    found = fight(field(NEW, B1, AT_FRONT, friend))
    verdicts = {spot(s.placement.pose)[0]: s.answer.verdict for s in found.stances}
    assert verdicts == {24.0: "yes", 22.0: "yes", 26.0: "unsure"}


@pytest.mark.rule("TMG-MEL-5", "OR-8", "EX-G11")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(("length", "half"), [(4.0, 2.0), (3.0, 1.5), (1.5, 0.75)])
def test_half_contact_counts_the_shorter_edge_ex_g11(game: str, length: float, half: float) -> None:
    enemy = fighter("r1", 24, 27, 270, tray=Tray("", length, 3.0))
    found = fight(field(game, B1, enemy))
    full = [s for s in found.stances if s.share == 1.0]
    assert [spot(s.placement.pose)[0] for s in full] == [24.0]
    for stance in found.stances:
        x = stance.placement.pose.x
        touch = min(x + 2, 24 + length / 2) - max(x - 2, 24 - length / 2)
        assert touch == pytest.approx(length if stance.share == 1.0 else half)


@pytest.mark.rule("TMG-MEL-5")
@given(
    tenths=st.integers(0, 3599),
    offset=st.floats(-3.4, 3.4),
    own=st.sampled_from(["front", "left", "right", "rear"]),
)
def test_every_stance_touches_and_overlaps_nobody(tenths: int, offset: float, own: str) -> None:
    heading = tenths / 10
    enemy = fighter("r1", 24, 24, heading)
    turn = {"front": 180.0, "left": 90.0, "right": 270.0, "rear": 0.0}[own]
    depth = 3.0 if own in ("front", "rear") else 4.0
    x, y = enemy.pose.ahead(1.5 + depth / 2, offset)
    b1 = fighter("b1", x, y, heading + turn)
    ground = field(NEW, b1, enemy)
    found = fight(ground)
    assert found.answer
    assert bool(found.turn) is (own != "front")
    assert len([s for s in found.stances if s.share]) == (3 if own == "front" else 6)
    mover = MoveEnd(ground, 0)
    for stance in found.stances:
        pose = stance.placement.pose
        assert mover.gap(pose, ground.trays.corners[1]) < 1e-6
        assert overlap_depth(b1.at(pose), enemy) < 1e-6
        if not stance.turned:
            assert abs((pose.heading - b1.pose.heading + 180) % 360 - 180) < 1e-6
