"""Charges that measuring leaves in doubt: lanes, ground, room, friends beside."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.tmg.rules.report import Charge
from companion.games.tmg.rules.survey import Survey
from models import Pose, Sigma, Terrain
from tests.games.tmg.chargers import BOTH, HARD, attacker, charge, enemy, measured
from tests.games.tmg.pieces import block
from tests.reference.tables import random_table


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


@pytest.mark.rule("TMG-CHG-11", "TMG-CHG-14")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("far", "xy", "rolls"),
    [(7.0, 0.0, ()), (7.0, 0.02, (2, 3)), (7.5, 0.02, ()), (6.5, 0.3, (1, 2, 3)), (4.0, 0.3, ())],
)
def test_the_needed_roll_is_in_doubt_near_a_whole_inch(
    game: str, far: float, xy: float, rolls: tuple[int, ...]
) -> None:
    away = far + 3
    for _ in range(20):  # the pivot shortens its way: so far off that the way is as long
        away += far - (charge(game, attacker(5), enemy(0, away)).distance_in or 0.0)
    found = charge(game, measured(attacker(5), xy), measured(enemy(0, away), xy))
    assert found.distance_in == pytest.approx(far, abs=1e-6)
    assert found.may_need == rolls
    assert found.to_json().get("needs_choices", []) == list(rolls)


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
