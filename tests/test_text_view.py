"""The screen's record as text: whatever a player is to read stands in it."""

from __future__ import annotations

import pytest

from companion.cli.text_view import text_of
from companion.engine.turn.turn_records import PromptView, TurnView
from companion.games.api.card_table import Contest, ContestSide
from tests.filled_records import SIGNS, filled, unsaid

UNSAID = SIGNS | {"page_title", "cards"}
"""Fields that hold no words, or words that a terminal has no place for."""


def test_every_text_of_the_record_is_said() -> None:
    """A new field of words is drawn in the terminal too, or declared to be none."""
    view = filled(TurnView)
    assert unsaid(view, "\n".join(text_of(view, everything=True)), UNSAID) == []


def test_a_text_left_out_would_be_noticed() -> None:
    view = filled(TurnView)
    text = "\n".join(text_of(view, everything=True))
    assert unsaid(view, text.replace("‹PieceLine.badges›", ""), UNSAID) == ["PieceLine.badges"]


@pytest.mark.parametrize("field", ["totals", "facts", "dice", "forms", "cells", "pieces", "why"])
def test_what_a_decision_needs_is_said_without_asking(field: str) -> None:
    """A prompt is told whole: only pages, pieces and refusals wait for `all`."""
    view = filled(TurnView)
    text = "\n".join(text_of(view))
    prompt = filled(PromptView)
    assert unsaid(getattr(prompt, field), text, UNSAID) == []


def test_the_contest_of_a_card_game_is_told() -> None:
    sides = (
        ContestSide("p2", 4, "4 strength"),
        ContestSide("p1", 6, "6 strength"),
    )
    contest = Contest("Military challenge", "", "claim 2", "", sides, ("1 power",))
    plain = {
        "seats": [{"seat": "p1", "numbers": [{"icon": "", "count": 3, "text": "gold"}]}],
        "contest": {
            "title": contest.title,
            "text": contest.text,
            "lines": list(contest.lines),
            "sides": [
                {"seat": one.seat, "total": one.total, "detail": one.detail} for one in sides
            ],
        },
    }
    view = filled(TurnView, cards=plain, seats={"p1": "Anna", "p2": "Ben"})
    text = "\n".join(text_of(view, everything=True))
    for told in ("Anna: 3 gold", "Military challenge · claim 2 · 1 power", "Ben 4 – 4 strength"):
        assert told in text
