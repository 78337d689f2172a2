"""A unit that comes back: its tray is put down like every other move, where the mode allows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest

from companion.engine.turn.client import Client
from companion.engine.turn.running_game import RunningGame
from companion.session.session import Session
from tests.engine.turn.test_beside_the_turn import place_of
from tests.games.tmg.play.sighted import NORTH, SOUTH, seen
from tests.play.battle import LANNISTER, STARK, Battle


class ToldBattle(Battle):
    """A battle that knows its commands."""

    def __init__(self, mode: str) -> None:
        super().__init__(mode)
        self.commands: list[dict[str, Any]] = []

    def do(self, word: str, **fields: Any) -> Self:
        super().do(word, **fields)
        self.commands.append({"do": word, **fields})
        return self


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A Clash of Kings, round 2: blue's commander fell in the middle of the table."""
    battle = ToldBattle("COK").do("continue")
    for player, card in (("red", "6"), ("blue", "7"), ("red", "8"), ("blue", "9")):
        battle.do("choose-card", player=player, card=card)
    battle.deployed()
    seen(battle, {"b1": (24, 24, NORTH), "r1": (40, 40, SOUTH)})
    battle.do("wounds", unit="b1", wounds=12).round_over()
    battle.do("redeploy", unit="b1")
    set_up = {"do": "set-up", "game": battle.game, "mode": "COK", "armies": [STARK, LANNISTER]}
    with Session.open(tmp_path / "back.game") as made:
        for command in ({**set_up, "seed": 7, "ready": True, "first": "blue"}, *battle.commands):
            assert made.answer(command)["ok"], command
        yield made


@pytest.mark.rule("TMG-MODE-COK-7", "TMG-MODE-COK-8")
def test_the_tray_of_a_unit_that_returns_is_placed_where_the_mode_allows_it(
    session: Session,
) -> None:
    client = Client(RunningGame(session))
    view = client.view()
    assert view.prompts[0].title == "Stark Sworn Swords come in: put their tray down"
    client.act({"move": "b1", "x": 24, "y": 20, "heading": 90, "try": True})
    placing = client.view().placing
    assert placing is not None
    assert (placing.verdict, [one.look for one in placing.choices]) == ("no", ["quiet", "quiet"])
    client.act({"move": "b1", "x": 24, "y": 3, "heading": 90, "try": True})
    placing = client.view().placing
    assert placing is not None
    assert (placing.verdict, placing.choices[0].look) == ("yes", "primary")
    client.act({"tap": placing.choices[0].tap})
    view = client.view()
    assert place_of(view, "b1")[:2] == (24, 3)
    assert "tray" not in view.prompts[0].title
