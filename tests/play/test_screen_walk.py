"""Every screen of the four games can be asked for in every state that commands lead to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.thrones.decks import game
from tests.play.screen_walk import GAMES, walk
from tests.trials import trials


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_screen_answers_after_every_step(name: str, tmp_path: Path) -> None:
    for seed in range(trials(2, 200)):
        ends = walk(name, seed, 60, tmp_path)
        assert ends["accepted"] > 10


@pytest.mark.rule("AGOT-ZONE-31")
def test_a_card_put_face_down_breaks_no_screen() -> None:
    from companion.games.thrones.screen import SCREEN

    found = game(2)
    found.do("put-face-down", seat="p1", **{"from": "hand"})
    (piece,) = [one for one in SCREEN.pieces(found.state) if one.name == "Face-down card"]
    assert not any("character" in line for line in piece.lines)
    for seat in (None, *found.state.seats):
        SCREEN.prompts(found.state, seat)
        SCREEN.pages(found.state, seat)
    SCREEN.offers(found.state, None, piece.id)
