"""Attachments that join an enemy unit: asked at their card's moment, standing in that unit only."""

from __future__ import annotations

import pytest

from companion.games.tmg.play import PLAY
from companion.games.tmg.play.state.game_state import GameState
from companion.games.tmg.screen import SCREEN
from tests.play.battle import Battle

BLUE = "stark;10201,20201,10205,10202,30201"
JAIME, TURNCOAT = "Jaime Lannister, Maimed Hostage", "Turncoat"


def begun(red: str, ready: bool = False) -> Battle:
    """A battle of lawful lists, up to the first question after the zones."""
    armies = [{"side": "blue", "list": BLUE}, {"side": "red", "list": red}]
    battle = Battle(armies=armies, ready=ready, unchecked=False, first="blue")
    if ready:
        return battle.do("continue", side="blue").do("continue", side="red")
    for _step in range(12):
        what = battle.waits()[0]
        if what in ("guests", "deploy"):
            return battle
        if what == "zones" and battle.state.roll_off:
            battle.do("choose-zone", side=battle.state.chooser, zone="near")
        elif what in ("zones", "terrain") and not battle.state.roll_off:
            battle.do("roll-off", dice={"blue": 6, "red": 1})
        elif what == "first-player":
            battle.do("first-player", side="blue")
        else:
            battle.do("continue")
    raise AssertionError(battle.waits())


def names(state: GameState, unit: str) -> list[str]:
    return [one.name for one in state.unit(unit).attachments]


@pytest.mark.rule("TMG-ARM-13", "TMG-ATM-1", "TMG-ATM-2", "TMG-ATM-5")
def test_before_deployment_its_owner_says_which_enemy_unit_it_joins() -> None:
    battle = begun("lannister;10101,20119,10102,20104,30102")
    assert battle.waits() == ["guests"]
    assert names(battle.state, "r1") == [], "it stands nowhere yet"
    (prompt,) = SCREEN.prompts(battle.state, None)
    assert prompt.seats == ("red",)
    assert [one.text for one in prompt.choices] == [
        f"{JAIME} joins Stark Sworn Swords",
        f"{JAIME} joins Stark Bowmen",
    ]
    battle.refused("TMG-ARM-13", "join", player="blue", unit="b1")
    battle.refused("TMG-ARM-13", "join", player="red", unit="r1")
    battle.refused("TMG-ATM-5", "join", player="red", unit="b3")  # cavalry
    battle.do("join", player="red", unit="b1")
    assert names(battle.state, "b1") == ["Robb Stark, The Wolf Lord", JAIME]
    assert "Vengeful Captive" in battle.unit("b1").abilities_now()
    assert "Vengeful Captive" not in battle.unit("r1").abilities_now()
    assert battle.waits() == ["deploy"]
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-ARM-13")
def test_after_deployment_a_turncoat_is_asked_for() -> None:
    battle = begun("lannister;10101,20122,10102,20104,30102")
    assert battle.waits() == ["deploy"]
    battle.do("deploy")
    assert battle.waits() == ["guests"]
    battle.do("join", player="red", unit="b1")
    assert TURNCOAT in names(battle.state, "b1")
    assert battle.waits() != ["guests"]


@pytest.mark.rule("TMG-ARM-9", "TMG-ATM-2")
def test_a_character_never_stands_twice() -> None:
    battle = begun("lannister;10101,20119,10102,20104,30102", ready=True)
    battle.do("join", player="red", unit="b1").do("deploy")
    battle.refused("TMG-ATM-2", "attach", unit="r2", name=JAIME)
    battle.do("attach", unit="b1", name=JAIME, remove=True)
    battle.do("attach", unit="r2", name=JAIME)


@pytest.mark.rule("TMG-ARM-13")
def test_a_game_that_an_earlier_version_began_goes_on_as_it_was() -> None:
    battle = begun("lannister;10101,20119,10102,20104,30102")
    old = battle.setup
    for player in old["players"]:
        for unit in player["units"]:
            for joined in unit["attachments"]:
                joined.pop("joins", None)
    state = PLAY.start(battle.game, old)
    assert state.guests == ()
    assert names(state, "r1") == [JAIME]
