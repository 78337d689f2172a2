"""Charges: sight, room, reach and path, the needed roll and its chance (TMG-CHG-1..11)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.tmg.rules.survey import Survey
from models import Pose, Sigma, Table, Terrain, Tray, Unit
from tests.games.tmg.chargers import BOTH, attacker, charge, enemy
from tests.games.tmg.pieces import block, slab, tray


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-CHG-4", "TMG-CHG-12", "OR-11")
def test_the_shortest_way_is_a_corner_on_the_nearest_point(game: str) -> None:
    """Pivoting wins a little: the front corner leads. Distance by the closed form."""
    found = charge(game, attacker(), enemy(0, 11))
    nearest = 11 - 1.5
    assert found.distance_in == pytest.approx((nearest**2 - 2.0**2) ** 0.5 - 1.5, abs=1e-6)
    assert found.distance_in is not None
    assert found.distance_in < 8.0  # straight ahead it would be 8
    assert found.heading is not None
    turn = abs(found.heading - 90)
    assert turn == pytest.approx(12.15, abs=0.01)  # asin(2 / 9.5)


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("speed", "distance", "verdict", "needs"),
    [
        pytest.param(5, 8.0, "yes", 3, id="EX-13"),
        pytest.param(5, 6.0, "yes", 1, id="EX-16"),
        pytest.param(4, 10.0, "yes", 6, id="EX-17 legal"),
        pytest.param(4, 10.1, "no", None, id="EX-17 too far"),
        pytest.param(5, 11.001, "no", None, id="a hair too far"),
        pytest.param(5, 1.0, "yes", 1, id="at arm's length"),
    ],
)
@pytest.mark.rule("TMG-CHG-4", "TMG-CHG-11", "EX-13", "EX-16", "EX-17")
def test_reach_and_needed_roll(
    game: str, speed: int, distance: float, verdict: str, needs: int | None
) -> None:
    """The target stands where the shortest way is exactly so long."""
    nearest = ((distance + 1.5) ** 2 + 2.0**2) ** 0.5
    found = charge(game, attacker(speed), enemy(0, nearest + 1.5))
    assert found.distance_in == pytest.approx(distance, abs=1e-9)
    assert (found.answer.verdict, found.needs) == (verdict, needs)
    if needs is None:
        assert found.answer.why == ("TMG-CHG-4",)
        assert found.chance == 0
    else:
        assert found.chance == pytest.approx((7 - needs) / 6)


@pytest.mark.rule("TMG-CHG-1", "TMG-GLO-11", "TMG-GLO-12")
@pytest.mark.parametrize("game", BOTH)
def test_no_charge_while_engaged(game: str) -> None:
    beside = enemy(-4, 0, name="e")
    found = charge(game, attacker(), enemy(0, 9), beside)
    assert found.answer.verdict == "no"
    assert "TMG-CHG-1" in found.answer.why
    apart = enemy(-4.03, 0, name="e")
    assert charge(game, attacker(), enemy(0, 9), apart).answer.verdict == "yes"


@pytest.mark.rule("TMG-CHG-2")
@pytest.mark.parametrize("game", BOTH)
def test_the_target_must_be_seen_at_the_start(game: str) -> None:
    found = charge(game, attacker(heading=270), enemy(0, 9))
    assert (found.answer.verdict, found.answer.why) == ("no", ("TMG-CHG-2",))


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("x", "y", "heading", "arc", "facing"),
    [
        (0, 9, 270, "front", 90.0),
        (0, 9, 90, "rear", 90.0),
        (0, 9, 0, "right", 90.0),
        (0, 9, 180, "left", 90.0),
    ],
)
@pytest.mark.rule("TMG-CHG-6", "TMG-CHG-7", "TMG-CHG-17", "OR-12", "EX-21")
def test_a_charge_ends_on_the_edge_of_the_arc_it_began_in(
    game: str, x: float, y: float, heading: float, arc: str, facing: float
) -> None:
    found = charge(game, attacker(), enemy(x, y, heading))
    assert found.zone.arc == arc
    full, *halves = found.align
    assert [place.contact for place in found.align] == pytest.approx([1.0, 0.5, 0.5])
    depth = 3.0 if arc in ("front", "rear") else 4.0
    assert (full.pose.x, full.pose.y) == pytest.approx((60, 69 - depth / 2 - 1.5))
    assert full.pose.heading == pytest.approx(facing)
    offset = 2.0  # max(front 4, edge 4 or 3) / 2
    assert sorted(place.pose.x for place in halves) == pytest.approx([60 - offset, 60 + offset])


@pytest.mark.parametrize(
    ("edge", "half"), [pytest.param(4.0, 2.0), pytest.param(3.0, 1.5), pytest.param(1.5, 0.75)]
)
@pytest.mark.rule("OR-8", "EX-G11", "TMG-CHG-17")
def test_half_and_full_contact_count_the_shorter_edge(edge: float, half: float) -> None:
    """EX-G11: a front of 4 inches on edges of 4, 3 and 1.5."""
    small = Tray("", edge, 3.0)
    found = charge("tmg-2021", attacker(), enemy(0, 9, on=small))
    full, one, two = found.align
    assert full.contact == pytest.approx(1.0)
    touch = min(edge / 2, one.pose.x - 60 + 2) - max(-edge / 2, one.pose.x - 60 - 2)
    assert touch == pytest.approx(half)
    assert one.contact == two.contact == pytest.approx(0.5)
    strict = charge("tmg-2021", attacker(), enemy(0, 9, on=small), contact_ratio="attacker")
    assert strict.answer.verdict == ("no" if edge < 2 else "yes")


@pytest.mark.rule("TMG-CHG-3", "OR-9", "EX-G20")
@pytest.mark.parametrize(
    ("offset", "game", "verdict"),
    [
        pytest.param(0.0, "tmg-2021", "no", id="EX-G20 2021: no 50 % left"),
        pytest.param(0.0, "tmg-2018", "no", id="EX-G20 2018: taken at 100 %"),
        pytest.param(2.0, "tmg-2021", "yes", id="2021: room for 50 %"),
        pytest.param(2.0, "tmg-2018", "yes", id="2018: room left"),
        pytest.param(1.5, "tmg-2021", "no", id="2021: 49 % is too little"),
        pytest.param(1.5, "tmg-2018", "yes", id="2018: any free room will do"),
    ],
)
def test_room_beside_a_friend_already_there(offset: float, game: str, verdict: str) -> None:
    friend = block("f", 60 + offset, 60 + 9 - 3)
    found = charge(game, attacker(), enemy(0, 9), friend)
    assert found.answer.verdict == verdict
    if verdict == "no":
        assert "TMG-CHG-3" in found.answer.why


@pytest.mark.rule("OR-9", "TMG-CHG-3")
@pytest.mark.parametrize("game", BOTH)
def test_a_friend_in_the_room_takes_it_or_makes_way(game: str) -> None:
    """Two of them stand before the edge with a gap to look through, but not to stand in."""
    pair = [block(name, x, 60 + 9 - 4.5) for name, x in (("f1", 57), ("f2", 63))]
    kept = charge(game, attacker(), enemy(0, 9), *pair)
    assert (kept.answer.verdict, kept.answer.why) == ("no", ("TMG-CHG-3",))
    way = charge(game, attacker(), enemy(0, 9), *pair, friends_block_room="no")
    assert way.answer.verdict == "yes"
    assert way.align[0].contact == 1.0
    foes = [replace(one, side="red") for one in pair]
    strict = charge(game, attacker(), enemy(0, 9), *foes, friends_block_room="no")
    assert "TMG-CHG-3" in strict.answer.why


@pytest.mark.rule("TMG-CHG-3")
def test_two_on_one_side_are_the_most_in_2018() -> None:
    wide = Tray("", 12.0, 3.0)
    friends = (block("f1", 53, 66), block("f2", 58, 66))
    found = charge("tmg-2018", attacker(), enemy(2, 9, on=wide), *friends)
    assert "TMG-CHG-3" in found.answer.why
    new = charge("tmg-2021", attacker(), enemy(2, 9, on=wide), *friends)
    assert new.answer.verdict == "yes"


@pytest.mark.rule("OR-10", "TMG-CHG-3", "TMG-TER-3")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(("piece", "verdict"), [("forest", "yes"), ("castle-wall", "no")])
def test_only_impassable_ground_takes_room(game: str, piece: str, verdict: str) -> None:
    """A thin strip along the whole front edge: one may end on a forest, not on a wall."""
    strip = slab(game, piece, 50, 66.5, 70, 67)
    found = charge(game, attacker(), enemy(0, 9), terrain=(strip,))
    assert found.answer.verdict == verdict


@pytest.mark.rule("OR-18", "TMG-CHG-3")
def test_the_aligned_tray_must_lie_on_the_table() -> None:
    """The target's back is to the table's edge: nobody can charge its rear."""
    runner = replace(block("a", 3, 8, 225), speed=6)
    cornered = block("b", 2.0, 1.5, 90, side="red")
    table = Table("tmg-2021", 48, 48, (runner, cornered))
    assert Survey.of(table).report.units["a"].charges["b"].zone.arc == "front"
    flanker = replace(block("a", 9, 2, 180), speed=6)
    beside = block("b", 2.5, 2, 90, side="red")
    table = Table("tmg-2021", 48, 48, (flanker, beside))
    found = Survey.of(table).report.units["a"].charges["b"]
    assert (found.zone.arc, found.answer.verdict) == ("right", "yes")
    assert [place.contact for place in found.align] == pytest.approx([1.0, 0.5])


@pytest.mark.rule("TMG-CHG-10", "TMG-CHG-13", "OR-11")
@pytest.mark.parametrize(("game", "rule"), [("tmg-2021", "TMG-CHG-10"), ("tmg-2018", "TMG-CHG-4")])
def test_other_enemies_in_the_way(game: str, rule: str) -> None:
    """Seen through a gap too narrow for the tray: no pivot brings it into contact."""
    hedge = (enemy(-4.2, 6, name="e1"), enemy(4.2, 6, name="e2"))
    slit = (enemy(-2.3, 6, name="e1"), enemy(2.3, 6, name="e2"))
    target = enemy(0, 12)
    assert charge(game, attacker(), target, *hedge).answer.verdict == "yes"
    found = charge(game, attacker(), target, *slit)
    assert found.answer.verdict == "no"
    assert found.answer.why == (rule,)
    assert found.distance_in is None


@pytest.mark.rule("OR-9", "TMG-MOV-8", "TMG-CHG-9")
def test_friends_are_passed_but_may_hide_the_target() -> None:
    friend = block("f", 62.5, 65)
    found = charge("tmg-2021", attacker(), enemy(0, 12), friend)
    assert found.answer.verdict == "yes"
    wide = replace(friend, tray=Tray("", 12.0, 2.0)).at(Pose(60, 65, 90))
    assert charge("tmg-2021", attacker(), enemy(0, 12), wide).answer.why == ("TMG-CHG-2",)


@pytest.mark.rule("TMG-CHG-9")
def test_the_target_must_still_be_seen_after_the_pivot() -> None:
    """A friend screens the target from the best pivots; a longer way, still in sight, remains."""
    engine = replace(tray("warmachine", "a", 30.346, 32.917, 0), speed=4)
    target = tray("infantry", "b", 36.337, 23.728, 180, side="red")
    screen = tray("infantry", "f", 31.215, 29.137, 270)
    free = charge("tmg-2021", engine, target)
    found = charge("tmg-2021", engine, target, screen)
    assert free.distance_in is not None
    assert found.answer.verdict == "yes"
    assert found.distance_in is not None
    assert found.distance_in > free.distance_in + 0.1


@pytest.mark.rule("OR-23", "TMG-MOV-3", "TMG-MOV-4", "EX-G13")
def test_the_first_pivot_over_friends_and_enemies() -> None:
    """A neighbour stands so close that turning overlaps it."""
    target = enemy(0, 11)
    straight = 8.0
    friend = block("f", 64.05, 60), block("g", 55.95, 60)
    free = charge("tmg-2021", attacker(), target, *friend)
    assert free.distance_in == pytest.approx(7.7874, abs=1e-3)  # 2021: over friends
    held = charge("tmg-2018", attacker(), target, *friend)
    assert held.distance_in is not None
    assert 7.85 < held.distance_in <= straight + 1e-6  # 2018: hardly any turn
    foes = replace(friend[0], side="red"), replace(friend[1], side="red")
    barred = charge("tmg-2021", attacker(), target, *foes)
    assert barred.distance_in is not None
    assert held.distance_in < barred.distance_in < straight  # and a foe's corner is in the way


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-TER-15", "TMG-CHG-13")
def test_an_impassable_piece_stops_the_charge(game: str) -> None:
    wall = slab(game, "castle-wall", 50, 64, 70, 65)
    found = charge(game, attacker(), enemy(0, 10), terrain=(wall,))
    assert found.answer.verdict == "no"
    stub = slab(game, "castle-wall", 61, 64, 70, 65)
    around = charge(game, attacker(), enemy(-1.5, 10), terrain=(stub,))
    assert around.answer.verdict == "yes"


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-TER-17", "OR-26", "EX-18")
def test_rough_ground_costs_an_inch(game: str) -> None:
    """EX-18: Speed 5, 10.5 inches, over Rough: 11.5, more than 5 + 6."""
    nearest = (12.0**2 + 2.0**2) ** 0.5
    target = enemy(0, nearest + 1.5)
    rough = Terrain("t1", ((40, 63), (80, 63), (80, 64), (40, 64)), frozenset({"rough"}))
    assert charge(game, attacker(), target).distance_in == pytest.approx(10.5)
    found = charge(game, attacker(), target, terrain=(rough,))
    assert found.distance_in == pytest.approx(11.5)
    assert (found.answer.verdict, found.answer.why) == ("no", ("TMG-CHG-4",))
    assert found.effects == ("rough",)
    twice = (rough, replace(rough, id="t2", outline=((40, 65), (80, 65), (80, 66), (40, 66))))
    assert charge(game, attacker(), target, terrain=twice).distance_in == pytest.approx(11.5)


@pytest.mark.rule("TMG-TER-17")
def test_a_small_detour_may_avoid_rough_ground() -> None:
    bog = slab("tmg-2021", "bog", 61.5, 63, 70, 64)
    found = charge("tmg-2021", attacker(), enemy(0, 11), terrain=(bog,))
    assert found.effects == ()
    assert found.distance_in is not None
    assert found.distance_in < 8.78


@pytest.mark.parametrize(
    ("game", "chance"),
    [pytest.param("tmg-2021", 4 / 6, id="2021"), pytest.param("tmg-2018", 16 / 36, id="2018")],
)
@pytest.mark.rule("TMG-TER-14", "EX-87")
def test_hindering_ground_changes_the_chance_in_2018(game: str, chance: float) -> None:
    nearest = (9.5**2 + 2.0**2) ** 0.5
    hindering = Terrain("t1", ((40, 63), (80, 63), (80, 64), (40, 64)), frozenset({"hindering"}))
    found = charge(game, attacker(), enemy(0, nearest + 1.5), terrain=(hindering,))
    assert (found.needs, found.effects) == (3, ("hindering",))
    assert found.chance == pytest.approx(chance)


@pytest.mark.rule("TMG-TER-5", "OR-24")
def test_effects_are_those_of_pieces_under_the_way() -> None:
    low_wall = slab("tmg-2021", "low-wall", 40, 64, 80, 64.5)
    found = charge("tmg-2021", attacker(), enemy(0, 10), terrain=(low_wall,))
    assert found.effects == ("fortified", "hindering")
    aside = slab("tmg-2021", "low-wall", 70, 64, 80, 64.5)
    assert charge("tmg-2021", attacker(), enemy(0, 10), terrain=(aside,)).effects == ()


@pytest.mark.rule("TMG-CHG-4")
def test_measured_distances_near_a_limit_are_unsure() -> None:
    sigma = Sigma(0.04, 0.3)
    nearest = (12.45**2 + 2.0**2) ** 0.5
    there = block("b", 60, 60 + nearest + 1.5, 270, side="red", sigma=sigma)
    found = charge("tmg-2021", attacker(sigma=sigma), there)
    assert found.distance_in == pytest.approx(10.95)
    assert found.answer.verdict == "unsure"
    assert found.answer.why == ("TMG-CHG-4",)
    assert 0.5 < found.answer.chance < 1
    near = block("b", 60, 70, 270, side="red", sigma=sigma)
    assert charge("tmg-2021", attacker(sigma=sigma), near).answer.verdict == "yes"


@pytest.mark.rule("TMG-CHG-8")
def test_on_an_exact_tie_the_attacker_has_both_edges() -> None:
    square = Tray("", 3.0, 3.0)
    runner = Unit("a", "blue", "a", square, Pose(66, 65.5, 222))
    target = block("b", 60, 60, side="red")
    found = charge("tmg-2021", runner, target)
    assert found.zone.arc == "unsure"
    assert found.answer.verdict == "yes"
    friend = block("f", 60, 63)  # the front is taken: the flank is still open
    assert charge("tmg-2021", runner, target, friend).answer.verdict == "yes"


@pytest.mark.rule("TMG-CHG-8", "TMG-CHG-7")
def test_an_arc_left_open_by_measuring_is_no_choice() -> None:
    """The front is taken, the flank free: an exact tie lets the attacker choose, doubt does not."""
    sigma = Sigma(0.05, 0.4)
    runner = Unit("a", "blue", "a", Tray("", 3.0, 3.0), Pose(66, 65.45, 222, sigma))
    target = block("b", 60, 60, side="red", sigma=sigma)
    friend = block("f", 60, 63, sigma=sigma)
    found = charge("tmg-2021", runner, target, friend)
    assert set(found.zone.choices) == {"front", "right"}
    assert found.answer.verdict == "unsure"


@pytest.mark.rule("TMG-CHG-1", "TMG-CHG-4")
@pytest.mark.parametrize("game", BOTH)
def test_enemies_in_contact_that_seem_to_overlap_are_not_out_of_reach(game: str) -> None:
    """Measured 0.04 inches into one another: they touch, and only that forbids the charge."""
    blur = Sigma(0.1, 1.0)
    mover = tray("infantry", "a", 60, 60, sigma=blur)
    target = tray("infantry", "b", 60, 60 + 4.76, 270, side="red", sigma=blur)
    told = Survey.of(Table(game, 144, 144, (mover, target))).report.to_json("t")["units"]["a"]
    assert told["engaged"] == ["b"]
    assert told["charges"]["b"]["why"] == ["TMG-CHG-1"]
    assert told["charges"]["b"]["distance"] is not None
