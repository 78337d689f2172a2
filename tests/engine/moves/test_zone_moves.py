"""The Combat zone's free attack with what a hand does first: a shift, or a turn (TMG-ZON-4)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.session.game_lookup import find_screen
from companion.session.game_view import public_view
from models import Pose, Table
from tests.engine.moves.test_seen_charges import Hand

SHOOTER, FLANKED, FOE = "b2", "b3", "r1"


@pytest.fixture
def hand(tmp_path: Path) -> Iterator[Hand]:
    made = Hand(tmp_path)
    yield made
    made.session.close()


def table_of(hand: Hand) -> Table:
    here: Any = hand.game.here
    table = here.play.moment(here.state).table
    assert isinstance(table, Table)
    return table


def claimed(hand: Hand) -> None:
    """An NCU has claimed Combat."""
    here: Any = hand.game.here
    own = next(one.id for one in here.state.ncus if one.side == here.state.active)
    for command in ({"do": "activate", "unit": own}, {"do": "claim", "zone": "combat"}):
        answer = hand.session.answer(command)
        assert answer["ok"], answer
    here = hand.game.here
    hand.game.publish(table=table_of(hand), view=public_view(find_screen(here.game), here))


def accepted(hand: Hand, unit: str, way: Any) -> Any:
    """The game after the notice's button was tapped."""
    hand.queue.accept(unit, way.kind, way.commands)
    for command in hand.sent[0][0]:
        answer = hand.session.answer(dict(command))
        assert answer["ok"], answer
    return hand.game.here


@pytest.mark.rule("TMG-ZON-4", "TMG-RNG-5", "TMG-RNG-7")
def test_a_shift_by_hand_begins_the_free_shot_of_the_combat_zone(hand: Hand) -> None:
    claimed(hand)
    start = hand.table.unit(SHOOTER).pose
    end = Pose(*start.ahead(1.5), start.heading)
    hand.queue.explain(SHOOTER, end)
    (notice,) = hand.game.snapshot.notices
    assert {one.kind for one in notice.actions} == {"shift"}, notice
    here = accepted(hand, SHOOTER, notice.actions[0])
    assert here.state.attack.attacker == SHOOTER
    assert here.play.moment(here.state).table.unit(SHOOTER).pose == end
    assert not [one for one in here.state.declared if one.unit == SHOOTER]


@pytest.mark.rule("TMG-ZON-4", "TMG-MEL-3", "TMG-MEL-5")
def test_a_turn_by_hand_begins_the_free_attack_of_the_combat_zone(hand: Hand) -> None:
    own, foe = hand.table.unit(FLANKED), hand.table.unit(FOE)
    away = (own.tray.width + foe.tray.depth) / 2
    place = Pose(*own.pose.ahead(0.0, away), own.pose.heading - 90)
    table = hand.table.moved(FOE, place)
    answer = hand.session.answer({"do": "table", "table": table.to_json(), "units": [FOE]})
    assert answer["ok"], answer
    claimed(hand)
    rows = [
        one
        for prompt in hand.game.snapshot.prompts
        for one in prompt.choices
        if one.piece == FLANKED and one.commands[0].get("turned")
    ]
    assert len(rows) == 1
    (end,) = [pose for _unit, pose in rows[0].ends[0].poses]
    hand.queue.explain(FLANKED, end)
    (notice,) = hand.game.snapshot.notices
    assert [(one.kind, one.commands[0]["turned"]) for one in notice.actions] == [("melee", True)]
    here = accepted(hand, FLANKED, notice.actions[0])
    assert (here.state.attack.attacker, here.state.attack.defender) == (FLANKED, FOE)
    assert not [one for one in here.state.declared if one.unit == FLANKED], "it has turned"
    turned = here.play.moment(here.state).table.unit(FLANKED).pose
    assert turned.heading == pytest.approx(end.heading)
