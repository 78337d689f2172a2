"""The reference itself, on cases one can check by hand."""

from __future__ import annotations

import math

import pytest

from models import Attack, Pose, Table, Terrain, Tray, Unit, catalogue
from tests.reference.charge import charge
from tests.reference.ground import arrow_range, gap, touching
from tests.reference.retreat import retreat
from tests.reference.room import room
from tests.reference.shot import shot
from tests.reference.sight import sees
from tests.reference.tables import FLAVOURS, random_table
from tests.reference.zone import zone

OURS = Tray("", 4.0, 3.0, 45.0)
SQUARE = Tray("", 3.0, 3.0, 45.0)
BOW = Attack("Bow", "long", 4, (6,))
NEW, OLD = "tmg-2021", "tmg-2018"
X, Y = 24.0, 20.0
"""Where the catalogue's unit A stands on our table."""


def unit(
    name: str,
    x: float,
    y: float,
    heading: float = 90.0,
    tray: Tray = OURS,
    speed: int = 5,
    attacks: tuple[Attack, ...] = (),
) -> Unit:
    side = "blue" if name.startswith("b") else "red"
    return Unit(name, side, name, tray, Pose(X + x, Y + y, heading), speed, attacks=attacks)


def table(*units: Unit, game: str = NEW, terrain: tuple[Terrain, ...] = ()) -> Table:
    return Table(game, units=units, terrain=terrain)


def box(name: str, x0: float, y0: float, x1: float, y1: float, *words: str) -> Terrain:
    corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Terrain(name, tuple((X + x, Y + y) for x, y in corners), frozenset(words))


A = unit("b1", 0, 0)


@pytest.mark.parametrize(
    ("x", "y", "arc", "share"),
    [
        pytest.param(8, 5, "right", 1 - 0.042, id="EX-G1"),
        pytest.param(8, 3.9, "right", 1.0, id="EX-G2"),
        pytest.param(6, 5, "right", 0.625, id="EX-G3"),
        pytest.param(6, 6, "front", 0.625, id="EX-G4"),
        pytest.param(6, -6, "rear", 0.625, id="EX-G6"),
        pytest.param(2, 3, "front", 0.833, id="EX-G7"),
        pytest.param(-6, 5, "left", 0.625, id="EX-G3 mirrored"),
    ],
)
def test_shares_of_the_catalogue(x: float, y: float, arc: str, share: float) -> None:
    found = zone(unit("r1", x, y), A)
    assert found.arc == arc
    assert found.shares[arc] == pytest.approx(share, abs=0.002)
    assert sum(found.shares.values()) == pytest.approx(1)


def test_an_exact_half_is_left_open() -> None:
    found = zone(unit("r1", 6, 5.5, tray=SQUARE), A)  # EX-G5
    assert set(found.candidates) == {"front", "right"}
    assert found.arc is None


def test_a_trays_own_angle_counts() -> None:
    # EX-G3 with the line from the centre through the corner: its slope is 2 / 1.5.
    wide = Tray("", 4.0, 3.0, math.degrees(math.atan2(2, 1.5)))
    found = zone(unit("r1", 6, 5), unit("b1", 0, 0, tray=wide))
    assert found.arc == "front"
    assert found.shares["front"] == pytest.approx(0.653, abs=0.002)


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        pytest.param(0, 15, 12.0, id="EX-G8"),
        pytest.param(4, 15, 12.1655, id="EX-G9"),
        pytest.param(6, 14, 11.7047, id="EX-G10"),
    ],
)
def test_ranges_of_the_catalogue(x: float, y: float, expected: float) -> None:
    assert arrow_range(A, unit("r1", x, y)) == pytest.approx(expected, abs=1e-4)


def test_gap_and_contact() -> None:
    assert gap(A, unit("r1", 4, 15)) == pytest.approx(12.0)
    assert touching(A, unit("r1", 0, 3)) is True
    assert touching(A, unit("r1", 0, 3.02)) is None
    assert touching(A, unit("r1", 0, 3.05)) is False


# -- sight --------------------------------------------------------------------------------------


def test_a_corner_in_the_arc_is_seen_and_none_is_not() -> None:
    assert sees(table(A, r := unit("r1", 8, 5)), A, r) is True  # EX-G1
    assert sees(table(A, r := unit("r1", 8, 3.9)), A, r) is False  # EX-G2
    assert sees(table(A, r := unit("r1", 8, 4.0)), A, r) is None  # the arc line meets the corner


def test_trays_block_and_leave_gaps() -> None:
    r = unit("r1", 0, 12)
    left, right = unit("b2", -2.5, 5), unit("b3", 2.5, 5)
    assert sees(table(A, r, left, right), A, r) is True  # a slit of 1"
    wall = [unit(f"b{i}", 4.0 * i - 14, 5) for i in range(2, 6)]
    assert sees(table(A, r, *wall), A, r) is None  # flush trays: only lines along their edges
    wide = Tray("", 22.0, 1.0)
    assert sees(table(A, r, unit("b2", 0, 5, tray=wide)), A, r) is False
    narrow = [unit("b2", -11.01, 5, tray=wide), unit("b3", 11.01, 5, tray=wide)]
    assert sees(table(A, r, *narrow), A, r) is None  # a slit of 0.02"
    narrow = [unit("b2", -11.03, 5, tray=wide), unit("b3", 11.03, 5, tray=wide)]
    assert sees(table(A, r, *narrow), A, r) is True  # a slit of 0.06"


@pytest.mark.parametrize(
    ("wall", "expected"),
    [
        pytest.param((-12, 4, 12, 5), False, id="between"),
        pytest.param((-12, 1.2, 12, 5), True, id="the viewer is on it"),
        pytest.param((-12, 4, 12, 11), True, id="the target is on it"),
        pytest.param((-12, 4, 12, 10.4), False, id="it ends before the target"),
    ],
)
def test_pieces_block_what_they_lie_between(
    wall: tuple[float, float, float, float], expected: bool
) -> None:
    r = unit("r1", 0, 12)
    hill = box("t1", *wall, "blocks-line-of-sight")
    assert sees(table(A, r, terrain=(hill,)), A, r) is expected
    hedge = box("t1", *wall, "cover")
    assert sees(table(A, r, terrain=(hedge,)), A, r) is True
    assert sees(table(A, r, terrain=(hedge,)), A, r, shooting=True) is expected
    old = table(A, r, terrain=(hedge,), game=OLD)
    assert sees(old, A, r, shooting=True) is True


def test_a_line_may_not_leave_one_arm_of_a_piece_for_the_other() -> None:
    # A U on its side: the target stands on the far arm only.
    arms = ((-12, 4), (13, 4), (13, 12), (-12, 12), (-12, 11), (12, 11), (12, 5), (-12, 5))
    bent = Terrain(
        "t1", tuple((X + x, Y + y) for x, y in arms), frozenset({"blocks-line-of-sight"})
    )
    r = unit("r1", 0, 13.0)
    assert sees(table(A, r, terrain=(bent,)), A, r) is False


# -- charges ------------------------------------------------------------------------------------


STRAIGHT = math.sqrt(8.5**2 - 2**2) - 1.5
"""An edge 8.5" ahead of the centre: led by a corner, a slight turn comes there before 7"."""


def test_a_slight_turn_shortens_the_way() -> None:
    r = unit("r1", 0, 10, 270)
    found = charge(table(A, r), A, r)
    assert found.zone.arc == "front"
    assert found.low <= STRAIGHT <= found.high
    assert found.high - found.low < 0.03
    assert found.answer is True
    assert found.needs(5) == 2
    assert charge(table(slow := unit("b1", 0, 0, speed=4), r), slow, r).needs(4) == 3


@pytest.mark.parametrize(("beyond", "expected"), [(-0.03, True), (0.0, None), (0.03, False)])
def test_the_limit_of_a_reach(beyond: float, expected: bool | None) -> None:
    edge = math.hypot(11.0 + 1.5, 2.0)
    r = unit("r1", 0, edge + 1.5 + beyond, 270)
    assert charge(table(A, r), A, r).answer is expected


@pytest.mark.parametrize(
    ("words", "low", "effects"),
    [
        (("rough",), STRAIGHT + 1, {"rough"}),
        (("hindering",), STRAIGHT, {"hindering"}),
        (("fortified", "dangerous"), STRAIGHT, {"fortified", "dangerous"}),
        (("cover",), STRAIGHT, set()),
    ],
)
def test_ground_on_the_way(words: tuple[str, ...], low: float, effects: set[str]) -> None:
    r = unit("r1", 0, 10, 270)
    found = charge(table(A, r, terrain=(box("t1", -20, 4, 20, 5, *words),)), A, r)
    assert found.low <= low <= found.high
    assert found.effects_surely == found.effects_perhaps == effects


def test_walls_and_enemies_stop_a_charge_friends_do_not() -> None:
    r = unit("r1", 0, 10, 270)
    wall = box("t1", -20, 4, 20, 5, "impassable")
    assert charge(table(A, r, terrain=(wall,)), A, r).reached is False
    small = Tray("", 0.5, 0.5)
    assert charge(table(A, r, unit("r2", 0, 4, tray=small)), A, r).low > STRAIGHT + 0.02
    friend = charge(table(A, r, unit("b2", 0, 4, tray=small)), A, r)
    assert friend.low <= STRAIGHT <= friend.high


def test_a_pivot_over_a_friend_is_of_2021() -> None:
    # The target is ahead to the left; a friend lies flush along the left side.
    b = unit("b1", 0, 0)
    friend = unit("b2", -4.0, 0)
    r = unit("r1", -9, 9, 270)
    new = charge(table(b, friend, r), b, r)
    old = charge(table(b, friend, r, game=OLD), b, r)
    assert new.high < old.low


@pytest.mark.parametrize(
    ("game", "offset", "expected"),
    [
        (NEW, None, True),
        (NEW, 0.0, False),
        (NEW, 2.0, None),
        (NEW, 2.1, True),
        (OLD, 0.0, False),
        (OLD, 0.5, True),
        (OLD, 2.0, True),
    ],
)
def test_room_beside_a_friend(game: str, offset: float | None, expected: bool | None) -> None:
    r = unit("r1", 0, 10, 270)
    units = [A, r] if offset is None else [A, r, unit("b2", offset, 7)]
    assert room(table(*units, game=game), A, r, "front") is expected  # EX-G20


def test_two_on_one_side_are_enough_in_2018() -> None:
    r = unit("r1", 0, 10, 270)
    thin = Tray("", 1.0, 1.0)
    pair = [unit("b2", -0.6, 8, tray=thin), unit("b3", 0.6, 8, tray=thin)]
    assert room(table(A, r, *pair, game=OLD), A, r, "front") is False
    assert room(table(A, r, unit("b2", -2.0, 8, tray=thin), game=OLD), A, r, "front") is True


# -- shots, retreats, tables --------------------------------------------------------------------


def archer(x: float = 0.0, y: float = 0.0) -> Unit:
    return unit("b1", x, y, attacks=(BOW,))


@pytest.mark.parametrize(("y", "least"), [(14.5, 0.0), (16.0, 1.0), (16.9, 1.9), (17.2, math.inf)])
def test_a_shift_brings_a_target_into_range(y: float, least: float) -> None:
    r = unit("r1", 0, y)
    found = shot(table(archer(), r), archer(), r)
    assert found.low - 0.011 <= least <= found.high + 0.011
    assert found.answer is (least < math.inf)


def test_rough_ground_and_near_enemies_shorten_a_shift() -> None:
    r = unit("r1", 0, 16.5)
    bog = box("t1", -1, 1, 1, 2, "rough")
    assert shot(table(archer(), r), archer(), r).answer is True
    assert shot(table(archer(), r, terrain=(bog,)), archer(), r).answer is False
    near = unit("r2", 5.5, 4.0, tray=Tray("", 2.0, 2.0))
    assert shot(table(archer(), r, near), archer(), r).answer is True
    near = unit("r2", 3.5, 4.0, tray=Tray("", 2.0, 2.0))
    assert shot(table(archer(), r, near), archer(), r).answer is False


def test_high_ground_sees_over_trays() -> None:
    r, screen = unit("r1", 0, 12), unit("b2", 0, 5, tray=Tray("", 22.0, 1.0))
    hill = box("t1", -1, 0, 1, 1, "elevated")
    assert shot(table(archer(), r, screen), archer(), r).answer is False
    assert shot(table(archer(), r, screen, terrain=(hill,)), archer(), r).answer is True


def test_friends_in_the_melee_are_named() -> None:
    r, friend = unit("r1", 6, 8), unit("b2", 6, 11, 270)
    found = shot(table(archer(), r, friend), archer(), r)
    assert found.panics_surely == {"b2"}
    assert found.answer is True


@pytest.mark.slow
def test_retreats_need_an_enemy_and_a_way() -> None:
    r = unit("r1", 0, 3, 270)
    assert retreat(table(A, r), A) is True
    assert retreat(table(A, unit("r1", 0, 6, 270)), A) is False
    pen = (
        box("t1", -3, -6, -2.5, 6, "impassable"),
        box("t2", 2.5, -6, 3, 6, "impassable"),
        box("t3", -2, -2.6, 2, -2.1, "impassable"),
    )
    assert retreat(table(A, r, terrain=pen), A) is False


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_tables_are_legal_and_repeatable(flavour: str) -> None:
    for seed in range(12):
        drawn = random_table(seed, flavour)
        assert drawn == random_table(seed, flavour)
        assert Table.parse(drawn.text()) == drawn
        assert len(drawn.sides()) == 2


def test_tables_hold_the_cases_that_matter() -> None:
    drawn = [random_table(seed) for seed in range(60)]
    pairs = [(t, u, e) for t in drawn for u in t.units for e in t.enemies(u)]
    assert {t.game for t in drawn} == {NEW, OLD}
    assert sum(touching(u, e) is True for _, u, e in pairs) > 20
    assert sum(0.2 < gap(u, e) < 1.2 for _, u, e in pairs) > 20
    pieces = [piece for t in drawn for piece in t.terrain]
    assert {piece.piece for piece in pieces} >= set(catalogue(NEW).pieces)
    assert any(len(piece.outline) == 6 for piece in pieces)
