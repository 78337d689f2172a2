"""Players who shuffle their own set-up cards enter what they drew (BOW-SKM-6 to -8, -14)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.api.play import Accepted, Refusal
from companion.games.api.prompt import Prompt
from companion.games.westeros.cards.catalogue import every_card
from companion.games.westeros.play import PLAY
from companion.games.westeros.play.state import WesterosState
from companion.games.westeros.rival import RIVAL
from companion.games.westeros.screen import SCREEN

rule = pytest.mark.rule


def revealed(**card: Any) -> WesterosState:
    """Both have chosen, and nobody has drawn."""
    plain = {**every_card().skirmishes["sample-raid"].raw, **card}
    setup = PLAY.prepare("westeros", {"do": "set-up", "skirmish": plain, "own_draw": True})
    assert not isinstance(setup, Refusal)
    state = PLAY.start("westeros", setup)
    state = after(state, do="commanders", side="stark", choose=["s-maege", "s-rickard"])
    return after(state, do="commanders", side="lannister", choose=["l-kevan"])


def after(state: WesterosState, **command: Any) -> WesterosState:
    found = PLAY.decide(state, command)
    assert isinstance(found, Accepted), (command, found)
    for event in found.events:
        assert "{" not in str(PLAY.title(event))
    assert isinstance(found.after, WesterosState)
    return found.after


def refused(state: WesterosState, **command: Any) -> str:
    found = PLAY.decide(state, command)
    assert isinstance(found, Refusal), command
    return found.why


def asked(state: WesterosState) -> Prompt:
    return SCREEN.prompts(state)[0]


def drawn(state: WesterosState) -> WesterosState:
    """Each house has drawn its cards."""
    state = after(state, do="draw", side="stark", choose=["s-robb", "s-hearth"])
    state = after(state, do="draw", side="stark", choose=["s-greatjon"])
    state = after(state, do="draw", side="lannister", choose=["l-addam", "l-gregor"])
    return after(state, do="draw", side="lannister", choose=["l-guards"])


@rule("BOW-SKM-7", "BOW-SKM-8", "BOW-SKM-14")
def test_what_the_players_drew_is_what_they_have() -> None:
    state = revealed()
    assert [one.what for one in PLAY.pending(state)] == ["draw", "draw"]
    state = drawn(state)
    assert [one.what for one in PLAY.pending(state)] == ["mace"]
    state = after(state, do="mace", side="lannister")
    assert (state.phase, state.mace, state.active) == ("overlays", "lannister", "lannister")
    assert [one.name for one in state.of("stark")] == [
        "Maege Mormont", "Rickard Karstark",
        "War Host of the North 1", "War Host of the North 2",
        "Northmen Archers",
    ]  # fmt: skip
    assert [one.rank for one in state.of("stark")][2:] == ["red", "green", "blue"]
    assert state.house("stark").overlays == ("forest", "road")
    assert state.house("lannister").overlays == ("building",)


@rule("BOW-SKM-4", "BOW-SKM-7", "BOW-SKM-8")
def test_only_cards_that_are_left_are_drawn_and_as_many_as_stated() -> None:
    state = revealed()
    both = ["s-robb", "s-hearth"]
    for cards in (both[:1], [*both, "s-greatjon"], ["s-robb", "s-robb"], ["s-maege", "s-robb"]):
        assert refused(state, do="draw", side="stark", choose=cards) == "BOW-SKM-7"
    assert refused(state, do="draw", side="stark", choose=["l-addam", "l-gregor"]) == "BOW-SKM-7"
    assert refused(state, do="mace", side="stark") == "BOW-SKM-7"
    state = after(state, do="draw", side="stark", choose=both)
    assert refused(state, do="draw", side="stark", choose=["s-robb"]) == "BOW-SKM-8"
    state = after(state, do="draw", side="stark", choose=["s-greatjon"])
    assert refused(state, do="draw", side="stark", choose=["s-greatjon"]) == "BOW-SKM-8"


@rule("BOW-SKM-7", "BOW-SKM-8", "BOW-SKM-14")
def test_the_screen_asks_for_the_cards_and_the_app_may_draw_any_of_them() -> None:
    state = revealed()
    card = asked(state)
    (form,) = card.forms
    (entry,) = form.entries
    assert (card.seats, entry.kind, entry.least, entry.most) == (("stark",), "several", 2, 2)
    assert [one for one, _ in entry.options] == ["s-robb", "s-greatjon", "s-hearth"]
    assert "Robb Stark" in entry.options[0][1]
    assert "War Host (red)" in entry.options[0][1]
    state = after(state, **form.command, choose=["s-robb", "s-hearth"])
    (entry,) = asked(state).forms[0].entries
    assert (entry.least, entry.most) == (1, 1)
    assert "forest" in entry.options[0][1]
    while state.phase == "draw":
        (choice,) = [one for one in asked(state).choices if one.text == "The app draws"]
        state = after(state, **choice.commands[0])
    assert [len(one.overlays) > 0 for one in state.houses] == [True, True]


@rule("BOW-SKM-6")
@pytest.mark.parametrize("own", [True, False])
def test_a_reference_card_may_name_the_house_with_the_mace(own: bool) -> None:
    for side in ("stark", "lannister"):
        state = revealed(mace=side)
        if not own:
            raw = {**every_card().skirmishes["sample-raid"].raw, "mace": side}
            setup = PLAY.prepare("westeros", {"do": "set-up", "skirmish": raw})
            assert not isinstance(setup, Refusal)
            state = PLAY.start("westeros", setup)
            state = after(state, do="commanders", side="stark", choose=["s-maege"])
            state = after(state, do="commanders", side="lannister", choose=["l-kevan"])
        else:
            state = drawn(state)
        assert (state.phase, state.mace) == ("overlays", side)


@rule("BOW-SKM-7")
def test_a_card_that_draws_nothing_is_not_asked_for() -> None:
    state = revealed(unit_draw=0, terrain_draw=0, mace="stark")
    assert state.phase in ("overlays", "place")


@rule("BOW-SKM-5", "BOW-MOR-7")
def test_each_house_of_a_skirmish_has_its_own_rout_field() -> None:
    state = revealed(no_rout=["stark"])
    assert [one.rout for one in state.houses] == [False, True]
    assert [one.rout for one in revealed().houses] == [True, True]
    assert [one.rout for one in revealed(rout=False).houses] == [False, False]


@rule("BOW-SKM-5", "BOW-SKM-6")
def test_the_form_of_a_skirmish_asks_for_each_rout_field_and_the_mace() -> None:
    forms = SCREEN.card_forms("westeros")
    (form,) = [one for one in forms.forms() if one.kind == "skirmish"]
    names = [one.name for one in form.fields]
    assert {"stark_rout", "lannister_rout", "mace"} <= set(names)
    assert "rout" not in names


@rule("BOW-SKM-7", "BOW-SKM-14")
def test_the_wizard_lets_the_players_draw_and_a_rival_leaves_it_to_the_app() -> None:
    command = SCREEN.set_up("westeros", {"game": {"battle": "sample-raid"}})
    assert command["own_draw"] is True
    state = revealed()
    (line,) = RIVAL.lines(state, "lannister")
    assert line.commands == ({"do": "draw", "side": "lannister"},)
    assert str(RIVAL.told(state, line.commands).text)


@rule("BOW-SKM-5", "BOW-MOR-7", "BOW-MOR-8")
def test_a_house_without_a_rout_field_is_not_routed_in_a_skirmish() -> None:
    state = after(drawn(revealed(no_rout=["stark"])), do="mace", side="stark")
    while state.phase in ("overlays", "place"):
        state = after(state, **PLAY.options(state)[0]["options"][0])
    assert after(state, do="effect", side="lannister", morale=11).winner == ""
    routed = after(state, do="effect", side="stark", morale=11)
    assert (routed.winner, str(routed.how)) == ("stark", "the army of Lannister is routed")


@rule("BOW-SKM-7", "BOW-SKM-14")
def test_undo_names_the_forces_and_not_the_first_of_their_players() -> None:
    before = drawn(revealed())
    found = PLAY.decide(before, {"do": "mace", "side": "lannister"})
    assert isinstance(found, Accepted)
    outcome = SCREEN.outcome(before, found.events, found.after)
    assert outcome is not None
    assert outcome.undo == "the forces of the skirmish"
