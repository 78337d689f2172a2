"""What the card says and what is gold after a tactics card was played, by touch."""

from __future__ import annotations

import pytest

from companion.app.scripted.driver import Driver
from tests.app.fits import faults
from tests.app.scripted.test_practice_round import (  # noqa: F401  (a fixture)
    duel,
    gold,
    result,
    screen_text,
    waits,
)

pytestmark = pytest.mark.slow


@pytest.mark.rule("TMG-DECK-3")
def test_a_played_card_says_what_now_and_gold_does_not_pass_it_by(
    duel: Driver,  # noqa: F811
) -> None:
    duel.until(lambda: duel.find("camera:map") is not None, 30)
    duel.press("camera:map")
    duel.press("tool:hand")  # only look
    duel.tap_unit("b6")
    duel.press("offer:forgo")
    duel.press("do-offer")
    assert waits(duel) == "end-of-turn"
    assert gold(duel) != []
    duel.press("dock:page:cards")
    duel.press("hand:blue")
    duel.press("uncover")
    duel.until(lambda: duel.find("uncover") is None)
    card = next(name for name in duel.names() if name.startswith("choice:play:"))
    duel.press(card)
    duel.press("do-choice")
    duel.press_if("close")
    duel.press_if("back")
    assert "Do what “" in screen_text(duel)
    assert "Now do what it says" in result(duel)
    assert gold(duel) == [], "nothing that goes on is gold before it is done"
    assert faults(duel) == []
    # what it does is entered at a unit: then the turn goes on as usual
    duel.tap_unit("r6")
    duel.press("correct-piece")
    duel.press("choice:token:r6:weakened")
    duel.press_if("close")
    duel.press_if("unchoose")
    assert "Do what “" not in screen_text(duel)
    assert len(gold(duel)) == 1
