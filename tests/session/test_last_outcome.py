"""The result line: what a roll did stays, and what the trays then showed is added."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from companion.games.api.play import Event
from companion.games.api.screen_views import Outcome
from companion.session.game_view import OUTCOME, TABLE, last_outcome


def step(below: Any, kind: str, found: Outcome) -> Any:
    """A position with a result, after the one below it."""
    here = SimpleNamespace(
        below=below,
        play=object(),
        step=SimpleNamespace(events=lambda: (Event(kind, {}),)),
        memo={OUTCOME: found},
    )
    here.down = lambda: iter((here, *(below.down() if below.step is not None else ())))
    return here


def test_an_objective_that_is_lost_when_the_tray_is_put_down_is_told_with_the_charge() -> None:
    start = SimpleNamespace(below=None, play=object(), step=None, memo={})
    charge = Outcome("Charge: rolled 4, it arrives.", "Roll 6 attack dice.", dice=(4,))
    rolled = step(start, "charge-rolled", charge)
    assert last_outcome(cast(Any, None), rolled) is charge
    lost = Outcome("Nobody holds it now.", adds="Nobody holds it now.")
    put = step(rolled, TABLE, lost)
    seen = step(put, TABLE, Outcome("Positions updated."))
    found = last_outcome(cast(Any, None), seen)
    assert found is not None
    assert (found.text, found.dice) == (charge.text, charge.dice)
    assert found.follows == "Roll 6 attack dice. Nobody holds it now."
