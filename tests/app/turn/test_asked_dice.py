"""What an attack asks at the table, by touch: single dice rolled again, orders behind one row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.scripted.driver import Driver
from companion.app.turn.prompt_cards import dice_row
from companion.app.widgets.controls import TouchButton
from companion.app.widgets.icon import Die, NumberDie
from companion.games.api.prompt import Choice
from companion.games.tmg.play import practice_game
from companion.overlay.footprints import outlines
from tests.app.conftest import opened
from tests.app.moving.test_due_moves import melee


@pytest.fixture
def fight(tmp_path: Path) -> Iterator[Driver]:
    """Two units in melee, on the map; blue's is weakened and attacks, its dice lie."""
    made = opened(tmp_path, (1280, 800))
    service, table = made.app.service, melee()

    def begin() -> None:
        command = practice_game.set_up(table)
        assert service.controller.begin(command, "game")
        service.controller.do(practice_game.opening(table))
        attack = {"do": "action", "action": "attack", "target": "r7"}
        service.controller.do(
            (
                {"do": "token", "unit": "b6", "token": "weakened", "by": "red"},
                {"do": "activate", "unit": "b6"},
                {**attack, "ranged": False, "turned": False, "zone": "front"},
            )
        )

    service.ask(begin)
    made.app.go("table")
    made.rest()
    yield made
    made.stop()


def gold(driver: Driver) -> list[str]:
    return [one.name for one in driver.widgets() if getattr(one, "look", "") == "primary"]


@pytest.mark.rule("TMG-CON-7")
def test_single_dice_are_tapped_to_be_rolled_again(fight: Driver) -> None:
    service = fight.app.service
    asked = service.snapshot.prompts[0].dice
    assert asked is not None
    fight.press("dice:faces")
    for face in (6, 5, *([1] * (asked.count - 2))):
        fight.press(f"die:{face}")
    assert service.snapshot.prompts[0].rolled[:2] == (6, 5)
    fight.press("places:0")
    fight.press("places:1")
    fight.press("places:1")  # no longer
    fight.press("send:reroll")
    fight.press("die:2")
    assert service.snapshot.prompts[0].rolled[:3] == (2, 5, 1)


def test_where_the_app_rolls_gold_is_the_last_key(fight: Driver) -> None:
    """A finger that knows where gold lies meets it there, also beside rows to choose from."""
    service = fight.app.service
    choose = Choice("Somebody else", ({"do": "continue"},), "shown")
    snapshot = service.snapshot
    asked = replace(snapshot.prompts[0], choices=(choose,), forms=())
    assert snapshot.view is not None
    shown = replace(snapshot.view, prompts=(asked,))
    fight.app.prefer(replace(service.preferences, dice="app"))
    service.controller.game.publish(view=shown)
    fight.rest()
    assert gold(fight) == ["app-rolls"]
    assert "choose-first" not in fight.names()


def to_the_end_of_the_turn(driver: Driver) -> None:
    """All dice by the app, nothing else."""
    service = driver.app.service
    for _step in range(20):
        prompt = service.snapshot.prompts[0]
        if prompt.id == "end-of-turn":
            break
        dice = prompt.dice
        service.do({**dice.command, "keep": True} if dice else {"do": "continue"})
        driver.rest()


@pytest.mark.slow
@pytest.mark.rule("TMG-ORD-1")
def test_orders_lie_behind_one_row(fight: Driver) -> None:
    to_the_end_of_the_turn(fight)
    orders = [name for name in fight.names() if name.startswith("choice:order")]
    assert orders == []
    fight.press("unfold-choices")
    orders = [name for name in fight.names() if name.startswith("choice:order")]
    assert orders
    fight.press(orders[0])
    assert orders[0] in fight.names()  # the row only shows, gold does
    fight.press("do-choice")
    assert orders[0] not in fight.names()  # once a round
    view = fight.app.service.snapshot.view
    assert view is not None
    assert view.outcome is not None
    assert "order" in str(view.outcome.text)


@pytest.mark.slow
@pytest.mark.rule("TMG-NCU-5", "TMG-ZON-2")
def test_a_zone_says_what_it_does_and_no_gold_opens_a_page(fight: Driver) -> None:
    to_the_end_of_the_turn(fight)
    service = fight.app.service
    service.do({"do": "end-turn"})
    service.do({"do": "activate", "unit": "rn1"})
    fight.rest()
    words = " ".join(getattr(one, "text", "") for one in fight.widgets())
    assert "panic test at -1" in words
    assert "unit:rn1" not in fight.names()  # it is asked where to go, not chosen
    assert "choice:forgo" in fight.names()
    assert gold(fight) == []
    place = fight.place(fight.find("choose-first"))
    fight.press("choose-first")
    words = " ".join(str(getattr(one, "text", "")) for one in fight.widgets())
    assert "Choose a row above" in words, "it says what it waits for"
    fight.press("choice:claim:crown")
    assert gold(fight) == ["do-choice"]
    assert fight.place(fight.find("do-choice")) == pytest.approx(place, abs=20)
    fight.press("do-choice")
    assert service.snapshot.prompts[0].id == "zone"
    assert "unit:rn1" not in fight.names()
    assert "to-page" not in gold(fight)
    targets = [name for name in fight.names() if name.startswith("choice:zone-effect:")]
    fight.press(targets[0])
    unit = targets[0].rpartition(":")[2]
    table, pane = service.snapshot.table, fight.app.screen.panes[0]
    assert table is not None
    assert pane._aimed[1] == outlines(table)[unit]  # the row marks its unit on the table
    assert service.snapshot.prompts[0].id == "zone"


@pytest.mark.slow
@pytest.mark.rule("TMG-ZON-5")
def test_tactics_asks_for_the_unit_then_for_its_token(fight: Driver) -> None:
    to_the_end_of_the_turn(fight)
    service = fight.app.service
    service.do({"do": "end-turn"})
    service.do({"do": "activate", "unit": "rn1"})
    service.do({"do": "claim", "zone": "tactics"})
    fight.rest()
    assert "choice:zone-effect:b6:panicked" not in fight.names()
    fight.press("ways:b6")
    assert service.snapshot.chosen == "b6"
    fight.press("choice:zone-effect:b6:panicked")
    assert service.snapshot.prompts[0].id == "zone"
    fight.press("do-choice")
    assert "panicked" in service.snapshot.state["units"]["b6"]["tokens"]


@pytest.mark.slow
def test_a_card_in_hand_is_shown_first_and_played_by_a_second_tap(fight: Driver) -> None:
    to_the_end_of_the_turn(fight)
    service = fight.app.service
    fight.press("dock:page:cards")
    fight.press("hand:blue")
    fight.press("uncover")
    fight.until(lambda: fight.find("uncover") is None)
    fight.rest()
    cards = [name for name in fight.names() if name.startswith("choice:play:")]
    held = service.snapshot.state["players"]["blue"]["hand"]
    fight.press(cards[0])
    fight.press(cards[1])
    assert fight.names().count("do-choice") == 1, "one at a time"
    words = [one.text for one in fight.widgets() if isinstance(one, TouchButton)]
    played = [one for one in words if one.startswith("Play ")]
    assert len(played) == len(set(played)), "no two buttons with the same words"
    assert words.count("Not now") == 1
    fight.press(cards[1])
    assert "do-choice" not in fight.names(), "taken back"
    fight.press(cards[1])
    assert gold(fight) == [], "it is not their moment"
    fight.press("do-choice")
    fight.rest()
    assert service.snapshot.state["players"]["blue"]["hand"] == held - 1


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de", "ru"])
@pytest.mark.parametrize("step", ["attack", "many", "test"])
def test_on_a_small_screen_the_keys_of_dice_are_on_the_card(
    fight: Driver, language: str, step: str
) -> None:
    from kivy.core.window import Window

    Window.size = (1024, 600)
    fight.app.prefer(replace(fight.app.service.preferences, language=language))
    if step == "many":
        many = {"do": "modify", "what": "dice", "name": "a card", "value": 4}
        fight.app.service.do(many)
    if step == "test":
        fight.app.service.do({"do": "attack-result", "wounds": 1})
    fight.steps(8)
    fight.rest()
    asked = fight.app.service.snapshot.prompts[0].dice
    assert asked is not None
    rows = fight.app.screen.panel.rows
    keys = [one for one in fight.widgets() if str(getattr(one, "name", "")).startswith("count:")]
    assert len(keys) >= asked.count
    low, high = rows.to_window(rows.x, rows.y)[1], rows.to_window(rows.x, rows.top)[1]
    for key in keys:
        bottom = key.to_window(key.x, key.y)[1]
        assert low - 1 <= bottom < bottom + key.height <= high + 1, (key.name, bottom, low, high)


@pytest.mark.rule("TMG-NCU-3")
def test_a_claim_on_the_page_of_the_board_leads_back_to_its_effect(tmp_path: Path) -> None:
    made = opened(tmp_path, (1280, 800))
    service, table = made.app.service, melee()

    def begin() -> None:
        assert service.controller.begin(practice_game.set_up(table), "game")
        service.controller.do(practice_game.opening(table))

    service.ask(begin)
    made.app.go("table")
    made.rest()
    made.app.go("page:board")
    made.rest()
    made.press("choice:activate:bn1")
    assert made.app.place == "page:board", "a zone is claimed there"
    assert any("Acts now" in getattr(one, "text", "") for one in made.widgets())
    made.press(next(name for name in made.names() if name.endswith(":wealth")))
    made.press("do-choice")
    assert service.snapshot.prompts[0].id == "zone"
    assert made.app.place == "table"
    made.stop()


def test_dice_of_ten_sides_are_never_drawn_with_pips() -> None:
    """Of 2, 4 and 7 two had pips, and the third was a bare number."""
    shown = [type(one) for one in dice_row((2, 4, 7), 10).children]
    assert shown == [NumberDie] * 3
    assert [type(one) for one in dice_row((2, 4)).children] == [Die] * 2
