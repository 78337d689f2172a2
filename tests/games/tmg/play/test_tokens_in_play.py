"""Objective tokens in play: A Game of Thrones, offers and control."""

from __future__ import annotations

import pytest

from companion.games.tmg.play.state.mode_play import PLAYS
from companion.games.tmg.rules.modes import modes
from tests.play.battle import LANNISTER, STARK, Battle, battle_of

EDITIONS = ("2021", "2018")
CAPTAIN = {"name": "Captain", "cost": 1, "character": True}


def offers(battle: Battle) -> list[int]:
    """The points that wait to be confirmed."""
    return [one.vp for one in battle.state.proposals]


@pytest.mark.rule("TMG-SET-1")
def test_every_mode_of_both_editions_has_its_play() -> None:
    for year, number in (("2021", 10), ("2018", 5)):
        known = [mode.key for mode in modes(f"tmg-{year}")]
        assert len(known) == number
        assert all((f"tmg-{year}", key) in PLAYS for key in known)


@pytest.mark.rule("TMG-MODE-GOT-2", "TMG-MODE-WOW-2", edition="2018")
@pytest.mark.parametrize("mode", ["GOT", "WOW"])
def test_five_tokens_one_of_them_in_the_centre(mode: str) -> None:
    tokens = battle_of(mode, "2018").view()["objectives"]
    assert list(tokens) == ["o1", "o2", "o3", "o4", "o5"]
    assert [one["name"] for one in tokens.values()][:2] == ["centre", "token 2"]


@pytest.mark.rule("TMG-OBJ-5", "TMG-OBJ-6", "TMG-MODE-GOT-6", "EX-68", "EX-69")
@pytest.mark.parametrize(("year", "points"), [("2021", 3), ("2018", 2)])
def test_two_tokens_one_held_by_the_commander(year: str, points: int) -> None:
    battle = battle_of("GOT", year)
    battle.do("objective", token="o1", unit="b1").do("objective", token="o2", unit="b2")
    battle.finish_round().do("continue")
    assert offers(battle) == []
    battle.do("score", confirm=True).do("continue")
    assert battle.vp() == (0, 0)
    battle.finish_round().do("continue")
    assert sum(offers(battle)) == points
    assert battle.vp() == (0, 0)
    battle.do("score", confirm=True)
    assert battle.vp() == (points, 0)


@pytest.mark.rule("TMG-OBJ-2", "TMG-OBJ-3", "EX-66", "EX-67")
def test_2021_a_stronger_enemy_contests_a_token() -> None:
    battle = battle_of("GOT").do("objective", token="o1", unit="b1")
    battle.do("wounds", unit="b1", wounds=4).do("engage", unit="b1", **{"with": ["r1"]})
    assert battle.view()["objectives"]["o1"]["controlled"] is None
    battle.do("wounds", unit="r1", wounds=4)
    assert battle.view()["objectives"]["o1"]["controlled"] == "b1"


@pytest.mark.rule("OR-29", "TMG-OBJ-2")
@pytest.mark.parametrize(
    ("reading", "holder", "points"), [("at-once", "b1", [1, 1]), ("new-claim", None, [])]
)
def test_control_comes_back_at_once_or_by_a_new_move(
    reading: str, holder: str | None, points: list[int]
) -> None:
    """b1 loses its token to a stronger enemy, who is then as weak as b1 itself."""
    battle = battle_of("GOT", readings=[f"control_back={reading}"]).round_over()
    battle.do("objective", token="o1", unit="b1").do("wounds", unit="b1", wounds=4)
    battle.do("engage", unit="b1", **{"with": ["r1"]})
    told = [] if holder else ["b1 has lost o1 and must move onto it again to claim it"]
    assert [one for one in battle.titles if "move onto it again" in one] == told
    battle.do("wounds", unit="r1", wounds=4)
    assert battle.view()["objectives"]["o1"]["controlled"] == holder
    battle.do("engage", unit="b1", **{"with": []})
    assert battle.view()["objectives"]["o1"]["controlled"] == holder
    battle.finish_round().do("continue")
    assert offers(battle) == points  # b1 is the commander's
    battle.do("objective", token="o1", unit="b1")  # so the players see it
    assert battle.view()["objectives"]["o1"]["controlled"] == "b1"


@pytest.mark.rule("TMG-OBJ-3", "EX-67")
def test_2021_a_solo_unit_counts_its_wounds() -> None:
    wolf = {"name": "Wolf", "cost": 3, "tray": "solo", "wounds_per_model": 5}
    battle = battle_of("GOT", armies=[{**STARK, "units": [wolf]}, LANNISTER])
    battle.do("objective", token="o1", unit="b1").do("engage", unit="b1", **{"with": ["r1"]})
    assert battle.view()["objectives"]["o1"]["controlled"] == "b1"
    battle.do("wounds", unit="b1", wounds=3)
    assert battle.view()["objectives"]["o1"]["controlled"] is None


@pytest.mark.rule("TMG-OBJ-1")
def test_2018_the_first_to_touch_keeps_the_token() -> None:
    battle = battle_of("GOT", "2018").do("objective", token="o1", unit="b1")
    battle.do("objective", token="o1", unit="r1")
    assert battle.view()["objectives"]["o1"]["controlled"] == "b1"


@pytest.mark.rule("TMG-MODE-GOT-4")
@pytest.mark.parametrize("year", EDITIONS)
def test_got_each_token_has_a_card_of_its_own(year: str) -> None:
    cards = [token.card for token in battle_of("GOT", year).state.tokens]
    assert len(set(cards)) == 5
    assert all(1 <= int(card) <= 10 for card in cards)


@pytest.mark.rule("TMG-OBJ-5")
def test_an_offer_can_be_dropped_and_changed_before_it_counts() -> None:
    battle = battle_of("GOT").do("objective", token="o1", unit="b2")
    battle.round_over().finish_round().do("continue")
    assert len(battle.state.proposals) == 1
    battle.do("score", drop=1).do("objective", token="o2", unit="r2")
    assert [(one.side, one.token) for one in battle.state.proposals] == [("red", "o2")]
    battle.do("score", side="red", vp=1, why="as agreed").do("score", confirm=True)
    assert battle.vp() == (0, 2)


@pytest.mark.rule("TMG-MODE-GOT-9")
@pytest.mark.parametrize(("melee", "holder"), [(True, "b2"), (False, "b1")])
def test_got_2018_the_destroyer_takes_the_token_it_touches(melee: bool, holder: str) -> None:
    battle = battle_of("GOT", "2018")
    for unit in ("r1", "b1", "b2"):
        battle.do("objective", token="o1", unit=unit)
    assert battle.token("o1").holder == "r1"
    if melee:
        battle.do("engage", unit="b2", **{"with": ["r1"]})
    battle.do("activate", unit="b2")
    battle.do("action", action="attack", target="r1", ranged=not melee).fight(12)
    assert battle.token("o1").holder == holder


@pytest.mark.rule("TMG-OBJ-5")
def test_an_offer_can_be_changed_and_the_log_says_by_whom() -> None:
    battle = battle_of("GOT").do("objective", token="o1", unit="b2").round_over()
    battle.finish_round().do("continue").do("score", offer=1, vp=2)
    assert "2 instead of 1 by the players" in battle.titles[0]
    battle.do("score", confirm=True)
    assert battle.vp() == (2, 0)


@pytest.mark.rule("TMG-NCU-3", edition="2018")
def test_2018_a_printed_zone_may_grant_a_free_attack() -> None:
    battle = battle_of("GOT", "2018").do("activate", unit="bn1").do("claim", zone="combat")
    battle.do("free-action", unit="b2", action="attack", target="r1").fight(2)
    assert battle.unit("r1").wounds == 2
    battle.do("zone-effect", skip=True)
    assert battle.waits() == ["end-of-turn"]


@pytest.mark.rule("TMG-MODE-GOT-8")
def test_players_may_set_right_who_came_first() -> None:
    battle = battle_of("GOT", "2018").do("objective", token="o1", unit="b1")
    battle.do("objective", token="o1", unit="r1")
    assert battle.state.token("o1").holder == "b1"
    battle.do("objective", token="o1").do("objective", token="o1", unit="r1")
    assert battle.state.token("o1").holder == "r1"
