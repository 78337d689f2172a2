"""Saved games as the list of home describes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine.files.game_library import Seats, save_seats, saved_games
from companion.games.tactics.screen import SCREEN
from companion.session.session import Session
from companion.text.translation import set_game, set_language


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    yield
    set_game("")
    set_language("en")


def test_a_game_has_its_name_in_its_own_words_whatever_is_open(tmp_path: Path) -> None:
    with Session.open(tmp_path / "one.game") as session:
        for command in SCREEN.practice("tactics"):
            assert session.answer(dict(command))["ok"]
    set_game("tmg")  # "Tactics" are its tactics cards
    set_language("de")
    (saved,) = saved_games(tmp_path)
    assert saved.title.startswith("Tactics · ")


def test_the_list_of_games_knows_the_colours_that_its_players_chose(tmp_path: Path) -> None:
    path = tmp_path / "evening.game"
    with Session.open(path) as session:
        assert session.answer({"do": "set-up", "game": "westeros", "battle": "sample-ford"})["ok"]
    assert saved_games(tmp_path)[0].colours == (1, 2), "the game's own"
    save_seats(path, Seats(colours={"stark": 4, "lannister": 1}))
    assert saved_games(tmp_path)[0].colours == (4, 1)
