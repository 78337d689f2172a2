"""Every keyword a table file may have is one record."""

from __future__ import annotations

import pytest

from companion.games.tmg.rules.rulebook import (
    EDITIONS,
    HIDES,
    MORALE,
    SLOWS,
    STOPS,
    TERRAIN_KEYWORDS,
)
from models.terrain import KEYWORDS


def test_every_keyword_of_the_format_has_a_record() -> None:
    assert set(TERRAIN_KEYWORDS) == KEYWORDS


@pytest.mark.rule("TMG-TER-12", "TMG-TER-13", "TMG-TER-15", "TMG-TER-17", "TMG-TER-18")
def test_what_a_keyword_does_is_in_its_record() -> None:
    assert [*STOPS, *SLOWS, *HIDES] == ["impassable", "rough", "blocks-line-of-sight"]
    assert [(one.name, one.morale) for one in MORALE] == [("inspiring", 1), ("horrific", -1)]


@pytest.mark.rule("TMG-TER-10", "TMG-TER-19", "TMG-CHG-5")
@pytest.mark.parametrize(
    ("game", "crossing", "leaving", "aligned"),
    [
        (
            "tmg-2021",
            {"dangerous", "fortified", "hindering", "rough"},
            {"dangerous", "fortified", "hindering", "rough"},
            {"dangerous", "fortified", "hindering"},
        ),
        (
            "tmg-2018",
            {"dangerous", "destructible", "fortified", "hindering", "rough"},
            {"fortified", "hindering", "rough"},
            {"dangerous", "destructible"},
        ),
    ],
)
def test_which_keywords_a_charge_feels(
    game: str, crossing: set[str], leaving: set[str], aligned: set[str]
) -> None:
    edition = EDITIONS[game]
    assert edition.charge_effects(KEYWORDS) == crossing
    assert edition.charge_effects(KEYWORDS, leaving=True) == leaving
    assert edition.aligned_effects == aligned
