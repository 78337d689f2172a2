"""What is asked about one unit or test leaves the questions about the others alone."""

from __future__ import annotations

import pytest

from companion.games.tmg.play import PLAY
from models import BadInput, Objective, Sigma, Table
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
        unit, card = prompt.data["units"][0], prompt.data["cards"][0]
        battle.do("mark", side=prompt.side, unit=unit, card=card)
    assert asked == ["red", "blue", "blue"]
    assert [unit.id for unit in battle.state.units if unit.marked] == ["b1", "r1", "r2"]


@pytest.mark.rule("TMG-OBJ-4", "TMG-MODE-DWD-8")
@pytest.mark.parametrize(("mode", "kept"), [("GOT", True), ("DWD", False)])
def test_a_token_under_a_tray_is_still_there_unless_it_is_carried(mode: str, kept: bool) -> None:
    battle = battle_of(mode)
    name = battle.state.tokens[0].id
    spots = {"b1": (24.0, 10.0, NORTH)}
    seen(battle, spots, tokens=(Objective(name, 24.0, 10.0),))
    seen(battle, spots)
    table = PLAY.moment(battle.state).table
    assert isinstance(table, Table)
    assert [one.id for one in table.objectives] == ([name] if kept else [])


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
