"""Two Moves that a hand has made in one go."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.api.play import Refusal
from companion.games.api.prompt import ActionOffer, TargetCell
from companion.games.tactics.play import PLAY
from companion.games.tactics.play.state import SkirmishState, battle_position, own_move
from companion.games.tactics.rules.move_check import checked_double
from companion.games.tactics.rules.movement import MoveOptions, move_ends
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from companion.games.tactics.rules.way_words import end_words
from models.board import Cell, cell_text
from models.message import say


def double_move(state: SkirmishState, piece: str, cell: Cell) -> Iterator[ActionOffer]:
    """Two Moves of the acting figure that end on a space, or why they do not; the normal rules hold
    for the second one too (TAC-MOV-8)."""
    now = state.acting
    if now is None or now.figure != piece or now.ap < 2:
        return
    position = battle_position(state)
    figure, options = position.by_id[piece], own_move(state)
    for between in stops(position, figure, cell, options):
        steps = [{"do": "move", "to": cell_text(one)} for one in (between, cell)]
        if all_allowed(state, steps):
            goal = TargetCell(cell, ({"do": "together", "commands": steps},), piece=piece)
            price = say("{n} action point", "{n} action points", n=2)
            yield ActionOffer("march", say("Move twice"), (), piece, cells=(goal,), detail=price)
            return
    if over := checked_double(position, figure, cell).over:
        why = say("too far for two Moves: by {n}", n=over)
        there = (TargetCell(cell, (), piece=piece),)
        yield ActionOffer(
            "march", say("Move twice"), (), piece, cells=there, verdict="no", reason=why
        )


def stops(
    position: BattlePosition, figure: BoardFigure, cell: Cell, options: MoveOptions
) -> list[Cell]:
    """Where the first of two Moves to a space may end, the least harmful and shortest first."""
    found: dict[Cell, tuple[int, int]] = {}
    for between, first in move_ends(position, figure, options).items():
        there = figure.at(between)
        figures = tuple(there if one.id == figure.id else one for one in position.figures)
        moved = BattlePosition(position.field, figures, position.teams)
        second = move_ends(moved, there, options).get(cell)
        if second is not None:
            legs = (first, second)
            harm = sum(len(end_words(position, figure, leg)) for leg in legs)
            found[between] = harm, sum(leg.cost for leg in legs)
    return sorted(found, key=lambda one: (*found[one], one))


def all_allowed(state: SkirmishState, commands: list[dict[str, str]]) -> bool:
    """Whether the game carries out all of the commands one after the other."""
    for command in commands:
        decision = PLAY.decide(state, command)
        if isinstance(decision, Refusal):
            return False
        for event in decision.events:
            state = PLAY.apply(state, event)
    return True
