"""Tactics cards are offered at their moment (TMG-DECK-3), with and without cards of paper."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.api.screen_views import PageCard
from companion.games.tmg.cards.army_catalogue import army_catalogue
from companion.games.tmg.play import PLAY
from companion.games.tmg.play.card_moments import (
    MOMENTS,
    Occasion,
    cards_now,
    moment_told,
    occasions,
)
from companion.games.tmg.screen import SCREEN
from companion.games.tmg.screen.board_pages import pages
from companion.games.tmg.screen.prompts import prompts
from tests.games.tmg.screen.test_action_offers import after
from tests.play.battle import Battle, battle_of

ARMIES = [
    {"side": "blue", "list": "stark;10201,20201,10203,30201"},
    {"side": "red", "list": "lannister;10101,20104,10102,30105"},
]


def battle(**more: Any) -> Battle:
    return Battle(armies=ARMIES, unchecked=True, **more).deployed()


def timed(state: Any, side: str, moment: str, whose: str, stage: str = "") -> set[str]:
    """The cards of a player's deck that the catalogue gives this moment."""
    player = next(one for one in state.players if one.side == side)
    names = {*player.deck, *player.hand}
    return {
        card.name
        for card in army_catalogue(state.game).cards.values()
        if card.name in names
        and any(
            (part.moment, part.whose) == (moment, whose) and part.stage in ("", stage)
            for part in card.timing
        )
    }


def with_all_cards(state: Any, side: str) -> Any:
    """The state in which a player holds one of each card of the deck."""
    player = next(one for one in state.players if one.side == side)
    every = tuple(dict.fromkeys((*player.deck, *player.hand)))
    return state.with_player(replace(player, hand=every))


@pytest.mark.rule("TMG-DECK-3")
def test_the_start_of_a_turn_offers_what_is_played_then() -> None:
    state = with_all_cards(battle().state, "blue")
    assert Occasion("turn-begins", "blue") in set(occasions(state))
    player = state.player("blue")
    now = set(cards_now(state, player))
    assert timed(state, "blue", "turn-begins", "friendly") <= now
    assert now.isdisjoint(timed(state, "blue", "melee-attack", "friendly", "before-dice"))
    assert now != set(player.hand), "some wait for their moment"


@pytest.mark.rule("TMG-DECK-3", "TMG-ATK-1")
def test_an_attack_offers_its_cards_to_the_right_side_at_the_right_time() -> None:
    fight = battle()
    fight.do("engage", unit="b1", **{"with": ["r1"]})
    fight.do("activate", unit="b1").do("action", action="attack", target="r1", zone="front")
    state = with_all_cards(with_all_cards(fight.state, "blue"), "red")
    assert Occasion("melee-attack", "blue", "before-dice", "b1") in set(occasions(state))
    blue, red = (set(cards_now(state, state.player(one))) for one in ("blue", "red"))
    assert timed(state, "blue", "melee-attack", "friendly", "before-dice") <= blue
    assert blue.isdisjoint(timed(state, "blue", "turn-begins", "friendly"))
    assert red.isdisjoint(timed(state, "red", "melee-attack", "friendly", "before-dice"))


@pytest.mark.rule("TMG-DECK-3")
def test_the_screen_puts_what_has_its_moment_first() -> None:
    state = with_all_cards(battle().state, "blue")
    now = cards_now(state, state.player("blue"))
    (prompt, *_) = prompts(state, "blue")
    looks = {
        str(one.commands[0]["card"]): one.look
        for one in prompt.choices
        if one.commands[0]["do"] == "play"
    }
    assert looks
    assert all((look != "folded") == (card in now) for card, look in looks.items())
    page = next(one for one in pages(state, "blue") if one.id == "cards")
    told = [card for section in page.sections for card in section.cards if card.icon == "letter"]
    assert [bool(card.lines) for card in told] == sorted(
        (bool(c.lines) for c in told), reverse=True
    )


@pytest.mark.rule("TMG-DECK-3", "TMG-DECK-4")
def test_a_card_of_paper_is_offered_by_its_name() -> None:
    fight = battle(paper=True)
    player = fight.state.player("blue")
    assert player.paper
    now = cards_now(fight.state, player)
    assert now, "the deck is known though the hand is not"
    options = [one for prompt in PLAY.options(fight.state) for one in prompt["options"]]
    assert {"do": "play", "player": "blue", "card": "tactics card", "name": now[0]} in options
    fight.do("play", player="blue", card="tactics card", name=now[0])
    after = fight.state.player("blue")
    assert (len(after.hand), len(after.discard)) == (len(player.hand) - 1, 1)
    assert after.paper


@pytest.mark.rule("TMG-PAN-7")
def test_a_panic_test_by_a_card_is_seldom_meant_while_the_dice_are_rolled() -> None:
    """Two large rows lay above "Continue" all through the attack: its own test comes by itself."""
    fight = charged()
    (card, *_) = fight.player("blue").hand
    fight.do("play", player="blue", card=card, trigger="by agreement")
    forms = [form for one in SCREEN.prompts(fight.state) for form in one.forms]
    asked = {str(form.text): form.look for form in forms if "Panic test for" in str(form.text)}
    assert len(asked) == 2
    assert set(asked.values()) == {"quiet"}


@pytest.mark.rule("TMG-DECK-5")
def test_a_card_of_paper_that_was_played_by_name_lies_open_and_the_others_stay() -> None:
    """The whole list was gone after one card, and the discard pile was a number."""
    fight = battle(paper=True)
    name, *_ = cards_now(fight.state, fight.state.player("blue"))
    fight.do("play", player="blue", card="tactics card", name=name)
    hand, pile = piles_of(fight)
    assert pile.lines == (name,)
    others = {str(one.commands[0].get("name")) for one in hand.choices} - {"None"}
    assert len(others) > 5, "what may be played by agreement, or soon, stays"
    assert {one.look for one in hand.choices if one.commands[0].get("name")} == {"folded"}
    fight.do("play", player="blue", card="tactics card", trigger="by agreement")
    assert [str(one.text) for one in piles_of(fight)[1].choices] == [
        "Took one back",
        f"Took {name} back",
    ]
    fight.refused(
        "TMG-DECK-1",
        "search",
        **{"player": "blue", "card": "tactics card", "from": "discard", "name": "No such card"},
    )
    fight.do("search", **{"player": "blue", "card": "tactics card", "from": "discard"})
    assert piles_of(fight)[1].lines == (name,), "it was the other one"
    fight.do("search", **{"player": "blue", "card": "tactics card", "from": "discard"})
    assert piles_of(fight)[1].lines == ()
    assert fight.folded() == fight.state


def piles_of(fight: Battle) -> tuple[PageCard, PageCard]:
    """Blue's hand and discard pile on the page of the cards."""
    (page,) = [one for one in SCREEN.pages(fight.state, None) if one.id == "cards"]
    found = {card.id: card for section in page.sections for card in section.cards}
    return found["blue:hand"], found["blue:discard"]


def with_hand(fight: Battle, player: str, *cards: str) -> Battle:
    """The battle in which a player holds these cards."""
    own = fight.state.player(player)
    fight.state = fight.state.with_player(replace(own, hand=cards))
    return fight


def charged() -> Battle:
    """Stark has charged and hit; the attack dice are to be rolled."""
    fight = battle()
    fight.do("activate", unit="b1")
    return fight.do("action", action="charge", zone="front", target="r1", faces=[6], success=True)


WINTER = "Winter Is Coming"


@pytest.mark.rule("TMG-TIM-1", "TMG-DECK-6")
def test_a_second_copy_is_not_played_for_the_same_trigger() -> None:
    fight = with_hand(charged(), "blue", WINTER, WINTER)
    assert cards_now(fight.state, fight.state.player("blue")) == (WINTER,)
    fight.do("play", player="blue", card=WINTER)
    assert cards_now(fight.state, fight.state.player("blue")) == ()
    fight.refused("TMG-TIM-1", "play", player="blue", card=WINTER)
    page = next(one for one in pages(fight.state, "blue") if one.id == "cards")
    told = [card for section in page.sections for card in section.cards if card.icon == "letter"]
    assert [str(one.text) for card in told for one in card.choices] == [
        f"Both agree: play {WINTER}"
    ]
    fight.do("play", player="blue", card=WINTER, trigger="by agreement")


@pytest.mark.rule("TMG-DECK-3")
def test_a_card_whose_moment_is_now_stands_beside_the_dice_of_its_holder() -> None:
    fight = with_hand(charged(), "blue", WINTER, "Northern Ferocity")

    def played(seat: str | None) -> list[str]:
        (prompt, *_) = prompts(fight.state, seat)
        assert prompt.id == "attack-dice"
        rows = (one for one in prompt.choices if one.look == "shown")
        return [str(row.commands[0]["card"]) for row in rows if row.commands[0]["do"] == "play"]

    assert WINTER in played("blue")
    assert played("red") == played(None) == []
    assert "play" not in fight.view()["pending"][0]["commands"]


@pytest.mark.rule("TMG-DECK-3", "TMG-DECK-5")
def test_who_may_interrupt_is_named_and_the_hand_is_not() -> None:
    fight = battle()
    told = "red may answer with a card first: ask"

    def facts(seat: str | None) -> list[str]:
        return [str(fact.text).lower() for fact in prompts(fight.state, seat)[0].facts]

    with_hand(fight, "red", "Wealth of the Rock")
    assert told not in facts(None)
    fight.do("activate", unit="bn1")
    assert told in facts(None)
    assert told in facts("blue")
    assert told not in facts("red")
    with_hand(fight, "red", "Intrigue and Subterfuge")
    assert told in facts(None), "the same words, whatever the hand"
    shown = [one.commands[0] for one in prompts(fight.state, "red")[0].choices]
    assert {"do": "play", "player": "red", "card": "Intrigue and Subterfuge"} in shown
    with_hand(fight, "red")
    assert told not in facts(None)


@pytest.mark.rule("TMG-DECK-3", "TMG-TIM-3")
def test_a_card_that_is_played_is_the_moment_of_counterplot() -> None:
    fight = with_hand(charged(), "blue", WINTER)
    with_hand(fight, "red", "Counterplot")
    assert cards_now(fight.state, fight.state.player("red")) == ()
    fight.do("play", player="blue", card=WINTER)
    assert cards_now(fight.state, fight.state.player("red")) == ("Counterplot",)
    facts = [str(fact.text) for fact in prompts(fight.state, None)[0].facts]
    assert any("may answer with a card" in fact for fact in facts)
    fight.do("play", player="red", card="Counterplot")
    assert cards_now(fight.state, fight.state.player("red")) == ()


@pytest.mark.rule("TMG-ORD-2", "TMG-PAN-7", "TMG-ATK-17")
def test_an_order_after_an_attack_leads_to_its_test() -> None:
    fight = battle()
    fight.do("engage", unit="b1", **{"with": ["r1"]})
    fight.do("activate", unit="b1").do("action", action="attack", target="r1", zone="front")
    fight.do("attack-result", wounds=0)
    assert fight.waits()[0] == "attack-completed"

    def prompt() -> Any:
        return prompts(fight.state, None)[0]

    assert not any("Panic test for" in str(form.text) for form in prompt().forms)
    orders = {one.commands[0]["unit"]: one.look for one in prompt().choices if ordered(one)}
    assert all((look == "shown") == (unit in ("b1", "r1")) for unit, look in orders.items())
    gold = [str(one.text) for one in prompt().choices if one.look == "primary"]
    assert gold == [], "going on would take an order away from whoever has one"
    fight.do("order", unit="r1", order="Lannister Supremacy", another=True)
    gold = [str(one.text) for one in prompt().choices if one.look == "primary"]
    assert gold == [], "going on is not the useful step before the order is carried out"
    assert prompt().text == (
        "Do what “Lannister Supremacy” says: enter it here or at a unit, then go on."
    )
    tests = {str(form.text): form for form in prompt().forms if "Panic test for" in str(form.text)}
    assert set(tests) == {"Panic test for Stark Sworn Swords", "Panic test for Lannister Guardsmen"}
    assert {form.look for form in tests.values()} == {"plain"}, "the order asks for one now"
    command = dict(tests["Panic test for Stark Sworn Swords"].command)
    fight.do(command.pop("do"), **command, modifier=-1, extra=1)
    assert "Do what" not in str(prompts(fight.state, None)), "it is being done"
    (trial,) = fight.state.trials
    assert (trial.unit, trial.extra) == ("b1", 1)
    assert "Lannister Supremacy" in str(trial)
    fight.do("panic", total=12, d3=1)
    left = {str(form.text) for form in prompt().forms if "Panic test for" in str(form.text)}
    assert left == {"Panic test for Lannister Guardsmen"}, "that of the other is done"
    gold = [str(one.text) for one in prompt().choices if one.look == "primary"]
    assert gold == ["Continue and end the turn"]


@pytest.mark.rule("TMG-ORD-2", "TMG-PAN-7")
def test_an_order_before_the_dice_of_an_attack_is_offered_there() -> None:
    """Set For Charge is used as the charger arrives: the defender is asked before the dice."""
    fight = battle_of("GOT")
    fight.do("activate", unit="b1")
    fight.do("action", action="charge", target="r2", distance=6, zone="front", faces=[6])
    asked = prompts(fight.state, None)[0]
    assert asked.id == "attack-dice"
    rows = [one for one in asked.choices if ordered(one)]
    assert [(one.commands[0]["unit"], one.look) for one in rows] == [("r2", "folded")]
    assert any(form.text == "An order that is not listed" for form in asked.forms)
    sent(fight, rows[0].commands[0])
    asked = prompts(fight.state, None)[0]
    test = next(one for one in asked.forms if one.text == "Panic test for Stark Sworn Swords")
    sent(fight, test.command)
    assert [one.unit for one in fight.state.trials] == ["b1"]


def sent(fight: Battle, command: Any) -> None:
    word, fields = command["do"], {key: command[key] for key in command if key != "do"}
    fight.do(word, **fields)


def ordered(choice: Any) -> bool:
    return bool(choice.commands[0]["do"] == "order")


@pytest.mark.rule("TMG-DECK-3", "TMG-ACT-5")
def test_a_card_that_is_played_says_what_now_until_it_is_done() -> None:
    fight = with_hand(battle(), "blue", WINTER, "Counterplot")
    fight.do("activate", unit="b1").do("action", action="forgo")

    def asked() -> tuple[str, list[str]]:
        (prompt,) = prompts(fight.state, None)
        return str(prompt.text), [one.text for one in prompt.choices if one.look == "primary"]

    usual = asked()
    assert usual[1]
    fight.do("play", player="blue", card=WINTER)
    told = f"Do what “{WINTER}” says: enter it here or at a unit, then go on."
    assert asked() == (told, [])
    fight.do("wounds", unit="r1", wounds=1, why=WINTER)
    assert asked() == usual, "what it does is entered"
    # before dice it stands beside the roll
    fight = with_hand(charged(), "blue", WINTER)
    fight.do("play", player="blue", card=WINTER)
    facts = [(str(fact.text), fact.tone) for fact in prompts(fight.state, None)[0].facts]
    assert facts[0] == (told, "warn")
    fight.do("roll")
    assert told not in str(prompts(fight.state, None))


@pytest.mark.rule("TMG-ORD-1")
def test_a_step_with_a_card_an_order_or_an_ability_says_what_follows() -> None:
    fight = battle()
    fight.do("activate", unit="b1").do("action", action="forgo")
    for word, fields in (
        ("order", {"unit": "b1", "order": "Hold", "another": True}),
        ("ability", {"unit": "b1", "name": "Stubborn"}),
    ):
        before, logged = fight.state, len(fight.log)
        fight.do(word, **fields)
        told = SCREEN.outcome(before, fight.log[logged:], fight.state)
        assert told is not None
        assert str(told.follows) == "Now do what it says."
        assert [one.look for one in prompts(fight.state, None)[0].choices].count("primary") == 0


@pytest.mark.rule("TMG-DECK-3", "TMG-PAN-4")
def test_a_test_told_by_its_sum_is_a_moment_too() -> None:
    fight = battle()
    fight.do("test", unit="b1", why="a card").do("panic", total=2, d3=1)
    assert Occasion("panic-test", "blue", "failed", "b1") in set(occasions(fight.state))
    assert Occasion("morale-test", "blue", "failed", "b1") in set(occasions(fight.state))
    fight.do("test", unit="b1", why="a card").do("panic", total=12, d3=1)
    assert Occasion("panic-test", "blue", "passed", "b1") in set(occasions(fight.state))
    assert Occasion("panic-test", "blue", "failed", "b1") not in set(occasions(fight.state))


@pytest.mark.rule("TMG-DECK-3")
def test_a_card_of_another_moment_says_when_it_is_played_and_is_not_gold() -> None:
    state = with_all_cards(battle().state, "blue")
    (page,) = [one for one in pages(state, "blue") if one.id == "cards"]
    boxes = {box.title: box for section in page.sections for box in section.cards if box.secret}
    now = set(cards_now(state, state.player("blue")))
    for card in timed(state, "blue", "melee-attack", "friendly", "before-dice") - now:
        box = boxes[card]
        (told,) = box.lines
        assert told.startswith("not its moment: ")
        assert "when your unit attacks in melee, before the dice" in told
        assert [one.look for one in box.choices] == ["folded"], "two taps, without gold"
    for card in now:
        assert boxes[card].lines == ("Its moment is now",)
        assert boxes[card].choices[0].look == "shown"


@pytest.mark.rule("TMG-TIM-1")
def test_a_second_card_for_a_trigger_says_that_the_trigger_is_used() -> None:
    fight = battle()
    fight.do("engage", unit="b1", **{"with": ["r1"]})
    fight.do("activate", unit="b1").do("action", action="attack", target="r1", zone="front")
    state = with_all_cards(fight.state, "blue")
    first, second = sorted(timed(state, "blue", "melee-attack", "friendly", "before-dice"))[:2]
    state = after(state, {"do": "play", "player": "blue", "card": first})
    told = moment_told(state, state.player("blue"), second)
    assert told == "its moment is used: one card for each trigger"


@pytest.mark.rule("TMG-ORD-2")
def test_an_order_whose_text_is_printed_is_offered_at_its_moment_alone() -> None:
    """Lannister Supremacy: after an enemy completed an attack on the unit."""

    def looks() -> dict[str, str]:
        rows = (one for prompt in prompts(fight.state, None) for one in prompt.choices)
        return {
            str(one.commands[0]["order"]): one.look
            for one in rows
            if ordered(one) and one.commands[0]["unit"] == "r1"
        }

    fight = battle()
    fight.do("engage", unit="b1", **{"with": ["r1"]})
    fight.do("activate", unit="b1").do("action", action="attack", target="r1", zone="front")
    assert "Lannister Supremacy" not in looks(), "not before the dice"
    fight.do("attack-result", wounds=0)
    assert looks()["Lannister Supremacy"] == "shown"


@pytest.mark.rule("TMG-DECK-3")
def test_before_a_panic_test_its_cards_have_their_moment() -> None:
    fight = battle()
    fight.do("test", unit="r1", kind="panic")
    happening = set(occasions(fight.state))
    for stage in ("before-it-resolves", "before-dice"):
        assert Occasion("panic-test", "red", stage, "r1") in happening


@pytest.mark.parametrize("season", ["S05", "S07"])
def test_every_moment_of_every_card_is_told_in_words(season: str) -> None:
    for card in army_catalogue("tmg-2021", season).cards.values():
        for part in card.timing:
            assert (part.moment, part.whose) in MOMENTS, card.name
