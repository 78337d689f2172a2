"""Which card is shown now: the most urgent one."""

from __future__ import annotations

from companion.app.turn.card import Card, Column
from companion.app.turn.event_cards import (
    camera_card,
    camera_question_card,
    cell_card,
    move_box,
    moves_card,
    roll_card,
    won_card,
)
from companion.app.turn.piece_cards import piece_card
from companion.app.turn.prompt_cards import prompt_card
from companion.engine.app_words import _
from companion.games.api.prompt import Prompt


def card_of(column: Column) -> Card:
    """The most urgent card."""
    snapshot = column.snapshot
    prompt = first_prompt(column)
    entering = column.rolling is not None or (prompt is not None and prompt.dice is not None)
    tabled = snapshot.view is None or snapshot.view.tabled  # cards do without a camera
    if column.live.sight == "lost" and tabled and not column.on_map:
        return camera_card(column)
    if snapshot.notices and not entering:
        return moves_card(column)
    if snapshot.cell_moves and not entering:
        return cell_card(column, snapshot.cell_moves[0])
    if snapshot.camera_questions and not entering:
        return camera_question_card(column, snapshot.camera_questions[0])
    if column.rolling is not None:
        card = roll_card(column, column.rolling)
    elif snapshot.score is not None and snapshot.score.winner:
        card = won_card(column, snapshot.score)
    else:
        card = prompt_or_piece(column, prompt)
    if entering:  # a tray that comes to rest must not push the dice away
        for notice in snapshot.notices:
            card.body.append(move_box(column, notice))
    return card


def first_prompt(column: Column) -> Prompt | None:
    """The prompt to answer now: the one the players chose, else the most urgent."""
    prompts = column.snapshot.prompts
    chosen = next((one for one in prompts if one.id == column.focus), None)
    return chosen or (prompts[0] if prompts else None)


def prompt_or_piece(column: Column, prompt: Prompt | None) -> Card:
    """The prompt; while it asks for a piece, the selected piece and what it may do."""
    snapshot = column.snapshot
    piece = snapshot.piece(snapshot.chosen)
    if piece is not None and (prompt is None or prompt.dice is None):
        acts = any(one.possible for one in snapshot.offers)
        if acts or column.tapped or prompt is None:
            return piece_card(column, piece, prompt)
    if prompt is None:
        return Card(
            _("Nothing to decide"), _(column.snapshot.view.headline if column.snapshot.view else "")
        )
    return prompt_card(column, prompt)
