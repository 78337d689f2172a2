"""Drafts of cards: a draft goes when its card is kept, and nothing that was entered is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.engine.files.card_drafts import (
    CardDraft,
    draft_of,
    drafts_of,
    drop_drafts,
    keep_draft,
)

KEPT = CardDraft("tactics", "figure", {"id": "gerrin", "name": "Gerrin", "will": 7, "empty": None})


@pytest.mark.parametrize(
    ("values", "goes"),
    [
        ({"name": "Gerrin", "will": 7}, True),  # begun, and entered anew from the beginning
        ({"name": "Gerrin", "id": "gerrin"}, True),
        ({"name": "Gerrin", "will": 8}, False),  # the card does not say so
        ({"name": "Gerrin", "health": 3}, False),
        ({"name": "Gerrin", "id": "other"}, False),
        ({"name": "Somebody else"}, False),
        ({}, False),
    ],
)
def test_a_draft_goes_whose_values_its_card_holds(
    values: dict[str, Any], goes: bool, tmp_path: Path
) -> None:
    keep_draft(tmp_path, CardDraft("tactics", "figure", values))
    keep_draft(tmp_path, CardDraft("tactics", "scenario", values))
    drop_drafts(tmp_path, KEPT)
    assert len(drafts_of(tmp_path, "tactics")) == (1 if goes else 2)


def test_the_draft_of_a_kept_card_is_found(tmp_path: Path) -> None:
    keep_draft(tmp_path, CardDraft("tactics", "figure", {"name": "Gerrin"}))
    assert draft_of(tmp_path, "tactics", "figure", "gerrin") is None
    changed = keep_draft(tmp_path, CardDraft("tactics", "figure", {"name": "", "id": "gerrin"}))
    assert draft_of(tmp_path, "tactics", "figure", "gerrin") == changed
    assert draft_of(tmp_path, "tactics", "scenario", "gerrin") is None
