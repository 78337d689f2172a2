"""What single modes ask for, as the screen shows it: arrows, missions, quadrants, reserves."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.prompt import Choice, Prompt, PromptForm
from companion.games.api.screen_views import Page, ScoreLine
from companion.games.tmg.play import PLAY
from companion.games.tmg.screen import SCREEN
from tests.games.tmg.play.sighted import NORTH, seen
from tests.play.battle import LANNISTER, STARK, Battle, battle_of


def first(battle: Battle, seat: str | None = None) -> Prompt:
    return SCREEN.prompts(battle.state, seat)[0]


def form(prompt: Prompt, text: str) -> PromptForm:
    return next(one for one in prompt.forms if one.text == text)


def sent(battle: Battle, choice: Choice) -> None:
    for command in choice.commands:
        asked: dict[str, Any] = dict(command)
        battle.do(asked.pop("do"), **asked)


def line(battle: Battle, text: str) -> ScoreLine:
    return next(one for one in SCREEN.score(battle.state).lines if text in one.text)


def tap(battle: Battle, choices: tuple[Choice, ...], text: str) -> None:
    sent(battle, next(one for one in choices if one.text == text))


@pytest.mark.rule("TMG-MODE-SOS-18", "TMG-SIM-2", "TMG-BON-3")
@pytest.mark.parametrize("year", ["2021", "2018"])
def test_a_castle_wall_shoots_by_its_card(year: str) -> None:
    battle = battle_of("SOS", year, defender="red").forgo("b1")
    battle.do("engage", unit="b2", **{"with": ["r1"]})
    walls = [one for one in first(battle).choices if "wall" in one.text]
    assert len(walls) == 3
    sent(battle, walls[0])
    prompt = first(battle)
    asked = form(prompt, "Shoot arrows")
    assert [one.field for one in asked.entries] == [
        "target",
        "dice",
        "hit",
        "zone" if year == "2021" else "cover",
    ]
    assert {str(text) for _, text in asked.entries[0].options} >= {"Stark Bowmen"}
    more = {"zone": "flank"} if year == "2021" else {"cover": True}
    battle.do("action", action="arrows", target="b2", dice=5, hit=3, **more)
    now = battle.state.attack
    assert now is not None
    assert now.friends == ("r1",), "they test panic afterwards"
    assert now.zone == ("flank" if year == "2021" else "front")
    assert bool(now.defense_mods) is (year == "2018")
    battle.fight(1)
    while battle.state.trials:
        battle.do("panic", faces=[6, 6], keep=True)
    if battle.state.attack is not None:
        battle.do("continue")
    battle.do("end-turn").forgo("b2")
    sent(battle, next(one for one in first(battle).choices if "wall 2" in one.text))
    _, dice, hit, _ = form(first(battle), "Shoot arrows").entries
    assert (dice.value, hit.value) == (5, 3), "every wall has the same card"


def cards_of(battle: Battle, seat: str | None) -> Page:
    return next(one for one in SCREEN.pages(battle.state, seat) if one.id == "cards")


@pytest.mark.rule("TMG-MODE-WOW-4", "TMG-MODE-WOW-6")
def test_a_mission_is_revealed_and_met_by_taps() -> None:
    battle = battle_of("WOW").round_over()
    assert battle.state.step == "missions"
    prompt = first(battle)
    assert prompt.page == "cards"
    assert str(prompt.text).startswith("Red chooses a mission and reveals it")
    assert prompt.choices == (), "the cards are on the private page"
    battle.refused("TMG-RND-24", "continue", side="red")  # it is a duty
    for seat in ("red", "blue"):
        own = [card for part in cards_of(battle, seat).sections for card in part.cards]
        (eleven,) = [one for one in own if one.title == "Mission 11" and one.seat == seat]
        assert eleven.secret
        tap(battle, eleven.choices, "Reveal mission 11")
    assert battle.state.missions == ("11", "11")
    public = [card.title for part in cards_of(battle, None).sections for card in part.cards]
    assert "Mission 1" not in public
    tap(battle, line(battle, "Mission 11").choices, "Blue meets mission 11: 2 points")
    assert battle.vp() == (2, 0)
    assert "Blue" in line(battle, "Mission 11").detail
    assert all(one.seat == "red" for one in line(battle, "Mission 11").choices)


@pytest.mark.rule("TMG-MODE-WOW-4", "TMG-TEAM-3")
def test_each_player_of_a_team_reveals_a_mission() -> None:
    armies = [
        {**army, "side": side, "player": f"{letter}{side}"}
        for letter, side, army in zip(
            "abcd", ("blue", "blue", "red", "red"), (STARK, LANNISTER) * 2, strict=True
        )
    ]
    battle = Battle("WOW", armies=armies, shape="team", points=20).do("continue")
    for player in battle.state.players:
        battle.do("missions", player=player.id, cards=["1", "2", "3", "4", "11", "12"])
    battle.deployed().round_over()
    shown = []
    while battle.state.step == "missions":
        (waiting,) = PLAY.pending(battle.state)
        shown.append(waiting.data["player"])
        battle.do("reveal", player=waiting.data["player"], card="1")
    assert shown == ["cred", "dred", "ablue", "bblue"]


@pytest.mark.rule("TMG-MODE-WOW-10", "TMG-MODE-WOW-11", "TMG-MODE-WOW-6")
def test_2018_secret_missions_are_met_and_laid_aside_on_the_own_page() -> None:
    battle = battle_of("WOW", "2018").round_over()
    secret = battle.player("blue").missions[0]
    own = [card for part in cards_of(battle, "blue").sections for card in part.cards]
    (card,) = [one for one in own if one.title == f"Mission {secret}"]
    assert card.secret
    tap(battle, card.choices, f"Blue meets mission {secret}: 1 point")
    assert battle.vp() == (1, 0)
    battle.finish_round()
    left = battle.player("red").missions[0]
    own = [card for part in cards_of(battle, "red").sections for card in part.cards]
    (card,) = [one for one in own if one.title == f"Mission {left}"]
    tap(battle, card.choices, f"Lay mission {left} aside")
    assert left not in battle.player("red").missions


@pytest.mark.rule("TMG-MODE-HWS-4", "TMG-MODE-HWS-5", "TMG-MODE-HWS-12")
def test_the_quadrant_of_a_unit_is_told_on_the_score_page() -> None:
    battle = battle_of("HWS").round_over()
    seen(battle, {"b1": (24, 40, NORTH), "b2": (40, 8, NORTH)}).finish_round().do("continue")
    doubtful = line(battle, "Sworn Swords")
    assert not doubtful.sure
    assert [str(one.text) for one in doubtful.choices] == [
        "Stark Sworn Swords: upper-left quadrant",
        "Stark Sworn Swords: upper-right quadrant",
    ]
    sent(battle, doubtful.choices[0])
    assert dict(battle.state.quadrants)["b1"] == "upper-left"
    assert dict(battle.state.quadrants)["b2"] == "lower-right"
    assert line(battle, "Sworn Swords").sure
    assert "upper-left quadrant" in {one.why for one in battle.state.proposals}


@pytest.mark.rule("TMG-MODE-HWS-12")
def test_without_a_table_each_unit_is_asked_about() -> None:
    battle = battle_of("HWS").round_over().finish_round().do("continue")
    for unit in ("Sworn Swords", "Bowmen"):
        sent(battle, line(battle, unit).choices[0])
    assert len({where for _, where in battle.state.quadrants}) == 1
    assert [one.side for one in battle.state.proposals] == ["blue"]


@pytest.mark.rule("TMG-MODE-COK-13", "TMG-MODE-SOS-10")
def test_large_reserves_are_chosen_in_a_form() -> None:
    many = {**STARK, "units": [STARK["units"][0], *STARK["units"][1:] * 5]}
    battle = Battle("SOS", armies=[many, LANNISTER], defender="blue", unchecked=True)
    battle.do("continue")
    (asked,) = first(battle).forms
    (units,) = asked.entries
    assert len(units.options) == 11
    names = [name for name, _ in units.options][:6]
    battle.do("reserve", side="blue", units=names)
    few = Battle("SOS", defender="blue").do("continue")
    assert not first(few).forms
    assert first(few).choices


def owners(battle: Battle, unit: str, text: str) -> list[str]:
    """Who is offered as the one whose effect it is."""
    (piece,) = [one for one in SCREEN.pieces(battle.state) if one.id == unit]
    asked = next(one for one in piece.forms if one.text == text)
    return [value for entry in asked.entries if entry.field == "by" for value, _ in entry.options]


@pytest.mark.rule("TMG-MODE-COK-11", "TMG-MODE-COK-12", "TMG-MODE-FAB-7", "TMG-VIC-8")
@pytest.mark.parametrize("text", ["Wounds by an effect", "Automatic hits"])
def test_whose_effect_it_is_is_asked_where_it_counts(text: str) -> None:
    assert owners(battle_of("GOT"), "r1", text) == []
    clash = battle_of("COK")
    assert owners(clash, "r1", text) == ["b1", "r1", "blue", "red", "nobody"]
    assert owners(battle_of("FAB"), "r3", text)[:4] == ["b1", "b2", "r1", "r2"]


@pytest.mark.rule("TMG-MODE-COK-11", "TMG-MODE-COK-12", "TMG-VIC-8", "TMG-VIC-9")
@pytest.mark.parametrize(("by", "points"), [("b1", 1 + 1 + 2), ("blue", 1 + 2), ("nobody", 1)])
def test_the_points_of_a_fallen_commander_follow_from_whose_effect(by: str, points: int) -> None:
    battle = battle_of("COK").do("wounds", unit="r1", wounds=12, by=by)
    assert battle.vp() == (points, 0)
    hit = battle_of("COK").do("hits", unit="r1", hits=12, by=by)
    hit.do("attack-result", wounds=12)
    assert hit.vp() == (points, 0)


def three(mode: str, *zones: str) -> Battle:
    """A free-for-all whose players chose these corners."""
    armies = [
        {**army, "side": side}
        for side, army in zip(("blue", "red", "green"), (STARK, LANNISTER, STARK), strict=True)
    ]
    battle = Battle(mode, armies=armies, shape="ffa", points=20, ready=False, first=None)
    battle.do("continue").do("continue").do("continue")
    for side, zone in zip(("blue", "red", "green"), zones, strict=True):
        battle.do("choose-zone", side=side, zone=zone)
    return battle.do("roll-off", dice={"blue": 6, "red": 2, "green": 4})


CROSSED = ("near-left", "far-right", "far-left")
"""Clockwise blue, green, red: not in the order of the list."""


@pytest.mark.rule("TMG-FFA-4", "TMG-MODE-FAB-3", "TMG-MODE-COK-4")
def test_three_players_choose_clockwise_from_the_first() -> None:
    battle = three("COK", *CROSSED)
    assert battle.state.first == "blue"
    order = []
    while battle.state.step == "cards-chosen":
        (waiting,) = PLAY.pending(battle.state)
        order.append(waiting.side)
        battle.do("choose-card", player=waiting.data["player"], card=waiting.data["cards"][0])
    assert order == ["green", "red", "blue"]
    battle = three("FAB", *CROSSED).deployed()
    order = []
    while battle.state.step == "marks":
        (waiting,) = PLAY.pending(battle.state)
        if waiting.what == "mark-card":
            battle.do("mark-card", unit=waiting.data["unit"], card=waiting.data["cards"][0])
            continue
        order.append(waiting.side)
        battle.do("mark", side=waiting.side, unit=waiting.data["units"][0])
    assert order[:3] == ["blue", "green", "red"]


@pytest.mark.rule("TMG-MODE-DWD-9", "TMG-MODE-DWD-8")
def test_of_two_opponents_no_program_says_which_places_the_token() -> None:
    battle = three("DWD", *CROSSED).deployed()
    unit = next(one.id for one in battle.state.units if one.side == "blue")
    battle.do("objective", token="o1", unit=unit)
    battle.do("test", unit=unit, why="fear").do("panic", faces=[1, 1], d3=1, keep=True)
    waiting = PLAY.pending(battle.state)[0]
    assert (waiting.what, waiting.side) == ("token", None)
    assert waiting.say.startswith("an opponent places")


@pytest.mark.rule("TMG-MODE-DWW-8")
def test_a_commander_replaces_a_mission_from_its_own_card() -> None:
    battle = battle_of("DWW")
    found = SCREEN.offers(battle.state, None, "b1")
    swaps = [one for one in found if one.commands[-1]["do"] == "swap-mission"]
    assert len(swaps) == 6
    assert all(one.verdict == "yes" for one in swaps)
    for command in swaps[0].commands:
        asked: dict[str, Any] = dict(command)
        battle.do(asked.pop("do"), **asked)
    assert battle.state.step == "end-of-turn"
    other = SCREEN.offers(battle_of("DWW").state, None, "b2")
    assert not [one for one in other if one.commands[-1]["do"] == "swap-mission"]


@pytest.mark.rule("TMG-MODE-FFC-17")
def test_2018_without_a_table_the_players_say_that_a_pile_is_near() -> None:
    battle = battle_of("FFC", "2018").do("activate", unit="b1")
    text = "A corpse pile is within 6″: it tests morale"
    tap(battle, first(battle).choices, text)
    battle.do("panic", faces=[1, 1], keep=True)
    assert battle.unit("b1").vp_tokens == 1
    assert text not in [one.text for one in first(battle).choices]
    seen(battle.do("action", action="forgo").do("end-turn"), {}).do("activate", unit="r1")
    assert text not in [one.text for one in first(battle).choices]


@pytest.mark.rule("TMG-MODE-GOT-3", "TMG-MODE-WOW-2")
def test_2018_players_are_told_how_they_place_the_objectives() -> None:
    battle = Battle("GOT", "2018", ready=False, first=None).do("continue")
    while battle.state.step != "tokens":
        battle.do("continue")
    told = " ".join(str(one.text) for one in first(battle).facts)
    assert "the higher begins" in told
    assert "12″ from the deployment zones, 6″ from other tokens" in told


@pytest.mark.rule("TMG-DECK-1")
def test_the_own_hand_comes_first_among_the_cards() -> None:
    battle = battle_of("GOT")
    assert battle.state.players[0].side == "blue"
    first_part, *_ = cards_of(battle, "red").sections
    titles = [str(card.title) for card in first_part.cards]
    hand = list(dict.fromkeys(battle.state.player("red").hand))
    assert sorted(titles[: len(hand)]) == sorted(hand)
    assert titles.index("Search the deck") > titles.index("Deck")
