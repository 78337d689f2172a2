"""What a measured card shows: standing, kneeling, rows and overlaps against slow references."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
import shapely
from shapely import affinity

from companion.games.thrones.rules.card_places import (
    ATTACHED_IN,
    CARD_IN,
    EDGES,
    HAND_DEG,
    HAND_IN,
    SeatPlace,
    hosts_of,
    overlap_of,
    row_of,
    seat_places,
    turn_of,
)
from models.pose import Pose, Sigma

TABLE = (48.0, 36.0)


@pytest.mark.rule("AGOT-CARD-1", "AGOT-CARD-2", "AGOT-OR-22")
@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize(
    ("off", "turn"),
    [
        (0, "standing"), (20, "standing"), (-25, "standing"), (90, "kneeling"), (-90, "kneeling"),
        (270, "kneeling"), (70, "kneeling"), (45, "unsure"), (-45, "unsure"), (38, "unsure"),
        (52, "unsure"), (180, "unsure"), (140, "unsure"),
    ],
)  # fmt: skip
def test_a_card_kneels_relative_to_its_controllers_seat(edge: str, off: float, turn: str) -> None:
    place = SeatPlace(edge)  # type: ignore[arg-type]
    assert turn_of(Pose(10, 10, place.away_deg + off, Sigma(0.02, 0.5)), place) == turn


@pytest.mark.rule("AGOT-OR-22")
def test_the_same_card_stands_for_one_player_and_kneels_for_another() -> None:
    south, west, north, east = seat_places(4)
    pose = Pose(10, 10, 90)
    assert [turn_of(pose, one) for one in (south, west, north, east)] == [
        "standing",
        "kneeling",
        "unsure",
        "kneeling",
    ]


def test_a_poor_measurement_is_unsure() -> None:
    place = SeatPlace("south")
    assert turn_of(Pose(10, 10, 110, Sigma(0.02, 1.0)), place) == "standing"
    assert turn_of(Pose(10, 10, 110, Sigma(0.02, 9.0)), place) == "unsure"


@pytest.mark.rule("AGOT-CMP-6", "AGOT-CMP-7", "AGOT-MAR-9", "AGOT-MAR-10")
@pytest.mark.parametrize("edge", EDGES)
def test_rows_are_counted_from_the_players_edge(edge: str) -> None:
    place = SeatPlace(edge)  # type: ignore[arg-type]
    away = math.radians(place.away_deg)
    start = {"south": (24, 0), "north": (24, 36), "west": (0, 18), "east": (48, 18)}[edge]
    rows = []
    for far in (3.0, 6.3, 6.5, 6.7, 9.0, 13.9, 20.0, -1.0):
        x, y = start[0] + far * math.cos(away), start[1] + far * math.sin(away)
        rows.append(row_of(Pose(x, y, 90, Sigma(0.02)), place, TABLE))
    assert rows == ["back", "unsure", "unsure", "unsure", "front", "unsure", "unsure", "unsure"]


def card(pose: Pose) -> shapely.Polygon:
    width, length = CARD_IN
    box = shapely.box(-length / 2, -width / 2, length / 2, width / 2)
    return affinity.translate(affinity.rotate(box, pose.heading, (0, 0)), pose.x, pose.y)


def slow_depth(one: Pose, other: Pose) -> float:
    """The least shift that separates two cards, tried in 360 directions; negative: their gap."""
    a, b = card(one), card(other)
    if not a.intersects(b):
        return -a.distance(b)
    angles = np.radians(np.arange(0, 360, 1.0))
    best = math.inf
    for angle in angles:
        nx, ny = math.cos(angle), math.sin(angle)
        best = min(
            best,
            max(x * nx + y * ny for x, y in a.exterior.coords)
            - min(x * nx + y * ny for x, y in b.exterior.coords),
        )
    return best


@pytest.mark.rule("AGOT-ATT-1", "AGOT-MAR-11")
def test_the_depth_of_an_overlap_against_a_slow_reference() -> None:
    dice = random.Random(11)
    apart = 0
    for _ in range(30):
        one = Pose(10, 10, dice.choice((90, 0, dice.uniform(0, 360))))
        other = Pose(10 + dice.uniform(-4, 4), 10 + dice.uniform(-4, 4), dice.uniform(0, 360))
        depth, slow = overlap_of(one, other).depth_in, slow_depth(one, other)
        if slow > 0:
            assert depth == pytest.approx(slow, abs=0.05)
        else:
            apart += 1
            assert depth <= 1e-9, "apart is never called overlapping"
            assert depth >= slow - 1e-9, "separating axes never exaggerate a gap"
    assert 3 < apart < 27


def test_the_error_of_an_overlap_against_sampling() -> None:
    """The propagated deviation is that of 800 sampled measurements."""
    dice = np.random.default_rng(5)
    for dx, dy, heading in ((0.3, 2.6, 92), (1.9, 0.4, 8), (0.2, 2.9, 181), (2.6, 0.3, 90)):
        sigma = Sigma(0.05, 1.5)
        one, other = Pose(10, 10, 90, sigma), Pose(10 + dx, 10 + dy, heading, sigma)
        found = overlap_of(one, other)
        shaken = []
        for draw in dice.normal(size=(800, 6)):
            moved = [
                Pose(
                    pose.x + sigma.xy_in * part[0],
                    pose.y + sigma.xy_in * part[1],
                    pose.heading + sigma.heading_deg * part[2],
                )
                for pose, part in ((one, draw[:3]), (other, draw[3:]))
            ]
            shaken.append(overlap_of(*moved).depth_in)
        expected = math.sqrt(float(np.var(shaken)) + 2 * HAND_IN**2)
        assert found.sigma_in == pytest.approx(expected, rel=0.12)


def test_sure_answers_are_right_for_999_of_1000_shaken_cards() -> None:
    """Cards as hands lay them, measured with errors: a sure answer is hardly ever wrong."""
    dice = np.random.default_rng(9)
    place = SeatPlace("south")
    wrong = sure = 0
    for _ in range(1000):
        kneeling = bool(dice.integers(2))
        meant = 90 + (int(dice.choice((-90, 90))) if kneeling else 0)
        sigma = Sigma(0.03, float(dice.choice((0.5, 3.0, 8.0))))
        lies = meant + dice.normal(0, HAND_DEG) + dice.normal(0, sigma.heading_deg)
        turn = turn_of(Pose(10, 10, float(lies), sigma), place)
        sure += turn != "unsure"
        wrong += turn == ("standing" if kneeling else "kneeling")
    assert wrong == 0
    assert sure > 850


@pytest.mark.rule("AGOT-ATT-1", "AGOT-UNI-6")
def test_what_a_card_is_attached_to() -> None:
    sigma = Sigma(0.02, 0.5)
    host, beside = Pose(10, 10, 90, sigma), Pose(12.6, 10, 90, sigma)
    others = [("host", host), ("beside", beside)]
    assert hosts_of(Pose(10.1, 11.1, 90, sigma), others) == {"host": "yes"}
    assert hosts_of(Pose(20, 10, 90, sigma), others) == {}
    assert hosts_of(Pose(11.3, 10.8, 90, sigma), others) == {"host": "yes", "beside": "yes"}
    near = Pose(10, 10 + CARD_IN[1] - ATTACHED_IN, 90, sigma)
    assert hosts_of(near, others) == {"host": "unsure"}
    assert hosts_of(Pose(10, 10 + CARD_IN[1] + 0.02, 90, sigma), others) == {}
