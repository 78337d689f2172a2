"""The rolls of an attack and of hazards: attack dice, defence dice, charm and powder (TAC-DIE)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.play import Refusal
from companion.games.shared.commands import ask, no
from companion.games.tactics.play.context import SIDES_OF_DIE, BattleContext, CommandFields, command
from companion.games.tactics.play.defence import announced, defence_modifier, item_bearer
from companion.games.tactics.play.events import board_events, fight_events
from companion.games.tactics.play.flow import (
    count_hits,
    defence_dice,
    hits_of_ten,
    judged,
    rollable,
)
from companion.games.tactics.play.state import FigureInPlay, PlayTask, SkirmishState
from models.message import say

SET_TO = {"blinding-powder": 1, "lucky-charm": SIDES_OF_DIE}
"""What equipment makes of a die that its owner chooses (TAC-EQP-6)."""


@command(
    "roll",
    say("the dice that the game waits for"),
    ask("faces", "list", say("the faces; the companion rolls if left out")),
    ask("hits", "number", say("how many hits, or hits defended, without the faces")),
    ask("tens", "number", say("of the dice that hit, how many natural 10s: each hits once more")),
    ask("charm", "flag", say("use the lucky charm: the lowest die becomes 10")),
    ask("powder", "flag", say("the opponent's blinding powder: the highest die becomes 1")),
    busy=True,
)
def roll(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Attack dice, defence dice, or the dice of a hazard (TAC-DIE-1 to -5, TAC-ATK-7, -9)."""
    task = ctx.state.tasks[0] if ctx.state.tasks else None
    if task is None or task.kind not in ("attack-roll", "defence-roll", "hazard-roll"):
        return no("TAC-DIE-1", "no roll is awaited")
    figure, count = ctx.figure(task.figure), dice_of(ctx.state, task)
    if args.has("hits") and not args.has("faces"):
        counted = counted_dice(ctx.state, args, task, count)
        if isinstance(counted, Refusal):
            return counted
        if refusal := use_items(ctx, args, figure):
            return refusal
        ctx.add(board_events.task_done)
        note_roll(ctx, task, [], counted)
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
    items = [item for item in SET_TO if announced(ctx.state, item)]
    ctx.add(board_events.task_done)
    set_or_count(ctx, task, faces, fixed, items)
    return None


def dice_of(state: SkirmishState, task: PlayTask) -> int:
    """How many dice an awaited roll has."""
    if task.kind == "hazard-roll" or state.attack is None:
        return int(task.get("hits"))
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
        bearer = item_bearer(ctx.state, "blinding-powder")
        if bearer is None:
            return no("TAC-EQP-6", "no enemy in melee has blinding powder")
        ctx.note(fight_events.item_used, bearer, item="blinding-powder")
    if args.flag("charm"):
        if item_bearer(ctx.state, "lucky-charm") is None:
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
        counted = judged_dice(ctx.state, roll, faces, None if natural else fixed)
        note_roll(ctx, roll, faces, counted)
        return
    figure = ctx.figure(roll.figure)
    foe = ctx.state.other(figure.side)
    ctx.wait_for(
        "set-die",
        foe if items[0] == "blinding-powder" else figure.side,
        figure.id,
        say("{figure} rolls {dice}", figure=figure.name, dice=" ".join(map(str, faces))),
        roll=roll.kind,
        hits=roll.get("hits"),
        faces=faces,
        fixed=fixed,
        items=list(items),
    )


@command(
    "set-die",
    say("the die that a charm or powder sets"),
    ask("face", "number", say("what it shows now; no die is set if left out")),
    busy=True,
)
def set_die(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """The owner of the equipment may set one die (TAC-EQP-6)."""
    task = ctx.state.tasks[0] if ctx.state.tasks else None
    if task is None or task.kind != "set-die":
        return no("TAC-EQP-6", "no die is to be set")
    faces, fixed, (item, *items) = list(task.get("faces")), task.get("fixed"), task.get("items")
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
    roll = PlayTask(task.get("roll"), "", task.figure, (("hits", task.get("hits")),))
    set_or_count(ctx, roll, faces, fixed, items)
    return None


def judged_dice(
    state: SkirmishState, task: PlayTask, faces: list[int], fixed: int | None
) -> tuple[int, int]:
    """The hits of these faces, with those that natural 10s add; or the hits that they defend."""
    attack, figure = state.attack, state.figure(task.figure)
    if task.kind == "attack-roll" and attack is not None:
        return count_hits(state, attack, faces, fixed)
    modifier = defence_modifier(state, figure)
    if task.kind == "defence-roll" and attack is not None:
        modifier = attack.defence_modifier
    return sum(judged(faces, figure.card.defence or SIDES_OF_DIE, modifier, fixed)), 0


def note_roll(
    ctx: BattleContext, task: PlayTask, faces: list[int], counted: tuple[int, int]
) -> None:
    """What comes of a roll: hits, or each hit that is not defended wounds (TAC-ATK-10, TER-16)."""
    attack, figure, good = ctx.state.attack, ctx.figure(task.figure), counted[0]
    if task.kind == "hazard-roll" or attack is None:
        hits, shaken = task.get("hits"), figure.shaken
        ctx.note(board_events.hazard_rolled, figure, faces=faces, defended=good, shaken=shaken)
        if good < hits:
            ctx.suffer(ctx.figure(figure.id), hits - good)
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
        )
