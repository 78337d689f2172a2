"""Marshaling, costs, unique cards and duplicates, attachments, ambush, events."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Refusal
from companion.games.thrones.play import PLAY
from companion.games.thrones.play.commands.window_commands import take_opportunity
from companion.games.thrones.play.context import ThronesContext
from companion.games.thrones.screen import SCREEN
from tests.games.thrones.decks import CARDS, DECK, challenges, game
from tests.games.thrones.driver import CardGame


def marshaling(**asked: Any) -> CardGame:
    """p1 is active in AW3 with the plain plot's 5 gold."""
    found = game(**asked)
    return found.plots(p1="Plain Plot", p2="Plain Plot").until("AW3")


# -- income and costs ------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-MAR-2", "AGOT-MAR-8", "AGOT-MAR-13", "AGOT-V-7", "AGOT-TOK-3",
                  "AGOT-TOK-4", "AGOT-TOK-5", "AGOT-INI-5", "AGOT-INI-10")  # fmt: skip
def test_income_and_what_is_left_of_it() -> None:
    found = game()
    for _ in range(2):
        found.do("modify", target="p1", stat="gold", value=1, until="round")
    found.put("p1", "King")
    found.plots(p1="Plain Plot", p2="Plain Plot").until("AW3")
    assert found.house("p1").gold == 7
    found.do("marshal", card="Strength 4").do("marshal", card="Strength 2")
    found.do("marshal", card="King")
    assert found.house("p1").gold == 1
    assert found.state.card("c1").duplicates == ("ki",)


@pytest.mark.rule("AGOT-MAR-4", "AGOT-MAR-5", "AGOT-MAR-6", "AGOT-ORD-16")
def test_only_the_active_player_marshals_any_number_of_cards() -> None:
    found = marshaling()
    assert found.refused("marshal", seat="p2", card="Strength 1") == "AGOT-MAR-4"
    for _ in range(3):
        found.do("marshal", card="Strength 1")
    assert found.house("p1").hand == 6
    found.do("pass", all=True).do("pass", all=True)
    assert (found.state.active, found.state.window and found.state.window.holder) == ("p2", "p1")
    found.do("marshal", seat="p2", card="Strength 1")
    assert found.refused("marshal", seat="p1", card="Strength 1") == "AGOT-MAR-4"


@pytest.mark.rule("AGOT-MAR-4", "AGOT-MAR-6")
def test_after_a_marshaled_card_the_other_may_act_or_the_active_player_goes_on() -> None:
    found = marshaling()
    (prompt,) = SCREEN.prompts(found.state)
    assert prompt.seats == ("p1",)
    found.do("marshal", card="Strength 1")
    (prompt,) = SCREEN.prompts(found.state)
    assert prompt.seats == ("p2", "p1")
    assert prompt.title == "Marshaling: Boris may act, or Anna marshals on"
    (alone,) = (one for one in prompt.choices if one.commands[0].get("seat") == "p2")
    assert alone.by == ("p2",)


@pytest.mark.rule("AGOT-MAR-4")
def test_cards_are_marshaled_in_the_marshaling_phase_only() -> None:
    assert challenges().refused("marshal", card="Strength 1") == "AGOT-MAR-4"


@pytest.mark.rule("AGOT-INI-3", "AGOT-INI-4", "AGOT-MAR-8", "AGOT-MOD-7")
def test_a_card_must_be_paid_in_full_after_all_modifiers() -> None:
    found = marshaling()
    assert found.refused("marshal", card="Strength 6") == "AGOT-INI-3"
    found.do("marshal", card="Strength 6", reduce=1)
    assert found.house("p1").gold == 0
    found.do("modify", target="p1", stat="cost", value=-9)
    found.do("marshal", card="Strength 7")
    assert found.house("p1").gold == 0


@pytest.mark.rule("AGOT-CARD-4", "AGOT-INI-11", "AGOT-INI-12")
def test_own_standing_cards_kneel_to_reduce_a_cost() -> None:
    found = marshaling()
    castle, his = found.put("p1", "Castle"), found.put("p2", "Castle")
    assert found.refused("marshal", card="Strength 6", reduce=1, kneel=[his]) == "AGOT-INI-11"
    found.do("marshal", card="Strength 3", reduce=1, kneel=[castle])
    assert (found.house("p1").gold, found.card(castle).kneeling) == (3, True)
    assert found.refused("marshal", card="Strength 1", reduce=1, kneel=[castle]) == "AGOT-CARD-4"


@pytest.mark.rule("AGOT-GEN-9", "AGOT-GEN-10", "AGOT-MOD-1")
def test_x_is_chosen_first_and_modifiers_change_what_is_paid() -> None:
    found = marshaling()
    found.do("modify", target="p1", stat="cost", value=-1)
    found.do("event", card="Costly Trick", x=3)
    assert found.house("p1").gold == 3
    found.do("event", card="Costly Trick")
    assert found.house("p1").gold == 3, "X is 0 without a choice"
    card = found.put("p1", "Unknown Strength")
    assert found.strength(card) == 0
    found.do("modify", target=card, stat="strength", operation="set", value=4)
    assert found.strength(card) == 4


@pytest.mark.rule("AGOT-MAR-7", "AGOT-MAR-14", "AGOT-ZONE-3", "AGOT-CARD-3")
def test_what_can_be_marshaled_enters_play_standing() -> None:
    found = marshaling()
    assert found.refused("marshal", card="Trick") == "AGOT-MAR-7"
    assert found.refused("marshal", card="Nobody") == "INPUT"
    assert found.refused("marshal", card="No Price") == "AGOT-MAR-8"
    found.do("marshal", card="Strength 1")
    assert (found.card("c1").kneeling, found.card("c1").controller) == (False, "p1")
    found.set("p1", "hand", 0)
    assert found.refused("marshal", card="Strength 1") == "AGOT-MAR-7"


def test_a_fourth_copy_and_a_misspelt_name_are_refused() -> None:
    found = marshaling()
    for _ in range(3):
        found.do("marshal", card="Strength 0")
    assert found.refused("marshal", card="Strength 0") == "INPUT"


@pytest.mark.rule("AGOT-MAR-9", "AGOT-MAR-10", "AGOT-CMP-6", "AGOT-CMP-7")
def test_characters_and_locations_have_their_rows() -> None:
    from companion.games.thrones.screen import SCREEN

    found = marshaling().do("marshal", card="Strength 1").do("marshal", card="Castle")
    front, back = SCREEN.pages(found.state)[0].sections[:2]
    assert [one.title for one in front.cards] == ["Strength 1"]
    assert [one.title for one in back.cards] == ["Castle"]


# -- limited ---------------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-KEY-21", "AGOT-KEY-22", "AGOT-V-48", "AGOT-CARD-12")
def test_one_limited_card_a_round_and_put_into_play_does_not_count() -> None:
    found = marshaling().do("marshal", card="Limited 1")
    found.put("p1", "Limited 2")
    assert found.refused("marshal", card="Limited 3") == "AGOT-KEY-21"
    assert found.refused("event", seat="p1", card="Limited Trick") == "AGOT-KEY-21"
    found.until("1.2").plots().until("AW3").do("marshal", card="Limited 3")


@pytest.mark.rule("AGOT-KEY-22")
def test_a_limited_card_may_be_marshaled_after_one_put_into_play() -> None:
    found = marshaling()
    found.put("p1", "Limited 2")
    found.do("marshal", card="Limited 1")


# -- unique cards ----------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-UNI-1", "AGOT-UNI-2", "AGOT-UNI-8", "AGOT-UNI-9", "AGOT-UNI-10",
                  "AGOT-MAR-12", "AGOT-CARD-13", "AGOT-UNI-12")  # fmt: skip
def test_further_copies_become_duplicates() -> None:
    found = marshaling().do("marshal", card="Hero")
    found.do("marshal", card="Hero")
    assert found.titles == ["Anna adds a duplicate to Hero"]
    found.do("put-into-play", seat="p1", card="Hero")
    hero = found.card("c1")
    assert (len(hero.duplicates), len(found.state.cards)) == (2, 1)
    assert not list(found.state.attached("c1"))
    found.put("p2", "Hero")
    assert len(found.state.cards) == 2, "an opponent may have an own copy"


@pytest.mark.rule("AGOT-UNI-11", "AGOT-GEN-6")
def test_another_version_of_the_title_serves_as_duplicate() -> None:
    from tests.games.thrones.decks import CARDS, DECK

    cards = [{**one, "pack": one["code"]} if one["name"] == "Hero" else one for one in CARDS]
    lists = dict.fromkeys(("p1", "p2"), DECK.replace("3x Hero", "1x Hero (he)\n1x Hero (he2)"))
    found = CardGame(decks=lists, cards=cards, unchecked=True)
    found.put("p1", "he")
    found.put("p1", "he2")
    assert found.card("c1").facts.code == "he"
    assert found.card("c1").duplicates == ("he2",)
    assert found.strength("c1") == 5


@pytest.mark.rule("AGOT-UNI-3", "AGOT-UNI-1")
def test_nobody_takes_control_of_a_second_copy() -> None:
    found = game()
    found.put("p1", "Hero")
    his = found.put("p2", "Hero")
    assert found.refused("control", card=his, seat="p1") == "AGOT-UNI-3"
    found.do("leave", cards=["c1"], how="discarded", save="none")
    found.do("control", card=his, seat="p1")
    assert found.card(his).controller == "p1"
    assert found.refused("put-into-play", seat="p1", card="Hero") == "AGOT-UNI-1"
    assert found.refused("put-into-play", seat="p2", card="Hero") == "AGOT-UNI-1"


@pytest.mark.rule("AGOT-UNI-4", "AGOT-UNI-5")
def test_a_dead_unique_character_keeps_its_copies_out() -> None:
    found = marshaling()
    found.put("p1", "Hero")
    found.do("leave", cards=["c1"], how="killed")
    assert found.house("p1").dead == ("he",)
    assert found.refused("marshal", card="Hero") == "AGOT-UNI-4"
    assert found.refused("put-into-play", seat="p1", card="Hero") == "AGOT-UNI-4"
    his = found.put("p2", "Hero")
    assert found.refused("control", card=his, seat="p1") == "AGOT-UNI-4"
    found.put("p1", "Hero", **{"from": "dead"})
    assert found.house("p1").dead == ()


# -- attachments -----------------------------------------------------------------------------------


@pytest.mark.rule("AGOT-MAR-11", "AGOT-ATT-1", "AGOT-ATT-4", "AGOT-ATT-7", "AGOT-ATT-8",
                  "AGOT-KEY-23")  # fmt: skip
def test_attachments_go_on_characters_unless_their_text_says_otherwise() -> None:
    found = marshaling()
    mine, his = found.put("p1", "Strength 3"), found.put("p2", "Strength 4")
    alone, castle = found.put("p1", "Alone"), found.put("p1", "Castle")
    assert found.refused("marshal", card="Sword") == "AGOT-MAR-11"
    assert found.refused("marshal", card="Sword", host=castle) == "AGOT-MAR-11"
    assert found.refused("marshal", card="Sword", host=alone) == "AGOT-KEY-23"
    found.do("marshal", card="Sword", host=castle, text=True)
    found.do("marshal", card="Sword", host=his).do("marshal", card="Poison", host=his)
    sword = found.state.cards[-2]
    assert (sword.controller, sword.host, sword.kneeling) == ("p1", his, False)
    assert len(list(found.state.attached(his))) == 2
    found.do("kneel", cards=[his])
    assert not found.card(sword.id).kneeling
    assert found.refused("attach", card=sword.id, host=his) == "AGOT-GEN-13"
    found.do("attach", card=sword.id, host=mine)
    assert found.card(sword.id).host == mine
    assert found.refused("attach", card=mine, host=his) == "AGOT-ATT-1"
    found.do("marshal", card="Sword", host="faction:p1", text=True)


# -- ambush and events -----------------------------------------------------------------------------


@pytest.mark.rule("AGOT-KEY-18", "AGOT-KEY-19", "AGOT-B-13", "AGOT-KEY-4")
def test_ambush_pays_its_x_in_the_challenges_phase() -> None:
    found = marshaling()
    assert found.refused("ambush", card="Hidden Sword", gold=1, seat="p1") == "AGOT-KEY-18"
    found.until("AW4")
    card = found.put("p1", "Strength 3")
    found.do("ambush", seat="p1", card="Hidden Sword", gold=1, host=card)
    assert found.titles == ["Anna ambushes with Hidden Sword for 1 gold"]
    assert found.house("p1").gold == 4
    sword = found.state.cards[-1].id
    found.do("modify", target=card, stat="strength", value=2, source=sword)
    assert found.strength(card) == 5
    assert found.refused("ambush", seat="p1", card="Strength 1", gold=1) == "AGOT-KEY-18"
    assert found.refused("ambush", seat="p1", card="Hidden Men", gold=9) == "AGOT-INI-3"


@pytest.mark.rule("AGOT-OR-18")
@pytest.mark.parametrize(("reading", "refused"), [("exempt", False), ("counted", True)])
def test_ambush_and_limited(reading: str, refused: bool) -> None:
    found = marshaling(readings=[f"ambush-limited={reading}"])
    found.do("marshal", card="Limited 1").until("AW4")
    asked = {"seat": "p1", "card": "Limited 2", "gold": 0, "text": True}
    if refused:
        assert found.refused("ambush", **asked) == "AGOT-KEY-21"
    else:
        found.do("ambush", **asked)


@pytest.mark.rule("AGOT-OR-18", "AGOT-UNI-2")
def test_a_duplicate_by_ambush_is_paid() -> None:
    found = challenges()
    found.put("p1", "Hero")
    found.do("ambush", seat="p1", card="Hero", gold=2, text=True)
    assert (found.house("p1").gold, found.card("c1").duplicates) == (3, ("he",))


@pytest.mark.rule("AGOT-EVT-2", "AGOT-EVT-4", "AGOT-TRG-16", "AGOT-B-14")
@pytest.mark.parametrize("canceled", [False, True])
def test_an_event_is_paid_and_discarded_even_if_canceled(canceled: bool) -> None:
    found = marshaling()
    found.do("event", card="Trick", canceled=canceled)
    found.do("event", seat="p1", card="Trick", timing="interrupt")
    house = found.house("p1")
    assert (house.gold, house.discard, house.hand) == (3, ("ev", "ev"), 7)


@pytest.mark.rule("AGOT-RND-6", "AGOT-ABL-9")
def test_an_event_as_action_needs_a_window_and_its_cost() -> None:
    found = game()
    assert found.refused("event", seat="p1", card="Trick", timing="action") == "AGOT-RND-6"
    assert found.refused("event", seat="p1", card="Trick") == "AGOT-INI-3"
    assert found.refused("event", seat="p1", card="Hero") == "INPUT"


@pytest.mark.rule("AGOT-MAR-4", "AGOT-MAR-18", "AGOT-OR-13")
def test_nobody_marshals_for_an_eliminated_active_player() -> None:
    found = game(3).plots().until("AW3")
    assert found.state.active == "p1"
    assert "marshal" in PLAY.pending(found.state)[0].commands
    found.set("p1", "deck", 2).do("draw", seat="p1", count=5)
    assert (found.state.step, found.state.order) == ("AW3", ("p2", "p3"))
    (asked,) = PLAY.pending(found.state)
    assert (asked.side, "marshal" in asked.commands) == ("p2", False)
    assert found.refused("marshal", seat="p2", card="Strength 1") == "AGOT-MAR-4"
    assert found.refused("marshal", card="Strength 1") == "AGOT-MAR-4"
    found.pass_all()
    assert (found.state.step, found.state.active) == ("AW3", "p2")


@pytest.mark.rule("AGOT-OR-13", "AGOT-RND-8")
def test_an_eliminated_player_gets_no_opportunity() -> None:
    found = game(3).plots().until("AW3")
    found.set("p1", "deck", 0)
    ctx = ThronesContext(found.state)
    refusal = take_opportunity(ctx, "p1")
    assert refusal is not None
    assert (refusal.why, ctx.events) == ("AGOT-RND-8", [])


@pytest.mark.rule("AGOT-ATT-1")
def test_an_attachment_hangs_neither_on_itself_nor_on_what_hangs_on_it() -> None:
    found = marshaling()
    mine = found.put("p1", "Strength 3")
    sword = found.put("p1", "Sword", host=mine)
    poison = found.put("p1", "Poison", host=sword, text=True)
    hidden = found.put("p1", "Hidden Sword", host=poison, text=True)
    for host in (sword, poison, hidden):
        assert found.refused("attach", card=sword, host=host, text=True) == "AGOT-ATT-1"
    found.do("attach", card=hidden, host=sword, text=True)


@pytest.mark.rule("AGOT-CARD-8", "AGOT-ATT-5", "AGOT-KEY-29")
def test_attachments_on_attachments_leave_play_too() -> None:
    found = marshaling(players=3)
    mine = found.put("p1", "Strength 3")
    sword = found.put("p2", "Sword", host=mine)
    hidden = found.put("p1", "Hidden Sword", host=sword, text=True)
    found.put("p3", "Poison", host=hidden, text=True)
    other = found.put("p3", "Sword", host="faction:p3", text=True)
    hands = [found.house(seat).hand for seat in ("p1", "p2", "p3")]
    found.do("leave", cards=[mine], how="killed")
    assert found.view_cards() == [other]
    assert [found.house(seat).hand for seat in ("p1", "p2", "p3")] == [
        hands[0] + 1,
        hands[1] + 1,
        hands[2],
    ]
    assert found.house("p3").discard == ("po",)


# -- versions of one title -------------------------------------------------------------------------


VERSIONS: list[dict[str, Any]] = [
    {"code": "v1", "type": "character", "name": "Wolf", "cost": 3, "strength": 3, "icons": "m",
     "pack": "Core"},
    {"code": "v2", "type": "character", "name": "Wolf", "cost": 5, "strength": 4, "icons": "m",
     "pack": "WotW", "keywords": "shadow 2"},
    {"code": "v3", "type": "attachment", "name": "Wolf", "cost": 1, "pack": "PoS"},
]  # fmt: skip


def with_versions() -> CardGame:
    text = "\n".join([DECK, "2x Wolf (Core)", "1x Wolf (WotW)", "1x Wolf (PoS)"])
    found = CardGame(decks={"p1": text, "p2": DECK}, cards=[*CARDS, *VERSIONS], unchecked=True)
    found.plots(p1="Plain Plot", p2="Plain Plot").until("AW3")
    return found.set("p1", "gold", 20)


@pytest.mark.rule("AGOT-GEN-6", "AGOT-INI-3")
def test_which_version_of_a_title_is_meant_is_asked_and_not_guessed() -> None:
    found = with_versions()
    decision = PLAY.decide(found.state, {"do": "marshal", "card": "wolf"})
    assert isinstance(decision, Refusal)
    packs = ("Core Set", "Watchers on the Wall", "Pit of Snakes")
    assert decision.say == f"which of these is it: {', '.join(f'Wolf ({one})' for one in packs)}?"
    found.do("marshal", card="Wolf (WotW)")
    assert found.house("p1").gold == 15
    found.do("pass", seat="p2").do("marshal", card="Wolf (Core Set)")
    assert found.house("p1").gold == 12
    found.do("put-into-play", seat="p1", card="Wolf (PoS)", host="c1")
    found.do("put-into-play", seat="p1", card="Wolf")
    assert [one.facts.code for one in found.state.cards] == ["v2", "v1", "v3", "v1"], "one is left"
