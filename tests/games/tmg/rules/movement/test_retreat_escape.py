"""Retreats that only a last pivot saves: the narrowest gap is found, and a no is proved."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely

from companion.games.tmg.rules.battlefield import Battlefield
from companion.games.tmg.rules.movement.moves import forward_retreat, move_answers, way_out
from companion.games.tmg.rules.readings import Readings
from models import EXACT, Sigma, Table, Tray, Unit
from tests.games.tmg.sample_units import BOTH, NEW, OLD, SQUARE, field, fighter, patch

LONG, HALL = Tray("", 2.0, 5.0), Tray("", 9.0, 3.0)


def corridor(game: str, spare: float, heading: float, sigma: Sigma = EXACT) -> Battlefield:
    """A long tray that stands askew between two rows of enemies and touches both.

    Neither way along its axes is open; turned along the rows it has an inch and half of `spare`.
    """
    half = 2.0 + spare / 2
    lean = math.atan2(1.0, 2.5)  # 2.5 cos + 1 sin of the lean is how far it reaches across
    across = heading + math.degrees(math.acos(half / math.hypot(2.5, 1.0)) + lean)
    unit = replace(fighter("b1", 24, 24, heading, LONG), pose=fighter("b1", 24, 24, heading).pose)
    step = (half + 1.5) * np.array([math.cos(math.radians(across)), math.sin(math.radians(across))])
    rows = [
        fighter(f"r{n}", 24 + sign * step[0], 24 + sign * step[1], across, HALL, sigma=sigma)
        for n, sign in enumerate((1, -1))
    ]
    return field(game, unit, *rows)


def shape(unit: Unit, turned_deg: float = 0.0, aside: float = 0.0) -> shapely.Polygon:
    """A tray as shapely sees it."""
    deep, wide = unit.tray.depth / 2, unit.tray.width / 2
    box = shapely.box(-deep, aside - wide, deep, aside + wide)
    centre = shapely.affinity.rotate(box.centroid, unit.pose.heading, origin=(0, 0))
    turned = shapely.affinity.rotate(box, turned_deg, origin=box.centroid)
    placed = shapely.affinity.rotate(turned, unit.pose.heading, origin=(0, 0))
    assert placed.centroid.distance(centre) < 1e-9
    return shapely.affinity.translate(placed, unit.pose.x, unit.pose.y)


def roomiest_turn(table: Table) -> float:
    """By trying 45,000: the most room to every enemy after a pivot on the spot."""
    unit, foes = table.units[0], [shape(other) for other in table.units[1:]]
    corners = np.array(shape(unit).exterior.coords)[:-1] - (unit.pose.x, unit.pose.y)
    angle = np.radians(np.arange(0, 180, 0.004))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    centre = np.array([unit.pose.x, unit.pose.y])
    shapes = shapely.polygons(np.einsum("abk,cb->kca", turn, corners) + centre)
    return float(np.min([shapely.distance(shapes, foe) for foe in foes], axis=0).max())


@pytest.mark.rule("TMG-RET-6", "TMG-RET-9", "TMG-MOV-7")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize("heading", [90.0, 33.37, 201.9])
@pytest.mark.parametrize(
    ("spare", "verdict"),
    [(0.02, "yes"), (1e-3, "yes"), (1e-5, "yes"), (-1e-5, "no"), (-0.02, "no")],
)
def test_the_narrowest_turn_is_found(game: str, heading: float, spare: float, verdict: str) -> None:
    """With a thousandth of an inch to spare the window of headings is 0.02 degrees wide."""
    ground = corridor(game, spare, heading)
    answer = move_answers(ground, 0)["retreat"]
    assert (answer.verdict, answer.why) == (verdict, () if verdict == "yes" else ("TMG-RET-9",))
    if game == NEW:
        assert roomiest_turn(ground.table) == pytest.approx(1 + spare / 2, abs=2e-4)


@pytest.mark.rule("TMG-RET-9")
def test_a_limit_met_is_met_and_one_missed_by_rounding_is_unsure() -> None:
    assert move_answers(corridor(NEW, 0.0, 33.37), 0)["retreat"]
    missed = move_answers(corridor(NEW, -1e-6, 33.37), 0)["retreat"]
    assert (missed.verdict, missed.why) == ("unsure", ("TMG-RET-9",))
    assert missed.margin_in == pytest.approx(-5e-7, abs=1e-7)


@pytest.mark.rule("TMG-RET-9")
@pytest.mark.parametrize(
    ("spare", "verdict"), [(0.5, "yes"), (0.1, "unsure"), (-0.1, "unsure"), (-0.5, "no")]
)
def test_measured_rows_leave_a_doubt_with_its_margin(spare: float, verdict: str) -> None:
    answer = move_answers(corridor(NEW, spare, 33.37, Sigma(0.04)), 0)["retreat"]
    assert answer.verdict == verdict
    if verdict == "unsure":
        assert answer.margin_in == pytest.approx(spare / 2, abs=0.01)
        assert (answer.chance > 0.5) == (spare > 0)


@pytest.mark.rule("TMG-RET-8", "TMG-RET-9")
@pytest.mark.parametrize(("room", "verdict"), [(0.3, "yes"), (0.05, "unsure"), (-0.3, "no")])
def test_a_straight_retreat_with_hardly_room_is_unsure(room: float, verdict: str) -> None:
    """Walls beside it; behind it, an inch and so much more from the enemy, stands another."""
    sigma = Sigma(0.04)
    ground = field(
        NEW,
        fighter("b1", 24, 24, tray=Tray("", 4.0, 3.0)),
        fighter("r1", 24, 27, 270, sigma=sigma),
        fighter("r2", 24, 19 - room, 90, sigma=sigma),
        patch("impassable", 15, 15, 21.9, 30, "t1"),
        patch("impassable", 26.1, 15, 33, 30, "t2"),
    )
    answer = move_answers(ground, 0)["retreat"]
    assert answer.verdict == verdict


@pytest.mark.rule("TMG-RET-6", "TMG-RET-9")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize(("beyond", "verdict"), [(1e-3, "yes"), (-1e-3, "no")])
def test_a_way_and_a_turn_that_fit_together_only(game: str, beyond: float, verdict: str) -> None:
    """A long tray goes aside between enemies 5.2 inches apart and must turn to be clear of them.

    Turned, it is 5 inches long: between those it leaves and those it comes to lie 7 and `beyond`.
    """
    unit = fighter("b1", 24, 30, 0, LONG, speed=1)
    foes = (
        fighter("r1", 24, 32.5, 270),
        fighter("r2", 24, 22.5 - beyond, 90, HALL),
        fighter("r3", 19.9, 28, 0, Tray("", 7.0, 3.0)),
        fighter("r4", 28.1, 28, 180, Tray("", 7.0, 3.0)),
    )
    answer = move_answers(field(game, unit, *foes), 0)["retreat"]
    assert answer.verdict == verdict
    turned, others = shape(unit, 90.0, aside=-2.5 - beyond / 2), [shape(foe) for foe in foes]
    assert (min(turned.distance(other) for other in others) >= 1) == (verdict == "yes")


@pytest.mark.rule("TMG-TER-16", "TMG-RET-6", edition="2018")
@pytest.mark.parametrize(("side", "verdict"), [(35, "yes"), (-35, "no")])
def test_a_turn_to_the_right_is_as_good_as_one_to_the_left(side: float, verdict: str) -> None:
    """Thirty degrees to the right or 150 to the left lead clear; a post stands in one way."""
    ground = corridor(OLD, 0.2, 90.0)
    turn = math.radians(90 + side)
    x, y = 24 + 2.6 * math.cos(turn), 24 + 2.6 * math.sin(turn)
    post = patch("impassable", x - 0.05, y - 0.05, x + 0.05, y + 0.05)
    assert move_answers(field(OLD, *ground.units, post), 0)["retreat"].verdict == verdict
    assert move_answers(field(NEW, *ground.units, post), 0)["retreat"]  # it may swing over it


@pytest.mark.rule("TMG-TER-17", "TMG-RET-9", edition="2018")
@pytest.mark.rule("TMG-TER-17", "TMG-RET-9", edition="2021")
@pytest.mark.parametrize(("game", "verdict"), [(NEW, "no"), (OLD, "yes")])
def test_a_last_pivot_onto_rough_ground_may_cost_the_inch_it_needs(game: str, verdict: str) -> None:
    """Past a friend on its way, after 6.2 of its 7 inches, it turns clear, over Rough ahead."""
    ground = field(
        game,
        fighter("b1", 24, 30, 0, LONG, speed=1),
        fighter("b2", 24, 27.8, 90, Tray("", 2.0, 3.0)),
        fighter("r1", 24, 32.5, 270),
        fighter("r3", 19.9, 26.55, 0, Tray("", 9.9, 3.0)),
        fighter("r4", 28.1, 26.55, 180, Tray("", 9.9, 3.0)),
        patch("rough", 23, 20.6, 25, 21.4),
    )
    assert move_answers(ground, 0)["retreat"].verdict == verdict
    dry = field(game, *ground.units)
    assert move_answers(dry, 0)["retreat"]


@pytest.mark.rule("TMG-TER-16", "TMG-RET-9", edition="2018")
@pytest.mark.parametrize(("apart", "verdict"), [(0.5, "no"), (2.0, "yes")])
def test_posts_all_along_the_way_bar_every_turn(apart: float, verdict: str) -> None:
    """Ends with room enough are plenty, but no turn leads to one past posts so near together."""
    spots = np.arange(18.0, 32.0, apart).tolist()
    posts = [
        patch("impassable", x - 0.02, y - 0.02, x + 0.02, y + 0.02, f"t{x}-{y}")
        for y in spots
        for x in (21.4, 26.6)
    ]
    units = (
        fighter("b1", 24, 30, 0, LONG),
        fighter("r1", 24, 32.5, 270),
        fighter("r3", 19.8, 26, 0, Tray("", 13.0, 3.0)),
        fighter("r4", 28.2, 26, 180, Tray("", 13.0, 3.0)),
    )
    assert move_answers(field(OLD, *units, *posts), 0)["retreat"].verdict == verdict
    assert move_answers(field(NEW, *units, *posts), 0)["retreat"]


@pytest.mark.rule("TMG-RET-4", "TMG-RET-9", "OR-22", edition="2021")
@pytest.mark.parametrize("aside", [0.0, 0.02, -0.02])
def test_where_only_the_way_ahead_is_open_a_retreat_is_as_likely_as_its_permission(
    aside: float,
) -> None:
    """Walls beside and behind it; the enemy at its corner touches its front or its flank."""
    ground = field(
        NEW,
        fighter("b1", 24, 24),
        fighter("r1", 20.5 - aside, 27 + aside, 270, SQUARE, sigma=Sigma(0.04, 1.0)),
        patch("impassable", 15, 20, 21.9, 25.2, "t1"),
        patch("impassable", 26.1, 20, 33, 25.2, "t2"),
        patch("impassable", 22, 20, 26, 22.4, "t3"),
        readings=Readings(corner_contact="touch"),
    )
    ahead, answer = forward_retreat(ground, 0), way_out(ground, 0, 11.0)
    assert ahead.verdict == "unsure"
    assert ahead.chance == pytest.approx(0.5, abs=0.01)
    assert (answer.verdict, answer.why[0]) == ("unsure", "TMG-RET-4")
    assert ahead.chance - 0.03 < answer.chance <= ahead.chance


@pytest.mark.rule("TMG-MOV-10", "TMG-RET-9", "OR-22")
@pytest.mark.parametrize(
    ("over", "error", "answer", "least", "most"),
    [
        (-0.1, 0.0, "yes", 1.0, 1.0),
        (0.1, 0.0, "no", 0.0, 0.0),
        (-0.3, 0.02, "yes", 1.0, 1.0),
        (0.0, 0.05, "unsure", 0.4, 0.6),
        (0.1, 0.05, "unsure", 0.0, 0.1),  # most likely through the enemy: never a sure retreat
        (0.3, 0.02, "no", 0.0, 0.0),
    ],
)
def test_an_enemy_that_may_stand_in_the_way_back_leaves_it_open(
    over: float, error: float, answer: str, least: float, most: float
) -> None:
    """Straight back is its only way; an enemy reaches over it by `over` inches."""
    spread = Sigma(error, 0.0)
    unit = fighter("b1", 24, 24, sigma=spread)
    before = fighter("r1", 24, 27, 270, sigma=spread)
    beside = fighter("r2", 21 + over, 19, tray=Tray("", 2.0, 2.0), sigma=spread)
    other = fighter("r3", 26.8, 20.5, tray=Tray("", 1.0, 6.0), sigma=spread)
    walls = (
        patch("impassable", 19, 22, 21.8, 27, "t1"),
        patch("impassable", 26.2, 24, 29, 27, "t2"),
    )
    found = way_out(field(NEW, unit, before, beside, other, *walls), 0, 11.0)
    assert found.verdict == answer
    assert least <= found.chance <= most
