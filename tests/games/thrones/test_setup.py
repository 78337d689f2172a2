"""Set-up: seats, decks, mulligan, set-up cards."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.turn.filled_form import FilledForm
from companion.engine.turn.turn_view import form_view
from companion.games.api.play import Refusal
from companion.games.thrones.play import PLAY
from companion.games.thrones.play.prompts.question import prompts
from models import CompanionError
from tests.games.thrones.decks import CARDS, DECK, game
from tests.games.thrones.driver import CardGame, Refused


def fresh(players: int = 2, **asked: Any) -> CardGame:
    return game(players, ready=False, **asked)


def placing(**asked: Any) -> CardGame:
    """A joust in which set-up cards are placed now."""
    found = fresh(**asked)
    for _ in found.state.order:
        found.do("mulligan", take=False)
    return found


@pytest.mark.rule("AGOT-SET-1", "AGOT-FMT-1", "AGOT-FMT-2", "AGOT-FMT-3")
@pytest.mark.parametrize(("players", "melee"), [(2, False), (3, True), (4, True), (6, True)])
def test_two_play_a_joust_and_more_a_melee(players: int, melee: bool) -> None:
    found = game(players)
    assert found.state.melee is melee
    steps = []
    while found.state.round < 2:
        found.idle()
        steps += [one.data["step"] for one in found.events if one.type == "step"]
    assert ("1.4" in steps, "7.4" in steps) == (melee, melee)


@pytest.mark.rule("AGOT-SET-1")
@pytest.mark.parametrize("players", [1, 7])
def test_one_player_or_seven_are_refused_by_the_rule(players: int) -> None:
    seats: list[dict[str, str]] = [{} for _ in range(players)]
    found = PLAY.prepare("thrones", {"do": "set-up", "seats": seats, "decks": {}, "seed": 1})
    assert isinstance(found, Refusal)
    assert found.why == "AGOT-SET-1"
    assert found.say == f"a joust is for 2 players, melee for 3 to 6; {players} are named"


def test_two_players_have_different_names() -> None:
    """Nobody could tell who attacks whom; the other games refuse it too."""
    seats = [{"name": "Anna"}, {"name": "anna "}]
    found = PLAY.prepare("thrones", {"do": "set-up", "seats": seats, "decks": {}, "seed": 1})
    assert isinstance(found, Refusal)
    assert found.say == "two players have the same name"


def test_every_seat_needs_a_deck_and_an_unknown_card_is_named() -> None:
    with pytest.raises(CompanionError, match="key 'p2' is missing"):
        PLAY.prepare("thrones", {"do": "set-up", "decks": {"p1": "sample stark"}, "seed": 1})
    with pytest.raises(CompanionError, match=r"decks.p2: line 1: no card 'Tirion'; near: Tyrion"):
        CardGame(decks={"p2": "3x Tirion"})


@pytest.mark.rule("AGOT-SET-2", "AGOT-ORD-1")
def test_chance_names_the_first_player() -> None:
    decks = {"p1": "sample stark", "p2": "sample lannister"}
    command = {"do": "set-up", "decks": decks}
    found = {PLAY.prepare("thrones", {**command, "seed": n})["first"] for n in range(20)}  # type: ignore[index]
    assert found == {"p1", "p2"}


@pytest.mark.rule("AGOT-SET-3", "AGOT-SET-5", "AGOT-CMP-1", "AGOT-ZONE-13")
def test_faction_and_agenda_are_shown_and_the_plot_deck_is_not() -> None:
    found = CardGame()
    public = PLAY.view(found.state)["seats"]["p1"]
    assert (public["faction"], public["agenda"]) == ("stark", ["Fealty"])
    assert "plots" not in public
    assert public["plots_left"] == 7
    assert len(PLAY.view(found.state, "p1")["seats"]["p1"]["plots"]) == 7


@pytest.mark.rule("AGOT-SET-4", "AGOT-SET-7", "AGOT-SET-21", "AGOT-TOK-1", "AGOT-TOK-2")
def test_the_game_begins_without_gold_and_power() -> None:
    found = fresh()
    house = found.house("p1")
    assert (house.hand, house.gold, found.power("p1")) == (7, 0, 0)
    assert house.draw_deck == house.deck.size - 7
    found.until("1.2")
    assert (found.state.round, found.state.step) == (1, "1.2")
    assert (found.house("p1").gold, found.power("p1")) == (0, 0)


@pytest.mark.rule("AGOT-SET-8", "AGOT-SET-9", "AGOT-SET-6")
def test_one_mulligan_in_player_order() -> None:
    found = fresh(3)
    assert found.refused("mulligan", seat="p2", take=True) == "AGOT-SET-8"
    found.do("mulligan", seat="p1", take=True)
    assert found.house("p1").hand == 7
    assert found.refused("mulligan", seat="p1", take=True) == "AGOT-SET-8"
    assert found.refused("place", cards=[]) == "AGOT-SET-10"
    found.do("mulligan", seat="p2", take=False).do("mulligan", seat="p3", take=False)
    assert found.refused("mulligan", take=True) == "AGOT-SET-8"


@pytest.mark.rule("AGOT-SET-10", "AGOT-SET-16")
def test_set_up_cards_are_hidden_until_all_are_revealed() -> None:
    found = placing()
    assert found.refused("place", seat="p2", cards=[]) == "AGOT-SET-10"
    found.do("place", cards=["Hero"])
    assert found.titles == ["Anna places 1 set-up card"]
    assert not found.state.cards
    assert "placed" not in PLAY.view(found.state, "p2")["seats"]["p1"]
    assert PLAY.view(found.state, "p1")["seats"]["p1"]["placed"] == ["Hero"]
    found.do("place", cards=["Strength 3"])
    assert [card.name for card in found.state.cards] == ["Hero", "Strength 3"]


@pytest.mark.rule("AGOT-SET-11", "AGOT-SET-12", "AGOT-SET-13", "AGOT-SET-14", "AGOT-V-9")
@pytest.mark.parametrize(
    ("cards", "rule"),
    [
        (["Trick"], "AGOT-SET-11"),
        (["Strength 5", "Strength 2", "Strength 2"], "AGOT-SET-12"),
        (["Limited 1", "Limited 2"], "AGOT-SET-13"),
        (["Sword"], "AGOT-SET-14"),
        (["Strength 1"] * 8, "AGOT-SET-10"),
        (["Strength 1"] * 4, "INPUT"),
        (["Nobody"], "INPUT"),
    ],
)
def test_what_may_not_be_placed(cards: list[str], rule: str) -> None:
    assert placing().refused("place", cards=cards) == rule


@pytest.mark.rule("AGOT-SET-12", "AGOT-SET-15", "AGOT-SET-19", "AGOT-V-8", "AGOT-UNI-6")
def test_duplicates_are_free_and_hands_are_filled_up() -> None:
    found = placing()
    assert found.refused("place", cards=["2. copy:he", "Strength 2"]) == "AGOT-SET-15"
    found.do("place", cards=["2. copy:he", "Hero", "Strength 2", "Limited 1"])
    assert found.house("p1").hand == 3
    found.do("place", cards=[])
    assert [(card.name, len(card.duplicates)) for card in found.state.cards] == [
        ("Hero", 1),
        ("Strength 2", 0),
        ("Limited 1", 0),
    ]
    assert found.house("p1").hand == 7
    assert found.house("p1").draw_deck == found.house("p1").deck.size - 11
    assert found.house("p2").hand == 7


@pytest.mark.rule("AGOT-SET-10", "AGOT-SET-11", "AGOT-SET-12", "AGOT-SET-13", "AGOT-SET-15")
def test_every_copy_of_a_card_can_be_chosen_for_set_up() -> None:
    found = placing()
    (form,) = prompts(found.state, "p1")[0].forms
    filled = FilledForm.begin(form_view(form, str, ()))
    options = {option.text: option.value for option in filled.form.fields[0].options}
    assert "Limited 1 (1 gold), copy 2" not in options, "at most one limited card"
    both = filled
    for text, ready in (("Limited 1 (1 gold)", True), ("Limited 2 (1 gold)", False)):
        both = both.toggled(both.form.fields[0], options[text])
        assert both.ready is ready
    assert both.tally() == "only one limited card"
    chosen = ["Strength 1 (1 gold), copy 2", "Strength 1 (1 gold)", "Strength 1 (1 gold), copy 3",
              "Hero (duplicate)", "Hero (5 gold)", "Hero (duplicate 2)"]  # fmt: skip
    for text in chosen:
        filled = filled.toggled(filled.form.fields[0], options[text])
    assert filled.tally() == "8 of 8 gold"
    values = filled.finished()
    assert isinstance(values, dict)
    found.do("place", seat="p1", **values).do("place", cards=[])
    mine = [(one.facts.code, len(one.duplicates)) for one in found.state.cards]
    assert sorted(mine) == [("he", 2), ("s1", 0), ("s1", 0), ("s1", 0)]
    names = sorted(one.name for one in found.state.cards)
    assert names == ["Hero", "Strength 1", "Strength 1 2", "Strength 1 3"], "they are told apart"


@pytest.mark.rule("AGOT-SET-17", "AGOT-OR-3")
def test_attachments_go_on_own_cards_in_player_order() -> None:
    found = placing()
    found.do("place", cards=["Strength 3", "Sword"]).do("place", cards=["Strength 2", "Poison"])
    mine, sword, his, poison = [card.id for card in found.state.cards]
    assert found.refused("attach-set-up", card=poison, host=his) == "AGOT-SET-17"
    assert found.refused("attach-set-up", card=sword, host=his) == "AGOT-SET-14"
    found.do("attach-set-up", card=sword, host=mine)
    assert found.refused("attach-set-up", card=sword, host=mine) == "AGOT-SET-17"
    found.do("attach-set-up", card=poison, host=his)
    assert found.state.step == "1.2"
    assert found.card(sword).host == mine


@pytest.mark.rule("AGOT-OR-3")
def test_the_other_reading_lets_attachments_go_on_any_card() -> None:
    found = placing(readings=["set-up-attachments=any"])
    found.do("place", cards=["Sword"]).do("place", cards=["Strength 2"])
    sword, his = [card.id for card in found.state.cards]
    found.do("attach-set-up", card=sword, host=his)
    assert found.card(sword).host == his


@pytest.mark.rule("AGOT-OR-12")
def test_the_first_player_of_set_up_stays_until_one_is_chosen() -> None:
    found = game(first="p2")
    assert found.state.first == "p2"
    for seat in ("p1", "p2"):
        found.do("choose-plot", seat=seat, plot="Plain Plot")
    assert found.state.order == ("p2", "p1")


@pytest.mark.rule("AGOT-SET-20", "AGOT-TTL-1", "AGOT-TTL-2")
def test_melee_begins_with_six_titles_in_the_pool() -> None:
    assert len(game(4).state.pool) == 6


def test_turns_are_counted_from_the_first_phase_on() -> None:
    found = fresh()
    turns = [PLAY.moment(found.state).turn]
    while found.state.round < 2:
        found.idle()
        turns.append(PLAY.moment(found.state).turn)
    assert turns[0] == 0
    assert turns == sorted(turns)
    assert {11, 12, 13, 14, 15, 16, 17, 21} <= set(turns)


def test_commands_before_the_game_begins_are_refused() -> None:
    assert fresh().refused("draw", seat="p1") == "AGOT-SET-21"


@pytest.mark.parametrize(
    "readings", [["set-up-attachments=maybe"], ["nothing=else"], ["set-up-attachments"]]
)
def test_an_unknown_reading_is_refused(readings: list[str]) -> None:
    with pytest.raises(CompanionError, match="reading"):
        game(readings=readings)


def test_a_deck_without_plots_is_refused() -> None:
    lines = "\n".join(line for line in DECK.splitlines() if "Plot" not in line)
    with pytest.raises(Refused) as caught:
        CardGame(decks={"p1": lines, "p2": DECK}, cards=CARDS, unchecked=True)
    assert caught.value.why == "AGOT-DECK-3"


@pytest.mark.rule("AGOT-SET-17", "AGOT-KEY-23", "AGOT-MAR-11", "AGOT-ATT-1", "AGOT-ATT-3")
def test_set_up_attachments_go_where_marshaled_ones_may_go() -> None:
    found = placing()
    found.do("place", cards=["Alone", "Strength 2", "Castle", "Sword"]).do("place", cards=[])
    alone, mine, castle, sword = found.view_cards()
    assert found.refused("attach-set-up", card=sword, host=alone) == "AGOT-KEY-23"
    assert found.refused("attach-set-up", card=sword, host=castle) == "AGOT-MAR-11"
    assert found.refused("attach-set-up", card=sword, host=sword, text=True) == "AGOT-ATT-1"
    (prompt, *_) = PLAY.options(found.state)
    assert [one["host"] for one in prompt["options"]] == [mine]
    found.do("attach-set-up", card=sword, host=castle, text=True)
    assert found.card(sword).host == castle


@pytest.mark.rule("AGOT-KEY-23")
def test_a_set_up_attachment_without_a_legal_host_goes_where_its_text_allows() -> None:
    found = placing()
    found.do("place", cards=["Alone", "Sword"]).do("place", cards=[])
    assert prompts(found.state)[0].facts, "it is told that only the text may allow it"
    alone, sword = found.view_cards()
    assert found.refused("attach-set-up", card=sword, host=alone) == "AGOT-KEY-23"
    found.idle()
    assert found.card(sword).host == alone
