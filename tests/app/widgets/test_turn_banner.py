"""The banner: whose turn it is, and beside it who rolls or decides in it."""

from __future__ import annotations

import pytest

from companion.app.widgets.game_bar import headline, whose_turn
from companion.engine.snapshot import Snapshot
from companion.games.api.new_game import SeatView
from companion.games.api.prompt import DiceRequest, Prompt
from companion.session.game_view import GameView

SEATS = (SeatView("blue", "Anna", 1), SeatView("red", "Ben", 2))
DICE = DiceRequest(2, {"do": "roll"})


@pytest.mark.parametrize(
    ("asked", "dice", "told"),
    [
        ("red", DICE, "Ben rolls"),
        ("red", None, "Ben decides"),
        ("blue", DICE, "5 units to act"),
    ],
)
def test_the_turn_stays_with_its_player(asked: str, dice: DiceRequest | None, told: str) -> None:
    prompt = Prompt("defense-dice", "Block", seats=(asked,), dice=dice)
    view = GameView(SEATS, (asked,), "Round 2 · 5 units to act", (prompt,), turn="blue")
    snapshot = Snapshot(view=view)
    assert whose_turn(snapshot) == ("Anna’s turn", SEATS[0])
    first, second = headline(snapshot)
    assert first == "Round 2"
    assert second.endswith(told)
