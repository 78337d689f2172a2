"""How far a charge is, though it may not be made (OR-11)."""

from __future__ import annotations

import pytest

from companion.games.tmg.rules.charge import charge_paths
from companion.games.tmg.rules.survey import Survey
from models import Table
from tests.games.tmg.chargers import BOTH, across, attacker, enemy, printed


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


@pytest.mark.rule("TMG-CHG-4")
@pytest.mark.parametrize("game", BOTH)
def test_the_screen_gets_the_same_verdicts_without_the_long_search(game: str) -> None:
    bog = (across(8, "rough"),)
    report = Survey.of(Table(game, 144, 144, (attacker(), enemy(0, 20)), bog)).report
    quick, whole = (report.to_json("t", whole=one)["units"]["a"] for one in (False, True))
    assert quick["charges"]["b"]["answer"] == whole["charges"]["b"]["answer"] == "no"
    assert quick["charges"]["b"]["distance"] < whole["charges"]["b"]["distance"]
    assert {**quick, "charges": {}} == {**whole, "charges": {}}


@pytest.mark.rule("TMG-CHG-4")
@pytest.mark.parametrize("game", BOTH)
def test_a_crowded_table_has_distances_of_the_nearest_only_and_the_same_verdicts(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    units = (attacker(), enemy(0, 20), enemy(10, 30, name="c"), enemy(-20, 40, name="d"))
    report = Survey.of(Table(game, 144, 144, units, (across(8, "rough"),))).report
    all_of = report.to_json("t")["units"]["a"]["charges"]
    assert all(one["distance"] for one in all_of.values())
    # there and back again: b with the piece, c with the piece and b beside the way
    monkeypatch.setattr(charge_paths, "MOST_WORK", 2 * 8**2 + 2 * 12**2)
    report = Survey.of(Table(game, 144, 144, units, (across(8, "rough"),))).report
    charges = report.to_json("t")["units"]["a"]["charges"]
    assert {name: one["distance"] is not None for name, one in charges.items()} == {
        "b": True,
        "c": True,
        "d": False,
    }
    assert charges["b"] == all_of["b"]
    assert [one["answer"] for one in charges.values()] == ["no"] * 3
    assert charges["d"]["why"] == ["TMG-CHG-4"]


@pytest.mark.rule("OR-11", "TMG-CHG-9")
@pytest.mark.parametrize("game", BOTH)
def test_the_pivot_of_a_far_charge_turns_with_the_table(game: str) -> None:
    """Half a turn of everything turns the heading by half a turn, from 0 to 360 degrees."""
    for x, y, facing in ((10.3, 28.2, 70.0), (-10.3, 28.2, 110.0), (28.2, 10.3, 20.0)):
        one = printed(game, attacker(heading=facing), enemy(x, y, facing + 180))
        two = printed(game, attacker(heading=facing + 180), enemy(-x, -y, facing))
        assert one["answer"] == two["answer"] == "no"
        assert two["heading"] == pytest.approx(one["heading"] + 180, abs=2e-3)
