"""Terrain charges: move towards terrain and break it, step by step (TAC-CHG-9 to -14)."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.tactics.play.context import (
    BattleContext,
    CommandFields,
    action,
    answer,
)
from companion.games.tactics.play.defence import shaken_modifier
from companion.games.tactics.play.events import board_events
from companion.games.tactics.play.flow import judged
from companion.games.tactics.play.state import FigureInPlay, PlayTask, PlayTaskData, own_move
from companion.games.tactics.play.terrain_commands import (
    beside_edge,
    border_at,
    edge_of,
    far_from,
    offer_step,
)
from companion.games.tactics.play.walked_way import walk
from companion.games.tactics.rules.contact import engaged_with, reaches_element
from companion.games.tactics.rules.movement import move_ends
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from companion.games.tactics.rules.sight import sight
from models.board import Board, Cell, Edge, cell_text, edge, parse_cell
from models.message import say


@action(
    "terrain-charge",
    say("move towards terrain and break it"),
    ask("edge", "list", say("a door: the two spaces it lies between")),
    ask("cell", "cell", say("or the space of the terrain")),
    ask("to", "cell", say("where the move ends")),
    ask("dice", "number", say("the first value of the terrain"), True),
    ask("needs", "number", say("the second value of the terrain"), True),
    ask("faces", "list", say("the faces; the companion rolls if left out")),
    ask("asked", "flag", say("its player is asked where it goes and what it rolls")),
)
def terrain_charge(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """`TERRAIN CHARGE 2`; it needs no melee attack on the card (TAC-CHG-9 to -14)."""
    position = ctx.position
    mine = position.by_id[figure.id]
    dice, needs = args.whole("dice", 1, 8), args.whole("needs", 2, 10)
    if engaged_with(position, mine):
        return no("TAC-CHG-10", "an engaged figure cannot charge")
    where = edge_of(ctx, args) if args.has("edge") else None
    spaces = where if where else (ctx.cell(args, "cell"),)
    if where and (border_at(ctx, where) is None):
        return no("TAC-CHG-9", "there is no door")
    if not where and spaces[0] in position.field.open:
        return no("TAC-CHG-9", "there is no terrain to break")
    if not any(sight(position, mine.cells, (cell,)).clear for cell in spaces):
        return no("TAC-CHG-10", "no line of sight to the terrain")
    ends = move_ends(position, mine, own_move(ctx.state))
    if args.flag("asked"):
        return announce_terrain_charge(ctx, figure, where, spaces, (dice, needs))
    cell = ctx.cell(args) if args.has("to") else mine.cell
    if cell != mine.cell:
        if cell not in ends:
            return no("TAC-CHG-12", "{figure} cannot move there", figure=figure.name)
        if far_from(mine.cells_at(cell), spaces) >= far_from(mine.cells, spaces):
            return no("TAC-CHG-12", "the move must lead towards the terrain")
    if refusal := ctx.spend(TERRAIN_CHARGE):
        return refusal
    if cell != mine.cell:
        walk(ctx, figure, cell, ends[cell].ways)
    if not touches_terrain(ctx, figure, where, spaces[0]):
        return None
    faces = ctx.rolled(args, dice + (ctx.state.readings.terrain_charge_die == "yes"))  # TAC-OR-33
    if isinstance(faces, Refusal):
        return faces
    target = PlayTaskData(cell=cell_text(spaces[0]), values=[dice, needs])
    if where:
        target["edge"] = [cell_text(one) for one in where]
    break_terrain(ctx, ctx.figure(figure.id), target, list(faces))
    return None


TERRAIN_CHARGE = 2
"""The action points of a terrain charge (TAC-CHG-9)."""


def touches_terrain(
    ctx: BattleContext, figure: FigureInPlay, where: Edge | None, cell: Cell
) -> bool:
    """Whether a figure is in contact with the terrain that it charges (TAC-CHG-12)."""
    moved = ctx.position.by_id[figure.id]
    if where:
        return beside_edge(moved.cells, where)
    return reaches_element(ctx.position, moved, cell)


def breakable(
    board: Board, position: BattlePosition, figure: BoardFigure
) -> tuple[list[Cell], list[Edge]]:
    """The BLOCKED spaces and closed doors that a figure sees (TAC-CHG-10)."""

    def seen(cells: Iterable[Cell]) -> bool:
        return any(sight(position, figure.cells, (cell,)).clear for cell in cells)

    ground = [one for one in sorted(board.ground) if one not in position.field.open and seen([one])]
    doors = [
        one.edge for one in board.borders if one.kind != "wall" and not one.open and seen(one.edge)
    ]
    return ground, doors


def announce_terrain_charge(
    ctx: BattleContext,
    figure: FigureInPlay,
    where: Edge | None,
    spaces: tuple[Cell, ...],
    values: tuple[int, int],
) -> Refusal | None:
    """The points are paid; where it goes and the dice follow, step by step (TAC-CHG-9 to -13)."""
    if refusal := ctx.spend(TERRAIN_CHARGE):
        return refusal
    position = ctx.position
    mine = position.by_id[figure.id]
    nearer = [
        cell_text(cell)
        for cell in sorted(move_ends(position, mine, own_move(ctx.state)))
        if far_from(mine.cells_at(cell), spaces) < far_from(mine.cells, spaces)
    ]
    target = PlayTaskData(cell=cell_text(spaces[0]), values=list(values))
    if where:
        target["edge"] = [cell_text(cell) for cell in where]
    said = say("{figure} charges terrain", figure=figure.name)
    if nearer:
        target["cells"] = nearer
        ctx.wait_for("terrain-move", figure.side, figure.id, said, **target)
    else:
        wait_to_break(ctx, figure, target, said)
    return None


def wait_to_break(
    ctx: BattleContext, figure: FigureInPlay, target: PlayTaskData, said: str = ""
) -> None:
    """The dice against terrain, if the figure is in contact with it (TAC-CHG-12)."""
    edge_ = target.get("edge")
    where = edge(*map(parse_cell, edge_)) if edge_ else None
    if touches_terrain(ctx, figure, where, parse_cell(target["cell"])):
        dice = target["values"][0] + (ctx.state.readings.terrain_charge_die == "yes")  # TAC-OR-33
        data: PlayTaskData = {**target, "dice": dice}
        ctx.wait_for("terrain-roll", figure.side, figure.id, said, **data)


@answer(
    "approach",
    say("where the move of a terrain charge ends; where it stands if left out"),
    ask("to", "cell"),
    to=("terrain-move",),
    refused=no("TAC-CHG-12", "no terrain is charged"),
)
def approach(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """The move of a terrain charge leads towards the terrain (TAC-CHG-12)."""
    figure, position = ctx.figure(task.figure), ctx.position
    ctx.add(board_events.task_done)
    if args.has("to"):
        cell = ctx.cell(args)
        if cell_text(cell) not in task.data["cells"]:
            return no("TAC-CHG-12", "the move must lead towards the terrain")
        ends = move_ends(position, position.by_id[figure.id], own_move(ctx.state))
        walk(ctx, figure, cell, ends[cell].ways)
    wait_to_break(ctx, figure, task.data)
    return None


def break_terrain(
    ctx: BattleContext,
    figure: FigureInPlay,
    target: PlayTaskData,
    faces: list[int],
    fixed: int | None = None,
) -> None:
    """One die that reaches the result destroys the terrain: flip it (TAC-CHG-13)."""
    modifier = shaken_modifier(ctx.state, figure)
    broken = any(judged(faces, target["values"][1], modifier, fixed))
    ctx.note(
        board_events.terrain_rolled, figure, faces=faces, destroyed=broken, shaken=figure.shaken
    )
    if not broken:
        return
    cell, edge_ = parse_cell(target["cell"]), target.get("edge")
    if edge_:
        ctx.add(board_events.door, edge_=list(edge_), open=True, name=figure.name, broken=True)
        offer_step(ctx, figure, edge(*map(parse_cell, edge_)))
    else:
        ctx.add(board_events.ground, cell=cell_text(cell), ground="open-o")
        offer_step(ctx, figure, (cell, cell))
