"""The trigger a card or an order names is kept with its use, and stays its owner's business."""

from __future__ import annotations

import pytest

from tests.play.battle import Battle

EDITIONS = ("2021", "2018")
WHEN = "when a friendly unit attacks"
AFTER = "after a unit was attacked"


@pytest.mark.rule("TMG-DECK-3")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_card_is_played_on_its_trigger(year: str) -> None:
    battle = Battle("GOT", year).deployed()
    first, second, third = battle.player("blue").hand
    battle.do("play", player="blue", card=first, trigger=WHEN, unit="b1")
    (played,) = [event for event in battle.log if event.type == "played"]
    assert (played.data["card"], played.data["trigger"]) == (first, WHEN)
    battle.refused("TMG-TIM-1", "play", player="blue", card=second, trigger=WHEN)
    assert battle.player("blue").hand == (second, third)
    battle.do("play", player="blue", card=second, trigger=AFTER)
    battle.do("play", player="blue", card=third)
    assert battle.player("blue").discard == (first, second, third)


@pytest.mark.rule("TMG-DECK-3")
@pytest.mark.parametrize("year", EDITIONS)
def test_a_trigger_that_one_player_used_is_open_to_the_other(year: str) -> None:
    battle = Battle("GOT", year).deployed()
    battle.do("play", player="blue", card=battle.player("blue").hand[0], trigger=WHEN)
    battle.do("play", player="red", card=battle.player("red").hand[0], trigger=WHEN)
    battle.refused(
        "TMG-TIM-1", "play", player="red", card=battle.player("red").hand[0], trigger=WHEN
    )


@pytest.mark.rule("TMG-DECK-3")
def test_only_a_card_in_hand_is_played() -> None:
    battle = Battle().deployed()
    deck = battle.player("blue").deck
    lacking = next(card for card in deck if card not in battle.player("blue").hand)
    battle.refused("TMG-DECK-3", "play", player="blue", card=lacking, trigger=WHEN)
    assert not [event for event in battle.log if event.type == "played"]


@pytest.mark.rule("TMG-ORD-2")
@pytest.mark.parametrize("year", EDITIONS)
def test_an_order_is_used_on_its_trigger(year: str) -> None:
    battle = Battle("GOT", year).deployed()
    battle.do("order", unit="b1", order="Hold", trigger=WHEN)
    (used,) = [event for event in battle.log if event.type == "order"]
    assert (used.data["unit"], used.data["order"], used.data["trigger"]) == ("b1", "Hold", WHEN)
    battle.refused("TMG-TIM-1", "order", unit="b2", order="Volley", trigger=WHEN)
    battle.refused(
        "TMG-TIM-1", "play", player="blue", card=battle.player("blue").hand[0], trigger=WHEN
    )
    battle.do("order", unit="b2", order="Volley", trigger=AFTER)
    battle.do("order", unit="r1", order="Volley", trigger=WHEN)
    assert battle.view()["units"]["b2"]["orders_used"] == ["Volley"]


@pytest.mark.rule("TMG-ORD-2", "TMG-TIM-5")
@pytest.mark.parametrize("year", EDITIONS)
def test_who_declined_the_trigger_uses_no_order_on_it(year: str) -> None:
    battle = Battle("GOT", year).deployed().do("decline", player="blue", trigger=WHEN)
    battle.refused("TMG-TIM-5", "order", unit="b1", order="Hold", trigger=WHEN)
    battle.do("order", unit="b1", order="Hold", trigger=AFTER)
