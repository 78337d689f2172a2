"""What is asked about one unit or test leaves the questions about the others alone."""

from __future__ import annotations

import pytest

from companion.games.tmg.play import PLAY
from companion.games.tmg.play.army.army_lists import read_list
from models import BadInput, Sigma, Table, TableToken, catalogue
from tests.games.tmg.play.sighted import NORTH, seen, slab
from tests.play.battle import LANNISTER, STARK, Battle, battle_of


@pytest.mark.rule("TMG-TER-12", "TMG-PAN-7")
def test_a_test_that_is_not_rolled_leaves_the_ground_of_another_open() -> None:
    battle = battle_of("GOT")
    near = slab(battle.game, "weirwood", (10, 12.4 + 5.99, 40, 20))
    spots = {"b1": (17.0, 10.0, NORTH), "b2": (31.0, 10.0, NORTH)}
    seen(battle, spots, (near,), sigma=Sigma(0.3))
    battle.do("test", unit="b1", why="fear").do("test", unit="b2", why="fear")
    assert [one.unit for one in battle.state.tasks] == ["b1", "b2"]
    battle.do("pass-test", unit="b1", why="brave")
    assert [one.unit for one in battle.state.tasks] == ["b2"]
    assert [one.unit for one in battle.state.trials] == ["b2"]
    battle.do("ground", holds=True).do("panic", unit="b2", faces=[6, 6], keep=True)
    assert not battle.state.tasks


@pytest.mark.rule("TMG-MODE-FAB-3")
def test_a_side_with_nobody_left_to_mark_is_passed_over() -> None:
    small = {**STARK, "units": STARK["units"][:1]}
    battle = Battle("FAB", armies=[small, LANNISTER], first="red").do("continue").deployed()
    asked = []
    while battle.state.step == "marks":
        prompt = PLAY.pending(battle.state)[0]
        asked.append(prompt.side)
        card = str(6 + len(asked))
        battle.do("mark", side=prompt.side, unit=prompt.data["units"][0], card=card)
    assert asked == ["red", "blue", "blue"]
    assert [unit.id for unit in battle.state.units if unit.marked] == ["b1", "r1", "r2"]


@pytest.mark.rule("TMG-OBJ-4", "TMG-MODE-DWD-4")
@pytest.mark.parametrize(("mode", "carried"), [("GOT", False), ("DWD", True)])
def test_a_token_under_a_tray_is_still_there_or_goes_with_its_carrier(
    mode: str, carried: bool
) -> None:
    battle = battle_of(mode)
    name = battle.state.tokens[0].id
    seen(battle, {"b1": (24.0, 10.0, NORTH)}, tokens=(TableToken(name, 24.0, 10.0),))
    seen(battle, {"b1": (30.0, 12.0, NORTH)})
    table = PLAY.moment(battle.state).table
    assert isinstance(table, Table)
    there = (30.0, 12.0) if carried else (24.0, 10.0)
    assert [(one.id, one.x, one.y) for one in table.tokens] == [(name, *there)]


@pytest.mark.rule("TMG-TIM-1", "TMG-GLO-21")
def test_attacks_hits_tests_and_actions_are_counted_apart() -> None:
    battle = battle_of("GOT").do("hits", unit="r1", hits=1).do("roll", faces=[6], keep=True)
    assert (battle.state.occurrences.strikes, battle.state.occurrences.attacks) == (1, 0)
    battle.do("engage", unit="b1", **{"with": ["r1"]}).do("activate", unit="b1")
    battle.do("action", action="attack", target="r1")
    counts = battle.state.occurrences
    assert (counts.strikes, counts.attacks, counts.actions) == (1, 1, 1)


@pytest.mark.rule("TMG-MODE-FFC-14")
@pytest.mark.parametrize("axis", ["x", "y"])
def test_places_lie_on_the_largest_table(axis: str) -> None:
    battle = battle_of("FFC").do("wounds", unit="r2", wounds=12, by="blue")
    other = "y" if axis == "x" else "x"
    for far in (-1, 145):
        with pytest.raises(BadInput):
            battle.do("place", **{axis: far, other: 0})
    battle.do("place", **{axis: 144, other: 0})
    assert not battle.state.tasks


@pytest.mark.rule("TMG-MOR-1", "TMG-PAN-2")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_a_test_takes_two_dice_and_a_d3_only_where_the_book_says(year: str) -> None:
    battle = battle_of("GOT", year).do("test", unit="r1", why="fear")
    for faces in ([6], [6, 6, 1]):
        battle.refused("TMG-MOR-1", "panic", faces=faces)
    for wrong in ({"total": 1}, {"total": 13}):
        with pytest.raises(BadInput):
            battle.do("panic", **wrong)
    if year == "2018":
        battle.refused("TMG-PAN-2", "panic", faces=[1, 1], d3=2)
        battle.do("panic", total=12)
        assert not battle.state.trials
        return
    for d3 in (0, 4):
        with pytest.raises(BadInput):
            battle.do("panic", faces=[1, 1], d3=d3)
    battle.do("panic", faces=[1, 1], d3=3, keep=True)
    assert battle.unit("r1").wounds == 3
    battle.do("test", unit="r1", why="fear").do("panic", total=2, d3=1)
    assert battle.unit("r1").wounds == 4
    battle.do("test", unit="r1", why="a card", kind="morale")
    battle.refused("TMG-PAN-2", "panic", faces=[1, 1], d3=2)


@pytest.mark.rule("TMG-ARM-1", "TMG-UNT-10")
def test_a_list_that_contradicts_the_cards_is_remarked_upon() -> None:
    game = "tmg-2018"
    known = catalogue(game)
    card = next(one for one in known.units.values() if one.wounds_per_model is None)
    faction = card.faction
    sure = next(one for one in known.units.values() if one.wounds_per_model is not None)
    head = f"Faction: {faction}\nPoints: 40\n"
    one = f"• {card.label} (5) [3 wounds]"
    assert read_list(f"{head}{one}\n{one}", game).notes == ()
    told = read_list(f"{head}{one}\n• {card.label} (6) [4 wounds]", game)
    assert told.notes == (f"line 4: a model of {card.label} takes 3 wounds, the list says 4",)
    assert told.told == ((card.id, 6),)
    many = sure.wounds_per_model + 1 if sure.wounds_per_model else 0
    wrong = read_list(f"Faction: {sure.faction}\n• {sure.label} [{many} wounds]", game).notes
    assert [f"takes {sure.wounds_per_model} wounds" in one for one in wrong] == [True]
    assert "takes ? wounds" in read_list(f"{head}• {card.label} [61 wounds]", game).notes[0]
    assert "not cost 101" in read_list(f"{head}• {card.label} (101)", game).notes[0]


@pytest.mark.rule("TMG-MODE-SOS-6")
def test_the_defender_of_a_castle_gains_nothing_by_hand() -> None:
    battle = battle_of("SOS", defender="red")
    battle.refused("TMG-MODE-SOS-6", "score", side="red", vp=1)
    battle.do("score", side="red", vp=0).do("score", side="red", set=2).do(
        "score", side="red", vp=-2
    )
    battle.do("score", side="blue", vp=1)
    assert battle.vp() == (1, 0)
    battle.refused("INPUT", "score", side="blue", vp=-2)
