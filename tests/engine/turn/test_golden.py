"""Which button of a card is gold: the record says it, screens draw it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.engine.turn.card_records import CardView
from companion.engine.turn.golden import with_gold
from companion.engine.turn.turn_records import (
    ChoiceView,
    DiceView,
    FieldView,
    FormView,
    OfferView,
    PieceLine,
    PromptView,
)
from companion.games.westeros.screen import SCREEN
from tests.games.westeros.clash import Clash

GO_ON = ChoiceView("c1", "Continue", (), look="primary")
ROW = ChoiceView("c2", "Use an order", (), look="shown", piece="b1")
SELDOM = ChoiceView("c3", "Another order", (), look="folded")
DICE = DiceView("d1", 2, 6, 4, {}, "", (), False, True, True, 0, True, "", (), (), "")
ENTRY = FieldView("wounds", "number", (), "Wounds", 0, 9, 0, True, (), (), False)
FORM = FormView("f1", (ENTRY,), "Wounds", "", (), "plain", False, "form", False, False, "", (), "",
                None, (), "")  # fmt: skip
OFFER = OfferView("o1", "b1", "Charge", 0.5, 3, (), "r1", "", "", "", "yes", "", (), "charge",
                  "offer", False, (), False, True, "", False)  # fmt: skip
PIECE = PieceLine("b1", "Bowmen", "blue", "ready", 12, 12, (), (), "", (), False, "", True, "",
                  False)  # fmt: skip


def asked(*choices: ChoiceView, forms: tuple[FormView, ...] = (), dice: bool = False) -> CardView:
    prompt = PromptView("", "", (), choices=choices, forms=forms, dice=(DICE,) if dice else ())
    return CardView("prompt", prompt)


@pytest.mark.parametrize(
    ("card", "shown", "chosen", "app_rolls", "does", "gold"),
    [
        (asked(ROW, GO_ON), "", None, False, "", "c1"),
        (asked(ROW, GO_ON), "c2", None, False, "c2", "c2"),
        (asked(ROW, GO_ON), "", "b1", False, "c2", "c2"),
        (asked(SELDOM, GO_ON), "c3", None, False, "c3", "c1"),
        (asked(ROW), "", None, False, "", ""),
        (asked(replace(GO_ON, elsewhere=True)), "", None, False, "", ""),
        (asked(ROW, dice=True), "", None, True, "", "d1"),
        (asked(ROW, dice=True), "", None, False, "", ""),
        (asked(ROW, dice=True), "c2", None, True, "c2", "c2"),
        (asked(GO_ON, forms=(FORM,)), "", None, False, "", "f1"),
        (asked(GO_ON, forms=(replace(FORM, rolls="wounds"),)), "", None, False, "", "c1"),
        (asked(GO_ON, forms=(replace(FORM, quick=True),)), "", None, False, "", "c1"),
        (asked(GO_ON, forms=(replace(FORM, opens=True),)), "", None, False, "", "c1"),
    ],
)
def test_one_button_of_a_prompt_is_gold(
    card: CardView, shown: str, chosen: str | None, app_rolls: bool, does: str, gold: str
) -> None:
    found = with_gold(card, shown, chosen, app_rolls)
    assert (found.does, found.gold) == (does, gold)


def test_a_selected_piece_has_its_offer_in_gold_else_what_ends_the_turn() -> None:
    card = CardView("piece", piece=PIECE, offers=(OFFER,), picked=OFFER, ends=GO_ON)
    assert with_gold(card, "", "b1", False).gold == "o1"
    aims = replace(card, picked=replace(OFFER, asks=("cell",)))
    assert with_gold(aims, "", "b1", False).gold == "c1", "a cell is tapped for it"
    own = replace(card, choices=(ROW, SELDOM))
    assert with_gold(own, "c2", "b1", False).gold == "c2"
    assert with_gold(own, "c3", "b1", False).gold == "c1"
    alone = CardView("piece", piece=PIECE, choices=(ROW,))
    assert with_gold(alone, "", "b1", False).gold == "c2"


def test_the_game_says_which_choice_passes() -> None:
    (prompt,) = SCREEN.prompts(Clash([("foot", "green", "4,5")], [("foot", "green", "9,9")]).state)
    assert prompt.id == "turn"
    commands = [one.commands[0]["do"] for one in prompt.choices if one.passes]
    assert commands == ["pass"]
