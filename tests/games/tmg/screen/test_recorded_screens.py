"""Recorded games show on the screen what they showed when somebody read it."""

from __future__ import annotations

import pytest

from tests.games.tmg.screen.recorded_screens import GAMES, load, shown


@pytest.mark.rule(
    "TMG-RND-6",
    "TMG-RND-13",
    "TMG-NCU-3",
    "TMG-ATK-1",
    "TMG-ATK-7",
    "TMG-ATK-12",
    "TMG-PAN-2",
    "TMG-WND-2",
    "TMG-CHG-14",
    "TMG-OBJ-5",
    "TMG-VIC-1",
)
@pytest.mark.parametrize("name", GAMES)
def test_the_screen_shows_what_was_recorded(name: str) -> None:
    recorded, now = load(name), shown(name)
    assert len(now) == len(recorded)
    for number, (was, is_now) in enumerate(zip(recorded, now, strict=True)):
        assert is_now == was, f"after step {number}"
