"""Commands that answer what the game waits for: rolls and decisions in combat and Regroup."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from companion.games.api.play import FieldSpec, Refusal
from companion.games.shared.commands import ask, no
from companion.games.westeros.cards.command_card import MOST_ORDERED
from companion.games.westeros.cards.unit_cards import MOST_CAPTURE
from companion.games.westeros.combat.die import FACES, SYMBOL_WORDS, SYMBOLS
from companion.games.westeros.play.combat_flow import begin_attack, move_unit
from companion.games.westeros.play.context import (
    CommandFields,
    WesterosContext,
    command,
    symbol_text,
)
from companion.games.westeros.play.events import battle_events, round_events
from companion.games.westeros.play.state import (
    NOBODY,
    REGROUP,
    BattleTask,
    WesterosState,
    hex_field,
)
from companion.games.westeros.play.turn_commands import (
    begin_orders,
    card_units_refusal,
    silenceable,
)
from companion.games.westeros.play.unit_commands import fight_adjacent_fire, set_on_fire
from companion.games.westeros.rules.fire import spread_cell, spreads_to
from companion.games.westeros.rules.hex_field import MOST_FIRE
from models.board import cell_text, parse_cell
from models.message import joined, say

DIRECTIONS = 6
"""The direction markers (BOW-CMP-5)."""

Verb = TypeVar("Verb", bound=Callable[..., Refusal | None])


def answer(
    name: str,
    what: str,
    *fields: FieldSpec,
    to: tuple[str, ...],
    phases: tuple[str, ...] | None = None,
) -> Callable[[Verb], Verb]:
    """A command that answers a task of these kinds; the function gets the task."""

    def awaited(state: WesterosState, args: CommandFields) -> BattleTask | Refusal:
        task = state.tasks[0] if state.tasks else None
        if task is None or task.kind not in to:
            return no("BOW-CMB-1", "that is not awaited now")
        return task

    return command(name, what, *fields, phases=phases, busy=True, of=awaited)


@answer(
    "roll",
    say("the dice that an attack or a fire waits for"),
    ask("faces", "list", say("the symbols G, B, R, V, M or faces; the companion rolls without")),
    to=("attack-roll", "hound-roll", "fire-roll"),
)
def roll(ctx: WesterosContext, args: CommandFields, task: BattleTask) -> Refusal | None:
    """Step 6: the dice; war hounds roll their first die alone (BOW-KEY-6)."""
    unit = ctx.unit(task.unit)
    faces = ctx.rolled(args, task.data["dice"])
    ctx.add(round_events.task_done)
    if task.kind == "fire-roll":
        roll_for_fire = set_on_fire if task.data.get("do") == "scorch" else fight_adjacent_fire
        roll_for_fire(ctx, unit, parse_cell(task.data["to"]), faces)
        return None
    attack = ctx.state.attack
    assert attack is not None
    ctx.note(
        battle_events.attack_rolled,
        unit,
        faces=faces,
        symbols=symbol_text(faces),
        stage="hounds" if task.kind == "hound-roll" else "rolled",
        target_name=ctx.unit(attack.target).name,
    )
    return None


@answer(
    "units",
    say("the units that a played command card orders"),
    ask("units", "list", say("as many as the card says, or fewer")),
    ask("dice", "number", say("dice that it adds to their attacks")),
    ask("silence", "text", say("an enemy that may not counterattack this turn")),
    to=("card-units",),
)
def units(ctx: WesterosContext, args: CommandFields, task: BattleTask) -> Refusal | None:
    """Step 3 of a command card: name all units, then they move and attack (BOW-CRD-1, -9)."""
    leader = ctx.unit(task.unit)
    named = [ctx.unit(name) for name in args.texts("units", MOST_ORDERED)]
    if refusal := card_units_refusal(ctx, leader, named, task.data["most"]):
        return refusal
    silenced = list(task.data["silenced"])
    enemy = args.text("silence", NOBODY)
    if enemy != NOBODY:
        near = [one for one in silenceable(ctx.state, leader) if enemy in (one.id, one.name)]
        if not near:
            return no("BOW-CRD-17", "{unit} is no enemy in command range", unit=enemy)
        silenced.append(near[0].id)
    ctx.add(round_events.task_done)
    begin_orders(
        ctx,
        leader.side,
        named,
        commander=leader.id,
        dice=args.whole("dice", -5, 5, task.data.get("dice")),
        silenced=silenced,
        text=task.data.get("text", ""),
    )
    return None


@answer(
    "reroll",
    say("re-roll all dice with one symbol after a flank attack"),
    ask("symbol", "word", say("the symbol; all dice stay without it"), False, SYMBOLS),
    ask("faces", "list", say("the new results; the companion rolls without")),
    to=("reroll",),
)
def reroll(ctx: WesterosContext, args: CommandFields, task: BattleTask) -> Refusal | None:
    """One symbol, once; the new results stand (BOW-ENG-6)."""
    attack = ctx.state.attack
    assert attack is not None
    unit = ctx.unit(task.unit)
    if not args.has("symbol"):
        ctx.add(
            round_events.task_done,
            said=say("{unit} keeps all dice", unit=unit.name),
            side=task.side,
        )
        return None
    chosen = args.choice("symbol", SYMBOLS)
    kept = [face for face in attack.faces if FACES[face - 1] != chosen]
    count = len(attack.faces) - len(kept)
    if not count:
        return no("BOW-ENG-6", "no die shows that symbol")
    faces = ctx.rolled(args, count)
    ctx.add(round_events.task_done)
    ctx.note(
        battle_events.attack_rolled,
        unit,
        faces=[*kept, *faces],
        symbols=symbol_text(faces),
        stage="final",
        again=SYMBOL_WORDS[chosen],
    )
    return None


@answer(
    "capture-value",
    say("the capture value of a commander, from its card"),
    ask("number", "number", "", True),
    to=("capture-value",),
)
def capture_value(ctx: WesterosContext, args: CommandFields, task: BattleTask) -> Refusal | None:
    """BOW-CDR-9."""
    value = args.whole("number", 1, MOST_CAPTURE)
    ctx.add(round_events.task_done)
    ctx.note(battle_events.capture_value, ctx.unit(task.unit), value=value)
    return None


@answer(
    "stalwart",
    say("a Stalwart unit ignores the first morale symbol, or does not"),
    ask("ignore", "flag", "", True),
    to=("stalwart",),
)
def stalwart(ctx: WesterosContext, args: CommandFields, task: BattleTask) -> Refusal | None:
    """BOW-KEY-18."""
    ignore, unit = args.field("ignore").flag(), ctx.unit(task.unit)
    if ignore:
        said = say("{unit} is Stalwart and ignores the first flag", unit=unit.name)
    else:
        said = say("{unit} ignores no flag", unit=unit.name)
    ctx.add(round_events.task_done, said=said, side=task.side)
    if ignore:
        ctx.add(battle_events.attack_step, steps=task.data["flags"] - 1)
    return None


@answer("retreat", say("one hex of a retreat"), ask("to", "hex", "", True), to=("retreat",))
def retreat(ctx: WesterosContext, args: CommandFields, task: BattleTask) -> Refusal | None:
    """The owner chooses the hex of every step (BOW-RET-2, BOW-OR-11)."""
    to, unit = ctx.cell(args), ctx.unit(task.unit)
    if cell_text(to) not in task.data["cells"]:
        return no("BOW-RET-2", "{unit} cannot retreat there", unit=unit.name)
    ctx.add(round_events.task_done)
    ctx.note(battle_events.retreated, unit, cell=cell_text(to), place=ctx.place(to, unit.id))
    ctx.take_control(unit, to)
    return None


@answer(
    "follow",
    say("Advance or Pursue, or stay"),
    ask("to", "hex", say("where to; it stays without it")),
    to=("follow",),
)
def follow(ctx: WesterosContext, args: CommandFields, task: BattleTask) -> Refusal | None:
    """The target's former hex, or on from there (BOW-KEY-1, BOW-KEY-12 to BOW-KEY-14)."""
    unit = ctx.unit(task.unit)
    if not args.has("to"):
        ctx.add(round_events.task_done, said=say("{unit} stays", unit=unit.name), side=task.side)
        return None
    to = ctx.cell(args)
    if cell_text(to) not in task.data["cells"]:
        return no("BOW-KEY-12", "{unit} cannot follow there", unit=unit.name)
    again = ctx.on_board(unit.id).has("pursue")
    ctx.add(round_events.task_done)
    where = ctx.place(to, unit.id)
    ctx.note(battle_events.followed, unit, cell=cell_text(to), again=again, place=where)
    ctx.take_control(unit, to)
    return None


@answer(
    "parting-blow",
    say("the unit that is left strikes a parting blow, or does not"),
    ask("strike", "flag", "", True),
    to=("parting-blow",),
)
def parting_blow(ctx: WesterosContext, args: CommandFields, task: BattleTask) -> Refusal | None:
    """Optional, by any engaged opponent, before the unit goes on (BOW-PBL-1, BOW-OR-14)."""
    striker, leaving = ctx.unit(task.unit), ctx.unit(task.data["target"])
    strike = args.field("strike").flag()
    move_to = task.data.get("move_to", "")
    if strike and striker.cell in hex_field(ctx.state).fire:
        return no("BOW-FIR-13", "{unit} stands in fire", unit=striker.name)
    said = "" if strike else say("{unit} strikes no parting blow", unit=striker.name)
    ctx.add(round_events.task_done, said=said, side=task.side)
    if not strike:
        if move_to:
            move_unit(ctx, leaving, parse_cell(move_to))
        return None
    begin_attack(ctx, striker, leaving, "parting", move_to=move_to)
    return None


@answer(
    "counterattack",
    say("a Stalwart target strikes back, or does not"),
    ask("strike", "flag", "", True),
    to=("counter",),
)
def counterattack(ctx: WesterosContext, args: CommandFields, task: BattleTask) -> Refusal | None:
    """After a melee attack, from the same hex (BOW-CTR-1 to BOW-CTR-8)."""
    unit, target = ctx.unit(task.unit), ctx.unit(task.data["target"])
    strike = args.field("strike").flag()
    said = "" if strike else say("{unit} does not strike back", unit=unit.name)
    ctx.add(round_events.task_done, said=said, side=task.side)
    if strike:
        begin_attack(ctx, unit, target, "counter")
    return None


@answer(
    "fire-level",
    say("the fire level that a card gives a hex"),
    ask("number", "number", "", True),
    to=("fire-level",),
)
def fire_level(ctx: WesterosContext, args: CommandFields, task: BattleTask) -> Refusal | None:
    """As the card says, up to the burn limit (BOW-FIR-2, BOW-FIR-3)."""
    level = args.whole("number", task.data["least"], task.data["most"])
    ctx.add(round_events.task_done)
    ctx.burn(parse_cell(task.data["to"]), level)
    return None


@answer(
    "direction",
    say("the direction marker drawn for a fire of level 4"),
    ask("number", "number", say("1 to 6; the companion draws without it")),
    phases=(REGROUP,),
    to=("direction",),
)
def direction(ctx: WesterosContext, args: CommandFields, task: BattleTask) -> Refusal | None:
    """The hex in that direction rises by 1 level (BOW-FIR-9, BOW-FIR-10, BOW-OR-29)."""
    number = args.whole("number", 1, DIRECTIONS) if args.has("number") else 0
    number = number or ctx.dice(1, DIRECTIONS)[0]
    cell = parse_cell(task.data["cell"])
    ctx.add(round_events.task_done)
    there, field = spread_cell(cell, number), hex_field(ctx.state)
    to = ctx.place(there) if there in field.cells else say("off the board")
    where = ctx.place(cell)
    ctx.add(battle_events.fire_spreads, cell=cell_text(cell), n=number, place=where, there=to)
    if spreads_to(field, there):
        level = field.fire.get(there, 0) + 1
        ctx.burn(there, level)
        if level == MOST_FIRE and ctx.state.readings.fire_chain == "yes":  # BOW-OR-29
            ctx.add(battle_events.fire_waits, cell=cell_text(there))
    return None


@answer(
    "keep",
    say("keep at most 1 order token and 1 command card"),
    ask("token", "word", say("the token that is kept"), False, SYMBOLS),
    ask("cards", "number", say("0 or 1; 1 without it")),
    phases=(REGROUP,),
    to=("keep",),
)
def keep(ctx: WesterosContext, args: CommandFields, task: BattleTask) -> Refusal | None:
    """Regroup D (BOW-RND-18)."""
    house = ctx.state.house(task.side)
    tokens = [args.choice("token", SYMBOLS)] if args.has("token") else []
    if tokens and tokens[0] not in house.pool:
        return no("BOW-RND-18", "{player} has no such token", player=house.player)
    cards = min(house.hand, args.whole("cards", 0, 1, 1))
    what = [symbol_text([FACES.index(one) + 1]) for one in tokens]
    what.append(say("{n} card", "{n} cards", n=cards))
    ctx.add(round_events.task_done)
    ctx.add(
        round_events.kept,
        side=house.side,
        player=house.player,
        tokens=tokens,
        cards=cards,
        what=joined(what),
    )
    return None


@answer(
    "rebuild",
    say("rebuild morale to the next boost field, or leave it"),
    ask("yes", "flag", "", True),
    phases=(REGROUP,),
    to=("rebuild",),
)
def rebuild(ctx: WesterosContext, args: CommandFields, task: BattleTask) -> Refusal | None:
    """Regroup E, optional (BOW-MOR-9, BOW-OR-36)."""
    wanted = args.field("yes").flag()
    said = "" if wanted else say("{player} leaves morale as it is", player=ctx.player(task.side))
    ctx.add(round_events.task_done, said=said, side=task.side)
    if wanted:
        ctx.change_morale(task.side, task.data["by"])
    return None
