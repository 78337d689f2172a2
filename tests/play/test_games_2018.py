"""Five whole games of edition 2018, one for each mode, each told like a battle report."""

from __future__ import annotations

import pytest

from tests.play.battle import LANNISTER, STARK
from tests.play.story import Story


@pytest.mark.rule("TMG-OBJ-5", "TMG-VIC-5", edition="2018")
def test_a_game_of_thrones_decided_by_the_army_left() -> None:
    """One token each, no bonus for commanders: after six rounds the larger army wins."""
    story = Story("GOT", "2018", points=50).begin()
    story.marches("b1").marches("r1").holds("b1", "o1").holds("r1", "o2")
    story.ends_round(blue=0, red=0)
    story.ends_round(blue=1, red=1)
    # A failed charge over a bog: two dice, the lower counts.
    story.do("activate", unit=story.state.active[0] + "2")
    target = "r1" if story.state.active == "blue" else "b1"
    story.do(
        "action",
        action="charge",
        zone="front",
        target=target,
        distance=8,
        faces=[1, 6],
        hindering=True,
    )
    story.resolved(panic=(6, 6))
    story.quiet_rounds(6).ends_round(blue=5, red=5)
    story.won_by("red", "TMG-VIC-5")


@pytest.mark.rule("TMG-MODE-COK-10", "TMG-MODE-COK-12", "TMG-VIC-1", edition="2018")
def test_a_clash_of_kings_won_by_the_centre() -> None:
    """Reserves come in, the centre counts double, the king falls once."""
    story = Story("COK", "2018", points=30).begin(reserve={"blue": ["b3"], "red": ["r3"]})
    story.marches("b1").marches("r1").holds("b1", "o1").holds("b2", "o2")
    story.ends_round(blue=0, red=0)
    story.do("activate", unit="r3").do("end-turn")
    story.do("activate", unit="b3").do("end-turn")
    assert story.unit("b3").standing
    story.ends_round(blue=3, red=0)
    story.charges("b1", "r1", die=4, inches=7, zone="flank", wounds=10, panic=(1, 1))
    assert story.unit("r1").place == "reserve"
    assert story.view()["vp"]["blue"] == 6  # the unit and two more for the king
    story.ends_round(blue=9, red=0)
    story.won_by("blue", "TMG-VIC-1")


@pytest.mark.rule("TMG-MODE-SOS-5", "TMG-MODE-SOS-16", edition="2018")
def test_a_storm_of_swords_taken_by_the_attacker() -> None:
    """Two walls and a regiment are enough for a game of 40 points."""
    story = Story("SOS", "2018", points=40, defender="red", wall_wounds=4).begin(
        reserve={"red": ["r2", "r3"]}
    )
    story.charges("b1", "wall1", die=6, inches=8, wounds=4)
    story.rests("r1").charges("b2", "wall2", die=6, inches=8, wounds=4)
    story.ends_round(blue=10, red=0)
    story.won_by("blue", "TMG-MODE-SOS-5")


@pytest.mark.rule("TMG-MODE-FFC-17", "TMG-MODE-FFC-18", "TMG-MODE-FFC-19")
def test_a_feast_for_crows_won_by_the_fear_of_the_dead() -> None:
    """Regiments that fail their tests carry points for whoever destroys them."""
    story = Story("FFC", "2018", points=30, armies=[STARK, LANNISTER]).begin()
    for _ in range(2):
        story.do("activate", unit=f"{story.state.active[0]}1", near_pile=True)
        story.do("panic", faces=[1, 1], keep=True)
        story.do("action", action="march").do("end-turn")
    assert story.unit("r1").vp_tokens == story.unit("b1").vp_tokens == 1
    for _ in range(4):
        story.do("test", unit="r2", why="the crows").do("panic", faces=[2, 4], keep=True)
    story.ends_round(blue=0, red=0)
    tokens = story.unit("r2").vp_tokens
    story.rests("r3")
    story.shoots("b2", "r2", wounds=12)
    assert story.view()["vp"]["blue"] == 1 + tokens
    story.rests("r1").charges("b1", "r1", die=6, inches=7, wounds=12)
    assert story.view()["vp"]["blue"] == 1 + tokens + 2
    story.do("score", side="blue", set=8, why="the players agree on the crows' share")
    story.ends_round(blue=8, red=0)
    story.won_by("blue", "TMG-VIC-1")


@pytest.mark.rule("TMG-MODE-WOW-6", "TMG-MODE-WOW-9", "TMG-VIC-1", edition="2018")
def test_winds_of_winter_without_points_for_blood() -> None:
    """Only missions count, open and secret; the slaughter gives nothing."""
    story = Story("WOW", "2018", points=30).begin()
    story.shoots("b2", "r2", wounds=12)
    assert story.view()["vp"] == {"blue": 0, "red": 0}
    story.ends_round(blue=0, red=0)
    while story.state.winner == "":
        [card] = story.view()["missions"]["open"]
        story.do("mission", side="red", mission=card, vp=1)
        story.do("mission", side="red", mission=card, vp=1)
        secret = story.player("blue").missions[0]
        story.do("mission", side="blue", mission=secret, vp=1)
        story.ends_round()
    assert story.view()["vp"] == {"blue": 4, "red": 8}
    assert story.state.round == 5
    story.won_by("red", "TMG-VIC-1")
