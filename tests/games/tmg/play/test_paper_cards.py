"""Players with cards of paper: the game counts decks and hands and deals nothing."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.files.draft import Draft, set_up
from companion.games.api.screen_views import PageCard
from companion.games.tmg.screen import SCREEN
from models.field import Field
from tests.play.battle import Battle


def piles(battle: Battle, player: str = "blue") -> tuple[int, int, int]:
    """The sizes of hand, deck and discard pile."""
    found = battle.player(player)
    return len(found.hand), len(found.deck), len(found.discard)


def cards(battle: Battle, seat: str | None = None) -> dict[str, PageCard]:
    page = next(one for one in SCREEN.pages(battle.state, seat) if one.id == "cards")
    return {card.id: card for section in page.sections for card in section.cards}


def tap(battle: Battle, pile: str, text: str) -> None:
    """Press a button of the page."""
    (choice,) = [one for one in cards(battle)[f"blue:{pile}"].choices if one.text == text]
    for command in choice.commands:
        battle.do(**{"word" if key == "do" else key: value for key, value in command.items()})


@pytest.mark.rule("TMG-DECK-1", "TMG-DECK-3", "TMG-STA-1")
def test_paper_cards_are_counted_and_named_by_nobody() -> None:
    battle = Battle(paper=True).deployed()
    hand, deck, discard = piles(battle)
    assert (hand, discard) == (3, 0)
    tap(battle, "hand", "Played one")
    tap(battle, "hand", "Discarded one")
    assert piles(battle) == (hand - 2, deck, 2)
    assert "blue plays a tactics card" in battle.report()
    tap(battle, "deck", "Drew one")
    assert piles(battle) == (hand - 1, deck - 1, 2)
    # Nothing is hidden from anybody: every seat sees the same page, and no card has a name.
    assert SCREEN.pages(battle.state, "blue") == SCREEN.pages(battle.state, None)
    assert not any(card.lines for card in cards(battle).values())
    assert battle.folded() == battle.state


@pytest.mark.rule("TMG-DECK-5")
def test_cards_that_the_game_deals_stay_hidden() -> None:
    battle = Battle().deployed()
    assert not battle.player("blue").paper
    assert not any(card.choices for card in cards(battle).values())
    assert len(cards(battle, "blue")) > len(cards(battle))


@pytest.mark.rule("TMG-RND-20")
def test_a_full_hand_of_paper_discards_by_a_button() -> None:
    battle = Battle(paper=True).deployed()
    while battle.waits()[0] != "hand":
        battle.do("draw", player="blue", count=1)
    (prompt,) = [one for one in SCREEN.prompts(battle.state) if one.id == "hand"]
    assert [dict(one.commands[-1])["do"] for one in prompt.choices] == ["discard"]


def test_the_choice_is_kept_with_the_draft() -> None:
    draft = Draft.fresh()
    assert "paper" not in set_up(draft)
    plain: dict[str, Any] = {**draft.to_json(), "paper": True}
    read = Draft.read(Field(plain, "draft"))
    assert read.paper
    assert set_up(read)["paper"] is True
    del plain["paper"]  # as earlier versions wrote it
    assert not Draft.read(Field(plain, "draft")).paper


@pytest.mark.rule("TMG-MODE-GOT-4")
def test_objective_cards_of_paper_are_drawn_and_entered_by_the_players() -> None:
    battle = Battle("GOT", paper=True).deployed()
    assert [token.card for token in battle.state.tokens] == [""] * 5
    (prompt,) = [one for one in SCREEN.prompts(battle.state) if one.id == "turn-start"]
    (form,) = [one for one in prompt.forms if one.command == {"do": "objective"}]
    assert form.text == "Which objective card lies where?"
    battle.do("objective", token="o1", card=7)
    assert battle.token("o1").card == "7"
    battle.refused("TMG-MODE-GOT-4", "objective", token="o2", card=7)
    battle.do("objective", token="o1", card=8).do("objective", token="o2", card=7)
    assert battle.folded() == battle.state
