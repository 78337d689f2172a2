"""Deployment: a tray stays within its zone and lies on nobody."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tmg.rules.modes import BattleArea, corner_zone, mode, walls, zone
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.setup.table_setup import (
    clear_of_walls,
    deployable,
    deployed,
    deployment,
    redeployed,
)
from models import Sigma, Unit
from models.unit import corners
from tests.games.tmg.pieces import bare, block, slab, tray

NEW, OLD = "tmg-2021", "tmg-2018"
FOE = tray("infantry", "r1", 24, 44, 270, "red")
"""Player 2's, out of everybody's way."""


def start(unit: Unit, key: str = "GOT", game: str = NEW, width: float = 48) -> str:
    """The verdict for a unit of player 1."""
    table = bare(game, unit, FOE, width=width)
    return deployed(table, mode(game, key), unit).verdict


# -- the zone ---------------------------------------------------------------------------------


@pytest.mark.rule("TMG-DEP-4")
@pytest.mark.parametrize(
    ("y", "verdict"),
    [(8.5, "yes"), (8.6, "no"), (8.5000005, "unsure"), (1.5, "yes"), (1.4, "no")],
)
def test_a_tray_may_touch_but_not_cross_the_line_ex_g16(y: float, verdict: str) -> None:
    unit = block("b1", 24, y)
    answer = deployed(bare(NEW, unit, FOE), mode(NEW, "GOT"), unit)
    assert answer.verdict == verdict
    if verdict == "no":
        assert answer.why == ("TMG-DEP-4", "TMG-MODE-GOT-1")


@pytest.mark.rule("TMG-DEP-4")
def test_the_margin_is_the_distance_to_the_line() -> None:
    unit = block("b1", 24, 8.0)
    answer = deployable(bare(NEW, unit, FOE), unit, zone(mode(NEW, "GOT"), BattleArea(), 1))
    assert answer.verdict == "yes"
    assert answer.margin_in == pytest.approx(0.5)


@pytest.mark.rule("TMG-DEP-4")
@pytest.mark.parametrize(
    ("unit", "game", "key", "verdict"),
    [
        (block("b1", 24, 4.5), OLD, "GOT", "yes"),
        (block("b1", 24, 4.6), OLD, "GOT", "no"),  # 2018: 6 inches deep
        (block("b1", 10, 10.5), OLD, "COK", "yes"),
        (block("b1", 10.1, 10), OLD, "COK", "no"),  # over the side of its corner square
        (block("b1", 38, 10), OLD, "COK", "yes"),
        (block("b1", 24, 6), OLD, "COK", "no"),  # between the two squares
        (block("b1", 24, 16.5), NEW, "FAB", "yes"),
        (block("b1", 24, 8, 45), NEW, "GOT", "no"),  # a corner sticks out
        (block("b1", 24, 7.5, 45), NEW, "GOT", "yes"),
        (block("b1", 1.9, 5), NEW, "GOT", "no"),  # over the side edge of the table
    ],
)
def test_zones_of_both_editions(unit: Unit, game: str, key: str, verdict: str) -> None:
    assert start(unit, key, game) == verdict


@pytest.mark.rule("TMG-DEP-4")
def test_a_wide_table_has_wide_zones() -> None:
    assert start(block("b1", 70, 5), width=72) == "yes"
    assert start(block("b1", 70, 5), width=48) == "no"


@pytest.mark.rule("TMG-DEP-4")
def test_player_two_deploys_at_the_far_edge() -> None:
    table = bare(NEW, block("b1", 24, 5), block("r1", 24, 43, side="red"))
    moved = block("r1", 24, 36, side="red")
    got = mode(NEW, "GOT")
    assert deployment(table, got) == {
        "b1": deployed(table, got, table.unit("b1")),
        "r1": deployed(table, got, table.unit("r1")),
    }
    assert all(deployment(table, got).values())
    assert deployed(table, got, moved).verdict == "no"


@pytest.mark.rule("TMG-FFA-2", "TMG-DEP-4")
def test_a_corner_zone_holds_a_tray_or_not() -> None:
    area = corner_zone(BattleArea(), "far-right")
    inside, outside = block("b1", 38, 37.5), block("b1", 37.9, 37.5)
    assert deployable(bare(NEW, inside), inside, area).verdict == "yes"
    answer = deployable(bare(NEW, outside), outside, area)
    assert (answer.verdict, answer.why) == ("no", ("TMG-DEP-4", "TMG-FFA-2"))


@pytest.mark.rule("TMG-DEP-4")
@given(st.floats(0, 48), st.floats(0, 12), st.floats(0, 360))
def test_legal_exactly_when_all_corners_are_inside(x: float, y: float, heading: float) -> None:
    unit = block("b1", x, y, heading)
    deepest = min(min(px, 48 - px, py, 10 - py) for px, py in corners(unit))
    if abs(deepest) > 1e-5:
        assert start(unit) == ("yes" if deepest > 0 else "no")


# -- doubt ------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-DEP-4")
@pytest.mark.parametrize(
    ("y", "sigma", "verdict"),
    [
        (8.45, Sigma(0.03), "unsure"),
        (8.40, Sigma(0.03), "yes"),
        (8.60, Sigma(0.03), "no"),
        (8.40, Sigma(0.0, 1.0), "unsure"),  # a degree lifts a corner by 0.035
        (8.35, Sigma(0.0, 1.0), "yes"),
    ],
)
def test_a_measured_tray_near_the_line_is_unsure(y: float, sigma: Sigma, verdict: str) -> None:
    assert start(block("b1", 24, y, sigma=sigma)) == verdict


@pytest.mark.rule("TMG-DEP-4")
def test_doubt_says_its_chance() -> None:
    unit = block("b1", 24, 8.47, sigma=Sigma(0.03))
    answer = deployed(bare(NEW, unit, FOE), mode(NEW, "GOT"), unit)
    assert answer.chance == pytest.approx(0.5 * (1 + math.erf(1 / math.sqrt(2))), abs=1e-3)


# -- other things on the table ----------------------------------------------------------------


@pytest.mark.rule("TMG-DEP-4", "TMG-MOV-9")
@pytest.mark.parametrize(
    ("x", "verdict", "why"), [(28.0, "yes", ()), (28.5, "yes", ()), (27.9, "no", ("TMG-MOV-9",))]
)
def test_trays_may_touch_but_not_overlap(x: float, verdict: str, why: tuple[str, ...]) -> None:
    unit = block("b2", x, 5)
    answer = deployed(bare(NEW, block("b1", 24, 5), FOE), mode(NEW, "GOT"), unit)
    assert (answer.verdict, answer.why) == (verdict, why)


@pytest.mark.rule("TMG-TER-15")
def test_no_tray_is_put_on_impassable_terrain() -> None:
    unit = block("b1", 24, 12)
    for piece, verdict in (("palisade", "no"), ("forest", "yes")):
        table = bare(NEW, unit, FOE, terrain=(slab(NEW, piece, 25, 12, 29, 13),))
        answer = deployed(table, mode(NEW, "HWS"), unit)
        assert answer.verdict == verdict
        assert answer.why == (("TMG-TER-15",) if verdict == "no" else ())


# -- arriving later ---------------------------------------------------------------------------


def arrive(
    unit: Unit, key: str, game: str = NEW, held: tuple[str, ...] = (), readings: str = "completely"
) -> tuple[str, tuple[str, ...]]:
    """Verdict and reasons for a unit of player 1 that returns."""
    table = bare(game, block("b0", 24, 2), FOE)
    answer = redeployed(
        table, mode(game, key), unit, held_sides=held, readings=Readings(redeploy=readings)
    )
    return answer.verdict, answer.why


@pytest.mark.rule("TMG-MODE-COK-8")
@pytest.mark.parametrize(
    ("unit", "verdict"),
    [
        (block("b1", 4, 24), "yes"),
        (block("b1", 4.1, 24), "no"),
        (block("b1", 44, 24), "yes"),
        (block("b1", 30, 8.5), "yes"),
        (block("b1", 30, 24), "no"),
    ],
)
def test_a_commander_returns_completely_inside(unit: Unit, verdict: str) -> None:
    found = arrive(unit, "COK")
    assert found == (verdict, () if verdict == "yes" else ("TMG-MODE-COK-8",))
    assert arrive(unit, "COK", readings="partly") == found


@pytest.mark.rule("TMG-MODE-COK-15", edition="2018")
def test_reserves_of_2018_need_the_side_edge() -> None:
    unit = block("b1", 4, 24)
    assert arrive(unit, "COK", OLD) == ("no", ("TMG-MODE-COK-15",))
    assert arrive(unit, "COK", OLD, held=("right",)) == ("no", ("TMG-MODE-COK-15",))
    assert arrive(unit, "COK", OLD, held=("left",)) == ("yes", ())
    assert arrive(block("b1", 30, 10.5), "COK", OLD) == ("yes", ())


@pytest.mark.rule("TMG-MODE-HWS-10")
def test_short_range_of_an_edge_is_meant_completely() -> None:  # OR-41
    half_in = block("b1", 7, 24)
    assert arrive(half_in, "HWS") == ("no", ("TMG-MODE-HWS-10",))
    assert arrive(half_in, "HWS", readings="partly") == ("yes", ())
    assert arrive(block("b1", 8.1, 24), "HWS", readings="partly")[0] == "no"
    assert arrive(block("b1", 1.5, 24), "HWS", readings="partly") == ("no", ("OR-18",))
    assert arrive(block("b1", 4, 24), "HWS") == ("yes", ())
    assert arrive(block("b1", 30, 4.5), "HWS") == ("yes", ())
    assert arrive(block("b1", 30, 43.5), "HWS")[0] == "no"  # the enemy's edge


@pytest.mark.rule("TMG-MODE-HWS-10")
@pytest.mark.rule("TMG-MODE-COK-15", edition="2018")
@pytest.mark.parametrize(
    ("unit", "key", "game", "verdict"),
    [
        # every part of it within 6 inches of the own edge or of the left one, not all of one
        (block("b1", 6.0, 6.0, 135), "HWS", NEW, "no"),  # it reaches past the inner corner
        (block("b1", 4.9, 4.9, 45), "HWS", NEW, "yes"),
        (block("b1", 5.0, 5.5, 90), "HWS", NEW, "no"),
        (block("b1", 3.0, 6.5, 30), "HWS", NEW, "yes"),
        # within 12 inches of the own edge or 6 of a side edge that is held
        (block("b1", 4.5, 11.0, 45), "COK", OLD, "yes"),
        (block("b1", 7.0, 11.0, 45), "COK", OLD, "no"),
    ],
)
def test_a_tray_may_lie_across_the_strips_of_two_edges(
    unit: Unit, key: str, game: str, verdict: str
) -> None:
    """Where the text gives one range for several edges, all of it counts together."""
    rule = "TMG-MODE-HWS-10" if game == NEW else "TMG-MODE-COK-15"
    assert arrive(unit, key, game, held=("left",)) == (verdict, () if verdict == "yes" else (rule,))


@pytest.mark.rule("TMG-MODE-COK-8")
def test_a_commander_returns_into_one_of_them() -> None:
    """Completely inside a zone or completely near an edge: half and half is neither."""
    across = block("b1", 4.5, 9.0, 45)  # the zone is 10 inches deep, the strip 6 wide
    assert arrive(across, "COK") == ("no", ("TMG-MODE-COK-8",))
    assert arrive(block("b1", 4.5, 7.0, 45), "COK") == ("yes", ())


@pytest.mark.rule("TMG-MODE-SOS-11")
def test_reserves_of_a_storm_at_the_sides_2021_and_2018() -> None:
    half_in = block("b1", 7, 24)
    assert arrive(half_in, "SOS", NEW, readings="partly") == ("no", ("TMG-MODE-SOS-11",))
    assert arrive(half_in, "SOS", OLD, readings="partly") == ("yes", ())
    assert arrive(half_in, "SOS", OLD) == ("no", ("TMG-MODE-SOS-11",))
    assert arrive(block("b1", 3, 24), "SOS", NEW) == ("yes", ())


@pytest.mark.rule("TMG-MODE-SOS-8")
@pytest.mark.parametrize("game", [NEW, OLD])
def test_a_storms_attacker_returns_anywhere_in_his_zone(game: str) -> None:
    table = bare(game, block("b1", 24, 10), FOE)
    storm = mode(game, "SOS")
    for y, verdict in ((31.5, "yes"), (31.4, "no")):
        unit = block("r2", 10, y, side="red")
        assert redeployed(table, storm, unit, defender=1).verdict == verdict


@pytest.mark.rule("TMG-MOV-7")
def test_an_arriving_unit_keeps_an_inch_from_enemies() -> None:
    table = bare(NEW, block("b0", 24, 2), block("r1", 4, 24, side="red"))
    for y, verdict in ((28.0, "yes"), (27.9, "no")):
        answer = redeployed(table, mode(NEW, "HWS"), block("b1", 4, y))
        assert answer.verdict == verdict
        assert answer.why == (("TMG-MOV-7",) if verdict == "no" else ())


@pytest.mark.rule("TMG-MODE-SOS-8")
def test_most_modes_bring_nobody_back() -> None:
    assert arrive(block("b1", 24, 6), "GOT")[0] == "no"


# -- castle walls -----------------------------------------------------------------------------


@pytest.mark.rule("TMG-MODE-SOS-17")
@pytest.mark.parametrize(
    ("game", "player", "verdict"), [(NEW, 1, "no"), (NEW, 2, "no"), (OLD, 1, "yes"), (OLD, 2, "no")]
)
def test_behind_the_walls(game: str, player: int, verdict: str) -> None:
    storm = mode(game, "SOS")
    in_the_gap = tray("solo", "x", 16.25, 1.5, side="blue" if player == 1 else "red")
    answer = clear_of_walls(in_the_gap, storm, BattleArea(), player)
    assert answer.verdict == verdict
    assert answer.why == (("TMG-MODE-SOS-17",) if verdict == "no" else ())
    before = tray("solo", "x", 16.25, 6)
    assert clear_of_walls(before, storm, BattleArea(), player).verdict == "yes"


@pytest.mark.rule("TMG-MODE-SOS-17")
def test_the_defender_deploys_before_the_walls_2021() -> None:
    storm = mode(NEW, "SOS")
    for y, why in ((9.0, ()), (5.0, ("TMG-MODE-SOS-14",)), (1.5, ("TMG-MODE-SOS-17",))):
        unit = block("b1", 16.25 if y == 1.5 else 24, y)
        assert deployed(bare(NEW, unit, FOE), storm, unit).why == why


@pytest.mark.rule("TMG-MODE-SOS-14")
def test_a_wall_is_in_the_way_of_a_unit() -> None:
    storm = mode(NEW, "SOS")
    unit = block("b1", 24, 5)
    area, standing = zone(storm, BattleArea(), 1), walls(storm, BattleArea())
    assert deployable(bare(NEW, unit), unit, area, standing).why == ("TMG-MODE-SOS-14",)
    assert deployable(bare(NEW, unit), unit, area).verdict == "yes"


@pytest.mark.rule("TMG-MODE-SOS-3")
def test_walls_that_were_measured_replace_the_layout() -> None:
    storm = mode(NEW, "SOS")
    unit = block("b1", 24, 5)
    elsewhere = slab(NEW, "castle-wall", 4, 3, 13, 4.5)
    assert deployed(bare(NEW, unit, FOE, terrain=(elsewhere,)), storm, unit).verdict == "yes"
    here = slab(NEW, "castle-wall", 20, 3, 29, 4.5)
    assert deployed(bare(NEW, unit, FOE, terrain=(here,)), storm, unit).verdict == "no"
