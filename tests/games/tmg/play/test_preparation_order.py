"""What comes before the battle: armies, then the mode, then the battlefield and its terrain."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.tmg.play import PLAY
from companion.games.tmg.screen import SCREEN
from models import CompanionError, catalogue
from tests.play.battle import LANNISTER, STARK, Battle

EDITIONS = ("2021", "2018")
SET_UP: dict[str, Any] = {"do": "set-up", "mode": "GOT", "armies": [STARK, LANNISTER]}


def refused(year: str, **facts: Any) -> bool:
    command = {key: value for key, value in {**SET_UP, **facts}.items() if value is not None}
    try:
        return isinstance(PLAY.prepare(f"tmg-{year}", command), Refusal)
    except CompanionError:
        return True


@pytest.mark.rule("TMG-SET-1")
@pytest.mark.parametrize("year", EDITIONS)
def test_without_armies_and_a_mode_nothing_is_set_up(year: str) -> None:
    assert not refused(year)
    assert refused(year, armies=None)
    assert refused(year, armies=[])
    assert refused(year, armies=[STARK])
    assert refused(year, mode=None)
    assert refused(year, mode="no such mode")


@pytest.mark.rule("TMG-SET-1", "TMG-SET-4")
@pytest.mark.parametrize(
    ("year", "tokens_and_terrain"),
    [("2021", ["tokens", "terrain"]), ("2018", ["terrain", "tokens"])],
)
def test_the_battlefield_is_set_up_with_the_armies_and_the_mode_known(
    year: str, tokens_and_terrain: list[str]
) -> None:
    battle = Battle("GOT", year, ready=False, first=None)
    assert {unit.id for unit in battle.state.units} == {"b1", "b2", "b3", "r1", "r2", "r3"}
    assert battle.view()["mode"] == "GOT"
    passed = [battle.state.step]
    while battle.state.phase == "set-up":
        battle.refused("TMG-RND-1", "activate", unit="b1")
        step = battle.state.step
        if step == "terrain" and not battle.state.roll_off:
            battle.do("roll-off", dice={"blue": 5, "red": 2})
        elif step == "terrain":
            battle.do("terrain", piece="hedge")
        elif step == "zones" and not battle.state.roll_off:
            battle.do("roll-off", dice={"blue": 5, "red": 2})
        elif step == "zones":
            battle.do("choose-zone", side="blue", zone="near")
        elif step == "first-player":
            battle.do("first-player", side="blue")
        elif step == "deploy":
            battle.do("deploy")
        else:
            battle.do("continue")
        if battle.state.step != passed[-1]:
            passed.append(battle.state.step)
    first = ["first-player"] if year == "2021" else []
    assert passed == ["mark-zones", *tokens_and_terrain, "zones", *first, "deploy", "turn-start"]
    assert all(unit.place == "field" for unit in battle.state.units)
    assert all(len(player.hand) == 3 for player in battle.state.players)


def placing(year: str) -> Battle:
    """The roll for terrain is made: blue places first."""
    battle = Battle("GOT", year, ready=False, first=None)
    while battle.state.step != "terrain":
        battle.do("continue")
    return battle.do("roll-off", dice={"blue": 5, "red": 2})


@pytest.mark.rule("TMG-PCE-1", "TMG-PCE-8", "TMG-SET-7")
@pytest.mark.parametrize("year", EDITIONS)
def test_castle_walls_are_no_terrain_to_choose(year: str) -> None:
    battle = placing(year)
    offered = battle.view()["pending"][0]["data"]["pieces"]
    assert "palisade" in offered
    assert "castle-wall" not in offered
    assert "castle-wall," not in battle.refused("TMG-TER-1", "terrain", piece="castle-wall")


@pytest.mark.rule("TMG-SET-9", "TMG-SET-10")
def test_the_number_agreed_on_stands_whatever_a_d3_would_show() -> None:
    battle = placing("2021").do("terrain", count=6).do("terrain", random=True, faces=[6, 4])
    assert battle.state.piece_count == 6
    rolled = placing("2021").do("terrain", random=True, faces=[6, 4], d3=1)
    assert rolled.state.piece_count == 3


@pytest.mark.rule("TMG-GLO-10")
@pytest.mark.parametrize("year", EDITIONS)
def test_every_piece_is_terrain_and_nothing_else(year: str) -> None:
    kinds = [kind for kind in catalogue(f"tmg-{year}").pieces if kind != "castle-wall"]
    assert len(kinds) >= 8
    for at in range(0, len(kinds), 4):
        four = [*kinds[at : at + 4], *kinds][:4]
        battle = placing(year)
        for piece in four:
            battle.do("terrain", piece=piece)
        shown = battle.view()
        assert shown["terrain"] == four
        assert not {*four} & {*shown["units"], *shown["ncus"], *shown["objectives"]}
        assert set(shown["units"]) == {"b1", "b2", "b3", "r1", "r2", "r3"}
        for piece in four:
            with pytest.raises(CompanionError, match=piece):
                battle.do("engage", unit=piece)


@pytest.mark.rule("TMG-ATM-12", "TMG-ATM-2")
@pytest.mark.parametrize("year", EDITIONS)
def test_an_attachments_card_lies_with_its_unit(year: str) -> None:
    captain = {"name": "Captain", "cost": 1, "abilities": ["Order: Rally"]}
    champion = {"name": "Champion", "cost": 2, "abilities": ["Fury"]}
    units = [
        {"card": "Stark Sworn Swords", "cost": 5, "attachments": [captain]},
        {"card": "Stark Sworn Swords", "cost": 5, "attachments": [champion]},
        {"card": "Stark Sworn Swords", "cost": 5, "commander": True},
    ]
    battle = Battle("GOT", year, armies=[{**STARK, "units": units}, LANNISTER]).deployed()
    shown = battle.view()["units"]
    assert [shown[name]["attachments"] for name in ("b1", "b2", "b3")] == [
        ["Captain"],
        ["Champion"],
        [],
    ]
    assert [shown[name]["cost"] for name in ("b1", "b2", "b3")] == [6, 7, 5]
    assert "Order: Rally" in shown["b1"]["abilities"]
    assert "Order: Rally" not in {*shown["b2"]["abilities"], *shown["b3"]["abilities"]}
    assert shown["b1"]["icons"]["Order: Rally"] == "order"
    assert "Fury" in shown["b2"]["abilities"]
    battle.do("wounds", unit="b1", wounds=12)
    assert battle.view()["units"]["b1"]["attachments"] == ["Captain"]


@pytest.mark.rule("TMG-SET-5", "TMG-DEP-1")
@pytest.mark.parametrize(("year", "deep"), [("2021", 10), ("2018", 6)])
def test_the_screen_says_how_deep_zones_are_and_who_chooses_one(year: str, deep: int) -> None:
    battle = Battle("GOT", year, ready=False, first=None)
    told: dict[str, tuple[str, list[str]]] = {}
    while battle.state.step != "deploy" and len(told) < 9:
        step = battle.state.step
        (prompt, *_) = SCREEN.prompts(battle.state, None)
        told.setdefault(step, (str(prompt.text), [str(one.text) for one in prompt.facts]))
        if step == "zones":
            break
        if step == "terrain" and not battle.state.roll_off:
            battle.do("roll-off", dice={"blue": 5, "red": 2})
        elif step == "terrain":
            battle.do("terrain", piece="hedge")
        else:
            battle.do("continue")
    assert f"{deep}″ deep along the near and the far edge" in told["mark-zones"][1]
    assert told["zones"][0] == "Roll a die each: the higher chooses the zone."
