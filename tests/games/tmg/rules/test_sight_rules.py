"""Line of sight and arcs: TMG-LOS, TMG-UNT-8/-9, the readings OR-2..OR-6 and OR-25."""

from __future__ import annotations

import pytest

from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.report import ARCS, MiniaturesReport
from companion.games.tmg.rules.survey import Survey
from models import Pose, Sigma, Table, Terrain, Unit
from tests.games.tmg.pieces import bare, block, slab, tray

BOTH = ("tmg-2021", "tmg-2018")


def report(
    game: str, *units: Unit, terrain: tuple[Terrain, ...] = (), **readings: str
) -> MiniaturesReport:
    table = Table(game, 144, 144, units, terrain)
    return Survey.of(table, Readings(**readings)).report


def sees(game: str, *units: Unit, terrain: tuple[Terrain, ...] = (), **readings: str) -> str:
    """Whether the first unit sees the second."""
    found = report(game, *units, terrain=terrain, **readings)
    return found.units[units[0].id].sees[units[1].id].verdict


# The catalogue's geometry examples stand unit A at (0, 0); here it stands at (60, 60).
A = block("a", 60, 60)


def other(x: float, y: float, heading: float = 90.0) -> Unit:
    return block("b", 60 + x, 60 + y, heading, side="red")


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("x", "y", "arc_lines", "shares", "arc"),
    [
        pytest.param(8, 5, "45", (0.0417, 0, 0.9583, 0), "right", id="EX-G1"),
        pytest.param(8, 3.9, "45", (0, 0, 1, 0), "right", id="EX-G2"),
        pytest.param(8, 3.9, "centre", (0.045, 0, 0.955, 0), "right", id="EX-G2 reading B"),
        pytest.param(6, 5, "45", (0.375, 0, 0.625, 0), "right", id="EX-G3"),
        pytest.param(6, 5, "centre", (0.653, 0, 0.347, 0), "front", id="EX-G3 reading B"),
        pytest.param(6, 6, "45", (0.625, 0, 0.375, 0), "front", id="EX-G4"),
        pytest.param(6, -6, "45", (0, 0, 0.375, 0.625), "rear", id="EX-G6"),
        pytest.param(2, 3, "45", (0.8333, 0, 0.1667, 0), "front", id="EX-G7"),
        pytest.param(-6, 5, "45", (0.375, 0.625, 0, 0), "left", id="EX-G3 mirrored"),
        pytest.param(0, -9, "45", (0, 0, 0, 1), "rear", id="behind"),
    ],
)
@pytest.mark.rule(
    "TMG-LOS-1", "TMG-LOS-7", "TMG-LOS-8", "TMG-UNT-9", "TMG-CHG-7", "OR-2", "OR-6", "OR-7",
    "EX-G1", "EX-G2", "EX-G3", "EX-G4", "EX-G6", "EX-G7",
)  # fmt: skip
def test_arc_by_share_of_area(
    game: str, x: float, y: float, arc_lines: str, shares: tuple[float, ...], arc: str
) -> None:
    """Which arc of A holds the largest part of B: judged from A's, the target's, point of view."""
    zone = report(game, A, other(x, y), arc_lines=arc_lines).units["b"].zone["a"]
    assert zone.arc == arc
    assert zone.shares == pytest.approx(shares, abs=6e-4)
    assert sum(zone.shares) == pytest.approx(1)


@pytest.mark.rule("TMG-CHG-8", "OR-6", "EX-G5")
def test_an_exact_half_is_the_attackers_choice() -> None:
    """EX-G5: a square tray cut in half by the arc line."""
    square = Unit("b", "red", "b", type(A.tray)("", 3.0, 3.0), Pose(66, 65.5, 90))
    zone = report("tmg-2021", A, square).units["b"].zone["a"]
    assert zone.arc == "unsure"
    assert set(zone.choices) == {"front", "right"}
    assert zone.shares == pytest.approx((0.5, 0, 0.5, 0))


@pytest.mark.rule("OR-2", "OR-1", "TMG-UNT-9")
def test_arc_lines_are_the_trays_own_unless_told_otherwise() -> None:
    """An infantry tray's lines run from its centre through the corners: 48.9 degrees."""
    infantry = tray("infantry", "a", 60, 60)
    there = other(8, 7.2)
    own = report("tmg-2021", infantry, there).units["b"].zone["a"].shares
    centre = report("tmg-2021", infantry, there, arc_lines="centre").units["b"].zone["a"].shares
    flat = report("tmg-2021", infantry, there, arc_lines="45").units["b"].zone["a"].shares
    assert own == pytest.approx(centre, abs=1e-3)
    assert own[0] > flat[0] + 0.05


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("x", "y", "arc_lines", "seen"),
    [
        pytest.param(8, 5, "45", "yes", id="EX-G1"),
        pytest.param(8, 3.9, "45", "no", id="EX-G2"),
        pytest.param(8, 3.9, "centre", "yes", id="EX-G2 reading B"),
        pytest.param(0, 20, "45", "yes", id="straight ahead"),
        pytest.param(0, -20, "45", "no", id="behind"),
        pytest.param(-20, 0, "45", "no", id="beside"),
    ],
)
@pytest.mark.rule("TMG-LOS-3", "TMG-LOS-4", "OR-4", "EX-22", "EX-23", "EX-G1", "EX-G2", "TMG-UNT-8")
def test_part_of_the_target_must_lie_in_the_front_arc(
    game: str, x: float, y: float, arc_lines: str, seen: str
) -> None:
    answer = report(game, A, other(x, y), arc_lines=arc_lines).units["a"].sees["b"]
    assert answer.verdict == seen
    assert answer.why == (() if seen == "yes" else ("TMG-LOS-4",))


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-LOS-5", "TMG-LOS-2", "OR-3", "OR-5", "EX-24")
def test_other_units_block_friend_and_enemy_alike(game: str) -> None:
    """EX-24: two units between hide the target; a gap between them, however slim, shows it."""
    there = other(0, 20)
    for side in ("blue", "red"):
        wall = (block("w1", 58.1, 70, side=side), block("w2", 61.9, 73.1, side=side))
        assert sees(game, A, there, *wall) == "no"
        assert report(game, A, there, *wall).units["a"].sees["b"].why == ("TMG-LOS-5",)
        assert sees(game, A, there, wall[0]) == "yes"
        slit = (wall[0], block("w2", 62.15, 73.1, side=side))
        assert sees(game, A, there, *slit) == "yes"


@pytest.mark.rule("OR-5", "TMG-LOS-2")
def test_grazing_does_not_block() -> None:
    """The last free line runs along the blocker's edge: from the corner of the front edge."""
    there = other(0, 20)
    # the blocker covers all of the corridor but its left boundary line x = 58
    touching = Unit("w", "red", "w", type(A.tray)("", 40.0, 3.0), Pose(78, 70, 90))
    assert sees("tmg-2021", A, there, touching) == "yes"
    narrow = Unit("b", "red", "b", type(A.tray)("", 4.0, 3.0), Pose(60, 80, 90))
    screen = Unit("w", "red", "w", type(A.tray)("", 40.0, 16.0), Pose(78, 70, 90))
    assert sees("tmg-2021", A, narrow, screen) == "yes"  # its edge is the line x = 58
    assert sees("tmg-2021", A, narrow, screen.at(Pose(77.9, 70, 90))) == "no"


@pytest.mark.rule("OR-5")
def test_own_and_target_tray_never_block() -> None:
    assert sees("tmg-2021", A, other(0, 3)) == "yes"  # in contact


@pytest.mark.parametrize("game", BOTH)
@pytest.mark.rule("TMG-LOS-6", "TMG-TER-18")
def test_a_palisade_blocks_those_not_on_it(game: str) -> None:
    there = other(0, 20)
    wall = slab(game, "palisade", 40, 69, 80, 70)
    assert sees(game, A, there, terrain=(wall,)) == "no"
    found = report(game, A, there, terrain=(wall,)).units["a"].sees["b"]
    assert found.why == ("TMG-LOS-6", "TMG-TER-18")
    close = slab(game, "palisade", 40, 61.6, 80, 62)
    assert sees(game, A, there, terrain=(close,)) == "no"
    standing_on = slab(game, "palisade", 40, 61, 80, 61.4)
    assert sees(game, A, there, terrain=(standing_on,)) == "yes"


@pytest.mark.rule("OR-25", "OR-24", "TMG-TER-18")
def test_a_target_on_the_piece_is_seen_unless_read_otherwise() -> None:
    there = other(0, 20)
    under_target = slab("tmg-2021", "palisade", 40, 78, 80, 82)
    assert sees("tmg-2021", A, there, terrain=(under_target,)) == "yes"
    assert sees("tmg-2021", A, there, terrain=(under_target,), through_piece="any") == "no"
    # a piece that the line leaves before it reaches the target hides it, touching or not
    before = slab("tmg-2021", "palisade", 40, 75, 80, 78.4)
    assert sees("tmg-2021", A, there, terrain=(before,)) == "no"


@pytest.mark.rule("OR-25")
def test_a_line_through_a_hollow_piece_leaves_it() -> None:
    """A U-shaped piece under the target's back: lines cross its arm, leave, and come again."""
    horseshoe = Terrain(
        "t1",
        ((40, 70), (80, 70), (80, 90), (40, 90), (40, 88), (78, 88), (78, 72), (40, 72)),
        frozenset({"blocks-line-of-sight"}),
    )
    assert sees("tmg-2021", A, other(0, 20), terrain=(horseshoe,)) == "no"


@pytest.mark.parametrize("word", ["forest", "bog", "stakes", "low-wall", "hedge", "weirwood"])
@pytest.mark.rule("TMG-LOS-6", "TMG-GLO-16")
def test_other_terrain_does_not_block_sight(word: str) -> None:
    piece = slab("tmg-2021", word, 40, 69, 80, 70)
    assert sees("tmg-2021", A, other(0, 20), terrain=(piece,)) == "yes"


@pytest.mark.rule("TMG-LOS-8", "TMG-LOS-3")
def test_measured_poses_may_leave_it_unsure() -> None:
    """What the measurement cannot tell is unsure; far from the limit it is not."""
    sigma = Sigma(0.03, 0.4)
    viewer = block("a", 60, 60, sigma=sigma)
    near_line = block("b", 68, 64.12, side="red", sigma=sigma)  # a few hundredths off the line
    assert sees("tmg-2021", viewer, near_line) == "unsure"
    answer = report("tmg-2021", viewer, near_line).units["a"].sees["b"]
    assert 0 < answer.chance < 1
    assert sees("tmg-2021", viewer, block("b", 68, 67, side="red", sigma=sigma)) == "yes"
    assert sees("tmg-2021", viewer, block("b", 68, 62, side="red", sigma=sigma)) == "no"
    tied = block("b", 66, 65.45, side="red", sigma=sigma)
    zone = report("tmg-2021", viewer, tied).units["b"].zone["a"]
    assert (zone.arc, set(zone.choices)) == ("unsure", {"front", "right"})


@pytest.mark.rule("TMG-LOS-1")
def test_every_tray_has_four_arcs_that_share_the_plane() -> None:
    """Walk a small tray around each standard tray: its shares always add up."""
    for kind in ("infantry", "cavalry", "solo", "warmachine"):
        centre = tray(kind, "a", 60, 60, 37)
        met = set()
        for step in range(0, 360, 15):
            x, y = Pose(60, 60, step).ahead(12)
            walker = Unit("b", "red", "b", type(A.tray)("", 1.0, 1.0), Pose(x, y, 0))
            zone = report("tmg-2021", centre, walker).units["b"].zone["a"]
            assert sum(zone.shares) == pytest.approx(1)
            met |= set(zone.choices or (zone.arc,))
        assert met == set(ARCS)


@pytest.mark.rule("TMG-LOS-9", "TMG-GLO-26")
def test_every_distance_may_be_asked() -> None:
    found = report("tmg-2021", A, other(0, 15), block("c", 80, 60)).units["a"]
    assert found.gap == pytest.approx({"b": 12.0, "c": 16.0})
    assert bare("tmg-2021").units == ()


@pytest.mark.rule("OR-25", "TMG-TER-18")
def test_a_target_that_only_touches_the_piece_is_not_on_it() -> None:
    """The line leaves the palisade exactly where it reaches the target: it was left before."""
    flush = slab("tmg-2021", "palisade", 40, 77, 80, 78.5)
    assert sees("tmg-2021", A, other(0, 20), terrain=(flush,)) == "no"


@pytest.mark.rule("TMG-LOS-8")
@pytest.mark.parametrize(
    ("x", "y", "arcs"),
    [
        (10, 8, {"front", "right"}),
        (-10, 8, {"front", "left"}),
        (10, -8, {"rear", "right"}),
        (-10, -8, {"rear", "left"}),
    ],
)
def test_a_blurred_tray_is_in_doubt_between_arcs_that_it_may_lie_in(
    x: float, y: float, arcs: set[str]
) -> None:
    blur = Sigma(0.3, 1.0)
    target = tray("infantry", "b", 60, 60, side="red", sigma=blur)
    mover = tray("infantry", "a", 60 + x, 60 + y, 45, sigma=blur)
    zone = report("tmg-2021", mover, target).units["a"].zone["b"]
    assert (zone.arc, set(zone.choices)) == ("unsure", arcs)
