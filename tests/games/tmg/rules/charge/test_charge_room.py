"""Room at the target, and the ground a charge ends on (TMG-CHG-3, -5, -18)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from companion.games.tmg.rules.movement.move_check import check
from companion.games.tmg.rules.report import Placement
from companion.games.tmg.rules.survey import Survey
from models import Pose, Sigma, Table, Terrain, Unit
from tests.games.tmg.chargers import BOTH, attacker, charge, enemy, printed
from tests.games.tmg.pieces import block
from tests.games.tmg.sample_units import OLD, field, fighter


@pytest.mark.parametrize(
    ("game", "effects"),
    [
        pytest.param(
            "tmg-2021",
            ("dangerous", "fortified", "hindering"),
            marks=pytest.mark.rule(
                "TMG-CHG-5", "TMG-TER-5", "TMG-TER-10", "TMG-TER-14", edition="2021"
            ),
        ),
        pytest.param(
            "tmg-2018",
            ("dangerous", "destructible"),
            marks=pytest.mark.rule("TMG-TER-10", "TMG-TER-19", edition="2018"),
        ),
    ],
)
def test_a_charge_feels_the_ground_all_its_places_lie_on(
    game: str, effects: tuple[str, ...]
) -> None:
    """It touches the target's front corner beside the piece, and is then laid on its flank."""
    mover = replace(block("a", 51.0, 64.0, 45.0), speed=5)
    goal = enemy(0, 11)  # its right flank looks to -x
    words = frozenset({"dangerous", "destructible", "fortified", "hindering", "rough"})

    def ground(y: float) -> Terrain:
        return Terrain("t1", ((48.0, y), (57.9, y), (57.9, 80.0), (48.0, 80.0)), words)

    found = charge(game, mover, goal, terrain=(ground(69.2),))
    assert found.zone.arc == "right"
    assert {place.effects for place in found.align} == {effects}
    assert found.effects == effects
    # where one place lies beside it, the charge as a whole does not feel it
    some = charge(game, mover, goal, terrain=(ground(73.2),))
    assert sorted({place.effects for place in some.align}) == [(), effects]
    assert some.effects == ()
    assert [place.to_json().get("effects") for place in some.align] == [None, None, list(effects)]


@pytest.mark.rule("TMG-TER-10", "TMG-TER-19", edition="2018")
@pytest.mark.rule("TMG-TER-9", edition="2021")
def test_charging_off_dangerous_ground() -> None:
    """2018 counts what one moves through or ends on; 2021 hurts who acts on it."""
    under = Terrain(
        "t1",
        ((58, 58), (62, 58), (62, 59), (58, 59)),
        frozenset({"dangerous", "destructible", "hindering"}),
    )
    off = {game: charge(game, attacker(), enemy(0, 9), terrain=(under,)).effects for game in BOTH}
    assert off == {"tmg-2021": ("dangerous", "hindering"), "tmg-2018": ("hindering",)}
    ahead = replace(under, outline=((58, 62), (62, 62), (62, 63), (58, 63)))
    through = charge("tmg-2018", attacker(), enemy(0, 9), terrain=(ahead,)).effects
    assert through == ("dangerous", "destructible", "hindering")


@pytest.mark.rule("TMG-CHG-3", "OR-8", edition="2018")
@pytest.mark.parametrize(
    ("off", "verdict"),
    [(0.0, "no"), (0.05, "no"), (0.19, "no"), (0.21, "yes"), (1.0, "yes"), (2.0, "yes")],
)
def test_a_friend_all_but_centred_leaves_no_room_in_2018(off: float, verdict: str) -> None:
    """5 % of a 4 inch edge is 0.2 inch: less is not what anybody calls room."""
    friend = block("f", 60 + off, 66, 90)
    found = charge("tmg-2018", attacker(), enemy(0, 9), friend)
    assert found.answer.verdict == verdict
    if verdict == "yes":
        assert min(place.contact for place in found.align) == pytest.approx(off / 4, abs=0.01)
    else:
        assert found.answer.why == ("TMG-CHG-3",)


@pytest.mark.rule("TMG-CHG-3", edition="2018")
@pytest.mark.parametrize(("gap", "verdict"), [(0.1, "no"), (0.4, "yes")])
def test_a_slit_between_walls_is_no_room_in_2018(gap: float, verdict: str) -> None:
    """Walls leave the tray so much of the target's edge on its left end."""
    hard = frozenset({"impassable"})
    low, high = 62.0 - gap, 74.0
    wall = Terrain("t1", ((50, 66), (low, 66), (low, 67.4), (50, 67.4)), hard)
    found = charge("tmg-2018", attacker(), enemy(0, 9), terrain=(wall,), size=high * 2)
    assert ("TMG-CHG-3" not in found.answer.why) == (verdict == "yes")


@pytest.mark.rule("TMG-CHG-3", edition="2018")
@pytest.mark.parametrize(
    ("off", "verdict"), [(0.0, "unsure"), (0.2, "unsure"), (0.5, "unsure"), (1.2, "yes")]
)
def test_room_to_align_is_in_doubt_where_measuring_cannot_tell_2018(
    off: float, verdict: str
) -> None:
    """The friend is measured, too: near 100 % it may or may not close the edge."""
    sigma = Sigma(0.07, 0.3)

    def seen(unit: Unit) -> Unit:
        return unit.at(replace(unit.pose, sigma=sigma))

    friend = block("f", 60 + off, 66, 90)
    units = map(seen, (attacker(), enemy(0, 9), friend))
    found = charge("tmg-2018", *units)
    assert found.answer.verdict == verdict
    if verdict == "unsure":
        assert "TMG-CHG-3" in found.answer.why


@pytest.mark.rule("TMG-CHG-4")
def test_nothing_is_minus_nothing() -> None:
    """A limit met to a hair prints as 0, and a heading of all but 360 degrees as 0."""
    nearest = (12.5**2 + 2.0**2) ** 0.5
    text = json.dumps(printed("tmg-2021", attacker(), enemy(0, nearest + 1.5 + 1e-12)))
    assert '"margin": 0.0' in text
    assert "-0.0" not in text
    assert Placement(1.0, Pose(-1e-9, 0.0, 359.99999)).to_json() == {
        "contact": 1.0,
        "x": 0.0,
        "y": 0.0,
        "heading": 0.0,
    }
    assert str(Placement(1.0, Pose(-1e-9, 0.0, 0.0)).to_json()["x"]) == "0.0"


@pytest.mark.rule("TMG-CHG-18", edition="2018")
@pytest.mark.rule("TMG-CHG-18", edition="2021")
def test_where_neither_is_free_2018_moves_the_defender() -> None:
    """A friend leaves 1.6 of 4 inches: the printed places are those with the target moved."""
    units = (attacker(), enemy(0, 9), block("f", 61.6, 66, 90))
    old = printed("tmg-2018", *units)
    assert old["answer"] == "yes"
    assert [place["contact"] for place in old["align"]] == [1.0, 0.5]
    assert all(place["x"] == pytest.approx(57.6, abs=0.01) for place in old["align"])
    assert [place["defender"]["x"] for place in old["align"]] == pytest.approx([57.6, 59.6])
    table = Table("tmg-2018", 144, 144, units)
    for place in old["align"]:
        after = table.moved("a", Pose(place["x"], place["y"], place["heading"]))
        assert check(table, after, "a")["charge"].answer.verdict == "yes"
    new = printed("tmg-2021", *units)
    assert (new["answer"], new["why"]) == ("no", ["TMG-CHG-3"])


@pytest.mark.rule("TMG-CHG-3", edition="2018")
def test_enemies_at_other_edges_leave_an_edge_open() -> None:
    rear, flank = fighter("b2", 24, 33, 270), fighter("b3", 27.5, 30, 180)
    target, charger = fighter("r1", 24, 30, 270), fighter("b1", 24, 20)
    table = field(OLD, charger, target, rear, flank).table
    assert Survey.of(table).report.units["b1"].charges["r1"].answer.verdict == "yes"
    beside = (fighter("b2", 22, 27), fighter("b3", 26, 27))
    crowded = field(OLD, charger, target, *beside).table
    found = Survey.of(crowded).report.units["b1"].charges["r1"].answer
    assert (found.verdict, "TMG-CHG-3" in found.why) == ("no", True)
