"""Terms that positions decide: ranges of effects, moves, tokens, arrows and marks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.tmg.rules.ground_effects import friends_in_range, in_range
from companion.games.tmg.rules.movement.move_check import check
from companion.games.tmg.rules.movement.move_end import SweptPath
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.sight_rules import zones
from companion.games.tmg.rules.survey import Survey
from companion.games.tmg.rules.terrain_crossing import crossings, dangers
from models import Pose, Sigma, TableToken, Tray
from tests.games.tmg.sample_units import BOTH, BOW, NEW, OLD, field, fighter, patch

B1 = fighter("b1", 24, 24)  # x 22..26, y 22.5..25.5


# -- ranges of effects --------------------------------------------------------------------------


@pytest.mark.rule("TMG-GLO-13", "TMG-GLO-14", "OR-17", "OR-13")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("gap", "short", "long"),
    [
        (0.0, "yes", "yes"),
        (6.0, "yes", "yes"),
        (6.01, "no", "yes"),
        (12.0, "no", "yes"),
        (12.01, "no", "no"),
    ],
)
def test_short_is_six_inches_and_long_twelve(game: str, gap: float, short: str, long: str) -> None:
    # Behind the source and wholly outside its front: effects are measured from tray to tray.
    ground = field(game, B1, fighter("r1", 24, 21 - gap, 90))
    assert in_range(ground, "b1", "short")["r1"].verdict == short
    assert in_range(ground, "b1", "long")["r1"].verdict == long


@pytest.mark.rule("TMG-GLO-13")
@pytest.mark.parametrize("game", BOTH)
def test_any_part_of_the_tray_will_do(game: str) -> None:
    corner = fighter("r1", 24 + 2 + 3 + 2, 24 + 1.5 + 4 + 1.5)  # corner to corner 3 and 4: 5 inches
    assert in_range(field(game, B1, corner), "b1", "short")["r1"].margin_in == pytest.approx(1)


@pytest.mark.rule("TMG-GLO-6", "TMG-GLO-15")
@pytest.mark.parametrize("game", BOTH)
def test_an_effect_chooses_friends_in_range_and_its_own_unit(game: str) -> None:
    ground = field(
        game,
        B1,
        fighter("b2", 24, 32),  # 5 inches
        fighter("b3", 24, 40),  # 13 inches
        fighter("b4", 33.5, 24),  # 5.5 inches, most of it beyond 6
        fighter("r1", 24, 18),  # near, but an enemy
    )
    assert set(friends_in_range(ground, "b1", "short")) == {"b1", "b2", "b4"}
    assert set(friends_in_range(ground, "b1", "long")) == {"b1", "b2", "b4"}
    assert set(friends_in_range(ground, "b3", "short")) == {"b2", "b3"}


@pytest.mark.rule("TMG-GLO-6", "TMG-GLO-13")
def test_a_range_the_measurement_cannot_tell_is_unsure() -> None:
    ground = field(NEW, B1, fighter("b2", 24, 33.05, sigma=Sigma(0.03)))
    found = friends_in_range(ground, "b1", "short")["b2"]
    assert (found.verdict, found.why) == ("unsure", ("TMG-GLO-13",))


# -- moves --------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-GLO-8", "OR-19", edition="2021")
def test_a_pivot_is_a_move_2021() -> None:
    # Turned, the tray comes within an inch of r1: no move may end so.
    near = fighter("r1", 29.2, 24, 90)  # x 27.2..31.2
    wide = fighter("b1", 24.5, 24, 0)  # x 23..26; turned x 22.5..26.5
    before = field(NEW, wide, near).table
    turned = before.moved("b1", Pose(24.5, 24, 90))
    found = check(before, turned, "b1")["pivot"]
    assert found.answer.why == ("TMG-MOV-7",)
    free = check(before, turned, "b1", Readings(near_pivot="free"))["pivot"]
    assert free.answer
    # And a pivot onto Dangerous ground has moved onto it.
    ground = field(NEW, wide, patch("dangerous", 26.2, 23, 28, 25))
    crossed = crossings(ground, 0, SweptPath(Pose(24.5, 24, 90)))
    assert [one.rule for one in dangers(ground, crossed, action=False)] == ["TMG-TER-10"]


@pytest.mark.rule("TMG-GLO-16")
@pytest.mark.parametrize("game", BOTH)
def test_tokens_block_neither_sight_nor_moves(game: str) -> None:
    archers = fighter("b1", 24, 10, attacks=(BOW,))
    bare = field(game, archers, fighter("r1", 24, 19, 270), fighter("r2", 30, 19, 270)).table
    tokens = tuple(TableToken(f"o{n}", 20 + 2 * n, 14, 0.709) for n in range(5))
    strewn = replace(bare, tokens=tokens)
    assert (
        Survey.of(strewn).report.to_json("t")["units"]
        == Survey.of(bare).report.to_json("t")["units"]
    )
    onto = Pose(24, 13.5, 90)
    found = check(strewn, strewn.moved("b1", onto), "b1")
    assert found["maneuver"].answer
    assert {name: one.answer for name, one in found.items()} == {
        name: one.answer for name, one in check(bare, bare.moved("b1", onto), "b1").items()
    }


# -- trays --------------------------------------------------------------------------------------


@pytest.mark.rule("TMG-UNT-8")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize("heading", [0.0, 90.0, 137.0, 270.0])
def test_ranges_start_at_the_front_arrow(game: str, heading: float) -> None:
    unit = fighter("b1", 24, 24, heading, attacks=(BOW,))
    x, y = unit.pose.ahead(1.5 + 9 + 1.5, 4)  # 9 inches before the front edge, 4 to the left
    ground = field(game, unit, fighter("r1", x, y, heading))
    found = Survey.of(ground.table).report.units["b1"]
    assert ground.trays.arrow[0] == pytest.approx(unit.pose.ahead(1.5))
    assert found.range["r1"] == pytest.approx((9**2 + 2**2) ** 0.5)  # to its nearest corner
    assert found.gap["r1"] == pytest.approx(9)
    behind = field(game, replace(unit, pose=unit.pose.turned(heading + 180)), ground.units[1])
    assert Survey.of(behind.table).report.units["b1"].range["r1"] > 12


@pytest.mark.rule("TMG-UNT-9", "OR-2")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(
    ("arc_deg", "arc", "share"), [(45.0, "right", 0.375), (53.130102, "front", 0.652778)]
)
def test_the_marks_of_a_tray_decide_its_arcs(
    game: str, arc_deg: float, arc: str, share: float
) -> None:
    # EX-G3: the same places, the same sizes; only the marks on A's corners differ.
    marked = fighter("r1", 24, 24, tray=Tray("", 4.0, 3.0, arc_deg))
    zone = zones(field(game, fighter("b1", 30, 29), marked), np.array([0]), np.array([1]))[0]
    assert zone.arc == arc
    assert zone.shares[0] == pytest.approx(share, abs=1e-4)


@pytest.mark.rule("TMG-UNT-9")
def test_front_flanks_and_rear_lie_where_the_marks_say() -> None:
    marked = fighter("r1", 24, 24)
    arcs = {
        (24, 34): "front",
        (14, 24): "left",
        (34, 24): "right",
        (24, 14): "rear",
    }
    for (x, y), arc in arcs.items():
        ground = field(OLD, fighter("b1", x, y), marked)
        assert zones(ground, np.array([0]), np.array([1]))[0].arc == arc
