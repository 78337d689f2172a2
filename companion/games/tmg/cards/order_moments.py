"""When orders are activated, as far as the rulebook tells it (TMG-ORD-2)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from companion.games.tmg.cards.army_catalogue import CardMoment
from models.field import load_toml

FILE = Path(__file__).parents[1] / "data" / "order_moments.toml"


@lru_cache
def order_moments(game: str) -> dict[str, CardMoment]:
    """The moment of each order of an edition that is known, by its name in small letters."""
    root = load_toml(FILE)
    items = root.member(game).items(60) if game in root.raw else ()
    return {
        item.member("order").text().casefold(): CardMoment(
            item.member("moment").text(),
            item.member("whose").text(),
            item.member("stage").text(),
        )
        for item in items
    }
