"""The screen's record on the tablet: whatever a player is to read stands on its card."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from companion.app.scripted.driver import Driver
from companion.app.turn.card_column import CardColumn
from companion.engine.snapshot import Snapshot
from companion.engine.turn.card_records import CardView
from companion.engine.turn.turn_records import PromptView
from tests.app.conftest import opened
from tests.app.turn.test_card_column import alone
from tests.filled_records import SIGNS, filled, flagged, unsaid, with_fields

UNSAID = SIGNS | {*"cell tap variant symbol verdict value single_text why does gold".split()}
"""Fields that hold no words, or words that one more tap tells."""
DRAWN = {"CellTap": "on the board", "EndView": "on the table", "PieceTap": "its row is its name"}
"""Records that the picture and the map draw."""
BEST = ("detail", "expected", "reason")
"""What the short row of one of the best offers leaves to the card of its piece."""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    made = opened(tmp_path_factory.mktemp("words"))
    yield made
    made.stop()


def words(column: CardColumn) -> str:
    """Everything that the card says."""
    found = []
    for widget in column.walk():
        for name in ("text", "detail", "edge", "title"):
            value = getattr(widget, name, "")
            found.append(str(getattr(value, "text", value)))
    return "\n".join(found).replace("-\n", "")


def shown(column: CardColumn, view: CardView) -> str:
    """What the card of a record says, folded and unfolded, with each form open and none."""
    said = []
    for on in (True, False):
        now = flagged(view, on)
        forms = [one.name for one in now.prompt.forms]
        with patch.object(column.turn, "card", lambda _lost, now=now: now):
            for column.unfolded, column.opened in product((False, True), ("", *forms)):
                for column.height in (4000, 380):  # on a low card choices lie below the dice
                    column.anew()
                    said.append(words(column))
    return "\n".join(said)


@pytest.mark.parametrize("kind", ["prompt", "piece"])
def test_every_text_of_the_record_is_said(kind: Any, driver: Driver, tmp_path: Path) -> None:
    column = alone(driver, tmp_path)
    column.width = 6000  # no word is broken
    none: dict[str, Any] = {
        "offers": (),
        "picked": None,
        "refused": (),
        "piece": None,
        "choices": (),
    }
    if kind == "piece":
        none = {"prompt": PromptView("", "", ()), "best": (), "behind": ()}
    view = with_fields(
        filled(CardView, kind=kind, moves=(), **none),
        tone="good",
        colour="blue",
        verdict="unsure",
        icon="dice",
        rolls="",
        only_for=(),
        worth=(),
    )
    column.turn.see(Snapshot(1, "a.game"))
    looks = ("primary", "plain", "quiet")
    text = "\n".join(shown(column, with_fields(view, look=look)) for look in looks)
    left = {f"OfferView.{field}" for field in BEST} if kind == "prompt" else set()
    missing = [one for one in unsaid(view, text, UNSAID) if one.split(".")[0] not in DRAWN]
    assert {*missing} - left == set()
    title = "‹PromptView.title›" if kind == "prompt" else "‹PieceLine.name›"
    assert title.strip("‹›") in unsaid(view, text.replace(title, ""), UNSAID - {"name"})
