"""The widgets of each kind of card."""

from __future__ import annotations

from functools import partial

from kivy.metrics import dp
from kivy.uix.widget import Widget

from companion.app.turn.card import Card, Column
from companion.app.turn.dice_entry import DiceEntry
from companion.app.turn.event_cards import (
    astray_card,
    camera_card,
    camera_question_card,
    cell_card,
    due_card,
    move_box,
    moves_card,
    proposal_card,
    roll_card,
    won_card,
)
from companion.app.turn.piece_cards import choice_row, piece_card
from companion.app.turn.prompt_cards import (
    LOW_DP,
    SHORT_DP,
    crowded,
    keys_first,
    prompt_card,
)
from companion.app.widgets.controls import CardBox, Text, TouchButton
from companion.engine.turn.turn_records import GuideView

CARDS = {
    "camera": camera_card,
    "astray": astray_card,
    "moves": moves_card,
    "due-move": due_card,
    "cell-move": cell_card,
    "camera-question": camera_question_card,
    "proposal": proposal_card,
    "roll": roll_card,
    "won": won_card,
    "piece": piece_card,
    "prompt": prompt_card,
}


def card_of(column: Column) -> Card:
    """The card as widgets."""
    view = column.view
    make = CARDS.get(view.kind)
    card = make(column) if make is not None else Card(view.prompt.title, view.prompt.text)
    if view.guide is not None:
        keys = (at + 1 for at, one in enumerate(card.body) if isinstance(one, DiceEntry))
        at = next(keys, 0) if view.kind == "prompt" and keys_first(column) else 0
        card.body.insert(at, guide_box(view.guide, column.room))
        if (leave := view.guide.leave) is not None:
            act = partial(column.act, leave.tap)
            press = TouchButton(leave.text, act, "quiet", size="small", name="leave-guide")
            card.body.append(press)
    if view.kind not in ("moves", "astray"):
        card.body += [move_box(column, one) for one in view.moves]
    dice = next((at for at, one in enumerate(card.body) if isinstance(one, DiceEntry)), None)
    at = len(card.body)
    if dice is not None:  # what may be done first lies above the dice
        at = dice + crowded(column)
    card.body[at:at] = [choice_row(column, one) for one in view.due]
    card.body += card.late
    return card


def guide_box(guide: GuideView, high: float) -> Widget:
    """What to tap now in a guided turn, and why; less of it where the column is low."""
    if high < dp(SHORT_DP):
        return Text(guide.text, "body", bold=True)
    box = CardBox("back", rim="text", pad="small")
    box.add_widget(Text(guide.step, "small", "soft"))
    box.add_widget(Text(guide.text, "body", bold=True))
    if guide.why and high >= dp(LOW_DP):
        box.add_widget(Text(guide.why, "body", "soft"))
    return box
