"""The widgets of each kind of card."""

from __future__ import annotations

from companion.app.turn.card import Card, Column
from companion.app.turn.event_cards import (
    camera_card,
    camera_question_card,
    cell_card,
    due_card,
    move_box,
    moves_card,
    roll_card,
    won_card,
)
from companion.app.turn.piece_cards import choice_row, piece_card
from companion.app.turn.prompt_cards import prompt_card

CARDS = {
    "camera": camera_card,
    "moves": moves_card,
    "due-move": due_card,
    "cell-move": cell_card,
    "camera-question": camera_question_card,
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
    if view.kind != "moves":
        card.body += [move_box(column, one) for one in view.moves]
    card.body += [choice_row(column, one) for one in view.due]
    return card
