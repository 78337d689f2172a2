"""Commands that move figures: Moves, surges, forced moves, dismounting, corrections (TAC-MOV)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.tactics.cards.figure_card import CardAbility
from companion.games.tactics.play.context import (
    WITH_EFFECTS,
    BattleContext,
    CommandFields,
    acting_figure,
    action,
    answer,
    command,
    where_to,
)
from companion.games.tactics.play.events import board_events, fight_events, turn_events
from companion.games.tactics.play.flow import release, remind_of_kill
from companion.games.tactics.play.state import (
    BEFORE,
    END,
    ROUND,
    FigureInPlay,
    PlayTask,
    PlayTaskData,
    SkirmishState,
    own_move,
)
from companion.games.tactics.play.terrain_commands import single_steps
from companion.games.tactics.play.walked_way import walk
from companion.games.tactics.rules.move_check import checked_move
from companion.games.tactics.rules.movement import (
    MoveOptions,
    MoveTarget,
    dismount_cells,
    move_ends,
    move_spaces,
    open_steps,
    pulled_towards,
    pushed_away,
    surge_ends,
)
from companion.games.tactics.rules.places import barred_ground
from companion.games.tactics.rules.places import place as place_words
from companion.games.tactics.rules.position import BattlePosition, BoardFigure
from companion.games.tactics.rules.readings import reason
from models.board import Cell, cell_text, parse_cell
from models.message import say


def move_options(
    ctx: BattleContext, figure: FigureInPlay, args: CommandFields
) -> tuple[MoveOptions, CardAbility | None] | Refusal:
    """What an announced movement ability changes (TAC-ABL-3, -4)."""
    if not args.has("ability"):
        return own_move(ctx.state), None
    name = args.need("ability")
    for one in figure.card.abilities:
        if one.name == name and one.kind == "movement":
            return ability_move(ctx.state, ctx.position.by_id[figure.id], one), one
    return no(
        "TAC-ABL-3",
        "{figure} has no movement ability {ability!r}",
        figure=figure.name,
        ability=name,
    )


def ability_move(state: SkirmishState, figure: BoardFigure, ability: CardAbility) -> MoveOptions:
    """A Move with an ability: more spaces, or enemies that do not stop it (TAC-ABL-14)."""
    spaces = figure.spaces + ability.spaces
    return replace(own_move(state), spaces=spaces, unstoppable=ability.unstoppable)


def move_refusal(
    position: BattlePosition, figure: BoardFigure, cell: Cell, ends: dict[Cell, MoveTarget]
) -> Refusal | None:
    """Why a move cannot end on a space."""
    if cell in ends:
        return None
    why = checked_move(position, figure, cell).why
    rule = why[0] if why else "TAC-MOV-1"
    return Refusal(
        rule,
        say(
            "{figure} cannot move there: {reason}",
            figure=figure.name,
            reason=reason(rule),
        ),
    )


@action(
    "move",
    say("move the activated figure"),
    ask("to", "cell", "", True),
    ask(
        "path",
        "list",
        say("the spaces on the way; the least harmful if left out, or its player is asked"),
    ),
    ask("flanks", "list", say("the flanking spaces chosen for diagonal steps")),
    ask("ability", "text", say("a movement ability announced with it")),
    ask("agenda", "flag", say("the free move of an agenda card")),
)
def move(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """`MOVE 1` (TAC-MOV-1 to -21)."""
    options = move_options(ctx, figure, args)
    if isinstance(options, Refusal):
        return options
    position = ctx.position
    mine, cell = position.by_id[figure.id], ctx.cell(args)
    ends = move_ends(position, mine, options[0])
    if refusal := move_refusal(position, mine, cell, ends):
        return refusal
    ways: Sequence[Sequence[Cell]] = ends[cell].ways
    if args.has("path"):
        way = tuple(parse_cell(item.text(20)) for item in args.field("path").items(20))
        if refusal := path_refusal(position, mine, way, cell, options[0]):
            return refusal
        ways = [way]
    if args.flag("agenda"):
        if refusal := use_agenda(ctx, figure, "A4"):
            return refusal
    elif refusal := ctx.spend(1):
        return refusal
    ability = options[1]
    if ability is not None:
        if refusal := ctx.pay(figure.side, ability.price, ability.name):
            return refusal
        ctx.note(fight_events.ability_used, figure, ability=ability.name)
    walk(ctx, figure, cell, ways, flanks_of(args))
    return None


def use_agenda(ctx: BattleContext, figure: FigureInPlay, card: str) -> Refusal | None:
    """The free action of an agenda, before the first action (TAC-AGD-5, -7, TAC-OR-17)."""
    if refusal := agenda_refusal(ctx.state, figure, card):
        return refusal
    extra = ctx.state.readings.agenda_action == "extra"
    if not extra and (refusal := ctx.spend(0, free=True)):
        return refusal
    ctx.note(fight_events.ability_used, figure, ability=card, agenda=card)
    return None


AGENDA_ACTIONS = {"A4": "move", "A5": "attack"}
"""The free actions of agenda cards (TAC-AGD-5, -7)."""


@action(
    "agenda-action",
    say("show an agenda card for its free Move or attack"),
    ask("card", "word", "", True, tuple(AGENDA_ACTIONS)),
)
def agenda_action(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """The card is shown; the free action comes at once or never (TAC-AGD-1, -5, -7)."""
    card = args.choice("card", tuple(AGENDA_ACTIONS))
    if refusal := use_agenda(ctx, figure, card):
        return refusal
    ctx.note(turn_events.granted, figure, ap=1, only=AGENDA_ACTIONS[card])
    return None


def agenda_refusal(state: SkirmishState, figure: FigureInPlay, card: str) -> Refusal | None:
    """Why the free action of an agenda is not possible now (TAC-AGD-5, -7)."""
    now, squad = state.activation, state.squad(figure.side)
    if (card not in squad.agenda and not state.paper) or card in squad.used:
        return no("TAC-AGD-1", "{player} has no such agenda to use", player=squad.player)
    if now is None or now.spent or now.free or state.granted:
        return no("TAC-AGD-5", "only at the start of an activation")
    if card == "A4" and figure.kind != "soldier":
        return no("TAC-AGD-5", "only a soldier")
    return None


def flanks_of(args: CommandFields) -> list[Cell]:
    """The flanking spaces that a command names."""
    if not args.has("flanks"):
        return []
    return [parse_cell(item.text(20)) for item in args.field("flanks").items(20)]


def path_refusal(
    position: BattlePosition,
    figure: BoardFigure,
    path: Sequence[Cell],
    end: Cell,
    options: MoveOptions,
) -> Refusal | None:
    """Whether the players' own path is a legal way to that end (TAC-MOV-18)."""
    foes = position.opponents(figure)
    if len(path) < 2 or path[0] not in figure.cells or path[-1] not in figure.cells_at(end):
        return no("TAC-MOV-1", "the path does not lead from the figure to that space")
    if len(path) - 1 > move_spaces(position, figure, options):
        return no("TAC-MOV-1", "the path is too long")
    for at in range(1, len(path)):
        if path[at] not in open_steps(position, path[at - 1], foes, options):
            return no(
                "TAC-MOV-2", "no step to {place}", place=place_words(position, path[at], figure.id)
            )
        ends = move_ends(position, figure, options)
        stops = path[at] in ends and ends[path[at]].engages and not figure.large
        if stops and at < len(path) - 1 and not options.unstoppable:
            return no("TAC-MOV-6", "it must stop where it is engaged")
    return None


@answer(
    "surge",
    say("move onto a space of the killed figure"),
    ask("to", "cell", "", True),
    to=("surge", "door-step"),
    refused=no("TAC-ATK-16", "nobody may surge"),
)
def surge(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """After a kill in melee, or through broken terrain (TAC-ATK-16, TAC-CHG-14)."""
    figure, cell = ctx.figure(task.figure), ctx.cell(args)
    if cell_text(cell) not in task.data["cells"]:
        return no("TAC-ATK-16", "{figure} cannot surge there", figure=figure.name)
    position = ctx.position
    ends = single_steps(position, figure)
    if task.kind == "surge" and ctx.state.attack is not None:
        ends = surge_ends(position, position.by_id[figure.id], ctx.state.attack.cells)
    ctx.add(board_events.task_done)
    walk(ctx, figure, cell, ends[cell].ways, how="surge" if task.kind == "surge" else "")
    return None


@command(
    "push",
    say("an ability forces a figure away or towards another"),
    ask("figure", "figure", "", True),
    ask("from", "figure", say("the figure that causes it"), True),
    ask("way", "word", "", True, ("away", "towards")),
    ask("spaces", "number", "", True),
    ask("to", "cell", say("where it ends; needed if there is a choice")),
    ask("asked", "flag", say("its owner is asked where it ends")),
    phases=WITH_EFFECTS,
)
def push(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Forced moves (TAC-ABL-17 to -19); the owner chooses the path (TAC-ABL-22)."""
    figure, cause = ctx.on_board(args.need("figure")), ctx.on_board(args.need("from"))
    for one in (figure, cause):
        if isinstance(one, Refusal):
            return one
    assert isinstance(figure, BoardFigure)
    assert isinstance(cause, BoardFigure)
    spaces, position = args.whole("spaces", 1, 12), ctx.position
    away = args.choice("way", ("away", "towards")) == "away"
    ends = forced_ends(position, figure, cause, away, spaces)
    if not ends:
        rule = "TAC-ABL-18" if away else "TAC-ABL-19"
        return no(rule, "{figure} is not moved", figure=figure.name)
    if not args.has("to") and len(ends) > 1:
        if not args.flag("asked"):
            return Refusal("TAC-ABL-22", where_to(ctx, figure.id, ends), "to")
        cells = [cell_text(cell) for cell in sorted(ends)]
        data = PlayTaskData(cause=cause.id, away=away, spaces=spaces, cells=cells)
        said = say("an ability moves {figure}", figure=figure.name)
        ctx.wait_for("pushed", figure.side, figure.id, said, **data)
        return None
    cell = ctx.cell(args) if args.has("to") else next(iter(ends))
    if cell not in ends:
        rule = "TAC-ABL-17" if away else "TAC-ABL-19"
        return no(rule, "{figure} does not end there", figure=figure.name)
    walk(ctx, ctx.figure(figure.id), cell, ends[cell].ways, how="forced")
    return None


def forced_ends(
    position: BattlePosition, figure: BoardFigure, cause: BoardFigure, away: bool, spaces: int
) -> dict[Cell, MoveTarget]:
    """Where a forced move may end (TAC-ABL-17 to -19)."""
    return (pushed_away if away else pulled_towards)(position, figure, cause, spaces)


@answer(
    "pushed",
    say("where a forced move ends"),
    ask("to", "cell", "", True),
    refused=no("TAC-ABL-22", "no forced move is awaited"),
)
def pushed(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """The owner chooses, whoever caused it (TAC-ABL-22)."""
    figure, cell, position = ctx.figure(task.figure), ctx.cell(args), ctx.position
    if cell_text(cell) not in task.data["cells"]:
        return no("TAC-ABL-17", "{figure} does not end there", figure=figure.name)
    mine, cause = position.by_id[figure.id], position.by_id[task.data["cause"]]
    ends = forced_ends(position, mine, cause, task.data["away"], task.data["spaces"])
    ctx.add(board_events.task_done)
    walk(ctx, figure, cell, ends[cell].ways, how="forced")
    return None


def rider(state: SkirmishState, args: CommandFields) -> FigureInPlay | Refusal:
    """Whose mount was killed, or the acting figure."""
    task = state.tasks[0] if state.tasks else None
    if task is None:
        return acting_figure(state, args)
    if task.kind != "unhorse":
        return no("TAC-RND-2", "something else comes first")
    return state.figure(task.figure)


@command(
    "dismount",
    say("replace a mounted figure by its foot version"),
    ask("figure", "figure"),
    ask("to", "cell", "", True),
    busy=True,
    of=rider,
)
def dismount(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """A free action, or the mount was killed (TAC-FIG-8 to -12)."""
    task = ctx.state.tasks[0] if ctx.state.tasks else None
    if figure.foot is None:
        return no("TAC-FIG-6", "{figure} is not mounted", figure=figure.name)
    cell, position = ctx.cell(args), ctx.position
    cells = dismount_cells(position, position.by_id[figure.id])
    if cell not in cells:
        return no("TAC-FIG-9", "only onto one of its own spaces")
    if task is None:
        if not ctx.state.is_active(figure.id):
            return no("TAC-FIG-8", "a figure dismounts in its own activation")
        if refusal := ctx.spend(0, free=True):
            return refusal
    else:
        ctx.add(board_events.task_done)
    killer = killer_of_mount(ctx.state, figure)
    counted = killer if ctx.state.readings.mount_kill == "yes" else ""
    ctx.note(
        turn_events.unhorsed,
        figure,
        cell=cell_text(cell),
        foot_name=foot_name(ctx, figure),
        by=counted,
        cells=[cell_text(one) for one in cells] if killer else [],
        place=ctx.place(cell, figure.id),
        dead=task is not None,
    )
    remind_of_kill(ctx, figure, counted)
    if ctx.state.readings.dismounted_captor == "frees":  # TAC-OR-21
        release(ctx, figure, [cell_text(one) for one in cells if one != cell])
    return None


def killer_of_mount(state: SkirmishState, figure: FigureInPlay) -> str:
    """The attacker who may surge after the death of this mount, or "" (TAC-OR-24)."""
    attack = state.attack
    if attack is None or attack.target != figure.id or state.readings.mount_kill == "no":
        return ""
    return attack.attacker


def foot_name(ctx: BattleContext, figure: FigureInPlay) -> str:
    """The name of the foot version; numbered like the mounted one if there are several."""
    assert figure.foot is not None
    tail = figure.name.removeprefix(figure.card.name)
    return figure.foot.name + tail


@command(
    "place",
    say("correct where a figure stands"),
    ask("figure", "figure", "", True),
    ask("to", "cell", "", True),
    phases=(*BEFORE, ROUND, END),
    busy=True,
)
def place(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """A correction: only what can never be is refused (TAC-GRD-9, TAC-SPC-7)."""
    figure = ctx.on_board(args.need("figure"))
    if isinstance(figure, Refusal):
        return figure
    cell = ctx.cell(args)
    if barred := ctx.position.fits(figure, cell):
        ground = barred_ground(ctx.position.field.board, figure.cells_at(cell))
        why = ground or reason(barred)
        return no(barred, "{figure} cannot stand there: {why}", figure=figure.name, why=why)
    there = ctx.place(cell, figure.id)
    ctx.note(turn_events.placed, ctx.figure(figure.id), cell=cell_text(cell), place=there)
    return None
