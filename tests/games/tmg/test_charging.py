"""Charges: sight, room, reach and path, the needed roll and its chance (TMG-CHG-1..11)."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from companion.games.tmg.checking import check
from companion.games.tmg.readings import Readings
from companion.games.tmg.report import Charge, Placement
from companion.games.tmg.survey import Survey
from models import Pose, Sigma, Table, Terrain, Tray, Unit
from tests.games.tmg.pieces import block, slab, tray
from tests.reference.tables import random_table

BOTH = ("tmg-2021", "tmg-2018")


def attacker(speed: int = 5, heading: float = 90.0, sigma: Sigma | None = None) -> Unit:
    unit = replace(block("a", 60, 60, heading), speed=speed)
    return unit if sigma is None else unit.at(Pose(60, 60, heading, sigma))


def enemy(
    x: float, y: float, heading: float = 270.0, name: str = "b", on: Tray | None = None
) -> Unit:
    unit = block(name, 60 + x, 60 + y, heading, side="red")
    return unit if on is None else replace(unit, tray=on)


def charge(
    game: str, *units: Unit, terrain: tuple[Terrain, ...] = (), size: float = 144, **readings: str
) -> Charge:
    """The first unit's charge at the second."""
    table = Table(game, size, size, units, terrain)
    found = Survey.of(table, Readings(**readings)).report
    return found.units[units[0].id].charges[units[1].id]


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


# -- swings (TMG-TER-16) ------------------------------------------------------------------------

HARD = frozenset({"impassable"})
LONG = Tray("", 2.0, 6.0, arc_deg=80.0)
"""Deep and narrow: it sweeps much ground when it turns."""


def beside_post(game: str, *posts: tuple[float, float], width: float = 1.5) -> Charge:
    """A long tray that must turn by 65 degrees to reach its target, posts standing about it."""
    mover = replace(block("a", 60, 60, 90.0), tray=LONG, speed=5)
    goal = enemy(10.9, 5.1, 205.0, on=Tray("", width, 1.5))
    pieces = tuple(
        Terrain(f"t{n}", ((x, y), (x + 0.2, y), (x + 0.2, y + 0.2), (x, y + 0.2)), HARD)
        for n, (x, y) in enumerate(posts)
    )
    return charge(game, mover, goal, terrain=pieces)


RIGHT_POST = (61.33, 61.95)


@pytest.mark.rule("TMG-TER-16", edition="2018")
@pytest.mark.rule("TMG-TER-16", edition="2021")
def test_a_charge_may_not_swing_over_a_wall_in_2018() -> None:
    """The post stands in the swing, whichever way round; the straight way itself is free."""
    assert beside_post("tmg-2021", RIGHT_POST).answer.verdict == "yes"
    found = beside_post("tmg-2018", RIGHT_POST)
    assert (found.answer.verdict, found.distance_in) == ("no", None)
    assert found.answer.why == ("TMG-CHG-4", "TMG-TER-16")
    assert beside_post("tmg-2018").answer.verdict == "yes"
    assert beside_post("tmg-2018", (63.2, 60.0)).answer.verdict == "yes"  # its corners pass it


@pytest.mark.rule("TMG-TER-16", edition="2018")
def test_a_wall_in_the_swing_leaves_the_pivots_before_it() -> None:
    """The tray turns right until its corner is at the post, and charges from there."""
    post = (62.4, 61.25)
    free = beside_post("tmg-2021", post, width=12.0)
    found = beside_post("tmg-2018", post, width=12.0)
    assert free.heading == pytest.approx(5.395, abs=0.01)  # beyond the post
    assert found.heading == pytest.approx(52.03, abs=0.01)
    assert found.distance_in == pytest.approx(9.1579, abs=1e-3)
    # there the post's corner (2.4, 1.45) lies on its right flank, 1 inch beside its middle
    angle = math.radians(found.heading or 0.0)
    assert 2.4 * math.sin(angle) - 1.45 * math.cos(angle) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.rule("OR-26", "TMG-TER-17")
@pytest.mark.parametrize("game", BOTH)
def test_every_rough_piece_costs_an_inch_if_so_read(game: str) -> None:
    bogs = (
        Terrain("t1", ((40, 63), (80, 63), (80, 63.5), (40, 63.5)), frozenset({"rough"})),
        Terrain("t2", ((40, 65), (80, 65), (80, 65.5), (40, 65.5)), frozenset({"rough"})),
    )
    bare = charge(game, attacker(), enemy(0, 11)).distance_in
    once = charge(game, attacker(), enemy(0, 11), terrain=bogs).distance_in
    each = charge(game, attacker(), enemy(0, 11), terrain=bogs, rough="each").distance_in
    assert bare is not None
    assert once == pytest.approx(bare + 1)
    assert each == pytest.approx(bare + 2)
    # started on one of them: paid for as well, but once
    under = (*bogs, Terrain("t0", ((58, 58), (62, 58), (62, 59), (58, 59)), frozenset({"rough"})))
    thrice = charge(game, attacker(), enemy(0, 11), terrain=under, rough="each").distance_in
    assert thrice == pytest.approx(bare + 3)
    assert charge(game, attacker(), enemy(0, 11), terrain=under).distance_in == pytest.approx(
        bare + 1
    )


# -- how far it is, though it may not be made ---------------------------------------------------


def printed(game: str, *units: Unit, terrain: tuple[Terrain, ...] = ()) -> dict[str, Any]:
    """The first unit's charge at the second, as the command prints it."""
    table = Table(game, 144, 144, units, terrain)
    report = Survey.of(table).report.plain("t")
    found: dict[str, Any] = report["units"][units[0].id]["charges"][units[1].id]
    return found


def across(y: float, *words: str) -> Terrain:
    """A strip of terrain from edge to edge, half an inch deep."""
    low, high = 60 + y, 60.5 + y
    return Terrain("t1", ((0, low), (144, low), (144, high), (0, high)), frozenset(words))


@pytest.mark.rule("OR-11", "TMG-TER-17", "TMG-CHG-4")
@pytest.mark.parametrize("game", BOTH)
def test_the_distance_beyond_reach_counts_rough_ground_and_walls(game: str) -> None:
    free = printed(game, attacker(), enemy(0, 20))
    assert free["distance"] == pytest.approx((18.5**2 - 2.0**2) ** 0.5 - 1.5, abs=1e-3)
    bog = printed(game, attacker(), enemy(0, 20), terrain=(across(8, "rough", "hindering"),))
    assert bog["distance"] == pytest.approx(free["distance"] + 1, abs=1e-3)
    assert bog["effects"] == ["hindering", "rough"]
    assert bog["margin"] == pytest.approx(11 - bog["distance"], abs=1e-3)
    wall = printed(game, attacker(), enemy(0, 20), terrain=(across(8, "impassable"),))
    assert (wall["distance"], wall["heading"], wall["answer"]) == (None, None, "no")
    assert "TMG-CHG-4" in wall["why"]


@pytest.mark.rule("OR-11", "TMG-CHG-1", "TMG-CHG-2", "TMG-TER-17")
@pytest.mark.parametrize("game", BOTH)
def test_the_distance_of_those_engaged_or_blind_is_told_too(game: str) -> None:
    bog = (across(4, "rough"),)
    free = printed(game, attacker(), enemy(0, 11), terrain=bog)
    assert free["answer"] == "yes"
    held = printed(game, attacker(), enemy(0, 11), enemy(-4, 0, name="e"), terrain=bog)
    assert (held["answer"], held["why"]) == ("no", ["TMG-CHG-1"])
    assert (held["distance"], held["heading"]) == (9.0, 90.0)  # it could not turn (OR-23)
    turned = printed(game, attacker(heading=270), enemy(0, 11), terrain=bog)
    assert (turned["answer"], turned["why"]) == ("no", ["TMG-CHG-2"])
    assert (turned["distance"], turned["needs"], turned["chance"]) == (free["distance"], 4, 0)


@pytest.mark.rule("OR-11", "TMG-CHG-9")
@pytest.mark.parametrize("game", BOTH)
def test_no_distance_where_no_pivot_sees_the_target_and_reaches_it(game: str) -> None:
    """One does not see through the hedge from any pivot, though one could walk through it."""
    found = printed(game, attacker(), enemy(0, 11), terrain=(across(4, "blocks-line-of-sight"),))
    assert (found["answer"], found["distance"]) == ("no", None)
    assert "TMG-CHG-2" in found["why"]


# -- the ground it ends on ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "effects"),
    [
        pytest.param(
            "tmg-2021",
            ("dangerous", "fortified", "hindering"),
            marks=pytest.mark.rule(
                "TMG-CHG-5", "TMG-TER-5", "TMG-TER-10", "TMG-TER-14", edition="2021"
            ),
        ),
        pytest.param(
            "tmg-2018",
            ("dangerous", "destructible"),
            marks=pytest.mark.rule("TMG-TER-10", "TMG-TER-19", edition="2018"),
        ),
    ],
)
def test_a_charge_feels_the_ground_all_its_places_lie_on(
    game: str, effects: tuple[str, ...]
) -> None:
    """It touches the target's front corner beside the piece, and is then laid on its flank."""
    mover = replace(block("a", 51.0, 64.0, 45.0), speed=5)
    goal = enemy(0, 11)  # its right flank looks to -x
    words = frozenset({"dangerous", "destructible", "fortified", "hindering", "rough"})

    def ground(y: float) -> Terrain:
        return Terrain("t1", ((48.0, y), (57.9, y), (57.9, 80.0), (48.0, 80.0)), words)

    found = charge(game, mover, goal, terrain=(ground(69.2),))
    assert found.zone.arc == "right"
    assert {place.effects for place in found.align} == {effects}
    assert found.effects == effects
    # where one place lies beside it, the charge as a whole does not feel it
    some = charge(game, mover, goal, terrain=(ground(73.2),))
    assert sorted({place.effects for place in some.align}) == [(), effects]
    assert some.effects == ()
    assert [place.plain().get("effects") for place in some.align] == [None, None, list(effects)]


@pytest.mark.rule("TMG-TER-10", "TMG-TER-19", edition="2018")
@pytest.mark.rule("TMG-TER-9", edition="2021")
def test_charging_off_dangerous_ground() -> None:
    """2018 counts what one moves through or ends on; 2021 hurts who acts on it."""
    under = Terrain(
        "t1",
        ((58, 58), (62, 58), (62, 59), (58, 59)),
        frozenset({"dangerous", "destructible", "hindering"}),
    )
    off = {game: charge(game, attacker(), enemy(0, 9), terrain=(under,)).effects for game in BOTH}
    assert off == {"tmg-2021": ("dangerous", "hindering"), "tmg-2018": ("hindering",)}
    ahead = replace(under, outline=((58, 62), (62, 62), (62, 63), (58, 63)))
    through = charge("tmg-2018", attacker(), enemy(0, 9), terrain=(ahead,)).effects
    assert through == ("dangerous", "destructible", "hindering")


# -- hardly any room ----------------------------------------------------------------------------


@pytest.mark.rule("TMG-CHG-3", "OR-8", edition="2018")
@pytest.mark.parametrize(
    ("off", "verdict"),
    [(0.0, "no"), (0.05, "no"), (0.19, "no"), (0.21, "yes"), (1.0, "yes"), (2.0, "yes")],
)
def test_a_friend_all_but_centred_leaves_no_room_in_2018(off: float, verdict: str) -> None:
    """5 % of a 4 inch edge is 0.2 inch: less is not what anybody calls room."""
    friend = block("f", 60 + off, 66, 90)
    found = charge("tmg-2018", attacker(), enemy(0, 9), friend)
    assert found.answer.verdict == verdict
    if verdict == "yes":
        assert min(place.contact for place in found.align) == pytest.approx(off / 4, abs=0.01)
    else:
        assert found.answer.why == ("TMG-CHG-3",)


@pytest.mark.rule("TMG-CHG-3", edition="2018")
@pytest.mark.parametrize(("gap", "verdict"), [(0.1, "no"), (0.4, "yes")])
def test_a_slit_between_walls_is_no_room_in_2018(gap: float, verdict: str) -> None:
    """Walls leave the tray so much of the target's edge on its left end."""
    hard = frozenset({"impassable"})
    low, high = 62.0 - gap, 74.0
    wall = Terrain("t1", ((50, 66), (low, 66), (low, 67.4), (50, 67.4)), hard)
    found = charge("tmg-2018", attacker(), enemy(0, 9), terrain=(wall,), size=high * 2)
    assert ("TMG-CHG-3" not in found.answer.why) == (verdict == "yes")


@pytest.mark.rule("TMG-CHG-3", edition="2018")
@pytest.mark.parametrize(
    ("off", "verdict"), [(0.0, "unsure"), (0.2, "unsure"), (0.5, "unsure"), (1.2, "yes")]
)
def test_room_to_align_is_in_doubt_where_measuring_cannot_tell_2018(
    off: float, verdict: str
) -> None:
    """The friend is measured, too: near 100 % it may or may not close the edge."""
    sigma = Sigma(0.07, 0.3)

    def seen(unit: Unit) -> Unit:
        return unit.at(replace(unit.pose, sigma=sigma))

    friend = block("f", 60 + off, 66, 90)
    units = map(seen, (attacker(), enemy(0, 9), friend))
    found = charge("tmg-2018", *units)
    assert found.answer.verdict == verdict
    if verdict == "unsure":
        assert "TMG-CHG-3" in found.answer.why


@pytest.mark.rule("TMG-CHG-4")
def test_nothing_is_minus_nothing() -> None:
    """A limit met to a hair prints as 0, and a heading of all but 360 degrees as 0."""
    nearest = (12.5**2 + 2.0**2) ** 0.5
    text = json.dumps(printed("tmg-2021", attacker(), enemy(0, nearest + 1.5 + 1e-12)))
    assert '"margin": 0.0' in text
    assert "-0.0" not in text
    assert Placement(1.0, Pose(-1e-9, 0.0, 359.99999)).plain() == {
        "contact": 1.0,
        "x": 0.0,
        "y": 0.0,
        "heading": 0.0,
    }
    assert str(Placement(1.0, Pose(-1e-9, 0.0, 0.0)).plain()["x"]) == "0.0"


# -- doubt about what the charger itself does ---------------------------------------------------


def measured(unit: Unit, xy: float) -> Unit:
    """The same unit as a camera saw it."""
    return unit.at(replace(unit.pose, sigma=Sigma(xy, 3 * xy)))


def corridor(half: float, game: str, xy: float) -> Charge:
    """A tray of 4 inches that charges through a lane of so much to either side of its middle."""
    walls = (
        Terrain("t1", ((46, 63), (60 - half, 63), (60 - half, 66), (46, 66)), HARD),
        Terrain("t2", ((60 + half, 63), (74, 63), (74, 66), (60 + half, 66)), HARD),
    )
    units = (measured(attacker(), xy), measured(enemy(0, 12), xy))
    return charge(game, *units, terrain=walls)


@pytest.mark.rule("TMG-CHG-13", "TMG-TER-15", "TMG-CHG-4")
@pytest.mark.parametrize("game", BOTH)
def test_a_lane_hardly_wider_than_the_tray_is_in_doubt(game: str) -> None:
    assert corridor(2.02, game, 0.0).answer.verdict == "yes"
    assert corridor(1.98, game, 0.0).answer.verdict == "no"
    assert corridor(2.02, game, 0.05).answer.verdict == "unsure"
    assert corridor(1.98, game, 0.05).answer.verdict == "unsure"
    assert corridor(2.5, game, 0.05).answer.verdict == "yes"
    assert corridor(1.5, game, 0.05).answer.verdict == "no"


@pytest.mark.rule("TMG-TER-17", "TMG-CHG-4")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("edge", "xy", "verdict"),
    [
        (58.48, 0.0, "yes"),  # just off the bog
        (58.52, 0.0, "no"),  # on it: an inch too far
        (58.48, 0.05, "unsure"),
        (57.5, 0.05, "yes"),
    ],
)
def test_whether_it_starts_on_rough_ground_is_in_doubt(
    game: str, edge: float, xy: float, verdict: str
) -> None:
    bog = Terrain("t1", ((46, 55), (76, 55), (76, edge), (46, edge)), frozenset({"rough"}))
    units = (measured(attacker(4), xy), measured(enemy(0, 1.5 + 9.6 + 1.5), xy))
    assert charge(game, *units, terrain=(bog,)).answer.verdict == verdict


@pytest.mark.rule("TMG-CHG-3", edition="2021")
@pytest.mark.parametrize(
    ("taken", "xy", "verdict"),
    [(1.95, 0.0, "yes"), (2.05, 0.0, "no"), (1.95, 0.05, "unsure"), (1.0, 0.05, "yes")],
)
def test_room_is_in_doubt_where_the_target_may_stand_elsewhere(
    taken: float, xy: float, verdict: str
) -> None:
    """A wall before the target's edge leaves a little more or less than half of it."""
    wall = Terrain("t1", ((50, 65), (58 + taken, 65), (58 + taken, 66.5), (50, 66.5)), HARD)
    mover = attacker().at(Pose(64, 60, 100.0))
    units = (mover, measured(enemy(0, 9), xy))
    found = charge("tmg-2021", *units, terrain=(wall,))
    assert found.answer.verdict == verdict
    if verdict != "yes":
        assert "TMG-CHG-3" in found.answer.why


@pytest.mark.rule("TMG-MOV-4", "TMG-MOV-3", edition="2018")
@pytest.mark.parametrize("overlap", [0.0, 0.01])
@pytest.mark.parametrize("xy", [0.0, 0.03])
def test_who_does_not_turn_charges_from_beside_a_friend_in_2018(overlap: float, xy: float) -> None:
    """Flush between friends there is no pivot, but straight ahead the way is free."""
    beside = (block("f", 56 + overlap, 60), block("g", 64 - overlap, 60))
    units = (attacker(), enemy(0, 11), *beside)
    found = charge("tmg-2018", *(measured(unit, xy) for unit in units))
    assert found.answer.verdict == "yes"
    assert found.distance_in == pytest.approx(8.0, abs=0.01)


@pytest.mark.rule("TMG-CHG-18", edition="2018")
@pytest.mark.rule("TMG-CHG-18", edition="2021")
def test_where_neither_is_free_2018_moves_the_defender() -> None:
    """A friend leaves 1.6 of 4 inches: the printed places are those with the target moved."""
    units = (attacker(), enemy(0, 9), block("f", 61.6, 66, 90))
    old = printed("tmg-2018", *units)
    assert old["answer"] == "yes"
    assert [place["contact"] for place in old["align"]] == [1.0, 0.5]
    assert all(place["x"] == pytest.approx(57.6, abs=0.01) for place in old["align"])
    assert [place["defender"]["x"] for place in old["align"]] == pytest.approx([57.6, 59.6])
    table = Table("tmg-2018", 144, 144, units)
    for place in old["align"]:
        after = table.moved("a", Pose(place["x"], place["y"], place["heading"]))
        assert check(table, after, "a")["charge"].answer.verdict == "yes"
    new = printed("tmg-2021", *units)
    assert (new["answer"], new["why"]) == ("no", ["TMG-CHG-3"])


@pytest.mark.parametrize("game", BOTH)
def test_the_screen_gets_the_same_verdicts_without_the_long_search(game: str) -> None:
    bog = (across(8, "rough"),)
    report = Survey.of(Table(game, 144, 144, (attacker(), enemy(0, 20)), bog)).report
    quick, whole = (report.plain("t", whole=one)["units"]["a"] for one in (False, True))
    assert quick["charges"]["b"]["answer"] == whole["charges"]["b"]["answer"] == "no"
    assert quick["charges"]["b"]["distance"] < whole["charges"]["b"]["distance"]
    assert {**quick, "charges": {}} == {**whole, "charges": {}}


@pytest.mark.rule("TMG-CHG-4", "TMG-CHG-13")
def test_a_gap_that_may_be_wide_enough_makes_a_short_way_doubtful() -> None:
    """As measured only a way round is open, and too long; a little elsewhere the gap would do."""
    exact = random_table(52)
    charge = Survey.of(exact).report.units["r1"].charges["b0"]
    assert charge.answer.verdict == "no"
    assert charge.distance_in == pytest.approx(13.75, abs=0.01)
    units = [unit.at(replace(unit.pose, sigma=Sigma(0.05, 0.5))) for unit in exact.units]
    seen = Survey.of(replace(exact, units=tuple(units))).report.units["r1"].charges["b0"]
    assert seen.answer.verdict == "unsure"
    assert seen.distance_in == pytest.approx(11.62, abs=0.01)
