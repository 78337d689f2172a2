"""When the abilities of a card are used: the bold words before them, without their text."""

from __future__ import annotations

from functools import lru_cache

from companion.games.thrones.cards.packs import rows


@lru_cache(maxsize=1)
def timing_words() -> dict[str, tuple[str, ...]]:
    """The timing words of each card that has any, in printed order: "reaction", "when revealed"."""
    return {
        code: tuple(row["words"].split("; "))
        for row in rows("timing.csv")
        for code in row["cards"].split()
    }
