"""Other enemies that a charger touches: their trays go with the place that it takes."""

from __future__ import annotations

import pytest

from companion.games.tmg.play.state.table_facts import current_table
from companion.games.tmg.screen import SCREEN
from tests.games.tmg.play.sighted import seen
from tests.games.tmg.play.test_charges_seen import LINE
from tests.games.tmg.screen.test_action_offers import after
from tests.play.battle import battle_of


@pytest.mark.rule("TMG-CHG-20")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_another_enemy_that_a_charger_touches_goes_with_its_place(year: str) -> None:
    battle = seen(battle_of("GOT", year), LINE).do("activate", unit="b1")
    battle.do("action", action="charge", target="r1", faces=[6])
    (due,) = (one for one in SCREEN.due_moves(battle.state) if one.piece == "b1")
    touching = [one for one in due.ends if "r2" in dict(one.poses)]
    assert bool(touching) is (year == "2021")
    for end in touching:
        assert "Lannister Halberdiers is aligned with it, 50 % in contact" in end.text
        state = after(battle.state, end.command(current_table(battle.state)))
        assert set(state.unit("b1").engaged) == {"r1", "r2"}
        assert not [one for one in SCREEN.due_moves(state) if one.piece in ("b1", "r2")]
