"""Whether the tray of a charge may lie where a table shows it, with the die that lies."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.prompt import ActionOffer, TrayEnd
from companion.games.tmg.play.state.game_state import table_of
from companion.games.tmg.screen import SCREEN
from companion.games.tmg.screen.due_verdicts import lies_at
from models import Pose, Sigma
from tests.games.tmg.play.sighted import DEEP, NORTH, SOUTH, seen
from tests.play.battle import Battle, battle_of

PLACE = Pose(24.0, 20.0, 90.0)
OFFER = ActionOffer("charge", "", piece="b1", ends=(TrayEnd("ahead", (("b1", PLACE),)),))


@pytest.mark.rule("TMG-CHG-12", "TMG-CHG-13")
@pytest.mark.parametrize(
    ("pose", "lies"),
    [
        (PLACE, True),
        (Pose(24.0, 20.01, 90.0), True),
        (Pose(24.0, 20.2, 90.0), False),
        (Pose(24.0, 20.2, 90.0, Sigma(0.1, 0.5)), True),
        (Pose(24.0, 20.0, 92.0), False),
    ],
)
def test_a_tray_at_a_place_that_the_game_names_lies_right(pose: Pose, lies: bool) -> None:
    assert lies_at(pose, OFFER) is lies


def charged(gap: float, face: int, sigma: Sigma) -> Battle:
    """A charge over this gap with this die; Speed is 5."""
    spots = {"b1": (24.0, 10.0, NORTH), "r1": (24.0, 10.0 + DEEP + gap, SOUTH)}
    battle = seen(battle_of("GOT"), spots, sigma=sigma)
    speed = battle.state.unit("b1").speed
    assert speed == 5
    return battle.do("activate", unit="b1").do("action", action="charge", target="r1", faces=[face])


@pytest.mark.rule("TMG-CHG-12", "TMG-CHG-14")
@pytest.mark.parametrize(
    ("moved", "answer", "missing"),
    [(7.0, "yes", None), (6.0, "no", 1.0), (5.0, "no", 2.0), (7.5, "no", None)],
)
def test_a_failed_charge_goes_as_far_as_its_own_die(
    moved: float, answer: str, missing: float | None
) -> None:
    battle = charged(8.0, 2, Sigma(0.02, 0.1))
    found = verdict(battle, moved, Sigma(0.02, 0.1))
    assert found["answer"] == answer
    assert found.get("missing") == (pytest.approx(missing) if missing else None)
    assert (found["over"] > 0.4) is (moved > 7.0)


@pytest.mark.rule("TMG-CHG-14", "TMG-CHG-17")
@pytest.mark.parametrize(
    ("moved", "why", "missing"), [(6.0, ["TMG-CHG-14"], 1.0), (3.0, [], 0.0), (7.0, [], 0.0)]
)
def test_a_charge_that_arrives_but_lies_short_is_that_charge_where_it_lies_near(
    moved: float, why: list[str], missing: float
) -> None:
    found = verdict(charged(7.0, 6, Sigma(0.02, 0.1)), moved, Sigma(0.02, 0.1))
    askew = found.get("askew", {"why": []})
    assert (found["answer"] == "yes") is (moved == 7.0)
    assert askew["why"] == why
    assert askew.get("missing", 0.0) == pytest.approx(missing)


def verdict(battle: Battle, moved: float, sigma: Sigma) -> dict[str, Any]:
    """What the screen says of the charger so many inches ahead of its start."""
    table = table_of(battle.state.table)
    there = table.moved("b1", Pose(24.0, 10.0 + moved, NORTH, sigma))
    found = SCREEN.entry_verdict(battle.state, there, "b1")
    assert found is not None
    return dict(found)
