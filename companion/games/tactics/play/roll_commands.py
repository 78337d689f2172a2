"""The rolls of an attack and of hazards: attack dice, defence dice, charm and powder (TAC-DIE)."""

from __future__ import annotations

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
from companion.games.tactics.play.state import AttackInPlay, FigureInPlay, PlayTask
from models.message import say


@command(
    "roll",
    say("the dice that the game waits for"),
    ask("faces", "list", say("the faces; the companion rolls if left out")),
    ask("hits", "number", say("how many hits, or hits defended, without the faces")),
    ask("tens", "number", say("of the dice that hit, how many natural 10s: each hits once more")),
    ask("charm", "flag", say("use the lucky charm: one die becomes 10")),
    ask("powder", "flag", say("the opponent's blinding powder: one die becomes 1")),
    busy=True,
)
def roll(ctx: BattleContext, args: CommandFields) -> Refusal | None:
    """Attack dice, defence dice, or the dice of a hazard (TAC-DIE-1 to -5)."""
    task = ctx.state.tasks[0] if ctx.state.tasks else None
    if task is None or task.kind not in ("attack-roll", "defence-roll", "hazard-roll"):
        return no("TAC-DIE-1", "no roll is awaited")
    match task.kind:
        case "attack-roll":
            return roll_attack(ctx, args, task)
        case "defence-roll":
            return roll_defence(ctx, args, task)
    return roll_hazard(ctx, args, task)


def changed_faces(
    ctx: BattleContext, args: CommandFields, figure: FigureInPlay, faces: list[int]
) -> tuple[list[int], int | None] | Refusal:
    """The faces after blinding powder and a lucky charm, and the die that it set (TAC-EQP-6)."""
    fixed: int | None = None
    if refusal := use_items(ctx, args, figure):
        return refusal
    if faces and (announced(ctx.state, "blinding-powder") or args.flag("powder")):
        faces[faces.index(max(faces))] = 1
    charm = announced(ctx.state, "lucky-charm") or args.flag("charm")
    if charm and faces and min(faces) < SIDES_OF_DIE:
        at = faces.index(min(faces))
        faces[at] = SIDES_OF_DIE
        fixed = None if ctx.state.readings.charm == "natural" else at  # TAC-OR-15
    return faces, fixed


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


def roll_attack(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """Step 3: each die at or above the hit value hits (TAC-ATK-7)."""
    attack = ctx.state.attack
    assert attack is not None
    figure = ctx.figure(attack.attacker)
    faces: list[int] = []
    if args.has("hits") and not args.has("faces"):
        counted = counted_hits(args, attack, hits_of_ten(ctx.state, attack))
        if isinstance(counted, Refusal):
            return counted
        if refusal := use_items(ctx, args, figure):
            return refusal
    else:
        rolled = ctx.rolled(args, attack.dice)
        if isinstance(rolled, Refusal):
            return rolled
        changed = changed_faces(ctx, args, figure, list(rolled))
        if isinstance(changed, Refusal):
            return changed
        faces, counted = changed[0], count_hits(ctx.state, attack, *changed)
    ctx.add(board_events.task_done)
    ctx.add(
        fight_events.attack_rolled,
        side=figure.side,
        faces=faces,
        hits=counted[0],
        shaken=figure.shaken,
        tens=counted[1],
        name=figure.name,
        target_name=ctx.figure(attack.target).name,
    )
    return None


def counted_hits(
    args: CommandFields, attack: AttackInPlay, of_ten: int
) -> tuple[int, int] | Refusal:
    """The hits that players counted, with those that natural 10s add (TAC-DIE-4)."""
    if not args.has("tens"):
        return args.whole("hits", 0, 2 * attack.dice), 0
    dice, tens = args.whole("hits", 0, attack.dice), args.whole("tens", 0, attack.dice)
    if tens > dice:
        return no("TAC-DIE-4", "more natural 10s than hits")
    added = tens * (of_ten - 1)
    return dice + added, added


def defended_hits(
    ctx: BattleContext, args: CommandFields, figure: FigureInPlay, hits: int, modifier: int
) -> tuple[int, list[int]] | Refusal:
    """How many of these hits a figure defends, as players counted or as the faces say."""
    if args.has("hits") and not args.has("faces"):
        defended = args.whole("hits", 0, hits)
        return use_items(ctx, args, figure) or (defended, [])
    rolled = ctx.rolled(args, hits)
    if isinstance(rolled, Refusal):
        return rolled
    changed = changed_faces(ctx, args, figure, list(rolled))
    if isinstance(changed, Refusal):
        return changed
    faces, fixed = changed
    return sum(judged(faces, figure.card.defence or SIDES_OF_DIE, modifier, fixed)), faces


def roll_defence(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """Steps 5 and 6: each die at or above Defence cancels a hit (TAC-ATK-9, -10)."""
    attack = ctx.state.attack
    assert attack is not None
    figure = ctx.figure(attack.target)
    count = defence_dice(ctx.state, attack)
    sure = attack.hits - rollable(ctx.state, attack)
    found = defended_hits(ctx, args, figure, count, attack.defence_modifier)
    if isinstance(found, Refusal):
        return found
    defended, faces = found
    ctx.add(board_events.task_done)
    ctx.add(
        fight_events.defence_rolled,
        side=figure.side,
        faces=faces,
        defended=defended,
        wounds=sure + count - defended,
        shaken=figure.shaken,
        name=figure.name,
    )
    return None


def roll_hazard(ctx: BattleContext, args: CommandFields, task: PlayTask) -> Refusal | None:
    """The hits of a stake pit may be defended (TAC-TER-16)."""
    figure, hits = ctx.figure(task.figure), task.get("hits")
    found = defended_hits(ctx, args, figure, hits, defence_modifier(ctx.state, figure))
    if isinstance(found, Refusal):
        return found
    defended, faces = found
    ctx.add(board_events.task_done)
    ctx.note(
        board_events.hazard_rolled, figure, faces=faces, defended=defended, shaken=figure.shaken
    )
    if defended < hits:
        ctx.suffer(ctx.figure(figure.id), hits - defended)
    return None
