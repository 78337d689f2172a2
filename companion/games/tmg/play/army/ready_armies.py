"""Ready armies: lists of common cards for players who have none of their own yet."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from companion.games.tmg.play.army.army_builder import factions
from models.field import load_toml

FILE = Path(__file__).parents[2] / "data" / "ready_armies.toml"


@lru_cache
def ready_lists(game: str) -> tuple[tuple[str, int, str], ...]:
    """The faction, the size and the id list of each ready army."""
    root = load_toml(FILE)
    if game not in root.raw:
        return ()
    return tuple(
        (
            item.member("faction").text(),
            item.member("points").whole(1, 1000),
            f"{item.member('faction').text()};{item.member('cards').text(400)}",
        )
        for item in root.member(game).items(60)
    )


def ready_armies(game: str, points: int) -> tuple[tuple[str, str], ...]:
    """For each faction the largest ready army of at most so many points, by the faction's name."""
    names = dict(factions(game))
    found: dict[str, tuple[int, str]] = {}
    for faction, size, listed in ready_lists(game):
        if size <= points and size > found.get(faction, (0, ""))[0]:
            found[faction] = (size, listed)
    return tuple((names[faction], listed) for faction, (_, listed) in found.items())
