"""Charges whose first pivot swings beside Impassable pieces (TMG-TER-16)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from companion.games.tmg.rules.report import Charge
from models import Terrain, Tray
from tests.games.tmg.chargers import BOTH, HARD, attacker, charge, enemy
from tests.games.tmg.pieces import block

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
