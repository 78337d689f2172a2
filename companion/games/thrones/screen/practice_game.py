"""The practice game: two sample decks, and a guide through the first round."""

from __future__ import annotations

from companion.games.api.play import Plain

PLAYERS = ("Anna", "Ben")


def practice_commands(game: str) -> tuple[Plain, ...]:
    """A joust from its very first step."""
    return (
        {
            "do": "set-up",
            "game": game,
            "seats": [
                {"id": "p1", "name": PLAYERS[0]},
                {"id": "p2", "name": PLAYERS[1]},
            ],
            "decks": {"p1": "sample stark", "p2": "sample lannister"},
            "first": "p1",
            "guided": True,
        },
    )
