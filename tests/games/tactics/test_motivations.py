"""Motivations that a kill has met: asked at once and first, paid for or let pass."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Event
from companion.games.api.rival import RivalSeat, asked
from companion.games.shared.search import Search
from companion.games.tactics.play import PLAY
from companion.games.tactics.play.authority import authority
from companion.games.tactics.rival import RIVAL
from companion.games.tactics.screen import SCREEN
from tests.games.tactics.battle import SOLDIER, SWORD, VETERAN, Skirmish, card

rule = pytest.mark.rule
WEAK = {"health": 1, "defence": 10}


def lord(*sides: dict[str, Any], **values: Any) -> dict[str, Any]:
    """A hero whose card has these motivations, else one for a killed soldier."""
    usual = {"name": "Fury", "trigger": "kills-soldier", "price": [1, 0, 0], "points": 1}
    return card(
        "Lord",
        cost=[1, 0, 0],
        health=4,
        attacks=[{**SWORD, "dice": 5}],
        motivation=[{**usual, **one} for one in sides or ({},)],
        **values,
    )


def killed(*enemies: tuple[dict[str, Any], str], **values: Any) -> Skirmish:
    """The lord has killed the first of these enemies."""
    foes = enemies or ((SOLDIER, "4,5"), (SOLDIER, "0,8"))
    game = Skirmish([(lord(), "4,4"), (SOLDIER, "0,0")], list(foes), **values)
    return game.do("activate", figure="b1").attack([9] * 5, [1] * 5)


@rule("TAC-MOT-6", "TAC-ABL-9", "TAC-ATK-16")
def test_a_motivation_is_asked_at_once_and_can_be_declined() -> None:
    game = killed()
    first = next(iter(SCREEN.prompts(game.state)))
    assert (first.id, first.seats) == ("motivation", ("blue",))
    assert [(one.text, one.detail) for one in first.choices] == [
        ("Pay for Fury", "1 gold dragon: 1 victory point"),
        ("Do not pay", ""),
    ]
    assert game.refused("surge", to="4,5") != "", "nothing goes on before the answer"
    assert game.refused("end") == "TAC-ATK-5"
    assert authority(game.state, {"do": "no-motivation", "side": "blue"}).seats == ("blue",)
    assert game.refused("no-motivation", side="red") == "TAC-MOT-6"
    game.do("no-motivation", side="blue")
    assert game.titles == ["Lord does not pay for Fury"]
    assert (game.vp(), game.coins()[0], game.waits()) == (0, 3, "surge")
    game.do("surge", to="4,5")
    assert game.refused("motivation", figure="b1", name="Fury") == "TAC-MOT-6"
    assert "motivation" not in {one.id for one in SCREEN.prompts(game.state)}


@rule("TAC-MOT-6", "TAC-END-10")
def test_the_last_enemy_is_paid_for_before_the_battle_ends() -> None:
    game = killed((SOLDIER, "4,5"))
    assert (game.waits(), game.state.winner) == ("motivation", "")
    game.do("motivation", figure="b1", name="Fury")
    assert (game.vp(), game.state.winner) == (1 + 12, "blue")


@rule("TAC-MOT-6", "TAC-ABL-9")
def test_the_turn_does_not_pass_before_the_answer() -> None:
    game = Skirmish([(lord(), "4,4"), (SOLDIER, "0,0")], [(SOLDIER, "4,5"), (SOLDIER, "0,8")])
    game.do("activate", figure="b1").do("wait").attack([9] * 5, [1] * 5)
    assert game.state.active == "blue"
    game.do("motivation", figure="b1", name="Fury").do("continue").do("end")
    assert game.state.active == "red"
    assert [one.id for one in SCREEN.prompts(game.state)] == ["turn"]


@rule("TAC-MOT-1", "TAC-MOT-5", "TAC-ABL-9")
def test_one_answer_lets_all_motivations_of_a_kill_pass() -> None:
    two = lord({}, {"name": "Rage", "price": [2, 0, 0], "points": 3})
    game = Skirmish([(two, "4,4")], [(SOLDIER, "4,5"), (SOLDIER, "0,8")])
    game.do("activate", figure="b1").attack([9] * 5, [1] * 5)
    words = [one["do"] for one in asked(PLAY, game.state, "blue")]
    assert words == ["motivation", "motivation", "no-motivation"]
    paid = game.do("motivation", figure="b1", name="Rage")
    assert [one.get("name") for one in asked(PLAY, paid.state, "blue")] == ["Fury", None]
    game.do("no-motivation", side="blue")
    assert (game.vp(), game.coins()[0], game.waits()) == (3, 1, "surge")


@rule("TAC-MOT-6")
def test_what_nobody_can_pay_is_not_asked() -> None:
    assert killed(coins=(0, 6, 18)).waits() == "surge"
    poor = killed(coins=(1, 6, 18))
    poor.do("coins", side="blue", gold=-1)
    assert [one["do"] for one in asked(PLAY, poor.state, "blue")] == ["no-motivation"]
    assert poor.do("no-motivation", side="blue").waits() == "surge"


@rule("TAC-MOT-6", "TAC-ABL-9")
def test_a_game_of_before_is_replayed_and_asked_first() -> None:
    """There the kill was followed by the surge, and the motivation waited behind the turn."""
    game = Skirmish([(lord(), "4,4"), (SOLDIER, "0,0")], [(SOLDIER, "4,5"), (SOLDIER, "0,8")])
    game.do("activate", figure="b1").attack([9] * 5)
    old = game.state
    game.do("roll", faces=[1] * 5)
    events: list[Event] = [one for one in game.events if one.type != "task"]
    for event in (*events, Event("attack-ended", {})):
        old = PLAY.apply(old, event)
    assert old.tasks == ()
    assert [one.what for one in PLAY.pending(old)] == ["motivation", "act"]
    game.state = old
    game.do("no-motivation", side="blue")
    assert [one.what for one in PLAY.pending(game.state)] == ["act"]
    game.state = old
    game.do("motivation", figure="b1", name="Fury")
    assert (game.vp(), game.waits()) == (1, "act")


@rule("TAC-MOT-6")
@pytest.mark.parametrize(
    ("price", "points", "word"), [(1, 2, "motivation"), (3, 0, "no-motivation")]
)
def test_a_rival_pays_or_declines(price: int, points: int, word: str) -> None:
    hero = lord({"price": [price, 0, 0], "points": points})
    game = Skirmish([(hero, "4,4"), (SOLDIER, "0,0")], [(VETERAN, "0,8"), (SOLDIER, "4,5")])
    game.do("activate", figure="b1").attack([9] * 5, [1] * 5, target="r2")
    assert RIVAL.waits(game.state)[0] == "blue"
    best, *others = Search(RIVAL, RivalSeat("blue", "commander"), seconds=60.0).ranked(game.state)
    assert len(others) == 1, "it weighs both answers"
    assert [one["do"] for one in best.commands] == [word]
    told = {"motivation": "Lord pays for the motivation Fury.", "no-motivation": "Blue pays for no"}
    assert RIVAL.told(game.state, best.commands).text.startswith(told[word])
