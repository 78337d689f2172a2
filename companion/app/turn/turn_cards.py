"""Which card is shown now: the most urgent one."""

from __future__ import annotations

from companion.app.turn.card import Card, Column
from companion.app.turn.event_cards import (
    camera_card,
    camera_question_card,
    cell_card,
    due_card,
    due_row,
    move_box,
    moves_card,
    roll_card,
    won_card,
)
from companion.app.turn.piece_cards import piece_card
from companion.app.turn.prompt_cards import prompt_card
from companion.engine.app_words import _
from companion.engine.turn.selection import first_prompt, urgent_card


def card_of(column: Column) -> Card:
    """The most urgent card."""
    snapshot = column.snapshot
    prompt = first_prompt(snapshot, column.focus)
    rolling = column.rolling
    blind = column.live.sight == "lost" and not column.on_map
    kind = urgent_card(snapshot, prompt, rolling is not None, column.tapped, blind)
    if kind == "camera":
        return camera_card(column)
    if kind == "moves":
        return moves_card(column)
    if kind == "due-move":
        return due_card(column, snapshot.due[0])
    if kind == "cell-move":
        return cell_card(column, snapshot.cell_moves[0])
    if kind == "camera-question":
        return camera_question_card(column, snapshot.camera_questions[0])
    piece = snapshot.piece(snapshot.chosen)
    if rolling is not None:
        card = roll_card(column, rolling)
    elif kind == "won" and snapshot.score is not None:
        card = won_card(column, snapshot.score)
    elif kind == "piece" and piece is not None:
        card = piece_card(column, piece, prompt)
    elif prompt is not None:
        card = prompt_card(column, prompt)
    else:
        headline = snapshot.view.headline if snapshot.view else ""
        card = Card(_("Nothing to decide"), _(headline))
    entering = rolling is not None or (prompt is not None and prompt.dice is not None)
    if entering:  # a tray that comes to rest must not push the dice away
        for notice in snapshot.notices:
            card.body.append(move_box(column, notice))
        card.body += [due_row(column, one) for one in snapshot.due]
    return card
