"""Interrupts and reactions in their order, and what the companion reminds of."""

from __future__ import annotations

import pytest

from companion.games.thrones.play.prompts.question import prompts
from tests.games.thrones.decks import challenges, game
from tests.games.thrones.driver import CardGame


def stage(found: CardGame) -> str:
    return found.state.triggers[-1].stage if found.state.triggers else ""


@pytest.mark.rule("AGOT-TRG-2", "AGOT-TRG-5", "AGOT-TRG-6", "AGOT-TRG-8", "AGOT-TRG-11",
                  "AGOT-TRG-12", "AGOT-OR-26", "AGOT-B-3")  # fmt: skip
def test_the_stages_of_a_sequence() -> None:
    found = challenges().do("trigger", what="Hero is killed")
    stages = []
    while stage(found):
        stages.append(stage(found))
        assert prompts(found.state)[0].id == "trigger"
        found.do("pass-trigger", all=True)
    assert stages == [
        *("would", "forced-interrupt", "interrupt"),
        *("occurs", "forced-reaction", "reaction"),
    ]
    assert found.refused("respond", ability="late") == "AGOT-TRG-11"
    assert found.state.step == "AW4", "the window goes on"


@pytest.mark.rule("AGOT-TRG-3", "AGOT-TRG-4", "AGOT-TRG-5")
def test_only_would_interrupts_cancel_or_change() -> None:
    found = challenges().do("trigger", what="Hero is killed").do("cancel-trigger")
    assert stage(found) == ""
    found.do("trigger", what="Hero is killed").do("change-trigger", what="Hero is saved")
    assert (stage(found), found.state.triggers[-1].what) == ("would", "Hero is saved")
    found.do("pass-trigger", all=True)
    assert found.refused("cancel-trigger") == "AGOT-TRG-5"
    assert found.refused("change-trigger", what="x") == "AGOT-TRG-5"


@pytest.mark.rule("AGOT-TRG-9", "AGOT-TRG-10", "AGOT-TRG-12", "AGOT-TRG-13", "AGOT-B-4",
                  "AGOT-ORD-12")  # fmt: skip
def test_each_ability_once_from_the_first_player_on() -> None:
    found = game(3).do("trigger", what="two characters are killed")
    assert prompts(found.state)[0].seats == ("p1",)
    assert found.refused("pass-trigger", seat="p2") == "AGOT-TRG-9"
    found.do("pass-trigger", seat="p1").do("respond", seat="p2", ability="Shield")
    assert found.refused("respond", seat="p2", ability="Shield") == "AGOT-TRG-10"
    found.do("respond", seat="p1", ability="Sword")
    found.do("pass-trigger", seat="p2").do("pass-trigger", seat="p3")
    assert stage(found) == "would", "not all passed in a row"
    found.do("pass-trigger", seat="p1")
    assert stage(found) == "forced-interrupt"


@pytest.mark.rule("AGOT-TRG-10", "AGOT-ABL-15")
def test_each_copy_of_each_player_is_used_once() -> None:
    found = game().do("trigger", what="Hero would be killed")
    for seat in ("p1", "p2") * 3:  # three copies of the event in either deck
        found.do("respond", seat=seat, ability="Trick")
    for seat in ("p1", "p2"):
        assert found.refused("respond", seat=seat, ability="trick") == "AGOT-TRG-10"
    for seat in ("p1", "p2"):
        found.do("respond", seat=seat, ability="Shield")
    assert found.refused("respond", seat="p1", ability="Shield") == "AGOT-TRG-10"


@pytest.mark.rule("AGOT-TRG-10")
def test_each_copy_in_play_is_used_once_by_whichever_name() -> None:
    found = challenges()
    for seat in ("p1", "p1", "p2"):
        found.put(seat, "Castle")
    found.do("trigger", what="Hero would be killed")
    found.do("respond", seat="p1", ability="Castle").do("respond", seat="p2", ability="Castle 3")
    found.do("respond", seat="p1", ability="Castle")
    for seat, name in (("p1", "Castle"), ("p1", "Castle 2"), ("p2", "Castle 3")):
        assert found.refused("respond", seat=seat, ability=name) == "AGOT-TRG-10"


@pytest.mark.rule("AGOT-ORD-9")
def test_whoever_passed_waits_for_the_next_opportunity() -> None:
    found = game().do("trigger", what="a card is drawn").do("pass-trigger", seat="p1")
    assert found.refused("respond", seat="p1", ability="x") == "AGOT-ORD-9"


@pytest.mark.rule("AGOT-TRG-7", "AGOT-ORD-14", "AGOT-ABL-4")
def test_the_first_player_orders_forced_abilities() -> None:
    found = game(3, first="p3").do("trigger", what="the round ends")
    found.do("pass-trigger", all=True)
    asked = prompts(found.state)[0]
    assert asked.seats == ("p3",)
    assert any("all must resolve" in fact.text for fact in asked.facts)
    found.do("respond", seat="p2", ability="Forced A").do("respond", seat="p1", ability="Forced B")
    assert stage(found) == "forced-interrupt"
    found.do("pass-trigger")
    assert stage(found) == "interrupt"


@pytest.mark.rule("AGOT-TRG-17", "AGOT-RND-9")
def test_a_new_trigger_is_completed_first() -> None:
    found = challenges()
    found.do("trigger", what="outer").do("pass-trigger", all=True).do("trigger", what="inner")
    assert found.refused("pass", all=True) == "AGOT-TRG-17"
    assert found.refused("act", seat="p1") == "AGOT-TRG-17"
    assert found.refused("event", seat="p1", card="Trick", timing="action") == "AGOT-TRG-17"
    found.do("event", seat="p1", card="Trick")
    assert "Afterwards: outer" in [fact.text for fact in prompts(found.state)[0].facts]
    for _ in range(6):
        found.do("pass-trigger", all=True)
    assert found.state.triggers[-1].what == "outer"
    assert stage(found) == "forced-interrupt"


@pytest.mark.rule("AGOT-TRG-8")
def test_nothing_is_used_while_it_happens() -> None:
    found = game().do("trigger", what="a card leaves play")
    for _ in range(3):
        found.do("pass-trigger", all=True)
    assert found.refused("respond", ability="x") == "AGOT-TRG-8"


def test_a_player_who_is_eliminated_leaves_the_window() -> None:
    found = game(3).do("trigger", what="pillage")
    found.set("p1", "deck", 0)
    assert found.state.triggers[-1].window.holder == "p2"
    found.do("pass-trigger", all=True)


@pytest.mark.rule("AGOT-EFF-8")
def test_a_delayed_effect_is_asked_for_when_its_time_comes() -> None:
    found = challenges()
    assert found.refused("delay", what="x", until="challenge") == "AGOT-EFF-8"
    found.do("delay", what="Anna draws 2 cards", until="phase")
    found.do("delay", what="Hero returns to hand", until="round")
    while not found.state.triggers:
        found.idle()
    assert (found.state.step, stage(found)) == ("4.4", "occurs")
    assert prompts(found.state)[0].title == "It happens now: Anna draws 2 cards"
    found.do("draw", seat="p1", count=2)
    for _ in range(3):
        found.do("pass-trigger", all=True)
    assert (found.state.step, found.state.triggers) == ("AW5", ())
    while not found.state.triggers:
        found.idle()
    assert (found.state.step, found.state.delayed) == ("7.5", ())


# -- reminders and small rules ---------------------------------------------------------------------


@pytest.mark.rule("AGOT-ABL-5")
def test_an_action_with_a_phase_belongs_to_that_phase() -> None:
    found = challenges()
    assert found.refused("act", seat="p1", phase="marshaling") == "AGOT-ABL-5"
    found.do("act", seat="p1", phase="challenges")


@pytest.mark.rule("AGOT-ZONE-27")
def test_a_searched_deck_is_shuffled() -> None:
    found = game().do("move", seat="p1", cards=["Hero"], to="hand", **{"from": "deck"})
    assert found.answer["reminders"] == ["Shuffle the draw deck after searching it."]


@pytest.mark.rule("AGOT-ATT-6")
def test_illegal_attachments_are_pointed_out() -> None:
    found = game()
    card = found.put("p1", "Strength 1")
    found.put("p1", "Sword", host=card)
    found.do("modify", target=card, stat="keyword-no-attachments", value=1, until="game")
    assert "discarded" in found.answer["reminders"][0]


@pytest.mark.rule("AGOT-ATT-10")
def test_a_limit_of_copies_on_one_card() -> None:
    found = game().plots().until("AW3")
    one, other = found.put("p1", "Strength 1"), found.put("p1", "Strength 2")
    found.do("marshal", card="Sword", host=one, limit=1)
    assert found.refused("marshal", card="Sword", host=one, limit=1) == "AGOT-ATT-10"
    found.do("marshal", card="Sword", host=other, limit=1)
    moved = found.state.cards[-1].id
    assert found.refused("attach", card=moved, host=one, limit=1) == "AGOT-ATT-10"


@pytest.mark.rule("AGOT-OR-6")
def test_players_tell_the_size_of_a_hand() -> None:
    found = game().set("p1", "hand", 5)
    assert found.titles == ["Anna: cards in hand set from 7 to 5: test"]
