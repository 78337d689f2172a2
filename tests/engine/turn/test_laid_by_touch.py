"""A token and a Corpse Pile that are laid down during the game, by touch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.games.tmg.play import PLAY
from companion.games.tmg.screen import SCREEN
from companion.session.session import Session
from models import TableToken
from tests.engine.turn.test_client import done
from tests.games.tmg.play.sighted import NORTH, SOUTH, seen
from tests.play.battle import LANNISTER, STARK, Battle, battle_of


def carried_on(tmp_path: Path, battle: Battle, mode: str) -> Session:
    """A session in which the same commands were given."""
    made = Session.open(tmp_path / "laid.game")
    table = PLAY.table(battle.state)
    assert table is not None
    begin: dict[str, Any] = {"do": "set-up", "game": "tmg-2021", "mode": mode, "seed": 7}
    begin |= {"armies": [STARK, LANNISTER], "ready": True, "first": "blue"}
    for command in (begin, {"do": "continue"}, {"do": "deploy"}):
        assert made.answer(command)["ok"], command
    assert made.answer({"do": "table", "table": table.to_json()})["ok"]
    return made


@pytest.fixture
def dropped(tmp_path: Path) -> Iterator[Session]:
    """The carrier of the centre objective panics: its opponent places the token."""
    spots = {"b1": (24.0, 22.0, NORTH)}
    battle = seen(battle_of("DWD"), spots, tokens=(TableToken("o1", 24, 24),))
    made = carried_on(tmp_path, battle, "DWD")
    for command in (
        {"do": "test", "unit": "b1", "why": "fear"},
        {"do": "panic", "faces": [1, 1], "d3": 1, "keep": True},
    ):
        assert made.answer(command)["ok"], command
    yield made
    made.close()


@pytest.mark.rule("TMG-MODE-DWD-9")
def test_a_token_is_dragged_to_where_the_opponent_wants_it(dropped: Session) -> None:
    game = RunningGame(dropped)
    client = Client(game)
    view = client.view()
    assert any("places the centre objective" in str(one.title) for one in view.prompts), [
        one.title for one in view.prompts
    ]
    client.act({"move": "o1", "x": 40, "y": 40, "heading": 90, "try": True})
    tried = client.view().placing
    assert tried is not None
    assert tried.verdict == "no", tried
    client.act({"move": "o1", "x": 24, "y": 26.2, "heading": 90, "try": True})
    tried = client.view().placing
    assert tried is not None
    assert (tried.verdict, tried.choices[0].look) == ("yes", "primary"), tried
    done(client.act({"tap": tried.choices[0].tap}))
    state = game.here.state
    assert not state.tasks
    table = PLAY.table(state)
    assert table is not None
    assert [(one.x, one.y) for one in table.tokens if one.id == "o1"] == [(24, 26.2)]
    assert "o1" not in table
    assert state.token("o1").holder == ""
    back = done(client.act({"undo": True}))
    assert any("places the centre objective" in str(one.title) for one in back.prompts)
    done(client.act({"undo": True}))
    assert game.here.state.token("o1").holder == "b1", "the test and its dice"


@pytest.mark.rule("TMG-MODE-FFC-14", "TMG-MODE-FFC-15")
def test_a_corpse_pile_is_dragged_and_bears_its_token(tmp_path: Path) -> None:
    battle = seen(battle_of("FFC"), {"r2": (24.0, 24.0, SOUTH)})
    made = carried_on(tmp_path, battle, "FFC")
    assert made.answer({"do": "wounds", "unit": "r2", "wounds": 12, "by": "blue"})["ok"]
    game = RunningGame(made)
    client = Client(game)
    titles = [str(one.title) for one in client.view().prompts]
    assert "Red places a corpse pile" in titles, titles
    (move,) = SCREEN.due_moves(game.here.state)
    client.act({"move": move.piece, "x": 24, "y": 31, "heading": 90, "try": True})
    tried = client.view().placing
    assert tried is not None
    assert tried.verdict == "yes", tried
    done(client.act({"tap": tried.choices[0].tap}))
    table = PLAY.table(game.here.state)
    assert table is not None
    assert [one.piece for one in table.terrain] == ["corpse-pile"]
    assert [(one.x, one.y) for one in table.tokens if one.id == "o3"] == [(24, 31)]
    made.close()
