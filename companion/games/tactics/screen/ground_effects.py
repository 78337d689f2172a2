"""What the acting figure does with the ground that only its sheet knows: heaps, terrain to break,
interactions that cost more or less."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from companion.games.api.prompt import Choice, Entry, PromptForm
from companion.games.tactics.play.context import WITH_EFFECTS
from companion.games.tactics.play.state import FigureInPlay, SkirmishState, battle_position
from companion.games.tactics.play.terrain_charge import TERRAIN_CHARGE, breakable
from companion.games.tactics.play.terrain_commands import far_from
from companion.games.tactics.rules.contact import engaged_with
from companion.games.tactics.rules.places import place
from companion.games.tactics.rules.position import BattlePosition
from companion.games.tactics.rules.space_effects import controlled
from companion.games.tactics.screen.other_offers import elements
from models.board import Board, Cell, cell_text
from models.message import say

POINTS = Entry("ap", say("Action points"), "number", most=2, value=1)
VALUES = (
    Entry("dice", say("Its first value: dice"), "number", least=1, most=8, value=2),
    Entry("needs", say("Its second value: result"), "number", least=2, most=10, value=8),
)


GROUND_WORDS = {
    "open-x": say("figures may enter; nobody sees through"),
    "blocked-x": say("nobody enters, nobody sees through"),
    "blocked-o": say("nobody enters; everybody sees across"),
}
"""What terrain makes of a space."""
GROUND = Entry("ground", say("What it does"), options=tuple(GROUND_WORDS.items()))


def ground_choices(state: SkirmishState, figure: FigureInPlay) -> Iterator[Choice]:
    """A large heap of corpses is climbed after a Will test (TAC-TER-14)."""
    now = state.acting
    if not acts(state, figure) or state.granted is not None or now is None or now.free:
        return
    position = battle_position(state)
    mine = position.by_id[figure.id]
    for heap in heaps(state.board, position):
        if far_from(mine.cells, heap) <= 1:  # who stands on it climbs down after another test
            cells = [cell_text(cell) for cell in heap]
            command = {"do": "heap", "figure": figure.id, "cells": cells, "asked": True}
            there = place(position, min(heap, key=lambda one: far_from(mine.cells, (one,))))
            text = say("climb it, if it is a heap of corpses: {place}", place=there)
            yield Choice(text, (command,), piece=figure.id)


def acts(state: SkirmishState, figure: FigureInPlay) -> bool:
    """Whether the figure may take an action now."""
    now = state.acting
    return now is not None and now.figure == figure.id and not state.tasks and not now.only


def heaps(board: Board, position: BattlePosition) -> Iterator[tuple[Cell, ...]]:
    """The BLOCKED spaces of the board that lie together."""
    left = {cell for cell in board.ground if cell not in position.field.open}
    while left:
        found, new = set[Cell](), {min(left)}
        while new:
            found |= new
            new = {one for one in left - found if far_from((one,), tuple(new)) == 1}
        left -= found
        yield tuple(sorted(found))


def ground_forms(state: SkirmishState, figure: FigureInPlay) -> Iterator[PromptForm]:
    """Interactions and objectives with other action points, and terrain charges."""
    if not acts(state, figure):
        return
    position = battle_position(state)
    mine = position.by_id[figure.id]
    found = tuple((cell_text(cell), name) for cell, name in elements(state, position, mine))
    about = {"figure": figure.id}
    if found:
        where = Entry("cell", say("With what"), options=found)
        yield PromptForm(say("interact"), {"do": "interact", **about}, (where, POINTS), opens=True)
    if controlled(position, mine):
        text = say("Action of the objective")
        yield PromptForm(text, {"do": "objective", **about}, (POINTS,), opens=True)
    yield from terrain_charges(state, figure, position)


def terrain_forms(state: SkirmishState, figure: FigureInPlay) -> Iterator[PromptForm]:
    """A card lays terrain beside a figure, or takes it away (TAC-TER-1)."""
    if state.tasks or state.phase not in WITH_EFFECTS or not figure.on_board:
        return
    position = battle_position(state)
    cells = position.by_id[figure.id].cells
    every = product(range(state.board.columns), range(state.board.rows))
    near = [one for one in every if far_from(cells, (one,)) == 1]
    free = [one for one in near if one in position.field.open and one not in position.occupied]
    laid = [
        one for one in near if any(word in GROUND_WORDS for word in state.board.ground.get(one, ()))
    ]
    for text, command, found, entries in (
        (say("a card lays terrain beside it"), {}, free, (GROUND,)),
        (say("a card takes the terrain beside it away"), {"ground": "open-o"}, laid, ()),
    ):
        options = tuple((cell_text(one), place(position, one, figure.id)) for one in found)
        if options:
            where = Entry("cell", say("Where it lies"), options=options)
            yield PromptForm(text, {"do": "terrain", **command}, (where, *entries), opens=True)


def terrain_charges(
    state: SkirmishState, figure: FigureInPlay, position: BattlePosition
) -> Iterator[PromptForm]:
    """Terrain and doors in sight, with the two values that their sheet lists (TAC-CHG-9, -10)."""
    now, mine = state.acting, position.by_id[figure.id]
    if now is None or now.ap < TERRAIN_CHARGE or engaged_with(position, mine):
        return
    ground, doors = breakable(state.board, position, mine)
    cells = tuple((cell_text(one), place(position, one, figure.id)) for one in ground)
    edges = tuple(
        ([cell_text(one) for one in edge], place(position, edge[0], figure.id)) for edge in doors
    )
    for field, text, options in (
        ("cell", say("terrain charge"), cells),
        ("edge", say("terrain charge at a door"), edges),
    ):
        if options:
            yield PromptForm(
                text,
                {"do": "terrain-charge", "figure": figure.id, "asked": True},
                (Entry(field, say("Where it lies"), options=options), *VALUES),
                detail=say("2 action points: move towards it, then break it"),
                opens=True,
            )
