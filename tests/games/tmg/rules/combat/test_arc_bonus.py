"""Flank and rear bonus: the arc an attack comes from, in melee and at a distance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tmg.rules.combat.dice import ABILITIES
from companion.games.tmg.rules.combat.melee import melee_bonus, of_arcs
from companion.games.tmg.rules.combat.odds import AttackRoll
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.sight_rules import zones
from models import Sigma, Tray
from tests.games.tmg.sample_units import BOTH, NEW, SQUARE, field, fighter

# The defender r1 at (24, 24) faces up: x 22..26, y 22.5..25.5.
R1 = fighter("r1", 24, 24)
IN_CONTACT = {
    "front": (24, 27, 270),
    "left": (20.5, 24, 0),
    "right": (27.5, 24, 180),
    "rear": (24, 21, 90),
}
AT_A_DISTANCE = {
    "front": (24, 34, 270),
    "left": (14, 24, 0),
    "right": (34, 24, 180),
    "rear": (24, 14, 90),
}
WORTH = {"front": 0, "left": -1, "right": -1, "rear": -2}
RULES = {
    "front": (),
    "left": ("TMG-BON-3", "TMG-BON-4"),
    "right": ("TMG-BON-3", "TMG-BON-4"),
    "rear": ("TMG-BON-5", "TMG-BON-6"),
}


@pytest.mark.rule("TMG-BON-3", "TMG-BON-4", "TMG-BON-5", "TMG-BON-6")
@pytest.mark.parametrize("game", BOTH)
@pytest.mark.parametrize("arc", WORTH)
def test_the_edge_in_contact_gives_the_melee_bonus(game: str, arc: str) -> None:
    found = melee_bonus(field(game, fighter("b1", *IN_CONTACT[arc]), R1), 0, 1)
    assert (found.defense, found.panic, found.rules) == (WORTH[arc], WORTH[arc], RULES[arc])
    assert found.answer


@pytest.mark.rule("EX-35", "TMG-BON-3", "TMG-BON-4", "TMG-ABL-6")
@pytest.mark.parametrize("game", BOTH)
def test_sundering_into_the_flank_ex_35(game: str) -> None:
    found = melee_bonus(field(game, fighter("b1", *IN_CONTACT["left"]), R1), 0, 1)
    roll = AttackRoll(
        hit=4,
        dice=7,
        defense=4,
        morale=6,
        edition=game.removeprefix("tmg-"),
        zone=found.zone,
        abilities=frozenset({"sundering"}),
    )
    assert roll.defense_total == found.defense + ABILITIES["sundering"].defense == -2
    assert roll.zone_bonus == found.panic == -1


@pytest.mark.rule("OR-7", "EX-G7")
@pytest.mark.parametrize("game", BOTH)
def test_at_half_contact_the_larger_part_is_still_at_the_edge_ex_g7(game: str) -> None:
    ground = field(game, fighter("b1", 26, 27, 270), R1)  # 50 % on the front
    zone = zones(ground, np.array([0]), np.array([1]))[0]
    assert zone.shares == pytest.approx((5 / 6, 0, 1 / 6, 0))
    assert melee_bonus(ground, 0, 1).zone == "front"


@pytest.mark.rule("OR-7", "TMG-BON-3")
@pytest.mark.parametrize("game", BOTH)
def test_where_area_and_edge_disagree_the_edge_decides(game: str) -> None:
    # A wide, flat tray at 50 % on a narrow front: most of it lies in the flank arc.
    narrow = fighter("r1", 24, 24, tray=Tray("", 1.5, 4.0))
    wide = fighter("b1", 24 + 2.75, 27, 270, tray=Tray("", 5.5, 2.0))
    ground = field(game, wide, narrow)
    assert ground.engaged_ids(0) == ("r1",)
    assert zones(ground, np.array([0]), np.array([1]))[0].arc == "right"
    assert melee_bonus(ground, 0, 1).defense == 0


@pytest.mark.rule("OR-7", "OR-6")
def test_corner_on_corner_the_area_decides() -> None:
    deep = fighter("b1", 28, 26.9, 270)  # touches r1's front right corner region from the side
    ground = field(NEW, deep, R1)
    assert melee_bonus(ground, 0, 1).zone == "flank"
    counts = Readings(corner_contact="touch")
    corner = field(NEW, fighter("b1", 28, 27, 270, tray=Tray("", 4.0, 3.0)), R1, readings=counts)
    assert corner.engaged_ids(0) == ("r1",)
    zone = zones(corner, np.array([0]), np.array([1]))[0]
    assert zone.arc == "right"
    found = melee_bonus(corner, 0, 1)
    assert found.zone == "flank"
    assert found.answer


@pytest.mark.slow
@pytest.mark.rule("TMG-BON-3", "TMG-BON-5")
@given(arc=st.sampled_from(list(WORTH)), tenths=st.integers(0, 3599), slide=st.floats(-1.9, 1.9))
def test_turning_the_table_changes_nothing(arc: str, tenths: int, slide: float) -> None:
    # The attacker lies flush on the edge of that arc, anywhere along it.
    goal = fighter("r1", 24, 24, tenths / 10)
    turn = {"front": 0.0, "left": 90.0, "right": -90.0, "rear": 180.0}[arc]
    level = 1.5 if arc in ("front", "rear") else 2.0
    x, y = goal.pose.turned(goal.pose.heading + turn).ahead(level + 1.5, slide)
    b1 = fighter("b1", x, y, goal.pose.heading + turn + 180)
    assert melee_bonus(field(NEW, b1, goal), 0, 1).defense == WORTH[arc]


@pytest.mark.rule("TMG-LOS-8", "OR-6")
@pytest.mark.parametrize("sigma", [0.0, 0.03, 0.1])
def test_an_even_split_offers_the_two_arcs_it_is_split_between(sigma: float) -> None:
    """EX-G5, measured: nobody may take it for the rear."""
    square = fighter("b1", 30, 29.5, 180, SQUARE, sigma=Sigma(sigma))
    zone = zones(field(NEW, square, R1), np.array([0]), np.array([1]))[0]
    assert (zone.arc, set(zone.choices)) == ("unsure", {"front", "right"})


@pytest.mark.rule("TMG-BON-1", "OR-7")
def test_the_best_arc_is_told_with_its_chance_and_the_others_as_choices() -> None:
    sure = of_arcs({"left": 0.6, "right": 0.4}, "OR-7")
    assert (sure.zone, sure.answer.verdict, sure.choices) == ("flank", "yes", ())
    two = of_arcs({"front": 0.4, "left": 0.35, "right": 0.25}, "OR-7")
    assert (two.zone, two.answer.verdict, two.answer.chance) == ("flank", "unsure", 0.6)
    assert set(two.choices) == {"front", "flank"}
    three = of_arcs({"front": 0.5, "left": 0.3, "rear": 0.2}, "OR-7")
    assert (three.zone, three.answer.chance) == ("rear", 0.2)
    assert set(three.choices) == {"front", "flank", "rear"}
