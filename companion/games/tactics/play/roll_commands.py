"""The rolls of an attack and of hazards: attack dice, defence dice, charm and powder (TAC-DIE)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.tactics.play.context import (
    SIDES_OF_DIE,
    BattleContext,
    CommandFields,
    answer,
    on_figure,
)
from companion.games.tactics.play.defence import (
    SET_TO,
    announced,
    await_will_test,
    defence_modifier,
    item_bearers,
    note_will,
    take_will_test,
)
from companion.games.tactics.play.events import board_events, fight_events, turn_events
from companion.games.tactics.play.flow import (
    count_hits,
    defence_dice,
    hits_of_ten,
    judged,
    rollable,
)
from companion.games.tactics.play.state import (
    END,
    ROUND,
    FigureInPlay,
    PlayTask,
    PlayTaskData,
    SkirmishState,
)
from companion.games.tactics.play.terrain_charge import break_terrain
from models.message import say


@answer(
    "roll",
    say("the dice that the game waits for"),
    ask("faces", "list", say("the faces; the companion rolls if left out")),
    ask("hits", "number", say("how many hits, or hits defended, without the faces")),
    ask("tens", "number", say("of the dice that hit, how many natural 10s: each hits once more")),
    ask("charm", "flag", say("use the lucky charm: the lowest die becomes 10")),
    ask("powder", "flag", say("the opponent's blinding powder: the highest die becomes 1")),
    to=("attack-roll", "defence-roll", "hazard-roll"),
    refused=no("TAC-DIE-1", "no roll is awaited"),
)
def roll(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """Attack dice, defence dice, or the dice of a hazard (TAC-DIE-1 to -5, TAC-ATK-7, -9)."""
    figure, count = ctx.figure(task.figure), dice_of(ctx.state, task)
    if args.has("hits") and not args.has("faces"):
        counted = counted_dice(ctx.state, args, task, count)
        if isinstance(counted, Refusal):
            return counted
        if refusal := use_items(ctx, args, figure):
            return refusal
        ctx.add(board_events.task_done)
        note_hits(ctx, task, [], counted)
        return None
    rolled = ctx.rolled(args, count)
    if isinstance(rolled, Refusal):
        return rolled
    if refusal := use_items(ctx, args, figure):
        return refusal
    faces, fixed = list(rolled), None
    if faces and args.flag("powder"):
        faces[faces.index(max(faces))] = SET_TO["blinding-powder"]
    if faces and args.flag("charm") and min(faces) < SIDES_OF_DIE:
        fixed = faces.index(min(faces))
        faces[fixed] = SET_TO["lucky-charm"]
    items = announced(ctx.state)
    ctx.add(board_events.task_done)
    set_or_count(ctx, task, faces, fixed, items)
    return None


@answer(
    "smash",
    say("the dice against terrain"),
    ask("faces", "list", say("the faces; the companion rolls if left out")),
    to=("terrain-roll",),
    refused=no("TAC-CHG-13", "no terrain is charged"),
)
def smash(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """The dice of a terrain charge that its player announced (TAC-CHG-13)."""
    return dice_fell(ctx, args, task, task.data["dice"])


@on_figure(
    "will",
    say("a Will test"),
    ask("faces", "list", say("the die; the companion rolls if left out")),
    ask("charm", "flag", say("use the lucky charm: one die becomes 10")),
    ask("asked", "flag", say("its player is asked for the die")),
    phases=(ROUND, END),
    busy=True,
)
def will(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """One die against the Will value (TAC-CRD-4); Will abilities follow it (TAC-ABL-5)."""
    if args.flag("asked"):
        await_will_test(ctx, figure)
        return None
    task = ctx.state.tasks[0] if ctx.state.tasks else None
    awaited = task if task and task.kind == "will-roll" and task.figure == figure.id else None
    if awaited is not None and not args.flag("charm"):
        return dice_fell(ctx, args, awaited, 1)
    passed = take_will_test(ctx, args, figure)
    if isinstance(passed, Refusal):
        return passed
    if awaited is not None:
        ctx.add(board_events.task_done)
    after_will(ctx, figure, passed, awaited)
    return None


def after_will(
    ctx: BattleContext, figure: FigureInPlay, passed: bool, task: PlayTask | None
) -> None:
    """What a Will test opens (TAC-TER-14), and the abilities that follow it (TAC-ABL-5)."""
    ctx.answer["passed"] = passed
    if task is not None and passed and (cells := task.data.get("cells", [])):
        ctx.note(turn_events.ground_opened, figure, cells=list(cells))
    if any(one.kind == "will" for one in figure.card.abilities):
        ctx.remind(say("{figure} may use a Will ability", figure=figure.name))


def dice_fell(
    ctx: BattleContext, args: CommandFields, task: PlayTask, count: int
) -> Refusal | None:
    """The dice of an awaited roll as they fell; what was announced sets some of them first."""
    rolled = ctx.rolled(args, count)
    if isinstance(rolled, Refusal):
        return rolled
    items = announced(ctx.state)
    ctx.add(board_events.task_done)
    set_or_count(ctx, task, list(rolled), None, items)
    return None


def dice_of(state: SkirmishState, task: PlayTask) -> int:
    """How many dice an awaited roll has."""
    if task.kind == "hazard-roll" or state.attack is None:
        return int(task.data["hits"])
    return state.attack.dice if task.kind == "attack-roll" else defence_dice(state, state.attack)


def counted_dice(
    state: SkirmishState, args: CommandFields, task: PlayTask, count: int
) -> tuple[int, int] | Refusal:
    """The hits that players counted, with those that natural 10s add (TAC-DIE-4); or the hits
    defended."""
    attack = state.attack
    if task.kind != "attack-roll" or attack is None:
        return args.whole("hits", 0, count), 0
    if not args.has("tens"):
        return args.whole("hits", 0, 2 * count), 0
    dice, tens = args.whole("hits", 0, count), args.whole("tens", 0, count)
    if tens > dice:
        return no("TAC-DIE-4", "more natural 10s than hits")
    added = tens * (hits_of_ten(state, attack) - 1)
    return dice + added, added


def use_items(ctx: BattleContext, args: CommandFields, figure: FigureInPlay) -> Refusal | None:
    """Discard the equipment that a roll names; what was announced before it is gone already."""
    if args.flag("powder"):
        bearers = item_bearers(ctx.state, "blinding-powder")
        if not bearers:
            return no("TAC-EQP-6", "no enemy in melee has blinding powder")
        ctx.note(fight_events.item_used, bearers[0], item="blinding-powder")
    if args.flag("charm"):
        if not item_bearers(ctx.state, "lucky-charm"):
            return no("TAC-EQP-6", "{figure} has no lucky charm", figure=figure.name)
        ctx.note(fight_events.item_used, figure, item="lucky-charm")
    return None


def set_or_count(
    ctx: BattleContext, roll: PlayTask, faces: list[int], fixed: int | None, items: Sequence[str]
) -> None:
    """Ask whoever may set a die which one it is; the dice are counted after that. `fixed` is set to
    10 already."""
    if not (items and faces):
        natural = ctx.state.readings.charm == "natural"  # TAC-OR-15
        note_roll(ctx, roll, faces, None if natural else fixed)
        return
    figure = ctx.figure(roll.figure)
    foe = ctx.state.other(figure.side)
    data: PlayTaskData = {**roll.data, "roll": roll.kind, "faces": faces, "fixed": fixed}
    data["items"] = list(items)
    ctx.wait_for(
        "set-die",
        foe if items[0] == "blinding-powder" else figure.side,
        figure.id,
        say("{figure} rolls {dice}", figure=figure.name, dice=" ".join(map(str, faces))),
        **data,
    )


@answer(
    "set-die",
    say("the die that a charm or powder sets"),
    ask("face", "number", say("what it shows now; no die is set if left out")),
    refused=no("TAC-EQP-6", "no die is to be set"),
)
def set_die(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """The owner of the equipment may set one die (TAC-EQP-6)."""
    faces, fixed = list(task.data["faces"]), task.data.get("fixed")
    item, *items = task.data["items"]
    said = say("no die is set")
    if args.has("face"):
        face = args.whole("face", 1, SIDES_OF_DIE)
        if face not in faces:
            return no("TAC-EQP-6", "no die shows {n}", n=face)
        at = faces.index(face)
        faces[at] = SET_TO[item]
        said = say("a die is set from {n} to {to}", n=face, to=faces[at])
        if item == "lucky-charm":
            fixed = at
        elif fixed == at:
            fixed = None
    ctx.add(board_events.task_done, said=said)
    set_or_count(ctx, replace(task, kind=task.data["roll"]), faces, fixed, items)
    return None


def note_roll(ctx: BattleContext, task: PlayTask, faces: list[int], fixed: int | None) -> None:
    """What comes of the faces of a roll; the one at `fixed` was set to 10 and is not natural."""
    state, figure = ctx.state, ctx.figure(task.figure)
    if task.kind == "will-roll":
        passed = note_will(ctx, figure, faces[0], fixed is not None)
        after_will(ctx, ctx.figure(figure.id), passed, task)
    elif task.kind == "terrain-roll":
        break_terrain(ctx, figure, task.data, faces, fixed)
    elif task.kind == "attack-roll" and state.attack is not None:
        note_hits(ctx, task, faces, count_hits(state, state.attack, faces, fixed))
    else:
        modifier = defence_modifier(state, figure)
        if task.kind == "defence-roll" and state.attack is not None:
            modifier = state.attack.defence_modifier
        defended = sum(judged(faces, figure.card.defence or SIDES_OF_DIE, modifier, fixed))
        note_hits(ctx, task, faces, (defended, 0))


def note_hits(
    ctx: BattleContext, task: PlayTask, faces: list[int], counted: tuple[int, int]
) -> None:
    """The hits of an attack, or the wounds of those not defended (TAC-ATK-10, TAC-TER-16)."""
    attack, figure, good = ctx.state.attack, ctx.figure(task.figure), counted[0]
    if task.kind == "hazard-roll" or attack is None:
        hits, shaken = task.data["hits"], figure.shaken
        ctx.note(board_events.hazard_rolled, figure, faces=faces, defended=good, shaken=shaken)
        if good < hits:
            later = ctx.state.tasks
            ctx.suffer(ctx.figure(figure.id), hits - good)
            ctx.postpone(later)
    elif task.kind == "attack-roll":
        ctx.add(
            fight_events.attack_rolled,
            side=figure.side,
            faces=faces,
            hits=good,
            shaken=figure.shaken,
            tens=counted[1],
            name=figure.name,
            target_name=ctx.figure(attack.target).name,
        )
    else:
        sure = attack.hits - rollable(ctx.state, attack)
        ctx.add(
            fight_events.defence_rolled,
            side=figure.side,
            faces=faces,
            defended=good,
            wounds=sure + defence_dice(ctx.state, attack) - good,
            shaken=figure.shaken,
            name=figure.name,
            by=ctx.figure(attack.attacker).name,
        )
