"""An attack as the table shows it: arcs, ranges, cover."""

from __future__ import annotations

import pytest

from companion.games.tmg.game import GAME
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.flow.attacks import defense_modifier, panic_modifiers
from companion.games.tmg.play.names import names_of
from companion.games.tmg.screen import SCREEN
from models import Pose, Sigma
from tests.games.tmg.play.sighted import DEEP, EAST, NORTH, SOUTH, seen, slab
from tests.play.battle import battle_of


@pytest.mark.rule("TMG-BON-3", "TMG-BON-4")
def test_the_flank_is_seen() -> None:
    battle = seen(battle_of("GOT"), {"b1": (20, 24, EAST), "r1": (31, 24, SOUTH)})
    battle.do("activate", unit="b1").do("action", action="charge", target="r1", faces=[6])
    assert battle.view()["attack"]["zone"] == "flank"
    assert defense_modifier(battle.state.attack, "2021") == -1  # type: ignore[arg-type]


@pytest.mark.rule("TMG-TER-6", "EX-79")
def test_2018_cover_between_shooter_and_target_is_seen() -> None:
    battle = battle_of("GOT", "2018")
    wood = slab(battle.game, "forest", (20, 18, 28, 19))
    seen(battle, {"b2": (24, 10, NORTH), "r1": (24, 24, SOUTH)}, (wood,))
    battle.do("activate", unit="b2").do("action", action="attack", target="r1")
    assert battle.state.attack is not None
    assert ("cover", 1) in battle.state.attack.defense_mods


@pytest.mark.rule("TMG-RNG-7", "EX-26")
def test_a_shot_out_of_range_is_refused() -> None:
    battle = seen(battle_of("GOT"), {"b2": (24, 5, NORTH), "r1": (24, 40, SOUTH)})
    battle.do("activate", unit="b2")
    found = battle.view()["units"]["b2"]["attacks"]
    assert found
    battle.refused("TMG-RNG-10", "action", action="attack", target="r1")


@pytest.mark.rule("TMG-LOS-8", "TMG-CHG-8")
def test_an_arc_too_close_to_call_is_asked_for() -> None:
    blurred = Sigma(1.0, 5.0)
    battle = seen(
        battle_of("GOT"), {"b2": (31.5, 31.5, 225.0), "r3": (24, 24, NORTH)}, sigma=blurred
    )
    assert battle.do("measure", unit="b2", to="r3").answer["zone"] == "unsure"
    battle.do("activate", unit="b2")
    battle.refused("TMG-LOS-8", "action", action="attack", target="r3")
    battle.do("action", action="attack", target="r3", zone="flank")
    assert battle.view()["attack"]["zone"] == "flank"


@pytest.mark.rule("OR-7", "TMG-BON-3", "TMG-BON-4")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_in_melee_the_edge_in_contact_decides_before_the_area(year: str) -> None:
    # A corner of r1's front lies on b3's front; more than half of r1 is in b3's flank arc.
    battle = seen(
        battle_of("GOT", year), {"b3": (24, 20, NORTH), "r1": (29.2, 20 + 2.5 + 2.4, SOUTH)}
    )
    assert battle.do("measure", unit="r1", to="b3").answer["zone"] == "right"
    battle.forgo("b1").do("activate", unit="r1")
    battle.do("action", action="attack", target="b3", ranged=False)
    assert battle.view()["attack"]["zone"] == "front"


@pytest.mark.rule("OR-7", "TMG-BON-5")
def test_contact_that_only_the_players_know_of_is_judged_by_area() -> None:
    battle = seen(battle_of("GOT"), {"b1": (24, 20, NORTH), "r1": (24, 14, NORTH)})
    battle.do("engage", unit="b1", **{"with": ["r1"]}).forgo("b2").do("activate", unit="r1")
    battle.do("action", action="attack", target="b1", ranged=False)
    assert battle.view()["attack"]["zone"] == "rear"


@pytest.mark.rule("TMG-BON-3", "TMG-RNG-5", "TMG-LOS-8")
def test_a_shot_comes_from_where_its_shift_ends() -> None:
    # Out of range by a hair where it stands, in r1's flank arc; a step to the right it is in range
    # and in the front arc: so `rules` tells the shot, and so it is made.
    spots = {"b2": (37.0, 35.3, SOUTH), "r1": (24.0, 24.0, NORTH)}
    battle = seen(battle_of("GOT"), spots).do("activate", unit="b2")
    told = battle.do("measure", unit="b2", to="r1").answer
    assert told["zone"] == "right"
    assert told["range"] > 12
    battle.do("action", action="attack", target="r1")
    assert battle.view()["attack"]["zone"] == "front"


@pytest.mark.rule("TMG-BON-3", "TMG-LOS-8")
def test_nobody_is_asked_for_an_arc_on_which_nothing_hangs() -> None:
    spots = {"b2": (24 + 8.0, 24 + 7.2, SOUTH), "r1": (24.0, 24.0, NORTH)}
    for year in ("2021", "2018"):
        battle = seen(battle_of("GOT", year), spots, sigma=Sigma(0.3, 1.0)).do(
            "activate", unit="b2"
        )
        if year == "2021":
            battle.refused("TMG-LOS-8", "action", action="attack", target="r1")
            battle.do("action", action="attack", target="r1", zone="flank")
        else:  # shots have no flanks in 2018
            battle.do("action", action="attack", target="r1")
        assert battle.state.attack is not None


@pytest.mark.rule("TMG-BON-3", "TMG-BON-4", "TMG-BON-5", "TMG-BON-6", "EX-36")
@pytest.mark.parametrize("year", ["2021", "2018"])
@pytest.mark.parametrize(
    ("spot", "worth"),
    [
        ((24.0, 35.0, SOUTH), 0),  # before r1, which looks north
        ((13.0, 24.0, EAST), -1),
        ((35.0, 24.0, 180.0), -1),
        ((24.0, 13.0, NORTH), -2),
    ],
)
def test_shots_from_flank_and_rear_have_their_bonus_in_2021_only(
    year: str, spot: tuple[float, float, float], worth: int
) -> None:
    battle = seen(battle_of("GOT", year), {"b2": spot, "r1": (24.0, 24.0, NORTH)})
    battle.do("activate", unit="b2").do("action", action="attack", target="r1", ranged=True)
    attack = battle.state.attack
    assert attack is not None
    expected = worth if year == "2021" else 0
    assert defense_modifier(attack, year) == expected
    assert sum(value for _, value in panic_modifiers(attack, year)) == expected


@pytest.mark.rule("TMG-TER-6", "TMG-TER-7", edition="2018")
@pytest.mark.parametrize("cover", [True, False])
def test_2018_cover_too_close_to_call_is_asked_about(cover: bool) -> None:
    # The shooter is 0.99 inches from the wood, give or take 0.05: within 1 inch it ignores it.
    battle = battle_of("GOT", "2018")
    wood = slab(battle.game, "forest", (14, 10 + DEEP / 2 + 0.99, 34, 15))
    spots = {"b2": (24.0, 10.0, NORTH), "r1": (24.0, 22.0, SOUTH)}
    seen(battle, spots, (wood,), sigma=Sigma(0.05)).do("activate", unit="b2")
    battle.refused("TMG-TER-6", "action", action="attack", target="r1", ranged=True)
    battle.do("action", action="attack", target="r1", ranged=True, cover=cover)
    assert battle.state.attack is not None
    assert bool(battle.state.attack.defense_mods) is cover


@pytest.mark.rule("TMG-TER-6", "TMG-TER-7", edition="2018")
@pytest.mark.parametrize(("away", "cover"), [(1.5, True), (0.5, False)])
def test_2018_cover_that_is_half_an_inch_from_its_limit_is_certain(
    away: float, cover: bool
) -> None:
    battle = battle_of("GOT", "2018")
    wood = slab(battle.game, "forest", (14, 10 + DEEP / 2 + away, 34, 15))
    spots = {"b2": (24.0, 10.0, NORTH), "r1": (24.0, 22.0, SOUTH)}
    seen(battle, spots, (wood,), sigma=Sigma(0.05)).do("activate", unit="b2")
    battle.do("action", action="attack", target="r1", ranged=True)
    assert battle.state.attack is not None
    assert bool(battle.state.attack.defense_mods) is cover


@pytest.mark.rule("TMG-RNG-4", "TMG-RNG-6", "TMG-RNG-7")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_a_shift_that_a_shot_needs_comes_before_its_dice(year: str) -> None:
    # r1 is 13" away: an inch forward it is in range.
    spots = {"b2": (24.0, 10.0, NORTH), "r1": (24.0, 10.0 + 2 * 2.4 + 13, SOUTH)}
    battle = seen(battle_of("GOT", year), spots)
    here = PLAY.table(battle.state)
    assert here is not None
    offers = SCREEN.offers(battle.state, GAME.report(here), "b2")
    (row,) = [one for one in offers if one.kind == "shot" and one.target == "r1"]
    assert "shifts 1.0″ first" in row.detail
    battle.do("activate", unit="b2")
    before, logged = battle.state, len(battle.log)
    battle.do("action", action="attack", target="r1")
    told = SCREEN.outcome(before, battle.log[logged:], battle.state)
    assert told is not None
    assert told.text == "Stark Bowmen aims at Lannister Crossbowmen.", "it has not shot yet"
    assert told.follows == "Stark Bowmen must shift first."
    (shift,) = SCREEN.due_moves(battle.state)
    assert shift.kind == "aim", "it is made first, not at will"
    (end,) = shift.ends
    assert end.text == "1″ forward"
    table = PLAY.table(battle.state)
    assert table is not None
    for y, answer in ((9.0, "no"), (10.5, "no"), (11.0, "yes"), (11.9, "yes"), (12.2, "no")):
        found = SCREEN.entry_verdict(battle.state, table.moved("b2", Pose(24.0, y, NORTH)), "b2")
        assert found is not None
        assert found["answer"] == answer, (y, found)
    before, logged = battle.state, len(battle.log)
    battle.do("table", table=end.on(table).to_json(), units=["b2"])
    assert SCREEN.due_moves(battle.state) == ()
    told = SCREEN.outcome(before, battle.log[logged:], battle.state)
    assert told is not None
    assert told.text == "Stark Bowmen shifts 1.0″."


@pytest.mark.rule("TMG-RNG-5", "TMG-RNG-7", "TMG-BON-3", "TMG-LOS-8", edition="2021")
def test_after_a_shift_the_arc_is_that_of_the_new_place() -> None:
    spots = {"b2": (11.0, 16.0, NORTH), "r1": (24.0, 27.0, SOUTH)}
    battle = seen(battle_of("GOT"), spots).do("activate", unit="b2")
    battle.do("action", action="attack", target="r1")
    assert battle.view()["attack"]["zone"] == "flank"
    table = PLAY.table(battle.state)
    assert table is not None
    there = table.moved("b2", Pose(12.0, 16.0, NORTH))
    battle.do("table", table=there.to_json(), units=["b2"])
    assert battle.view()["attack"]["zone"] == "front"
    assert battle.state.attack is not None
    assert defense_modifier(battle.state.attack, "2021") == 0
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-ZON-4", "TMG-RNG-7", edition="2021")
def test_a_shot_by_the_combat_zone_shifts_first_too() -> None:
    spots = {"b2": (24.0, 10.0, NORTH), "r1": (24.0, 10.0 + 2 * 2.4 + 13, SOUTH)}
    battle = seen(battle_of("GOT"), spots)
    ncu = next(one.id for one in battle.state.ncus if one.side == "blue")
    battle.do("activate", unit=ncu).do("claim", zone="combat")
    battle.do("zone-effect", unit="b2", target="r1")
    assert [one.kind for one in SCREEN.due_moves(battle.state)] == ["aim"]


@pytest.mark.rule("TMG-RNG-6", "TMG-RNG-7")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_the_target_of_a_shot_is_chosen_after_its_shift(year: str) -> None:
    spots = {
        "b2": (24.0, 10.0, NORTH),
        "r1": (24.0, 10.0 + 2 * 2.4 + 11.5, SOUTH),
        "r2": (33.0, 10.0 + 2 * 2.4 + 10.5, SOUTH),  # in range only from farther right
    }
    battle = seen(battle_of("GOT", year), spots)
    battle.do("activate", unit="b2").do("action", action="attack", target="r1")
    (prompt,) = SCREEN.prompts(battle.state, None)
    (row,) = [one for one in prompt.choices if one.commands[0]["do"] == "aim"]
    assert row.piece == "r2", "the shift may bring it into range"
    assert row.look == "shown", "an ordinary row"
    table = PLAY.table(battle.state)
    assert table is not None
    there = table.moved("b2", Pose(26.0, 10.0, NORTH))
    found = SCREEN.entry_verdict(battle.state, there, "b2")
    assert found is not None
    assert found["answer"] == "yes"
    battle.do("table", table=there.to_json(), units=["b2"])
    battle.do("aim", target="r2")
    attack = battle.state.attack
    assert attack is not None
    assert attack.defender == "r2"
    assert battle.folded() == battle.state
    battle.do("roll", count=0, keep=True)
    battle.refused("TMG-RNG-7", "aim", target="r1")


@pytest.mark.rule("TMG-RNG-6", "TMG-RNG-7")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_a_shift_away_from_the_target_says_so_and_offers_the_other_one(year: str) -> None:
    far = 10.0 + 2 * 2.4 + 10.5
    spots = {"b2": (24.0, 10.0, NORTH), "r1": (15.0, far, SOUTH), "r2": (33.0, far, SOUTH)}
    battle = seen(battle_of("GOT", year), spots)
    battle.do("activate", unit="b2").do("action", action="attack", target="r1")
    table = PLAY.table(battle.state)
    assert table is not None
    names = names_of(battle.state)
    told = {}
    for x in (22.0, 26.0):
        there = table.moved("b2", Pose(x, 10.0, NORTH))
        found = SCREEN.entry_verdict(battle.state, there, "b2")
        assert found is not None
        assert found["answer"] == "yes"
        told[x] = found["told"]
    lost, other = names.of("r1"), names.of("r2")
    assert told[22.0] == "shift"
    assert told[26.0] == (
        f"shift · {lost} is out of range or sight from there · it may shoot at {other}"
    )
    there = table.moved("b2", Pose(26.0, 10.0, NORTH))
    battle.do("table", table=there.to_json(), units=["b2"])
    (prompt,) = SCREEN.prompts(battle.state, None)
    assert prompt.dice is None, "no dice for a target that is lost"
    first, *_, last = prompt.choices
    assert (first.commands, first.look) == (({"do": "aim", "target": "r2"},), "primary")
    assert last.look == "quiet"
    assert last.text == f"Both agree: it shoots at {lost} all the same"
    assert last.dice is not None
    assert last.dice.command["agreed"]


@pytest.mark.rule("TMG-RNG-7")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_dice_wait_for_the_shift_that_a_shot_needs(year: str) -> None:
    spots = {"b2": (24.0, 10.0, NORTH), "r1": (24.0, 10.0 + 2 * 2.4 + 13, SOUTH)}
    battle = seen(battle_of("GOT", year), spots)
    battle.do("activate", unit="b2").do("action", action="attack", target="r1")
    battle.refused("TMG-RNG-7", "roll", count=1)
    table = PLAY.table(battle.state)
    assert table is not None
    away = table.moved("b2", Pose(24.0, 9.0, NORTH))
    battle.do("table", table=away.to_json(), units=["b2"])
    (prompt,) = SCREEN.prompts(battle.state, None)
    assert prompt.dice is not None
    assert prompt.dice.command["agreed"], "the players decide"
    assert "out of range or sight from here: only if both agree" in [
        one.text for one in prompt.facts
    ]
    battle.refused("TMG-RNG-7", "roll", count=1)
    battle.do("roll", count=1, agreed=True)


@pytest.mark.rule("TMG-RNG-7", "TMG-TER-6", edition="2018")
def test_2018_cover_counts_from_where_the_shift_ends() -> None:
    battle = battle_of("GOT", "2018")
    wood = slab(battle.game, "forest", (14, 10 + DEEP / 2 + 1.5, 34, 15))
    spots = {"b2": (24.0, 10.0, NORTH), "r1": (24.0, 22.0, SOUTH)}
    seen(battle, spots, (wood,)).do("activate", unit="b2")
    battle.do("action", action="attack", target="r1", ranged=True)
    assert battle.state.attack is not None
    assert battle.state.attack.defense_mods == (("cover", 1),)
    for y, mods in ((10.8, ()), (10.0, (("cover", 1),))):  # within an inch it ignores the wood
        table = PLAY.table(battle.state)
        assert table is not None
        there = table.moved("b2", Pose(24.0, y, NORTH))
        battle.do("table", table=there.to_json(), units=["b2"])
        assert battle.state.attack is not None
        assert battle.state.attack.defense_mods == mods
    assert battle.folded() == battle.state
