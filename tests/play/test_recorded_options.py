"""Recorded games offer at every kind of prompt what they offered when somebody read it."""

from __future__ import annotations

import pytest

from tests.play.recorded import names
from tests.play.recorded_options import offered, recorded


@pytest.mark.rule(
    "TMG-RND-6",
    "TMG-ACT-1",
    "TMG-NCU-3",
    "TMG-ZON-1",
    "TMG-RER-1",
    "TMG-OBJ-5",
    "TMG-DECK-3",
    "TMG-MODE-COK-5",
    "TMG-MODE-DWW-7",
    "TMG-MODE-SOS-18",
    "TMG-MODE-WOW-3",
)
@pytest.mark.parametrize("name", names())
def test_prompts_offer_what_was_recorded(name: str) -> None:
    now, was = offered(name), recorded()[name]
    assert len(now) == len(was)
    for one, other in zip(now, was, strict=True):
        assert one == other
