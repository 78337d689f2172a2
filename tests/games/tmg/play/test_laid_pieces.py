"""Tokens and Corpse Piles that are laid down during the game lie there on the map."""

from __future__ import annotations

import math

import pytest

from companion.games.tmg.play import PLAY
from companion.games.tmg.screen import SCREEN
from models import Table, TableToken, Terrain, catalogue
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, seen
from tests.play.battle import Battle, battle_of

FORWARD = {"b1": (24.0, 22.0, NORTH)}
MIDDLE = (TableToken("o1", 24, 24),)


def map_of(battle: Battle) -> Table:
    table = PLAY.table(battle.state)
    assert table is not None
    return table


def token_at(battle: Battle, name: str) -> tuple[float, float]:
    (token,) = [one for one in map_of(battle).tokens if one.id == name]
    return token.x, token.y


def panicked(battle: Battle) -> Battle:
    battle.do("test", unit="b1", why="fear").do("panic", faces=[1, 1], d3=1, keep=True)
    assert battle.waits()[0] == "token"
    return battle


@pytest.mark.rule("TMG-MODE-DWD-4")
def test_a_carried_token_goes_with_its_unit() -> None:
    battle = seen(battle_of("DWD"), FORWARD, tokens=MIDDLE)
    assert token_at(battle, "o1") == (24, 22)
    seen(battle, {"b1": (30, 26, NORTH)}, tokens=map_of(battle).tokens)
    assert token_at(battle, "o1") == (30, 26)


@pytest.mark.rule("TMG-MODE-DWD-9")
@pytest.mark.parametrize("where", [{}, {"x": 24.0, "y": 22 + DEEP / 2 + 1.5}])
def test_a_dropped_token_lies_where_the_opponent_put_it(where: dict[str, float]) -> None:
    """It does not return to who dropped it, whatever table comes next."""
    battle = panicked(seen(battle_of("DWD"), FORWARD, tokens=MIDDLE)).do("place", **where)
    lies = token_at(battle, "o1")
    if where:
        assert lies == (where["x"], where["y"])
    else:
        assert 0.5 < math.dist(lies, (24, 22)) < 2 + DEEP, "beside its tray"
    battle.do("table", table=map_of(battle).to_json())
    assert battle.token("o1").holder == ""
    assert token_at(battle, "o1") == lies


@pytest.mark.rule("TMG-MODE-DWD-9", "TMG-MODE-DWD-4")
def test_it_is_dragged_there_like_a_tray() -> None:
    battle = panicked(seen(battle_of("DWD"), FORWARD, tokens=MIDDLE))
    (move,) = SCREEN.due_moves(battle.state)
    assert (move.piece, str(move.text)) == ("o1", "Red places the centre objective")
    (prompt,) = SCREEN.prompts(battle.state)
    assert prompt.text == "Place it within 2″ of this tray, on no other tray: Stark Sworn Swords"
    assert [str(one.text) for one in prompt.choices] == ["It lies as the map shows it"]
    table = map_of(battle)
    assert "o1" not in {one.id for one in table.tokens}, "it is in the hand"
    pose = table.unit("o1").pose
    far, near = (table.moved("o1", pose.shifted(0, left)) for left in (12.0, 0.0))
    verdict = SCREEN.entry_verdict(battle.state, far, "o1")
    assert verdict is not None
    assert (verdict["answer"], verdict["why"][0]) == ("no", "TMG-MODE-DWD-9")
    verdict = SCREEN.entry_verdict(battle.state, near, "o1")
    assert verdict is not None
    assert verdict["answer"] == "yes"
    battle.do("table", table=table.to_json(), units=["b1"])  # another tray: it stays in the hand
    assert battle.waits()[0] == "token"
    battle.do("table", table=near.to_json(), units=["o1"])
    assert "token" not in battle.waits()
    assert token_at(battle, "o1") == (round(pose.x, 3), round(pose.y, 3))
    assert battle.token("o1").holder == ""
    # whoever moves onto it claims it
    there = {**FORWARD, "b3": (*token_at(battle, "o1"), NORTH), "b1": (40.0, 22.0, NORTH)}
    seen(battle, there, tokens=map_of(battle).tokens)
    assert battle.token("o1").holder == "b3"


def pile(x: float, y: float) -> Terrain:
    words = catalogue("tmg-2021").pieces["corpse-pile"]
    outline = ((x - 2.5, y - 2), (x + 2.5, y - 2), (x + 2.5, y + 2), (x - 2.5, y + 2))
    return Terrain("pile1", outline, words, "corpse-pile")


@pytest.mark.rule("TMG-MODE-FFC-10", "TMG-MODE-FFC-7")
def test_a_token_goes_back_onto_its_pile() -> None:
    battle = battle_of("FFC")
    home, token = pile(6, 24), (TableToken("o1", 6, 24), TableToken("o2", 42, 24))
    seen(battle, {"b1": (6, 22, NORTH)}, (home,), token)
    assert battle.token("o1").holder == "b1"
    seen(battle, {"b1": (20, 22, NORTH)}, (home,), map_of(battle).tokens)
    assert battle.waits()[0] == "token"
    battle.do("place")
    x, y = token_at(battle, "o1")
    assert abs(x - 6) <= 2.5
    assert abs(y - 24) <= 2
    assert battle.token("o1").holder == ""


@pytest.mark.rule("TMG-MODE-FFC-9")
def test_a_second_token_that_cannot_lie_clear_of_the_tray_is_asked_about_once() -> None:
    """The unit touches it without moving again: nothing has happened (it ends no move)."""
    battle = battle_of("FFC").do("objective", token="o2", unit="b1")
    home, token = pile(6, 24), (TableToken("o1", 6, 24),)
    seen(battle, {"b1": (6, 24, NORTH)}, (home,), token)
    assert battle.waits()[0] == "token"
    battle.do("place", x=6, y=24)
    seen(battle, {"b1": (6, 24, NORTH)}, (home,), token)
    assert "token" not in battle.waits()


@pytest.mark.rule("TMG-MODE-FFC-14", "TMG-MODE-FFC-15")
@pytest.mark.parametrize("year", ["2021", "2018"])
@pytest.mark.parametrize("way", ["button", "place", "drag"])
def test_a_new_corpse_pile_lies_on_the_map(year: str, way: str) -> None:
    battle = seen(battle_of("FFC", year), {"r2": (24.0, 24.0, SOUTH)})
    battle.do("wounds", unit="r2", wounds=12, by="blue")
    (move,) = SCREEN.due_moves(battle.state)
    who = "Red" if year == "2021" else "Blue"
    assert str(move.text) == f"{who} places a corpse pile"
    table = map_of(battle)
    assert SCREEN.names(battle.state)[move.piece] == "a corpse pile"
    if way == "button":
        battle.do("place")
    elif way == "place":
        battle.do("place", x=24, y=31)
    else:
        battle.do("table", table=table.to_json(), units=[move.piece])
    assert "pile" not in battle.waits()
    (found,) = [one for one in map_of(battle).terrain if one.piece == "corpse-pile"]
    xs, ys = zip(*found.outline, strict=True)
    if way == "place":
        assert (min(xs) + max(xs), min(ys) + max(ys)) == (48, 62)
    tokens = {one.id: (one.x, one.y) for one in map_of(battle).tokens}
    if year == "2021":
        assert battle.token("o3").pile == found.id
        assert tokens["o3"] == pytest.approx(((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2))
    else:
        assert not tokens
    battle.do("table", table=map_of(battle).to_json())
    assert len([one for one in map_of(battle).terrain if one.piece == "corpse-pile"]) == 1


def test_without_a_table_only_the_task_is_done() -> None:
    battle = battle_of("DWD").do("objective", token="o1", unit="b1")
    panicked(battle).do("place")
    assert "token" not in battle.waits()
    assert not SCREEN.due_moves(battle.state)
