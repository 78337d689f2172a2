"""Tokens and Corpse Piles placed during a game: where they may be placed, and whether they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from companion.games.api.play import Refusal
from companion.games.tmg.play.commands.command_context import CommandArgs, CommandContext, no
from companion.games.tmg.play.state.game_state import GameState, PendingTask, Token, table_of
from companion.games.tmg.play.state.mode_play import mode_of
from companion.games.tmg.rules.margins import beside_in, ground
from companion.games.tmg.rules.modes import BattleArea, Mode, spots
from companion.games.tmg.rules.modes.areas import box
from companion.games.tmg.rules.readings import Readings
from companion.games.tmg.rules.setup.placement import (
    SPOT_SPARE_IN,
    new_pile_place,
    new_pile_token,
    token_beside,
    token_on_pile,
)
from companion.geometry.plane.answer import Answer
from models import Objective, Table, Terrain, catalogue
from models.lazy_message import say

ON_ITS_PLACE_IN = 1.0
"""What is within this distance of a fixed place is its token or pile."""
ON_PILE = 1
"""The number of a task that returns a token to its Corpse Pile."""


def linked_pile(token: Token, table: Table, mode: Mode, readings: Sequence[str]) -> Terrain | None:
    """The Corpse Pile a token belongs to (TMG-MODE-FFC-6): the one of that name, or the one at
    its set-up position, whatever its id in the file."""
    for piece in table.terrain:
        if token.pile and piece.id == token.pile:
            return piece
    for spot in spots(mode, BattleArea.of(table), Readings.parse(readings)):
        for piece in table.terrain:
            beside = beside_in(spot.x, spot.y, ground(piece))
            if spot.id == token.id and piece.piece == "corpse-pile" and beside <= ON_ITS_PLACE_IN:
                return piece
    return None


def free_piles(state: GameState, table: Table) -> list[Terrain]:
    """The Corpse Piles of a table without a token."""
    mode = mode_of(state)
    found = (linked_pile(token, table, mode, state.readings) for token in state.tokens)
    taken = {pile.id for pile in found if pile is not None}
    piles = [piece for piece in table.terrain if piece.piece == "corpse-pile"]
    return [pile for pile in piles if pile.id not in taken]


def new_pile_name(state: GameState, number: int) -> str:
    """The pile a new token is linked to: the one the table shows, else the one of that number."""
    shown = free_piles(state, table_of(state.table)) if state.table else []
    return shown[-1].id if shown else f"pile{number}"


def with_pile_tokens(state: GameState, table: Table) -> Table:
    """The table with the tokens at the centres of new piles (TMG-MODE-FFC-15)."""
    shown = {token.id for token in table.objectives}
    pieces = {piece.id: piece for piece in table.terrain}
    found = [
        new_pile_token(mode_of(state), pieces[token.pile], token.id)
        for token in state.tokens
        if token.pile in pieces and token.id not in shown and not token.holder
    ]
    more = tuple(token for token in found if token is not None)
    return replace(table, objectives=(*table.objectives, *more)) if more else table


# -- legal places -----------------------------------------------------------------------------


def place_refused(state: GameState, task: PendingTask, given: CommandArgs) -> Refusal | None:
    """Why something may not be placed where the players say; None without a table."""
    x, y = given.number("x", 0, 144), given.number("y", 0, 144)
    if x is None or y is None or not state.table:
        return None
    table = table_of(state.table)
    if task.kind == "pile":
        answer = pile_answer(state, task, pile_at(state, table, x, y), table)
    else:
        answer = token_answer(state, task, Objective(task.other, x, y), table)
    if answer is None or answer.verdict != "no":
        return None
    what = "Corpse Pile" if task.kind == "pile" else task.other
    rules = ", ".join(answer.why)
    return no(answer.why[0], "{piece} may not lie there: {rules}", piece=what, rules=rules)


def pile_at(state: GameState, table: Table, x: float, y: float) -> Terrain:
    """A Corpse Pile centred there: the one the table shows, else one of the usual size."""
    for pile in free_piles(state, table):
        if beside_in(x, y, ground(pile)) <= 0:
            return pile
    wide, deep = mode_of(state).facts.sizes.pile
    outline = box(x - wide / 2, y - deep / 2, x + wide / 2, y + deep / 2)
    return Terrain("", outline, catalogue(state.game).pieces["corpse-pile"], "corpse-pile")


def token_answer(
    state: GameState, task: PendingTask, token: Objective, table: Table
) -> Answer | None:
    """Whether a pending token may be placed there; None if the table cannot show it."""
    mode, readings = mode_of(state), Readings.parse(state.readings)
    if task.number == ON_PILE:
        pile = linked_pile(state.token(task.other), table, mode, state.readings)
        return None if pile is None else token_on_pile(mode, token, pile, readings)
    if task.unit not in table:
        return None
    return token_beside(table, mode, table.unit(task.unit), token, readings)


def pile_answer(state: GameState, task: PendingTask, pile: Terrain, table: Table) -> Answer | None:
    """Whether a new pile may be placed there; None if the destroyed tray is not on the table."""
    if task.unit not in table:
        return None
    return new_pile_place(table, mode_of(state), table.unit(task.unit), pile)


def remind_of_placed(context: CommandContext, before: GameState, found: Table) -> None:
    """Remind of pending tokens and piles that the table shows at illegal places."""
    if not before.table:
        return
    old = table_of(before.table)
    for task in before.tasks:
        answers: list[tuple[str, Answer | None]] = []
        if task.kind == "token":
            answers = [
                (token.id, token_answer(before, task, token, with_tray(found, old, task.unit)))
                for token in found.objectives
                if token.id == task.other and put_down(token, old)
            ]
        elif task.kind == "pile":
            known = {piece.id for piece in old.terrain}
            table = with_tray(found, old, task.unit)
            answers = [
                (pile.id, pile_answer(before, task, pile, table))
                for pile in found.terrain
                if pile.piece == "corpse-pile" and pile.id not in known
            ]
        for name, answer in answers:
            if answer is not None and answer.verdict == "no":
                rules = ", ".join(answer.why)
                context.remind(say("{piece} may not lie there: {rules}", piece=name, rules=rules))


def with_tray(found: Table, old: Table, unit: str) -> Table:
    """The table with a destroyed unit's tray where it was: the pile is placed first."""
    if unit in found or unit not in old:
        return found
    return replace(found, units=(*found.units, old.unit(unit)))


def put_down(token: Objective, old: Table) -> bool:
    """Whether a token was moved."""
    earlier = next((one for one in old.objectives if one.id == token.id), None)
    return earlier is None or math.dist((token.x, token.y), (earlier.x, earlier.y)) > SPOT_SPARE_IN
