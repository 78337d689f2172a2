"""The odds of draws against an enumeration of whole decks."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from companion.games.thrones.rules.draw_odds import FIRST_HAND, card_odds


def enumerated(deck: int, copies: int, draws: int) -> dict[int, Fraction]:
    """Every place that the copies may have in the deck; after a mulligan, every place once more."""
    places = list(combinations(range(deck), copies))
    plain = Counter(sum(place < draws for place in one) for one in places)
    found: Counter[int] = Counter()
    for one in places:
        if min(one) < FIRST_HAND:
            found[sum(place < draws for place in one)] += len(places)
        else:
            found += plain
    return {hits: Fraction(count, len(places) ** 2) for hits, count in sorted(found.items())}


@pytest.mark.parametrize(("deck", "copies", "draws"), [(12, 2, 9), (10, 3, 7), (11, 1, 11)])
def test_a_mulligan_counts_for_every_number_of_copies(deck: int, copies: int, draws: int) -> None:
    odds = card_odds({"deck": deck, "copies": copies, "draws": draws, "mulligan": True})
    assert dict(odds.hits) == enumerated(deck, copies, draws)
    plain = odds.to_json()
    assert plain["at_least_one"] == pytest.approx(1 - plain["copies"].get("0", 0.0))
