"""Recorded games say what they said: titles of events, prompts, refusals with their rules."""

from __future__ import annotations

import pytest

from tests.play.recorded_words import GAMES, recorded, said


@pytest.mark.rule(
    "TMG-RND-1",
    "TMG-RND-6",
    "TMG-ATK-1",
    "TMG-ATK-7",
    "TMG-CHG-15",
    "TMG-PAN-2",
    "TMG-WND-2",
    "TMG-NCU-3",
    "TMG-OBJ-5",
    "TMG-RER-1",
)
@pytest.mark.parametrize("name", GAMES)
def test_a_game_says_what_was_recorded(name: str) -> None:
    assert said(name) == recorded()[name]
