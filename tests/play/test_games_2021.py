"""Ten whole games of edition 2021, one for each mode, each told like a battle report."""

from __future__ import annotations

import pytest

from tests.play.story import Story

HAND = ["1", "2", "3", "4", "11", "12"]


@pytest.mark.rule("TMG-OBJ-5", "TMG-OBJ-6", "TMG-VIC-1", "TMG-VIC-8", edition="2021")
def test_a_game_of_thrones_won_by_the_goal_at_a_rounds_end() -> None:
    """The wolves hold three tokens, one of them with their commander, and break a regiment."""
    story = Story("GOT", points=30).begin()
    # Round 1: both lines advance; the queen sows fear, the lady heals.
    story.marches("b1").marches("r1")
    story.claims("bn1", "tactics", unit="r1", token="vulnerable")
    story.claims("rn1", "crown", unit="b1")
    story.marches("b2").marches("r2").marches("b3").rests("r3")
    story.claims("bn2", "maneuver", unit="b1", action="maneuver").rests("rn2")
    story.holds("b1", "o1").holds("b2", "o2").holds("b3", "o3")
    story.ends_round(blue=0, red=0)
    # Round 2: red charges the hill and fails; the outriders ride it down.
    story.charges("r1", "b1", die=2, inches=9, panic=(6, 6, 1))
    story.charges("b3", "r1", die=5, inches=6, zone="rear", rolls=None, wounds=7, panic=(2, 2, 3))
    assert story.unit("r1").models == 2
    story.ends_round(blue=4, red=0)
    # Round 3: the bowmen finish the crossbowmen.
    story.fights("b3", "r1", wounds=2)
    assert story.unit("r1").place == "destroyed"
    story.ends_round(blue=9, red=0)
    story.won_by("blue", "TMG-VIC-1")


@pytest.mark.rule("TMG-MODE-COK-11", "TMG-MODE-COK-12", edition="2021")
def test_a_clash_of_kings_won_by_the_commander() -> None:
    """Each king looks for the other; the one who finds him wins by points."""
    story = Story("COK", points=30).begin(
        cards=[("red", "6"), ("blue", "7"), ("red", "8"), ("blue", "9")]
    )
    story.do("use-card", player="blue", card="7")
    story.marches("b1").marches("r1").marches("b2").marches("r2")
    story.holds("b2", "o1").holds("r2", "o2")
    story.ends_round(blue=0, red=0)
    story.rests("r3")
    story.charges("b1", "r1", die=4, inches=7, zone="flank", wounds=9, panic=(1, 1, 3))
    assert story.view()["vp"]["blue"] == 4  # the unit, by the commander, who slew the commander
    story.ends_round(blue=5, red=1)
    # Round 3: the lion returns, and falls again, without a second prize.
    story.do("redeploy", unit="r1")
    story.shoots("b2", "r1", wounds=3, panic=(6, 6, 1)).rests("r2")
    story.charges("b1", "r1", die=6, inches=8, wounds=9)
    assert story.view()["vp"]["blue"] == 7
    story.ends_round(blue=8, red=2)
    story.won_by("blue", "TMG-VIC-1")


@pytest.mark.rule("TMG-MODE-SOS-6", "TMG-MODE-SOS-12", "TMG-MODE-SOS-16", edition="2021")
def test_a_storm_of_swords_held_by_the_defender() -> None:
    """One wall falls, the others hold for six rounds."""
    story = Story("SOS", points=40, defender="red", wall_wounds=6).begin(
        reserve={"red": ["r2", "r3"]}
    )
    story.marches("b1")
    story.do("activate", unit="wall1")
    story.do("action", action="arrows", target="b1", dice=6, hit=4)
    story.resolved(rolls=[6, 5, 4, 2, 1, 1], saves=[6, 6, 1], panic=(5, 5, 1))
    assert story.unit("b1").models == 11
    story.ends_round(blue=0, red=0)
    story.rests("r1")
    story.charges("b1", "wall1", die=4, inches=8, rolls=[6, 6, 6, 5, 4, 4, 1])
    assert story.view()["walls"]["wall1"] == {
        "wounds": 6,
        "of": 6,
        "standing": False,
        "activated": False,
    }
    story.ends_round(blue=5, red=0)
    # Round 3: the reserve comes in from the flank and charges at once.
    story.marches("b2")
    story.charges("r2", "b1", die=5, inches=7, zone="rear", wounds=8, panic=(1, 1, 3))
    assert story.unit("b1").place == "destroyed"
    assert story.view()["vp"] == {"blue": 5, "red": 0}
    story.ends_round(blue=5, red=0)
    story.do("redeploy", unit="b1")
    story.quiet_rounds(6).ends_round()
    assert story.view()["vp"] == {"blue": 5, "red": 0}
    story.won_by("red", "TMG-MODE-SOS-6")


@pytest.mark.rule("TMG-MODE-FFC-13", "TMG-MODE-FFC-14", "TMG-VIC-4", edition="2021")
def test_a_feast_for_crows_won_after_round_six() -> None:
    """Tokens change hands over the piles; after six rounds one point decides."""
    story = Story("FFC", points=50).begin()
    story.marches("b1").marches("r1").holds("b1", "o1").holds("r1", "o2")
    story.ends_round(blue=0, red=0)
    story.rests("r2")
    # The bowmen break the halberdiers: a pile rises, with a token that nobody holds.
    story.shoots("b2", "r2", wounds=11, panic=(1, 2, 2))
    assert story.view()["objectives"]["o3"]["unit"] is None
    assert story.token("o3").pile == "pile3"
    story.ends_round(blue=3, red=2)
    # The outriders take the crossbowmen's token in melee: more ranks are left to them.
    story.do("wounds", unit="r1", wounds=5, by="blue", why="a volley")
    story.charges("b3", "r1", die=4, inches=6, wounds=4, panic=(6, 5, 1))
    assert story.token("o2").holder == "b3"
    story.do("objective", token="o1").do("objective", token="o2")
    story.quiet_rounds(6)
    story.do("objective", token="o2", unit="b3").ends_round(blue=4, red=2)
    story.won_by("blue", "TMG-VIC-4")


@pytest.mark.rule("TMG-MODE-DWD-8", "TMG-VIC-5")
def test_a_dance_with_dragons_tied_and_decided_by_the_army_left() -> None:
    """Both carry a token home; red has more of its army left."""
    story = Story("DWD", points=50).begin()
    story.holds("b2", "o2").holds("r2", "o3")
    story.refused("TMG-RND-6", "action", action="march")
    story.maneuvers("b2").maneuvers("r2")
    story.ends_round(blue=0, red=0)
    story.ends_round(blue=1, red=1)
    # A panicked carrier drops its token to the enemy in contact, who loses it again.
    story.do("engage", unit="b2", **{"with": ["r3"]})
    story.do("test", unit="b2", why="a dragon's shadow")
    story.do("panic", faces=[1, 1], d3=1, keep=True)
    assert story.token("o2").holder == "r3"
    story.do("objective", token="o2", unit="b2")
    story.quiet_rounds(6).ends_round(blue=5, red=5)
    story.won_by("red", "TMG-VIC-5")


@pytest.mark.rule("TMG-MODE-WOW-6", "TMG-MODE-WOW-8", edition="2021")
def test_winds_of_winter_won_by_missions() -> None:
    """Points come from missions only: tokens give none."""
    story = Story("WOW", points=30).begin(missions={"blue": HAND, "red": HAND})
    story.holds("b1", "o1").marches("b1").marches("r1")
    story.ends_round(blue=0, red=0)
    for round_number, (mine, yours) in enumerate((("11", "1"), ("12", "2"), ("3", "4")), 2):
        players = [("blue", mine), ("red", yours)]
        if story.state.first == "red":
            players.reverse()
        for player, card in players:
            story.do("reveal", player=player, card=card)
        story.do("mission", side="blue", mission=mine, vp=2)
        story.do("mission", side="blue", mission=yours, vp=1)
        story.do("mission", side="red", mission=yours, vp=1)
        assert story.state.round == round_number
        story.ends_round()
    assert story.view()["vp"] == {"blue": 9, "red": 3}
    story.won_by("blue", "TMG-VIC-1")


@pytest.mark.rule("TMG-MODE-HAR-8", "TMG-MODE-HAR-10", "TMG-MODE-HAR-11")
def test_honed_and_ready_under_the_walls() -> None:
    """Holding a flank costs blood every round; the goal is reached all the same."""
    story = Story("HAR", points=30).begin()
    story.marches("b1").marches("r1").marches("b2").marches("r2")
    story.holds("b1", "o1").holds("b2", "o2").holds("r2", "o3")
    story.ends_round(blue=0, red=0)
    story.claims("rn1", "crown", instead="hits", unit="b2", d3=1)
    story.ends_round(blue=3, red=1)
    story.ends_round(blue=6, red=2)
    story.ends_round(blue=9, red=3)
    strikes = [line for line in story.report() if "castle wall strikes" in line]
    assert len(strikes) >= 6
    story.won_by("blue", "TMG-VIC-1")


@pytest.mark.rule("TMG-MODE-FAB-6", "TMG-MODE-FAB-7", "TMG-MODE-FAB-8", "TMG-MODE-FAB-9")
def test_fire_and_blood_won_by_marks() -> None:
    """Two marked regiments fall to a marked one."""
    story = Story("FAB", points=40).begin(
        marks=[("blue", "r1", "6"), ("red", "b1", "7"), ("blue", "r2", "8"), ("red", "b2", "9")]
    )
    story.do("activate", unit="b1").do("vp-token", unit="r1")
    story.do("action", action="charge", zone="front", target="r1", faces=[5], distance=7)
    story.resolved(wounds=12, surge=True)
    assert story.view()["vp"] == {"blue": 1 + 1 + 2 + 1, "red": 0}
    story.marches("r2").ends_round(blue=5, red=0)
    story.charges("r2", "b1", die=3, inches=6, wounds=2)
    story.fights("b1", "r2", wounds=9, panic=(1, 2, 3))
    assert story.view()["vp"] == {"blue": 9, "red": 0}
    story.shoots("r3", "b2", wounds=2, panic=(6, 6, 1))
    story.do("score", side="blue", set=10, why="a VP token forgotten on r2")
    story.ends_round(blue=10, red=0)
    assert any("The players set blue from 9 to 10 VP" in line for line in story.report())
    story.won_by("blue", "TMG-VIC-1")


@pytest.mark.rule("TMG-MODE-HWS-12", "TMG-VIC-6")
def test_here_we_stand_ends_in_a_draw() -> None:
    """Mirror armies in mirrored quadrants: nobody is ahead in anything."""
    from tests.play.battle import STARK

    story = Story("HWS", armies=[STARK, {**STARK, "side": "red"}]).begin()
    places = {"b1": "lower-left", "b2": "lower-right", "r1": "upper-left", "r2": "upper-right"}
    for round_number in range(1, 7):
        story.rest_of_round().do("continue").do("quadrants", units=places)
        story.do("score", confirm=True)
        if round_number < 6:
            story.do("continue")
    assert story.view()["vp"] == {"blue": 10, "red": 10}
    story.won_by("draw", "TMG-VIC-6")


@pytest.mark.rule("TMG-VIC-7", "TMG-MODE-DWW-10")
def test_dark_wings_dark_words_ended_by_elimination() -> None:
    """Red leads on words, but blue leaves no red unit standing."""
    story = Story("DWW", points=50).begin()
    first = story.view()["missions"]["open"][0]
    story.do("mission", side="red", mission=first, vp=3)
    story.charges("b1", "r1", die=6, inches=9, wounds=10, panic=(1, 1, 3), surge=True)
    story.marches("r2")
    story.shoots("b2", "r2", wounds=8, panic=(1, 1, 3)).rests("r3").rests("b3")
    story.ends_round(blue=1, red=3)
    story.rests("r3")
    story.shoots("b2", "r2", wounds=1)
    story.rests("rn1").charges("b1", "r3", die=5, inches=8, zone="flank", wounds=12)
    assert story.view()["vp"] == {"blue": 3, "red": 3}
    story.won_by("blue", "TMG-VIC-7")
