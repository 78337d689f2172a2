"""The way that a figure walked, and what its spaces do to it (TAC-MOV-9, -12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.tactics.play.context import BattleContext, CommandFields, answer
from companion.games.tactics.play.events import board_events, turn_events
from companion.games.tactics.play.state import (
    FigureInPlay,
    PlayTask,
    SkirmishState,
    battle_position,
)
from companion.games.tactics.rules.places import block_place
from companion.games.tactics.rules.space_effects import (
    FIRE,
    LEAF_PILE,
    RIVER,
    STAKE_PIT,
    flank_question,
    pit_hits,
    step_effects,
)
from companion.games.tactics.rules.way_words import worded_ways
from models.board import Cell, cell_text, parse_cell
from models.message import say


def walk(
    ctx: BattleContext,
    figure: FigureInPlay,
    cell: Cell,
    ways: Sequence[Sequence[Cell]],
    flanks: Sequence[Cell] = (),
    how: str = "",
) -> None:
    """Move a figure by one of these ways and apply what its spaces do (TAC-MOV-9, -12); between
    several its player chooses. `how` tells a surge or a forced move."""
    texts = [[cell_text(one) for one in path] for path in ways]
    alike = len({len(path) for path in ways}) == 1
    spaces = texts[0] if alike else []
    there = block_place(ctx.position, cell, ctx.position.by_id[figure.id])
    told = {"how": how} if how else {}
    ctx.note(turn_events.moved, figure, cell=cell_text(cell), path=spaces, place=there, **told)
    if len(ways) > 1 and not flanks:
        ctx.wait_for("way", figure.side, figure.id, ways=texts)
        return
    chosen = {
        there: flank
        for here, there in pairwise(ways[0])
        for flank in flanks
        if beside(flank, here) and beside(flank, there)
    }
    tread(ctx, figure, ways[0], chosen)


def beside(one: Cell, two: Cell) -> bool:
    """Whether two spaces share an edge."""
    return abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1


def tread(
    ctx: BattleContext, figure: FigureInPlay, path: Sequence[Cell], chosen: Mapping[Cell, Cell]
) -> None:
    """What the spaces of a path do, up to a flank that the player has to choose (TAC-MOV-12)."""
    position = ctx.position
    mine = position.by_id[figure.id]
    for at, (here, there) in enumerate(pairwise(path)):
        asked = () if there in chosen else flank_question(position, mine, here, there)
        if asked and ctx.figure(figure.id).left > 0:
            cells = [cell_text(one) for one in asked]
            rest = [cell_text(one) for one in path[at:]]
            ctx.wait_for("flank", figure.side, figure.id, cells=cells, path=rest)
            return
        for where, effect in step_effects(position, mine, here, there, chosen.get(there)):
            apply_effect(ctx, figure, where, effect)


@answer(
    "flank",
    say("the flanking space that a diagonal step enters"),
    ask("to", "cell", "", True),
    refused=no("TAC-MOV-12", "no flanking space is to be chosen"),
)
def flank(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """The player chooses whose effects the figure suffers (TAC-MOV-12)."""
    figure, cell = ctx.figure(task.figure), ctx.cell(args)
    if cell_text(cell) not in task.data["cells"]:
        return no("TAC-MOV-12", "{figure} does not pass there", figure=figure.name)
    there = ctx.place(cell, figure.id)
    ctx.add(
        board_events.task_done,
        said=say("{figure} goes through {place}", figure=figure.name, place=there),
    )
    path = [parse_cell(one) for one in task.data["path"]]
    go_on(ctx, figure, path, {path[1]: cell})
    return None


@answer(
    "way",
    say("by which of several ways a figure has come"),
    ask("path", "list", say("the spaces on the way"), True),
    refused=no("TAC-MOV-1", "no way is to be chosen"),
)
def way(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """Of ways that do different things to the figure its player chooses one (TAC-MOV-1)."""
    figure, path = ctx.figure(task.figure), list(args.texts("path", 20))
    if path not in task.data["ways"]:
        return no("TAC-MOV-1", "{figure} has not come that way", figure=figure.name)
    said = say("{figure}: {way}", figure=figure.name, way=told_way(ctx.state, path))
    ctx.add(board_events.task_done, said=said)
    go_on(ctx, figure, [parse_cell(cell) for cell in path], {})
    return None


def told_way(state: SkirmishState, path: Sequence[str]) -> str:
    """One of the ways between which a player chooses, in words that tell it from the others."""
    task, position = state.tasks[0], battle_position(state)
    ways = [[parse_cell(cell) for cell in one] for one in task.data["ways"]]
    told = worded_ways(position, position.by_id[task.figure], ways)
    return told[list(task.data["ways"]).index(list(path))]


def go_on(
    ctx: BattleContext, figure: FigureInPlay, path: Sequence[Cell], chosen: Mapping[Cell, Cell]
) -> None:
    """Tread a path once its player has chosen; what waits already comes after it: the attack of a
    charge waits until the way is settled."""
    later = ctx.state.tasks
    tread(ctx, figure, path, chosen)
    ctx.postpone(later)


def apply_effect(ctx: BattleContext, figure: FigureInPlay, where: Cell, effect: str) -> None:
    """One terrain effect on a figure that entered a space."""
    if effect == FIRE:
        ctx.suffer(figure, 1)
    elif effect == STAKE_PIT:  # TAC-TER-16
        ctx.wait_for("hazard-roll", figure.side, figure.id, hits=pit_hits(figure.card.size))
    elif effect == LEAF_PILE:  # TAC-TER-15
        ctx.wait_for("leaf", figure.side, figure.id, cell=cell_text(where))
    elif effect == RIVER:  # TAC-TER-17
        ctx.remind(say("the river: see its sheet"))
    elif effect.startswith("!"):  # TAC-TER-3
        there = ctx.place(where, figure.id)
        ctx.remind(say("{figure} must interact: {place}", figure=figure.name, place=there))
    else:  # TAC-TER-4
        there = ctx.place(where, figure.id)
        ctx.remind(say("{figure} may interact: {place}", figure=figure.name, place=there))
