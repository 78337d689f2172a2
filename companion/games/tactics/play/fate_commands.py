"""The end of an attack: kill or capture, captives that are free, what is left out (TAC-ATK-14)."""

from __future__ import annotations

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.tactics.play.attack_commands import defend
from companion.games.tactics.play.context import (
    BattleContext,
    CommandFields,
    answer,
)
from companion.games.tactics.play.events import board_events, fight_events
from companion.games.tactics.play.flow import kill, release
from companion.games.tactics.play.state import FigureInPlay, PlayTask
from models.board import cell_text
from models.message import say


@answer(
    "fate",
    say("kill or capture the defeated figure"),
    ask("choose", "word", "", True, ("kill", "capture")),
    ask("poison", "flag", say("the vial of poison: killed instead of captured")),
    refused=no("TAC-CAP-1", "nobody is defeated"),
)
def fate(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """Step 9 for a hero or veteran defeated in melee (TAC-ATK-14, TAC-CAP-1)."""
    attack = ctx.state.attack
    assert attack is not None
    figure, captor = ctx.figure(task.figure), ctx.figure(attack.attacker)
    capture = args.choice("choose", ("kill", "capture")) == "capture"
    if args.flag("poison"):
        if figure.equipment != "vial-of-poison" or not capture:
            return no("TAC-EQP-6", "{figure} has no vial of poison to use", figure=figure.name)
        ctx.note(fight_events.item_used, figure, item="vial-of-poison")
        capture = False
    ctx.add(board_events.task_done)
    if not capture:
        kill(ctx, ctx.figure(figure.id), captor.id)
    elif figure.equipment == "vial-of-poison" and not args.has("poison"):
        said = say("{figure} is to be captured", figure=figure.name)
        ctx.wait_for("poison", figure.side, figure.id, said)  # its bearer decides
    else:
        take_captive(ctx, figure, captor)
    return None


@answer(
    "poison",
    say("the vial of poison of a figure that would be captured"),
    ask("on", "flag", say("it is drunk: killed instead of captured"), True),
    refused=no("TAC-EQP-6", "nobody is to be captured"),
)
def poison(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """Its bearer decides once the attacker wants to capture it (TAC-EQP-6)."""
    attack = ctx.state.attack
    assert attack is not None
    figure, captor = ctx.figure(task.figure), ctx.figure(attack.attacker)
    ctx.add(board_events.task_done)
    if args.flag("on"):
        ctx.note(fight_events.item_used, figure, item="vial-of-poison")
        kill(ctx, ctx.figure(figure.id), captor.id)
    else:
        take_captive(ctx, figure, captor)
    return None


def take_captive(ctx: BattleContext, figure: FigureInPlay, captor: FigureInPlay) -> None:
    """A defeated figure is captured; its own captives are free (TAC-CAP-1, -7)."""
    cells = [cell_text(cell) for cell in ctx.position.by_id[figure.id].cells]
    who = {"captor": captor.id, "captor_name": captor.name, "by_side": captor.side}
    ctx.note(fight_events.captured, figure, cells=cells, **who)
    release(ctx, figure, cells)


@answer(
    "free",
    say("where a freed captive stands"),
    ask("to", "cell", "", True),
    refused=no("TAC-CAP-7", "no captive is free"),
)
def free(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """On the space of its captor, before anybody surges (TAC-CAP-7, -8, TAC-OR-41)."""
    figure, cell = ctx.figure(task.figure), ctx.cell(args)
    if cell_text(cell) not in task.data["cells"]:
        return no("TAC-CAP-7", "only onto a space of its captor")
    ctx.add(board_events.task_done)
    ctx.note(fight_events.freed, figure, cell=cell_text(cell))
    return None


@answer(
    "continue",
    say("go on without surge, aftermath or step"),
    to=("surge", "aftermath", "door-step", "defend", "wounded"),
    refused=no("TAC-ATK-16", "nothing can be left out"),
)
def continue_(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """Leave out what is optional."""
    if task.kind == "defend":
        return defend(ctx, CommandFields({}, "continue"), task)
    figure = ctx.figure(task.figure) if task.figure else None
    said: str
    match task.kind:
        case "surge" if figure is not None:
            said = say("{figure} does not surge", figure=figure.name)
        case "wounded" if figure is not None:
            said = say("{figure} uses no wound ability", figure=figure.name)
            if ctx.state.used_for_wounds(figure.id):
                said = say("{figure} uses no other wound ability", figure=figure.name)
        case "door-step" if figure is not None:
            said = say("{figure} does not step through", figure=figure.name)
        case _:
            used = {one for one, _ in ctx.state.attack.aftermaths} if ctx.state.attack else set()
            said = say("nobody uses an aftermath")
            if used:
                said = say("nobody uses another aftermath")
            if task.data.get("alone") and figure is not None and figure.id not in used:
                said = say("{figure} uses no aftermath", figure=figure.name)
    ctx.add(board_events.task_done, said=said)
    return None
